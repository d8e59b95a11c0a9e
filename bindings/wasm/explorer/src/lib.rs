//! The explorer of a page, for a worker: a collection of games and the counts of a position in it.

use tak_engine::page::{self, Question};
use wasm_bindgen::prelude::*;

/// The most bytes of a collection. A module has memory for several such, and the browser's limits are not known.
const MAX_COLLECTION_BYTES: u64 = 256_000_000;

/// A collection and its questions, as JSON.
#[wasm_bindgen]
pub struct Explorer(page::Explorer);

#[wasm_bindgen]
impl Explorer {
    /// An explorer without games.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "nothing of it is called from Rust")]
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self(page::Explorer::new(MAX_COLLECTION_BYTES))
    }

    /// Answers a question; nothing if the text is none.
    pub fn answer(&mut self, question: &str) -> Option<String> {
        Question::read(question).map(|question| self.0.answer(question))
    }
}
