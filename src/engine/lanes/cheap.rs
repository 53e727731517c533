//! The cheap choice: tdoku's rule, from what the last sweep counted.
//!
//! Of the bands and stacks with an open digit the one with the fewest configurations, in it the first digit with
//! exactly two. The side that leaves the digit fewer cells goes first; the split itself counts them. It costs a
//! twentieth of the [strong](super::strong) choice and is made in place, for puzzles of so many solutions that
//! looking ahead does not pay.

use super::choice::Choices;
use super::tally::{Configurations, is_greater};
use super::vector::{Vector, select};

/// Chooses a split in every lane.
#[inline(always)]
pub(super) fn choose<V: Vector>(counts: &[Configurations<V>; 6]) -> Choices<V> {
    let mut fewest = [V::ONES; 6];
    let mut of_band = [V::ZERO; 6];
    for (band, counts) in counts.iter().enumerate() {
        let mut total = counts.total;
        for bit in &mut total {
            *bit |= !counts.open;
        }
        let fewer = is_greater(&fewest, &total);
        for bit in 0..6 {
            fewest[bit] = select(fewer, total[bit], fewest[bit]);
        }
        for before in 0..band {
            of_band[before] &= !fewer;
        }
        of_band[band] = fewer;
    }
    let mut choices = Choices::<V>::NONE;
    take(counts, &of_band, &mut choices);
    // That band may have no such digit. Then any band's first: a tenth of the choices in puzzles of many solutions.
    take(counts, &[V::ONES; 6], &mut choices);
    choices
}

/// Takes the first digit with exactly two configurations of the bands `of_band` where there is no choice yet.
#[inline(always)]
fn take<V: Vector>(counts: &[Configurations<V>; 6], of_band: &[V; 6], choices: &mut Choices<V>) {
    for (band, counts) in counts.iter().enumerate() {
        let mut digit = [V::ZERO; 4];
        let mut some = V::ZERO;
        let among = of_band[band] & !choices.some;
        for d in 0..9 {
            let this = among & counts.two[d] & !some;
            some |= this;
            for bit in 0..4 {
                if d >> bit & 1 == 1 {
                    digit[bit] |= this;
                }
            }
        }
        choices.take(some, band, digit, V::ZERO);
    }
}
