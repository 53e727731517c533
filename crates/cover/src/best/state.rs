//! What is chosen, what can still be chosen, and what must be: the state of a branch.
//!
//! ```text
//! order   | live options | chosen, excluded |     a sparse set: removing an option swaps it to the end of the live ones,
//!         0            live                       and backtracking writes `live` back
//! items   | open items   | the others |           the same for the items
//! ```
//! Every node goes through all live options once and counts them by item. That takes longer than updating counts, but
//! the bound of the node reads all live options anyway, several times, and few nodes are examined.

use crate::engine::Contradiction;
use crate::{Assumptions, Colour, ExactCover, ItemId, OptionId};

/// In `fixed`: no further option may contain the item.
const CLOSED: Colour = Colour::MAX;

/// The state of a branch.
#[derive(Clone, Debug)]
pub(super) struct State<'p> {
    pub(super) problem: &'p ExactCover,
    /// All options, the live ones first, and where each one is.
    order: Vec<OptionId>,
    place: Vec<u32>,
    live: usize,
    /// The items that have a price, the open ones first: primary items, and secondary ones without colours.
    items: Vec<ItemId>,
    open: usize,
    /// For each item 0 if it is open, the colour of a secondary item that has one, or [`CLOSED`].
    fixed: Vec<Colour>,
    /// How often each primary item is covered.
    covered: Vec<u32>,
    /// The live options of each open item.
    pub(super) counts: Vec<u32>,
    /// The options chosen.
    pub(super) chosen: Vec<OptionId>,
    is_chosen: Vec<bool>,
    /// Items that are no longer 0 in `fixed`, in the order in which they were fixed.
    trail: Vec<ItemId>,
    /// Memory for forced options.
    forced: Vec<OptionId>,
}

/// Where to backtrack to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    chosen: usize,
    trail: usize,
    live: usize,
    open: usize,
}

impl<'p> State<'p> {
    pub(super) fn new(problem: &'p ExactCover) -> State<'p> {
        let (options, items) = (problem.option_count(), problem.item_count());
        let mut is_priced = vec![true; items];
        for term in problem.options().flatten().filter(|term| term.colour != 0) {
            is_priced[term.item as usize] = false;
        }
        let items: Vec<ItemId> =
            (0..items as ItemId).filter(|&item| is_priced[item as usize]).collect();
        State {
            problem,
            order: (0..options as OptionId).collect(),
            place: (0..options as u32).collect(),
            live: options,
            open: items.len(),
            items,
            fixed: vec![0; problem.item_count()],
            covered: vec![0; problem.primary_count()],
            counts: vec![0; problem.item_count()],
            chosen: Vec::new(),
            is_chosen: vec![false; options],
            trail: Vec::new(),
            forced: Vec::new(),
        }
    }

    /// The live options, in no particular order.
    #[inline(always)]
    pub(super) fn live(&self) -> &[OptionId] {
        &self.order[..self.live]
    }

    /// The open items that have a price, in no particular order.
    #[inline(always)]
    pub(super) fn open(&self) -> &[ItemId] {
        &self.items[..self.open]
    }

    /// Whether a cover of this branch may contain `option`.
    pub(super) fn is_possible(&self, option: OptionId) -> bool {
        self.is_chosen[option as usize] || (self.place[option as usize] as usize) < self.live
    }

    /// How often an open item must still be covered.
    #[inline(always)]
    pub(super) fn need(&self, item: ItemId) -> u32 {
        match self.covered.get(item as usize) {
            Some(&covered) => self.problem.bounds(item).low.saturating_sub(covered),
            None => 0,
        }
    }

    /// How often an open item may still be covered.
    #[inline(always)]
    pub(super) fn room(&self, item: ItemId) -> u32 {
        match self.covered.get(item as usize) {
            Some(&covered) => self.problem.bounds(item).high.saturating_sub(covered),
            None => 1,
        }
    }

    /// Where this state is.
    pub(super) fn mark(&self) -> Mark {
        Mark { chosen: self.chosen.len(), trail: self.trail.len(), live: self.live, open: self.open }
    }

    /// Backtracks. Options removed since then are live again, but for those that [`exclude`](Self::exclude) took out.
    pub(super) fn backtrack(&mut self, mark: Mark) {
        for option in self.chosen.drain(mark.chosen..) {
            self.is_chosen[option as usize] = false;
            for term in self.problem.option(option) {
                if let Some(covered) = self.covered.get_mut(term.item as usize) {
                    *covered -= 1;
                }
            }
        }
        for item in self.trail.drain(mark.trail..) {
            self.fixed[item as usize] = 0;
        }
        (self.live, self.open) = (mark.live, mark.open);
    }

    /// Removes an option from the live ones, and from those to which `mark` goes back.
    pub(super) fn exclude(&mut self, option: OptionId, mark: &mut Mark) {
        debug_assert_eq!(self.live, mark.live, "only at the mark itself");
        self.remove(option);
        mark.live = self.live;
    }

    /// Removes an option from the live ones, if it is one.
    pub(super) fn remove(&mut self, option: OptionId) {
        let place = self.place[option as usize] as usize;
        if place < self.live {
            self.live -= 1;
            self.swap(place, self.live);
        }
    }

    /// Removes the live options that `is_out` names, and counts the others. Returns whether any was removed; an error if
    /// some item has too few left.
    pub(super) fn remove_if(&mut self, is_out: impl Fn(OptionId) -> bool) -> Result<bool, Contradiction> {
        let live = self.live;
        let mut place = 0;
        while place < self.live {
            let option = self.order[place];
            if !is_out(option) {
                place += 1;
                continue;
            }
            self.live -= 1;
            self.swap(place, self.live);
            for term in self.problem.option(option) {
                let count = &mut self.counts[term.item as usize];
                *count = count.wrapping_sub(1);
                let count = *count;
                if (term.item as usize) < self.covered.len() && count < self.need(term.item) {
                    return Err(Contradiction);
                }
            }
        }
        Ok(self.live < live)
    }

    #[inline(always)]
    fn swap(&mut self, one: usize, other: usize) {
        let (option, last) = (self.order[one], self.order[other]);
        (self.order[one], self.order[other]) = (last, option);
        (self.place[last as usize], self.place[option as usize]) = (one as u32, other as u32);
    }

    /// Chooses a live option.
    pub(super) fn choose(&mut self, option: OptionId) {
        self.remove(option);
        self.chosen.push(option);
        self.is_chosen[option as usize] = true;
        for term in self.problem.option(option) {
            let item = term.item as usize;
            let fixed = match self.covered.get_mut(item) {
                Some(covered) => {
                    *covered += 1;
                    if *covered == self.problem.bounds(term.item).high { CLOSED } else { 0 }
                }
                None if term.colour == 0 => CLOSED,
                None => term.colour,
            };
            if fixed != 0 && self.fixed[item] == 0 {
                self.fixed[item] = fixed;
                self.trail.push(term.item);
            }
        }
    }

    /// Whether the items of an option are free for it.
    #[inline(always)]
    fn fits(&self, option: OptionId) -> bool {
        self.problem.option(option).iter().all(|term| {
            let fixed = self.fixed[term.item as usize];
            fixed == 0 || fixed == term.colour
        })
    }

    /// Removes all options that no longer fit, and chooses those that must be chosen, until nothing changes.
    pub(super) fn propagate(&mut self) -> Result<(), Contradiction> {
        loop {
            self.count();
            if !self.close()? {
                return Ok(());
            }
            self.force()?;
        }
    }

    /// Removes the options that no longer fit, and counts the others by item.
    fn count(&mut self) {
        for &item in &self.items[..self.open] {
            self.counts[item as usize] = 0;
        }
        let mut place = 0;
        while place < self.live {
            let option = self.order[place];
            if self.fits(option) {
                for term in self.problem.option(option) {
                    self.counts[term.item as usize] += 1;
                }
                place += 1;
            } else {
                self.live -= 1;
                self.swap(place, self.live);
            }
        }
    }

    /// Removes items that need nothing more from the open ones. Returns whether some item needs all its live options.
    fn close(&mut self) -> Result<bool, Contradiction> {
        let mut is_forced = false;
        let mut place = 0;
        while place < self.open {
            let item = self.items[place];
            let (count, need) = (self.counts[item as usize], self.need(item));
            let is_fixed = self.fixed[item as usize] != 0;
            if count < need && !is_fixed {
                return Err(Contradiction);
            }
            let is_vacant = item as usize >= self.covered.len() && count <= 1;
            if is_fixed || count == 0 || is_vacant {
                self.open -= 1;
                self.items.swap(place, self.open);
            } else {
                is_forced |= count == need;
                place += 1;
            }
        }
        Ok(is_forced)
    }

    /// Chooses all options of the items that need all of them.
    fn force(&mut self) -> Result<(), Contradiction> {
        let mut forced = std::mem::take(&mut self.forced);
        forced.clear();
        let is_needed = |item: ItemId| {
            (item as usize) < self.covered.len()
                && self.fixed[item as usize] == 0
                && self.counts[item as usize] == self.need(item)
        };
        forced.extend(self.live().iter().filter(|&&option| {
            self.problem.option(option).iter().any(|term| is_needed(term.item))
        }));
        let fit = forced.iter().all(|&option| {
            let fits = self.fits(option);
            if fits {
                self.choose(option);
            }
            fits
        });
        self.forced = forced;
        if fit { Ok(()) } else { Err(Contradiction) }
    }

    /// Removes and chooses options as assumed. Afterwards the state must be propagated.
    pub(super) fn assume(&mut self, assumptions: &Assumptions) -> Result<(), Contradiction> {
        for &option in &assumptions.forbidden {
            self.remove(option);
        }
        for &option in &assumptions.chosen {
            if self.is_chosen[option as usize] {
                continue;
            }
            if !self.is_possible(option) || !self.fits(option) {
                return Err(Contradiction);
            }
            self.choose(option);
        }
        Ok(())
    }
}
