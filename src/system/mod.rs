//! What the operating system gives, which may be less than was asked for: memory, threads, files.

pub(crate) mod files;
pub(crate) mod memory;
pub(crate) mod threads;
