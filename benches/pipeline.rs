//! The work around the engines: reading and verifying each alone, then all of it with an engine that does nothing, once
//! for each output format, then the whole pipeline in memory.
//!
//! The puzzles are made at the start, the same on every machine: 20,000 with 28 to 36 clues. The engine solves these so
//! fast that the pipeline's share shows. One part alone: `cargo bench -p galop-benches --bench pipeline -- parse`.

use std::hint::black_box;
use std::io::{Cursor, Write};
use std::num::NonZero;
use std::sync::LazyLock;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use galop_batch::input::{RecordReader, Source};
use galop_batch::output;
use galop_batch::pipeline::{CHUNK_BYTES, SolveOptions, SolveRun};
use galop_corpora::generate::{Recipe, Wish};
use galop_engines::engine::{Entry, WrongLength};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::{Answer, Answers, Effort, Limits, Puzzles, Status};
use galop_engines::{ENGINES, Engine, Rules, engine};
use galop_testing::puzzles::{cells, generated};

/// Puzzles through the whole pipeline.
const PUZZLES: usize = 20_000;

/// Records parsed and verified.
const RECORDS: usize = 10_000;

/// The puzzles and their solutions, as lines.
static LINES: LazyLock<(String, String)> =
    LazyLock::new(|| generated(&Recipe::new(1, Wish::Clues(28..=36)), PUZZLES as u64));

/// The first [`RECORDS`] puzzles, each with its solution, as text.
fn records() -> impl Iterator<Item = (&'static str, &'static str)> {
    let (puzzles, solutions) = &*LINES;
    puzzles.lines().zip(solutions.lines()).take(RECORDS)
}

fn parse(criterion: &mut Criterion) {
    let mut group = short(criterion, "parse");
    let rules = Rules::default();
    for (name, text) in formats() {
        let source = || Source::stream(name, Cursor::new(text.clone()));
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |bench| {
            let read = |mut source| {
                // A chunk at a time, as the pipeline reads, so that the records of a chunk are still in the cache.
                let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules);
                while let Some(records) = reader.next_chunk().expect("the format gives all cells") {
                    black_box(&records);
                }
            };
            bench.iter_batched(source, read, BatchSize::LargeInput);
        });
    }
    group.finish();
}

/// The same records in several formats.
fn formats() -> [(&'static str, String); 4] {
    let (mut lines, mut irregular, mut malformed) = (Vec::new(), Vec::new(), Vec::new());
    let mut csv = vec!["quizzes,solutions\n".to_owned()];
    for (index, (puzzle, solution)) in records().enumerate() {
        lines.push(format!("{puzzle}\n"));
        csv.push(format!("{puzzle},{solution}\n"));
        // The puzzle is not the first field: every line is searched for it.
        irregular.push(format!("{index:012x} {puzzle}  1.2\r\n"));
        // A cell is missing: every line is searched, and then explained.
        malformed.push(format!("{}\n", &puzzle[1..]));
    }
    [("lines", lines), ("csv", csv), ("irregular", irregular), ("malformed", malformed)]
        .map(|(name, lines)| (name, lines.concat()))
}

fn verify(criterion: &mut Criterion) {
    let all: Vec<_> = records().map(|(puzzle, solution)| (cells(puzzle), cells(solution))).collect();
    let verifier = Verifier::new(&Rules::default());
    let mut group = short(criterion, "verify");
    // With one solution the processor predicts every branch. Only many solutions show the cost of branches.
    for (name, pairs) in [("one solution", &all[..1]), ("many solutions", &all[..])] {
        group.throughput(Throughput::Elements(pairs.len() as u64));
        group.bench_function(name, |bench| {
            bench.iter(|| {
                for (puzzle, solution) in pairs {
                    assert!(verifier.check(black_box(puzzle), black_box(solution)).is_ok());
                }
            });
        });
    }
    group.finish();
}

/// An engine that copies solved grids, so that all other time is the pipeline's.
struct Copies;

impl Engine for Copies {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        _: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        for (puzzle, (solution, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            solution.copy_from_slice(puzzle);
            *answer = Answer::complete(1).with_effort(Effort { cost: 1, ..Effort::default() });
        }
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }
}

const COPIES: Entry =
    Entry { about: "copies", max_guesses: 1, ..Entry::new("copies", |_, _| Ok(Box::new(Copies))) };

/// Every format, printed by a run whose engine copies: the formats differ in printing alone.
fn print(criterion: &mut Criterion) {
    let rules = Rules::default();
    let (_, solutions) = &*LINES;
    let mut group = short(criterion, "print");
    group.throughput(Throughput::Elements(PUZZLES as u64));
    let mut out = Vec::new();
    for format in output::FORMATS {
        let options = SolveOptions::default().threads(NonZero::new(1)).format(format);
        group.bench_function(format.name, |bench| {
            bench.iter(|| {
                let mut source = Source::stream("stream", Cursor::new(solutions));
                run(&rules, &COPIES, options, &mut source, &mut out, PUZZLES);
            });
        });
    }
    group.finish();
}

fn pipeline_alone(criterion: &mut Criterion) {
    let rules = Rules::default();
    let (_, solutions) = &*LINES;
    // The puzzles twenty times: several chunks.
    let text: &'static str = Box::leak(solutions.repeat(20).into_boxed_str());
    let mut group = short(criterion, "pipeline alone");
    group.throughput(Throughput::Elements(20 * PUZZLES as u64));
    let mut out = Vec::new();
    for threads in [1, 2] {
        for kibibytes in [64, 256, 512, 1024] {
            let options = SolveOptions::default()
                .threads(NonZero::new(threads))
                .chunk_bytes(NonZero::new(kibibytes * 1024));
            let name = BenchmarkId::new(format!("{threads} threads"), format_args!("{kibibytes} KiB"));
            group.bench_function(name, |bench| {
                bench.iter(|| {
                    let mut source = Source::stream("stream", Cursor::new(text));
                    run(&rules, &COPIES, options, &mut source, &mut out, 20 * PUZZLES);
                });
            });
        }
    }
    group.finish();
}

fn batch(criterion: &mut Criterion) {
    let rules = Rules::default();
    let entry = engine::named("bitboard").unwrap_or(&ENGINES[0]);
    let (text, _) = &*LINES;
    let mut file = tempfile::NamedTempFile::new().expect("there is a folder for temporary files");
    file.write_all(text.as_bytes()).expect("a temporary file can be written");
    let stream = || Source::stream("stream", Cursor::new(text.as_bytes()));
    // SAFETY: only the bench knows the file, and nothing writes to it.
    #[allow(unsafe_code)]
    let mapped = || unsafe { Source::open_mapped(file.path()) }.expect("the file can be read");
    let ways: [(&str, &dyn Fn() -> Source); 2] = [("stream", &stream), ("mapped", &mapped)];

    let mut group = short(criterion, "batch");
    group.throughput(Throughput::Elements(PUZZLES as u64));
    let mut out = Vec::new();
    for (way, open) in ways {
        for threads in [1, 2] {
            for chunk_bytes in [8, 32, 128].map(|kibibytes| 1024 * kibibytes) {
                let options = SolveOptions::default()
                    .threads(NonZero::new(threads))
                    .chunk_bytes(NonZero::new(chunk_bytes));
                let name = BenchmarkId::new(
                    format!("{way}/{threads} threads"),
                    format_args!("{} KiB", chunk_bytes / 1024),
                );
                group.bench_function(name, |bench| {
                    bench.iter(|| run(&rules, entry, options, &mut open(), &mut out, PUZZLES));
                });
            }
        }
    }
    group.finish();
}

/// The whole pipeline, from starting the threads to the last byte of the output.
fn run(
    rules: &Rules,
    entry: &Entry,
    options: SolveOptions<'_>,
    source: &mut Source,
    out: &mut Vec<u8>,
    puzzles: usize,
) {
    out.clear();
    let mut road = SolveRun::open(rules, entry, options).expect("the engine takes these rules");
    road.solve(source, out, &mut ()).expect("memory can be read and written");
    let outcome = road.finish(out).expect("memory can be written");
    assert_eq!(outcome.tally.of(Status::Solved), puzzles as u64);
}

/// A group whose rows take a few seconds each.
fn short<'a>(criterion: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(10);
    group.warm_up_time(Duration::from_millis(300));
    group.measurement_time(Duration::from_secs(2));
    group
}

criterion_group!(benches, parse, verify, print, pipeline_alone, batch);
criterion_main!(benches);
