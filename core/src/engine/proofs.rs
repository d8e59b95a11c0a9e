//! Proven results of root moves, from one search of a position to the next: the table may lose them.

use crate::board::Game;
use crate::search::Line;

/// The proven lines of the last search.
#[derive(Debug, Default)]
pub(super) struct Proofs {
    /// The game that was searched, and the number of occurrences at which a position is a draw.
    about: Option<(Game, u32)>,
    lines: Vec<Line>,
}

impl Proofs {
    /// Notes the proven ones of `lines`.
    pub fn of(game: &Game, repetitions: u32, lines: &[Line]) -> Self {
        let proven = lines.iter().filter(|line| line.solved.is_some());
        Self { about: Some((game.clone(), repetitions)), lines: proven.cloned().collect() }
    }

    /// The proven lines of `game`: none if another position was searched, or one with another history.
    pub fn take(&mut self, game: &Game, repetitions: u32) -> Vec<Line> {
        let is_same = self.about.as_ref().is_some_and(|(other, limit)| {
            *limit == repetitions && other.position() == game.position() && other.history() == game.history()
        });
        let lines = std::mem::take(&mut self.lines);
        if is_same { lines } else { Vec::new() }
    }
}
