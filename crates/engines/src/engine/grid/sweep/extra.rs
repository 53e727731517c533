//! Units besides rows, columns and blocks: diagonals, windows. Their cells are anywhere in the lanes. When sweeps
//! find nothing more, their singles are found, one cell after the other.

use super::super::infer::Contradiction;
use super::super::word::{Word, is_settled};

/// Applies the singles of `units`, which are lists of slots. Returns whether anything changed. The first unit has the
/// number `first`.
pub(super) fn singles<W: Word>(
    words: &mut [W],
    units: &[Vec<u16>],
    all: u32,
    first: usize,
) -> Result<bool, Contradiction> {
    let mut is_changed = false;
    for (index, unit) in units.iter().enumerate() {
        let (mut once, mut twice, mut settled, mut clash) = (0, 0, 0, 0);
        for &slot in unit {
            let here: u32 = words[usize::from(slot)].into();
            twice |= once & here;
            once |= here;
            if is_settled(here) {
                clash |= settled & here;
                settled |= here;
            }
        }
        if once != all || clash != 0 {
            return Err(Contradiction::Unit(first + index));
        }
        for slot in unit.iter().map(|&slot| usize::from(slot)) {
            let here: u32 = words[slot].into();
            if is_settled(here) {
                continue;
            }
            let single = here & !twice;
            let left = if single == 0 { here & !settled } else { single };
            if left == 0 || single & single.wrapping_sub(1) != 0 {
                return Err(Contradiction::Cell(slot));
            }
            is_changed |= left != here;
            words[slot] = W::of(left);
        }
    }
    Ok(is_changed)
}
