//! TEI without a process, threads and waiting: a [`Conversation`] with an engine whose clock depends on the search
//! alone.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::dialogue::Dialogue;
use crate::engine::{Engine, Permissions, Settings, TimeSource};
use crate::tei::conversation::{Action, Conversation, Search};

/// A front end and its engine.
pub struct Local {
    engine: Engine,
    conversation: Conversation,
    /// Started and not run yet.
    search: Option<Search>,
    /// Replies not read yet.
    lines: VecDeque<String>,
}

impl Local {
    /// An engine with a small table.
    pub fn start() -> Self {
        // A millisecond passes at every look.
        let looks = AtomicU64::new(0);
        let time = TimeSource::new(move || Duration::from_millis(looks.fetch_add(1, Relaxed)));
        let mut local = Self {
            conversation: Conversation::new(Permissions::default(), time.clone()),
            engine: Engine::with_time(Settings::default(), time),
            search: None,
            lines: VecDeque::new(),
        };
        local.send("setoption name Hash value 1");
        local
    }

    fn carry_out(&mut self, actions: Vec<Action>) {
        for action in actions {
            match action {
                Action::Say(message) => self.lines.extend(message.lines().map(str::to_owned)),
                Action::Set(settings) => self.engine.set(settings),
                Action::Prepare(settings) => {
                    self.engine.set(settings);
                    let actions = self.conversation.prepared(self.engine.prepare());
                    self.carry_out(actions);
                }
                Action::Clear => self.engine.clear(),
                Action::ClearHash => self.engine.clear_findings(),
                Action::Start(search) => assert!(self.search.replace(search).is_none(), "two searches at once"),
                Action::Stop => self.search_until(0, &[]),
                Action::Quit => {}
            }
        }
    }

    /// Runs the search. `lines` come when it has completed this depth; they stop it if they need to, depth 0 does at
    /// once.
    pub fn search_until(&mut self, depth: u32, lines: &[&str]) {
        let search = self.search.take().expect("a search was started");
        let stop = AtomicBool::new(depth == 0);
        let mut lines = lines.iter();
        let mut actions = Vec::new();
        let finished = search.run(&mut self.engine, &stop, |report| {
            actions.extend(self.conversation.report(report.clone()));
            if report.depth >= depth {
                actions.extend(lines.by_ref().flat_map(|line| self.conversation.line(line)));
            }
            let is_stop = |action: &Action| matches!(action, Action::Stop);
            stop.fetch_or(actions.extract_if(.., |action| is_stop(action)).count() > 0, Relaxed);
        });
        actions.extend(self.conversation.finished(finished));
        self.carry_out(actions);
    }

    /// Returns whether a search waits to be run.
    pub fn is_searching(&self) -> bool {
        self.search.is_some()
    }

    /// All replies so far.
    pub fn replies(&mut self) -> Vec<String> {
        self.lines.drain(..).collect()
    }
}

impl Dialogue for Local {
    /// A search that it starts waits until it is stopped, or until its replies are read.
    fn send(&mut self, line: &str) {
        let actions = self.conversation.line(line);
        self.carry_out(actions);
    }

    /// The search is run if it is needed.
    fn until(&mut self, start: &str) -> Vec<String> {
        if !self.lines.iter().any(|line| line.starts_with(start)) {
            self.search_until(u32::MAX, &[]);
        }
        let place = self.lines.iter().position(|line| line.starts_with(start));
        let end = place.unwrap_or_else(|| panic!("no {start} in {:?}", self.lines));
        self.lines.drain(..=end).collect()
    }
}
