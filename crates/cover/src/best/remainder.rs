//! A branch of the search: the options that are chosen, that can still be chosen, and that must be.
//!
//! ```text
//! order   | live options | chosen, removed |     a sparse set: an option is removed by swapping it with the last live
//!         0            live                      one, and backtracking writes `live` back
//! items   | open items   | the others |          the same for items
//! ```
//! Every node reads all live options and counts them by item. Updating counts would be less work, but the bound reads
//! all live options anyway, and good bounds make nodes few.

use std::sync::Arc;

use crate::engine::Contradiction;
use crate::{Assumptions, Bounds, ExactCover, ItemId, OptionId, Term};

/// In `fixed`: no further option may contain the item.
const CLOSED: u32 = u32::MAX;

/// A branch of the search.
#[derive(Clone, Debug)]
pub(super) struct Remainder {
    problem: Arc<ExactCover>,
    primary_count: usize,
    /// All options, the live ones first, and the place of each option.
    order: Vec<u32>,
    place: Vec<u32>,
    live: usize,
    /// The items that can have a price, the open ones first: primary items, and secondary ones without colours.
    items: Vec<u32>,
    open: usize,
    /// For each item 0 if it is free, the colour of a secondary item that has one, or [`CLOSED`].
    fixed: Vec<u32>,
    /// How often each item must still be covered (if it is below 0: not at all), and how often it may be.
    need: Vec<i64>,
    room: Vec<i64>,
    /// The live options of each open item.
    counts: Vec<u32>,
    chosen: Vec<u32>,
    is_chosen: Vec<bool>,
    /// The items that are fixed, in the order in which they were fixed.
    trail: Vec<u32>,
    /// Secondary items that were closed in this branch because a single live option has them: their price must be 0.
    vacant: Vec<u32>,
    /// Memory for forced options.
    forced: Vec<u32>,
}

/// A state to backtrack to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The number of options chosen.
    pub(super) chosen: usize,
    trail: usize,
    live: usize,
    open: usize,
}

impl Remainder {
    pub(super) fn new(problem: Arc<ExactCover>) -> Remainder {
        let (options, items) = (problem.option_count(), problem.item_count());
        let mut is_priced = vec![true; items];
        for term in problem.options().flatten().filter(|term| term.colour != 0) {
            is_priced[term.item.index()] = false;
        }
        // All bounds above the number of options mean the same.
        let clamp = |bound: u32| i64::from(bound).min(options as i64 + 1);
        let primary_count = problem.primary_count();
        let bounds = |item: ItemId| match item.index() < primary_count {
            true => problem.bounds(item),
            false => Bounds { low: 0, high: 1 },
        };
        let priced: Vec<u32> = (0..items as u32).filter(|&item| is_priced[item as usize]).collect();
        Remainder {
            primary_count,
            order: (0..options as u32).collect(),
            place: (0..options as u32).collect(),
            live: options,
            open: priced.len(),
            items: priced,
            fixed: vec![0; items],
            need: (0..items as u32).map(|item| clamp(bounds(ItemId(item)).low)).collect(),
            room: (0..items as u32).map(|item| clamp(bounds(ItemId(item)).high)).collect(),
            counts: vec![0; items],
            chosen: Vec::new(),
            is_chosen: vec![false; options],
            trail: Vec::new(),
            vacant: Vec::new(),
            forced: Vec::new(),
            problem,
        }
    }

    pub(super) fn problem(&self) -> &ExactCover {
        &self.problem
    }

    /// The problem, for another state.
    pub(super) fn shared_problem(&self) -> Arc<ExactCover> {
        Arc::clone(&self.problem)
    }

    /// The items of an option.
    #[inline(always)]
    pub(super) fn terms(&self, option: u32) -> &[Term] {
        self.problem.option(OptionId(option))
    }

    /// The live options, in no particular order.
    #[inline(always)]
    pub(super) fn live(&self) -> &[u32] {
        &self.order[..self.live]
    }

    /// The open items that can have a price, in no particular order.
    #[inline(always)]
    pub(super) fn open(&self) -> &[u32] {
        &self.items[..self.open]
    }

    /// Items that are not open, although a live option may have them.
    #[inline(always)]
    pub(super) fn vacant(&self) -> &[u32] {
        &self.vacant
    }

    /// The options chosen.
    pub(super) fn chosen(&self) -> &[u32] {
        &self.chosen
    }

    #[inline(always)]
    pub(super) fn is_primary(&self, item: u32) -> bool {
        (item as usize) < self.primary_count
    }

    /// Whether `option` is live.
    pub(super) fn is_live(&self, option: u32) -> bool {
        (self.place[option as usize] as usize) < self.live
    }

    /// Whether a cover of this branch may contain `option`.
    pub(super) fn is_possible(&self, option: u32) -> bool {
        self.is_chosen[option as usize] || self.is_live(option)
    }

    /// How often an open item must still be covered.
    #[inline(always)]
    pub(super) fn need(&self, item: u32) -> i64 {
        self.need[item as usize].max(0)
    }

    /// How often an open item may still be covered.
    #[inline(always)]
    pub(super) fn room(&self, item: u32) -> i64 {
        self.room[item as usize]
    }

    /// The number of live options of an open item.
    #[inline(always)]
    pub(super) fn count(&self, item: u32) -> i64 {
        i64::from(self.counts[item as usize])
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { chosen: self.chosen.len(), trail: self.trail.len(), live: self.live, open: self.open }
    }

    /// Backtracks to `mark`.
    pub(super) fn backtrack(&mut self, mark: Mark) {
        for option in self.chosen.drain(mark.chosen..) {
            self.is_chosen[option as usize] = false;
            for term in self.problem.option(OptionId(option)) {
                if term.item.index() < self.primary_count {
                    self.need[term.item.index()] += 1;
                    self.room[term.item.index()] += 1;
                }
            }
        }
        for item in self.trail.drain(mark.trail..) {
            self.fixed[item as usize] = 0;
        }
        self.vacant.clear();
        (self.live, self.open) = (mark.live, mark.open);
    }

    /// Removes an option, and removes it from the live ones of `mark`, which is the current state.
    pub(super) fn exclude(&mut self, option: u32, mark: &mut Mark) {
        self.remove(option);
        mark.live = self.live;
    }

    /// Removes an option, if it is live.
    fn remove(&mut self, option: u32) {
        let place = self.place[option as usize] as usize;
        if place < self.live {
            self.remove_at(place);
        }
    }

    #[inline(always)]
    fn remove_at(&mut self, place: usize) {
        self.live -= 1;
        let (option, last) = (self.order[place], self.order[self.live]);
        (self.order[place], self.order[self.live]) = (last, option);
        (self.place[last as usize], self.place[option as usize]) = (place as u32, self.live as u32);
    }

    /// Removes the live options with a reduced cost above `most`. Returns whether there were any.
    #[inline(always)]
    pub(super) fn remove_above(&mut self, most: i64, reduced: &[i64]) -> Result<bool, Contradiction> {
        let before = self.live;
        let mut place = 0;
        while place < self.live {
            let option = self.order[place];
            if reduced[option as usize] <= most {
                place += 1;
                continue;
            }
            self.remove_at(place);
            for term in self.problem.option(OptionId(option)) {
                let count = &mut self.counts[term.item.index()];
                *count = count.wrapping_sub(1);
                if self.is_primary(term.item.0) && self.count(term.item.0) < self.need(term.item.0) {
                    return Err(Contradiction);
                }
            }
        }
        Ok(self.live < before)
    }

    /// Chooses a live option.
    pub(super) fn choose(&mut self, option: u32) {
        self.remove(option);
        self.chosen.push(option);
        self.is_chosen[option as usize] = true;
        for term in self.problem.option(OptionId(option)) {
            let item = term.item.index();
            let fixed = if item < self.primary_count {
                self.need[item] -= 1;
                self.room[item] -= 1;
                if self.room[item] == 0 { CLOSED } else { 0 }
            } else if term.colour == 0 {
                CLOSED
            } else {
                term.colour
            };
            if fixed != 0 && self.fixed[item] == 0 {
                self.fixed[item] = fixed;
                self.trail.push(term.item.0);
            }
        }
    }

    /// Whether no chosen option excludes this one.
    #[inline(always)]
    fn fits(&self, option: u32) -> bool {
        self.problem.option(OptionId(option)).iter().all(|term| {
            let fixed = self.fixed[term.item.index()];
            fixed == 0 || fixed == term.colour
        })
    }

    /// Removes the options that the chosen ones exclude, and chooses those that some item needs, until nothing
    /// changes.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            self.filter();
            if !self.close()? {
                return Ok(());
            }
            self.force()?;
        }
    }

    /// Removes the options that the chosen ones exclude, and counts the others by item. (The counts of items that are
    /// not open are never reset, and never read.)
    fn filter(&mut self) {
        for &item in &self.items[..self.open] {
            self.counts[item as usize] = 0;
        }
        let mut place = 0;
        while place < self.live {
            let option = self.order[place];
            if !self.fits(option) {
                self.remove_at(place);
                continue;
            }
            place += 1;
            for term in self.problem.option(OptionId(option)) {
                let count = &mut self.counts[term.item.index()];
                *count = count.wrapping_add(1);
            }
        }
    }

    /// Closes the items without live options, and secondary items with a single one. Returns whether some item needs
    /// all its live options.
    fn close(&mut self) -> Result<bool, Contradiction> {
        let mut is_forced = false;
        let mut place = 0;
        while place < self.open {
            let item = self.items[place];
            let (count, need) = (self.count(item), self.need(item));
            let is_fixed = self.fixed[item as usize] != 0;
            if !is_fixed && count < need {
                return Err(Contradiction);
            }
            let is_vacant = count == 1 && !self.is_primary(item);
            if is_fixed || count == 0 || is_vacant {
                self.vacant.extend(is_vacant.then_some(item));
                self.open -= 1;
                self.items.swap(place, self.open);
                continue;
            }
            is_forced |= count == need;
            place += 1;
        }
        Ok(is_forced)
    }

    /// Chooses the options of the items that need all their live ones.
    fn force(&mut self) -> Result<(), Contradiction> {
        let mut forced = std::mem::take(&mut self.forced);
        forced.clear();
        let needs_all = |term: &Term| {
            self.is_primary(term.item.0)
                && self.fixed[term.item.index()] == 0
                && self.count(term.item.0) == self.need(term.item.0)
        };
        forced.extend(self.live().iter().filter(|&&option| self.terms(option).iter().any(needs_all)));
        let all_fit = forced.iter().all(|&option| {
            let fits = self.fits(option);
            if fits {
                self.choose(option);
            }
            fits
        });
        self.forced = forced;
        if all_fit { Ok(()) } else { Err(Contradiction) }
    }

    /// Removes and chooses options as assumed. The state must be propagated afterwards.
    pub(super) fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        for &option in &assumptions.forbidden {
            self.remove(option.0);
        }
        for &option in &assumptions.chosen {
            if self.is_chosen[option.index()] {
                continue;
            }
            if !self.is_possible(option.0) || !self.fits(option.0) {
                return Err(Contradiction);
            }
            self.choose(option.0);
        }
        Ok(())
    }
}
