//! Opening rules: the first turn of each player.

use std::fmt;

use super::Color;

/// The rule for the first turn of each player. From move 2 on all rules are the same.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Color, Komi, OpeningRule, Position};
///
/// let mut position = Position::<5>::start_with(Komi::ZERO, OpeningRule::DoubleBlack);
/// position.play("c3".parse()?)?;
/// assert_eq!(position.flats(Color::Black).count(), 1);
/// assert_eq!(position.to_string(), "x5/x5/x2,22,x2/x5/x5 2 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum OpeningRule {
    /// Each player places a flat of the opponent's colour: the standard rule.
    #[default]
    Swap,
    /// First turns are like later ones, but only placements: each player places any piece of their own colour.
    NoSwap,
    /// White places a stack of two black flats (one flat if Black starts with only one), then Black places a white
    /// flat.
    DoubleBlack,
}

impl OpeningRule {
    /// All rules, the standard one first.
    pub const ALL: [Self; 3] = [Self::Swap, Self::NoSwap, Self::DoubleBlack];

    /// Returns whether this is the standard rule.
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde asks for a reference
    pub fn is_swap(&self) -> bool {
        *self == Self::Swap
    }

    /// The owner of a piece that `mover` places in the first turn.
    pub(super) fn owner_of_first(self, mover: Color) -> Color {
        match self {
            Self::NoSwap => mover,
            Self::Swap | Self::DoubleBlack => !mover,
        }
    }

    /// The boards that [`OpeningRule::allows_first`] allows, in words.
    pub(super) const fn first(self) -> &'static str {
        match self {
            Self::Swap => "a board with one black flat",
            Self::NoSwap => "a board with one white piece",
            Self::DoubleBlack => "a board with one stack of two black flats",
        }
    }
}

/// `swap`, `no-swap`, `double-black`.
impl fmt::Display for OpeningRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Swap => "swap",
            Self::NoSwap => "no-swap",
            Self::DoubleBlack => "double-black",
        })
    }
}
