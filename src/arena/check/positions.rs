//! Positions and the limits of a search: legal moves for all of them.

use std::time::Duration;

use super::case::Basis::{Text, Undefined};
use super::case::{Case, case};
use super::talk::{
    SILENCE, Stop, Talk, USUAL_GO, fail, legal, line_of, no_bestmove, not_announced, played, played_to_the_end,
};
use crate::board::{AnyPosition, Game, Komi, Size};
use crate::tei::reply::{HALF_KOMI, NO_MOVE};

// A list, however long.
#[allow(clippy::too_many_lines)]
pub fn cases() -> Vec<Case> {
    let sizes = Size::ALL.into_iter().map(|size| {
        let name = format!("size-{}", size.width());
        let basis = Text("size and teinewgame: a game on each announced board with each announced komi");
        case(name, basis, move |talk| every_komi(talk, size))
    });
    let mut cases: Vec<Case> = sizes.collect();
    cases.extend([
        case("newgame-size-halfkomi", Text("teinewgame size N halfkomi K"), |talk| {
            announces_sizes(talk)?;
            let (size, komi) = (talk.size(), talk.usual_komi(talk.size()));
            new_game(talk, &format!("teinewgame size {} halfkomi {}", size.width(), komi.half()))
        }),
        case("newgame-size-alone", Text("teinewgame: without halfkomi it is zero"), |talk| {
            announces_sizes(talk)?;
            new_game(talk, &format!("teinewgame size {}", talk.size().width()))
        }),
        case(
            "newgame-size-komi",
            Undefined("only in the example of the text; Tiltak and Topaz panic at the word size, Taktician ends"),
            |talk| {
                announces_sizes(talk)?;
                new_game(talk, &format!("teinewgame size {} komi 2", talk.size().width()))
            },
        ),
        case("newgame-number", Undefined("the older dialect, which racetrack and the playtak bots speak"), |talk| {
            talk.handshake()?;
            if talk.has_option(HALF_KOMI) {
                let half = talk.usual_komi(talk.size()).half();
                talk.send(&format!("setoption name {HALF_KOMI} value {half}"))?;
            }
            new_game(talk, &format!("teinewgame {}", talk.size().width()))
        }),
        case("newgame-twice", Text("teinewgame comes before each game"), |talk| {
            talk.handshake()?;
            for _ in 0..3 {
                talk.still_plays()?;
            }
            talk.new_game(talk.size(), Komi::ZERO)?;
            talk.still_plays()
        }),
        case("startpos", Text("position: without moves it is the start position"), |talk| {
            let game = talk.usual_game()?;
            talk.think(&game, "position startpos")
        }),
        case(
            "startpos-empty-moves",
            Undefined("racetrack writes the word moves and a blank before the first move"),
            |talk| {
                let game = talk.usual_game()?;
                talk.think(&game, "position startpos moves ")
            },
        ),
        case("startpos-moves", Text("position startpos moves"), |talk| {
            for count in 1..=4 {
                let game = talk.opened(count)?;
                talk.usual_search(&game)?;
            }
            Ok(())
        }),
        case(
            "startpos-take-back",
            Undefined("PTN Ninja goes to any position of a game, and racetrack to the next game"),
            |talk| {
                talk.usual_game()?;
                [4, 2, 3, 1].into_iter().try_for_each(|count| talk.play_on(Game::new(start(talk)), count))
            },
        ),
        case("tps", Text("position tps"), |talk| {
            for tps in boards(talk)? {
                talk.think(&Game::new(tps.clone()), &format!("position tps {tps}"))?;
            }
            Ok(())
        }),
        case("tps-moves", Text("position tps moves"), |talk| {
            for tps in boards(talk)? {
                let mut game = Game::new(tps.clone());
                let mv = game.legal_moves()[0];
                let _ = game.play(mv);
                talk.think(&game, &format!("position tps {tps} moves {mv}"))?;
            }
            Ok(())
        }),
        case(
            "tps-start",
            Undefined("racetrack sends the empty board so when there is komi, with the word moves"),
            |talk| {
                talk.usual_game()?;
                let start = start(talk);
                talk.think(&Game::new(start.clone()), &format!("position tps {start} moves "))
            },
        ),
        case("side-to-move", Text("position: the side to move is that of the TPS and the moves"), side_to_move),
        case("game-by-moves", Text("bestmove is a move of the position"), |talk| whole_game(talk, line_of)),
        case("game-by-tps", Text("bestmove is a move of the position"), |talk| {
            whole_game(talk, |game| format!("position tps {}", game.position()))
        }),
        case("go-clock", Text("go wtime btime winc binc"), |talk| go(talk, USUAL_GO, 1_000)),
        case("go-clock-alone", Undefined("the playtak bots send no increment, or 5 s"), |talk| {
            go(talk, "go wtime 1000 btime 1000", 1_000)?;
            go(talk, "go wtime 1000 btime 1000 winc 5000 binc 5000", 6_000)
        }),
        case("go-movestogo", Text("go movestogo"), |talk| go(talk, "go wtime 1000 btime 1000 movestogo 10", 1_000)),
        case("go-movetime", Text("go movetime"), |talk| go(talk, "go movetime 200", 200)),
        case("go-nodes", Text("go nodes"), |talk| go(talk, "go nodes 100", 0)),
        case("go-depth", Text("go depth"), |talk| go(talk, "go depth 2", 0)),
        case("go-infinite", Text("go infinite searches until stop"), |talk| until_stop(talk, "go infinite")),
        case("go-alone", Text("go alone is go infinite"), |talk| until_stop(talk, "go")),
        case("infinite-overrides", Text("infinite makes all other words of go be ignored"), |talk| {
            // Some engines clear their memory when the first search begins, which takes a while.
            let game = talk.opened(2)?;
            talk.go(USUAL_GO, Duration::from_secs(1))?;
            talk.said_within(SILENCE, "after bestmove")?;
            stopped(talk, &game, "go infinite depth 1")
        }),
        case("two-limits", Text("one or more limits may follow go"), |talk| go(talk, "go depth 2 movetime 300", 300)),
        case("go-solved", Text("go solved looks for a win"), |talk| {
            let game = talk.opened(2)?;
            talk.ready()?;
            let answer = talk.go("go solved movetime 200", Duration::from_millis(200))?;
            if answer.best == NO_MOVE { Ok(()) } else { legal(&game, &answer.best).map(drop) }
        }),
        case("unknown-word-in-go", Text("unknown words are ignored and the rest is read"), |talk| {
            go(talk, "go foo wtime 1000 btime 1000 winc 10 binc 10", 1_000)
        }),
        case("unknown-word-in-position", Text("unknown words are ignored and the rest is read"), |talk| {
            let mut game = talk.usual_game()?;
            let position = played(&mut game, 2).replacen("startpos", "startpos foo", 1);
            talk.think(&game, &position)
        }),
        case(
            "go-after-the-end",
            Undefined("the playtak bots ask after a lost game; engines answer --, 0000 or nothing, and live on"),
            after_the_end,
        ),
        case("no-time-left", Undefined("playtak-tei-cdbfoster sends whole seconds, so zero in the last one"), |talk| {
            ["go wtime 1 btime 1 winc 0 binc 0", "go wtime 0 btime 0"]
                .into_iter()
                .try_for_each(|clock| go(talk, clock, 0))
        }),
    ]);
    cases
}

fn announces_sizes(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    if talk.identity.has_sizes() { Ok(()) } else { not_announced("no size line, so it is not of this dialect") }
}

fn start(talk: &Talk) -> AnyPosition {
    AnyPosition::start(talk.size(), talk.usual_komi(talk.size()))
}

/// Begins a game with this line and gets a move.
fn new_game(talk: &mut Talk, line: &str) -> Result<(), Stop> {
    talk.send(line)?;
    talk.ready()?;
    talk.play_on(Game::new(start(talk)), 2)
}

/// A search with these limits, which takes about this many milliseconds at most.
fn go(talk: &mut Talk, go: &str, time: u64) -> Result<(), Stop> {
    let game = talk.opened(2)?;
    talk.ready()?;
    talk.search(&game, go, Duration::from_millis(time))?;
    single_bestmove(talk)
}

/// Nothing more is said about a search.
fn single_bestmove(talk: &mut Talk) -> Result<(), Stop> {
    no_bestmove(&talk.ready()?, "a second bestmove for one go")
}

/// A search that has to be stopped.
fn until_stop(talk: &mut Talk, go: &str) -> Result<(), Stop> {
    let game = talk.opened(2)?;
    talk.ready()?;
    stopped(talk, &game, go)
}

/// Searches until `stop`, not less.
fn stopped(talk: &mut Talk, game: &Game, go: &str) -> Result<(), Stop> {
    talk.send(go)?;
    no_bestmove(&talk.said_within(2 * SILENCE, "searching without limit")?, "bestmove before stop")?;
    talk.stop_search(game)?;
    single_bestmove(talk)
}

/// Begins games on this board with every komi; the outer ones get a move.
fn every_komi(talk: &mut Talk, size: Size) -> Result<(), Stop> {
    talk.handshake()?;
    if !talk.sizes().contains(&size) {
        let is_later = talk.identity.has_sizes();
        return not_announced(if is_later { "no size line has it" } else { "no size line, and --size names another" });
    }
    let komis = talk.komis(size);
    let (first, last) = (komis.first().copied(), komis.last().copied());
    for komi in komis {
        let game = talk.new_game(size, komi)?;
        if Some(komi) == first || Some(komi) == last || komi == Komi::ZERO {
            talk.play_on(game, 3)?;
        }
    }
    Ok(())
}

/// Positions of the board in use with stacks, walls and, where there is one, a capstone; each player to move.
fn boards(talk: &mut Talk) -> Result<Vec<AnyPosition>, Stop> {
    talk.usual_game()?;
    let width = talk.size().width();
    let empty = format!("x{width}");
    let more = |row: &str, taken: usize| match width - taken {
        0 => row.to_owned(),
        1 => format!("{row},x"),
        left => format!("{row},x{left}"),
    };
    let cap = if width > 4 { "21C" } else { "21" };
    let rows = [more("1,2S,12", 3), more(&format!("x,{cap},2"), 3), more("2,x,1S", 3)];
    let mut board = vec![empty; width - 3];
    board.extend(rows);
    let board = board.join("/");
    let boards = [format!("{board} 1 9"), format!("{board} 2 9")];
    Ok(boards.iter().filter_map(|tps| tps.parse().ok()).collect())
}

/// Two rows of a piece short of a road, one of each colour.
fn side_to_move(talk: &mut Talk) -> Result<(), Stop> {
    talk.usual_game()?;
    let width = talk.size().width();
    let row = |piece: &str| format!("{},x", vec![piece; width - 1].join(","));
    let mut rows = vec![format!("x{width}"); width - 2];
    rows.extend([row("2"), row("1")]);
    for (side, wins) in [(1, '1'), (2, '2')] {
        let tps = format!("{} {side} {width}", rows.join("/"));
        let Ok(position) = tps.parse::<AnyPosition>() else { return fail(format_args!("{tps} is no position")) };
        let game = Game::new(position);
        talk.send(&format!("position tps {tps}"))?;
        let (mv, _) = talk.usual_search(&game)?;
        let mut next = game.position().clone();
        let _ = next.play(mv);
        if next.outcome().is_none() {
            talk.warn(format_args!("player {wins} to move has a road in one move, and {mv} is none"));
        }
    }
    Ok(())
}

/// A game of the engine with itself, every move legal.
fn whole_game(talk: &mut Talk, line: impl Fn(&Game) -> String) -> Result<(), Stop> {
    const PLIES: usize = 40;
    let mut game = talk.usual_game()?;
    played(&mut game, 2);
    while game.position().outcome().is_none() && game.moves().len() < PLIES {
        talk.send(&line(&game))?;
        let (mv, answer) = talk.search(&game, "go wtime 300 btime 300 winc 0 binc 0", Duration::from_millis(300))?;
        let word = answer.best.split_whitespace().next().unwrap_or_default();
        if word.trim_end_matches('*') != mv.to_string() {
            talk.warn(format_args!("bestmove {word} is usually written {mv}, and racetrack rejects some forms"));
        }
        game.play_unchecked(mv);
    }
    Ok(())
}

/// The opponent has made a road, and the engine is asked.
fn after_the_end(talk: &mut Talk) -> Result<(), Stop> {
    let mut game = talk.usual_game()?;
    let position = played_to_the_end(&mut game);
    talk.send(&position)?;
    talk.send(USUAL_GO)?;
    let said = talk.said_within(2 * SILENCE, "asked for a move of a finished game")?;
    match said.iter().find_map(|line| line.strip_prefix("bestmove")) {
        None => talk.warn("no bestmove for a finished game"),
        Some(best) if best.trim() != NO_MOVE => talk.warn(format_args!("bestmove{best} in a finished game, not --")),
        Some(_) => {}
    }
    talk.still_plays()
}
