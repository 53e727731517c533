//! JSON lines: objects in, objects out.

use galop_batch::input::InputError;
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
         \"status\":\"solved\",\"solutions\":1,\"guesses\":0,\"nanos\":null}}",
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
    complains("{\"puzzle\":7}", "11: the puzzle is neither a string nor an array of numbers");
    complains("{\"puzzle\":[1,2]}", "11: 2 cells");
    complains("{\"puzzle\":[1,-2]}", "14: unexpected `-`");
    complains("{\"puzzle\":[1, 10]}", "15: the number 10 (cells are numbers from 1 to 9, a blank is 0)");
    complains(&format!("{{\"puzzle\":\"{PUZZLE}\"",), "94: no JSON object here");
    complains(&format!("{{\"puzzle\":\"{PUZZLE}\"}},"), "95: no JSON object here");
    complains(&format!("{{\"puzzle\":\"{PUZZLE}\",\"a\":[}}]}}"), "100: no JSON object here");
}

#[test]
fn other_forms_of_json_are_an_error() {
    let array = format!("[\n  {{\"puzzle\": \"{PUZZLE}\"}},\n  {{\"puzzle\": \"{PUZZLE}\"}}\n]\n");
    let one_line = format!("[{{\"puzzle\": \"{PUZZLE}\"}}]\n");
    let pretty = format!("{{\n  \"puzzle\": \"{PUZZLE}\"\n}}\n");
    for (text, expected) in [
        (array, InputError::JsonArray),
        (one_line, InputError::JsonArray),
        (pretty, InputError::JsonOverLines),
    ] {
        let error = run(&text, "pair").unwrap_err();
        assert_eq!(error.fact(), Some(&expected), "{error}");
    }
}
