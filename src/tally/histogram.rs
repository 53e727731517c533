//! How often each value occurred, with sum and largest kept exactly.

use std::ops::AddAssign;

/// A histogram over the whole range of `u64`: exact up to 2,047, above that to three significant digits
/// (Tene's HdrHistogram); count, sum, smallest and largest are exact.
#[derive(Clone, Debug)]
pub struct Histogram {
    counts: hdrhistogram::Histogram<u64>,
    sum: u128,
    min: u64,
    max: u64,
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
/// Values above this are counted at it (292 years in nanoseconds); their sum and maximum stay exact.
const LARGEST: u64 = i64::MAX as u64;

impl Default for Histogram {
    fn default() -> Histogram {
        let counts = hdrhistogram::Histogram::new(SIGNIFICANT_DIGITS)
            .expect("three significant digits are within the library's range of 0 to 5");
        Histogram { counts, sum: 0, min: u64::MAX, max: 0 }
    }
}

impl Histogram {
    /// Counts one value.
    #[inline]
    pub fn add(&mut self, value: u64) {
        self.add_many(value, 1);
    }

    fn add_many(&mut self, value: u64, times: u64) {
        // Resizing histograms refuse nothing below LARGEST.
        if self.counts.record_n(value.min(LARGEST), times).is_ok() {
            self.sum += u128::from(value) * u128::from(times);
            self.min = self.min.min(value);
            self.max = self.max.max(value);
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.counts.len()
    }

    /// The sum of the values, exact.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// The largest value, exact; 0 if there is none.
    pub fn max(&self) -> u64 {
        self.max
    }

    /// The smallest value, exact; 0 if there is none.
    pub fn min(&self) -> u64 {
        if self.count() == 0 { 0 } else { self.min }
    }

    /// The mean, from the exact sum; 0 if there is no value.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum as f64 / self.count() as f64 }
    }

    /// The value that `per_mille` thousandths of the values do not exceed (1000 gives the largest); 0 if there
    /// is none. Whole numbers all the way: a share such as 99.9 % has no exact binary fraction.
    pub fn percentile(&self, per_mille: u64) -> u64 {
        let rank = (u128::from(self.count()) * u128::from(per_mille.min(1000))).div_ceil(1000);
        let mut passed = 0;
        let at_rank = self.counts.iter_recorded().find(|step| {
            passed += u128::from(step.count_at_value());
            passed >= rank
        });
        at_rank.map_or(0, |step| self.counts.highest_equivalent(step.value_iterated_to()).min(self.max))
    }

    /// Every range that holds a value, ascending: the whole histogram, at its full resolution.
    pub fn buckets(&self) -> Vec<Bucket> {
        self.counts
            .iter_recorded()
            .map(|step| {
                let value = step.value_iterated_to();
                let from = self.counts.lowest_equivalent(value);
                Bucket { from, to: self.counts.highest_equivalent(value), count: step.count_at_value() }
            })
            .collect()
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
        // Both have the same resolution and resize: adding cannot fail.
        if self.counts.add(&other.counts).is_ok() {
            self.sum += other.sum;
            self.min = self.min.min(other.min);
            self.max = self.max.max(other.max);
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
