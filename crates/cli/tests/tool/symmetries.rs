//! `--symmetries`: equivalent puzzles of an exact cover problem.

use std::collections::BTreeSet;

use crate::made;
use crate::program::Folder;

/// The mirror image and the transposition of a board of 6, of which diagonal `a` has the sum of row and column, `b` the
/// difference.
const BOARD: &str = "# all symmetries of the board\n\
    (c0 c5) (c1 c4) (c2 c3) (a1 b9) (a2 b8) (a3 b7) (a4 b6) (a5 b5) (a6 b4) (a7 b3) (a8 b2) (a9 b1)\n\
    (r0 c0) (r1 c1) (r2 c2) (r3 c3) (r4 c4) (r5 c5) (b1 b9) (b2 b8) (b3 b7) (b4 b6)\n";

/// A queen in the corner, in the other corners, and at the side.
const QUEENS: &str = "r0 c0 | :- r1 c2\nr0 c5 | :- r1 c3\nr5 c0 | :- r3 c1\nr0 c1\n:- r0 c1\n";

fn folder() -> Folder {
    Folder::with(&[("p.dlx", &made("queens 6")), ("board.txt", BOARD), ("q.txt", QUEENS)])
}

const GIVEN: [&str; 4] = ["--problem", "p.dlx", "--symmetries", "board.txt"];

fn words<'a>(command: &'a str, words: &[&'a str]) -> Vec<&'a str> {
    [&[command, "-q"], &GIVEN[..], words].concat()
}

#[test]
fn dedup_leak_and_split_use_the_symmetries() {
    let folder = folder();
    let lines: Vec<&str> = QUEENS.lines().collect();
    let run = folder.run(&words("dedup", &["q.txt", "--dropped", "d.txt"])).ends(0, &[]);
    assert_eq!(run.out, [lines[0], lines[3], lines[4], ""].join("\n"));
    assert_eq!(folder.read("d.txt"), "q.txt:2: equals q.txt:1\nq.txt:3: equals q.txt:1\n");
    // Without symmetries only the same puzzles are equal.
    let run = folder.run(&["dedup", "-q", "--problem", "p.dlx", "q.txt", "q.txt"]).ends(0, &[]);
    assert_eq!(run.out, QUEENS);

    folder.write("train.txt", format!("{}\n", lines[1]));
    folder.write("test.txt", format!("{}\n{}\n", lines[3], lines[0]));
    let run = folder.run(&words("leak", &["train.txt", "test.txt"])).ends(1, &[]);
    let (place, cycles) = run.out.trim_end().split_once(" by ").unwrap();
    assert_eq!(place, "test.txt:2: equals train.txt:1");
    // The symmetry alone makes one the other.
    folder.write("one.txt", cycles);
    let one = ["dedup", "-q", "--problem", "p.dlx", "--symmetries", "one.txt", "train.txt", "test.txt"];
    assert_eq!(folder.run(&one).ends(0, &[]).out.lines().count(), 2, "{cycles}");

    let split = ["q.txt", "--test", "0.5", "--seed", "1", "-o", "a.txt", "--test-output", "b.txt"];
    folder.run(&words("split", &split)).ends(0, &[]);
    let side = |line: &str| folder.read("a.txt").lines().any(|found| found == line);
    assert!(side(lines[0]) == side(lines[1]) && side(lines[1]) == side(lines[2]));
}

#[test]
fn canon_and_augment_use_the_symmetries() {
    let folder = folder();
    let run =
        folder.run(&words("canon", &["q.txt", "-f", "csv", "--columns", "canonical,form,automorphisms"]));
    let out = run.ends(0, &[]).out;
    let forms: Vec<&str> = out.lines().skip(1).map(|line| line.split_once(',').unwrap().1).collect();
    assert!(
        forms.len() == 5 && forms[0] == forms[1] && forms[1] == forms[2] && forms[3] != forms[4],
        "{out}"
    );
    // No solution has a queen in the corner. A square beside it has one image, and one solution.
    assert!(forms[0].ends_with(",direct,1") && forms[3].ends_with(",solution,1"), "{out}");

    folder.write("one.txt", "r0 c1\n");
    let augment = |more: &[&str]| {
        let given = ["one.txt", "--seed", "5", "--times", "20", "--distinct", "--with-original"];
        let run = folder.run(&words("augment", &[&given[..], more].concat())).ends(0, &[]);
        run.out.lines().map(str::to_owned).collect::<Vec<String>>()
    };
    let images = augment(&[]);
    assert_eq!((images.len(), images.iter().collect::<BTreeSet<_>>().len()), (8, 8));
    assert_eq!((&*images[0], augment(&["-j", "3"])), ("r0 c1", images.clone()));
    // The solution goes with the puzzle.
    folder.run(&["solve", "-q", "--problem", "p.dlx", "one.txt", "-o", "solved.txt"]).ends(0, &[]);
    let run =
        folder.run(&words("augment", &["solved.txt", "--seed", "1", "--times", "5", "-o", "images.txt"]));
    run.ends(0, &[]);
    let verify = ["verify", "-q", "--problem", "p.dlx", "images.txt"];
    folder.run(&verify).ends(0, &[]);
}

#[test]
fn faults_of_the_file_are_named() {
    let folder = folder();
    folder.write("bad.txt", "# nothing\n(r0 r5) (r1 x)\n");
    let run = |file: &str| {
        folder.run(&["canon", "--problem", "p.dlx", "--symmetries", file, "q.txt", "-o", "out.txt"])
    };
    run("bad.txt").fails(
        "bad.txt:2:13: unknown item `x` (the problem names all items; a name with brackets cannot be written here)",
    );
    folder.write("bad.txt", "(r0 r5)\n");
    run("bad.txt").fails(
        "bad.txt:1:1: option 25 `r0 c2 a2 b7` has no image: no option is `r5 c2 a2 b7` (a symmetry maps every option \
         onto an option)",
    );
    assert!(!folder.names().contains(&"out.txt".to_owned()));
    // The file is an input, which no output overwrites.
    folder.run(&words("canon", &["q.txt", "-o", "board.txt"])).ends(2, &["board.txt"]);
    folder.run(&["canon", "--symmetries", "board.txt", "q.txt"]).ends(2, &["--problem"]);
    assert_eq!(folder.read("board.txt"), BOARD);
}
