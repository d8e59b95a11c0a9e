//! Board diagrams as SVG: a position, the last move, and moves that might be played.
//!
//! Nothing here thinks: a diagram is made of a [`Game`] and the moves to be drawn on its position. All sizes are in units
//! of the picture, a hundred to a square, with the board's upper left corner at the origin. A picture has no text that a font would
//! be needed for, so it looks the same everywhere.

mod arrows;
mod glyphs;
mod layout;
mod panel;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod road;
mod themes;
mod words;

use maud::{Markup, PreEscaped, html};

use crate::board::{Game, IllegalMove, Move};
use layout::Layout;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use themes::Theme;
#[cfg(feature = "cli")]
pub(crate) use themes::page_style;

/// A diagram of the position that a game has come to.
///
/// Every piece is an element of the class `piece` with its kind (`flat`, `wall`, `cap`) and colour (`white`, `black`) as
/// further classes, and `data-square` and `data-level` (1 for the lowest piece of a stack). As many pieces as may be
/// carried are drawn as a pile; those below them as a strip beside it, with the height of the whole stack as a number.
///
/// ```
/// use tak_engine::board::Game;
/// use tak_engine::draw::{Diagram, Theme};
///
/// let game = Game::new("x3/1,1,x/2,2,x 1 3".parse()?);
/// let diagram = Diagram::of(&game).with_moves(&["c2".parse()?, "c1".parse()?])?;
/// let svg = diagram.svg(Theme::Light, 480);
/// assert!(svg.starts_with("<svg"));
/// assert_eq!(svg.matches("data-square").count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Diagram<'a> {
    game: &'a Game,
    moves: Vec<Move>,
}

/// Why moves cannot be drawn.
///
/// ```
/// use tak_engine::board::Game;
/// use tak_engine::draw::Diagram;
///
/// let game = Game::new("x3/1,1,x/2,2,x 1 3".parse()?);
/// let error = Diagram::of(&game).with_moves(&["a1".parse()?]).unwrap_err();
/// assert_eq!(error.to_string(), "a1 cannot be played here: square a1 is not empty");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MovesError {
    /// A move that is illegal in the position.
    #[error("{mv} cannot be played here: {reason}")]
    Illegal {
        /// The move.
        mv: Move,
        /// Why not.
        #[source]
        reason: IllegalMove,
    },
    /// More moves than there are colours for.
    #[error("{0} moves are too many for one diagram, expected at most {most}", most = Diagram::MOST_MOVES)]
    TooMany(usize),
}

impl<'a> Diagram<'a> {
    /// The most moves that one diagram can tell apart.
    pub const MOST_MOVES: usize = 6;

    /// The position that `game` has come to, its last move marked.
    #[must_use]
    pub fn of(game: &'a Game) -> Self {
        Self { game, moves: Vec::new() }
    }

    /// Draws `moves` of the player to move: spreads as arrows with their drops, placements as pale pieces. Two or more
    /// are lettered in their order, `A` first.
    ///
    /// # Errors
    /// When one of them is illegal, or when they are more than [`Diagram::MOST_MOVES`].
    pub fn with_moves(self, moves: &[Move]) -> Result<Self, MovesError> {
        if moves.len() > Self::MOST_MOVES {
            return Err(MovesError::TooMany(moves.len()));
        }
        for &mv in moves {
            let legal = self.game.position().check_legal(mv);
            legal.map_err(|reason| MovesError::Illegal { mv, reason })?;
        }
        Ok(Self { moves: moves.to_vec(), ..self })
    }

    /// A file of its own, `width` pixels wide unless it is scaled.
    #[must_use]
    pub fn svg(&self, theme: Theme, width: u32) -> String {
        let layout = self.layout();
        let height = f64::from(width) * layout.height() / layout.width();
        let style = html! { style { (PreEscaped(theme.rules())) } };
        let size = Some((width, height.round()));
        self.picture(&layout, size, &style).into_string() + "\n"
    }

    /// A part of a page that has [`page_style`]; it is as wide as its place.
    #[cfg(feature = "cli")]
    pub(crate) fn inline(&self) -> Markup {
        self.picture(&self.layout(), None, &Markup::default())
    }

    fn layout(&self) -> Layout {
        Layout::new(self.game.position().size(), &self.legend())
    }

    fn picture(&self, layout: &Layout, size: Option<(u32, f64)>, style: &Markup) -> Markup {
        let position = self.game.position();
        html! {
            svg.tak xmlns="http://www.w3.org/2000/svg" viewBox=(layout.view_box()) role="img"
                width=[size.map(|size| size.0)] height=[size.map(|size| size.1)] {
                title { (words::title(position)) }
                desc { (words::description(self.game, &self.moves)) }
                (style)
                (panel::paper(layout))
                (panel::board(layout))
                (self.marks(layout))
                @for square in layout.squares() { (pieces::stack(layout, position, square)) }
                (self.road(layout))
                (self.arrows(layout))
                (panel::header(layout, position))
                (panel::legend(layout, &self.legend()))
            }
        }
    }
}
