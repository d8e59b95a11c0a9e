//! Why a move is good or bad, in sentences that are true.
//!
//! `board` asks a position what the rules say: who completes a road next, how many squares are missing. `moves` makes
//! facts about one move of that, `stacks` those about other stacks, `effect` those that are worth telling of an answer, `lines` about the line of a search,
//! `compare` about a mistake and the better move, by `pair` if neither decides the game.
//! `words` makes a sentence of each fact, so a translation changes that file only.
//!
//! A fact is certain by the rules or by a proof. What only the search believes is said as such.

pub(crate) mod board;
mod compare;
mod effect;
mod fact;
mod lines;
mod moves;
mod pair;
mod stacks;
mod words;

use fact::Fact;
pub use fact::{Basis, Reason};
pub(crate) use words::advantage;

use crate::board::{AnyPosition, Color, Game, Move};
use crate::engine::{Engine, Limits};
use crate::search::{Line, Solved};

/// The most reasons that are given for one move.
pub const MAX_REASONS: usize = 3;

/// The most of them that only the search believes.
const MAX_BELIEFS: usize = 2;

/// Nodes for each question what the opponent would do if the player to move passed.
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
pub fn reasons(game: &Game, line: &Line, engine: Option<&mut Engine>) -> Vec<Reason> {
    let position = game.position();
    let Some(&mv) = line.pv.first() else { return Vec::new() };
    let mut facts = moves::facts(position, mv);
    facts.extend(lines::facts(position, &line.pv, line.solved));
    if !matches!(line.solved, Some(Solved::Loss(_)))
        && !facts.iter().any(|fact| matches!(fact, Fact::Road { .. } | Fact::Stops { .. }))
        && let Some(forced) = engine.and_then(|engine| after_pass(engine, position, mv))
    {
        facts.push(forced);
    }
    // An answer without its effect says little.
    if facts.len() > 1 {
        facts.retain(|fact| !matches!(fact, Fact::Expects { effect: None, .. }));
    }
    sentences(facts, position.to_move(), None)
}

/// The reasons why the move played is worse than another one, the strongest first. `after` is the line from the position
/// after the move played, `better` the one that begins with the better move. With `reader` the moves of that player are
/// "yours".
pub fn mistake(
    position: &AnyPosition,
    played: Move,
    after: &Line,
    better: &Line,
    reader: Option<Color>,
) -> Vec<Reason> {
    let tiers = compare::facts(position, played, after, better).into_iter();
    let mut reasons = tiers.map(|facts| sentences(facts, position.to_move(), reader));
    reasons.find(|reasons| !reasons.is_empty()).unwrap_or_default()
}

/// The reasons why a move is wrong that `answer` refutes, without a word about a better one: for puzzles. With `reader` the
/// moves of that player are "yours".
pub fn refutation(position: &AnyPosition, wrong: Move, answer: &[Move], reader: Option<Color>) -> Vec<Reason> {
    sentences(compare::refutation(position, wrong, answer), position.to_move(), reader)
}

/// The strongest facts in words. Of those that say the same about the same move only the strongest stays. A wall that is
/// flattened is always named.
fn sentences(mut facts: Vec<Fact>, mover: Color, reader: Option<Color>) -> Vec<Reason> {
    facts.sort_by_key(Fact::rank);
    facts.dedup_by_key(|fact| fact.kind());
    if let Some(at) = facts.iter().position(|fact| matches!(fact, Fact::Flattens { .. })) {
        facts.swap(at, at.min(MAX_REASONS - 1));
    }
    let voice = words::Voice { mover, reader };
    let mut reasons: Vec<Reason> = facts.iter().map(|fact| voice.reason(fact)).collect();
    // Moves of many squares can make a sentence too long.
    reasons.retain(|reason| reason.text.chars().count() <= Reason::MAX_CHARS);
    let mut beliefs = 0;
    reasons.retain(|reason| {
        beliefs += usize::from(reason.basis == Basis::Search);
        reason.basis != Basis::Search || beliefs <= MAX_BELIEFS
    });
    reasons.truncate(MAX_REASONS);
    reasons
}

/// What the opponent would do if the player to move did nothing: force a road, or make a move with an effect that it does
/// not have after the best move.
fn after_pass(engine: &mut Engine, position: &AnyPosition, best: Move) -> Option<Fact> {
    let opponent = !position.to_move();
    let passed = board::with_turn(position, opponent)?;
    let stop = engine.stop();
    let game = Game::new(passed);
    let limits = Limits::nodes(PASS_NODES);
    let report = engine.forced_road(&game, opponent, &limits, &stop).ok()?;
    if let Some(Line { solved: Some(Solved::Win(plies @ 2..)), pv, .. }) = report.lines.first() {
        return Some(Fact::AfterPass { moves: plies.div_ceil(2), first: pv[0] });
    }
    let reply = *engine.analyse(&game, limits).ok()?.lines.first()?.pv.first()?;
    let mut after = position.clone();
    after.play(best).ok()?;
    let effect = effect::effect(game.position(), reply, &moves::facts(&after, reply))?;
    Some(Fact::PassAllows { reply, effect: Box::new(effect) })
}
