//! Slices of puzzles on all cores: cells in; solutions, statuses, counts and guesses out.
//!
//! ```text
//! puzzles    | block 0 | block 1 | block 2 | ...      a worker takes a block, its engine solves it,
//! solutions  | block 0 | block 1 | block 2 | ...      the verifier checks it, and the worker writes
//! statuses   | block 0 | block 1 | block 2 | ...      the block's places and no others
//! ```
//! Blocks are cut at places that depend on the number of puzzles alone, and an engine starts every block afresh: the
//! results are the same for any number of threads.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use galop_cover::threads;
use galop_engines::Control;
use galop_engines::engine::{Engine, Entry, Isa, Unsupported, prover_for};
use galop_engines::grid::{Rules, Verifier};
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use rayon::ThreadPool;
use rayon::prelude::*;

use super::{Results, SolveError};

/// Puzzles of the greatest block for engines that solve many at once: see the list in `engine/lanes/mod.rs`.
const BATCH: usize = 16_384;
/// Puzzles of the smallest one. At its end, lanes wait for the last puzzles: blocks of 2,048 puzzles of 17 clues took
/// 1.11 of the time of 4,096, and those 1.08 of the time of 16,384 (AMD EPYC, Zen 5, 2026-11-27).
const SMALLEST_BATCH: usize = 4_096;

/// Puzzles of a call from which on an engine that solves many at once is worth it. `lanes` becomes faster at 30 easy
/// puzzles, at 46 puzzles of 17 clues, and below 16 of the hardest ones.
///
/// Only calls in memory choose by number. A run over files takes one engine for all puzzles, so that no chunk, shard or
/// rest of a run has other bytes.
const FEWEST: usize = 32;

/// Puzzles of a block for engines that solve one at a time.
const SINGLES: usize = 256;

/// Solutions that are checked at once. If one of them is missing or wrong, each is checked alone.
const CHECKED: usize = 64;

/// Blocks that a call has at least, if they do not become too small for the engine: enough for 16 cores.
const FEWEST_BLOCKS: usize = 16;

/// Where the puzzles of a call are.
#[derive(Clone, Copy)]
pub(super) enum Given<'a> {
    /// In a slice of their own.
    Beside(Puzzles<'a>),
    /// In the places of their solutions.
    InPlace,
}

impl Given<'_> {
    /// The puzzles of the block that begins with puzzle `first`, and has `count` of them at most.
    fn block(self, first: usize, count: usize) -> Self {
        match self {
            Given::Beside(puzzles) => Given::Beside(puzzles.slice(first..first + count)),
            Given::InPlace => Given::InPlace,
        }
    }
}

/// An engine for each thread, and the threads. They are started by the first call that needs them.
pub(super) struct Workers {
    pub(super) entry: &'static Entry,
    threads: Option<NonZero<usize>>,
    is_batched: bool,
    /// The worker of the calling thread.
    own: Worker,
    /// The worker for calls of a few puzzles, if the engine solves many at once; made by the first such call.
    few: Option<Worker>,
    started: Option<Started>,
}

struct Started {
    pool: ThreadPool,
    /// One for each thread of the pool. Only that thread locks it.
    workers: Vec<Mutex<Worker>>,
}

impl Started {
    fn new(
        rules: &Rules,
        entry: &'static Entry,
        threads: Option<NonZero<usize>>,
    ) -> Result<Started, SolveError> {
        let worker = |_| Ok(Mutex::new(Worker::new(rules, entry)?));
        let workers = (0..threads::count(threads).get()).map(worker).collect::<Result<_, Unsupported>>()?;
        Ok(Started { pool: threads::start(threads)?, workers })
    }
}

impl Workers {
    pub(super) fn new(
        rules: &Rules,
        entry: &'static Entry,
        threads: Option<NonZero<usize>>,
    ) -> Result<Workers, Unsupported> {
        let own = Worker::new(rules, entry)?;
        Ok(Workers { entry, threads, is_batched: own.engine.is_batched(), own, few: None, started: None })
    }

    /// Whether the puzzles are solved sooner than threads are started.
    pub(super) fn are_few(&self, puzzles: usize) -> bool {
        puzzles <= if self.is_batched { SMALLEST_BATCH } else { FEWEST_BLOCKS }
    }

    /// Solves the puzzles that are `given` on all threads. `results` have the places for them.
    pub(super) fn solve(
        &mut self,
        rules: &Rules,
        given: Given<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let count = results.statuses.len();
        let block = block(count, self.is_batched);
        if count <= block || threads::count(self.threads).get() == 1 {
            return self.solve_here(rules, given, limits, results, control);
        }
        let Started { pool, workers } = match &mut self.started {
            Some(started) => started,
            none => none.insert(Started::new(rules, self.entry, self.threads)?),
        };
        let solve = |(number, results): (usize, Results<'_>)| {
            let index = rayon::current_thread_index().unwrap_or(0);
            let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
            worker.solve(rules, given.block(number * block, block), limits, results, control)
        };
        let blocks: Vec<Results<'_>> = results.blocks(block, rules.stride()).collect();
        pool.install(|| blocks.into_par_iter().enumerate().with_max_len(1).try_for_each(solve))
    }

    /// As [`solve`](Self::solve), on the calling thread, with the same blocks.
    pub(super) fn solve_here(
        &mut self,
        rules: &Rules,
        given: Given<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let count = results.statuses.len();
        if self.is_batched && count < FEWEST {
            let worker = match &mut self.few {
                Some(worker) => worker,
                none => none.insert(Worker::new(rules, prover_for(rules))?),
            };
            return worker.solve(rules, given, limits, results, control);
        }
        let block = block(count, self.is_batched);
        results.blocks(block, rules.stride()).enumerate().try_for_each(|(number, results)| {
            self.own.solve(rules, given.block(number * block, block), limits, results, control)
        })
    }
}

/// Puzzles of a block, of `count` in all.
fn block(count: usize, is_batched: bool) -> usize {
    let (smallest, greatest) = if is_batched { (SMALLEST_BATCH, BATCH) } else { (1, SINGLES) };
    count.div_ceil(FEWEST_BLOCKS).clamp(smallest, greatest)
}

/// What a thread keeps between blocks.
struct Worker {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    verifier: Verifier,
    answers: Vec<Answer>,
    /// The puzzles of a block whose solutions overwrite them.
    copied: Vec<u8>,
}

impl Worker {
    fn new(rules: &Rules, entry: &'static Entry) -> Result<Worker, Unsupported> {
        let engine = (entry.make)(rules, Isa::best())?;
        Ok(Worker { entry, engine, verifier: Verifier::new(rules), answers: Vec::new(), copied: Vec::new() })
    }

    /// Solves a block and checks the solutions. (To write solutions to memory that is in the cache, and copy them to
    /// their places afterwards, made no difference.)
    fn solve(
        &mut self,
        rules: &Rules,
        given: Given<'_>,
        limits: Limits,
        results: Results<'_>,
        control: &Control,
    ) -> Result<(), SolveError> {
        let Results { solutions, statuses, counts, guesses } = results;
        let puzzles = match given {
            Given::Beside(puzzles) => puzzles,
            Given::InPlace => {
                self.copied.clear();
                self.copied.extend_from_slice(solutions);
                Puzzles::new(&self.copied, rules.stride())?
            }
        };
        self.answers.clear();
        self.answers.resize(puzzles.len(), Answer::default());
        let mut answers = Answers::new(solutions, &mut self.answers, puzzles.stride())?;
        self.engine.solve_until(puzzles, limits, &mut answers, &|| control.is_stopped())?;
        if control.is_stopped() {
            return Err(SolveError::Stopped);
        }
        self.check(puzzles, solutions)?;
        let places = statuses.iter_mut().zip(counts).zip(guesses);
        let solutions = solutions.chunks_exact_mut(puzzles.stride());
        let most = rules.most();
        let found = puzzles.iter().zip(solutions).zip(&self.answers);
        for (((puzzle, solution), answer), ((status, count), guesses)) in found.zip(places) {
            (*status, *count) = (answer.status(limits), answer.solutions);
            *guesses = answer.effort.guesses;
            match *status {
                Status::Solved | Status::Stuck => continue,
                Status::Unanswered => return Err(SolveError::Unanswered),
                // Engines find no solution of what is no puzzle.
                Status::None if puzzle.iter().any(|&cell| cell > most) || rules.clash(puzzle).is_some() => {
                    *status = Status::Malformed;
                }
                _ => {}
            }
            solution.fill(0);
        }
        control.add(puzzles.len());
        Ok(())
    }

    /// Checks the solutions of the answers, several at once where all puzzles have one.
    fn check(&self, puzzles: Puzzles<'_>, solutions: &[u8]) -> Result<(), SolveError> {
        let (cells, has_solution) = (puzzles.stride(), |answer: &Answer| answer.solutions > 0);
        let groups = solutions.chunks(CHECKED * cells).zip(self.answers.chunks(CHECKED));
        for ((solutions, answers), first) in groups.zip((0..).step_by(CHECKED)) {
            let puzzles = puzzles.slice(first..first + answers.len());
            if answers.iter().all(has_solution) && self.verifier.are_right(puzzles, solutions) {
                continue;
            }
            for ((puzzle, solution), answer) in puzzles.iter().zip(solutions.chunks_exact(cells)).zip(answers)
            {
                if has_solution(answer)
                    && let Err(violation) = self.verifier.check(puzzle, solution)
                {
                    return Err(SolveError::WrongSolution { engine: self.entry.name, violation });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Solver;
    use crate::solver::tests::LIAR;
    use galop_engines::engine::named;
    use galop_engines::grid::kind;

    fn solver(rules: &Rules, entry: &'static Entry, threads: usize) -> Solver {
        Solver::builder().rules(rules.clone()).engine(entry).threads(threads).build().unwrap()
    }

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

    /// The guesses tell which engine has solved: a few puzzles go to the one for single puzzles.
    #[test]
    fn a_few_puzzles_go_to_the_engine_for_single_ones() {
        let rules = Rules::default();
        let limits = Limits::count(1_000);
        let guesses = |solve: &mut dyn FnMut(Puzzles<'_>, Results<'_>), count: usize| {
            let mut found = Owned::new(count, 81);
            let puzzles = vec![0; 81 * count];
            solve(Puzzles::new(&puzzles, 81).unwrap(), found.places());
            found.guesses
        };
        let mut made = solver(&rules, named("lanes").unwrap(), 1);
        let mut solve = |puzzles: Puzzles<'_>, results: Results<'_>| {
            made.solve_cells(puzzles, limits, results, &Control::default()).unwrap();
        };
        for (count, name) in [(1, "bitboard"), (FEWEST - 1, "bitboard"), (FEWEST, "lanes")] {
            let mut alone = Worker::new(&rules, named(name).unwrap()).unwrap();
            let mut expected = |puzzles: Puzzles<'_>, results: Results<'_>| {
                alone.solve(&rules, Given::Beside(puzzles), limits, results, &Control::default()).unwrap();
            };
            assert_eq!(guesses(&mut solve, count), guesses(&mut expected, count), "{count}");
        }
        let one = |name: &str| {
            let mut alone = Worker::new(&rules, named(name).unwrap()).unwrap();
            let mut solve = |puzzles: Puzzles<'_>, results: Results<'_>| {
                alone.solve(&rules, Given::Beside(puzzles), limits, results, &Control::default()).unwrap();
            };
            guesses(&mut solve, 1)
        };
        assert_ne!(one("bitboard"), one("lanes"));
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
                let mut solver = solver(&rules, entry, threads);
                let control = Control::default();
                solver.solve_cells(puzzles, limits, found.places(), &control).unwrap();
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

    /// Also of cells that are no puzzle.
    #[test]
    fn solutions_overwrite_their_puzzles_with_the_same_results() {
        let rules = Rules::sudoku(4).unwrap();
        let mut puzzles: Vec<u8> = (0..10_000).flat_map(puzzle).collect();
        puzzles[16 * 5_000 + 3] = 5;
        for (name, threads) in [("lanes", 1), ("lanes", 3), ("dlx", 2)] {
            let mut solver = solver(&rules, named(name).unwrap(), threads);
            let (mut beside, mut in_place) = (Owned::new(10_000, 16), Owned::new(10_000, 16));
            let control = Control::default();
            let given = Puzzles::new(&puzzles, 16).unwrap();
            solver.solve_cells(given, Limits::UNIQUE, beside.places(), &control).unwrap();
            in_place.solutions.copy_from_slice(&puzzles);
            solver.solve_in_place(16, Limits::UNIQUE, in_place.places(), &control).unwrap();

            assert_eq!(control.done(), 20_000);
            assert_eq!(beside.statuses[5_000], Status::Malformed);
            assert!(beside.statuses.contains(&Status::Solved) && beside.statuses.contains(&Status::None));
            assert_eq!(in_place.solutions, beside.solutions);
            assert_eq!(in_place.statuses, beside.statuses);
            assert_eq!((in_place.counts, in_place.guesses), (beside.counts, beside.guesses));
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
            let mut solver = solver(&rules, named("lanes").unwrap(), threads);
            let solved = solver.solve_cells(
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
            let mut solver = solver(&rules, named(name).unwrap(), 2);
            let mut found = Owned::new(1_000, 81);
            let puzzles = vec![0; 81_000];
            let solved = solver.solve_cells(
                Puzzles::new(&puzzles, 81).unwrap(),
                Limits::ANY,
                found.places(),
                &control,
            );
            assert_eq!((solved, control.done()), (Err(SolveError::Stopped), 0));
        }
    }

    #[test]
    fn places_of_another_number_or_size_are_errors() {
        let rules = Rules::default();
        let mut solver = solver(&rules, named("lanes").unwrap(), 1);
        let mut solve = |bytes: usize, stride: usize, mut found: Owned| {
            let puzzles = vec![0; bytes];
            let puzzles = Puzzles::new(&puzzles, stride).unwrap();
            solver.solve_cells(puzzles, Limits::ANY, found.places(), &Control::default())
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
        let mut overwrite = |bytes: usize, mut found: Owned| {
            found.solutions.resize(bytes, 0);
            solver.solve_in_place(81, Limits::ANY, found.places(), &Control::default())
        };
        assert_eq!(overwrite(0, Owned::new(0, 81)), Ok(()));
        assert_eq!(overwrite(162, Owned::new(1, 81)), places("statuses", 1, 2));
        assert!(matches!(overwrite(80, Owned::new(1, 81)), Err(SolveError::WrongLength(_))));
        let latin = Rules::new(kind("latin").unwrap(), 9, None).unwrap();
        let refused = Solver::builder().rules(latin).engine(named("bitboard").unwrap()).build().map(|_| ());
        assert!(matches!(refused, Err(Unsupported::Rules { .. })));
    }

    #[test]
    fn a_wrong_solution_is_an_error() {
        let mut solver = solver(&Rules::default(), &LIAR, 2);
        let puzzles = vec![0; 81_000];
        let mut found = Owned::new(1_000, 81);
        let solved = solver.solve_cells(
            Puzzles::new(&puzzles, 81).unwrap(),
            Limits::ANY,
            found.places(),
            &Control::default(),
        );
        assert!(matches!(solved, Err(SolveError::WrongSolution { engine: "liar", .. })));
    }
}
