//! "Works with": the dialogues of clients, line by line as they hold them.
//!
//! They were written from the sources of racetrack (78fa63c), PTN Ninja (3.5.5), both playtak-tei forks (alion02 1f29675,
//! cdbfoster 382c78f) and tak-server's bridge (7397ec1), and PTN Ninja's also from what it was seen to send. How an engine
//! ends when a client leaves is a question of the level `start`.

use std::time::Duration;

use super::case::Basis::Undefined;
use super::case::{Case, case};
use super::talk::{SILENCE, Stop, Talk, fail, legal, line_of, not_announced, played, played_to_the_end};
use crate::board::{AnyPosition, Game, Reserve};
use crate::notation::moves_text;
use crate::tei::reply::{HALF_KOMI, OptionKind};

pub fn cases() -> Vec<Case> {
    vec![
        case("racetrack", Undefined("tei, options, isready, and for each game teinewgame N; never stop"), |talk| {
            racetrack(talk, |_| "position startpos moves ".to_owned())
        }),
        case("racetrack-tps", Undefined("the same with openings in TPS, or with komi and no openings"), |talk| {
            racetrack(talk, |game| format!("position tps {} moves ", game.position()))
        }),
        case(
            "ptn-ninja",
            Undefined("all options, teinewgame size N halfkomi K, go infinite and stop; go on at bestmove"),
            |talk| {
                talk.handshake()?;
                if !talk.identity.has_sizes() {
                    return not_announced("no size line: PTN Ninja speaks the older dialect with it");
                }
                ptn_ninja(talk)
            },
        ),
        case("ptn-ninja-older-dialect", Undefined("the same with setoption HalfKomi and teinewgame N"), |talk| {
            talk.handshake()?;
            if talk.identity.has_sizes() {
                return not_announced("size lines: PTN Ninja speaks the later dialect with it");
            }
            ptn_ninja(talk)
        }),
        case(
            "playtak-tei-alion02",
            Undefined("no isready; a clock without 1.5 s and an increment of 5 s; asks after the end"),
            |talk| playtak(talk, "go wtime 3500 btime 3500 winc 5000 binc 5000"),
        ),
        case("playtak-tei-cdbfoster", Undefined("no isready; a clock without increment; asks after the end"), |talk| {
            playtak(talk, "go wtime 5000 btime 5000")
        }),
        case(
            "tak-server-bridge",
            Undefined("the option HalfKomi, teinewgame N, moves and go movetime; no isready"),
            tak_server,
        ),
    ]
}

/// The start position of the usual board.
fn start(talk: &Talk) -> Game {
    let size = talk.size();
    Game::new(AnyPosition::start(size, talk.usual_komi(size)))
}

/// Plays the answer and a reply to it, which is the first legal move that does not end the game.
fn answer_and_reply(game: &mut Game, best: &str) -> Result<(), Stop> {
    let mv = legal(game, best)?;
    game.play_unchecked(mv);
    let goes_on = |mv: &&crate::board::Move| {
        let mut next = game.position().clone();
        next.play(**mv).is_ok() && next.outcome().is_none()
    };
    if let Some(&reply) = game.legal_moves().iter().find(goes_on).filter(|_| game.position().outcome().is_none()) {
        game.play_unchecked(reply);
    }
    Ok(())
}

/// Games from positions that begin so.
fn racetrack(talk: &mut Talk, begin: fn(&Game) -> String) -> Result<(), Stop> {
    talk.handshake()?;
    let width = talk.size().width();
    let half = talk.usual_komi(talk.size()).half();
    // Only options that differ from their default are sent.
    if talk.spin("Hash").is_some_and(|(min, max)| (min..=max).contains(&16)) {
        talk.send("setoption name Hash value 16")?;
    }
    if talk.has_option(HALF_KOMI) && half != 0 {
        talk.send(&format!("setoption name {HALF_KOMI} value {half}"))?;
    }
    talk.ready()?;
    for _ in 0..2 {
        talk.send(&format!("teinewgame {width}"))?;
        talk.ready()?;
        let mut game = start(talk);
        let begin = begin(&game);
        for _ in 0..4 {
            if game.position().outcome().is_some() {
                break;
            }
            // A blank at the end, as it writes it.
            let blank = if game.moves().is_empty() { "" } else { " " };
            talk.send(&format!("{begin}{}{blank}", moves_text(game.moves())))?;
            let answer = talk.go("go wtime 1000 btime 1000 winc 10 binc 10", Duration::from_secs(1))?;
            let word = answer.best.split_whitespace().next().unwrap_or_default();
            let mv = legal(&game, &answer.best)?;
            if word.trim_end_matches('*') != mv.to_string() {
                return fail(format_args!("racetrack does not read the move {word}, only {mv}"));
            }
            answer_and_reply(&mut game, &answer.best)?;
        }
    }
    talk.send("quit")?;
    talk.exit("quit")
}

/// After the handshake.
fn ptn_ninja(talk: &mut Talk) -> Result<(), Stop> {
    let width = talk.size().width();
    let half = talk.usual_komi(talk.size()).half();
    let has_sizes = talk.identity.has_sizes();
    talk.ready()?;
    // "Apply Options": all of them, those about pieces excepted, defaults included, MultiPV last.
    let mut options = talk.identity.options.clone();
    options.retain(|option| {
        let is_hidden = ["Flats", "Caps", "Flats1", "Flats2", "Caps1", "Caps2"].contains(&&*option.name);
        !is_hidden && option.name != HALF_KOMI && option.kind != OptionKind::Button
    });
    options.sort_by_key(|option| option.name == "MultiPV");
    for option in &options {
        let default = option.default.clone().unwrap_or_default();
        talk.send(&format!("setoption name {} value {default}", option.name))?;
    }
    talk.ready()?;
    if has_sizes {
        talk.send(&format!("teinewgame size {width} halfkomi {half}"))?;
    } else {
        talk.send(&format!("setoption name {HALF_KOMI} value {half}"))?;
        talk.send(&format!("teinewgame {width}"))?;
    }
    talk.ready()?;
    // Interactive analysis: `stop` when another position is shown, which follows at `bestmove`. A position without moves
    // comes as TPS.
    let mut game = start(talk);
    talk.send(&format!("position tps {}", game.position()))?;
    talk.send("go infinite")?;
    talk.said_within(SILENCE, "analysing")?;
    talk.send("stop")?;
    talk.until("bestmove", talk.settings.patience())?;
    let position = played(&mut game, 2);
    talk.send(&position)?;
    talk.send("go infinite")?;
    talk.said_within(SILENCE, "analysing")?;
    talk.send("stop")?;
    let (lines, best) = talk.until("bestmove", talk.settings.patience())?;
    if best.contains(char::is_whitespace) {
        return fail(format_args!("PTN Ninja takes {best:?} for the move"));
    }
    legal(&game, &best)?;
    if !lines.iter().any(|line| line.contains(" pv ")) {
        talk.warn("no info with pv, so PTN Ninja shows nothing");
    }
    // Then with a limit, at one of depth, nodes and movetime.
    talk.send(&position)?;
    talk.search(&game, "go movetime 200", Duration::from_millis(200)).map(drop)
}

fn playtak(talk: &mut Talk, go: &str) -> Result<(), Stop> {
    let lines = talk.handshake()?;
    if lines.iter().any(|line| line.trim().is_empty()) {
        return fail("a blank line, at which the bot ends with an error");
    }
    let size = talk.size();
    let half = talk.usual_komi(size).half();
    let standard = Reserve::standard(size);
    // Only spin options are seen, and set where the game differs from the default.
    for (name, wanted, usual) in [
        (HALF_KOMI, i64::from(half), 0),
        ("Flatstones", i64::from(standard.stones), i64::from(standard.stones)),
        ("Capstones", i64::from(standard.caps), i64::from(standard.caps)),
    ] {
        let default = talk.identity.option(name).and_then(|option| option.default.clone());
        if talk.spin(name).is_some_and(|(min, max)| (min..=max).contains(&wanted)) {
            if default != Some(wanted.to_string()) {
                talk.send(&format!("setoption name {name} value {wanted}"))?;
            }
        } else if wanted != usual {
            return fail(format_args!("the bot finds no spin option {name}, and the game needs {wanted}"));
        }
    }
    talk.send(&format!("teinewgame {}", size.width()))?;
    let mut game = start(talk);
    for _ in 0..3 {
        talk.send(&line_of(&game))?;
        let answer = talk.go(go, Duration::from_secs(10))?;
        if answer.lines.iter().any(|line| line.trim().is_empty()) {
            return fail("a blank line, at which the bot ends with an error");
        }
        answer_and_reply(&mut game, &answer.best)?;
    }
    // It asks after a lost game too. If the engine ends then, the bot reports an error, but the game is over.
    let mut game = start(talk);
    let position = played_to_the_end(&mut game);
    talk.send(&position)?;
    talk.send(go)?;
    match talk.said_within(SILENCE, "asked for a move of a finished game") {
        Ok(_) => {}
        Err(Stop::Crash(reason)) => talk.warn(reason),
        Err(other) => return Err(other),
    }
    Ok(())
}

fn tak_server(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    let size = talk.size();
    let half = talk.usual_komi(size).half();
    // It sends komi if the option takes it. Of a combo it sees one value only.
    let option = talk.identity.option(HALF_KOMI).filter(|option| matches!(option.kind, OptionKind::Spin { .. }));
    if let Some(name) = option.map(|option| option.name.clone()) {
        talk.send(&format!("setoption name {name} value {half}"))?;
    }
    talk.send(&format!("teinewgame {}", size.width()))?;
    let mut game = start(talk);
    for _ in 0..3 {
        talk.send(&line_of(&game))?;
        let answer = talk.go("go movetime 200", Duration::from_millis(200))?;
        answer_and_reply(&mut game, &answer.best)?;
    }
    Ok(())
}
