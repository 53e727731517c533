//! Seeks some solution instead of all in order: random options and restarts, in the same tree.
//!
//! In order the search begins with the options that come first in the problem, and where that is a bad beginning, it
//! looks at millions of hopeless positions. This search begins anew after some thousand nodes. The item with the least
//! slack is branched on as ever; its option is drawn at random, then chosen, then forbidden.
//!
//! 1. An option is drawn the more often the more items it covers, m to the power of 1.5, and the more often its items with
//!    bounds must still be covered: the square of that number. So large things are placed before small ones, and nothing
//!    is used up early.
//! 2. A run has slightly more nodes than the one before. So some run is long enough to be complete, and the search ends
//!    if there is no solution. A complete run finds every solution once.
//!
//! On the partridge puzzle of order 8 (8 squares of 8x8, .., one of 1x1; 1,304 items) it needs 300,000 to 900,000 nodes for a
//! solution, exponentially distributed. What was measured is the mean of 12 to 24 seeds, in thousands of nodes; differences of
//! a quarter mean nothing.
//! ```text
//! runs of about 1,000 nodes, an option that covers m items drawn by
//! m^1.5 low^2: 480 to 840      m^2 low^3: 640      m^1.25 low^1.5: 620      m^2 low^2: 870      m^.75 low: 705
//!
//! drawn by m^1.5 low^2, runs of
//! 300 nodes: 900     500: 640     3,000: 510     30,000: 1,260     5,000 in Luby's sequence: 620
//! ```
//! Tried and lost there
//! - Weights learnt from contradictions (as in [`sparse`](crate::engine::sparse)), random ties, the item of the last
//!   contradiction first: on order 6, which has no solution, 10 to 20 times the nodes. Neighbouring items should be
//!   branched on one after the other, as the order of the items has it.
//! - Of an item's options the one with the least sum of squared sizes, or the greatest: no solution in 4 million nodes.
//! - Bounds: items that only small options cover against what these cover in all, and how many disjoint options an item
//!   has. A fifth fewer nodes on order 6; each node takes as much longer.

use std::sync::Arc;

use super::state::{Pending, Position, State};
use super::table::Table;
use crate::chance::Chance;
use crate::engine::{Contradiction, Event, Meter, Seeker, Stop};
use crate::{Assumptions, OptionId};

/// Nodes of the first run, as a rule.
const UNIT_NODES: u64 = 1000;

/// A run has this part more nodes than the one before.
const GROWTH: u64 = 128;

/// A choice: an option is chosen below, and eliminated when the search comes back.
#[derive(Clone, Copy, Debug)]
struct Level {
    option: u32,
    /// Options chosen above.
    chosen: usize,
}

/// What the search does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Begins the next run.
    Restart,
    /// Propagates, and chooses an option.
    Examine,
    /// Eliminates the option chosen last.
    Retract,
    /// Nothing: the run was complete.
    Done,
}

/// The table of a problem, and a search with restarts.
pub(super) struct Seek {
    table: Arc<Table>,
    state: State,
    levels: Vec<Level>,
    saved: Vec<State>,
    /// The chosen options, by their places: assumed options first.
    chosen: Vec<u32>,
    pending: Pending,
    assumptions: Assumptions,
    chance: Chance,
    step: Step,
    /// Nodes of the first run, of the current one, and how many of these are left.
    unit: u64,
    run_nodes: u64,
    nodes_left: u64,
    /// The options to draw from, with the sums of their weights.
    urn: Vec<(u32, u64)>,
    solution: Vec<OptionId>,
}

impl Seek {
    /// A search of the problem of a table. [`start`](Seeker::start) comes first.
    pub(super) fn new(table: Arc<Table>) -> Seek {
        Seek {
            state: table.root.clone(),
            pending: Pending::new(table.order.len()),
            table,
            levels: Vec::new(),
            saved: Vec::new(),
            chosen: Vec::new(),
            assumptions: Assumptions::default(),
            chance: Chance::new(0),
            step: Step::Done,
            unit: UNIT_NODES,
            run_nodes: 0,
            nodes_left: 0,
            urn: Vec::new(),
            solution: Vec::new(),
        }
    }

    /// Begins the next run.
    fn restart(&mut self) -> Result<(), Contradiction> {
        self.run_nodes += self.run_nodes.div_ceil(GROWTH);
        self.nodes_left = self.run_nodes;
        self.levels.clear();
        self.chosen.clear();
        self.step = Step::Done;
        let Seek { table, state, chosen, pending, assumptions, .. } = self;
        let mut position = Position { table, state, chosen, pending, updates: 0 };
        position.assume(assumptions)?;
        self.step = Step::Examine;
        Ok(())
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let Seek { table, state, levels, saved, chosen, pending, chance, step, urn, solution, .. } = self;
        let mut position = Position { table, state, chosen, pending, updates: 0 };
        let event = loop {
            match *step {
                Step::Restart | Step::Done => break Event::End,
                Step::Examine => {
                    let item = match position.propagate() {
                        Err(Contradiction) => {
                            *step = Step::Retract;
                            continue;
                        }
                        Ok(None) => {
                            position.write_solution(solution);
                            *step = Step::Retract;
                            break Event::Solution;
                        }
                        Ok(Some((item, _))) => item,
                    };
                    if let Some(stop) = meter.node(levels.len()) {
                        break Event::Stopped(stop);
                    }
                    let option = draw(&position, item, chance, urn);
                    match saved.get_mut(levels.len()) {
                        Some(saved) => saved.copy_from(position.state),
                        None => saved.push(position.state.clone()),
                    }
                    levels.push(Level { option, chosen: position.chosen.len() });
                    position.choose(option);
                }
                Step::Retract => {
                    let Some(level) = levels.pop() else {
                        *step = Step::Done;
                        break Event::End;
                    };
                    position.state.copy_from(&saved[levels.len()]);
                    position.chosen.truncate(level.chosen);
                    position.eliminate(level.option);
                    *step = Step::Examine;
                }
            }
        };
        meter.updates += position.updates;
        event
    }
}

/// Draws a live option of an item, which has one.
fn draw(position: &Position<'_>, item: usize, chance: &mut Chance, urn: &mut Vec<(u32, u64)>) -> u32 {
    let mut sum = 0_u64;
    urn.clear();
    position.for_each_option(item, |place| {
        sum = sum.saturating_add(position.weigh(place));
        urn.push((place, sum));
    });
    let drawn = ((u128::from(chance.word()) * u128::from(sum)) >> 64) as u64;
    let at = urn.partition_point(|&(_, sum)| sum <= drawn);
    urn.get(at).or(urn.last()).map_or(0, |&(place, _)| place)
}

impl Seeker for Seek {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.chance = Chance::new(seed);
        self.step = Step::Restart;
        self.run_nodes = self.unit;
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            if self.step == Step::Restart && self.restart().is_err() {
                return Event::End;
            }
            let (event, nodes) = meter.within(self.nodes_left, |meter| self.run(meter));
            self.nodes_left -= nodes;
            match event {
                Event::Solution => {
                    self.nodes_left = self.run_nodes;
                    return event;
                }
                Event::Stopped(Stop::Nodes) if self.nodes_left == 0 => self.step = Step::Restart,
                _ => return event,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use galop_simd::Isa;
    use proptest::prelude::*;

    use super::*;
    use crate::random::{brute_force_with, problems};

    /// All solutions that a search in slices finds until it ends.
    fn found_by(seek: &mut dyn Seeker, slice: u64) -> Vec<Vec<OptionId>> {
        let (mut found, mut meter) = (Vec::new(), Meter::new(0, None, None));
        loop {
            match seek.next(&mut meter) {
                Event::Solution => {
                    found.push(seek.solution().to_vec());
                    found.last_mut().unwrap().sort_unstable();
                }
                Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
                Event::End => break,
            }
        }
        assert_eq!(seek.next(&mut meter), Event::End);
        found
    }

    proptest! {
        /// However short the runs are, all solutions were found when the search ends, and nothing else.
        #[test]
        fn the_search_is_complete(problem in problems(), draws in any::<[u32; 2]>(), seed in any::<u64>()) {
            let count = problem.option_count().max(1) as u32;
            let [chosen, forbidden] = draws.map(|draw| if draw % 3 > 0 || problem.option_count() == 0 {
                Vec::new()
            } else {
                vec![draw / 3 % count]
            });
            let expected: BTreeSet<_> = brute_force_with(&problem, &chosen, &forbidden).into_iter().collect();
            let build = Isa::best().into();
            let mut seek = Seek::new(Arc::new(Table::new(&problem, build).unwrap().0));
            let assumptions = Assumptions { chosen, forbidden };
            for (unit, slice) in [(1, 1), (1, 1000), (2, 3), (5, 2), (1000, 1000)] {
                seek.unit = unit;
                seek.start(&assumptions, seed);
                let found = found_by(&mut seek, slice);
                let distinct: BTreeSet<_> = found.iter().cloned().collect();
                prop_assert!(distinct.len() == found.len() || unit < 1000, "a run finds a solution twice");
                prop_assert_eq!(&distinct, &expected, "{}", unit);
            }
        }
    }
}
