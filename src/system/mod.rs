//! What the operating system gives, which may be less than was asked for: memory, threads, cores.

// The library alone needs only a part of it.
#![cfg_attr(not(feature = "cli"), allow(dead_code))]

#[cfg(all(feature = "cli", unix))]
pub(crate) mod cores;
pub(crate) mod memory;
pub(crate) mod pages;
pub(crate) mod threads;
