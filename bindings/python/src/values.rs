//! Arguments: sizes, komi and openings, and how players are named.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use tak_engine::board::{Color, Komi, OpeningRule, Reserve, Size};

use crate::errors::invalid;

/// The width of a board.
#[derive(Clone, Copy)]
pub struct SizeArgument(pub Size);

impl<'py> FromPyObject<'_, 'py> for SizeArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<u64>() {
            Ok(width) => Size::new(width).map(Self).map_err(invalid),
            Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => Err(error),
            Err(_) => Err(invalid(format!("size {} is out of range, expected 3 to 8", value.str()?))),
        }
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
        let (stones, caps): (i64, i64) = value.extract()?;
        let fit =
            |count: i64| u8::try_from(count).map_err(|_| invalid(format!("a reserve of {count} is out of range")));
        Ok(Self(Reserve { stones: fit(stones)?, caps: fit(caps)? }))
    }
}

/// The name of a player.
pub const fn color(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}
