//! JSON lines: objects in, objects out.

use std::num::NonZero;

use galop_batch::pipeline::{SolveOptions, SolveOutcome};
use galop_batch::{Error, output};
use galop_engines::puzzle::Status;
use serde_json::Value;

use crate::{solve, stream};
use galop_testing::engines::named;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory};

fn run(input: &str, format: &str) -> Result<(String, SolveOutcome), Error> {
    let format = output::format(format).unwrap();
    let options = SolveOptions::default().format(format).times(false);
    solve(&mut stream(input), named("bitboard"), options)
}

/// The puzzle as an array of numbers, flat or a row each.
fn array(text: &str, is_nested: bool) -> String {
    let numbers: Vec<String> =
        text.chars().map(|c| if c == '.' { "0".to_owned() } else { c.to_string() }).collect();
    let rows: Vec<String> = numbers.chunks(9).map(|row| row.join(", ")).collect();
    if is_nested { format!("[[{}]]", rows.join("], [")) } else { format!("[{}]", rows.join(",")) }
}

#[test]
fn puzzles_are_strings_or_arrays_of_numbers() {
    let escaped = PUZZLE.replacen('.', "\\u002e", 1);
    for value in
        [format!("\"{PUZZLE}\""), format!("\"{escaped}\""), array(PUZZLE, false), array(PUZZLE, true)]
    {
        for object in [
            format!("{{\"question\":{value}}}"),
            format!(
                " {{ \"id\" : 7, \"board\" : {value} , \"tags\": [\"a}}\", {{\"x\": [1]}}], \"note\": null }} "
            ),
        ] {
            let (out, outcome) = run(&format!("{object}\n\n# comment\n{object}"), "pair").unwrap();
            assert_eq!(out, format!("{PUZZLE},{SOLUTION}\n").repeat(2), "{object}");
            assert_eq!(outcome.inputs[0].format, "json");
        }
    }
}

#[test]
fn objects_keep_their_keys() {
    let none = contradictory();
    let lines = format!(
        "{{\"id\": 1.50, \"puzzle\": \"{PUZZLE}\", \"solution\": {}}}\n\
         {{\"puzzle\":\"{none}\",\"status\":\"é\\n\",\"id\":[2, {{}}]}}\nrubbish \"\n{{\"id\":3}}\n{{\"puzzle\":\"x\"}}\n",
        array(SOLUTION, true)
    );
    let (out, outcome) = run(&lines, "json").unwrap();
    let rows: Vec<&str> = out.lines().collect();
    let expected = format!(
        "{{\"id\": 1.50, \"puzzle\": \"{PUZZLE}\", \"solution\": {},\"galop_solution\":\"{SOLUTION}\",\
         \"status\":\"solved\",\"count\":1,\"guesses\":0,\"nanos\":null}}",
        array(SOLUTION, true)
    );
    assert_eq!(rows[0], expected);
    let values: Vec<Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    assert_eq!((&values[1]["status"], &values[1]["galop_status"]), (&"é\n".into(), &"none".into()));
    assert!(values[1]["galop_solution"].is_null() && values[1].get("solution").is_none());
    assert_eq!((outcome.answers.given, outcome.answers.wrong), (1, 0));
    let places: Vec<String> = outcome.malformed.iter().map(ToString::to_string).collect();
    assert!(places[0].starts_with("file:3:1: no JSON object here"), "{places:?}");
    assert!(places[1].starts_with("file:4:9: the object has no puzzle"), "{places:?}");
    assert!(
        places[2].starts_with("file:5:12: unexpected `x`") || places[2].starts_with("file:5:13: 1 cell "),
        "{places:?}"
    );
    assert_eq!(values[2]["puzzle"], "rubbish \"");
    assert_eq!(outcome.tally.of(Status::Malformed), 3);
    // What comes out is read again.
    let (_, again) = run(&out, "json").unwrap();
    assert_eq!(
        [Status::Solved, Status::None, Status::Malformed].map(|status| again.tally.of(status)),
        [1, 1, 3]
    );
}

#[test]
fn wrong_values_are_named_with_their_column() {
    let complains = |object: &str, complaint: &str| {
        let first = format!("{{\"puzzle\":\"{PUZZLE}\"}}\n");
        let (_, outcome) = run(&(first + object), "pair").unwrap();
        let found = outcome.malformed[0].to_string();
        assert!(found.starts_with(&format!("file:2:{complaint}")), "{found}");
    };
    complains("{\"puzzle\":7}", "11: the puzzle is neither a string nor an array");
    complains("{\"puzzle\":[1,2]}", "11: 2 cells");
    complains("{\"puzzle\":[1,-2]}", "14: unexpected `-`");
    complains("{\"puzzle\":[1, 10]}", "15: the number 10 (cells are numbers from 1 to 9, a blank is 0)");
    complains(&format!("{{\"puzzle\":\"{PUZZLE}\"",), "94: no JSON object here");
    complains(&format!("{{\"puzzle\":\"{PUZZLE}\",\"a\":[}}]}}"), "100: no JSON object here");
}

/// The answers to `text` in chunks of any size.
#[track_caller]
fn answers(name: &str, text: &str, expected: &str) {
    let format = output::format("pair").unwrap();
    for chunk_bytes in [64, 100, 1000, 1 << 20] {
        let options =
            SolveOptions::default().format(format).times(false).chunk_bytes(NonZero::new(chunk_bytes));
        let (out, outcome) = solve(&mut stream(text), named("bitboard"), options).unwrap();
        assert_eq!(out, expected, "{name} {chunk_bytes}\n{:?}", outcome.malformed);
        assert_eq!(outcome.inputs[0].format, "json", "{name}");
    }
}

#[test]
fn an_array_is_a_list_of_records_wherever_its_lines_end() {
    let string = format!("\"{PUZZLE}\"");
    let lined =
        PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\\n").collect::<String>();
    let rows = |blank: &str| array(PUZZLE, true).replace('0', blank);
    let cells: String =
        PUZZLE.chars().map(|cell| format!("\"{}\",", cell.to_string().replace('.', ""))).collect();
    let rows_of_text: String =
        PUZZLE.as_bytes().chunks(9).map(|row| format!("\"{}\",", String::from_utf8_lossy(row))).collect();
    let object = format!("{{\"id\":1,\"note\":\"]}},[\",\"puz\\u007ale\":{string},\"x\":[[1],{{}}]}}");
    for (name, record) in [
        ("strings", string.clone()),
        ("strings of Python", format!("'{PUZZLE}'")),
        ("strings with line ends", format!("\"{lined}\"")),
        ("rows of numbers", rows("0")),
        ("null", rows("null")),
        ("NaN", rows("NaN")),
        ("-1", rows("-1")),
        ("flat numbers", array(PUZZLE, false)),
        ("rows of text", format!("[{}]", rows_of_text.trim_end_matches(','))),
        ("a cell each", format!("[{}]", cells.trim_end_matches(','))),
        ("pairs", format!("[{string},\"{SOLUTION}\"]")),
        ("pairs of rows", format!("[{}, {}]", rows("0"), array(SOLUTION, true))),
        ("objects", object.clone()),
        ("objects of rows", format!("{{\"puzzle\":{},\"solution\":null}}", rows("null"))),
    ] {
        for (begin, between, end) in [
            ("[", ",", "]"),
            ("[", ", ", "]\n"),
            ("[\n  ", ",\n  ", "\n]\n"),
            ("[", "\n,", "]"),
            ("{\"name\": \"hard\", \"rows\": [", ",", "], \"count\": 3, \"of\": {\"a\": 1}}\n"),
            ("{\"data\":[\n", ",\n", "\n]}\n"),
            ("{\"of\": {\"a\": {}}, \"rows\":[", ",", "]}"),
        ] {
            let text = format!("# a comment\n{begin}{record}{between}{record}{between}{record}{end}");
            answers(name, &text, &format!("{PUZZLE},{SOLUTION}\n").repeat(3));
        }
    }
    let inner = format!("{{\"row_idx\": 0, \"row\": {object}, \"truncated\": [\"a\"]}}");
    let text = format!("{{\"rows\": [{inner},{inner}], \"rest\": 1}}");
    answers("inner objects", &text, &format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    // Objects over several lines, one behind the other, or with commas behind them.
    let pretty = object.replace(',', ",\n  ");
    answers("pretty", &format!("{pretty}\n{pretty}\n"), &format!("{PUZZLE},{SOLUTION}\n").repeat(2));
    answers(
        "commas",
        &format!("{object},\n{object},\n{object}\n"),
        &format!("{PUZZLE},{SOLUTION}\n").repeat(3),
    );
    answers(
        "a line each",
        &format!("[\n{object},\n{object}\n]\n"),
        &format!("{PUZZLE},{SOLUTION}\n").repeat(2),
    );
}

#[test]
fn a_damaged_value_of_a_list_costs_no_other_line() {
    let string = format!("\"{PUZZLE}\"");
    let (good, bad) = (format!("{PUZZLE},{SOLUTION}\n"), |text: &str| {
        format!("{},malformed\n", text.replace(',', "\\x2c"))
    });
    for (text, expected) in [
        (format!("[{string}, null, {string}, 7]"), format!("{good}{}{good}{}", bad("null"), bad("7"))),
        (format!("[{string},\n:x,\n{string}]"), format!("{good}{}{good}", bad(":x,"))),
        (format!("[{string}, {string}\n"), format!("{good}{good}")),
        (format!("[{string}, {string}], \"of\": :, \"n\": 7"), format!("{good}{good}{}", bad("\"n\": 7"))),
        (
            format!("[{string}, \"{}", &PUZZLE[..50]),
            format!("{good}{}", bad(&format!("\"{}", &PUZZLE[..50]))),
        ),
    ] {
        answers("damaged", &text, &expected);
    }
    // A second puzzle in a pair is not left out without a word.
    let other = SOLUTION.replace('1', ".");
    let error = run(&format!("[[{string}, \"{other}\", {string}]]"), "pair").unwrap_err();
    assert!(error.to_string().starts_with("file:1:"), "{error}");
}

/// Each would take hours if a bracket or a quote were looked for again from every other one.
#[test]
fn long_nonsense_is_read_once() {
    let puzzle = format!("[\"{PUZZLE}\", ");
    for nonsense in ["[", "{", "\"", "[\"", "\"a\":", "\"a\":[", "{\"a\":", "'", "\\"] {
        let (_, outcome) = run(&(puzzle.clone() + &nonsense.repeat(500_000)), "pair").unwrap();
        assert_eq!(outcome.tally.of(Status::Solved), 1, "{nonsense}");
    }
}

#[test]
fn a_record_may_have_16_mib() {
    let object = |bytes: usize| format!("{{\"trace\":\"{}\",\"puzzle\":\"{PUZZLE}\"}}", "t".repeat(bytes));
    for (begin, between, end) in [("", "\n", "\n"), ("[", ",", "]")] {
        let text = format!("{begin}{}{between}{}{between}{}{end}", object(1), object(200_000), object(1));
        let (out, _) = run(&text, "pair").unwrap();
        assert_eq!(out, format!("{PUZZLE},{SOLUTION}\n").repeat(3));
        let text = format!("{begin}{}{between}{}{end}", object(200_000), object(1));
        assert_eq!(run(&text, "pair").unwrap().0, format!("{PUZZLE},{SOLUTION}\n").repeat(2));
        let text = format!(
            "{begin}{}{between}{}\n{between}{}{end}",
            object(1),
            object(galop_batch::input::MAX_RECORD_BYTES),
            object(1)
        );
        let (_, outcome) = run(&text, "pair").unwrap();
        // In a list, what is behind the bound may be malformed up to the end of the line.
        assert_eq!(outcome.tally.of(Status::Solved), if begin.is_empty() { 2 } else { 1 });
        assert!(outcome.malformed[0].to_string().contains("a row of more than 16777216 bytes"));
    }
}
