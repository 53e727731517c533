//! Shares of an input: all of them, one after the other, give the output of the whole.

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;

use galop_batch::input::{MalformedRecord, Source};
use galop_batch::output::AnswerColumn;
use galop_batch::pipeline::{Part, Shard, ShardError, SolveOptions, SolveRun, SourceRun, Watch};
use galop_batch::{Error, output};
use galop_engines::engine::Entry;
use galop_engines::puzzle::Limits;
use galop_engines::{ENGINES, Rules, engine};
use proptest::prelude::*;

use crate::{open, stream};
use galop_testing::chance::Chance;
use galop_testing::npy;
use galop_testing::puzzles::{PUZZLE, SOLUTION, digits};

/// The malformed records of a run.
#[derive(Default)]
struct Malformed(Vec<(PathBuf, u64)>);

impl Watch for Malformed {
    fn malformed(&mut self, malformed: &MalformedRecord) {
        self.0.push((malformed.path.clone(), malformed.line));
    }
}

/// A puzzle with one solution or more.
pub(crate) fn puzzle(chance: &mut Chance) -> String {
    let mut cells = SOLUTION.as_bytes().to_vec();
    (0..20 + chance.below(45)).for_each(|_| cells[chance.below(81)] = b'.');
    String::from_utf8(cells).unwrap()
}

/// The ways in which a file may be written.
pub(crate) const KINDS: [&str; 10] =
    ["lines", "csv", "quoted", "json", "list", "pretty", "grids", "drawn", "npy", "comments"];

/// A file of `count` records.
pub(crate) fn file(kind: &str, count: usize, chance: &mut Chance) -> Vec<u8> {
    let puzzles: Vec<String> = (0..count).map(|_| puzzle(chance)).collect();
    file_of(kind, &puzzles, chance)
}

/// A file of these puzzles.
pub(crate) fn file_of(kind: &str, puzzles: &[String], chance: &mut Chance) -> Vec<u8> {
    let mut text = match kind {
        "csv" => "id,puzzle,note\n".to_owned(),
        "quoted" => "\u{feff}note,puzzle\r\n".to_owned(),
        "comments" => "# a comment\n\n".repeat(chance.below(400)),
        "list" => "[".to_owned(),
        "pretty" => "[\n".to_owned(),
        _ => String::new(),
    };
    if kind == "npy" {
        return array(puzzles);
    }
    for (id, puzzle) in puzzles.iter().enumerate() {
        let record = match kind {
            "csv" => format!("{id},{puzzle},\"{}\"\n", "n".repeat(chance.below(200))),
            "quoted" => format!("\"a, \"\"b\"\"\n{}\",{puzzle}\r\n", "\n\n".repeat(chance.below(60))),
            "json" => {
                format!("{{\"id\": {id}, \"puzzle\": \"{puzzle}\", \"note\": \"{}\"}}\n", "é".repeat(id % 9))
            }
            "list" => {
                format!("{}\"{puzzle}\"", ["", ", ", ",\n"][if id > 0 { 1 + chance.below(2) } else { 0 }])
            }
            "pretty" => {
                format!("{}  {{\n    \"puzzle\": \"{puzzle}\"\n  }}", if id > 0 { ",\n" } else { "" })
            }
            "grids" => {
                let rows: Vec<&str> = (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect();
                format!("{}\n\n", rows.join("\n"))
            }
            "drawn" => {
                let row = |row: usize| puzzle[9 * row..9 * row + 9].replace("", " ") + "\n";
                (0..9).map(|at| row(at) + if at % 3 == 2 { "------+-------+------\n" } else { "" }).collect()
            }
            _ => puzzle.to_owned() + ["\n", "\r\n", "\n# a comment\n", " a note\n"][chance.below(4)],
        };
        text += &record;
        if chance.below(40) == 0 && !["grids", "drawn"].contains(&kind) {
            text += if ["list", "pretty"].contains(&kind) { ", malformed" } else { "malformed\n" };
        }
    }
    text += match kind {
        "list" => "]",
        "pretty" => "\n]\n",
        _ => "",
    };
    text.into_bytes()
}

/// An array of numpy in which 1 is a blank.
fn array(puzzles: &[String]) -> Vec<u8> {
    let puzzles: Vec<&str> = puzzles.iter().map(String::as_str).collect();
    npy::array("|u1", &format!("({}, 81)", puzzles.len()), &npy::rows(&puzzles, 1, 1))
}

/// Solves the sources, or their share: the output and the malformed records.
fn solve(
    entry: &Entry,
    options: SolveOptions<'_>,
    sources: &mut [Source],
    shard: Option<Shard>,
) -> Result<(Vec<u8>, Malformed), Error> {
    let (mut run, mut out) = (SolveRun::open(&Rules::default(), entry, options)?, Vec::new());
    let parts = match shard {
        Some(shard) => run.cut(shard, sources)?,
        None => vec![Part::WHOLE; sources.len()],
    };
    let mut malformed = Malformed::default();
    for (source, part) in sources.iter_mut().zip(parts) {
        run.read(source, part, &mut [&mut out], &mut malformed)?;
    }
    run.finish(&mut out)?;
    Ok((out, malformed))
}

fn columns() -> [&'static AnswerColumn; 3] {
    ["line", "source", "solution"].map(|name| output::column(name).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn all_shards_give_the_output_of_the_whole(
        kind in prop::sample::select(&KINDS[..]),
        files in 1_usize..4,
        most in prop::sample::select(&[0_usize, 1, 5, 300][..]),
        count in 1_u64..21,
        entry in prop::sample::select(ENGINES),
        format in prop::sample::select(&["pair", "csv", "json", "columns"][..]),
        chunk_bytes in 64_usize..9000,
        map in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut chance = Chance::new(seed);
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = (0..files).map(|index| folder.path().join(index.to_string())).collect();
        for path in &paths {
            // An array that shows no greatest number may be read with another blank.
            let records = if kind == "npy" { most.max(5) } else { chance.below(most + 1) };
            fs::write(path, file(kind, records, &mut chance)).unwrap();
        }
        let sources = || paths.iter().map(|path| open(path, map)).collect::<Vec<_>>();
        let columns = columns();
        let chosen = (format == "columns").then_some(&columns[..]);
        let format = output::format(if format == "columns" { "csv" } else { format }).unwrap();
        let options = SolveOptions::default().format(format).columns(chosen).times(false).threads(NonZero::new(2));
        // What `lanes` finds first depends on the chunk. The other engines are given the chunks of the run.
        let options = match entry.name {
            "lanes" => options.chunk_bytes(NonZero::new(chunk_bytes)),
            _ => options,
        };
        let (whole, malformed) = solve(&entry, options, &mut sources(), None).unwrap();
        let (mut all, mut found) = (Vec::new(), Vec::new());
        for index in 1..=count {
            let shard = Shard::new(index, count);
            let (out, some) = solve(&entry, options, &mut sources(), shard).unwrap();
            all.extend(out);
            found.extend(some.0);
        }
        prop_assert_eq!(String::from_utf8(all), String::from_utf8(whole));
        found.truncate(malformed.0.len());
        prop_assert_eq!(found, malformed.0);
    }
}

/// A run over a file never changes its engine, however few puzzles there are in the file, in a chunk or in a shard. What
/// `lanes` finds first of several solutions, and its guesses, are not what `bitboard` finds and takes.
#[test]
fn a_few_puzzles_of_a_file_have_the_engine_of_its_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let mut chance = Chance::new(4);
    let columns = ["puzzle", "solution", "guesses"].map(|name| output::column(name).unwrap());
    let options =
        SolveOptions::default().format(output::format("csv").unwrap()).columns(Some(&columns)).times(false);
    let (lanes, bitboard) = (engine::named("lanes").unwrap(), engine::named("bitboard").unwrap());
    let mut differing = 0;
    for count in [1, 2, 7, 31, 32, 40] {
        let puzzles: Vec<String> = (0..count).map(|_| blanked(&mut chance)).collect();
        fs::write(&path, puzzles.join("\n") + "\n").unwrap();
        let run = |entry: &Entry, options| {
            let (out, _) = solve(entry, options, &mut [open(&path, true)], None).unwrap();
            String::from_utf8(out).unwrap()
        };
        let cells: Vec<_> = puzzles.iter().map(|puzzle| galop_testing::puzzles::cells(puzzle)).collect();
        let mut engine = (lanes.make)(&Rules::default(), engine::Isa::best()).unwrap();
        let mut answered = |some: &[_]| -> String {
            let found = galop_testing::engines::solve(engine.as_mut(), some, Limits::ANY);
            some.iter()
                .zip(found)
                .map(|(puzzle, (answer, solution))| {
                    let puzzle = digits(puzzle).replace('0', ".");
                    format!("{puzzle},{},{}\n", digits(&solution), answer.effort.guesses)
                })
                .collect()
        };
        assert_eq!(
            run(lanes, options),
            format!("puzzle,solution,guesses\n{}", answered(&cells)),
            "{count} puzzles"
        );
        differing += usize::from(run(lanes, options) != run(bitboard, options));
        // Chunks of five puzzles, whole and in shards.
        let chunks: String = cells.chunks(5).map(&mut answered).collect();
        let in_chunks = options.chunk_bytes(NonZero::new(5 * 82));
        assert_eq!(
            run(lanes, in_chunks),
            format!("puzzle,solution,guesses\n{chunks}"),
            "{count} puzzles in chunks"
        );
        let shards = (1..=3).map(|index| {
            let shard = Shard::new(index, 3);
            String::from_utf8(solve(lanes, in_chunks, &mut [open(&path, true)], shard).unwrap().0).unwrap()
        });
        assert_eq!(shards.collect::<String>(), run(lanes, in_chunks), "{count} puzzles in shards");
    }
    assert!(differing > 3, "{differing}");
}

/// A puzzle with many solutions.
fn blanked(chance: &mut Chance) -> String {
    let mut cells = SOLUTION.as_bytes().to_vec();
    (0..130).for_each(|_| cells[chance.below(81)] = b'.');
    String::from_utf8(cells).unwrap()
}

/// Every shard of a small file of puzzles that take long has its share of them.
#[test]
fn the_shards_of_a_small_file_are_equal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, format!("{PUZZLE}\n").repeat(100)).unwrap();
    for index in 1..=10 {
        let shard = Shard::new(index, 10);
        let entry = engine::named("bitboard").unwrap();
        let (out, _) = solve(entry, SolveOptions::default(), &mut [open(&path, true)], shard).unwrap();
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 10);
    }
}

/// An array has values that are the byte of a line feed.
#[test]
fn the_lines_of_an_array_are_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.npy");
    fs::write(&path, file("npy", 50, &mut Chance::new(3))).unwrap();
    let (columns, format) = ([output::column("line").unwrap()], output::format("csv").unwrap());
    let chunk_bytes = NonZero::new(200);
    let options = SolveOptions::default().format(format).columns(Some(&columns)).chunk_bytes(chunk_bytes);
    let entry = engine::named("bitboard").unwrap();
    let (out, _) = solve(entry, options, &mut [open(&path, true)], None).unwrap();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().skip(1).map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(lines, (1..=50).map(|line| line.to_string()).collect::<Vec<_>>());
}

#[test]
fn only_regular_files_of_text_have_shards() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.gz");
    let mut file = galop_batch::output::OutputFile::create(&path).unwrap().packed_by(None).unwrap();
    std::io::Write::write_all(&mut file, PUZZLE.as_bytes()).unwrap();
    file.finish().unwrap();
    let archive = folder.path().join("file.zip");
    fs::write(
        &archive,
        galop_testing::zip::archive(&[galop_testing::zip::Member::stored("member.txt", PUZZLE.as_bytes())]),
    )
    .unwrap();
    let refused = |mut sources: Vec<Source>| {
        let entry = engine::named("bitboard").unwrap();
        let Err(error) = solve(entry, SolveOptions::default(), &mut sources, Shard::new(1, 2)) else {
            panic!("it was not refused")
        };
        *error.fact::<ShardError>().unwrap()
    };
    assert_eq!(refused(vec![stream(PUZZLE)]), ShardError::Stream);
    assert_eq!(refused(vec![open(&path, true)]), ShardError::Compressed);
    assert_eq!(refused(Source::open_each(&archive).unwrap().0), ShardError::Member);
}
