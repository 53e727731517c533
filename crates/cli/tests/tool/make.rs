//! `galop make` and `galop export`.

use galop_cover::models::MODELS;
use galop_cover::{ExactCover, text};

use crate::program::{Folder, Run, run_on};
use galop_testing::puzzles::PUZZLE;

/// Runs the program, and asserts the exit code.
#[track_caller]
fn run(words: &[&str], code: i32) -> Run {
    run_on("", words).ends(code, &[])
}

#[track_caller]
fn problem(run: &Run) -> ExactCover {
    text::read(run.out.as_bytes()).unwrap().problem
}

/// The number of solutions that `galop cover` prints.
#[track_caller]
fn count(problem: &Run) -> String {
    run_on(&*problem.out, &["cover", "-q", "-"]).ends(0, &[]).out
}

#[test]
fn models_are_made_for_cover() {
    for (words, solutions) in
        [("queens 12", 14_200), ("langford 7", 52), ("mixed 4x6 6", 2_498), ("soma", 11_520)]
    {
        let words: Vec<&str> = ["make"].into_iter().chain(words.split(' ')).collect();
        let made = run(&words, 0);
        assert_eq!(made.err, "");
        assert!(made.out.starts_with(&format!("| galop {}: ", words.join(" "))), "{}", &made.out[..80]);
        assert_eq!(count(&made), format!("{solutions}\n"), "{words:?}");
    }
}

#[test]
fn models_are_listed() {
    let list = run(&["make"], 0).out;
    assert_eq!(run(&["make", "--list"], 0).out, list);
    assert_eq!(list.lines().count(), MODELS.len());
    for (line, model) in list.lines().zip(MODELS) {
        assert!(line.starts_with(&format!("{} {}", model.name, model.usage)) && line.ends_with(model.about));
    }
    let help = run(&["make", "--help"], 0).out;
    assert!(MODELS.iter().all(|model| help.contains(model.name)), "{help}");
}

#[test]
fn wrong_words_are_refused() {
    for (words, message) in [
        (&["queens"][..], "galop make queens N: N is missing"),
        (&["queens", "8", "9"], "galop make queens N: `9` is one argument too many"),
        (&["queens", "1000000"], "1000000 is out of range for N (1 to 1000)"),
        (&["pentominoes", "6x11"], "galop make pentominoes WxH | WxHxD: 66 cells (the pieces cover 60 cells"),
        (&["rooks", "8"], "queens"),
        (&["queens", "--list"], "cannot be used with"),
    ] {
        let words: Vec<&str> = ["make"].iter().chain(words).copied().collect();
        run_on("", &words).fails(message);
    }
}

#[test]
fn a_problem_is_written_to_a_file() {
    let folder = Folder::with(&[("one.txt", PUZZLE)]);
    let made = folder.run(&["make", "queens", "6", "-o", "queens.dlx"]).ends(0, &[]);
    assert_eq!((&*made.out, &*made.err), ("", ""));
    assert_eq!(folder.read("queens.dlx"), run(&["make", "queens", "6"], 0).out);
    folder.run(&["export", "one.txt", "-o", "one.dlx"]).ends(0, &[]);
    assert_eq!(folder.read("one.dlx"), run(&["export", PUZZLE], 0).out);
    folder.run(&["export", "one.txt", "-o", "one.txt"]).fails("choose another name");
    assert_eq!(folder.read("one.txt"), PUZZLE);
}

#[test]
fn the_clues_of_an_exported_puzzle_are_chosen_already() {
    let reduced = run(&["export", PUZZLE], 0);
    let begin = format!("| rules sudoku\n| puzzle {PUZZLE}\n| its clues are chosen: ");
    assert!(reduced.out.starts_with(&begin), "{}", &reduced.out[..200]);
    let export = problem(&reduced);
    assert_eq!(export.item_count(), 324 - 4 * 17);
    assert!(export.option_count() < 500);
    assert_eq!(count(&reduced), "1\n");
    assert!(export.options().all(|terms| terms.len() == 4));
    let full = run(&["export", "sudoku", PUZZLE, "--full"], 0);
    let export = problem(&full);
    assert_eq!((export.item_count(), export.option_count()), (324, 729 - 17 * 8));
    assert_eq!(count(&full), "1\n");
}

#[test]
fn the_empty_grid_is_the_problem_of_the_rules() {
    let empty = run(&["export"], 0);
    assert_eq!(&problem(&empty), galop_engines::Rules::default().cover());
    assert_eq!(run(&["export", "sudoku"], 0).out, empty.out);
    assert_eq!(run(&["export", "sudoku", "--full"], 0).out, empty.out);
    assert_eq!(run(&["export", "sudoku", &".".repeat(81)], 0).out, empty.out);
}

#[test]
fn a_file_or_a_pipe_gives_its_first_record() {
    let other = ".".repeat(81);
    let text = format!("# puzzles\n\n{PUZZLE}\n{other}\n");
    let folder = Folder::with(&[
        ("puzzles.txt", &text),
        ("bad.txt", &format!("# one\n{}\n{PUZZLE}\n", &PUZZLE[..80])),
        ("none.txt", "# nothing\n"),
        ("sudoku", &other),
    ]);
    let exported = run(&["export", PUZZLE], 0).out;
    for words in [&["export", "puzzles.txt"][..], &["export", "sudoku", "puzzles.txt"], &["export", "-"]] {
        assert_eq!(folder.run_on(&*text, words).ends(0, &[]).out, exported);
    }
    for (words, message) in [
        (&["bad.txt"][..], "bad.txt:2:"),
        (&["none.txt"], "none.txt: no puzzle found"),
        (&["gone.txt"], "`gone.txt` is neither a sudoku puzzle nor a file nor a kind of puzzle (sudoku"),
        (&["gone", "puzzles.txt"], "there is no kind `gone`; the kinds are sudoku"),
        (&[&PUZZLE[1..]], "is neither a file nor a puzzle: 80 cells; a 9x9 puzzle has 81"),
        (&["sudoku", "sudoku", "sudoku"], "unexpected"),
    ] {
        let words: Vec<&str> = ["export"].iter().chain(words).copied().collect();
        folder.run(&words).fails(message);
    }
}

#[test]
fn contradictory_clues_have_no_solution() {
    let twice = format!("44{}", &PUZZLE[2..]);
    for full in [&[][..], &["--full"]] {
        let words: Vec<&str> = ["export", &twice].iter().chain(full).copied().collect();
        let exported = run(&words, 0);
        assert_eq!(count(&exported), "0\n");
    }
}
