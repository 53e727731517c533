//! `galop dedup`, `galop leak` and `galop split`: equivalent puzzles in files.

use std::collections::BTreeSet;

use crate::canon::SEVERAL;
use crate::program::Folder;
use crate::{image, puzzles};
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, digits};

#[test]
fn dedup_keeps_the_first_of_each_class_and_lists_the_others() {
    let (one, two) = (image(PUZZLE, 1), image(PUZZLE, 2));
    let a = format!("{PUZZLE},{SOLUTION}\n{one}\n{SEVERAL}\n");
    let b = format!("# comment\n{two}\n\n{SEVERAL}\n{}\n", image(SEVERAL, 3));
    let folder = Folder::with(&[("a.txt", &a), ("b.txt", &b)]);
    let summary = "6 records in ";
    let run = folder
        .run(&["dedup", "a.txt", "b.txt", "--dropped", "d.txt", "--report", "r.json"])
        .ends(0, &[summary, ": 2 classes, 4 repeats left out", "are listed in d.txt"]);
    assert_eq!(run.out, format!("{PUZZLE},{SOLUTION}\n{SEVERAL}\n"));
    let list = "a.txt:2: equals a.txt:1\nb.txt:2: equals a.txt:1\nb.txt:4: equals a.txt:3\nb.txt:5: equals a.txt:3\n";
    assert_eq!(folder.read("d.txt"), list);
    let report = folder.json("r.json");
    let figures = serde_json::json!({
        "classes": 2, "repeats": 4, "without_class": 0, "direct_forms": 3, "temporary_bytes": 0
    });
    assert_eq!((&report["figures"], &report["records"]), (&figures, &6.into()));

    let by = folder.run(&["dedup", "-q", "a.txt", "b.txt", "--by", "grid"]).ends(0, &[]).out;
    assert_eq!(by, format!("{PUZZLE},{SOLUTION}\n{SEVERAL}\n{SEVERAL}\n{}\n", image(SEVERAL, 3)));
}

/// A pipe is read twice, too.
#[test]
fn dedup_reads_pipes_tables_and_compressed_files() {
    let rows: Vec<String> =
        [PUZZLE, &image(PUZZLE, 4), SEVERAL].iter().map(|puzzle| format!("\"a,b\",{puzzle},7\n")).collect();
    let text = format!("name,puzzle,level\n{}bad,row,3\n", rows.concat());
    let folder = Folder::with(&[("a.csv", &text)]);
    let expected = format!("name,puzzle,level\n{}{}", rows[0], rows[2]);
    let words = ["dedup", "-q", "-f", "csv"];
    let piped = folder.run_on(text.clone(), &words).ends(1, &["1 malformed record"]);
    assert_eq!(piped.out, expected);
    // Each malformed record is printed once, although the input is read twice.
    assert_eq!(piped.err.matches("<stdin>:5").count(), 1, "{}", piped.err);
    assert_eq!(
        folder.run_on(text, &[&words[..], &["-", "--allow-malformed"]].concat()).ends(0, &[]).out,
        expected
    );
    folder.run(&["convert", "-q", "a.csv", "-o", "b.csv.gz", "--allow-malformed"]).ends(0, &[]);
    for name in ["a.csv", "b.csv.gz"] {
        let run = folder.run(&["dedup", "-q", name, "-o", "out.csv", "--allow-malformed"]);
        run.ends(0, &[]);
        assert_eq!(folder.read("out.csv"), expected, "{name}");
    }
}

/// What does not fit in memory goes to a file, and the bytes do not depend on that or on the threads.
#[test]
fn the_bytes_do_not_depend_on_memory_and_threads() {
    let kept = puzzles(700);
    let images: String = (0..).zip(kept.lines()).map(|(number, line)| image(line, number) + "\n").collect();
    let folder = Folder::with(&[("a.txt", &format!("{kept}{images}"))]);
    for words in [&["-j", "1"][..], &["-j", "5", "--memory", "1K", "--no-mmap"]] {
        let run = folder.run(&[&["dedup", "-q", "a.txt", "--dropped", "d.txt"], words].concat()).ends(0, &[]);
        assert!(run.out == kept, "{words:?}");
        let equal = |line: usize| format!("a.txt:{}: equals a.txt:{}", line + 700, line);
        assert!(folder.read("d.txt").lines().eq((1..=700).map(equal)), "{words:?}");
    }
}

/// The image of a grid by the word of a symmetry: `t-` if it is transposed, then the old row of each new row, the old
/// column of each new column, and the new name of each digit.
fn applied(text: &str, word: &str) -> String {
    let (grid, is_transposed) = (cells(text), word.starts_with("t-"));
    let numbers = |part: &str| part[1..].bytes().map(|digit| usize::from(digit - b'1')).collect::<Vec<_>>();
    let parts: Vec<Vec<usize>> = word.trim_start_matches("t-").split('-').map(numbers).collect();
    let symbol = |cell: usize| {
        let (row, column) = (parts[0][cell / 9], parts[1][cell % 9]);
        match grid[if is_transposed { 9 * column + row } else { 9 * row + column }] {
            0 => 0,
            old => parts[2][usize::from(old) - 1] as u8 + 1,
        }
    };
    digits(&(0..81).map(symbol).collect::<Vec<_>>())
}

#[test]
fn leaks_are_listed_with_the_symmetry() {
    let lines = puzzles(40);
    let mut training: Vec<&str> = lines.lines().take(20).collect();
    training.insert(7, PUZZLE);
    let fewer_holes = format!("{}{}", &SOLUTION[..20], &PUZZLE[20..]);
    let (same, shared) = (image(PUZZLE, 5), image(&fewer_holes, 6));
    let mut tests: Vec<&str> = lines.lines().skip(20).collect();
    tests.insert(3, &same);
    tests.insert(9, &shared);
    let lines_of = |puzzles: &[&str]| puzzles.join("\n") + "\n";
    let folder = Folder::with(&[("train.txt", &lines_of(&training)), ("test.txt", &lines_of(&tests))]);
    let found = "21 training and 22 test records in ";
    let run = folder
        .run(&["leak", "train.txt", "test.txt", "--report", "r.json"])
        .ends(1, &[found, ": 1 test puzzle and the solutions of 2 are in the training data"]);
    let found: Vec<Vec<&str>> = run.out.lines().map(|line| line.split(" by ").collect()).collect();
    assert_eq!(found[0][0], "test.txt:4: equals train.txt:8");
    assert_eq!(found[1][0], "test.txt:10: has the solution of train.txt:8");
    assert_eq!(found.len(), 2);
    assert_eq!(applied(&same, found[0][1]), PUZZLE.replace('.', "0"));
    let solved = galop::solve(&shared).unwrap().to_string();
    assert_eq!(applied(&solved, found[1][1]), SOLUTION);
    let figures = &folder.json("r.json")["figures"];
    assert_eq!((&figures["leaked_puzzles"], &figures["leaked_solutions"]), (&1.into(), &2.into()));
    // The same through a pipe, and nothing between sets without leaks.
    let piped = folder.run_on(lines_of(&tests), &["leak", "-q", "train.txt", "-"]).ends(1, &[]);
    assert_eq!(piped.out, run.out.replace("test.txt", "<stdin>"));
    folder.write("other.txt", lines_of(&tests[10..]));
    let none = folder.run(&["leak", "train.txt", "other.txt"]).ends(0, &["0 test puzzles"]);
    assert_eq!(none.out, "");
    folder.run(&["leak", "train.txt"]).ends(2, &["<TRAIN> <TEST>"]);
    folder.run(&["leak", "-", "-"]).ends(2, &["standard input (`-`) can be read only once"]);
    folder.write("bad.txt", format!("{PUZZLE}\nrubbish\n"));
    folder.run(&["leak", "train.txt", "bad.txt"]).ends(1, &["1 malformed record"]);
}

#[test]
fn a_split_leaves_no_class_on_both_sides() {
    let lines = puzzles(300);
    let images: String = (0..).zip(lines.lines()).map(|(number, line)| image(line, number) + "\n").collect();
    let text = format!("{lines}{images}");
    let folder = Folder::with(&[("a.txt", &text)]);
    let split = |seed: &str, more: &[&str]| {
        let words =
            ["split", "a.txt", "--test", "20%", "-s", seed, "-o", "train.txt", "--test-output", "test.txt"];
        folder
            .run(&[&words[..], more].concat())
            .ends(0, &["600 records in ", " for training, ", " for tests"]);
        (folder.read("train.txt"), folder.read("test.txt"))
    };
    let (training, tests) = split("1", &["-j", "1"]);
    assert_eq!(split("1", &["-j", "3"]), (training.clone(), tests.clone()));
    assert_ne!(split("2", &[]).1, tests);
    let both: BTreeSet<&str> = training.lines().chain(tests.lines()).collect();
    assert_eq!(both, text.lines().collect::<BTreeSet<_>>());
    // Three standard deviations of 300 classes are 21 of them.
    assert!((78..=162).contains(&tests.lines().count()), "{}", tests.lines().count());
    folder.run(&["leak", "train.txt", "test.txt"]).ends(0, &["0 test puzzles and the solutions of 0"]);

    let words = ["split", "a.txt", "--test", "0.5", "-s", "1", "-o", "x.csv", "--test-output"];
    folder.run(&[&words[..], &["y.csv", "-q", "-f", "csv"]].concat()).ends(0, &[]);
    assert!(["x.csv", "y.csv"].iter().all(|name| folder.read(name).starts_with("puzzle\n")));
    for same in ["x.csv", "a.txt"] {
        folder.run(&[&words[..], &[same]].concat()).ends(2, &["choose another name"]);
    }
    let counted = [&words[..2], &["--test", "101"], &words[4..]].concat();
    folder
        .run(&[&counted[..], &["y.csv"]].concat())
        .ends(0, &[": 500 for training, 100 for tests, 1 fewer than"]);
    assert_eq!(folder.read("y.csv").lines().count(), 101);
    folder.run(&["leak", "x.csv", "y.csv"]).ends(0, &["0 test puzzles and the solutions of 0"]);
    folder
        .run(&[&counted[..], &["y.csv", "--shard", "1/2"]].concat())
        .ends(2, &["give a share, such as --test 10%"]);
}

#[test]
fn other_rules_have_classes_by_text_only() {
    let sixteen = format!("1G{}", ".".repeat(254));
    let folder = Folder::with(&[("a.txt", &format!("{sixteen}\n{sixteen}\n"))]);
    folder.run(&["dedup", "a.txt"]).ends(2, &["a.txt"]);
    assert_eq!(
        folder.run(&["dedup", "-q", "a.txt", "--by", "text"]).ends(0, &[]).out,
        format!("{sixteen}\n")
    );
}
