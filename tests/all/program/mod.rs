//! What a user runs in the shell, and the pages that are written.

#![cfg(feature = "cli")]

mod analyse;
mod annotate;
mod draw;
mod manual;
mod only_moves;
mod review;
#[cfg(unix)]
mod spsa;
