//! `galop verify`.

use crate::program::Folder;
use crate::puzzles;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn verify_distinguishes_right_wrong_and_unanswered() {
    let swapped = SOLUTION.replacen("41", "14", 1);
    let text =
        format!("{PUZZLE},{SOLUTION}\n{},none\n{PUZZLE},{swapped}\n{PUZZLE}\nwrong\n", contradictory());
    let folder = Folder::with(&[("in.txt", &text), ("right.txt", &format!("{PUZZLE},{SOLUTION}\n"))]);
    let run = folder.run(&["verify", "in.txt"]);
    let run = run.ends(1, &["5 records in ", "1 right, 2 faulty, 1 claimed unsolved, 1 solvable"]);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[0], "in.txt:3:83: wrong solution: row 1, column 1 holds 1, but the clue is 4");
    assert!(lines[1].starts_with("in.txt:5:1: unexpected `w`") && lines.len() == 2, "{lines:?}");
    assert_eq!(folder.run(&["verify", "in.txt", "-q"]).ends(1, &[]).err, "");
    let run = folder.run(&["verify", "right.txt"]).ends(0, &["1 right, 0 faulty"]);
    assert_eq!(run.out, "");
    // The figures of two files are added up.
    folder.run(&["verify", "right.txt", "in.txt"]).ends(1, &["6 records", "2 right"]);
}

/// A report says how many records have each fault, and which are the first. It never calls the audit incomplete.
#[test]
fn an_audit_is_written_as_json() {
    let (wrong, twice) = (SOLUTION.replacen("41", "14", 1), PUZZLE.replacen("4..", "44.", 1));
    let text =
        format!("{PUZZLE},{SOLUTION}\n{}{twice},none\nwrong\n", format!("{PUZZLE},{wrong}\n").repeat(12));
    let folder = Folder::with(&[("in.txt", &text), ("more.txt", &format!("wrong\n{PUZZLE},{SOLUTION}\n"))]);
    let audit = |words: &[&str]| {
        let run = folder.run(&[words, &["in.txt", "more.txt", "--report", "audit.json"]].concat());
        run.ends(1, &["17 records"]);
        folder.json("audit.json")
    };
    let json = audit(&["verify", "-u"]);
    assert_eq!((&json["engine"], &json["records"]), (&"lanes".into(), &17.into()));
    assert_eq!((&json["inputs"][0]["records"], &json["inputs"][1]["lines"]), (&15.into(), &2.into()));
    assert_eq!(json["inputs"][1]["sha256"].as_str().map(str::len), Some(64));
    let date = json["date"].as_str().unwrap();
    assert!(date.starts_with("20") && date.ends_with('Z') && date.len() == 20, "{date}");
    assert!(json["command"].as_str().unwrap().starts_with("galop verify -u in.txt"));
    let counts = |list: &str, name: &str| -> Vec<(String, u64)> {
        let entry = |entry: &serde_json::Value| {
            (entry[name].as_str().unwrap().to_owned(), entry["records"].as_u64().unwrap())
        };
        json[list].as_array().unwrap().iter().map(entry).collect()
    };
    let expected = [("right", 2), ("faulty", 14), ("claimed unsolved", 1)];
    assert_eq!(counts("verdicts", "verdict"), expected.map(|(name, count)| (name.to_owned(), count)));
    let expected = [("clue not kept", 12), ("malformed puzzle", 2)];
    assert_eq!(counts("faults", "reason"), expected.map(|(name, count)| (name.to_owned(), count)));
    let first = json["faults"][0]["first"].as_array().unwrap();
    assert_eq!(first.len(), 10);
    assert_eq!(first[9], "in.txt:11:83: wrong solution: row 1, column 1 holds 1, but the clue is 4");
    folder.run(&["verify", "in.txt", "--report", "audit.html"]).ends(2, &["audit.html", ".json"]);
    let run = folder.run(&["verify", "in.txt", "--report", "/dev/full/x.json"]);
    run.ends(2, &["the report was not written"]);
}

/// `verify` reads every format of `solve` that has puzzle and solution.
#[test]
fn verify_reads_what_solve_writes() {
    let input = format!("{}{}\n{}\nwrong\n", puzzles(20), contradictory(), open_puzzle());
    let folder = Folder::with(&[("in.txt", &input)]);
    for format in ["pair", "csv", "json"] {
        let solved = folder.run(&["solve", "in.txt", "-u", "-f", format]).ends(1, &[]).out;
        for words in [&["verify"][..], &["verify", "--unique"]] {
            let run = folder.run_on(solved.clone(), words);
            assert_eq!(run.out, "", "{format}");
            run.ends(0, &["23 records", "20 right, 0 faulty, 3 claimed unsolved"]);
        }
    }
}

#[test]
fn with_strict_every_record_must_have_a_right_solution() {
    let folder = Folder::with(&[
        ("right.txt", &format!("{PUZZLE},{SOLUTION}\n")),
        ("open.txt", &format!("{PUZZLE},{SOLUTION}\n{PUZZLE},none\n")),
        ("limit.txt", &format!("{PUZZLE},limit\n")),
        ("malformed.txt", &format!("{PUZZLE},malformed\n")),
    ]);
    folder.run(&["verify", "--strict", "right.txt"]).ends(0, &[]);
    for file in ["open.txt", "limit.txt", "malformed.txt"] {
        folder.run(&["verify", file]).ends(0, &["claimed unsolved"]);
        folder.run(&["verify", "--strict", file]).ends(1, &["claimed unsolved"]);
        let run = folder.run(&["verify", "--unique", file]).ends(1, &["1 faulty"]);
        assert!(run.out.contains(", but the puzzle "), "{}", run.out);
    }
}

/// A puzzle that stands alone is solved: the summary and the report have it, and the first line says why there is none.
#[test]
fn puzzles_alone_are_solved() {
    let text = format!("{PUZZLE}\n{}\n{}\nwrong\n", PUZZLE.replacen("4..", "44.", 1), open_puzzle());
    let folder = Folder::with(&[("p.txt", &text), ("one.txt", PUZZLE)]);
    let none = "p.txt:2:1: none: 4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2\n";
    let words = ["verify", "p.txt", "--report", "r.json"];
    let run = folder.run(&words).ends(1, &["0 right, 2 faulty, 0 claimed unsolved, 2 solvable"]);
    assert!(run.out.starts_with(none) && run.out.lines().count() == 2, "{}", run.out);
    let json = folder.json("r.json");
    assert_eq!((&json["engine"], &json["verdicts"][3]["records"]), (&"lanes".into(), &2.into()));
    let run = folder.run(&[&words[..], &["--unique", "-e", "dlx"]].concat());
    let run = run.ends(1, &["0 right, 3 faulty, 0 claimed unsolved, 1 solvable"]);
    assert_eq!(run.out.lines().nth(1), Some("p.txt:3:1: multiple: the puzzle has several solutions"));
    let json = folder.json("r.json");
    assert_eq!((&json["engine"], &json["faults"][1]["reason"]), (&"dlx".into(), &"multiple".into()));
    assert_eq!(folder.run(&["verify", "one.txt"]).ends(0, &["1 solvable"]).out, "");
    // It has no solution that could be right.
    folder.run(&["verify", "--strict", "one.txt"]).ends(1, &["1 solvable"]);
}
