//! The order in which items are covered, and where a state keeps its bits.
//!
//! Only the bits on the border between the items that are covered and the others can differ between two states. Each
//! gets a slot of the key from the layer after which it may be set to the last layer that looks at it; then the slot
//! is free for another bit.
//! ```text
//! items in order   0 1 2 | 3 4 5 6 7 8 | 9 10 ..        at layer 3: an option of items 0 to 2 reaches up to item 8
//!                 covered    border     not reached
//! key at layer 3           0 1 1 0 0 0                  items 4 and 5 are covered
//! slots                    3 4 5 0 1 2                  slot 0 was item 0's, is item 6's
//! ```
//! The order is the one of three with the shortest border: the items as numbered, the same from the end, and one that
//! always takes the item on the border that adds the fewest items to it, the oldest of these.

use crate::engine::bits::Bits;
use crate::{ExactCover, OptionId};

/// Slots of a key. (The top bit of a key says that it is one.)
pub(super) const MOST_SLOTS: u32 = 127;

/// Primary items, and terms of all options: larger problems are not looked at.
const MOST_ITEMS: usize = 1 << 12;
const MOST_TERMS: usize = 1 << 20;

/// An option at the layer of its first item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// A state that has any of these bits clashes with the option.
    pub(super) test: u128,
    /// The bits that it sets.
    pub(super) set: u128,
    pub(super) option: OptionId,
}

/// An item to cover, and the options of which it is the first.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    pub(super) rows: Vec<Row>,
    /// The bit of the item: it is covered already.
    pub(super) covered: u128,
    /// The bits that no later layer looks at.
    pub(super) done: u128,
}

/// The layers of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// One for each primary item, and one behind them.
    pub(super) layers: Vec<Layer>,
    /// Slots in use at most.
    pub(super) slots: u32,
    /// The sum over the layers of the number of keys that could occur.
    pub(super) bound: f64,
    /// The sum over the layers of the number of keys that could occur times the options to test there.
    work: f64,
}

impl Plan {
    /// The plan for `problem`; `None` if every border tried is too long, or the problem is too large.
    pub(crate) fn new(problem: &ExactCover, most: f64) -> Option<Plan> {
        let count = problem.primary_count();
        if count > MOST_ITEMS || problem.term_count() > MOST_TERMS || !problem.is_simple() {
            return None;
        }
        let graph = Graph::new(problem);
        let longest = most.log2().ceil().min(f64::from(MOST_SLOTS)) as u32;
        let forwards = || Some((0..count).collect());
        let backwards = || Some((0..count).rev().collect());
        let orders = [graph.narrow_order(longest), forwards(), backwards()].into_iter().flatten();
        let bounds = orders.filter_map(|order: Vec<usize>| Some((graph.bound(&order, longest)?, order)));
        let (_, order) = bounds.min_by(|one, other| one.0.total_cmp(&other.0))?;
        let plan = Plan::with_order(problem, &order);
        (plan.slots <= MOST_SLOTS && plan.bound <= most).then_some(plan)
    }

    /// A bound of the options tested in all states together.
    pub(crate) fn work(&self) -> f64 {
        self.work
    }

    /// The plan that covers the items in this order.
    #[inline(never)]
    pub(super) fn with_order(problem: &ExactCover, order: &[usize]) -> Plan {
        let count = order.len();
        let mut places = vec![0; count];
        order.iter().enumerate().for_each(|(place, &item)| places[item] = place);
        let bits = Bits::new(problem);
        // For each bit, the first layer in which an option sets it, and the last in which one looks at it.
        let (mut first, mut last) = (vec![usize::MAX; bits.count], vec![0; bits.count]);
        order.iter().enumerate().for_each(|(place, &item)| last[item] = place);
        let layer_of = |option: &[crate::Term]| {
            option.iter().filter_map(|term| places.get(term.item as usize)).min().copied().unwrap_or(0)
        };
        for option in problem.options() {
            let layer = layer_of(option);
            bits.for_each(
                option,
                |bit| last[bit] = last[bit].max(layer),
                |bit| first[bit] = first[bit].min(layer),
            );
        }
        let mut layers = vec![Layer::default(); count + 1];
        let (slots, most, keys) = slots(&first, &last, count);
        for (option, terms) in (0..).zip(problem.options()) {
            let layer = layer_of(terms);
            let mut row = Row { test: 0, set: 0, option };
            let is_kept = |bit: usize| first[bit] < last[bit];
            bits.for_each(
                terms,
                |bit| row.test |= if is_kept(bit) && first[bit] < layer { slots[bit] } else { 0 },
                |bit| row.set |= if is_kept(bit) && layer < last[bit] { slots[bit] } else { 0 },
            );
            layers[layer].rows.push(row);
        }
        for (bit, (&first, &last)) in first.iter().zip(&last).enumerate().filter(|(_, (first, last))| first < last) {
            layers[last].done |= slots[bit];
            if bit < count {
                layers[last].covered = slots[bit];
            }
            debug_assert!(first < count);
        }
        let bound = keys.iter().sum();
        let work = keys.iter().zip(&layers).map(|(keys, layer)| keys * layer.rows.len() as f64).sum();
        Plan { layers, slots: most, bound, work }
    }
}

/// A slot for each bit that needs one, from behind the first layer that sets it to the last one that looks at it; and
/// the number of slots; and for each
/// layer the number of sets of the slots in use when it begins.
fn slots(first: &[usize], last: &[usize], layers: usize) -> (Vec<u128>, u32, Vec<f64>) {
    let (mut begins, mut ends) = (vec![Vec::new(); layers], vec![Vec::new(); layers]);
    for (bit, (&first, &last)) in first.iter().zip(last).enumerate() {
        if first < last {
            begins[first].push(bit);
            ends[last].push(bit);
        }
    }
    let (mut numbers, mut free, mut most, mut keys) = (vec![0; first.len()], Vec::new(), 0, Vec::new());
    for layer in 0..layers {
        keys.push(f64::from(most - free.len() as u32).exp2());
        free.extend(ends[layer].iter().map(|&bit: &usize| numbers[bit]));
        for &bit in &begins[layer] {
            numbers[bit] = free.pop().unwrap_or_else(|| {
                most += 1;
                most - 1
            });
        }
    }
    (numbers.iter().map(|&number| 1_u128.checked_shl(number).unwrap_or(0)).collect(), most, keys)
}

/// Which items occur together in options.
struct Graph {
    count: usize,
    /// For every item, those that it occurs with, with itself, as a set.
    sets: Vec<Vec<u64>>,
}

/// The number of items of a set that another one lacks.
fn lacks(other: &[u64], set: &[u64]) -> u32 {
    set.iter().zip(other).map(|(set, other)| (set & !other).count_ones()).sum()
}

fn add(set: &mut [u64], more: &[u64]) {
    set.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
}

impl Graph {
    fn new(problem: &ExactCover) -> Graph {
        let words = problem.item_count().div_ceil(64);
        let mut sets = vec![vec![0; words]; problem.item_count()];
        let mut set = vec![0_u64; words];
        for option in problem.options() {
            set.fill(0);
            option.iter().for_each(|term| set[term.item as usize / 64] |= 1 << (term.item % 64));
            option.iter().for_each(|term| add(&mut sets[term.item as usize], &set));
        }
        Graph { count: problem.primary_count(), sets }
    }

    /// The sum over the places of `order` of the number of sets of items on the border there. `None` if more than
    /// `longest` items lie on a border.
    fn bound(&self, order: &[usize], longest: u32) -> Option<f64> {
        let words = self.sets.first().map_or(0, Vec::len);
        // The last place at which each secondary item is looked at.
        let mut last = vec![usize::MAX; self.sets.len()];
        order.iter().enumerate().for_each(|(place, &item)| last[item] = place);
        for (item, set) in self.sets.iter().enumerate().skip(self.count) {
            last[item] = members(set).filter(|&other| other < self.count).map(|other| last[other]).max().unwrap_or(0);
        }
        let mut ends = vec![Vec::new(); order.len()];
        last.iter().enumerate().filter(|(_, last)| **last < order.len()).for_each(|(item, &last)| ends[last].push(item));
        let (mut reached, mut done, mut bound) = (vec![0; words], 0, 1.0);
        for (place, &item) in order.iter().enumerate() {
            add(&mut reached, &self.sets[item]);
            done += ends[place].len() as u32;
            let border = size(&reached).saturating_sub(done);
            if border > longest {
                return None;
            }
            bound += f64::from(border).exp2();
        }
        Some(bound)
    }

    /// The order that takes the item on the border that adds the fewest to it, the first of these that was reached.
    /// `None` if the border gets longer than `longest`.
    fn narrow_order(&self, longest: u32) -> Option<Vec<usize>> {
        let words = self.sets.first().map_or(0, Vec::len);
        let (mut reached, mut order) = (vec![0_u64; words], Vec::with_capacity(self.count));
        let mut border: Vec<usize> = Vec::new();
        let mut is_reached = vec![false; self.count];
        while order.len() < self.count {
            let place = (0..border.len()).min_by_key(|&place| lacks(&reached, &self.sets[border[place]]));
            let item = match place {
                Some(place) => border.remove(place),
                None => {
                    let free = (0..self.count).filter(|&item| !is_reached[item]);
                    let Some(item) = free.min_by_key(|&item| size(&self.sets[item])) else { break };
                    is_reached[item] = true;
                    item
                }
            };
            order.push(item);
            add(&mut reached, &self.sets[item]);
            if border.len() as u32 > longest {
                return None;
            }
            for other in members(&self.sets[item]).filter(|&other| other < self.count) {
                if !std::mem::replace(&mut is_reached[other], true) {
                    border.push(other);
                }
            }
        }
        Some(order)
    }
}

fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}

/// The members of a set.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    set.iter().enumerate().flat_map(|(index, &word)| {
        (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * index + bit)
    })
}
