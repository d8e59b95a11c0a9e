//! The board in the browser and its server, through the real program.

#![cfg(all(feature = "serve", target_os = "linux"))]

mod browsing;
#[path = "../chromium/mod.rs"]
mod chromium;
#[path = "../common/mod.rs"]
mod common;
mod games;
mod hands;
mod hostile;
mod moving;
mod ninja;
mod page;
mod server;
mod serving;
mod slips;
