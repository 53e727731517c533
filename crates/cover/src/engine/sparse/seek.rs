//! Seeks some solution instead of all in order: binary choices, learnt weights, random ties and restarts.
//!
//! A search in a fixed order that goes wrong near the root looks at millions of hopeless positions at the bottom of the
//! tree. This one gives up after a number of nodes and starts again, with other random ties and with what it has
//! learnt.
//! ```text
//!            item i of least size / weight                    i: every failure of an item adds 1 to its weight
//!          /                              \
//!    choose option o of i        remove o, choose an item again
//! ```
//! 1. Every choice is binary: an option is chosen or it is removed. After a removal the item of least score may be
//!    another one (Knuth's "dancing cells", program ssxcc-binary).
//! 2. An item's score is its size divided by its weight, which is 1 and the number of times it lost its last option
//!    (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting constraints", 2004). So the
//!    search learns which items fail. Weights are kept over restarts.
//! 3. Of the item's options the search chooses the one whose items are the smallest: it takes the fewest options away
//!    from items that have many left. The sum of the squares of the sizes decides.
//! 4. Scores are multiplied by a random number slightly above 1, drawn anew at each restart; ties of options are drawn
//!    when they occur.
//! 5. The nodes of a run are a term of the Luby sequence (1 1 2 1 1 2 4 .., Luby, Sinclair and Zuckerman, 1993) times
//!    [`UNIT_NODES`]. Some run is long enough to be complete, so the search ends if there is no solution. A
//!    complete run finds every solution once.
//!
//! What trick 3 is worth (millions of options removed until the first solution, median of 15 seeds; in brackets the
//! peer with the same weights, Knuth's ssxcc-wtd, in milliseconds, and this in milliseconds)
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
//! - The sum of the logarithms, or of sizes times the roots of weights, in trick 3: hexominoes 3 times the nodes.
//! - Units of 300 nodes: quasigroup 33 #1 2.5 times the nodes. Units of 100: 5 times.

use std::sync::Arc;

use super::Sparse;
use super::sets::{Sets, SparseTable, View, Work};
use super::sizes::Size;
use crate::chance::Chance;
use crate::engine::search::{Levels, Step};
use crate::engine::{Event, Meter, Seeker, Stop};
use crate::{Assumptions, OptionId};

/// Nodes of the shortest run, as a rule.
const UNIT_NODES: u64 = 1000;

/// The largest random factor of a score is 1 + 1 / this.
const TIES: f32 = 20.0;

/// The sets of a problem, and a search with restarts.
#[derive(Clone, Debug)]
pub(crate) struct Seek {
    table: Arc<SparseTable>,
    sets: Sets,
    levels: Levels,
    /// The chosen options, each as one of its terms: assumed options first.
    trail: Vec<u32>,
    /// Whether the next run begins.
    is_over: bool,
    assumptions: Assumptions,
    weights: Weights,
    chance: Chance,
    /// Nodes of the shortest run.
    unit: u64,
    /// Runs begun, and the nodes left for the current one.
    runs: u64,
    nodes_left: u64,
    solution: Vec<OptionId>,
}

/// What the search learns about the primary items, what is drawn for them, and their quotient, which the size is
/// multiplied with.
#[derive(Clone, Debug)]
struct Weights {
    learnt: Vec<f32>,
    ties: Vec<f32>,
    factors: Vec<f32>,
}

impl Weights {
    /// Draws new ties.
    fn draw(&mut self, chance: &mut Chance) {
        for at in 0..self.ties.len() {
            let drawn = (chance.word() >> 40) as f32 / (1 << 24) as f32;
            self.ties[at] = 1.0 + drawn / TIES;
            self.factors[at] = self.ties[at] / self.learnt[at];
        }
    }

    /// Learns that `item` lost its last option.
    #[inline(always)]
    fn learn(&mut self, item: usize) {
        self.learnt[item] += 1.0;
        self.factors[item] = self.ties[item] / self.learnt[item];
    }
}

impl Seek {
    /// A search of the problem in `sparse`. [`start`](Seeker::start) comes first.
    pub(crate) fn new(sparse: &Sparse) -> Seek {
        let count = sparse.table.lanes();
        Seek {
            table: Arc::clone(&sparse.table),
            sets: sparse.sets.clone(),
            levels: Levels::default(),
            trail: Vec::with_capacity(sparse.table.primary_count),
            is_over: false,
            assumptions: Assumptions::default(),
            weights: Weights { learnt: vec![1.0; count], ties: vec![1.0; count], factors: vec![1.0; count] },
            chance: Chance::new(0),
            unit: UNIT_NODES,
            runs: 0,
            nodes_left: 0,
            solution: Vec::with_capacity(sparse.table.primary_count),
        }
    }

    /// Begins the next run. It is complete at once if the assumptions contradict each other.
    fn restart(&mut self) {
        self.is_over = false;
        self.runs += 1;
        self.nodes_left = self.unit * luby(self.runs);
        self.weights.draw(&mut self.chance);
        let Seek { table, sets, levels, trail, assumptions, .. } = self;
        levels.start();
        trail.clear();
        if sets.assume(table, assumptions, trail) {
            levels.step = Step::Examine;
        }
    }
}

/// A run, with the sets in view.
struct SeekJob<'a, 'm> {
    levels: &'a mut Levels,
    trail: &'a mut Vec<u32>,
    weights: &'a mut Weights,
    chance: &'a mut Chance,
    meter: &'a mut Meter<'m>,
}

impl Work for SeekJob<'_, '_> {
    type Output = Event;

    #[inline(always)]
    fn run<N: Size, const COLOURS: bool>(self, view: &mut View<'_, N>) -> Event {
        let SeekJob { levels, trail, weights, chance, meter } = self;
        let event = loop {
            let mut is_alive = true;
            match levels.step {
                Step::Done => break Event::End,
                // Options forced by the assumptions come before the first choice; without items there is none.
                Step::Examine if view.pending > 0 || view.open == 0 => {}
                Step::Enter | Step::Examine => {
                    let depth = levels.depth();
                    if let Some(stop) = meter.node(depth) {
                        break Event::Stopped(stop);
                    }
                    let item = view.lightest(&weights.factors);
                    view.ticks += view.ticks_to_read(item);
                    let member = mildest(view, item, chance);
                    let option = view.first_term(member);
                    levels.push(option, 1_u8, trail.len());
                    view.save(depth);
                    trail.push(option);
                    is_alive = view.choose::<COLOURS>(option);
                }
                Step::Leave => {
                    let Some((option, chosen)) = levels.pop(|_| OptionId(0)) else { continue };
                    view.restore(levels.depth());
                    trail.truncate(chosen);
                    is_alive = view.remove(option);
                }
            }
            is_alive = is_alive && view.propagate::<COLOURS>(trail);
            levels.step = if is_alive && view.open > 0 { Step::Examine } else { Step::Leave };
            if !is_alive {
                view.pending = 0;
                weights.learn(view.emptied as usize);
            } else if view.open == 0 {
                break Event::Solution;
            }
        };
        meter.ticks += view.ticks;
        event
    }
}

impl Seeker for Seek {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.chance = Chance::new(seed);
        self.weights.learnt.fill(1.0);
        (self.is_over, self.runs) = (true, 0);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            if self.is_over {
                self.restart();
            }
            let Seek { table, sets, levels, trail, weights, chance, solution, .. } = self;
            // `Meter::within` would do this, but the loop that is inlined here then takes 6 % longer.
            let before = meter.nodes;
            let most = meter.lower_max_nodes(before.saturating_add(self.nodes_left));
            let event = sets.work(table, SeekJob { levels, trail, weights, chance, meter });
            meter.set_max_nodes(most);
            self.nodes_left -= meter.nodes - before;
            match event {
                Event::Solution => {
                    solution.clear();
                    solution.extend(trail.iter().map(|&term| table.option_of(term)));
                    self.nodes_left = self.unit * luby(self.runs);
                    return event;
                }
                Event::Stopped(Stop::Nodes) if self.nodes_left == 0 => self.is_over = true,
                _ => return event,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
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

/// The number at `place` in the Luby sequence, 1 1 2 1 1 2 4 .., counted from 1.
pub(in crate::engine) fn luby(mut place: u64) -> u64 {
    loop {
        let bits = u64::BITS - place.leading_zeros();
        if place.count_ones() == bits {
            return 1 << bits.saturating_sub(1);
        }
        place -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ExactCover;
    use crate::engine::tests::{assert_seeks_all, meter};
    use crate::tests::problems;

    #[test]
    fn the_luby_sequence() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn without_items_there_is_one_solution() {
        let mut seek = Seek::new(&Sparse::new(&ExactCover::default()).unwrap());
        let mut meter = meter();
        seek.start(&Assumptions::default(), 0);
        assert_eq!((seek.next(&mut meter), seek.solution().len()), (Event::Solution, 0));
        assert_eq!([seek.next(&mut meter), seek.next(&mut meter)], [Event::End; 2]);
    }

    proptest! {
        #[test]
        fn the_search_is_complete(problem in problems(), draws in any::<[u32; 2]>(), seed in any::<u64>()) {
            prop_assume!(problem.is_simple());
            let mut seek = Seek::new(&Sparse::new(&problem).unwrap());
            assert_seeks_all(&mut seek, |seek, unit| seek.unit = unit, &problem, draws, seed);
        }
    }
}
