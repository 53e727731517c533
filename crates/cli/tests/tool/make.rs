//! `galop make`.

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
    let of_puzzles = |line: &&str| line.starts_with("sudoku PUZZLE|FILE ");
    assert_eq!(list.lines().filter(of_puzzles).count(), 1);
    let of_models: Vec<&str> = list.lines().filter(|line| !of_puzzles(line)).collect();
    assert_eq!(of_models.len(), MODELS.len());
    for (line, model) in of_models.into_iter().zip(MODELS) {
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
        (&["sudoku"], "galop make sudoku WxH: WxH is missing"),
        (&["sudoku", "3x3", "9"], "galop make sudoku WxH: `9` is one argument too many"),
        (&["queens", "8", "--kind", "latin"], "are for puzzles: galop make sudoku PUZZLE|FILE"),
        (&["sudoku", "3x3", "--blocks", "3x3"], "are for puzzles: galop make sudoku PUZZLE|FILE"),
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
    folder.run(&["make", "sudoku", "one.txt", "-o", "one.dlx"]).ends(0, &[]);
    assert_eq!(folder.read("one.dlx"), run(&["make", "sudoku", PUZZLE], 0).out);
    folder.run(&["make", "sudoku", "one.txt", "-o", "one.txt"]).fails("choose another name");
    assert_eq!(folder.read("one.txt"), PUZZLE);
}

#[test]
fn the_clues_of_a_puzzle_are_chosen_already() {
    let reduced = run(&["make", "sudoku", PUZZLE], 0);
    let begin = format!("| rules sudoku\n| puzzle {PUZZLE}\n| its clues are chosen: ");
    assert!(reduced.out.starts_with(&begin), "{}", &reduced.out[..200]);
    let made = problem(&reduced);
    assert_eq!(made.item_count(), 324 - 4 * 17);
    assert!(made.option_count() < 500);
    assert_eq!(count(&reduced), "1\n");
    assert!(made.options().all(|terms| terms.len() == 4));
}

#[test]
fn the_empty_grid_is_the_problem_of_the_rules() {
    let empty = run(&["make", "sudoku", &".".repeat(81)], 0);
    assert!(empty.out.contains("\n| the empty grid\n"), "{}", &empty.out[..200]);
    assert_eq!(&problem(&empty), galop_engines::Rules::default().cover());
}

#[test]
fn a_file_or_a_pipe_gives_its_first_record() {
    let other = ".".repeat(81);
    let text = format!("# puzzles\n\n{PUZZLE}\n{other}\n");
    let folder = Folder::with(&[
        ("puzzles.txt", &text),
        ("bad.txt", &format!("# one\n{}\n{PUZZLE}\n", &PUZZLE[..80])),
        ("none.txt", "# nothing\n"),
    ]);
    let made = run(&["make", "sudoku", PUZZLE], 0).out;
    for word in ["puzzles.txt", "-"] {
        assert_eq!(folder.run_on(&*text, &["make", "sudoku", word]).ends(0, &[]).out, made);
    }
    for (word, message) in [
        ("bad.txt", "bad.txt:2:"),
        ("none.txt", "none.txt: no puzzle found"),
        ("gone.txt", "`gone.txt` is neither a sudoku puzzle nor a file nor a size of blocks, such as 3x3"),
        (&PUZZLE[1..], "is neither a file nor a puzzle: 80 cells; a 9x9 puzzle has 81"),
    ] {
        folder.run(&["make", "sudoku", word]).fails(message);
    }
}

#[test]
fn contradictory_clues_have_no_solution() {
    let twice = format!("44{}", &PUZZLE[2..]);
    assert_eq!(
        count(&run(&["make", "sudoku", &twice], 0)),
        "0
"
    );
}
