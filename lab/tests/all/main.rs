//! `tak-lab` as a developer runs it.

mod damage;
mod experiments;
mod fits;
mod games;
mod openings;
mod pages;
mod sequential;
mod spsa;
mod stopping;
mod support;
