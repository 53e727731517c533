//! Numbers as people read them.

/// `1234567` as `1,234,567`.
pub fn group_digits(number: u64) -> String {
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

/// A number and its noun: `1 puzzle`, `2,000 puzzles`.
pub fn pluralize(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", group_digits(number), if number == 1 { one } else { many })
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

/// A part of a whole in percent. Only a part of zero is `0.0 %`, and only the whole is `100.0 %`.
pub fn percent(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match percent {
        _ if part > 0 && percent < 0.05 => "<0.1 %".to_owned(),
        _ if part < whole && percent > 99.95 => ">99.9 %".to_owned(),
        percent => format!("{percent:.1} %"),
    }
}

/// The same for a fraction from 0 to 1.
pub fn fraction_percent(fraction: f64) -> String {
    const WHOLE: f64 = 1e9;
    percent((fraction * WHOLE).round() as u64, WHOLE as u64)
}

/// A ratio with three significant digits.
pub fn three_digits(ratio: f64) -> String {
    let decimals = match ratio {
        ratio if ratio < 0.0995 => 4,
        ratio if ratio < 0.995 => 3,
        ratio if ratio < 9.995 => 2,
        ratio if ratio < 99.95 => 1,
        _ => return group_digits(ratio.round() as u64),
    };
    format!("{ratio:.decimals$}")
}

/// A number of guesses or calls that may be a mean: `12`, `0.50`, `123.5`.
pub fn rounded(value: f64) -> String {
    match value {
        value if value.fract() == 0.0 || value >= 9_999.5 => group_digits(value.round() as u64),
        value if value < 99.95 => format!("{value:.2}"),
        value => format!("{value:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(group_digits), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 1, 2000].map(|n| pluralize(n, "guess", "guesses")),
            ["0 guesses", "1 guess", "2,000 guesses"]
        );
        let nanos = [0.0, 12.5, 812.0, 2413.0, 99_960.0, 999_600.0, 1.2e9, 2e11];
        let words = ["0 ns", "12.5 ns", "812 ns", "2.41 µs", "100 µs", "1.00 ms", "1.20 s", "200 s"];
        assert_eq!(nanos.map(duration), words);
        assert_eq!(percent(0, 0), "0.0 %");
        assert_eq!(percent(1, 1_000_000), "<0.1 %");
        assert_eq!(percent(999_999, 1_000_000), ">99.9 %");
        assert_eq!(percent(5, 5), "100.0 %");
    }

    #[test]
    fn ratios_and_means_for_people() {
        let ratios = [0.01234, 0.25, 1.0, 4.154, 41.54, 415.4, 41_540.0].map(three_digits);
        assert_eq!(ratios, ["0.0123", "0.250", "1.00", "4.15", "41.5", "415", "41,540"]);
        assert_eq!([0.0, 0.5, 12.0, 123.46, 12_345.6].map(rounded), ["0", "0.50", "12", "123.5", "12,346"]);
    }
}
