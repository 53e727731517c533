//! Medians, their spread, and intervals of ratios. The distributions are those of the library statrs; the rest is a few
//! lines that no library has in this form.
//!
//! A disturbed run is slower and never faster. So this uses medians instead of means, and the median distance from the
//! median instead of the standard deviation.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use super::figures::{Ratio, Spread};

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

/// Runs from which a ratio is a median. The interval of fewer would be as wide as their range.
pub const MEDIAN_RUNS: usize = 30;

/// The confidence of intervals.
const CONFIDENCE: f64 = 0.95;

/// The ratio over runs whose paired `ratios` these are, with its interval of 95 %. `None` for no ratios.
///
/// Of [`MEDIAN_RUNS`] and more it is the median with [its interval](median_interval), which needs no distribution.
/// Of fewer it is the geometric mean, with the interval of Student's t on the logarithms ("Student", The probable error
/// of a mean, 1908): it needs logarithms that are about normal, and it widens if one run is far from the others.
///
/// Tried: a percentile bootstrap of the median (Efron, 1979) with 600 resamples held the median of log-normal ratios in
/// 93.8 of 100 cases with 10 and 20 runs and in 94.2 with 30 (1,500 trials). It takes 10,000 resamples to be steady.
pub(super) fn ratio(ratios: &[f64]) -> Option<Ratio> {
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let runs = ratios.len();
    let (middle, interval) = match runs {
        0 => return None,
        1..MEDIAN_RUNS => {
            let middle = mean(&logarithms).exp();
            let interval = mean_interval(&logarithms).map(|[low, high]| [low.exp(), high.exp()]);
            (middle, interval)
        }
        _ => (median(ratios), median_interval(ratios)),
    };
    let [low, high] = interval.map_or([None; 2], |interval| interval.map(Some));
    Some(Ratio { middle, low, high, runs })
}

/// The mean; 0 for no values.
pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The interval of the mean of normally distributed values; `None` for fewer than two.
fn mean_interval(values: &[f64]) -> Option<[f64; 2]> {
    let (count, middle) = (values.len() as f64, mean(values));
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    let half = student(count - 1.0)? * (squares / (count - 1.0) / count).sqrt();
    Some([middle - half, middle + half])
}

/// The number of standard errors that reach the end of an interval, by Student's t with these degrees of freedom.
pub(super) fn student(freedom: f64) -> Option<f64> {
    let distribution = StudentsT::new(0.0, 1.0, freedom).ok()?;
    Some(distribution.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)))
}

/// The interval of the median of any continuous distribution; `None` for fewer than six values, whose range does not
/// hold the median with this confidence.
///
/// The d-th value from below and from above hold the median with a confidence that the binomial distribution gives (the
/// sign test). Between the last d with enough of it and the next one, the ends are interpolated as Hettmansperger and
/// Sheather do (Confidence intervals based on interpolated order statistics, Statistics & Probability Letters 4, 1986).
fn median_interval(values: &[f64]) -> Option<[f64; 2]> {
    let count = values.len();
    let signs = Binomial::new(0.5, count as u64).ok()?;
    let confidence = |depth: usize| 1.0 - 2.0 * signs.cdf(depth as u64 - 1);
    let depth = (1..=count / 2).take_while(|&depth| confidence(depth) >= CONFIDENCE).last()?;
    let (outer, inner) = (confidence(depth), confidence(depth + 1));
    let excess = (outer - CONFIDENCE) / (outer - inner);
    let (depth_f, count_f) = (depth as f64, count as f64);
    let inward = (count_f - depth_f) * excess / (depth_f + (count_f - 2.0 * depth_f) * excess);
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let between = |outer: f64, inner: f64| outer + inward * (inner - outer);
    Some([
        between(sorted[depth - 1], sorted[depth]),
        between(sorted[count - depth], sorted[count - depth - 1]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::chance::Chance;

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

    /// From tables: Student's t with 9 degrees of freedom, and the sign test of 30 values, whose 10th and 11th hold the
    /// median in 95.7 % and 90.1 % of cases.
    #[test]
    fn intervals_by_hand() {
        assert_eq!(ratio(&[]), None);
        assert_eq!(ratio(&[2.0]), Some(Ratio { middle: 2.0, low: None, high: None, runs: 1 }));
        assert!((student(9.0).unwrap() - 2.262_157).abs() < 1e-5);
        // The logarithms of 1, 10 and 100 to the base 10 are 0, 1 and 2: their mean is 1, their standard error 1 / √3,
        // and t with 2 degrees of freedom is 4.3027.
        let Ratio { middle, low, high, runs } = ratio(&[100.0, 1.0, 10.0]).unwrap();
        let half = 10f64.powf(4.302_653 / 3f64.sqrt());
        assert!((middle - 10.0).abs() < 1e-9 && runs == 3);
        assert!(
            (high.unwrap() / 10.0 / half - 1.0).abs() < 1e-5
                && (low.unwrap() * half / 10.0 - 1.0).abs() < 1e-5
        );
        let thirty: Vec<f64> = (1..=30).map(f64::from).collect();
        let Ratio { middle, low, high, .. } = ratio(&thirty).unwrap();
        let (low, high) = (low.unwrap(), high.unwrap());
        assert!(
            middle == 15.5 && 10.0 < low && low < 10.5 && (low + high - 31.0).abs() < 1e-9,
            "{low} {high}"
        );
        assert_eq!(median_interval(&thirty[..5]), None);
    }

    /// A number from 0 to 1, and one of the normal distribution (Box and Muller, 1958).
    fn draw(chance: &mut Chance) -> (f64, f64) {
        let mut uniform = || (chance.seed() >> 11) as f64 / (1u64 << 53) as f64;
        let (first, second) = (uniform(), uniform());
        (first, (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos())
    }

    /// Of `trials` intervals of `runs` ratios each, the percentage that holds `truth`.
    fn coverage(runs: usize, truth: f64, mut of: impl FnMut(&mut Chance) -> f64) -> f64 {
        const TRIALS: usize = 6_000;
        let mut chance = Chance::new(31, runs as u64);
        let holds = (0..TRIALS).filter(|_| {
            let ratios: Vec<f64> = (0..runs).map(|_| of(&mut chance)).collect();
            let Some(Ratio { low: Some(low), high: Some(high), .. }) = ratio(&ratios) else {
                panic!("there is an interval")
            };
            low <= truth && truth <= high
        });
        100.0 * holds.count() as f64 / TRIALS as f64
    }

    /// Intervals hold the truth in 95 of 100 cases: the median of any distribution from 30 runs on, also of one with a
    /// long tail, and the geometric mean of a log-normal one for any number of runs. (The standard error of a coverage
    /// is 0.3.)
    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let assert = |name: &str, runs, coverage: f64| {
            assert!((93.0..=97.0).contains(&coverage), "{name}, {runs} runs: {coverage:.1} %");
        };
        let log_normal = |spread: f64| move |chance: &mut Chance| 3.0 * (spread * draw(chance).1).exp();
        for runs in [30, 31, 32, 37, 50, 100] {
            assert("log-normal", runs, coverage(runs, 3.0, log_normal(0.2)));
            let exponential = |chance: &mut Chance| 1.0 - (1.0 - draw(chance).0).ln();
            assert("exponential", runs, coverage(runs, 1.0 + 2f64.ln(), exponential));
            // One run in ten was disturbed and took up to ten times as long.
            let disturbed = |chance: &mut Chance| {
                let (tail, normal) = (draw(chance).0, draw(chance).1);
                let delay = if tail < 0.1 { 1.0 + 90.0 * tail } else { 1.0 };
                (2.0 + 0.05 * normal) * delay
            };
            assert("disturbed", runs, coverage(runs, median_of(disturbed), disturbed));
        }
        for runs in [2, 3, 5, 10, 20, 29] {
            assert("log-normal", runs, coverage(runs, 3.0, log_normal(0.2)));
        }
    }

    /// The median of a distribution, of many draws.
    fn median_of(mut of: impl FnMut(&mut Chance) -> f64) -> f64 {
        let mut chance = Chance::new(7, 7);
        median(&(0..400_001).map(|_| of(&mut chance)).collect::<Vec<_>>())
    }
}
