//! The end of a game.

use std::fmt;

use super::{Bitboard, Color, Halos, Move, PieceKind, Position};

/// The reason why a game has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// A road joins two opposite edges.
    Road,
    /// The board is full and flats were counted.
    BoardFull,
    /// A player has placed their last piece and flats were counted.
    Reserves,
}

/// As in `White wins by a road`.
impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Road => "by a road",
            Self::BoardFull => "on flats, the board is full",
            Self::Reserves => "on flats, a reserve is empty",
        })
    }
}

/// The result of a finished game by the rules.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Color, EndReason, Outcome, Position};
///
/// let position: Position<3> = "x3/1,1,1/2,2,x 2 4".parse()?;
/// let outcome = Outcome { winner: Some(Color::White), reason: EndReason::Road };
/// assert_eq!(position.outcome(), Some(outcome));
/// assert_eq!(outcome.to_string(), "R-0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner, `None` for a draw on flats.
    pub winner: Option<Color>,
    /// The reason why the game is over.
    pub reason: EndReason,
}

impl<const N: usize> Position<N> {
    /// The result if the game is over. If both players have a road, the one who just moved wins. Repetitions are not
    /// considered: search and match play keep the necessary history.
    #[inline]
    pub fn outcome(&self) -> Option<Outcome> {
        let mover = !self.to_move();
        for color in [mover, !mover] {
            if self.road_pieces(color).has_road::<N>() {
                return Some(Outcome { winner: Some(color), reason: EndReason::Road });
            }
        }
        self.flat_outcome()
    }

    /// Returns whether a placement by the player to move would end the game: the last piece of the reserve or the last
    /// empty square.
    #[inline]
    pub fn is_last_turn(&self) -> bool {
        self.reserve(self.to_move()).total() == 1 || self.empty().count() == 1
    }

    /// A move by which the player to move wins at once: one that completes a road ([`Position::winning_move`]) or a
    /// placement that ends the game on flats ([`Position::winning_end`]). The game must not be over.
    ///
    /// `None` does not mean that there is no win in one. Two rare kinds are left to the search: a spread that fills the
    /// board, and, in a first turn that places a piece of the opponent's, any that ends the game.
    #[inline]
    pub fn win_in_one(&self) -> Option<Move> {
        self.win_in_one_in(self.halos(self.to_move()))
    }

    /// The same by the halos of the player to move.
    #[inline]
    pub(crate) fn win_in_one_in(&self, halos: Halos) -> Option<Move> {
        self.winning_move_in(self.to_move(), halos).or_else(|| self.winning_end())
    }

    /// A placement by the player to move of their last piece or on the last empty square, if it wins on flats; never in
    /// a first turn that places a piece of the opponent's. Roads are ignored. The game must not be over.
    pub fn winning_end(&self) -> Option<Move> {
        if !self.is_last_turn() || self.is_opening() {
            return None;
        }
        let mover = self.to_move();
        let (kind, gain) = if self.reserve(mover).stones > 0 { (PieceKind::Flat, 2) } else { (PieceKind::Cap, 0) };
        let square = self.empty().first()?;
        (self.flat_lead_half(mover) + gain > 0).then(|| Move::place(kind, square))
    }

    /// The result on flats if the board is full or a reserve is empty; roads are ignored.
    #[inline]
    pub fn flat_outcome(&self) -> Option<Outcome> {
        let full = self.occupied() == Bitboard::board::<N>();
        if !full && !Color::ALL.iter().any(|&color| self.reserve(color).is_empty()) {
            return None;
        }
        let winner = match self.flat_lead_half(Color::White) {
            0 => None,
            lead if lead > 0 => Some(Color::White),
            _ => Some(Color::Black),
        };
        let reason = if full { EndReason::BoardFull } else { EndReason::Reserves };
        Some(Outcome { winner, reason })
    }

    /// The lead of `color` on flats in half points, including komi.
    #[inline]
    pub fn flat_lead_half(&self, color: Color) -> i32 {
        let flats = |c| self.flats(c).count() as i32;
        let white = 2 * (flats(Color::White) - flats(Color::Black)) - self.komi().half();
        match color {
            Color::White => white,
            Color::Black => -white,
        }
    }
}
