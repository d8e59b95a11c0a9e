//! The protocol as text, and without a process.

mod ponder;
mod text;
