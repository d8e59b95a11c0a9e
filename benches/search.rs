//! Searches of a fixed number of nodes on one thread, from an empty table. Criterion reports nodes per second
//! ("elem/s").

#![allow(missing_docs)] // criterion's macros make a public function without any

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::engine::{Engine, Limits, Settings};

const NODES: u64 = 100_000;

/// Middle games whose result is not found within this number of nodes.
const POSITIONS: [(&str, &str); 4] = [
    ("5x5", "x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6"),
    ("6x6", "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9"),
    (
        "6x6, late",
        "122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62",
    ),
    ("7x7", "x7/x7/x2,1,x,2,x2/x3,1C,x3/x2,2,2C,1,x2/x7/2,x5,1 1 5"),
];

fn search(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, tps) in POSITIONS {
        let game = Game::new(tps.parse::<AnyPosition>().unwrap());
        let search = |engine: &mut Engine| {
            let report = engine.analyse(&game, Limits::nodes(NODES)).unwrap();
            assert_eq!(report.nodes, NODES, "{name}");
            report
        };
        let fresh = || {
            let settings = Settings { threads: 1, ..Settings::default() };
            let mut engine = Engine::new(settings);
            engine.prepare().unwrap();
            engine
        };
        group.bench_function(name, |b| {
            b.iter_batched_ref(fresh, search, BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
