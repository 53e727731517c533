//! Every engine on every data set, to the first solution and to the proof that it is the only one.
//!
//! Data: 200 puzzles of each file of `data/` and of the folder that the variable `GALOP_DATA` names, evenly over the file. An engine that solves many
//! puzzles at once gets up to 6,000 in one batch, as in the pipeline, and runs with each instruction set of this machine,
//! as `lanes-avx2`. Throughput is in puzzles. One engine or file alone: `cargo bench -p galop-benches --bench engines -- 'dlx/'`.
//!
//! `backtrack` takes minutes for single puzzles. It gives up after a thousand guesses a puzzle here, so its figures only
//! show that it runs.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop::{Answer, Answers, Engine, Isa, Limits, Puzzles, Rules};
use galop_testing::available::isas;
use galop_testing::data::{puzzle_files, sample};

/// Puzzles for an engine that solves one at a time.
const SAMPLE: usize = 200;

/// Puzzles for an engine that solves many at once: as many as a chunk has.
const BATCH: usize = 6_000;

fn engines(criterion: &mut Criterion) {
    for path in puzzle_files() {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let [few, many] = [SAMPLE, BATCH].map(|count| sample(&path, count, 0));
        for entry in galop_published::all() {
            for isa in isas() {
                let Ok(mut engine) = (entry.make)(&Rules::default(), isa) else { continue };
                if engine.is_batched() {
                    let name = format!("{}-{}/{file}", entry.name, isa.name());
                    measure(criterion, &name, engine.as_mut(), u64::MAX, many.as_flattened());
                } else if isa == Isa::best() {
                    let name = format!("{}/{file}", entry.name);
                    let guesses = if entry.name == "backtrack" { 1_000 } else { u64::MAX };
                    measure(criterion, &name, engine.as_mut(), guesses, few.as_flattened());
                }
            }
        }
    }
}

/// A group of two rows, one for each limit on solutions: `engine` on `puzzles`, in one batch.
fn measure(criterion: &mut Criterion, name: &str, engine: &mut dyn Engine, guesses: u64, puzzles: &[u8]) {
    let puzzles = Puzzles::new(puzzles, 81);
    let mut cells = vec![0; 81 * puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    for solutions in [1, 2] {
        let limits = Limits::count(solutions).with_guesses(guesses);
        group.bench_function(format!("limit {solutions}"), |bench| {
            bench.iter(|| {
                let mut places = Answers::new(&mut cells, &mut answers, 81);
                engine.solve(black_box(puzzles), limits, &mut places).expect("81 cells");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, engines);
criterion_main!(benches);
