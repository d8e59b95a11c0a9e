//! Rules, notation, search and analysis for the board game [Tak](https://ustak.org/play-beautiful-game-tak/), on boards
//! from 3x3 to 8x8. The program of the same name is built from it; its README describes its use.
//!
//! | module | content |
//! | --- | --- |
//! | [`board`] | positions, moves and games by the rules |
//! | [`notation`] | moves, positions (TPS) and games (PTN) as text |
//! | [`engine`] | the engine: settings, limits, one search at a time |
//! | [`search`] | the answer of the engine: a report with lines, scores and chances |
//! | [`tei`] | TEI, the protocol of Tak engines, without streams and threads |
//! | `analysis::annotate` | comments on every move of a game |
//! | `draw` | diagrams of positions as SVG or PNG |
//! | `page` | the board in the browser without a server: files, questions and answers |
//!
//! Play by the rules:
//!
//! ```
//! use tak_engine::board::{AnyPosition, Game, Komi, Size};
//!
//! let mut game = Game::new(AnyPosition::start(Size::FIVE, Komi::ZERO));
//! assert_eq!(game.legal_moves().len(), 25);
//! game.play("a1".parse()?)?;
//! game.play("e5".parse()?)?;
//! assert_eq!(game.position().to_string(), "x4,1/x5/x5/x5/2,x4 1 2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Search a position:
//!
//! ```
//! use tak_engine::board::Game;
//! use tak_engine::engine::{Engine, Limits, Settings};
//!
//! let game = Game::new("x3/1,1,x/2,2,x 1 3".parse()?);
//! let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
//! let report = engine.analyse(&game, Limits::depth(3))?;
//! assert_eq!(report.best().unwrap().to_string(), "c2");
//! assert_eq!(report.lines[0].score.to_string(), "win in 1");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Read games:
//!
//! ```
//! use tak_engine::notation::parse_games;
//!
//! let text = "[Size \"5\"]\n1. a1 e5 2. c3 Cd3";
//! for game in parse_games(text) {
//!     assert_eq!(game?.game()?.moves().len(), 4);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The documented items of these modules are the interface. Until version 1.0 they may change with a minor version;
//! the [changelog] lists the changes. Modules that are not listed are hidden and may change at any time.
//!
//! # Features
//!
//! | feature | brings |
//! | --- | --- |
//! | `serve` (default) | the program with the board in the browser and TEI over WebSockets; includes `cli` and `page` |
//! | `cli` | the program without the board in the browser; includes annotated games and `draw` |
//! | `page` | the board in the browser without a server: its files, and answers to its questions as JSON; includes annotated games |
//! | `annotate` | annotated games and puzzles; values of the game in JSON |
//! | `draw` | board diagrams as SVG |
//! | `png` | board diagrams as PNG; includes `draw` |
//! | `full` | `serve` and `png` |
//! | `external-weights` | no built-in weights: the program installs those of a board size before their use, see [`engine::install_weights`] |
//! | `tuning` | search parameters as TEI options, for tuners only |
//!
//! Without any of them there are rules, notation, search, engine and TEI, and no crate of the command line. The default
//! features are those of the program, because `cargo install tak-engine` would not install it otherwise. A library
//! leaves them out and chooses:
//!
//! ```sh
//! cargo add tak-engine --no-default-features                      # rules, notation, engine, TEI
//! cargo add tak-engine --no-default-features --features draw      # the same with diagrams as SVG
//! cargo add tak-engine --no-default-features --features annotate  # with annotated games and puzzles, as JSON too
//! cargo add tak-engine --no-default-features --features page      # with the board in the browser
//! ```
//!
//! In `examples/` are programs to copy from: `play` is a game against the engine in the terminal, `analyse_ptn` analyses
//! the games of a file.

// The default program uses all parts. Without some of its commands, parts that they share with others are unused.
#![cfg_attr(not(all(feature = "serve", unix)), allow(dead_code, unused_imports))]

#[cfg(feature = "annotate")]
use tak_core::lines;
#[doc(inline)]
pub use tak_core::{board, engine, notation, search, tei};
// Hidden, but public for the tests that compare evaluations, and for the other programs of the workspace.
#[doc(hidden)]
pub use tak_core::{eval, weights};

#[cfg(feature = "annotate")]
pub mod analysis;
// Hidden, but public for tests, fuzz targets and the other programs of the workspace.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod arena;
#[cfg(all(feature = "cli", unix))]
mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "draw")]
pub mod draw;
#[cfg(feature = "annotate")]
#[doc(hidden)]
pub mod files;
#[cfg(all(feature = "annotate", feature = "draw"))]
mod html;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod journals;
#[cfg(feature = "cli")]
mod number;
#[cfg(feature = "cli")]
pub mod openings;
#[cfg(feature = "cli")]
mod ordered;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod shard;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod threads;

#[cfg(doc)]
#[doc = include_str!("../CHANGELOG.md")]
pub mod changelog {}
