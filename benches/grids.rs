//! The engines for all kinds of grids, to the first solution and to the proof that it is the only one.
//!
//! Data: solutions of every kind and size with cells left out in a fixed pattern, and `16x16.txt` of the folder that
//! the variable `GALOP_DATA` names, if there is one. Throughput is in puzzles. One row alone: `cargo bench -p galop-benches --bench grids -- 'grid/sudoku 16x16'`.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use galop::grid::KINDS;
use galop::{Answer, Answers, Isa, Limits, Puzzles, Rules, engine};

/// Puzzles of each kind and size.
const COUNT: usize = 20;

fn grids(criterion: &mut Criterion) {
    for kind in KINDS {
        for size in kind.sizes.iter().filter(|size| [9, 12, 16, 25].contains(&size.side)) {
            let Ok(rules) = Rules::new(kind, size.side, None) else { continue };
            measure(criterion, "patterns", &rules, &patterns(&rules));
        }
    }
    let path = Path::new(&std::env::var_os("GALOP_DATA").unwrap_or_default()).join("16x16.txt");
    if let (Ok(text), Ok(rules)) = (fs::read_to_string(path), Rules::sudoku(16)) {
        let symbol = |byte: u8| char::from(byte).to_digit(17).unwrap_or(0) as u8;
        let lines = text.lines().filter(|line| line.len() == 256);
        measure(criterion, "16x16", &rules, &lines.flat_map(str::bytes).map(symbol).collect::<Vec<u8>>());
    }
}

/// A group for each engine, of two rows, one for each limit on solutions.
fn measure(criterion: &mut Criterion, name: &str, rules: &Rules, puzzles: &[u8]) {
    let stride = rules.grid().cells();
    let puzzles = Puzzles::new(puzzles, stride);
    let mut cells = vec![0; stride * puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    for entry in ["grid", "dlx"].into_iter().filter_map(engine::named) {
        let Ok(mut engine) = (entry.make)(rules, Isa::best()) else { continue };
        let mut group = criterion.benchmark_group(format!("{}/{}/{name}", entry.name, rules.name()));
        group.throughput(Throughput::Elements(puzzles.len() as u64));
        group.sample_size(10);
        group.warm_up_time(Duration::from_millis(200));
        group.measurement_time(Duration::from_secs(1));
        for solutions in [1, 2] {
            // Dancing links may take minutes for one puzzle of 25x25.
            let limits = Limits::count(solutions).with_guesses(1_000);
            group.bench_function(format!("limit {solutions}"), |bench| {
                bench.iter(|| {
                    let mut places = Answers::new(&mut cells, &mut answers, stride);
                    engine.solve(black_box(puzzles), limits, &mut places).expect("81 cells");
                });
            });
        }
        group.finish();
    }
}

/// A solution of the empty grid, with four to six of every eleven cells left out.
fn patterns(rules: &Rules) -> Vec<u8> {
    let stride = rules.grid().cells();
    let (mut solution, mut answers) = (vec![0; stride], [Answer::default()]);
    let Some(Ok(mut engine)) = engine::named("grid").map(|entry| (entry.make)(rules, Isa::best())) else {
        return Vec::new();
    };
    let mut places = Answers::new(&mut solution, &mut answers, stride);
    engine
        .solve(Puzzles::new(&vec![0; stride], stride), Limits::ANY, &mut places)
        .expect("rules of this stride");
    let is_kept = |puzzle: usize, cell: usize| (cell * cell + 3 * cell + 7 * puzzle) % 11 < 5 + puzzle % 3;
    (0..COUNT)
        .flat_map(|puzzle| {
            let keep = move |(cell, &symbol): (usize, &u8)| symbol * u8::from(is_kept(puzzle, cell));
            solution.iter().enumerate().map(keep).collect::<Vec<u8>>()
        })
        .collect()
}

criterion_group!(benches, grids);
criterion_main!(benches);
