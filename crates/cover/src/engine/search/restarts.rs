//! A search for some solutions with learnt weights and restarts, once for all engines that have one.
//!
//! A search in a fixed order that goes wrong near the root looks at millions of hopeless positions at the bottom of the
//! tree. This one gives up after a number of nodes and starts again, with other random ties and with what it has
//! learnt.
//! ```text
//!            item i of least score                            i: every failure of an item adds 1 to its weight
//!          /                              \
//!    choose option o of i        remove o, choose an item again
//! ```
//! 1. Every choice is binary: an option is chosen or it is removed. After a removal the item of least score may be
//!    another one (Knuth's "dancing cells", program ssxcc-binary).
//! 2. An item's score is its size (or its slack and 1) divided by its weight, which is 1 and the number of times that
//!    it could not be covered (Boussemart, Hemery, Lecoutre and Sais, "Boosting systematic search by weighting
//!    constraints", 2004). So the search learns which items fail. Weights are kept over restarts.
//! 3. Scores are multiplied by a random number slightly above 1, drawn anew at each restart.
//! 4. The nodes of a run are a term of the Luby sequence (1 1 2 1 1 2 4 .., Luby, Sinclair and Zuckerman, 1993) times a
//!    unit. Some run is long enough to be complete, so the search ends if there is no solution. A complete run finds
//!    every solution once.

use super::{Levels, Step};
use crate::chance::Chance;
use crate::engine::{Event, Meter, Seeker, Stop};
use crate::{Assumptions, OptionId};

/// The largest random factor of a score is 1 + 1 / this.
const TIES: f32 = 20.0;

/// A problem, and the states of a search.
pub(crate) trait States: Send {
    /// Nodes of the shortest run.
    const UNIT_NODES: u64;
    /// Whether weights are forgotten when the Luby sequence reaches a new greatest term.
    const FORGETS: bool;

    /// The number of items, with padding.
    fn item_count(&self) -> usize;

    /// Starts anew and applies the assumptions; `false` if they contradict each other.
    fn assume(&mut self, assumptions: &Assumptions) -> bool;

    /// [Goes on](Path::run), with the states in view.
    fn run(&mut self, path: &mut Path, meter: &mut Meter<'_>) -> Event;

    /// Appends the options chosen.
    fn write_solution(&self, options: &mut Vec<OptionId>);
}

/// The item that could not be covered.
pub(crate) struct Failed(pub(crate) usize);

/// The moves between the states.
pub(crate) trait Walk {
    /// Chooses what is forced, to a fixed point. `None` if no item is open: the chosen options are a solution.
    fn propagate(&mut self) -> Result<Option<u32>, Failed>;

    /// An option to choose, of the open item of least score. `least` is what `propagate` has returned.
    fn pick(&mut self, least: u32, luck: &mut Luck) -> u32;

    /// Keeps the current state as the state of the next level; `depth` levels are there already.
    fn save(&mut self, depth: usize);

    /// Chooses an option.
    fn choose(&mut self, option: u32) -> Result<(), Failed>;

    /// Goes back to the state of a level, in which `chosen` options were chosen.
    fn restore(&mut self, level: usize, chosen: usize);

    /// Removes an option.
    fn forbid(&mut self, option: u32) -> Result<(), Failed>;

    /// The number of options chosen.
    fn chosen_count(&self) -> usize;
}

/// What a search learns about the items, and what is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Luck {
    /// Of each item its weight, what is drawn for it, and the quotient of both, which its size is multiplied with.
    weights: Vec<f32>,
    ties: Vec<f32>,
    pub(crate) factors: Vec<f32>,
    /// The items whose weight is above 1.
    pub(crate) learnt: Vec<u32>,
    pub(crate) chance: Chance,
}

impl Luck {
    fn new(items: usize) -> Luck {
        let ones = vec![1.0; items];
        Luck {
            weights: ones.clone(),
            ties: ones.clone(),
            factors: ones,
            learnt: Vec::new(),
            chance: Chance::new(0),
        }
    }

    /// Sets all weights to 1.
    fn forget(&mut self) {
        self.weights.fill(1.0);
        self.learnt.clear();
    }

    /// Draws new ties.
    fn draw(&mut self) {
        for at in 0..self.ties.len() {
            let drawn = (self.chance.word() >> 40) as f32 / (1 << 24) as f32;
            self.ties[at] = 1.0 + drawn / TIES;
            self.factors[at] = self.ties[at] / self.weights[at];
        }
    }

    /// Adds to the weight of the item that failed.
    #[inline(always)]
    fn learn(&mut self, Failed(item): Failed) {
        if self.weights[item] == 1.0 {
            self.learnt.push(item as u32);
        }
        self.weights[item] += 1.0;
        self.factors[item] = self.ties[item] / self.weights[item];
    }
}

/// A run: its levels, and what chooses them.
#[derive(Clone, Debug)]
pub(crate) struct Path {
    levels: Levels,
    luck: Luck,
}

impl Path {
    /// Goes on to the next event.
    #[inline(always)]
    pub(crate) fn run(&mut self, walk: &mut impl Walk, meter: &mut Meter<'_>) -> Event {
        let Path { levels, luck } = self;
        loop {
            let moved = match levels.step {
                Step::Done => return Event::End,
                Step::Enter | Step::Examine => match walk.propagate() {
                    Err(failed) => Err(failed),
                    Ok(None) => {
                        levels.step = Step::Leave;
                        return Event::Solution;
                    }
                    Ok(Some(least)) => {
                        let depth = levels.depth();
                        if let Some(stop) = meter.node(depth) {
                            return Event::Stopped(stop);
                        }
                        let option = walk.pick(least, luck);
                        levels.push(option, 1_u8, walk.chosen_count());
                        walk.save(depth);
                        walk.choose(option)
                    }
                },
                Step::Leave => {
                    let Some((option, chosen)) = levels.pop(|_| OptionId(0)) else { continue };
                    walk.restore(levels.depth(), chosen);
                    walk.forbid(option)
                }
            };
            levels.step = match moved {
                Ok(()) => Step::Examine,
                Err(failed) => {
                    luck.learn(failed);
                    Step::Leave
                }
            };
        }
    }
}

/// The search described above.
pub(crate) struct Restarting<S> {
    states: S,
    path: Path,
    assumptions: Assumptions,
    /// Whether the next run begins.
    is_over: bool,
    /// Nodes of the shortest run.
    pub(crate) unit: u64,
    /// Runs begun, the nodes of the current one, and how many of these are left.
    runs: u64,
    run_nodes: u64,
    nodes_left: u64,
    solution: Vec<OptionId>,
}

impl<S: States> Restarting<S> {
    /// A search through `states`. [`start`](Seeker::start) comes first.
    pub(crate) fn new(states: S) -> Restarting<S> {
        Restarting {
            path: Path { levels: Levels::default(), luck: Luck::new(states.item_count()) },
            states,
            assumptions: Assumptions::default(),
            is_over: false,
            unit: S::UNIT_NODES,
            runs: 0,
            run_nodes: 0,
            nodes_left: 0,
            solution: Vec::new(),
        }
    }

    /// Begins the next run. It is complete at once if the assumptions contradict each other.
    fn restart(&mut self) {
        self.runs += 1;
        self.run_nodes = self.unit * luby(self.runs);
        self.nodes_left = self.run_nodes;
        let Path { levels, luck } = &mut self.path;
        if S::FORGETS && self.runs.is_power_of_two() {
            luck.forget();
        }
        luck.draw();
        levels.start();
        if self.states.assume(&self.assumptions) {
            levels.step = Step::Examine;
        }
    }
}

impl<S: States> Seeker for Restarting<S> {
    fn start(&mut self, assumptions: &Assumptions, seed: u64) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.path.luck.chance = Chance::new(seed);
        self.path.luck.forget();
        (self.is_over, self.runs) = (true, 0);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            if std::mem::take(&mut self.is_over) {
                self.restart();
            }
            let (event, nodes) =
                meter.within(self.nodes_left, |meter| self.states.run(&mut self.path, meter));
            self.nodes_left -= nodes;
            match event {
                Event::Solution => {
                    self.solution.clear();
                    self.states.write_solution(&mut self.solution);
                    self.nodes_left = self.run_nodes;
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

/// The number at `place` in the Luby sequence, 1 1 2 1 1 2 4 .., counted from 1.
fn luby(mut place: u64) -> u64 {
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
    use crate::engine::sparse::Sparse;
    use crate::engine::tests::{assert_seeks_all, meter};
    use crate::tests::problems;

    #[test]
    fn the_luby_sequence() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    #[test]
    fn without_items_there_is_one_solution() {
        let mut search = Restarting::new(Sparse::new(&ExactCover::default()).unwrap());
        let mut meter = meter();
        search.start(&Assumptions::default(), 0);
        assert_eq!((search.next(&mut meter), search.solution().len()), (Event::Solution, 0));
        assert_eq!([search.next(&mut meter), search.next(&mut meter)], [Event::End; 2]);
    }

    proptest! {
        #[test]
        fn the_search_is_complete(problem in problems(), draws in any::<[u32; 2]>(), seed in any::<u64>()) {
            prop_assume!(problem.is_simple());
            let mut search = Restarting::new(Sparse::new(&problem).unwrap());
            assert_seeks_all(&mut search, |search, unit| search.unit = unit, &problem, draws, seed);
        }
    }
}
