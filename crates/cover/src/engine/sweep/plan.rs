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
//! [`order`](super::order) finds an order with short borders.

use super::order::short_borders;
use crate::ExactCover;
use crate::engine::bits::Bits;

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
    pub(super) option: u32,
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
    /// The plan for `problem`; `None` if every border tried is too long, or the problem is too large. At most `most`
    /// states may occur. A search in place of the sweep is expected to have `nodes` nodes.
    pub(crate) fn new(problem: &ExactCover, most: f64, nodes: f64) -> Option<Plan> {
        if problem.primary_count() > MOST_ITEMS || problem.term_count() > MOST_TERMS || !problem.is_simple() {
            return None;
        }
        let longest = most.log2().ceil().min(f64::from(MOST_SLOTS)) as u32;
        let plan = Plan::with_order(problem, &short_borders(problem, longest, nodes)?);
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
            option.iter().filter_map(|term| places.get(term.item.index())).min().copied().unwrap_or(0)
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

/// A slot for each bit that needs one, from behind the first layer that sets it to the last one that looks at it, and
/// the number of slots. Also, for each layer, the number of sets of the slots in use when it begins.
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
