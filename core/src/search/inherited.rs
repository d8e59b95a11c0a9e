//! What a node knows about roads from its parent, by the rules: most moves are placements, which leave one player's road
//! pieces as they are and open no way for a spread.
//!
//! The parent has found no move that completes a road at once, else it would have ended there. It changes the time of a
//! search, never its result.

use super::evasions::Evasions;
use crate::board::{Halos, Move, MoveKind, PieceKind, Position};

/// Facts about a position in which the player to move completes no road with the next move.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoadFacts {
    /// The halos of the player to move, and of the other one.
    pub own: Option<Halos>,
    pub enemy: Option<Halos>,
    /// The other player threatens to complete a road.
    pub in_tak: bool,
}

/// What is known about a position before it is looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Inherited {
    pub own: Option<Halos>,
    pub enemy: Option<Halos>,
    /// No move of the player to move completes a road.
    pub cannot_win: bool,
    /// The other player threatens no road.
    pub not_in_tak: bool,
}

impl RoadFacts {
    /// Facts about the position after `mv`, or after a pass. Not for a turn that places a piece of the opponent's.
    #[inline]
    pub fn after(&self, mv: Option<Move>) -> Inherited {
        let cannot_win = !self.in_tak;
        match mv.map(|mv| (mv.square(), mv.kind())) {
            None => Inherited { own: self.enemy, enemy: self.own, cannot_win, not_in_tak: true },
            // A wall is not a road piece, and stands where every spread could go before.
            Some((_, MoveKind::Place(PieceKind::Wall))) => {
                Inherited { own: self.enemy, enemy: self.own, cannot_win, not_in_tak: true }
            }
            // The opponent's road pieces stay, and no spread goes farther over a piece than over an empty square. The
            // own piece joins no edge unless it is in a halo.
            Some((square, MoveKind::Place(_))) => {
                let enemy = self.own.filter(|halos| !halos.any().contains(square));
                Inherited { own: self.enemy, enemy, cannot_win, not_in_tak: false }
            }
            Some((_, MoveKind::Spread(..))) => Inherited::default(),
        }
    }
}

impl Inherited {
    /// A move that wins at once, see [`Position::win_in_one`].
    #[inline]
    pub fn win_in_one<const N: usize>(&mut self, position: &Position<N>) -> Option<Move> {
        if self.cannot_win { position.winning_end() } else { position.win_in_one_in(self.own_halos(position)) }
    }

    /// The evasions, `None` if no road is threatened.
    #[inline]
    pub fn evasions<const N: usize>(&mut self, position: &Position<N>, any_spread: bool) -> Option<Evasions> {
        Evasions::coarse(position, !position.to_move(), self.enemy_halos(position), any_spread)
    }

    /// The halos of both players.
    #[inline]
    pub fn halos<const N: usize>(&mut self, position: &Position<N>) -> [Halos; 2] {
        [self.own_halos(position), self.enemy_halos(position)]
    }

    #[inline]
    fn own_halos<const N: usize>(&mut self, position: &Position<N>) -> Halos {
        *self.own.get_or_insert_with(|| position.halos(position.to_move()))
    }

    #[inline]
    fn enemy_halos<const N: usize>(&mut self, position: &Position<N>) -> Halos {
        *self.enemy.get_or_insert_with(|| position.halos(!position.to_move()))
    }

    /// The facts for the nodes below, when the position was looked at.
    pub fn facts(&self, in_tak: bool) -> RoadFacts {
        RoadFacts { own: self.own, enemy: self.enemy, in_tak }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::EndReason;
    use crate::for_all_sizes;
    use crate::testing::cases::cases;
    use crate::testing::playout::{STYLES, random_game};

    /// Returns whether a move of the player to move completes an own road, by trying all of them.
    fn wins_by_road<const N: usize>(position: &mut Position<N>) -> bool {
        let mover = position.to_move();
        position.legal_moves().into_iter().any(|mv| {
            let undo = position.play_unchecked(mv);
            let outcome = position.outcome();
            position.unplay(mv, undo);
            outcome.is_some_and(|outcome| outcome.reason == EndReason::Road && outcome.winner == Some(mover))
        })
    }

    /// Compares what the positions after every move and a pass inherit with what they are; returns how often a fact was
    /// known.
    fn check<const N: usize>(position: &mut Position<N>) -> [usize; 4] {
        let mover = position.to_move();
        let mut seen = [0; 4];
        if position.outcome().is_some() || position.is_opening() || position.winning_move(mover).is_some() {
            return seen;
        }
        let in_tak = position.winning_move(!mover).is_some();
        let facts = RoadFacts { own: Some(position.halos(mover)), enemy: Some(position.halos(!mover)), in_tak };
        for mv in position.legal_moves().into_iter().map(Some).chain([None]) {
            let undo = mv.map(|mv| position.play_unchecked(mv));
            if mv.is_none() {
                position.pass_turn();
            }
            let inherited = facts.after(mv);
            if position.outcome().is_none() && (mv.is_some() || !in_tak) {
                let [own, enemy] = [!mover, mover].map(|color| position.halos(color));
                assert!(inherited.own.is_none_or(|halos| halos == own), "{mv:?}: {position}");
                assert!(inherited.enemy.is_none_or(|halos| halos == enemy), "{mv:?}: {position}");
                assert!(!inherited.cannot_win || !wins_by_road(position), "{mv:?}: {position}");
                position.pass_turn();
                assert!(!inherited.not_in_tak || !wins_by_road(position), "{mv:?}: {position}");
                position.pass_turn();
                let known =
                    [inherited.own.is_some(), inherited.enemy.is_some(), inherited.cannot_win, inherited.not_in_tak];
                for (seen, known) in seen.iter_mut().zip(known) {
                    *seen += usize::from(known);
                }
            }
            match mv.zip(undo) {
                Some((mv, undo)) => position.unplay(mv, undo),
                None => position.pass_turn(),
            }
        }
        seen
    }

    fn games<const N: usize>() {
        let mut seen = [0; 4];
        for (style, seed) in STYLES.into_iter().zip(0..) {
            for game in 0..=cases(24) / (N * N) {
                random_game::<N>(seed * 1000 + game as u64, style, 80, |position, _| {
                    for (seen, count) in seen.iter_mut().zip(check(position)) {
                        *seen += count;
                    }
                });
            }
        }
        assert!(seen.into_iter().all(|count| count > 100), "{seen:?}");
    }

    #[test]
    fn what_is_inherited_is_so() {
        for_all_sizes!(games());
    }
}
