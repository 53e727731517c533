//! Preprocessing: a problem with fewer options and items, and the same solutions.
//!
//! After Donald Knuth's program DLX-PRE and "The Art of Computer Programming" 4B, section 7.2.2.1. An option is in no
//! solution if choosing it leaves some item without options, so all such options go; then others may be found, until
//! nothing changes. What is known of every solution is taken out as well:
//! ```text
//! item      options                   becomes
//! a  1:1    1 2 3                     8 clashes with 1, 2 and 3: option 8 goes
//! b  2:3    4 5                       options 4 and 5 are forced: b is left with 0:1
//! c  1:1    6 7 } the same options    one item, with the bounds that both have
//! d  0:1    6 7 }
//! x  (or)   1 2                       secondary, and a covers what it says: it goes
//! ```
//!
//! The rules, each sound for colours and for any bounds
//! 1. An item that must be covered `low` times more *kills* an option unless `low` of the item's options go together
//!    with it (the option itself is one of them, if it has the item). Options clash where they share a primary item
//!    that is covered once at most from now on, or disagree on a secondary one.
//! 2. An item with `low` options forces them; with fewer there is no solution.
//! 3. Primary items with the same options are one item. (If all options of one have the other one, rule 1 leaves
//!    both with the same, where both are covered once.)
//! 4. A secondary item goes if all its options share a colour, or if all of them share another item that lets only
//!    one of them be chosen.
//!
//! Tricks
//! 1. An option is not tried by covering its items, which costs as many steps as all that clashes with it has terms.
//!    What an item kills must clash with its first option: what does is a list, from which the item's other options
//!    strike all they go together with. Mostly it is empty after two or three.
//! 2. What an item kills depends on the item's own options alone. So an item is looked at again only when it has lost
//!    one, or when the bounds have changed under it.
//! 3. Options that stand together in an item's list are alike, and let the same candidates live. So the list is gone
//!    through by leaps: 10 to 50 % fewer steps than in its order.
//! 4. The steps are counted: where they run out the rest stays as it is, which is never wrong.
//!
//! What it gains (options before and after, nodes of `auto` in thousands, and how many times as fast with it)
//! ```text
//! pentominoes 6x10   2,056  1,912    3,238  2,845   1.09       pentominoes 8x8   1,568  1,416    269   231   1.0
//! pentominoes 5x12   1,936  1,792    2,045  1,584   1.14       pentominoes 3x20  1,236  1,086     39    33   0.8
//! pentominoes 4x15   1,696  1,550      762    552   1.12
//! ```
//! (Times of a busy machine.) It takes 1 to 2 ms there and below 0.5 ms elsewhere. In no other problem of [`models`](super::models) an option
//! goes (queens, Langford, dominoes, Soma, 2x5x6, Latin squares, matchings, sudoku without clues, domination, mixed):
//! at the root no item is about to be dead. So it is done where it is asked for, and `auto` does without.

use std::cmp::Ordering;
use std::collections::VecDeque;

use super::build::close_ranks;
use super::names::Names;
use super::{Bounds, Colour, ExactCover, ItemId, OptionId, Term};

mod engine;
#[cfg(test)]
mod tests;

pub(super) use engine::Reduced;

/// Steps (terms looked at) for each term of the problem, and for small ones. Pentominoes take up to 140 a term, all
/// other problems of `models` at most 90.
const STEPS: (u64, u64) = (256, 1 << 14);

/// A problem with fewer options and items; see [`ExactCover::reduce`].
#[derive(Clone, Debug)]
pub struct Reduction {
    problem: ExactCover,
    /// The numbers that its options had.
    original: Vec<OptionId>,
    /// Ascending.
    forced: Vec<OptionId>,
    is_finished: bool,
}

impl ExactCover {
    /// Leaves out the options that are in no solution, and those that are in all; and the items that say nothing new.
    ///
    /// The solutions are the same: each is one of the [reduced problem](Reduction::problem), its options under their
    /// [old numbers](Reduction::original), together with the [forced](Reduction::forced) ones. It takes at most some
    /// hundred steps a term. (A [`Solver`](super::Solver) does all of this by itself, if its
    /// [`Setup`](super::Setup) says so.)
    ///
    /// ```
    /// use galop::cover::text;
    ///
    /// // Both options that cover e clash with `a c`, and with `b d`.
    /// let problem = text::read(b"a b c d e\na b\nc d e\na c\nb d\na b e\nc d\n")?.problem;
    /// let reduction = problem.reduce();
    /// let words = |option: u32| problem.words(option).to_string();
    /// let left: Vec<String> = (0..4).filter_map(|option| reduction.original(option)).map(words).collect();
    /// assert_eq!(left, ["a b", "c d e", "a b e", "c d"]);
    /// assert_eq!(reduction.problem().item_count(), 3, "a and b have the same options now, c and d too");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduce(&self) -> Reduction {
        let mut work = Work::new(self, STEPS.0 * self.terms.len() as u64 + STEPS.1);
        match work.run() {
            Ok(()) => work.finish(),
            Err(NoSolution) => nothing(self),
        }
    }
}

impl Reduction {
    /// What is left. Items keep their names and their order. It has no items if all that is left is one solution,
    /// and one item without options if there is none.
    pub fn problem(&self) -> &ExactCover {
        &self.problem
    }

    /// The number that `option` of the reduced problem has in the one that was given, if it is there. (It grows with
    /// `option`.)
    pub fn original(&self, option: OptionId) -> Option<OptionId> {
        self.original.get(option as usize).copied()
    }

    /// The options that every solution has, ascending. They are not in the reduced problem.
    pub fn forced(&self) -> &[OptionId] {
        &self.forced
    }

    /// Whether it ended because nothing could be left out any more, and not because that would take too long.
    pub fn is_finished(&self) -> bool {
        self.is_finished
    }
}

/// A step with which one comes by all of `count` places, about 5 / 8 of them at a time.
fn leap(count: usize) -> usize {
    fn divisor(one: usize, other: usize) -> usize {
        if other == 0 { one } else { divisor(other, one % other) }
    }
    (count * 5 / 8..=count).find(|&leap| divisor(count, leap) == 1).unwrap_or(1)
}

/// What is left of a problem that has no solution.
fn nothing(problem: &ExactCover) -> Reduction {
    let mut left = ExactCover { primary_count: 1, item_count: 1, ..ExactCover::default() };
    left.item_names.extend_from(&problem.item_names, [0]);
    Reduction { problem: left, original: Vec::new(), forced: Vec::new(), is_finished: true }
}

/// There is none.
struct NoSolution;

/// An option of an item, and the colour it gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    option: OptionId,
    colour: Colour,
}

/// An item of the option that was marked with this stamp.
#[derive(Clone, Copy, Default)]
struct Seen {
    stamp: u32,
    colour: Colour,
}

/// A problem that is being reduced.
struct Work<'p> {
    problem: &'p ExactCover,
    /// What is left of them, of the primary items.
    bounds: Vec<Bounds>,
    is_live: Vec<bool>,
    /// The options of each item, live ones and some that are not any more, one item after the other.
    members: Vec<Member>,
    starts: Vec<u32>,
    /// Where those of an item end now.
    ends: Vec<u32>,
    /// How many of them are live.
    degrees: Vec<u32>,
    is_dropped: Vec<bool>,
    forced: Vec<OptionId>,
    /// Secondary items that forced options cover: their other options are right already.
    is_settled: Vec<bool>,
    /// Primary items to be looked at.
    queue: VecDeque<ItemId>,
    is_queued: Vec<bool>,
    seen: Vec<Seen>,
    /// The options that were collected with a stamp.
    collected: Vec<u32>,
    stamp: u32,
    /// Steps that are left.
    steps: u64,
}

impl<'p> Work<'p> {
    fn new(problem: &'p ExactCover, steps: u64) -> Work<'p> {
        let items = problem.item_count();
        let mut degrees = vec![0; items];
        problem.options().flatten().for_each(|term| degrees[term.item as usize] += 1);
        let mut starts = Vec::with_capacity(items + 1);
        let mut sum = 0;
        for degree in &degrees {
            starts.push(sum);
            sum += degree;
        }
        let mut ends = starts.clone();
        starts.push(sum);
        let mut members = vec![Member { option: 0, colour: 0 }; sum as usize];
        for (option, terms) in problem.options().enumerate() {
            for term in terms {
                let end = &mut ends[term.item as usize];
                members[*end as usize] = Member { option: option as OptionId, colour: term.colour };
                *end += 1;
            }
        }
        let primary = problem.primary_count();
        Work {
            problem,
            bounds: (0..primary as ItemId).map(|item| problem.bounds(item)).collect(),
            is_live: vec![true; problem.option_count()],
            members,
            starts,
            ends,
            degrees,
            is_dropped: vec![false; items],
            forced: Vec::new(),
            is_settled: vec![false; items],
            queue: (0..primary as ItemId).collect(),
            is_queued: vec![true; primary],
            seen: vec![Seen::default(); items],
            collected: vec![0; problem.option_count()],
            stamp: 0,
            steps,
        }
    }

    /// The rules, until nothing changes.
    fn run(&mut self) -> Result<(), NoSolution> {
        loop {
            while let Some(item) = self.queue.pop_front() {
                self.is_queued[item as usize] = false;
                self.look_at(item)?;
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

    fn spend(&mut self, steps: usize) {
        self.steps = self.steps.saturating_sub(steps as u64);
    }

    /// Rules 1 and 2, for an item.
    fn look_at(&mut self, item: ItemId) -> Result<(), NoSolution> {
        let (low, degree) = (self.bounds[item as usize].low, self.degrees[item as usize]);
        if low == 0 || self.is_dropped[item as usize] {
            return Ok(());
        }
        match degree.cmp(&low) {
            Ordering::Less => Err(NoSolution),
            Ordering::Equal => self.live_members(item).iter().try_for_each(|member| self.take(member.option)),
            Ordering::Greater => {
                if self.steps > 0 {
                    self.kill(item, low as usize);
                }
                Ok(())
            }
        }
    }

    fn members_of(&self, item: ItemId) -> &[Member] {
        &self.members[self.starts[item as usize] as usize..self.ends[item as usize] as usize]
    }

    /// The live options of an item.
    fn live_members(&mut self, item: ItemId) -> Vec<Member> {
        self.compact(item);
        self.members_of(item).to_vec()
    }

    /// Forgets the options of an item that are not live.
    fn compact(&mut self, item: ItemId) {
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

    fn is_primary(&self, item: ItemId) -> bool {
        (item as usize) < self.bounds.len()
    }

    /// Whether two options that have `item`, in these colours, clash because of it.
    fn clashes(&self, item: ItemId, one: Colour, other: Colour) -> bool {
        match self.bounds.get(item as usize) {
            Some(bounds) => bounds.high == 1,
            None => one == 0 || one != other,
        }
    }

    fn enqueue(&mut self, item: ItemId) {
        if self.is_primary(item) && !std::mem::replace(&mut self.is_queued[item as usize], true) {
            self.queue.push_back(item);
        }
    }

    /// Rule 1: removes what `item` kills, which must be covered `low` times more and has more options than that.
    fn kill(&mut self, item: ItemId, low: usize) {
        let mut members = self.live_members(item);
        // Whatever is killed clashes with one of any `low` options: those that clash with little.
        let mut reached = 0;
        members.select_nth_unstable_by_key(low - 1, |member| {
            let terms = self.problem.option(member.option);
            reached += terms.len();
            terms.iter().map(|term| self.degrees[term.item as usize]).sum::<u32>()
        });
        self.spend(reached);
        let stamp = self.next_stamp();
        if low == 1 {
            // One of its own is no candidate: it is an option that is left.
            members.iter().for_each(|member| self.collected[member.option as usize] = stamp);
        }
        let mut candidates = Vec::new();
        for member in &members[..low] {
            self.collect_clashing(member.option, stamp, &mut candidates);
        }
        // Neighbours in the list are alike: by leaps the candidates are struck out sooner.
        let leap = leap(members.len());
        let mut at = members.len() - leap;
        for _ in 0..members.len() {
            at = (at + leap) % members.len();
            let member = members[at];
            if candidates.is_empty() || self.steps == 0 {
                break;
            }
            self.mark(member.option);
            candidates.retain_mut(|(candidate, together)| {
                let is_left = *candidate == member.option || !self.clashes_with_marked(*candidate);
                *together += usize::from(is_left);
                *together < low
            });
        }
        if self.steps > 0 {
            candidates.iter().for_each(|&(option, _)| self.remove(option));
        }
    }

    fn next_stamp(&mut self) -> u32 {
        if self.stamp == u32::MAX {
            self.stamp = 0;
            self.collected.fill(0);
            self.seen.fill(Seen::default());
        }
        self.stamp += 1;
        self.stamp
    }

    /// Collects the options that clash with `option` and do not have the stamp yet, each with a 0.
    fn collect_clashing(&mut self, option: OptionId, stamp: u32, collected: &mut Vec<(OptionId, usize)>) {
        for &Term { item, colour } in self.problem.option(option) {
            if self.bounds.get(item as usize).is_some_and(|bounds| bounds.high > 1) || self.steps == 0 {
                continue;
            }
            self.compact(item);
            let members = self.starts[item as usize] as usize..self.ends[item as usize] as usize;
            self.spend(members.len());
            for &Member { option: other, colour: against } in &self.members[members] {
                if self.collected[other as usize] != stamp && (colour == 0 || colour != against) {
                    self.collected[other as usize] = stamp;
                    collected.push((other, 0));
                }
            }
        }
    }

    /// Marks the items of `option`.
    fn mark(&mut self, option: OptionId) {
        let stamp = self.next_stamp();
        let terms = self.problem.option(option);
        self.spend(terms.len());
        for term in terms {
            self.seen[term.item as usize] = Seen { stamp, colour: term.colour };
        }
    }

    fn clashes_with_marked(&mut self, option: OptionId) -> bool {
        let terms = self.problem.option(option);
        self.spend(terms.len());
        terms.iter().any(|term| {
            let seen = self.seen[term.item as usize];
            seen.stamp == self.stamp && self.clashes(term.item, term.colour, seen.colour)
        })
    }

    /// Removes an option.
    fn remove(&mut self, option: OptionId) {
        if !std::mem::replace(&mut self.is_live[option as usize], false) {
            return;
        }
        for term in self.problem.option(option) {
            self.degrees[term.item as usize] -= 1;
            self.enqueue(term.item);
        }
    }

    /// Rule 2: takes an option that is in every solution, and removes what clashes with it.
    fn take(&mut self, option: OptionId) -> Result<(), NoSolution> {
        if !self.is_live[option as usize] {
            return Err(NoSolution);
        }
        self.remove(option);
        self.forced.push(option);
        for &Term { item, colour } in self.problem.option(option) {
            match self.bounds.get_mut(item as usize) {
                Some(bounds) => {
                    bounds.low = bounds.low.saturating_sub(1);
                    bounds.high -= 1;
                    match bounds.high {
                        0 => self.live_members(item).iter().for_each(|other| self.remove(other.option)),
                        1 => self.enqueue_around(item),
                        _ => {}
                    }
                }
                None if std::mem::replace(&mut self.is_settled[item as usize], true) => {}
                None => {
                    for other in self.live_members(item) {
                        if self.clashes(item, colour, other.colour) {
                            self.remove(other.option);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Has everything that the options of `item` cover looked at again: they clash from now on.
    fn enqueue_around(&mut self, item: ItemId) {
        for member in self.live_members(item) {
            if self.steps == 0 {
                return;
            }
            let terms = self.problem.option(member.option);
            self.spend(terms.len());
            terms.iter().for_each(|term| self.enqueue(term.item));
        }
    }

    /// Rule 3.
    fn unite_equal_items(&mut self) -> Result<(), NoSolution> {
        let mut items: Vec<ItemId> = (0..self.bounds.len() as ItemId).collect();
        items.retain(|&item| !self.is_dropped[item as usize] && self.degrees[item as usize] > 0);
        items.iter().for_each(|&item| self.compact(item));
        // Those with the same options stand together then, in their order.
        items.sort_by(|&one, &other| {
            let (one, other) = (self.members_of(one), self.members_of(other));
            one.len().cmp(&other.len()).then_with(|| one.cmp(other))
        });
        for pair in 1..items.len() {
            let (first, second) = (items[pair - 1], items[pair]);
            if self.members_of(first) != self.members_of(second) {
                continue;
            }
            // The second one stays, for the third.
            let (one, other) = (self.bounds[first as usize], self.bounds[second as usize]);
            let both = Bounds { low: one.low.max(other.low), high: one.high.min(other.high) };
            if both.low > both.high {
                return Err(NoSolution);
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

    /// Rule 4.
    fn drop_secondary_items(&mut self) {
        for item in self.bounds.len() as ItemId..self.problem.item_count() as ItemId {
            self.is_dropped[item as usize] = self.says_nothing(item);
        }
    }

    /// Whether no two options clash because of this secondary item alone.
    fn says_nothing(&mut self, item: ItemId) -> bool {
        let members = self.live_members(item);
        let Some((&first, others)) = members.split_first() else { return true };
        if others.is_empty() || first.colour != 0 && others.iter().all(|other| other.colour == first.colour) {
            return true;
        }
        if self.steps == 0 {
            return false;
        }
        // Items that all of them have, and let only one of them be chosen.
        let terms = self.problem.option(first.option);
        self.spend(terms.len());
        let excludes = |term: &&Term| {
            term.item != item
                && !self.is_dropped[term.item as usize]
                && self.bounds.get(term.item as usize).map_or(term.colour == 0, |bounds| bounds.high == 1)
        };
        let mut common: Vec<ItemId> = terms.iter().filter(excludes).map(|term| term.item).collect();
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

    /// The problem of what is left.
    fn finish(mut self) -> Reduction {
        let problem = self.problem;
        for item in 0..self.bounds.len() {
            // What is covered as often as it may be, or has nothing to be covered with and need not.
            self.is_dropped[item] |= self.degrees[item] == 0 && self.bounds[item].low == 0;
        }
        let kept: Vec<ItemId> =
            (0..problem.item_count() as ItemId).filter(|&item| !self.is_dropped[item as usize]).collect();
        let mut numbers = vec![None; problem.item_count()];
        for (number, &item) in kept.iter().enumerate() {
            numbers[item as usize] = Some(number as ItemId);
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
        for option in (0..problem.option_count() as OptionId).filter(|&option| self.is_live[option as usize])
        {
            let terms = problem.option(option).iter();
            left.terms.extend(terms.filter_map(|&term| {
                let item = numbers[term.item as usize]?;
                Some(Term { item, ..term })
            }));
            left.starts.push(left.terms.len() as u32);
            if problem.has_costs() {
                left.costs.push(problem.cost(option));
            }
            original.push(option);
        }
        if left.costs.iter().all(|&cost| cost == 0) {
            left.costs.clear();
        }
        // Those of fewer options are not too many. (Engines get problems without names.)
        left.colour_names = match problem.colour_names.len() {
            0 => Names::default(),
            _ => close_ranks(&mut left.terms, &problem.colour_names).unwrap_or_default(),
        };
        self.forced.sort_unstable();
        Reduction { problem: left, original, forced: self.forced, is_finished: self.steps > 0 }
    }
}
