//! Options, changes between games, and commands while the engine searches.

use std::time::Duration;

use super::case::Basis::{Text, Undefined};
use super::case::{Case, case};
use super::talk::{SILENCE, Stop, Talk, USUAL_GO, fail, line_of, no_bestmove, not_announced, played};
use crate::board::{Game, Komi};
use crate::tei::reply::{HALF_KOMI, OptionKind, OptionLine};

/// The value of an option to try.
#[derive(Clone, Copy)]
enum End {
    Least,
    Default,
    Greatest,
}

// A list, however long.
#[allow(clippy::too_many_lines)]
pub fn cases() -> Vec<Case> {
    let ends = [("default", End::Default), ("least", End::Least), ("greatest", End::Greatest)];
    let ends = ends.map(|(name, end)| {
        let basis = Text("option and setoption: each announced value can be set");
        case(format!("each-{name}"), basis, move |talk| each(talk, end))
    });
    let mut cases = Vec::from(ends);
    cases.extend([
        case("buttons", Text("setoption of a button has no value"), |talk| {
            talk.usual_game()?;
            let is_button = |option: &&OptionLine| option.kind == OptionKind::Button;
            let buttons = talk.identity.options.iter().filter(is_button);
            let lines: Vec<String> = buttons.map(|option| format!("setoption name {}", option.name)).collect();
            if lines.is_empty() {
                return not_announced("no button");
            }
            lines.iter().try_for_each(|line| talk.send(line))?;
            talk.still_plays()
        }),
        case("names-in-any-case", Text("setoption: names do not depend on case"), names_in_any_case),
        case("unknown-option", Text("unknown words are ignored"), |talk| {
            talk.usual_game()?;
            talk.send("setoption name NoSuchOption value 1")?;
            talk.ready()?;
            talk.still_plays()
        }),
        case("size-changes-between-games", Text("teinewgame: a game on another board"), size_changes),
        case(
            "komi-changes-between-games",
            Text("teinewgame, or the option HalfKomi: a game with another komi"),
            komi_changes,
        ),
        case("isready-while-searching", Text("isready is answered at once and the search goes on"), |talk| {
            let game = search(talk)?;
            for _ in 0..3 {
                no_bestmove(&talk.ready()?, "isready ended the search")?;
            }
            talk.stop_search(&game)
        }),
        case("stop-at-once", Text("stop ends the search as soon as possible"), |talk| {
            let game = talk.opened(2)?;
            talk.ready()?;
            talk.send_bytes(b"go infinite\nstop\n")?;
            talk.best(&game, Duration::ZERO).map(drop)
        }),
        case("stop-ends-a-timed-search", Text("stop ends the search as soon as possible"), |talk| {
            let game = talk.opened(2)?;
            talk.send("go wtime 36000000 btime 36000000 winc 0 binc 0")?;
            talk.said_within(SILENCE, "searching")?;
            talk.stop_search(&game)
        }),
        case("stop-without-search", Text("stop is ignored when nothing is searched"), |talk| {
            talk.usual_game()?;
            talk.send("stop")?;
            no_bestmove(&talk.ready()?, "bestmove without a go")?;
            talk.still_plays()
        }),
        case("stop-twice", Text("stop is ignored when nothing is searched"), |talk| {
            let game = search(talk)?;
            talk.send_bytes(b"stop\nstop\n")?;
            talk.best(&game, Duration::ZERO)?;
            no_bestmove(&talk.ready()?, "a bestmove for each stop")?;
            talk.still_plays()
        }),
        case(
            "stop-and-on",
            Undefined("stop, position and go at once: PTN Ninja sends them so if its user is quick"),
            |talk| {
                let mut game = search(talk)?;
                let mv = game.legal_moves()[0];
                game.play_unchecked(mv);
                talk.send_bytes(format!("stop\n{}\n{USUAL_GO}\n", line_of(&game)).as_bytes())?;
                talk.until("bestmove", talk.settings.patience())?;
                talk.best(&game, Duration::from_secs(1)).map(drop)
            },
        ),
        while_searching("go-while-searching", "go infinite"),
        while_searching("position-while-searching", "position startpos moves a1"),
        while_searching("newgame-while-searching", "teinewgame"),
        while_searching("setoption-while-searching", "setoption name HalfKomi value 0"),
        case("many-short-searches", Text("each go gets one bestmove"), |talk| {
            let mut game = talk.usual_game()?;
            let position = played(&mut game, 2);
            for _ in 0..20 {
                talk.send(&position)?;
                talk.search(&game, "go wtime 50 btime 50 winc 0 binc 0", Duration::from_millis(50))?;
            }
            no_bestmove(&talk.ready()?, "more bestmove than go")
        }),
    ]);
    cases
}

/// More of a table or of threads than this is a question to the machine, not to the engine.
const MOST: [(&str, i64); 2] = [("Hash", 256), ("Threads", 8)];

/// Sets each option to a value, plays, and sets it back.
fn each(talk: &mut Talk, end: End) -> Result<(), Stop> {
    talk.handshake()?;
    if talk.identity.options.is_empty() {
        return not_announced("no option");
    }
    for option in talk.identity.options.clone() {
        let Some(value) = value(&option, end) else { continue };
        set(talk, &option.name, &value)?;
        // Reserves and openings change what is legal, so any move will do.
        let mut game = talk.new_game(talk.size(), Komi::ZERO)?;
        let position = played(&mut game, 2);
        talk.send(&position)?;
        let go = if option.name.eq_ignore_ascii_case("Ponder") { "go movetime 100" } else { USUAL_GO };
        let answer = talk.go(go, Duration::from_secs(1))?;
        if answer.best.is_empty() {
            return fail(format_args!("bestmove without a move, with option {} at {value}", option.name));
        }
        if let Some(default) = &option.default {
            set(talk, &option.name, default)?;
        }
    }
    talk.still_plays()
}

/// Sets an option; a complaint about an announced value is a failure.
fn set(talk: &mut Talk, name: &str, value: &str) -> Result<(), Stop> {
    talk.send(&format!("setoption name {name} value {value}"))?;
    match talk.ready()?.iter().find(|line| line.starts_with("info error")) {
        Some(line) => fail(format_args!("{line:?} for option {name} at {value}")),
        None => Ok(()),
    }
}

fn value(option: &OptionLine, end: End) -> Option<String> {
    let default = option.default.clone();
    match (&option.kind, end) {
        // A button has no value, and a bound that is not announced is none to try.
        (OptionKind::Button, _)
        | (OptionKind::Spin { min: i64::MIN, .. }, End::Least)
        | (OptionKind::Spin { max: i64::MAX, .. }, End::Greatest) => None,
        (_, End::Default) | (OptionKind::Text, _) => default,
        (OptionKind::Check, End::Least) => Some("false".to_owned()),
        (OptionKind::Check, End::Greatest) => Some("true".to_owned()),
        (OptionKind::Spin { min, .. }, End::Least) => Some(min.to_string()),
        (OptionKind::Spin { min, max }, End::Greatest) => {
            let most = MOST.iter().find(|(name, _)| option.name.eq_ignore_ascii_case(name));
            Some(most.map_or(*max, |(_, most)| (*most).clamp(*min, *max)).to_string())
        }
        (OptionKind::Combo(values), End::Least) => values.first().cloned(),
        (OptionKind::Combo(values), End::Greatest) => values.last().cloned(),
    }
}

fn names_in_any_case(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    let options = talk.identity.options.clone();
    let mut options = options.iter().filter_map(|option| Some((&option.name, value(option, End::Default)?)));
    let Some((name, value)) = options.next() else { return not_announced("no option with a value") };
    for name in [name.to_lowercase(), name.to_uppercase()] {
        set(talk, &name, &value)?;
    }
    talk.still_plays()
}

fn size_changes(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    let sizes = talk.sizes();
    if sizes.len() < 2 {
        return not_announced("one board only");
    }
    for &size in sizes.iter().chain(sizes.iter().rev()) {
        let game = talk.new_game(size, Komi::ZERO)?;
        talk.play_on(game, 3)?;
    }
    Ok(())
}

fn komi_changes(talk: &mut Talk) -> Result<(), Stop> {
    talk.handshake()?;
    let size = talk.size();
    let komis = talk.komis(size);
    let (Some(&first), Some(&last)) = (komis.first(), komis.last()) else { return not_announced("no komi") };
    if first == last {
        return not_announced("one komi only");
    }
    for komi in [first, last, first] {
        let game = talk.new_game(size, komi)?;
        talk.play_on(game, 3)?;
    }
    // The same by the option, for engines that have both.
    if talk.has_option(HALF_KOMI) {
        set(talk, HALF_KOMI, &last.half().to_string())?;
        talk.still_plays()?;
    }
    Ok(())
}

/// Starts a search that only `stop` ends.
fn search(talk: &mut Talk) -> Result<Game, Stop> {
    let game = talk.opened(2)?;
    talk.ready()?;
    talk.send("go infinite")?;
    no_bestmove(&talk.said_within(SILENCE, "searching")?, "bestmove before stop")?;
    Ok(game)
}

/// Sends a line during a search. What it does is undefined, but the engine plays on.
fn while_searching(name: &str, line: &'static str) -> Case {
    let basis = match name {
        "setoption-while-searching" => Text("setoption is never sent so; a command out of place is ignored"),
        _ => Undefined("engines end the search, wait for its end, or ignore the command"),
    };
    case(name, basis, move |talk| {
        search(talk)?;
        let width = talk.size().width();
        match line {
            "teinewgame" if talk.identity.has_sizes() => talk.send(&format!("teinewgame size {width}"))?,
            "teinewgame" => talk.send(&format!("teinewgame {width}"))?,
            line => talk.send(line)?,
        }
        talk.send("stop")?;
        let said = talk.said_within(2 * SILENCE, "stopping")?;
        if !said.iter().any(|line| line.starts_with("bestmove")) {
            talk.until("bestmove", talk.settings.patience())?;
        }
        talk.ready()?;
        talk.still_plays()
    })
}
