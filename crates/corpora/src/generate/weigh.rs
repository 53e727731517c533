//! The weights with which minimal puzzles made from the top down are an exact sample of all minimal puzzles.
//!
//! Clues are removed in random order, each one unless it is needed. A needed clue stays needed, so the next clue that
//! is removed is drawn evenly from all that can be removed. If `n` of the final clues can still be removed before step
//! `i`, the choice at that step has `m - i + n` ways, where `m` clues are removed in all:
//!
//! ```text
//! chance of the steps that were taken     product over i = 0..m of 1 / (m - i + n_i)
//! sequences of steps to the same puzzle   m!: every order of these clues leads there, as more clues never have more solutions
//! weight                                  product over i of (m - i + n_i)  /  m!
//! ```
//! A sum of weights is an estimate without bias of a sum over all minimal puzzles (of a uniform grid): of 1, their
//! number; of the clues, the sum of all their clues. This is the method of Knuth, "Estimating the efficiency of
//! backtrack programs" (Mathematics of Computation 29, 1975). Berthier's controlled-bias generator ("Unbiased
//! statistics of a constraint satisfaction problem", CISSE 2009) gives up where a needed clue is drawn first, which
//! 257,000 of 257,001 grids do.
//!
//! The step at which a final clue becomes needed is found by bisection, for many clues side by side.

use super::NewPuzzle;
use super::cycles::CELLS;
use super::thinning::differing;
use crate::engine::{Isa, LanesEngine};
use crate::error::Error;
use crate::grid::Rules;
use crate::puzzle::{Answer, Answers, Limits, Puzzles, Status};

/// Puzzles that are weighed at once. Each has about 25 clues.
const AT_ONCE: usize = 128;

/// Weighs puzzles.
pub(super) struct Weigher {
    engine: LanesEngine,
    puzzles: Vec<u8>,
    grids: Vec<u8>,
    cells: Vec<Option<usize>>,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

/// A final clue: it can be removed after `low` clues were, and not after `high`.
struct Clue {
    puzzle: usize,
    cell: usize,
    low: usize,
    high: usize,
}

impl Clue {
    /// The number of removed clues after which it is checked next.
    fn middle(&self) -> usize {
        self.low.midpoint(self.high)
    }
}

impl Weigher {
    /// # Errors
    /// [`Unsupported`].
    pub(super) fn new() -> Result<Weigher, Error> {
        Ok(Weigher {
            engine: LanesEngine::new(&Rules::default(), Isa::best())?,
            puzzles: Vec::new(),
            grids: Vec::new(),
            cells: Vec::new(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Appends the weight of each puzzle. It was made from the top down by removing clues in its order.
    ///
    /// # Errors
    /// [`WrongLength`](crate::engine::WrongLength).
    pub(super) fn weigh(&mut self, made: &[NewPuzzle], weights: &mut Vec<f64>) -> Result<(), Error> {
        for made in made.chunks(AT_ONCE) {
            let removals: Vec<Removals> = made.iter().map(Removals::of).collect();
            let mut clues: Vec<Clue> = Vec::new();
            for (puzzle, removals) in removals.iter().enumerate() {
                clues.extend(removals.clues.iter().map(|&(cell, high)| Clue { puzzle, cell, low: 0, high }));
            }
            let mut needed_from: Vec<Vec<usize>> = vec![Vec::new(); made.len()];
            while !clues.is_empty() {
                clues.retain(|clue| {
                    let is_found = clue.high - clue.low <= 1;
                    if is_found {
                        needed_from[clue.puzzle].push(clue.high);
                    }
                    !is_found
                });
                self.bisect(&mut clues, made, &removals)?;
            }
            let steps = removals.iter().map(|removals| removals.cells.len());
            weights
                .extend(needed_from.iter().zip(steps).map(|(needed_from, steps)| weight(steps, needed_from)));
        }
        Ok(())
    }

    /// Checks each of the clues once.
    fn bisect(&mut self, clues: &mut [Clue], made: &[NewPuzzle], removals: &[Removals]) -> Result<(), Error> {
        let Weigher { engine, puzzles, grids, cells, solutions, answers } = self;
        puzzles.clear();
        grids.clear();
        cells.clear();
        for clue in clues.iter() {
            let start = puzzles.len();
            puzzles.extend_from_slice(&made[clue.puzzle].grid);
            grids.extend_from_slice(&made[clue.puzzle].grid);
            for &cell in &removals[clue.puzzle].cells[..clue.middle()] {
                puzzles[start + cell] = 0;
            }
            puzzles[start + clue.cell] = 0;
            cells.push(Some(clue.cell));
        }
        solutions.resize(clues.len() * CELLS, 0);
        answers.clear();
        answers.resize(clues.len(), Answer::default());
        let places = Answers::new(solutions, answers, CELLS)?;
        engine.find_others(
            Puzzles::new(puzzles, CELLS)?,
            Puzzles::new(grids, CELLS)?,
            cells,
            places,
            &|| false,
        )?;
        let found = solutions.as_chunks::<CELLS>().0.iter().zip(&*answers).zip(grids.as_chunks::<CELLS>().0);
        for (clue, ((other, answer), grid)) in clues.iter_mut().zip(found) {
            if answer.status(Limits::ANY) == Status::None {
                clue.low = clue.middle();
                continue;
            }
            // The other cells that differ are removed by now; without the last one of them the clue is needed already.
            let set = differing(grid, other);
            let removed = &removals[clue.puzzle].cells[..clue.middle()];
            let last = removed.iter().rposition(|&cell| set >> cell & 1 == 1).map_or(0, |step| step + 1);
            clue.high = clue.middle().min(last.max(clue.low + 1));
        }
        Ok(())
    }
}

/// The clues that were removed, and those that are left.
struct Removals {
    /// The cells, in order.
    cells: Vec<usize>,
    /// The final clues, each with the number of clues that were removed before it was tried.
    clues: Vec<(usize, usize)>,
}

impl Removals {
    fn of(made: &NewPuzzle) -> Removals {
        let mut removals = Removals { cells: Vec::new(), clues: Vec::new() };
        for &cell in &made.order {
            let cell = cell as usize;
            match made.puzzle.get(cell) {
                Some(0) => removals.cells.push(cell),
                _ => removals.clues.push((cell, removals.cells.len())),
            }
        }
        removals
    }
}

/// The weight of a puzzle for which that many clues were removed. Each of the final clues is needed from a step on.
fn weight(steps: usize, needed_from: &[usize]) -> f64 {
    let mut weight = 1.0;
    for step in 0..steps {
        let removable = needed_from.iter().filter(|&&from| from > step).count();
        weight *= 1.0 + removable as f64 / (steps - step) as f64;
    }
    weight
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::{Details, Generator, MadePage, Recipe, Wish, run_described};
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn recipe(seed: u64) -> Recipe {
        let details = Details { weights: true, ..Details::default() };
        Recipe { details, ..Recipe::new(seed, Wish::Minimal) }
    }

    /// A clue is removable if no second solution appears without it: counted at each step by another engine.
    #[test]
    fn weights_are_those_of_the_plain_count() {
        let recipe = recipe(5);
        let (made, outcome) = Generator::new(&recipe).unwrap().make(0..3, &GO_ON);
        outcome.unwrap();
        let mut weights = Vec::new();
        Weigher::new().unwrap().weigh(&made, &mut weights).unwrap();
        for (made, found) in made.iter().zip(weights) {
            let (mut puzzle, mut weight) = (made.grid.clone(), 1.0);
            let order = made.order.iter().map(|&cell| cell as usize);
            let removed: Vec<usize> = order.filter(|&cell| made.puzzle[cell] == 0).collect();
            for (step, &cell) in removed.iter().enumerate() {
                let is_removable = |&cell: &usize| {
                    let mut thinner = puzzle.clone();
                    thinner[cell] = 0;
                    puzzle[cell] != 0 && crate::generate::tests::is_unique(recipe.engine, &thinner)
                };
                let ways = (0..CELLS).filter(is_removable).count();
                weight *= ways as f64 / (removed.len() - step) as f64;
                puzzle[cell] = 0;
            }
            assert_eq!(puzzle, made.puzzle);
            assert!((found / weight - 1.0).abs() < 1e-9, "{found} {weight}");
        }
    }

    /// All minimal puzzles have 26.577 clues on average, and there are 3.1055e37 of them (Berthier), that is 4.655e15
    /// for each of the 6.67e21 grids. The mean of their clues is four times as far from the mean of puzzles made from
    /// the top down as the error allows.
    #[test]
    fn weighted_means_are_those_of_all_minimal_puzzles() {
        let (mut clues, mut weights) = (Vec::new(), Vec::new());
        run_described(&recipe(6), 6_000, &GO_ON, &mut |page: &MadePage| {
            let lines = page.puzzles.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            clues.extend(lines.map(|line| line.iter().filter(|&&byte| byte != b'.').count() as f64));
            weights.extend_from_slice(&page.weights);
            Ok(())
        })
        .unwrap();
        assert_eq!((clues.len(), weights.len()), (6_000, 6_000));
        let count = weights.len() as f64;
        let sum: f64 = weights.iter().sum();
        let mean = weights.iter().zip(&clues).map(|(weight, clues)| weight * clues).sum::<f64>() / sum;
        let squares = weights.iter().zip(&clues).map(|(weight, clues)| (weight * (clues - mean)).powi(2));
        let error = squares.sum::<f64>().sqrt() / sum;
        assert!((mean - 26.577).abs() < 4.0 * error && error < 0.5, "{mean} +- {error}");
        let squares = weights.iter().map(|weight| (weight - sum / count).powi(2)).sum::<f64>();
        let error = squares.sqrt() / count;
        assert!((sum / count - 4.655e15).abs() < 4.0 * error && error < 2e15, "{} +- {error}", sum / count);
    }
}
