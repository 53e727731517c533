//! `galop canon`: canonical forms.

use std::collections::BTreeSet;

use galop_corpora::symmetry::key;

use crate::image;
use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells};

/// The form of [`PUZZLE`], and that of its solution.
const FORM: &str = "...4.6........92....8...5.1.4.....7...5.2...........6.......8......1....97...4...";
const FORM_OF_SOLUTION: &str =
    "123456789457189236698372541241638975365927418789541362516793824834215697972864153";

/// A puzzle with several solutions, one without any, and their forms.
pub(crate) const SEVERAL: &str =
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3...5..2.....1.4......";
const NONE: &str = "11....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const FORM_OF_SEVERAL: &str =
    "........1.....1.23..4.5..........5.....6..74.38............2.....7.......1...8...";
const FORM_OF_NONE: &str =
    "........1.....2....34....55......65......7.3.2...18......5.......64.....8.......7";

#[test]
fn equivalent_puzzles_have_the_same_form() {
    let mut text = format!("{PUZZLE}\n{},{SOLUTION}\n# comment\n", PUZZLE.replace('.', "0"));
    let mut expected = format!("{PUZZLE},{FORM}\n{},{FORM}\n", PUZZLE.replace('.', "0"));
    for number in 0..40 {
        let puzzle = image(PUZZLE, number);
        text += &format!("{puzzle} ED=7\n");
        expected += &format!("{puzzle},{FORM}\n");
    }
    let grid = image(SOLUTION, 7);
    text += &format!("{grid}\n");
    expected += &format!("{grid},{FORM_OF_SOLUTION}\n");
    let folder = Folder::with(&[("a.txt", &text)]);
    let run = folder
        .run(&["canon", "a.txt"])
        .ends(0, &["43 records in ", ": 43 forms by the solution, 0 direct forms, 0 automorphic"]);
    assert_eq!(run.out, expected);
    let direct = folder.run(&["canon", "-q", "a.txt", "--form", "direct"]).ends(0, &[]).out;
    let forms: BTreeSet<&str> = direct.lines().take(42).map(|line| &line[82..]).collect();
    assert_eq!(forms.len(), 1, "{direct}");
    assert!(direct.lines().all(|line| line.ends_with(",direct") && !line.contains(FORM)), "{direct}");
}

#[test]
fn the_output_says_which_form_it_is() {
    let text = format!("{PUZZLE},{SOLUTION}\nbad\n{SEVERAL}\n{NONE},none\n");
    let folder = Folder::with(&[("a.txt", &text)]);
    let canon = |words: &[&str]| {
        let run = folder.run(&[&["canon", "-q", "a.txt"], words].concat());
        run.ends(1, &["a.txt:2:1: unexpected `b`", "1 malformed record"]).out
    };
    let lines = format!(
        "{PUZZLE},{FORM}\nbad,malformed\n{SEVERAL},{FORM_OF_SEVERAL},direct\n{NONE},{FORM_OF_NONE},direct\n"
    );
    assert_eq!(canon(&[]), lines);
    assert_eq!(
        canon(&["-f", "csv"]),
        format!(
            "puzzle,solution,canonical,form\n{PUZZLE},{SOLUTION},{FORM},solution\nbad,malformed,,\n\
             {SEVERAL},,{FORM_OF_SEVERAL},direct\n{NONE},none,{FORM_OF_NONE},direct\n"
        )
    );
    let json = canon(&["-f", "json", "--columns", "canonical,form,automorphisms,key"]);
    let values: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&values[0]["canonical"], &values[0]["automorphisms"]), (&FORM.into(), &1.into()));
    assert_eq!(values[0]["key"], format!("{:032x}", key(&cells(FORM))));
    assert!(values[1]["canonical"].is_null() && values[1]["key"].is_null(), "{json}");
    assert_eq!((&values[3]["form"], &values[3]["solution"]), (&"direct".into(), &"none".into()));
    let columns = canon(&["-f", "csv", "--columns", "solution_key,form,canonical_solution,form"]);
    let mut rows = columns.lines();
    assert_eq!(rows.next(), Some("puzzle,solution,solution_key,form,canonical_solution"));
    let solution_key = format!("{:032x}", key(&cells(FORM_OF_SOLUTION)));
    let first = format!("{PUZZLE},{SOLUTION},{solution_key},solution,{FORM_OF_SOLUTION}");
    assert_eq!(rows.next(), Some(&*first));
    assert_eq!(rows.nth(1), Some(&*format!("{SEVERAL},,,direct,")));
    folder.run(&["canon", "-q", "a.txt", "--allow-malformed"]).ends(0, &[]);
    folder.run(&["canon", "a.txt", "--columns", "nothing"]).fails("invalid value 'nothing'");
}

#[test]
fn tables_keep_their_columns() {
    let table = format!("id,quizzes,Canonical,note\n7,{PUZZLE},x,\"a, b\"\n8,{SEVERAL},y,\n");
    let folder = Folder::with(&[("a.csv", &table)]);
    let run = folder.run(&["canon", "a.csv", "-f", "csv"]).ends(0, &["a.csv: puzzles in `quizzes`"]);
    let expected = format!(
        "id,quizzes,Canonical,note,galop_canonical,form\n7,{PUZZLE},x,\"a, b\",{FORM},solution\n\
         8,{SEVERAL},y,,{FORM_OF_SEVERAL},direct\n"
    );
    assert_eq!(run.out, expected);
    let run = folder.run(&["canon", "a.csv"]).ends(0, &["left out: `Canonical`, `id`, `note`, because pair"]);
    assert_eq!(run.out, format!("{PUZZLE},{FORM}\n{SEVERAL},{FORM_OF_SEVERAL},direct\n"));
    // An empty input is a table of these columns.
    let empty = folder.run_on("", &["canon", "-q", "-f", "csv"]).ends(0, &[]).out;
    assert_eq!(empty, "puzzle,solution,canonical,form\n");
}

#[test]
fn one_array_holds_the_forms_in_the_place_of_the_puzzles() {
    let folder = Folder::with(&[("a.txt", &format!("{PUZZLE}\n{SEVERAL}\n"))]);
    for name in ["a.npy", "a.npz", "a.txt.gz"] {
        folder.run(&["canon", "-q", "a.txt", "-o", name]).ends(0, &[]);
    }
    let bytes = folder.bytes("a.npy");
    assert_eq!(bytes[128..], [cells(FORM), cells(FORM_OF_SEVERAL)].concat());
    let puzzles = folder.run(&["convert", "-q", "a.npz", "--column", "puzzle"]).ends(0, &[]).out;
    assert_eq!(puzzles, format!("{PUZZLE}\n{SEVERAL}\n"));
    let forms = folder.run(&["convert", "-q", "a.npz", "--column", "canonical"]).ends(0, &[]).out;
    assert_eq!(forms, format!("{FORM}\n{FORM_OF_SEVERAL}\n"));
    folder
        .run(&["canon", "-q", "a.txt", "-o", "a.npz", "--columns", "canonical,canonical_solution"])
        .ends(0, &[]);
    let words = ["convert", "-q", "a.npz", "--column", "canonical", "--answer-column", "canonical_solution"];
    let pairs = folder.run(&words).ends(0, &[]).out;
    assert_eq!(pairs, format!("{FORM},{FORM_OF_SOLUTION}\n{FORM_OF_SEVERAL},{}\n", ".".repeat(81)));
    let lines = folder.run(&["convert", "-q", "a.txt.gz"]).ends(0, &[]).out;
    assert_eq!(lines, format!("{PUZZLE},{FORM}\n{SEVERAL},{FORM_OF_SEVERAL},direct\n"));
    let drawn = folder.run(&["canon", "-q", "a.txt", "-f", "grid"]).ends(0, &[]).out;
    assert!(drawn.starts_with("+-------+-------+-------+\n| . . . | 4 . 6 | . . . |\n"), "{drawn}");
}

#[test]
fn solutions_are_trusted_on_request_and_only_if_they_are_right() {
    let other = image(SOLUTION, 3);
    // Two of the solutions of a puzzle; the trusted one decides.
    let folder = Folder::with(&[(
        "a.txt",
        &format!(
            "{PUZZLE},{SOLUTION}\n{PUZZLE},{other}\n{PUZZLE},none\n{PUZZLE}\n{SOLUTION}\n{SEVERAL},{SOLUTION}\n"
        ),
    )]);
    let canon = |words: &[&str]| folder.run(&[&["canon", "-q", "a.txt"], words].concat()).ends(0, &[]).out;
    let (usual, trusting) = (canon(&[]), canon(&["--trust-solutions"]));
    let same: Vec<&str> = usual.lines().take(5).collect();
    assert_eq!(same, trusting.lines().take(5).collect::<Vec<_>>());
    assert!(same[..4].iter().all(|line| *line == format!("{PUZZLE},{FORM}")), "{usual}");
    assert!(usual.ends_with(&format!("{SEVERAL},{FORM_OF_SEVERAL},direct\n")));
    assert!(trusting.lines().count() == 6 && !trusting.contains("direct"), "{trusting}");
}

#[test]
fn small_sudokus_have_forms_and_other_puzzles_have_none() {
    let folder = Folder::with(&[
        ("four.txt", "1234341221434321\n4321213434121243\n1...............\n.....3..........\n"),
        ("large.txt", &format!("{:.<256}\n", "1G2")),
        ("latin.txt", &format!("{PUZZLE}\n")),
    ]);
    let four = folder.run(&["canon", "-q", "four.txt"]).ends(0, &[]).out;
    let lines: Vec<&str> = four.lines().collect();
    assert_eq!(lines[2][17..33], lines[3][17..33]);
    assert!(lines[2].ends_with(",direct") && !lines[0].contains("direct"), "{four}");
    let words = "are not supported (only sudokus of 4x4, 6x6 and 9x9 are)";
    folder
        .run(&["canon", "large.txt", "-o", "out.txt"])
        .fails(&format!("large.txt: the symmetries of `sudoku 16x16` {words}"));
    folder.run(&["canon", "latin.txt", "--kind", "latin"]).fails(words);
    folder.run(&["augment", "latin.txt", "--kind", "windoku"]).fails(words);
    assert_eq!(folder.names(), ["four.txt", "large.txt", "latin.txt"]);
}

#[test]
fn the_report_names_what_was_read_and_what_was_found() {
    let folder = Folder::with(&[("a.txt", &format!("{PUZZLE}\n{SEVERAL}\nbad\n{}\n", ".".repeat(81)))]);
    folder.run(&["canon", "-q", "a.txt", "-o", "b.txt", "--report", "r.json"]).ends(1, &[]);
    let report = folder.json("r.json");
    assert_eq!(
        report["figures"],
        serde_json::json!({"solution_forms": 1, "direct_forms": 2, "automorphic": 1})
    );
    assert_eq!((&report["records"], &report["malformed"]), (&4.into(), &1.into()));
    assert_eq!((&report["engine"], &report["galop"]), (&"lanes".into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!(report["command"], "galop canon -q a.txt -o b.txt --report r.json");
    assert!(report["first_malformed"][0].as_str().unwrap().starts_with("a.txt:3:1: "));
    for file in [&report["inputs"][0], &report["output"]] {
        assert_eq!(file["sha256"].as_str().unwrap().len(), 64, "{report}");
    }
    folder.run(&["canon", "-q", "a.txt", "--form", "direct", "--report", "r.json"]).ends(1, &[]);
    assert!(folder.json("r.json")["engine"].is_null());
    folder.run(&["canon", "a.txt", "--report", "a.txt"]).fails("a report must not overwrite");
    folder.run(&["canon", "a.txt", "--report", "r.html"]).fails("r.html");
}
