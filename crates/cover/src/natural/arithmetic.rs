//! Products, differences, quotients and the order of natural numbers.
//!
//! Numbers below 2^128 are computed by the processor. Larger ones are long multiplication and long division on words of
//! 64 bits: they are rare, and a few words long.

use std::cmp::Ordering;
use std::ops::Mul;
use std::str::FromStr;

use super::Natural;

/// Decimal digits that are read or printed at once: their power of ten is the largest below 2^64.
pub(super) const PIECE_DIGITS: u32 = 19;

impl Natural {
    /// 1.
    pub const ONE: Natural = Natural { low: 1, high: Vec::new() };

    /// Whether the number is 0.
    pub(crate) fn is_zero(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }

    /// The number of bits without leading zeros; 0 for 0.
    pub(crate) fn bit_length(&self) -> u64 {
        match self.high.last() {
            Some(word) => 128 + 64 * self.high.len() as u64 - u64::from(word.leading_zeros()),
            None => 128 - u64::from(self.low.leading_zeros()),
        }
    }

    /// The number without `other`; `None` if `other` is larger.
    pub fn checked_sub(&self, other: &Natural) -> Option<Natural> {
        if let (Some(one), Some(other)) = (self.to_u128(), other.to_u128()) {
            return one.checked_sub(other).map(Natural::from);
        }
        if *self < *other {
            return None;
        }
        let mut words = self.words();
        subtract(&mut words, &other.words());
        Some(Natural::from_words(&words))
    }

    /// The quotient and the remainder; `None` if `divisor` is 0.
    pub(crate) fn div_rem(&self, divisor: &Natural) -> Option<(Natural, Natural)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Some(one), Some(other)) = (self.to_u128(), divisor.to_u128()) {
            return Some(((one / other).into(), (one % other).into()));
        }
        if let Some(divisor) = divisor.to_u128().and_then(|divisor| u64::try_from(divisor).ok()) {
            let (quotient, rest) = self.div_rem_word(divisor);
            return Some((quotient, u128::from(rest).into()));
        }
        // Bit by bit, from the highest: the remainder is doubled, and the divisor is taken off it where it fits.
        let (words, divisor) = (self.words(), divisor.words());
        let mut quotient = vec![0; words.len()];
        let mut rest = vec![0; divisor.len() + 1];
        for bit in (0..64 * words.len()).rev() {
            double(&mut rest, words[bit / 64] >> (bit % 64) & 1);
            if !is_less(&rest, &divisor) {
                subtract(&mut rest, &divisor);
                quotient[bit / 64] |= 1 << (bit % 64);
            }
        }
        Some((Natural::from_words(&quotient), Natural::from_words(&rest)))
    }

    /// The quotient and the remainder of a divisor of one word, which is not 0.
    pub(super) fn div_rem_word(&self, divisor: u64) -> (Natural, u64) {
        let mut words = self.words();
        let mut rest = 0;
        for word in words.iter_mut().rev() {
            let part = u128::from(rest) << 64 | u128::from(*word);
            *word = (part / u128::from(divisor)) as u64;
            rest = (part % u128::from(divisor)) as u64;
        }
        (Natural::from_words(&words), rest)
    }

    /// The number whose words are these, the lowest first. Leading zeros are allowed.
    pub(crate) fn from_words(words: &[u64]) -> Natural {
        let word = |index: usize| u128::from(words.get(index).copied().unwrap_or(0));
        let len = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        Natural { low: word(0) | word(1) << 64, high: words.get(2..len).unwrap_or_default().to_vec() }
    }

    /// The number as bytes, the lowest first, without zeros at the end: 0 has none.
    ///
    /// ```
    /// use galop_cover::Natural;
    ///
    /// let number = Natural::from(0x1234);
    /// assert_eq!(number.to_le_bytes(), [0x34, 0x12]);
    /// assert_eq!(Natural::from_le_bytes(&[0x34, 0x12, 0, 0]), number);
    /// ```
    #[must_use]
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.bit_length().div_ceil(8) as usize);
        bytes
    }

    /// The number whose bytes these are, the lowest first; see [`to_le_bytes`](Self::to_le_bytes).
    #[must_use]
    pub fn from_le_bytes(bytes: &[u8]) -> Natural {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Natural::from_words(&bytes.chunks(8).map(word).collect::<Vec<u64>>())
    }

    /// The words of the number, the lowest first: at least two.
    pub(crate) fn words(&self) -> Vec<u64> {
        let mut words = vec![self.low as u64, (self.low >> 64) as u64];
        words.extend_from_slice(&self.high);
        words
    }
}

/// Doubles a number in place and adds `bit`.
fn double(words: &mut [u64], mut bit: u64) {
    for word in words {
        (*word, bit) = (*word << 1 | bit, *word >> 63);
    }
}

/// Whether `one` is less than `other`, which is not longer.
fn is_less(one: &[u64], other: &[u64]) -> bool {
    let above = one[other.len()..].iter().any(|&word| word != 0);
    !above && one[..other.len()].iter().rev().lt(other.iter().rev())
}

/// Subtracts a number that is not larger and not longer.
fn subtract(words: &mut [u64], other: &[u64]) {
    let mut borrow = false;
    for (index, word) in words.iter_mut().enumerate() {
        let (less, one) = word.overflowing_sub(other.get(index).copied().unwrap_or(0));
        let (less, two) = less.overflowing_sub(u64::from(borrow));
        (*word, borrow) = (less, one || two);
    }
}

impl Mul<&Natural> for &Natural {
    type Output = Natural;

    #[inline]
    fn mul(self, other: &Natural) -> Natural {
        match (self.to_u128(), other.to_u128()) {
            (Some(1), _) => other.clone(),
            (_, Some(1)) => self.clone(),
            (Some(one), Some(two)) if is_short(one, two) => Natural::from(one * two),
            _ => multiply(self, other),
        }
    }
}

/// Whether the product certainly has at most 128 bits.
#[inline]
fn is_short(one: u128, two: u128) -> bool {
    one.leading_zeros() + two.leading_zeros() >= 128
}

#[cold]
#[inline(never)]
fn multiply(one: &Natural, two: &Natural) -> Natural {
    let (one, two) = (one.words(), two.words());
    let mut product = vec![0; one.len() + two.len()];
    for (start, &factor) in one.iter().enumerate() {
        let mut carry = 0;
        for (word, &other) in product[start..].iter_mut().zip(two.iter().chain(std::iter::once(&0))) {
            // At most (2^64 - 1)^2 + 2 (2^64 - 1), which is 2^128 - 1.
            let sum = u128::from(factor) * u128::from(other) + u128::from(*word) + u128::from(carry);
            (*word, carry) = (sum as u64, (sum >> 64) as u64);
        }
    }
    Natural::from_words(&product)
}

impl Ord for Natural {
    fn cmp(&self, other: &Natural) -> Ordering {
        let lengths = self.high.len().cmp(&other.high.len());
        lengths
            .then_with(|| self.high.iter().rev().cmp(other.high.iter().rev()))
            .then(self.low.cmp(&other.low))
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Natural) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// A text is not a number in decimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a number in decimal digits")]
pub struct NotDecimal;

impl FromStr for Natural {
    type Err = NotDecimal;

    /// Reads decimal digits, of any number.
    fn from_str(text: &str) -> Result<Natural, NotDecimal> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(NotDecimal);
        }
        let mut number = Natural::ZERO;
        for piece in text.as_bytes().chunks(PIECE_DIGITS as usize) {
            let value = piece.iter().fold(0, |value, digit| value * 10 + u64::from(digit - b'0'));
            number = &number * &Natural::from(10_u128.pow(piece.len() as u32));
            number += value;
        }
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers() -> BoxedStrategy<Natural> {
        let word = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
        proptest::collection::vec(word, 0..6).prop_map(|words| Natural::from_words(&words)).boxed()
    }

    proptest! {
        #[test]
        fn quotient_times_divisor_plus_remainder_is_the_number(one in numbers(), two in numbers()) {
            match one.div_rem(&two) {
                None => prop_assert!(two.is_zero()),
                Some((quotient, rest)) => {
                    prop_assert!(rest < two);
                    let mut again = &quotient * &two;
                    again += &rest;
                    prop_assert_eq!(again, one);
                }
            }
        }

        #[test]
        fn sums_differences_and_the_order_agree(one in numbers(), two in numbers()) {
            let mut sum = one.clone();
            sum += &two;
            prop_assert_eq!(sum.checked_sub(&two), Some(one.clone()));
            prop_assert!(sum >= one && sum >= two);
            let mut more = one.clone();
            more += u64::MAX;
            prop_assert_eq!(more.checked_sub(&one), Some(u128::from(u64::MAX).into()));
            prop_assert_eq!(one.checked_sub(&two).is_none(), one < two);
            prop_assert_eq!(one.cmp(&two), one.to_string().len().cmp(&two.to_string().len())
                .then_with(|| one.to_string().cmp(&two.to_string())));
        }

        #[test]
        fn bytes_are_read_back(one in numbers(), zeros in 0_usize..20) {
            let mut bytes = one.to_le_bytes();
            prop_assert_ne!(bytes.last(), Some(&0));
            bytes.resize(bytes.len() + zeros, 0);
            prop_assert_eq!(&Natural::from_le_bytes(&bytes), &one);
            prop_assert_eq!(one.to_u128().is_some(), one.bit_length() <= 128);
            prop_assert!(one.to_u128().is_none_or(|number| one == number));
        }

        #[test]
        fn products_are_sums(one in numbers(), times in 0_u64..20) {
            let mut sum = Natural::ZERO;
            (0..times).for_each(|_| sum += &one);
            prop_assert_eq!(&one * &Natural::from(u128::from(times)), sum.clone());
            prop_assert_eq!(&Natural::from(u128::from(times)) * &one, sum);
        }

        #[test]
        fn what_is_printed_is_read_again(one in numbers()) {
            prop_assert_eq!(one.to_string().parse(), Ok(one));
        }
    }

    #[test]
    fn a_power_of_ten_is_a_product() {
        let mut number = Natural::ONE;
        for _ in 0..60 {
            number = &number * &Natural::from(10);
        }
        assert_eq!(number.to_string(), format!("1{}", "0".repeat(60)));
        assert_eq!(number.bit_length(), 200);
        // 2^300.
        let mut number = Natural::ONE;
        for _ in 0..3 {
            number = &number * &Natural::from(1 << 100);
        }
        let power =
            "2037035976334486086268445688409378161051468393665936250636140449354381299763336706183397376";
        assert_eq!((number.to_string().as_str(), Natural::ZERO.to_string().as_str()), (power, "0"));
        assert_eq!((Natural::ZERO.bit_length(), Natural::ONE.bit_length()), (0, 1));
        for text in ["", "-1", "+1", "1e3", " 1"] {
            assert_eq!(text.parse::<Natural>(), Err(NotDecimal));
        }
    }
}
