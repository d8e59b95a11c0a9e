//! Perft against fast-tak's on the same positions in the same run, both bulk counted on one thread.
//!
//! Criterion reports nodes per second ("elem/s"), so the ratio can be read off. Neither position has games that end
//! early within these depths, hence the different rules for those (here they add nothing, there 1) give one count.

#![allow(missing_docs)] // criterion's macros make a public function without any

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fast_tak::perf_count;
use fast_tak::takparse::Tps;
use tak_engine::board::Position;

/// An open midgame position: mostly placements.
const P: &str = "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9";
/// A late one with walls and stacks: mostly spreads.
const Q: &str =
    "122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62";

fn compare(criterion: &mut Criterion, name: &str, tps: &str, depth: u32, nodes: u64) {
    let ours: Position<6> = tps.parse().unwrap();
    let theirs: fast_tak::Game<6, 0> = tps.parse::<Tps>().unwrap().into();
    assert_eq!(ours.clone().perft(depth), nodes);
    assert_eq!(perf_count(&theirs, depth as usize) as u64, nodes);

    let mut group = criterion.benchmark_group(name);
    group.sample_size(10).throughput(Throughput::Elements(nodes));
    let mut position = ours;
    group.bench_function("tak-engine", |b| {
        b.iter(|| black_box(&mut position).perft(depth));
    });
    group.bench_function("fast-tak", |b| {
        b.iter(|| perf_count(black_box(&theirs), depth as usize));
    });
    group.finish();
}

fn perft(criterion: &mut Criterion) {
    compare(criterion, "P", P, 4, 16_224_762);
    compare(criterion, "Q", Q, 4, 18_782_788);
}

criterion_group!(benches, perft);
criterion_main!(benches);
