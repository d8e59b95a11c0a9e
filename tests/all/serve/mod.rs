//! The board in the browser and its server, through the real program.

#![cfg(all(feature = "serve", target_os = "linux"))]

mod browser;
mod browsing;
mod dialogs;
mod ends;
mod games;
mod hands;
mod hostile;
mod layout;
mod moving;
mod ninja;
mod page;
mod server;
mod serving;
mod slips;
mod tabs;
