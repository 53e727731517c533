//! `--all`: every solution of puzzles that have several.

use std::collections::BTreeSet;
use std::io::Read;

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// 4x4: 72 solutions, one, none, malformed.
const SMALL: &str = "1...............\n12..34....1....2\n11..............\nrubbish\n";

/// The solutions of the first puzzle in pairs.
fn solutions(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.strip_prefix("1...............,")).collect()
}

#[test]
fn every_solution_is_printed_once_whatever_the_engine() {
    let folder = Folder::with(&[("s.txt", SMALL)]);
    let all = folder.run(&["solve", "s.txt", "--all"]).ends(1, &["73 solutions written"]).out;
    let found = solutions(&all);
    assert_eq!((found.len(), found.iter().collect::<BTreeSet<_>>().len()), (72, 72));
    assert_eq!(all.lines().count(), 72 + 3);
    let ends: Vec<&str> = all.lines().skip(72).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(ends, ["1243342123144132", "none", "malformed"]);
    folder.run_on(all.as_str(), &["verify", "-"]).ends(0, &["73 right, 0 faulty, 2 claimed unsolved"]);
    for engine in ["dlx", "grid"] {
        for threads in ["1", "3"] {
            let again = folder.run(&["solve", "s.txt", "--all", "-e", engine, "-j", threads]).ends(1, &[]);
            assert_eq!(again.out, all, "{engine}");
        }
    }
    let counted = folder.run(&["solve", "s.txt", "--limit", "0", "-f", "csv", "--columns", "count"]).out;
    assert_eq!(counted, "count\n72\n1\n0\n0\n");
}

/// A puzzle of which Sinai's program finds 132 solutions with 295 calls, 14 deep.
const MANY: &str = "..1...........4.3..53..21873.....9.......1.....5.....28.2.165....79...2.....85..6";

#[test]
fn published_engines_print_solutions_in_their_own_order() {
    let folder = Folder::with(&[("m.txt", MANY)]);
    let calls =
        ["solve", "m.txt", "-e", "singles", "--limit", "0", "-f", "csv", "--columns", "count,calls,depth"];
    assert_eq!(folder.run(&calls).ends(0, &[]).out, "count,calls,depth\n132,295,14\n");
    let print = |engine: &str, format: &str| {
        folder.run(&["solve", "-q", "m.txt", "--all", "-e", engine, "-f", format]).ends(0, &[]).out
    };
    let usual = print("lanes", "solution");
    let set = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<String>>();
    for engine in galop_published::all().filter(|engine| engine.lists) {
        let found = print(engine.name, "solution");
        assert!(set(&found) == set(&usual) && found.lines().count() == 132, "{}", engine.name);
        // A search that ends early finds the first of them.
        let words = ["solve", "-q", "m.txt", "--all", "--limit", "7", "-e", engine.name, "-f", "solution"];
        let some = folder.run(&words).ends(4, &[]).out;
        assert!(found.starts_with(some.strip_suffix("limit\n").unwrap()), "{}: {some}", engine.name);
        // `satisfy` finds them in ascending order. The others try the digits of their cells in another one.
        assert_eq!(found.lines().is_sorted(), engine.name == "backtrack", "{}", engine.name);
    }
    // Drawn grids are read again, in the same order.
    let again = folder.run_on(print("singles", "grid"), &["convert", "-q", "-"]).ends(0, &[]).out;
    let singles = print("singles", "solution");
    assert!(again.lines().filter_map(|line| line.split(',').next()).eq(singles.lines()), "{again}");
}

#[test]
fn each_format_has_a_record_for_each_solution() {
    let folder =
        Folder::with(&[("s.txt", SMALL), ("t.csv", "id,puzzle\n7,1...............\n8,12..34....1....2\n")]);
    let pairs = folder.run(&["solve", "s.txt", "--all"]).out;
    let expected = solutions(&pairs);
    let alone = folder.run(&["solve", "s.txt", "--all", "-f", "solution"]).ends(1, &[]).out;
    assert_eq!(alone.lines().take(72).collect::<Vec<_>>(), expected);
    let columns = "solution,solution_number,count,status";
    let csv = folder.run(&["solve", "t.csv", "--all", "-f", "csv", "--columns", columns]).ends(0, &[]).out;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "id,puzzle,solution,solution_number,count,status");
    for (index, solution) in expected.iter().enumerate() {
        assert_eq!(rows[index + 1], format!("7,1...............,{solution},{},72,solved", index + 1));
    }
    assert_eq!(rows[73..], ["8,12..34....1....2,1243342123144132,1,1,solved"]);
    let usual = folder.run(&["solve", "s.txt", "--all", "-f", "csv", "--no-times"]).out;
    assert!(usual.starts_with("puzzle,solution,status,count,guesses,nanos,solution_number\n"), "{usual}");
    assert!(usual.ends_with(",none,0,0,,\n\"rubbish\",,malformed,0,0,,\n"), "{usual}");
    let json = folder.run(&["solve", "s.txt", "--all", "-f", "json"]).out;
    let values: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((values.len(), &values[71]["solution_number"]), (75, &72.into()));
    assert_eq!(values[71]["solution"], expected[71]);
    assert!(values[73]["solution_number"].is_null());
    let grids = folder.run(&["solve", "s.txt", "--all", "-f", "grid"]).out;
    assert_eq!(grids.matches("\n\n").count(), 75);
    // Only those with several.
    let some =
        folder.run(&["solve", "s.txt", "--all", "--only", "multiple"]).ends(1, &["wrote 1 of 4 records"]).out;
    assert_eq!(solutions(&some), expected);
    assert_eq!(some.lines().count(), 72);
}

#[test]
fn a_partial_list_says_so() {
    let folder = Folder::with(&[("s.txt", SMALL), ("one.txt", PUZZLE)]);
    let all = folder.run(&["solve", "s.txt", "--all"]).out;
    let whole = solutions(&all);
    for (limit, count) in [("1", 1), ("71", 71)] {
        let run = folder.run(&["solve", "s.txt", "--all", "--limit", limit]);
        let run = run.ends(4, &["the list is partial for 1 puzzle"]);
        let expected = [&whole[..count], &["limit"]].concat();
        assert_eq!(solutions(&run.out), expected, "the first ones in the same order");
    }
    for limit in ["72", "0"] {
        let run = folder.run(&["solve", "s.txt", "--all", "--limit", limit]).ends(1, &[]);
        assert_eq!(solutions(&run.out), whole);
    }
    // Without a limit a thousand.
    let empty = folder
        .run_on(".".repeat(81), &["solve", "--all", "--report", "r.json"])
        .ends(4, &["1,000 solutions"]);
    assert_eq!(empty.out.lines().count(), 1001);
    assert!(empty.out.ends_with(",limit\n"));
    assert_eq!(folder.json("r.json")["listing"], serde_json::json!({"solutions": 1000, "partial": 1}));
    // A limit on guesses.
    let few = folder
        .run_on(".".repeat(81), &["solve", "--all", "--max-guesses", "60", "-e", "bitboard"])
        .ends(4, &[]);
    assert!(few.out.ends_with(",limit\n"));
    folder.run(&["solve", "one.txt", "--all"]).ends(0, &["1 solution written"]);
    folder.run(&["solve", "s.txt", "--all", "--unique"]).ends(2, &["cannot be used with"]);
}

/// Thousands of solutions in the middle of a file, and more than the reader takes.
#[test]
fn many_solutions_come_in_the_order_of_the_file() {
    let open = format!("{}{}", ".".repeat(45), &SOLUTION[45..]);
    let folder = Folder::with(&[("m.txt", &format!("{PUZZLE}\n{open},x\n{PUZZLE}\n").repeat(2))]);
    for format in ["pair", "csv"] {
        let words = ["solve", "m.txt", "--all", "--limit", "14000", "--no-times", "-f", format, "-j"];
        let [one, three] = ["1", "3"].map(|threads| folder.run(&[&words[..], &[threads]].concat()));
        assert_eq!((one.code, one.out == three.out), (Some(4), true), "{}", one.err);
        let lines: Vec<&str> = one.out.lines().skip(usize::from(format == "csv")).collect();
        assert_eq!(lines.len(), 2 * (14_000 + 3));
        let listed: BTreeSet<&str> = lines[1..14_001].iter().copied().collect();
        assert_eq!(listed.len(), 14_000, "distinct");
        assert!(listed.iter().all(|line| line.starts_with(&open)));
        assert!(
            lines[14_001].starts_with(&format!("{open},{}limit", if format == "csv" { "," } else { "" }))
        );
        let rest = |line: &str| line.starts_with(PUZZLE);
        assert!([0, 14_002, 14_003, 28_005].iter().all(|at| rest(lines[*at])), "the order of the file");
        if format == "pair" {
            folder.run_on(one.out, &["verify", "-"]).ends(0, &["28,004 right, 0 faulty, 2 claimed unsolved"]);
        }
    }
    // The empty grid has 6.67e21 solutions. The first 100,000 are counted before they are listed, and they come until
    // the reader has enough.
    let mut process =
        folder.spawn(&["solve", &".".repeat(81), "--all", "--limit", "0", "--max-guesses", "100000", "-q"]);
    let mut first = vec![0; 3_000_000];
    process.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(141));
}
