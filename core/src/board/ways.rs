//! The roads in reach, computed once for a position: evaluation and move order both need them.

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
        self.ways_in([None; 2])
    }

    /// The same with the halos that are known of the player to move and of the other one.
    pub(crate) fn ways_in(&self, known: [Option<Halos>; 2]) -> Ways {
        let mover = self.to_move();
        let [own, enemy] = known;
        let halos = [own.unwrap_or_else(|| self.halos(mover)), enemy.unwrap_or_else(|| self.halos(!mover))];
        Ways { halos, routes: self.routes(mover) }
    }
}
