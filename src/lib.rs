#![doc = include_str!("../README.md")]

pub mod arena;
pub mod board;
pub mod cli;
pub mod engine;
pub mod eval;
mod html;
pub mod notation;
pub mod search;
mod system;
pub mod tei;
pub mod training;
