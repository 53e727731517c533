//! The call of `lanes` that other engines do not have: solutions that differ from a known one.

use std::fmt;

use galop_simd::{Simd, Vector};

use super::batch::{Batch, Candidate};
use super::kind::Kind;
use super::{Lanes, pool};
use crate::engine::{Engine, Isa, Unsupported, WrongLength};
use crate::grid::Rules;
use crate::puzzle::{Answers, Limits, Puzzles};

/// The engine `lanes`, with a call that only it has.
///
/// [`as_engine`](Self::as_engine) is the engine that [`ENGINES`](crate::ENGINES) has under that name.
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

    /// The engine without this call.
    pub fn as_engine(&mut self) -> &mut dyn Engine {
        &mut *self.calls
    }

    /// Finds for each of `puzzles` a solution other than the one that is known: place `i` of `known` is a solution of
    /// puzzle `i`. With `cells[i]`, the solution differs from the known one in that cell, counted from 0; the search is
    /// then about twice as fast. [`solutions`](crate::puzzle::Answer::solutions) is 1 if there is another solution,
    /// which is then written, else 0.
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
        let batch = Batch::new(puzzles.slice(0..count), Limits::ANY, answers.slice(0..count));
        self.calls.run(batch.differing(known, &excluded), is_stopped);
        Ok(())
    }
}
