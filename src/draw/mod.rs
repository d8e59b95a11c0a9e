//! Board diagrams as SVG: a position, the last move, and candidate moves.
//!
//! Nothing here searches: a diagram is made of a [`Game`](crate::board::Game) and the moves to be drawn on its position.
//! All sizes are in units of the picture, a hundred to a square, with the board's upper left corner at the origin. A
//! picture has no text that a font would be needed for, so it looks the same everywhere.

mod arrows;
mod diagram;
mod glyphs;
mod layout;
mod panel;
mod pieces;
#[cfg(feature = "png")]
mod png;
mod road;
mod shapes;
mod terminal;
mod themes;
mod words;

use maud::{Markup, PreEscaped, html};

pub use diagram::{Diagram, MovesError};
use layout::Layout;
#[cfg(feature = "png")]
pub use png::{PngError, png};
pub use terminal::{BoardStyle, TerminalBoard};
pub use themes::Theme;
pub(crate) use themes::page_style;

impl Diagram<'_> {
    /// A complete SVG file, `width` pixels wide unless it is scaled.
    pub fn svg(&self, theme: Theme, width: u32) -> String {
        let layout = self.layout();
        let height = f64::from(width) * layout.height() / layout.width();
        let scope = theme.scope();
        let style = html! { style { (PreEscaped(theme.rules(&scope))) } };
        let size = Some((width, height.round() as u32));
        self.picture(&layout, &format!("tak {scope}"), size, &style).into_string() + "\n"
    }

    /// A part of a page that has [`page_style`]; it fills the width of its place.
    pub(crate) fn inline(&self) -> Markup {
        self.picture(&self.layout(), "tak", None, &Markup::default())
    }

    fn layout(&self) -> Layout {
        Layout::new(self.game.position().size(), &self.drawn(), self.is_flipped)
    }

    fn picture(&self, layout: &Layout, class: &str, size: Option<(u32, u32)>, style: &Markup) -> Markup {
        let position = self.game.position();
        html! {
            svg class=(class) xmlns="http://www.w3.org/2000/svg" viewBox=(layout.view_box()) role="img"
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
                (panel::legend(layout, &self.drawn()))
            }
        }
    }
}
