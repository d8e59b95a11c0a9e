//! More workers than there are cores, as if each had a core of its own: one runs for a few nodes, then the next, and a
//! round in which each has had its turn stands for the time of so many nodes. It is deterministic, so how the work is
//! shared can be judged for sixty-four cores on any machine. It leaves out that cores share memory and power, and that
//! nodes are not equally dear.
//!
//! `LOCKSTEP="1 2 4 8 16 32 64" cargo test --release --lib lockstep -- --nocapture` prints a line for each number of
//! workers: rounds, how many times fewer they are, how many times the nodes. `LOCKSTEP_DEEPER=-2` searches two plies less deep.
//! With `--features tuning`, `LOCKSTEP_MARGINS="shared_depth=3"` sets margins.

use std::sync::{Condvar, Mutex, MutexGuard};

/// Nodes that a worker visits in one turn.
const TURN: u64 = 64;

/// Whose turn it is.
pub(super) struct Lockstep {
    state: Mutex<State>,
    /// For each seat, where its worker waits for its turn.
    seats: Vec<Condvar>,
}

struct State {
    at_work: Vec<bool>,
    turn: usize,
    rounds: u64,
}

/// A worker's place among those that take turns, given up when it is dropped.
pub(super) struct Seat<'a> {
    lockstep: &'a Lockstep,
    seat: usize,
}

impl Lockstep {
    fn new(workers: usize) -> Self {
        Self {
            state: Mutex::new(State { at_work: vec![true; workers], turn: 0, rounds: 0 }),
            seats: (0..workers).map(|_| Condvar::new()).collect(),
        }
    }

    /// Begins a pass for one worker, of which each must do so, and waits for its first turn.
    pub fn take(&self, seat: usize) -> Seat<'_> {
        self.wait(seat, self.state.lock().unwrap());
        Seat { lockstep: self, seat }
    }

    /// To be told the nodes that a worker has visited, with each of them. Waits where its turn is over.
    pub fn count(&self, seat: usize, nodes: u64) {
        if nodes.is_multiple_of(TURN) {
            let mut state = self.state.lock().unwrap();
            self.pass_on(&mut state);
            self.wait(seat, state);
        }
    }

    fn wait(&self, seat: usize, state: MutexGuard<'_, State>) {
        drop(self.seats[seat].wait_while(state, |state| state.turn != seat));
    }

    /// Gives the turn to the next worker. When none is left the pass is over, and all are there for the next one.
    fn pass_on(&self, state: &mut State) {
        let count = state.at_work.len();
        let after = (1..=count).map(|step| (state.turn + step) % count);
        let next = { after }.find(|&seat| state.at_work[seat]);
        if next.is_none_or(|next| next <= state.turn) {
            state.rounds += 1;
        }
        if next.is_none() {
            state.at_work.fill(true);
        }
        state.turn = next.unwrap_or(0);
        self.seats[state.turn].notify_one();
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut state = self.lockstep.state.lock().unwrap();
        state.at_work[self.seat] = false;
        self.lockstep.pass_on(&mut state);
    }
}

#[cfg(test)]
mod tests;
