//! `galop augment`: random images of puzzles.

use std::collections::BTreeSet;

use crate::program::Folder;
use crate::puzzles;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

#[test]
fn images_are_of_the_class_of_their_puzzle_and_solutions_go_with_them() {
    let others = puzzles(3);
    let text = format!("# comment\n{PUZZLE},{SOLUTION}\nbad\n{others}");
    let folder = Folder::with(&[("a.txt", &text)]);
    let augment =
        |words: &[&str]| folder.run(&[&["augment", "a.txt", "--times", "100", "-s", "1"], words].concat());
    let run =
        augment(&["-j", "1"]).ends(1, &["5 records in ", ": 400 puzzles written", "1 malformed record"]);
    for threads in ["2", "5"] {
        assert_eq!(augment(&["-q", "-j", threads, "--allow-malformed"]).ends(0, &[]).out, run.out);
    }
    folder.write("images.txt", &run.out);
    let verified = folder.run(&["verify", "--unique", "images.txt", "--lines", "1..100"]);
    verified.ends(0, &["100 right, 0 faulty"]);
    let classes =
        folder.run(&["dedup", "images.txt", "--dropped", "d.txt"]).ends(0, &[": 4 classes, 396 repeats"]);
    assert_eq!(classes.out.lines().count(), 4);
    let different: BTreeSet<&str> = run.out.lines().collect();
    assert_eq!(different.len(), 400);
    assert_ne!(augment(&["-q", "--seed", "2", "--allow-malformed"]).code, Some(0), "the seed is given twice");
    let shuffled = folder.run(&["augment", "a.txt", "-q", "-s", "1", "--allow-malformed"]).ends(0, &[]).out;
    let first_images: Vec<&str> = run.out.lines().step_by(100).collect();
    assert_eq!(shuffled.lines().collect::<Vec<_>>(), first_images);
    let drawn =
        folder.run(&["augment", "a.txt", "--allow-malformed"]).ends(0, &["4 puzzles written, --seed "]);
    assert_ne!(drawn.out, shuffled);
}

#[test]
fn tables_keep_their_columns_and_get_groups() {
    let rows = format!("level,puzzle,solution\n7,{PUZZLE},{SOLUTION}\n8,{PUZZLE},none\n");
    let folder = Folder::with(&[("a.csv", &rows), ("b.csv", &rows)]);
    let words = ["augment", "-q", "a.csv", "b.csv", "-k", "2", "-s", "3", "--with-original", "-f", "csv"];
    let out = folder.run(&words).ends(0, &[]).out;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!((lines[0], lines.len()), ("level,puzzle,solution,group", 13));
    assert_eq!(lines[1], format!("7,{PUZZLE},{SOLUTION},2"));
    let groups: Vec<&str> = lines[1..].iter().map(|line| line.rsplit(',').next().unwrap()).collect();
    assert_eq!(groups, ["2", "2", "2", "3", "3", "3", "5", "5", "5", "6", "6", "6"]);
    assert!(lines[2].starts_with("7,") && lines[6].starts_with("8,"));
    folder.write("out.csv", &out);
    folder.run(&["verify", "out.csv"]).ends(0, &["6 right, 0 faulty, 6 claimed unsolved"]);
    let json = folder.run(&["augment", "-q", "a.csv", "-s", "3", "-f", "json"]).ends(0, &[]).out;
    assert!(json.lines().next().unwrap().ends_with("\"group\":2}"), "{json}");
}

/// A grid of 4x4 has few images, all of which are found.
#[test]
fn distinct_images_all_differ_and_end_when_there_is_no_other() {
    let folder = Folder::with(&[("a.txt", "1234341221434321\n1...............\n")]);
    let words = ["augment", "a.txt", "-k", "1000", "-s", "1", "--distinct", "--with-original"];
    let run = folder.run(&words).ends(0, &["fewer than requested"]);
    let images: Vec<&str> = run.out.lines().collect();
    let different: BTreeSet<&str> = images.iter().copied().collect();
    assert_eq!(images.len(), different.len());
    // A clue in 16 cells with 4 names; the grids of one of the two classes of 4x4 grids.
    assert_eq!(images.iter().filter(|image| image.contains("...")).count(), 64);
    assert_eq!(images.len() - 64, 96);
}

#[test]
fn the_layout_for_hrm_is_an_example() {
    let folder = Folder::with(&[("a.txt", PUZZLE)]);
    let words = ["augment", "a.txt", "--layout", "hrm", "-o", "hrm"];
    folder.run(&words).ends(2, &["unexpected argument '--layout'", "examples/hrm.py"]);
}

#[test]
fn other_rules_have_no_symmetries() {
    let folder = Folder::with(&[("a.txt", &format!("1G{}", ".".repeat(254)))]);
    folder.run(&["augment", "a.txt"]).ends(2, &["a.txt: the symmetries of `sudoku 16x16` are not supported"]);
}

/// The images that are lacking have no place in 64 bits.
#[test]
fn numbers_of_images_may_be_as_large_as_any() {
    let folder = Folder::with(&[("a.txt", "1234341221434321\n1...............\n"), ("none.txt", "")]);
    let most = u64::MAX.to_string();
    let words = ["augment", "a.txt", "-k", &most, "-s", "1", "--distinct"];
    let run = folder.run(&words).ends(0, &["fewer than requested"]);
    assert_eq!(run.out.lines().count(), 96 + 64 - 2);
}
