//! A histogram summed up for reports: its usual figures, and the coarse ranges that are drawn.
//!
//! ```text
//! times    0  1  2  5  10  20  50  100 ...     nanoseconds: three ranges for each power of ten
//! counts   0  1  2  4   8  16  32   64 ...     guesses, calls: one range for each power of two
//! ```

use serde::Serialize;

use super::histogram::{Bucket, Histogram};
use super::numbers::group_digits;

/// A histogram with its usual figures.
#[derive(Clone, Debug, Serialize)]
pub struct Distribution {
    /// Number of values.
    pub count: u64,
    /// Sum of the values.
    pub(crate) sum: u128,
    /// Sum divided by count.
    pub mean: f64,
    /// The smallest value.
    pub min: u64,
    /// Half of the values are at most this.
    pub p50: u64,
    /// 90 % of the values are at most this.
    pub p90: u64,
    /// 99 % of the values are at most this.
    pub p99: u64,
    /// 99.9 % of the values are at most this.
    pub p99_9: u64,
    /// The largest value.
    pub max: u64,
    /// Every range that holds a value: exact up to 2,047, to three significant digits above.
    pub histogram: Vec<Bucket>,
}

impl Distribution {
    /// The distribution of the values of a histogram.
    pub fn of(histogram: &Histogram) -> Distribution {
        Distribution {
            count: histogram.count(),
            sum: histogram.sum(),
            mean: histogram.mean(),
            min: histogram.min(),
            p50: histogram.percentile(500),
            p90: histogram.percentile(900),
            p99: histogram.percentile(990),
            p99_9: histogram.percentile(999),
            max: histogram.max(),
            histogram: histogram.buckets(),
        }
    }

    /// The values, which are nanoseconds, in the coarse ranges that are drawn, with the names of the ranges.
    pub fn time_bars(&self) -> Vec<(String, Bucket)> {
        self.bars(time_start, time_label)
    }

    /// The same of values that are guesses, calls or other counts.
    pub fn count_bars(&self) -> Vec<(String, Bucket)> {
        self.bars(count_start, count_label)
    }

    fn bars(&self, start_of: fn(u64) -> u64, label: fn(&Bucket) -> String) -> Vec<(String, Bucket)> {
        let mut bars: Vec<Bucket> = Vec::new();
        for fine in &self.histogram {
            let from = start_of(fine.from);
            match bars.last_mut() {
                Some(last) if last.from == from => {
                    last.to = fine.to;
                    last.count += fine.count;
                }
                _ => bars.push(Bucket { from, ..*fine }),
            }
        }
        bars.into_iter().map(|bar| (label(&bar), bar)).collect()
    }
}

/// The start of the drawn range that holds a time: 1, 2, 5, 10, 20, 50, ... nanoseconds.
fn time_start(nanos: u64) -> u64 {
    let Some(exponent) = nanos.checked_ilog10() else { return 0 };
    let decade = 10u64.pow(exponent);
    match nanos / decade {
        1 => decade,
        2..5 => 2 * decade,
        _ => 5 * decade,
    }
}

/// The end of the drawn range of times that starts at `start`, which is the start of the next range.
fn time_end(start: u64) -> u64 {
    match start.checked_ilog10() {
        None => 1,
        Some(exponent) if start / 10u64.pow(exponent) == 2 => start / 2 * 5,
        Some(_) => start.saturating_mul(2),
    }
}

/// The start of the drawn range that holds a count: 0, 1, 2, 4, 8, ...
fn count_start(count: u64) -> u64 {
    count.checked_ilog2().map_or(0, |exponent| 1 << exponent)
}

/// The drawn range of times that `bar` is: `500 ns – 1 µs`.
fn time_label(bar: &Bucket) -> String {
    let start = time_start(bar.from);
    let round = |nanos: u64| match nanos {
        nanos if nanos < 1_000 => format!("{nanos} ns"),
        nanos if nanos < 1_000_000 => format!("{} µs", nanos / 1_000),
        nanos if nanos < 1_000_000_000 => format!("{} ms", nanos / 1_000_000),
        nanos => format!("{} s", nanos / 1_000_000_000),
    };
    format!("{} – {}", round(start), round(time_end(start)))
}

/// The drawn range of counts that `bar` is: `0`, `1`, `2–3`, `4–7`.
fn count_label(bar: &Bucket) -> String {
    match count_start(bar.from) {
        start @ (0 | 1) => start.to_string(),
        start => format!("{}–{}", group_digits(start), group_digits(start + (start - 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_hold_the_values_of_their_ranges() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|value| histogram.add(value));
        let bars = Distribution::of(&histogram).count_bars();
        let counts: Vec<(u64, u64, u64)> =
            bars.iter().map(|(_, bar)| (bar.from, bar.to, bar.count)).collect();
        assert_eq!(counts[..3], [(1, 1, 1), (2, 3, 2), (4, 7, 4)]);
        assert_eq!(counts.last(), Some(&(512, 1000, 489)));
        assert_eq!(Distribution::of(&histogram).time_bars()[1].1, Bucket { from: 2, to: 4, count: 3 });
        assert_eq!(bars[1].0, "2–3");
    }

    #[test]
    fn every_value_lies_in_its_drawn_range() {
        let values = (0..3000).chain((1..64).map(|bit| 1u64 << bit)).chain([u64::MAX]);
        for value in values {
            let start = time_start(value);
            assert!(start <= value && (value < time_end(start) || time_end(start) == u64::MAX), "{value}");
            let start = count_start(value);
            assert!(start <= value && value <= start.max(1) - 1 + start.max(1), "{value}");
        }
        let label = |from| time_label(&Bucket { from, to: from, count: 1 });
        assert_eq!([700, 1_000, 25_000].map(label), ["500 ns – 1 µs", "1 µs – 2 µs", "20 µs – 50 µs"]);
        let label = |from| count_label(&Bucket { from, to: from, count: 1 });
        assert_eq!([0, 1, 3, 5, 1024].map(label), ["0", "1", "2–3", "4–7", "1,024–2,047"]);
    }
}
