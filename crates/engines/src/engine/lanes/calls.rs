//! The calls of `lanes` that other engines do not have: every solution of a puzzle, and solutions that differ from a
//! known one.

use std::fmt;
use std::ops::ControlFlow;

use galop_simd::{Simd, Vector};

use super::batch::{Batch, Candidate, Worth};
use super::kind::Kind;
use super::{Lanes, pool};
use crate::engine::{Engine, Isa, Unsupported, Work, WrongLength};
use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// The engine `lanes`, with the calls that only it has.
///
/// It is the [`Engine`] that [`ENGINES`](crate::ENGINES) has under that name, and gives the same answers.
pub struct LanesEngine {
    calls: Box<dyn Calls>,
    cells: usize,
}

/// The engine for any instruction set.
pub(super) trait Calls: Engine {
    /// Answers a batch in lanes, however small it is.
    fn run<'a>(&'a mut self, batch: Batch<'a>, is_stopped: &'a dyn Fn() -> bool);
}

impl<S: Simd, V: Vector, K: Kind<S, V>> Calls for Lanes<S, V, K> {
    fn run<'a>(&'a mut self, batch: Batch<'a>, is_stopped: &'a dyn Fn() -> bool) {
        pool::run(&mut self.pool, batch, is_stopped);
    }
}

impl fmt::Debug for LanesEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LanesEngine").finish_non_exhaustive()
    }
}

impl LanesEngine {
    /// The engine for puzzles of `rules` and an instruction set. Answers and the order of solutions are the same for all
    /// instruction sets.
    ///
    /// # Errors
    /// [`Unsupported`] if there are no lanes for such grids, or if this machine lacks the instruction set.
    pub fn new(rules: &Rules, isa: Isa) -> Result<LanesEngine, Unsupported> {
        Ok(LanesEngine { calls: super::make_calls(rules, isa, false)?, cells: rules.grid().cells() })
    }

    /// Passes every solution of `puzzle` to `each`, until it breaks. Returns the number of solutions passed.
    ///
    /// Lanes search in parts of the search tree side by side, so the solutions come in no order that could be described
    /// shortly. But it is the same order on every machine: it depends on nothing but the puzzle. Memory does not grow
    /// with the number of solutions.
    ///
    /// # Errors
    /// [`WrongLength`] if the puzzle has another number of cells than the rules.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use galop_engines::Rules;
    /// use galop_engines::engine::{Isa, LanesEngine};
    ///
    /// // Two rows of an empty grid are given: no cell of the other seven.
    /// let mut puzzle = [0; 81];
    /// puzzle[..18].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5, 6, 7, 8, 9, 1, 2, 3]);
    /// let mut first = Vec::new();
    /// let count = LanesEngine::new(&Rules::default(), Isa::best())?.each_solution(&puzzle, &mut |solution| {
    ///     first.push(solution.to_vec());
    ///     if first.len() == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    /// })?;
    /// assert_eq!((count, first.len()), (10, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn each_solution(
        &mut self,
        puzzle: &[u8],
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<u64, WrongLength> {
        let (mut solution, mut answer) = (vec![0; self.cells], Answer::default());
        let answers = Answers::one(&mut solution, &mut answer);
        let puzzles = Puzzles::one(puzzle);
        WrongLength::check(&puzzles, &answers, self.cells)?;
        let mut judge = |_: usize, solution: &[u8]| match each(solution) {
            ControlFlow::Continue(()) => Worth::Counted,
            ControlFlow::Break(()) => Worth::Last,
        };
        self.calls.run(Batch::new(puzzles, Limits::ALL, answers).judged_by(&mut judge), &|| false);
        Ok(answer.solutions)
    }

    /// Finds for each of `puzzles` a solution other than the one that is known: place `i` of `known` is a solution of
    /// puzzle `i`. With `cells[i]`, the solution differs from the known one in that cell, counted from 0; the search is
    /// then about twice as fast. [`solutions`](Answer::solutions) is 1 if there is another solution, which is then
    /// written, else 0.
    ///
    /// The call ends early once `is_stopped` returns true; the answers that it did not reach are then
    /// [`Status::Unanswered`](crate::puzzle::Status::Unanswered). Fewer than some dozens of puzzles leave most of the
    /// lanes empty: each round takes as long as with 256.
    ///
    /// # Errors
    /// [`WrongLength`] if puzzles, known solutions or answers have another number of cells than the rules.
    ///
    /// ```
    /// use galop_engines::Rules;
    /// use galop_engines::engine::{Isa, LanesEngine};
    /// use galop_engines::puzzle::{Answer, Answers, Puzzles};
    ///
    /// let cells = |text: &str| -> Vec<u8> { text.bytes().map(|byte| byte.saturating_sub(b'0')).collect() };
    /// let mut puzzle = cells("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......");
    /// let known = cells("417369825632158947958724316825437169791586432346912758289643571573291684164875293");
    /// let (mut other, mut answer) = ([0; 81], [Answer::default()]);
    /// let mut find = |puzzle: &[u8]| {
    ///     let answers = Answers::new(&mut other, &mut answer, 81)?;
    ///     let (puzzles, known) = (Puzzles::new(puzzle, 81)?, Puzzles::new(&known, 81)?);
    ///     LanesEngine::new(&Rules::default(), Isa::best())?.find_others(puzzles, known, &[Some(0)], answers, &|| false)?;
    ///     Ok::<u64, Box<dyn std::error::Error>>(answer[0].solutions)
    /// };
    /// assert_eq!(find(&puzzle)?, 0);
    /// puzzle[0] = 0; // Without its first clue it has a solution with another digit there.
    /// assert_eq!(find(&puzzle)?, 1);
    /// assert_ne!(other[0], 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_others(
        &mut self,
        puzzles: Puzzles<'_>,
        known: Puzzles<'_>,
        cells: &[Option<usize>],
        mut answers: Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongLength> {
        WrongLength::check(&puzzles, &answers, self.cells)?;
        WrongLength::check(&known, &answers, self.cells)?;
        let count = puzzles.len().min(known.len()).min(answers.len());
        let candidate = |(known, cell): (&[u8], &Option<usize>)| {
            cell.and_then(|cell| Some(Candidate { cell, symbol: *known.get(cell)? }))
        };
        let excluded: Vec<Option<Candidate>> = known.iter().zip(cells).map(candidate).collect();
        let mut judge = |place: usize, solution: &[u8]| match known.get(place) {
            Some(known) if known == solution => Worth::Ignored,
            _ => Worth::Counted,
        };
        let batch = Batch::new(puzzles.slice(0..count), Limits::ANY, answers.slice(0..count));
        self.calls.run(batch.without(&excluded).judged_by(&mut judge), is_stopped);
        Ok(())
    }
}

impl Engine for LanesEngine {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongLength> {
        self.calls.solve(puzzles, limits, answers)
    }

    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongLength> {
        self.calls.solve_until(puzzles, limits, answers, is_stopped)
    }

    fn is_batched(&self) -> bool {
        self.calls.is_batched()
    }

    fn work(&self) -> Option<Work> {
        self.calls.work()
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::super::nine::states::grid;
    use super::*;

    const CELLS: usize = 81;

    /// The answers of an engine to puzzles with many solutions.
    fn answers(engine: &mut LanesEngine, puzzles: &[u8]) -> (Vec<u8>, Vec<Answer>) {
        let count = puzzles.len() / CELLS;
        let (mut solutions, mut answers) = (vec![0; puzzles.len()], vec![Answer::default(); count]);
        let places = &mut Answers::new(&mut solutions, &mut answers, CELLS).unwrap();
        engine.solve(Puzzles::new(puzzles, CELLS).unwrap(), Limits::count(50), places).unwrap();
        (solutions, answers)
    }

    /// The states that a panic leaves in lanes, in the queue and on stacks belong to no puzzle of the next batch.
    #[test]
    fn an_engine_whose_callback_panicked_answers_as_a_new_one() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut puzzles = Vec::new();
        for _ in 0..40 {
            let mut puzzle = grid(&mut random);
            (0..90).for_each(|_| puzzle[random.next_u32() as usize % CELLS] = 0);
            puzzles.extend(puzzle);
        }
        let isa = Isa::best();
        let expected = answers(&mut LanesEngine::new(&Rules::default(), isa).unwrap(), &puzzles);
        let mut engine = LanesEngine::new(&Rules::default(), isa).unwrap();
        for after in [1, 10, 1000] {
            let mut left = after;
            let search = || {
                engine.each_solution(&[0; CELLS], &mut |_| {
                    left -= 1;
                    assert!(left > 0, "the callback panics");
                    ControlFlow::Continue(())
                })
            };
            assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
            assert!(answers(&mut engine, &puzzles) == expected, "after {after} solutions");
        }
    }
}
