//! Applies the rules of preprocessing.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::Reduction;
use super::rows::ItemRows;
use crate::engine::{Build, Contradiction};
use crate::problem::Use;
use crate::problem::build::renumber_colours;
use crate::problem::names::Names;
use crate::{Bounds, ExactCover, ItemId, OptionId, Term};

/// Whether the last marked option has an item, and its colour there.
#[derive(Clone, Copy, Default)]
struct Stamp {
    stamp: u32,
    colour: u32,
}

/// Steps between two looks at the clock: some milliseconds.
const CHECK_STEPS: u64 = 1 << 20;

/// A problem that is being reduced.
pub(super) struct Work<'p> {
    problem: &'p ExactCover,
    /// The remaining bounds of the primary items.
    bounds: Vec<Bounds>,
    is_live: Vec<bool>,
    /// The options of each item, live ones and perhaps some removed ones, one item after the other.
    members: Vec<Use>,
    starts: Vec<u32>,
    /// The current end of each item's options in `members`.
    ends: Vec<u32>,
    /// The number of live options of each item.
    degrees: Vec<u32>,
    is_dropped: Vec<bool>,
    forced: Vec<u32>,
    /// Secondary items that forced options cover: no further option needs to be removed because of them.
    is_settled: Vec<bool>,
    /// Primary items to examine.
    queue: VecDeque<u32>,
    is_queued: Vec<bool>,
    seen: Vec<Stamp>,
    /// What says in fewer steps whether options clash, if they are long.
    pub(super) rows: Option<ItemRows>,
    /// For each option the stamp of the last list it was collected in.
    collected: Vec<u32>,
    stamp: u32,
    /// Steps that may still be taken.
    steps: u64,
    /// What ends the work before.
    build: Build<'p>,
    /// The steps left at which too few removed options end the work; 0 if nothing does.
    end_of_trial: u64,
    /// Steps of the next trial; 0 without a trial.
    trial_steps: u64,
    removed: usize,
    /// Options removed when the last trial ended.
    removed_before: usize,
}

impl<'p> Work<'p> {
    /// The start: no rule is applied yet; `steps` may be taken.
    pub(super) fn new(problem: &'p ExactCover, steps: u64, build: Build<'p>) -> Work<'p> {
        let items = problem.item_count();
        let (members, starts) = problem.uses();
        let ends = starts[1..].to_vec();
        let degrees = starts.windows(2).map(|ends| ends[1] - ends[0]).collect();
        let primary = problem.primary_count();
        Work {
            problem,
            bounds: (0..primary as u32).map(|item| problem.bounds(ItemId(item))).collect(),
            is_live: vec![true; problem.option_count()],
            members,
            starts,
            ends,
            degrees,
            is_dropped: vec![false; items],
            forced: Vec::new(),
            is_settled: vec![false; items],
            queue: (0..primary as u32).collect(),
            is_queued: vec![true; primary],
            seen: vec![Stamp::default(); items],
            rows: ItemRows::if_short(problem),
            collected: vec![0; problem.option_count()],
            stamp: 0,
            steps,
            build,
            end_of_trial: 0,
            trial_steps: 0,
            removed: 0,
            removed_before: 0,
        }
    }

    /// Stops after `steps` steps, if fewer than one option in 64 is removed by then. With `is_repeated` each doubling
    /// of the steps must remove as many again.
    pub(super) fn give_up_after(&mut self, steps: u64, is_repeated: bool) {
        self.end_of_trial = self.steps.saturating_sub(steps);
        self.trial_steps = if is_repeated { steps } else { 0 };
    }

    /// Applies the rules to a fixed point.
    pub(super) fn run(&mut self) -> Result<(), Contradiction> {
        loop {
            while let Some(item) = self.queue.pop_front() {
                self.is_queued[item as usize] = false;
                self.examine(item)?;
                self.end_trial();
            }
            self.unite_equal_items()?;
            self.spend(self.problem.terms.len());
            if self.queue.is_empty() || self.steps == 0 {
                break;
            }
        }
        self.drop_secondary_items();
        Ok(())
    }

    fn end_trial(&mut self) {
        if self.steps <= self.end_of_trial {
            if self.removed - self.removed_before < self.problem.option_count() / 64 {
                self.steps = 0;
            }
            self.removed_before = self.removed;
            let next = self.end_of_trial.saturating_sub(self.trial_steps);
            self.end_of_trial = if self.trial_steps > 0 { next } else { 0 };
            self.trial_steps *= 2;
        }
    }

    fn spend(&mut self, steps: usize) {
        let before = self.steps;
        self.steps = self.steps.saturating_sub(steps as u64);
        if before / CHECK_STEPS != self.steps / CHECK_STEPS && self.build.stop().is_some() {
            self.steps = 0;
        }
    }

    /// Applies rules 1 and 2 to an item.
    fn examine(&mut self, item: u32) -> Result<(), Contradiction> {
        let (low, degree) = (self.bounds[item as usize].low, self.degrees[item as usize]);
        if low == 0 || self.is_dropped[item as usize] {
            return Ok(());
        }
        match degree.cmp(&low) {
            Ordering::Less => Err(Contradiction),
            Ordering::Equal => {
                self.live_members(item).iter().try_for_each(|member| self.force(member.option))
            }
            Ordering::Greater => {
                if self.steps > 0 {
                    self.exclude(item, low as usize);
                }
                Ok(())
            }
        }
    }

    fn members_of(&self, item: u32) -> &[Use] {
        &self.members[self.starts[item as usize] as usize..self.ends[item as usize] as usize]
    }

    /// The live options of an item.
    fn live_members(&mut self, item: u32) -> Vec<Use> {
        self.compact(item);
        self.members_of(item).to_vec()
    }

    /// Drops removed options from the list of an item.
    fn compact(&mut self, item: u32) {
        let (start, end) = (self.starts[item as usize] as usize, self.ends[item as usize] as usize);
        if end - start == self.degrees[item as usize] as usize {
            return;
        }
        let mut kept = start;
        for at in start..end {
            let member = self.members[at];
            self.members[kept] = member;
            kept += usize::from(self.is_live[member.option as usize]);
        }
        self.ends[item as usize] = kept as u32;
    }

    fn is_primary(&self, item: u32) -> bool {
        (item as usize) < self.bounds.len()
    }

    /// Whether two options clash because of `item`, which they give these colours.
    fn clashes(&self, item: u32, one: u32, other: u32) -> bool {
        match self.bounds.get(item as usize) {
            Some(bounds) => bounds.high == 1,
            None => one == 0 || one != other,
        }
    }

    fn enqueue(&mut self, item: u32) {
        if self.is_primary(item) && !std::mem::replace(&mut self.is_queued[item as usize], true) {
            self.queue.push_back(item);
        }
    }

    /// Applies rule 1: removes the options that `item` excludes. The item must be covered `low` more times and has more
    /// options than that.
    fn exclude(&mut self, item: u32, low: usize) {
        let members = self.live_members(item);
        // Every excluded option clashes with one of any `low` options. Take those that clash with few.
        let mut reached = 0;
        let with_degrees = members.into_iter().map(|member| {
            let terms = self.problem.option(OptionId(member.option));
            reached += terms.len();
            (terms.iter().map(|term| self.degrees[term.item.index()]).sum::<u32>(), member)
        });
        let mut with_degrees: Vec<(u32, Use)> = with_degrees.collect();
        with_degrees.select_nth_unstable_by_key(low - 1, |&(degrees, _)| degrees);
        let members: Vec<Use> = with_degrees.into_iter().map(|(_, member)| member).collect();
        self.spend(reached);
        let stamp = self.next_stamp();
        if low == 1 {
            // The item's own options are not candidates: each is one compatible option.
            members.iter().for_each(|member| self.collected[member.option as usize] = stamp);
        }
        let mut candidates = Vec::new();
        for member in &members[..low] {
            self.collect_clashing(member.option, stamp, &mut candidates);
        }
        // Neighbours in the list are alike: leaps eliminate candidates sooner.
        let leap = leap(members.len());
        let mut at = members.len() - leap;
        for _ in 0..members.len() {
            at = (at + leap) % members.len();
            let member = members[at];
            if candidates.is_empty() || self.steps == 0 {
                break;
            }
            self.keep_clashing(&mut candidates, member.option, low);
        }
        if self.steps > 0 {
            candidates.iter().for_each(|&(option, _)| self.remove(option));
        }
    }

    fn next_stamp(&mut self) -> u32 {
        if self.stamp == u32::MAX {
            self.stamp = 0;
            self.collected.fill(0);
            self.seen.fill(Stamp::default());
        }
        self.stamp += 1;
        self.stamp
    }

    /// Appends the options that clash with `option` and do not have the stamp yet, each with a count of 0.
    fn collect_clashing(&mut self, option: u32, stamp: u32, collected: &mut Vec<(u32, usize)>) {
        let reached =
            self.problem.option(OptionId(option)).iter().map(|term| self.degrees[term.item.index()] as usize);
        if let Some(rows) = &self.rows
            && reached.sum::<usize>() > self.is_live.len()
        {
            let live = (0..self.is_live.len() as u32).filter(|&other| self.is_live[other as usize]);
            for other in live.filter(|&other| rows.clash(option, other)) {
                if std::mem::replace(&mut self.collected[other as usize], stamp) != stamp {
                    collected.push((other, 0));
                }
            }
            return self.spend(self.is_live.len());
        }
        for &Term { item, colour } in self.problem.option(OptionId(option)) {
            if self.bounds.get(item.index()).is_some_and(|bounds| bounds.high > 1) || self.steps == 0 {
                continue;
            }
            self.compact(item.0);
            let members = self.starts[item.index()] as usize..self.ends[item.index()] as usize;
            self.spend(members.len());
            for &Use { option: other, colour: against } in &self.members[members] {
                if self.collected[other as usize] != stamp && (colour == 0 || colour != against) {
                    self.collected[other as usize] = stamp;
                    collected.push((other, 0));
                }
            }
        }
    }

    /// Marks the items of `option`.
    fn mark(&mut self, option: u32) {
        let stamp = self.next_stamp();
        let terms = self.problem.option(OptionId(option));
        self.spend(terms.len());
        for term in terms {
            self.seen[term.item.index()] = Stamp { stamp, colour: term.colour };
        }
    }

    /// Counts for each candidate whether it is compatible with `option`, and keeps those with a count below `low`.
    fn keep_clashing(&mut self, candidates: &mut Vec<(u32, usize)>, option: u32, low: usize) {
        let mut keep = |clashes: &mut dyn FnMut(u32) -> bool| {
            candidates.retain_mut(|(candidate, together)| {
                *together += usize::from(*candidate == option || !clashes(*candidate));
                *together < low
            });
        };
        let mut steps = 0;
        if let Some(rows) = &self.rows {
            keep(&mut |candidate| {
                steps += rows.words();
                rows.clash(option, candidate)
            });
        } else {
            self.mark(option);
            keep(&mut |candidate| {
                let terms = self.problem.option(OptionId(candidate));
                steps += terms.len();
                terms.iter().any(|term| {
                    let seen = self.seen[term.item.index()];
                    seen.stamp == self.stamp && self.clashes(term.item.0, term.colour, seen.colour)
                })
            });
        }
        self.spend(steps);
    }

    /// Removes an option.
    fn remove(&mut self, option: u32) {
        if !std::mem::replace(&mut self.is_live[option as usize], false) {
            return;
        }
        self.removed += 1;
        for term in self.problem.option(OptionId(option)) {
            self.degrees[term.item.index()] -= 1;
            self.enqueue(term.item.0);
        }
    }

    /// Applies rule 2: forces an option that is in every solution, and removes all options that clash with it.
    fn force(&mut self, option: u32) -> Result<(), Contradiction> {
        if !self.is_live[option as usize] {
            return Err(Contradiction);
        }
        self.remove(option);
        self.forced.push(option);
        for &Term { item, colour } in self.problem.option(OptionId(option)) {
            match self.bounds.get_mut(item.index()) {
                Some(bounds) => {
                    bounds.low = bounds.low.saturating_sub(1);
                    bounds.high -= 1;
                    match bounds.high {
                        0 => self.live_members(item.0).iter().for_each(|other| self.remove(other.option)),
                        1 => self.enqueue_around(item.0),
                        _ => {}
                    }
                }
                None if std::mem::replace(&mut self.is_settled[item.index()], true) => {}
                None => {
                    for other in self.live_members(item.0) {
                        if self.clashes(item.0, colour, other.colour) {
                            self.remove(other.option);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Queues all items of the options of `item`: these options clash from now on.
    fn enqueue_around(&mut self, item: u32) {
        for member in self.live_members(item) {
            if self.steps == 0 {
                return;
            }
            let terms = self.problem.option(OptionId(member.option));
            self.spend(terms.len());
            terms.iter().for_each(|term| self.enqueue(term.item.0));
        }
    }

    /// Applies rule 3.
    fn unite_equal_items(&mut self) -> Result<(), Contradiction> {
        let mut items: Vec<u32> = (0..self.bounds.len() as u32).collect();
        items.retain(|&item| !self.is_dropped[item as usize] && self.degrees[item as usize] > 0);
        items.iter().for_each(|&item| self.compact(item));
        // After the sort items with the same options are neighbours, in their order.
        items.sort_by(|&one, &other| {
            let (one, other) = (self.members_of(one), self.members_of(other));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        });
        for pair in 1..items.len() {
            let (first, second) = (items[pair - 1], items[pair]);
            if self.members_of(first) != self.members_of(second) {
                continue;
            }
            // The second item stays, to be compared with the third.
            let (one, other) = (self.bounds[first as usize], self.bounds[second as usize]);
            let both = Bounds { low: one.low.max(other.low), high: one.high.min(other.high) };
            if both.low > both.high {
                return Err(Contradiction);
            }
            self.is_dropped[first as usize] = true;
            self.bounds[second as usize] = both;
            if both != one || both != other {
                self.enqueue(second);
                self.enqueue_around(second);
            }
        }
        Ok(())
    }

    /// Applies rule 4.
    fn drop_secondary_items(&mut self) {
        for item in self.bounds.len() as u32..self.problem.item_count() as u32 {
            self.is_dropped[item as usize] = self.is_redundant(item);
        }
    }

    /// Whether no two options clash because of this secondary item only.
    fn is_redundant(&mut self, item: u32) -> bool {
        let members = self.live_members(item);
        let Some((&first, others)) = members.split_first() else { return true };
        if others.is_empty() || first.colour != 0 && others.iter().all(|other| other.colour == first.colour) {
            return true;
        }
        if self.steps == 0 {
            return false;
        }
        // Items that all these options have and that allow only one of them to be chosen.
        let terms = self.problem.option(OptionId(first.option));
        self.spend(terms.len());
        let excludes = |term: &&Term| {
            term.item != item
                && !self.is_dropped[term.item.index()]
                && self.bounds.get(term.item.index()).map_or(term.colour == 0, |bounds| bounds.high == 1)
        };
        let mut common: Vec<u32> = terms.iter().filter(excludes).map(|term| term.item.0).collect();
        for other in others {
            if common.is_empty() || self.steps == 0 {
                return false;
            }
            self.mark(other.option);
            common.retain(|&item| {
                let seen = self.seen[item as usize];
                seen.stamp == self.stamp && seen.colour == 0
            });
        }
        !common.is_empty()
    }

    /// The reduced problem.
    pub(super) fn finish(mut self) -> Reduction {
        let problem = self.problem;
        for item in 0..self.bounds.len() {
            // Items that are full, and items without options that need not be covered.
            self.is_dropped[item] |= self.degrees[item] == 0 && self.bounds[item].low == 0;
        }
        let kept: Vec<u32> =
            (0..problem.item_count() as u32).filter(|&item| !self.is_dropped[item as usize]).collect();
        let mut numbers = vec![None; problem.item_count()];
        for (number, &item) in kept.iter().enumerate() {
            numbers[item as usize] = Some(number as u32);
        }
        let primary_count = kept.iter().filter(|&&item| self.is_primary(item)).count();
        let mut left = ExactCover {
            primary_count,
            item_count: kept.len(),
            bounds: kept[..primary_count].iter().map(|&item| self.bounds[item as usize]).collect(),
            ..ExactCover::default()
        };
        if left.is_simple() {
            left.bounds.clear();
        }
        left.item_names.extend_from(&problem.item_names, kept);
        let mut original = Vec::new();
        for option in (0..problem.option_count() as u32).filter(|&option| self.is_live[option as usize]) {
            let terms = problem.option(OptionId(option)).iter();
            left.terms.extend(terms.filter_map(|&term| {
                let item = numbers[term.item.index()]?;
                Some(Term { item: ItemId(item), ..term })
            }));
            left.starts.push(left.terms.len() as u32);
            if problem.has_costs() {
                left.costs.push(problem.cost(OptionId(option)));
            }
            original.push(OptionId(option));
        }
        if left.costs.iter().all(|&cost| cost == 0) {
            left.costs.clear();
        }
        // Fewer colours than before cannot be too many. (Problems made for engines have no names.)
        left.colour_names = match problem.colour_names.len() {
            0 => Names::default(),
            _ => renumber_colours(&mut left.terms, &problem.colour_names).unwrap_or_default(),
        };
        self.forced.sort_unstable();
        Reduction {
            problem: left,
            original,
            forced: self.forced.into_iter().map(OptionId).collect(),
            is_finished: self.steps > 0,
        }
    }
}

/// A step of about 5 / 8 of `count` that visits all of `count` places: coprime to `count`.
fn leap(count: usize) -> usize {
    fn divisor(one: usize, other: usize) -> usize {
        if other == 0 { one } else { divisor(other, one % other) }
    }
    (count * 5 / 8..=count).find(|&leap| divisor(count, leap) == 1).unwrap_or(1)
}
