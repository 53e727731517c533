//! The same records for any chunks, mapped or streamed, on any threads: one property of every format, and one of lines
//! of no format.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZero;

use galop_batch::Error;
use galop_batch::input::{InputError, Source};
use galop_batch::output;
use galop_batch::pipeline::SolveOptions;
use galop_engines::puzzle::Limits;
use proptest::prelude::*;

use crate::pipeline::figures;
use crate::shards::{KINDS, file};
use crate::{open, solve, try_open};
use galop_testing::chance::Chance;
use galop_testing::engines::named;
use galop_testing::puzzles::PUZZLE;

/// The output and the figures of a source, without its name and the way in which it was read, or why it is refused.
fn answers(
    mut source: Source,
    name: &str,
    options: SolveOptions<'_>,
) -> Result<(String, String), Option<InputError>> {
    let (out, mut outcome) =
        solve(&mut source, named(name), options).map_err(|error| error.fact().cloned())?;
    for input in &mut outcome.inputs {
        (input.name, input.mapped) = ("file".into(), false);
    }
    outcome.malformed.iter_mut().for_each(|malformed| malformed.path = "file".into());
    Ok((out, figures(&outcome)))
}

/// Lines that a format takes for records or for parts of them, and lines that none does.
fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let text = prop_oneof![
        9 => "[1-9.]{9}\r?",
        2 => "[1-9.]{3}\\|[1-9.]{3}\\|[1-9.]{3}",
        1 => "[1-9.x]{8,10}",
        2 => "[0-9.*| ]{0,14}",
        2 => "[ \t]{0,2}\r?",
        1 => "#.{0,9}",
        1 => "\\+?---\\+---\\+---\\+?",
        1 => "(Grid 1|[.]{81}|[.]{80}|.{0,30})",
        2 => "[\\[\\](){}\"', 0-9.…│─=#a-c-]{0,40}\r?",
        2 => "[0-9],[1-9.]{81}(,\"?[a\n\"]{0,3}\"?)?",
        1 => "\\{\"puzzle\":\"[1-9.]{80,81}\"(,\"a\":[0-9\\[]{0,2})?\\}?",
        1 => Just(format!("x = \"{PUZZLE}\"")),
        3 => Just(rows()),
    ];
    let bytes = prop::collection::vec(any::<u8>(), 0..30);
    prop::collection::vec(prop_oneof![20 => text.prop_map(String::into_bytes), 2 => bytes], 0..40)
}

/// The puzzle, a row a line.
fn rows() -> String {
    PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n").collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn the_same_records_for_any_chunks_ways_of_reading_and_threads(
        kind in prop::sample::select(&KINDS[..]),
        most in prop::sample::select(&[0_usize, 1, 5, 300][..]),
        threads in prop::sample::select(&[1_usize, 2, 3, 8][..]),
        chunk_bytes in 64_usize..9000,
        format in prop::sample::select(&["pair", "solution", "csv", "json", "grid"][..]),
        name in prop::sample::select(&["bitboard", "dlx"][..]),
        limits in prop::sample::select(&[Limits::ANY, Limits::UNIQUE][..]),
        is_cut_short in any::<bool>(),
        seed in any::<u64>(),
    ) {
        let mut chance = Chance::new(seed);
        // An array that shows no greatest number may be read with another blank.
        let records = if kind == "npy" { most.max(5) } else { chance.below(most + 1) };
        let mut bytes = file(kind, records, &mut chance);
        if is_cut_short && kind != "npy" {
            bytes.truncate(bytes.trim_ascii_end().len());
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, &bytes).unwrap();
        let format = output::format(format).unwrap();
        let options = SolveOptions::default().format(format).limits(limits).times(false);
        let whole = options.threads(NonZero::new(1)).chunk_bytes(NonZero::new(1 << 20));
        let options = options.threads(NonZero::new(threads)).chunk_bytes(NonZero::new(chunk_bytes));
        let expected = answers(open(&path, true), name, whole).unwrap();
        for source in [open(&path, true), open(&path, false), crate::stream(bytes)] {
            let (out, figures) = answers(source, name, options).unwrap();
            prop_assert_eq!(out, &*expected.0);
            prop_assert_eq!(figures, &*expected.1);
        }
    }

    /// A refusal is the same as well.
    #[test]
    fn any_lines_are_read_alike_in_chunks_of_any_size(
        first in prop::sample::select(vec![String::new(), rows(), "id,puzzle,note\n".into(), "{\"puzzle\":\"1\"}\n".into()]),
        lines in lines(),
        chunk_bytes in 64_usize..3000,
    ) {
        let text = [first.as_bytes(), &lines.join(&b'\n')].concat();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, &text).unwrap();
        let options = SolveOptions::default().threads(NonZero::new(1)).times(false);
        let read = |source: Result<Source, Error>, chunk_bytes| {
            let source = source.map_err(|error| error.fact().cloned())?;
            answers(source, "bitboard", options.chunk_bytes(NonZero::new(chunk_bytes)))
        };
        let whole = read(try_open(&path, true), 1 << 20);
        for source in [try_open(&path, true), try_open(&path, false), Ok(crate::stream(&text[..]))] {
            let is_pipe = source.as_ref().is_ok_and(|source| source.name() != path);
            let found = read(source, chunk_bytes);
            // Only a file is refused because it has no puzzle.
            if is_pipe && matches!(whole, Err(Some(InputError::NoPuzzle(_)))) {
                prop_assert!(found.is_ok_and(|(out, _)| out.lines().all(|line| line.ends_with(",malformed"))));
            } else {
                prop_assert_eq!(&found, &whole);
            }
        }
    }
}

/// The property holds for every format only if a file of each is made.
#[test]
fn files_are_made_in_every_format() {
    let format = |kind: &&str| {
        let source = &mut crate::stream(file(kind, 30, &mut Chance::new(1)));
        solve(source, named("bitboard"), SolveOptions::default()).unwrap().1.inputs[0].format
    };
    let made: BTreeSet<&str> = KINDS.iter().map(format).collect();
    // Records of a problem (`choices`) need the problem: tests of the tool have them. The array has 1 for a blank.
    let all = galop_batch::input::text_formats().filter(|name| *name != "choices").chain(["npy-offset-1"]);
    assert_eq!(made, all.collect());
}
