//! Random symmetries of a group, each exactly as likely as any other, by seed, record and image.

use std::collections::HashSet;

use super::super::find::Records;
use super::super::forms::Forms;
use super::super::key::key;
use super::SymmetryGroup;
use crate::chance::{SPLIT_MIX, mix};
use crate::puzzle::Puzzles;

impl SymmetryGroup {
    /// The symmetry of image `image` of record `record`, as [`Symmetries::get`](super::super::Symmetries::get) draws
    /// it.
    pub(crate) fn random(&self, seed: u64, record: u64, image: u64) -> u32 {
        let count = self.order().max(1);
        let mut state = mix(mix(mix(seed) ^ record) ^ image);
        let mut product = u128::from(mix(state)) * u128::from(count);
        while (product as u64) < count.wrapping_neg() % count {
            state = state.wrapping_add(SPLIT_MIX);
            product = u128::from(mix(state)) * u128::from(count);
        }
        (product >> 64) as u32
    }

    /// Symmetries under which `puzzle` has different images, in random order: of record `record`, the first images that
    /// are not equal to one before. There are none if `puzzle` has another number of options.
    ///
    /// The iterator keeps 16 bytes for each image.
    pub(crate) fn distinct<'a>(
        &'a self,
        seed: u64,
        record: u64,
        puzzle: &'a [u8],
    ) -> impl Iterator<Item = u32> + 'a {
        let (mut seen, mut next, count) = (HashSet::new(), 0, self.image_count(puzzle));
        let mut image = vec![0; puzzle.len()];
        std::iter::from_fn(move || {
            while (seen.len() as u64) < count {
                let symmetry = self.random(seed, record, next);
                next += 1;
                self.apply(symmetry, puzzle, &mut image);
                if seen.insert(key(&image)) {
                    return Some(symmetry);
                }
            }
            None
        })
    }

    /// The number of different images of a puzzle: the symmetries, divided by those that make it itself.
    fn image_count(&self, puzzle: &[u8]) -> u64 {
        let (mut forms, puzzles) = (Forms::default(), Some(Puzzles::one(puzzle)));
        forms.start(puzzle.len(), 1, true);
        self.finder().find(Records { puzzles, solutions: None, is_single: &|_| false }, &mut forms);
        match forms.get(0) {
            Some(Ok(form)) if puzzle.len() == self.options() => {
                self.order() / u64::from(form.automorphisms).max(1)
            }
            _ => 0,
        }
    }
}
