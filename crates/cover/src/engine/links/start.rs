//! The start of a search: the lists of the options that its assumptions leave.

use std::sync::Arc;

use super::{COVERED, Link, Links, NONE, Neighbours, Node, OFTEN, SECONDARY};
use crate::engine::Contradiction;
use crate::problem::has_option;
use crate::{Assumptions, ItemId, OptionId, Term};

/// Takes the bit of an option; `false` if it is not there.
#[inline(always)]
fn take(bits: &mut [u64], option: u32) -> bool {
    let Some(word) = bits.get_mut(option as usize / 64) else { return false };
    let bit = 1 << (option % 64);
    let is_there = *word & bit != 0;
    *word &= !bit;
    is_there
}

impl Links {
    /// Notes the assumptions; an error if two of the chosen options clash, or one is forbidden or not in the problem.
    pub(super) fn note(
        &mut self,
        assumptions: &Assumptions,
        forbidden: &mut Vec<OptionId>,
    ) -> Result<(), Contradiction> {
        self.free.fill(u64::MAX);
        let padding = 64 * self.free.len() - self.problem.option_count();
        if let Some(last) = self.free.last_mut() {
            *last >>= padding;
        }
        self.assumed_chosen.clear();
        self.left.copy_from_slice(&self.highs);
        forbidden.extend_from_slice(&assumptions.forbidden);
        let free = &mut self.free[..];
        for &option in &assumptions.forbidden {
            take(free, option.0);
        }
        for &option in &assumptions.chosen {
            if !take(&mut self.free, option.0) {
                if has_option(&self.assumed_chosen, option) {
                    continue;
                }
                return Err(Contradiction);
            }
            if !self.fits(self.problem.option(option)) {
                return Err(Contradiction);
            }
            for term in self.problem.option(option) {
                self.left[term.item.index()] -= 1;
                self.assumed_colours[term.item.index()] = term.colour;
            }
            self.assumed_chosen.push(option);
        }
        Ok(())
    }

    /// Whether an option clashes with no assumed one.
    fn fits(&self, terms: &[Term]) -> bool {
        terms.iter().all(|term| {
            let item = term.item.index();
            match self.left[item] {
                0 => false,
                OFTEN => true,
                _ if item < self.problem.primary_count() => true,
                _ => term.colour != 0 && term.colour == self.assumed_colours[item],
            }
        })
    }

    /// Builds the lists of the options that the assumptions leave.
    pub(super) fn build(&mut self) {
        let (items, primary_count) = (self.problem.item_count(), self.problem.primary_count());
        self.sizes[..primary_count].fill(0);
        self.sizes[primary_count..].fill(SECONDARY);
        for (header, links) in (0..).zip(&mut self.links[..items]) {
            *links = Neighbours { up: header, down: header };
        }
        let problem = Arc::clone(&self.problem);
        let mut at = items;
        for word in 0..self.free.len() {
            let mut free = self.free[word];
            while free != 0 {
                let option = (64 * word) as u32 + free.trailing_zeros();
                free &= free - 1;
                let terms = problem.option(OptionId(option));
                if self.fits(terms) {
                    at = self.push(option, terms, at);
                }
            }
        }
    }

    /// Adds an option, with its first node at `start`; the place behind its spacers.
    #[inline(always)]
    fn push(&mut self, option: u32, terms: &[Term], start: usize) -> usize {
        let (sizes, places) = (&mut self.sizes[..], &mut self.links[..]);
        for (offset, (node, term)) in self.nodes[start..].iter_mut().zip(terms).enumerate() {
            let (item, place) = (term.item, (start + offset) as Link);
            let up = std::mem::replace(&mut places[item.index()].up, place);
            places[up as usize].down = place;
            places[start + offset] = Neighbours { up, down: item.0 };
            *node = Node { item: item.0, start: start as Link };
            sizes[item.index()] += 1;
        }
        if !self.colours.is_empty() {
            let colours = self.colours[start..].iter_mut().zip(terms);
            colours.for_each(|(colour, term)| *colour = term.colour);
        }
        let end = start + terms.len();
        self.nodes[end..end + 2].fill(Node { item: NONE, start: start as Link });
        self.links[end].up = option;
        end + 2
    }

    /// Makes the numbers of options of the primary items sizes; an error if an item has too few options.
    pub(super) fn open_items(&mut self) -> Result<(), Contradiction> {
        self.open = 0;
        for item in 0..self.problem.primary_count() {
            if self.left[item] == 0 {
                self.sizes[item] += COVERED;
                continue;
            }
            self.open += 1;
            let size = self.sizes[item] + 1;
            self.sizes[item] = size
                .checked_sub(self.needed(item, self.left[item]))
                .filter(|&size| size > 0)
                .ok_or(Contradiction)?;
            if self.sizes[item] == 1 {
                self.forced[self.forced_len] = item as Link;
                self.forced_len += 1;
            }
        }
        Ok(())
    }

    /// How often a primary item must still be covered that may be covered `left` times.
    pub(super) fn needed(&self, item: usize, left: u32) -> u32 {
        let bounds = self.problem.bounds(ItemId(item as u32));
        bounds.low.saturating_sub(bounds.high - left)
    }
}
