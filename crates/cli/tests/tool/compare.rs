//! `galop compare`.

use std::io::{BufRead, BufReader};

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
    let words = ["compare", "p.txt", "--engines", "dlx,bitboard", "--runs", "2"];
    let reports = ["--report", "r.json", "--report", "r.md", "--per-puzzle", "t.csv"];
    let words = [&words[..], &reports].concat();
    let Run { code, out, err } = folder.run(&words);
    assert_eq!(code, Some(1), "a record was malformed: {err}");
    assert!(err.contains("p.txt:5:1: ") && err.contains("1 malformed record left out"), "{err}");
    assert!(out.contains("where bitboard and dlx differ most"), "{out}");
    assert_eq!(out.matches("  p.txt:").count(), 8, "two engines, all listed");
    // Every column has a name of its own.
    let header = out.lines().find(|line| line.trim_start().starts_with("time bitboard")).unwrap();
    let columns: Vec<&str> = header.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let expected = ["time bitboard", "time dlx", "ratio", "guesses bitboard", "guesses dlx", "place"];
    assert_eq!(columns, expected);
    assert!(out.contains("  solved, no guess"), "{out}");
    let json: Value = folder.json("r.json")["comparisons"][0].clone();
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
    // An empty input is no failure of a program that is measured on one.
    let own = format!("'{}' solve -q -f solution --allow-malformed", crate::program::path());
    let (file, stream) = (format!("{own} {{}}"), format!("piped={own}"));
    let engines = "lanes,lanes@portable,bitboard@2,satisfy@portable";
    let words = ["compare", "p.txt", "-r", "2", "-e", engines, "--budget", "1"];
    let reports = ["--command", &file, "--command", &stream, "--report", "r.json", "--per-puzzle", "t.csv"];
    let run = folder
        .run(&[&words[..], &reports].concat())
        .ends(0, &["galop: another program: its time is the processor time of a whole run less "]);
    let json = folder.json("r.json")["comparisons"][0].clone();
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
    // Programs without a name are told apart; two with one name are not.
    let twice = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &own, "--command", &own];
    let run = folder.run(&twice).ends(0, &[]);
    assert!(run.out.contains("  galop#2  "), "{}", run.out);
    let named = ["compare", "p.txt", "-e", "lanes", "--command", &stream, "--command", &stream];
    folder.run(&named).fails("--command: another program has the name `piped`");
    folder.run(&["compare", "p.txt", "--command", "empty="]).fails("it has no command");
    // Its start is not known if it fails on an empty input. Against a program there are no puzzles that differ most.
    let fails = format!("[ -s {{}} ] && {own} {{}}");
    let words = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &fails, "--report", "f.json"];
    let run = folder.run(&words).ends(0, &["its start included, because it fails on an empty input"]);
    assert!(!run.out.contains("differ most"), "{}", run.out);
    // The answers of programs are checked.
    let swapped = format!("{own} {{}} | tr 12 21");
    let wrong = folder.run(&["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", &swapped]);
    let wrong = wrong.ends(3, &["p.txt:1: the program `galop` printed a wrong solution: "]);
    assert!(!wrong.err.contains("bug"), "{}", wrong.err);
    // The report says which file was run, and its version. A run takes longer than its start, however busy the machine.
    folder.write("own.sh", format!("# version 7\n[ -s \"$1\" ] && sleep 0.3\nexec {own} \"$1\"\n"));
    let words =
        ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", "sh own.sh {}", "--report", "v.json"];
    let version = ["--version-of", "grep version own.sh", "--report", "v.html", "--report", "v.md"];
    folder.run(&[&words[..], &version].concat()).ends(0, &[]);
    let engines = folder.json("v.json")["comparisons"][0]["engines"].as_array().unwrap().clone();
    let program = &engines.iter().find(|engine| engine["name"] == "own.sh").unwrap()["program"];
    let sum = galop_batch::output::OutputSum::of_file(&folder.path("own.sh")).unwrap().sha256;
    assert_eq!(
        (&program["file"], &program["sha256"], &program["version"]),
        (&"own.sh".into(), &(&*sum).into(), &"# version 7".into())
    );
    for name in ["v.html", "v.md"] {
        assert!(folder.read(name).contains(&sum) && folder.read(name).contains("version 7"), "{name}");
    }
    folder
        .run(&[&words[..8], &["--version-of", "false"]].concat())
        .fails("`false` prints no version (exit status: 1)");
    // Only the mean of a program is known, so it is in no plot of single puzzles.
    let page = folder.read("v.html");
    assert_eq!(page.matches(">own.sh</text>").count(), 1, "its ratio");
    // A script is named, and not what runs it.
    folder.write("mine.sh", "exec cat\n");
    let script = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--command", "sh mine.sh"];
    folder.run(&script).ends(3, &["two engines contradict each other", "mine.sh"]);
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

/// Before the measured runs of a long comparison that shows no bar, it says how long it takes, and what bounds it.
#[test]
fn a_long_comparison_says_how_long_it_takes() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(100))]);
    let mut child = folder.spawn(&["compare", "p.txt", "-e", "dlx,lanes", "-r", "1000000", "--budget", "1"]);
    let mut said = String::new();
    BufReader::new(child.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let bound = ": 1,000,000 runs of each engine, each of at most 1.00 s (--budget)";
    assert!(said.starts_with("this takes about ") && said.contains(bound), "{said}");
    let short = folder.run(&["compare", "p.txt", "-e", "lanes", "-r", "1"]).ends(0, &[]);
    assert!(!short.err.contains("this takes"), "{}", short.err);
}

#[test]
fn a_program_that_takes_longer_than_the_budget_is_ended() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3))]);
    let words = ["compare", "p.txt", "-r", "1", "-e", "lanes", "--budget", "0.05", "--report", "r.json"];
    folder.run(&[&words[..], &["--command", "sleep 60 | cat"]].concat()).ends(0, &[]);
    let engines = folder.json("r.json")["comparisons"][0]["engines"].as_array().unwrap().clone();
    let program = engines.iter().find(|engine| engine["is_program"] == true).unwrap();
    assert_eq!(program["puzzles"], 0);
}

#[test]
fn exact_cover_problems_are_compared() {
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3))]);
    folder.run(&["make", "queens", "6", "-o", "q.dlx"]).ends(0, &[]);
    folder.run(&["make", "queen-domination", "4", "2", "-o", "d.dlx"]).ends(0, &[]);
    let reports = ["--report", "r.json", "--report", "r.html", "--report", "r.md", "--report", "r.csv"];
    let words = [&["compare", "q.dlx", "-r", "3", "--per-puzzle", "t.csv"], &reports[..]].concat();
    let run = folder.run(&words).ends(0, &[]);
    assert!(
        run.out.starts_with("q.dlx (30 items, 36 options): all solutions, 3 runs, options shuffled"),
        "{}",
        run.out
    );
    let json = folder.json("r.json")["comparisons"][0].clone();
    let names =
        [&["auto"][..], &galop_cover::engine::ENGINES.iter().map(|entry| entry.name).collect::<Vec<_>>()]
            .concat();
    for name in &names {
        let rows = run.out.lines().filter(|line| line.split_whitespace().next() == Some(name));
        let rows: Vec<Vec<&str>> =
            rows.map(|line| line.split("  ").filter(|cell| !cell.is_empty()).collect()).collect();
        assert_eq!((rows.len(), rows[0][3].trim()), (1, "4"), "{name}: {}", run.out);
    }
    assert_eq!((&json["problems"][0]["answer"], &json["is_read"]), (&"4".into(), &false.into()));
    let table = folder.read("t.csv");
    assert_eq!(table.lines().count(), 1 + names.len());
    assert!(
        table.lines().skip(1).all(|row| row.starts_with("q.dlx,") && row.ends_with(",solved,q.dlx,0")),
        "{table}"
    );
    assert_eq!(folder.read("r.csv").lines().count(), 1 + names.len());
    assert!(
        folder.read("r.md").contains("They include the set-up of the engine.")
            && folder.read("r.html").contains("<h2>Problems</h2>")
    );
    // Several problems: a ranking, and a table of all. An engine that does not take one says why.
    let some = ["compare", "q.dlx", "d.dlx", "-r", "2", "-e", "links@2,links,masks"];
    let run = folder.run(&some).ends(0, &[]);
    assert!(run.out.contains("× links@2\n") && run.out.contains("1 of 2"), "{}", run.out);
    assert!(run.out.contains("\n  d.dlx: the engine `masks` cannot solve this problem"), "{}", run.out);
    // What an engine cannot take has no figures.
    let none = folder
        .run(&["compare", "d.dlx", "-r", "1", "-e", "links,masks", "--report", "none.html"])
        .ends(0, &[]);
    let page = folder.read("none.html");
    let row = page.lines().find(|line| line.contains("masks</th>") && line.contains("0 of 1")).unwrap();
    assert_eq!(row.matches("<td>-</td>").count(), 5, "{row}");
    assert!(!none.err.contains("masks: a run took"), "{}", none.err);
    // The first solution, and the cheapest cover.
    let first = folder.run(&["compare", "q.dlx", "-r", "1", "--limit", "1"]).ends(0, &[]);
    assert!(first.out.contains(": first solution, 1 run"), "{}", first.out);
    folder.run(&["make", "langford", "4", "-o", "l.dlx"]).ends(0, &[]);
    let best = folder.run(&["compare", "l.dlx", "-r", "1", "--best"]).ends(0, &[]);
    assert!(best.out.contains(": cheapest cover, 1 run") && best.out.contains("\n  best "), "{}", best.out);
    for (words, message) in [
        (&["q.dlx", "-e", "lanes"][..], "--engines lanes: it solves puzzles"),
        (&["q.dlx", "-e", "links,links"], "named twice"),
        (&["q.dlx", "-e", "best"], "it finds cheapest covers; add --best"),
        (&["q.dlx", "-e", "links", "--best"], "only `best` finds the cheapest"),
        (&["p.txt", "-e", "auto"], "it solves exact cover problems"),
        (&["none.dlx"], "none.dlx"),
    ] {
        folder.run(&[&["compare"], words].concat()).fails(message);
    }
}

/// Programs count the solutions of exact cover problems: their numbers are found in what they print and compared; a
/// solution that they print is checked.
#[test]
fn programs_solve_exact_cover_problems() {
    let folder = Folder::new();
    folder.run(&["make", "queens", "6", "-o", "q.dlx"]).ends(0, &[]);
    let counts = "knuth=cat {} > /dev/null; echo 'Altogether 4 solutions, 99 mems, 1,035 nodes.' >&2";
    let words = ["compare", "q.dlx", "-r", "2", "-e", "links", "--report", "r.json", "--command"];
    let run = folder.run(&[&words[..], &[counts]].concat()).ends(0, &["less ", "measured on a problem"]);
    // Within the noise of its starts or just short of that: the machine decides.
    let is_short = |line: &str| line.contains("warning: knuth: ") && line.contains("too short to be trusted");
    assert!(run.err.lines().any(is_short), "{}", run.err);
    let json = folder.json("r.json")["comparisons"][0].clone();
    let program =
        json["engines"].as_array().unwrap().iter().find(|engine| engine["name"] == "knuth").unwrap().clone();
    assert_eq!(
        (&program["is_program"], &program["mean_guesses"]),
        (&true.into(), &1035.0.into()),
        "{}",
        run.out
    );
    assert_eq!(json["is_read"], true);
    assert!(
        run.out.lines().any(|line| line.contains("knuth") && line.contains("1,035") && line.contains("  4 ")),
        "{}",
        run.out
    );
    // Another way to print numbers.
    let other = [
        "own=echo 'found: 4 (n 17)'",
        "--solutions-pattern",
        "found: ([0-9]+)",
        "--guesses-pattern",
        "n ([0-9]+)",
    ];
    let run = folder.run(&[&words[..], &other].concat()).ends(0, &[]);
    assert!(run.out.lines().any(|line| line.contains("own") && line.contains("  17  ")), "{}", run.out);
    folder.run(&[&words[..], &["x=true", "--guesses-pattern", "("]].concat()).fails("the pattern `(`");
    folder.run(&[&words[..], &["x=true", "--guesses-pattern", "n"]].concat()).fails("it has no group");
    // A wrong number ends the comparison; none is a warning.
    folder
        .run(&[&words[..], &["echo 5 solutions"]].concat())
        .ends(3, &["contradict each other", "`echo` finds 5 solutions"]);
    folder.run(&[&words[..], &["true"]].concat()).ends(0, &["true: it prints no number of solutions"]);
    folder.run(&[&words[..], &["false"]].concat()).ends(2, &["the command `false` failed: exit status: 1"]);
    // Solutions are checked: a wrong one is found, although no number is.
    let own = format!("'{}' cover list --limit 1 -q {{}}", crate::program::path());
    let first = [&words[..], &[&*own, "--limit", "1"]].concat();
    folder.run(&first).ends(0, &[]);
    let half = format!("{own} | cut -d '|' -f 1-3");
    folder
        .run(&[&words[..], &[&half, "--limit", "1"]].concat())
        .ends(3, &["printed options that are not a solution"]);
    // One that runs into the budget is not finished, and is not run again.
    let late =
        ["compare", "q.dlx", "-e", "links", "-r", "3", "--command", "late=sleep 60", "--budget", "0.05"];
    let run = folder.run(&late).ends(0, &["late: not finished within the limits: q.dlx"]);
    assert!(run.out.lines().any(|line| line.contains("late") && line.contains("> ")), "{}", run.out);
}

/// Times over a series grow by a law that is found.
#[test]
fn a_series_shows_how_times_grow() {
    let folder = Folder::with(&[
        ("a.txt", &crate::puzzles(20)),
        ("b.txt", &crate::puzzles(200)),
        ("c.txt", &crate::puzzles(80)),
    ]);
    let queens =
        ["compare", "--series", "queens 4..10..2", "-r", "1", "-e", "links,masks", "--report", "r.json"];
    let out = folder.run(&queens).ends(0, &[]).out;
    assert!(out.contains("growth  time of a problem by queens N") && out.contains(" queens 10 "), "{out}");
    let growth = folder.json("r.json")["growth"].clone();
    let points = growth[0]["points"].as_array().unwrap().iter().map(|point| point["size"].as_f64().unwrap());
    assert_eq!((growth.as_array().unwrap().len(), Vec::from_iter(points)), (2, vec![4.0, 6.0, 8.0, 10.0]));
    // Files by their number of puzzles, or by the size of their grids, and threads.
    let series = ["compare", "--series", "files", "b.txt", "a.txt", "c.txt", "-r", "1", "-e", "lanes,dlx"];
    let run = folder.run(&[&series[..], &["--report", "f.json"]].concat()).ends(0, &[]);
    assert!(run.out.contains("growth  time of all puzzles by puzzles"), "{}", run.out);
    assert_eq!(folder.json("f.json")["growth"][0]["points"][2]["size"], 200.0);
    folder.run(&["generate", "--side", "4", "-n", "5", "--seed", "1", "-o", "four.txt"]).ends(0, &[]);
    let sides = ["compare", "--series", "files", "a.txt", "four.txt", "-r", "1", "-e", "lanes,grid"];
    let run = folder.run(&sides).ends(0, &[]);
    assert!(run.out.contains("growth  time of a puzzle by cells of a row"), "{}", run.out);
    let run = folder.run(&["compare", "a.txt", "-r", "1", "-e", "bitboard@1..2"]).ends(0, &[]);
    assert!(
        run.out.contains("growth  elapsed time of a puzzle by threads") && run.out.contains("bitboard@2"),
        "{}",
        run.out
    );
    for (words, message) in [
        (&["--series", "queens"][..], "name a problem with a range of sizes"),
        (&["--series", "queens 9..4"], "9..4 is not a range of sizes"),
        (&["--series", "queens 4..x"], "is not a range of sizes"),
        (&["--series", "kings 4..5"], "--series: galop make kings 4"),
        (&["--series", "queens 4..5", "a.txt"], "so name no files"),
        (&["--series", "files", "a.txt"], "name two files or more"),
        (&["a.txt", "-e", "lanes@3..1"], "3..1 is not a range of threads"),
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
