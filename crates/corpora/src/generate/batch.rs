//! Makes many puzzles of at most 81 cells side by side, with the engine that solves many at once.
//!
//! ```text
//! puzzle 0    grid -> try -> checked -> try -> checked -> ... -> done
//! puzzle 1    grid -> try -> checked -> try -> checked -> ...                       each column of checks is a batch
//! ...
//! ```
//! A puzzle is the same as one that is made alone: its random numbers are its own, and [`Thinning`] gives the result of
//! the plain algorithm. The last few puzzles of a batch are finished one by one, because they would leave nearly all
//! lanes empty.
//!
//! If not all puzzles are kept, those that are thinned wait until enough of them can be judged together, or until only
//! a few others are checked.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cycles::{CELLS, Set};
use super::fill::Filler;
use super::filter::{FAR, Grade, Grader};
use super::thin::Judge;
use super::thinning::{Thinning, differing};
use super::{Distance, GenerateError, Misses, NewPuzzle, Recipe, most_exchanges, returning};
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

/// Makes many puzzles at once.
pub(super) struct Batch {
    engine: LanesEngine,
    alone: Judge,
    filler: Filler,
    cells: usize,
    is_nine: bool,
    grader: Option<Grader>,
    grades: Vec<Grade>,
    /// Of the puzzles that are checked, side by side: themselves, their grids, their single clues, the answers.
    puzzles: Vec<u8>,
    grids: Vec<u8>,
    singles: Vec<Option<usize>>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
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

/// What the tasks of a batch share.
struct Making<'a> {
    recipe: &'a Recipe,
    filler: &'a mut Filler,
    max_tries: u64,
    is_nine: bool,
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

impl Task {
    fn new(making: &mut Making<'_>, place: u64) -> Option<Task> {
        let mut chance = Chance::new(making.recipe.seed, place);
        let target = making.recipe.wish.target(&mut chance);
        let thinning = Thinning::new(&[], &[], 0);
        let mut task = Task {
            place,
            chance,
            target,
            tries: 0,
            found: Misses::NONE,
            thinning,
            exchange: None,
            sets: Vec::new(),
            step: Step::Next,
            is_gridless: false,
        };
        if !task.next_grid(making) {
            task.step = Step::Failed;
        }
        (task.step == Step::Next || task.is_gridless).then_some(task)
    }

    /// Begins with another grid. Returns false if there were enough, or if none is found.
    fn next_grid(&mut self, making: &mut Making<'_>) -> bool {
        if self.tries == making.max_tries {
            return false;
        }
        self.tries += 1;
        let mut grid = [0; CELLS];
        let cells = making.recipe.rules.stride().min(CELLS);
        let grid = &mut grid[..cells];
        if !making.filler.fill(grid, &mut self.chance) {
            self.is_gridless = true;
            return false;
        }
        let mut order: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
        let order = &mut order[..cells];
        self.chance.shuffle(order);
        self.thinning = Thinning::new(grid, order, self.target);
        if making.is_nine {
            self.thinning.add_cycles();
        }
        self.exchange = None;
        self.sets.clear();
        true
    }

    /// Goes on to the next check, or to the judgement.
    fn next(&mut self, making: &mut Making<'_>) -> Step {
        let recipe = making.recipe;
        while !self.thinning.try_next() {
            let clues = self.thinning.clues();
            let distance = recipe.wish.distance(clues, self.target);
            if distance == 0 {
                return if recipe.filter.is_open() { Step::Done } else { Step::Judge };
            }
            self.found.add(clues);
            recipe.tally.miss_clues(clues);
            if !self.leave(making, (distance, FAR)) {
                return Step::Failed;
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
        let recipe = making.recipe;
        let walks = recipe.wishes_walks();
        if self.exchange.is_none() && walks && !recipe.begins_walk(distance) {
            return self.next_grid(making);
        }
        let is_exchanged = (walks || recipe.wish.exchanges(self.tries, making.max_tries))
            && self.next_exchange(making, distance);
        is_exchanged || self.next_grid(making)
    }

    /// Restores a few clues and begins to remove others: see [`EXCHANGES`](super::EXCHANGES). `distance` says how far
    /// the puzzle is from the wish. Returns false if that was done often enough.
    fn next_exchange(&mut self, making: &Making<'_>, distance: Distance) -> bool {
        let (recipe, cells) = (making.recipe, self.thinning.grid().len());
        let exchange = self.exchange.get_or_insert_with(|| {
            Box::new(Exchange {
                best: vec![0; cells],
                clues: cells,
                distance,
                left: most_exchanges(recipe.wishes_walks()),
            })
        });
        if distance < exchange.distance && recipe.wishes_walks() {
            exchange.left = most_exchanges(recipe.wishes_walks());
        }
        if distance <= exchange.distance {
            let (best, clues) = (self.thinning.puzzle().to_vec(), self.thinning.clues());
            **exchange = Exchange { best, clues, distance, left: exchange.left };
        }
        if exchange.left == 0 {
            return false;
        }
        exchange.left -= 1;
        let mut order: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
        let order = &mut order[..cells];
        self.chance.shuffle(order);
        // First the clues in random order, then the blanks in random order.
        order.sort_by_key(|&cell| exchange.best[usize::from(cell)] == 0);
        let order = &order[..cells.min(exchange.clues + returning(recipe.wishes_walks()))];
        self.thinning = Thinning::new(self.thinning.grid(), order, self.target);
        if making.is_nine {
            self.thinning.add_cycles();
        }
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
    }

    fn made(&self, is_weighed: bool) -> NewPuzzle {
        let Task { place, thinning, .. } = self;
        let order = if is_weighed { thinning.order().to_vec() } else { Vec::new() };
        NewPuzzle { place: *place, puzzle: thinning.puzzle().to_vec(), grid: thinning.grid().to_vec(), order }
    }
}

impl Batch {
    pub(super) fn new(recipe: &Recipe) -> Result<Batch, Error> {
        let isa = Isa::best();
        let engine = LanesEngine::new(&recipe.rules, isa).map_err(ErrorKind::from)?;
        let alone = (prover_for(&recipe.rules).make)(&recipe.rules, isa).map_err(ErrorKind::from)?;
        let grid = recipe.rules.grid();
        Ok(Batch {
            engine,
            alone: Judge::new(alone, &recipe.rules, u64::MAX),
            filler: Filler::new(recipe).map_err(ErrorKind::from)?,
            cells: grid.cells(),
            is_nine: grid.is_nine(),
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
        recipe: &Recipe,
        places: Range<u64>,
        max_tries: u64,
        stop: &AtomicBool,
    ) -> (Vec<NewPuzzle>, Result<(), Error>) {
        let is_stopped = &|| stop.load(Ordering::Relaxed);
        let first = places.start;
        let mut made: Vec<Option<NewPuzzle>> = places.clone().map(|_| None).collect();
        let mut failed: Option<(u64, GenerateError)> = None;
        let mut making = self.making(recipe, max_tries);
        let mut tasks: Vec<Task> = places.filter_map(|place| Task::new(&mut making, place)).collect();
        while !tasks.is_empty() && !is_stopped() {
            let few = match self.is_nine {
                true if recipe.wishes_walks() => FEW_WALKS,
                true => FEW,
                false => FEW_OTHERS,
            };
            let outcome = match tasks.len() < few {
                true => self.finish(&mut tasks, recipe, max_tries, is_stopped),
                false => self.advance(&mut tasks, recipe, max_tries, is_stopped),
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
                        let error = match task.is_gridless {
                            true => GenerateError::NoGrid { rules: recipe.rules.name().to_owned() },
                            false => {
                                recipe.wish.no_puzzle(&recipe.filter, task.target, &task.found, max_tries)
                            }
                        };
                        failed = Some((task.place, error));
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

    fn making<'a>(&'a mut self, recipe: &'a Recipe, max_tries: u64) -> Making<'a> {
        Making { recipe, filler: &mut self.filler, max_tries, is_nine: self.is_nine }
    }

    /// Brings each of the tasks one check forward.
    fn advance(
        &mut self,
        tasks: &mut [Task],
        recipe: &Recipe,
        max_tries: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let walks = recipe.wishes_walks();
        let (mut checked, mut judged) = (0, 0);
        let mut making = self.making(recipe, max_tries);
        for task in tasks.iter_mut() {
            if task.step == Step::Next {
                task.step = task.next(&mut making);
            }
            checked += usize::from(task.step == Step::Check);
            judged += usize::from(task.step == Step::Judge);
        }
        if judged >= JUDGED || checked < FEW.min(tasks.len().div_ceil(2)) && judged > 0 {
            self.judge(tasks, recipe, max_tries, is_stopped)?;
        }
        self.check(tasks, |task| walks || recipe.wish.exchanges(task.tries, max_tries), is_stopped);
        Ok(())
    }

    /// Finishes each of the tasks alone.
    fn finish(
        &mut self,
        tasks: &mut [Task],
        recipe: &Recipe,
        max_tries: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let mut puzzle = Vec::new();
        for task in tasks.iter_mut() {
            while !matches!(task.step, Step::Done | Step::Failed) && !is_stopped() {
                match task.step {
                    Step::Judge => {
                        self.judge(std::slice::from_mut(task), recipe, max_tries, is_stopped)?;
                    }
                    Step::Check => {
                        puzzle.clear();
                        task.thinning.push_try(&mut puzzle);
                        match self.alone.is_unique(&puzzle) {
                            true => task.thinning.succeed(),
                            false => task.thinning.fail(None),
                        }
                        task.step = Step::Next;
                    }
                    _ => task.step = task.next(&mut self.making(recipe, max_tries)),
                }
            }
        }
        Ok(())
    }

    /// Judges the tasks that wait for it.
    fn judge(
        &mut self,
        tasks: &mut [Task],
        recipe: &Recipe,
        max_tries: u64,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let Some(grader) = &mut self.grader else { return Ok(()) };
        let waiting = tasks.iter().filter(|task| task.step == Step::Judge);
        let made = waiting.map(|task| (task.thinning.puzzle(), task.thinning.grid()));
        grader.grade(&recipe.filter, made, self.cells, is_stopped, &mut self.grades)?;
        let waiting = tasks.iter_mut().filter(|task| task.step == Step::Judge);
        let mut making = Making { recipe, filler: &mut self.filler, max_tries, is_nine: self.is_nine };
        for (task, grade) in waiting.zip(&self.grades) {
            task.step = task.settle_grade(&mut making, *grade);
        }
        Ok(())
    }

    /// Checks the tries of the tasks that wait for it. A task that is not reached because the run is stopped stays as
    /// it is.
    fn check(
        &mut self,
        tasks: &mut [Task],
        keeps_sets: impl Fn(&Task) -> bool,
        is_stopped: &dyn Fn() -> bool,
    ) {
        self.puzzles.clear();
        self.grids.clear();
        self.singles.clear();
        for task in tasks.iter().filter(|task| task.step == Step::Check) {
            task.thinning.push_try(&mut self.puzzles);
            self.grids.extend_from_slice(task.thinning.grid());
            self.singles.push(task.thinning.single());
        }
        let count = self.singles.len();
        self.solutions.resize(count * self.cells, 0);
        self.answers.clear();
        self.answers.resize(count, Answer::default());
        // There is a place for each puzzle.
        let _ = self.find_others(is_stopped);
        let found = self.solutions.chunks_exact(self.cells).zip(&self.answers);
        let checked = tasks.iter_mut().filter(|task| task.step == Step::Check);
        for (task, (solution, answer)) in checked.zip(found) {
            match answer.status(Limits::ANY) {
                Status::Unanswered => {}
                _ => {
                    let keeps_sets = keeps_sets(task);
                    task.settle((answer.solutions > 0).then_some(solution), keeps_sets);
                    task.step = Step::Next;
                }
            }
        }
    }

    fn find_others(&mut self, is_stopped: &dyn Fn() -> bool) -> Result<(), WrongLength> {
        let (puzzles, grids) =
            (Puzzles::new(&self.puzzles, self.cells)?, Puzzles::new(&self.grids, self.cells)?);
        let answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells)?;
        self.engine.find_others(puzzles, grids, &self.singles, answers, is_stopped)
    }

    fn solve(&mut self) -> Result<(), WrongLength> {
        let mut answers = Answers::new(&mut self.solutions, &mut self.answers, self.cells)?;
        let puzzles = Puzzles::new(&self.puzzles, self.cells)?;
        self.engine.as_engine().solve(puzzles, Limits::UNIQUE, &mut answers)
    }

    /// The only solutions of the puzzles, side by side; zeros for a puzzle that has not exactly one.
    pub(super) fn only_solutions(&mut self, made: &[NewPuzzle]) -> &[u8] {
        self.puzzles.clear();
        made.iter().for_each(|made| self.puzzles.extend_from_slice(&made.puzzle));
        self.solutions.clear();
        self.solutions.resize(made.len() * self.cells, 0);
        self.answers.clear();
        self.answers.resize(made.len(), Answer::default());
        let solved = self.solve();
        for (solution, answer) in self.solutions.chunks_exact_mut(self.cells).zip(&self.answers) {
            if solved.is_err() || answer.status(Limits::UNIQUE) != Status::Solved {
                solution.fill(0);
            }
        }
        &self.solutions
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

    /// Puzzles of a tier, and such that are found by walks.
    #[test]
    fn filtered_puzzles_are_those_that_are_made_alone() {
        use super::super::Filter;
        use crate::rating::Tier;
        let filters = [
            (Filter { tier: Some(Tier::Singles), ..Filter::default() }, Wish::Minimal),
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
        let mut batch = Batch::new(&recipe).unwrap();
        let (made, outcome) = batch.make(&recipe, 0..200, 1, &GO_ON);
        let alone = Recipe { engine: named("bitboard").unwrap(), ..recipe.clone() };
        let mut single = super::super::single::Single::new(&alone).unwrap();
        for (place, made) in made.iter().enumerate() {
            assert_eq!(single.make(place as u64, 1, &GO_ON).unwrap().puzzle, made.puzzle);
        }
        let expected = single.make(made.len() as u64, 1, &GO_ON).err().unwrap();
        assert_eq!(outcome.unwrap_err().to_string(), expected.to_string());
        assert!(!made.is_empty());
    }

    #[test]
    fn only_solutions_are_told_from_others() {
        let recipe = Recipe::new(1, Wish::Minimal);
        let mut batch = Batch::new(&recipe).unwrap();
        let (mut made, _) = batch.make(&recipe, 0..40, 5, &GO_ON);
        made.push(NewPuzzle {
            place: 40,
            puzzle: vec![0; CELLS],
            grid: made[0].grid.clone(),
            order: Vec::new(),
        });
        let solutions = batch.only_solutions(&made).to_vec();
        for (made, solution) in made.iter().zip(solutions.chunks(CELLS)).take(40) {
            assert_eq!(made.grid, solution);
        }
        assert_eq!(solutions[40 * CELLS..], [0; CELLS]);
    }
}
