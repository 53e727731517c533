//! Makes puzzles of any kind and size, each with exactly one solution, with the same bytes on every machine.
//!
//! A random full grid loses clues in random order: each clue is removed unless there would be a second solution.
//! Puzzle `i` of a run depends only on the rules, the seed and `i`. It does not depend on the machine, the number of
//! threads or the puzzles around it, and up to 81 cells it does not depend on the engine that proves the
//! one solution. So the first ten puzzles of a run of a hundred are a run of ten.
//!
//! ```text
//! random numbers (chance) --> full grid (fill) --> clues removed (batch) --> checked again --> line, line of solution
//! ```
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use galop_corpora::generate::{Recipe, Wish, run};
//!
//! let recipe = Recipe::new(1, Wish::Clues(30..=36));
//! let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
//! run(&recipe, 1000, &AtomicBool::new(false), &mut |some, theirs| {
//!     puzzles.extend_from_slice(some);
//!     solutions.extend_from_slice(theirs);
//!     Ok(())
//! })?;
//! assert_eq!(puzzles.len(), 1000 * 82);
//! assert_eq!(puzzles[..82], *b"5....84...4.9....3.7..24......2....7.23..7..4.1.346.8.156.8........9...8489..31..\n");
//! assert_eq!(solutions[..82],
//! *b"592638471648971253371524896864259317923817564715346982156482739237195648489763125\n");
//! # Ok::<(), galop_batch::Error>(())
//! ```
//!
//! # Many at once
//! Puzzles of at most 81 cells are made by the thousand, side by side, and their checks are batches for the engine
//! `lanes`. Another [engine](Recipe::engine) makes one puzzle after the other; the puzzles are the same. Larger grids
//! are always made one after the other.
//!
//! | file | what |
//! |---|---|
//! | `run` | a whole run, on all cores |
//! | `fill` | random full grids |
//! | `batch` | puzzles side by side, or one after the other |
//! | `thinning`, `judge` | which clues are removed; whether the puzzle still has one solution |
//! | `orbits`, `pattern` | clues that are placed symmetrically, or in given cells |
//! | `wish` | the kind of puzzles, and how far a puzzle is from it |
//! | `change` | puzzles with no solution, or several |
//! | `filter` | which puzzles are kept: their ratings and classes |
//! | `weigh` | weights that make minimal puzzles an exact sample |
//! | `tally` | what a run has tried |
//!
//! # Large grids
//! The proof that a grid of 16x16 with few clues has one solution may take millions of guesses. In grids of more than
//! 81 cells a proof is given up after 1,000 guesses (409 in 25x25; 100 if a number of clues is requested), and the clue
//! stays. A minimal puzzle is then one for which no clue *was found* that can be removed, and its bytes depend on the
//! engine. That the puzzle has one solution is proved in any case.
//!
//! In grids of up to 81 cells the limit is 100,000 guesses, so that no puzzle takes minutes. The fastest engines need a
//! few hundred guesses for such a proof; for an engine that needs more, its own limit holds.
//!
//! # What kind of sample this is
//! The full grids of 9x9 sudokus are uniform: each of the 6,670,903,752,021,072,936,960 grids is exactly as likely as
//! any other, and the grids of different puzzles are independent. For other rules grids that are symmetric to each
//! other are equally likely, but others are not: they come from a search with random choices.
//!
//! Minimal puzzles made from the top down, as here, are not an even sample of all minimal puzzles: the fewer clues a
//! puzzle has, the likelier it is reached. Top-down samples have 24.38 clues on average, all minimal puzzles about
//! 26.577 (Berthier, "Unbiased statistics of a constraint satisfaction problem - a controlled-bias generator", CISSE
//! 2009). This is fine for tests and benchmarks; for statistics, [`Details::weights`] has exact weights. If a wish asks
//! for fewer clues than a grid gives at first, clues are exchanged until they are few enough. Such puzzles are an even
//! less even sample.

mod batch;
mod change;
mod cycles;
mod error;
mod fill;
mod filter;
mod judge;
mod orbits;
mod pattern;
mod run;
mod tally;
#[cfg(test)]
mod tests;
mod thinning;
mod weigh;
mod wish;

use std::fmt;
use std::num::NonZero;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::engine::{Entry, LANES, default_for, prover_for};
use crate::error::{Error, ErrorKind};
use crate::grid::{ExactCover, Rules, Verifier, WrongSolution};
use crate::input::Notation;
use galop_cover::Drawer;

use batch::Batch;
use change::Changer;
pub use change::Negative;
pub use error::GenerateError;
use filter::Describer;
pub use filter::{Details, Filter, KnownClasses};
pub use orbits::{CLUE_SYMMETRIES, ClueSymmetry};
pub use pattern::read_pattern;
pub use run::{MadePage, run, run_described};
pub use tally::{Tally, TallyCounts};
pub use wish::Wish;
use wish::{Distance, Misses};

/// Smallest number of clues of a 9x9 sudoku with one solution (McGuire, Tugemann and Civario, "There is no 16-clue
/// sudoku", Experimental Mathematics 23, 2014). For other rules it is only known that at most one symbol can have no
/// clue.
const FEWEST_CLUES: usize = 17;

/// Cells of the largest grid in which nearly every proof is finished.
const SURE_CELLS: usize = 81;

/// Guesses after which a proof is given up in such grids. Without one of their clues, 500 minimal jigsaws of five maps
/// took at most 1,257 guesses each (7,928 proofs).
const SURE_PROOF_GUESSES: u64 = 100_000;

/// Guesses after which the proof that a larger grid has one solution is given up, for minimal puzzles.
///
/// Almost no proof of 16x16 takes that many guesses: minimal puzzles have as many clues without a limit. In 25x25 many
/// proofs would take millions. In grids of more than [`PLAIN_CELLS`] cells the limit is lower.
const MINIMAL_PROOF_GUESSES: u64 = 1_000;

/// Cells above which the limit of minimal puzzles falls with their square, because there are more proofs, which
/// take longer: to 409 guesses in 25x25. With 1,000 guesses a minimal sudoku of 25x25 took 8.9 seconds instead of 3.8.
const PLAIN_CELLS: u64 = 400;

/// Guesses after which such a proof is given up for puzzles with a number of clues. The limit is smaller, because other
/// clues may lead to the same number: a 25x25 sudoku of 300 clues takes 0.1 seconds, and three times as long with the
/// limit for minimal puzzles.
const CLUES_PROOF_GUESSES: u64 = 100;

/// Guesses after which the proof that choices have one completion is given up, and the choice that was tried stays.
const PROBLEM_PROOF_GUESSES: u64 = 10_000;

/// Grids of 81 cells that are tried for one puzzle. Then the run ends with [`GenerateError::NoPuzzle`].
const TRIES: u64 = 5_000;

/// As many times more grids are tried for a pattern of clues: most of them are rejected without a search.
const PATTERN_TRIES: u64 = 200;

/// Exchanges for one grid: if thinning stops at too many clues, retry this often: restore a few clues, then try to
/// remove others.
const EXCHANGES: usize = 200;

/// One of how many grids are tried before the clues of the next ones are exchanged, for minimal puzzles with a range of
/// clues: 200 of 9x9. Exchanges change the sample, so they are left for ranges that new grids hardly reach.
const PLAIN_PART: u64 = 25;

/// Guesses from which on puzzles are found by walks: see [`Recipe::walks`].
const WALK_GUESSES: u64 = 6;

/// Guesses of a puzzle at or above which a walk begins with it. Others are left for another grid.
const WALK_BEGINNING: u64 = 3;

/// Steps of a walk that bring it no nearer to the wish, one after the other, at most. Then it begins again with another
/// grid.
const WALK_STEPS: usize = 100;

/// Clues that one step of a walk restores. With 3, puzzles of 10 guesses took 1.2 times as long.
const WALK_RETURNING: usize = 2;

/// As many times more grids are tried if puzzles are rated, or looked up.
const FILTER_TRIES: u64 = 200;

/// Clues that one exchange restores. Tried: 1 to 5 clues, and 50, 200 and 800 exchanges. 3 or 4 clues and 200 or more
/// exchanges were about equally good at finding 20 clues; 1 clue took three times as long.
const RETURNING: usize = 3;

/// The parameters of a run. Rules, seed, wish, symmetry, change and filter fix every byte; engine and threads change
/// the time only.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// Kind and size of the puzzles, and the alphabet in which they are written.
    pub rules: Rules,
    /// Seed of the random numbers. Another seed gives other puzzles.
    pub seed: u64,
    /// The place of the first puzzle. A run of `n` puzzles from place `first` gives the same as puzzles
    /// `first..first + n` of a run from place 0, so several machines can make parts of one run. The last place is
    /// `u64::MAX - 1`.
    pub first: u64,
    /// The kind of puzzles to make.
    pub wish: Wish,
    /// How the clues are placed; `None`: anywhere. The clues of symmetric cells are removed together, and a puzzle is
    /// minimal if no such orbit of clues can be removed; single clues of an orbit may be unnecessary. A pattern takes
    /// no symmetry.
    pub symmetry: Option<&'static ClueSymmetry>,
    /// Makes puzzles without a unique solution: the puzzles of the same recipe without this, each after a change.
    pub negative: Option<Negative>,
    /// The engine that proves that a solution is the only one. It changes the puzzles only if proofs are given up.
    pub engine: &'static Entry,
    /// Worker threads; `None`: one for each core.
    pub threads: Option<NonZero<usize>>,
    /// Which puzzles are kept. The puzzle of a place is the first one that is kept, of all that are made for it.
    pub filter: Filter,
    /// What else is found out about each puzzle.
    pub details: Details,
    /// Whether no two puzzles of a run are of one class. The keys of all puzzles of the run stay in memory, up to
    /// [`DISTINCT_CLASSES`].
    pub is_distinct: bool,
    /// Whether a run that is stopped delivers the puzzles behind one that it has not found.
    pub has_gaps: bool,
    /// Draws the solutions of a problem, for all threads; `None` for grids.
    pub drawer: Option<Drawer<Arc<ExactCover>>>,
    /// Counts what the run makes and tries, for other threads.
    pub tally: Arc<Tally>,
}

/// Puzzles of a run whose classes are kept in memory, at most: about 2 GiB. Of those that follow each is compared with
/// these only.
pub const DISTINCT_CLASSES: usize = 1 << 26;

impl Recipe {
    /// The recipe for 9x9 sudokus.
    pub fn new(seed: u64, wish: Wish) -> Recipe {
        Recipe::of(Rules::default(), seed, wish)
    }

    /// The recipe for puzzles of `rules`, with the fastest engine: `lanes` for puzzles of at most 81 cells, of which many
    /// are made at once; for other rules the one that is fastest for single puzzles. (For a problem this takes up to a
    /// second: it looks for the diagram of all solutions.)
    pub fn of(rules: Rules, seed: u64, wish: Wish) -> Recipe {
        let is_small = rules.stride() <= SURE_CELLS;
        let engine = if is_small { default_for(&rules) } else { prover_for(&rules) };
        let drawer = rules.choices().map(|choices| Drawer::new(Arc::clone(choices.problem())));
        Recipe {
            rules,
            drawer,
            seed,
            first: 0,
            wish,
            symmetry: None,
            negative: None,
            engine,
            threads: None,
            filter: Filter::default(),
            details: Details::default(),
            is_distinct: false,
            has_gaps: false,
            tally: Arc::default(),
        }
    }

    /// Whether puzzles are found by walks: minimal 9x9 sudokus of many guesses, which are rare among those that are
    /// made from the top down. A walk begins with one of these. A step restores a few clues and removes others, and is
    /// kept unless the puzzle takes fewer guesses. Each walk has its own grid, so no two puzzles of a run come from one
    /// walk.
    pub fn walks(&self) -> bool {
        let is_hard = self.filter.guesses.as_ref().is_some_and(|guesses| *guesses.start() >= WALK_GUESSES);
        let is_minimal = matches!(self.wish, Wish::Minimal | Wish::MinimalClues(_));
        let is_plain = !self.details.weights && self.symmetry.is_none();
        is_hard && is_minimal && is_plain && self.rules.grid().is_nine()
    }

    /// Whether the clues of a puzzle that far from the wish are worth an exchange, as the first of its walk.
    fn begins_walk(&self, (of_clues, of_filter): Distance) -> bool {
        let guesses = self.filter.guesses.as_ref().filter(|_| of_clues == 0);
        guesses.is_none_or(|guesses| of_filter <= guesses.start().saturating_sub(WALK_BEGINNING))
    }

    /// Checks that `count` puzzles of the recipe can be asked for.
    ///
    /// # Errors
    /// - [`GenerateError::Places`], [`GenerateError::NoWeights`];
    /// - [`GenerateError::PatternCells`], [`GenerateError::PatternClues`], [`GenerateError::NoCells`];
    /// - [`GenerateError::Clues`] if the range of clues is empty, or not within 17..=81 for the 9x9 sudoku (for other rules,
    ///   from the number of symbols minus one, or from 0 if symbols exclude each other, to the number of cells), or if no
    ///   puzzle of the recipe can have so many clues;
    /// - [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the rules.
    pub fn check(&self, count: u64) -> Result<(), Error> {
        if self.first.checked_add(count).is_none() {
            return Err(GenerateError::Places { first: self.first, count }.into());
        }
        let grid = self.rules.grid();
        let has_places = self.symmetry.is_some() || matches!(self.wish, Wish::Pattern(_));
        if has_places && self.rules.choices().is_some() {
            return Err(GenerateError::NoCells { rules: self.rules.name().to_owned() }.into());
        }
        let fewest = match grid.is_nine() {
            true => FEWEST_CLUES,
            // Two symbols without a clue could change places.
            false if grid.exclusive().is_empty() => usize::from(grid.symbols()).saturating_sub(1),
            false => 0,
        };
        match &self.wish {
            Wish::Minimal => {}
            _ if self.details.weights => return Err(GenerateError::NoWeights.into()),
            Wish::Pattern(cells) => pattern::check(cells, grid, fewest)?,
            Wish::Clues(range) | Wish::MinimalClues(range) => {
                let (&from, &to, most) = (range.start(), range.end(), most_clues(&self.rules));
                if range.is_empty() || from < fewest || to > most {
                    return Err(GenerateError::Clues { from, to, fewest, most }.into());
                }
                let most = self.most_possible_clues(most);
                if from > most {
                    return Err(GenerateError::Clues { from, to, fewest, most }.into());
                }
            }
        }
        let has_weights = grid.is_nine() && self.symmetry.is_none() && self.negative.is_none();
        if self.details.weights && !has_weights {
            return Err(GenerateError::NoWeights.into());
        }
        Ok((self.engine.accepts)(&self.rules).map_err(ErrorKind::from)?)
    }

    /// The most clues of the puzzles that are wanted, of which a full grid has `full`.
    fn most_possible_clues(&self, full: usize) -> usize {
        let is_minimal = matches!(self.wish, Wish::MinimalClues(_)) && self.symmetry.is_none();
        let takes_guesses = self.filter.guesses.as_ref().is_some_and(|guesses| *guesses.start() > 0);
        match self.rules.choices() {
            // Each clue of a full row follows from the others.
            None if is_minimal => full - usize::from(self.rules.grid().symbols()),
            None if takes_guesses => full - 1,
            _ => full,
        }
    }

    /// Whether many puzzles are made at once.
    fn is_batched(&self) -> bool {
        self.rules.stride() <= SURE_CELLS && self.engine.name == LANES.name
    }
}

/// Clues of a full grid, or options of a solution.
fn most_clues(rules: &Rules) -> usize {
    rules.choices().map_or(rules.grid().cells(), |choices| choices.problem().most_chosen())
}

/// Guesses after which `engine` gives up the proof that a puzzle has one solution.
fn proof_guesses(rules: &Rules, engine: &Entry, wish: &Wish) -> u64 {
    if rules.choices().is_some() {
        return PROBLEM_PROOF_GUESSES;
    }
    let cells = rules.stride();
    match wish {
        _ if cells <= SURE_CELLS && engine.name == prover_for(rules).name => SURE_PROOF_GUESSES,
        _ if cells <= SURE_CELLS => engine.max_guesses.max(SURE_PROOF_GUESSES),
        Wish::Minimal | Wish::MinimalClues(_) => {
            MINIMAL_PROOF_GUESSES * PLAIN_CELLS.pow(2) / (cells as u64).max(PLAIN_CELLS).pow(2)
        }
        Wish::Clues(_) | Wish::Pattern(_) => CLUES_PROOF_GUESSES,
    }
}

/// Clues that one exchange restores, or one step of a walk.
fn returning(walks: bool) -> usize {
    if walks { WALK_RETURNING } else { RETURNING }
}

/// How often the clues of a grid are exchanged, at most; in a walk, since it came nearer to the wish.
fn most_exchanges(walks: bool) -> usize {
    if walks { WALK_STEPS } else { EXCHANGES }
}

/// Makes the puzzles of a recipe. Each worker has its own and keeps its memory.
pub(crate) struct Generator<'a> {
    recipe: &'a Recipe,
    batch: Box<Batch<'a>>,
    verifier: Verifier,
    notation: Notation,
    changer: Option<Box<Changer<'a>>>,
    describer: Box<Describer>,
}

impl fmt::Debug for Generator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Generator").field("recipe", &self.recipe).finish_non_exhaustive()
    }
}

/// A puzzle and its solution, as cells.
struct NewPuzzle {
    place: u64,
    puzzle: Vec<u8>,
    grid: Vec<u8>,
    /// The cells in the order in which their clues were tried; empty unless the puzzle is weighed.
    order: Vec<u32>,
}

impl<'a> Generator<'a> {
    /// A generator for `recipe`.
    ///
    /// # Errors
    /// The errors of [`Recipe::check`]; [`GenerateError::Asymmetric`] if no number of the range can be symmetric.
    pub(crate) fn new(recipe: &'a Recipe) -> Result<Generator<'a>, Error> {
        recipe.check(0)?;
        let batch = Box::new(Batch::new(recipe)?);
        let changer =
            recipe.negative.map(|negative| Changer::new(recipe, negative)).transpose()?.map(Box::new);
        let describer = Box::new(Describer::new(recipe)?);
        let (verifier, notation) = (Verifier::new(&recipe.rules), Notation::from(&recipe.rules));
        Ok(Generator { recipe, batch, verifier, notation, changer, describer })
    }

    /// Appends the puzzles `places` of the recipe to `page`. After an error it ends with the last whole puzzle.
    ///
    /// # Errors
    /// A [`GenerateError`] if a puzzle was not found, [`ErrorKind::Stopped`] soon after `stop` is set,
    /// [`WrongSolution`](crate::grid::WrongSolution) if the engine has a bug.
    pub(crate) fn write(
        &mut self,
        places: Range<u64>,
        stop: &AtomicBool,
        page: &mut MadePage,
    ) -> Result<(), Error> {
        let (made, outcome) = self.make(places, stop);
        let cells = self.recipe.rules.stride();
        let solved = self.batch.only_solutions(&made).to_vec();
        for (made, solution) in made.iter().zip(solved.chunks_exact(cells)) {
            let NewPuzzle { place, puzzle, grid, .. } = made;
            self.check(puzzle, grid, solution)?;
            let notation = &self.notation;
            if let Some(changer) = &mut self.changer {
                let (puzzle, change) = changer.change(*place, made, &self.verifier)?;
                write_line(notation, &mut page.puzzles, &puzzle);
                page.solutions.extend_from_slice(change.as_bytes());
                page.solutions.push(b'\n');
                page.places.push(*place);
                continue;
            }
            write_line(notation, &mut page.puzzles, puzzle);
            write_line(notation, &mut page.solutions, grid);
            page.places.push(*place);
        }
        self.describer.describe(&made, cells, page)?;
        outcome
    }

    /// Makes the puzzles `places`, up to the first one that fails.
    fn make(&mut self, places: Range<u64>, stop: &AtomicBool) -> (Vec<NewPuzzle>, Result<(), Error>) {
        self.batch.make(places, stop)
    }

    /// Checks a puzzle with the verifier before it leaves the generator: the only solution that the engine finds is
    /// right and keeps the clues, and it is the grid of the puzzle.
    fn check(&self, puzzle: &[u8], grid: &[u8], solution: &[u8]) -> Result<(), Error> {
        self.verifier.check(puzzle, solution).and_then(|()| self.verifier.check(grid, solution)).map_err(
            |violation| {
                let [puzzle, solution] = [puzzle, solution].map(|cells| {
                    let mut line = Vec::new();
                    self.notation.write(cells, &mut line);
                    String::from_utf8_lossy(&line).into_owned()
                });
                let engine = self.recipe.engine.name.to_owned();
                WrongSolution { engine, puzzle, solution, violation }.into()
            },
        )
    }
}

fn write_line(notation: &Notation, lines: &mut Vec<u8>, cells: &[u8]) {
    notation.write(cells, lines);
    lines.push(b'\n');
}
