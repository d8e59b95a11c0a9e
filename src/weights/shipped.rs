//! The built-in weight files, one per size.

use std::sync::LazyLock;

use super::{WeightTable, sections};
use crate::board::Size;

/// The tables of one model, each parsed on first use.
pub(crate) struct Shipped<T>(pub(crate) [LazyLock<T>; Size::ALL.len()]);

impl<T> Shipped<T> {
    /// The table for this size.
    pub(crate) fn of(&self, size: Size) -> &T {
        &self.0[size.index()]
    }
}

/// Creates a [`Shipped`] of the files in a folder beside the calling file.
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

/// The table of a built-in file.
pub(crate) fn shipped_table<T: WeightTable>(text: &str) -> T {
    let read = sections(text).and_then(|sections| sections[0].read());
    *read.expect("a test reads every shipped file")
}
