//! Judges each move by the analysis of each position. No search here: the same analyses always give the same annotation.
//!
//! The value of a position is the better of two: that of the move played, by the position after it, and that of the best
//! other move. So the move that the engine would have played loses nothing by being judged one ply deeper.

use super::analysis::{OnlyMove, PositionAnalysis};
use super::game::{AnnotatedGame, AnnotatedPly, Evaluation, ForcedWin, Mark, Phase, PositionValue, Summary, Threat};
use super::source::Source;
use crate::board::{AnyPosition, ByColor, Color, Game, Move, Symmetry, with_position};
use crate::notation::{PtnGame, winner_of};
use crate::search::{Players, Score, Solved, expected_points};

/// Points of chance whose loss makes a move a mistake.
pub const MISTAKE_POINTS: f64 = 10.0;
/// Points of chance whose loss makes a move a blunder.
pub const BLUNDER_POINTS: f64 = 25.0;
/// Points of chance by which the only good move is better than all others.
pub const ONLY_MOVE_POINTS: f64 = 20.0;
/// From this chance on, in percent, a position counts as won, and up to 100 less it as lost; between them as level.
pub const WON_CHANCE: f64 = 70.0;
/// Points of chance that the decisive move loses at least.
const DECISIVE_POINTS: f64 = 5.0;
/// The longest line that is kept.
const MAX_LINE_PLIES: usize = 30;

/// The chance of the player that the score is for, in percent.
pub fn chance(score: Score) -> f64 {
    f64::from(expected_points(score, Players::People)) / 10.0
}

/// Points of chance by which the first score is better for its player than the second. Taken from whole thousandths: of
/// two chances with a digit after the point, 25 points could come out as 24.999.
pub fn lead(one: Score, other: Score) -> f64 {
    let [one, other] = [one, other].map(|score| f64::from(expected_points(score, Players::People)));
    (one - other) / 10.0
}

/// The result that a score promises.
#[derive(PartialEq)]
enum ExpectedResult {
    Won,
    Level,
    Lost,
}

fn expected_result(score: Score) -> ExpectedResult {
    let chance = chance(score);
    if chance >= WON_CHANCE {
        ExpectedResult::Won
    } else if chance <= 100.0 - WON_CHANCE {
        ExpectedResult::Lost
    } else {
        ExpectedResult::Level
    }
}

/// The move played beside the best other move, by their values for the player to move.
#[derive(Debug, Clone, Copy)]
pub struct Comparison {
    /// The move played, judged by the position after it.
    pub played: Score,
    /// The best of all others, by the position after it if that was searched; `None` if the engine's move was played and
    /// nothing else was searched.
    pub other: Option<Score>,
}

impl Comparison {
    /// `after` is the value of the position after the move for the opponent.
    pub fn new(analysis: &PositionAnalysis, mv: Move, after: Score) -> Self {
        let own = Some(analysis.score).filter(|_| analysis.line.first() != Some(&mv));
        let other = analysis.other.as_ref().map(|other| other.score).or(own);
        Self { played: one_ply_before(after), other }
    }

    /// The value of the position.
    pub fn value(self) -> Score {
        self.other.map_or(self.played, |other| other.max(self.played))
    }

    /// The loss in points.
    pub fn loss(self) -> f64 {
        lead(self.value(), self.played)
    }

    /// The result that the move played alone keeps, if these scores are right; `None` if it is not the only one.
    pub fn only(self) -> Option<OnlyMove> {
        let other = self.other?;
        if lead(self.played, other) < ONLY_MOVE_POINTS {
            return None;
        }
        match (expected_result(self.played), expected_result(other)) {
            (ExpectedResult::Won, ExpectedResult::Lost) => Some(OnlyMove::WinOrLoss),
            (ExpectedResult::Won, ExpectedResult::Level) => Some(OnlyMove::Win),
            (ExpectedResult::Level, ExpectedResult::Lost) => Some(OnlyMove::Level),
            _ => None,
        }
    }
}

/// The value of a position for its player to move because of the one after it, whose score is given.
pub fn one_ply_before(after: Score) -> Score {
    (-after).from_table(1)
}

/// The value of a position because of the one before it, whose score is given.
fn one_ply_after(before: Score) -> Score {
    (-before).to_table(1)
}

/// Judges a game. There is an analysis for every position, the last one included; none if the game cannot begin.
pub fn judge(source: Source, analyses: &[PositionAnalysis]) -> AnnotatedGame {
    let game = source.game.filter(|_| !analyses.is_empty());
    let values = game.as_ref().map_or_else(Vec::new, |game| values(game, analyses));
    let plies = game.as_ref().map_or_else(Vec::new, |game| judge_moves(game, analyses, &values));
    let outcome = game.as_ref().and_then(|game| game.position().outcome());
    let winner = match outcome {
        Some(outcome) => outcome.winner,
        None => result_of(&source.ptn),
    };
    let mut players = ByColor::<Summary>::default();
    for ply in &plies {
        players[ply.color].add(ply);
    }
    AnnotatedGame {
        number: source.number,
        start: game.zip(values.first()).map(|(game, first)| evaluation(&analyses[0], first, game.start())),
        decisive: winner.and_then(|winner| decisive(&plies, winner)),
        plies,
        outcome,
        winner,
        players,
        source: source.ptn,
        original: source.original,
        fault: source.fault,
        deviations: source.deviations,
    }
}

/// The winner by the text of the game.
fn result_of(ptn: &PtnGame) -> Option<Color> {
    let result = ptn.result.as_deref().filter(|result| *result != "*");
    winner_of(result.or_else(|| ptn.tag("Result"))?)
}

/// The value of a position for its player to move, and the line that gets it.
struct BestPlay {
    score: Score,
    line: Vec<Move>,
    /// `None` in the last position.
    comparison: Option<Comparison>,
}

/// Every position of a game, from the last to the first, and then in order.
fn values(game: &Game, analyses: &[PositionAnalysis]) -> Vec<BestPlay> {
    let proven = proven(game, analyses);
    let mut values: Vec<BestPlay> = Vec::new();
    for (index, analysis) in analyses.iter().enumerate().rev() {
        let line = analysis.line.clone();
        let Some((&mv, after)) = game.moves().get(index).zip(values.last()) else {
            let score = proven[index];
            values.push(BestPlay { score, line, comparison: None });
            continue;
        };
        let analysis = PositionAnalysis { score: proven[index], ..analysis.clone() };
        let comparison = Comparison::new(&analysis, mv, after.score);
        let is_best = analysis.line.first() == Some(&mv);
        let as_played = || {
            let rest = after.line.iter().copied();
            std::iter::once(mv).chain(rest).take(MAX_LINE_PLIES).collect()
        };
        let better = comparison.other.filter(|&other| other > comparison.played);
        let line = match (better, is_best, analysis.other) {
            (Some(_), _, Some(other)) => other.line,
            // The game itself is the line, or has proven more than the engine saw before.
            (None, false, _) => as_played(),
            (None, true, _) if comparison.played.is_decisive() && !analysis.score.is_decisive() => as_played(),
            _ => line,
        };
        values.push(BestPlay { score: comparison.value(), line, comparison: Some(comparison) });
    }
    values.reverse();
    values
}

/// The scores of the analyses, with each proven result carried on to the next position: any move keeps a loss, and the
/// winning move keeps a win.
fn proven(game: &Game, analyses: &[PositionAnalysis]) -> Vec<Score> {
    let mut scores: Vec<Score> = analyses.iter().map(|analysis| analysis.score).collect();
    let played = game.moves().iter();
    for ((index, mv), analysis) in played.enumerate().zip(analyses) {
        // If the game is over, the rules decide.
        let is_open = !analyses[index + 1].line.is_empty() && !scores[index + 1].is_decisive();
        let holds = match scores[index].solved() {
            Some(Solved::Loss(plies)) => plies > 1,
            Some(Solved::Win(plies)) => plies > 1 && analysis.score.is_win() && analysis.line.first() == Some(mv),
            None => false,
        };
        if is_open && holds {
            scores[index + 1] = one_ply_after(scores[index]);
        }
    }
    scores
}

fn judge_moves(game: &Game, analyses: &[PositionAnalysis], values: &[BestPlay]) -> Vec<AnnotatedPly> {
    let mut position = game.start().clone();
    let mut plies = Vec::new();
    for (index, &mv) in game.moves().iter().enumerate() {
        let (analysis, next) = (&analyses[index], &analyses[index + 1]);
        let (before, after) = (&values[index], &values[index + 1]);
        let Some(comparison) = before.comparison else { break };
        let color = position.to_move();
        let (number, phase) = (position.move_number(), phase(&position));
        let is_free = !is_forced(&position);
        let value = PositionValue::new(before.score, &position);
        let only = comparison.only().and(analysis.only);
        let turns = |symmetry: &Symmetry| symmetry.mv(mv, position.size()) != mv;
        let has_image = only.is_some() && position.symmetries().iter().any(turns);
        position.play_unchecked(mv);

        let loss = comparison.loss();
        let is_over = position.outcome().is_some();
        plies.push(AnnotatedPly {
            mv,
            has_image,
            color,
            number,
            phase,
            before: value,
            best: before.line.clone(),
            after: evaluation(next, after, &position),
            loss,
            mark: mark(loss, only.filter(|_| is_free && !is_over)),
            threat: threat(&position, next, color),
            missed: missed(analysis, mv, after),
            allowed: allowed(before, after, loss),
            avoided: avoided(analysis, comparison),
        });
    }
    plies
}

/// Returns whether the comparison is trivial: the first turns, and the answer to a threatened road.
pub fn is_forced(position: &AnyPosition) -> bool {
    position.ply() < 2 || position.winning_move(!position.to_move()).is_some()
}

fn mark(loss: f64, only: Option<OnlyMove>) -> Option<Mark> {
    if loss >= BLUNDER_POINTS {
        return Some(Mark::Blunder);
    }
    if loss >= MISTAKE_POINTS {
        return Some(Mark::Mistake);
    }
    Some(match only? {
        OnlyMove::WinOrLoss => Mark::Brilliant,
        OnlyMove::Win | OnlyMove::Level => Mark::Good,
    })
}

/// The threat of the move of `color` that led to this position.
fn threat(position: &AnyPosition, analysis: &PositionAnalysis, color: Color) -> Option<Threat> {
    if position.outcome().is_some() {
        return None;
    }
    if analysis.road == Some(color) {
        return Some(Threat::Tinue);
    }
    position.winning_move(color).map(|_| Threat::Tak)
}

/// The forced win that another move had, if none is known after the move played.
fn missed(analysis: &PositionAnalysis, mv: Move, after: &BestPlay) -> Option<ForcedWin> {
    let Some(Solved::Win(plies)) = analysis.score.solved() else {
        return None;
    };
    (analysis.line.first() != Some(&mv) && !after.score.is_loss())
        .then(|| ForcedWin { plies, line: analysis.line.clone() })
}

/// The forced win that the move gave to the opponent.
fn allowed(before: &BestPlay, after: &BestPlay, loss: f64) -> Option<ForcedWin> {
    let Some(Solved::Win(plies)) = after.score.solved() else {
        return None;
    };
    (!before.score.is_loss() && loss >= MISTAKE_POINTS).then(|| ForcedWin { plies, line: after.line.clone() })
}

/// The forced win that every other move would have given to the opponent. A loss at once does not count.
fn avoided(analysis: &PositionAnalysis, comparison: Comparison) -> Option<ForcedWin> {
    let other = analysis.other.as_ref()?;
    let Some(Solved::Loss(plies @ 3..)) = other.score.solved() else {
        return None;
    };
    (!comparison.played.is_loss()).then(|| ForcedWin { plies, line: other.line.clone() })
}

fn evaluation(analysis: &PositionAnalysis, best: &BestPlay, position: &AnyPosition) -> Evaluation {
    Evaluation {
        value: PositionValue::new(best.score, position),
        line: best.line.clone(),
        depth: analysis.depth,
        nodes: analysis.nodes,
        ms: analysis.ms,
    }
}

fn phase(position: &AnyPosition) -> Phase {
    let size = position.size();
    if (position.ply() as usize) < 2 * size.width() {
        return Phase::Opening;
    }
    let empty = with_position!(position, p => p.empty().count()) as usize;
    let (now, start) = (position.reserves(), position.start_reserves());
    let is_low = |color: Color| 4 * now[color].total() <= start[color].total();
    if 4 * empty <= size.squares() || Color::ALL.into_iter().any(is_low) { Phase::End } else { Phase::Middle }
}

/// The move that decided the game, see [`AnnotatedGame::decisive`].
fn decisive(plies: &[AnnotatedPly], winner: Color) -> Option<usize> {
    let ahead = |ply: &AnnotatedPly| ply.after.value.chance(winner) >= 50.0;
    let begin = plies.iter().rposition(|ply| !ahead(ply));
    let last = plies.iter().enumerate().skip(begin.map_or(0, |at| at + 1));
    last.filter(|(_, ply)| ply.color != winner && ply.loss >= DECISIVE_POINTS)
        .max_by(|(_, one), (_, other)| one.loss.total_cmp(&other.loss))
        .map(|(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::annotate::analysis::Alternative;
    use crate::analysis::annotate::game::move_accuracy;
    use crate::board::{Komi, Size};

    /// A game on 5x5 with these moves after the first turns, White's first.
    fn source(moves: &str) -> Source {
        Source::read(0, &format!("[Size \"5\"]\n1. a1 e5 {moves}").into(), None)
    }

    /// An analysis with this score and a line that begins with this move.
    fn analysis(score: Score, mv: &str) -> PositionAnalysis {
        PositionAnalysis { line: vec![mv.parse().unwrap()], depth: 5, nodes: 100, ..PositionAnalysis::over(score) }
    }

    fn cp(value: i32) -> Score {
        Score::centiflats(value)
    }

    /// A level game up to White's second turn, and from there on these analyses.
    fn judged(moves: &str, analyses: &[PositionAnalysis]) -> Vec<AnnotatedPly> {
        let level = [analysis(cp(0), "a1"), analysis(cp(0), "e5")];
        let game = judge(source(moves), &[&level, analyses].concat());
        assert_eq!(game.fault, None);
        game.plies[2..].to_vec()
    }

    /// With this score of the best other move, confirmed by longer searches.
    fn only(analysis: PositionAnalysis, other: Score) -> PositionAnalysis {
        let only = Comparison { played: analysis.score, other: Some(other) };
        PositionAnalysis {
            only: only.only(),
            other: Some(Alternative { score: other, line: vec!["d1".parse().unwrap()] }),
            ..analysis
        }
    }

    fn near(one: f64, other: f64) {
        // Chances are kept in thousandths.
        assert!((one - other).abs() < 0.11, "{one} {other}");
    }

    #[test]
    fn marks_follow_the_chances_lost() {
        for (after, loss, mark) in [
            (-100, 0.0, None),
            (-70, 3.6, None),
            (-10, 11.0, Some(Mark::Mistake)),
            (90, 23.3, Some(Mark::Mistake)),
            (110, 25.7, Some(Mark::Blunder)),
        ] {
            let ply = &judged("c3", &[analysis(cp(100), "d4"), analysis(cp(after), "a2")])[0];
            near(ply.loss, loss);
            assert_eq!(ply.mark, mark, "{after}");
            assert_eq!(ply.color, Color::White);
            near(ply.before.chance(Color::White), 62.2);
            let best = if loss > 0.0 { "d4" } else { "c3" };
            assert_eq!(ply.best[0], best.parse().unwrap());
        }
        // The same for Black, whose scores are turned round.
        let analyses = [analysis(cp(0), "c3"), analysis(cp(100), "d4"), analysis(cp(110), "a2")];
        let ply = &judged("c3 d3", &analyses)[1];
        assert_eq!((ply.color, ply.mark), (Color::Black, Some(Mark::Blunder)));
        near(ply.before.chance(Color::White), 37.8);
        near(ply.after.value.chance(Color::White), 63.4);
    }

    #[test]
    fn the_limits_of_marks_are_exact() {
        let scores = || (-600..=600).map(cp);
        let points = |score| expected_points(score, Players::People);
        let mut exact = 0;
        for (one, other) in scores().flat_map(|one| scores().map(move |other| (one, other))) {
            for (limit, thousandths) in
                [(BLUNDER_POINTS, 250), (MISTAKE_POINTS, 100), (ONLY_MOVE_POINTS, 200), (DECISIVE_POINTS, 50)]
            {
                let is_enough = points(one) >= points(other) + thousandths;
                assert_eq!(lead(one, other) >= limit, is_enough, "{one:?} {other:?}");
                exact += usize::from(points(one) == points(other) + thousandths);
            }
        }
        assert!(exact > 1000);
    }

    #[test]
    fn the_engines_move_loses_nothing_unless_another_is_better() {
        let ply = |other: Option<i32>| {
            let before = analysis(cp(300), "c3");
            let before = match other {
                Some(other) => only(before, cp(other)),
                None => before,
            };
            judged("c3", &[before, analysis(cp(100), "a2")]).remove(0)
        };
        near(ply(None).loss, 0.0);
        near(ply(None).before.chance(Color::White), 37.8);
        near(ply(Some(-120)).loss, 0.0);
        near(ply(Some(100)).loss, 24.4);
        assert_eq!(ply(Some(100)).best, ["d1".parse().unwrap()]);
        // A move that turned out better than the engine's own.
        let ply = &judged("c3", &[analysis(cp(0), "d4"), analysis(cp(-100), "a2")])[0];
        near(ply.loss, 0.0);
        near(ply.before.chance(Color::White), 62.2);
        let line: Vec<String> = ply.best.iter().map(ToString::to_string).collect();
        assert_eq!(line, ["c3", "a2"]);
    }

    #[test]
    fn only_moves_are_marked_if_they_change_the_result() {
        let mark = |played: i32, other: i32| {
            let before = only(analysis(cp(played), "c3"), cp(other));
            judged("c3", &[before, analysis(cp(-played), "a2")])[0].mark
        };
        assert_eq!(mark(300, -300), Some(Mark::Brilliant));
        assert_eq!(mark(300, 0), Some(Mark::Good));
        assert_eq!(mark(0, -300), Some(Mark::Good));
        // Both win, both lose, or the difference is small.
        assert_eq!(mark(900, 250), None);
        assert_eq!(mark(-250, -900), None);
        assert_eq!(mark(190, 150), None);
        // The others were not searched, or longer searches disagreed.
        let after = analysis(cp(-300), "a2");
        let analyses = [analysis(cp(300), "c3"), after.clone()];
        assert_eq!(judged("c3", &analyses)[0].mark, None);
        let doubted = PositionAnalysis { only: None, ..only(analysis(cp(300), "c3"), cp(-300)) };
        assert_eq!(judged("c3", &[doubted, after.clone()])[0].mark, None);
        // They decide which result it keeps.
        let less = PositionAnalysis { only: Some(OnlyMove::Win), ..only(analysis(cp(300), "c3"), cp(-300)) };
        assert_eq!(judged("c3", &[less, after])[0].mark, Some(Mark::Good));
    }

    #[test]
    fn an_answer_to_a_threatened_road_does_not_shine() {
        // White threatens a road in the third row.
        let moves = "c3 c5 d3 b4 b3 a5 e3 a3";
        let quiet: Vec<PositionAnalysis> = "c3 c5 d3 b4 b3 a5 e3".split(' ').map(|mv| analysis(cp(0), mv)).collect();
        let last = [only(analysis(cp(0), "a3"), Score::loss_in(2)), analysis(cp(0), "e2")];
        let plies = judged(moves, &[&quiet[..], &last].concat());
        assert_eq!(plies[6].threat, Some(Threat::Tak));
        assert_eq!(plies[7].mark, None);
        assert_eq!(plies[7].avoided, None, "a loss at once does not count");
        assert_eq!(plies[7].threat, None);
    }

    #[test]
    fn proven_results_stay_proven() {
        // White wins in five with c3 against any defence; the next searches no longer find the win.
        let analyses = [
            analysis(Score::win_in(5), "c3"),
            analysis(cp(-300), "a2"),
            analysis(cp(250), "d1"),
            analysis(cp(0), "b1"),
        ];
        let plies = judged("c3 a2 d3", &analyses);
        let proven = |ply: &AnnotatedPly| ply.after.value.proven();
        assert_eq!(proven(&plies[0]), Some((Color::White, 4)));
        assert_eq!(proven(&plies[1]), Some((Color::White, 3)));
        // The continuation was no longer known, so this may or may not have been it.
        assert_eq!(proven(&plies[2]), None);
        assert_eq!(plies[2].missed, None, "the line is unknown");
        near(plies[1].loss, 0.0);
    }

    #[test]
    fn forced_wins_missed_allowed_and_avoided() {
        // White could win with d4.
        let analyses = [analysis(Score::win_in(3), "d4"), analysis(cp(0), "a2")];
        let ply = &judged("c3", &analyses)[0];
        let missed = ply.missed.as_ref().unwrap();
        assert_eq!((missed.plies, missed.line.len()), (3, 1));
        near(ply.loss, 50.0);
        assert_eq!((ply.mark, &ply.allowed), (Some(Mark::Blunder), &None));
        // Another win does not count as missed.
        let analyses = [analysis(Score::win_in(3), "d4"), analysis(Score::loss_in(6), "a2")];
        assert_eq!(judged("c3", &analyses)[0].missed, None);
        // White runs into a win of Black.
        let analyses = [analysis(cp(0), "d4"), analysis(Score::win_in(5), "a2")];
        let ply = &judged("c3", &analyses)[0];
        assert_eq!(ply.allowed.as_ref().unwrap().plies, 5);
        // It was lost anyway.
        let analyses = [analysis(Score::loss_in(8), "d4"), analysis(Score::win_in(5), "a2")];
        assert_eq!(judged("c3", &analyses)[0].allowed, None);
        // All else would have lost.
        let analyses = [only(analysis(cp(0), "c3"), Score::loss_in(4)), analysis(cp(0), "a2")];
        let ply = &judged("c3", &analyses)[0];
        assert_eq!(ply.avoided.as_ref().unwrap().plies, 4);
        assert_eq!(ply.mark, Some(Mark::Good));
    }

    #[test]
    fn the_decisive_move_puts_the_winner_ahead_for_good() {
        let moves = "c3 d3 c2 d2 c4 d4 0-1";
        // White's scores after each of White's moves and Black's.
        let white = [0, -150, -150, 100, 100, -80, -300];
        let signed = white.iter().enumerate().map(|(index, &cp)| if index % 2 == 0 { cp } else { -cp });
        let analyses: Vec<PositionAnalysis> = signed.map(|value| analysis(cp(value), "e1")).collect();
        let game = judge(source(moves), &[&[analysis(cp(0), "a1"), analysis(cp(0), "e5")], &analyses[..]].concat());
        assert_eq!(game.winner, Some(Color::Black));
        let decisive = &game.plies[game.decisive.unwrap()];
        // The first move lost more, but White was ahead after it.
        assert_eq!(decisive.mv, "c4".parse().unwrap());
        assert!(game.plies[2].loss > 15.0);
        let drawn = judge(source("c3"), &[(); 4].map(|()| analysis(cp(0), "b1")));
        assert_eq!((drawn.winner, drawn.decisive), (None, None));
    }

    #[test]
    fn accuracy_is_a_mean_over_moves() {
        assert_eq!(move_accuracy(0.0).to_bits(), 100.0_f64.to_bits());
        for (loss, value) in [(5.0, 77.9), (10.0, 60.7), (20.0, 36.8), (50.0, 8.2)] {
            near(move_accuracy(loss), value);
        }
        let analyses = [analysis(cp(100), "d4"), analysis(cp(-10), "d3"), analysis(cp(10), "a2")];
        let game = judge(source("c3 d3"), &[&[analysis(cp(0), "a1"), analysis(cp(0), "e5")], &analyses[..]].concat());
        let white = &game.players[Color::White];
        assert_eq!((white.moves, white.marks), (2, [0, 1, 0, 0]));
        near(white.mean_loss().unwrap(), 5.5);
        near(white.accuracy().unwrap(), 100.0_f64.midpoint(move_accuracy(11.0)));
        near(white.phase_loss(Phase::Opening).unwrap(), 5.5);
        assert_eq!(white.phase_loss(Phase::End), None);
        assert_eq!(Summary::default().accuracy(), None);
    }

    #[test]
    fn the_board_decides_the_phase() {
        let phase_of = |tps: &str| phase(&tps.parse::<AnyPosition>().unwrap());
        assert_eq!(phase(&AnyPosition::start(Size::ALL[2], Komi::ZERO)), Phase::Opening);
        assert_eq!(phase_of("x5/x5/x5/x5/x5 1 6"), Phase::Middle);
        assert_eq!(phase_of("x5/x5/x5/x5/x5 2 5"), Phase::Opening);
        let full = "1,2,1,2,1/2,1,2,1,2/1,2,1,2,1/2,1,2,x2/x4,1 1 20";
        assert_eq!(phase_of(full), Phase::End);
        let few = "111111111111111111,x4/x5/x5/x5/x4,2 2 20";
        assert_eq!(phase_of(few), Phase::End);
    }
}
