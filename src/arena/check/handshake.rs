//! The answers to `tei` and `isready`.

use std::collections::BTreeSet;

use super::case::Basis::{Text, Undefined};
use super::case::{Case, case};
use super::talk::{SILENCE, Stop, Talk, fail, not_announced};
use crate::board::{Komi, Size};
use crate::tei::reply::HALF_KOMI;

// A list, however long.
#[allow(clippy::too_many_lines)]
pub fn cases() -> Vec<Case> {
    vec![
        case("names-itself", Text("id name is sent after tei"), |talk| named(talk, "name")),
        case("names-its-author", Text("id author is sent after tei"), |talk| named(talk, "author")),
        case("has-size-lines", Text("size lines tell the boards and their komi"), |talk| {
            talk.handshake()?;
            if !talk.identity.has_sizes() {
                talk.warn("no size line: clients take it for an engine of the older dialect");
            }
            Ok(())
        }),
        case("size-lines-are-well-formed", Text("size lines have sizes, halfkomi and half points"), sizes),
        case("options-are-well-formed", Text("option lines have name, type, default and what the type needs"), options),
        case("options-have-different-names", Text("names of options do not depend on case"), |talk| {
            talk.handshake()?;
            let mut names = BTreeSet::new();
            let options = talk.identity.options.iter();
            match options.map(|option| option.name.to_lowercase()).find(|name| !names.insert(name.clone())) {
                Some(name) => fail(format_args!("two options are called {name:?}")),
                None => Ok(()),
            }
        }),
        case(
            "komi-can-be-set",
            Undefined("racetrack and PTN Ninja look for size lines or an option HalfKomi"),
            |talk| {
                talk.handshake()?;
                if !talk.identity.has_sizes() && !talk.has_option(HALF_KOMI) {
                    talk.warn("no size line and no option HalfKomi: it can play without komi only");
                }
                Ok(())
            },
        ),
        case("nothing-after-teiok", Text("teiok comes when all was sent"), |talk| {
            talk.handshake()?;
            let said = talk.said_within(SILENCE, "after teiok")?;
            if let Some(line) = said.first() {
                talk.warn(format_args!("{line:?} after teiok"));
            }
            Ok(())
        }),
        case("readyok", Text("isready is answered with readyok"), |talk| {
            talk.handshake()?;
            talk.ready()?;
            talk.usual_game().map(drop)
        }),
        case("one-readyok-for-each-isready", Text("isready is always answered with readyok"), |talk| {
            talk.handshake()?;
            talk.send_bytes(b"isready\nisready\nisready\n")?;
            for _ in 0..3 {
                talk.until("readyok", talk.settings.patience())?;
            }
            let more = talk.said_within(SILENCE, "after readyok")?;
            if more.iter().any(|line| line.starts_with("readyok")) {
                talk.warn("more readyok than isready");
            }
            Ok(())
        }),
        case("isready-before-a-game", Text("memory is set up at the first isready"), |talk| {
            talk.handshake()?;
            talk.ready()?;
            talk.still_plays()
        }),
        case("tei-twice", Undefined("sent once by clients; engines answer again or ignore it"), |talk| {
            let first = talk.handshake()?;
            talk.send("tei")?;
            let said = talk.ready()?;
            if !said.iter().any(|line| line.trim() == "teiok") {
                talk.warn("the second tei is not answered");
            } else if said.len() != first.len() + 1 {
                talk.warn("the second tei is answered otherwise than the first");
            }
            talk.still_plays()
        }),
    ]
}

fn named(talk: &mut Talk, key: &str) -> Result<(), Stop> {
    let lines = talk.handshake()?;
    let mut texts = lines.iter().filter_map(|line| line.trim().strip_prefix("id ")?.strip_prefix(key));
    match texts.next().map(str::trim) {
        None | Some("") => fail(format_args!("no id {key}")),
        Some(_) => Ok(()),
    }
}

fn sizes(talk: &mut Talk) -> Result<(), Stop> {
    let lines = talk.handshake()?;
    let mut lines = lines.iter().filter(|line| line.split_whitespace().next() == Some("size")).peekable();
    if lines.peek().is_none() {
        return not_announced("no size line");
    }
    for line in lines {
        let mut words = line.split_whitespace().skip(1);
        let widths: Vec<&str> = words.by_ref().take_while(|&word| word != "halfkomi").collect();
        let komis: Vec<&str> = words.collect();
        if widths.is_empty() || komis.is_empty() {
            return fail(format_args!("{line:?} lacks sizes, or halfkomi with numbers"));
        }
        let is_size = |word: &&str| word.parse().is_ok_and(|width| Size::new(width).is_ok());
        if let Some(word) = widths.iter().find(|word| !is_size(word)) {
            return fail(format_args!("{word:?} in {line:?} is no size from 3 to 8"));
        }
        let komi = komis.iter().map(|word| word.parse().map(Komi::from_half));
        for (word, komi) in komis.iter().zip(komi) {
            match komi {
                Ok(Ok(_)) => {}
                Ok(Err(_)) => talk.warn(format_args!("a komi of {word} half points is out of the usual range")),
                Err(_) => return fail(format_args!("{word:?} in {line:?} is no number of half points")),
            }
        }
    }
    Ok(())
}

/// The words that begin a part of an option line.
const KEYS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

fn options(talk: &mut Talk) -> Result<(), Stop> {
    let lines = talk.handshake()?;
    for line in lines.iter().filter(|line| line.split_whitespace().next() == Some("option")) {
        match check_option(line) {
            Ok(None) => {}
            Ok(Some(warning)) => talk.warn(format_args!("{warning} in {line:?}")),
            Err(reason) => return fail(format_args!("{reason} in {line:?}")),
        }
    }
    Ok(())
}

/// Reads an option line. Returns what is missing although the text allows it.
fn check_option(line: &str) -> Result<Option<String>, String> {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in line.split_whitespace().skip(1) {
        match parts.last_mut() {
            _ if KEYS.contains(&word) => parts.push((word, Vec::new())),
            Some((_, words)) => words.push(word),
            None => return Err(format!("{word:?} before name")),
        }
    }
    let all = |key: &str| {
        let found = parts.iter().filter(|(found, _)| *found == key);
        found.map(|(_, words)| words.join(" ")).collect::<Vec<_>>()
    };
    let one = |key: &str| match &*all(key) {
        [text] if !text.is_empty() => Ok(text.clone()),
        [] => Err(format!("no {key}")),
        [_] => Err(format!("nothing after {key}")),
        _ => Err(format!("{key} twice")),
    };
    let number = |key: &str| {
        let text = one(key)?;
        text.parse::<i64>().map_err(|_| format!("{key} {text:?} is no whole number"))
    };
    one("name")?;
    match &*one("type")? {
        "check" => match &*one("default")? {
            "true" | "false" => Ok(None),
            other => Err(format!("default {other:?} is neither true nor false")),
        },
        "spin" => {
            let default = number("default")?;
            let bound = |key: &str| if all(key).is_empty() { Ok(None) } else { number(key).map(Some) };
            let (min, max) = (bound("min")?, bound("max")?);
            if min.is_some_and(|min| default < min) || max.is_some_and(|max| default > max) {
                return Err(format!("default {default} is out of range"));
            }
            let missing = [("min", min), ("max", max)].into_iter().find(|(_, bound)| bound.is_none());
            Ok(missing.map(|(key, _)| format!("no {key}, without which racetrack ends with an error,")))
        }
        "combo" => {
            let default = one("default")?;
            if !all("var").contains(&default) {
                return Err(format!("default {default:?} is no var"));
            }
            Ok(None)
        }
        "string" => Ok(all("default").is_empty().then(|| "no default".to_owned())),
        "button" => Ok(None),
        other => Err(format!("unknown type {other:?}")),
    }
}
