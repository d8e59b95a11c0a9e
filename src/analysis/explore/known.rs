//! What the table of openings tells of one of the first positions: each move with its name and its result.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::openings::{OpeningRow, Openings, OpeningsHead};
use crate::board::{AnyPosition, Move, Setup, Size, Square, Symmetry};
use crate::notation::counted;
use crate::search::{Players, Score, expected_points};

/// The answer of a table about a position of at most two plies, also as JSON.
#[derive(Debug, Serialize)]
pub struct Known {
    size: usize,
    tps: String,
    komi: f64,
    #[serde(flatten)]
    head: OpeningsHead,
    /// Openings that begin with the position, up to symmetry, and how many of them the table has.
    openings: usize,
    searched: usize,
    /// The best move for the player to move first.
    pub moves: Vec<KnownMove>,
}

/// A move and what follows it.
#[derive(Debug, Serialize)]
pub struct KnownMove {
    #[serde(rename = "move")]
    pub mv: String,
    /// The name of the opening with the best answer, which needs two plies.
    pub name: String,
    /// White's expected score between people, in percent: 1 to 99 without a proof.
    pub chance: u32,
    /// White's score.
    pub score: String,
    /// Plies of the search.
    pub depth: u32,
    /// The best moves after it.
    pub line: Vec<String>,
}

impl Known {
    /// Looks a position up, in all its rotations and reflections.
    pub fn of(position: &AnyPosition, table: &Openings) -> Self {
        let (setup, size, plies) = (position.to_setup(), position.size(), position.ply() as usize);
        let own = position.symmetries();
        // The best row for Black after each move, and the number of rows.
        let mut groups: BTreeMap<Move, (Score, Vec<Move>, u32, usize)> = BTreeMap::new();
        for row in table.rows.iter().filter(|_| plies <= 2 && has_usual_reserves(&setup)) {
            let Some(moves) = image_of(row, &setup, plies, &own) else { continue };
            let group = groups.entry(moves[plies]).or_insert_with(|| (row.score, moves.clone(), row.depth, 0));
            group.3 += 1;
            if row.score < group.0 {
                (group.0, group.1, group.2) = (row.score, moves, row.depth);
            }
        }
        let searched = groups.values().map(|(.., rows)| rows).sum();
        let openings = if searched == 0 { 0 } else { openings_from(position) };
        if plies == 0 {
            // Black's best answer is known once all are.
            groups.retain(|&mv, (.., rows)| after(position, mv).is_some_and(|next| openings_from(&next) == *rows));
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_by_key(|(score, ..)| *score);
        if plies == 0 {
            groups.reverse();
        }
        let moves = groups.iter().map(|(score, moves, depth, _)| KnownMove {
            mv: moves[plies].to_string(),
            name: name(size, moves[0].square(), moves[1].square()),
            chance: chance(*score),
            score: score.to_string(),
            depth: *depth,
            line: moves[plies + 1..].iter().map(ToString::to_string).collect(),
        });
        Self {
            size: size.width(),
            tps: setup.to_string(),
            komi: f64::from(position.komi().half()) / 2.0,
            head: table.head.clone(),
            openings,
            searched,
            moves: moves.collect(),
        }
    }

    /// The answer in words, without its moves.
    pub fn sentence(&self, table: &Openings) -> String {
        let Self { openings, searched, head, .. } = self;
        if *searched == 0 {
            return format!("the table of openings does not have this position; it has {}", boards(&table.rows));
        }
        let all = counted(*openings as u64, "opening", "openings");
        let part = if searched == openings { all } else { format!("{searched} of {all}") };
        let nodes = match head.nodes {
            nodes if nodes % 1_000_000 == 0 => format!("{} million", nodes / 1_000_000),
            nodes => nodes.to_string(),
        };
        format!("{part}, each searched with {nodes} nodes by tak-engine {}", head.version)
    }
}

fn chance(score: Score) -> u32 {
    let percent = (expected_points(score, Players::People) + 5) / 10;
    if score.is_decisive() { percent } else { percent.clamp(1, 99) }
}

/// The boards that a table has openings of.
fn boards(rows: &[OpeningRow]) -> String {
    let mut komis: BTreeMap<Size, BTreeSet<i32>> = BTreeMap::new();
    for row in rows {
        komis.entry(row.size).or_default().insert(row.komi.half());
    }
    let words = komis.into_iter().map(|(size, komis)| {
        let komis: Vec<_> = komis.into_iter().map(|half| (f64::from(half) / 2.0).to_string()).collect();
        format!("{size}x{size} with komi {}", komis.join(" and "))
    });
    words.collect::<Vec<_>>().join(", ")
}

fn has_usual_reserves(setup: &Setup) -> bool {
    setup.reserves == Setup::empty(setup.size, setup.komi).reserves
}

/// The moves of a row turned so that the first `plies` lead to the position of `setup`. Of moves that are equivalent
/// there, the next one is the same for all rows.
fn image_of(row: &OpeningRow, setup: &Setup, plies: usize, own: &[Symmetry]) -> Option<Vec<Move>> {
    if row.size != setup.size || row.komi != setup.komi || (plies == 0 && row.rule != setup.opening) {
        return None;
    }
    let moves: Vec<Move> = row.moves.iter().chain(&row.line).copied().collect();
    let mut position = row.start();
    for &mv in &moves[..plies] {
        position.play_unchecked(mv);
    }
    let (before, wanted) = (position.to_setup(), setup.to_string());
    let turn = Symmetry::ALL.into_iter().find(|turn| before.transformed(*turn).to_string() == wanted)?;
    let image =
        |back: &Symmetry| -> Vec<Move> { moves.iter().map(|&mv| back.mv(turn.mv(mv, row.size), row.size)).collect() };
    own.iter().map(image).min_by_key(|moves| moves[plies])
}

fn after(position: &AnyPosition, mv: Move) -> Option<AnyPosition> {
    let mut next = position.clone();
    next.play(mv).ok()?;
    Some(next)
}

/// The openings of two plies that begin with a position, up to symmetry.
fn openings_from(position: &AnyPosition) -> usize {
    if position.ply() >= 2 {
        return 1;
    }
    let (own, size) = (position.symmetries(), position.size());
    let classes = position.legal_moves().into_iter().filter_map(|mv| own.iter().map(|turn| turn.mv(mv, size)).min());
    let classes: BTreeSet<Move> = classes.collect();
    classes.into_iter().filter_map(|mv| after(position, mv)).map(|next| openings_from(&next)).sum()
}

/// The part of the board in which a square is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Corner,
    Edge,
    Centre,
    Inside,
}

impl Part {
    fn of(size: Size, square: Square) -> Self {
        let last = size.width() - 1;
        let is_outer = |place: usize| place == 0 || place == last;
        let is_middle = |place: usize| 2 * place + 1 >= last && 2 * place <= last + 1;
        match (square.column(), square.row()) {
            (column, row) if is_outer(column) && is_outer(row) => Self::Corner,
            (column, row) if is_outer(column) || is_outer(row) => Self::Edge,
            (column, row) if is_middle(column) && is_middle(row) => Self::Centre,
            _ => Self::Inside,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Corner => "corner",
            Self::Edge => "edge",
            Self::Centre => "centre",
            Self::Inside => "inside",
        }
    }
}

/// What players call an opening with these first squares, or else the parts of the board in which they are.
fn name(size: Size, first: Square, second: Square) -> String {
    let last = size.width() - 1;
    let parts = [first, second].map(|square| Part::of(size, square));
    let shares_line = first.column() == second.column() || first.row() == second.row();
    let distance = first.column().abs_diff(second.column()) + first.row().abs_diff(second.row());
    let [one, other] = parts.map(Part::name);
    match parts {
        [Part::Corner, Part::Corner] if shares_line => "adjacent corners".to_owned(),
        [Part::Corner, Part::Corner] => "opposite corners".to_owned(),
        _ if distance == 1 => format!("{one} and {other} beside it"),
        [Part::Edge, Part::Edge] => {
            let edges = |square: Square| {
                [square.column() == 0, square.column() == last, square.row() == 0, square.row() == last]
            };
            let [first, second] = [edges(first), edges(second)];
            let is = |of: [usize; 4]| (0..4).any(|edge| first[edge] && second[of[edge]]);
            match () {
                () if is([0, 1, 2, 3]) => "two on one edge".to_owned(),
                () if is([1, 0, 3, 2]) => "opposite edges".to_owned(),
                () => "adjacent edges".to_owned(),
            }
        }
        [one_part, other_part] if one_part == other_part => format!("both {one}"),
        _ => format!("{one} and {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Komi;

    #[test]
    fn names_are_those_of_players() {
        let of = |width, moves: [&str; 2]| {
            let [first, second] = moves.map(|text| text.parse::<Move>().unwrap().square());
            name(Size::new(width).unwrap(), first, second)
        };
        for (width, moves, expected) in [
            (5, ["a1", "e5"], "opposite corners"),
            (6, ["a1", "a6"], "adjacent corners"),
            (5, ["a1", "a2"], "corner and edge beside it"),
            (5, ["e1", "c3"], "corner and centre"),
            (6, ["a1", "c4"], "corner and centre"),
            (6, ["c4", "b2"], "centre and inside"),
            (5, ["a2", "a4"], "two on one edge"),
            (5, ["a2", "e4"], "opposite edges"),
            (4, ["b1", "d2"], "adjacent edges"),
            (4, ["b2", "c3"], "both centre"),
        ] {
            assert_eq!(of(width, moves), expected, "{width} {moves:?}");
        }
    }

    #[test]
    fn every_way_to_an_opening_finds_it() {
        let text = "# version=1 nodes=7\nsize\tkomi\trule\topening\tscore\tdepth\tline\n\
            5\t0\tswap\ta1 e5\t40\t9\tc3 b1\n5\t0\tswap\ta1 e1\t-20\t8\tc2 c1\n5\t0\tdouble-black\ta1 e1\t10\t8\tc2 c1\n";
        let table: Openings = text.parse().unwrap();
        let start = AnyPosition::start(Size::FIVE, Komi::ZERO);
        let answer = |moves: &[&str]| {
            let mut position = start.clone();
            for mv in moves {
                position.play(mv.parse().unwrap()).unwrap();
            }
            let known = Known::of(&position, &table);
            let moves = known.moves.iter().map(|each| format!("{} {} {}", each.mv, each.score, each.line.join(" ")));
            (known.searched, known.openings, moves.collect::<Vec<_>>())
        };
        // Black's best answer is not known yet.
        assert_eq!(answer(&[]), (2, 85, vec![]));
        assert_eq!(answer(&["e1"]), (2, 14, vec!["a1 -0.20 c2 c1".to_owned(), "a5 +0.40 c3 d1".to_owned()]));
        for [first, second] in [["a1", "e5"], ["e5", "a1"], ["a5", "e1"]] {
            let (searched, openings, moves) = answer(&[first, second]);
            assert_eq!((searched, openings, moves.len()), (1, 1, 1));
            assert!(moves[0].starts_with("c3 +0.40 "), "{moves:?}");
        }
        assert_eq!(answer(&["a1", "b2"]), (0, 0, vec![]));
        assert_eq!(answer(&["a1", "e5", "c3"]), (0, 0, vec![]));
    }

    #[test]
    fn a_table_names_its_invalid_line() {
        let head = "# version=1 nodes=7\nsize\tkomi\trule\topening\tscore\tdepth\tline\n";
        for (text, fault) in [
            ("", "line 1: expected \"# version=VERSION nodes=NODES\""),
            ("# version=1 nodes=7\n", "line 2: expected the columns"),
            (&format!("{head}5\t0\tswap\ta1 e5\t40\t9\n"), "line 3: 6 columns, expected 7"),
            (&format!("{head}5\t0\tswap\ta1 a1\t40\t9\tc3\n"), "line 3: illegal move a1: "),
            (&format!("{head}5\t0\tswap\ta1\t40\t9\te5 c3\n"), "line 3: expected an opening of two moves"),
            (&format!("{head}5\t0\tswap\ta1 e5\t40000\t9\tc3\n"), "line 3: invalid score"),
        ] {
            let found = text.parse::<Openings>().unwrap_err();
            assert!(found.starts_with(fault), "{found}");
        }
    }
}
