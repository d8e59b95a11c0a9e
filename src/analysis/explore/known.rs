//! What the table of openings tells of one of the first positions: each move with its name and its result.
//!
//! Pages load this code: maps, sorting and legal moves would take several kB more.

use serde::Serialize;

use super::openings::{OpeningRow, Openings};
use crate::board::{AnyPosition, Color, Move, OpeningRule, PieceKind, Setup, Size, Square, Symmetry};
use crate::notation::counted;
use crate::search::{Players, expected_points};

/// The answer of a table about a position of at most two plies, also as JSON.
#[derive(Debug, Serialize)]
pub struct Known {
    size: usize,
    tps: String,
    komi: f64,
    version: String,
    nodes: u64,
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

/// The rows with one move: how many there are, and the best one for Black, whose moves are turned.
struct Group<'a> {
    rows: usize,
    best: &'a OpeningRow,
    moves: Vec<Move>,
}

impl Known {
    /// Looks a position up, in all its rotations and reflections.
    pub fn of(position: &AnyPosition, table: &Openings) -> Self {
        let (setup, plies) = (position.to_setup(), position.ply() as usize);
        let mut groups: Vec<Group> = Vec::new();
        let (mut searched, mut openings) = (0, 0);
        if let Some((rule, squares)) = placed(&setup, plies) {
            let is_of_board = |row: &&OpeningRow| (row.size, row.komi, row.rule) == (setup.size, setup.komi, rule);
            for row in table.rows.iter().filter(is_of_board) {
                let Some(moves) = image_of(row, &squares) else { continue };
                searched += 1;
                match groups.iter_mut().find(|group| group.moves[plies] == moves[plies]) {
                    Some(group) if row.score < group.best.score => {
                        *group = Group { rows: group.rows + 1, best: row, moves };
                    }
                    Some(group) => group.rows += 1,
                    None => groups.push(Group { rows: 1, best: row, moves }),
                }
            }
            openings = if searched == 0 { 0 } else { openings_from(setup.size, &squares) };
        }
        if plies == 0 {
            // Black's best answer is known once all are.
            groups.retain(|group| openings_from(setup.size, &[group.moves[0].square()]) == group.rows);
        }
        let mut sorted: Vec<Group> = Vec::new();
        for group in groups {
            let is_better = |other: &Group| (plies == 0) == (other.best.score >= group.best.score);
            sorted.insert(sorted.iter().take_while(|&other| is_better(other)).count(), group);
        }
        Self {
            size: setup.size.width(),
            tps: setup.to_string(),
            komi: f64::from(setup.komi.half()) / 2.0,
            version: table.head.version.clone(),
            nodes: table.head.nodes,
            openings,
            searched,
            moves: sorted.iter().map(|group| KnownMove::new(group, plies)).collect(),
        }
    }

    /// The answer in words, without its moves.
    pub fn sentence(&self, table: &Openings) -> String {
        let Self { openings, searched, version, nodes, .. } = self;
        if *searched == 0 {
            return format!(
                "this position is not in the table of openings, which has the first two plies on {}, swap and double-black",
                boards(&table.rows)
            );
        }
        let all = counted(*openings as u64, "opening", "openings");
        let part = if searched == openings { all } else { format!("{searched} of {all}") };
        let (nodes, unit) = if nodes % 1_000_000 == 0 { (nodes / 1_000_000, " million") } else { (*nodes, "") };
        format!("{part}, each searched with {nodes}{unit} nodes by tak-engine {version}")
    }
}

impl KnownMove {
    fn new(Group { best, moves, .. }: &Group, plies: usize) -> Self {
        let percent = (expected_points(best.score, Players::People) + 5) / 10;
        Self {
            mv: moves[plies].to_string(),
            name: name(best.size, moves[0].square(), moves[1].square()),
            chance: if best.score.is_decisive() { percent } else { percent.clamp(1, 99) },
            score: best.score.to_string(),
            depth: best.depth,
            line: moves[plies + 1..].iter().map(ToString::to_string).collect(),
        }
    }
}

/// The boards that a table has openings of.
fn boards(rows: &[OpeningRow]) -> String {
    let mut boards: Vec<String> = Vec::new();
    for row in rows {
        let board = format!("{0}x{0} with komi {1}", row.size, row.komi);
        if !boards.contains(&board) {
            boards.push(board);
        }
    }
    boards.join(", ")
}

/// The rule by which the first moves were made, and where: the black flats first. `None` if the position is none that
/// comes in a table.
fn placed(setup: &Setup, plies: usize) -> Option<(OpeningRule, Vec<Square>)> {
    let is_usual = setup.reserves == Setup::empty(setup.size, setup.komi).reserves;
    if !is_usual || plies > 2 || setup.stacks.len() != plies {
        return None;
    }
    let Some(black) = setup.stacks.iter().find(|stack| stack.colors[0] == Color::Black) else {
        return (plies == 0).then(|| (setup.opening, Vec::new()));
    };
    let rule = match black.colors[..] {
        [_] => OpeningRule::Swap,
        [_, Color::Black] => OpeningRule::DoubleBlack,
        _ => return None,
    };
    let others = setup.stacks.iter().filter(|stack| stack.square != black.square);
    let is_flat = setup.stacks.iter().all(|stack| stack.top == PieceKind::Flat);
    let is_white = others.clone().all(|stack| stack.colors == [Color::White]);
    (is_flat && is_white).then(|| (rule, [black.square].into_iter().chain(others.map(|stack| stack.square)).collect()))
}

/// The moves of a row turned so that the first ones are on these squares. Of moves that are equivalent then, the next one
/// is the same for all rows.
fn image_of(row: &OpeningRow, squares: &[Square]) -> Option<Vec<Move>> {
    let turned =
        |turn: Symmetry| -> Vec<Move> { row.moves.iter().chain(&row.line).map(|&mv| turn.mv(mv, row.size)).collect() };
    let fits = |moves: &Vec<Move>| squares.iter().zip(moves).all(|(square, mv)| mv.square() == *square);
    Symmetry::ALL.into_iter().map(turned).filter(fits).min_by_key(|moves| moves[squares.len()])
}

/// The openings of two plies that begin on these squares, up to symmetry.
fn openings_from(size: Size, squares: &[Square]) -> usize {
    if squares.len() == 2 {
        return 1;
    }
    let (width, index) = (size.width(), |square: Square| square.column() + square.row() * size.width());
    let keeps = |turn: &Symmetry| squares.iter().all(|&square| turn.square(square, size) == square);
    let is_first = |square: Square| {
        let mut turns = Symmetry::ALL.iter().filter(|turn| keeps(turn));
        turns.all(|turn| index(turn.square(square, size)) >= index(square))
    };
    let all = (0..width * width).map(|index| Square::new(index % width, index / width));
    let next = all.filter(|&square| !squares.contains(&square) && is_first(square));
    next.map(|square| openings_from(size, &[squares, &[square]].concat())).sum()
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
