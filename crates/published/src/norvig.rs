//! Norvig's solver: two rules run to their end after every assignment, and a search from the cell with the
//! fewest values.
//!
//! After Peter Norvig, "Solving Every Sudoku Puzzle" (2006, norvig.com/sudoku.html; again as "Solving Any Sudoku
//! Puzzle", 2021, in his pytudes), whose words these are:
//!
//! 1. If a square has only one possible value, then eliminate that value from the square's peers.
//! 2. If a unit has only one possible place for a value, then put the value there.
//!
//! His `eliminate` calls itself through both rules until nothing follows. `search` then takes the square with the
//! fewest values, the first such square row by row, and tries its digits ascending (see [`fewest`](super::fewest), also
//! for what counts as a call).
//!
//! # The same counts
//! His program walks the peers of a square in the order of a Python set, which is arbitrary. The counts depend neither
//! on that order nor on the order of the units. Values are only ever eliminated. A rule that applies still applies
//! after more eliminations, or has become a contradiction. Whenever a value is eliminated in a square, the program
//! checks both rules for that square and for that value in the square's three units. So either the same values remain
//! in every order (the most that satisfy both rules), or every order ends in a contradiction. `search` sees nothing
//! else. (Tried: his program with the peers shuffled, on 306 puzzles: no count changed.)
//!
//! This engine may therefore use the order that is fast, and makes as many calls as his: 6,222 for his `top95.txt`, 110
//! for the eleven of `hardest.txt`, and 26 for his second puzzle (`tests/published/norvig.rs`). Of these he writes that
//! "we need to look at only 25 possibilities", all but the puzzle's own call.
//!
//! # How it is made fast
//! 1. A square's values are one word. An assigned value is eliminated in twenty peers before anything else is
//!    inferred; squares that fall to one value wait on a stack.
//! 2. When the stack is empty, the units in which something was eliminated are read, once for all values: the values
//!    seen once and the values seen twice are two words.
//!
//! ```text
//! values   a word a cell, bit symbol - 1                  dirty   a bit a unit: a value has left it
//! settled  a stack of cells: one value, not yet eliminated in the peers
//! ```

use super::fewest::{self, Infer, is_settled};
use galop_engines::engine::{Contradiction, Engine, Entry, Isa, Unsupported};
use galop_engines::grid::Rules;

pub(crate) const ENTRY: Entry = Entry {
    about: "Norvig's: singles after every assignment, search from the cell with the fewest values",
    // 300,000 puzzles needed at most 1,960 to the proof (forum_hardest_1905). Norvig's impossible one, which took his
    // program 1,439 seconds, needs 2,629,715 (5,238,089 calls); ten million take six seconds.
    max_guesses: 10_000_000,
    counts_calls: true,
    lists: true,
    accepts: fewest::accept,
    ..Entry::new("norvig", make)
};

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    fewest::engine(rules, Singles::new(rules)?)
}

/// His two rules.
struct Singles {
    all: u64,
    /// The peers of every cell, one cell behind the other, and where the peers of each cell start.
    peers: Vec<u32>,
    peer_starts: Vec<u32>,
    /// The cells of every unit, likewise.
    units: Vec<u32>,
    unit_starts: Vec<u32>,
    /// The units of every cell: as many words as `dirty`, a bit a unit.
    units_of: Vec<u64>,
    dirty: Vec<u64>,
    settled: Vec<u32>,
}

impl Singles {
    fn new(rules: &Rules) -> Result<Singles, Unsupported> {
        let (grid, all) = (rules.grid(), fewest::all_symbols(rules)?);
        let words = grid.units().len().div_ceil(64);
        let (peers, peer_starts) = flat((0..grid.cells()).map(|cell| grid.peers(cell)));
        let (units, unit_starts) = flat(grid.units().iter().map(Vec::as_slice));
        let mut units_of = vec![0; grid.cells() * words];
        for cell in 0..grid.cells() {
            for unit in grid.units_of(cell) {
                units_of[cell * words + unit / 64] |= 1 << (unit % 64);
            }
        }
        let settled = Vec::with_capacity(grid.cells());
        Ok(Singles { all, peers, peer_starts, units, unit_starts, units_of, dirty: vec![0; words], settled })
    }

    /// Applies both rules until nothing follows.
    fn propagate(&mut self, values: &mut [u64]) -> Result<(), Contradiction> {
        loop {
            while let Some(cell) = self.settled.pop() {
                self.eliminate(values, cell as usize)?;
            }
            let Some(unit) = self.take_dirty() else { return Ok(()) };
            self.fill(values, unit)?;
        }
    }

    /// Rule 1: `cell` has one value; eliminates it in the peers.
    fn eliminate(&mut self, values: &mut [u64], cell: usize) -> Result<(), Contradiction> {
        let value = values[cell];
        for at in self.peer_starts[cell]..self.peer_starts[cell + 1] {
            let peer = self.peers[at as usize] as usize;
            let before = values[peer];
            if before & value != 0 {
                let left = before & !value;
                values[peer] = left;
                if is_settled(left) {
                    if left == 0 {
                        return Err(Contradiction);
                    }
                    self.settled.push(peer as u32);
                }
                self.mark_dirty(peer);
            }
        }
        Ok(())
    }

    /// Rule 2: places the values that have one place in `unit`.
    fn fill(&mut self, values: &mut [u64], unit: usize) -> Result<(), Contradiction> {
        let places = self.unit_starts[unit]..self.unit_starts[unit + 1];
        let (mut once, mut twice, mut settled) = (0, 0, 0);
        for at in places.clone() {
            let here = values[self.units[at as usize] as usize];
            twice |= once & here;
            once |= here;
            settled |= if is_settled(here) { here } else { 0 };
        }
        if once != self.all {
            return Err(Contradiction);
        }
        let single = once & !twice & !settled;
        if single == 0 {
            return Ok(());
        }
        for at in places {
            let cell = self.units[at as usize] as usize;
            let value = values[cell] & single;
            if value != 0 {
                if !is_settled(value) {
                    return Err(Contradiction);
                }
                values[cell] = value;
                self.settled.push(cell as u32);
                self.mark_dirty(cell);
            }
        }
        Ok(())
    }

    /// Notes that a value was eliminated in `cell`: its units must be read.
    fn mark_dirty(&mut self, cell: usize) {
        let words = self.dirty.len();
        for (dirty, units) in self.dirty.iter_mut().zip(&self.units_of[cell * words..]) {
            *dirty |= units;
        }
    }

    fn take_dirty(&mut self) -> Option<usize> {
        let (word, dirty) = self.dirty.iter_mut().enumerate().find(|(_, dirty)| **dirty != 0)?;
        let unit = 64 * word + dirty.trailing_zeros() as usize;
        *dirty &= *dirty - 1;
        Some(unit)
    }

    /// Drops the work that a contradiction left undone.
    fn clear(&mut self) {
        self.settled.clear();
        self.dirty.fill(0);
    }
}

impl Infer for Singles {
    fn start(
        &mut self,
        values: &mut [u64],
        clues: impl Iterator<Item = (usize, u64)>,
    ) -> Result<(), Contradiction> {
        self.clear();
        for (cell, value) in clues {
            values[cell] = value;
            self.settled.push(cell as u32);
            self.mark_dirty(cell);
        }
        self.propagate(values)
    }

    fn assign(&mut self, values: &mut [u64], cell: usize, value: u64) -> Result<(), Contradiction> {
        self.clear();
        values[cell] = value;
        self.settled.push(cell as u32);
        self.mark_dirty(cell);
        self.propagate(values)
    }
}

/// Lists one behind the other, and where each starts; one start more at the end.
fn flat<'a>(lists: impl Iterator<Item = &'a [usize]>) -> (Vec<u32>, Vec<u32>) {
    let (mut flat, mut starts) = (Vec::new(), vec![0]);
    for list in lists {
        flat.extend(list.iter().map(|&cell| cell as u32));
        starts.push(flat.len() as u32);
    }
    (flat, starts)
}
