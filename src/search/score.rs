//! Scores of positions, from the view of the player to move.

use std::ops::Neg;

/// A score in centiflats (100 is worth one flat), or a forced win or loss with its distance in plies.
///
/// Decisive scores count plies from where the score is held: [`Score::win_in`]`(1)` wins with the next move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// A proven result, with the number of plies until the game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Solved {
    /// The player to move wins.
    Win(u32),
    /// The player to move loses.
    Loss(u32),
    /// Neither can win.
    Draw(u32),
}

impl Score {
    /// Equal chances, and the score of a drawn game.
    pub const DRAW: Self = Self(0);
    /// Above every score; the first beta.
    pub const INFINITE: Self = Self(32_000);
    /// A win that has happened already.
    const WON: i32 = 30_000;
    /// The longest line a search can follow, in plies; the distance of a decisive score is never larger.
    pub const MAX_PLY: u32 = 250;
    /// Evaluations stay within this many centiflats of zero, so that they never look decisive.
    pub const MAX_EVALUATION: i32 = Self::WON - Self::MAX_PLY as i32 - 1;

    /// A score of so many centiflats, clamped to [`Score::MAX_EVALUATION`].
    #[must_use]
    pub const fn centiflats(value: i32) -> Self {
        if value > Self::MAX_EVALUATION {
            Self(Self::MAX_EVALUATION)
        } else if value < -Self::MAX_EVALUATION {
            Self(-Self::MAX_EVALUATION)
        } else {
            Self(value)
        }
    }

    /// The player to move wins in `plies`.
    #[must_use]
    pub const fn win_in(plies: u32) -> Self {
        Self(Self::WON - plies as i32)
    }

    /// The player to move loses in `plies`.
    #[must_use]
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - Self::WON)
    }

    /// The number behind the score: centiflats, or near 30,000 for a decisive score.
    #[must_use]
    pub const fn value(self) -> i32 {
        self.0
    }

    /// Whether the score is a forced win or loss.
    #[must_use]
    pub const fn is_decisive(self) -> bool {
        self.0 > Self::MAX_EVALUATION || self.0 < -Self::MAX_EVALUATION
    }

    /// Whether the player to move has a forced win.
    #[must_use]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_EVALUATION
    }

    /// Whether the player to move is lost.
    #[must_use]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_EVALUATION
    }

    /// The proven result, if the score is one.
    #[must_use]
    pub const fn solved(self) -> Option<Solved> {
        if self.is_win() {
            Some(Solved::Win((Self::WON - self.0) as u32))
        } else if self.is_loss() {
            Some(Solved::Loss((self.0 + Self::WON) as u32))
        } else {
            None
        }
    }

    /// The same result seen from one ply earlier, by the other player.
    ///
    /// A child that is won in 3 for its mover is lost in 4 for the parent's.
    #[must_use]
    pub const fn of_parent(self) -> Self {
        if self.is_win() {
            Self(1 - self.0)
        } else if self.is_loss() {
            Self(-self.0 - 1)
        } else {
            Self(-self.0)
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}
