//! The places of things in a picture.

use super::diagram::Drawn;
use super::glyphs;
use super::shapes::Point;
use crate::board::{Direction, Size, Square};

/// Side of a square.
pub const SQUARE: f64 = 100.0;
/// Left and right of the board.
const MARGIN: f64 = 38.0;
/// Above the board: flats and reserves.
pub const HEADER: f64 = 66.0;
/// Below the board: the letters of the columns.
const FOOTER: f64 = 36.0;
/// A row of the legend.
const ROW: f64 = 34.0;
/// Height of capital letters in the legend.
pub const LEGEND_TEXT: f64 = 15.0;
/// Between the entries of the legend.
const GAP: f64 = 26.0;
/// From the start of an entry to its text.
pub const SWATCH: f64 = 34.0;

/// The upper left corner of a picture.
pub const ORIGIN: Point = Point { x: -MARGIN, y: -HEADER };

/// The measures of one picture.
#[derive(Debug)]
pub struct Layout {
    size: Size,
    /// The start of each entry of the legend.
    legend: Vec<Point>,
    rows: usize,
    /// Black's side of the board is below.
    is_flipped: bool,
}

impl Layout {
    /// The layout of a board of this size with a legend below it.
    pub fn new(size: Size, legend: &[Drawn], is_flipped: bool) -> Self {
        let board = size.width() as f64 * SQUARE;
        let (mut x, mut rows) = (0.0, usize::from(!legend.is_empty()));
        let mut starts = Vec::new();
        for drawn in legend {
            let width = SWATCH + glyphs::width(&drawn.mv.to_string(), LEGEND_TEXT);
            if x > 0.0 && x + width > board {
                x = 0.0;
                rows += 1;
            }
            let y = board + FOOTER + ROW * (rows as f64 - 0.5);
            starts.push(Point { x, y });
            x += width + GAP;
        }
        Self { size, legend: starts, rows, is_flipped }
    }

    /// Side of the board.
    pub fn board(&self) -> f64 {
        self.size.width() as f64 * SQUARE
    }

    /// Squares on a side of the board, which is also the carry limit.
    pub fn side(&self) -> usize {
        self.size.width()
    }

    /// Width of the picture.
    pub fn width(&self) -> f64 {
        self.board() + 2.0 * MARGIN
    }

    /// Height of the picture.
    pub fn height(&self) -> f64 {
        HEADER + self.board() + FOOTER + ROW * self.rows as f64
    }

    /// The `viewBox` of the picture.
    pub fn view_box(&self) -> String {
        format!("{ORIGIN} {}", Point { x: self.width(), y: self.height() })
    }

    /// All squares, those further away first, since pieces in front may overlap them.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        let (side, is_flipped) = (self.side(), self.is_flipped);
        let places = (0..side).flat_map(move |down| (0..side).map(move |right| (right, side - 1 - down)));
        places.map(move |(right, up)| turned(is_flipped, side, right, up))
    }

    /// The upper left corner of a square.
    pub fn corner(&self, square: Square) -> Point {
        let place = turned(self.is_flipped, self.side(), square.column(), square.row());
        Point { x: place.column() as f64 * SQUARE, y: (self.side() - 1 - place.row()) as f64 * SQUARE }
    }

    /// The direction in the picture of one on the board.
    pub fn direction(&self, direction: Direction) -> Direction {
        match direction {
            direction if !self.is_flipped => direction,
            Direction::North => Direction::South,
            Direction::South => Direction::North,
            Direction::East => Direction::West,
            Direction::West => Direction::East,
        }
    }

    /// The middle of a square.
    pub fn centre(&self, square: Square) -> Point {
        self.corner(square).moved(SQUARE / 2.0, SQUARE / 2.0)
    }

    /// The start of each entry of the legend, at half its height.
    pub fn legend(&self) -> &[Point] {
        &self.legend
    }
}

/// The square in the place of another one if the board is turned by half a turn.
fn turned(is_flipped: bool, side: usize, column: usize, row: usize) -> Square {
    if is_flipped { Square::new(side - 1 - column, side - 1 - row) } else { Square::new(column, row) }
}
