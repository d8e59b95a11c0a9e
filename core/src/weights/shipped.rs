//! The built-in weights, one table per size and model.

use std::sync::OnceLock;

use super::{WeightTable, sections};
use crate::board::Size;

/// The tables of one model, by size. Each is parsed when it is first used, unless it has been installed before.
pub(crate) struct Shipped<T> {
    texts: [&'static str; Size::ALL.len()],
    tables: [OnceLock<Box<T>>; Size::ALL.len()],
}

impl<T: WeightTable> Shipped<T> {
    /// Those in files of this text.
    pub(crate) const fn new(texts: [&'static str; Size::ALL.len()]) -> Self {
        Self { texts, tables: [const { OnceLock::new() }; Size::ALL.len()] }
    }

    pub(crate) fn of(&self, size: Size) -> &T {
        self.tables[size.index()].get_or_init(|| {
            let read = sections(self.texts[size.index()]).and_then(|sections| sections[0].read());
            read.expect("a test reads every shipped file; others are installed before their use")
        })
    }

    /// Sets the table for this size, unless there is one.
    pub(crate) fn install(&self, size: Size, table: Box<T>) {
        // An error returns the second table.
        _ = self.tables[size.index()].set(table);
    }

    /// Returns whether the table for this size has been used or installed.
    pub(crate) fn is_set(&self, size: Size) -> bool {
        self.tables[size.index()].get().is_some()
    }
}

/// Creates a [`Shipped`] of the files in a folder beside the calling file. With `external-weights` they are empty.
macro_rules! shipped {
    ($folder:literal) => {
        $crate::weights::shipped!($folder: "3s" "4s" "5s" "6s" "7s" "8s")
    };
    ($folder:literal: $($size:literal)+) => {
        $crate::weights::Shipped::new([$($crate::weights::shipped_text!($folder, $size)),+])
    };
}

#[cfg(not(feature = "external-weights"))]
macro_rules! shipped_text {
    ($folder:literal, $size:literal) => {
        include_str!(concat!($folder, "/", $size, ".txt"))
    };
}

#[cfg(feature = "external-weights")]
macro_rules! shipped_text {
    ($folder:literal, $size:literal) => {
        ""
    };
}

pub(crate) use {shipped, shipped_text};
