//! Puzzles on the command line, in place of the names of files.

use crate::program::{Folder, run, run_on};
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn solve_and_check_take_puzzles_in_place_of_files() {
    let solved = run(&["solve", PUZZLE]).ends(0, &["from <argument>"]);
    assert_eq!(solved.out, format!("{PUZZLE},{SOLUTION}\n"));
    for text in [PUZZLE.replace('.', "-"), PUZZLE.replace('.', " "), format!("https://x.org/?bd={PUZZLE}")] {
        assert_eq!(run(&["solve", &text]).ends(0, &["from <argument>"]).out, solved.out);
    }
    let eliminations = "<argument>: eliminations are not used: its puzzles are read with all candidates";
    run(&["solve", &format!(":0000:x:{PUZZLE}:511 711::")]).ends(0, &[eliminations]);
    let folder = Folder::with(&[("a.txt", &contradictory())]);
    let solved = folder.run(&["solve", "-q", "a.txt", PUZZLE, "--unique", &open_puzzle()]).ends(0, &[]);
    let words = [(contradictory(), "none"), (PUZZLE.into(), SOLUTION), (open_puzzle(), "multiple")];
    assert_eq!(solved.out, words.map(|(puzzle, answer)| format!("{puzzle},{answer}\n")).concat());
    let small = "1...............";
    assert!(
        run(&["solve", "-q", "--kind", "latin", small]).ends(0, &[]).out.starts_with(&format!("{small},1"))
    );

    let verified = run(&["verify", &contradictory()]).ends(1, &["0 right, 1 faulty, 0 claimed unsolved\n"]);
    assert!(verified.out.starts_with("<argument>:1:1: none: "), "{}", verified.out);
    run(&["verify", PUZZLE]).ends(0, &["1 solvable"]);
    for command in ["solve", "show"] {
        assert!(run(&[command, "-h"]).out.contains("[PUZZLE|FILE]..."), "{command}");
    }
}

#[test]
fn every_command_that_reads_puzzles_takes_them_in_place_of_files() {
    let (folder, other) = (Folder::with(&[("train.txt", PUZZLE)]), open_puzzle());
    let out = |words: &[&str], code| folder.run(&[words, &["-q"]].concat()).ends(code, &[]).out;
    assert!(out(&["rate", PUZZLE], 0).contains(PUZZLE));
    assert!(out(&["rate", "--by", "techniques", PUZZLE], 0).contains(PUZZLE));
    assert_eq!(out(&["convert", "-f", "pair", PUZZLE, &other], 0), format!("{PUZZLE}\n{other}\n"));
    assert!(out(&["canon", PUZZLE], 0).starts_with(PUZZLE));
    assert_eq!(out(&["verify", &format!("{PUZZLE},{SOLUTION}")], 0), "");
    assert_eq!(out(&["dedup", PUZZLE, &other, PUZZLE], 0), format!("{PUZZLE}\n{other}\n"));
    assert!(out(&["leak", "train.txt", PUZZLE], 1).starts_with("<argument>:1: equals train.txt:1"));
    assert_eq!(out(&["augment", "--times", "2", "--seed", "1", PUZZLE], 0).lines().count(), 2);
    assert_eq!(out(&["sample", "-n", "1", "-s", "1", PUZZLE], 0), format!("{PUZZLE}\n"));
    folder.run(&["compare", "--engines", "dlx,norvig", "--runs", "1", PUZZLE]).ends(0, &[]);
    for command in ["rate", "canon", "convert", "compare", "verify", "dedup", "augment", "sample", "split"] {
        assert!(folder.run(&[command, "-h"]).out.contains("[PUZZLE|FILE]..."), "{command}");
    }
}

/// A word that is nearly a puzzle is not looked for as a file only.
#[test]
fn what_is_nearly_a_puzzle_is_answered_as_one() {
    let letter = format!("{}O{}", &PUZZLE[..4], &PUZZLE[5..]);
    let large = ".".repeat(255);
    for (word, fault) in [
        (&PUZZLE[1..], "80 cells; a 9x9 puzzle has 81"),
        (&format!("{PUZZLE}."), "82 cells; a 9x9 puzzle has 81"),
        (&format!("{},none", &PUZZLE[1..]), "80 cells; a 9x9 puzzle has 81"),
        (&letter, "column 5: unexpected `O`"),
        (&large, "255 cells; a 16x16 puzzle has 256"),
        ("1...2...3...4..", "15 cells; a 4x4 puzzle has 16"),
    ] {
        let message = format!("`{word}` is neither a file nor a puzzle: {fault}");
        for command in ["solve", "rate", "verify", "convert", "explain"] {
            run(&[command, word]).ends(2, &[&message]);
        }
        run(&["make", "sudoku", word]).ends(2, &[&message]);
    }
    // As on standard input.
    let (empty, hex, wrong) = (".".repeat(256), format!("{:.<256}", "1F"), format!("{:.<256}", "0G"));
    for word in [&empty, &hex] {
        run(&["solve", word, "--alphabet", "1-9A-G"]).ends(0, &["from <argument>"]);
        let typed = run(&["solve", word]);
        let piped = run_on(format!("{word}\n"), &["solve"]);
        assert_eq!(
            (typed.code, typed.err),
            (piped.code, piped.err.replace("<stdin>", "<argument>")),
            "{word}"
        );
        assert!(piped.code == Some(0) || piped.err.contains("choose one: --alphabet NAME"), "{}", piped.err);
    }
    run(&["solve", &wrong]).ends(2, &["galop: error: <argument>: the puzzles are written in symbols of"]);
    let link = "https://example.org/puzzles.txt?a=1&b";
    run(&["rate", link]).ends(
        2,
        &[&format!("'{link}' is a link, which galop does not open: curl -sL '{link}' | galop rate -")],
    );
    let code = "which holds its puzzle in a code; copy the puzzle as digits";
    for (link, site) in [
        (
            "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcBOANCA5gJwgEwQbT2AF9ljSSzKLryBdZQmq8l54+x1p7rjtn/nQaCR3PgIm9hk0UM6zR4rssX0QFATQvbzV9",
            "f-puzzles",
        ),
        ("f-puzzles.com/?id=abc", "f-puzzles"),
        ("https://sudokupad.app/scl-N4Ig", "SudokuPad"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7ZT", "penpa"),
        ("puzz.link/p?sudoku/9/9/h3", "puzz.link"),
    ] {
        let refused = run(&["solve", link]).ends(2, &[&format!(" is a link to {site}, {code}")]);
        assert_eq!(refused.err.lines().count(), 1, "{}", refused.err);
    }
    // Names of files.
    for name in [
        "nothing.txt",
        "puzzles_1234.txt",
        "2024-11-23.csv",
        "1",
        "minimal_10k_solutions.txt",
        "a.b/pzprv3.txt",
    ] {
        run(&["solve", name]).fails("No such file or directory");
    }
}

#[test]
fn a_file_of_that_name_wins() {
    let folder = Folder::with(&[(PUZZLE, &open_puzzle())]);
    for map in [&[][..], &["--no-mmap"]] {
        let solved = folder.run(&[&["solve", "-q", PUZZLE], map].concat()).ends(0, &[]);
        assert!(solved.out.starts_with(&open_puzzle()), "{}", solved.out);
    }
    run(&["verify", "nothing.txt"]).fails("nothing.txt: cannot read");
}
