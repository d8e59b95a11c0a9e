//! The static evaluation of positions that a search visits. Criterion reports evaluations per second ("elem/s").

#![allow(missing_docs)] // criterion's macros make a public function without any

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tak_engine::board::Position;
use tak_engine::eval::{evaluate, evaluator};

/// An open middle game and a late one with walls and stacks, each for 5x5 and 6x6.
const POSITIONS_5: [&str; 2] = [
    "x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6",
    "2S,x,1,1,1/x,222,12112C,2,x/x,1,1,2,x/x2,1,21C,x/2,2,2,1,x 1 18",
];
const POSITIONS_6: [&str; 2] = [
    "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9",
    "122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62",
];

fn time<const N: usize>(criterion: &mut Criterion, texts: &[&str]) {
    let evaluator = evaluator(Position::<N>::SIZE);
    let mut group = criterion.benchmark_group(format!("{N}x{N}"));
    for (name, text) in ["middle game", "end"].iter().zip(texts) {
        let position: Position<N> = text.parse().unwrap();
        group.throughput(Throughput::Elements(1));
        group.bench_function(*name, |b| {
            b.iter(|| evaluate(black_box(&position), evaluator));
        });
    }
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    time::<5>(criterion, &POSITIONS_5);
    time::<6>(criterion, &POSITIONS_6);
}

criterion_group!(evaluation, benches);
criterion_main!(evaluation);
