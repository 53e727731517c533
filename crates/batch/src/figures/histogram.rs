//! How often each value occurred, with the exact sum, minimum and maximum.
//!
//! Tene's HdrHistogram with three significant digits has the same ranges: one for each value up to 2,047, and 1,024
//! for each doubling above.
//!
//! The crate `hdrhistogram` 7.6 has the same ranges, and the tests compare with it. It is not used here because it is
//! slower: with the exact sum it counts a value in 72 instructions (guesses) or 82 (nanoseconds), `add` in 7 or 20. A
//! puzzle has two values. That is 2.8 % of the 4,516 instructions that `solve --engine lanes --isa avx2` takes for a
//! puzzle of 17 clues (callgrind).
//!
//! ```text
//! values    0 1 2 ... 2047 | 2048-2049 ... 4094-4095 | 4096-4099 ... 8188-8191 | ...
//! counters  near[0..2048]  | far[0..1024]            | far[1024..2048]         |
//! ```

use std::ops::AddAssign;

/// Values below this have a counter each.
const NEAR: usize = 2048;

/// Counters for each doubling of the values from [`NEAR`] on.
const STEPS: usize = NEAR / 2;

/// Larger values are counted as this one (292 years in nanoseconds). Their sum and maximum stay exact.
const LARGEST: u64 = i64::MAX as u64;

/// A histogram over the whole range of `u64`: exact up to 2,047, to three significant digits above. Count, sum,
/// minimum and maximum are exact.
///
/// Nearly all values are small, and counting one of them takes a nanosecond.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
#[serde(from = "HistogramCounts", into = "HistogramCounts")]
pub struct Histogram {
    /// How often each value below [`NEAR`] occurred.
    near: Box<[u64; NEAR]>,
    /// How often the values of each range from [`NEAR`] on occurred; as long as the largest value needs.
    far: Vec<u64>,
    far_sum: u128,
    far_min: u64,
    far_max: u64,
}

/// A range of values, and how many values lie in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Bucket {
    /// The smallest value of the range.
    pub from: u64,
    /// The largest value of the range.
    pub to: u64,
    /// Number of values in the range.
    pub count: u64,
}

/// The counters of a histogram that are not 0, and what belongs to them.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub(crate) struct HistogramCounts {
    /// Places and counts.
    near: Vec<(u32, u64)>,
    far: Vec<(u32, u64)>,
    /// The sum of the values in `far`, its lower and its upper half.
    far_sum: [u64; 2],
    far_min: u64,
    far_max: u64,
}

/// The place in `far` of the range that holds `value`, which is [`NEAR`] or more.
fn far_place(value: u64) -> usize {
    let shift = value.ilog2() - NEAR.ilog2() + 1;
    (shift as usize - 1) * STEPS + (value >> shift) as usize - STEPS
}

/// The first and last value of the range at `place` of `far`.
fn far_range(place: usize) -> (u64, u64) {
    let shift = place / STEPS + 1;
    let from = ((place % STEPS + STEPS) as u64) << shift;
    (from, from + ((1 << shift) - 1))
}

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram { near: Box::new([0; NEAR]), far: Vec::new(), far_sum: 0, far_min: u64::MAX, far_max: 0 }
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
        let place = far_place(value.min(LARGEST));
        if place >= self.far.len() {
            self.far.resize(place + 1, 0);
        }
        self.far[place] += 1;
        self.far_sum += u128::from(value);
        self.far_min = self.far_min.min(value);
        self.far_max = self.far_max.max(value);
    }

    /// Moves all counts to `counts`, whose old ones are lost.
    pub(crate) fn take(&mut self, counts: &mut HistogramCounts) {
        counts.near.clear();
        // Nearly all counters are 0: eight are looked at at once.
        for (block, counters) in self.near.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            if counters.iter().fold(0, |any, count| any | count) == 0 {
                continue;
            }
            for (index, count) in counters.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
                counts.near.push(((8 * block + index) as u32, std::mem::take(count)));
            }
        }
        let is_counted = |(place, &count): (usize, &u64)| (count > 0).then_some((place as u32, count));
        counts.far.clear();
        counts.far.extend(self.far.iter().enumerate().filter_map(is_counted));
        self.far.clear();
        let sum = std::mem::take(&mut self.far_sum);
        counts.far_sum = [sum as u64, (sum >> 64) as u64];
        counts.far_min = std::mem::replace(&mut self.far_min, u64::MAX);
        counts.far_max = std::mem::take(&mut self.far_max);
    }

    /// Adds `counts`. What is no place is left out.
    pub(crate) fn add_counts(&mut self, counts: &HistogramCounts) {
        for &(place, count) in &counts.near {
            if let Some(counter) = self.near.get_mut(place as usize) {
                *counter += count;
            }
        }
        for &(place, count) in counts.far.iter().filter(|(place, _)| *place as usize <= far_place(LARGEST)) {
            if place as usize >= self.far.len() {
                self.far.resize(place as usize + 1, 0);
            }
            self.far[place as usize] += count;
        }
        if !counts.far.is_empty() {
            let [low, high] = counts.far_sum;
            self.far_sum += u128::from(low) + (u128::from(high) << 64);
            self.far_min = self.far_min.min(counts.far_min);
            self.far_max = self.far_max.max(counts.far_max);
        }
    }

    /// The values below [`NEAR`] that occurred, ascending, and how often.
    fn near(&self) -> impl DoubleEndedIterator<Item = (u64, u64)> + '_ {
        let counted = |(value, &count): (usize, &u64)| (count > 0).then_some((value as u64, count));
        self.near.iter().enumerate().filter_map(counted)
    }

    /// Number of values.
    pub fn count(&self) -> u64 {
        self.near.iter().chain(&self.far).sum()
    }

    /// The sum of the values, exact.
    pub fn sum(&self) -> u128 {
        let near = self.near().map(|(value, count)| u128::from(value) * u128::from(count));
        near.sum::<u128>() + self.far_sum
    }

    /// The largest value, exact; 0 for an empty histogram.
    pub fn max(&self) -> u64 {
        if self.far.is_empty() { self.near().next_back().map_or(0, |(value, _)| value) } else { self.far_max }
    }

    /// The smallest value, exact; 0 for an empty histogram.
    pub(crate) fn min(&self) -> u64 {
        match self.near().next() {
            Some((value, _)) => value,
            None if self.far.is_empty() => 0,
            None => self.far_min,
        }
    }

    /// The mean, from the exact sum; 0 for an empty histogram.
    pub fn mean(&self) -> f64 {
        if self.count() == 0 { 0.0 } else { self.sum() as f64 / self.count() as f64 }
    }

    /// The value that `per_mille` thousandths of the values do not exceed (1000 gives the largest); 0 for an empty
    /// histogram. The arithmetic uses whole numbers, because a share such as 99.9 % has no exact binary fraction.
    pub(crate) fn percentile(&self, per_mille: u64) -> u64 {
        let rank = (u128::from(self.count()) * u128::from(per_mille.min(1000))).div_ceil(1000);
        let mut passed = 0;
        let at_rank = self.buckets().into_iter().find(|bucket| {
            passed += u128::from(bucket.count);
            passed >= rank
        });
        at_rank.map_or(0, |bucket| bucket.to.min(self.max()))
    }

    /// Every range that holds a value, ascending, at full resolution.
    pub(crate) fn buckets(&self) -> Vec<Bucket> {
        let near = self.near().map(|(value, count)| Bucket { from: value, to: value, count });
        let far = self.far.iter().enumerate().filter(|&(_, &count)| count > 0).map(|(place, &count)| {
            let (from, to) = far_range(place);
            Bucket { from, to, count }
        });
        near.chain(far).collect()
    }
}

impl From<HistogramCounts> for Histogram {
    fn from(counts: HistogramCounts) -> Histogram {
        let mut histogram = Histogram::default();
        histogram.add_counts(&counts);
        histogram
    }
}

impl From<Histogram> for HistogramCounts {
    fn from(mut histogram: Histogram) -> HistogramCounts {
        let mut counts = HistogramCounts::default();
        histogram.take(&mut counts);
        counts
    }
}

impl AddAssign<&Histogram> for Histogram {
    fn add_assign(&mut self, other: &Histogram) {
        if self.far.len() < other.far.len() {
            self.far.resize(other.far.len(), 0);
        }
        let mine = self.near.iter_mut().chain(&mut self.far);
        let theirs = other.near.iter().chain(&other.far);
        mine.zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        self.far_sum += other.far_sum;
        self.far_min = self.far_min.min(other.far_min);
        self.far_max = self.far_max.max(other.far_max);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_an_empty_histogram_are_zero() {
        let histogram = Histogram::default();
        assert_eq!((histogram.min(), histogram.max(), histogram.percentile(990)), (0, 0, 0));
        assert!(histogram.mean() == 0.0 && histogram.buckets().is_empty());
    }

    proptest::proptest! {
        /// The crate hdrhistogram, with three significant digits, has the same ranges.
        #[test]
        fn buckets_and_percentiles_are_those_of_crate_hdrhistogram(
            some in proptest::collection::vec(0u64..5_000, 1..50),
            others in proptest::collection::vec(proptest::prelude::any::<u64>(), 0..5),
        ) {
            let values = [some, others].concat();
            let mut histogram = Histogram::default();
            let mut library = hdrhistogram::Histogram::<u64>::new(3).unwrap();
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
            let (mut counts, mut moved, mut other) = (HistogramCounts::default(), of(&a), of(&b));
            moved.take(&mut counts);
            proptest::prop_assert_eq!((moved.count(), moved.sum(), moved.max(), moved.min()), (0, 0, 0, 0));
            other.add_counts(&counts);
            proptest::prop_assert_eq!(other.buckets(), sum.buckets());
            proptest::prop_assert_eq!((other.sum(), other.min(), other.max()), (sum.sum(), sum.min(), sum.max()));
            let both = of(&[a, b].concat());
            proptest::prop_assert_eq!(sum.buckets(), both.buckets());
            proptest::prop_assert_eq!((sum.sum(), sum.min(), sum.max()), (both.sum(), both.min(), both.max()));
        }
    }
}
