//! The protocol: at the real binary, without a process, and as text.

#[cfg(all(feature = "cli", target_os = "linux"))]
mod limits;
mod ponder;
#[cfg(feature = "cli")]
mod session;
#[cfg(feature = "cli")]
mod streams;
mod text;
