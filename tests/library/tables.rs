//! Tables whose rows are broken: what comes out is a valid table whose columns are right, or a row marked malformed.

use std::num::NonZero;

use galop::output;
use galop::pipeline::{SolveOptions, SolveOutcome};

use crate::common::engines::named;
use crate::common::puzzles::{PUZZLE, SOLUTION};
use crate::{solve, stream};

/// The answers to a table, in the format `csv`, without times.
fn run(table: impl AsRef<[u8]>) -> (String, SolveOutcome) {
    let options = SolveOptions {
        threads: NonZero::new(1),
        format: output::format("csv").unwrap(),
        chunk_bytes: NonZero::new(64),
        times: false,
        ..SolveOptions::default()
    };
    solve(&mut stream(table.as_ref()), named("bitboard"), options).unwrap()
}

/// Asserts the rows of the output behind its header, and the places and reasons of the malformed ones.
#[track_caller]
fn rows(table: impl AsRef<[u8]>, rows: &[&str], complaints: &[&str]) {
    let (out, outcome) = run(table);
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), rows);
    let found: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert_eq!(found, complaints);
}

#[test]
fn a_short_row_is_padded_to_the_width_of_the_header() {
    let answer = format!("{SOLUTION},solved,1,0,");
    for (table, expected) in [
        (format!("id,puzzle,note\n1,{PUZZLE}\n"), format!("1,{PUZZLE},,{answer}")),
        (format!("id,puzzle,a,b,c\r\n1,{PUZZLE},\r\n"), format!("1,{PUZZLE},,,,{answer}")),
        (format!("id,puzzle,note\n1,\"{PUZZLE}\""), format!("1,\"{PUZZLE}\",,{answer}")),
        (format!("puzzle,note\n{PUZZLE}\n"), format!("{PUZZLE},,{answer}")),
        (format!("puzzle,a,b\n{PUZZLE},\"x,y\"\n"), format!("{PUZZLE},\"x,y\",,{answer}")),
        (format!("puzzle,note\n{PUZZLE},\n"), format!("{PUZZLE},,{answer}")),
    ] {
        rows(table, &[&expected], &[]);
    }
}

#[test]
fn a_row_with_too_many_fields_is_malformed() {
    let (start, end) = (&PUZZLE[..3], "malformed,0,0,");
    let echo = |row: &str| format!("\"{}\"", row.replace(',', "\\x2c"));
    let table = format!("id,puzzle\n1,{PUZZLE},{start}\n2,{PUZZLE}\n3,{PUZZLE},,\n");
    let expected = [
        format!(",{},,{end}", echo(&format!("1,{PUZZLE},{start}"))),
        format!("2,{PUZZLE},{SOLUTION},solved,1,0,"),
        format!(",{},,{end}", echo(&format!("3,{PUZZLE},,"))),
    ];
    let complaints = ["file:2:85: 3 fields (the header has 2)", "file:4:85: 4 fields (the header has 2)"];
    rows(table, &expected.each_ref().map(String::as_str), &complaints);
    // The puzzle in the first column.
    let table = format!("puzzle,a\n{PUZZLE},1,2\n{PUZZLE},1\n");
    let expected =
        [format!("{},,,{end}", echo(&format!("{PUZZLE},1,2"))), format!("{PUZZLE},1,{SOLUTION},solved,1,0,")];
    rows(table, &expected.each_ref().map(String::as_str), &["file:2:85: 3 fields (the header has 2)"]);
}
