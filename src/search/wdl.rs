//! From a score to chances of winning: the one place that says what a centiflat is worth in games.

use super::score::Score;

/// Centiflats that raise the odds of winning by a factor of e: two flats ahead is about 73 to 27. Evaluation weights
/// are tuned to this scale.
pub const CHANCE_SCALE: f64 = 200.0;
/// Draws in thousandths between equal players. Tak has few; with komi of a half point there are none by the flat count.
const DRAWS: f64 = 40.0;

/// The chances of the player to move to win, draw and lose, in thousandths that add up to exactly 1000.
#[must_use]
pub fn wdl(score: Score) -> [u32; 3] {
    if score.is_win() {
        return [1000, 0, 0];
    }
    if score.is_loss() {
        return [0, 0, 1000];
    }
    let expected = 1.0 / (1.0 + (-f64::from(score.value()) / CHANCE_SCALE).exp());
    // Half the draws come off either side, so they are an even number.
    let half_draw = (DRAWS * 2.0 * expected * (1.0 - expected)).round() as u32;
    let win = ((1000.0 * expected).round() as u32).saturating_sub(half_draw);
    [win, 2 * half_draw, 1000 - 2 * half_draw - win]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut last = 0;
        for value in -Score::MAX_EVALUATION..=Score::MAX_EVALUATION {
            let [win, draw, loss] = wdl(Score::centiflats(value));
            assert_eq!(win + draw + loss, 1000, "{value}");
            assert!(2 * win + draw >= last, "{value}");
            last = 2 * win + draw;
        }
        assert_eq!(wdl(Score::DRAW), [480, 40, 480]);
        assert_eq!(wdl(Score::win_in(7)), [1000, 0, 0]);
        assert_eq!(wdl(Score::loss_in(7)), [0, 0, 1000]);
    }

    #[test]
    fn a_swap_of_sides_swaps_the_chances() {
        for value in 0..=2000 {
            let [win, draw, loss] = wdl(Score::centiflats(value));
            let [other_win, other_draw, other_loss] = wdl(Score::centiflats(-value));
            assert_eq!(draw, other_draw, "{value}");
            assert!(
                win.abs_diff(other_loss) <= 1 && loss.abs_diff(other_win) <= 1,
                "{value}"
            );
        }
    }
}
