//! Numbers of solutions: whole numbers of any size.
//!
//! ```text
//! low 128 bits | high[0] | high[1] | ..     `high` has no leading zeros; below 2^128 it is empty and allocates nothing
//! ```

mod arithmetic;

use std::fmt;
use std::ops::AddAssign;

pub use arithmetic::NotDecimal;
use arithmetic::PIECE_DIGITS;

/// A whole number of any size, from 0. It prints in decimal digits.
///
/// ```
/// let number = galop_cover::Natural::from(92);
/// assert!(number == 92 && number.to_string() == "92" && number.to_u128() == Some(92));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Natural {
    low: u128,
    /// The words above `low`, the lowest first.
    high: Vec<u64>,
}

impl Natural {
    /// 0.
    pub const ZERO: Natural = Natural { low: 0, high: Vec::new() };

    /// The number, if it is below 2^128.
    pub fn to_u128(&self) -> Option<u128> {
        self.high.is_empty().then_some(self.low)
    }

    #[cold]
    fn carry(&mut self, above: &[u64], mut carry: bool) {
        if self.high.len() < above.len() {
            self.high.resize(above.len(), 0);
        }
        for (index, word) in self.high.iter_mut().enumerate() {
            let (sum, one) = word.overflowing_add(above.get(index).copied().unwrap_or(0));
            let (sum, other) = sum.overflowing_add(u64::from(carry));
            (*word, carry) = (sum, one || other);
        }
        if carry {
            self.high.push(1);
        }
    }
}

impl AddAssign<&Natural> for Natural {
    #[inline]
    fn add_assign(&mut self, other: &Natural) {
        let (low, carry) = self.low.overflowing_add(other.low);
        self.low = low;
        if carry || !other.high.is_empty() {
            self.carry(&other.high, carry);
        }
    }
}

impl AddAssign<u64> for Natural {
    #[inline]
    fn add_assign(&mut self, other: u64) {
        let (low, carry) = self.low.overflowing_add(u128::from(other));
        self.low = low;
        if carry {
            self.carry(&[], true);
        }
    }
}

impl PartialEq<u128> for Natural {
    fn eq(&self, other: &u128) -> bool {
        self.to_u128() == Some(*other)
    }
}

impl From<u128> for Natural {
    fn from(low: u128) -> Natural {
        Natural { low, high: Vec::new() }
    }
}

impl fmt::Display for Natural {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(number) = self.to_u128() {
            return fmt::Display::fmt(&number, f);
        }
        // Digits that are in two words at most, and then PIECE_DIGITS at a time, the last ones first.
        let (mut first, mut pieces) = (self.clone(), Vec::new());
        while first.to_u128().is_none() {
            let piece;
            (first, piece) = first.div_rem_word(10_u64.pow(PIECE_DIGITS));
            pieces.push(piece);
        }
        let digits = |piece: &u64| format!("{piece:0width$}", width = PIECE_DIGITS as usize);
        let last: String = pieces.iter().rev().map(digits).collect();
        f.pad_integral(true, "", &format!("{first}{last}"))
    }
}
