//! Slices of puzzles on all cores: cells in; solutions, statuses, counts and guesses out.
//!
//! ```text
//! puzzles    | block 0 | block 1 | block 2 | ...      a worker takes a block, its engine solves it,
//! solutions  | block 0 | block 1 | block 2 | ...      the verifier checks it, and the worker writes
//! statuses   | block 0 | block 1 | block 2 | ...      the block's places and no others
//! ```
//! Blocks are cut at places that depend on the number of puzzles alone, and an engine starts every block afresh: the
//! results are the same for any number of threads.

use std::fmt;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use galop_cover::threads;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::SolveError;
use galop_engines::Control;
use galop_engines::engine::{Engine, Entry, Isa, Unsupported};
use galop_engines::grid::{Rules, Verifier};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Puzzles of a batch. A longer batch leaves the second-level cache: see the table in `engine/lanes/mod.rs`.
pub(super) const BATCH: usize = 8_192;
/// Puzzles of the smallest block for engines that solve many at once: with fewer of them their lanes are empty too
/// often.
pub(super) const SMALLEST_BATCH: usize = 2_048;

/// Puzzles of a block for engines that solve one at a time.
const SINGLES: usize = 256;

/// Blocks that a call has at least, if they do not become too small for the engine: enough for 32 cores.
pub(super) const FEWEST_BLOCKS: usize = 64;

/// Solves slices of puzzles on all cores. Keeps its threads and engines between calls.
///
/// Each solution is checked by an independent [`Verifier`] before the call returns.
///
/// ```
/// use galop::{BatchSolver, Control, Limits, Puzzles, Results, Rules, Status, engine};
///
/// let rules = Rules::sudoku(4)?;
/// let mut solver = BatchSolver::new(&rules, engine::default_for(&rules), None)?;
///
/// let puzzles = [[1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2], [1; 16]].concat();
/// let (mut solutions, mut statuses) = ([0; 32], [Status::Unanswered; 2]);
/// let (mut counts, mut guesses) = ([0; 2], [0; 2]);
/// let results = Results::new(&mut solutions, &mut statuses, &mut counts, &mut guesses);
/// solver.solve(Puzzles::new(&puzzles, 16)?, Limits::UNIQUE, results, &Control::default())?;
///
/// assert_eq!(solutions[..16], [1, 2, 4, 3, 3, 4, 2, 1, 2, 3, 1, 4, 4, 1, 3, 2]);
/// assert_eq!((statuses, counts), ([Status::Solved, Status::None], [1, 0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct BatchSolver {
    engine: &'static Entry,
    cells: usize,
    is_batched: bool,
    pool: ThreadPool,
    /// One for each thread of the pool. Only that thread locks it.
    workers: Vec<Mutex<Worker>>,
}

impl fmt::Debug for BatchSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchSolver")
            .field("engine", &self.engine.name)
            .field("cells", &self.cells)
            .field("threads", &self.workers.len())
            .finish_non_exhaustive()
    }
}

/// The places for what a call finds: slices with a place for each puzzle.
#[derive(Debug)]
#[must_use]
pub struct Results<'a> {
    solutions: &'a mut [u8],
    statuses: &'a mut [Status],
    counts: &'a mut [u64],
    guesses: &'a mut [u64],
}

impl<'a> Results<'a> {
    /// `solutions` has as many bytes for each puzzle as it has cells. They become the solution of a [`Status::Solved`]
    /// puzzle, the cells that the engine filled of a [`Status::Stuck`] one, and 0 for all others. `counts` are
    /// solutions found, up to the limit.
    ///
    /// [`BatchSolver::solve`] returns an error if the slices do not fit the puzzles.
    pub fn new(
        solutions: &'a mut [u8],
        statuses: &'a mut [Status],
        counts: &'a mut [u64],
        guesses: &'a mut [u64],
    ) -> Results<'a> {
        Results { solutions, statuses, counts, guesses }
    }

    /// Checks that there are places for `count` puzzles of `cells` cells.
    fn check(&self, count: usize, cells: usize) -> Result<(), SolveError> {
        let slices = [
            ("bytes of solutions", self.solutions.len(), count * cells),
            ("statuses", self.statuses.len(), count),
            ("counts", self.counts.len(), count),
            ("guesses", self.guesses.len(), count),
        ];
        match slices.into_iter().find(|(_, found, expected)| found != expected) {
            Some((slice, found, expected)) => Err(SolveError::Places { slice, found, expected }),
            None => Ok(()),
        }
    }
}

impl BatchSolver {
    /// Starts the threads (`None`: one for each core) and makes an engine for each.
    ///
    /// # Errors
    /// [`SolveError::Unsupported`] if the engine does not accept the rules, and [`SolveError::Threads`].
    pub fn new(
        rules: &Rules,
        engine: &'static Entry,
        threads: Option<NonZero<usize>>,
    ) -> Result<BatchSolver, SolveError> {
        let worker = |_| Worker::new(rules, engine);
        let workers = (0..threads::count(threads).get()).map(worker).collect::<Result<Vec<_>, _>>()?;
        let is_batched = workers.iter().any(|worker| worker.engine.is_batched());
        Ok(BatchSolver {
            engine,
            cells: rules.grid().cells(),
            is_batched,
            pool: threads::start(threads)?,
            workers: workers.into_iter().map(Mutex::new).collect(),
        })
    }

    /// Solves `puzzles`: flat cells, 0 for a blank and 1..=n for a symbol. Place `i` of `results` belongs to puzzle
    /// `i`.
    ///
    /// # Errors
    /// [`SolveError::Length`] if the puzzles do not have the cells of the rules; [`SolveError::Places`] if the results
    /// are for another number of puzzles; [`SolveError::Stopped`] if `control` ended the call;
    /// [`SolveError::WrongSolution`]. The results are then incomplete.
    pub fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let (cells, count) = (self.cells, puzzles.len());
        if count > 0 && puzzles.stride() != cells {
            return Err(SolveError::Length { found: puzzles.stride(), expected: vec![cells] });
        }
        results.check(count, cells)?;
        let block = block(count, self.is_batched);
        let workers = &self.workers;
        let Results { solutions, statuses, counts, guesses } = results;
        let places = solutions.par_chunks_mut(block * cells).zip(statuses.par_chunks_mut(block));
        let places = places.zip(counts.par_chunks_mut(block)).zip(guesses.par_chunks_mut(block));
        let solve = |(number, (((solutions, statuses), counts), guesses)): (usize, _)| {
            let index = rayon::current_thread_index().unwrap_or(0);
            let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
            let puzzles = puzzles.slice(number * block..(number + 1) * block);
            worker.solve(puzzles, limits, Results { solutions, statuses, counts, guesses }, control)
        };
        self.pool.install(|| places.enumerate().with_max_len(1).try_for_each(solve))
    }

    /// As [`solve`](Self::solve), with answers as the results. All slices have places for the same number of puzzles.
    pub(super) fn answer(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        solutions: &mut [u8],
        answers: &mut [Answer],
    ) -> Result<(), SolveError> {
        let (block, workers, cells) = (block(puzzles.len(), self.is_batched), &self.workers, self.cells);
        let places = solutions.par_chunks_mut(block * cells).zip(answers.par_chunks_mut(block));
        let solve = |(number, (solutions, answers)): (usize, (&mut [u8], &mut [Answer]))| {
            let index = rayon::current_thread_index().unwrap_or(0);
            let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
            let puzzles = puzzles.slice(number * block..(number + 1) * block);
            let mut answers = Answers::new(solutions, answers, cells)?;
            worker.answer(puzzles, limits, &mut answers, &Control::default())
        };
        self.pool.install(|| places.enumerate().with_max_len(1).try_for_each(solve))
    }
}

/// Puzzles of a block, of `count` in all.
pub(super) fn block(count: usize, is_batched: bool) -> usize {
    let (smallest, greatest) = if is_batched { (SMALLEST_BATCH, BATCH) } else { (1, SINGLES) };
    count.div_ceil(FEWEST_BLOCKS).clamp(smallest, greatest)
}

/// What a thread keeps between blocks.
struct Worker {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    verifier: Verifier,
    answers: Vec<Answer>,
}

impl Worker {
    fn new(rules: &Rules, entry: &'static Entry) -> Result<Worker, Unsupported> {
        let engine = (entry.make)(rules, Isa::best())?;
        Ok(Worker { entry, engine, verifier: Verifier::new(rules), answers: Vec::new() })
    }

    /// Solves a block and checks the solutions.
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let Results { solutions, statuses, counts, guesses } = results;
        let mut found = std::mem::take(&mut self.answers);
        found.clear();
        found.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(solutions, &mut found, puzzles.stride())?;
        self.answer(puzzles, limits, &mut answers, control)?;
        let places = statuses.iter_mut().zip(counts).zip(guesses);
        for ((solution, answer), ((status, count), guesses)) in answers.iter_mut().zip(places) {
            (*status, *count) = (answer.status(limits), answer.solutions);
            *guesses = answer.effort.guesses;
            match *status {
                Status::Solved | Status::Stuck => {}
                Status::Unanswered => return Err(SolveError::Unanswered),
                _ => solution.fill(0),
            }
        }
        control.add(puzzles.len());
        self.answers = found;
        Ok(())
    }

    /// Answers a block and checks the solutions.
    fn answer(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        self.engine.solve_until(puzzles, limits, answers, &|| control.is_stopped())?;
        if control.is_stopped() {
            return Err(SolveError::Stopped);
        }
        for (puzzle, (solution, answer)) in puzzles.iter().zip(answers.iter_mut()) {
            if answer.solutions > 0
                && let Err(violation) = self.verifier.check(puzzle, solution)
            {
                return Err(SolveError::WrongSolution { engine: self.entry.name, violation });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::engine::{Each, Search, named};
    use galop_engines::grid::kind;

    /// Puzzle `number`: 4x4 with a few clues, some of them contradictory.
    fn puzzle(number: u32) -> [u8; 16] {
        let mut puzzle = [0; 16];
        for clue in 0..number % 6 {
            let drawn = number.wrapping_mul(2_654_435_761).rotate_left(5 * clue);
            puzzle[drawn as usize % 16] = (drawn >> 8) as u8 % 4 + 1;
        }
        puzzle
    }

    struct Owned {
        solutions: Vec<u8>,
        statuses: Vec<Status>,
        counts: Vec<u64>,
        guesses: Vec<u64>,
    }

    impl Owned {
        fn new(count: usize, cells: usize) -> Owned {
            Owned {
                solutions: vec![9; count * cells],
                statuses: vec![Status::Unanswered; count],
                counts: vec![9; count],
                guesses: vec![9; count],
            }
        }

        fn places(&mut self) -> Results<'_> {
            Results::new(&mut self.solutions, &mut self.statuses, &mut self.counts, &mut self.guesses)
        }
    }

    #[test]
    fn results_are_those_of_one_puzzle_at_a_time_for_any_number_of_threads() {
        let rules = Rules::sudoku(4).unwrap();
        let puzzles: Vec<u8> = (0..20_000).flat_map(puzzle).collect();
        let puzzles = Puzzles::new(&puzzles, 16).unwrap();
        for limits in [Limits::ANY, Limits::UNIQUE, Limits::ALL, Limits::UNIQUE.with_guesses(1)] {
            for (name, threads) in [("grid", 1), ("dlx", 3)] {
                let entry = named(name).unwrap();
                let mut found = Owned::new(puzzles.len(), 16);
                let mut solver = BatchSolver::new(&rules, entry, NonZero::new(threads)).unwrap();
                let control = Control::default();
                solver.solve(puzzles, limits, found.places(), &control).unwrap();
                assert_eq!(control.done(), puzzles.len());

                let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
                for (place, puzzle) in puzzles.iter().enumerate().step_by(7) {
                    let (mut solution, mut answer) = ([0; 16], [Answer::default()]);
                    let mut places = Answers::new(&mut solution, &mut answer, 16).unwrap();
                    engine.solve(Puzzles::new(puzzle, 16).unwrap(), limits, &mut places).unwrap();
                    let status = answer[0].status(limits);
                    assert_eq!(found.statuses[place], status, "{name} {limits:?} {puzzle:?}");
                    assert_eq!(found.counts[place], answer[0].solutions);
                    assert_eq!(found.guesses[place], answer[0].effort.guesses);
                    let expected = if status == Status::Solved { solution } else { [0; 16] };
                    assert_eq!(found.solutions[place * 16..][..16], expected);
                }
            }
        }
    }

    /// Lanes of different blocks know nothing of each other.
    #[test]
    fn lanes_on_several_threads_give_the_same_bytes() {
        let rules = Rules::default();
        let text = b"4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
        let puzzles: Vec<u8> = (0..5_000_usize)
            .flat_map(|number| {
                let mut cells = [0; 81];
                rules.alphabet().read(text, &mut cells);
                cells[number % 81] = 0;
                cells[number / 81 % 81] = 0;
                cells
            })
            .collect();
        let run = |threads: usize| {
            let mut found = Owned::new(5_000, 81);
            let mut solver =
                BatchSolver::new(&rules, named("lanes").unwrap(), NonZero::new(threads)).unwrap();
            let solved = solver.solve(
                Puzzles::new(&puzzles, 81).unwrap(),
                Limits::ANY,
                found.places(),
                &Control::default(),
            );
            solved.unwrap();
            (found.solutions, found.guesses, found.counts)
        };
        assert_eq!(run(1), run(3));
    }

    #[test]
    fn a_stopped_call_is_an_error() {
        let rules = Rules::default();
        let control = Control::default();
        control.stop();
        for name in ["lanes", "dlx"] {
            let mut solver = BatchSolver::new(&rules, named(name).unwrap(), NonZero::new(2)).unwrap();
            let mut found = Owned::new(1_000, 81);
            let puzzles = vec![0; 81_000];
            let solved =
                solver.solve(Puzzles::new(&puzzles, 81).unwrap(), Limits::ANY, found.places(), &control);
            assert_eq!((solved, control.done()), (Err(SolveError::Stopped), 0));
        }
    }

    #[test]
    fn places_of_another_number_or_size_are_errors() {
        let rules = Rules::default();
        let mut solver = BatchSolver::new(&rules, named("lanes").unwrap(), NonZero::new(1)).unwrap();
        let mut solve = |bytes: usize, stride: usize, mut found: Owned| {
            let puzzles = vec![0; bytes];
            let puzzles = Puzzles::new(&puzzles, stride).unwrap();
            solver.solve(puzzles, Limits::ANY, found.places(), &Control::default())
        };
        assert_eq!(solve(0, 81, Owned::new(0, 81)), Ok(()));
        let length = |found, expected| Err(SolveError::Length { found, expected: vec![expected] });
        assert_eq!(solve(160, 16, Owned::new(10, 16)), length(16, 81));
        let places = |slice, found, expected| Err(SolveError::Places { slice, found, expected });
        assert_eq!(solve(162, 81, Owned::new(1, 81)), places("bytes of solutions", 81, 162));
        assert_eq!(solve(0, 81, Owned::new(1, 81)), places("bytes of solutions", 81, 0));
        let shortened: [(&str, fn(&mut Owned)); 3] = [
            ("statuses", |found| found.statuses.truncate(1)),
            ("counts", |found| found.counts.truncate(1)),
            ("guesses", |found| found.guesses.truncate(1)),
        ];
        for (slice, shorten) in shortened {
            let mut found = Owned::new(2, 81);
            shorten(&mut found);
            assert_eq!(solve(162, 81, found), places(slice, 1, 2));
        }
        let latin = Rules::new(kind("latin").unwrap(), 9, None).unwrap();
        let refused = BatchSolver::new(&latin, named("lanes").unwrap(), None).map(|_| ());
        assert!(matches!(refused, Err(SolveError::Unsupported(_))));
    }

    /// Answers every puzzle with its own cells.
    struct Liar;

    impl Search for Liar {
        fn cells(&self) -> usize {
            81
        }

        fn search(&mut self, puzzle: &[u8], _limits: Limits, solution: &mut [u8]) -> Answer {
            solution.copy_from_slice(puzzle);
            Answer::complete(1)
        }
    }

    static LIAR: Entry = Entry::new("liar", |_, _| Ok(Box::new(Each(Liar))));

    #[test]
    fn a_wrong_solution_is_an_error() {
        let mut solver = BatchSolver::new(&Rules::default(), &LIAR, NonZero::new(2)).unwrap();
        let puzzles = vec![0; 81_000];
        let mut found = Owned::new(1_000, 81);
        let solved = solver.solve(
            Puzzles::new(&puzzles, 81).unwrap(),
            Limits::ANY,
            found.places(),
            &Control::default(),
        );
        assert!(matches!(solved, Err(SolveError::WrongSolution { engine: "liar", .. })));
    }
}
