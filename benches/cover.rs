//! Every engine of exact cover on every problem it can solve, to the last solution; and every count is checked.
//!
//! Problems: those of `galop make` whose counts are known. Throughput is in solutions. What takes an engine more than
//! [`MOST_NODES`] nodes it leaves off there, and the figure is that of the nodes. One engine or problem alone:
//! `cargo bench --bench cover -- 'planes/'`.
//!
//! The two that take seconds are counted once, without a figure: `cargo bench --bench cover -- --test` checks all.

use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop::cover::models::model;
use galop::cover::{Choice, ENGINES, End, ExactCover, Limits, Solver};

/// About a second of the slower engines.
const MOST_NODES: u64 = 3_000_000;

/// Problems, in the words of `galop make`, and how many solutions each has. (Where from, `tests/models.rs` tells.)
const KNOWN: [(&str, u128); 21] = [
    ("queens 8", 92),
    ("queens 12", 14_200),
    ("queens 13", 73_712),
    ("queens 14", 365_596),
    ("langford 8", 300),
    ("langford 12", 216_288),
    ("pentominoes 3x20", 8),
    ("pentominoes 4x15", 1_472),
    ("pentominoes 5x12", 4_040),
    ("pentominoes 6x10", 9_356),
    ("pentominoes 8x8", 520),
    ("pentominoes 2x5x6", 2_112),
    ("soma", 11_520),
    ("dominoes 8x8", 12_988_816),
    ("matching 14", 135_135),
    ("latin 5", 161_280),
    ("macmahon", 106_624),
    ("queen-domination 5 3", 186),
    ("queen-domination 8 5", 4_860),
    ("mixed 6x4 6", 2_498),
    ("mixed 6x5 6", 18_245),
];

/// The same where it takes long.
const LONG: [(&str, u128); 2] = [("macmahon", 106_624), ("langford 15", 79_619_280)];

fn make(words: &str) -> ExactCover {
    let words: Vec<&str> = words.split(' ').collect();
    let entry = model(words[0]).expect("a row of MODELS");
    (entry.make)(&words[1..]).expect("arguments that it takes")
}

fn engines(criterion: &mut Criterion) {
    let limits = Limits { nodes: MOST_NODES, ..Limits::NONE };
    for (words, solutions) in KNOWN {
        let problem = make(words);
        for entry in ENGINES {
            let Ok(mut solver) = Solver::new(&problem, Choice::Entry(entry)) else { continue };
            let Ok(outcome) = solver.count(&limits) else { continue };
            let (work, unit) = match outcome.end {
                End::Complete => (outcome.solutions as u64, ""),
                _ => (outcome.nodes, " (nodes)"),
            };
            assert!(outcome.end != End::Complete || outcome.solutions == solutions, "{words}: {outcome:?}");
            let mut group = criterion.benchmark_group(format!("{}/{words}{unit}", entry.name));
            group.throughput(Throughput::Elements(work));
            group.sample_size(10);
            group.warm_up_time(Duration::from_millis(200));
            group.measurement_time(Duration::from_secs(1));
            group.bench_function("count", |bench| bench.iter(|| solver.count(&limits).is_ok()));
            group.finish();
        }
    }
}

/// Counts once, with the engine that is chosen, what takes long.
fn long_counts(_: &mut Criterion) {
    for (words, solutions) in LONG {
        let problem = make(words);
        let mut solver = Solver::new(&problem, Choice::Auto).expect("auto takes any problem");
        solver.set_threads(0).expect("threads");
        let outcome = solver.count(&Limits::NONE).expect("solutions that are right");
        assert_eq!((outcome.solutions, outcome.end), (solutions, End::Complete), "{words}");
        println!("{words}: {solutions} solutions, as it should be");
    }
}

criterion_group!(benches, engines, long_counts);
criterion_main!(benches);
