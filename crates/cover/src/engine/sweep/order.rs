//! The order in which a sweep covers the items: one with short borders.
//!
//! A border of n items has up to 2^n states, so an order costs the sum of these numbers over its places. Three kinds of
//! orders are tried: the items as numbered, the same from the end, and one that begins with some item. That one always
//! takes the item on the border that adds the fewest items to it, the oldest of these.
//!
//! Where that one begins decides: on an L the middle corner is the worst place, and the end of an arm the best. So
//! several starts are tried, those with the fewest neighbours first, as long as that is cheap beside the sweep.
//! ```text
//! log2 of the cost          numbered   fewest neighbours   best start   Cuthill-McKee   min-fill   nested dissection
//! dominoes 16x16            23.8       21.8                21.8         21.8            136        136
//! tetrominoes 8x8           29.2       26.8                26.8         26.9            44         57
//! L-trominoes 9x12          19.4       20.3                16.4         21.0            51         76
//! L of 16x16, arms 6, dominoes  22.2   18.3                13.1         17.3            76         84
//! L of 20x20, arms 8, trominoes 46.8   38.4                23.7         36.9            144        209
//! 14x14 less 40 cells       16.9       17.3                15.4         18.1            49         81
//! Latin squares of 6        62.7       50.0                46.0         66.2            63         63
//! ```
//!
//! # Tried and lost
//! - Min-fill and nested dissection (the table): they cut a board into pieces and finish with the borders of the
//!   pieces, and a sweep has all of these borders in one state. They belong to trees of pieces whose counts are
//!   multiplied.
//! - Random choices among items that add equally few, the best of 40: within a factor of 1.4 of the best start.
//! - These orders for ties of the counting search with memory, as nodes: Latin squares of 6 782,000 as numbered,
//!   1,184,000 with min-fill, 1,535,000 with the best start, 2,307,000 with nested dissection; dominoes 4x4x4 1,760,000
//!   with the best start, 3,690,000 and more with the others; dominoes 16x16 850,000 with the best start or
//!   Cuthill-McKee, and no end with the others.

use crate::ExactCover;
use crate::order::sort_by_number;

/// Starts that are tried if none has led to an order yet.
const HOPELESS_STARTS: usize = 4;

/// States of the sweep, or nodes of the search in its place, for each word that may be read to find the order.
const STATES_PER_WORD: f64 = 64.0;
/// Words that are read at most before the last start: they take some ten milliseconds.
const MOST_WORDS: f64 = 3e7;

/// The order with the shortest borders of those tried; `None` if each has a border of more than `longest` items. A
/// search in place of the sweep has `nodes` nodes.
pub(super) fn short_borders(problem: &ExactCover, longest: u32, nodes: f64) -> Option<Vec<usize>> {
    let graph = Graph::new(problem);
    let mut starts: Vec<usize> = (0..graph.count).collect();
    sort_by_number(&mut starts, &|item| size(&graph.sets[item]) as u64);
    let (mut best, mut work) = (None::<(f64, Vec<usize>)>, 0.0);
    for (tried, start) in starts.into_iter().enumerate() {
        let bound = best.as_ref().map(|best| best.0);
        let is_over = match bound {
            None => tried >= HOPELESS_STARTS,
            Some(bound) => work > MOST_WORDS.min(bound.min(nodes) / STATES_PER_WORD),
        };
        if is_over {
            break;
        }
        let most = bound.unwrap_or(f64::INFINITY);
        best = graph.narrow_order(start, longest, most, &mut work).or(best);
    }
    // Where these orders fail, the others do as well, nearly always.
    let best = best?;
    let others = [(0..graph.count).collect(), (0..graph.count).rev().collect()];
    let bounds =
        others.into_iter().filter_map(|order: Vec<usize>| Some((graph.bound(&order, longest)?, order)));
    let (_, order) = bounds.chain([best]).min_by(|one, other| one.0.total_cmp(&other.0))?;
    Some(order)
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
            option.iter().for_each(|term| set[term.item.index() / 64] |= 1 << (term.item.0 % 64));
            option.iter().for_each(|term| add(&mut sets[term.item.index()], &set));
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

    /// The order that begins with `start` and takes the item on the border that adds the fewest to it, the first of
    /// these that was reached; and its bound. `None` if the border gets longer than `longest`, or the bound reaches
    /// `most`. `work` counts the words read.
    fn narrow_order(
        &self,
        start: usize,
        longest: u32,
        most: f64,
        work: &mut f64,
    ) -> Option<(f64, Vec<usize>)> {
        let (mut border, mut order) = (self.border(longest), Vec::with_capacity(self.count));
        let mut open: Vec<usize> = vec![start];
        let mut is_taken = vec![false; self.count];
        let words = border.reached.len() as f64;
        while order.len() < self.count {
            let adds = |item: usize| lacks(&border.reached, &self.sets[item]);
            *work += words * open.len() as f64;
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
            let is_short =
                border.take(item, |other| open.extend((other < count && other != item).then_some(other)));
            if !is_short || border.bound >= most {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Domino tilings of an L of 16x16 squares whose arms are 6 wide.
    fn arms() -> ExactCover {
        let is_in = |column: u32, row: u32| column < 16 && row < 16 && (column < 6 || row < 6);
        let squares = || (0..256).map(|square| (square % 16, square / 16)).filter(|&(x, y)| is_in(x, y));
        let mut builder = ExactCover::builder();
        squares().for_each(|(column, row)| {
            builder.primary(&format!("{column}.{row}"));
        });
        for (column, row) in squares() {
            for (right, below) in [(column + 1, row), (column, row + 1)] {
                if is_in(right, below) {
                    builder.option([format!("{column}.{row}"), format!("{right}.{below}")].iter());
                }
            }
        }
        builder.finish().unwrap()
    }

    /// From the end of an arm the border is as long as an arm is wide. A sweep that is short anyway is not worth the
    /// search.
    #[test]
    fn a_board_with_arms_is_swept_from_an_end() {
        let problem = arms();
        let cost = |nodes| {
            let order = short_borders(&problem, 40, nodes).unwrap();
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..problem.primary_count()), "every item once");
            Graph::new(&problem).bound(&order, 40).unwrap().log2()
        };
        let (thorough, first) = (cost(f64::INFINITY), cost(0.0));
        assert!(thorough < 14.0 && first > 17.0, "{thorough} {first}");
        assert_eq!(short_borders(&problem, 4, f64::INFINITY), None);
    }
}
