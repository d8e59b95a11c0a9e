//! Commands that a user runs in the shell, and the pages that are written.

#![cfg(feature = "cli")]

mod analyse;
mod annotate;
mod annotate_runs;
mod draw;
mod forced;
mod inputs;
mod lacking;
mod manual;
mod only_moves;
#[cfg(unix)]
mod outputs;
mod perft;
#[cfg(unix)]
mod refused;
mod replay;
mod review;
#[cfg(unix)]
mod stopping;
