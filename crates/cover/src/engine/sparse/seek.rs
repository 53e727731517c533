//! Some solutions instead of all in order: [restarts](crate::engine::search::Restarting) with sparse sets.
//!
//! Of an item's options the search chooses the one whose items are the smallest: it takes the fewest options away from
//! items that have many left. The sum of the squares of the sizes decides; ties are drawn when they occur.
//!
//! What that is worth (millions of options removed until the first solution, median of 15 seeds; in brackets the peer
//! with the same weights, Knuth's ssxcc-wtd, in milliseconds, and this in milliseconds)
//! ```text
//!                                 random option   least sum of sizes   of squares
//! quasigroup 33, 462 holes #1     2.9             .04                  .06           (750, 3)
//! quasigroup 35, 525 holes #1     2.9             .02                  .02           (72, 1)
//! 25x25 sudoku, 330 holes         none            31                   31            (none, 1400)
//! hexominoes, 15x15 less 3x5      4.7             1.9                  1.3           (24, 59)
//! Y-pentominoes 15x15             2.6             none                 none          (470, none)
//! ```
//!
//! Tried and lost
//! - Failure rates instead of weights (Knuth's ssxcc-frb): 3 of 4 quasigroups not solved in 150,000 nodes.
//! - Later failures counting more than earlier ones, by a hundredth each: 5 times as many nodes.
//! - The item of the last failure first (Lecoutre, "last conflict"): quasigroups as before, hexominoes twice the nodes.
//! - The option chosen in the deepest position so far: 1.2 to 3 times the nodes. The option of fewest failures: no
//!   gain.
//! - The sum of the logarithms, or of sizes times the roots of weights: hexominoes 3 times the nodes.
//! - Units of 300 nodes: quasigroup 33 #1 2.5 times the nodes. Units of 100: 5 times.

use super::sets::{View, Work};
use super::sizes::Size;
use super::{Sparse, Walk};
use crate::chance::Chance;
use crate::engine::search::{self, Failed, Luck, Path, States};
use crate::engine::{Event, Meter};
use crate::{Assumptions, OptionId};

impl States for Sparse {
    const UNIT_NODES: u64 = 1000;
    const FORGETS: bool = false;

    fn item_count(&self) -> usize {
        self.table.lanes()
    }

    fn assume(&mut self, assumptions: &Assumptions) -> bool {
        self.trail.clear();
        self.sets.assume(&self.table, assumptions, &mut self.trail)
    }

    fn run(&mut self, path: &mut Path, meter: &mut Meter<'_>) -> Event {
        self.sets.work(&self.table, Run { path, trail: &mut self.trail, meter })
    }

    fn write_solution(&self, options: &mut Vec<OptionId>) {
        options.extend(self.trail.iter().map(|&term| self.table.option_of(term)));
    }
}

/// A run, with the sets in view.
struct Run<'a, 'm> {
    path: &'a mut Path,
    trail: &'a mut Vec<u32>,
    meter: &'a mut Meter<'m>,
}

impl Work for Run<'_, '_> {
    type Output = Event;

    #[inline(always)]
    fn run<N: Size, const COLOURS: bool>(self, view: &mut View<'_, N>) -> Event {
        let event = self.path.run(&mut Walk::<N, COLOURS> { view, trail: self.trail }, self.meter);
        self.meter.ticks += view.ticks;
        event
    }
}

impl<N: Size, const COLOURS: bool> Walk<'_, '_, N, COLOURS> {
    #[inline(always)]
    fn result(&mut self, is_alive: bool) -> Result<(), Failed> {
        if is_alive {
            return Ok(());
        }
        self.view.pending = 0;
        Err(Failed(self.view.emptied as usize))
    }
}

/// An option is its first term.
impl<N: Size, const COLOURS: bool> search::Walk for Walk<'_, '_, N, COLOURS> {
    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<u32>, Failed> {
        let is_alive = self.view.propagate::<COLOURS>(self.trail);
        self.result(is_alive)?;
        Ok((self.view.open > 0).then_some(0))
    }

    #[inline(always)]
    fn pick(&mut self, _: u32, luck: &mut Luck) -> u32 {
        let item = self.view.lightest(&luck.factors);
        self.view.ticks += self.view.ticks_to_read(item);
        let member = mildest(self.view, item, &mut luck.chance);
        self.view.first_term(member)
    }

    #[inline(always)]
    fn save(&mut self, depth: usize) {
        self.view.save(depth);
    }

    #[inline(always)]
    fn choose(&mut self, option: u32) -> Result<(), Failed> {
        self.trail.push(option);
        let is_alive = self.view.choose::<COLOURS>(option);
        self.result(is_alive)
    }

    #[inline(always)]
    fn restore(&mut self, level: usize, chosen: usize) {
        self.go_back(level, chosen);
    }

    #[inline(always)]
    fn forbid(&mut self, option: u32) -> Result<(), Failed> {
        let is_alive = self.view.remove(option);
        self.result(is_alive)
    }

    #[inline(always)]
    fn chosen_count(&self) -> usize {
        self.trail.len()
    }
}

/// The live option of `item` that takes the fewest options away from the items that have many, as a term; a random one
/// of several.
fn mildest<N: Size>(view: &View<'_, N>, item: u32, chance: &mut Chance) -> u32 {
    let mut best = (u64::MAX, 0);
    for &member in view.members_of(item) {
        let squares = view.sum_of_squares(member);
        best = best.min((squares << 16 | chance.word() >> 48, member));
    }
    best.1
}
