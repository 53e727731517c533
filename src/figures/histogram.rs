//! How often each value occurred, with sum and largest kept exactly.

use std::ops::AddAssign;

/// A histogram over the whole range of `u64`: exact up to 2,047, above that to three significant digits
/// (Tene's HdrHistogram); count, sum, smallest and largest are exact.
///
/// Nearly all values are small: those are counted in plain places, a nanosecond each where the library takes
/// five. It has the same places for them, and would tell the same.
#[derive(Clone, Debug)]
pub struct Histogram {
    /// How often each value below [`NEAR`] occurred.
    near: Box<[u64; NEAR]>,
    /// All others.
    far: hdrhistogram::Histogram<u64>,
    far_sum: u128,
    far_min: u64,
    far_max: u64,
}

/// How many values lay in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Bucket {
    /// The smallest value of the range.
    pub from: u64,
    /// The largest value of the range.
    pub to: u64,
    /// How many values lay in it.
    pub count: u64,
}

const SIGNIFICANT_DIGITS: u8 = 3;
/// Values below this have a place of their own, here and, with three significant digits, in the library.
const NEAR: usize = 2048;
/// Values above this are counted at it (292 years in nanoseconds); their sum and maximum stay exact.
const LARGEST: u64 = i64::MAX as u64;

impl Default for Histogram {
    fn default() -> Histogram {
        let far = hdrhistogram::Histogram::new(SIGNIFICANT_DIGITS)
            .expect("three significant digits are within the library's range of 0 to 5");
        Histogram { near: Box::new([0; NEAR]), far, far_sum: 0, far_min: u64::MAX, far_max: 0 }
    }
}

impl Histogram {
    /// Counts one value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        match self.near.get_mut(value as usize) {
            Some(count) if value < NEAR as u64 => *count += 1,
            _ => self.add_far(value),
        }
    }

    fn add_far(&mut self, value: u64) {
        // Resizing histograms refuse nothing below LARGEST.
        if self.far.record(value.min(LARGEST)).is_ok() {
            self.far_sum += u128::from(value);
            self.far_min = self.far_min.min(value);
            self.far_max = self.far_max.max(value);
        }
    }

    /// The values below [`NEAR`] that occurred, ascending, and how often.
    fn near(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> + '_ {
        let counted = |(value, &count): (usize, &u64)| (count > 0).then_some((value as u64, count));
        self.near.iter().enumerate().filter_map(counted)
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.near.iter().sum::<u64>() + self.far.len()
    }

    /// The sum of the values, exact.
    pub fn sum(&self) -> u128 {
        let near = self.near().map(|(value, count)| u128::from(value) * u128::from(count));
        near.sum::<u128>() + self.far_sum
    }

    /// The largest value, exact; 0 if there is none.
    pub fn max(&self) -> u64 {
        if self.far.is_empty() { self.near().next_back().map_or(0, |(value, _)| value) } else { self.far_max }
    }

    /// The smallest value, exact; 0 if there is none.
    pub fn min(&self) -> u64 {
        match self.near().next() {
            Some((value, _)) => value,
            None if self.far.is_empty() => 0,
            None => self.far_min,
        }
    }

    /// The mean, from the exact sum; 0 if there is no value.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum() as f64 / self.count() as f64 }
    }

    /// The value that `per_mille` thousandths of the values do not exceed (1000 gives the largest); 0 if there
    /// is none. Whole numbers all the way: a share such as 99.9 % has no exact binary fraction.
    pub fn percentile(&self, per_mille: u64) -> u64 {
        let rank = (u128::from(self.count()) * u128::from(per_mille.min(1000))).div_ceil(1000);
        let mut passed = 0;
        let at_rank = self.buckets().into_iter().find(|bucket| {
            passed += u128::from(bucket.count);
            passed >= rank
        });
        at_rank.map_or(0, |bucket| bucket.to.min(self.max()))
    }

    /// Every range that holds a value, ascending: the whole histogram, at its full resolution.
    pub fn buckets(&self) -> Vec<Bucket> {
        let near = self.near().map(|(value, count)| Bucket { from: value, to: value, count });
        let far = self.far.iter_recorded().map(|step| {
            let value = step.value_iterated_to();
            let from = self.far.lowest_equivalent(value);
            Bucket { from, to: self.far.highest_equivalent(value), count: step.count_at_value() }
        });
        near.chain(far).collect()
    }

    /// The values counted in coarser ranges: the one that holds `v` starts at `start_of(v)`, which must not
    /// fall as `v` grows. A bucket's `to` is the largest value that its parts may hold.
    pub fn buckets_by(&self, start_of: impl Fn(u64) -> u64) -> Vec<Bucket> {
        let mut coarse: Vec<Bucket> = Vec::new();
        for fine in self.buckets() {
            let from = start_of(fine.from);
            match coarse.last_mut() {
                Some(last) if last.from == from => {
                    last.to = fine.to;
                    last.count += fine.count;
                }
                _ => coarse.push(Bucket { from, ..fine }),
            }
        }
        coarse
    }
}

impl AddAssign<&Histogram> for Histogram {
    fn add_assign(&mut self, other: &Histogram) {
        for (mine, theirs) in self.near.iter_mut().zip(other.near.iter()) {
            *mine += theirs;
        }
        // Both have the same resolution and resize: adding cannot fail.
        if self.far.add(&other.far).is_ok() {
            self.far_sum += other.far_sum;
            self.far_min = self.far_min.min(other.far_min);
            self.far_max = self.far_max.max(other.far_max);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_values_are_exact_and_large_ones_to_three_digits() {
        let mut histogram = Histogram::default();
        for value in [0, 1, 1, 2047, 1_000_000, u64::MAX] {
            histogram.add(value);
        }
        let buckets = histogram.buckets();
        assert_eq!(buckets[1], Bucket { from: 1, to: 1, count: 2 });
        assert_eq!(buckets[2], Bucket { from: 2047, to: 2047, count: 1 });
        assert!(buckets[3].from <= 1_000_000 && buckets[3].to - buckets[3].from <= 1_000);
        assert_eq!((histogram.count(), histogram.max()), (6, u64::MAX));
        assert_eq!(histogram.sum(), 2 + 2047 + 1_000_000 + u128::from(u64::MAX));
    }

    #[test]
    fn an_empty_histogram_answers_zero() {
        let histogram = Histogram::default();
        assert_eq!((histogram.min(), histogram.max(), histogram.percentile(990)), (0, 0, 0));
        assert!(histogram.mean() == 0.0 && histogram.buckets().is_empty());
    }

    #[test]
    fn percentiles_of_one_to_a_thousand() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|value| histogram.add(value));
        assert_eq!(histogram.percentile(500), 500);
        assert_eq!(histogram.percentile(999), 999);
        assert_eq!(histogram.percentile(1000), 1000);
        let halves = histogram.buckets_by(|value| if value < 501 { 1 } else { 501 });
        assert_eq!(
            halves,
            [Bucket { from: 1, to: 500, count: 500 }, Bucket { from: 501, to: 1000, count: 500 }]
        );
    }

    proptest::proptest! {
        /// The plain places tell what the library would tell of all values.
        #[test]
        fn buckets_and_percentiles_are_those_of_the_library(
            some in proptest::collection::vec(0u64..5_000, 1..50),
            others in proptest::collection::vec(proptest::prelude::any::<u64>(), 0..5),
        ) {
            let values = [some, others].concat();
            let mut histogram = Histogram::default();
            let mut library = hdrhistogram::Histogram::<u64>::new(SIGNIFICANT_DIGITS).unwrap();
            for &value in &values {
                histogram.add(value);
                library.record(value.min(LARGEST)).unwrap();
            }
            let buckets: Vec<Bucket> = library.iter_recorded().map(|step| Bucket {
                from: library.lowest_equivalent(step.value_iterated_to()),
                to: library.highest_equivalent(step.value_iterated_to()),
                count: step.count_at_value(),
            }).collect();
            proptest::prop_assert_eq!(histogram.buckets(), buckets);
            for per_mille in [1, 500, 990, 1000] {
                let of_library = library.value_at_quantile(per_mille as f64 / 1000.0);
                let largest = *values.iter().max().unwrap();
                proptest::prop_assert_eq!(histogram.percentile(per_mille), of_library.min(largest));
            }
            let sum = values.iter().map(|&value| u128::from(value)).sum::<u128>();
            let ends = (*values.iter().min().unwrap(), *values.iter().max().unwrap());
            proptest::prop_assert_eq!((histogram.count(), histogram.sum()), (values.len() as u64, sum));
            proptest::prop_assert_eq!((histogram.min(), histogram.max()), ends);
        }

        #[test]
        fn the_sum_of_two_is_the_histogram_of_both(
            a in proptest::collection::vec(0u64..10_000_000_000, 0..50),
            b in proptest::collection::vec(0u64..100, 0..50),
        ) {
            let of = |values: &[u64]| {
                let mut histogram = Histogram::default();
                values.iter().for_each(|&value| histogram.add(value));
                histogram
            };
            let mut sum = of(&a);
            sum += &of(&b);
            let both = of(&[a, b].concat());
            proptest::prop_assert_eq!(sum.buckets(), both.buckets());
            proptest::prop_assert_eq!((sum.sum(), sum.min(), sum.max()), (both.sum(), both.min(), both.max()));
        }
    }
}
