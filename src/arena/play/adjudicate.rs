//! The end of a game, and games that end early by the reports of the engines: hopeless, level, or proven.

use super::config::MatchRules;
use super::player::Fault;
use crate::arena::record::{GameResult, MoveRecord, Termination};
use crate::board::{ByColor, Color};
use crate::tei::info::Claim;

/// The end of a game: by the rules, by adjudication, or by a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct End {
    pub result: GameResult,
    pub termination: Termination,
    pub detail: Option<String>,
}

impl End {
    pub fn new(winner: Option<Color>, termination: Termination) -> Self {
        Self { result: GameResult::from_winner(winner), termination, detail: None }
    }

    pub fn fault(loser: Color, fault: Fault) -> Self {
        Self { detail: Some(fault.detail), ..Self::new(Some(!loser), fault.termination) }
    }
}

/// The scores that both engines reported in a game so far.
#[derive(Debug)]
pub(super) struct Adjudicator<'a> {
    rules: &'a MatchRules,
    said: ByColor<ReportedScores>,
}

/// The reports of one engine with its latest moves. Counts are of moves in a row.
#[derive(Debug, Clone, Copy, Default)]
struct ReportedScores {
    winning: u32,
    losing: u32,
    level: u32,
    claim: Option<Claim>,
}

impl<'a> Adjudicator<'a> {
    pub fn new(rules: &'a MatchRules) -> Self {
        Self { rules, said: ByColor::default() }
    }

    /// A move without a score interrupts every row of moves.
    pub fn note(&mut self, color: Color, report: &MoveRecord) {
        let proven = report.solved.map(|claim| match claim.winner(color) {
            Some(winner) if winner == color => i32::MAX,
            Some(_) => -i32::MAX,
            None => 0,
        });
        let score = report.score_cp.or(proven);
        let said = &mut self.said[color];
        let count = |row: &mut u32, goes_on: bool| *row = if goes_on { *row + 1 } else { 0 };
        let resign = self.rules.resign.map_or(i32::MAX, |rule| rule.score);
        let draw = self.rules.draw.map_or(0, |rule| rule.score);
        count(&mut said.winning, score.is_some_and(|s| s >= resign));
        count(&mut said.losing, score.is_some_and(|s| s <= -resign));
        count(&mut said.level, score.is_some_and(|s| s.unsigned_abs() <= draw.unsigned_abs()));
        said.claim = report.solved;
    }

    /// The end of the game after `moves` moves of both players, if it is over.
    pub fn end(&self, moves: u32) -> Option<End> {
        self.proven().or_else(|| self.resigned()).or_else(|| self.level(moves))
    }

    fn proven(&self) -> Option<End> {
        if !self.rules.solved_agreement {
            return None;
        }
        let winner = |color: Color| self.said[color].claim.map(|claim| claim.winner(color));
        let result = winner(Color::White)?;
        (winner(Color::Black) == Some(result)).then(|| End::new(result, Termination::SolvedAgreement))
    }

    fn resigned(&self) -> Option<End> {
        let rule = self.rules.resign?;
        let loser = Color::ALL.into_iter().find(|&color| {
            self.said[color].losing >= rule.moves && (!rule.two_sided || self.said[!color].winning >= rule.moves)
        })?;
        Some(End::new(Some(!loser), Termination::ResignAdjudication))
    }

    fn level(&self, moves: u32) -> Option<End> {
        let rule = self.rules.draw?;
        let agreed = Color::ALL.iter().all(|&color| self.said[color].level >= rule.moves);
        (agreed && moves >= rule.from_move).then(|| End::new(None, Termination::DrawAdjudication))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::play::config::{DrawRule, ResignRule};

    fn cp(score: i32) -> MoveRecord {
        MoveRecord { score_cp: Some(score), ..MoveRecord::default() }
    }

    fn claim(result: &str, plies: u32) -> MoveRecord {
        MoveRecord { solved: Claim::new(result, plies), ..MoveRecord::default() }
    }

    /// The end after these reports, White's first, at move 20.
    fn end(rules: &MatchRules, reports: &[MoveRecord]) -> Option<End> {
        let mut adjudicator = Adjudicator::new(rules);
        for (index, report) in reports.iter().enumerate() {
            adjudicator.note(Color::from_bit((index % 2) as u8), report);
        }
        adjudicator.end(20)
    }

    #[test]
    fn the_hopeless_side_resigns() {
        let mut rules =
            MatchRules { resign: Some(ResignRule { moves: 2, score: 500, two_sided: false }), ..MatchRules::default() };
        let black_won = Some(End::new(Some(Color::Black), Termination::ResignAdjudication));
        assert_eq!(end(&rules, &[cp(-500), cp(0), cp(-900)]), black_won);
        assert_eq!(end(&rules, &[cp(-500), cp(0), cp(-499)]), None);
        assert_eq!(end(&rules, &[cp(-500), cp(0), cp(9), cp(0), cp(-500)]), None);
        assert_eq!(end(&rules, &[cp(-500), cp(0), MoveRecord::default(), cp(0), cp(-500)]), None);
        let lost = claim("loss", 4);
        assert_eq!(end(&rules, &[lost.clone(), cp(0), lost]), black_won);

        rules.resign.as_mut().unwrap().two_sided = true;
        assert_eq!(end(&rules, &[cp(-500), cp(0), cp(-900)]), None);
        assert_eq!(end(&rules, &[cp(-500), cp(500), cp(-900), cp(501)]), black_won);
    }

    #[test]
    fn level_games_are_drawn_from_a_move_on() {
        let mut rules =
            MatchRules { draw: Some(DrawRule { from_move: 20, moves: 2, score: 10 }), ..MatchRules::default() };
        let level = [cp(10), cp(-10), cp(0), cp(3)];
        let draw = Some(End::new(None, Termination::DrawAdjudication));
        assert_eq!(end(&rules, &level), draw);
        assert_eq!(end(&rules, &level[..3]), None);
        assert_eq!(end(&rules, &[cp(10), cp(-11), cp(0), cp(3)]), None);
        rules.draw.as_mut().unwrap().from_move = 21;
        assert_eq!(end(&rules, &level), None);
    }

    #[test]
    fn claims_must_agree() {
        let rules = MatchRules { solved_agreement: true, ..MatchRules::default() };
        let proven = |winner| Some(End::new(winner, Termination::SolvedAgreement));
        let win = || claim("win", 5);
        let loss = || claim("loss", 4);
        let draw = || claim("draw", 9);
        assert_eq!(end(&rules, &[win(), loss()]), proven(Some(Color::White)));
        assert_eq!(end(&rules, &[loss(), win()]), proven(Some(Color::Black)));
        assert_eq!(end(&rules, &[draw(), draw()]), proven(None));
        assert_eq!(end(&rules, &[win(), win()]), None);
        assert_eq!(end(&rules, &[win(), draw()]), None);
        assert_eq!(end(&rules, &[win()]), None);
        assert_eq!(end(&rules, &[win(), loss(), cp(0)]), None);
        let silent = MatchRules::default();
        assert_eq!(end(&silent, &[win(), loss()]), None);
    }
}
