//! Records of an exact cover problem: `--problem`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::program::Folder;
use galop_testing::available::sized;
use galop_testing::npy::array;
use galop_testing::wait;
use galop_testing::zip::{Member, archive};

/// A folder with queens on a board of that size, and records with some of them.
fn queens(size: usize) -> Folder {
    let folder = Folder::new();
    folder.run(&["make", "queens", &size.to_string(), "-o", "q.dlx"]).ends(0, &[]);
    let mut records = String::from("# some queens\n\n|\n");
    for row in 0..size {
        for column in 0..size {
            let (other, next) = ((row + 3) % size, (column + 2) % size);
            writeln!(records, "r{row} c{column} | r{other} c{next}").unwrap();
            writeln!(records, "r{row} c{column} | :- r{other} c{next}").unwrap();
        }
    }
    folder.write("in.txt", records);
    folder
}

/// The second field of each line.
fn answers(lines: &str) -> Vec<&str> {
    lines.lines().map(|line| line.split_once('\t').unwrap().1).collect()
}

#[test]
fn records_are_answered_in_every_format_and_read_again() {
    let folder = queens(8);
    let words = ["solve", "--problem", "q.dlx", "in.txt", "--unique", "-q"];
    let pairs = folder.run(&words).ends(0, &[]).out;
    assert_eq!(pairs.lines().count(), 129);
    assert!(pairs.starts_with("|\tmultiple\nr0 c0 | r3 c2\t"), "{pairs}");
    let counts = answers(&pairs).iter().fold(BTreeMap::<_, usize>::new(), |mut counts, answer| {
        *counts.entry(answer.split(' ').next().filter(|word| !word.starts_with('r'))).or_default() += 1;
        counts
    });
    assert_eq!(counts[&Some("multiple")] + counts[&Some("none")] + counts[&None], 129, "{counts:?}");
    assert!(counts[&Some("none")] > 3 && counts[&None] > 3, "{counts:?}");
    for threads in ["1", "3"] {
        assert_eq!(folder.run(&[&words[..], &["-j", threads]].concat()).out, pairs);
    }
    // Everything that is written is read again, and means the same.
    for name in ["out.txt", "out.csv", "out.tsv", "out.json", "out.txt.gz"] {
        folder.run(&[&words[..], &["-o", name]].concat()).ends(0, &[]);
        let verify = ["verify", "--problem", "q.dlx", "--unique", name];
        let verified = folder.run(&verify).ends(0, &["129 records"]);
        assert_eq!(verified.out, "", "{name}");
        let again = ["solve", "--problem", "q.dlx", name, "--unique", "-q", "-f", "pair", "-o", "again.txt"];
        folder.run(&again).ends(0, &[]);
        assert_eq!(folder.read("again.txt"), pairs, "{name}");
    }
    // A queen that is moved is found out, with its line.
    let wrong = pairs.replacen("r0 c0 | r3 c2\tr", "r0 c0 | r3 c3\tr", 1);
    folder.write("wrong.txt", wrong);
    let verified = folder.run(&["verify", "--problem", "q.dlx", "wrong.txt"]).ends(1, &[]);
    assert!(verified.out.starts_with("wrong.txt:2:9: options "), "{}", verified.out);
    let solved = pairs.lines().find(|line| line.contains("\tr")).unwrap();
    let (puzzle, solution) = solved.split_once('\t').unwrap();
    let (kept, _) = solution.rsplit_once(" | ").unwrap();
    let short = folder.run_on(format!("{puzzle}\t{kept}\n"), &["verify", "--problem", "q.dlx"]).ends(1, &[]);
    assert!(short.out.contains(" is covered fewer than 1 times"), "{}", short.out);
}

#[test]
fn arrays_have_the_numbers_of_the_options() {
    let folder = queens(5);
    let solve = ["solve", "--problem", "q.dlx", "in.txt", "-q", "-o"];
    // Two queens may see each other.
    folder.run(&[&solve[..], &["out.npy"]].concat()).ends(1, &[]);
    folder.run(&[&solve[..], &["out.txt"]].concat()).ends(1, &[]);
    let (bytes, text) = (folder.bytes("out.npy"), folder.read("out.txt"));
    assert!(
        String::from_utf8_lossy(&bytes[..128]).contains("'<i4', 'fortran_order': False, 'shape': (51, 5)")
    );
    let rows: Vec<i32> =
        bytes[128..].chunks(4).map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap())).collect();
    assert_eq!(rows.len(), 51 * 5);
    for (row, answer) in rows.chunks(5).zip(answers(&text)) {
        let expected = if !answer.starts_with('r') { [0; 5].to_vec() } else { row.to_vec() };
        assert_eq!(row, expected);
        if !answer.starts_with('r') {
            continue;
        }
        // The same options by their numbers.
        let numbers: Vec<String> = row.iter().map(|number| format!(":{number}")).collect();
        let line = numbers.join(" | ") + "\t" + answer + "\n";
        folder.run_on(line, &["verify", "--problem", "q.dlx"]).ends(0, &[]);
    }
}

#[test]
fn arrays_are_read_as_numbers_of_options_or_marks() {
    let folder = queens(6);
    let solve = |input: &str, words: &[&str]| {
        folder.run(&[&["solve", "--problem", "q.dlx", input, "-q"], words].concat())
    };
    let expected = solve("in.txt", &[]).out;
    // Puzzles are written with a mark for each option, solutions with the numbers of those that are chosen.
    for name in ["made.npy", "made.txt"] {
        let generate = ["generate", "--problem", "q.dlx", "-n", "40", "--seed", "1", "-q", "-o", name];
        folder.run(&generate).ends(0, &[]);
    }
    let shape = "'|u1', 'fortran_order': False, 'shape': (40, 36)";
    assert!(String::from_utf8_lossy(&folder.bytes("made.npy")[..128]).contains(shape));
    let made = solve("made.txt", &[]).out;
    for words in [&[][..], &["--no-mmap", "-j", "1"]] {
        assert_eq!(solve("made.npy", words).out, made);
    }
    solve("in.txt", &["-o", "solved.npy"]).ends(0, &[]);
    let open = expected.lines().find(|line| line.starts_with("|\t")).unwrap();
    let again: Vec<String> = answers(&expected)
        .iter()
        .map(|answer| if answer.starts_with('r') { format!("{answer}\t{answer}") } else { open.to_owned() })
        .collect();
    assert!(again.contains(&open.to_owned()) && again.iter().any(|line| line != open));
    assert_eq!(solve("solved.npy", &[]).out.lines().collect::<Vec<_>>(), again);

    // Any type of numbers; a negative one forbids.
    folder.write("q.dlx", "a b\na\nb\na b\n");
    let check = |descr: &str, shape: &str, data: Vec<u8>, out: &[&str], messages: &[&str]| {
        folder.write("a.npy", array(descr, shape, &data));
        let run = solve("a.npy", &["--unique"]).ends(i32::from(!messages.is_empty()), messages);
        let found: Vec<&str> = run.out.lines().collect();
        assert_eq!(found.len(), out.len(), "{}", run.out);
        assert!(found.iter().zip(out).all(|(found, out)| found.ends_with(out)), "{}", run.out);
    };
    let numbers: [i32; 10] = [2, 1, 0, 3, -1, -2, 0, 0, 4, 4];
    check(
        ">i4",
        "(5, 2)",
        numbers.iter().flat_map(|number| number.to_be_bytes()).collect(),
        &["a | b\ta | b", "a b\ta b", ":- a | :- b\ta b", "|\tmultiple", "\tmalformed"],
        &["a.npy:5:1: there is no option `4` (options are numbered from 1, and there are 3)"],
    );
    check(
        "<f8",
        "(2, 2)",
        [4.5, 0.0, 3.0, f64::NAN].iter().flat_map(|number| number.to_le_bytes()).collect(),
        &["\tmalformed", "a b\ta b"],
        &["a.npy:1:1: there is no option `4.5` "],
    );
    check(
        "|u1",
        "(4, 3)",
        vec![0, 1, 1, 0, 0, 0, 1, 3, 0, 2, 0, 1],
        &["\tmalformed", "|\tmultiple", "\tmalformed", "a b | :- a\ta b"],
        &[
            "a.npy:1:3: options 2 and 3 exclude each other, because of item `b`",
            "a.npy:3:2: the number 3 (1 chooses an option, 2 forbids it, and 0 does neither)",
        ],
    );
    // The first wrong number is named.
    folder.write("q.dlx", "a b c\na\nb\nc\na b\n");
    let numbers: [i16; 3] = [1, 4, 9];
    check(
        "<i2",
        "(1, 3)",
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect(),
        &["\tmalformed"],
        &["a.npy:1:2: options 1 and 4 exclude each other, because of item `a`"],
    );
    // Here all options can be chosen together. So only bytes are marks.
    folder.write("q.dlx", "a b\na\nb\n");
    check("|u1", "(1, 2)", vec![0, 1], &["b\ta | b"], &[]);
    check("<u2", "(1, 2)", vec![2, 0, 1, 0], &["a | b\ta | b"], &[]);
    let members = [Member::stored("puzzle.npy", &array("|u1", "(1, 16)", &[0; 16]))];
    folder.write("a.npz", archive(&members));
    solve("a.npz", &[])
        .ends(2, &["a.npz: an archive of arrays (records of a problem are in one array, `.npy`)"]);
    for shape in ["(3, 2, 2)", "(12,)", "(4, 3)", "(4, 0)", "(18446744073709551615, 2)"] {
        folder.write("a.npy", array("|u1", shape, &[0; 12]));
        solve("a.npy", &[])
            .ends(2, &[&format!("shape {shape} (records of this problem are of the shape (n, k)")]);
    }
}

#[test]
fn what_is_wrong_with_a_record_is_named_with_its_place() {
    let folder = queens(8);
    let records = "r0 c0\nr0 c0 | r9 c1\n# r9\nr1 c1 | r2 c2\n:65\nr1\n:- r0 c0 | :1\tnone\n";
    folder.write("bad.txt", records);
    let solved = folder.run(&["solve", "--problem", "q.dlx", "bad.txt"]).ends(
        1,
        &[
            "bad.txt:2:9: unknown item `r9`",
            "bad.txt:4:9: options ",
            " exclude each other, because of item `b7`",
            "bad.txt:5:1: there is no option `65` (options are numbered from 1, and there are 64)",
            "bad.txt:6:1: options ",
            "4 malformed records",
        ],
    );
    assert_eq!(answers(&solved.out)[1..5], ["malformed"; 4]);
    for (words, message) in [
        (&["solve", "--problem", "in.txt", "in.txt"][..], "in.txt:4:1: unknown item `r0`"),
        (&["solve", "--problem", "no.dlx", "in.txt"], "no.dlx: "),
        (&["solve", "--problem", "q.dlx", "--kind", "latin", "in.txt"], "cannot be used with"),
        (&["solve", "--problem", "q.dlx", "in.txt", "-f", "grid"], "the format `grid` holds cells of grids"),
        (&["solve", "--problem", "q.dlx", "in.txt", "-o", "a.npz"], "the format `npz` holds cells of grids"),
        (
            &["solve", "--problem", "q.dlx", "in.txt", "-e", "lanes"],
            "engines that do: dlx, masks, wide, sparse",
        ),
        (&["rate", "--problem", "q.dlx", "in.txt"], "unexpected argument '--problem'"),
        (
            &["solve", "--problem", "q.dlx", "r0 c0 | r1 c1"],
            "is neither a file nor a puzzle: column 9: options ",
        ),
    ] {
        folder.run(words).fails(message);
    }
    let typed = folder.run(&["solve", "--problem", "q.dlx", "r0 c0 | r1 c4 | r2 c7", "-q"]).ends(0, &[]);
    assert_eq!(typed.out.lines().count(), 1);
}

/// Items whose names begin comments or separate fields elsewhere.
#[test]
fn names_may_have_any_characters_but_two() {
    let problem = "#a \"b\" c,d {e} \\f | x;y\n#a c,d\n#a x;y:\"1\"\n\"b\" x;y:\"1\"\n\"b\" {e}\nc,d x;y:\"1\"\n{e} \\f\n\\f\n";
    let folder = Folder::with(&[
        ("p.dlx", problem),
        ("in.txt", "| #a c,d\n| \"b\" {e}\n|\n:- #a c,d | x;y:\"1\" \"b\"\n"),
    ]);
    let words = ["solve", "--problem", "p.dlx", "--all", "-q"];
    let pairs = folder.run(&[&words[..], &["in.txt"]].concat()).ends(0, &[]).out;
    assert_eq!(
        pairs,
        "| #a c,d\t| #a c,d | \"b\" x;y:\"1\" | {e} \\f\n\
         | #a c,d\t| #a c,d | \"b\" {e} | \\f\n\
         \"b\" {e}\t| #a c,d | \"b\" {e} | \\f\n\
         \"b\" {e}\t| #a x;y:\"1\" | \"b\" {e} | c,d x;y:\"1\" | \\f\n\
         |\t| #a c,d | \"b\" x;y:\"1\" | {e} \\f\n\
         |\t| #a c,d | \"b\" {e} | \\f\n\
         |\t| #a x;y:\"1\" | \"b\" x;y:\"1\" | c,d x;y:\"1\" | {e} \\f\n\
         |\t| #a x;y:\"1\" | \"b\" {e} | c,d x;y:\"1\" | \\f\n\
         \"b\" x;y:\"1\" | :- #a c,d\t| #a x;y:\"1\" | \"b\" x;y:\"1\" | c,d x;y:\"1\" | {e} \\f\n"
    );
}

#[test]
fn runs_go_on_and_shards_are_parts() {
    let folder = queens(10);
    let records = folder.read("in.txt").repeat(sized(400, 4000));
    folder.write("in.txt", records);
    let solve = ["solve", "--problem", "q.dlx", "in.txt", "-q", "--limit", "3", "-f", "csv", "--no-times"];
    folder.run(&[&solve[..], &["-o", "whole.csv"]].concat()).ends(0, &[]);
    let mut parts = String::new();
    for shard in ["1/3", "2/3", "3/3"] {
        folder.run(&[&solve[..], &["--shard", shard, "-o", "part.csv"]].concat()).ends(0, &[]);
        parts += &folder.read("part.csv");
    }
    assert!(parts == folder.read("whole.csv"));
    let resumed = [&solve[..], &["--resume", "-o", "out.csv"]].concat();
    let mut child = folder.spawn(&resumed);
    // A progress without output is as good as none.
    let has_output = || {
        let progress = std::fs::read_to_string(folder.path("out.csv.progress"));
        progress.is_ok_and(|progress| !progress.contains("\"bytes\":0,"))
    };
    wait::until("some output", || has_output() || child.try_wait().unwrap().is_some());
    child.kill().unwrap();
    child.wait().unwrap();
    if folder.names().contains(&"out.csv.progress".to_owned()) {
        // Another problem of the same name is another run.
        let problem = folder.read("q.dlx");
        folder.write("q.dlx", problem.clone() + "| a comment\n");
        folder.run(&resumed).fails("the problem");
        folder.write("q.dlx", problem);
        folder.run(&resumed).ends(0, &[]);
    }
    assert!(folder.bytes("out.csv") == folder.bytes("whole.csv"));
}

#[test]
fn engines_are_compared_and_check_each_other() {
    let folder = queens(8);
    let compare = ["compare", "--problem", "q.dlx", "in.txt", "--runs", "1", "-q", "--unique", "-e"];
    let compared = folder.run(&[&compare[..], &["masks,sparse,links"]].concat()).ends(0, &[]);
    assert!(["masks", "sparse", "dlx"].iter().all(|name| compared.out.contains(name)), "{}", compared.out);
    folder.run(&[&compare[..], &["all"]].concat()).ends(0, &[]);
    let words =
        ["solve", "--problem", "q.dlx", "in.txt", "--unique", "--crosscheck", "100%", "--report", "r.json"];
    folder.run(&words).ends(0, &["129 puzzles of q.dlx", "(masks)"]);
    let report = folder.json("r.json");
    assert_eq!(
        (&report["crosscheck"]["engine"], &report["crosscheck"]["puzzles"]),
        (&"dlx".into(), &129.into())
    );
    folder.run(&[&words[..4], &["--report", "r.html", "-q"]].concat()).ends(0, &[]);
    assert!(folder.read("r.html").contains("q.dlx"));
    let limited = folder.run(&[&words[..5], &["--max-guesses", "1", "-q"]].concat()).ends(4, &[]);
    assert!(limited.out.contains("\tlimit\n"), "{}", limited.out);
}

/// Each puzzle has one completion, a minimal one needs every choice, and the bytes depend on the seed alone.
#[test]
fn puzzles_of_a_problem_are_made() {
    let folder = queens(8);
    let generate = ["generate", "--problem", "q.dlx", "-n", "40", "--seed", "3"];
    let minimal =
        folder.run(&[&generate[..], &["--pairs"]].concat()).ends(0, &["each is equally likely"]).out;
    assert_eq!(minimal.lines().count(), 40);
    for threads in ["1", "3"] {
        assert_eq!(folder.run(&[&generate[..], &["--pairs", "-j", threads, "-q"]].concat()).out, minimal);
    }
    let later =
        ["generate", "--problem", "q.dlx", "-n", "10", "--from", "30", "--seed", "3", "--pairs", "-q"];
    assert!(minimal.ends_with(&folder.run(&later).ends(0, &[]).out));
    folder.run_on(&*minimal, &["verify", "--problem", "q.dlx", "--unique"]).ends(0, &["40 right"]);
    // Without any one of its choices it has several.
    let mut thinner = String::new();
    for line in minimal.lines() {
        let choices: Vec<&str> = line.split('\t').next().unwrap().split(" | ").collect();
        for at in 0..choices.len() {
            let others = [&choices[..at], &choices[at + 1..]].concat();
            thinner += &format!("| {}\n", others.join(" | "));
        }
    }
    let solved =
        folder.run_on(&*thinner, &["solve", "--problem", "q.dlx", "--unique", "-q"]).ends(0, &[]).out;
    assert!(answers(&solved).iter().all(|answer| *answer == "multiple"), "{solved}");
    // Numbers of choices, guesses, statuses, and no puzzle of a file.
    let counted = folder.run(&[&generate[..], &["--clues", "4..5", "-q"]].concat()).ends(0, &[]).out;
    assert!(counted.lines().all(|line| (4..=5).contains(&line.split(" | ").count())), "{counted}");
    let guessed = folder
        .run(&[&generate[..], &["--guesses", "2..", "-f", "csv", "--columns", "guesses", "-q"]].concat());
    let guesses = guessed.ends(0, &[]).out;
    assert!(
        guesses.lines().skip(1).all(|line| line.rsplit(',').next().unwrap().parse::<u32>().unwrap() >= 2)
    );
    for status in ["none", "multiple"] {
        let made =
            folder.run(&[&generate[..], &["--status", status, "--pairs", "-q"]].concat()).ends(0, &[]).out;
        assert!(answers(&made).iter().all(|answer| *answer == status), "{made}");
        folder.run_on(&*made, &["verify", "--problem", "q.dlx", "--unique"]).ends(0, &["0 faulty"]);
    }
    for words in [&["--symmetric", "rotate180"][..], &["--pattern", "in.txt"]] {
        folder.run(&[&generate[..], words].concat()).fails("are not in cells");
    }
    folder.run(&["make", "langford", "6", "-o", "l.dlx"]).ends(0, &[]);
    folder.run(&["generate", "--problem", "l.dlx", "-n", "1"]).ends(2, &["no solution"]);
    // Larger diagrams than fit are drawn from by restarts.
    folder.run(&["make", "queens", "24", "-o", "large.dlx"]).ends(0, &[]);
    let large = ["generate", "--problem", "large.dlx", "-n", "5", "--seed", "1", "--pairs"];
    let made = folder.run(&large).ends(0, &["searches with restarts"]).out;
    folder.run_on(made, &["verify", "--problem", "large.dlx", "--unique"]).ends(0, &["5 right"]);
}

#[test]
fn a_column_has_the_cost_of_each_solution() {
    let folder = Folder::with(&[
        ("p.dlx", "a b c\na b |5\nc |1\na |2\nb c |3\nb |2\n"),
        ("in.txt", ":1\n:3 | :4\n:- :1 | :- :4\n:1 | :3\n:- :2 | :- :4\n"),
    ]);
    let words = ["solve", "--problem", "p.dlx", "in.txt", "-q", "-f", "csv", "--columns", "status,cost"];
    let solved = folder.run(&words).ends(1, &["in.txt:4:6: options 1 and 3 exclude each other"]).out;
    assert_eq!(solved, "status,cost\nsolved,6\nsolved,5\nsolved,5\nmalformed,\nnone,\n");
}

#[test]
fn a_problem_without_a_solution_is_named_once() {
    let folder = Folder::with(&[("p.dlx", "a b\na\n"), ("in.txt", "| a\n|\n")]);
    let solved = folder
        .run(&["solve", "--problem", "p.dlx", "in.txt"])
        .ends(0, &["p.dlx: the problem has no solution"]);
    assert_eq!(solved.out, "| a\tnone\n|\tnone\n");
    assert_eq!(solved.err.matches("has no solution").count(), 1);
    // No option at all.
    folder.write("p.dlx", "a b\n");
    let solved =
        folder.run(&["solve", "--problem", "p.dlx", "in.txt"]).ends(1, &["in.txt:1:3: no option has `a`"]);
    assert_eq!(solved.out, "| a\tmalformed\n|\tnone\n");
}

/// The options of a large problem, with many short records: a chunk has no more of them than there is room for.
#[test]
fn many_records_of_a_large_problem_need_little_memory() {
    let (mut problem, items) = (String::from("a0"), 400);
    (1..items).for_each(|item| write!(problem, " a{item}").unwrap());
    problem.push('\n');
    for option in 0..sized(100_000, 1_000_000) {
        let (one, other) = (option % items, (option / items + option % items + 1) % items);
        problem += &(if one == other { format!("a{one}\n") } else { format!("a{one} a{other}\n") });
    }
    let folder = Folder::with(&[("p.dlx", &*problem), ("in.txt", &"|\n".repeat(2_000))]);
    let mut command = folder.start("sh", &["-c", &format!(
        "ulimit -v 1500000; {} solve --problem p.dlx in.txt -q --limit-records 300 --max-guesses 0 -j 2 > out.txt; echo $?",
        crate::program::path()
    )]);
    let run = crate::program::Run::of(&mut command);
    assert!(run.out.ends_with("0\n") || run.out.ends_with("4\n"), "{} {}", run.out, run.err);
    assert_eq!(folder.read("out.txt").lines().count(), 300);
}

#[test]
fn the_summary_shows_the_beginning_of_a_long_record() {
    let folder = Folder::new();
    folder.run(&["make", "latin", "9", "-o", "l.dlx"]).ends(0, &[]);
    let words = ["generate", "--problem", "l.dlx", "-n", "150", "--seed", "1", "--clues", "60", "-q"];
    let records = folder.run(&words).ends(0, &[]).out;
    assert!(records.lines().all(|record| record.len() > 300), "{records}");
    folder.write("in.txt", &records);
    let run = folder.run(&["solve", "--problem", "l.dlx", "in.txt", "-v"]).ends(0, &[]);
    let shown =
        |line: &str| records.lines().any(|record| line.ends_with(&format!("  {}...", &record[..256])));
    assert!(run.err.lines().any(shown), "{}", run.err);
    assert!(run.err.lines().all(|line| line.len() < 400), "{}", run.err);
}

#[test]
fn problems_are_made_in_no_format_of_grids() {
    let folder = queens(5);
    let make = ["generate", "--problem", "q.dlx", "-n", "1", "-s", "1", "-q", "-f"];
    folder.run(&[&make[..], &["grid"]].concat()).ends(2, &["holds cells of grids"]);
}
