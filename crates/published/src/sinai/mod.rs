//! Sinai's solver: candidates as sets, singles in reading order, a guess where there are fewest candidates.
//!
//! After Lior Sinai, "Sudoku Solver in Python" (liorsinai.github.io, 27 July 2020), and his repository
//! github.com/LiorSinai/SudokuSolver-Python. The program in short:
//!
//! ```text
//! call:   over the cells in reading order, again and again while that places anything:
//!           a blank without candidates ends the call;
//!           a single candidate is placed: the symbol is eliminated in all peers, and the units of every cell
//!           that changed, the last changed first, are searched (the strategy: singles.rs, strategies.rs)
//!         all filled: a solution
//!         else the first cell with fewest candidates: a call for each of them, on a copy
//! ```
//! He publishes the calls and their greatest depth: 39 and 10 on the hardest puzzle of Arto Inkala. This engine counts
//! as he does and gets his figures, because it does everything in his order, even in the order of Python's sets
//! ([`order`]). It differs from his program in four points: candidates are bits; a unit that has not changed since it
//! was last searched is skipped ([`candidates`]). Guesses are counted as in all engines, and a puzzle with a fault
//! ([`Board::has_fault`]) is answered without a call. (The post has no such check; the repository has one, which leaves
//! a blank without candidates to the first call.)
//!
//! A grid that gets filled is a solution: a placed symbol is eliminated in all peers at once, a strategy only
//! eliminates candidates, and the clues are checked.

mod candidates;
mod inference;
mod order;
mod singles;
mod strategies;

use std::marker::PhantomData;
use std::ops::ControlFlow;

use galop_engines::engine::Account;
use galop_engines::engine::{Each, Engine, Isa, Search, Unsupported};
use galop_engines::grid::Rules;
use galop_engines::puzzle::{Answer, Limits};

pub(crate) const SINGLES: galop_engines::engine::Entry = singles::ENTRY;
pub(crate) const STRATEGIES: galop_engines::engine::Entry = strategies::ENTRY;

use candidates::{Board, Plan};

/// What follows from the cells that a placed symbol changed.
trait Strategy: Send + 'static {
    /// Whether the whole grid is searched once before the puzzle is checked.
    const FLUSHES: bool;

    /// Searches the units of `cell`, which has changed. Appends the cells to search next to `changed`, from whose end
    /// the caller takes them.
    fn apply(board: &mut Board, plan: &Plan, cell: usize, changed: &mut Vec<usize>);
}

/// Accepts the rules if they are units only, and if the order of Python's sets is known for their symbols.
fn accept(rules: &Rules) -> Result<(), Unsupported> {
    if (1..=order::LARGEST).contains(&rules.grid().symbols()) && rules.grid().has_only_units() {
        return Ok(());
    }
    let accepts = "grids whose rules are units, of at most 9 symbols (it keeps the order of Python's sets, drawn up for 1 to 9)";
    Err(Unsupported::Rules { accepts, rules: rules.name().to_owned() })
}

fn make<S: Strategy>(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    let (plan, levels, changed) = (Plan::new(rules.grid()), vec![Board::default()], Vec::new());
    Ok(Box::new(Each(Sinai::<S> { plan, levels, changed, strategy: PhantomData })))
}

struct Sinai<S> {
    plan: Plan,
    /// The positions of the search, one a depth; kept for the next puzzle.
    levels: Vec<Board>,
    changed: Vec<usize>,
    strategy: PhantomData<S>,
}

impl<S: Strategy> Search for Sinai<S> {
    fn cells(&self) -> usize {
        self.plan.grid.cells()
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        self.run(puzzle, Account::new(limits, solution))
    }

    fn list(
        &mut self,
        puzzle: &[u8],
        limits: Limits,
        visit: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> bool {
        let _ = self.run(puzzle, Account::listing(limits, &mut vec![0; puzzle.len()], visit));
        true
    }
}

impl<S: Strategy> Sinai<S> {
    fn run(&mut self, puzzle: &[u8], mut account: Account<'_>) -> Answer {
        if puzzle.iter().all(|&symbol| symbol <= self.plan.grid.symbols()) {
            let Sinai { plan, levels, changed, .. } = self;
            levels[0].start(plan, puzzle);
            if S::FLUSHES {
                strategies::flush(&mut levels[0], plan, changed);
            }
            if !levels[0].has_fault(plan) {
                // A break needs nothing more: the account knows the limit that was reached.
                let _ = self.call(0, &mut account);
            }
        }
        account.close()
    }

    /// One call; breaks at a limit.
    fn call(&mut self, depth: usize, account: &mut Account<'_>) -> ControlFlow<()> {
        account.call(depth);
        match self.place_singles(depth) {
            Scan::Contradiction => ControlFlow::Continue(()),
            Scan::Filled => account.listed(|cells| cells.copy_from_slice(&self.levels[depth].cells)),
            Scan::Open => self.guess(depth, account),
        }
    }

    /// Scans the cells until a scan places nothing.
    fn place_singles(&mut self, depth: usize) -> Scan {
        let Sinai { plan, levels, changed, .. } = self;
        let board = &mut levels[depth];
        loop {
            let (mut is_filled, mut is_edited) = (true, false);
            for cell in 0..board.cells.len() {
                if board.cells[cell] != 0 {
                    continue;
                }
                is_filled = false;
                match board.candidates[cell] {
                    0 => return Scan::Contradiction,
                    candidates if candidates.is_power_of_two() => {
                        place::<S>(board, plan, cell, candidates.ilog2() as u8 + 1, changed);
                        is_edited = true;
                    }
                    _ => {}
                }
            }
            if !is_edited {
                return if is_filled { Scan::Filled } else { Scan::Open };
            }
        }
    }

    fn guess(&mut self, depth: usize, account: &mut Account<'_>) -> ControlFlow<()> {
        let board = &self.levels[depth];
        let blanks = (0..board.cells.len()).filter(|&cell| board.cells[cell] == 0);
        let Some(cell) = blanks.min_by_key(|&cell| board.candidates[cell].count_ones()) else {
            return ControlFlow::Continue(());
        };
        let candidates = board.candidates[cell];
        if self.levels.len() == depth + 1 {
            self.levels.push(Board::default());
        }
        let (order, last) = (self.levels[depth].orders[cell], candidates.count_ones() as usize - 1);
        for (tried, symbol) in order.iter(candidates).enumerate() {
            if tried < last {
                account.guess()?;
            }
            let Sinai { plan, levels, changed, .. } = self;
            if let [.., board, next] = &mut levels[..depth + 2] {
                next.copy(board);
                place::<S>(next, plan, cell, symbol, changed);
            }
            self.call(depth + 1, account)?;
        }
        ControlFlow::Continue(())
    }
}

/// How the scans of the cells end.
enum Scan {
    /// A blank has no candidates.
    Contradiction,
    Filled,
    /// Every blank has at least two candidates.
    Open,
}

/// Places `symbol` in `cell`, and lets the strategy search the units of every cell that changes.
fn place<S: Strategy>(board: &mut Board, plan: &Plan, cell: usize, symbol: u8, changed: &mut Vec<usize>) {
    board.place(plan, cell, symbol, changed);
    while let Some(cell) = changed.pop() {
        S::apply(board, plan, cell, changed);
    }
}
