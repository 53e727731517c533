//! `galop compare`.

use galop_compare as compare;
use serde_json::Value;

use crate::program::{Folder, Run};
use crate::puzzles;
use galop_testing::puzzles::PUZZLE;

#[test]
fn engines_are_compared_and_reported() {
    let mut text = puzzles(60);
    text.insert_str(2 * 82, "# a comment\n");
    text.insert_str(3 * 82 + "# a comment\n".len(), "wrong\n");
    let folder = Folder::with(&[("p.txt", &text), ("good.txt", PUZZLE), ("empty.txt", "")]);
    let words = [
        "compare",
        "p.txt",
        "--engines",
        "dlx,bitboard",
        "--runs",
        "2",
        "--report",
        "r.json",
        "--report",
        "r.md",
        "--per-puzzle",
        "t.csv",
    ];
    let Run { code, out, err } = folder.run(&words);
    assert_eq!(code, Some(1), "a record was malformed: {err}");
    assert!(err.contains("p.txt:5:1: ") && err.contains("1 malformed record left out"), "{err}");
    assert!(out.contains("where bitboard and dlx differ most"), "{out}");
    assert_eq!(out.matches("  p.txt:").count(), 10, "two engines, all listed");
    // Every column has a name of its own.
    let header = out.lines().find(|line| line.trim_start().starts_with("time bitboard")).unwrap();
    let columns: Vec<&str> = header.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let expected = ["time bitboard", "time dlx", "ratio", "guesses bitboard", "guesses dlx", "place"];
    assert_eq!(columns, expected);
    assert!(out.contains("  solved, no guess"), "{out}");
    let json: Value = folder.json("r.json");
    assert_eq!(json["command"], format!("galop {}", words.join(" ")));
    let table = folder.read("t.csv");
    assert!(table.starts_with(compare::HEADER) && table.lines().count() == 121, "{table}");

    let Run { code, out, err } =
        folder.run(&["compare", "good.txt", "--runs", "1", "-q", "--unique", "-e", "dlx,lanes"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert!(out.contains("× dlx\n") && out.contains("proved the only solution"), "{out}");
    let Run { code, out, .. } = folder.run(&["compare", "good.txt", "--runs", "1", "--engines", "all"]);
    assert!(code == Some(0) && galop_published::all().all(|entry| out.contains(entry.name)), "{out}");

    let refused: [(&[&str], &str); 6] = [
        (&["p.txt", "--engines", "dlx,bitbord"], "bitboard"),
        (&["p.txt", "--engines", "dlx,dlx"], "`dlx` is named twice"),
        (&["p.txt", "--engines", ""], "possible values"),
        (&["p.txt", "--report", "r.doc"], ".json, .md, .html, .csv"),
        (&["p.txt", "--report", "p.txt"], "must not overwrite"),
        (&["empty.txt"], "no puzzles"),
    ];
    for (words, message) in refused {
        folder.run(&[&["compare"], words].concat()).fails(message);
    }
    assert_eq!(folder.names(), ["empty.txt", "good.txt", "p.txt", "r.json", "r.md", "t.csv"]);
}

/// Instruction sets, numbers of threads and other programs are engines of their own.
#[test]
fn variants_and_other_programs_are_compared() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(300))]);
    let own = format!("'{}' solve -q -f solution", crate::program::path());
    let (file, stream) = (format!("{own} {{}}"), format!("piped={own}"));
    let words = [
        "compare",
        "p.txt",
        "-r",
        "2",
        "-e",
        "lanes,lanes@portable,bitboard@2,satisfy@portable",
        "--budget",
        "1",
    ];
    let reports = ["--command", &file, "--command", &stream, "--report", "r.json", "--per-puzzle", "t.csv"];
    let run = folder
        .run(&[&words[..], &reports].concat())
        .ends(0, &["galop: another program: its time is the processor time of a whole run less "]);
    let json = folder.json("r.json");
    let mut names: Vec<&str> =
        json["engines"].as_array().unwrap().iter().map(|engine| engine["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    let expected = ["backtrack@portable", "bitboard@2", "galop", "lanes", "lanes@portable", "piped"];
    assert_eq!(names, expected, "{}", run.out);
    assert!(run.out.contains("puzzles/s elapsed"), "{}", run.out);
    for engine in json["engines"].as_array().unwrap() {
        let name = engine["name"].as_str().unwrap();
        assert_eq!(engine["threads"], if name == "bitboard@2" { 2 } else { 1 }, "{name}");
        assert_eq!(engine["is_program"], ["galop", "piped"].contains(&name), "{name}");
        if name != "backtrack@portable" {
            assert_eq!(engine["counts"]["solved"], 300, "{name}");
        }
        // Of a program only the time of whole runs is known.
        let is_program = ["galop", "piped"].contains(&name);
        for figure in ["nanos", "guesses", "without_guess", "max_guesses"] {
            assert_eq!(engine[figure].is_null(), is_program, "{name} {figure}");
        }
        assert_eq!(engine["start_nanos"].is_null(), !is_program, "{name}");
        assert_eq!(engine["clock"], "processor", "{name}");
        assert_eq!(engine["points"].as_array().unwrap().is_empty(), is_program, "{name}");
        if name.starts_with("lanes") {
            let isa = if name == "lanes" { galop_engines::engine::Isa::best().name() } else { "portable" };
            assert_eq!(engine["isa"], isa);
        }
    }
    let rows = folder.read("t.csv");
    let of_program =
        |row: &&str| row.split(',').nth(1).is_some_and(|name| ["galop", "piped"].contains(&name));
    let rows: Vec<&str> = rows.lines().filter(of_program).collect();
    assert_eq!(rows.len(), 600);
    assert!(rows.iter().all(|row| row.contains(",,,solved,")), "{}", rows[0]);
    let line = run.out.lines().find(|line| line.trim_start().starts_with("galop ")).unwrap();
    // p50, p99, max, guesses, no guess; backtrack@portable has a column of its own.
    assert!(line.split_whitespace().filter(|&cell| cell == "-").count() >= 5, "{line}");
    assert!(
        json["differences"]
            .as_array()
            .unwrap()
            .iter()
            .all(|pair| !["galop", "piped"].contains(&pair["engine"].as_str().unwrap()))
    );
    // Programs without a name are told apart; two with one name are not.
    let twice = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &own, "--command", &own];
    let run = folder.run(&twice).ends(0, &[]);
    assert!(run.out.contains("  galop#2  "), "{}", run.out);
    let named = ["compare", "p.txt", "-e", "lanes", "--command", &stream, "--command", &stream];
    folder.run(&named).fails("--command: another one has the name `piped`");
    folder.run(&["compare", "p.txt", "--command", "empty="]).fails("it has no command");
    // Its start is not known if it fails on an empty input. Against a program there are no puzzles that differ most.
    let fails = format!("[ -s {{}} ] && {own} {{}}");
    let words = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &fails, "--report", "f.json"];
    let run = folder.run(&words).ends(0, &["its start included, because it fails on an empty input"]);
    assert!(!run.out.contains("differ most"), "{}", run.out);
    // The answers of programs are checked.
    let swapped = format!("{own} {{}} | tr 12 21");
    let wrong = folder.run(&["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &swapped]);
    wrong.ends(3, &["p.txt:1: ", "unless the program of --command is wrong"]);
    let nothing = folder.run(&["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", "cat {}"]);
    nothing.ends(3, &["two engines contradict each other", "unless the program of --command is wrong"]);
    for (command, reason) in [
        ("head -n 7 {}", "the command `head` failed: 7 lines of output for 300 puzzles"),
        ("false", "the command `false` failed: exit status: 1"),
        ("./none {}", "the command `none` failed: exit status: 127"),
    ] {
        folder.run(&["compare", "p.txt", "-e", "lanes", "--command", command]).ends(2, &[reason]);
    }
    for (engines, message) in [
        ("lanes@avx9", "this machine lacks it"),
        ("lanes@5000", "more than 1024 threads"),
        ("rows", "--engines rows: it solves exact cover problems"),
        ("lanes@portable,lanes@portable", "is named twice"),
    ] {
        folder.run(&["compare", "p.txt", "-e", engines]).fails(message);
    }
}

#[test]
fn a_program_that_takes_longer_than_the_budget_is_ended() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3))]);
    let words = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--budget", "0.05", "--report", "r.json"];
    folder.run(&[&words[..], &["--command", "sleep 60 | cat"]].concat()).ends(0, &[]);
    let engines = folder.json("r.json")["engines"].as_array().unwrap().clone();
    let program = engines.iter().find(|engine| engine["is_program"] == true).unwrap();
    assert_eq!(program["puzzles"], 0);
}

#[test]
fn exact_cover_problems_are_compared() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3))]);
    folder.run(&["make", "queens", "6", "-o", "q.dlx"]).ends(0, &[]);
    folder.run(&["make", "queen-domination", "4", "2", "-o", "d.dlx"]).ends(0, &[]);
    let run = folder.run(&["compare", "q.dlx", "-r", "3"]).ends(0, &[]);
    assert!(
        run.out.starts_with("q.dlx: all solutions counted, median elapsed time of 3 runs"),
        "{}",
        run.out
    );
    for entry in galop_cover::engine::ENGINES {
        let rows = run.out.lines().filter(|line| line.trim_start().starts_with(entry.name));
        let rows: Vec<&str> = rows.filter(|line| line.split_whitespace().nth(1) == Some("4")).collect();
        assert_eq!(rows.len(), 1, "{}: {}", entry.name, run.out);
    }
    let some = ["compare", "q.dlx", "d.dlx", "-r", "1", "-e", "links@2,links"];
    let run = folder.run(&some).ends(0, &[]);
    assert_eq!(run.out.matches("× links@2").count(), 2, "{}", run.out);
    // An engine that does not take a problem says why.
    let run = folder.run(&["compare", "d.dlx", "-r", "1"]).ends(0, &[]);
    assert!(run.out.contains("\n  masks: "), "{}", run.out);
    for (words, message) in [
        (&["q.dlx", "-e", "lanes"][..], "--engines lanes: it solves puzzles"),
        (&["q.dlx", "--report", "r.html"], "for puzzles"),
        (&["q.dlx", "-e", "links,links"], "named twice"),
        (&["none.dlx"], "none.dlx"),
    ] {
        folder.run(&[&["compare"], words].concat()).fails(message);
    }
}

/// The number of answers has no place in 64 bits; the run ends by its first wrong answer.
#[test]
fn numbers_of_runs_may_be_as_large_as_any() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3))]);
    let most = u64::MAX.to_string();
    let words = ["compare", "p.txt", "-r", &most, "-e", "lanes", "--command", "false"];
    folder.run(&words).ends(2, &["the command `false` failed"]);
}
