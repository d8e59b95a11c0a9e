//! Terms of a model and the places of their features in the table of weights.

use crate::board::{Reserve, Size};

/// A criterion that distinguishes the features of a term, and its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Axis {
    name: &'static str,
    values: Values,
    /// Bit set of the values that require a capstone.
    capstones: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Values {
    Numbers { first: i32, len: usize },
    Named(&'static [&'static str]),
    Flag,
}

impl Axis {
    /// A number from 0 to `len` - 1.
    pub const fn count(name: &'static str, len: usize) -> Self {
        Self::numbers(name, 0, len)
    }

    pub const fn numbers(name: &'static str, first: i32, len: usize) -> Self {
        Self { name, values: Values::Numbers { first, len }, capstones: 0 }
    }

    /// One of these.
    pub const fn named(values: &'static [&'static str]) -> Self {
        Self { name: "", values: Values::Named(values), capstones: 0 }
    }

    /// A condition: 0 or 1.
    pub const fn flag(name: &'static str) -> Self {
        Self { name, values: Values::Flag, capstones: 0 }
    }

    /// The same, with the values that require a capstone.
    ///
    /// # Panics
    /// If there is no such value.
    #[must_use]
    pub const fn with_capstones(mut self, values: &[usize]) -> Self {
        let mut place = 0;
        while place < values.len() {
            assert!(values[place] < self.len());
            self.capstones |= 1 << values[place];
            place += 1;
        }
        self
    }

    /// The number of values.
    #[inline]
    #[allow(clippy::len_without_is_empty)] // never empty
    pub const fn len(&self) -> usize {
        match self.values {
            Values::Numbers { len, .. } => len,
            Values::Named(values) => values.len(),
            Values::Flag => 2,
        }
    }

    fn value(&self, index: usize) -> String {
        let name = self.name;
        match self.values {
            Values::Numbers { first, .. } => format!("{name} {}", first + index as i32),
            Values::Named(values) => values[index].to_owned(),
            Values::Flag if index == 0 => format!("no {name}"),
            Values::Flag => name.to_owned(),
        }
    }
}

/// A named group of features, one for each combination of values of its axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Name in weight files and explanations.
    pub name: &'static str,
    /// Index of its first feature in the table of weights.
    pub start: usize,
    /// Axes of its features; a term without axes has one feature.
    pub axes: &'static [Axis],
    /// Numbers per feature in the table.
    pub lanes: usize,
    /// All its features require a capstone.
    pub of_capstones: bool,
    /// The largest absolute count of a feature that is added at once.
    pub most: i32,
}

impl Term {
    /// The number of features.
    pub const fn rows(&self) -> usize {
        let (mut rows, mut axis) = (1, 0);
        while axis < self.axes.len() {
            rows *= self.axes[axis].len();
            axis += 1;
        }
        rows
    }

    /// The index after its last feature in the table.
    pub const fn end(&self) -> usize {
        self.start + self.rows() * self.lanes
    }

    /// The (first) index in the table of the feature with these values, one for each axis.
    #[allow(clippy::inline_always)] // Tests are built with little inlining: this halves the time of an evaluation there.
    #[inline(always)]
    pub fn at<const AXES: usize>(&self, values: [usize; AXES]) -> usize {
        debug_assert_eq!(AXES, self.axes.len(), "axes of {}", self.name);
        // No iterators: with little inlining, as in the tests, they would take most of the time of an evaluation.
        let (mut row, mut place) = (0, 0);
        while place < AXES {
            let (axis, value) = (&self.axes[place], values[place]);
            debug_assert!(value < axis.len(), "{} of {}", axis.name, self.name);
            row = row * axis.len() + value;
            place += 1;
        }
        self.start + row * self.lanes
    }

    /// Returns whether the feature with index `row` can occur on a board of this size with standard reserves: some
    /// sizes have no capstones.
    pub fn is_possible(&self, mut row: usize, size: Size) -> bool {
        if Reserve::standard(size).caps > 0 {
            return true;
        }
        let needs_capstone = self.axes.iter().rev().any(|axis| {
            let value = row % axis.len();
            row /= axis.len();
            axis.capstones >> value & 1 == 1
        });
        !self.of_capstones && !needs_capstone
    }

    /// The meaning of the feature with index `row` in words: a value for each axis.
    pub fn meaning(&self, mut row: usize) -> String {
        let mut words: Vec<String> = Vec::new();
        for axis in self.axes.iter().rev() {
            words.push(axis.value(row % axis.len()));
            row /= axis.len();
        }
        words.reverse();
        words.join(", ")
    }
}

/// Declares the terms of a model as constants, with `TERMS`, the list of them, and `FEATURES`, the size of the table. An
/// entry is `ID: "name" [axes] x lanes, up to most, of capstones;`; the default is one lane and a count of one, and `of
/// capstones` marks terms that require one.
macro_rules! catalogue {
    (
        $($(#[$doc:meta])* $id:ident: $name:literal [$($axis:expr),*] $(x $lanes:expr)? $(, up to $most:expr)? $(, of $piece:ident)?;)*
    ) => {
        $crate::weights::catalogue!(
            @place 0; $($(#[$doc])* $id: $name [$($axis),*] [$($lanes,)? 1] [$($most,)? 1] [$(stringify!($piece))?];)*
        );
        /// Every term, in the order of the table.
        pub const TERMS: &[$crate::weights::Term] = &[$($id),*];
    };
    (
        @place $start:expr;
        $(#[$doc:meta])* $id:ident: $name:literal [$($axis:expr),*] [$($lanes:expr),*] [$($most:expr),*] [$($piece:expr)?];
        $($rest:tt)*
    ) => {
        $(#[$doc])*
        pub const $id: $crate::weights::Term = $crate::weights::Term {
            name: $name,
            start: $start,
            axes: &[$($axis),*],
            lanes: [$($lanes),*][0],
            of_capstones: [$($piece,)? ""][0].len() > 0,
            most: [$($most),*][0],
        };
        $crate::weights::catalogue!(@place $id.end(); $($rest)*);
    };
    (@place $start:expr;) => {
        /// Size of the table.
        pub const FEATURES: usize = $start;
    };
}

pub(crate) use catalogue;

#[cfg(test)]
mod tests {
    use super::*;

    mod toy {
        use super::Axis;

        catalogue! {
            /// One feature.
            ALONE: "alone" [];
            /// Two axes, four lanes.
            GRID: "grid" [Axis::named(&["low", "high"]), Axis::numbers("gain", -1, 3)] x 4;
            /// One axis of two values.
            FLAG: "flag" [Axis::flag("tak")];
            /// A term that requires a capstone, and one with values that do.
            CAP: "capstone" [], of capstones;
            HIGH: "high" [Axis::count("low", 2), Axis::count("tall", 3).with_capstones(&[1, 2])];
        }
    }

    #[test]
    fn terms_tile_the_table() {
        let mut next = 0;
        for term in toy::TERMS {
            assert_eq!(term.start, next, "{}", term.name);
            next = term.end();
        }
        assert_eq!(next, toy::FEATURES);
        assert_eq!(toy::FEATURES, 1 + 6 * 4 + 2 + 1 + 6);
    }

    #[test]
    fn places_and_meanings_follow_the_axes() {
        assert_eq!(toy::ALONE.at([]), 0);
        assert_eq!(toy::ALONE.meaning(0), "");
        for (low, gain, row) in [(0, 0, 0), (0, 2, 2), (1, 0, 3), (1, 2, 5)] {
            assert_eq!(toy::GRID.at([low, gain]), 1 + 4 * row);
        }
        assert_eq!(toy::GRID.meaning(0), "low, gain -1");
        assert_eq!(toy::GRID.meaning(5), "high, gain 1");
        assert_eq!([0, 1].map(|row| toy::FLAG.meaning(row)), ["no tak", "tak"]);
    }

    #[test]
    fn small_boards_lack_features_with_capstones() {
        let possible = |term: &Term, width| -> Vec<bool> {
            let size = Size::new(width).unwrap();
            (0..term.rows()).map(|row| term.is_possible(row, size)).collect()
        };
        assert_eq!(possible(&toy::CAP, 4), [false]);
        assert_eq!(possible(&toy::CAP, 5), [true]);
        assert_eq!(possible(&toy::HIGH, 3), [true, false, false].repeat(2));
        assert_eq!(possible(&toy::HIGH, 6), [true; 6]);
        assert_eq!(possible(&toy::GRID, 4), [true; 6]);
    }

    #[test]
    #[cfg(debug_assertions)]
    #[should_panic(expected = "gain of grid")]
    fn a_value_outside_its_axis_panics() {
        let _ = toy::GRID.at([0, 3]);
    }
}
