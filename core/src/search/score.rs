//! Scores of positions, for the player to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score in centiflats (100 is worth one flat), or a forced win or loss with its distance in plies.
///
/// Inside a search, decisive scores count plies from the root: [`Score::win_in`]`(1)` wins with the root's next move.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::search::{Score, Solved};
///
/// assert_eq!((-Score::centiflats(120)).value(), -120);
/// assert_eq!(Score::win_in(3).solved(), Some(Solved::Win(3)));
/// assert!(Score::win_in(3) > Score::win_in(5) && Score::win_in(5) > Score::centiflats(1_000_000));
/// let scores = [Score::centiflats(125), Score::win_in(3), Score::loss_in(2)];
/// assert_eq!(scores.map(|score| score.to_string()), ["+1.25", "win in 3", "loss in 2"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

/// The side of a score on which the exact value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// At least the score: the search failed high.
    Lower,
    /// At most the score: the search failed low.
    Upper,
}

/// A proven win or loss, with the number of plies until the game ends. Draws are never proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Solved {
    /// The player to move wins.
    Win(u32),
    /// The player to move loses.
    Loss(u32),
}

impl Solved {
    /// The number of plies until the game ends.
    #[inline]
    pub const fn plies(self) -> u32 {
        match self {
            Self::Win(plies) | Self::Loss(plies) => plies,
        }
    }

    /// Returns whether `later` is the same result in at most as many plies.
    pub(crate) const fn is_kept_by(self, later: Option<Self>) -> bool {
        match (self, later) {
            (Self::Win(plies), Some(Self::Win(later))) | (Self::Loss(plies), Some(Self::Loss(later))) => later <= plies,
            _ => false,
        }
    }
}

impl Score {
    /// Equal chances, and the score of a drawn game.
    pub const DRAW: Self = Self(0);
    /// Above every score; the first beta.
    pub const INFINITE: Self = Self(32_000);
    /// Of a win in 0 plies; each ply costs 1.
    const WIN_VALUE: i32 = 30_000;
    /// The longest line a search can follow, in plies; the distance of a decisive score is never larger.
    pub const MAX_PLY: usize = 250;
    /// Evaluations stay within this many centiflats of zero, so that they never look decisive.
    pub const MAX_EVALUATION: i32 = Self::WIN_VALUE - Self::MAX_PLY as i32 - 1;

    /// A score in centiflats, clamped to [`Score::MAX_EVALUATION`].
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
    #[inline]
    pub const fn win_in(plies: usize) -> Self {
        Self(Self::WIN_VALUE - plies as i32)
    }

    /// The player to move loses in `plies`.
    #[inline]
    pub const fn loss_in(plies: usize) -> Self {
        Self(plies as i32 - Self::WIN_VALUE)
    }

    /// The score with this [`Score::value`].
    #[inline]
    pub(super) const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// The score with this [`Score::value`]; `None` if it is out of range.
    pub fn try_from_value(value: i32) -> Option<Self> {
        (-Self::WIN_VALUE..=Self::WIN_VALUE).contains(&value).then_some(Self(value))
    }

    /// The number behind the score: centiflats, or near 30,000 for a decisive score.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score in flats; `None` for a forced win or loss.
    pub fn flats(self) -> Option<f64> {
        (!self.is_decisive()).then(|| f64::from(self.0) / 100.0)
    }

    /// Returns whether the score is a forced win or loss.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.0 > Self::MAX_EVALUATION || self.0 < -Self::MAX_EVALUATION
    }

    /// Returns whether the player to move has a forced win.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 > Self::MAX_EVALUATION
    }

    /// Returns whether the player to move is lost.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 < -Self::MAX_EVALUATION
    }

    /// The proven result, if the score is one.
    pub const fn solved(self) -> Option<Solved> {
        if self.is_win() {
            Some(Solved::Win((Self::WIN_VALUE - self.0) as u32))
        } else if self.is_loss() {
            Some(Solved::Loss((self.0 + Self::WIN_VALUE) as u32))
        } else {
            None
        }
    }

    /// Converts a score at `ply` plies from the root for the table: decisive distances are counted from the position
    /// itself, because the same position is reached at other plies too.
    ///
    /// A win in 7 from the root, found at ply 4, is stored as a win in 3.
    #[must_use]
    pub const fn to_table(self, ply: usize) -> Self {
        if self.is_win() {
            Self(self.0 + ply as i32)
        } else if self.is_loss() {
            Self(self.0 - ply as i32)
        } else {
            self
        }
    }

    /// The inverse of [`Score::to_table`]. Distances are limited to [`Score::MAX_PLY`].
    #[must_use]
    pub const fn from_table(self, ply: usize) -> Self {
        let rooted = if self.is_win() {
            Self(self.0 - ply as i32)
        } else if self.is_loss() {
            Self(self.0 + ply as i32)
        } else {
            return self;
        };
        match (self.is_win(), rooted.is_decisive()) {
            (_, true) => rooted,
            (true, false) => Self(Self::MAX_EVALUATION + 1),
            (false, false) => Self(-Self::MAX_EVALUATION - 1),
        }
    }
}

/// Flats with a sign, or the forced result with its plies.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.solved() {
            Some(Solved::Win(plies)) => f.pad(&format!("win in {plies}")),
            Some(Solved::Loss(plies)) => f.pad(&format!("loss in {plies}")),
            None => f.pad(&format!("{:+.2}", f64::from(self.0) / 100.0)),
        }
    }
}

/// Adds a margin in centiflats.
impl Add<i32> for Score {
    type Output = Self;

    #[inline]
    fn add(self, margin: i32) -> Self {
        Self(self.0 + margin)
    }
}

/// Subtracts a margin in centiflats.
impl Sub<i32> for Score {
    type Output = Self;

    #[inline]
    fn sub(self, margin: i32) -> Self {
        Self(self.0 - margin)
    }
}

impl Neg for Score {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisive_scores_travel_through_the_table() {
        for ply in [0, 1, 4, 100] {
            for plies in [1, 2, 7, 99] {
                let found = Score::win_in(ply + plies);
                assert_eq!(found.to_table(ply), Score::win_in(plies));
                assert_eq!(found.to_table(ply).from_table(ply), found);
                assert_eq!((-found).to_table(ply).from_table(ply), -found);
            }
            let plain = Score::centiflats(-123);
            assert_eq!(plain.to_table(ply).from_table(ply), plain);
        }
        assert!(Score::win_in(Score::MAX_PLY).from_table(Score::MAX_PLY).is_win());
        assert!(Score::loss_in(Score::MAX_PLY).from_table(Score::MAX_PLY).is_loss());
    }

    #[test]
    fn evaluations_are_never_decisive() {
        assert!(!Score::centiflats(i32::MAX).is_decisive());
        assert!(!Score::centiflats(-100_000).is_decisive());
        assert_eq!(Score::win_in(3).solved(), Some(Solved::Win(3)));
        assert_eq!(Score::loss_in(4).solved(), Some(Solved::Loss(4)));
        assert_eq!(Score::DRAW.solved(), None);
    }
}
