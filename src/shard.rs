//! One share of work that is divided among machines, such as `--shard 1/4`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Share `index` of `count`, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    pub const WHOLE: Self = Self { index: 1, count: 1 };

    /// Its block of so many pieces of work, from 0. The blocks of all shares follow each other, and their lengths differ
    /// by one at most.
    pub fn block(self, pieces: u64) -> Range<u64> {
        let start = |index: u64| (u128::from(pieces) * u128::from(index) / u128::from(self.count)) as u64;
        start(self.index - 1)..start(self.index)
    }

    /// Returns whether it has the piece of work with this number, from 0, if they are dealt out to the shares in turn. Each
    /// time around begins with another share: otherwise a share would always get the same kind of piece if the numbers
    /// of shares and of kinds have a common factor.
    pub fn is_dealt(self, number: u64) -> bool {
        (number + number / self.count) % self.count == self.index - 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parsed {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self { index, count }),
            _ => Err(format!("invalid shard {text:?}: expected I/N with I from 1 to N, for example 1/4")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_every_piece_once() {
        for (pieces, count) in [(0, 3), (2, 3), (11, 3), (12, 4), (u64::MAX, 7)] {
            let blocks = (1..=count).map(|index| Shard { index, count }.block(pieces));
            let end = blocks.fold(0, |end, block| {
                assert_eq!(block.start, end);
                let length = block.end - end;
                assert!((pieces / count..=pieces.div_ceil(count)).contains(&length));
                block.end
            });
            assert_eq!(end, pieces);
        }
        for number in 0..100 {
            assert_eq!((1..=4).filter(|&index| Shard { index, count: 4 }.is_dealt(number)).count(), 1);
        }
    }

    #[test]
    fn other_texts_are_refused() {
        assert_eq!("3/4".parse(), Ok(Shard { index: 3, count: 4 }));
        for bad in ["", "1", "0/4", "5/4", "1/0", "0/0", "-1/4", "a/b", "1/4/2", "1/ 4"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }
}
