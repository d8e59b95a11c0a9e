//! Simulates one core per worker on any machine: the workers run in turns of a few nodes, and a round of turns
//! represents the time of that many nodes. The simulation is deterministic. It ignores that cores share memory and
//! power, and that nodes differ in cost.
//!
//! `cargo test --release --lib rounds_to_depth -- --ignored --nocapture` prints a line per number of workers: rounds,
//! the factor by which they are fewer, and the factor of the nodes.

use std::cell::Cell;
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::pulse::Pulse;

const TURN_NODES: u64 = 64;

thread_local! {
    /// The number of the worker on this thread.
    static WORKER: Cell<Option<usize>> = const { Cell::new(None) };
}

/// The clock of a search whose workers get [`TURN_NODES`] nodes at a time. It shows no time.
struct Lockstep {
    state: Mutex<State>,
    /// For each worker, the condition on which it waits.
    turns: Vec<Condvar>,
}

struct State {
    at_work: Vec<bool>,
    /// The worker whose turn it is.
    turn: usize,
    rounds: u64,
}

impl Lockstep {
    fn new(workers: usize) -> Self {
        Self {
            state: Mutex::new(State { at_work: vec![true; workers], turn: 0, rounds: 0 }),
            turns: (0..workers).map(|_| Condvar::new()).collect(),
        }
    }

    fn wait(&self, worker: usize, state: MutexGuard<'_, State>) {
        drop(self.turns[worker].wait_while(state, |state| state.turn != worker));
    }

    /// Gives the turn to the next worker. If none is left, the iteration is over, and all begin the next one.
    fn pass_on(&self, state: &mut State) {
        let count = state.at_work.len();
        let after = (1..=count).map(|step| (state.turn + step) % count);
        let next = { after }.find(|&worker| state.at_work[worker]);
        if next.is_none_or(|next| next <= state.turn) {
            state.rounds += 1;
        }
        if next.is_none() {
            state.at_work.fill(true);
        }
        state.turn = next.unwrap_or(0);
        self.turns[state.turn].notify_one();
    }
}

impl Pulse for Lockstep {
    /// Ends a turn, if it is a worker that calls, and waits for its next one.
    fn poll(&self) -> Duration {
        if let Some(worker) = WORKER.get() {
            let mut state = self.state.lock().unwrap();
            self.pass_on(&mut state);
            self.wait(worker, state);
        }
        Duration::ZERO
    }

    fn begin(&self, worker: usize) {
        WORKER.set(Some(worker));
        self.wait(worker, self.state.lock().unwrap());
    }

    fn end(&self) {
        let mut state = self.state.lock().unwrap();
        state.at_work[WORKER.take().unwrap()] = false;
        self.pass_on(&mut state);
    }
}

#[cfg(test)]
mod tests;
