//! What a user runs in the shell, and the pages that are written.

#![cfg(feature = "cli")]

mod analyse;
mod annotate;
mod draw;
mod lacking;
mod manual;
mod only_moves;
#[cfg(unix)]
mod outputs;
mod review;
mod review_page;
#[cfg(unix)]
mod spsa;
#[cfg(unix)]
mod stopping;
