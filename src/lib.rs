#![doc = include_str!("../README.md")]

#[cfg(feature = "arena")]
pub mod arena;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod engine;
pub mod eval;
#[cfg(feature = "arena")]
mod html;
pub mod notation;
pub mod search;
mod system;
pub mod tei;
#[cfg(feature = "training")]
pub mod training;
pub mod weights;
