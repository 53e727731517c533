//! Puzzles made to a wish: 9x9, one solution each, the same bytes everywhere.
//!
//! A full grid is drawn by chance, then its clues are taken away in an order drawn by chance, each that can go
//! without a second solution. Puzzle `i` of a run depends on the seed and on `i` alone: not on the machine, the
//! number of threads, the engine that proves the one solution, or the puzzles around it. So the first ten of a
//! hundred are the ten of a run of ten.
//!
//! ```text
//! chance (dice) --> full grid (fill) --> clues taken away (thin) --> checked again --> line, line of solution
//! ```
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use galop::generate::{Recipe, Wish, run};
//!
//! let recipe = Recipe::new(1, Wish::Clues(30..=36));
//! let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
//! run(&recipe, 1000, &AtomicBool::new(false), &mut |some, theirs| {
//!     puzzles.extend_from_slice(some);
//!     solutions.extend_from_slice(theirs);
//!     Ok(())
//! })?;
//! assert_eq!(puzzles.len(), 1000 * 82);
//! assert_eq!(puzzles[..82], *b"9.5..147..4..9.....2...7....817..3.94..9.3..13..1.658.......6..5.2..9..7..7...8.5\n");
//! assert_eq!(solutions[..82], *b"965231478743598216128647953281754369456983721379126584814375692532869147697412835\n");
//! # Ok::<(), galop::Error>(())
//! ```
//!
//! # What kind of sample this is
//! Minimal puzzles made from the top down, as here, are no even sample of all minimal puzzles. The fewer clues
//! one has, the likelier it is to be reached: top-down samples have 24.38 clues in the mean, all minimal puzzles
//! some 26.577 (Berthier, "Unbiased statistics of a constraint satisfaction problem - a controlled-bias
//! generator", CISSE 2009). Fine for tests and benchmarks; for statistics, weigh them as that paper does. Where
//! fewer clues are wished for than a grid gives at first, clues are exchanged until they are few enough: such
//! puzzles are sampled less evenly still.

pub(crate) mod dice;
mod fill;
mod run;
mod thin;

use std::fmt;
use std::ops::{Range, RangeInclusive};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::engine::{ENGINES, Entry, Isa, engine};
use crate::error::{Error, ErrorKind};
use crate::rules::{Rules, Verifier};
use dice::Dice;
use thin::{Judge, count_clues};

pub use run::run;

/// Cells of a grid; also the bytes of a line without its end.
const CELLS: usize = 81;

/// No puzzle with fewer clues has one solution (McGuire, Tugemann and Civario, "There is no 16-clue sudoku",
/// Experimental Mathematics 23, 2014).
const FEWEST_CLUES: usize = 17;

/// Grids tried for one puzzle before the wish is given up.
const TRIES: u64 = 5_000;

/// After a grid was thinned to a minimal puzzle with too many clues: so often some clues come back and others go.
const EXCHANGES: usize = 200;

/// Clues that come back in one exchange. Of 1 to 5 clues and 50, 200 and 800 exchanges, 3 or 4 clues and 200 or
/// more exchanges were about equally good at finding 20 clues; 1 clue took three times as long.
const RETURNING: usize = 3;

/// What puzzles are wished for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// Minimal puzzles: none of the clues can go without a second solution.
    Minimal,
    /// Puzzles whose number of clues is drawn evenly, for each puzzle, from a range with both its ends.
    ///
    /// Down to 22 clues a puzzle takes a millisecond or less, 20 some 20 ms, 19 a second or two. Below that the
    /// run may end with [`ErrorKind::Generate`], after minutes.
    Clues(RangeInclusive<usize>),
}

/// What fixes every byte of a run, and the engine that proves the solutions the only ones.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Another seed, other puzzles.
    pub seed: u64,
    /// What puzzles are wished for.
    pub wish: Wish,
    /// The engine; it changes the time taken, not the puzzles.
    pub engine: &'static Entry,
}

impl Recipe {
    /// The recipe with the engine that is fastest here: one made for single puzzles.
    pub fn new(seed: u64, wish: Wish) -> Recipe {
        Recipe { seed, wish, engine: engine("bitboard").unwrap_or(&ENGINES[0]) }
    }
}

/// Makes the puzzles of a recipe: one value a worker, its scratch kept.
pub struct Generator {
    recipe: Recipe,
    judge: Judge,
    verifier: Verifier,
    tries: u64,
}

impl fmt::Debug for Generator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator").field("recipe", &self.recipe).finish_non_exhaustive()
    }
}

/// A puzzle and the grid it was taken from.
struct Made {
    puzzle: [u8; CELLS],
    grid: [u8; CELLS],
}

impl Generator {
    /// A generator for `recipe`.
    ///
    /// # Errors
    /// [`ErrorKind::Clues`] where the range of clues is empty or leaves 17..=81,
    /// [`ErrorKind::Unsupported`] where the engine is not for the 9x9 sudoku.
    pub fn new(recipe: &Recipe) -> Result<Generator, Error> {
        if let Wish::Clues(range) = &recipe.wish {
            let (&from, &to) = (range.start(), range.end());
            if range.is_empty() || from < FEWEST_CLUES || to > CELLS {
                return Err(ErrorKind::Clues { from, to }.into());
            }
        }
        let rules = Rules::sudoku();
        let engine = (recipe.engine.make)(&rules, Isa::best()).map_err(ErrorKind::Unsupported)?;
        let (judge, verifier) = (Judge::new(engine), Verifier::new(&rules));
        Ok(Generator { recipe: recipe.clone(), judge, verifier, tries: TRIES })
    }

    /// Appends the puzzles `places` of the recipe to `puzzles` and their solutions to `solutions`: lines of 81
    /// characters (`.` blank) and a line feed. After an error both end with the last whole puzzle.
    ///
    /// # Errors
    /// [`ErrorKind::Generate`] where a puzzle with so few clues was not found, [`ErrorKind::Stopped`] soon
    /// after `stop` is set, [`ErrorKind::WrongSolution`] where the engine has a bug.
    pub fn write(
        &mut self,
        places: Range<u64>,
        stop: &AtomicBool,
        puzzles: &mut Vec<u8>,
        solutions: &mut Vec<u8>,
    ) -> Result<(), Error> {
        for place in places {
            let Made { puzzle, grid } = self.make(place, stop)?;
            self.check(&puzzle, &grid)?;
            write_line(puzzles, &puzzle);
            write_line(solutions, &grid);
        }
        Ok(())
    }

    /// Puzzle `place`: grid after grid, until one can be thinned to what is wished.
    fn make(&mut self, place: u64, stop: &AtomicBool) -> Result<Made, Error> {
        let mut dice = Dice::new(self.recipe.seed, place);
        let target = match &self.recipe.wish {
            Wish::Minimal => 0,
            Wish::Clues(range) => {
                range.start() + dice.below((range.end() - range.start()) as u32 + 1) as usize
            }
        };
        for _ in 0..self.tries {
            if stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::Stopped.into());
            }
            let grid = fill::full_grid(&mut dice);
            let mut puzzle = grid;
            let mut order: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
            dice.shuffle(&mut order);
            self.judge.thin(&mut puzzle, &order, target);
            if self.recipe.wish == Wish::Minimal {
                return Ok(Made { puzzle, grid });
            }
            self.exchange(&mut puzzle, &grid, target, &mut dice);
            if count_clues(&puzzle) == target {
                return Ok(Made { puzzle, grid });
            }
        }
        Err(ErrorKind::Generate { clues: target, tries: self.tries }.into())
    }

    /// Exchanges clues until `puzzle` has `target` of them, or for long enough: a few clues of `grid` come back,
    /// then all others are tried before they are. The result is taken unless it has more clues than before.
    ///
    /// From a grid once searched down this finds low numbers of clues far sooner than new grids do.
    fn exchange(&mut self, puzzle: &mut [u8; CELLS], grid: &[u8; CELLS], target: usize, dice: &mut Dice) {
        let mut clues = count_clues(puzzle);
        for _ in 0..EXCHANGES {
            if clues <= target {
                return;
            }
            let mut order: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
            dice.shuffle(&mut order);
            // The clues first, in an order by chance, then the blanks likewise.
            order.sort_by_key(|&cell| puzzle[usize::from(cell)] == 0);
            let mut other = *puzzle;
            for &cell in &order[clues..clues + RETURNING] {
                other[usize::from(cell)] = grid[usize::from(cell)];
            }
            self.judge.thin(&mut other, &order[..clues + RETURNING], target);
            let left = count_clues(&other);
            if left <= clues {
                (*puzzle, clues) = (other, left);
            }
        }
    }

    /// Checks once more, and from outside the engine, what leaves the generator: the engine's only solution is
    /// right and keeps the clues, and it is the grid that the puzzle came from.
    fn check(&mut self, puzzle: &[u8; CELLS], grid: &[u8; CELLS]) -> Result<(), Error> {
        let solution = self.judge.only_solution(puzzle).unwrap_or([0; CELLS]);
        self.verifier.check(puzzle, &solution).and_then(|()| self.verifier.check(grid, &solution)).map_err(
            |violation| {
                let text =
                    |cells: &[u8; CELLS]| cells.iter().map(|&digit| char::from(character(digit))).collect();
                let (engine, puzzle, solution) = (self.recipe.engine.name, text(puzzle), text(&solution));
                ErrorKind::WrongSolution { engine, puzzle, solution, violation }.into()
            },
        )
    }
}

fn write_line(lines: &mut Vec<u8>, cells: &[u8; CELLS]) {
    lines.extend(cells.iter().map(|&digit| character(digit)));
    lines.push(b'\n');
}

fn character(digit: u8) -> u8 {
    if digit == 0 { b'.' } else { b'0' + digit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn recipe(seed: u64, wish: Wish) -> Recipe {
        Recipe::new(seed, wish)
    }

    /// The puzzles `0..count`, as cells, with their grids.
    fn made(recipe: &Recipe, count: u64) -> Vec<Made> {
        let mut generator = Generator::new(recipe).unwrap();
        (0..count).map(|place| generator.make(place, &GO_ON).unwrap()).collect()
    }

    fn lines(recipe: &Recipe, count: u64) -> (String, String) {
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        Generator::new(recipe).unwrap().write(0..count, &GO_ON, &mut puzzles, &mut solutions).unwrap();
        (String::from_utf8(puzzles).unwrap(), String::from_utf8(solutions).unwrap())
    }

    fn is_unique(engine: &Entry, puzzle: &[u8]) -> bool {
        let (mut solution, mut answer) = ([0; CELLS], [Answer::default()]);
        let mut engine = (engine.make)(&Rules::sudoku(), Isa::best()).unwrap();
        engine.solve(
            Puzzles::new(puzzle, CELLS),
            Limits::UNIQUE,
            &mut Answers::new(&mut solution, &mut answer, CELLS),
        );
        answer[0].status(Limits::UNIQUE) == Status::Solved
    }

    /// An accidental change of the stream of chance, of the search for grids or of the order of removal shows.
    #[test]
    fn first_puzzles_of_seed_1_are_pinned() {
        let (puzzles, solutions) = lines(&recipe(1, Wish::Minimal), 1);
        assert_eq!(
            puzzles,
            "..7..41...........3..857...69..3.7..8.....2....2.4.....4.6..32..3...9...9...8.6.5\n"
        );
        assert_eq!(
            solutions,
            "267394158485261973319857462694532781853176294172948536748615329536429817921783645\n"
        );
        let (puzzles, _) = lines(&recipe(1, Wish::Clues(20..=20)), 1);
        assert_eq!(
            puzzles,
            "..5......8..3....2...1.8..7...8.7...2...5..6.3.....9....1...67...72.............4\n"
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
        for Made { puzzle, grid } in made(&recipe(4, Wish::Clues(32..=38)), 20) {
            assert!(ENGINES.iter().all(|engine| is_unique(engine, &puzzle)));
            assert_eq!(Verifier::new(&Rules::sudoku()).check(&puzzle, &grid), Ok(()));
        }
    }

    #[test]
    fn puzzles_do_not_depend_on_the_engine() {
        // Not fewer clues: the cell-by-cell oracle would take minutes.
        let recipe = recipe(5, Wish::Clues(34..=40));
        let first = lines(&recipe, 5);
        for engine in ENGINES {
            assert_eq!(lines(&Recipe { engine, ..recipe.clone() }, 5), first, "{}", engine.name);
        }
    }

    #[test]
    fn minimal_puzzles_lose_uniqueness_with_any_clue() {
        let recipe = recipe(6, Wish::Minimal);
        for Made { puzzle, .. } in made(&recipe, 20) {
            for cell in (0..CELLS).filter(|&cell| puzzle[cell] != 0) {
                let mut thinner = puzzle;
                thinner[cell] = 0;
                assert!(!is_unique(recipe.engine, &thinner));
            }
        }
    }

    #[test]
    fn clues_lie_in_the_range_and_every_number_occurs() {
        let mut counts = [0; CELLS + 1];
        for Made { puzzle, .. } in made(&recipe(7, Wish::Clues(28..=33)), 120) {
            counts[count_clues(&puzzle)] += 1;
        }
        assert_eq!(counts.iter().sum::<u32>(), 120);
        assert_eq!(counts[28..=33].iter().sum::<u32>(), 120);
        assert!(counts[28..=33].iter().all(|&count| count > 5), "{counts:?}");
    }

    #[test]
    fn full_grids_may_be_wished_for() {
        for Made { puzzle, grid } in made(&recipe(7, Wish::Clues(81..=81)), 3) {
            assert_eq!(puzzle, grid);
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
        for range in [16..=30, 0..=0, 30..=82, 40..=30, 10..=12] {
            let wish = Wish::Clues(range.clone());
            let error = Generator::new(&recipe(1, wish)).err().unwrap();
            let (from, to) = (*range.start(), *range.end());
            assert!(
                matches!(error.kind(), ErrorKind::Clues { from: f, to: t } if (*f, *t) == (from, to)),
                "{error}"
            );
        }
    }

    #[test]
    fn a_wish_that_is_not_found_is_given_up() {
        let mut generator = Generator::new(&recipe(1, Wish::Clues(17..=17))).unwrap();
        generator.tries = 2;
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        let error = generator.write(0..5, &GO_ON, &mut puzzles, &mut solutions).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Generate { clues: 17, tries: 2 }), "{error}");
        assert!(puzzles.is_empty() && solutions.is_empty());
    }

    #[test]
    fn few_clues_are_found() {
        for Made { puzzle, .. } in made(&recipe(12, Wish::Clues(20..=21)), 4) {
            assert!((20..=21).contains(&count_clues(&puzzle)));
            assert!(is_unique(Recipe::new(0, Wish::Minimal).engine, &puzzle));
        }
    }

    /// The mean that Berthier gives for top-down samples, 24.38 (standard deviation 1.12): another generator's.
    #[test]
    fn minimal_puzzles_have_the_clues_of_other_top_down_samples() {
        let made = made(&recipe(13, Wish::Minimal), 3000);
        let mean = made.iter().map(|made| count_clues(&made.puzzle)).sum::<usize>() as f64 / 3000.0;
        assert!((mean - 24.38).abs() < 0.1, "{mean}");
    }

    #[test]
    fn a_set_stop_flag_ends_the_work() {
        let mut generator = Generator::new(&recipe(1, Wish::Minimal)).unwrap();
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        let error = generator.write(0..5, &AtomicBool::new(true), &mut puzzles, &mut solutions).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Stopped));
        assert!(puzzles.is_empty() && solutions.is_empty());
    }
}
