//! `tak-lab` as a developer runs it.

mod damage;
mod fits;
mod games;
mod openings;
mod pages;
mod spsa;
mod stopping;
mod support;
