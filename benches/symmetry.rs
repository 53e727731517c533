//! Canonical forms and random symmetries, with each instruction set of this machine.
//!
//! Data: the puzzles of `data/minimal_10k.txt` and their solutions. Throughput is in records. The rows:
//!
//! | row | what |
//! |---|---|
//! | `grids` | forms of solution grids |
//! | `puzzles` | forms of puzzles with their solutions |
//! | `clues` | the same, and before that the solutions, proved to be the only ones by the engine `lanes` |
//! | `direct` | direct forms of puzzles |
//! | `keys` | the keys of forms |
//! | `pairs` | random symmetries drawn, and images of puzzles and solutions under them |
//!
//! One row alone: `cargo bench -p galop-benches --bench symmetry -- grids`.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop_corpora::symmetry::{Canonizer, Forms, Images, Symmetries, Symmetry};
use galop_engines::engine::Isa;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_engines::{Rules, engine};

/// Records in a batch: their forms stay in the second-level cache.
const BATCH: usize = 1_000;

fn symmetry(criterion: &mut Criterion) {
    let (puzzles, grids) = records();
    let count = puzzles.len() / 81;
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let Ok(mut canonizer) = Canonizer::of_nine(isa) else { continue };
        let mut forms = Forms::default();
        let mut group = criterion.benchmark_group(format!("symmetry/{}", isa.name()));
        group.throughput(Throughput::Elements(count as u64));
        group.sample_size(20);
        group.warm_up_time(Duration::from_millis(200));
        group.measurement_time(Duration::from_secs(1));
        group.bench_function("grids", |bench| {
            bench.iter(|| {
                for grids in black_box(&grids).chunks(81 * BATCH) {
                    canonizer.grids(batch(grids), &mut forms).expect("81 cells");
                }
            });
        });
        group.bench_function("keys", |bench| {
            canonizer.grids(batch(&grids), &mut forms).expect("81 cells");
            bench.iter(|| forms.iter().flatten().fold(0, |keys, form| keys ^ form.key()));
        });
        group.bench_function("puzzles", |bench| {
            bench.iter(|| {
                for (puzzles, grids) in black_box(&puzzles).chunks(81 * BATCH).zip(grids.chunks(81 * BATCH)) {
                    canonizer.puzzles(batch(puzzles), batch(grids), &|_| true, &mut forms).expect("81 cells");
                }
            });
        });
        group.bench_function("direct", |bench| {
            bench.iter(|| {
                for puzzles in black_box(&puzzles).chunks(81 * BATCH) {
                    canonizer.direct(batch(puzzles), &mut forms).expect("81 cells");
                }
            });
        });
        let Some(Ok(mut lanes)) = engine::named("lanes").map(|entry| (entry.make)(&Rules::default(), isa))
        else {
            continue;
        };
        let (mut solutions, mut answers) = (vec![0; puzzles.len()], vec![Answer::default(); count]);
        group.bench_function("clues", |bench| {
            bench.iter(|| {
                let mut places =
                    Answers::new(&mut solutions, &mut answers, 81).expect("a place for each puzzle");
                lanes.solve(batch(black_box(&puzzles)), Limits::UNIQUE, &mut places).expect("81 cells");
                let parts =
                    puzzles.chunks(81 * BATCH).zip(solutions.chunks(81 * BATCH)).zip(answers.chunks(BATCH));
                for ((puzzles, solutions), answers) in parts {
                    let is_single = |place: usize| answers[place].solutions == 1;
                    canonizer
                        .puzzles(batch(puzzles), batch(solutions), &is_single, &mut forms)
                        .expect("81 cells");
                }
            });
        });
        let (Ok(images), Ok(symmetries)) = (Images::with_isa(isa), Symmetries::new(&Rules::default(), 1))
        else {
            continue;
        };
        let (mut out, mut drawn) = (vec![0; puzzles.len()], Vec::<Symmetry>::new());
        group.bench_function("pairs", |bench| {
            bench.iter(|| {
                let parts = puzzles.chunks(81 * BATCH).zip(grids.chunks(81 * BATCH)).enumerate();
                for (record, (puzzles, grids)) in parts {
                    symmetries.fill(record as u64, 0..puzzles.len() as u64 / 81, &mut drawn);
                    images.write(&drawn, puzzles, &mut out[..puzzles.len()]).expect("81 cells");
                    images.write(&drawn, grids, &mut out[..grids.len()]).expect("81 cells");
                }
            });
        });
        group.finish();
    }
}

fn batch(cells: &[u8]) -> Puzzles<'_> {
    Puzzles::new(cells, 81).expect("whole puzzles")
}

/// The puzzles and their solutions, as flat cells.
fn records() -> (Vec<u8>, Vec<u8>) {
    let path = Path::new(galop_testing::ROOT).join("data/minimal_10k_solutions.txt");
    let text = fs::read_to_string(path).expect("the repository has the file");
    let cells = |text: &str| text.bytes().map(|byte| byte.saturating_sub(b'0')).collect::<Vec<u8>>();
    let pairs = text.lines().filter_map(|line| line.split_once(',')).filter(|pair| pair.0.len() == 81);
    let (puzzles, grids): (Vec<_>, Vec<_>) = pairs.map(|(puzzle, grid)| (cells(puzzle), cells(grid))).unzip();
    (puzzles.concat(), grids.concat())
}

criterion_group!(benches, symmetry);
criterion_main!(benches);
