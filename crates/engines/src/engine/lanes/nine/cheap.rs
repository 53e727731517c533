//! The cheap choice: tdoku's rule, from the counts of the last sweep.
//!
//! Take the chute with the fewest configurations among those with an open digit, and in it the first digit with exactly
//! two. If it has no such digit, take the first chute that has one. The side that leaves the digit fewer cells goes
//! first; the split itself counts the cells. This choice costs less than a twentieth of the [strong](super::strong) one
//! and is made in place. It is for puzzles with many solutions, where looking ahead does not pay.

use super::adders::{is_greater, select};
use super::choice::Choices;
use super::tally::Configurations;
use galop_simd::Vector;

/// Chooses a split in every lane.
#[inline(always)]
pub(super) fn choose<V: Vector>(counts: &[Configurations<V>; 6]) -> Choices<V> {
    let mut fewest = [V::ONES; 6];
    let mut of_chute = [V::ZERO; 6];
    for (chute, counts) in counts.iter().enumerate() {
        let mut total = counts.total;
        for bit in &mut total {
            *bit |= !counts.open;
        }
        let fewer = is_greater(&fewest, &total);
        for bit in 0..6 {
            fewest[bit] = select(fewer, total[bit], fewest[bit]);
        }
        for before in 0..chute {
            of_chute[before] &= !fewer;
        }
        of_chute[chute] = fewer;
    }
    let mut choices = Choices::<V>::NONE;
    take(counts, &of_chute, &mut choices);
    // That chute may have no such digit (a tenth of the choices in puzzles with many solutions): take the first of
    // any chute.
    take(counts, &[V::ONES; 6], &mut choices);
    choices
}

/// In lanes without a choice, takes the first digit with exactly two configurations in the chutes `of_chute`.
#[inline(always)]
fn take<V: Vector>(counts: &[Configurations<V>; 6], of_chute: &[V; 6], choices: &mut Choices<V>) {
    for (chute, counts) in counts.iter().enumerate() {
        let mut digit = [V::ZERO; 4];
        let mut some = V::ZERO;
        let among = of_chute[chute] & !choices.some;
        for d in 0..9 {
            let this = among & counts.two[d] & !some;
            some |= this;
            for bit in 0..4 {
                if d >> bit & 1 == 1 {
                    digit[bit] |= this;
                }
            }
        }
        choices.take(some, chute, digit, V::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::super::adders::any3;
    use super::super::choice::Choice;
    use super::super::filter::configurations;
    use super::super::kernels;
    use super::super::on_every_isa::on_every_isa;
    use super::super::planes::Planes;
    use super::super::slice::Slice;
    use super::super::states::{follows_the_rule, open};
    use super::super::sweep::BLOCKS;
    use super::*;
    use galop_simd::Simd;

    /// The choice straight from the rule; `None` if the rule finds none.
    fn plain_choice(state: &Planes) -> Option<Choice> {
        let count = |chute| [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|digit| open(state, digit, chute).len());
        let counts = [0, 1, 2, 3, 4, 5].map(count);
        let is_open = |&chute: &usize| counts[chute].iter().any(|&count| count > 1);
        let fewest = (0..6).filter(is_open).min_by_key(|&chute| counts[chute].iter().sum::<usize>())?;
        // If it has no such digit, the first chute that has one.
        let mut chutes = std::iter::once(fewest).chain(0..6);
        chutes.find_map(|chute| {
            let digit = counts[chute].iter().position(|&count| count == 2)?;
            Some(Choice((chute as u8) << 4 | digit as u8))
        })
    }

    /// The configurations of all states, counted by the kernel.
    fn count<V: Vector>(slice: &Slice<V>) -> [Configurations<V>; 6] {
        let mut counts = [Configurations::NONE; 6];
        for (chute, counts) in counts.iter_mut().enumerate() {
            let step = if chute < 3 { 1 } else { 3 };
            for d in 0..9 {
                let [a, b, c] = BLOCKS[chute].map(|block| {
                    let cells = slice.cells[block][d];
                    [0, 1, 2].map(|k| {
                        let first = if chute < 3 { 3 * k } else { k };
                        any3(cells[first], cells[first + step], cells[first + 2 * step])
                    })
                });
                counts.add(d, configurations(a, b, c));
            }
        }
        counts
    }

    fn choices_follow_the_rule_with<S: Simd, V: Vector>() {
        follows_the_rule::<V>(
            7,
            |slice, choices| kernels::choose_cheap::<S, V>(&count(slice), choices),
            plain_choice,
        );
    }

    #[test]
    fn choices_follow_the_rule() {
        on_every_isa!(choices_follow_the_rule_with);
    }
}
