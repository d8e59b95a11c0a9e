//! Positions whose next occurrence is a draw by repetition.

use crate::board::mix;

/// The set of such positions. It is fixed for a whole search, so a proof does not depend on the path.
///
/// Proofs of wins are valid without counting other repetitions: every move of the attacker leads to a proof with fewer
/// plies, so no position occurs twice on a line that the attacker allows, and the root does not recur. This holds for
/// the proofs of one search; the key separates those of other searches.
#[derive(Debug, Clone, Default)]
pub(super) struct Repetitions {
    /// Hashes of positions before the root, sorted.
    earlier: Vec<u64>,
    /// The hash of the root, if coming back to it is a draw.
    root: Option<u64>,
    /// A single occurrence is a draw, so every position is one of them.
    all: bool,
    key: u64,
}

impl Repetitions {
    /// Collects the positions. `history` holds the hashes of the game before `root`; `repetitions` occurrences are a
    /// draw, 0 disables the rule.
    pub fn new(history: &[u64], root: u64, repetitions: u32) -> Self {
        let wanted = repetitions as usize;
        if wanted == 0 {
            return Self::default();
        }
        let mut seen = history.to_vec();
        seen.push(root);
        seen.sort_unstable();
        let mut often: Vec<u64> =
            seen.chunk_by(|a, b| a == b).filter(|same| same.len() + 1 >= wanted).map(|same| same[0]).collect();
        let all = wanted == 1;
        // The root is part of the key: a proof of an earlier search in the table may reach it.
        let key = often.iter().fold(u64::from(all), |key, &hash| mix(key, hash));
        let root = often.binary_search(&root).ok();
        let root = root.map(|index| often.remove(index));
        Self { root, all, key, earlier: often }
    }

    /// Returns whether reaching this position is a draw.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.all || self.root == Some(hash) || self.earlier.binary_search(&hash).is_ok()
    }

    /// Returns whether every position is a draw.
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Returns whether proofs may ignore the game's history.
    pub fn is_empty(&self) -> bool {
        !self.all && self.earlier.is_empty()
    }

    /// Value to XOR into the table keys: scores may differ with other drawn positions. 0 if there are none.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_limit_is_respected() {
        let history = [7, 8, 9, 8, 7, 6];
        let third = Repetitions::new(&history, 6, 3);
        assert!([6, 7, 8].iter().all(|&hash| third.contains(hash)));
        assert!(!third.contains(9) && !third.contains(5));
        assert!(!third.is_empty());
        let fourth = Repetitions::new(&history, 7, 4);
        assert!(fourth.contains(7) && !fourth.contains(8));
        assert!(fourth.is_empty(), "a proof never comes back to the root");
        assert!(Repetitions::new(&history, 7, 1).contains(5));
        assert!(!Repetitions::new(&history, 7, 0).contains(7));
    }

    #[test]
    fn different_sets_have_different_keys() {
        let key = |history: &[u64]| Repetitions::new(history, 1, 2).key();
        assert_eq!(Repetitions::new(&[2, 3], 1, 3).key(), 0);
        assert_eq!(key(&[]), key(&[1]));
        assert_ne!(key(&[]), 0, "the root counts too");
        assert_eq!(key(&[2, 3]), key(&[3, 2, 3]));
        assert_ne!(key(&[2, 3]), key(&[2, 4]));
        assert_eq!(key(&[2]), Repetitions::new(&[1], 2, 2).key(), "the root counts as any other");
        assert_ne!(Repetitions::new(&[], 1, 1).key(), 0);
    }
}
