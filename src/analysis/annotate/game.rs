//! An annotated game: plain data, from which PTN and reports are made.

use std::fmt;

use crate::board::{AnyPosition, ByColor, Color, Move, Outcome, with_position};
use crate::notation::{Deviations, PtnGame, shown};
use crate::search::{Players, Score, Solved, expected_points, level_draws, wdl};

/// A game and the engine's judgement of each of its moves, see [`annotate`](super::annotate).
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatedGame {
    /// Its place in the input, from 0.
    pub number: u64,
    /// The game as it was read: tags, comments, moves with the marks that they had, result. OnlyMove the moves before the
    /// fault, if there is one.
    pub source: PtnGame,
    /// The text of a game that cannot begin; `None` for all others.
    pub original: Option<String>,
    /// The first mistake in the game.
    pub fault: Option<String>,
    /// Parts of its text that were accepted although they are not standard.
    pub deviations: Deviations,
    /// The evaluation before the first move; `None` if the game cannot begin.
    pub start: Option<Evaluation>,
    /// One for each move of `source`.
    pub plies: Vec<AnnotatedPly>,
    /// The end of the game by the rules.
    pub outcome: Option<Outcome>,
    /// The winner by the rules, or by the game's result.
    pub winner: Option<Color>,
    /// The index in `plies` of the move that decided the game: of the loser's moves after which the winner was never
    /// again below even chances, the one that cost most. `None` without a winner or without such a move.
    pub decisive: Option<usize>,
    /// The summaries of the players.
    pub players: ByColor<Summary>,
}

impl AnnotatedGame {
    /// The name of a player as it can be shown, or the colour.
    pub fn name(&self, color: Color) -> String {
        self.source.player(color).map_or_else(|| color.to_string(), shown)
    }
}

/// A move and its effects.
#[derive(Debug, Clone, PartialEq)]
pub struct AnnotatedPly {
    /// The move played.
    pub mv: Move,
    /// It is an only move, except for others that a symmetry of the position turns it into.
    pub has_image: bool,
    /// The player who made it.
    pub color: Color,
    /// Its number in the game, as PTN counts.
    pub number: u32,
    /// The part of the game it belongs to.
    pub phase: Phase,
    /// The value of the position before it with best play.
    pub before: PositionValue,
    /// The best line from the position before it; it begins with the move played if that was best.
    pub best: Vec<Move>,
    /// The evaluation of the position after it.
    pub after: Evaluation,
    /// The chances lost by the mover, in points from 0 to 100.
    pub loss: f64,
    /// Its quality, if that is worth a mark.
    pub mark: Option<Mark>,
    /// Its threat, if that is worth a mark.
    pub threat: Option<Threat>,
    /// The mover had this forced win and let it go.
    pub missed: Option<ForcedWin>,
    /// The mover ran into this forced win of the opponent, which another move would have avoided.
    pub allowed: Option<ForcedWin>,
    /// The mover avoided this forced win of the opponent, which every other move would have allowed.
    pub avoided: Option<ForcedWin>,
}

/// The engine's evaluation of a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluation {
    /// For both players.
    pub value: PositionValue,
    /// The best line from there, empty if the game is over.
    pub line: Vec<Move>,
    /// Plies of the last completed iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken, in milliseconds.
    pub ms: u64,
}

/// The value of a position, from White's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PositionValue {
    /// Centiflats, or a decisive score.
    pub score: Score,
    /// The chance of a draw between equal players, were the position level, in thousandths.
    pub level_draws: u32,
}

impl PositionValue {
    /// Of this position with this score for its player to move.
    pub fn new(score: Score, position: &AnyPosition) -> Self {
        Self {
            score: match position.to_move() {
                Color::White => score,
                Color::Black => -score,
            },
            level_draws: with_position!(position, p => level_draws(p)),
        }
    }

    /// Chances of White to win, to draw and to lose, in thousandths.
    pub fn wdl(self) -> [u32; 3] {
        wdl(self.score, self.level_draws, Players::People)
    }

    /// The chances of `color` in percent, a draw counting half.
    pub fn chance(self, color: Color) -> f64 {
        let white = f64::from(expected_points(self.score, Players::People)) / 10.0;
        match color {
            Color::White => white,
            Color::Black => 100.0 - white,
        }
    }

    /// The player who wins by force, and in how many plies.
    pub fn proven(self) -> Option<(Color, u32)> {
        match self.score.solved()? {
            Solved::Win(plies) => Some((Color::White, plies)),
            Solved::Loss(plies) => Some((Color::Black, plies)),
        }
    }
}

/// The quality of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It lost much.
    Blunder,
    /// It lost something.
    Mistake,
    /// The only move that keeps the result, as longer searches agree.
    Good,
    /// The only move that keeps the win, if every other move loses, as longer searches agree.
    Brilliant,
}

/// As in PTN.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Blunder => "??",
            Self::Mistake => "?",
            Self::Good => "!",
            Self::Brilliant => "!!",
        })
    }
}

/// The threat of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Threat {
    /// A road with the next move.
    Tak,
    /// A road that cannot be prevented, as the solver has proven.
    Tinue,
}

/// As in PTN.
impl fmt::Display for Threat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Tak => "'",
            Self::Tinue => "''",
        })
    }
}

/// A win that can be forced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForcedWin {
    /// Plies until the end of the game.
    pub plies: u32,
    /// The moves that lead to it, the winner's first; those of a win avoided begin with the other move.
    pub line: Vec<Move>,
}

/// The part of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// The first turns: as many of each player as the board is wide.
    Opening,
    /// The part between opening and end.
    Middle,
    /// From when a quarter of the squares or less is empty, or a player has a quarter of the pieces or less left.
    End,
}

impl Phase {
    /// All of them, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::End];
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Opening => "opening",
            Self::Middle => "middle",
            Self::End => "end",
        })
    }
}

/// The record of a player in a game, or in many. Sums, so that they can be added up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    /// Moves made.
    pub moves: u32,
    /// The sum of their accuracies, each from 0 to 100, see [`Summary::accuracy`].
    pub accuracy_sum: f64,
    /// Moves and the points lost with them in each phase, in the order of [`Phase::ALL`].
    pub phases: [(u32, f64); 3],
    /// Moves with each mark, in the order of [`Mark`].
    pub marks: [u32; 4],
    /// Forced wins that were missed.
    pub missed: u32,
    /// Forced wins of the opponent that were run into.
    pub allowed: u32,
    /// Forced wins of the opponent that only the move played avoided.
    pub avoided: u32,
}

impl Summary {
    /// Takes in a move.
    pub fn add(&mut self, ply: &AnnotatedPly) {
        self.moves += 1;
        self.accuracy_sum += move_accuracy(ply.loss);
        let (moves, loss) = &mut self.phases[ply.phase as usize];
        *moves += 1;
        *loss += ply.loss;
        if let Some(mark) = ply.mark {
            self.marks[mark as usize] += 1;
        }
        self.missed += u32::from(ply.missed.is_some());
        self.allowed += u32::from(ply.allowed.is_some());
        self.avoided += u32::from(ply.avoided.is_some());
    }

    /// Takes in those of another game.
    pub fn merge(&mut self, other: &Self) {
        self.moves += other.moves;
        self.accuracy_sum += other.accuracy_sum;
        for ((moves, loss), (more, lost)) in self.phases.iter_mut().zip(other.phases) {
            *moves += more;
            *loss += lost;
        }
        for (count, more) in self.marks.iter_mut().zip(other.marks) {
            *count += more;
        }
        self.missed += other.missed;
        self.allowed += other.allowed;
        self.avoided += other.avoided;
    }

    /// From 0 to 100: the mean over all moves; `None` without moves.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.accuracy_sum / f64::from(self.moves))
    }

    /// Points lost a move; `None` without moves.
    pub fn mean_loss(&self) -> Option<f64> {
        let loss: f64 = self.phases.iter().map(|(_, loss)| loss).sum();
        (self.moves > 0).then(|| loss / f64::from(self.moves))
    }

    /// Points lost a move in a phase; `None` without moves there.
    pub fn phase_loss(&self, phase: Phase) -> Option<f64> {
        let (moves, loss) = self.phases[phase as usize];
        (moves > 0).then(|| loss / f64::from(moves))
    }
}

/// The accuracy of a move that lost this many points of chance, from 0 to 100: 78 for 5 points, 37 for 20, 8 for 50.
pub fn move_accuracy(loss: f64) -> f64 {
    /// Points that make a move worth e times less.
    const SCALE: f64 = 20.0;
    100.0 * (-loss / SCALE).exp()
}
