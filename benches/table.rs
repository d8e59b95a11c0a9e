//! The transposition table: storing and probing from one thread and from two at once, in a table that fits into no
//! cache. Criterion reports operations per second of all threads together ("elem/s").

#![allow(missing_docs)] // criterion's macros make a public function without any

use std::hint::black_box;
use std::thread;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tak_engine::search::{Bound, Entry, Score, Table};

/// Size of the table in MiB: more than the caches of most processors, less than the machines of most people.
const MIB: usize = 256;

/// Operations of each thread between two readings of the clock, enough to make the start of threads negligible.
const BATCH: usize = 1_000_000;

fn entry(depth: i32) -> Entry {
    Entry {
        mv: None,
        score: Score::centiflats(50),
        evaluation: Score::centiflats(-20),
        depth,
        bound: Some(Bound::Lower),
    }
}

fn store(table: &Table, hashes: &[u64]) {
    for (index, &hash) in hashes.iter().enumerate() {
        table.store(hash, entry(index as i32 % 20));
    }
}

fn probe(table: &Table, hashes: &[u64]) -> usize {
    let found = hashes.iter().filter(|&&hash| table.probe(hash).is_some());
    found.count()
}

fn table(criterion: &mut Criterion) {
    let mut table = Table::new(MIB).expect("there is memory for it");
    table.next_search();
    // Each thread has separate hashes, as many as the table has slots, so that few are probed twice in a row.
    let places = MIB * (1 << 20) / 16;
    let hashes = [1, 2].map(|seed| {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let hashes = (0..places / 2).map(|_| random.random());
        hashes.collect::<Vec<u64>>()
    });
    for hashes in &hashes {
        store(&table, hashes);
    }

    let mut group = criterion.benchmark_group("table");
    group.sample_size(10);
    for threads in 1..=hashes.len() {
        group.throughput(Throughput::Elements((threads * BATCH) as u64));
        let mut at_once = |name: &str, work: &(dyn Fn(&[u64]) + Sync)| {
            let mut batches = hashes.each_ref().map(|hashes| hashes.chunks_exact(BATCH).cycle());
            group.bench_function(format!("{name}, threads: {threads}"), |b| {
                b.iter(|| {
                    thread::scope(|scope| {
                        for batches in &mut batches[..threads] {
                            let batch = batches.next().expect("they go round");
                            scope.spawn(move || work(batch));
                        }
                    });
                });
            });
        };
        at_once("probe", &|batch| {
            black_box(probe(&table, batch));
        });
        at_once("store", &|batch| store(&table, batch));
    }
    group.finish();
}

criterion_group!(benches, table);
criterion_main!(benches);
