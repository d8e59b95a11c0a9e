//! Arguments: sizes, komi, openings and limits, and how players are named.

use std::fmt::Display;
use std::time::Duration;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use tak_engine::board::{Color, Komi, OpeningRule, Reserve, Size};
use tak_engine::engine::Limits;
use tak_engine::search::Clock;

use crate::errors::invalid;

/// The width of a board.
#[derive(Clone, Copy)]
pub struct SizeArgument(pub Size);

impl<'py> FromPyObject<'_, 'py> for SizeArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if value.is_instance_of::<PyString>() {
            let reason = "size must be a whole number from 3 to 8, not a text (Game takes a position as tps=...)";
            return Err(PyTypeError::new_err(reason));
        }
        Ok(Self(Size::new(value.extract::<Whole>()?.within("size", 3, 8)?).map_err(invalid)?))
    }
}

/// A whole number from 0 on, or the text of one that is negative or greater than any that is used.
pub struct Whole(pub Result<u64, String>);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Self(unless_wrong_type(value, value.extract())?.ok_or(value.str()?.to_string())))
    }
}

impl Whole {
    /// The number, if it is in this range.
    pub fn within(self, name: &str, least: u64, most: u64) -> PyResult<u64> {
        match self.0 {
            Ok(number) if (least..=most).contains(&number) => Ok(number),
            Ok(number) => Err(out_of_range(name, &number, least, most)),
            Err(number) => Err(out_of_range(name, &number, least, most)),
        }
    }
}

fn out_of_range(name: &str, number: &dyn Display, least: u64, most: u64) -> PyErr {
    invalid(format!("{name} {number} is out of range, expected {least} to {most}"))
}

/// An index; `None` if it is so great that it is of nothing.
#[derive(Clone, Copy)]
pub struct Index(pub Option<i64>);

impl<'py> FromPyObject<'_, 'py> for Index {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        unless_wrong_type(value, value.extract()).map(Self)
    }
}

/// A number, or `None` for one that Rust's type cannot hold.
fn unless_wrong_type<T>(value: Borrowed<'_, '_, PyAny>, found: PyResult<T>) -> PyResult<Option<T>> {
    match found {
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => Ok(None),
        found => found.map(Some),
    }
}

/// Komi in points, a whole or a half number.
pub struct KomiArgument(pub Komi);

impl<'py> FromPyObject<'_, 'py> for KomiArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let points: f64 = value.extract()?;
        points.to_string().parse().map(Self).map_err(invalid)
    }
}

/// The name of an opening rule.
pub struct OpeningArgument(pub OpeningRule);

impl<'py> FromPyObject<'_, 'py> for OpeningArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        value.extract::<&str>()?.parse().map(Self).map_err(invalid)
    }
}

/// The flats and capstones that each player starts with.
pub struct ReserveArgument(pub Reserve);

impl<'py> FromPyObject<'_, 'py> for ReserveArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let (stones, caps): (Whole, Whole) = value.extract()?;
        let fit = |name, count: Whole| Ok::<_, PyErr>(count.within(name, 0, u8::MAX.into())? as u8);
        Ok(Self(Reserve { stones: fit("flats", stones)?, caps: fit("capstones", caps)? }))
    }
}

/// The name of a player.
pub const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// Limits from Python, which has checked them: seconds, positions, plies.
#[derive(FromPyObject, Clone, Copy)]
pub struct LimitArgument {
    time: Option<f64>,
    nodes: Option<u64>,
    depth: Option<u32>,
    white_clock: Option<f64>,
    black_clock: Option<f64>,
    white_inc: Option<f64>,
    black_inc: Option<f64>,
}

impl LimitArgument {
    /// The limits for the player to move. If that player's clock is missing, the opponent's counts, as in TEI.
    pub fn limits(self, turn: Color) -> PyResult<Limits> {
        let (own, other, increment) = match turn {
            Color::White => (self.white_clock, self.black_clock, self.white_inc),
            Color::Black => (self.black_clock, self.white_clock, self.black_inc),
        };
        let seconds = |time: f64| Duration::try_from_secs_f64(time).map_err(invalid);
        let clock = |remaining| {
            let increment = seconds(increment.unwrap_or(0.0))?;
            Ok::<_, PyErr>(Clock { remaining: seconds(remaining)?, increment, moves_to_go: None })
        };
        Ok(Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time.map(seconds).transpose()?,
            clock: own.or(other).map(clock).transpose()?,
        })
    }
}
