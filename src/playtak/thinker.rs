//! The engine in a thread of its own, which answers one question after the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

use super::bot::Question;
use crate::engine::{Engine, HashError, Settings};
use crate::search::Report;

enum Order {
    NewGame,
    Think {
        question: Box<Question>,
        asked: Instant,
        stop: Arc<AtomicBool>,
    },
}

/// The way to the engine. Its thread ends when this does.
pub(super) struct Thinker {
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
}

impl Thinker {
    /// Sets the engine to work; its answers go to `tell`.
    pub fn start(
        mut engine: Engine,
        tell: impl Fn(u64, Result<Report, HashError>) + Send + 'static,
    ) -> Self {
        let (orders, received) = channel();
        thread::spawn(move || {
            for order in received {
                match order {
                    Order::NewGame => engine.clear(),
                    Order::Think {
                        question,
                        asked,
                        stop,
                    } => {
                        engine.set(Settings {
                            level: question.level,
                            seed: question.seed,
                            ..engine.settings().clone()
                        });
                        let analysis = engine.analysis(&question.game).limits(question.limits);
                        let report = analysis.waited(asked.elapsed()).stop(&stop).run();
                        tell(question.number, report);
                    }
                }
            }
        });
        Self {
            orders,
            stop: Arc::default(),
        }
    }

    /// Forgets the last game.
    pub fn new_game(&self) {
        // If the thread has panicked there is nobody to tell.
        let _ = self.orders.send(Order::NewGame);
    }

    /// Asks for a move. What is still being thought about is answered soon.
    pub fn think(&mut self, question: Box<Question>) {
        self.stop();
        self.stop = Arc::default();
        let _ = self.orders.send(Order::Think {
            question,
            asked: Instant::now(),
            stop: Arc::clone(&self.stop),
        });
    }

    /// Ends the search in progress.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }
}
