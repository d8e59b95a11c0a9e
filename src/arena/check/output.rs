//! The output of an engine during its search: `info` and `bestmove`.

use std::time::Duration;

use super::case::Basis::{Text, Undefined};
use super::case::{Case, case};
use super::talk::{
    Answer, SILENCE, Stop, Talk, USUAL_GO, fail, legal, line_of, no_bestmove, not_announced, played, threatened,
};
use crate::board::{AnyPosition, Color, Game, Komi, Reserve};
use crate::notation::parse_move;
use crate::tei::info::{Claim, Info, Rest};
use crate::tei::reply::{self, Reply};

// A list, however long.
#[allow(clippy::too_many_lines)]
pub fn cases() -> Vec<Case> {
    vec![
        case("bestmove-is-one-word", Text("bestmove and a move"), |talk| {
            let (_, answer) = usual_search(talk)?;
            match answer.best.split_whitespace().count() {
                1 => Ok(()),
                _ => fail(format_args!("bestmove {}: PTN Ninja and tak-server take the rest of the line", answer.best)),
            }
        }),
        case("info-before-bestmove", Text("bestmove: a last info comes directly before it"), |talk| {
            let (_, answer) = usual_search(talk)?;
            let last = answer.lines.last().and_then(|line| line.split_whitespace().next());
            if last != Some("info") {
                talk.warn("no info directly before bestmove");
            }
            Ok(())
        }),
        case("info-is-well-formed", Text("info: a word and its numbers, pv last"), well_formed),
        case(
            "info-has-score-and-pv",
            Undefined("racetrack needs score cp, PTN Ninja drops lines without pv"),
            |talk| {
                let (_, answer) = usual_search(talk)?;
                let infos = infos(&answer);
                if !infos.iter().any(|info| info.cp.is_some()) {
                    talk.warn("no score cp");
                }
                if !infos.iter().any(|info| matches!(info.rest, Some(Rest::Pv(_)))) {
                    talk.warn("no pv");
                }
                Ok(())
            },
        ),
        case("pv-is-legal", Text("info pv: the best line found"), pv_is_legal),
        case("pv-begins-with-bestmove", Text("info directly before bestmove has the final information"), |talk| {
            let (game, answer) = usual_search(talk)?;
            let best = legal(&game, &answer.best)?;
            let infos = infos(&answer);
            let mut first = infos.iter().rev().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
            let Some(first) = first.find_map(|info| pv(info).next()) else { return not_announced("no pv") };
            if parse_move(first, game.position().size()) != Ok(best) {
                talk.warn(format_args!("the last pv begins with {first}, the bestmove is {best}"));
            }
            Ok(())
        }),
        case("numbers-grow", Text("info: nodes and time since go"), numbers_grow),
        case("time-is-in-milliseconds", Text("info time: milliseconds"), time_unit),
        case("wdl", Text("info wdl: three probabilities in thousandths"), wdl),
        case("hashfull", Text("info hashfull: thousandths"), |talk| {
            let (_, answer) = usual_search(talk)?;
            let found: Vec<u32> = infos(&answer).iter().filter_map(|info| info.hashfull).collect();
            match found.iter().find(|&&full| full > 1000) {
                Some(full) => fail(format_args!("hashfull {full} is more than 1000")),
                None if found.is_empty() => not_announced("no hashfull"),
                None => Ok(()),
            }
        }),
        case("score-of-the-side-to-move", Text("info score: from the engine's point of view"), score_sign),
        case("score-solved", Text("info score solved: the result and its plies"), solved),
        case("multipv", Text("info multipv: the best line is 1"), multipv),
        case(
            "reserves",
            Undefined("PTN Ninja sets pieces by options Flats and Caps, the bots by Flatstones and Capstones"),
            reserves,
        ),
        case("searchmoves", Undefined("as in UCI; Syntaks has it"), searchmoves),
        case(
            "ponder",
            Undefined("an option Ponder, as in UCI without go ponder; the engine says nothing meanwhile"),
            ponder,
        ),
    ]
}

/// A search of a position that a game of a few moves leads to.
fn usual_search(talk: &mut Talk) -> Result<(Game, Answer), Stop> {
    let game = talk.opened(4)?;
    talk.ready()?;
    let answer = talk.go(USUAL_GO, Duration::from_secs(1))?;
    Ok((game, answer))
}

fn infos(answer: &Answer) -> Vec<Info> {
    let infos = answer.lines.iter().filter_map(|line| match reply::parse(line) {
        Ok(Reply::Info(info)) => Some(info),
        _ => None,
    });
    infos.collect()
}

/// The moves of a line.
fn pv(info: &Info) -> impl Iterator<Item = &str> {
    let Some(Rest::Pv(pv)) = &info.rest else { return "".split_whitespace() };
    pv.split_whitespace()
}

/// Searches a position where the owner has two roads to choose from and the other player none.
fn double_threat(talk: &mut Talk, owner: Color, to_move: Color) -> Result<Answer, Stop> {
    let mut game = talk.usual_game()?;
    let position = threatened(&mut game, owner, to_move);
    talk.send(&position)?;
    talk.go(USUAL_GO, Duration::from_secs(1))
}

fn well_formed(talk: &mut Talk) -> Result<(), Stop> {
    let (_, answer) = usual_search(talk)?;
    for line in answer.lines.iter().filter(|line| line.split_whitespace().next() == Some("info")) {
        if let Err(reason) = check_info(line) {
            return fail(format_args!("{reason} in {line:?}"));
        }
        let Ok(Reply::Info(info)) = reply::parse(line) else { return fail(format_args!("{line:?} cannot be read")) };
        if info.seldepth.is_some() && info.depth.is_none() {
            talk.warn(format_args!("seldepth without depth in {line:?}"));
        }
    }
    Ok(())
}

/// Reads an info line strictly. Words that the text does not have are skipped, with their numbers.
fn check_info(line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        let mut number = |what: &str| match words.next() {
            Some(text) if text.parse::<i64>().is_ok() => Ok(()),
            Some(text) => Err(format!("{text:?} after {what}")),
            None => Err(format!("nothing after {what}")),
        };
        match word {
            "depth" | "seldepth" | "multipv" | "time" | "nodes" | "nps" | "hashfull" => number(word)?,
            "wdl" => (0..3).try_for_each(|_| number(word))?,
            "score" => {
                let kind = words.next().unwrap_or_default();
                let value = match kind {
                    "solved" => words.nth(1),
                    _ => words.next(),
                };
                if value.is_none_or(|text| text.parse::<i64>().is_err()) {
                    return Err(format!("score {kind} without a whole number"));
                }
            }
            "pv" | "string" | "error" | "currmove" => return Ok(()),
            _ => {}
        }
    }
    Ok(())
}

fn pv_is_legal(talk: &mut Talk) -> Result<(), Stop> {
    let mut checked = 0;
    for count in [2, 4] {
        let game = talk.opened(count)?;
        let answer = talk.go(USUAL_GO, Duration::from_secs(1))?;
        checked += check_pvs(&game, &answer)?;
    }
    match checked {
        0 => not_announced("no pv"),
        _ => Ok(()),
    }
}

/// Plays all lines; the number of them.
fn check_pvs(game: &Game, answer: &Answer) -> Result<usize, Stop> {
    let mut checked = 0;
    for info in infos(answer) {
        let Some(Rest::Pv(pv)) = info.rest else { continue };
        let mut position = game.position().clone();
        for word in pv.split_whitespace() {
            if let Some(outcome) = position.outcome() {
                return fail(format_args!("{word} in pv {pv} comes after the end of the game, {outcome}"));
            }
            let mv = parse_move(word, position.size());
            let mv = mv.map_err(|error| Stop::Fail(format!("{word} in pv {pv} is not a move: {error}")))?;
            position.play(mv).map_err(|error| Stop::Fail(format!("{word} in pv {pv} is illegal: {error}")))?;
        }
        checked += 1;
    }
    Ok(checked)
}

fn numbers_grow(talk: &mut Talk) -> Result<(), Stop> {
    let (_, answer) = usual_search(talk)?;
    let infos = infos(&answer);
    let nodes: Vec<u64> = infos.iter().filter_map(|info| info.nodes).collect();
    let times: Vec<u64> = infos.iter().filter_map(|info| info.time).collect();
    let found = !nodes.is_empty() || !times.is_empty();
    for (name, values) in [("nodes", nodes), ("time", times)] {
        let mut pairs = values.iter().zip(values.iter().skip(1));
        if let Some((before, after)) = pairs.find(|(before, after)| before > after) {
            talk.warn(format_args!("{name} {after} after {name} {before}"));
        }
    }
    if found { Ok(()) } else { not_announced("neither nodes nor time") }
}

fn time_unit(talk: &mut Talk) -> Result<(), Stop> {
    talk.opened(2)?;
    talk.ready()?;
    // Long enough for a difference between units.
    let answer = talk.go("go wtime 10000 btime 10000 winc 0 binc 0", Duration::from_secs(10))?;
    let Some(last) = infos(&answer).iter().filter_map(|info| info.time).next_back() else {
        return not_announced("no time");
    };
    let elapsed = answer.elapsed.as_millis() as u64;
    if last > elapsed + 50 {
        return fail(format_args!("time {last} after {elapsed} ms"));
    }
    if elapsed > 200 && last * 20 < elapsed {
        talk.warn(format_args!("the last time is {last} after {elapsed} ms"));
    }
    Ok(())
}

fn wdl(talk: &mut Talk) -> Result<(), Stop> {
    let (_, answer) = usual_search(talk)?;
    let found: Vec<[u32; 3]> = infos(&answer).iter().filter_map(|info| info.wdl).collect();
    if found.is_empty() {
        return not_announced("no wdl");
    }
    let is_wrong = |wdl: &&[u32; 3]| !(998..=1002).contains(&wdl.iter().sum::<u32>());
    match found.iter().find(is_wrong) {
        Some([win, draw, loss]) => fail(format_args!("wdl {win} {draw} {loss} is not 1000 together")),
        None => Ok(()),
    }
}

fn score_sign(talk: &mut Talk) -> Result<(), Stop> {
    use Color::{Black, White};

    for (owner, side) in [(White, White), (Black, Black), (White, Black), (Black, White)] {
        let answer = double_threat(talk, owner, side)?;
        let Some(cp) = infos(&answer).iter().filter_map(|info| info.cp).next_back() else {
            return not_announced("no score cp");
        };
        let wins = owner == side;
        if cp == 0 || (cp > 0) != wins {
            let expected = if wins { "wins" } else { "loses" };
            return fail(format_args!("score cp {cp} for {side:?} to move, who {expected} by force"));
        }
    }
    Ok(())
}

fn solved(talk: &mut Talk) -> Result<(), Stop> {
    let mut said = false;
    for (side, result, plies) in [(Color::White, "win", 1), (Color::Black, "loss", 2)] {
        let answer = double_threat(talk, Color::White, side)?;
        let line = answer.lines.iter().rfind(|line| line.contains(" score solved ") || line.contains(" score mate "));
        let Some(line) = line else { continue };
        said = true;
        let Ok(Reply::Info(Info { solved: Some(claim), .. })) = reply::parse(line) else {
            return fail(format_args!("{line:?} cannot be read"));
        };
        if claim.result() != result {
            return fail(format_args!("{line:?} for a {result} in {plies}"));
        }
        if Some(claim) != Claim::new(result, plies) && line.contains(" solved ") {
            talk.warn(format_args!("{line:?} for a {result} in {plies} plies"));
        }
    }
    if said { Ok(()) } else { not_announced("neither score solved nor score mate for a forced win") }
}

fn multipv(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    if talk.spin("MultiPV").is_none_or(|(_, max)| max < 3) {
        return not_announced("no option MultiPV up to 3");
    }
    // Some engines read their options when a game begins.
    talk.send("setoption name MultiPV value 3")?;
    let mut game = talk.usual_game()?;
    let position = played(&mut game, 4);
    talk.send(&position)?;
    // Tiltak has it for the searches of PTN Ninja only, which sends no clock.
    let (_, answer) = talk.search(&game, "go movetime 1000", Duration::from_secs(1))?;
    let infos = infos(&answer);
    // The last complete set of three ranks of one depth.
    let start =
        infos.windows(3).rposition(|three| three.iter().map(|info| info.multipv).eq([Some(1), Some(2), Some(3)]));
    let Some(start) = start else { return fail("no lines with multipv 1, 2 and 3 one after another") };
    let three = &infos[start..start + 3];
    let scores: Vec<i32> = three.iter().filter_map(|info| info.cp).collect();
    if !scores.is_sorted_by(|a, b| a >= b) {
        return fail(format_args!("scores {scores:?} of multipv 1, 2 and 3 are not in order"));
    }
    let moves: Vec<&str> = three.iter().filter_map(|info| pv(info).next()).collect();
    if moves.len() < 3 || moves[0] == moves[1] || moves[0] == moves[2] || moves[1] == moves[2] {
        return fail(format_args!("multipv 1, 2 and 3 begin with {}", moves.join(", ")));
    }
    Ok(())
}

fn reserves(talk: &mut Talk) -> Result<(), Stop> {
    let game = talk.usual_game()?;
    let size = game.position().size();
    let names = [["Flats", "Caps"], ["Flatstones", "Capstones"]];
    let Some([flats, caps]) = names.into_iter().find(|names| names.iter().all(|name| talk.has_option(name))) else {
        return not_announced("no options Flats and Caps, nor Flatstones and Capstones");
    };
    let reserve = Reserve { stones: 4, caps: 0 };
    talk.new_game(size, Komi::ZERO)?;
    talk.send(&format!("setoption name {flats} value {}", reserve.stones))?;
    talk.send(&format!("setoption name {caps} value {}", reserve.caps))?;
    talk.ready()?;
    let mut setup = game.position().to_setup();
    setup.reserves.0 = [reserve; 2];
    let Ok(start) = AnyPosition::from_setup(&setup) else {
        return not_announced("such few pieces cannot be played with");
    };
    let mut game = Game::new(start);
    while game.position().outcome().is_none() && game.moves().len() < 30 {
        talk.send(&line_of(&game))?;
        let (mv, answer) = talk.search(&game, "go wtime 500 btime 500 winc 0 binc 0", Duration::from_millis(500))?;
        check_pvs(&game, &answer)?;
        game.play_unchecked(mv);
    }
    Ok(())
}

fn searchmoves(talk: &mut Talk) -> Result<(), Stop> {
    let mut game = talk.usual_game()?;
    let position = played(&mut game, 4);
    // Walls in a corner are what no engine plays by itself.
    let width = talk.size().width();
    let odd: Vec<String> = [format!("Sb{width}"), format!("S{}1", char::from(b'a' + width as u8 - 1))].into();
    for mv in &odd {
        talk.send(&position)?;
        let (_, answer) = talk.search(&game, &format!("{USUAL_GO} searchmoves {mv}"), Duration::from_secs(1))?;
        if &answer.best != mv {
            return not_announced("searchmoves is not obeyed");
        }
    }
    Ok(())
}

fn ponder(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    if !talk.has_option("Ponder") {
        return not_announced("no option Ponder");
    }
    talk.send("setoption name Ponder value true")?;
    let mut game = talk.opened(2)?;
    for expected in [true, false] {
        let (mv, answer) = talk.usual_search(&game)?;
        no_bestmove(&talk.said_within(SILENCE, "pondering")?, "a second bestmove for one go")?;
        let reply = infos(&answer).iter().rev().find_map(|info| pv(info).nth(1).map(str::to_owned));
        game.play_unchecked(mv);
        let replies = game.legal_moves();
        let guess =
            reply.and_then(|text| parse_move(&text, game.position().size()).ok()).filter(|mv| replies.contains(mv));
        let other = replies.iter().copied().find(|mv| Some(*mv) != guess);
        let Some(mv) = (if expected { guess.or(other) } else { other }) else { return Ok(()) };
        game.play_unchecked(mv);
        talk.send(&line_of(&game))?;
    }
    talk.usual_search(&game)?;
    talk.still_plays()
}
