//! Perft: counts move sequences, to test the rules and their speed.

use super::{Move, Position};

impl<const N: usize> Position<N> {
    /// The number of move sequences of exactly `depth` plies.
    ///
    /// A game that ends earlier is not counted; some programs count it as one. The moves of the last ply are counted
    /// without playing them.
    pub fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome().is_some() {
            return 0;
        }
        let mut buffers = vec![Vec::new(); depth as usize];
        self.perft_open(depth, &mut buffers)
    }

    /// [`Position::perft`] for each legal move.
    pub fn perft_divide(&mut self, depth: u32) -> Vec<(Move, u64)> {
        let moves = if depth > 0 { self.legal_moves() } else { Vec::new() };
        let count = |mv: Move| {
            let undo = self.play_unchecked(mv);
            let total = self.perft(depth - 1);
            self.unplay(mv, undo);
            (mv, total)
        };
        moves.into_iter().map(count).collect()
    }

    /// The game must not be over and `depth` be at least 1; `buffers` holds a list per ply.
    fn perft_open(&mut self, depth: u32, buffers: &mut [Vec<Move>]) -> u64 {
        let Some((moves, deeper)) = buffers.split_first_mut().filter(|_| depth > 1) else {
            return self.count_moves();
        };
        moves.clear();
        self.generate_moves(moves);
        let mut total = 0;
        for &mv in &*moves {
            let undo = self.play_unchecked(mv);
            if self.outcome().is_none() {
                total += self.perft_open(depth - 1, deeper);
            }
            self.unplay(mv, undo);
        }
        total
    }
}
