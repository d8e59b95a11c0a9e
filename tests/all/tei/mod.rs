//! The protocol, at the real binary and as text.

#[cfg(all(feature = "cli", target_os = "linux"))]
mod limits;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod ponder;
#[cfg(feature = "cli")]
mod session;
#[cfg(feature = "cli")]
mod streams;
mod text;
