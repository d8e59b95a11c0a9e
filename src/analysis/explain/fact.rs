//! What is known about a move, and how it is known.

use serde::Serialize;

use crate::board::{Bitboard, Color, Move, MoveKind, PieceKind, Square};

/// How a fact was established.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Basis {
    /// By the rules: anyone can count it on the board.
    Rules,
    /// By a proof against every defence.
    Proof,
    /// By the line of a search, so it is only what the engine expects.
    Search,
}

impl Basis {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Proof => "proof",
            Self::Search => "search",
        }
    }
}

/// What stops a road.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// Other moves as well.
    Any,
    /// Only pieces on this square.
    Square(Square),
    /// Only this move.
    Move,
}

/// A move that an answer says something about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Better {
    pub mv: Move,
    /// Whether it threatens a road.
    pub is_threat: bool,
}

/// A stack, or a capstone with what is below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stack {
    pub square: Square,
    pub height: usize,
    pub is_capstone: bool,
}

impl Stack {
    /// The height from which on a stack is named.
    pub const MIN_HEIGHT: usize = 3;
}

/// A fact about a move. "Then" is the position after it. Leads are those of the player who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fact {
    /// The move completes a road of this player through these squares.
    Road { mv: Move, owner: Color, squares: Vec<Square> },
    /// The move ends the game on flats, with this lead in half flats, komi counted.
    Flats { mv: Move, half_lead: i32 },
    /// The opponent completes a road next with any of these moves.
    Leaves { mv: Move, roads: Vec<Move> },
    /// The opponent wins by force then, in so many moves of theirs.
    Loses { mv: Move, moves: u32, first: Option<Move> },
    /// The opponent's answer ends the game then, and wins it on flats.
    LosesFlats { mv: Move, reply: Move },
    /// Each of these moves would complete a road next, and after any answer there is a road, one of these or another.
    Unstoppable { mv: Move, roads: Vec<Move> },
    /// The player wins by force, in so many moves with this one.
    Wins { mv: Move, moves: u32 },
    /// The opponent threatened to complete a road with any of these moves, and cannot then.
    Stops { mv: Move, roads: Vec<Move>, stop: Stop },
    /// If the player did nothing, the opponent would force a road in so many moves.
    AfterPass { moves: u32, first: Move },
    /// If the player did nothing, the opponent's move would have this effect.
    PassAllows { reply: Move, effect: Box<Fact> },
    /// With the next move any of these would complete a road.
    Threatens { mv: Move, roads: Vec<Move> },
    /// A capstone flattens the wall on this square.
    Flattens { mv: Move, square: Square },
    /// The spread takes a stack of the opponent that is so high.
    Captures { mv: Move, square: Square, height: usize },
    /// The spread covers so many flats of the opponent and adds so many own. The flats on the board are then these, the
    /// player's first.
    Covers { mv: Move, flats: u32, own: u32, then: [u32; 2] },
    /// The opponent's stack could have moved before, and cannot then.
    LocksIn { mv: Move, stack: Stack },
    /// Each move of the opponent's stack would give the player a road then, and before one would not.
    Pins { mv: Move, stack: Stack },
    /// The player's stack could not have moved before, and can then.
    Frees { mv: Move, stack: Stack },
    /// The opponent's answer to the first move has this effect; if a better move is named, no move has it after that one.
    Answer { mv: Move, better: Option<Better>, reply: Move, effect: Box<Fact> },
    /// The player's next move would have this effect if the opponent did nothing. With `is_kept` a move had it before.
    Prepares { mv: Move, later: Move, effect: Box<Fact>, is_kept: bool },
    /// If both only place flats then, this player places the last one, and the lead in half flats is this, with komi.
    Fills { mv: Move, last: Color, half_lead: i32 },
    /// That lead after two moves, without komi.
    Filled { after: [(Move, i32); 2] },
    /// The empty squares that the opponent needs for a road, before and then; `None` if all roads are cut off.
    Cuts { mv: Move, before: usize, then: Option<usize> },
    /// The capstone is placed beside so many pieces of the opponent, or in the centre or next to it.
    Capstone { mv: Move, beside: usize, is_central: bool },
    /// The capstone moves onto a flat of its own colour.
    Hard { mv: Move },
    /// The piece connects so many groups of road pieces.
    Joins { mv: Move, groups: usize },
    /// The piece stands between so many groups of the opponent's road pieces.
    Separates { mv: Move, groups: usize },
    /// The empty squares that the player needs for a road, before and then.
    Nears { mv: Move, before: usize, then: Vec<Square> },
    /// Two moves, or beginnings of lines, and the empty squares that a player needs for a road after each.
    Needs { player: Color, after: [(Vec<Move>, Vec<Square>); 2] },
    /// The empty squares that each player needs for a road then, the player's first.
    Race { mv: Move, needs: [usize; 2] },
    /// The piece played on a square, and the one that the better move places there.
    /// The first can be covered next with `cover`. `has_capstone`: the opponent has one, on the board or in reserve.
    Piece { square: Square, better: Move, pieces: [PieceKind; 2], cover: Option<Move>, has_capstone: bool },
    /// The lead in flats, komi not counted, after the beginnings of two lines.
    Leads { after: [(Vec<Move>, i32); 2] },
    /// A first turn places the opponent's flat in a corner, on the edge, or elsewhere.
    First { mv: Move, place: &'static str, is_double: bool },
    /// A move of the line after these ones, and what it does.
    Expects { path: Vec<Move>, later: Move, effect: Option<Box<Fact>> },
}

/// A fact in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// One sentence of at most [`Reason::MAX_CHARS`] characters.
    pub text: String,
    /// What it is about: a word that stays the same, for programs.
    pub kind: &'static str,
    /// The squares that it is about.
    pub squares: Vec<Square>,
    /// How it was established.
    pub basis: Basis,
}

impl Reason {
    /// The longest sentence.
    pub const MAX_CHARS: usize = 90;
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct View<'a> {
            text: &'a str,
            kind: &'static str,
            squares: Vec<String>,
            basis: &'static str,
        }
        let squares = self.squares.iter().map(ToString::to_string).collect();
        View { text: &self.text, kind: self.kind, squares, basis: self.basis.name() }.serialize(to)
    }
}

impl Fact {
    /// Its name in JSON, and its place among others: what decides the game comes first.
    fn named(&self) -> (usize, &'static str) {
        match self {
            Self::Road { .. } => (0, "road"),
            Self::Flats { .. } => (1, "flats"),
            Self::Leaves { .. } => (2, "leaves-road"),
            Self::LosesFlats { .. } => (2, "leaves-flats"),
            Self::Loses { .. } => (3, "forced-loss"),
            Self::Unstoppable { .. } => (4, "threats"),
            Self::Wins { .. } => (5, "forced-win"),
            Self::Stops { .. } => (6, "stops-road"),
            Self::AfterPass { .. } => (7, "after-pass"),
            Self::PassAllows { .. } => (8, "after-pass"),
            Self::Threatens { .. } => (9, "threat"),
            Self::Flattens { .. } => (10, "flattens"),
            Self::Answer { .. } => (11, "answer"),
            Self::Captures { .. } => (12, "captures"),
            Self::Covers { .. } => (13, "covers"),
            Self::Filled { .. } => (14, "filled"),
            Self::Leads { .. } => (15, "expected-flats"),
            Self::Prepares { .. } => (16, "prepares"),
            Self::LocksIn { .. } => (17, "locks-in"),
            Self::Pins { .. } => (17, "pins"),
            Self::Cuts { .. } => (18, "cuts"),
            Self::Fills { .. } => (19, "last-piece"),
            Self::Needs { .. } => (20, "squares-missing"),
            Self::Nears { .. } => (21, "nears"),
            Self::Frees { .. } => (21, "frees"),
            Self::Capstone { .. } => (22, "capstone"),
            Self::Joins { .. } => (23, "joins"),
            Self::Separates { .. } => (23, "separates"),
            Self::Hard { .. } => (24, "hard-capstone"),
            Self::Piece { .. } => (14, "piece"),
            Self::Race { .. } => (26, "race"),
            Self::First { .. } => (27, "first-turn"),
            Self::Expects { .. } => (28, "expected-answer"),
        }
    }

    /// Lower is stronger.
    pub fn rank(&self) -> usize {
        self.named().0
    }

    /// See [`Reason::kind`].
    pub fn kind(&self) -> &'static str {
        self.named().1
    }

    /// How it was established.
    pub fn basis(&self) -> Basis {
        match self {
            Self::Loses { .. } | Self::Wins { .. } | Self::AfterPass { .. } => Basis::Proof,
            Self::Needs { after: [(path, _), _], .. } if path.len() > 1 => Basis::Search,
            Self::Leads { .. } | Self::Expects { .. } => Basis::Search,
            _ => Basis::Rules,
        }
    }

    /// The squares that it is about.
    pub fn squares(&self) -> Vec<Square> {
        match self {
            Self::Road { squares, .. } => squares.clone(),
            Self::Leaves { roads, .. }
            | Self::Unstoppable { roads, .. }
            | Self::Stops { roads, .. }
            | Self::Threatens { roads, .. } => distinct(&mut roads.iter().map(|mv| mv.target())),
            Self::Flattens { square, .. } | Self::Captures { square, .. } | Self::Piece { square, .. } => vec![*square],
            Self::LocksIn { mv, stack } | Self::Pins { mv, stack } | Self::Frees { mv, stack } => {
                distinct(&mut [stack.square, mv.target()].into_iter())
            }
            Self::Nears { then, .. } => then.clone(),
            Self::Needs { after, .. } => {
                let all = |(path, squares): &(Vec<Move>, Vec<Square>)| [targets(path.iter()), squares.clone()].concat();
                distinct(&mut after.iter().flat_map(all))
            }
            Self::Leads { after } => targets(after.iter().flat_map(|(path, _)| path)),
            Self::Filled { after } => targets(after.iter().map(|(mv, _)| mv)),
            Self::Answer { reply, effect, .. }
            | Self::PassAllows { reply, effect }
            | Self::Prepares { later: reply, effect, .. }
            | Self::Expects { later: reply, effect: Some(effect), .. } => {
                distinct(&mut effect.squares().into_iter().chain([reply.target()]))
            }
            Self::AfterPass { first, .. } | Self::Loses { first: Some(first), .. } => vec![first.target()],
            Self::Expects { later: reply, .. } => vec![reply.target()],
            Self::Covers { mv, .. } => covered(*mv),
            Self::LosesFlats { mv, reply } => distinct(&mut [mv.target(), reply.target()].into_iter()),
            Self::Flats { mv, .. }
            | Self::Loses { mv, .. }
            | Self::Wins { mv, .. }
            | Self::Cuts { mv, .. }
            | Self::Joins { mv, .. }
            | Self::Separates { mv, .. }
            | Self::Capstone { mv, .. }
            | Self::Fills { mv, .. }
            | Self::Hard { mv }
            | Self::First { mv, .. }
            | Self::Race { mv, .. } => vec![mv.target()],
        }
    }
}

fn targets<'a>(moves: impl Iterator<Item = &'a Move>) -> Vec<Square> {
    distinct(&mut moves.map(|mv| mv.target()))
}

/// Each square once, in order.
fn distinct(squares: &mut dyn Iterator<Item = Square>) -> Vec<Square> {
    squares.fold(Bitboard::EMPTY, |set, square| set | square.bit()).into_iter().collect()
}

/// The squares on which a spread drops pieces.
fn covered(mv: Move) -> Vec<Square> {
    match mv.kind() {
        MoveKind::Place(_) => vec![mv.square()],
        MoveKind::Spread(..) => mv.covered().into_iter().collect(),
    }
}
