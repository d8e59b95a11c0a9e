//! The openings of two plies, each with the result of a long search: a table that `tak-lab openings` makes.
//!
//! The text begins with a line `# version=0.3.0 nodes=10000000` and a line of column names. Columns are separated by
//! tabs, and moves by blanks. The score is that of White, who is to move, as [`Score::value`]. Rows may come in any order.

use std::fmt;
use std::str::FromStr;

use crate::board::{AnyPosition, Komi, Move, OpeningRule, Size};
use crate::notation::{parse_first_move, parse_move};
use crate::search::Score;

/// The names of the columns.
const COLUMNS: &str = "size\tkomi\trule\topening\tscore\tdepth\tline";

/// What all rows have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningsHead {
    /// The version of the program that searched.
    pub version: String,
    /// Nodes of each search.
    pub nodes: u64,
}

/// An opening and the result of its search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningRow {
    /// The board.
    pub size: Size,
    /// Komi of the game.
    pub komi: Komi,
    /// The rule for the two moves.
    pub rule: OpeningRule,
    /// The first move of each player.
    pub moves: [Move; 2],
    /// The score for White.
    pub score: Score,
    /// Plies of the search.
    pub depth: u32,
    /// The best line after the opening, at least one move.
    pub line: Vec<Move>,
}

impl OpeningsHead {
    /// The head of a table that this program makes with so many nodes for each search.
    pub fn new(nodes: u64) -> Self {
        Self { version: env!("CARGO_PKG_VERSION").to_owned(), nodes }
    }
}

impl OpeningRow {
    /// The empty board of the opening.
    pub fn start(&self) -> AnyPosition {
        AnyPosition::start_with(self.size, self.komi, self.rule)
    }
}

impl fmt::Display for OpeningsHead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "# version={} nodes={}\n{COLUMNS}", self.version, self.nodes)
    }
}

impl fmt::Display for OpeningRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = |moves: &[Move]| moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let Self { size, komi, rule, depth, .. } = self;
        let (moves, score, line) = (words(&self.moves), self.score.value(), words(&self.line));
        write!(f, "{size}\t{komi}\t{rule}\t{moves}\t{score}\t{depth}\t{line}")
    }
}

impl FromStr for OpeningsHead {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let head = line.strip_prefix("# version=").and_then(|rest| {
            let (version, nodes) = rest.split_once(" nodes=")?;
            Some(Self { version: version.to_owned(), nodes: nodes.parse().ok()? })
        });
        head.ok_or_else(|| "expected \"# version=VERSION nodes=NODES\"".to_owned())
    }
}

impl FromStr for OpeningRow {
    type Err = String;

    fn from_str(line: &str) -> Result<Self, String> {
        let columns: Vec<&str> = line.split('\t').collect();
        let [size, komi, rule, moves, score, depth, line] = columns[..] else {
            return Err(format!("{} columns, expected 7", columns.len()));
        };
        let (Ok(size), Ok(komi), Ok(rule)) = (size.parse::<Size>(), komi.parse::<Komi>(), rule.parse::<OpeningRule>())
        else {
            return Err("invalid board size, komi or rule".to_owned());
        };
        let score = score.parse().ok().and_then(Score::try_from_value).ok_or("invalid score")?;
        let depth = depth.parse().map_err(|_| "invalid depth")?;
        let mut position = AnyPosition::start_with(size, komi, rule);
        let start = position.to_setup();
        let mut played = Vec::new();
        for text in moves.split(' ').chain(line.split(' ')) {
            let mv = if played.is_empty() { parse_first_move(text, &start) } else { parse_move(text, size) };
            let mv = mv.map_err(|error| error.to_string())?;
            position.play(mv).map_err(|error| format!("illegal move {mv}: {error}"))?;
            played.push(mv);
        }
        let [first, second, line @ ..] = &played[..] else { return Err("no opening".to_owned()) };
        if moves.split(' ').count() != 2 || line.is_empty() {
            return Err("expected an opening of two moves, and a line".to_owned());
        }
        Ok(Self { size, komi, rule, moves: [*first, *second], score, depth, line: line.to_vec() })
    }
}

/// A table of openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Openings {
    /// What all rows have in common.
    pub head: OpeningsHead,
    /// The openings, in any order.
    pub rows: Vec<OpeningRow>,
}

impl FromStr for Openings {
    type Err = String;

    /// Reads a table. An error names the first invalid line.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut lines = (1..).zip(text.lines());
        let at = |number: usize| move |fault: String| format!("line {number}: {fault}");
        let head = lines.next().unwrap_or((1, "")).1.parse().map_err(at(1))?;
        if lines.next().is_none_or(|(_, line)| line != COLUMNS) {
            return Err(at(2)(format!("expected the columns {COLUMNS:?}")));
        }
        let rows = lines.map(|(number, line)| line.parse().map_err(at(number))).collect::<Result<_, _>>()?;
        Ok(Self { head, rows })
    }
}
