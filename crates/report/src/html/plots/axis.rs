//! The ends of an axis and its labels.
//!
//! Times and guesses range over many powers of ten, so their axes are logarithmic. A logarithmic axis has no place for
//! 0 guesses, so they are drawn left of 1, at [`NO_GUESS`], as if they were a fraction of a guess.

use std::ops::Range;

/// Guesses on the axis: the place of 0 guesses.
pub(super) const NO_GUESS: f64 = 0.27;

/// Guesses on the axis: the range around [`NO_GUESS`] that 0 guesses may use.
pub(super) const NO_GUESS_RANGE: Range<f64> = 0.18..0.4;

/// A range of values, and the values that have labels.
pub(super) struct Axis {
    pub(super) range: Range<f64>,
    pub(super) ticks: Vec<f64>,
    /// Writes the label of a value.
    pub(super) label: fn(f64) -> String,
    is_logarithmic: bool,
}

impl Axis {
    /// An axis on which equal ratios have equal lengths.
    pub(super) fn logarithmic(range: Range<f64>, ticks: Vec<f64>, label: fn(f64) -> String) -> Axis {
        Axis { range, ticks, label, is_logarithmic: true }
    }

    /// An axis on which equal differences have equal lengths. It has at most nine labels, at round numbers that are at
    /// least `least` apart.
    pub(super) fn linear(range: Range<f64>, least: f64, label: fn(f64) -> String) -> Axis {
        let rough = ((range.end - range.start) / 8.0).max(least);
        let down = round_down(rough);
        let step = if down < rough * 0.999 { round_up(rough) } else { down };
        let places = (range.start / step - 1e-9).ceil() as i64..=(range.end / step + 1e-9).floor() as i64;
        let ticks = places.map(|place| place as f64 * step).collect();
        Axis { range, ticks, label, is_logarithmic: false }
    }

    /// How far along the axis `value` is: 0 at the start, 1 at the end.
    pub(super) fn part(&self, value: f64) -> f64 {
        let along = |value: f64| if self.is_logarithmic { value.ln() } else { value };
        let (start, end) = (along(self.range.start), along(self.range.end));
        ((along(value) - start) / (end - start)).clamp(0.0, 1.0)
    }

    /// An axis for times from `low` to `high` nanoseconds, widened to round numbers.
    pub(super) fn of_times(low: u64, high: u64) -> Axis {
        let low = round_down(low.max(1) as f64);
        let high = round_up(high.max(1) as f64).max(2.0 * low);
        Axis::logarithmic(low..high, ticks(low, high, 6), time_label)
    }

    /// An axis for 0 to `high` guesses.
    pub(super) fn of_guesses(high: u64) -> Axis {
        // It ends with the bar that holds `high`.
        let high = 2f64.powf(((high as f64 + 1.0).log2() - 1e-9).ceil()).max(2.0);
        let mut ticks = ticks(1.0, high, 7);
        ticks.insert(0, NO_GUESS);
        Axis::logarithmic(0.15..high, ticks, guess_label)
    }

    /// An axis for shares of a whole from `least` (0 to 1) on, with at most `most` labels.
    pub(super) fn of_shares(least: f64, most: usize) -> Axis {
        // The smallest share must be visible.
        let low = (least / 2.0).clamp(1e-12, 0.05);
        Axis::logarithmic(low..1.0, decades(low, 1.0, most), share_label)
    }
}

/// The powers of ten from `low` to `high`; only every second or third if there are more than `most`, but always the
/// last one.
fn decades(low: f64, high: f64, most: usize) -> Vec<f64> {
    let (first, last) = ((low.log10() - 1e-9).ceil() as i32, (high.log10() + 1e-9).floor() as i32);
    let count = (last - first + 1).max(0) as usize;
    let step = count.div_ceil(most.max(1)).max(1);
    let mut ticks: Vec<f64> = (first..=last).rev().step_by(step).map(|power| 10f64.powi(power)).collect();
    ticks.reverse();
    ticks
}

/// The same, and also 2 and 5 times the powers if there are at most two.
fn ticks(low: f64, high: f64, most: usize) -> Vec<f64> {
    let tens = decades(low, high, most);
    if tens.len() > 2 {
        return tens;
    }
    let first = low.log10().floor() as i32;
    let all = (first..first + 4).flat_map(|power| [1.0, 2.0, 5.0].map(|times| times * 10f64.powi(power)));
    all.filter(|tick| (low * 0.999..=high * 1.001).contains(tick)).collect()
}

/// The largest of 1, 2, 5, 10, 20, 50, ... that is not above `value`.
fn round_down(value: f64) -> f64 {
    let decade = 10f64.powi(value.log10().floor() as i32);
    let digit = value / decade;
    decade
        * if digit >= 5.0 {
            5.0
        } else if digit >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// The smallest of these numbers that is above `value`.
fn round_up(value: f64) -> f64 {
    let down = round_down(value);
    let is_two = (down / 10f64.powi(down.log10().floor() as i32)).round() == 2.0;
    if is_two { down * 2.5 } else { down * 2.0 }
}

/// `1 µs`, `200 ns`.
fn time_label(nanos: f64) -> String {
    let (value, unit) = match nanos {
        nanos if nanos < 999.5 => (nanos, "ns"),
        nanos if nanos < 999.5e3 => (nanos / 1e3, "µs"),
        nanos if nanos < 999.5e6 => (nanos / 1e6, "ms"),
        nanos => (nanos / 1e9, "s"),
    };
    format!("{value:.0} {unit}")
}

/// `0`, `1`, `1000`, `10⁶`.
fn guess_label(guesses: f64) -> String {
    match guesses {
        none if none < 0.9 => "0".to_owned(),
        few if few < 9_999.0 => format!("{few:.0}"),
        many => power(many),
    }
}

/// A power of ten: `10⁶`, `10⁻⁴`.
pub(super) fn power(value: f64) -> String {
    let raised = |character: char| match character.to_digit(10) {
        Some(digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize),
        None => Some('⁻'),
    };
    format!("10{}", (value.log10().round() as i32).to_string().chars().filter_map(raised).collect::<String>())
}

/// `100 %`, `0.1 %`, `10⁻⁴ %`.
pub(super) fn share_label(share: f64) -> String {
    if share == 0.0 {
        return "0 %".to_owned();
    }
    let decimals = (-(share * 100.0).log10().round()).clamp(0.0, 12.0) as usize;
    // A longer label would be wider than the space left of the axis.
    if decimals > 2 {
        format!("{} %", power(share * 100.0))
    } else {
        format!("{:.decimals$} %", share * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_and_have_few_labels() {
        for low in [0, 1, 7, 250, 999, 1_000, 123_456] {
            for times in [1, 3, 40, 1_000, 100_000_000] {
                let high = low.max(1) * times;
                let Axis { range, ticks, .. } = Axis::of_times(low, high);
                assert!(range.start <= low.max(1) as f64 && high as f64 <= range.end, "{low} {high}");
                assert!((2..=7).contains(&ticks.len()), "{low} {high} {ticks:?}");
                assert!(
                    ticks.iter().all(|tick| range.start <= *tick && *tick <= range.end * 1.001),
                    "{ticks:?}"
                );
            }
        }
        assert_eq!(Axis::of_times(250, 90_000).ticks, [1_000.0, 10_000.0, 100_000.0]);
        assert_eq!(Axis::of_guesses(0).ticks, [NO_GUESS, 1.0, 2.0]);
        assert_eq!(Axis::of_guesses(120).ticks, [NO_GUESS, 1.0, 10.0, 100.0]);
        assert_eq!(Axis::of_shares(0.0001, 3).ticks.len(), 3);
        let linear = |range, least| Axis::linear(range, least, |_| String::new()).ticks;
        assert_eq!(linear(0.0..5.0, 1.0), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(linear(3.8..90.0, 1.0), [20.0, 40.0, 60.0, 80.0]);
        assert_eq!(linear(0.0..1.0, 0.2).len(), 6);
    }

    #[test]
    fn values_have_places_between_the_ends() {
        let axis = Axis::logarithmic(1.0..10_000.0, Vec::new(), time_label);
        assert_eq!(
            [0.0, 0.5, 1.0, 100.0, 1e4, 1e9].map(|value| axis.part(value)),
            [0.0, 0.0, 0.0, 0.5, 1.0, 1.0]
        );
        let axis = Axis::linear(10.0..20.0, 1.0, time_label);
        assert_eq!([0.0, 10.0, 12.5, 20.0].map(|value| axis.part(value)), [0.0, 0.0, 0.25, 1.0]);
    }

    #[test]
    fn labels_are_short() {
        assert_eq!([1.0, 200.0, 1e3, 5e5, 1e9].map(time_label), ["1 ns", "200 ns", "1 µs", "500 µs", "1 s"]);
        assert_eq!([NO_GUESS, 1.0, 1e3, 1e12].map(guess_label), ["0", "1", "1000", "10¹²"]);
        assert_eq!([1.0, 0.1, 0.01, 1e-4].map(share_label), ["100 %", "10 %", "1 %", "0.01 %"]);
        assert_eq!([1e-5, 1e-6, 1e-12].map(share_label), ["10⁻³ %", "10⁻⁴ %", "10⁻¹⁰ %"]);
    }
}
