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

/// A malformed row in the output of a table `puzzle,note`.
fn malformed(echo: &str) -> String {
    let echo = echo.replace(',', "\\x2c").replace('\r', "\\x0d").replace('"', "\"\"");
    format!("\"{echo}\",,,malformed,0,0,")
}

const OPEN: &str = "a quote is not closed on its line (a row of a table is one line)";

#[test]
fn a_quote_that_is_not_closed_makes_its_row_malformed() {
    let right = |note: &str| format!("{PUZZLE},{note},{SOLUTION},solved,1,0,");
    let table = format!("puzzle,note\n{PUZZLE},\"abc\n{PUZZLE},c\n{PUZZLE},\"d\"\n");
    let expected = [malformed(&format!("{PUZZLE},\"abc")), right("c"), right("\"d\"")];
    rows(table, &expected.each_ref().map(String::as_str), &[&format!("file:2:83: {OPEN}")]);

    // A line end between quotes, which RFC 4180 allows: each line is a record.
    let table = format!("puzzle,note\n{PUZZLE},\"a\nb\"\n{PUZZLE},c\n");
    let expected = [malformed(&format!("{PUZZLE},\"a")), malformed("b\""), right("c")];
    let (out, outcome) = run(table);
    assert_eq!(out.lines().skip(1).collect::<Vec<_>>(), expected);
    assert_eq!(outcome.malformed[0].to_string(), format!("file:2:83: {OPEN}"));

    // Quotes that are no fault: doubled, inside an unquoted field, with spaces behind.
    for note in ["\"a \"\"b\"\", c\"", "5\" disk", "\"a,b\"  ", "\"\"", " \"a", "\"a\rb\""] {
        rows(format!("puzzle,note\n{PUZZLE},{note}\n"), &[&right(note)], &[]);
    }
}

#[test]
fn text_behind_a_quote_and_carriage_returns_make_a_row_malformed() {
    let behind = "text behind a closing quote (a quote inside a quoted field is written twice)";
    let carriage = "a carriage return inside a row (a row ends with a line feed)";
    for (note, complaint) in [
        ("\"a\"b", format!("file:2:86: {behind}")),
        ("\"a\" \"b\"", format!("file:2:87: {behind}")),
        ("\"a\"\"b\"c,d\"", format!("file:2:89: {behind}")),
        ("a\rb", format!("file:2:84: {carriage}")),
        ("a\r", format!("file:2:84: {carriage}")),
    ] {
        let row = format!("{PUZZLE},{note}");
        rows(format!("puzzle,note\r\n{row}\r\n"), &[&malformed(&row)], &[&complaint]);
    }
}

#[test]
fn a_malformed_header_is_an_error() {
    let comments = "# nothing\n".repeat(30);
    for (header, message) in [
        ("puzzle,\"note", format!("file:31:8: the header of the table is malformed: {OPEN}")),
        ("puzzle,\"a\"b", "file:31:11: the header of the table is malformed: text behind".to_owned()),
        ("id,puzzle,a\rb", "file:31:12: the header of the table is malformed: a carriage".to_owned()),
    ] {
        let options = SolveOptions { chunk_bytes: NonZero::new(64), ..SolveOptions::default() };
        let table = format!("{comments}{header}\n{PUZZLE},\"\n");
        let error = solve(&mut stream(table), named("bitboard"), options).unwrap_err();
        assert!(error.to_string().starts_with(&message), "{error}");
        assert!(matches!(error.fact(), Some(galop::input::InputError::Header(_))));
    }
}
