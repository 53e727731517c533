//! Independent parts of a problem: each is searched by an engine of its own, chosen as for a whole problem.
//!
//! A search of the whole would go through all solutions of the second part for every solution of the first one, even if
//! the third one has none. Here counts are multiplied, and a list begins once every part has met a solution:
//! ```text
//! count   smallest part ──▶ .. ──▶ largest part            a part without a solution ends it
//! list    smallest part ──▶ .. ──▶ largest part            a first solution of each: meet
//!         largest part: a solution ──▶ .. ──▶ smallest part: all solutions, then the next one of the part before it
//! ```
//! A part is rewound for every solution of the larger parts. The [`KEPT`] first solutions of a part are kept, so that the
//! engine of a small part is not needed again.

use std::sync::Arc;

use super::components::{Component, components};
use super::{any, begin};
use crate::engine::{
    Build, CoverEngine, CoverEntry, Event, Meter, Restarts, Room, Selection, Stop, Unsuitable, links,
};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId, Term};
use galop_simd::Isa;

/// Its name in reports. It is not in the table of engines: most problems have no parts.
pub(super) static ENTRY: CoverEntry = CoverEntry {
    name: "parts",
    about: "searches independent parts one by one; counts are multiplied",
    make: |_, _| Err(Unsuitable::Bounds),
};

/// Why it is selected.
pub(super) const SELECTION: Selection = Selection { entry: &ENTRY, why: "its parts have no item in common" };

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
    /// What dancing links need for all parts, if the memory is limited.
    room: Option<Room>,
}

impl Split {
    /// The parts of `problem`; `None` if it has at most one, or if there is too little memory to search them by dancing links.
    pub(super) fn of(problem: &ExactCover, isa: Isa, memory: &Memory) -> Option<Split> {
        let components = components(problem);
        if components.is_empty() {
            return None;
        }
        let mut part_of = vec![0; problem.option_count()];
        for (part, component) in (0..).zip(&components) {
            component.options.iter().for_each(|&option| part_of[option as usize] = part);
        }
        let mut split = Split { components, part_of, isa, memory: memory.clone(), room: None };
        if memory.is_given() {
            // The parts have the terms of the problem, and copies of its numbers.
            let copy =
                size_of::<Term>() * problem.term_count() + 3 * size_of::<u32>() * problem.option_count();
            let own = split.components.iter().map(|part| links::most_bytes(&part.problem));
            let own = own.fold(0, usize::saturating_add);
            split.room = Some(Build::from(isa).within(memory).reserve(copy, own).ok()?);
        }
        Some(split)
    }

    /// An engine for a part: dancing links, for which there is room, if no other engine fits what is left of the memory.
    fn build(&self, part: usize) -> Option<Box<dyn CoverEngine>> {
        let problem = &self.components.get(part)?.problem;
        let build = Build::from(self.isa);
        let built = begin(problem, build.within(&self.memory), &self.memory);
        built.or_else(|_| any(problem, build)).ok().map(|(_, engine)| engine)
    }
}

/// The search of a part.
#[derive(Default)]
struct Walk {
    /// In numbers of the part.
    assumptions: Assumptions,
    engine: Option<Box<dyn CoverEngine>>,
    /// Solutions since the last rewinding, and how many of them were visited; the last one visited is the current one.
    solutions: Vec<Vec<OptionId>>,
    visited: usize,
    /// Whether solutions were dropped, because there are too many.
    is_cut: bool,
    /// Whether `solutions` has all there are.
    is_complete: bool,
}

impl Walk {
    fn restart(&mut self) {
        self.engine = None;
        self.solutions.clear();
        (self.visited, self.is_cut, self.is_complete) = (0, false, false);
        self.assumptions.replace(&[], &[]);
    }

    /// Finds another solution.
    fn find(&mut self, meter: &mut Meter<'_>) -> Event {
        let Some(engine) = &mut self.engine else { return Event::Stopped(Stop::Cancelled) };
        let event = engine.next(meter);
        match event {
            Event::Solution => {
                if self.solutions.len() == KEPT {
                    self.solutions.clear();
                    (self.visited, self.is_cut) = (0, true);
                }
                self.solutions.push(engine.solution().to_vec());
            }
            Event::End if !self.is_cut => {
                self.is_complete = true;
                self.engine = None;
            }
            _ => {}
        }
        event
    }

    /// Finds the first solution, and the others too if the part is small.
    fn meet(&mut self, is_small: bool, meter: &mut Meter<'_>) -> Event {
        while !self.is_complete && (self.solutions.is_empty() || is_small && self.solutions.len() < KEPT) {
            if let stopped @ Event::Stopped(_) = self.find(meter) {
                return stopped;
            }
        }
        if self.solutions.is_empty() { Event::End } else { Event::Solution }
    }

    /// Goes to the next solution.
    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = match (self.visited < self.solutions.len(), self.is_complete) {
            (true, _) => Event::Solution,
            (false, true) => Event::End,
            (false, false) => self.find(meter),
        };
        self.visited += usize::from(event == Event::Solution);
        event
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
enum Step {
    /// It was just started.
    Begin,
    /// Count this part.
    Count(usize),
    /// Find a first solution of this part.
    Meet(usize),
    /// Go to the next solution of this part.
    Visit(usize),
    /// Give away the branches of this part.
    Give(usize),
    Done,
}

/// The engine described above.
pub(super) struct Independent {
    split: Arc<Split>,
    restarts: Restarts,
    assumptions: Assumptions,
    walks: Vec<Walk>,
    step: Step,
    /// The product of the parts that are counted, the count of the current one, and whether that still counts without
    /// finding each solution.
    product: Natural,
    found: Natural,
    can_count: bool,
    /// Nodes of the parts that are counted, and of the current one.
    nodes: [u64; 2],
    /// The first part that was found to have more than one solution.
    first_open: Option<usize>,
    /// A solution, and the number of counted parts that have shown theirs in it.
    solution: Vec<OptionId>,
    shown: usize,
    /// Branches to give away; whether there were any of the current part; and the first solution of that part, if it is not
    /// among them.
    given: Vec<Assumptions>,
    is_divided: bool,
    only: Option<Assumptions>,
}

impl Independent {
    pub(super) fn new(split: &Arc<Split>) -> Independent {
        Independent {
            split: Arc::clone(split),
            restarts: Restarts::Off,
            assumptions: Assumptions::default(),
            walks: split.components.iter().map(|_| Walk::default()).collect(),
            step: Step::Begin,
            product: Natural::ZERO,
            found: Natural::ZERO,
            can_count: true,
            nodes: [0; 2],
            first_open: None,
            solution: Vec::new(),
            shown: 0,
            given: Vec::new(),
            is_divided: false,
            only: None,
        }
    }

    fn last(&self) -> usize {
        self.walks.len() - 1
    }

    /// Whether only the largest part is left to count, and the others have one solution together.
    pub(super) fn is_whole_in_largest(&self) -> bool {
        self.step == Step::Count(self.last()) && self.product == 1
    }

    /// Starts the engine of a part, which is built if it is needed.
    fn start_part(&mut self, part: usize) {
        let walk = &mut self.walks[part];
        if walk.engine.is_none() {
            walk.engine = self.split.build(part);
        }
        if let Some(engine) = &mut walk.engine {
            engine.set_restarts(self.restarts);
            engine.start(&walk.assumptions);
        }
    }

    /// Counts a part to its end. `Err` if a limit stopped it.
    pub(super) fn count_part(&mut self, meter: &mut Meter<'_>) -> Result<(), Stop> {
        if self.step == Step::Begin {
            self.step = Step::Count(0);
        }
        let Step::Count(part) = self.step else { return Ok(()) };
        if self.walks[part].engine.is_none() {
            self.start_part(part);
            (self.found, self.can_count) = (Natural::ZERO, true);
            self.nodes = [self.nodes[0] + self.nodes[1], 0];
        }
        let Some(engine) = &mut self.walks[part].engine else {
            return Err(Stop::Cancelled);
        };
        let options = &self.split.components[part].options;
        let nodes = meter.nodes;
        let stopped = loop {
            let counted = if self.can_count { engine.count(meter, &mut self.found) } else { None };
            self.can_count = counted.is_some();
            match counted.unwrap_or_else(|| engine.next(meter)) {
                Event::Solution => {
                    self.found += u64::from(!self.can_count);
                    if self.shown == part {
                        let solution = engine.solution().iter();
                        self.solution.extend(solution.map(|&option| options[option as usize]));
                        self.shown += 1;
                    }
                }
                Event::End => break None,
                Event::Stopped(stop) => break Some(stop),
            }
        };
        self.nodes[1] += meter.nodes - nodes;
        if let Some(stop) = stopped {
            return Err(stop);
        }
        self.walks[part].engine = None;
        self.product = &self.product * &self.found;
        if self.found != 1 {
            self.first_open.get_or_insert(part);
        }
        let is_over = self.product == 0 || part == self.last();
        self.step = if is_over { Step::Done } else { Step::Count(part + 1) };
        Ok(())
    }

    /// The product of the parts that are counted.
    pub(super) fn product(&self) -> &Natural {
        &self.product
    }

    /// Whether the count is complete.
    pub(super) fn is_counted(&self) -> bool {
        self.step == Step::Done
    }

    /// Whether all parts are counted, and each has shown a solution.
    pub(super) fn is_shown(&self) -> bool {
        self.shown == self.walks.len() && self.product != 0
    }

    /// The assumptions of the whole with those of a part replaced by `of_part`.
    fn branch(&self, part: usize, of_part: &Assumptions) -> Assumptions {
        let Split { components, part_of, .. } = &*self.split;
        let join = |whole: &[OptionId], of_part: &[OptionId]| {
            let others =
                whole.iter().copied().filter(|&option| part_of.get(option as usize) != Some(&(part as u32)));
            let options = &components[part].options;
            others.chain(of_part.iter().map(|&option| options[option as usize])).collect()
        };
        Assumptions {
            chosen: join(&self.assumptions.chosen, &of_part.chosen),
            forbidden: join(&self.assumptions.forbidden, &of_part.forbidden),
        }
    }

    /// Takes the current solutions of all parts together: the assumed options first.
    fn join_solutions(&mut self) {
        self.solution.clone_from(&self.assumptions.chosen);
        for (walk, component) in self.walks.iter().zip(&self.split.components) {
            let others = walk.solution().iter().skip(walk.assumptions.chosen.len());
            self.solution.extend(others.map(|&option| component.options[option as usize]));
        }
    }

    /// Begins to give away the branches of a part.
    fn begin_giving(&mut self, part: usize) {
        (self.restarts, self.is_divided, self.only) = (Restarts::Off, false, None);
        self.start_part(part);
        if let Some(engine) = &mut self.walks[part].engine {
            engine.give_away();
        }
        self.step = Step::Give(part);
    }

    /// Steps into the branch under way of the part that is given away. If the part has one solution only, goes on with
    /// the next part. The event `Solution` is the only solution of the whole.
    fn give(&mut self, part: usize, meter: &mut Meter<'_>) -> Event {
        let Some(engine) = &mut self.walks[part].engine else { return Event::Stopped(Stop::Cancelled) };
        match engine.next(meter) {
            Event::Solution => {
                let found = only(&self.split.components[part].problem, engine.solution());
                if self.is_divided || self.only.is_some() {
                    self.give_only(part);
                    self.given.push(self.branch(part, &found));
                } else {
                    self.only = Some(found);
                }
                Event::Stopped(Stop::Nodes)
            }
            Event::End => {
                self.walks[part].engine = None;
                let Some(only) = self.only.take() else {
                    self.step = Step::Done;
                    return if self.given.is_empty() { Event::End } else { Event::Stopped(Stop::Nodes) };
                };
                self.assumptions = self.branch(part, &only);
                if part == self.last() {
                    self.step = Step::Done;
                    self.solution.clone_from(&self.assumptions.chosen);
                    return Event::Solution;
                }
                self.begin_giving(part + 1);
                Event::Stopped(Stop::Nodes)
            }
            stopped => stopped,
        }
    }

    /// Gives away the solution that was thought to be the only one of a part.
    fn give_only(&mut self, part: usize) {
        self.is_divided = true;
        if let Some(only) = self.only.take() {
            self.given.push(self.branch(part, &only));
        }
    }
}

/// The assumptions that one solution of `problem` fits alone: with bounds, others may have its options and more.
fn only(problem: &ExactCover, solution: &[OptionId]) -> Assumptions {
    let mut forbidden = Vec::new();
    if !problem.is_simple() {
        forbidden.extend((0..problem.option_count() as OptionId).filter(|option| !solution.contains(option)));
    }
    Assumptions { chosen: solution.to_vec(), forbidden }
}

impl CoverEngine for Independent {
    fn start(&mut self, assumptions: &Assumptions) {
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        self.walks.iter_mut().for_each(Walk::restart);
        let Split { components, part_of, .. } = &*self.split;
        let place = |option: &OptionId| {
            let part = *part_of.get(*option as usize)? as usize;
            // The options of a part ascend.
            Some((part, components[part].options.binary_search(option).ok()? as OptionId))
        };
        for (part, option) in assumptions.chosen.iter().filter_map(place) {
            self.walks[part].assumptions.chosen.push(option);
        }
        for (part, option) in assumptions.forbidden.iter().filter_map(place) {
            self.walks[part].assumptions.forbidden.push(option);
        }
        self.step = Step::Begin;
        (self.product, self.nodes, self.first_open) = (Natural::from(1), [0; 2], None);
        self.solution.clear();
        self.shown = 0;
        self.given.clear();
    }

    /// Each part has its own race. A thread that only seeks would have to find solutions of all parts.
    fn set_restarts(&mut self, restarts: Restarts) -> bool {
        let is_race = matches!(restarts, Restarts::Race(_));
        self.restarts = if is_race { restarts } else { Restarts::Off };
        is_race
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        loop {
            match self.step {
                Step::Begin | Step::Count(_) => self.step = Step::Meet(0),
                Step::Meet(part) => {
                    let walk = &mut self.walks[part];
                    if walk.engine.is_none() && !walk.is_complete {
                        self.start_part(part);
                    }
                    let is_small = self.split.components[part].options.len() <= SMALL_OPTIONS;
                    match self.walks[part].meet(is_small, meter) {
                        Event::Solution if part == self.last() => self.step = Step::Visit(part),
                        Event::Solution => self.step = Step::Meet(part + 1),
                        Event::End => self.step = Step::Done,
                        stopped => return stopped,
                    }
                }
                Step::Visit(part) => match self.walks[part].next(meter) {
                    Event::Solution if part == 0 => {
                        self.join_solutions();
                        return Event::Solution;
                    }
                    Event::Solution => self.step = Step::Visit(part - 1),
                    Event::End if part == self.last() => self.step = Step::Done,
                    Event::End => {
                        self.walks[part].rewind();
                        self.step = Step::Visit(part + 1);
                    }
                    stopped => return stopped,
                },
                Step::Give(part) => return self.give(part, meter),
                Step::Done => return Event::End,
            }
        }
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        loop {
            match self.step {
                Step::Begin | Step::Count(_) => {
                    if let Err(stop) = self.count_part(meter) {
                        return Some(Event::Stopped(stop));
                    }
                    if self.is_counted() {
                        *found += &self.product;
                        return Some(if self.is_shown() { Event::Solution } else { Event::End });
                    }
                }
                Step::Give(part) => {
                    let event = self.give(part, meter);
                    *found += u64::from(event == Event::Solution);
                    return Some(event);
                }
                Step::Done => return Some(Event::End),
                Step::Meet(_) | Step::Visit(_) => return None,
            }
        }
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    /// Splits the largest part. A count of the branch counts the other parts again, so it must be worth that. `None` in a
    /// race: what another thread was given might be found here by restarts.
    fn split(&mut self) -> Option<Assumptions> {
        if let Some(branch) = self.given.pop() {
            return Some(branch);
        }
        let part = match self.step {
            Step::Count(part) if part == self.last() && self.nodes[1] >= self.nodes[0] => part,
            Step::Visit(_) if self.restarts == Restarts::Off => self.last(),
            Step::Give(part) => part,
            _ => return None,
        };
        let branch = self.walks[part].engine.as_mut()?.split()?;
        if self.step == Step::Give(part) {
            self.give_only(part);
        }
        Some(self.branch(part, &branch))
    }

    /// Until all parts are counted nothing is, so the first part with a choice is divided.
    fn give_away(&mut self) {
        match self.step {
            Step::Begin => self.begin_giving(0),
            Step::Count(part) => self.begin_giving(self.first_open.unwrap_or(part)),
            _ => {
                let last = self.last();
                if let Some(engine) = &mut self.walks[last].engine {
                    engine.give_away();
                }
            }
        }
    }

    /// The share of the largest part that is done.
    fn progress(&self) -> f64 {
        let largest = &self.walks[self.last()];
        match self.step {
            Step::Done => 1.0,
            Step::Meet(_) | Step::Give(_) => 0.0,
            _ if largest.is_complete => {
                largest.visited.saturating_sub(1) as f64 / largest.solutions.len().max(1) as f64
            }
            _ => largest.engine.as_ref().map_or(0.0, |engine| engine.progress()),
        }
    }

    /// Dancing links for all parts, if the memory is limited. (Engines of parts reserve more when they are built.)
    fn own_bytes(&self) -> usize {
        self.split.room.as_ref().map_or(0, Room::own)
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        Box::new(Independent::new(&self.split))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::beside;
    use super::*;
    use crate::random::{brute_force_with, problems};
    use crate::{CoverLimits, End, Solver};

    fn independent(problem: &ExactCover) -> Option<Independent> {
        let split = Split::of(problem, Isa::best(), &Memory::new(Some(1 << 28)))?;
        Some(Independent::new(&Arc::new(split)))
    }

    proptest! {
        /// Wherever a search is split or given away, each solution is found once, and the progress never falls.
        #[test]
        fn each_solution_is_found_once(
            [one, other] in [problems(), problems()],
            is_counted: bool,
            slice in 1_u64..9,
            pattern: u64,
            given_away in prop_oneof![1 => Just(u64::MAX), 1 => 0_u64..30],
            is_assumed: bool,
        ) {
            let problem = beside(&beside(&one, &other), &"0:1|a\na\na\n".parse().unwrap());
            prop_assume!(problem.option_count() <= 18);
            let Some(mut engine) = independent(&problem) else { return Ok(()) };
            let assumptions = match problem.option_count() as OptionId {
                count @ 3.. if is_assumed => Assumptions { chosen: vec![count - 1], forbidden: vec![0, count - 2] },
                _ => Assumptions::default(),
            };
            let expected = brute_force_with(&problem, &assumptions.chosen, &assumptions.forbidden);
            let mut tasks = vec![assumptions];
            let (mut count, mut found, mut turn) = (Natural::ZERO, Vec::new(), 0);
            while let Some(task) = tasks.pop() {
                engine.start(&task);
                let (mut can_count, mut progress) = (is_counted, 0.0);
                let mut meter = Meter::new(0, None, None);
                loop {
                    let counted = if can_count { engine.count(&mut meter, &mut count) } else { None };
                    can_count = counted.is_some();
                    let event = counted.unwrap_or_else(|| engine.next(&mut meter));
                    prop_assert!(turn >= given_away || engine.progress() >= progress - 1e-12);
                    progress = engine.progress();
                    match event {
                        Event::Solution => {
                            let mut solution = engine.solution().to_vec();
                            prop_assert!(can_count || solution.starts_with(&task.chosen));
                            solution.sort_unstable();
                            prop_assert!(expected.binary_search(&solution).is_ok());
                            count += u64::from(!can_count);
                            found.push(solution);
                        }
                        Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
                        Event::End => break,
                    }
                    turn += 1;
                    if turn == given_away {
                        engine.give_away();
                    }
                    if turn >= given_away || pattern >> (turn % 64) & 1 == 1 {
                        tasks.extend(engine.split());
                    }
                }
            }
            prop_assert_eq!(count.to_u128(), Some(expected.len() as u128));
            if !is_counted {
                found.sort();
                prop_assert_eq!(found, expected);
            }
        }
    }

    /// `count` items with two options each, in the text of a problem with these bounds and more lines.
    fn pairs(count: usize, bounds: &str, items: &str, options: &str) -> ExactCover {
        let names: Vec<String> = (0..count).map(|item| format!("{bounds}i{item}")).collect();
        let lines: String = (0..count).map(|item| format!("i{item}\ni{item}\n")).collect();
        format!("{} {items}\n{lines}{options}", names.join(" ")).parse().unwrap()
    }

    /// A search that went through all solutions would not end.
    #[test]
    fn thousands_of_parts_are_counted_and_listed() {
        let limits = CoverLimits { nodes: Some(200_000), ..CoverLimits::NONE };
        let power = |base: u64, exponent: usize| {
            (0..exponent).fold(Natural::from(1), |product, _| &product * &Natural::from(u128::from(base)))
        };
        for (problem, expected) in
            [(pairs(17_000, "", "", ""), power(2, 17_000)), (pairs(300, "1:2|", "", ""), power(3, 300))]
        {
            for threads in [1, 2] {
                let mut solver = problem.solver().unwrap();
                assert_eq!(solver.engine().name, "parts");
                solver.set_threads(std::num::NonZero::new(threads)).unwrap();
                let outcome = solver.count(&limits).unwrap();
                assert!((outcome.end, &outcome.solutions) == (End::Complete, &expected), "{threads}");
                assert!(solver.first(&limits).unwrap().is_some());
                let mut found: Vec<_> = solver.solutions(&limits).take(100).map(Result::unwrap).collect();
                found.sort();
                found.dedup();
                assert_eq!(found.len(), 100);
            }
        }
        // The last part has no solution.
        let problem = pairs(17_000, "", "x y z", "x y\ny z\nx z\n");
        let mut solver = Solver::new(&problem, crate::Choice::Auto).unwrap();
        assert_eq!(solver.first(&limits).unwrap(), None);
        assert_eq!(
            (solver.outcome().end, solver.count(&limits).unwrap().solutions),
            (End::Complete, Natural::ZERO)
        );
    }

    /// What a count leaves at its limit goes on, and ends.
    #[test]
    fn a_count_in_steps_ends() {
        let problem = pairs(6, "0:1|", "x", "x\n");
        let mut solver = problem.solver().unwrap();
        assert_eq!(solver.engine().name, "parts");
        solver.set_keeping_open(true);
        let limits = CoverLimits { nodes: Some(1), ..CoverLimits::NONE };
        let mut sum = solver.count(&limits).unwrap().solutions;
        let mut steps = 1;
        while !solver.open_parts().is_empty() {
            let open = solver.open_parts().to_vec();
            solver.assume_any(&open).unwrap();
            sum += &solver.count(&limits).unwrap().solutions;
            steps += 1;
            assert!(steps < 10_000);
        }
        assert_eq!(sum, 3_u128.pow(6));
    }

    /// Items without a choice are one part, however many they are.
    #[test]
    fn parts_without_a_choice_are_one() {
        let parts = |text: &str| -> Vec<Vec<OptionId>> {
            components(&text.parse().unwrap()).into_iter().map(|part| part.options).collect()
        };
        let bounded = "a b 2|c d e f\na\nb\nc\nc\nd e\nd\ne\n";
        assert_eq!(parts(&format!("{bounded}f\nf\n")), [&[7, 8][..], &[4, 5, 6], &[0, 1, 2, 3]]);
        assert!(parts(&format!("{bounded}f\n")).is_empty());
        assert_eq!(parts("a b d e\na\nb\nd e\nd\ne\n"), [&[0, 1][..], &[2, 3, 4]]);
        assert!(parts("a b c\na\nb\nc\n").is_empty());
    }
}
