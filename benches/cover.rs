//! Every engine of exact cover on every problem it can solve, to the last solution, and every number checked.
//!
//! The problems and their numbers of solutions are those of the literature; see [`ORACLES`]. Throughput is in
//! solutions. `auto` finds them all (it takes minutes for `langford 15`); what takes another engine more than
//! [`MOST_NODES`] nodes it leaves off there, and the figure is that of the nodes. One engine or problem alone:
//! `cargo bench --bench cover -- 'planes/'`, `-- 'queens 14'`. Each problem once, only to check the numbers:
//! `cargo bench --bench cover -- --test auto/`.

use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use criterion::{SamplingMode, measurement::WallTime};
use galop_cover::engine::ENGINES;
use galop_cover::models::model;
use galop_cover::{Choice, CoverLimits, End, ExactCover, Solver};

/// About a second of the slower engines.
const MOST_NODES: u64 = 3_000_000;

/// A model, its arguments, and how many solutions there are, no symmetry removed: OEIS A000170 (queens), A014552
/// doubled (Langford), Knuth's and Haselgrove's counts of pentominoes, MacMahon's squares with a border of one colour.
const ORACLES: &[(&str, &str, u64)] = &[
    ("queens", "8", 92),
    ("queens", "12", 14_200),
    ("queens", "13", 73_712),
    ("queens", "14", 365_596),
    ("queens", "15", 2_279_184),
    ("langford", "8", 300),
    ("langford", "12", 216_288),
    ("langford", "15", 79_619_280),
    ("pentominoes", "3x20", 8),
    ("pentominoes", "4x15", 1_472),
    ("pentominoes", "5x12", 4_040),
    ("pentominoes", "6x10", 9_356),
    ("pentominoes", "8x8", 520),
    ("pentominoes", "2x5x6", 2_112),
    ("soma", "", 11_520),
    ("dominoes", "8x8", 12_988_816),
    ("matching", "14", 135_135),
    ("latin", "5", 161_280),
    ("macmahon", "", 106_624),
    ("queen-domination", "8 5", 4_860),
    ("mixed", "5x6 6", 18_245),
];

fn engines(criterion: &mut Criterion) {
    for &(name, arguments, count) in ORACLES {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let made = model(name).and_then(|model| (model.make)(&words).ok());
        let Some(problem) = made else { panic!("there is no {name} {arguments}") };
        let title = format!("{name} {arguments}");
        all(criterion, title.trim_end(), &problem, count);
        for entry in ENGINES {
            let choice = Choice::Engine(entry);
            some(criterion, &format!("{}/{}", entry.name, title.trim_end()), &problem, choice, count);
        }
    }
}

/// Everything that `auto` does, the engine built anew each time.
fn all(criterion: &mut Criterion, title: &str, problem: &ExactCover, count: u64) {
    let mut group = group(criterion, &format!("auto/{title}"), count);
    group.bench_function("count", |bench| {
        bench.iter(|| {
            let solver = Solver::new(problem, Choice::Auto);
            let counted =
                solver.and_then(|mut solver| Ok(solver.count(&CoverLimits::NONE)?.solutions.to_u128()));
            assert_eq!(counted.ok().flatten(), Some(u128::from(count)), "{title}");
        });
    });
    group.finish();
}

/// One engine, built once, to the end or to so many nodes.
fn some(criterion: &mut Criterion, title: &str, problem: &ExactCover, choice: Choice, count: u64) {
    let limits = CoverLimits { nodes: Some(MOST_NODES), ..CoverLimits::NONE };
    let Ok(mut solver) = Solver::new(problem, choice) else { return };
    let Ok(outcome) = solver.count(&limits) else { panic!("{title}: a solution is none") };
    let is_complete = outcome.end == End::Complete;
    assert!(!is_complete || outcome.solutions == u128::from(count), "{title}: {}", outcome.solutions);
    let mut group = match is_complete {
        true => group(criterion, title, count),
        false => group(criterion, &format!("{title} (nodes)"), outcome.nodes),
    };
    group.bench_function("count", |bench| bench.iter(|| solver.count(&limits).is_ok()));
    group.finish();
}

fn group<'c>(criterion: &'c mut Criterion, title: &str, work: u64) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(title);
    group.throughput(Throughput::Elements(work));
    group.sample_size(10);
    group.sampling_mode(SamplingMode::Flat);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    group
}

criterion_group!(benches, engines);
criterion_main!(benches);
