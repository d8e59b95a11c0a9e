//! Who is better or wins, and how, in words.

use std::fmt;
use std::sync::atomic::AtomicBool;

use crate::board::{AnyPosition, Color, EndReason, Game, Move};
use crate::engine::{Engine, Limits};
use crate::notation::counted;
use crate::search::{Bound, Line, Players, Score, Solved, expected_points};

/// The most nodes for the proof that every defence loses by a road.
const MAX_ROAD_NODES: u64 = 20_000;

/// The score of a line in words: `White is better, 97 % (+4.34)`, `White has a road in 2 moves`. With `{:#}` the moves of
/// a short win follow.
pub(super) struct Verdict<'a> {
    pub mover: Color,
    pub line: &'a Line,
    pub ending: Option<Ending>,
    /// No shorter win exists.
    pub shortest: bool,
}

/// The end of a line that ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ending {
    kind: EndKind,
    /// Every other defence ends in the same way, and no later.
    is_certain: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndKind {
    Road,
    Flats,
    Draw,
}

impl EndKind {
    fn of(position: &AnyPosition) -> Option<Self> {
        let outcome = position.outcome()?;
        Some(match (outcome.winner, outcome.reason) {
            (None, _) => Self::Draw,
            (_, EndReason::Road) => Self::Road,
            (_, EndReason::BoardFull | EndReason::Reserves) => Self::Flats,
        })
    }
}

impl Ending {
    /// The end of a line, not examined further.
    pub fn shown(game: &Game, line: &Line) -> Option<Self> {
        let mut position = game.position().clone();
        for &mv in &line.pv {
            position.play(mv).ok()?;
        }
        EndKind::of(&position).map(|kind| Self { kind, is_certain: false })
    }

    /// The end of the line with this place among the lines of a report, after `nodes` nodes. The proof that all defences
    /// end alike takes no more than those.
    pub fn examined(engine: &mut Engine, game: &Game, line: &Line, place: usize, nodes: u64) -> Option<Self> {
        let ending = Self::shown(game, line)?;
        let Some(solved) = line.solved else { return Some(ending) };
        let mover = game.position().to_move();
        let winner = winner(mover, solved);
        // The first line of a lost position stands for all moves, every other one for its own first move.
        let (mut game, mut plies) = (game.clone(), solved.plies());
        if winner == mover || place > 0 {
            game.play(*line.pv.first()?).ok()?;
            plies -= 1;
        }
        let is_certain = if plies <= 2 {
            always_ends(&mut game.position().clone(), winner, ending.kind, plies)
        } else {
            let limits = Limits::nodes(nodes.min(MAX_ROAD_NODES));
            let proof = engine.forced_road(&game, winner, &limits, &AtomicBool::new(false)).ok();
            let proven = proof.and_then(|report| report.lines.first()?.solved);
            ending.kind == EndKind::Road && proven.is_some_and(|road| road.plies() <= plies)
        };
        Some(Self { is_certain, ..ending })
    }
}

/// Returns whether the winner has an end of this kind within some plies against every defence.
fn always_ends(position: &mut AnyPosition, winner: Color, kind: EndKind, plies: u32) -> bool {
    if let Some(outcome) = position.outcome() {
        return outcome.winner == Some(winner) && EndKind::of(position) == Some(kind);
    }
    if plies == 0 {
        return false;
    }
    let is_attack = position.to_move() == winner;
    let mut moves = position.legal_moves().into_iter();
    let mut ends_after = |mv: Move| {
        let undo = position.play_unchecked(mv);
        let ends = always_ends(position, winner, kind, plies - 1);
        position.unplay(mv, undo);
        ends
    };
    if is_attack { moves.any(ends_after) } else { moves.all(&mut ends_after) }
}

fn winner(mover: Color, solved: Solved) -> Color {
    match solved {
        Solved::Win(_) => mover,
        Solved::Loss(_) => !mover,
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line.solved {
            Some(solved) => self.write_result(f, solved),
            None => self.write_chances(f),
        }
    }
}

impl Verdict<'_> {
    fn write_result(&self, f: &mut fmt::Formatter<'_>, solved: Solved) -> fmt::Result {
        let (winner, plies) = (winner(self.mover, solved), solved.plies());
        let is_win = winner == self.mover;
        // Moves of the winner.
        let moves = if is_win { plies.div_ceil(2) } else { plies / 2 };
        let length = match moves {
            0 => format!("after any move of {}", self.mover),
            moves => format!("in {}", counted(moves, "move", "moves")),
        };
        let is_short = moves <= 2 && plies <= 3;
        match self.ending {
            Some(Ending { kind: EndKind::Road, is_certain: true }) if is_short => {
                write!(f, "{winner} has a road {length}")?;
            }
            Some(Ending { kind: EndKind::Road, is_certain: true }) => write!(f, "{winner} wins by a road {length}")?,
            Some(Ending { kind: EndKind::Flats, is_certain: true }) => write!(f, "{winner} wins on flats {length}")?,
            Some(Ending { kind: EndKind::Road, .. }) if f.alternate() => {
                write!(f, "{winner} wins {length}, in this line by a road")?;
            }
            Some(Ending { kind: EndKind::Flats, .. }) if f.alternate() => {
                write!(f, "{winner} wins {length}, in this line on flats")?;
            }
            _ => write!(f, "{winner} wins {length}")?,
        }
        if self.shortest {
            write!(f, ", not sooner")?;
        }
        match *self.line.pv {
            [only] if f.alternate() && is_win => write!(f, ": {only}"),
            [first, reply, last] if f.alternate() && is_win => write!(f, ": {first}, then {last} after {reply}"),
            [defence, last] if f.alternate() && !is_win => write!(f, ": {last} after {defence}"),
            _ => Ok(()),
        }
    }

    /// The chance and the score are those of the player who is named.
    fn write_chances(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mover, line, .. } = *self;
        let points = expected_points(line.score, Players::Engines);
        let is_ahead = points >= 500;
        let (player, points, score) =
            if is_ahead { (mover, points, line.score) } else { (!mover, 1000 - points, -line.score) };
        let percent = (f64::from(points) / 10.0).round().min(99.0);
        let bound = match (line.bound, is_ahead) {
            (None, _) => "",
            (Some(Bound::Lower), true) | (Some(Bound::Upper), false) => "at least ",
            (Some(Bound::Upper), true) | (Some(Bound::Lower), false) => "at most ",
        };
        if percent > 50.0 {
            write!(f, "{player} is better, {bound}{percent} % ({score})")?;
        } else if score == Score::DRAW && bound.is_empty() {
            write!(f, "even, 50 % ({score})")?;
        } else {
            write!(f, "even, {bound}{percent} % for {player} ({score})")?;
        }
        match self.ending {
            Some(Ending { kind: EndKind::Draw, .. }) if f.alternate() => write!(f, ", the line ends in a draw"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Komi, OpeningRule, Size};
    use crate::engine::{SearchRequest, Settings, Task};

    fn chances(mover: Color, value: i32, bound: Option<Bound>) -> String {
        let line = Line { score: Score::centiflats(value), bound, solved: None, pv: vec![] };
        Verdict { mover, line: &line, ending: None, shortest: false }.to_string()
    }

    #[test]
    fn chances_and_scores_are_those_of_the_player_who_is_named() {
        let [white, black] = Color::ALL;
        assert_eq!(chances(white, 434, None), "White is better, 97 % (+4.34)");
        assert_eq!(chances(black, 434, None), "Black is better, 97 % (+4.34)");
        assert_eq!(chances(black, -280, None), "White is better, 90 % (+2.80)");
        assert_eq!(chances(white, -9000, None), "Black is better, 99 % (+90.00)");
        assert_eq!(chances(white, 0, None), "even, 50 % (+0.00)");
        assert_eq!(chances(white, -1, None), "even, 50 % for Black (+0.01)");
        assert_eq!(chances(black, 125, Some(Bound::Lower)), "Black is better, at least 73 % (+1.25)");
        assert_eq!(chances(black, -125, Some(Bound::Lower)), "White is better, at most 73 % (+1.25)");
        assert_eq!(chances(white, 0, Some(Bound::Lower)), "even, at least 50 % for White (+0.00)");
    }

    fn solved(tps: &str) -> String {
        let game = Game::new(tps.parse().unwrap());
        let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
        let request = SearchRequest { task: Task::Solve, ..SearchRequest::new(game.clone(), Limits::nodes(60_000)) };
        let report = engine.run(&request).unwrap();
        let line = &report.lines[0];
        let ending = Ending::examined(&mut engine, &game, line, 0, report.nodes);
        let mover = game.position().to_move();
        // Nothing is said to hold against every defence that does not.
        if let (Some(Ending { kind, is_certain: true }), Some(solved)) = (ending, line.solved)
            && solved.plies() <= 5
            && game.position().size().width() == 3
        {
            let mut position = game.position().clone();
            assert!(always_ends(&mut position, winner(mover, solved), kind, solved.plies()), "{tps}");
        }
        format!("{:#}", Verdict { mover, line, ending, shortest: false })
    }

    /// The results as the engine finds them, each with the moves of a short win.
    #[test]
    fn results_name_winner_way_and_length() {
        for (tps, expected) in [
            ("x3/1,1,x/2,2,x 1 3", "White has a road in 1 move: c2"),
            ("x3/1,1,x/2,2,x 2 3", "Black has a road in 1 move: c1"),
            ("1S,1S,2S/2,1,1/2S,x,1 1 6", "White wins on flats in 1 move: b1"),
            ("x5/1,1,1,1,x/x5/1,1,1,1,x/2,2,2,x2 2 7", "White has a road in 1 move: e4 after "),
            (
                "2121C,x,1,2,x,2/2221,x,21,x,1,21/x,12,2,2S,x,12/2,111,2,2,2,1/21,1222212C,112,x,1221,1/x2,12S,21,1,x 2 48",
                "Black has a road in 2 moves: 5b2+1112, then ",
            ),
            (
                "221212S,2,x,121,2121,121S/21,2,112S,2,2,1/1S,x,112,112,2,x/x2,1,1,x,12S/x,221221S,1,21C,2,1/2,21112C,2,2,x,1 2 50",
                // More than one move wins.
                "Black wins on flats in 2 moves: ",
            ),
            // After some defences the end is another one.
            (
                "x,1,2,1,1,x/1,1,x,1111112S,12,121/2,11112C,221S,x,112221C,x/x,1,2,x,2S,2/2,2,1,1,1,2/x,2,1,1,1,2 1 36",
                "White wins in 2 moves, in this line on flats: c5, then ",
            ),
            ("x5/x5/x2,1,x2/x5/2,x4 1 2", "White is better, "),
        ] {
            let found = solved(tps);
            assert!(found.starts_with(expected), "{tps}: {found}");
        }
    }

    /// Whole games as if they were proven: winner and length are those of the rules, with every rule for the first turns.
    #[test]
    fn results_are_those_of_the_rules() {
        let mut random = 1_usize;
        let mut endings = [0; 3];
        for number in 0..300 {
            let opening = [OpeningRule::Swap, OpeningRule::NoSwap, OpeningRule::DoubleBlack][number % 3];
            let start = AnyPosition::start_with(Size::THREE, Komi::ZERO, opening);
            let mut position = start.clone();
            let (mut pv, mut players) = (Vec::new(), Vec::new());
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                pv.push(moves[(random >> 33) % moves.len()]);
                players.push(position.to_move());
                position.play(pv[pv.len() - 1]).unwrap();
            }
            let Some(winner) = position.outcome().and_then(|outcome| outcome.winner) else {
                endings[2] += 1;
                continue;
            };
            let (plies, game) = (pv.len(), Game::new(start));
            let score = if winner == Color::White { Score::win_in(plies) } else { Score::loss_in(plies) };
            let line = Line { score, bound: None, solved: score.solved(), pv };
            let ending = Ending::shown(&game, &line);
            let is_road = ending.is_some_and(|ending| ending.kind == EndKind::Road);
            endings[usize::from(is_road)] += 1;
            let way = if is_road { "by a road" } else { "on flats" };
            let moves = players.iter().filter(|&&player| player == winner).count();
            let verdict = Verdict { mover: Color::White, line: &line, ending, shortest: false };
            let expected = format!("{winner} wins in {moves} moves, in this line {way}");
            assert_eq!(format!("{verdict:#}"), expected, "{opening} {:?}", line.pv);
        }
        assert!(endings.iter().all(|&count| count > 0), "{endings:?}");
        // Small boards near their end: claims about all defences are compared with an exhaustive search.
        for row in
            ["1S,x2/1,1S,1/2,1,1 2 6", "1,x,2/2S,2,1/1,x2 2 5", "2,1,1/2S,x,1/1,x2 2 5", "1,2S,2S/x2,1/2,1,1 1 7"]
        {
            assert!(solved(row).starts_with(['W', 'B']), "{row}");
        }
    }
}
