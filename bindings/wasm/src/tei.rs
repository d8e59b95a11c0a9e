//! TEI: a line in, lines out.

use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;

use tak_engine::engine::{Engine, Settings, has_weights};
use tak_engine::search::Report;
use tak_engine::tei::conversation::{Action, Conversation};
use wasm_bindgen::prelude::*;

use crate::PERMISSIONS;
use crate::host::{STOP, clock, expect, say};

/// An engine that speaks TEI. Each message that it says is one line, or all lines of a report.
#[wasm_bindgen]
pub struct Tei {
    engine: Engine,
    conversation: Conversation,
    actions: VecDeque<Action>,
    /// True after `quit`.
    is_over: bool,
}

#[wasm_bindgen]
impl Tei {
    /// The beginning of a conversation.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let engine = Engine::with_time(Settings::default(), clock());
        let conversation = Conversation::new(PERMISSIONS, engine.time().clone());
        Self { engine, conversation, actions: VecDeque::new(), is_over: false }
    }

    /// Takes a line, which [`Tei::proceed`] obeys.
    pub fn line(&mut self, text: &str) {
        self.actions.extend(self.conversation.line(text));
    }

    /// Returns whether the conversation has ended.
    #[wasm_bindgen(getter, js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Does what is to be done: a search is run to its end. A search that lacks the weights of a board size waits: this
    /// returns the size, and is to be called again when they are installed.
    pub fn proceed(&mut self) -> Option<usize> {
        while let Some(action) = self.actions.pop_front() {
            match action {
                Action::Say(message) => say(&message),
                Action::Set(settings) => self.engine.set(settings),
                Action::Prepare(settings) => {
                    self.engine.set(settings);
                    self.actions.extend(self.conversation.prepared(self.engine.prepare()));
                }
                Action::Clear => {
                    self.engine.clear();
                    expect(self.conversation.size());
                }
                Action::ClearHash => self.engine.clear_findings(),
                Action::Start(search) => {
                    let size = self.conversation.size();
                    if !has_weights(size) {
                        self.actions.push_front(Action::Start(search));
                        return Some(size.width());
                    }
                    STOP.store(false, Relaxed);
                    let Self { engine, conversation, .. } = self;
                    let observer = |report: &Report| {
                        for action in conversation.report(report.clone()) {
                            // Nothing else is to be done for a report.
                            if let Action::Say(message) = action {
                                say(&message);
                            }
                        }
                    };
                    let finished = search.run(engine, &STOP, observer);
                    self.actions.extend(self.conversation.finished(finished));
                }
                // No search runs while a line is obeyed.
                Action::Stop => {}
                Action::Quit => self.is_over = true,
            }
        }
        None
    }
}
