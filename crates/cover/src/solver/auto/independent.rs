//! Independent parts of a problem: each is searched by an engine of its own, chosen as for a whole problem.
//!
//! A search of the whole would go through all solutions of the second part for every solution of the first one, even if
//! the third one has none. Here counts are multiplied, and a list begins once every part has shown a solution:
//! ```text
//! count      smallest part ──▶ .. ──▶ largest part         a part without a solution ends it
//! list       smallest part ──▶ .. ──▶ largest part         a first solution of each
//!            largest part: a solution ──▶ .. ──▶ smallest part: all solutions, then the next one of the part before it
//! give away  the last part, if it is under way; or else the first part with several branches is divided
//! ```
//! 1. Equal parts are neighbours. Only the first of them is counted.
//! 2. A part is listed again for every solution of the larger parts. The [`KEPT`] first solutions of a part are kept,
//!    so that the engine of a small part is not needed again.

use std::sync::Arc;

use super::begin;
use super::components::{Component, components};
use crate::engine::{Build, CoverEngine, Driver, Event, Meter, Restarts, Selection, Stop};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId};
use galop_simd::Isa;

/// How it is named. It is not in the table of engines: most problems have no parts.
pub(super) const SELECTION: Selection = Selection { name: "parts", why: "its parts have no item in common" };

/// Solutions of a part that are kept.
const KEPT: usize = 16;
/// Options of a part up to which these solutions are found at once, so that its engine takes no memory.
const SMALL_OPTIONS: usize = 16;

/// The parts of a problem, and what their engines are built with.
pub(super) struct Split {
    components: Vec<Component>,
    /// For each option its part.
    part_of: Vec<u32>,
    isa: Isa,
    memory: Memory,
}

impl Split {
    /// The parts of `problem`; `None` if it has at most one.
    pub(super) fn of(problem: &ExactCover, isa: Isa, memory: &Memory) -> Option<Split> {
        let components = components(problem);
        if components.is_empty() {
            return None;
        }
        let mut part_of = vec![0; problem.option_count()];
        for (part, component) in (0..).zip(&components) {
            component.options.iter().for_each(|&option| part_of[option.index()] = part);
        }
        Some(Split { components, part_of, isa, memory: memory.clone() })
    }

    /// An engine for a part.
    fn build(&self, part: usize) -> Option<Box<dyn CoverEngine>> {
        let problem = &self.components.get(part)?.problem;
        let built = begin(problem, Build::from(self.isa).within(&self.memory), &self.memory);
        built.ok().map(|(_, engine)| engine)
    }

    /// The assumptions of `whole`, with those about a part replaced by `of_part`.
    fn join(&self, whole: &Assumptions, part: usize, of_part: &Assumptions) -> Assumptions {
        let join = |whole: &[OptionId], of_part: &[OptionId]| {
            let is_other = |option: &OptionId| self.part_of.get((*option).index()) != Some(&(part as u32));
            let others = whole.iter().copied().filter(is_other);
            others.chain(self.components[part].whole_numbers(of_part)).collect()
        };
        Assumptions {
            chosen: join(&whole.chosen, &of_part.chosen),
            forbidden: join(&whole.forbidden, &of_part.forbidden),
        }
    }
}

/// The search of a part.
#[derive(Default)]
struct PartSearch {
    /// In numbers of the part.
    assumptions: Assumptions,
    engine: Option<Box<dyn CoverEngine>>,
    /// The solutions since the last rewinding, and how many of them were visited; the last one visited is the current
    /// one.
    solutions: Vec<Vec<OptionId>>,
    visited: usize,
    /// Whether solutions were dropped, because there are too many.
    is_cut: bool,
    /// Whether `solutions` has all there are.
    is_complete: bool,
}

impl PartSearch {
    fn restart(&mut self) {
        let assumptions = std::mem::take(&mut self.assumptions);
        *self = PartSearch { assumptions, ..PartSearch::default() };
    }

    fn is_unbegun(&self) -> bool {
        self.engine.is_none() && !self.is_complete
    }

    /// Goes to the next solution: one that is kept, or a new one.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        if self.visited == self.solutions.len() {
            if self.is_complete {
                return Event::End;
            }
            let Some(engine) = &mut self.engine else { return Event::Stopped(Stop::Cancelled) };
            match engine.next(meter) {
                Event::Solution if self.visited < KEPT => {}
                Event::Solution => {
                    self.solutions.clear();
                    (self.visited, self.is_cut) = (0, true);
                }
                Event::End if !self.is_cut => {
                    (self.is_complete, self.engine) = (true, None);
                    return Event::End;
                }
                event => return event,
            }
            self.solutions.extend(self.engine.as_ref().map(|engine| engine.solution().to_vec()));
        }
        self.visited += 1;
        Event::Solution
    }

    /// Goes back to before the first solution.
    fn rewind(&mut self) {
        self.visited = 0;
        if std::mem::take(&mut self.is_cut) {
            self.solutions.clear();
            if let Some(engine) = &mut self.engine {
                engine.start(&self.assumptions);
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        self.visited.checked_sub(1).and_then(|last| self.solutions.get(last)).map_or(&[], Vec::as_slice)
    }
}

/// What a search does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    /// Begin to count or to list.
    Begin,
    /// Count this part.
    Count(usize),
    /// Find a first solution of this part, for a list.
    Meet(usize),
    /// Go to the next solution of this part.
    Visit(usize),
    /// Nothing, but to give branches away.
    End,
}

/// The engine described above.
pub(super) struct Independent {
    split: Arc<Split>,
    restarts: Restarts,
    assumptions: Assumptions,
    parts: Vec<PartSearch>,
    task: Task,
    /// The product of the parts that are counted, and the count of the last part begun.
    product: Natural,
    found: Natural,
    /// Nodes of the parts that are counted, and of the last part begun.
    nodes: [u64; 2],
    solution: Vec<OptionId>,
    /// Branches to give away.
    given: Vec<Assumptions>,
}

impl Independent {
    pub(super) fn new(split: &Arc<Split>) -> Independent {
        Independent {
            split: Arc::clone(split),
            restarts: Restarts::Off,
            assumptions: Assumptions::default(),
            parts: split.components.iter().map(|_| PartSearch::default()).collect(),
            task: Task::Begin,
            product: Natural::ONE,
            found: Natural::ZERO,
            nodes: [0; 2],
            solution: Vec::new(),
            given: Vec::new(),
        }
    }

    fn last(&self) -> usize {
        self.parts.len() - 1
    }

    /// The event of a search that is done, unless branches are still to be given away.
    fn end(&self) -> Event {
        if self.given.is_empty() { Event::End } else { Event::Stopped(Stop::Nodes) }
    }

    /// Starts the engine of a part, which is built if it is needed.
    fn start_part(&mut self, part: usize) {
        let search = &mut self.parts[part];
        if search.engine.is_none() {
            search.engine = self.split.build(part);
        }
        if let Some(engine) = &mut search.engine {
            engine.driver().map(|driver| driver.set_restarts(self.restarts));
            engine.start(&search.assumptions);
        }
    }

    /// Takes the current solutions of all parts together, the assumed options first; `false` if a part has none.
    fn join_solutions(&mut self) -> bool {
        if self.parts.iter().any(|search| search.visited == 0) {
            return false;
        }
        self.solution.clone_from(&self.assumptions.chosen);
        for (search, component) in self.parts.iter().zip(&self.split.components) {
            let others = search.solution().get(search.assumptions.chosen.len()..).unwrap_or_default();
            self.solution.extend(component.whole_numbers(others));
        }
        true
    }
}

/// Counting.
impl Independent {
    /// Counts a part to its end. `Err` if a limit stopped it.
    fn count_part(&mut self, part: usize, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.is_repeated(part) {
            let shown = self.parts[part - 1].solutions.clone();
            let search = &mut self.parts[part];
            (search.visited, search.solutions) = (shown.len(), shown);
            return Ok(());
        }
        if self.parts[part].engine.is_none() {
            self.start_part(part);
            self.found = Natural::ZERO;
            self.nodes = [self.nodes[0] + self.nodes[1], 0];
        }
        let search = &mut self.parts[part];
        let Some(engine) = &mut search.engine else { return Err(Stop::Cancelled) };
        let nodes = meter.nodes;
        let end = loop {
            match engine.count(meter, &mut self.found) {
                Some(Event::Solution) if search.solutions.is_empty() => {
                    search.solutions.push(engine.solution().to_vec());
                    search.visited = 1;
                }
                Some(Event::Solution) => {}
                Some(Event::Stopped(stop)) => break Err(stop),
                Some(Event::End) | None => break Ok(()),
            }
        };
        self.nodes[1] += meter.nodes - nodes;
        if end.is_ok() {
            search.engine = None;
        }
        end
    }

    /// Whether a part is the same as the part before it, in numbers of its own.
    fn is_repeated(&self, part: usize) -> bool {
        part.checked_sub(1).is_some_and(|before| {
            self.parts[before].assumptions == self.parts[part].assumptions
                && self.split.components[before].problem == self.split.components[part].problem
        })
    }
}

/// Giving away.
impl Independent {
    /// Replaces what is left by branches: before the last part is under way that is the whole search. Parts with one
    /// branch are fixed to it, and the next one is divided.
    fn give_branches(&mut self) {
        (self.restarts, self.task) = (Restarts::Off, Task::End);
        let mut fixed = self.assumptions.clone();
        for part in 0..self.parts.len() {
            let branches = self.branches_of(part);
            let [branch] = &*branches else {
                let joined = branches.iter().map(|branch| self.split.join(&fixed, part, branch));
                self.given = joined.collect();
                return;
            };
            fixed = self.split.join(&fixed, part, branch);
        }
        if self.parts.iter().all(|search| search.is_complete) {
            // It is the only solution: a list of one.
            self.task = Task::Visit(self.last());
        } else {
            self.given.push(fixed);
        }
    }

    /// The branches of a part, in as many steps as its search is deep. A solution is a branch; the part is complete if
    /// it is the only one.
    fn branches_of(&mut self, part: usize) -> Vec<Assumptions> {
        self.start_part(part);
        let search = &mut self.parts[part];
        search.solutions.clear();
        search.visited = 0;
        let Some(mut engine) = search.engine.take() else { return vec![search.assumptions.clone()] };
        if let Some(driver) = engine.driver() {
            driver.give_away();
        }
        let (mut branches, mut meter) = (Vec::new(), Meter::new(0, None, None));
        loop {
            branches.extend(std::iter::from_fn(|| engine.split()));
            meter.set_max_nodes(meter.nodes + 1);
            match engine.next(&mut meter) {
                Event::Solution => {
                    search.solutions.push(engine.solution().to_vec());
                    branches.push(only(&self.split.components[part].problem, engine.solution()));
                }
                Event::Stopped(_) => {}
                Event::End => break,
            }
        }
        search.is_complete = branches.len() == 1 && search.solutions.len() == 1;
        branches
    }
}

/// The assumptions that one solution of `problem` fits alone: with bounds, others may have its options and more.
fn only(problem: &ExactCover, solution: &[OptionId]) -> Assumptions {
    let mut forbidden = Vec::new();
    if !problem.is_simple() {
        forbidden.extend(
            (0..problem.option_count() as u32).map(OptionId).filter(|option| !solution.contains(option)),
        );
    }
    Assumptions { chosen: solution.to_vec(), forbidden }
}

impl CoverEngine for Independent {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.parts.iter_mut().for_each(|search| *search = PartSearch::default());
        let Split { components, part_of, .. } = &*self.split;
        let place = |option: &OptionId| {
            let part = *part_of.get((*option).index())? as usize;
            // The options of a part ascend.
            Some((part, OptionId(components[part].options.binary_search(option).ok()? as u32)))
        };
        for (part, option) in assumptions.chosen.iter().filter_map(place) {
            self.parts[part].assumptions.chosen.push(option);
        }
        for (part, option) in assumptions.forbidden.iter().filter_map(place) {
            self.parts[part].assumptions.forbidden.push(option);
        }
        (self.task, self.product, self.nodes) = (Task::Begin, Natural::ONE, [0; 2]);
        self.solution.clear();
        self.given.clear();
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.task {
                Task::Begin | Task::Count(_) => {
                    self.parts.iter_mut().for_each(PartSearch::restart);
                    self.task = Task::Meet(0);
                }
                Task::Meet(part) => {
                    if self.parts[part].is_unbegun() {
                        self.start_part(part);
                    }
                    let is_small = self.split.components[part].options.len() <= SMALL_OPTIONS;
                    let search = &mut self.parts[part];
                    match search.next(meter) {
                        Event::Solution if is_small && search.visited < KEPT => continue,
                        stopped @ Event::Stopped(_) => return stopped,
                        _ if search.solutions.is_empty() => self.task = Task::End,
                        _ if part == self.last() => self.task = Task::Visit(part),
                        _ => self.task = Task::Meet(part + 1),
                    }
                    self.parts[part].rewind();
                }
                Task::Visit(part) => match self.parts[part].next(meter) {
                    Event::Solution if part == 0 => {
                        self.join_solutions();
                        return Event::Solution;
                    }
                    Event::Solution => self.task = Task::Visit(part - 1),
                    Event::End if part == self.last() => self.task = Task::End,
                    Event::End => {
                        self.parts[part].rewind();
                        self.task = Task::Visit(part + 1);
                    }
                    stopped => return stopped,
                },
                Task::End => return self.end(),
            }
        }
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            match self.task {
                Task::Begin => self.task = Task::Count(0),
                Task::Count(part) => {
                    if let Err(stop) = self.count_part(part, meter) {
                        return Some(Event::Stopped(stop));
                    }
                    self.product = &self.product * &self.found;
                    if self.product == 0 || part == self.last() {
                        self.task = Task::End;
                        *found += &self.product;
                        let is_shown = self.product != 0 && self.join_solutions();
                        return Some(if is_shown { Event::Solution } else { Event::End });
                    }
                    self.task = Task::Count(part + 1);
                }
                Task::End => return Some(self.end()),
                // What was given away has left one solution.
                Task::Meet(_) | Task::Visit(_) => {
                    let event = self.next(meter);
                    *found += u64::from(event == Event::Solution);
                    return Some(event);
                }
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    /// Splits the largest part. A count of the branch counts the other parts again, so it must be worth that. `None` in
    /// a race: what another thread was given might be found here by restarts.
    fn split(&mut self) -> Option<Assumptions> {
        if let Some(branch) = self.given.pop() {
            return Some(branch);
        }
        let last = self.last();
        let is_worth = match self.task {
            Task::Count(part) => part == last && self.nodes[1] >= self.nodes[0],
            Task::Visit(_) => self.restarts == Restarts::Off,
            _ => false,
        };
        let engine = self.parts[last].engine.as_mut().filter(|_| is_worth)?;
        Some(self.split.join(&self.assumptions, last, &engine.split()?))
    }

    /// The share of the largest part that is done.
    fn progress(&self) -> f64 {
        let largest = &self.parts[self.last()];
        match self.task {
            Task::End => 1.0,
            Task::Begin | Task::Meet(_) => 0.0,
            Task::Visit(_) if largest.is_complete => {
                largest.visited.saturating_sub(1) as f64 / largest.solutions.len().max(1) as f64
            }
            _ => largest.engine.as_ref().map_or(0.0, |engine| engine.progress()),
        }
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Independent::new(&self.split))
    }

    fn driver(&mut self) -> Option<&mut dyn Driver> {
        Some(self)
    }

    fn as_driver(&self) -> Option<&dyn Driver> {
        Some(self)
    }
}

impl Driver for Independent {
    /// Each part is counted once, not once for each solution of the others.
    fn is_remembering(&self) -> bool {
        true
    }

    /// Each part has its own race. A thread that only seeks would have to find solutions of all parts.
    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        let is_race = matches!(restarts, Restarts::Race(_));
        self.restarts = if is_race { restarts } else { Restarts::Off };
        is_race
    }

    fn give_away(&mut self) {
        let last = self.last();
        let driver = self.parts[last].engine.as_mut().map(|engine| engine.driver());
        match (self.task, driver) {
            // Some of its branches may be split off already. From now on each is worth it.
            (Task::Count(part), Some(driver)) if part == last => {
                driver.into_iter().for_each(Driver::give_away);
                self.nodes[0] = 0;
            }
            (Task::Begin | Task::Count(_), _) => self.give_branches(),
            (_, Some(driver)) => driver.into_iter().for_each(Driver::give_away),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
