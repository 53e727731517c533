//! Every engine on every data set, to the first solution and to the proof that it is the only one.
//!
//! Data: 200 puzzles of each file of `data/` and of the folder that the variable `GALOP_DATA` names, evenly over the
//! file. An engine that solves many puzzles at once gets up to 6,000 in one batch, as in the pipeline, and runs with
//! each instruction set of this machine, as `lanes-avx2`. For the engines of all kinds of grids: solutions of every
//! kind and size with cells left out in a fixed pattern, and `16x16.txt` of that folder, if there is one. Throughput is
//! in puzzles.
//!
//! One engine, file or kind alone: `cargo bench -p galop-benches --bench engines -- 'dlx/'`, `-- 'grid/sudoku 16x16'`.
//!
//! `backtrack` takes minutes for single puzzles. It gives up after a thousand guesses a puzzle here, so its figures
//! only show that it runs.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop_engines::engine::{DLX, GRID, Isa};
use galop_engines::grid::KINDS;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_engines::{Engine, Rules};
use galop_testing::available::isas;
use galop_testing::data::{puzzle_files, sample};
use galop_testing::rules::solved;

/// Puzzles for an engine that solves one at a time.
const SAMPLE: usize = 200;

/// Puzzles for an engine that solves many at once: as many as a chunk has.
const BATCH: usize = 6_000;

/// Puzzles of each kind and size.
const COUNT: usize = 20;

/// Guesses a puzzle of an engine that may take minutes for it: `backtrack`, and dancing links on grids of 25x25.
const GUESSES: u64 = 1_000;

fn engines(criterion: &mut Criterion) {
    let rules = Rules::default();
    for path in puzzle_files() {
        let file = path.file_stem().unwrap_or_default().to_string_lossy();
        let [few, many] = [SAMPLE, BATCH].map(|count| sample(&path, count, 0));
        for entry in galop_published::all() {
            for isa in isas() {
                let Ok(mut engine) = (entry.make)(&rules, isa) else { continue };
                if engine.is_batched() {
                    let name = format!("{}-{}/{file}", entry.name, isa.name());
                    measure(
                        criterion,
                        &name,
                        engine.as_mut(),
                        u64::MAX,
                        Puzzles::new(many.as_flattened(), 81).expect("whole puzzles"),
                    );
                } else if isa == Isa::best() {
                    let name = format!("{}/{file}", entry.name);
                    let guesses = if entry.name == "backtrack" { GUESSES } else { u64::MAX };
                    measure(
                        criterion,
                        &name,
                        engine.as_mut(),
                        guesses,
                        Puzzles::new(few.as_flattened(), 81).expect("whole puzzles"),
                    );
                }
            }
        }
    }
}

fn grids(criterion: &mut Criterion) {
    for kind in KINDS {
        for side in kind.sides().into_iter().filter(|side| [9, 12, 16, 25].contains(side)) {
            let Ok(rules) = Rules::new(kind, side, None) else { continue };
            grid(criterion, "patterns", &rules, &patterns(&rules));
        }
    }
    let path = Path::new(&std::env::var_os("GALOP_DATA").unwrap_or_default()).join("16x16.txt");
    if let (Ok(text), Ok(rules)) = (fs::read_to_string(path), Rules::new(&KINDS[0], 16, None)) {
        let symbol = |byte: u8| char::from(byte).to_digit(17).unwrap_or(0) as u8;
        let lines = text.lines().filter(|line| line.len() == 256);
        grid(criterion, "16x16", &rules, &lines.flat_map(str::bytes).map(symbol).collect::<Vec<u8>>());
    }
}

/// The engines for all kinds of grids on puzzles of `rules`.
fn grid(criterion: &mut Criterion, name: &str, rules: &Rules, puzzles: &[u8]) {
    for entry in [GRID, DLX] {
        let Ok(mut engine) = (entry.make)(rules, Isa::best()) else { continue };
        let name = format!("{}/{}/{name}", entry.name, rules.name());
        let puzzles = Puzzles::new(puzzles, rules.grid().cells()).expect("whole puzzles");
        measure(criterion, &name, engine.as_mut(), GUESSES, puzzles);
    }
}

/// A solution of the empty grid, with four to six of every eleven cells left out.
fn patterns(rules: &Rules) -> Vec<u8> {
    let solution = solved(rules);
    let is_kept = |puzzle: usize, cell: usize| (cell * cell + 3 * cell + 7 * puzzle) % 11 < 5 + puzzle % 3;
    (0..COUNT)
        .flat_map(|puzzle| {
            let keep = move |(cell, &symbol): (usize, &u8)| symbol * u8::from(is_kept(puzzle, cell));
            solution.iter().enumerate().map(keep).collect::<Vec<u8>>()
        })
        .collect()
}

/// A group of two rows, one for each limit on solutions: `engine` on `puzzles`, in one batch.
fn measure(
    criterion: &mut Criterion,
    name: &str,
    engine: &mut dyn Engine,
    guesses: u64,
    puzzles: Puzzles<'_>,
) {
    let stride = puzzles.stride();
    let mut cells = vec![0; stride * puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(puzzles.len() as u64));
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    for solutions in [1, 2] {
        let limits = Limits::count(solutions).with_guesses(guesses);
        group.bench_function(format!("limit {solutions}"), |bench| {
            bench.iter(|| {
                let mut places =
                    Answers::new(&mut cells, &mut answers, stride).expect("a place for each puzzle");
                engine.solve(black_box(puzzles), limits, &mut places).expect("puzzles of the rules");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, engines, grids);
criterion_main!(benches);
