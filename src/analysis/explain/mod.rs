//! Why a move is good or bad, in sentences that are true.
//!
//! `board` asks a position what the rules say: who completes a road next, how many squares are missing. `moves` makes
//! facts about one move of that, `lines` about the line of a search, `compare` about a mistake and the better move.
//! `words` makes a sentence of each fact, so a translation changes that file only.
//!
//! A fact is certain by the rules or by a proof. What only the search believes is said as such, and at most once.

mod board;
mod compare;
mod fact;
mod lines;
mod moves;
mod words;

use fact::Fact;
pub use fact::{Basis, Reason};

use crate::board::{AnyPosition, Color, Game, Move};
use crate::engine::{Engine, Limits};
use crate::search::{Line, Solved};

/// The most reasons that are given for one move.
pub const MAX_REASONS: usize = 3;

/// Nodes for the question whether the opponent would force a road if the player to move passed.
const PASS_NODES: u64 = 2_000;

/// The reasons for the first move of a line of a search, the strongest first: at most [`MAX_REASONS`], each about
/// something else. Empty if the line has no move.
///
/// `engine` may prove what the opponent would do after a pass, with a small number of nodes that are not counted
/// anywhere; without one, that is left out.
///
/// ```
/// use tak_engine::analysis::explain::{Basis, reasons};
/// use tak_engine::board::Game;
/// use tak_engine::engine::{Engine, Limits, Settings};
///
/// let game = Game::new("x3/1,1,x/2,2,x 1 3".parse()?);
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let report = engine.analyse(&game, Limits::depth(3))?;
/// let reasons = reasons(&game, &report.lines[0], None);
/// assert_eq!(reasons[0].text, "c2 completes a road.");
/// assert_eq!(reasons[0].basis, Basis::Rules);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn reasons(game: &Game, line: &Line, engine: Option<&mut Engine>) -> Vec<Reason> {
    let position = game.position();
    let Some(&mv) = line.pv.first() else { return Vec::new() };
    let mut facts = moves::facts(position, mv);
    facts.extend(lines::facts(position, &line.pv, line.solved));
    if !matches!(line.solved, Some(Solved::Loss(_)))
        && !facts.iter().any(|fact| matches!(fact, Fact::Road { .. } | Fact::Stops { .. }))
        && let Some(forced) = engine.and_then(|engine| after_pass(engine, position))
    {
        facts.push(forced);
    }
    sentences(facts, position.to_move(), None)
}

/// The reasons why the move played is worse than another one, the strongest first. `after` is the line from the position
/// after the move played, `better` the one that begins with the better move. With `reader` the moves of that player are
/// "yours".
#[must_use]
pub fn mistake(
    position: &AnyPosition,
    played: Move,
    after: &Line,
    better: &Line,
    reader: Option<Color>,
) -> Vec<Reason> {
    sentences(compare::facts(position, played, after, better), position.to_move(), reader)
}

/// The strongest facts in words. Of those that say the same about the same move only the strongest stays.
fn sentences(mut facts: Vec<Fact>, mover: Color, reader: Option<Color>) -> Vec<Reason> {
    facts.sort_by_key(Fact::rank);
    facts.dedup_by_key(|fact| fact.kind());
    let mut has_belief = false;
    facts.retain(|fact| {
        let is_belief = fact.basis() == Basis::Search;
        let is_kept = !is_belief || !has_belief;
        has_belief |= is_belief;
        is_kept
    });
    facts.truncate(MAX_REASONS);
    let voice = words::Voice { mover, reader };
    facts.iter().map(|fact| voice.reason(fact)).collect()
}

/// The road that the opponent would force if the player to move did nothing.
fn after_pass(engine: &mut Engine, position: &AnyPosition) -> Option<Fact> {
    let opponent = !position.to_move();
    let passed = board::with_turn(position, opponent)?;
    let stop = engine.stop();
    let report = engine.forced_road(&Game::new(passed), opponent, &Limits::nodes(PASS_NODES), &stop).ok()?;
    let line = report.lines.first()?;
    let Some(Solved::Win(plies)) = line.solved else { return None };
    (plies > 1).then(|| Fact::AfterPass { moves: plies.div_ceil(2), first: line.pv[0] })
}
