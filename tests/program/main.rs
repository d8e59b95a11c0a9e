//! What a user runs in the shell, and the pages that are written.

#![cfg(feature = "cli")]

mod analyse;
mod annotate;
#[path = "../chromium/mod.rs"]
mod chromium;
mod draw;
#[path = "../folder/mod.rs"]
mod folder;
mod manual;
mod only_moves;
#[path = "../playout/mod.rs"]
mod playout;
mod review;
#[cfg(unix)]
mod spsa;
