//! Positions that have come up so often in the game that coming back to them is a draw.

use crate::board::fold;

/// Which positions they are. They stay the same for a whole search, so that what is claimed of a position does not depend
/// on the way to it.
///
/// A proof of a win needs no other repetition counted. It knows the plies to the end, and each of the attacker's moves
/// leads to a proof with fewer plies. So no position comes up twice on a line that the attacker allows, nor the root again.
/// That goes for the proofs of one search; those of others are kept apart by a key.
#[derive(Debug, Default)]
pub(super) struct Repetitions {
    /// Hashes of positions before the root, sorted.
    earlier: Vec<u64>,
    /// The hash of the root, if coming back to it is a draw.
    root: Option<u64>,
    /// With a single occurrence being a draw, every position is one of them.
    all: bool,
    key: u64,
}

impl Repetitions {
    /// `history` are the hashes of the game before `root`; `repetitions` occurrences are a draw, 0 for never.
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
        // The root is one of them here: a proof that an earlier search left in the table may come to it.
        let mix = |key: u64, &hash: &u64| fold(key ^ 0x9E37_79B9_7F4A_7C15, hash);
        let key = often.iter().fold(u64::from(all), mix);
        let root = often.binary_search(&root).ok();
        let root = root.map(|index| often.remove(index));
        Self { root, all, key, earlier: often }
    }

    /// Whether getting to this position is a draw.
    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.all || self.root == Some(hash) || self.earlier.binary_search(&hash).is_ok()
    }

    /// Whether every position is a draw.
    pub fn is_all(&self) -> bool {
        self.all
    }

    /// Whether claims need no regard to the game's history.
    pub fn is_empty(&self) -> bool {
        !self.all && self.earlier.is_empty()
    }

    /// To be XORed into the hashes under which a table keeps scores: what holds with these positions drawn need not hold
    /// with others. 0 where there are none.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_wear_out_by_number() {
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
    fn keys_tell_sets_apart() {
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
