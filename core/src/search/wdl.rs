//! Win probabilities of scores. Not to be confused with the unit of the weights in `training` or the advantage from -1
//! to 1 in PTN comments (`EngineComment`).

use super::score::Score;
use crate::board::Position;
use crate::eval;

/// The players for whom win probabilities are computed; both of equal strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Players {
    /// Engines with some thousands of nodes per move or more: for `info` lines and `analyse`.
    Engines,
    /// Human players: for annotated games and boards.
    People,
}

impl Players {
    /// Centiflats that raise the odds of winning by a factor of e.
    const fn scale(self) -> f64 {
        match self {
            // A score of 100 is 69 : 31, one of 200 is 83 : 17. Fitted to games, see docs/training.md. Smaller than the unit
            // of the weights, since a search predicts the result better than the evaluation.
            Self::Engines => 125.0,
            // A score of 100 is 62 : 38 for human players. Set by hand, since too few human games were available, so
            // that few quiet moves count as mistakes.
            Self::People => 200.0,
        }
    }
}

/// Log odds of a draw at the start of a game, from 3x3 to 8x8. Fitted with [`DRAW_GROWTH`] to self-play games, on 4x4 to 6x6
/// the mean of the fits at 3,000 and 50,000 nodes a move, see docs/training.md; 3x3, without any drawn game, is set to
/// nearly none.
const START_DRAW_LOG_ODDS: [f64; 6] = [-5.0, 0.0, -1.7, -2.2, -3.2, -3.2];
/// Growth of the log odds until the board is full, times the third power of the progress of the game: most level games
/// are still decided until the last squares.
const DRAW_GROWTH: f64 = 2.3;

/// The draw probability of an equal position between equal players, in thousandths. 0 with a half-point komi, since
/// draws by repetition are rare.
pub fn level_draws<const N: usize>(position: &Position<N>) -> u32 {
    if position.komi().half() % 2 != 0 {
        return 0;
    }
    let progress = f64::from(eval::progress(position)) / 256.0;
    let odds = (START_DRAW_LOG_ODDS[N - 3] + DRAW_GROWTH * progress.powi(3)).exp();
    (1000.0 * odds / (1.0 + odds)).round() as u32
}

/// The expected points of the player to move, in thousandths of a won game; a draw counts half. Only a forced win is
/// 1000 and only a forced loss 0.
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

/// Win, draw and loss probabilities for the player to move, in thousandths with the sum 1000. `level_draws` is the draw
/// probability of an equal position; it falls with the lead and does not change the [`expected_points`].
pub fn wdl(score: Score, level_draws: u32, players: Players) -> [u32; 3] {
    let points = expected_points(score, players);
    // A larger lead means fewer draws. Fitted to games between engines only.
    let expected = expected(score, Players::Engines);
    let share = 4.0 * expected * (1.0 - expected);
    // Half of the draws is subtracted from each side, so their number is even.
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
    fn probabilities_add_up_and_grow_with_the_score() {
        for draws in [0, 40, 500, 1000] {
            let mut last = 0;
            for value in -Score::MAX_EVALUATION..=Score::MAX_EVALUATION {
                let [win, draw, loss] = wdl(Score::centiflats(value), draws, Engines);
                assert_eq!(win + draw + loss, 1000, "{value} {draws}");
                assert!(win < 1000 && loss < 1000, "nothing is proven: {value} {draws}");
                assert!(2 * win + draw >= last, "{value} {draws}");
                if value.abs() <= 2000 {
                    let expected = expected_points(Score::centiflats(value), Engines);
                    assert_eq!(2 * win + draw, 2 * expected, "draws do not change points: {value} {draws}");
                    let [other_win, _, other_loss] = wdl(Score::centiflats(-value), draws, Engines);
                    assert!(win.abs_diff(other_loss) <= 2 && loss.abs_diff(other_win) <= 2, "{value} {draws}");
                }
                last = 2 * win + draw;
            }
            assert_eq!(wdl(Score::DRAW, draws, Engines), [500 - draws / 2, draws, 500 - draws / 2]);
            assert_eq!(wdl(Score::win_in(7), draws, Engines), [1000, 0, 0]);
            assert_eq!(wdl(Score::loss_in(7), draws, Engines), [0, 0, 1000]);
        }
    }

    #[test]
    fn a_lead_is_worth_more_between_engines() {
        let of = |value, players| expected_points(Score::centiflats(value), players);
        assert_eq!([-100, 0, 100].map(|value| of(value, Engines)), [310, 500, 690]);
        assert_eq!([-100, 0, 100].map(|value| of(value, People)), [378, 500, 622]);
        assert_eq!(expected_points(Score::win_in(7), People), 1000);
    }

    #[test]
    fn full_boards_draw_more_and_half_points_never() {
        let (empty, nearly_full) = ("x4/x4/x4/x4 1 1", "1,2,1,2/2,1,2,1/1,2,1,2/2,1,2,x 1 8");
        assert!(draws_of(empty, 0.0) < draws_of(nearly_full, 0.0));
        assert!(draws_of("x6/x6/x6/x6/x6/x6 1 1", 2.0) < draws_of(empty, 2.0));
        for komi in [0.5, -0.5, 2.5] {
            assert_eq!(draws_of(nearly_full, komi), 0);
        }
    }
}
