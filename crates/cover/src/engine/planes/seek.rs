//! Some solutions instead of all in order: [restarts](crate::engine::search::Restarting) with planes.
//!
//! The search takes the first option of the item of least (slack + 1) / weight. Weights are forgotten when the Luby
//! sequence reaches a new greatest term: without that one seed in twenty finds no solution of a roster in a million
//! nodes.
//!
//! What weights are worth, in nodes to the first solution (median of 5 seeds, weights kept; without weights none in
//! millions)
//! ```text
//!                                  first option, units of 100  300    1,000 nodes   the neediest option, 100
//! sequence of 30 cars              130                         330    1,000         1,200
//! sequence of 60 cars              1,000                       6,400  12,000        none
//! rosters 20x14                    1,000                       1,400  1,200         1,000
//! rosters 30x14                    1,100                       1,800  1,300         1,100
//! ```

use super::numbers::members;
use super::{Moves, Planes};
use crate::engine::search::{Failed, Luck, Path, States, Walk};
use crate::engine::{Contradiction, Event, Meter};
use crate::{Assumptions, OptionId};

impl<const W: usize, const K: usize, const B: usize> States for Planes<W, K, B> {
    const UNIT_NODES: u64 = 100;
    const FORGETS: bool = true;

    fn item_count(&self) -> usize {
        64 * W
    }

    fn assume(&mut self, assumptions: &Assumptions) -> bool {
        Moves::assume(self, assumptions, &mut Vec::new()).is_ok()
    }

    fn run(&mut self, path: &mut Path, meter: &mut Meter<'_>) -> Event {
        let event = path.run(self, meter);
        meter.ticks += self.take_ticks();
        event
    }

    fn write_solution(&self, options: &mut Vec<OptionId>) {
        options.extend_from_slice(&self.stack.chosen);
    }
}

impl<const W: usize, const K: usize, const B: usize> Planes<W, K, B> {
    #[inline(always)]
    fn result<T>(&self, result: Result<T, Contradiction>) -> Result<T, Failed> {
        result.map_err(|Contradiction| Failed(self.stack.failed))
    }
}

impl<const W: usize, const K: usize, const B: usize> Walk for Planes<W, K, B> {
    #[inline(always)]
    fn propagate(&mut self) -> Result<Option<u32>, Failed> {
        let open = Moves::propagate(self);
        Ok(self.result(open)?.map(|(_, slack)| slack))
    }

    /// Looks at the items of least slack, and at those that have failed. (Others have greater scores, unless the slack
    /// is above 19.)
    #[inline(always)]
    fn pick(&mut self, least: u32, luck: &mut Luck) -> u32 {
        let slacks = &self.stack.current().slack;
        let mut best = (f32::INFINITY, 0);
        let mut compare = |item: usize, slack: u32| {
            let score = (slack + 1) as f32 * luck.factors[item];
            if score < best.0 {
                best = (score, item);
            }
        };
        members(&slacks.smallest(slacks.nonzero())).for_each(|item| compare(item, least));
        for item in luck.learnt.iter().map(|&item| item as usize) {
            match slacks.get(item) {
                0 => {}
                slack => compare(item, slack),
            }
        }
        self.stack.ticks += luck.learnt.len() as u64;
        self.first_of(best.1).unwrap_or_default()
    }

    #[inline(always)]
    fn save(&mut self, _: usize) {
        Moves::save(self);
    }

    #[inline(always)]
    fn choose(&mut self, option: u32) -> Result<(), Failed> {
        let moved = Moves::choose(self, option);
        self.result(moved)
    }

    #[inline(always)]
    fn restore(&mut self, level: usize, chosen: usize) {
        Moves::restore(self, level, chosen);
    }

    #[inline(always)]
    fn forbid(&mut self, option: u32) -> Result<(), Failed> {
        let moved = Moves::forbid(self, option);
        self.result(moved)
    }

    #[inline(always)]
    fn chosen_count(&self) -> usize {
        Moves::chosen_count(self)
    }
}
