//! Bit-sliced numbers, one for every item: plane k holds bit k of all numbers, and one operation on a plane works on 64
//! items at once.
//!
//! ```text
//! item       0 1 2 3 ..  63 | 64 ..        numbers 5, 0, 3, 1
//! plane 0    1 0 1 1                       their ones
//! plane 1    0 0 1 0                       their twos
//! plane 2    1 0 0 0                       their fours
//!            word 0         | word 1 .. W - 1
//! ```
//!
//! Decreasing the numbers of a set of items ripples a borrow through the planes; the borrow out of the last plane is
//! the set of items that had 0.

/// A set of items: item i is bit i % 64 of word i / 64.
pub(super) type Set<const W: usize> = [u64; W];

/// Numbers below 2^K, K at least 2, one for each of 64 W items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers<const W: usize, const K: usize>([Set<W>; K]);

impl<const W: usize, const K: usize> Numbers<W, K> {
    /// All numbers 0.
    pub(super) const ZERO: Self = Numbers([[0; W]; K]);

    /// Sets the number of `item`.
    pub(super) fn set(&mut self, item: usize, number: u32) {
        for (bit, plane) in self.0.iter_mut().enumerate() {
            let (word, place) = (&mut plane[item / 64], item % 64);
            *word = *word & !(1 << place) | u64::from(number >> bit & 1) << place;
        }
    }

    /// The number of `item`.
    pub(super) fn get(&self, item: usize) -> u32 {
        let bits = self.0.iter().enumerate();
        bits.map(|(bit, plane)| ((plane[item / 64] >> (item % 64) & 1) as u32) << bit).sum()
    }

    /// Subtracts 1 from the numbers of `items`. Returns the items that had 0; their numbers wrap.
    #[inline(always)]
    pub(super) fn decrease(&mut self, items: &Set<W>) -> Set<W> {
        let mut borrow = *items;
        for plane in &mut self.0 {
            for word in 0..W {
                let had = plane[word];
                plane[word] = had ^ borrow[word];
                borrow[word] &= !had;
            }
        }
        borrow
    }

    /// Subtracts 1 from the numbers of each of three sets. Returns the items whose number was too small. A full adder
    /// adds the sets first, so that the borrow ripples once for all three.
    #[inline(always)]
    pub(super) fn decrease_by_three(&mut self, [one, two, three]: [&Set<W>; 3]) -> Set<W> {
        let (mut ones, mut twos) = ([0; W], [0; W]);
        for word in 0..W {
            let either = one[word] ^ two[word];
            ones[word] = either ^ three[word];
            twos[word] = one[word] & two[word] | either & three[word];
        }
        let mut borrow = ones;
        for (bit, plane) in self.0.iter_mut().enumerate() {
            for word in 0..W {
                let had = plane[word];
                if bit == 1 {
                    let less = borrow[word] ^ twos[word];
                    plane[word] = had ^ less;
                    borrow[word] = borrow[word] & twos[word] | less & !had;
                } else {
                    plane[word] = had ^ borrow[word];
                    borrow[word] &= !had;
                }
            }
        }
        borrow
    }

    /// Adds 1 to the numbers of `items`. Returns the items that had the greatest number; their numbers wrap.
    #[inline(always)]
    pub(super) fn increase(&mut self, items: &Set<W>) -> Set<W> {
        let mut carry = *items;
        for plane in &mut self.0 {
            for word in 0..W {
                let had = plane[word];
                plane[word] = had ^ carry[word];
                carry[word] &= had;
            }
        }
        carry
    }

    /// Subtracts `others` item by item. Returns the items whose number was too small.
    #[inline(always)]
    pub(super) fn subtract<const B: usize>(&mut self, others: &Numbers<W, B>) -> Set<W> {
        let mut borrow = [0; W];
        for (bit, plane) in self.0.iter_mut().enumerate() {
            for word in 0..W {
                let had = plane[word];
                let other = others.0.get(bit).map_or(0, |plane| plane[word]);
                let less = borrow[word] ^ other;
                plane[word] = had ^ less;
                borrow[word] = borrow[word] & other | less & !had;
            }
        }
        borrow
    }

    /// The items whose number is not 0.
    #[inline(always)]
    pub(super) fn nonzero(&self) -> Set<W> {
        let mut items = [0; W];
        for plane in &self.0 {
            for word in 0..W {
                items[word] |= plane[word];
            }
        }
        items
    }

    /// The items whose number is 1.
    #[inline(always)]
    pub(super) fn ones(&self) -> Set<W> {
        let mut items = self.0[0];
        for plane in &self.0[1..] {
            for word in 0..W {
                items[word] &= !plane[word];
            }
        }
        items
    }

    /// The members of `items` with the smallest number. From the highest plane down it keeps the members without the
    /// bit, if there are any.
    #[inline(always)]
    pub(super) fn smallest(&self, mut items: Set<W>) -> Set<W> {
        for plane in self.0.iter().rev() {
            let without: Set<W> = std::array::from_fn(|word| items[word] & !plane[word]);
            if !is_empty(&without) {
                items = without;
            }
        }
        items
    }
}

/// Whether `items` is empty.
#[inline(always)]
pub(super) fn is_empty<const W: usize>(items: &Set<W>) -> bool {
    items.iter().fold(0, |all, word| all | word) == 0
}

/// The intersection.
#[inline(always)]
pub(super) fn both<const W: usize>(one: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

/// The difference: the members of `one` that are not in `other`.
#[inline(always)]
pub(super) fn without<const W: usize>(one: &Set<W>, other: &Set<W>) -> Set<W> {
    std::array::from_fn(|word| one[word] & !other[word])
}

/// The members of a set of any size, ascending.
#[inline(always)]
pub(super) fn members(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let place = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(64 * index + place)
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const ITEMS: usize = 128;
    const TOP: u32 = 1 << 5;

    /// These numbers, bit-sliced.
    fn sliced(numbers: &[u32]) -> Numbers<2, 5> {
        let mut sliced = Numbers::ZERO;
        numbers.iter().enumerate().for_each(|(item, &number)| sliced.set(item, number));
        sliced
    }

    fn plain(sliced: &Numbers<2, 5>) -> Vec<u32> {
        (0..ITEMS).map(|item| sliced.get(item)).collect()
    }

    fn has(set: &Set<2>, item: usize) -> bool {
        set[item / 64] >> (item % 64) & 1 == 1
    }

    proptest! {
        #[test]
        fn planes_compute_what_plain_numbers_compute(
            numbers in vec(0..TOP, ITEMS),
            less in vec(0_u32..8, ITEMS),
            sets in any::<[[u64; 2]; 3]>(),
        ) {
            let before = sliced(&numbers);
            prop_assert_eq!(&plain(&before), &numbers);
            let [one, two, three] = &sets;
            let hits = |item: usize| sets.iter().filter(|set| has(set, item)).count() as u32;
            let mut small: Numbers<2, 3> = Numbers::ZERO;
            less.iter().enumerate().for_each(|(item, &number)| small.set(item, number));
            let (mut once, mut thrice, mut more, mut minus) = (before, before, before, before);
            let borrowed = (once.decrease(one), thrice.decrease_by_three([one, two, three]));
            let (carried, short) = (more.increase(two), minus.subtract(&small));
            let nonzero = before.nonzero();
            let is_one = before.ones();
            let smallest = before.smallest(*three);
            let least = members(three).map(|item| numbers[item]).min();
            for (item, &number) in numbers.iter().enumerate() {
                let single = u32::from(has(one, item));
                prop_assert_eq!(once.get(item), number.wrapping_sub(single) % TOP);
                prop_assert_eq!(has(&borrowed.0, item), number < single);
                prop_assert_eq!(thrice.get(item), number.wrapping_sub(hits(item)) % TOP);
                prop_assert_eq!(has(&borrowed.1, item), number < hits(item));
                let single = u32::from(has(two, item));
                prop_assert_eq!(more.get(item), (number + single) % TOP);
                prop_assert_eq!(has(&carried, item), number + single == TOP);
                prop_assert_eq!(minus.get(item), number.wrapping_sub(less[item]) % TOP);
                prop_assert_eq!(has(&short, item), number < less[item]);
                prop_assert_eq!(has(&nonzero, item), number != 0);
                prop_assert_eq!(has(&is_one, item), number == 1);
                prop_assert_eq!(has(&smallest, item), has(three, item) && Some(number) == least);
            }
        }

        #[test]
        fn set_operations_agree_with_filters(sets in any::<[[u64; 2]; 2]>()) {
            let [one, other] = &sets;
            let of = |keep: &dyn Fn(usize) -> bool| (0..ITEMS).filter(|&item| keep(item)).collect::<Vec<_>>();
            let listed = |set: Set<2>| members(&set).collect::<Vec<_>>();
            prop_assert_eq!(listed(*one), of(&|item| has(one, item)));
            prop_assert_eq!(listed(both(one, other)), of(&|item| has(one, item) && has(other, item)));
            prop_assert_eq!(listed(without(one, other)), of(&|item| has(one, item) && !has(other, item)));
            prop_assert_eq!(is_empty(one), listed(*one).is_empty());
        }
    }
}
