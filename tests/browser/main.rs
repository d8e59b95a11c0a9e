//! The pages in a real browser. These tests have their own runner, because Rust's cannot ignore a test at run time:
//! without a browser they are counted as ignored, with the reason.

#[cfg(target_os = "linux")]
#[path = "../all/support/mod.rs"]
mod support;

#[cfg(target_os = "linux")]
use support::common;
#[cfg(target_os = "linux")]
use tak_core::testing::{cases, playout};

#[cfg(target_os = "linux")]
mod pages;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    pages::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
