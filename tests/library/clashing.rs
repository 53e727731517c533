//! Engine `grid` on clashing, over- and under-constrained grids of every kind and size: it agrees with `dlx`, and it
//! finds two equal clues of a unit without a guess.
//!
//! There are 10,000 random grids; `GALOP_TEST_GRIDS` sets another number.

use galop_engines::engine::Isa;
use galop_engines::grid::{KINDS, Verifier};
use galop_engines::puzzle::Limits;
use galop_engines::{Engine, Rules};

use galop_testing::chance::Chance;
use galop_testing::engines::{named, solve_flat, solve_one};
use galop_testing::rules::{rules_of, solved, sudoku};

/// Random grids of each kind and size, without the variable.
const GRIDS: usize = 176;

/// Guesses that an engine may make for one grid.
const MOST_GUESSES: u64 = 2_000;

/// The rules of every kind in every size.
fn all_rules() -> impl Iterator<Item = Rules> {
    KINDS.iter().flat_map(|kind| kind.sides().into_iter().map(move |side| rules_of(kind, side)))
}

fn engine(name: &str, rules: &Rules) -> Box<dyn Engine> {
    (named(name).make)(rules, Isa::best()).unwrap()
}

/// A random image of a full grid: symbols exchanged. Some cells are then blank, wrong or equal to a peer.
fn random(rules: &Rules, full: &[u8], chance: &mut Chance) -> Vec<u8> {
    let symbols = usize::from(rules.grid().symbols());
    let mut names: Vec<u8> = (1..=symbols as u8).collect();
    (1..symbols).for_each(|at| names.swap(at, chance.below(at + 1)));
    let mut puzzle: Vec<u8> = full.iter().map(|&symbol| names[usize::from(symbol) - 1]).collect();
    // Between a few clues and nearly all.
    let of_hundred = 3 + chance.below(95);
    puzzle.iter_mut().for_each(|cell| *cell *= u8::from(chance.below(100) < of_hundred));
    for _ in 0..[0, 0, 1, 2, 5][chance.below(5)] {
        let cell = chance.below(puzzle.len());
        puzzle[cell] = (1 + chance.below(symbols)) as u8;
    }
    if chance.below(3) == 0 {
        let unit = &rules.grid().units()[chance.below(rules.grid().units().len())];
        let (one, other) = (unit[chance.below(unit.len())], unit[chance.below(unit.len())]);
        puzzle[one] = (1 + chance.below(symbols)) as u8;
        puzzle[other] = puzzle[one];
    }
    puzzle
}

/// Whether a unit has two equal clues.
fn has_clash(rules: &Rules, puzzle: &[u8]) -> bool {
    rules.grid().units().iter().any(|unit| {
        let mut seen = 0_u32;
        unit.iter().filter(|&&cell| puzzle[cell] != 0).any(|&cell| {
            let bit = 1 << puzzle[cell];
            let is_seen = seen & bit != 0;
            seen |= bit;
            is_seen
        })
    })
}

#[test]
fn random_grids_of_every_kind_are_answered_as_by_dlx() {
    let asked = std::env::var("GALOP_TEST_GRIDS").ok().and_then(|grids| grids.parse::<usize>().ok());
    let all: Vec<Rules> = all_rules().collect();
    let each = asked.map_or(GRIDS, |asked| asked.div_ceil(all.len()));
    let (mut compared, mut clashes, mut statuses, mut given_up) = (0, 0, [0; 3], [0; 2]);
    for (seed, rules) in all.iter().enumerate() {
        let mut chance = Chance::new(100 + seed as u64);
        let (full, verifier) = (solved(rules), Verifier::new(rules));
        let mut engines = ["grid", "dlx"].map(|name| engine(name, rules));
        for _ in 0..each {
            let puzzle = random(rules, &full, &mut chance);
            let limits = Limits::UNIQUE.with_guesses(MOST_GUESSES);
            let [grid, dlx] =
                engines.each_mut().map(|engine| solve_flat(engine.as_mut(), puzzle.len(), &puzzle, limits));
            let [answer, other] = [grid.0[0], dlx.0[0]];
            if answer.solutions > 0 {
                assert_eq!(verifier.check(&puzzle, &grid.1), Ok(()), "{} {puzzle:?}", rules.name());
            }
            if has_clash(rules, &puzzle) {
                clashes += 1;
                assert_eq!(answer.effort.guesses, 0, "{} {puzzle:?}", rules.name());
                assert_eq!((answer.solutions, answer.gave_up()), (0, false), "{} {puzzle:?}", rules.name());
            }
            given_up[0] += usize::from(answer.gave_up());
            given_up[1] += usize::from(other.gave_up());
            if !answer.gave_up() && !other.gave_up() {
                compared += 1;
                statuses[answer.solutions as usize] += 1;
                assert_eq!(answer.solutions, other.solutions, "{} {puzzle:?}", rules.name());
                assert_eq!(answer.status(limits), other.status(limits), "{} {puzzle:?}", rules.name());
            }
        }
    }
    println!(
        "{} grids, {compared} compared ({statuses:?} with 0, 1 and 2 solutions), {clashes} with two equal clues; \
         given up by grid {}, by dlx {}",
        each * all.len(),
        given_up[0],
        given_up[1],
    );
    assert!(statuses.iter().all(|&count| count > 20) && clashes > 20);
}

/// Two equal clues of every unit of an empty grid.
#[test]
fn two_equal_clues_of_any_unit_are_found_without_a_guess() {
    for rules in all_rules() {
        let mut grid = engine("grid", &rules);
        for unit in rules.grid().units() {
            let mut puzzle = vec![0; rules.grid().cells()];
            (puzzle[unit[0]], puzzle[unit[unit.len() - 1]]) = (2, 2);
            let (answers, _) = solve_flat(grid.as_mut(), puzzle.len(), &puzzle, Limits::ANY);
            let found = (answers[0].solutions, answers[0].gave_up(), answers[0].effort.guesses);
            assert_eq!(found, (0, false, 0), "{} {unit:?}", rules.name());
        }
    }
}

/// The first two cells of a 16x16 grid are both left with symbol 1 alone, although no unit has two equal clues.
#[test]
fn cells_that_are_settled_alike_do_not_send_the_search_astray() {
    let rules = sudoku(16);
    let mut puzzle = vec![0; 256];
    (0..7).for_each(|at| puzzle[4 + at] = 10 + at as u8);
    for row in 4..12 {
        puzzle[16 * row] = 2 + (row - 4) as u8;
        puzzle[16 * row + 1] = 2 + (row % 8) as u8;
    }
    assert!(!has_clash(&rules, &puzzle));
    let (answer, _) = solve_one(named("grid"), &rules, &puzzle, Limits::ANY.with_guesses(1_000));
    assert_eq!((answer.solutions, answer.gave_up()), (0, false), "{answer:?}");
}
