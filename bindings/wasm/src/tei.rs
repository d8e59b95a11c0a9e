//! TEI: a line in, lines out.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

use tak_engine::engine::{Engine, Settings};
use tak_engine::search::Report;
use tak_engine::tei::conversation::{Action, Conversation};
use wasm_bindgen::prelude::*;

use crate::PERMISSIONS;
use crate::host::{STOP, clock, say};

/// An engine that speaks TEI. Each message that it says is one line, or all lines of a report.
#[wasm_bindgen]
pub struct Tei {
    engine: Engine,
    conversation: Conversation,
}

#[wasm_bindgen]
impl Tei {
    /// The beginning of a conversation.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let engine = Engine::with_time(Settings::default(), clock());
        let conversation = Conversation::new(PERMISSIONS, engine.time().clone());
        Self { engine, conversation }
    }

    /// Obeys a line: a search is run to its end. False after `quit`.
    pub fn line(&mut self, text: &str) -> bool {
        let mut actions = VecDeque::from(self.conversation.line(text));
        while let Some(action) = actions.pop_front() {
            match action {
                Action::Say(message) => say(&message),
                Action::Set(settings) => self.engine.set(settings),
                Action::Prepare(settings) => {
                    self.engine.set(settings);
                    actions.extend(self.conversation.prepared(self.engine.prepare()));
                }
                Action::Clear => self.engine.clear(),
                Action::Start(search) => {
                    STOP.store(false, Relaxed);
                    let Self { engine, conversation } = self;
                    let observer = |report: &Report| {
                        for action in conversation.report(report.clone()) {
                            // Nothing else is to be done for a report.
                            if let Action::Say(message) = action {
                                say(&message);
                            }
                        }
                    };
                    let finished = search.run(engine, &STOP, observer);
                    actions.extend(self.conversation.finished(finished));
                }
                // No search runs while a line is obeyed.
                Action::Stop => {}
                Action::Quit => return false,
            }
        }
        true
    }
}
