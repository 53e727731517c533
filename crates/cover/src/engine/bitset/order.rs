//! The order of the items in a row: neighbours next to each other, if the problem's own order has them far apart.
//!
//! Among items with equally few options the search branches on the first, so the order of the items is the order in
//! which a board is filled. Remembering counts pays if the border between the filled part and the rest is short. A
//! board of 4 x 90 has few borders if it is filled along its short side, and very many along the long one.
//! ```text
//! as numbered        0  1  2  3  4  5  ..       an option spans up to 90 numbers
//!                   90 91 92 93 94 95  ..
//!
//! neighbours first   0  2  5  9 13 17  ..       some 4
//!                    1  4  8 12 16 20  ..
//! ```
//! That order is a breadth-first walk from one end, which visits the neighbours of an item by the number of their own
//! neighbours. Source: Cuthill and `McKee`, "Reducing the bandwidth of sparse symmetric matrices", ACM 1969. It is used
//! only if the options then span less than half of what they span as numbered. On a board numbered well, and on
//! problems that are not boards, the walk is not better.

use crate::ExactCover;
use crate::order::sort_by_number;

/// The places of the primary items in the order of their numbers.
pub(super) fn as_numbered(problem: &ExactCover) -> Vec<u32> {
    (0..problem.primary_count() as u32).collect()
}

/// The places of the primary items in an order in which options span little.
pub(super) fn near(problem: &ExactCover) -> Vec<u32> {
    let numbered = as_numbered(problem);
    let mut walked = vec![0; numbered.len()];
    (0..).zip(walk(&neighbours(problem))).for_each(|(place, item)| walked[item] = place);
    if 2 * span(problem, &walked) < span(problem, &numbered) { walked } else { numbered }
}

/// The sum of the places that each option spans.
fn span(problem: &ExactCover, places: &[u32]) -> u64 {
    let spans = problem.options().map(|option| {
        let places = option.iter().filter_map(|term| places.get(term.item.index()));
        let (least, most) =
            places.fold((u32::MAX, 0), |(least, most), &place| (least.min(place), most.max(place)));
        u64::from(most.saturating_sub(least))
    });
    spans.sum()
}

/// For every primary item, the primary items in its options, with itself.
fn neighbours(problem: &ExactCover) -> Vec<Vec<usize>> {
    let count = problem.primary_count();
    let mut sets = vec![vec![0_u64; count.div_ceil(64)]; count];
    for option in problem.options() {
        let items = || option.iter().map(|term| term.item.index()).filter(|&item| item < count);
        for (item, other) in items().flat_map(|item| items().map(move |other| (item, other))) {
            sets[item][other / 64] |= 1 << (other % 64);
        }
    }
    let is_in = |set: &[u64], item: usize| set[item / 64] >> (item % 64) & 1 == 1;
    sets.iter().map(|set| (0..count).filter(|&item| is_in(set, item)).collect()).collect()
}

/// All items in breadth-first order.
fn walk(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let degree = |&item: &usize| neighbours[item].len();
    let (mut order, mut is_met) = (Vec::with_capacity(neighbours.len()), vec![false; neighbours.len()]);
    while let Some(start) = (0..neighbours.len()).filter(|&item| !is_met[item]).min_by_key(degree) {
        // A walk from anywhere finishes at an end of the board. Begin at the item with the fewest neighbours there.
        let first = order.len();
        step_through(start, neighbours, &mut order, &mut is_met);
        let end = order[order.len() - 1];
        order.drain(first..).for_each(|item| is_met[item] = false);
        step_through(end, neighbours, &mut order, &mut is_met);
    }
    order
}

/// Walks from `start` to all items that can be reached.
fn step_through(start: usize, neighbours: &[Vec<usize>], order: &mut Vec<usize>, is_met: &mut [bool]) {
    let mut next = order.len();
    order.push(start);
    is_met[start] = true;
    while let Some(&item) = order.get(next) {
        next += 1;
        let first = order.len();
        for &other in &neighbours[item] {
            if !std::mem::replace(&mut is_met[other], true) {
                order.push(other);
            }
        }
        sort_by_number(&mut order[first..], &|other| neighbours[other].len() as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::made;

    #[test]
    fn a_long_board_is_walked_along_its_short_side() {
        let problem = made("dominoes 90x4");
        let places = near(&problem);
        let mut sorted = places.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..360), "every place once");
        for option in problem.options() {
            let [one, other] = [0, 1].map(|term| places[option[term].item.index()]);
            assert!(one.abs_diff(other) <= 6, "{one} {other}");
        }
    }

    #[test]
    fn what_is_numbered_well_stays_as_it_is() {
        for words in ["dominoes 8x8", "queens 12", "langford 12", "pentominoes 6x10", "latin 5"] {
            let problem = made(words);
            assert!(near(&problem) == as_numbered(&problem), "{words}");
        }
    }
}
