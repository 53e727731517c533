//! All symmetries that some of them generate.
//!
//! ```text
//!              symmetry 0   1   2   3   4   5 ..
//! option 0              0   7   5   0   3   7        a column for each option: its images, in the order of the
//! option 1              1   6   2   4   1   6        symmetries
//! ```
//! Symmetries are composed column by column: one pass over consecutive numbers for an option. The search for the least
//! image also reads columns ([`least`](super::least)).
//!
//! A generator that is not yet in the group adds cosets of the group so far (Dimino's algorithm; Butler, "Fundamental
//! Algorithms for Permutation Groups", LNCS 559, 1991, chapter 3). The first symmetry of a coset represents it. It is
//! multiplied by every generator; a product that is in no coset so far represents a further coset. So only
//! representatives are looked up: 128 bits of hash say whether a symmetry is in the group.

use std::collections::HashSet;

use super::Limits;
use crate::chance::mix;

/// The number of an option: `u16` or `u32`.
pub(super) trait Number:
    Copy + Ord + Default + Send + Sync + std::fmt::Debug + TryFrom<u32> + Into<u32> + 'static
{
}

impl Number for u16 {}
impl Number for u32 {}

/// The images of each option.
#[derive(Debug)]
pub(super) struct Columns<T> {
    order: usize,
    columns: Vec<Vec<T>>,
}

/// What is needed while the group grows.
pub(super) struct Known {
    generators: Vec<Vec<u32>>,
    /// The hashes of all symmetries.
    hashes: HashSet<u128>,
}

/// What became of a group that was extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Grown {
    /// It has all symmetries.
    Complete,
    /// It has so many symmetries or more.
    TooMany { symmetries: u64 },
    /// It has so many symmetries or more, which take too much memory.
    TooMuchMemory { symmetries: u64 },
}

impl<T: Number> Columns<T> {
    /// The group that only moves nothing.
    pub(super) fn new(options: usize) -> Columns<T> {
        Columns { order: 1, columns: (0..options as u32).map(|option| vec![number(option)]).collect() }
    }

    pub(super) fn known(&self) -> Known {
        let hashes = HashSet::from([hash(&self.permutation(0))]);
        Known { generators: Vec::new(), hashes }
    }

    /// Adds `generator`, and everything that it generates together with the symmetries before. A group that is not
    /// complete is of no use.
    pub(super) fn extend(&mut self, generator: Vec<u32>, known: &mut Known, limits: Limits) -> Grown {
        if known.hashes.contains(&hash(&generator)) {
            return Grown::Complete;
        }
        let subgroup = self.order;
        let mut next = self.order;
        let mut grown = self.add_coset(subgroup, &generator, known, limits);
        known.generators.push(generator);
        while grown == Grown::Complete && next < self.order {
            let representative = self.permutation(next);
            next += subgroup;
            for generator in 0..known.generators.len() {
                let product = after(&representative, &known.generators[generator]);
                if grown == Grown::Complete && !known.hashes.contains(&hash(&product)) {
                    grown = self.add_coset(subgroup, &product, known, limits);
                }
            }
        }
        grown
    }

    /// Adds the coset of the first `subgroup` symmetries that `first` represents.
    fn add_coset(&mut self, subgroup: usize, first: &[u32], known: &mut Known, limits: Limits) -> Grown {
        let symmetries = (self.order + subgroup) as u64;
        if symmetries > limits.symmetries {
            return Grown::TooMany { symmetries };
        }
        let bytes = symmetries * (self.columns.len() * size_of::<T>()) as u64;
        if bytes > limits.bytes {
            return Grown::TooMuchMemory { symmetries };
        }
        let mut hashes = vec![0; subgroup];
        for (option, column) in (0..).zip(&mut self.columns) {
            for (place, hash) in hashes.iter_mut().enumerate() {
                let image = column[place].into();
                let image = first.get(image as usize).copied().unwrap_or(image);
                column.push(number(image));
                *hash = part(option, image).wrapping_add(*hash);
            }
        }
        known.hashes.extend(hashes);
        self.order += subgroup;
        Grown::Complete
    }

    /// Gives back the memory that was kept for growth.
    pub(super) fn finish(&mut self) {
        self.columns.iter_mut().for_each(Vec::shrink_to_fit);
    }

    /// The images of all options under a symmetry.
    fn permutation(&self, symmetry: usize) -> Vec<u32> {
        (0..self.columns.len()).map(|option| self.image(symmetry, option)).collect()
    }

    /// The number of symmetries.
    pub(super) fn order(&self) -> usize {
        self.order
    }

    /// The number of options.
    pub(super) fn options(&self) -> usize {
        self.columns.len()
    }

    /// The image of an option; of the last symmetry or option if there is none of that number, and 0 without options.
    pub(super) fn image(&self, symmetry: usize, option: usize) -> u32 {
        let column = self.columns.get(option).or(self.columns.last());
        column.and_then(|column| column.get(symmetry).or(column.last())).map_or(0, |&image| image.into())
    }

    /// The images of an option under all symmetries.
    #[inline]
    pub(super) fn column(&self, option: u32) -> &[T] {
        self.columns.get(option as usize).map_or(&[], Vec::as_slice)
    }
}

/// A number of an option as a `T`, which has room for it.
fn number<T: Number>(option: u32) -> T {
    T::try_from(option).unwrap_or_default()
}

/// The permutation `first`, and `next` after it.
pub(super) fn after(first: &[u32], next: &[u32]) -> Vec<u32> {
    first.iter().map(|&image| next.get(image as usize).copied().unwrap_or(image)).collect()
}

/// The permutation that undoes another one.
pub(super) fn inverse(images: &[u32]) -> Vec<u32> {
    let mut inverse = vec![0; images.len()];
    for (option, &image) in (0..).zip(images) {
        if let Some(place) = inverse.get_mut(image as usize) {
            *place = option;
        }
    }
    inverse
}

/// The hash of a permutation: a sum, so that it can be made column by column.
fn hash(images: &[u32]) -> u128 {
    (0..).zip(images).fold(0, |sum, (option, &image)| part(option, image).wrapping_add(sum))
}

#[inline(always)]
fn part(option: u32, image: u32) -> u128 {
    let low = mix(u64::from(option) << 32 | u64::from(image));
    u128::from(low) << 64 | u128::from(mix(low ^ u64::from(image)))
}
