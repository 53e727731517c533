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
//! The order is the one of three with the shortest borders: the items as numbered, the same from the end, and one that
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
    bound: f64,
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
        // Where this order fails, the others do as well, nearly always.
        let narrow = graph.narrow_order(longest)?;
        let others = [(0..count).collect(), (0..count).rev().collect()];
        let bounds =
            others.into_iter().filter_map(|order: Vec<usize>| Some((graph.bound(&order, longest)?, order)));
        let (_, order) = bounds.chain([narrow]).min_by(|one, other| one.0.total_cmp(&other.0))?;
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
        for (bit, (&first, &last)) in
            first.iter().zip(&last).enumerate().filter(|(_, (first, last))| first < last)
        {
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

    /// A border before the first item.
    fn border(&self, longest: u32) -> Border<'_> {
        let primary = self.count.div_ceil(64);
        let last = u64::MAX >> ((64 - self.count % 64) % 64);
        let degree = |set: &Vec<u64>| match set[..primary].split_last() {
            Some((end, words)) => size(words) + (end & last).count_ones(),
            None => 0,
        };
        let words = self.sets.first().map_or(0, Vec::len);
        let left = self.sets[self.count..].iter().map(degree).collect();
        Border { graph: self, longest, reached: vec![0; words], left, size: 0, bound: 1.0 }
    }

    /// The sum over the places of `order` of the number of sets of items on the border there. `None` if more than
    /// `longest` items lie on a border.
    fn bound(&self, order: &[usize], longest: u32) -> Option<f64> {
        let mut border = self.border(longest);
        order.iter().all(|&item| border.take(item, |_| {})).then_some(border.bound)
    }

    /// The order that takes the item on the border that adds the fewest to it, the first of these that was reached; and
    /// its bound. `None` if the border gets longer than `longest`.
    fn narrow_order(&self, longest: u32) -> Option<(f64, Vec<usize>)> {
        let (mut border, mut order) = (self.border(longest), Vec::with_capacity(self.count));
        let mut open: Vec<usize> = Vec::new();
        let mut is_taken = vec![false; self.count];
        while order.len() < self.count {
            let adds = |item: usize| lacks(&border.reached, &self.sets[item]);
            let item = match (0..open.len()).min_by_key(|&place| adds(open[place])) {
                Some(place) => open.remove(place),
                None => {
                    let free = (0..self.count).filter(|&item| !is_taken[item]);
                    free.min_by_key(|&item| size(&self.sets[item]))?
                }
            };
            order.push(item);
            is_taken[item] = true;
            let count = self.count;
            if !border.take(item, |other| open.extend((other < count && other != item).then_some(other))) {
                return None;
            }
        }
        Some((border.bound, order))
    }
}

/// The items next to those taken.
struct Border<'a> {
    graph: &'a Graph,
    longest: u32,
    /// The items taken and those next to them, as a set.
    reached: Vec<u64>,
    /// For every secondary item, the neighbours that are not taken yet: without any it has left the border.
    left: Vec<u32>,
    size: u32,
    /// The sum of the number of sets of items on the border after each item.
    bound: f64,
}

impl Border<'_> {
    /// Takes an item, and calls `reached` with each item that it reaches. `false` if the border is too long then.
    fn take(&mut self, item: usize, mut reached: impl FnMut(usize)) -> bool {
        let primary_count = self.graph.count;
        for (index, &word) in self.graph.sets[item].iter().enumerate() {
            let mut rest = word & !self.reached[index];
            self.reached[index] |= word;
            self.size += rest.count_ones();
            while rest != 0 {
                reached(64 * index + rest.trailing_zeros() as usize);
                rest &= rest - 1;
            }
            let mut rest = if 64 * index + 63 < primary_count { 0 } else { word };
            while rest != 0 {
                let other = 64 * index + rest.trailing_zeros() as usize;
                rest &= rest - 1;
                if let Some(left) = other.checked_sub(primary_count).map(|other| &mut self.left[other]) {
                    *left -= 1;
                    self.size -= u32::from(*left == 0);
                }
            }
        }
        // The item itself has left the border. One without options was never on it.
        let is_alone = self.graph.sets[item].iter().all(|&word| word == 0);
        self.size -= u32::from(!is_alone);
        self.bound += f64::from(self.size).exp2();
        self.size <= self.longest
    }
}

fn size(set: &[u64]) -> u32 {
    set.iter().map(|word| word.count_ones()).sum()
}
