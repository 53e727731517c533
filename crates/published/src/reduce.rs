//! Eliminate and only choice in turns, then depth first: the solver of the AI courses.
//!
//! The plain reading of the two rules of [`norvig`](super::norvig), in passes over the whole grid instead of a
//! recursion (Yeo; taught as `eliminate`, `only_choice`, `reduce_puzzle` and `search`):
//!
//! ```text
//! reduce:   eliminate     for every cell in reading order: solved by now? eliminate its value in its peers
//!           only choice   for every unit and value, in order: one place only? it goes there, at once
//!           again, until neither has changed anything; a cell without values is a contradiction
//! search:   reduce; all solved? else try the values of the first of the cells with the fewest
//! ```
//!
//! The order is the one in Yeo's program as he printed it. Its `eliminate` walks the cells while it changes them, so a
//! cell that an earlier cell of the pass has solved counts in the same pass. (The version of the Udacity course lists
//! the solved cells first. It needs 8,080 calls on Norvig's `top95.txt`, at most 631; this one needs 8,174, at most
//! 597.)
//!
//! Four shortcuts change neither the result nor the calls:
//! - A cell's value is eliminated in its peers once, since it cannot come back. (This took `17_clue` to the proof from
//!   115 to 59 µs a puzzle.)
//! - One look at a unit shows whether a value has only one place there. The program looks nine times.
//! - A pass that leaves a cell without values is the last one. The program goes on until the number of solved cells
//!   stays the same, but no rule gives a value back.
//! - The passes end when nothing has changed. The program ends when no further cell is solved. All solved cells have
//!   then been eliminated in their peers, so another pass changes nothing.
//!
//! The rules do not see a value without a place in a unit. Such a position shows only when some cell has no value
//! left, which can take a few more choices than in `norvig`: the calls are never fewer.

use super::fewest::{self, Infer, is_settled};
use galop_engines::engine::{Contradiction, Engine, Entry, Isa, Unsupported};
use galop_engines::grid::{Grid, Rules};

pub(crate) const ENTRY: Entry = Entry {
    about: "eliminate and only choice in turns over the grid, then the cell with the fewest values",
    // 200,000 one-solution puzzles needed at most 7,219 to the proof (17 clues). Norvig's impossible puzzle, which the
    // published program decides, needs 4,253,128. Ten million take half a minute.
    max_guesses: 10_000_000,
    counts_calls: true,
    lists: true,
    accepts: fewest::accept,
    ..Entry::new("reduce", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    let cells = rules.grid().cells();
    fewest::engine(rules, Reduce { grid: rules.grid().clone(), is_done: vec![false; cells] })
}

struct Reduce {
    grid: Grid,
    /// Cells whose value has been eliminated in their peers, where it cannot come back.
    is_done: Vec<bool>,
}

impl Reduce {
    fn reduce(&mut self, values: &mut [u64]) -> Result<(), Contradiction> {
        while self.eliminate(values) | self.only_choice(values) {
            if values.contains(&0) {
                return Err(Contradiction);
            }
        }
        if values.contains(&0) { Err(Contradiction) } else { Ok(()) }
    }

    /// Eliminates the value of every solved cell in its peers, in reading order; returns whether that changed anything.
    fn eliminate(&mut self, values: &mut [u64]) -> bool {
        let mut has_changed = false;
        for cell in 0..values.len() {
            // An earlier cell of this pass may have solved it.
            let value = values[cell];
            if !is_settled(value) || std::mem::replace(&mut self.is_done[cell], true) {
                continue;
            }
            for &peer in self.grid.peers(cell) {
                has_changed |= values[peer] & value != 0;
                values[peer] &= !value;
            }
        }
        has_changed
    }

    /// Places every value that has one place in a unit; returns whether that changed anything.
    fn only_choice(&self, values: &mut [u64]) -> bool {
        let mut has_changed = false;
        for unit in self.grid.units() {
            if !has_only_choice(unit, values) {
                continue;
            }
            for symbol in 1..=self.grid.symbols() {
                let value = fewest::bit(symbol);
                let mut places = unit.iter().filter(|&&cell| values[cell] & value != 0);
                if let (Some(&cell), None) = (places.next(), places.next()) {
                    has_changed |= values[cell] != value;
                    values[cell] = value;
                }
            }
        }
        has_changed
    }
}

/// Whether some value has only one place in `unit`, and other values are possible there. It looks at all values at
/// once, so that units without such a value cost little.
fn has_only_choice(unit: &[usize], values: &[u64]) -> bool {
    let (mut once, mut twice, mut settled) = (0, 0, 0);
    for here in unit.iter().map(|&cell| values[cell]) {
        twice |= once & here;
        once |= here;
        settled |= if is_settled(here) { here } else { 0 };
    }
    once & !twice & !settled != 0
}

impl Infer for Reduce {
    fn start(
        &mut self,
        values: &mut [u64],
        clues: impl Iterator<Item = (usize, u64)>,
    ) -> Result<(), Contradiction> {
        self.is_done.fill(false);
        clues.for_each(|(cell, value)| values[cell] = value);
        self.reduce(values)
    }

    fn assign(&mut self, values: &mut [u64], cell: usize, value: u64) -> Result<(), Contradiction> {
        // The values of cells solved before have been eliminated in their peers.
        for (is_done, &values) in self.is_done.iter_mut().zip(&*values) {
            *is_done = is_settled(values);
        }
        values[cell] = value;
        self.reduce(values)
    }
}
