//! Numbers as people read them, and the ranges that histograms are drawn in.

use crate::figures::Bucket;

/// `1234567` as `1,234,567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 puzzle`, `2,000 puzzles`.
pub fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { many })
}

/// Nanoseconds with three digits and a fitting unit: `812 ns`, `2.41 µs`, `1.20 s`.
pub fn duration(nanos: f64) -> String {
    let (value, unit) = match nanos {
        nanos if nanos < 999.5 => (nanos, "ns"),
        nanos if nanos < 999.5e3 => (nanos / 1e3, "µs"),
        nanos if nanos < 999.5e6 => (nanos / 1e6, "ms"),
        nanos => (nanos / 1e9, "s"),
    };
    let decimals = match value {
        _ if unit == "ns" && value.fract() == 0.0 => 0,
        value if value < 9.995 => 2,
        value if value < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// A part of a whole in percent; neither none nor all unless it is.
pub fn share(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match percent {
        _ if part > 0 && percent < 0.05 => "<0.1 %".to_owned(),
        _ if part < whole && percent > 99.95 => ">99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// Where the drawn range of a time begins: 1, 2, 5, 10, 20, 50, ... nanoseconds.
pub(super) fn time_start(nanos: u64) -> u64 {
    let Some(exponent) = nanos.checked_ilog10() else { return 0 };
    let decade = 10u64.pow(exponent);
    match nanos / decade {
        1 => decade,
        2..5 => 2 * decade,
        _ => 5 * decade,
    }
}

/// Where the drawn range of a time that begins at `start` ends: the next one's start.
fn time_end(start: u64) -> u64 {
    match start.checked_ilog10() {
        None => 1,
        Some(exponent) if start / 10u64.pow(exponent) == 2 => start / 2 * 5,
        Some(_) => start.saturating_mul(2),
    }
}

/// Where the drawn range of a number of guesses begins: 0, 1, 2, 4, 8, ...
pub(super) fn guess_start(guesses: u64) -> u64 {
    guesses.checked_ilog2().map_or(0, |exponent| 1 << exponent)
}

/// `500 ns – 1 µs`.
pub(super) fn time_label(bar: &Bucket) -> String {
    let start = time_start(bar.from);
    let round = |nanos: u64| match nanos {
        nanos if nanos < 1_000 => format!("{nanos} ns"),
        nanos if nanos < 1_000_000 => format!("{} µs", nanos / 1_000),
        nanos if nanos < 1_000_000_000 => format!("{} ms", nanos / 1_000_000),
        nanos => format!("{} s", nanos / 1_000_000_000),
    };
    format!("{} – {}", round(start), round(time_end(start)))
}

/// `0`, `1`, `2–3`, `4–7`.
pub(super) fn guess_label(bar: &Bucket) -> String {
    match guess_start(bar.from) {
        start @ (0 | 1) => start.to_string(),
        start => format!("{}–{}", thousands(start), thousands(start + (start - 1))),
    }
}

/// A bar of `count` where `largest` takes `width` characters, in eighths of a character; something for all
/// that is not zero.
pub(super) fn bar(count: u64, largest: u64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (count as f64 / largest.max(1) as f64 * (8 * width) as f64).round() as usize;
    let eighths = eighths.max(usize::from(count > 0)).min(8 * width);
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1, 2000].map(|n| counted(n, "guess", "guesses")),
            ["0 guesses", "1 guess", "2,000 guesses"]
        );
        let nanos = [0.0, 12.5, 812.0, 2413.0, 99_960.0, 999_600.0, 1.2e9, 2e11];
        let words = ["0 ns", "12.5 ns", "812 ns", "2.41 µs", "100 µs", "1.00 ms", "1.20 s", "200 s"];
        assert_eq!(nanos.map(duration), words);
        assert_eq!(share(0, 0), "0.0 %");
        assert_eq!(share(1, 1_000_000), "<0.1 %");
        assert_eq!(share(999_999, 1_000_000), ">99.9 %");
        assert_eq!(share(5, 5), "100.0 %");
    }

    #[test]
    fn every_value_lies_in_its_drawn_range() {
        let values = (0..3000).chain((1..64).map(|bit| 1u64 << bit)).chain([u64::MAX]);
        for value in values {
            let start = time_start(value);
            assert!(start <= value && (value < time_end(start) || time_end(start) == u64::MAX), "{value}");
            let start = guess_start(value);
            assert!(start <= value && value <= start.max(1) - 1 + start.max(1), "{value}");
        }
        let label = |from| time_label(&Bucket { from, to: from, count: 1 });
        assert_eq!([700, 1_000, 25_000].map(label), ["500 ns – 1 µs", "1 µs – 2 µs", "20 µs – 50 µs"]);
        let label = |from| guess_label(&Bucket { from, to: from, count: 1 });
        assert_eq!([0, 1, 3, 5, 1024].map(label), ["0", "1", "2–3", "4–7", "1,024–2,047"]);
    }

    #[test]
    fn bars_are_in_proportion_and_never_vanish() {
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(5, 10, 3), "█▌");
        assert_eq!(bar(1, 1_000_000, 4), "▏");
        assert_eq!(bar(0, 10, 4), "");
    }
}
