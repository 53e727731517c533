//! Tests of the puzzles that the generator makes.

use std::cell::Cell;

use super::*;
use crate::engine::{ENGINES, Engine, Isa, WrongLength, named};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Cells of the 9x9 sudoku.
const CELLS: usize = 81;

static GO_ON: AtomicBool = AtomicBool::new(false);

fn recipe(seed: u64, wish: Wish) -> Recipe {
    Recipe::new(seed, wish)
}

/// The puzzles `0..count`, as cells, with their grids.
fn made(recipe: &Recipe, count: u64) -> Vec<NewPuzzle> {
    let (made, outcome) = Generator::new(recipe).unwrap().make(0..count, &GO_ON);
    outcome.unwrap();
    made
}

fn lines(recipe: &Recipe, count: u64) -> (String, String) {
    let mut page = MadePage::default();
    Generator::new(recipe).unwrap().write(0..count, &GO_ON, &mut page).unwrap();
    (String::from_utf8(page.puzzles).unwrap(), String::from_utf8(page.solutions).unwrap())
}

/// Number of cells with a clue.
pub(super) fn count_clues(puzzle: &[u8]) -> usize {
    puzzle.iter().filter(|&&symbol| symbol != 0).count()
}

pub(super) fn is_unique(engine: &Entry, puzzle: &[u8]) -> bool {
    let (mut solution, mut answer) = ([0; CELLS], [Answer::default()]);
    let mut engine = (engine.make)(&Rules::default(), Isa::best()).unwrap();
    let mut places = Answers::new(&mut solution, &mut answer, CELLS).unwrap();
    engine.solve(Puzzles::new(puzzle, CELLS).unwrap(), Limits::UNIQUE, &mut places).unwrap();
    answer[0].status(Limits::UNIQUE) == Status::Solved
}

/// Whether the puzzle has a second solution without any one of its clues.
fn is_minimal(puzzle: &[u8]) -> bool {
    let mut clues = (0..CELLS).filter(|&cell| puzzle[cell] != 0);
    clues.all(|cell| {
        let mut thinner = puzzle.to_vec();
        thinner[cell] = 0;
        !is_unique(named("bitboard").unwrap(), &thinner)
    })
}

/// Detects an accidental change of the random numbers, of the search for grids or of the order of removal.
#[test]
fn first_puzzles_of_seed_1_are_pinned() {
    let (puzzles, solutions) = lines(&recipe(1, Wish::Minimal), 1);
    assert_eq!(
        puzzles,
        "5.....4...4.9....3.7..2............7.23..7..4....46.8.156..........9...848...31..\n"
    );
    assert_eq!(
        solutions,
        "592638471648971253371524896864259317923817564715346982156482739237195648489763125\n"
    );
    let (puzzles, _) = lines(&recipe(1, Wish::Clues(20..=20)), 1);
    assert_eq!(
        puzzles,
        "76.2...........5..4...81.......3.6.4..9....21..1..5......7.4.....2...9.3.........\n"
    );
}

#[test]
fn lines_are_81_characters_and_solutions_keep_the_clues() {
    let (puzzles, solutions) = lines(&recipe(3, Wish::Clues(30..=40)), 20);
    assert_eq!((puzzles.lines().count(), solutions.lines().count()), (20, 20));
    assert!(puzzles.ends_with('\n') && solutions.ends_with('\n'));
    for (puzzle, solution) in puzzles.lines().zip(solutions.lines()) {
        assert_eq!((puzzle.len(), solution.len()), (CELLS, CELLS));
        assert!(puzzle.bytes().zip(solution.bytes()).all(|(clue, digit)| clue == b'.' || clue == digit));
    }
}

#[test]
fn every_engine_finds_one_solution() {
    for NewPuzzle { puzzle, grid, .. } in made(&recipe(4, Wish::Clues(32..=38)), 20) {
        assert!(ENGINES.iter().all(|engine| is_unique(engine, &puzzle)));
        assert_eq!(Verifier::new(&Rules::default()).check(&puzzle, &grid), Ok(()));
    }
}

#[test]
fn puzzles_do_not_depend_on_the_engine() {
    // With fewer clues the cell-by-cell oracle would take minutes.
    let recipe = recipe(5, Wish::Clues(34..=40));
    let first = lines(&recipe, 5);
    for engine in ENGINES {
        assert_eq!(lines(&Recipe { engine, ..recipe.clone() }, 5), first, "{}", engine.name);
    }
}

#[test]
fn minimal_puzzles_lose_uniqueness_with_any_clue() {
    for NewPuzzle { puzzle, .. } in made(&recipe(6, Wish::Minimal), 20) {
        assert!(is_minimal(&puzzle));
    }
}

#[test]
fn clues_lie_in_the_range_and_every_number_occurs() {
    let mut counts = [0; CELLS + 1];
    for NewPuzzle { puzzle, .. } in made(&recipe(7, Wish::Clues(28..=33)), 120) {
        counts[count_clues(&puzzle)] += 1;
    }
    assert_eq!(counts.iter().sum::<u32>(), 120);
    assert_eq!(counts[28..=33].iter().sum::<u32>(), 120);
    assert!(counts[28..=33].iter().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn full_grids_may_be_wished_for() {
    for NewPuzzle { puzzle, grid, .. } in made(&recipe(7, Wish::Clues(81..=81)), 3) {
        assert_eq!(puzzle, grid);
    }
}

/// Ranges that new grids reach, and such that take exchanges; the same puzzles from every engine.
#[test]
fn minimal_puzzles_may_have_a_range_of_clues() {
    for (range, count) in [(22..=23, 40), (26..=26, 33), (20..=20, 1), (28..=29, 2)] {
        let recipe = recipe(15, Wish::MinimalClues(range.clone()));
        let puzzles = lines(&recipe, count);
        assert_eq!(lines(&Recipe { engine: named("bitboard").unwrap(), ..recipe.clone() }, count), puzzles);
        for NewPuzzle { puzzle, .. } in made(&recipe, count) {
            assert!(range.contains(&count_clues(&puzzle)));
            assert!(is_minimal(&puzzle));
        }
    }
}

#[test]
fn minimal_puzzles_that_are_not_found_are_given_up() {
    for engine in ["lanes", "bitboard"] {
        let engine = named(engine).unwrap();
        let recipe = Recipe { engine, ..recipe(1, Wish::MinimalClues(60..=70)) };
        let mut generator = Generator::new(&recipe).unwrap();
        generator.batch.making.max_tries = 3;
        let error = generator.write(0..2, &GO_ON, &mut MadePage::default()).unwrap_err();
        let Some(GenerateError::NoMinimal { from: 60, to: 70, fewest, most, tries: 3 }) = error.fact() else {
            panic!("{error}");
        };
        assert!((17..=30).contains(fewest) && (fewest..=&40).contains(&most), "{error}");
    }
}

#[test]
fn seeds_differ() {
    let first = |seed| lines(&recipe(seed, Wish::Clues(40..=40)), 1).0;
    let all: std::collections::HashSet<String> = (0..50).map(first).collect();
    assert_eq!(all.len(), 50);
}

#[test]
#[expect(clippy::reversed_empty_ranges, reason = "an empty range is what is tested")]
fn impossible_wishes_are_refused() {
    let ranges = [16..=30, 0..=0, 30..=82, 40..=30, 10..=12]
        .map(|range| [Wish::Clues(range.clone()), Wish::MinimalClues(range)]);
    for wish in ranges.into_iter().flatten() {
        let error = Generator::new(&recipe(1, wish.clone())).err().unwrap();
        let (Wish::Clues(range) | Wish::MinimalClues(range)) = wish else { continue };
        let (from, to) = (*range.start(), *range.end());
        assert!(
            matches!(error.fact(), Some(GenerateError::Clues { from: f, to: t, fewest: 17, most: 81 }) if (*f, *t) == (from, to)),
            "{error}"
        );
    }
}

#[test]
fn a_wish_that_is_not_found_is_given_up() {
    let recipe = recipe(1, Wish::Clues(17..=17));
    let mut generator = Generator::new(&recipe).unwrap();
    generator.batch.making.max_tries = 2;
    let mut page = MadePage::default();
    let error = generator.write(0..5, &GO_ON, &mut page).unwrap_err();
    assert!(matches!(error.fact(), Some(GenerateError::NoPuzzle { clues: 17, tries: 2 })), "{error}");
    assert!(page.puzzles.is_empty() && page.solutions.is_empty());
}

#[test]
fn few_clues_are_found() {
    for NewPuzzle { puzzle, .. } in made(&recipe(12, Wish::Clues(20..=21)), 4) {
        assert!((20..=21).contains(&count_clues(&puzzle)));
        assert!(is_unique(Recipe::new(0, Wish::Minimal).engine, &puzzle));
    }
}

/// Berthier's generator gives a mean of 24.38 clues for top-down samples (standard deviation 1.12).
#[test]
fn minimal_puzzles_have_the_clues_of_other_top_down_samples() {
    let made = made(&recipe(13, Wish::Minimal), 3000);
    let mean = made.iter().map(|made| count_clues(&made.puzzle)).sum::<usize>() as f64 / 3000.0;
    assert!((mean - 24.38).abs() < 0.1, "{mean}");
}

#[test]
fn a_set_stop_flag_ends_the_work() {
    let recipe = recipe(1, Wish::Minimal);
    let mut generator = Generator::new(&recipe).unwrap();
    let mut page = MadePage::default();
    let error = generator.write(0..5, &AtomicBool::new(true), &mut page).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Stopped));
    assert!(page.puzzles.is_empty() && page.solutions.is_empty());
}

thread_local! {
    /// Guesses that are left for one puzzle of [`METERED`].
    static GUESSES_LEFT: Cell<u64> = const { Cell::new(0) };
}

/// The engine `grid`, which gives up when no guesses are left.
struct Meter(Box<dyn Engine>);

impl Engine for Meter {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        let most = GUESSES_LEFT.get().min(limits.guesses().unwrap_or(u64::MAX));
        self.0.solve(puzzles, limits.with_guesses(most), answers)?;
        let guesses: u64 = answers.iter_mut().map(|(_, answer)| answer.effort.guesses).sum();
        GUESSES_LEFT.set(GUESSES_LEFT.get().saturating_sub(guesses));
        Ok(())
    }
}

static METERED: Entry =
    Entry::new("grid", |rules, isa| Ok(Box::new(Meter((prover_for(rules).make)(rules, isa)?))));

/// Without restarts, or with long tries of several clues, most of these take millions of guesses.
#[test]
fn minimal_jigsaws_take_few_guesses() {
    let map = include_bytes!("../../../../data/jigsaw.map");
    let kind = crate::grid::kind("jigsaw").unwrap();
    let rules = Rules::new(kind, 9, Some(&crate::grid::Regions::read(map).unwrap())).unwrap();
    let mut second = (named("dlx").unwrap().make)(&rules, Isa::best()).unwrap();
    let mut is_unique = |puzzle: &[u8]| {
        let (mut solution, mut answer) = ([0; CELLS], [Answer::default()]);
        let mut places = Answers::new(&mut solution, &mut answer, CELLS).unwrap();
        second.solve(Puzzles::new(puzzle, CELLS).unwrap(), Limits::UNIQUE, &mut places).unwrap();
        answer[0].status(Limits::UNIQUE) == Status::Solved
    };
    for seed in 1..=8 {
        GUESSES_LEFT.set(50_000);
        let recipe = Recipe { engine: &METERED, ..Recipe::of(rules.clone(), seed, Wish::Minimal) };
        let made = made(&recipe, 1).remove(0);
        assert!(GUESSES_LEFT.get() > 0, "seed {seed}");
        assert!(is_unique(&made.puzzle), "seed {seed}");
        for cell in (0..CELLS).filter(|&cell| made.puzzle[cell] != 0) {
            let mut thinner = made.puzzle.clone();
            thinner[cell] = 0;
            assert!(!is_unique(&thinner), "seed {seed}");
        }
    }
}

/// The limits of proofs hold for every kind and size, and fall where proofs take longest.
#[test]
fn every_proof_has_a_limit() {
    let guesses = |side, wish: Wish| {
        let rules = Rules::sudoku(side).unwrap();
        proof_guesses(&rules, prover_for(&rules), &wish)
    };
    assert_eq!(
        [4, 9, 12, 16, 25].map(|side| guesses(side, Wish::Minimal)),
        [100_000, 100_000, 1_000, 1_000, 409]
    );
    assert_eq!(
        [4, 9, 12, 25].map(|side| guesses(side, Wish::Clues(300..=300))),
        [100_000, 100_000, 100, 100]
    );
    let slow = &crate::engine::BACKTRACK;
    assert_eq!(proof_guesses(&Rules::default(), slow, &Wish::Minimal), slow.max_guesses);
}
