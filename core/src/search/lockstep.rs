//! Simulates one core per worker on any machine: the workers run in turns of a few nodes, and a round of turns
//! represents the time of that many nodes. The simulation is deterministic. It ignores that cores share memory and
//! power, and that nodes differ in cost.
//!
//! `cargo test --release --lib rounds_to_depth -- --ignored --nocapture` prints a line per number of workers: rounds,
//! the factor by which they are fewer, and the factor of the nodes.

use std::sync::{Condvar, Mutex, MutexGuard};

/// Nodes per turn.
const TURN: u64 = 64;

/// The order of turns.
pub(super) struct Lockstep {
    state: Mutex<State>,
    /// By seat, the condition on which its worker waits.
    seats: Vec<Condvar>,
}

struct State {
    at_work: Vec<bool>,
    turn: usize,
    rounds: u64,
}

/// A worker's place in the order of turns, released when dropped.
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

    /// Begins a pass for one worker and waits for its first turn; every worker must call this.
    pub fn take(&self, seat: usize) -> Seat<'_> {
        self.wait(seat, self.state.lock().unwrap());
        Seat { lockstep: self, seat }
    }

    /// Counts the nodes of a worker and waits if its turn is over; call it for every node.
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

    /// Gives the turn to the next worker. If none is left, the pass is over and all workers are reset for the next one.
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
