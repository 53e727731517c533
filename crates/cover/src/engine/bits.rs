//! Options as sets of bits: the bits that an option uses, and those that it forbids to all others.
//!
//! Two options clash if one uses a bit that the other forbids; that is symmetric.
//! ```text
//! | primary items | secondary items            |
//!   0 .. np-1       as many bits as each needs
//!
//! secondary item      used                                forbidden
//! without colours     1                                   1
//! few colours         0100 its colour, of n bits          1011 the others
//!   and without one   00001 a bit more                    11111 all of them
//! many colours        01 10 10 its number and, beside     10 01 01 the complement
//!                     each bit, the complement
//! in one colour only  no bit: nothing clashes
//! ```

use std::collections::HashMap;

use crate::{ExactCover, Term};

/// The bits of a secondary item.
#[derive(Clone, Debug, Default)]
struct Place {
    start: usize,
    /// Its colours, numbered from 0 in the order they occur.
    colours: HashMap<u32, usize>,
    has_plain: bool,
    /// Bits of a colour's number, if colours are written as numbers; the complement takes as many again.
    number_bits: Option<usize>,
}

impl Place {
    /// Bits for the colours.
    fn colour_bits(&self) -> usize {
        match (self.number_bits, self.colours.len()) {
            (Some(bits), _) => 2 * bits,
            (None, 1) if !self.has_plain => 0,
            (None, colours) => colours,
        }
    }

    fn bits(&self) -> usize {
        self.colour_bits() + usize::from(self.has_plain)
    }
}

/// Which bits stand for the items of a problem.
#[derive(Clone, Debug)]
pub(super) struct Bits {
    primary_count: usize,
    secondary: Vec<Place>,
    /// The number of bits of all items.
    pub(super) count: usize,
}

impl Bits {
    pub(super) fn new(problem: &ExactCover) -> Bits {
        let primary_count = problem.primary_count();
        let mut secondary = vec![Place::default(); problem.item_count() - primary_count];
        for term in problem.options().flatten().filter(|term| term.item.index() >= primary_count) {
            let place = &mut secondary[term.item.index() - primary_count];
            if term.colour == 0 {
                place.has_plain = true;
            } else {
                let next = place.colours.len();
                place.colours.entry(term.colour).or_insert(next);
            }
        }
        let mut count = primary_count;
        for place in &mut secondary {
            let colours = place.colours.len();
            let number_bits = colours.next_power_of_two().ilog2() as usize;
            place.number_bits = (2 * number_bits < colours && colours > 1).then_some(number_bits);
            place.start = count;
            count += place.bits();
        }
        Bits { primary_count, secondary, count }
    }

    /// Calls `used` with each bit that the option with these terms uses, and `forbidden` with each that it forbids.
    /// The bit of a primary item is its number.
    pub(super) fn for_each(
        &self,
        terms: &[Term],
        mut used: impl FnMut(usize),
        mut forbidden: impl FnMut(usize),
    ) {
        for term in terms {
            let item = term.item.index();
            let Some(place) = item.checked_sub(self.primary_count).map(|item| &self.secondary[item]) else {
                used(item);
                forbidden(item);
                continue;
            };
            let plain = place.start + place.colour_bits();
            match (place.colours.get(&term.colour), place.number_bits) {
                (None, _) => {
                    used(plain);
                    (place.start..=plain).for_each(&mut forbidden);
                }
                (Some(&colour), Some(bits)) => {
                    for bit in 0..bits {
                        let is_one = colour >> bit & 1;
                        used(place.start + 2 * bit + is_one);
                        forbidden(place.start + 2 * bit + (1 - is_one));
                    }
                }
                (Some(&colour), None) if place.colour_bits() > 0 => {
                    used(place.start + colour);
                    let others = (0..place.colours.len()).filter(|&other| other != colour);
                    others.for_each(|other| forbidden(place.start + other));
                }
                (Some(_), None) => {}
            }
            if term.colour != 0 && place.has_plain {
                forbidden(plain);
            }
        }
    }
}
