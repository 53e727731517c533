//! Lists the solutions of puzzles, one after the other.
//!
//! Dancing links finds them: it takes rules of any kind and returns from its search with each solution. Of each item it
//! tries the options in ascending order, so the order of the solutions depends on the puzzle alone.

use galop_cover::Assumptions;
use galop_cover::engine::{self as cover_engine, Step, Stepper};

use super::coding::Coding;
use super::{Isa, Unsupported};
use crate::grid::Rules;

/// Lists the solutions of one puzzle after the other.
pub struct Lister {
    stepper: Stepper,
    assumptions: Assumptions,
    coding: Coding,
    /// Whether the clues are symbols of the rules.
    is_possible: bool,
}

/// What the search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextSolution {
    /// Another solution.
    Solution,
    /// There are no more solutions.
    End,
    /// The run was stopped.
    Stopped,
}

/// Nodes of the search between two looks at whether the run was stopped: about 10 ms.
const NODES_BETWEEN_LOOKS: u64 = 20_000;

impl Lister {
    /// The name of the engine that it searches with.
    pub const ENGINE: &'static str = "dlx";

    /// # Errors
    /// [`Unsupported`] if there are too many options.
    pub fn new(rules: &Rules) -> Result<Lister, Unsupported> {
        let made = Stepper::new(rules.cover(), &cover_engine::LINKS, Isa::best());
        Ok(Lister {
            stepper: made.map_err(|why| Unsupported::Cover { rules: rules.name().to_owned(), why })?,
            assumptions: Assumptions::default(),
            coding: Coding::of(rules),
            is_possible: false,
        })
    }

    /// Begins with the solutions of `puzzle`.
    pub fn start(&mut self, puzzle: &[u8]) {
        self.is_possible = self.coding.assume(puzzle, &mut self.assumptions);
        self.stepper.start(&self.assumptions, u64::MAX);
    }

    /// Writes the next solution to `cells`.
    pub fn next(&mut self, cells: &mut [u8], is_stopped: impl Fn() -> bool) -> NextSolution {
        while self.is_possible {
            match self.stepper.next(NODES_BETWEEN_LOOKS) {
                Step::Solution => {
                    self.coding.write(self.stepper.solution(), cells);
                    return NextSolution::Solution;
                }
                Step::Stopped if is_stopped() => return NextSolution::Stopped,
                Step::Stopped => {}
                Step::End => break,
            }
        }
        NextSolution::End
    }
}
