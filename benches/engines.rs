//! Every engine on every data set, to the first solution and to the proof that it is the only one.
//!
//! Data: the files of `data/`, and those of `../shared/data` where that folder is; of each 200 puzzles, evenly
//! over the file. Throughput is in puzzles. One engine or file alone: `cargo bench --bench engines -- 'dlx/'`.
//!
//! `backtrack` takes minutes for single puzzles; here it gives up after a thousand guesses a puzzle, so its
//! figures only show that it runs.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop::{Answer, Answers, ENGINES, Isa, Limits, Puzzles, Rules};

const SAMPLE: usize = 200;

fn engines(criterion: &mut Criterion) {
    let rules = Rules::sudoku();
    for (file, puzzles) in data_sets() {
        let puzzles = Puzzles::new(&puzzles, 81);
        let mut solutions = vec![0; 81 * puzzles.len()];
        let mut answers = vec![Answer::default(); puzzles.len()];
        for entry in ENGINES {
            let Ok(mut engine) = (entry.make)(&rules, Isa::best()) else { continue };
            let guesses = if entry.name == "backtrack" { 1_000 } else { u64::MAX };
            let mut group = criterion.benchmark_group(format!("{}/{file}", entry.name));
            group.throughput(Throughput::Elements(puzzles.len() as u64));
            group.sample_size(20);
            group.warm_up_time(Duration::from_millis(200));
            group.measurement_time(Duration::from_secs(1));
            for solutions_wanted in [1, 2] {
                let limits = Limits { solutions: solutions_wanted, guesses };
                group.bench_function(format!("limit {solutions_wanted}"), |bench| {
                    bench.iter(|| {
                        let mut places = Answers::new(&mut solutions, &mut answers, 81);
                        engine.solve(black_box(puzzles), limits, &mut places);
                    });
                });
            }
            group.finish();
        }
    }
}

/// The name and the puzzles of every file, as flat cells.
fn data_sets() -> Vec<(String, Vec<u8>)> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sets = Vec::new();
    for folder in [home.join("data"), home.join("../shared/data")] {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            let (Some(stem), Ok(text)) = (path.file_stem(), fs::read_to_string(&path)) else { continue };
            let stem = stem.to_string_lossy().into_owned();
            let lines = text.lines().filter(|line| line.len() == 81).collect::<Vec<_>>();
            if stem.ends_with("_solutions") || lines.is_empty() {
                continue;
            }
            let sample = lines.iter().step_by(lines.len().div_ceil(SAMPLE));
            let cells = sample.flat_map(|line| line.bytes()).map(|byte| match byte {
                b'1'..=b'9' => byte - b'0',
                _ => 0,
            });
            sets.push((stem, cells.collect()));
        }
    }
    sets.sort();
    sets
}

criterion_group!(benches, engines);
criterion_main!(benches);
