//! Medians, their spread, and intervals of ratios.
//!
//! A disturbed run is slower and never faster. So this uses medians instead of means, and the median distance from the
//! median instead of the standard deviation.

use super::figures::{Ratio, Spread};
use galop_engines::chance::Chance;

/// The middle value, or the mean of the two in the middle; 0 for no values.
pub(super) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    median_of_sorted(&sorted)
}

fn median_of_sorted(sorted: &[f64]) -> f64 {
    match sorted.len() {
        0 => 0.0,
        len if len % 2 == 1 => sorted[len / 2],
        len => f64::midpoint(sorted[len / 2 - 1], sorted[len / 2]),
    }
}

/// The median distance from the median (MAD).
pub(super) fn deviation(values: &[f64]) -> f64 {
    let middle = median(values);
    median(&values.iter().map(|value| (value - middle).abs()).collect::<Vec<_>>())
}

/// Median, minimum, maximum and deviation.
pub(super) fn spread(values: &[f64]) -> Spread {
    let min = values.iter().copied().min_by(f64::total_cmp).unwrap_or(0.0);
    let max = values.iter().copied().max_by(f64::total_cmp).unwrap_or(0.0);
    Spread { median: median(values), min, max, deviation: deviation(values) }
}

/// Deviations (MAD) from the median. A value further away is an outlier. 1.4826 deviations are one standard deviation
/// of a normal distribution, so this is ten of them. (Iglewicz and Hoaglin, "How to Detect and Handle Outliers", 1993,
/// call the distance the modified Z-score. hyperfine has the same threshold, `src/outlier_detection.rs`.)
pub(super) const OUTLIER: f64 = 14.826;

/// The places of the values that lie further than [`OUTLIER`] deviations from the median.
///
/// If more than half of the values are equal, the deviation is zero and every other value would be an outlier. So an
/// outlier must also differ from the median by more than a thousandth.
pub(super) fn outliers(values: &[f64]) -> Vec<usize> {
    let (middle, deviation) = (median(values), deviation(values));
    let allowed = (OUTLIER * deviation).max(middle.abs() / 1000.0);
    let is_far = |&at: &usize| (values[at] - middle).abs() > allowed;
    (0..values.len()).filter(is_far).collect()
}

/// Samples drawn with replacement; more give a steadier interval and take longer.
const RESAMPLES: usize = 10_000;

/// The median of paired `ratios`, and the interval that holds the medians of 95 % of their resamples (the
/// percentile interval of Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979). `None` for no ratios.
pub(super) fn ratio(ratios: &[f64], seed: u64) -> Option<Ratio> {
    if ratios.is_empty() {
        return None;
    }
    let mut chance = Chance::new(seed, u64::MAX);
    let mut sample = vec![0.0; ratios.len()];
    let mut medians: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            sample.iter_mut().for_each(|value| *value = ratios[chance.below(ratios.len() as u32) as usize]);
            sample.sort_unstable_by(f64::total_cmp);
            median_of_sorted(&sample)
        })
        .collect();
    medians.sort_unstable_by(f64::total_cmp);
    let (low, high) = (medians[RESAMPLES / 40], medians[RESAMPLES - 1 - RESAMPLES / 40]);
    Some(Ratio { median: median(ratios), low, high })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_deviations_by_hand() {
        assert_eq!(
            [median(&[]), median(&[3.0]), median(&[4.0, 1.0]), median(&[9.0, 1.0, 2.0])],
            [0.0, 3.0, 2.5, 2.0]
        );
        // The distances from 4 are 3 2 0 1 16, sorted 0 1 2 3 16.
        let values = [1.0, 2.0, 4.0, 5.0, 20.0];
        let expected = Spread { median: 4.0, min: 1.0, max: 20.0, deviation: 2.0 };
        assert_eq!(spread(&values), expected);
        assert_eq!(spread(&[]), Spread { median: 0.0, min: 0.0, max: 0.0, deviation: 0.0 });
    }

    #[test]
    fn outliers_lie_ten_standard_deviations_off() {
        // The median is 102 and the deviation 1, so a distance of 14.826 is allowed.
        let values = |last: f64| [100.0, 101.0, 102.0, 103.0, 104.0, 101.0, 103.0, last];
        assert_eq!(median(&values(102.0)), 102.0);
        assert_eq!(outliers(&values(116.0)), [0; 0]);
        assert_eq!(outliers(&values(150.0)), [7]);
        assert_eq!(outliers(&[5.0; 4]), [0; 0]);
        assert_eq!(outliers(&[5.0, 5.0, 5.0, 5.001]), [0; 0], "less than a thousandth");
        assert_eq!(outliers(&[6.0, 5.0, 5.0, 5.0]), [0]);
    }

    /// A resample of two values has the smaller one as its median in a quarter of the cases, their mean in a half and
    /// the larger one in a quarter. So the interval is the whole range.
    #[test]
    fn the_interval_by_hand() {
        assert_eq!(ratio(&[], 0), None);
        assert_eq!(ratio(&[2.0], 0), Some(Ratio { median: 2.0, low: 2.0, high: 2.0 }));
        assert_eq!(ratio(&[1.0, 3.0], 5), Some(Ratio { median: 2.0, low: 1.0, high: 3.0 }));
        // The median of nine draws is 8 or more if five of them are: in 3.0 % of the cases (binomial, 2 of 9). It is
        // 9 in 0.1 %. So 97.5 % are at most 8, and likewise at the other end.
        let nine: Vec<f64> = (1..=9).map(f64::from).collect();
        let Some(Ratio { median, low, high }) = ratio(&nine, 1) else { panic!("there are ratios") };
        assert_eq!(median, 5.0);
        assert!((2.0..=3.0).contains(&low) && (7.0..=8.0).contains(&high), "{low} {high}");
        assert_eq!(ratio(&nine, 1), ratio(&nine, 1));
    }
}
