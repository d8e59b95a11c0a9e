//! Reduced playing strength: a shallow search with a noisy evaluation (or a static one-ply choice), followed by a
//! softmax choice among the best moves.

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use super::level::Skill;
use super::{Engine, HashError, Level, Stopwatch};
use crate::board::{AnyPosition, Game, Position, fold, with_position};
use crate::eval::evaluate;
use crate::search::{Context, EvalNoise, Histories, Line, Report, Score, SearchLimits, Table, level_draws, search};

/// Size of the table for one move in MiB: far more than a level can fill.
const TABLE_MIB: usize = 1;

impl Engine {
    /// Chooses a move at `level`, on one thread and with a separate table, within `limits` and those of the level. The
    /// result depends only on the position, the move number and the seed, unless time runs out or the search is
    /// stopped.
    ///
    /// The first line of the report is that of the chosen move, with the score at this level; the others follow, best
    /// first, at most all candidates of the level.
    pub(super) fn play_at(
        &self,
        level: Level,
        game: &Game,
        limits: SearchLimits,
        stopwatch: &Stopwatch,
        stop: &AtomicBool,
        observer: &mut dyn FnMut(&Report),
    ) -> Result<Report, HashError> {
        let skill = level.skill();
        let position = game.position();
        let shown = self.settings.multipv.max(1);
        let chance = Chance::new(self.settings.seed, level, position);
        let evaluator = self.settings.weights.evaluator(position.size());
        let noise = EvalNoise {
            seed: fold(self.settings.seed ^ KEYS[0], u64::from(level.number())),
            spread: skill.noise[usize::from(position.size().width() > 5)],
        };
        let mut report = if chance.of_a_hundred() < skill.static_move_percent {
            let mut report = with_position!(position, p => {
                static_move(p, |p| Score::centiflats(evaluate(p, evaluator) + noise.of(p.hash())))
            });
            report.lines.truncate(skill.candidates);
            report.time = stopwatch.elapsed();
            report
        } else {
            let mut table = Table::new(TABLE_MIB).ok_or(HashError(TABLE_MIB))?;
            table.next_search();
            let context = Context {
                table: &table,
                evaluator,
                move_weights: self.settings.weights.ordering(position.size()),
                noise,
                limits: &skill.within(limits).into(),
                stop,
                elapsed: &|| stopwatch.elapsed(),
                repetitions: self.settings.repetitions,
                excluded: None,
                multipv: skill.candidates,
                pool: None,
            };
            let mut forward = |report: &Report| {
                let mut report = report.clone();
                report.lines.truncate(shown);
                observer(&report);
            };
            with_position!(position, p => search(p, game.history(), context, &mut [Histories::default()], &mut forward))
        };
        // Before an iteration is complete only the first line has a score.
        let chosen = match report.depth {
            0 => 0,
            _ => choose(&report.lines, skill.temperature, chance.share()),
        };
        if let Some(lines) = report.lines.get_mut(..=chosen) {
            lines.rotate_right(1);
        }
        report.lines.truncate(shown);
        Ok(report)
    }
}

impl Skill {
    /// The stricter of these limits and those of the level. Time limits end a search early but never extend it.
    fn within(&self, limits: SearchLimits) -> SearchLimits {
        SearchLimits {
            depth: Some(limits.depth.map_or(self.depth, |depth| depth.min(self.depth))),
            nodes: Some(limits.nodes.map_or(self.nodes, |nodes| nodes.min(self.nodes))),
            soft: None,
            ..limits
        }
    }
}

/// Sorts the moves by the static evaluation of the positions after them, best first.
fn static_move<const N: usize>(position: &Position<N>, judge: impl Fn(&Position<N>) -> Score) -> Report {
    let moves = position.legal_moves();
    let mut after = position.clone();
    let line = |mv| {
        let undo = after.play_unchecked(mv);
        let score = -judge(&after);
        after.unplay(mv, undo);
        Line { score, bound: None, solved: None, pv: vec![mv] }
    };
    let mut lines: Vec<Line> = moves.into_iter().map(line).collect();
    lines.sort_by_key(|line| Reverse(line.score));
    Report {
        depth: u32::from(!lines.is_empty()),
        seldepth: u32::from(!lines.is_empty()),
        nodes: lines.len() as u64,
        level_draws: level_draws(position),
        lines,
        ..Report::default()
    }
}

/// Chooses the index of the line to play, from lines sorted by score, by softmax. A win is always played, and a loss
/// only if there is nothing else. `share` is a random number from 0 to 1.
fn choose(lines: &[Line], temperature: i32, share: f64) -> usize {
    let Some(best) = lines.first().filter(|best| !best.score.is_decisive()) else {
        return 0;
    };
    let weight = |line: &Line| {
        let worse = f64::from(line.score.value() - best.score.value());
        (worse / f64::from(temperature)).exp()
    };
    let open = lines.iter().take_while(|line| !line.score.is_loss());
    let weights: Vec<f64> = open.map(weight).collect();
    let mut left = share * weights.iter().sum::<f64>();
    let mut is_passed = |weight: &f64| {
        left -= weight;
        left >= 0.0
    };
    // Guard against rounding past the last line.
    weights.iter().position(|weight| !is_passed(weight)).unwrap_or(weights.len() - 1)
}

/// Random numbers for one move: determined by position, move number, level and seed.
#[derive(Debug, Clone, Copy)]
struct Chance(u64);

/// Distinct keys for different uses of the same numbers.
const KEYS: [u64; 4] = [0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3];

impl Chance {
    fn new(seed: u64, level: Level, position: &AnyPosition) -> Self {
        let game = fold(position.hash() ^ KEYS[1], u64::from(position.ply()) ^ KEYS[2]);
        let player = fold(seed ^ KEYS[3], u64::from(level.number()) ^ KEYS[0]);
        Self(fold(game ^ KEYS[1], player ^ KEYS[2]))
    }

    /// A number below 100.
    fn of_a_hundred(self) -> u64 {
        fold(self.0 ^ KEYS[0], KEYS[1]) % 100
    }

    /// A number from 0 up to, but not including, 1.
    fn share(self) -> f64 {
        (fold(self.0 ^ KEYS[2], KEYS[3]) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Komi;

    fn lines(scores: &[Score]) -> Vec<Line> {
        let line = |&score: &Score| Line { score, bound: None, solved: score.solved(), pv: Vec::new() };
        scores.iter().map(line).collect()
    }

    #[test]
    fn a_static_move_is_reported_with_draws() {
        let position = Position::<4>::start(Komi::default());
        let report = static_move(&position, |_| Score::DRAW);
        assert_eq!(report.level_draws, level_draws(&position));
        assert!(report.wdl(&report.lines[0], crate::search::Players::Engines)[1] > 0);
    }

    #[test]
    fn temperature_sets_how_often_worse_moves_are_chosen() {
        let lines = lines(&[20, 20 - 69, 20 - 69].map(Score::centiflats));
        let shares = (0..1000).map(|number| f64::from(number) / 1000.0);
        let mut counts = [0_u32; 3];
        for share in shares {
            counts[choose(&lines, 100, share)] += 1;
        }
        // Half as likely each, since e to the power of -0.69 is a half.
        assert!(counts[0].abs_diff(500) < 5, "{counts:?}");
        assert!(counts[1].abs_diff(250) < 5, "{counts:?}");
        assert_eq!(choose(&lines, 1, 0.999), 0);
    }

    #[test]
    fn decisive_scores_bypass_random_choice() {
        let (win, loss, even) = (Score::win_in(1), Score::loss_in(2), Score::DRAW);
        for temperature in [1, 100, 30_000] {
            for share in [0.0, 0.5, 0.999_999_999] {
                let choose = |scores: &[Score]| choose(&lines(scores), temperature, share);
                assert_eq!(choose(&[win, even, loss]), 0);
                assert_eq!(choose(&[even, loss, loss]), 0);
                assert_eq!(choose(&[Score::loss_in(4), loss]), 0);
                assert!(choose(&[even, even, loss]) < 2);
                assert_eq!(choose(&[]), 0);
            }
        }
    }
}
