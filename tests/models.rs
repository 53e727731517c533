//! The classic problems: what is known of them, the same by the files of the project's shared folder, and puzzles as
//! problems of their own.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;

use galop::engine;
use galop::{Answer, Answers, Isa, Puzzles, Rules};
use galop_cover::models::ModelError;
use galop_cover::models::{MODELS, model};
use galop_cover::{Choice, CoverLimits, End, ExactCover, ItemId, OptionId, Solver, text};
use proptest::prelude::*;

fn make(words: &str) -> Result<ExactCover, ModelError> {
    let words: Vec<&str> = words.split(' ').collect();
    (model(words[0]).unwrap().make)(&words[1..])
}

fn count_to(problem: &ExactCover, solutions: Option<u64>) -> u128 {
    let mut solver = Solver::new(problem, Choice::Auto).unwrap();
    let outcome = solver.count(&CoverLimits { solutions, ..CoverLimits::NONE }).unwrap();
    assert!(outcome.end == End::Complete || solutions.is_some());
    outcome.solutions.to_u128().unwrap()
}

fn count(problem: &ExactCover) -> u128 {
    count_to(problem, None)
}

#[track_caller]
fn counts<const N: usize>(known: [(&str, u128); N]) {
    for (words, solutions) in known {
        assert_eq!(count(&make(words).unwrap()), solutions, "{words}");
    }
}

/// OEIS A000170.
#[test]
fn queens() {
    counts([("queens 1", 1), ("queens 2", 0), ("queens 3", 0), ("queens 4", 2), ("queens 8", 92)]);
    counts([("queens 9", 352), ("queens 10", 724), ("queens 11", 2_680), ("queens 12", 14_200)]);
}

#[test]
fn queens_that_cost() {
    for (n, best) in [(6, 70), (8, 150), (10, 275)] {
        let problem = make(&format!("queen-costs {n}")).unwrap();
        let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
        let costs = solver
            .solutions(&CoverLimits::NONE)
            .map(|solution| solution.unwrap().iter().map(|&option| problem.cost(option)).sum::<u64>());
        assert_eq!(costs.min(), Some(best));
    }
}

#[test]
fn queens_that_dominate() {
    counts([("queen-domination 1 1", 1), ("queen-domination 3 1", 1), ("queen-domination 5 3", 186)]);
    counts([("queen-domination 6 3", 4), ("queen-domination 6 4", 2_744), ("queen-domination 7 4", 86)]);
}

/// OEIS A014552, doubled.
#[test]
fn langford_pairs() {
    counts([("langford 1", 0), ("langford 2", 0), ("langford 3", 2), ("langford 4", 2), ("langford 5", 0)]);
    counts([("langford 7", 52), ("langford 8", 300), ("langford 11", 35_584)]);
}

/// OEIS A004003, and the Fibonacci numbers.
#[test]
fn dominoes() {
    counts([("dominoes 1x1", 0), ("dominoes 3x3", 0), ("dominoes 4x4", 36), ("dominoes 6x6", 6_728)]);
    counts([("dominoes 2x10", 89), ("dominoes 10x2", 89)]);
}

#[test]
fn dominoes_and_trominoes() {
    counts([("mixed 4x6 6", 2_498), ("mixed 6x4 6", 2_498), ("mixed 5x6 6", 18_245)]);
    // One kind alone is the plain problem; a bound of 0 needs no item.
    counts([("mixed 4x4 8", 36), ("mixed 3x3 0", 2), ("mixed 1x1", 0)]);
    // Without a number: all of them together.
    let parts = [0, 3, 6, 9, 12].map(|dominoes| count(&make(&format!("mixed 4x6 {dominoes}")).unwrap()));
    assert_eq!(count(&make("mixed 4x6").unwrap()), parts.iter().sum());
}

#[test]
fn pentominoes_and_the_soma_cube() {
    counts([
        ("pentominoes 3x20", 8),
        ("pentominoes 20x3", 8),
        ("pentominoes 2x32", 0),
        ("pentominoes 60x1", 0),
    ]);
    counts([("pentominoes 8x8", 520), ("soma", 11_520)]);
    for box_ in ["2x5x6", "6x2x5", "5x6x2"] {
        let problem = make(&format!("pentominoes {box_}")).unwrap();
        assert_eq!((problem.item_count(), problem.option_count()), (72, 2_084), "{box_}");
    }
    // A box of one layer is a board.
    let shape = |words| make(words).map(|problem| (problem.item_count(), problem.option_count())).unwrap();
    assert_eq!(shape("pentominoes 6x10x1"), shape("pentominoes 10x6"));
    assert_eq!(shape("pentominoes 1x6x10"), shape("pentominoes 10x6"));
}

/// 24 squares, 24 cells, 30 + 28 edges. The 106,624 solutions take too long here.
#[test]
fn macmahons_squares() {
    let problem = make("macmahon").unwrap();
    assert_eq!((problem.primary_count(), problem.item_count()), (48, 106));
    assert!(problem.has_colours() && problem.options().all(|terms| terms.len() == 6));
    let mut solver = Solver::new(&problem, Choice::Auto).unwrap();
    assert_eq!(solver.first(&CoverLimits::NONE).unwrap().map(<[u32]>::len), Some(24));
}

/// OEIS A002860, A001147; 4x4 sudokus.
#[test]
fn latin_squares_sudokus_and_matchings() {
    counts([("latin 1", 1), ("latin 2", 2), ("latin 3", 12), ("latin 4", 576), ("latin 5", 161_280)]);
    counts([("sudoku 1x1", 1), ("sudoku 2x1", 2), ("sudoku 1x3", 12), ("sudoku 2x2", 288)]);
    counts([("matching 1", 0), ("matching 2", 1), ("matching 7", 0), ("matching 12", 10_395)]);
    // The rules' own problem, but for the names.
    let (problem, rules) = (make("sudoku 3x3").unwrap(), Rules::sudoku());
    assert_eq!((problem.item_count(), problem.option_count()), (324, 729));
    assert!(problem.options().zip(rules.cover().options()).all(|(one, other)| one == other));
    assert_eq!(count_to(&make("sudoku 3x2").unwrap(), Some(1_000)), 1_000);
}

/// Arguments that each model takes.
const EXAMPLES: [&str; 13] = [
    "queens 8",
    "queen-costs 6",
    "queen-domination 5 3",
    "langford 8",
    "dominoes 6x4",
    "mixed 4x6 6",
    "mixed 4x6",
    "pentominoes 6x10",
    "soma",
    "macmahon",
    "latin 5",
    "sudoku 3x3",
    "matching 10",
];

#[test]
fn every_model_comes_back_from_its_text_and_has_short_names() {
    for entry in MODELS {
        assert!(model(entry.name).is_some_and(|found| found.about == entry.about));
        let examples = EXAMPLES.iter().filter(|words| words.split(' ').next() == Some(entry.name));
        assert!(examples.clone().count() > 0, "{} has no example", entry.name);
        for words in examples {
            let problem = make(words).unwrap();
            assert_eq!(text::read(text::to_text(&problem).as_bytes()).unwrap().problem, problem, "{words}");
            let is_short = |item| (1..=8).contains(&problem.item_name(item).len());
            assert!((0..problem.item_count() as ItemId).all(is_short), "{words}");
        }
    }
}

/// A problem in words, whatever the order: items with their bounds, options with their costs. Secondary items of a
/// single option say nothing and are left out.
type InWords = (BTreeMap<String, (u32, u32)>, Vec<(Vec<String>, u64)>);

fn in_words(problem: &ExactCover) -> InWords {
    let mut uses = vec![0; problem.item_count()];
    problem.options().flatten().for_each(|term| uses[term.item as usize] += 1);
    let is_primary = |item: ItemId| (item as usize) < problem.primary_count();
    let says = |item: ItemId| is_primary(item) || uses[item as usize] > 1;
    let items = (0..problem.item_count() as ItemId).filter(|&item| says(item)).map(|item| {
        let bounds = problem.bounds(item);
        let bounds = if is_primary(item) { (bounds.low, bounds.high) } else { (0, 1) };
        (problem.item_name(item).to_owned(), bounds)
    });
    let words = |option: OptionId| {
        let said = problem.option(option).iter().filter(|term| says(term.item));
        let mut words: Vec<String> = said
            .map(|term| format!("{}:{}", problem.item_name(term.item), problem.colour_name(term.colour)))
            .collect();
        words.sort();
        (words, problem.cost(option))
    };
    let mut options: Vec<_> = (0..problem.option_count() as OptionId).map(words).collect();
    options.sort();
    (items.collect(), options)
}

/// Word for word the problems of the shared folder, where it is there: so their counts are those of the models.
#[test]
fn models_are_the_shared_problems() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/cover/");
    for (file, words) in [
        ("dom6x6", "dominoes 6x6"),
        ("dom8x8", "dominoes 8x8"),
        ("langford8", "langford 8"),
        ("langford12", "langford 12"),
        ("latin5", "latin 5"),
        ("macmahon4x6a", "macmahon"),
        ("match14", "matching 14"),
        ("mix4x6_6", "mixed 6x4 6"),
        ("mix5x6_6", "mixed 6x5 6"),
        ("pent3x20", "pentominoes 20x3"),
        ("pent6x10", "pentominoes 10x6"),
        ("pent8x8", "pentominoes 8x8"),
        ("qcost6", "queen-costs 6"),
        ("qcost8", "queen-costs 8"),
        ("qdom5_3", "queen-domination 5 3"),
        ("qdom8_5", "queen-domination 8 5"),
        ("queens8", "queens 8"),
        ("queens12", "queens 12"),
        ("queens13", "queens 13"),
        ("soma", "soma"),
    ] {
        let Ok(bytes) = fs::read(format!("{folder}{file}.dlx")) else { continue };
        let (made, given) = (make(words).unwrap(), text::read(&bytes).unwrap().problem);
        assert_eq!(made.primary_count(), given.primary_count(), "{file}");
        assert_eq!(made.option_count(), given.option_count(), "{file}");
        assert!(in_words(&made) == in_words(&given), "{file}: {words} is another problem");
    }
}

#[test]
fn wrong_arguments_are_told() {
    #[track_caller]
    fn fails(words: &str, message: &str) {
        let error = make(words).unwrap_err().to_string();
        assert!(error.contains(message), "{words}: {error}");
    }
    fails("queens", "N is missing");
    fails("queens 8 9", "`9` is one argument too many");
    fails("queens eight", "`eight` is not a valid N (a whole number, in digits)");
    fails("queens +8", "`+8` is not a valid N");
    fails("queens 0", "0 is out of range for N (1 to 1000)");
    fails("queens 99999999999999999999999", "out of range for N (1 to 1000)");
    fails("queen-costs -1", "`-1` is not a valid N");
    fails("queen-domination 8", "K is missing");
    fails("queen-domination 8 65", "65 is out of range for K (1 to 64)");
    fails("langford 501", "out of range");
    fails("dominoes 6", "`6` is not a valid WxH (whole numbers with an x between them, as in 6x10)");
    fails("dominoes 6x", "`6x` is not a valid WxH");
    fails("dominoes 6x0", "0 is out of range for WxH (1 to 500)");
    fails("dominoes 6x7x8", "a board has two sides, not 3");
    fails(
        "mixed 4x6 5",
        "5 dominoes leave 14 of 24 cells (choose D so that the remaining cells are a multiple of three",
    );
    fails("mixed 4x6 13", "13 is out of range for D (0 to 12)");
    fails("pentominoes 6x9", "54 cells (the pieces cover 60 cells");
    fails("pentominoes 4x4x4", "64 cells");
    fails("pentominoes 1x2x5x6", "4 sides");
    fails("pentominoes 60x60x60", "216000 cells");
    fails("soma cube", "`cube` is one argument too many");
    fails("macmahon 4x6", "one argument too many");
    fails("latin 63", "out of range");
    fails("sudoku 9x9", "blocks of 81 cells (61 at most; WxH is the size of a block");
    fails("matching 1001", "out of range");
    assert_eq!(make("latin"), Err(ModelError::Missing { name: "N" }));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever is typed makes a problem that is written and read back, or is refused.
    #[test]
    fn any_arguments_make_a_problem_or_are_refused(words in proptest::collection::vec("[0-2x ]{0,3}|6x10", 0..3)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for model in MODELS {
            match (model.make)(&words) {
                Ok(problem) => {
                    let read = text::read(text::to_text(&problem).as_bytes()).unwrap();
                    prop_assert_eq!(read.problem, problem);
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// The largest problems are made in a moment, and are none of the longest texts.
#[test]
fn the_largest_problems_are_bearable() {
    for words in [
        "queens 1000",
        "queen-domination 62 3844",
        "langford 500",
        "dominoes 500x500",
        "mixed 500x500",
        "latin 62",
        "sudoku 1x61",
        "matching 1000",
    ] {
        assert!(make(words).unwrap().term_count() < 5_000_000, "{words}");
    }
}

fn cells(line: &str) -> Option<Vec<u8>> {
    let cells = line.get(..81)?.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 });
    Some(cells.collect())
}

/// The first `count` puzzles of a file, if it is there.
fn puzzles(path: &str, count: usize) -> Vec<Vec<u8>> {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#')).filter_map(cells).take(count).collect()
}

/// As many solutions, up to 50, as an engine of grids finds.
#[track_caller]
fn exported(puzzle: &[u8]) -> u64 {
    let rules = Rules::sudoku();
    let limits = galop::Limits::count(50);
    let mut grid_engine = (engine("bitboard").unwrap().make)(&rules, Isa::best()).unwrap();
    let (mut solution, mut answers) = ([0; 81], [Answer::default()]);
    grid_engine
        .solve(Puzzles::new(puzzle, 81), limits, &mut Answers::new(&mut solution, &mut answers, 81))
        .unwrap();
    let solutions = answers[0].solutions;
    for problem in [rules.reduced_cover(puzzle).unwrap(), rules.full_cover(puzzle).unwrap()] {
        let read = text::read(text::to_text(&problem).as_bytes()).unwrap().problem;
        assert_eq!(count_to(&read, Some(50)), u128::from(solutions), "{puzzle:?}");
    }
    solutions
}

#[test]
fn exported_puzzles_have_their_solutions() {
    for file in ["easy_10k", "minimal_10k"] {
        let puzzles = puzzles(&format!("data/{file}.txt"), 40);
        assert_eq!(puzzles.len(), 40, "{file}");
        assert!(puzzles.iter().all(|puzzle| exported(puzzle) == 1), "{file}");
        // Less a clue, a minimal puzzle has more solutions; with a wrong one, another puzzle has none.
        for (puzzle, other) in puzzles.iter().zip(&puzzles[1..]).take(10) {
            let mut open = puzzle.clone();
            let clue = open.iter_mut().find(|symbol| **symbol != 0).unwrap();
            *clue = 0;
            assert!(exported(&open) >= if file == "minimal_10k" { 2 } else { 1 });
            let mut mixed = puzzle.clone();
            mixed.iter_mut().zip(other).for_each(|(symbol, &other)| *symbol = (*symbol).max(other));
            exported(&mixed);
        }
    }
}

#[test]
fn exported_shared_puzzles_have_their_solutions() {
    for (file, solutions) in
        [("17_clue", 1..=1), ("hardest", 1..=1), ("invalid_20k", 0..=0), ("multi_20k", 2..=50)]
    {
        for puzzle in puzzles(&format!("../shared/data/{file}.txt"), 30) {
            assert!(solutions.contains(&exported(&puzzle)), "{file}: {puzzle:?}");
        }
    }
}
