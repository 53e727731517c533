//! Every engine of exact cover on every problem it can solve, to the last solution. Every number is checked.
//!
//! The problems and their numbers of solutions come from the literature. Throughput is in solutions. `auto` finds them
//! all (it takes minutes for `langford 15`). Another engine stops after [`MAX_NODES`] nodes, and then the figure is
//! nodes per second. With `-- 'planes/'` or `-- 'queens 14'` behind `cargo bench -p galop-benches --bench cover`, one
//! engine or problem runs alone; with `-- --test auto/` each problem runs once, only to check the numbers.

use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use criterion::{SamplingMode, measurement::WallTime};
use galop_cover::engine::ENGINES;
use galop_cover::models;
use galop_cover::{Choice, CoverLimits, End, ExactCover, Solver};
use galop_testing::literature::solutions;

/// Nodes: about a second of the slower engines.
const MAX_NODES: u64 = 3_000_000;

/// Models with their arguments.
const PROBLEMS: [&str; 21] = [
    "queens 8",
    "queens 12",
    "queens 13",
    "queens 14",
    "queens 15",
    "langford 8",
    "langford 12",
    "langford 15",
    "pentominoes 3x20",
    "pentominoes 4x15",
    "pentominoes 5x12",
    "pentominoes 6x10",
    "pentominoes 8x8",
    "pentominoes 2x5x6",
    "soma",
    "dominoes 8x8",
    "matching 14",
    "latin 5",
    "macmahon",
    "queen-domination 8 5",
    "mixed 5x6 6",
];

fn engines(criterion: &mut Criterion) {
    for title in PROBLEMS {
        let problem = models::make(title).expect("a model with its arguments");
        let count = solutions(title);
        all(criterion, title, &problem, count);
        for entry in ENGINES {
            let choice = Choice::Engine(entry);
            some(criterion, &format!("{}/{title}", entry.name), &problem, choice, count);
        }
    }
}

/// All that `auto` does, with a new solver each time.
fn all(criterion: &mut Criterion, title: &str, problem: &ExactCover, count: u64) {
    let mut group = group(criterion, &format!("auto/{title}"), count);
    group.bench_function("count", |bench| {
        bench.iter(|| {
            let solver = Solver::new(problem, Choice::Auto);
            let counted = solver
                .and_then(|mut solver| Ok(solver.search(&CoverLimits::NONE).count()?.solutions.to_u128()));
            assert_eq!(counted.ok().flatten(), Some(u128::from(count)), "{title}");
        });
    });
    group.finish();
}

/// One engine, built once, to the end or to [`MAX_NODES`] nodes.
fn some(criterion: &mut Criterion, title: &str, problem: &ExactCover, choice: Choice, count: u64) {
    let limits = CoverLimits::NONE.with_nodes(MAX_NODES);
    let Ok(mut solver) = Solver::new(problem, choice) else { return };
    let Ok(outcome) = solver.search(&limits).count() else { panic!("{title}: a wrong solution") };
    let is_complete = outcome.end == End::Complete;
    assert!(!is_complete || outcome.solutions == u128::from(count), "{title}: {}", outcome.solutions);
    let mut group = match is_complete {
        true => group(criterion, title, count),
        false => group(criterion, &format!("{title} (nodes)"), outcome.nodes),
    };
    group.bench_function("count", |bench| bench.iter(|| solver.search(&limits).count().is_ok()));
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
