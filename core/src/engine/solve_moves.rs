//! Proving the result of some moves of a position only.

use crate::board::{Color, Game, Move, with_position};
use crate::search::{SearchLimits, Solution, SolveContext, Solved, solve};

/// What a move leads to.
struct Proof {
    /// For the player who makes the move; `None` without a proof, also for a draw.
    solved: Option<Solved>,
    /// The move first.
    line: Vec<Move>,
    /// Nothing is quicker.
    shortest: bool,
}

/// Solves the positions after these moves of `game`, each with an equal share of what is left of the limits. A win by
/// one of them is a win; if each of them loses, that is a loss. The other arguments are those of [`solve`]. Illegal
/// moves are skipped.
pub(super) fn solve_moves(
    game: &Game,
    moves: &[Move],
    likely: Color,
    shortest: bool,
    context: &SolveContext<'_>,
) -> Solution {
    let repetitions = context.repetitions;
    let (mut proofs, mut nodes, mut hashfull) = (Vec::new(), 0, 0);
    for (index, &mv) in moves.iter().enumerate() {
        let mut after = game.clone();
        if after.play(mv).is_err() {
            continue;
        }
        let is_draw = repetitions > 0 && after.occurrences() >= repetitions as usize;
        let proof = if let Some(outcome) = after.position().outcome() {
            let mover = game.position().to_move();
            let solved = outcome.winner.map(|winner| if winner == mover { Solved::Win(1) } else { Solved::Loss(1) });
            Proof { solved, line: vec![mv], shortest: true }
        } else if is_draw {
            Proof { solved: None, line: vec![mv], shortest: true }
        } else {
            let limits = share(context, nodes, (moves.len() - index) as u32);
            let context = SolveContext { limits, history: after.history(), ..*context };
            let solution = with_position!(after.position(), p => solve(p, likely, shortest, &context));
            nodes += solution.nodes;
            hashfull = solution.hashfull;
            let solved = solution.solved.map(|solved| match solved {
                Solved::Win(plies) => Solved::Loss(plies + 1),
                Solved::Loss(plies) => Solved::Win(plies + 1),
            });
            Proof { solved, line: [vec![mv], solution.line].concat(), shortest: solution.shortest }
        };
        let is_enough = !shortest && matches!(proof.solved, Some(Solved::Win(_)));
        proofs.push(proof);
        if is_enough {
            break;
        }
    }
    let shortest = shortest && proofs.iter().all(|proof| proof.shortest);
    match best(proofs) {
        Some(Proof { solved, line, .. }) => Solution { solved, shortest, line, nodes, hashfull },
        None => Solution { nodes, hashfull, ..Solution::default() },
    }
}

/// The quickest win or, if each move loses, the longest loss.
fn best(proofs: Vec<Proof>) -> Option<Proof> {
    let is_win = |proof: &Proof| matches!(proof.solved, Some(Solved::Win(_)));
    let is_loss = |proof: &Proof| matches!(proof.solved, Some(Solved::Loss(_)));
    let plies = |proof: &Proof| proof.solved.map(Solved::plies);
    if proofs.iter().all(is_loss) {
        return proofs.into_iter().max_by_key(plies);
    }
    proofs.into_iter().filter(is_win).min_by_key(plies)
}

/// The limits for the next of `moves` moves, when `nodes` have been visited.
fn share(whole: &SolveContext<'_>, nodes: u64, moves: u32) -> SearchLimits {
    let SearchLimits { nodes: most, hard, .. } = whole.limits;
    let now = whole.clock.poll();
    SearchLimits {
        nodes: most.map(|most| most.saturating_sub(nodes) / u64::from(moves)),
        hard: hard.map(|hard| now + hard.saturating_sub(now) / moves),
        ..whole.limits
    }
}
