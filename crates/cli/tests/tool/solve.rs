//! `galop solve`: engines, formats, limits, inputs, colours and progress.

use galop_engines::engine::Isa;
use serde_json::Value;

use crate::program::{Folder, Run};
use crate::puzzles;
use galop_engines::engine::PROBLEM_ENGINES;
use galop_testing::available::{isas, large_set};
use galop_testing::chance::Chance;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn every_engine_of_the_table_solves() {
    let folder = Folder::new();
    let listed = folder.run(&["engines"]).ends(0, &[]).out;
    let (engines, kinds) = listed.split_once("\n\n").unwrap();
    let (kinds, problems) = kinds.split_once("\n\n").unwrap();
    let (problems, sets) = problems.split_once("\n\n").unwrap();
    assert!(PROBLEM_ENGINES.iter().all(|entry| problems.contains(entry.name)), "{problems}");
    assert_eq!(kinds.lines().count(), galop_engines::grid::KINDS.len() + 3, "a heading, and the engines");
    assert_eq!(engines.lines().count(), galop_published::all().count());
    let best = galop_engines::engine::Isa::best().name();
    assert!(sets.starts_with(&format!("instruction sets here: {best} (default), ")), "{sets}");
    let (_, covers) = sets.split_once("\n\nexact cover (galop cover):\n").unwrap();
    assert_eq!(covers.lines().count(), galop_cover::engine::ENGINES.len());
    for (line, entry) in covers.lines().zip(galop_cover::engine::ENGINES) {
        assert!(line.starts_with(entry.name) && line.ends_with(entry.about), "{line}");
    }
    for (line, entry) in listed.lines().zip(galop_published::all()) {
        assert!(line.starts_with(entry.name) && line.contains(entry.about), "{line}");
        for name in std::iter::once(entry.name).chain(entry.alias) {
            let run = folder.run_on(PUZZLE, &["solve", "-f", "solution", "-e", name]).ends(0, &[]);
            assert!(
                run.out == format!("{SOLUTION}\n") || entry.may_be_stuck && run.out == "stuck\n",
                "{run:?}"
            );
        }
        assert_eq!(line.contains("satisfy"), entry.name == "backtrack", "{line}");
    }
}

#[test]
fn empty_input_gives_empty_output() {
    let folder = Folder::with(&[("empty.txt", "")]);
    for words in [&["solve"][..], &["solve", "-"], &["solve", "empty.txt"], &["solve", "-f", "json"]] {
        assert_eq!(folder.run(words).ends(1, &[]).out, "", "{words:?}");
        assert_eq!(folder.run(&[words, &["--allow-malformed"]].concat()).ends(0, &[]).out, "");
    }
    assert_eq!(folder.run(&["verify"]).ends(0, &[]).out, "");
    folder.run(&["solve", "--strict", "-o", "out.txt"]).ends(1, &["no puzzles in <stdin>"]);
    assert_eq!(folder.read("out.txt"), "");
    let csv = folder.run(&["solve", "-f", "csv"]).ends(1, &[]);
    assert_eq!(csv.out, "puzzle,solution,status,count,guesses,nanos\n");
}

/// An empty input is never passed over in silence. A part may have no records.
#[test]
fn an_empty_input_is_named() {
    let folder = Folder::with(&[("empty.txt", ""), ("comments.txt", "# none\n\n"), ("p.txt", PUZZLE)]);
    for command in ["solve", "verify", "convert", "rate", "canon", "dedup"] {
        let run = folder.run(&[command, "-q", "empty.txt", "p.txt", "comments.txt"]);
        let words = "galop: warning: no puzzles in empty.txt, comments.txt\n";
        assert_eq!((run.code, &*run.err), (Some(0), words), "{command}");
        let part = folder.run(&[command, "-q", "p.txt", "--lines", "2.."]);
        assert_eq!((part.code, &*part.err), (Some(0), ""), "{command}");
    }
    folder.run(&["solve", "-q", "--shard", "2/2", "p.txt"]).ends(0, &[]);
    assert_eq!(folder.run(&["solve", "-q", "--shard", "2/2", "p.txt"]).err, "");
}

#[test]
fn several_files_and_standard_input_are_one_output() {
    let folder = Folder::with(&[("a.txt", PUZZLE), ("b.txt", &format!("{}\n", contradictory()))]);
    let run = folder.run_on("wrong\n", &["solve", "a.txt", "-", "b.txt"]);
    let run = run.ends(1, &["<stdin>:1:1: ", "from a.txt and 2 more"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\nwrong,malformed\n{},none\n", contradictory()));
}

#[test]
fn times_are_in_csv_unless_they_are_not_wanted() {
    let folder = Folder::new();
    let nanos = |words: &[&str]| {
        let out = folder.run_on(PUZZLE, words).ends(0, &[]).out;
        out.lines().last().unwrap().rsplit(',').next().unwrap().to_owned()
    };
    assert!(nanos(&["solve", "-f", "csv"]).parse::<u64>().unwrap() > 0);
    assert_eq!(nanos(&["solve", "-f", "csv", "--no-times"]), "");
}

#[test]
fn limits_are_those_typed() {
    let folder = Folder::new();
    let run = |words: &[&str]| folder.run_on(open_puzzle(), &[&["solve"][..], words].concat());
    let solve = |words: &[&str]| run(words).ends(0, &[]).out;
    assert!(solve(&["--unique"]).ends_with(",multiple\n"));
    assert!(solve(&["--limit", "2"]).ends_with(",multiple\n"), "--unique is --limit 2");
    assert!(!solve(&[]).ends_with("multiple\n"), "any solution will do");
    let column = |csv: String, at: usize| csv.lines().last().unwrap().split(',').nth(at).unwrap().to_owned();
    for count in ["1", "2", "3", "10"] {
        assert_eq!(column(solve(&["--limit", count, "-f", "csv"]), 3), count);
    }
    let all = column(solve(&["--limit", "0", "-f", "csv", "-e", "dlx"]), 3);
    assert_eq!(column(solve(&["--limit", "0", "-f", "csv"]), 3), all, "all solutions, with any engine");
    let limited = |words: &[&str]| run(words).ends(4, &[]).out;
    assert!(limited(&["--max-guesses", "0", "-e", "backtrack"]).ends_with(",limit\n"));
    assert_eq!(
        column(limited(&["--max-guesses", "7", "--limit", "0", "-f", "csv", "-e", "backtrack"]), 4),
        "7"
    );
}

#[test]
fn an_instruction_set_that_the_machine_lacks_is_an_error() {
    let folder = Folder::new();
    for isa in galop_engines::engine::Isa::ALL {
        let run = folder.run_on(PUZZLE, &["solve", "--isa", isa.name()]);
        if isa.is_available() {
            assert_eq!(run.ends(0, &[]).out, format!("{PUZZLE},{SOLUTION}\n"));
        } else {
            run.ends(2, &["this machine lacks it; it has ", "portable"]);
        }
    }
}

/// Which of many solutions comes first, and the guesses, do not depend on the machine.
#[test]
fn every_instruction_set_gives_the_same_bytes() {
    let mut chance = Chance::new(21);
    let mut many_solutions = String::new();
    for _ in 0..3_000 {
        let mut puzzle = SOLUTION.as_bytes().to_vec();
        (0..50 + chance.below(200)).for_each(|_| puzzle[chance.below(81)] = b'.');
        if chance.below(4) == 0 {
            puzzle[chance.below(81)] = b'1' + chance.below(9) as u8;
        }
        many_solutions += &format!("{}\n", String::from_utf8(puzzle).unwrap());
    }
    let folder = Folder::with(&[("made.txt", &many_solutions)]);
    let mut files = vec![folder.path("made.txt")];
    files.extend(large_set("multi_20k.txt"));
    for file in &files {
        for solutions in ["1", "2"] {
            let solve = |isa: Isa| {
                let words =
                    ["solve", "-q", "--no-times", "-f", "csv", "--limit", solutions, "--isa", isa.name()];
                folder.run(&[&words[..], &[file.to_str().unwrap()]].concat()).ends(0, &[]).out
            };
            let expected = solve(Isa::Portable);
            for isa in isas() {
                assert!(solve(isa) == expected, "{} {solutions} {}", isa.name(), file.display());
            }
        }
    }
}

#[test]
fn a_run_without_puzzles_has_a_short_summary() {
    let folder = Folder::with(&[("bad.txt", "wrong\nworse\n"), ("empty.txt", "")]);
    let err = folder.run(&["solve", "empty.txt"]).ends(1, &[]).err;
    assert_eq!(err, "galop: warning: no puzzles in empty.txt\n");
    // A file without a puzzle is one error, what comes through a pipe is answered record by record.
    folder.run(&["solve", "bad.txt", "-o", "out.txt"]).fails("bad.txt:1:1: has no puzzle; unexpected `w`");
    assert!(!folder.path("out.txt").exists());
    let on_bad = |words: &[&str]| folder.run_on("wrong\nworse\n", words);
    let err = on_bad(&["solve"]).ends(1, &["no puzzles in <stdin>: 2 malformed\n"]).err;
    assert!(!err.contains("lanes") && !err.contains("a second"), "{err}");
    let err = on_bad(&["solve", "-v"]).ends(1, &["no puzzles in <stdin>\n"]).err;
    assert!(err.contains("malformed              2  100.0 %\n"), "{err}");
}

/// Three lines: the outcome, the speed, the guesses. `-v` says more.
#[test]
fn the_summary_has_three_lines() {
    let folder = Folder::new();
    let summary = |puzzles: &str, words: &[&str]| {
        let err = folder.run_on(puzzles, &[&["solve", "-j", "1"][..], words].concat()).ends(0, &[]).err;
        <[String; 3]>::try_from(err.lines().map(str::to_owned).collect::<Vec<_>>()).unwrap()
    };
    let [outcome, speed, guesses] = summary(PUZZLE, &["-e", "norvig"]);
    assert_eq!(outcome, "1 puzzle from <stdin>: solved");
    assert!(speed.contains("; solving: ") && speed.ends_with("s (norvig)"), "{speed}");
    assert_eq!(guesses, "15 guesses; 26 calls, 8 deep");

    let [outcome, speed, guesses] = summary(&contradictory(), &["--no-times"]);
    assert_eq!((&*outcome, &*guesses), ("1 puzzle from <stdin>: without a solution", "no guesses"));
    assert!(speed.contains("s (lanes ") && !speed.contains("solving"), "{speed}");

    let [outcome, speed, guesses] = summary(&puzzles(20), &["--unique"]);
    assert_eq!(outcome, "20 puzzles from <stdin>: all solved, each with one solution");
    let words = [" on 1 thread: ", " a second; solving alone: ", " a second per core (lanes "];
    assert!(words.iter().all(|word| speed.contains(word)), "{speed}");
    assert!(guesses.contains(" guesses per puzzle on average, at most "), "{guesses}");

    let mixed = format!("{}{}\n{}", puzzles(3), contradictory(), open_puzzle());
    let [outcome, ..] = summary(&mixed, &["--unique"]);
    let statuses = "3 with one solution, 1 without a solution, 1 with several solutions";
    assert_eq!(outcome, format!("5 puzzles from <stdin>: {statuses}"));

    let shares = "time per puzzle (its share of its lanes' rounds)  mean ";
    let err = folder.run_on(puzzles(10), &["solve", "-v"]).ends(0, &[shares, "slowest"]).err;
    assert!(err.contains('█'), "{err}");
}

#[test]
fn a_share_of_the_puzzles_is_solved_again() {
    let folder = Folder::with(&[("in.txt", &puzzles(300))]);
    let solve = |words: &[&str]| {
        let words = [&["solve", "in.txt", "--report", "r.json", "--no-times"], words].concat();
        let run = folder.run(&words).ends(0, &[]);
        let report: Value = folder.json("r.json");
        (run.out, report["crosscheck"].clone(), run.err)
    };
    let (plain, nothing, _) = solve(&[]);
    assert_eq!(nothing, Value::Null);
    let (out, all, err) = solve(&["--crosscheck", "100%", "-e", "dlx", "-u"]);
    assert!(err.contains("crosscheck  300 puzzles solved again by bitboard: no difference"), "{err}");
    let expected =
        serde_json::json!({"engine": "bitboard", "share": 1.0, "seed": 0, "puzzles": 300, "undecided": 0});
    assert_eq!(all, expected);
    assert!(out == plain);
    let (out, some, _) = solve(&["--crosscheck", "10 %", "-j", "1"]);
    assert!((10..60).contains(&some["puzzles"].as_u64().unwrap()), "{some}");
    assert!(out == plain);
    assert_eq!(some, solve(&["--crosscheck", "0.1", "-j", "5"]).1);
    let other = solve(&["--crosscheck", "0.1", "--crosscheck-seed", "12"]).1;
    assert_eq!((&other["seed"], &other["engine"]), (&12.into(), &"dlx".into()));
}

#[test]
fn the_same_bytes_for_any_threads_and_ways_of_reading() {
    let folder = Folder::with(&[("in.txt", &format!("{}wrong\n{}", puzzles(900), puzzles(300)))]);
    let solve =
        |words: &[&str]| folder.run(&[&["solve", "in.txt", "--no-times", "-f", "csv"], words].concat()).out;
    let one = solve(&["-j", "1"]);
    assert_eq!(one.lines().count(), 1202);
    for words in [&["-j", "2"][..], &["-j", "5"], &["--no-mmap"], &["-o", "-"]] {
        assert!(solve(words) == one, "{words:?}");
    }
    let piped = folder.run_on(folder.read("in.txt"), &["solve", "--no-times", "-f", "csv"]).out;
    assert!(piped == one);
    solve(&["-o", "out.csv"]);
    assert!(folder.read("out.csv") == one);
}

#[test]
fn colours_are_written_only_where_they_are_wanted() {
    let folder = Folder::new();
    let solve = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = folder.command(words);
        Run::on(format!("{PUZZLE}\nwrong\n"), command.envs(variables.iter().copied()))
    };
    let escape = '\u{1b}';
    assert!(!solve(&[], &["solve"]).err.contains(escape), "stderr is no terminal");
    assert!(!solve(&[("NO_COLOR", "1")], &["solve"]).err.contains(escape));
    let coloured = solve(&[("CLICOLOR_FORCE", "1")], &["solve"]);
    assert!(coloured.err.contains(escape) && !coloured.out.contains(escape));
    assert!(!solve(&[], &["solve", "missing.txt"]).err.contains(escape));
    assert!(solve(&[("CLICOLOR_FORCE", "1")], &["solve", "missing.txt"]).err.contains(escape));
}

#[test]
fn progress_is_drawn_where_it_is_wanted() {
    let folder = Folder::with(&[("in.txt", &puzzles(100).repeat(30))]);
    let err = |words: &[&str]| folder.run(&[&["solve", "in.txt", "-q"], words].concat()).ends(0, &[]).err;
    assert_eq!(err(&[]), "", "stderr is no terminal");
    assert_eq!(err(&["--progress", "auto"]), "");
    assert_eq!(err(&["--progress", "never"]), "");
    let drawn = err(&["--progress", "always"]);
    assert!(drawn.contains("puzzles") && drawn.contains('%'), "{drawn:?}");
    let made =
        folder.run(&["generate", "-n", "500", "-s", "1", "--progress", "always"]).ends(0, &["puzzles"]);
    assert_eq!(made.out.lines().count(), 500);
}
