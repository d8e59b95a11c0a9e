//! From scores to chances.

use super::{Score, Solved};

/// The score, in centiflats, at which the odds are e to 1 (a winning chance of 73 %).
const SCALE: f64 = 200.0;
/// Draws in thousandths at equal chances. Tak is drawn only when flats are equal at the end, or by repetition.
const DRAWS: f64 = 30.0;

/// Wins, draws and losses of the player to move in a thousand games; the three add up to 1000.
#[must_use]
pub fn wdl(score: Score) -> [u32; 3] {
    match score.solved() {
        Some(Solved::Win(_)) => return [1000, 0, 0],
        Some(Solved::Loss(_)) => return [0, 0, 1000],
        Some(Solved::Draw(_)) => return [0, 1000, 0],
        None => {}
    }
    let chance = 1.0 / (1.0 + (-f64::from(score.value()) / SCALE).exp());
    // Draws are likeliest where the chances are even.
    let draws = DRAWS * 4.0 * chance * (1.0 - chance);
    let win = (1000.0 * chance - draws / 2.0).round().clamp(0.0, 1000.0) as u32;
    let draw = (draws.round() as u32).min(1000 - win);
    [win, draw, 1000 - win - draw]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_add_up_and_grow_with_the_score() {
        let mut last = 0;
        for cp in (-5000..=5000).step_by(7) {
            let [win, draw, loss] = wdl(Score::centiflats(cp));
            assert_eq!(win + draw + loss, 1000);
            assert!(win >= last, "{cp}");
            last = win;
            // The other player sees the mirror image, but for rounding.
            let [other_win, _, other_loss] = wdl(Score::centiflats(-cp));
            assert!(win.abs_diff(other_loss) <= 1 && loss.abs_diff(other_win) <= 1);
        }
        assert_eq!(wdl(Score::win_in(3)), [1000, 0, 0]);
        assert_eq!(wdl(Score::loss_in(3)), [0, 0, 1000]);
        assert_eq!(wdl(Score::DRAW), [485, 30, 485]);
    }
}
