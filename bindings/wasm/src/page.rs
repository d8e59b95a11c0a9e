//! The questions of a page, as JSON.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use tak_engine::engine::{Engine, Settings, has_weights};
use tak_engine::page::{self, Question, Response, Task};
use wasm_bindgen::prelude::*;

use crate::MAX_HASH_MIB;
use crate::host::{STOP, clock, say};

/// An engine that answers the questions of a page.
#[wasm_bindgen]
pub struct Page {
    engine: Engine,
    /// A question that takes the engine.
    task: Option<Task>,
}

#[wasm_bindgen]
impl Page {
    /// An engine with a table of this size in MiB, or, with 0, one for questions that need no search.
    ///
    /// # Errors
    /// A sentence if the size is refused.
    #[wasm_bindgen(constructor)]
    pub fn new(hash_mib: u32) -> Result<Self, String> {
        if hash_mib > MAX_HASH_MIB {
            return Err(format!("invalid size of the table {hash_mib}: expected 1 to {MAX_HASH_MIB} MiB"));
        }
        let settings = Settings { hash_mib: hash_mib as usize, ..Settings::default() };
        let mut engine = Engine::with_time(settings, clock());
        if hash_mib > 0 {
            engine.prepare().map_err(|error| error.to_string())?;
        }
        Ok(Self { engine, task: None })
    }

    /// Says the answer to a question, or takes it for [`Page::proceed`]. False without a question.
    pub fn ask(&mut self, question: &str) -> bool {
        let Some(question) = Question::read(question) else {
            return false;
        };
        match page::answer(question) {
            Response::Answer(text) => say(&text),
            Response::Task(task) => self.task = Some(task),
            // No task runs while a question is answered.
            Response::Stop => {}
        }
        true
    }

    /// Runs the search or annotation that was asked for to its end, and says the answers. One that lacks the weights of a
    /// board size waits: this returns the size, and is to be called again when they are installed.
    pub fn proceed(&mut self) -> Option<usize> {
        let task = self.task.take()?;
        if let Some(size) = task.size().filter(|&size| !has_weights(size)) {
            self.task = Some(task);
            return Some(size.width());
        }
        STOP.store(false, Relaxed);
        page::think(&task, &mut self.engine, Duration::ZERO, &STOP, &|text| say(&text));
        None
    }
}

/// The first message to a page: boards, komi, levels, limits and questions.
#[wasm_bindgen]
pub fn hello() -> String {
    page::hello(None)
}
