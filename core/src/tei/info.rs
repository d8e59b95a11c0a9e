//! The `info` lines of an engine: reports of its search. Text to data and back.

use std::fmt::{self, Display};
use std::str::{FromStr, SplitAsciiWhitespace};

use super::joined;
use crate::board::Color;
pub use crate::search::{Bound, Solved};

/// One `info` line. Missing parts are `None`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the longest line.
    pub seldepth: Option<u32>,
    /// The rank of the move it is about, 1 for the best.
    pub multipv: Option<usize>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Fill of the table in thousandths.
    pub hashfull: Option<u32>,
    /// Win, draw and loss of the player to move in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// Centiflats for the player to move.
    pub cp: Option<i32>,
    /// A claimed proof, for the player to move. Some engines write it in a separate line, some next to `cp`.
    pub solved: Option<Claim>,
    /// The kind of bound if the score is not exact.
    pub bound: Option<Bound>,
    /// The last part, which is the rest of the line.
    pub rest: Option<Rest>,
}

/// A result that a line claims as proven, from the view of the player to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Claim {
    /// A player wins.
    Decided(Solved),
    /// A draw after this number of plies. This engine proves no draws; others do.
    Draw(u32),
}

/// The end of an `info` line. The words of each are separated by one blank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rest {
    /// The expected moves, in the engine's own words; at least one.
    Pv(String),
    /// A complaint, such as one about a position that the engine does not take.
    Error(String),
    /// Text for people.
    Text(String),
}

impl Info {
    /// A line that only has this end.
    pub fn of(rest: Rest) -> Self {
        Self { rest: Some(rest), ..Self::default() }
    }

    /// Reads the words after `info`. Unknown words and malformed numbers are skipped. A malformed number after
    /// `multipv` gives `None`: it is unclear then which move the line is about.
    pub(super) fn parse(mut words: SplitAsciiWhitespace<'_>) -> Option<Self> {
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => number(&mut words, &mut info.depth),
                "seldepth" => number(&mut words, &mut info.seldepth),
                "multipv" => info.multipv = Some(words.next()?.parse().ok()?),
                "time" => number(&mut words, &mut info.time),
                "nodes" => number(&mut words, &mut info.nodes),
                "nps" => number(&mut words, &mut info.nps),
                "hashfull" => number(&mut words, &mut info.hashfull),
                "wdl" => {
                    let mut wdl = [None; 3];
                    for slot in &mut wdl {
                        number(&mut words, slot);
                    }
                    if let [Some(win), Some(draw), Some(loss)] = wdl {
                        info.wdl = Some([win, draw, loss]);
                    }
                }
                "score" => match (words.next(), words.next()) {
                    (Some("cp"), Some(value)) => info.cp = parse_cp(value),
                    (Some("mate"), Some(plies)) => info.solved = Claim::from_mate(plies),
                    (Some("solved"), Some(result)) => {
                        info.solved = Claim::parse(result, words.next());
                    }
                    (Some(result), plies) => info.solved = Claim::parse(result, plies),
                    (None, _) => {}
                },
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "pv" => {
                    let moves = joined(words.by_ref());
                    info.rest = (!moves.is_empty()).then_some(Rest::Pv(moves));
                }
                "error" => info.rest = Some(Rest::Error(joined(words.by_ref()))),
                "string" => info.rest = Some(Rest::Text(joined(words.by_ref()))),
                _ => {}
            }
        }
        Some(info)
    }
}

/// Takes the next word if it is a number. Any other word may have another meaning.
fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>, slot: &mut Option<T>) {
    let mut ahead = words.clone();
    if let Some(number) = ahead.next().and_then(|word| word.parse().ok()) {
        *slot = Some(number);
        *words = ahead;
    }
}

/// Some engines write wins as huge numbers; they are clamped to 32 bits.
fn parse_cp(text: &str) -> Option<i32> {
    let value: i64 = text.parse().ok()?;
    Some(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
}

/// The line without its line break, with `info` before it.
impl Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        item(f, "depth", self.depth)?;
        item(f, "seldepth", self.seldepth)?;
        item(f, "multipv", self.multipv)?;
        item(f, "time", self.time)?;
        item(f, "nodes", self.nodes)?;
        item(f, "nps", self.nps)?;
        item(f, "hashfull", self.hashfull)?;
        item(f, "wdl", self.wdl.map(joined))?;
        item(f, "score cp", self.cp)?;
        if let Some(claim) = self.solved {
            write!(f, " score solved {} {}", claim.result(), claim.plies())?;
        }
        match self.bound {
            Some(Bound::Lower) => f.write_str(" lowerbound")?,
            Some(Bound::Upper) => f.write_str(" upperbound")?,
            None => {}
        }
        match &self.rest {
            Some(Rest::Pv(moves)) => write!(f, " pv {moves}"),
            Some(Rest::Error(text)) => write!(f, " error {text}"),
            Some(Rest::Text(text)) => write!(f, " string {text}"),
            None => Ok(()),
        }
    }
}

fn item(f: &mut fmt::Formatter<'_>, name: &str, value: Option<impl Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

impl Claim {
    /// The claim of a word and a number of plies.
    pub fn new(result: &str, plies: u32) -> Option<Self> {
        match result {
            "win" => Some(Self::Decided(Solved::Win(plies))),
            "loss" => Some(Self::Decided(Solved::Loss(plies))),
            "draw" => Some(Self::Draw(plies)),
            _ => None,
        }
    }

    fn parse(result: &str, plies: Option<&str>) -> Option<Self> {
        Self::new(result, plies?.parse().ok()?)
    }

    /// `mate 3` wins, `mate -3` loses. Engines do not agree on plies or moves here; the number is kept as it is.
    fn from_mate(text: &str) -> Option<Self> {
        let distance: i32 = text.parse().ok()?;
        let solved = if text.starts_with('-') { Solved::Loss } else { Solved::Win };
        Some(solved(distance.unsigned_abs()).into())
    }

    /// `win`, `loss` or `draw`.
    pub fn result(self) -> &'static str {
        match self {
            Self::Decided(Solved::Win(_)) => "win",
            Self::Decided(Solved::Loss(_)) => "loss",
            Self::Draw(_) => "draw",
        }
    }

    /// The number of plies until the game ends.
    pub fn plies(self) -> u32 {
        match self {
            Self::Decided(solved) => solved.plies(),
            Self::Draw(plies) => plies,
        }
    }

    /// The winner if `to_move` is the player to move; `None` in a draw.
    pub fn winner(self, to_move: Color) -> Option<Color> {
        match self {
            Self::Decided(Solved::Win(_)) => Some(to_move),
            Self::Decided(Solved::Loss(_)) => Some(!to_move),
            Self::Draw(_) => None,
        }
    }
}

impl From<Solved> for Claim {
    fn from(solved: Solved) -> Self {
        Self::Decided(solved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Info {
        Info::parse(text.split_ascii_whitespace()).unwrap()
    }

    #[test]
    fn claims_of_all_dialects_are_read() {
        let win = |plies| Some(Solved::Win(plies).into());
        let loss = |plies| Some(Solved::Loss(plies).into());
        for (text, claim) in [
            ("score solved win 5 pv a1", win(5)),
            ("score solved draw 9", Some(Claim::Draw(9))),
            ("score loss 4", loss(4)),
            ("score mate -3", loss(3)),
            ("score mate 2", win(2)),
            ("score mate 3 cp 100", win(3)),
            ("score cp 29000 score solved win 3", win(3)),
            ("score solved win", None),
            ("score solved tie 3", None),
            ("score cp 3", None),
        ] {
            assert_eq!(read(text).solved, claim, "{text}");
        }
        assert_eq!(read("score cp 29000 score solved win 3").cp, Some(29000));
    }

    #[test]
    fn invalid_words_are_skipped_alone() {
        for text in
            ["", "score", "score cp", "score cp x nodes -1 depth 1e9 pv", "wdl 1 2 currmove a1", "hashfull time nps"]
        {
            assert_eq!(read(text), Info::default(), "{text}");
        }
        let info = read("depth x seldepth 9 nodes pv a1  b2");
        assert_eq!(info.seldepth, Some(9));
        assert_eq!(info.rest, Some(Rest::Pv("a1 b2".to_owned())));
        assert_eq!(read("score cp 99999999999").cp, Some(i32::MAX));
        for text in ["depth 3 multipv", "multipv x depth 3"] {
            assert_eq!(Info::parse(text.split_ascii_whitespace()), None, "{text}");
        }
    }
}
