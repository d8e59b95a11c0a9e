//! The pages in a real browser. These tests have a runner of their own, because that of Rust cannot ignore a test at run
//! time: without a browser they are counted as ignored, with the reason.

// Each test program uses a part of what they share.
#[allow(dead_code)]
#[path = "../all/cases.rs"]
mod cases;
#[allow(dead_code)]
#[path = "../all/common.rs"]
mod common;
#[path = "../all/playout.rs"]
mod playout;

#[cfg(target_os = "linux")]
mod pages;

#[cfg(target_os = "linux")]
fn main() -> std::process::ExitCode {
    pages::main()
}

#[cfg(not(target_os = "linux"))]
fn main() {}
