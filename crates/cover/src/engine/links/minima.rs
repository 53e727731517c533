//! The smallest size among very many items, in a tree of minima.
//!
//! ```text
//! level 1            3                   1           ...     the minimum of 32 minima
//!              /     |    \         /    |    \
//! level 0      4     3     7        1    5     6     ...     the minimum of 32 sizes
//!            / | \ / | \ / | \    / | \
//! sizes      4 9 8 3 6 3 7 8 9    1 2 ...                    options left of every item
//! ```
//! A search for the first item with the fewest options goes down from the top; a size that changes goes up as long as a
//! minimum changes. Either way it reads 32 numbers per level, and a million items have four levels. Reading all sizes
//! before every branch would take time quadratic in the items.

use super::short::Link;

/// Numbers below a minimum.
const WIDTH: usize = 32;

/// The minima of sizes that the caller holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Minima {
    /// The minima of the sizes, the minima of these, and so on up to a level of at most [`WIDTH`].
    levels: Vec<Vec<Link>>,
    /// Numbers read since the start, for tests.
    #[cfg(test)]
    pub(super) reads: u64,
}

/// The minimum of the `index`th group of `numbers`.
fn minimum(numbers: &[Link], index: usize) -> Link {
    group(numbers, index).iter().fold(Link::MAX, |least, &number| least.min(number))
}

fn group(numbers: &[Link], index: usize) -> &[Link] {
    &numbers[WIDTH * index..numbers.len().min(WIDTH * (index + 1))]
}

impl Minima {
    /// Computes all minima of `sizes`.
    pub(super) fn build(&mut self, sizes: &[Link]) {
        let mut level = 0;
        loop {
            let (below, above) = self.levels.split_at_mut(level);
            let numbers = below.last().map_or(sizes, Vec::as_slice);
            if level > 0 && numbers.len() <= WIDTH {
                self.levels.truncate(level);
                return;
            }
            let minima = (0..numbers.len().div_ceil(WIDTH)).map(|index| minimum(numbers, index));
            match above.first_mut() {
                Some(above) => {
                    above.clear();
                    above.extend(minima);
                }
                None => {
                    let minima = minima.collect();
                    self.levels.push(minima);
                }
            }
            self.count_reads(sizes.len());
            level += 1;
        }
    }

    /// Updates the minima after the size of `item` changed.
    pub(super) fn update(&mut self, sizes: &[Link], item: usize) {
        let mut index = item;
        for level in 0..self.levels.len() {
            index /= WIDTH;
            let (below, above) = self.levels.split_at_mut(level);
            let least = minimum(below.last().map_or(sizes, Vec::as_slice), index);
            let is_same = std::mem::replace(&mut above[0][index], least) == least;
            self.count_reads(WIDTH);
            if is_same {
                return;
            }
        }
    }

    /// The first item of the smallest size, and that size.
    pub(super) fn first(&mut self, sizes: &[Link]) -> Option<(usize, Link)> {
        let top = self.levels.last()?;
        let least = top.iter().copied().min()?;
        let mut index = top.iter().position(|&number| number == least)?;
        self.count_reads(WIDTH * (self.levels.len() + 1));
        let below = self.levels.iter().rev().skip(1).map(Vec::as_slice).chain([sizes]);
        for numbers in below {
            index = WIDTH * index + group(numbers, index).iter().position(|&number| number == least)?;
        }
        Some((index, least))
    }

    #[cfg_attr(not(test), expect(clippy::unused_self, reason = "tests count"))]
    fn count_reads(&mut self, _reads: usize) {
        #[cfg(test)]
        {
            self.reads += _reads as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_first_of_the_smallest_is_found_after_every_change(
            sizes in prop::collection::vec(0_u32..50, 1..3_000),
            changes in prop::collection::vec((any::<usize>(), 0_u32..60), 0..40),
        ) {
            let (mut sizes, mut minima) = (sizes, Minima::default());
            minima.build(&[7; 40_000]);
            minima.build(&sizes);
            for (item, size) in changes {
                let item = item % sizes.len();
                sizes[item] = size;
                minima.update(&sizes, item);
                let least = sizes.iter().copied().min().unwrap();
                let first = sizes.iter().position(|&size| size == least).unwrap();
                prop_assert_eq!(minima.first(&sizes), Some((first, least)));
            }
        }
    }
}
