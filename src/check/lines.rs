//! Checks of what the lines of an engine mean. Each returns warnings, or the reason of a failure.

use std::collections::BTreeSet;

use super::state::{State, pv};
use crate::board::{Komi, Size};
use crate::notation::parse_move;
use crate::tei::info::{Claim, Info, Rest};
use crate::tei::reply::{self, OptionKind, OptionLine, Reply};

type Checked = Result<Vec<String>, String>;

fn of_kind<'a>(lines: &'a [String], head: &'a str) -> impl Iterator<Item = &'a String> {
    lines.iter().filter(move |line| line.split_whitespace().next() == Some(head))
}

/// Lines such as `size 5 6 halfkomi 0 4`.
pub fn sizes(lines: &[String]) -> Checked {
    let mut warnings = Vec::new();
    for line in of_kind(lines, "size") {
        let mut words = line.split_whitespace().skip(1);
        let widths: Vec<&str> = words.by_ref().take_while(|&word| word != "halfkomi").collect();
        let komis: Vec<&str> = words.collect();
        if widths.is_empty() || komis.is_empty() {
            return Err(format!("{line:?} lacks sizes, or halfkomi with numbers"));
        }
        let is_size = |word: &&str| word.parse().is_ok_and(|width| Size::new(width).is_ok());
        if let Some(word) = widths.iter().find(|word| !is_size(word)) {
            return Err(format!("{word:?} in {line:?} is no size from 3 to 8"));
        }
        for word in komis {
            match word.parse().map(Komi::from_half) {
                Ok(Ok(_)) => {}
                Ok(Err(_)) => warnings.push(format!("a komi of {word} half points is out of the usual range")),
                Err(_) => return Err(format!("{word:?} in {line:?} is no number of half points")),
            }
        }
    }
    Ok(warnings)
}

/// Lines such as `option name Hash type spin default 64 min 1 max 1024`.
pub fn options(state: &State) -> Checked {
    let mut warnings = Vec::new();
    for line in of_kind(&state.said, "option") {
        let count = |key: &str| line.split_whitespace().filter(|word| *word == key).count();
        if let Some(key) = ["name", "type", "default", "min", "max"].into_iter().find(|key| count(key) > 1) {
            return Err(format!("{key} twice in {line:?}"));
        }
        let Ok(Reply::Option(OptionLine { name, default, kind })) = reply::parse(line) else {
            return Err(format!("{line:?} cannot be read"));
        };
        match (&kind, default) {
            (OptionKind::Button, _) => {}
            (OptionKind::Text, None) => warnings.push(format!("no default in {line:?}")),
            (_, None) => return Err(format!("no default in {line:?}")),
            (_, Some(default)) => {
                let valid = state.identity.check_option(&name, &default);
                valid.map_err(|reason| format!("{reason} for its default in {line:?}"))?;
            }
        }
        let missing = ["min", "max"].into_iter().find(|key| count(key) == 0);
        if let (OptionKind::Spin { .. }, Some(key)) = (kind, missing) {
            warnings.push(format!("no {key}, without which racetrack ends with an error, in {line:?}"));
        }
    }
    Ok(warnings)
}

/// Two names that differ in case only are one.
pub fn option_names(options: &[OptionLine]) -> Checked {
    let mut names = BTreeSet::new();
    match options.iter().map(|option| option.name.to_lowercase()).find(|name| !names.insert(name.clone())) {
        Some(name) => Err(format!("two options are called {name:?}")),
        None => Ok(Vec::new()),
    }
}

pub fn infos(lines: &[String]) -> Checked {
    let mut warnings = Vec::new();
    for line in of_kind(lines, "info") {
        check_info(line).map_err(|reason| format!("{reason} in {line:?}"))?;
        let Ok(Reply::Info(info)) = reply::parse(line) else { return Err(format!("{line:?} cannot be read")) };
        if info.seldepth.is_some() && info.depth.is_none() {
            warnings.push(format!("seldepth without depth in {line:?}"));
        }
    }
    Ok(warnings)
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

/// Every line of play is legal.
pub fn pvs(state: &mut State) -> Checked {
    for info in &state.infos {
        let Some(Rest::Pv(pv)) = &info.rest else { continue };
        let mut position = state.game.position().clone();
        for word in pv.split_whitespace() {
            if let Some(outcome) = position.outcome() {
                return Err(format!("{word} in pv {pv} comes after the end of the game, {outcome}"));
            }
            let mv = parse_move(word, position.size());
            let mv = mv.map_err(|error| format!("{word} in pv {pv} is not a move: {error}"))?;
            position.play(mv).map_err(|error| format!("{word} in pv {pv} is illegal: {error}"))?;
        }
        state.seen = true;
    }
    Ok(Vec::new())
}

/// The last time is about the time that has passed.
pub fn time(state: &State) -> Checked {
    let last = state.infos.iter().filter_map(|info| info.time).next_back().unwrap_or_default();
    let elapsed = state.elapsed.as_millis() as u64;
    if last > elapsed + 50 {
        return Err(format!("time {last} after {elapsed} ms"));
    }
    let is_short = elapsed > 200 && last * 20 < elapsed;
    Ok(is_short.then(|| format!("the last time is {last} after {elapsed} ms")).into_iter().collect())
}

/// A claim of a proven result, if there is one, is this.
pub fn solved(state: &mut State, result: &str, plies: &str) -> Checked {
    let is_claim = |line: &&String| line.contains(" score solved ") || line.contains(" score mate ");
    let Some(line) = state.said.iter().rfind(is_claim) else { return Ok(Vec::new()) };
    state.seen = true;
    let Ok(Reply::Info(Info { solved: Some(claim), .. })) = reply::parse(line) else {
        return Err(format!("{line:?} cannot be read"));
    };
    if claim.result() != result {
        return Err(format!("{line:?} for a {result} in {plies}"));
    }
    let expected = plies.parse().ok().and_then(|plies| Claim::new(result, plies));
    let is_other = Some(claim) != expected && line.contains(" solved ");
    Ok(is_other.then(|| format!("{line:?} for a {result} in {plies} plies")).into_iter().collect())
}

/// The last complete set of three ranks of one depth has its best line first and three different moves.
pub fn multipv(infos: &[Info]) -> Checked {
    let is_set = |three: &[Info]| three.iter().map(|info| info.multipv).eq([Some(1), Some(2), Some(3)]);
    let three = infos.windows(3).rfind(|three| is_set(three));
    let three = three.ok_or("no lines with multipv 1, 2 and 3 one after another")?;
    let scores: Vec<i32> = three.iter().filter_map(|info| info.cp).collect();
    if !scores.is_sorted_by(|a, b| a >= b) {
        return Err(format!("scores {scores:?} of multipv 1, 2 and 3 are not in order"));
    }
    let moves: Vec<&str> = three.iter().filter_map(|info| pv(info).next()).collect();
    if moves.iter().collect::<BTreeSet<_>>().len() < 3 {
        return Err(format!("multipv 1, 2 and 3 begin with {}", moves.join(", ")));
    }
    Ok(Vec::new())
}
