//! The formats `lines` and `csv`: each file is read as its writer meant it, and every kind of malformed line is
//! reported with its column and a message.

use std::io::Cursor;
use std::num::NonZero;

use galop_batch::input::{Count, InputError, LineErrorKind, MAX_LINE_BYTES, Source};
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun};
use galop_batch::{Error, output};
use galop_engines::Rules;
use galop_engines::puzzle::Status;
use proptest::prelude::*;

use crate::{open, solve, stream};
use galop_testing::engines::named;
use galop_testing::npy;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory};

/// Solves `input` in chunks of `chunk_bytes`, printed in an output format.
fn run_in(input: &[u8], format: &str, chunk_bytes: usize) -> (String, SolveOutcome) {
    try_in(input, format, chunk_bytes).unwrap()
}

fn try_in(input: &[u8], format: &str, chunk_bytes: usize) -> Result<(String, SolveOutcome), Error> {
    let format = output::format(format).unwrap();
    let options = SolveOptions::default()
        .threads(NonZero::new(1))
        .format(format)
        .chunk_bytes(NonZero::new(chunk_bytes))
        .times(false);
    solve(&mut stream(input), named("bitboard"), options)
}

fn run(input: impl AsRef<[u8]>) -> (String, SolveOutcome) {
    run_in(input.as_ref(), "solution", 4096)
}

/// Asserts that the records of `input` have these answers.
#[track_caller]
fn answers(input: impl AsRef<[u8]>, answers: &[&str]) {
    let text = String::from_utf8_lossy(input.as_ref()).into_owned();
    let (out, outcome) = run(input);
    assert_eq!(out.lines().collect::<Vec<_>>(), answers, "{text:?}\n{:?}", outcome.malformed);
}

/// The places and reasons of all malformed lines of `input`.
fn complaints(input: impl AsRef<[u8]>) -> Vec<String> {
    run(input).1.malformed.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn complains(input: impl AsRef<[u8]>, complaint: &str) {
    assert_eq!(complaints(input), [complaint]);
}

#[test]
fn every_character_for_a_blank() {
    for blank in [".", "0", "*", "_", "x", "X", "?"] {
        answers(PUZZLE.replace('.', blank), &[SOLUTION]);
    }
    let mut blanks = ".0*_xX?".chars().cycle();
    let mixed: String = PUZZLE.chars().map(|c| if c == '.' { blanks.next().unwrap() } else { c }).collect();
    answers(&mixed, &[SOLUTION]);
    let (out, _) = run_in(mixed.as_bytes(), "pair", 64);
    assert_eq!(out, format!("{mixed},{SOLUTION}\n"), "echoed as it was read");
}

#[test]
fn comments_and_blank_lines_are_not_records() {
    let text = format!("# hardest list\n\n{PUZZLE}\n   \t \n\r\n  # indented\n#{PUZZLE}\n{PUZZLE}\n\n");
    answers(&text, &[SOLUTION, SOLUTION]);
    let outcome = run(&text).1;
    assert_eq!((outcome.inputs[0].lines, outcome.inputs[0].records), (9, 2));
    answers("", &[]);
    answers("\n", &[]);
    answers("# only a comment", &[]);
}

#[test]
fn line_ends_and_byte_order_marks() {
    answers(format!("{PUZZLE}\n{PUZZLE}\n"), &[SOLUTION; 2]);
    answers(format!("{PUZZLE}\r\n{PUZZLE}\r\n"), &[SOLUTION; 2]);
    answers(format!("{PUZZLE}\r\n{PUZZLE}"), &[SOLUTION; 2]);
    answers(format!("{PUZZLE}\n{PUZZLE}\r"), &[SOLUTION; 2]);
    answers(format!("\u{feff}{PUZZLE}\n{PUZZLE}\n"), &[SOLUTION; 2]);
    answers(format!("\u{feff}puzzle\r\n{PUZZLE}\r\n"), &[SOLUTION]);
    answers("\u{feff}", &[]);
    assert_eq!(run(format!("\u{feff}{PUZZLE}\n")).1.inputs[0].bytes, 85, "the mark was read too");
    // Files with one may be put one behind the other.
    answers(format!("{PUZZLE}\n\u{feff}{PUZZLE}\n"), &[SOLUTION; 2]);
    answers(format!("{PUZZLE}\r\n\x1a"), &[SOLUTION]);
}

#[test]
fn fields_before_and_after() {
    for separator in [" ", "\t", ",", ";", ":", "#", " # ", ", ", " ; "] {
        answers(format!("{PUZZLE}{separator}ED=11.9/11.9/2.6"), &[SOLUTION]);
        answers(format!("{PUZZLE}{separator}"), &[SOLUTION]);
    }
    answers(format!("{PUZZLE},{SOLUTION}"), &[SOLUTION]);
    answers(format!("{PUZZLE}:1:{SOLUTION}"), &[SOLUTION]);
    answers(format!("0000183b305c {PUZZLE}  1.2"), &[SOLUTION]);
    answers(format!("  {PUZZLE}"), &[SOLUTION]);
    answers(format!("7,a;b:{PUZZLE}#"), &[SOLUTION]);
    // The puzzle is the first field that can be a puzzle.
    let other = SOLUTION.replace('1', ".");
    answers(format!("{} {other}", "z".repeat(81)), &[SOLUTION]);
    // A second one is not left out without a word. What lacks no clue is an answer, whole or not.
    answers(format!("{PUZZLE} {}.", &SOLUTION[..80]), &[SOLUTION]);
    let error = try_in(format!("{PUZZLE}\n{other} {PUZZLE}").as_bytes(), "pair", 64).unwrap_err();
    assert!(error.to_string().starts_with("file:2:83: a second puzzle on the line"), "{error}");
}

#[test]
fn a_header_may_follow_comments() {
    let text = format!("# made by hand\r\n\r\nsolution,puzzle\r\n{SOLUTION},{PUZZLE}\r\n");
    let (out, outcome) = run(&text);
    assert_eq!((out, outcome.inputs[0].format), (format!("{SOLUTION}\n"), "csv"));
    assert_eq!((outcome.inputs[0].lines, outcome.inputs[0].records), (4, 1));
}

#[test]
fn tables_with_a_header() {
    let tables = [
        format!("solution,puzzle\n{SOLUTION},{PUZZLE}\n"),
        format!("rating;sudoku\n1.2;{PUZZLE}\n"),
        format!("rating\tinitial_board\n1.2\t{PUZZLE}\n"),
        format!("\"id\",\"Puzzles\"\n\"a, \"\"b\"\", c\",\"{PUZZLE}\"\n"),
        format!("id , QUIZ \n7 , {PUZZLE} \n"),
        format!("questions\n{PUZZLE}"),
    ];
    for table in tables {
        answers(&table, &[SOLUTION]);
        let outcome = run(&table).1;
        assert_eq!((outcome.inputs[0].format, outcome.inputs[0].records), ("csv", 1));
        answers(table.replace('\n', "\r\n"), &[SOLUTION]);
    }
    answers("puzzle,solution\n", &[]);
    assert_eq!(run(PUZZLE).1.inputs[0].format, "lines");
}

/// The puzzle is in the column that the header names, even if another column looks like a puzzle.
#[test]
fn a_table_is_read_by_its_column() {
    let table = format!("solution,puzzle\n{SOLUTION},{}\n{SOLUTION}\n,\n", &PUZZLE[1..]);
    let begins = ["file:2:163: 80 cells", "file:3:82: no puzzle column", "file:4:2: 0 cells"];
    let complaints = complaints(table);
    assert_eq!(complaints.len(), 3);
    for (complaint, begin) in complaints.iter().zip(begins) {
        assert!(complaint.starts_with(begin), "{complaint}");
    }
    complains("id,puzzle\n1\n", "file:2:2: no puzzle column (the header has one)");
}

/// The answers to several sources in the format `csv`, without times.
fn tables(sources: &[&str]) -> Result<String, galop_batch::Error> {
    let format = output::format("csv").unwrap();
    let options = SolveOptions::default()
        .threads(NonZero::new(2))
        .format(format)
        .chunk_bytes(NonZero::new(64))
        .times(false);
    let (mut road, mut out) = (SolveRun::open(&Rules::default(), named("bitboard"), options)?, Vec::new());
    for (number, source) in sources.iter().enumerate() {
        let source = source.as_bytes().to_vec();
        let name = format!("table {number}");
        road.solve(&mut Source::stream(name, Cursor::new(source)), &mut out, &mut ())?;
    }
    road.finish(&mut out)?;
    Ok(String::from_utf8(out).unwrap())
}

#[test]
fn a_table_keeps_its_columns_in_csv() {
    let none = contradictory();
    let table = format!("# mine\r\nid;quiz;status\r\n1;{PUZZLE};\"a;b\"\r\n2;{none};é\r\n3;\"oops;x\r\n");
    // In csv, commas are between the columns.
    let header = "id,quiz,status,solution,galop_status,count,guesses,nanos";
    let rows = [
        format!("1,{PUZZLE},\"a;b\",{SOLUTION},solved,1,0,"),
        format!("2,{none},é,,none,0,0,"),
        ",\"3;\"\"oops;x\",,,malformed,0,0,".to_owned(),
    ]
    .join("\n");
    assert_eq!(tables(&[&table]).unwrap(), format!("{header}\n{rows}\n"));
    assert_eq!(tables(&[&table, &table]).unwrap(), format!("{header}\n{rows}\n{rows}\n"), "one header");

    let fewer = format!("status;quiz\n x;{PUZZLE}\n");
    let found = tables(&[&table, &fewer]).unwrap();
    assert_eq!(found, format!("{header}\n{rows}\n,{PUZZLE},x,{SOLUTION},solved,1,0,\n"));
    // A line and a list have the puzzle alone.
    for other in [format!("{PUZZLE}\n"), format!("[\"{PUZZLE}\"]\n")] {
        let found = tables(&[&table, &other]).unwrap();
        assert_eq!(found, format!("{header}\n{rows}\n,{PUZZLE},,{SOLUTION},solved,1,0,\n"));
    }
    assert_eq!(tables(&[&table, "[\n]\n"]).unwrap(), format!("{header}\n{rows}\n"));

    let error = tables(&[&table, &format!("quiz;level\n{PUZZLE};1\n")]).unwrap_err();
    assert!(error.fact::<galop_batch::pipeline::ColumnsDiffer>().is_some());
    let begin = "table 1: its columns differ from the columns of the first input";
    assert!(error.to_string().starts_with(begin), "{error}");
}

#[test]
fn lines_and_empty_sources_have_the_usual_header_in_csv() {
    let usual = "puzzle,solution,status,count,guesses,nanos\n";
    assert_eq!(tables(&[]).unwrap(), usual);
    assert_eq!(tables(&["", "# nothing\n"]).unwrap(), usual);
    let answer = format!("{PUZZLE},{SOLUTION},solved,1,0,\n");
    let (lines, table) = (format!("{PUZZLE}\n"), format!("puzzle\n{PUZZLE}\n"));
    assert_eq!(tables(&[&lines, &table]).unwrap(), format!("{usual}{answer}{answer}"));
    let error = tables(&[&lines, &format!("id,puzzle\n7,{PUZZLE}\n")]).unwrap_err();
    assert!(error.fact::<galop_batch::pipeline::ColumnsDiffer>().is_some());
}

/// Lines that are alike, or rows of an array, are read, verified and printed many at a time. One among them that is not
/// ends that, wherever it is: without a solution, malformed, with a blank of its own, or longer.
#[test]
fn one_line_that_is_not_like_the_others_may_be_anywhere() {
    const LINES: usize = 200;
    let (none, other) = (contradictory(), PUZZLE.replace('.', "_"));
    let odd = [
        (none.clone(), format!("{none},none")),
        (PUZZLE.replacen('4', "!", 1), format!("{},malformed", PUZZLE.replacen('4', "!", 1))),
        (other.clone(), format!("{other},{SOLUTION}")),
        (format!("  {PUZZLE}"), format!("{PUZZLE},{SOLUTION}")),
    ];
    for (line, expected) in odd {
        for place in 0..LINES {
            let mut input = vec![PUZZLE; LINES];
            input[place] = &line;
            let rows = (line == none).then(|| npy::array("|u1", "(200, 81)", &npy::rows(&input, 1, 0)));
            for input in rows.into_iter().chain([input.join("\n").into_bytes()]) {
                let (out, outcome) = run_in(&input, "pair", 1 << 16);
                let usual = format!("{PUZZLE},{SOLUTION}");
                for (at, found) in out.lines().enumerate() {
                    assert_eq!(found, if at == place { &expected } else { &usual }, "{line} at {place}");
                }
                let solved = LINES - usize::from(!expected.ends_with(SOLUTION));
                assert_eq!((out.lines().count(), outcome.tally.of(Status::Solved)), (LINES, solved as u64));
            }
        }
    }
}

#[test]
fn its_own_output_can_be_read_again() {
    let none = contradictory();
    let input = format!("{PUZZLE}\n{none}\n\"rub,bish\n{PUZZLE}\n");
    let (solved, _) = run_in(input.as_bytes(), "solution", 4096);
    for format in ["csv", "pair"] {
        let (first, _) = run_in(input.as_bytes(), format, 4096);
        let (again, outcome) = run_in(first.as_bytes(), "solution", 4096);
        assert_eq!(again, solved, "{format}");
        assert_eq!(outcome.tally.of(Status::Malformed), 1);
    }
}

fn unexpected(byte: &str) -> String {
    format!(
        "unexpected `{byte}` (cells are 1-9, a blank is one of . 0 * _ x X ?, fields end in space, tab or one of , ; : #)"
    )
}

#[test]
fn wrong_characters_are_named_with_their_column() {
    let with = |column: usize, byte: u8| {
        let mut line = PUZZLE.as_bytes().to_vec();
        line[column - 1] = byte;
        line
    };
    complains(with(1, b'a'), &format!("file:1:1: {}", unexpected("a")));
    complains(with(81, b'-'), &format!("file:1:81: {}", unexpected("-")));
    complains(with(40, b'"'), &format!("file:1:40: {}", unexpected("\\\"")));
    complains(with(2, 0xff), &format!("file:1:2: {}", unexpected("\\xff")));
    complains(with(9, 0x1b), &format!("file:1:9: {}", unexpected("\\x1b")));
    complains(with(9, b'\r'), &format!("file:1:9: {}", unexpected("\\r")));
    complains(with(81, 0), "file:1:81: a NUL byte (text has none; the file may be binary or truncated)");
    // The longest field is taken for the puzzle.
    complains(format!("id=1 {PUZZLE}!"), "file:1:87: 82 cells (a puzzle has 81, row by row on one line)");
    complains("not a puzzle", &format!("file:1:7: {}", unexpected("p")));
}

#[test]
fn wrong_lengths_are_counted() {
    let length = |found: usize| format!("{found} cells (a puzzle has 81, row by row on one line)");
    complains(&PUZZLE[..80], &format!("file:1:81: {}", length(80)));
    complains(format!("{PUZZLE}."), &format!("file:1:82: {}", length(82)));
    complains("1", "file:1:2: 1 cell (a puzzle has 81, row by row on one line)");
    complains(",", &format!("file:1:1: {}", length(0)));
    complains(format!("ab {}", &PUZZLE[..80]), &format!("file:1:84: {}", length(80)));
    complains(".".repeat(728), &format!("file:1:82: {}", length(728)));
}

/// A line of `MAX_LINE_BYTES` is read. A longer one is malformed, whatever the chunks.
#[test]
fn lines_have_a_maximum_length() {
    let padded = |len: usize| format!("{PUZZLE}{}", " ".repeat(len - 81));
    let complaint = "file:1:65537: a line of more than 65536 bytes (one puzzle per line)";
    for chunk_bytes in [64, 4096, 1 << 20] {
        for end in ["", "\n", "\r\n"] {
            let solved = |line: &str| {
                let (out, outcome) =
                    run_in(format!("{line}{end}{PUZZLE}").as_bytes(), "solution", chunk_bytes);
                (out, outcome.malformed.first().map(ToString::to_string))
            };
            let after = if end.is_empty() { 0 } else { 1 };
            let longest = padded(MAX_LINE_BYTES - if after == 0 { 81 } else { 0 });
            assert_eq!(solved(&longest), (format!("{SOLUTION}\n").repeat(1 + after), None));
            let lines = format!("malformed\n{}", format!("{SOLUTION}\n").repeat(after));
            for more in [1, 2, 3, 70_000] {
                let (out, first) = solved(&padded(longest.len() + more));
                assert_eq!((out, first.as_deref()), (lines.clone(), Some(complaint)), "{more} {end:?}");
            }
        }
    }
}

/// An overlong line is the same record whether its end is mapped or skipped in a stream.
#[test]
fn overlong_lines_are_the_same_mapped_and_streamed() {
    let lines = [
        format!("{PUZZLE}{}\rmore", " ".repeat(MAX_LINE_BYTES - 81)),
        format!("{}{PUZZLE}", " ".repeat(70_000)),
        format!("{}#", " ".repeat(70_000)),
        format!("#{}{PUZZLE}", " ".repeat(70_000)),
        format!("{}puzzle", "a,".repeat(40_000)),
    ];
    let solve = |mut source: Source| {
        let options = SolveOptions::default().threads(NonZero::new(1)).times(false);
        let (out, outcome) = solve(&mut source, named("bitboard"), options).unwrap();
        (out, outcome.inputs[0].records, outcome.inputs[0].format)
    };
    for (line, records) in lines.iter().zip([1, 1, 1, 0, 0]) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), format!("{line}\n{PUZZLE}\n")).unwrap();
        let mapped = solve(open(file.path(), true));
        let streamed = solve(open(file.path(), false));
        assert_eq!(mapped, streamed);
        assert_eq!(mapped.1, records + 1, "{} ...", &line[..10]);
    }
}

#[test]
fn every_kind_of_line_error_says_what_is_wrong_and_what_is_right() {
    let kinds = [
        LineErrorKind::Character(b'!'),
        LineErrorKind::Length(Count { found: 1, expected: 81 }),
        LineErrorKind::LostDigits,
        LineErrorKind::TooLong,
        LineErrorKind::NoField,
        LineErrorKind::Fields(Count { found: 3, expected: 2 }),
        LineErrorKind::RowTooLong,
        LineErrorKind::OpenQuote,
        LineErrorKind::BehindQuote,
        LineErrorKind::CarriageReturn,
        LineErrorKind::GridCharacter(b'a'),
        LineErrorKind::GridCharacter(0),
        LineErrorKind::GridRow(Count { found: 8, expected: 9 }),
        LineErrorKind::GridLength(Count { found: 9, expected: 81 }),
        LineErrorKind::GridTooLong,
    ];
    for kind in kinds {
        let words = kind.to_string();
        assert!(words.contains('(') && words.ends_with(')'), "what is wrong (what would be right): {words}");
    }
}

/// The number of records, by the obvious reader.
fn count(text: &[u8]) -> usize {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let is_record = |line: &&[u8]| {
        let line: Vec<u8> = line.iter().copied().filter(|byte| !b" \t\r".contains(byte)).collect();
        !line.is_empty() && line[0] != b'#'
    };
    text.split(|&byte| byte == b'\n').filter(is_record).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_record_in_one_record_out(
        lines in proptest::collection::vec(
            prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..120),
                proptest::collection::vec(proptest::sample::select(&b"#, \t\r;:\"'19.\\"[..]), 0..12),
                "[0-9.]{80,82}([,;# ].{0,9})?".prop_map(String::into_bytes),
                Just(PUZZLE.as_bytes().to_vec()),
            ],
            0..30,
        ),
        last in "\n?",
        chunk_bytes in 64usize..1000,
        format in proptest::sample::select(&["pair", "solution", "json"][..]),
    ) {
        let mut text = lines.join(&b'\n');
        text.extend_from_slice(last.as_bytes());
        // Compressed data and UTF-16 are refused.
        prop_assume!(!text.starts_with(b"\x1f\x8b") && text.first().is_none_or(|&byte| byte < 0xfe));
        // A header is not a record.
        prop_assume!(!text.to_ascii_lowercase().windows(4).any(|word| word == b"puzz" || word == b"quiz"));
        // Brackets and three quotes with nothing but a name before them are not a record.
        let has_bracket = |line: &[u8]| {
            line.iter().any(|byte| b"[](){}".contains(byte))
                || line.windows(3).any(|three| three == b"\"\"\"" || three == b"'''" || three == b"```")
        };
        let is_bracket_line = |line: &[u8]| {
            line.last().is_some_and(|byte| b"[](){}\"'`,;\\ \t\r".contains(byte)) && has_bracket(line)
        };
        prop_assume!(!text.split(|&byte| byte == b'\n').any(is_bracket_line));
        let ran = try_in(&text, format, chunk_bytes);
        // Nor is one without a column of puzzles, binary data, or a text of another kind.
        let is_unclear = |error: &Error| {
            matches!(
                error.fact(),
                Some(InputError::UnclearColumn { .. } | InputError::NotText(_) | InputError::Stranger(_))
            )
        };
        prop_assume!(!ran.as_ref().is_err_and(is_unclear));
        // A single record without a line feed is refused if carriage returns divide it: they were meant as line ends.
        if matches!(ran.as_ref().map_err(Error::fact), Err(Some(InputError::CarriageReturns))) {
            let record = text.rsplit(|&byte| byte == b'\n').next().unwrap();
            prop_assert!(count(&text) <= 1 && record.trim_ascii().contains(&b'\r'));
            return Ok(());
        }
        let (out, outcome) = ran.unwrap();
        let records = count(&text);
        prop_assert_eq!(out.lines().count(), records);
        prop_assert_eq!(outcome.tally.records(), records as u64);
        prop_assert_eq!(outcome.inputs[0].bytes, text.len() as u64);
        prop_assert!(out.is_empty() || out.ends_with('\n'));
    }
}
