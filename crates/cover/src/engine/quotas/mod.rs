//! Sparse sets with bounds: items that are covered several times or need not be covered, in problems too large for
//! multiplicity planes.
//!
//! Every item has an array of its options, those still live in front, as in [`sparse`](super::sparse) sets; beside its
//! size stand how often it must and how often it may still be covered ([`sets`]). A step examines the terms of the
//! options that it eliminates and nothing else, so its cost does not depend on the number of items. Donald Knuth's
//! program ssmcc joins the two ideas, too.
//!
//! It branches as [`planes`](super::planes) do, and searches the same tree: the item that can lose the fewest options
//! (its slack), the first of several; its first live option is chosen, and then forbidden in place.
//!
//! Tricks
//! 1. An item with slack 0 needs all its options: it goes to a list, and they are chosen before anything else is
//!    examined.
//! 2. An item that need not be covered any more, and has no options, is closed at once. So the search ends when no item
//!    is open.
//! 3. A level saves the numbers of all items, one copy; members of sets keep the order that the search gave them.
//!
//! On problems that planes have room for it takes 2 to 5 times as long as they do, and more where an item is in all
//! options (queen domination).
//!
//! Tried and lost, on the partridge puzzle of order 8 (1,304 items; 20 microseconds a node), whose solutions are rare: ties
//! go to the item with the largest lower bound, to a random one, to the first one once the slack is 1 or more; options
//! from the last to the first, or at random with restarts after 2,000 to 20,000 nodes in Luby's sequence; items with
//! weights learnt from contradictions. Random options with restarts found a solution in 5 of 14 runs, after 190,000 to
//! 790,000 nodes; ties to the largest lower bound found one after 717,000 nodes. The others found none.

mod pieces;
mod planes;
mod seek;
mod slacks;
mod state;
mod table;
#[cfg(test)]
mod tests;
mod windows;

use std::sync::Arc;

use crate::engine::{Build, Contradiction, CoverEngine, CoverEntry, Event, Meter, Seeker, Unsuitable};
use crate::{Assumptions, ExactCover, OptionId};
use pieces::Numbers;
use planes::Sliced;
use seek::Seek;
use slacks::Slacks;
use state::{Pending, Position, State};
use table::Table;
use windows::{Row, Windows};

/// The engine's row in the table.
pub(crate) const ENTRY: CoverEntry = CoverEntry {
    name: "quotas",
    about: "sparse sets with bounds: any number of items, few options examined (Knuth's ssmcc)",
    make,
};

/// Bytes of the largest table of windows, for bit-sliced slacks.
const MAX_ROW_BYTES: usize = 64 << 20;

/// Windows for each 64 options above which slacks are not bit-sliced.
const MAX_WINDOWS: usize = 4;

/// Whether bit-sliced slacks suit `problem`.
fn is_dense(problem: &ExactCover) -> bool {
    let windows = Windows::count(problem, &table::order(problem));
    windows <= problem.option_count().div_ceil(64) * MAX_WINDOWS
        && windows * size_of::<[Row; 64]>() <= MAX_ROW_BYTES
}

/// The engine whose slacks suit `problem`.
fn make(problem: &ExactCover, build: Build<'_>) -> Result<Box<dyn CoverEngine>, Unsuitable> {
    if is_dense(problem) {
        return Ok(Box::new(Quotas::<Sliced>::new(problem, build)?));
    }
    check_degrees(problem)?;
    Ok(Box::new(Quotas::<Numbers>::new(problem, build)?))
}

/// What makes searches of `problem` with restarts. They share a table.
pub(crate) fn seekers(problem: &ExactCover, build: Build<'_>) -> Result<MakeSeeker, Unsuitable> {
    if is_dense(problem) {
        let table = Arc::new(Table::<Sliced>::new(problem, build)?);
        return Ok(Box::new(move || Box::new(Seek::new(Arc::clone(&table)))));
    }
    check_degrees(problem)?;
    let table = Arc::new(Table::<Numbers>::new(problem, build)?);
    Ok(Box::new(move || Box::new(Seek::new(Arc::clone(&table)))))
}

/// Makes a search with restarts.
pub(crate) type MakeSeeker = Box<dyn Fn() -> Box<dyn Seeker> + Send + Sync>;

/// Whether slacks have room for the options of every item.
fn check_degrees(problem: &ExactCover) -> Result<(), Unsuitable> {
    let primary = &table::degrees(problem)[..problem.primary_count()];
    let most_options = primary.iter().copied().max().unwrap_or(0) as usize;
    Unsuitable::check_size("options of an item", most_options, pieces::MAX_SLACK)
}

/// Where the search continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// At a new state, a node: the option of the last level is not chosen yet.
    Enter,
    /// At a state to propagate and to branch on.
    Examine,
    /// At the last choice, to backtrack.
    Leave,
    /// The search is complete.
    Done,
}

/// A choice: its option is chosen on the next level and then forbidden on this one.
#[derive(Clone, Copy, Debug)]
struct Level {
    option: u32,
    /// Options chosen, and options forbidden, before this choice.
    chosen: usize,
    forbidden: usize,
    /// The share of the search in which the option is forbidden; `None` if that branch was split off.
    rest: Option<f64>,
}

/// A problem in sparse sets with bounds, and a search through it.
struct Quotas<S: Slacks> {
    table: Arc<Table<S>>,
    state: State<S>,
    levels: Vec<Level>,
    /// The state of each level before its choice.
    saved: Vec<State<S>>,
    /// The chosen options, by their places in the order of the search: assumed options first.
    chosen: Vec<u32>,
    forbidden: Vec<OptionId>,
    /// Empty between two steps.
    pending: Pending,
    step: Step,
    /// The share of the search below the current state, and the share that is done.
    weight: f64,
    done: f64,
    solution: Vec<OptionId>,
}

impl<S: Slacks> Quotas<S> {
    /// The engine of `problem`.
    ///
    /// # Errors
    /// [`Unsuitable`] if there are too many terms.
    fn new(problem: &ExactCover, build: Build<'_>) -> Result<Quotas<S>, Unsuitable> {
        Ok(Quotas::of(Arc::new(Table::new(problem, build)?)))
    }

    fn of(table: Arc<Table<S>>) -> Quotas<S> {
        let pending = Pending::new(table.order.len());
        Quotas {
            state: table.root.clone(),
            table,
            levels: Vec::new(),
            saved: Vec::new(),
            chosen: Vec::new(),
            forbidden: Vec::new(),
            pending,
            step: Step::Done,
            weight: 1.0,
            done: 0.0,
            solution: Vec::new(),
        }
    }

    /// Applies the assumptions.
    fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        let Quotas { table, state, chosen, forbidden, pending, .. } = self;
        forbidden.extend_from_slice(&assumptions.forbidden);
        Position { table, state, chosen, pending, updates: 0 }.assume(assumptions)
    }

    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let Quotas { table, state, levels, saved, chosen, forbidden, pending, step, weight, done, solution } =
            self;
        let mut position = Position { table, state, chosen, pending, updates: 0 };
        let event = loop {
            match *step {
                Step::Enter => {
                    if let Some(stop) = meter.node(levels.len()) {
                        break Event::Stopped(stop);
                    }
                    *step = Step::Examine;
                    if let Some(level) = levels.last() {
                        position.choose(level.option);
                    }
                }
                Step::Examine => {
                    *step = Step::Leave;
                    let Ok(item) = position.propagate() else { continue };
                    let Some((item, slack)) = item else {
                        position.write_solution(solution);
                        break Event::Solution;
                    };
                    let branches = f64::from(slack) + 1.0;
                    let Some(option) = position.first_of(item) else { continue };
                    let depth = levels.len();
                    if saved.len() == depth {
                        saved.push(position.state.clone());
                    } else {
                        saved[depth].copy_from(position.state);
                    }
                    let first = *weight / branches;
                    let rest = Some(*weight - first);
                    *weight = first;
                    let (chosen, forbidden) = (position.chosen.len(), forbidden.len());
                    levels.push(Level { option, chosen, forbidden, rest });
                    *step = Step::Enter;
                }
                Step::Leave => {
                    *done += *weight;
                    *weight = 0.0;
                    let Some(level) = levels.pop() else {
                        *step = Step::Done;
                        continue;
                    };
                    position.chosen.truncate(level.chosen);
                    forbidden.truncate(level.forbidden);
                    let Some(rest) = level.rest else { continue };
                    *weight = rest;
                    forbidden.push(table.order[level.option as usize]);
                    position.state.copy_from(&saved[levels.len()]);
                    position.eliminate(level.option);
                    *step = Step::Examine;
                }
                Step::Done => break Event::End,
            }
        };
        meter.updates += position.updates;
        event
    }
}

impl<S: Slacks> CoverEngine for Quotas<S> {
    fn start(&mut self, assumptions: &Assumptions) {
        self.levels.clear();
        self.chosen.clear();
        self.forbidden.clear();
        (self.weight, self.done) = (1.0, 0.0);
        self.step = if self.assume(assumptions).is_ok() { Step::Enter } else { Step::Done };
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        self.run(meter)
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let shallowest = self.levels.iter_mut().find(|level| level.rest.is_some())?;
        self.done += shallowest.rest.take().unwrap_or(0.0);
        let mut forbidden = self.forbidden[..shallowest.forbidden].to_vec();
        let order = &self.table.order;
        forbidden.push(order[shallowest.option as usize]);
        let chosen = self.chosen[..shallowest.chosen].iter().map(|&place| order[place as usize]).collect();
        Some(Assumptions { chosen, forbidden })
    }

    fn progress(&self) -> f64 {
        if self.step == Step::Done { 1.0 } else { self.done.min(1.0) }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Quotas::of(Arc::clone(&self.table)))
    }
}
