//! Engine evaluations in comments of PTN files, in the form from which PTN Ninja draws its graph.

use std::fmt;
use std::str::FromStr;

use super::{decimal, excerpt};
use crate::board::Color;

/// An engine's evaluation of the position after a move, from White's view.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::Color;
/// use tak_engine::notation::EngineComment;
///
/// let comment = EngineComment {
///     name: "tak-engine".to_owned(),
///     cp: Some(40),
///     wdl: Some([530, 39, 431]),
///     depth: Some(12),
///     nodes: Some(123_456),
///     ms: Some(900),
///     loss: Some(2.5),
///     marks: "'?".to_owned(),
///     pv: "c3 d4".to_owned(),
///     ..EngineComment::default()
/// };
/// let text = "name:\"tak-engine\" cp:40 wdl:530,39,431 +0.10/12 123456 nodes 900ms loss:2.5 marks:'? pv> c3 d4";
/// assert_eq!(comment.to_string(), text);
/// assert_eq!(text.parse(), Ok(comment));
/// let won = EngineComment { proven: Some((Some(Color::White), 6)), ..EngineComment::default() };
/// assert_eq!(won.to_string(), "score:W6 +1.00");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EngineComment {
    /// The name of the engine, without quotes and backslashes; empty for none.
    pub name: String,
    /// Centiflats.
    pub cp: Option<i32>,
    /// Chances of White to win, to draw and to lose, in thousandths.
    pub wdl: Option<[u32; 3]>,
    /// The proven winner, `None` for a draw, and the number of plies.
    pub proven: Option<(Option<Color>, u32)>,
    /// Plies searched. Only written with `cp` or a proven result.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time taken, in milliseconds.
    pub ms: Option<u64>,
    /// The chances that the move lost its player, in points from 0 to 100. Not supported by PTN Ninja.
    pub loss: Option<f64>,
    /// The marks that the engine gave the move, such as `?` or `''`, to distinguish them from other marks. Not
    /// supported by PTN Ninja.
    pub marks: String,
    /// The line expected after the move, in PTN.
    pub pv: String,
}

/// Error of parsing an engine's comment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid word {0:?} in an engine comment")]
pub struct CommentTextError(String);

/// A clear advantage in centiflats: the evaluation in a comment is `tanh(cp / CLEAR_CP)`. It is only for PTN Ninja's
/// graph and is the same for games of people and of engines; `wdl` gives the actual chances.
const CLEAR_CP: f64 = 400.0;

impl EngineComment {
    /// The evaluation, from -1 to 1, on the scale of PTN Ninja's graph. A proven win or loss is worth all of it.
    pub fn evaluation(&self) -> Option<f64> {
        match self.proven {
            Some((Some(Color::White), _)) => Some(1.0),
            Some((Some(Color::Black), _)) => Some(-1.0),
            Some((None, _)) => Some(0.0),
            None => self.cp.map(|cp| (f64::from(cp) / CLEAR_CP).tanh()),
        }
    }
}

impl fmt::Display for EngineComment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if !self.name.is_empty() {
            let name = self.name.replace(['"', '\\', '{', '}'], "");
            parts.push(format!("name:\"{name}\""));
        }
        parts.extend(self.cp.map(|cp| format!("cp:{cp}")));
        parts.extend(self.wdl.map(|[w, d, l]| format!("wdl:{w},{d},{l}")));
        parts.extend(self.proven.map(|(winner, plies)| {
            let letter = match winner {
                Some(Color::White) => 'W',
                Some(Color::Black) => 'L',
                None => 'D',
            };
            format!("score:{letter}{plies}")
        }));
        parts.extend(self.evaluation().map(|value| match self.depth {
            Some(depth) => format!("{value:+.2}/{depth}"),
            None => format!("{value:+.2}"),
        }));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.ms.map(|ms| format!("{ms}ms")));
        parts.extend(self.loss.map(|loss| format!("loss:{loss:.1}")));
        if !self.marks.is_empty() {
            parts.push(format!("marks:{}", self.marks));
        }
        if !self.pv.is_empty() {
            parts.push(format!("pv> {}", self.pv));
        }
        f.write_str(&parts.join(" "))
    }
}

/// Reads the form that `Display` writes. The evaluation is redundant and is not compared with the rest.
impl FromStr for EngineComment {
    type Err = CommentTextError;

    fn from_str(text: &str) -> Result<Self, CommentTextError> {
        let mut comment = Self::default();
        let named = text.strip_prefix("name:\"").and_then(|text| text.split_once('"'));
        let (name, text) = named.unwrap_or(("", text));
        name.clone_into(&mut comment.name);
        let (text, pv) = text.split_once("pv> ").unwrap_or((text, ""));
        pv.clone_into(&mut comment.pv);
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let unknown = || CommentTextError(excerpt(word));
            if words.next_if_eq(&"nodes").is_some() {
                comment.nodes = Some(word.parse().map_err(|_| unknown())?);
            } else if word.starts_with(['+', '-']) {
                let (value, depth) = word.split_once('/').unzip();
                decimal(value.unwrap_or(word)).ok_or_else(unknown)?;
                let depth = depth.map(str::parse).transpose();
                comment.depth = depth.map_err(|_| unknown())?;
            } else {
                comment.word(word).ok_or_else(unknown)?;
            }
        }
        Ok(comment)
    }
}

impl EngineComment {
    /// Reads a single word; `None` if it is invalid.
    fn word(&mut self, word: &str) -> Option<()> {
        if let Some(ms) = word.strip_suffix("ms") {
            self.ms = Some(ms.parse().ok()?);
            return Some(());
        }
        let (name, value) = word.split_once(':')?;
        match name {
            "cp" => self.cp = Some(value.parse().ok()?),
            "loss" => self.loss = Some(decimal(value)?),
            "marks" if value.chars().all(|mark| "'\"!?".contains(mark)) => {
                value.clone_into(&mut self.marks);
            }
            "wdl" => {
                let numbers: Vec<u32> = value.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
                self.wdl = Some(numbers.try_into().ok()?);
            }
            "score" => {
                let winner = match value.chars().next()? {
                    'W' => Some(Color::White),
                    'L' => Some(Color::Black),
                    'D' => None,
                    _ => return None,
                };
                self.proven = Some((winner, value[1..].parse().ok()?));
            }
            _ => return None,
        }
        Some(())
    }
}
