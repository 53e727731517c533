//! Every engine of exact cover on every problem it can solve, to the last solution.
//!
//! Problems: the files of `../shared/data/cover`, where that folder is; else some that a few lines make. Throughput
//! is in solutions. What takes an engine more than [`MOST_NODES`] nodes it leaves off there, and the figure is that
//! of the nodes. One engine or problem alone: `cargo bench --bench cover -- 'planes/'`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop::cover::{Choice, ENGINES, End, ExactCover, Limits, Solver, text};

#[path = "../tests/problems/mod.rs"]
mod problems;

/// About a second of the slower engines.
const MOST_NODES: u64 = 3_000_000;

fn engines(criterion: &mut Criterion) {
    let limits = Limits { nodes: MOST_NODES, ..Limits::NONE };
    for (name, problem) in problems() {
        for entry in ENGINES {
            let Ok(mut solver) = Solver::new(&problem, Choice::Entry(entry)) else { continue };
            let Ok(outcome) = solver.count(&limits) else { continue };
            let (work, unit) = match outcome.end {
                End::Complete => (outcome.solutions as u64, ""),
                _ => (outcome.nodes, " (nodes)"),
            };
            let mut group = criterion.benchmark_group(format!("{}/{name}{unit}", entry.name));
            group.throughput(Throughput::Elements(work));
            group.sample_size(10);
            group.warm_up_time(Duration::from_millis(200));
            group.measurement_time(Duration::from_secs(1));
            group.bench_function("count", |bench| bench.iter(|| solver.count(&limits).is_ok()));
            group.finish();
        }
    }
}

/// The problems by name.
fn problems() -> Vec<(String, ExactCover)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/cover");
    let mut found: Vec<(String, ExactCover)> = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        let (Some(stem), Ok(bytes)) = (path.file_stem(), fs::read(&path)) else { continue };
        if let Ok(text) = text::read(&bytes) {
            found.push((stem.to_string_lossy().into_owned(), text.problem));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.cmp(other));
    if found.is_empty() {
        let made = [
            ("queens10", problems::queens(10)),
            ("langford8", problems::langford(8)),
            ("soma", problems::soma()),
            ("pent3x20", problems::pentominoes([3, 20, 1], &[])),
            ("match12", problems::matchings(12)),
            ("qdom6_4", problems::domination(6, 4)),
            ("mix5x6_6", problems::mixed(5, 6, 6, 6)),
        ];
        found = made.map(|(name, problem)| (name.to_owned(), problem)).into();
    }
    found
}

criterion_group!(benches, engines);
criterion_main!(benches);
