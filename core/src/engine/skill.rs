//! Reduced playing strength: some moves by intuition, the others by a softmax choice among the best of a short search.

use super::level::Skill;
use super::{Engine, HashError, Level, Run};
use crate::board::{AnyPosition, Move, MoveKind, PieceKind, Position, fold, with_position};
use crate::search::{
    Context, Histories, Line, MoveWeights, Pulse, Report, Score, SearchLimits, Table, level_draws, move_odds, search,
};

/// Size of the table for one move in MiB: more than a level can fill.
const TABLE_MIB: usize = 1;

/// Number of best moves of a search to choose from.
const CANDIDATE_MOVES: usize = 3;

/// Centiflats that change the odds of a searched move by a factor of e.
const CENTIFLATS_PER_E: i32 = 30;

/// Log odds by which walls and spreads are rarer when the odds are flattened by a factor of two.
const RARE_MOVE_LOG_ODDS: f64 = 0.5;

impl Engine {
    /// Chooses a move at `level`, on one thread and with a separate table, within `limits` and those of the level. The
    /// result depends only on the position, the move number and the seed, unless time runs out or the search is
    /// stopped.
    ///
    /// The first line of the report is that of the chosen move, with the score at this level; the others follow, best
    /// first, at most all candidates of the level.
    pub(super) fn play_at(&self, level: Level, run: &mut Run<'_>, limits: SearchLimits) -> Result<Report, HashError> {
        let chance = Chance::new(self.settings.seed, level, run.game.position());
        let mut report = if chance.percentage(Use::Intuition) < level.skill().intuition {
            self.intuition(level.skill(), chance, run)
        } else {
            self.short_search(level.skill(), chance, run, limits)?
        };
        // Before an iteration is complete only the first line has a score.
        let chosen = if report.depth > 1 { choose(&report.lines, CENTIFLATS_PER_E, chance.share()) } else { 0 };
        if let Some(lines) = report.lines.get_mut(..=chosen) {
            lines.rotate_right(1);
        }
        report.lines.truncate(self.settings.multipv.max(1));
        Ok(report)
    }

    /// The moves that come to mind without a search, the first of them to be played.
    fn intuition(&self, skill: &Skill, chance: Chance, run: &Run<'_>) -> Report {
        let position = run.game.position();
        let weights = self.settings.weights.ordering(position.size());
        let moves = with_position!(position, p => intuition(p, run.moves, weights, skill, chance));
        let line = |mv| Line { score: Score::DRAW, bound: None, solved: None, pv: vec![mv] };
        let lines: Vec<Line> = moves.into_iter().map(line).collect();
        let depth = u32::from(!lines.is_empty());
        let level_draws = with_position!(position, p => level_draws(p));
        Report { depth, seldepth: depth, nodes: 1, level_draws, time: run.stopwatch.poll(), lines, ..Report::default() }
    }

    /// A search for one good move, or for all candidates.
    fn short_search(
        &self,
        skill: &Skill,
        chance: Chance,
        run: &mut Run<'_>,
        limits: SearchLimits,
    ) -> Result<Report, HashError> {
        let mut table = Table::new(TABLE_MIB).ok_or(HashError(TABLE_MIB))?;
        table.next_search();
        let limits = within(limits, skill.nodes_on(run.game.position().size())).into();
        let multipv = if chance.percentage(Use::Variety) < skill.variety { CANDIDATE_MOVES } else { 1 };
        let context = Context { multipv, ..run.context(&self.settings, &table, &limits) };
        let shown = self.settings.multipv.max(1);
        let game = run.game;
        let mut forward = |report: &Report| {
            let mut report = report.clone();
            report.lines.truncate(shown);
            (run.observer)(&report);
        };
        let histories = &mut [Histories::default()];
        Ok(with_position!(game.position(), p => search(p, game.history(), &[], context, histories, &mut forward)))
    }
}

/// The stricter of these limits and the nodes of a level. Time limits end a search early but never extend it.
fn within(limits: SearchLimits, nodes: u64) -> SearchLimits {
    SearchLimits { nodes: Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes))), soft: None, ..limits }
}

/// The moves in the order in which they are drawn by the odds of the ordering policy, but the one to play first. Some
/// roads are overlooked.
///
/// A road in one is completed if it is noticed. Otherwise the moves are drawn one after the other with their odds until
/// one leaves the opponent no road that is noticed.
fn intuition<const N: usize>(
    position: &Position<N>,
    moves: Option<&[Move]>,
    move_weights: &MoveWeights,
    skill: &Skill,
    chance: Chance,
) -> Vec<Move> {
    let mover = position.to_move();
    let notices = |road: Move, exponent: f64| {
        let squares = match road.kind() {
            MoveKind::Place(_) => 0,
            MoveKind::Spread(_, pattern) => pattern.drops().count(),
        };
        let sight = f64::from(skill.sight) / 100.0;
        chance.of_move(road, Use::Sight) < sight.powf(exponent * (1.0 + squares as f64))
    };
    let is_open = |mv: &Move| moves.is_none_or(|moves| moves.contains(mv));
    let mut moves: Vec<Move> = position.legal_moves().into_iter().filter(is_open).collect();
    if let Some(road) = position.winning_move(mover).filter(|road| is_open(road) && notices(*road, 0.25)) {
        moves = vec![road];
    }
    let odds = move_odds(position, move_weights, &moves);
    let mut drawn = draw(&moves, &odds, skill, chance);
    let mut after = position.clone();
    let mut is_safe = |mv: Move| {
        let undo = after.play_unchecked(mv);
        let is_safe = match after.outcome() {
            Some(outcome) => outcome.winner == Some(mover),
            None => after.winning_move(!mover).is_none_or(|road| !notices(road, 1.0)),
        };
        after.unplay(mv, undo);
        is_safe
    };
    if let Some(safe) = drawn.iter().position(|&mv| is_safe(mv)) {
        drawn[..=safe].rotate_right(1);
    }
    drawn
}

/// Draws all moves one after the other, with these log odds.
fn draw(moves: &[Move], odds: &[f64], skill: &Skill, chance: Chance) -> Vec<Move> {
    let scale = f64::from(skill.temperature) / 100.0;
    // Flattened odds alone would choose many walls and spreads, which beginners rarely play.
    let rarity = |mv: Move| match mv.kind() {
        MoveKind::Place(PieceKind::Flat | PieceKind::Cap) => 0.0,
        _ => (scale - 1.0) * RARE_MOVE_LOG_ODDS,
    };
    // The largest sum of log odds and a Gumbel-distributed number is a draw with these odds.
    let drawn =
        |(&mv, odds): (&Move, &f64)| (mv, odds / scale - rarity(mv) - (-chance.of_move(mv, Use::Odds).ln()).ln());
    let mut drawn: Vec<(Move, f64)> = moves.iter().zip(odds).map(drawn).collect();
    drawn.sort_by(|one, other| other.1.total_cmp(&one.1));
    drawn.into_iter().map(|(mv, _)| mv).collect()
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
const RANDOM_KEYS: [u64; 4] =
    [0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB, 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3];

/// A use of random numbers.
#[derive(Debug, Clone, Copy)]
enum Use {
    /// Decides between intuition and a search.
    Intuition,
    /// Decides between one line and several.
    Variety,
    /// Decides if a road is noticed.
    Sight,
    /// The draw of a move.
    Odds,
}

impl Use {
    /// Two uses share a key where one concerns the whole turn and the other a single move.
    const fn key(self) -> u64 {
        match self {
            Self::Intuition | Self::Sight => RANDOM_KEYS[0],
            Self::Odds => RANDOM_KEYS[1],
            Self::Variety => RANDOM_KEYS[2],
        }
    }
}

impl Chance {
    fn new(seed: u64, level: Level, position: &AnyPosition) -> Self {
        let game = fold(position.hash() ^ RANDOM_KEYS[1], u64::from(position.ply()) ^ RANDOM_KEYS[2]);
        let player = fold(seed ^ RANDOM_KEYS[3], u64::from(level.number()) ^ RANDOM_KEYS[0]);
        Self(fold(game ^ RANDOM_KEYS[1], player ^ RANDOM_KEYS[2]))
    }

    /// A number below 100.
    fn percentage(self, of: Use) -> u64 {
        fold(self.0 ^ of.key(), RANDOM_KEYS[1]) % 100
    }

    /// A number between 0 and 1 for a move.
    fn of_move(self, mv: Move, of: Use) -> f64 {
        let bits = fold(self.0 ^ of.key(), u64::from(mv.bits()) ^ RANDOM_KEYS[3]);
        ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    /// A number from 0 up to, but not including, 1.
    fn share(self) -> f64 {
        (fold(self.0 ^ RANDOM_KEYS[2], RANDOM_KEYS[3]) >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(scores: &[Score]) -> Vec<Line> {
        let line = |&score: &Score| Line { score, bound: None, solved: score.solved(), pv: Vec::new() };
        scores.iter().map(line).collect()
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
