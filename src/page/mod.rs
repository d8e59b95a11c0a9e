//! The board in the browser, without a server: the files of the page, and the answers to its questions as JSON text.
//!
//! A [`Question`] says who answers it: [`answer`](answer()), at once or with a [`Task`] that [`think`](think()) runs on an
//! engine, or an [`Explorer`].
//! No thread, socket or clock is used here, so the same page can run on a server or in the browser alone. Nothing is
//! remembered between questions, except the collection of an [`Explorer`] and the file that it lists.
//!
//! The rules are never copied: `record` plays the game that the page sends, `view` describes a position with its legal
//! moves, `words` puts both into words. `notation` reads and writes PTN and TPS, `search_view` describes
//! the progress of a search and `annotation` an annotated game. `defend` plays the other side of a puzzle, and `print`
//! makes the report about an annotated game. `listed` tells what a library needs to know of the games of a file,
//! `picture` draws a position, and `explain` says why moves are good or bad. `consult` describes what a second engine
//! says.

mod annotation;
mod answer;
mod assets;
#[cfg(feature = "serve")]
mod consult;
mod defend;
mod explain;
mod explorer;
mod lines;
mod listed;
mod notation;
#[cfg(feature = "draw")]
mod picture;
#[cfg(feature = "draw")]
mod print;
mod question;
mod record;
mod search_view;
mod think;
mod view;
mod words;

pub use answer::{Response, Task, answer, hello};
pub use assets::{File, file};
#[cfg(feature = "serve")]
pub use consult::{Aim, Consultation, Findings};
pub use explorer::Explorer;
pub use question::{Question, Worker};
pub use think::think;
