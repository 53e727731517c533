//! The classic problems: their shapes, their texts, the arguments they refuse.

use std::collections::BTreeMap;
use std::fs;

use galop_cover::models::{MODELS, by_name, make};
use galop_cover::{Choice, CoverLimits, ExactCover, ItemId, OptionId, Term, text};
use proptest::prelude::*;

use crate::counts::counts;
use crate::solver_on;
use galop_testing::available::large_set;
use galop_testing::literature::solutions;

#[test]
fn boards_and_boxes_of_pentominoes() {
    for cuboid in ["2x5x6", "6x2x5", "5x6x2"] {
        let problem = make(&format!("pentominoes {cuboid}")).unwrap();
        assert_eq!((problem.item_count(), problem.option_count()), (72, 2_084), "{cuboid}");
    }
    // A box of one layer is a board.
    let shape = |words| make(words).map(|problem| (problem.item_count(), problem.option_count())).unwrap();
    assert_eq!(shape("pentominoes 6x10x1"), shape("pentominoes 10x6"));
    assert_eq!(shape("pentominoes 1x6x10"), shape("pentominoes 10x6"));
}

/// Without a number of dominoes, the problem has all solutions of all numbers.
#[test]
fn any_number_of_dominoes() {
    let count = |words: &str| make(words).unwrap().count().unwrap().to_u128().unwrap();
    let parts = [0, 3, 6, 9, 12].map(|dominoes| count(&format!("mixed 4x6 {dominoes}")));
    assert_eq!(count("mixed 4x6"), parts.iter().sum());
}

/// 24 squares, 24 cells, 30 + 28 edges. All 106,624 solutions would take too long here.
#[test]
fn macmahons_squares() {
    let problem = make("macmahon").unwrap();
    assert_eq!((problem.primary_count(), problem.item_count()), (48, 106));
    assert!(problem.has_colours() && problem.options().all(|terms| terms.len() == 6));
    assert_eq!(problem.solve().unwrap().map(|solution| solution.len()), Some(24));
}

#[test]
fn sudokus() {
    let problem = make("sudoku 3x3").unwrap();
    assert_eq!((problem.item_count(), problem.option_count()), (324, 729));
    let problem = make("sudoku 3x2").unwrap();
    let outcome = problem.solver().unwrap().search(&CoverLimits::first(1_000)).count().unwrap();
    assert_eq!(outcome.solutions, 1_000);
}

/// Arguments for each model.
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
fn every_model_is_read_back_from_its_text_and_has_short_names() {
    for entry in MODELS {
        assert!(by_name(entry.name).is_some_and(|found| found.about == entry.about));
        let examples = EXAMPLES.iter().filter(|words| words.split(' ').next() == Some(entry.name));
        assert!(examples.clone().count() > 0, "{} has no example", entry.name);
        for words in examples {
            let problem = make(words).unwrap();
            assert_eq!(text::read(text::to_text(&problem).as_bytes()).unwrap().problem, problem, "{words}");
            let is_short = |item| (1..=8).contains(&problem.item_name(item).len());
            assert!((0..problem.item_count() as u32).map(ItemId).all(is_short), "{words}");
        }
    }
}

/// A problem as sorted words: items with their bounds, options with their costs. Secondary items of a single option
/// constrain nothing and are left out.
type InWords = (BTreeMap<String, (u32, u32)>, Vec<(Vec<String>, u64)>);

fn in_words(problem: &ExactCover) -> InWords {
    let mut uses = vec![0; problem.item_count()];
    problem.options().flatten().for_each(|term| uses[term.item.index()] += 1);
    let is_primary = |item: ItemId| item.index() < problem.primary_count();
    let says = |item: ItemId| is_primary(item) || uses[item.index()] > 1;
    let items = (0..problem.item_count() as u32).map(ItemId).filter(|&item| says(item)).map(|item| {
        let bounds = problem.bounds(item);
        let bounds = if is_primary(item) { (bounds.low, bounds.high) } else { (0, 1) };
        (problem.item_name(item).to_owned(), bounds)
    });
    let colour = |term: &Term| term.colour().map_or("", |colour| problem.colour_name(colour));
    let words = |option: OptionId| {
        let said = problem.option(option).iter().filter(|term| says(term.item));
        let mut words: Vec<String> =
            said.map(|term| format!("{}:{}", problem.item_name(term.item), colour(term))).collect();
        words.sort();
        (words, problem.cost(option))
    };
    let mut options: Vec<_> = (0..problem.option_count() as u32).map(OptionId).map(words).collect();
    options.sort();
    (items.collect(), options)
}

/// The models are word for word the files of the large sets, and those files, whose items and options have another
/// order, have the counts of the literature. (`false`: a count takes too long.)
#[test]
fn models_are_the_shared_problems() {
    for (file, words, is_counted) in [
        ("dom6x6", "dominoes 6x6", true),
        ("dom8x8", "dominoes 8x8", true),
        ("langford8", "langford 8", true),
        ("langford12", "langford 12", true),
        ("latin5", "latin 5", true),
        ("macmahon4x6a", "macmahon", false),
        ("match14", "matching 14", true),
        ("mix4x6_6", "mixed 6x4 6", true),
        ("mix5x6_6", "mixed 6x5 6", true),
        ("pent3x20", "pentominoes 20x3", true),
        ("pent6x10", "pentominoes 10x6", false),
        ("pent8x8", "pentominoes 8x8", true),
        ("qcost6", "queen-costs 6", true),
        ("qcost8", "queen-costs 8", true),
        ("qdom5_3", "queen-domination 5 3", true),
        ("qdom8_5", "queen-domination 8 5", false),
        ("queens8", "queens 8", true),
        ("queens12", "queens 12", true),
        ("queens13", "queens 13", true),
        ("soma", "soma", true),
    ] {
        let Some(path) = large_set(&format!("cover/{file}.dlx")) else { continue };
        let text = text::read(&fs::read(path).unwrap()).unwrap();
        assert_eq!(text.dropped.count, 0);
        let (made, given) = (make(words).unwrap(), text.problem);
        assert_eq!(text::read(text::to_text(&given).as_bytes()).unwrap().problem, given);
        assert_eq!(made.primary_count(), given.primary_count(), "{file}");
        assert_eq!(made.option_count(), given.option_count(), "{file}");
        assert!(in_words(&made) == in_words(&given), "{file}: {words} is another problem");
        if is_counted {
            let mut solver = solver_on(2, &given, Choice::Auto);
            counts(&mut solver, file, solutions(&words.replace("queen-costs", "queens")));
        }
    }
}

#[test]
fn wrong_arguments_are_refused() {
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
    fails("latin", "N is missing");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Any arguments make a problem that is written and read back, or are refused.
    #[test]
    fn any_arguments_make_a_problem_or_are_refused(words in proptest::collection::vec("[0-2x ]{0,3}|6x10", 0..3)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        for model in MODELS {
            match model.make(&words) {
                Ok(problem) => {
                    let read = text::read(text::to_text(&problem).as_bytes()).unwrap();
                    prop_assert_eq!(read.problem, problem);
                }
                Err(error) => prop_assert!(!error.to_string().is_empty()),
            }
        }
    }
}

/// The largest arguments make problems of fewer than five million terms.
#[test]
fn the_largest_problems_fit_in_memory() {
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
        let terms: usize = make(words).unwrap().options().map(|terms| terms.len()).sum();
        assert!(terms < 5_000_000, "{words}");
    }
}
