//! Makes puzzles side by side, or one after the other.
//!
//! ```text
//! puzzle 0    grid -> try -> checked -> try -> checked -> ... -> done
//! puzzle 1    grid -> try -> checked -> try -> checked -> ...                       each column of checks is a batch
//! ...
//! ```
//! Up to 81 cells the engine `lanes` checks many tries at once. The last few puzzles of a batch are finished one by one,
//! because they would leave nearly all lanes empty; with another engine all of them are. A puzzle is the same either way:
//! its random numbers are its own, and [`Thinning`] gives the result of the plain algorithm.
//!
//! If not all puzzles are kept, those that are thinned wait until enough of them can be judged together, or until only
//! a few others are checked.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cycles::Set;
use super::fill::Filler;
use super::filter::{FAR, Grade, Grader};
use super::judge::Judge;
use super::orbits::Orbits;
use super::thinning::{Order, Thinning, differing};
use super::{
    Distance, FILTER_TRIES, GenerateError, Misses, NewPuzzle, PATTERN_TRIES, Recipe, TRIES, Wish, most_clues,
    most_exchanges, pattern, proof_guesses, returning,
};
use crate::chance::Chance;
use crate::engine::WrongLength;
use crate::engine::{Isa, LanesEngine, prover_for};
use crate::error::{Error, ErrorKind};
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Puzzles under way below which they are finished one by one.
const FEW: usize = 32;

/// The same for puzzles of other kinds than 9x9 sudoku, whose engine for single puzzles takes longer.
const FEW_OTHERS: usize = 12;

/// The same for puzzles that are found by walks: each takes hundreds of steps, and a step that is made alone uses no
/// unavoidable sets.
const FEW_WALKS: usize = 4;

/// Thinned puzzles that wait for others, at most, before they are judged together.
const JUDGED: usize = 256;

/// Unavoidable sets of a grid that are kept from one exchange to the next; the oldest ones are dropped.
const SETS: usize = 200;

/// Makes puzzles.
pub(super) struct Batch<'a> {
    pub(super) making: Making<'a>,
    /// The engine for many puzzles at once, and puzzles under way below which it is not used.
    lanes: Option<(LanesEngine, usize)>,
    alone: Judge,
    cells: usize,
    grader: Option<Grader>,
    grades: Vec<Grade>,
    /// Of the puzzles that are checked, side by side: themselves, their grids, their single clues, the answers.
    puzzles: Vec<u8>,
    grids: Vec<u8>,
    singles: Vec<Option<usize>>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

/// What the puzzles of a batch share.
pub(super) struct Making<'a> {
    recipe: &'a Recipe,
    filler: Filler,
    orbits: Option<Orbits>,
    pub(super) max_tries: u64,
    is_nine: bool,
    walks: bool,
}

/// A puzzle that is being made.
struct Task {
    place: u64,
    chance: Chance,
    target: usize,
    tries: u64,
    found: Misses,
    thinning: Thinning,
    exchange: Option<Box<Exchange>>,
    /// The unavoidable sets of the grid; kept only if clues may be exchanged.
    sets: Vec<Set>,
    step: Step,
    /// Whether there was no full grid.
    is_gridless: bool,
}

/// The exchanges of clues of a grid that could not be thinned to the target.
struct Exchange {
    /// The puzzle nearest to the wish so far.
    best: Vec<u8>,
    clues: usize,
    /// Its distance from the wish.
    distance: Distance,
    left: usize,
}

/// Where a puzzle is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It can go on.
    Next,
    /// The try of its thinning must be checked.
    Check,
    /// It is thinned, with the clues of the wish, and must be judged.
    Judge,
    Done,
    /// No puzzle was found in all tries.
    Failed,
}

impl Making<'_> {
    /// Whether the clues of grid `tries` of a puzzle may be exchanged.
    fn exchanges(&self, tries: u64) -> bool {
        let is_plain = self.orbits.is_none();
        self.walks || is_plain && self.recipe.wish.exchanges(tries, self.max_tries)
    }

    /// Begins to remove clues of a grid.
    fn thinning(&self, grid: Vec<u8>, order: Order, target: usize) -> Thinning {
        let mut thinning = Thinning::new(grid, order, target);
        if self.is_nine {
            thinning.add_cycles();
        }
        thinning
    }
}

impl Task {
    fn new(making: &mut Making<'_>, place: u64) -> Task {
        let mut chance = Chance::new(making.recipe.seed, place);
        let target = match &making.orbits {
            Some(orbits) => orbits.target(&making.recipe.wish, &mut chance),
            None => making.recipe.wish.target(&mut chance),
        };
        let mut task = Task {
            place,
            chance,
            target,
            tries: 0,
            found: Misses::NONE,
            thinning: Thinning::new(Vec::new(), Order::default(), 0),
            exchange: None,
            sets: Vec::new(),
            step: Step::Next,
            is_gridless: false,
        };
        if !task.next_grid(making) {
            task.step = Step::Failed;
        }
        task
    }

    /// Begins with another grid. Returns false if there were enough, or if none is found.
    fn next_grid(&mut self, making: &mut Making<'_>) -> bool {
        if self.tries == making.max_tries {
            return false;
        }
        self.tries += 1;
        let mut grid = vec![0; making.recipe.rules.stride()];
        if !making.filler.fill(&mut grid, &mut self.chance) {
            self.is_gridless = true;
            return false;
        }
        let order = match (&making.recipe.wish, &mut making.orbits) {
            (Wish::Pattern(cells), _) => pattern::order(cells),
            (_, Some(orbits)) => orbits.order(&mut self.chance),
            (_, None) => Order::of_cells(shuffled(&grid, &mut self.chance)),
        };
        self.thinning = making.thinning(grid, order, self.target);
        self.exchange = None;
        self.sets.clear();
        true
    }

    /// Goes on to the next check, or to the judgement.
    fn next(&mut self, making: &mut Making<'_>, is_stopped: &dyn Fn() -> bool) -> Step {
        let recipe = making.recipe;
        while !self.thinning.try_next() {
            let clues = self.thinning.clues();
            let distance = recipe.wish.distance(clues, self.target);
            if distance == 0 {
                return if recipe.filter.is_open() { Step::Done } else { Step::Judge };
            }
            if !matches!(recipe.wish, Wish::Pattern(_)) {
                self.found.add(clues);
                recipe.tally.miss_clues(clues);
            }
            if !self.leave(making, (distance, FAR)) {
                return Step::Failed;
            }
            if is_stopped() {
                return Step::Next;
            }
        }
        Step::Check
    }

    /// Takes its grade.
    fn settle_grade(&mut self, making: &mut Making<'_>, grade: Grade) -> Step {
        if grade.distance == 0 {
            return Step::Done;
        }
        grade.guesses.into_iter().for_each(|guesses| self.found.add_guesses(guesses));
        making.recipe.tally.miss_filter(grade.guesses);
        match self.leave(making, (0, grade.distance)) {
            true => Step::Next,
            false => Step::Failed,
        }
    }

    /// Leaves a puzzle that is that far from the wish: begins an exchange, or another grid. Returns false after the
    /// last one.
    fn leave(&mut self, making: &mut Making<'_>, distance: Distance) -> bool {
        if self.exchange.is_none() && making.walks && !making.recipe.begins_walk(distance) {
            return self.next_grid(making);
        }
        making.exchanges(self.tries) && self.next_exchange(making, distance) || self.next_grid(making)
    }

    /// Restores a few clues and begins to remove others: see [`EXCHANGES`](super::EXCHANGES). `distance` says how far
    /// the puzzle is from the wish. Returns false if that was done often enough.
    ///
    /// This finds low numbers of clues, and puzzles of many guesses, far sooner than new grids do.
    fn next_exchange(&mut self, making: &Making<'_>, distance: Distance) -> bool {
        let exchange = self.exchange.get_or_insert_with(|| {
            let left = most_exchanges(making.walks);
            Box::new(Exchange { best: Vec::new(), clues: 0, distance, left })
        });
        if distance < exchange.distance && making.walks {
            exchange.left = most_exchanges(making.walks);
        }
        if distance <= exchange.distance {
            let (best, clues) = (self.thinning.puzzle().to_vec(), self.thinning.clues());
            **exchange = Exchange { best, clues, distance, left: exchange.left };
        }
        if exchange.left == 0 {
            return false;
        }
        exchange.left -= 1;
        let mut order = shuffled(self.thinning.grid(), &mut self.chance);
        // First the clues in random order, then the blanks in random order.
        order.sort_by_key(|&cell| exchange.best[cell as usize] == 0);
        order.truncate(exchange.clues + returning(making.walks));
        let grid = self.thinning.grid().to_vec();
        self.thinning = making.thinning(grid, Order::of_cells(order), self.target);
        let surplus = self.sets.len().saturating_sub(SETS);
        self.sets.drain(..surplus);
        self.sets.iter().for_each(|&set| self.thinning.add(set));
        true
    }

    /// Takes the result of the check: another solution, if there is one.
    fn settle(&mut self, other: Option<&[u8]>, keeps_sets: bool) {
        match other.map(|other| differing(self.thinning.grid(), other)) {
            None => self.thinning.succeed(),
            Some(cells) => {
                self.thinning.fail(Some(cells));
                if keeps_sets {
                    self.sets.push(cells);
                }
            }
        }
        self.step = Step::Next;
    }

    fn made(&self, is_weighed: bool) -> NewPuzzle {
        let Task { place, thinning, .. } = self;
        let order = if is_weighed { thinning.order().cells.clone() } else { Vec::new() };
        NewPuzzle { place: *place, puzzle: thinning.puzzle().to_vec(), grid: thinning.grid().to_vec(), order }
    }

    /// Why no puzzle was found.
    fn error(&self, making: &Making<'_>) -> GenerateError {
        let Recipe { rules, wish, filter, .. } = making.recipe;
        match self.is_gridless {
            true => GenerateError::NoGrid { rules: rules.name().to_owned() },
            false => wish.no_puzzle(filter, self.target, &self.found, making.max_tries),
        }
    }
}

/// The cells of a full grid in random order; of a solution the options that are chosen.
fn shuffled(grid: &[u8], chance: &mut Chance) -> Vec<u32> {
    let mut cells: Vec<u32> = (0..grid.len() as u32).collect();
    if grid.contains(&0) {
        cells.retain(|&cell| grid[cell as usize] != 0);
    }
    chance.shuffle(&mut cells);
    cells
}

impl<'a> Batch<'a> {
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the rules;
    /// [`GenerateError::Asymmetric`].
    pub(super) fn new(recipe: &'a Recipe) -> Result<Batch<'a>, Error> {
        let Recipe { rules, wish, filter, .. } = recipe;
        let (isa, grid) = (Isa::best(), rules.grid());
        let (is_nine, walks) = (grid.is_nine(), recipe.walks());
        let orbits = recipe.symmetry.map(|symmetry| Orbits::new(symmetry, grid.side()));
        orbits.as_ref().map_or(Ok(()), |orbits| orbits.check(wish))?;
        let few = match is_nine {
            true if walks => FEW_WALKS,
            true => FEW,
            false => FEW_OTHERS,
        };
        // The engine for many puzzles at once is slow for single ones, and gives no proof up.
        let (lanes, entry, guesses) = match recipe.is_batched() {
            true => {
                let lanes = LanesEngine::new(rules, isa).map_err(ErrorKind::from)?;
                (Some((lanes, few)), prover_for(rules), u64::MAX)
            }
            false => (None, recipe.engine, proof_guesses(rules, recipe.engine, wish)),
        };
        let alone = (entry.make)(rules, isa).map_err(ErrorKind::from)?;
        // The time to thin a grid grows about with the cube of its cells.
        let tries = (TRIES * 81_u64.pow(3) / (most_clues(rules) as u64).pow(3).max(1)).clamp(10, TRIES);
        let max_tries = match wish {
            Wish::Pattern(_) => tries * PATTERN_TRIES,
            _ if !filter.is_open() => tries * FILTER_TRIES,
            _ => tries,
        };
        let filler = Filler::new(recipe).map_err(ErrorKind::from)?;
        Ok(Batch {
            making: Making { recipe, filler, orbits, max_tries, is_nine, walks },
            lanes,
            alone: Judge::new(alone, rules.stride(), guesses),
            cells: rules.stride(),
            grader: Grader::new(recipe)?,
            grades: Vec::new(),
            puzzles: Vec::new(),
            grids: Vec::new(),
            singles: Vec::new(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Makes the puzzles `places`, each with its grid, up to the first one that is not found; the error is that of this
    /// one. If the recipe says so, a run that is stopped has all puzzles that are found.
    pub(super) fn make(
        &mut self,
        places: Range<u64>,
        stop: &AtomicBool,
    ) -> (Vec<NewPuzzle>, Result<(), Error>) {
        let is_stopped = &|| stop.load(Ordering::Relaxed);
        let (recipe, first) = (self.making.recipe, places.start);
        let mut made: Vec<Option<NewPuzzle>> = places.clone().map(|_| None).collect();
        let mut failed: Option<(u64, GenerateError)> = None;
        let mut tasks: Vec<Task> = places.map(|place| Task::new(&mut self.making, place)).collect();
        while !tasks.is_empty() && !is_stopped() {
            let outcome = match &self.lanes {
                Some((_, few)) if tasks.len() >= *few => self.advance(&mut tasks, is_stopped),
                _ => self.finish(&mut tasks, is_stopped),
            };
            match outcome {
                Err(error) if !is_stopped() => return (Vec::new(), Err(error)),
                _ => {}
            }
            tasks.retain(|task| {
                match task.step {
                    Step::Done => {
                        made[(task.place - first) as usize] = Some(task.made(recipe.details.weights));
                        recipe.tally.make();
                    }
                    Step::Failed if failed.as_ref().is_none_or(|&(place, _)| task.place < place) => {
                        failed = Some((task.place, task.error(&self.making)));
                    }
                    _ => {}
                }
                !matches!(task.step, Step::Done | Step::Failed)
            });
            if let Some((place, _)) = failed {
                tasks.retain(|task| task.place < place);
            }
        }
        let count = made.iter().position(Option::is_none).unwrap_or(made.len());
        let outcome = match failed {
            _ if count == made.len() => Ok(()),
            Some((place, error)) if place == first + count as u64 => Err(error.into()),
            _ => Err(ErrorKind::Stopped.into()),
        };
        if !(recipe.has_gaps && is_stopped()) {
            made.truncate(count);
        }
        (made.into_iter().flatten().collect(), outcome)
    }

    /// Brings each of the tasks one check forward.
    fn advance(&mut self, tasks: &mut [Task], is_stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        let (mut checked, mut judged) = (0, 0);
        for task in tasks.iter_mut() {
            if task.step == Step::Next {
                task.step = task.next(&mut self.making, is_stopped);
            }
            checked += usize::from(task.step == Step::Check);
            judged += usize::from(task.step == Step::Judge);
        }
        if judged >= JUDGED || checked < FEW.min(tasks.len().div_ceil(2)) && judged > 0 {
            self.judge(tasks, is_stopped)?;
        }
        self.check(tasks, is_stopped);
        Ok(())
    }

    /// Finishes each of the tasks alone.
    fn finish(&mut self, tasks: &mut [Task], is_stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        for task in tasks {
            while !matches!(task.step, Step::Done | Step::Failed) && !is_stopped() {
                match task.step {
                    Step::Judge => self.judge(std::slice::from_mut(task), is_stopped)?,
                    Step::Check => {
                        self.alone.check(&mut task.thinning);
                        task.step = Step::Next;
                    }
                    _ => task.step = task.next(&mut self.making, is_stopped),
                }
            }
        }
        Ok(())
    }

    /// Judges the tasks that wait for it.
    fn judge(&mut self, tasks: &mut [Task], is_stopped: &dyn Fn() -> bool) -> Result<(), Error> {
        let Some(grader) = &mut self.grader else { return Ok(()) };
        let waiting = tasks.iter().filter(|task| task.step == Step::Judge);
        let made = waiting.map(|task| (task.thinning.puzzle(), task.thinning.grid()));
        grader.grade(&self.making.recipe.filter, made, self.cells, is_stopped, &mut self.grades)?;
        let waiting = tasks.iter_mut().filter(|task| task.step == Step::Judge);
        for (task, grade) in waiting.zip(&self.grades) {
            task.step = task.settle_grade(&mut self.making, *grade);
        }
        Ok(())
    }

    /// Checks the tries of the tasks that wait for it. A task that is not reached because the run is stopped stays as
    /// it is.
    fn check(&mut self, tasks: &mut [Task], is_stopped: &dyn Fn() -> bool) {
        self.puzzles.clear();
        self.grids.clear();
        self.singles.clear();
        for task in tasks.iter().filter(|task| task.step == Step::Check) {
            task.thinning.push_try(&mut self.puzzles);
            self.grids.extend_from_slice(task.thinning.grid());
            self.singles.push(task.thinning.single());
        }
        self.make_room(self.singles.len());
        // There is a place for each puzzle.
        let _ = self.find_others(is_stopped);
        let found = self.solutions.chunks_exact(self.cells).zip(&self.answers);
        let checked = tasks.iter_mut().filter(|task| task.step == Step::Check);
        for (task, (solution, answer)) in checked.zip(found) {
            match answer.status(Limits::ANY) {
                Status::Unanswered => {}
                _ => {
                    let keeps_sets = self.making.exchanges(task.tries);
                    task.settle((answer.solutions > 0).then_some(solution), keeps_sets);
                }
            }
        }
    }

    /// Makes room for the answers to `count` puzzles.
    fn make_room(&mut self, count: usize) {
        self.solutions.resize(count * self.cells, 0);
        self.answers.clear();
        self.answers.resize(count, Answer::default());
    }

    fn find_others(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), WrongLength> {
        let Some((lanes, _)) = &mut self.lanes else { return Ok(()) };
        let (puzzles, grids) =
            (Puzzles::new(&self.puzzles, self.cells)?, Puzzles::new(&self.grids, self.cells)?);
        let answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells)?;
        lanes.find_others(puzzles, grids, &self.singles, answers, is_stopped)
    }

    /// The only solutions of the puzzles, side by side; zeros for a puzzle that has not exactly one.
    pub(super) fn only_solutions(&mut self, made: &[NewPuzzle]) -> &[u8] {
        self.puzzles.clear();
        made.iter().for_each(|made| self.puzzles.extend_from_slice(&made.puzzle));
        self.make_room(made.len());
        self.solutions.fill(0);
        // There is a place for each puzzle.
        let _ = self.solve();
        &self.solutions
    }

    fn solve(&mut self) -> Result<(), WrongLength> {
        let puzzles = Puzzles::new(&self.puzzles, self.cells)?;
        let places = self.solutions.chunks_exact_mut(self.cells);
        let Some((lanes, _)) = &mut self.lanes else {
            for (puzzle, solution) in puzzles.iter().zip(places) {
                self.alone.only_solution(puzzle).iter().for_each(|only| solution.copy_from_slice(only));
            }
            return Ok(());
        };
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells)?;
        lanes.as_engine().solve(puzzles, Limits::UNIQUE, &mut answers)?;
        for (solution, answer) in self.solutions.chunks_exact_mut(self.cells).zip(&self.answers) {
            if answer.status(Limits::UNIQUE) != Status::Solved {
                solution.fill(0);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Generator, Wish};
    use super::*;
    use crate::engine::named;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    /// The puzzles `0..count` of a recipe, made by this engine.
    fn made(recipe: &Recipe, engine: &str, count: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
        let recipe = Recipe { engine: named(engine).unwrap(), ..recipe.clone() };
        let (made, outcome) = Generator::new(&recipe).unwrap().make(0..count, &GO_ON);
        outcome.unwrap();
        made.into_iter().map(|made| (made.puzzle, made.grid)).collect()
    }

    /// The same for other kinds and sizes, which are made alone by `grid`.
    #[test]
    fn puzzles_of_other_kinds_are_those_that_are_made_alone() {
        use crate::grid::{KINDS, Rules};
        let mut kinds = 0;
        for (kind, side) in KINDS.iter().flat_map(|kind| [4, 6, 9].map(|side| (kind, side))) {
            let Ok(rules) = Rules::new(kind, side, None) else { continue };
            if rules.grid().is_nine() || Recipe::of(rules.clone(), 0, Wish::Minimal).engine.name != "lanes" {
                continue;
            }
            let cells = side * side;
            let full = Wish::Clues(cells..=cells);
            for (wish, count) in [(Wish::Minimal, 70), (Wish::Clues(cells / 3..=cells / 2), 70), (full, 40)] {
                // Where symbols exclude each other, minimal puzzles have few clues, and `grid` gives up some proofs.
                if matches!(wish, Wish::Minimal) && !rules.grid().exclusive().is_empty() {
                    continue;
                }
                let recipe = Recipe::of(rules.clone(), 22, wish);
                let (found, expected) = (made(&recipe, "lanes", count), made(&recipe, "grid", count));
                assert!(found == expected, "{} {:?}", rules.name(), recipe.wish);
            }
            kinds += 1;
        }
        assert!(kinds >= 6, "{kinds}");
    }

    /// Minimal puzzles, puzzles with clues that are reached at once, and such that need exchanges and other grids.
    #[test]
    fn puzzles_are_those_that_are_made_alone() {
        let wishes = [(Wish::Minimal, 150), (Wish::Clues(23..=40), 150), (Wish::Clues(81..=81), 40)];
        for (wish, count) in wishes.into_iter().chain([(Wish::Clues(21..=22), 40)]) {
            let recipe = Recipe::new(20, wish);
            assert!(made(&recipe, "lanes", count) == made(&recipe, "bitboard", count), "{:?}", recipe.wish);
        }
    }

    /// Puzzles of a level, and such that are found by walks.
    #[test]
    fn filtered_puzzles_are_those_that_are_made_alone() {
        use super::super::Filter;
        use crate::explain::Level;
        let filters = [
            (Filter { level: Some(Level::Hard), ..Filter::default() }, Wish::Minimal),
            (Filter { guesses: Some(1..=2), ..Filter::default() }, Wish::MinimalClues(23..=24)),
            (Filter { guesses: Some(6..=u64::MAX), ..Filter::default() }, Wish::Minimal),
        ];
        for ((filter, wish), count) in filters.into_iter().zip([60, 60, 36]) {
            let recipe = Recipe { filter, ..Recipe::new(21, wish) };
            assert!(made(&recipe, "lanes", count) == made(&recipe, "bitboard", count), "{:?}", recipe.filter);
        }
    }

    /// The puzzles before the first one that is not found are made, and the error says why that one is not.
    #[test]
    fn a_puzzle_that_is_not_found_ends_the_batch() {
        let recipe = Recipe::new(3, Wish::Clues(19..=30));
        let alone = Recipe { engine: named("bitboard").unwrap(), ..recipe.clone() };
        let [(made, outcome), (same, expected)] = [&recipe, &alone].map(|recipe| {
            let mut batch = Batch::new(recipe).unwrap();
            batch.making.max_tries = 1;
            batch.make(0..200, &GO_ON)
        });
        let puzzles = |made: &[NewPuzzle]| made.iter().map(|made| made.puzzle.clone()).collect::<Vec<_>>();
        assert_eq!(puzzles(&made), puzzles(&same));
        assert_eq!(outcome.unwrap_err().to_string(), expected.unwrap_err().to_string());
        assert!(!made.is_empty());
    }

    #[test]
    fn only_solutions_are_told_from_others() {
        for engine in ["lanes", "bitboard"] {
            let recipe = Recipe { engine: named(engine).unwrap(), ..Recipe::new(1, Wish::Minimal) };
            let mut batch = Batch::new(&recipe).unwrap();
            let (mut made, _) = batch.make(0..40, &GO_ON);
            let (puzzle, grid) = (vec![0; 81], made[0].grid.clone());
            made.push(NewPuzzle { place: 40, puzzle, grid, order: Vec::new() });
            let solutions = batch.only_solutions(&made).to_vec();
            for (made, solution) in made.iter().zip(solutions.chunks(81)).take(40) {
                assert_eq!(made.grid, solution);
            }
            assert_eq!(solutions[40 * 81..], [0; 81]);
        }
    }
}
