//! Colours. White's pieces are always lighter than the board and Black's darker, and each has an edge of the other
//! kind; the colours of moves are those of Okabe and Ito, which colour-blind people can distinguish, and no mark
//! differs from another by its colour alone.

use std::fmt::Write as _;

/// The colours of a picture.
///
/// ```
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::draw::{Diagram, Theme};
///
/// let game = Game::new(AnyPosition::start(Size::new(5)?, Komi::ZERO));
/// let [light, dark, print] = Theme::ALL.map(|theme| Diagram::of(&game).svg(theme, 400));
/// assert!(light != dark && dark != print);
/// # Ok::<(), tak_engine::board::SizeError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// For light pages.
    #[default]
    Light,
    /// For dark pages.
    Dark,
    /// Black and white only, with some light grey.
    Print,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Light, Self::Dark, Self::Print];

    /// The style sheet of a picture.
    pub(super) fn rules(self) -> String {
        match self {
            Self::Light => LIGHT.rules(),
            Self::Dark => DARK.rules(),
            Self::Print => PRINT.rules(),
        }
    }
}

/// The style sheet of a page with diagrams in it: light or dark as the reader's system is, black and white on paper.
#[cfg(feature = "cli")]
pub fn page_style() -> String {
    format!(
        "{}@media (prefers-color-scheme: dark) {{\n{}}}\n@media print {{\n{}}}\n.tak .paper{{fill:none}}\n",
        LIGHT.rules(),
        DARK.rules(),
        PRINT.rules()
    )
}

/// The colours of one player's pieces: the front, the upper side, and the line around both.
struct Stone {
    side: &'static str,
    face: &'static str,
    edge: &'static str,
}

struct Palette {
    paper: &'static str,
    /// Texts.
    ink: &'static str,
    /// Coordinates.
    soft: &'static str,
    /// The two kinds of squares.
    squares: [&'static str; 2],
    /// Around the board.
    frame: &'static str,
    white: Stone,
    black: Stone,
    /// The squares of the last move, and the line around them and its arrow.
    last: [&'static str; 2],
    /// The squares of a road, and the line along it.
    road: [&'static str; 2],
    /// Moves that might be played.
    moves: [&'static str; 6],
    /// Around arrows, and the texts in their discs.
    casing: &'static str,
}

const LIGHT: Palette = Palette {
    paper: "#fdfdfb",
    ink: "#22282c",
    soft: "#66717a",
    squares: ["#dde3e6", "#cbd4d9"],
    frame: "#8d9aa3",
    white: Stone { side: "#d9dbd6", face: "#ffffff", edge: "#3a444b" },
    black: Stone { side: "#1d2327", face: "#414c54", edge: "#d5dce0" },
    last: ["#f2dc94", "#8a6400"],
    road: ["#9fdcc3", "#00684a"],
    moves: ["#0060a0", "#c04c00", "#007a58", "#a8477f", "#8a6d00", "#2f6f94"],
    casing: "#ffffff",
};

const DARK: Palette = Palette {
    paper: "#16181b",
    ink: "#e4e4e0",
    soft: "#9aa4ab",
    squares: ["#4c565d", "#424b52"],
    frame: "#6d7a83",
    white: Stone { side: "#b9bfc1", face: "#f0f2f1", edge: "#23292d" },
    black: Stone { side: "#0b0d0f", face: "#1d2226", edge: "#8e9ba4" },
    last: ["#75622a", "#e6c65c"],
    road: ["#2e6b55", "#6fe0b5"],
    moves: ["#63bdf0", "#ff9d5c", "#3fcf9f", "#ee9fcb", "#e8c94a", "#b5c7ff"],
    casing: "#101214",
};

const PRINT: Palette = Palette {
    paper: "#ffffff",
    ink: "#000000",
    soft: "#000000",
    squares: ["#ffffff", "#f0f0f0"],
    frame: "#000000",
    white: Stone { side: "#ffffff", face: "#ffffff", edge: "#000000" },
    black: Stone { side: "#000000", face: "#1a1a1a", edge: "#ffffff" },
    last: ["#d4d4d4", "#555555"],
    road: ["#d4d4d4", "#000000"],
    moves: ["#000000", "#000000", "#000000", "#000000", "#000000", "#000000"],
    casing: "#ffffff",
};

/// The dashes in the lines of moves, which distinguish them without colours as well.
const DASHES: [&str; 6] = ["none", "16 7", "5 6", "16 6 5 6", "26 7", "9 9"];

impl Palette {
    fn rules(&self) -> String {
        let Self {
            paper,
            ink,
            soft,
            squares: [light, dark],
            frame,
            white,
            black,
            last: [last, last_line],
            road: [road, road_line],
            moves,
            casing,
        } = self;
        let mut rules = format!(
            "\
.tak .text path{{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}}
.tak .ink{{stroke:{ink}}}
.tak .soft{{stroke:{soft}}}
.tak .count{{stroke:{ink}}}
.tak .paper{{fill:{paper}}}
.tak .light{{fill:{light}}}
.tak .dark{{fill:{dark}}}
.tak .frame{{fill:none;stroke:{frame};stroke-width:2}}
.tak .white{{fill:{white_side};stroke:{white_edge};stroke-width:2}}
.tak .black{{fill:{black_side};stroke:{black_edge};stroke-width:2}}
.tak .white .face{{fill:{white_face}}}
.tak .black .face{{fill:{black_face}}}
.tak .on-white{{stroke:{white_edge}}}
.tak .on-black{{stroke:{black_edge}}}
.tak .ring{{fill:none}}
.tak .last{{fill:{last};stroke:{last_line};stroke-width:2}}
.tak .from{{stroke-dasharray:8 6}}
.tak .road{{fill:{road}}}
.tak .casing{{fill:none;stroke:{casing};stroke-width:15;stroke-linecap:round;stroke-linejoin:round}}
.tak .road-line{{fill:none;stroke:{road_line};stroke-width:7;stroke-linecap:round;stroke-linejoin:round}}
.tak .turn{{fill:{ink}}}
.tak .last-move{{fill:{last_line};stroke:{last_line}}}
.tak .line{{fill:none;stroke-width:8}}
.tak .head{{stroke:{casing};stroke-width:3;stroke-linejoin:round}}
.tak .disc{{stroke:{casing};stroke-width:3}}
.tak .on-move{{stroke:{casing}}}
.tak .on-move path{{stroke-width:1.8}}
.tak .pale{{opacity:.7}}
.tak .move>.ring{{stroke-width:5;fill:none}}
",
            white_side = white.side,
            white_face = white.face,
            white_edge = white.edge,
            black_side = black.side,
            black_face = black.face,
            black_edge = black.edge,
        );
        for (index, (color, dashes)) in moves.iter().zip(DASHES).enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                rules,
                ".tak .m{index}{{fill:{color};stroke:{color}}}\n\
                 .tak .m{index} .line,.tak .m{index}>.ring{{stroke-dasharray:{dashes}}}"
            );
        }
        rules
    }
}
