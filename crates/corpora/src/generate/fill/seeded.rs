//! A random full grid of rules with pairs: random symbols in random cells, completed by the engine `grid`.
//!
//! The search of `items` knows singles only. Where cells a knight's move apart differ it finds no grid of 10x10 in 500
//! tries; `grid`, which knows locked candidates, takes 50 guesses. But without a clue it always finds the same grid. So
//! it starts with as many random symbols as a row has. If nothing completes them, it tries again, with one fewer after
//! some tries: where symbols exclude each other, few are enough.
//!
//! Grids are not equally likely.

use crate::chance::Chance;
use crate::engine::{Engine, GRID, Isa, Unsupported};
use crate::grid::inference::{all_symbols, symbols, taken};
use crate::grid::{Grid, Rules};
use crate::puzzle::{Answer, Answers, Limits, Puzzles};

/// Guesses per cell after which a try with all symbols is given up. With one symbol fewer it is twice as many, with two
/// fewer three times. (With 20,000 guesses and six tries each, diagonal anti-knights of 9x9 took about ten times as
/// long.)
const GUESSES_PER_CELL: u64 = 4;

/// Tries with the same number of random symbols.
const TRIES: usize = 2;

pub(in crate::generate) struct Seeded {
    grid: Grid,
    engine: Box<dyn Engine>,
    start: Vec<u8>,
}

impl Seeded {
    pub(super) fn new(rules: &Rules) -> Result<Seeded, Unsupported> {
        let engine = (GRID.make)(rules, Isa::best())?;
        Ok(Seeded { grid: rules.grid().clone(), engine, start: Vec::new() })
    }

    /// Overwrites `full` with a random full grid. Returns false if none was found.
    pub(super) fn fill(&mut self, full: &mut [u8], chance: &mut Chance) -> bool {
        let most = usize::from(self.grid.symbols());
        (0..=most).rev().flat_map(|count| [count; TRIES]).any(|count| {
            self.start(count, chance);
            let guesses = GUESSES_PER_CELL * (full.len() * (1 + most - count)) as u64;
            self.complete(full, guesses)
        })
    }

    /// Puts random symbols that exclude no other one into up to `count` random cells.
    fn start(&mut self, count: usize, chance: &mut Chance) {
        self.start.clear();
        self.start.resize(self.grid.cells(), 0);
        for _ in 0..count {
            let cell = chance.below(self.grid.cells() as u32) as usize;
            let left = all_symbols(&self.grid) & !taken(&self.grid, &self.start, cell);
            if self.start[cell] == 0 && left != 0 {
                let at = chance.below(left.count_ones()) as usize;
                self.start[cell] = symbols(left).nth(at).unwrap_or_default();
            }
        }
    }

    /// Writes the first solution that the engine finds within so many guesses.
    fn complete(&mut self, full: &mut [u8], guesses: u64) -> bool {
        let cells = self.grid.cells();
        let mut answers = [Answer::default()];
        let limits = Limits::ANY.with_guesses(guesses);
        let solved = Puzzles::new(&self.start, cells)
            .and_then(|puzzles| Ok((puzzles, Answers::new(full, &mut answers, cells)?)))
            .and_then(|(puzzles, mut places)| self.engine.solve(puzzles, limits, &mut places));
        solved.is_ok() && answers[0].solutions > 0
    }
}
