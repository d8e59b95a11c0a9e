//! What evaluation and move order both need to know about roads, computed once for a position.

use super::{Halos, Position, Routes};

/// The roads in reach of the player to move and of the other one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ways {
    pub halos: [Halos; 2],
    pub routes: Routes,
}

impl<const N: usize> Position<N> {
    /// The ways of both players.
    pub(crate) fn ways(&self) -> Ways {
        self.ways_in(self.halos_of_both())
    }

    /// The same by the halos of the player to move and of the other one.
    #[inline]
    pub(crate) fn ways_in(&self, halos: [Halos; 2]) -> Ways {
        Ways { halos, routes: self.routes(self.to_move()) }
    }
}
