// The links of the pages lead to files in the repository; here they lead to modules, since the first of two definitions
// counts.
#![doc = include_str!("links.md")]
#![doc = include_str!("../README.md")]

//!
//! # Features
//!
//! | feature | brings |
//! | --- | --- |
//! | `serve` (default) | the program with the board in the browser and TEI over WebSockets; includes `cli` and `page` |
//! | `cli` | the program without the board in the browser; includes annotated games and `draw` |
//! | `page` | the board in the browser without a server: its files, and answers to its questions as JSON; includes annotated games |
//! | `draw` | board diagrams as SVG |
//! | `png` | board diagrams as PNG; includes `draw` |
//! | `playtak` | the bot on playtak.com; includes `cli`; needs a C compiler |
//! | `full` | `serve`, `png` and `playtak` |
//! | `tuning` | search parameters as TEI options and `tune --spsa`, for tuners only |
//!
//! Without any of them there are rules, notation, search, engine and the text of TEI, and no crate of the command line.

// Unit tests share helpers with the tests outside, which know the crate by its name.
#[cfg(test)]
extern crate self as tak_engine;

#[cfg(feature = "annotate")]
pub mod analysis;
// Nothing in it is promised: tests and fuzz targets use it.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod arena;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(any(doc, doctest))]
pub mod docs {
    //! The pages that come with the program.

    macro_rules! page {
        ($name:ident, $file:literal) => {
            #[doc = include_str!("links.md")]
            #[doc = include_str!($file)]
            pub mod $name {}
        };
    }

    page!(analyse, "../docs/analyse.md");
    page!(annotate, "../docs/annotate.md");
    page!(architecture, "../docs/architecture.md");
    page!(benchmarks, "../docs/lab/benchmarks.md");
    page!(changelog, "../CHANGELOG.md");
    page!(clients, "../docs/clients.md");
    page!(clock, "../docs/clock.md");
    page!(contributing, "../docs/CONTRIBUTING.md");
    page!(diagrams, "../docs/diagrams.md");
    page!(experiments, "../docs/lab/experiments.md");
    page!(fuzzing, "../docs/fuzzing.md");
    page!(json, "../docs/json.md");
    page!(lab, "../docs/lab/README.md");
    page!(notation, "../docs/notation.md");
    page!(playtak, "../docs/playtak.md");
    page!(puzzles, "../docs/puzzles.md");
    page!(rules, "../docs/rules.md");
    page!(serve, "../docs/serve.md");
    page!(small, "../docs/small-boards.md");
    page!(solving, "../docs/solving.md");
    page!(speed, "../docs/speed.md");
    page!(strength, "../docs/strength.md");
    page!(tei, "../docs/tei.md");
    page!(tournaments, "../docs/tournaments.md");
    page!(training, "../docs/training.md");
    page!(web, "../docs/web.md");
}
#[cfg(feature = "draw")]
pub mod draw;
pub mod engine;
pub mod eval;
mod files;
pub mod notation;
#[cfg(feature = "page")]
pub mod page;
#[cfg(feature = "playtak")]
mod playtak;
#[cfg(feature = "cli")]
mod report;
pub mod search;
#[cfg(feature = "serve")]
mod serve;
pub mod tei;
#[cfg(feature = "cli")]
pub mod training;
pub mod weights;
