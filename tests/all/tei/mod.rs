//! The protocol, at the real binary and without a process.

#![cfg(feature = "cli")]

#[cfg(target_os = "linux")]
mod limits;
mod session;
mod streams;
