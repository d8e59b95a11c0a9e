//! From a score to chances of winning: the one place that says what a centiflat is worth in games. Two things near it are
//! not this: the unit of the weights in `training`, and the advantage from -1 to 1 in comments of PTN (`EngineComment`).

use super::score::Score;
use crate::board::Position;
use crate::eval;

/// Whose games a score is held against. They are equals in either case.
///
/// ```
/// use tak_engine::search::{Players, Score, expected_points};
///
/// let ahead = Score::centiflats(100);
/// assert_eq!(expected_points(ahead, Players::Engines), 690);
/// assert_eq!(expected_points(ahead, Players::People), 622);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Players {
    /// Of any kind, with some thousands of nodes a move or more: what `info` lines and `analyse` tell. With more nodes a
    /// lead is worth a little more.
    Engines,
    /// What moves of games are judged by, and what a board shows.
    People,
}

impl Players {
    /// Centiflats that raise the odds of winning by a factor of e.
    const fn scale(self) -> f64 {
        match self {
            // A flat ahead is 69 to 31, two are 83 to 17. Fitted to games, see docs/training.md. It is less than the unit
            // of the weights, since a search knows more of the result than the evaluation does.
            Self::Engines => 125.0,
            // A flat ahead is 62 to 38: people make less of a lead. Chosen, as no games of people were at hand, so that
            // few quiet moves of a game count as mistakes.
            Self::People => 200.0,
        }
    }
}

/// The odds of a draw when a game begins, from 3x3 to 8x8, as logarithms. Fitted with [`GROWTH`] to games of this engine
/// with itself, see docs/training.md; but 3x3, of which all games were won, has what is nearly none.
const DRAWS_AT_FIRST: [f64; 6] = [-5.0, -0.85, -2.0, -2.5, -3.2, -3.2];
/// What is added to them until the board is full, with the third power of how far the game has come: while there is room a
/// level game is still decided one way or the other, and with the last squares it stays level.
const GROWTH: f64 = 2.3;

/// The chance of a draw between equal players from a level position, in thousandths. With komi of a half point there is
/// none: games that stand still are rare enough to leave out.
#[must_use]
pub fn level_draws<const N: usize>(position: &Position<N>) -> u32 {
    if position.komi().half() % 2 != 0 {
        return 0;
    }
    let progress = f64::from(eval::progress(position)) / 256.0;
    let odds = (DRAWS_AT_FIRST[N - 3] + GROWTH * progress.powi(3)).exp();
    (1000.0 * odds / (1.0 + odds)).round() as u32
}

/// What the player to move can expect to score, in thousandths of a won game, a draw counting half. Only a forced win is
/// worth all of it, and only a forced loss nothing.
#[must_use]
pub fn expected_points(score: Score, players: Players) -> u32 {
    let points = (1000.0 * expected(score, players)).round() as u32;
    if score.is_decisive() { points } else { points.clamp(1, 999) }
}

/// The same from 0 to 1, not rounded.
fn expected(score: Score, players: Players) -> f64 {
    if score.is_win() {
        return 1.0;
    }
    if score.is_loss() {
        return 0.0;
    }
    1.0 / (1.0 + (-f64::from(score.value()) / players.scale()).exp())
}

/// The chances of the player to move to win, draw and lose, in thousandths that add up to exactly 1000. `level_draws` is
/// the chance of a draw were the position level, which is less the more one of the players is ahead; it does not change
/// the [`expected_points`].
#[must_use]
pub fn wdl(score: Score, level_draws: u32, players: Players) -> [u32; 3] {
    let points = expected_points(score, players);
    // The more one player is ahead, the fewer games are drawn. That has been fitted between engines only.
    let expected = expected(score, Players::Engines);
    let share = 4.0 * expected * (1.0 - expected);
    // Half the draws come off either side, so they are an even number.
    let half_draw = (f64::from(level_draws) / 2.0 * share).round() as u32;
    let half_draw = half_draw.min(points).min(1000 - points);
    [points - half_draw, 2 * half_draw, 1000 - points - half_draw]
}

#[cfg(test)]
mod tests {
    use super::Players::{Engines, People};
    use super::*;
    use crate::board::{AnyPosition, with_position};

    fn draws_of(tps: &str, komi: f64) -> u32 {
        let position: AnyPosition = tps.parse().unwrap();
        let mut setup = position.to_setup();
        setup.komi = komi.to_string().parse().unwrap();
        let position = AnyPosition::from_setup(&setup).unwrap();
        with_position!(position, p => level_draws(&p))
    }

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        for draws in [0, 40, 500, 1000] {
            let mut last = 0;
            for value in -Score::MAX_EVALUATION..=Score::MAX_EVALUATION {
                let [win, draw, loss] = wdl(Score::centiflats(value), draws, Engines);
                assert_eq!(win + draw + loss, 1000, "{value} {draws}");
                assert!(win < 1000 && loss < 1000, "nothing is proven: {value} {draws}");
                assert!(2 * win + draw >= last, "{value} {draws}");
                last = 2 * win + draw;
            }
            assert_eq!(wdl(Score::DRAW, draws, Engines), [500 - draws / 2, draws, 500 - draws / 2]);
            assert_eq!(wdl(Score::win_in(7), draws, Engines), [1000, 0, 0]);
            assert_eq!(wdl(Score::loss_in(7), draws, Engines), [0, 0, 1000]);
        }
    }

    #[test]
    fn draws_do_not_change_what_a_score_is_worth() {
        for value in -2000..=2000 {
            let score = Score::centiflats(value);
            for players in [Engines, People] {
                let [win, draw, loss] = wdl(score, 700, players);
                assert_eq!(2 * win + draw, 2 * expected_points(score, players));
                assert_eq!(win + draw + loss, 1000, "{value}");
            }
        }
    }

    #[test]
    fn engines_make_more_of_a_lead_than_people() {
        let of = |value, players| expected_points(Score::centiflats(value), players);
        assert_eq!([-100, 0, 100].map(|value| of(value, Engines)), [310, 500, 690]);
        assert_eq!([-100, 0, 100].map(|value| of(value, People)), [378, 500, 622]);
        assert_eq!(expected_points(Score::win_in(7), People), 1000);
    }

    #[test]
    fn a_swap_of_sides_swaps_the_chances() {
        for value in 0..=2000 {
            let [win, draw, loss] = wdl(Score::centiflats(value), 300, Engines);
            let [other_win, other_draw, other_loss] = wdl(Score::centiflats(-value), 300, Engines);
            assert!(draw.abs_diff(other_draw) <= 2, "{value}");
            assert!(win.abs_diff(other_loss) <= 2 && loss.abs_diff(other_win) <= 2, "{value}");
        }
    }

    #[test]
    fn draws_come_with_a_full_board_and_not_with_half_points() {
        let (empty, nearly_full) = ("x4/x4/x4/x4 1 1", "1,2,1,2/2,1,2,1/1,2,1,2/2,1,2,x 1 8");
        assert!(draws_of(empty, 0.0) < draws_of(nearly_full, 0.0));
        assert!(draws_of("x6/x6/x6/x6/x6/x6 1 1", 2.0) < draws_of(empty, 2.0));
        for komi in [0.5, -0.5, 2.5] {
            assert_eq!(draws_of(nearly_full, komi), 0);
        }
    }
}
