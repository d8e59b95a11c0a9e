//! The board in the browser and its server, through the real program.

#![cfg(all(feature = "serve", target_os = "linux"))]

mod hostile;
mod page;
mod second;
mod server;

use crate::support::serving;
