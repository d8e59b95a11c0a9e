//! The files that the program comes with, one for each size.

use std::sync::LazyLock;

use super::{WeightTable, sections};
use crate::board::Size;

/// The tables of one model, each read when it is first asked for.
pub(crate) struct Shipped<T>(pub(crate) [LazyLock<T>; Size::ALL.len()]);

impl<T> Shipped<T> {
    /// The table for this size.
    pub(crate) fn of(&self, size: Size) -> &T {
        &self.0[size.index()]
    }
}

/// A [`Shipped`] of the files in a folder beside the file that says so.
macro_rules! shipped {
    ($folder:literal) => {
        $crate::weights::shipped!($folder: "3s" "4s" "5s" "6s" "7s" "8s")
    };
    ($folder:literal: $($size:literal)+) => {
        $crate::weights::Shipped([$(std::sync::LazyLock::new(|| {
            $crate::weights::shipped_table(include_str!(concat!($folder, "/", $size, ".txt")))
        })),+])
    };
}

pub(crate) use shipped;

/// The table of a file that the program comes with.
pub(crate) fn shipped_table<T: WeightTable>(text: &str) -> T {
    let read = sections(text).and_then(|sections| sections[0].read());
    *read.expect("a test reads every shipped file")
}
