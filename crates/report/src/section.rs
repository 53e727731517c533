//! The sections of reports for people: what is shown, in which order. [`text`](super::text) and
//! [`markdown`](super::markdown) write them.

use super::run::SlowPuzzle;
use galop_batch::figures::{Bucket, duration, group_digits, percent, rounded, three_digits};
use galop_compare::{EngineFigures, NotablePuzzle, Ratio};

/// A section of a report.
pub(super) enum Section<'a> {
    /// The first line.
    Title {
        /// What was solved or compared.
        what: String,
        /// The rest of the line, in pieces; the emphasised ones are marked.
        rest: Vec<(bool, String)>,
    },
    /// Names and values that describe the run; Markdown only.
    Facts(Vec<Fact>),
    /// Statuses that occurred, with their counts, and the number of all records.
    Statuses(Vec<(&'static str, u64)>, u64),
    /// Names and sentences about the run; text only, because they are facts in Markdown.
    Notes(Vec<(&'static str, String)>),
    /// What puzzles cost.
    Effort(Effort),
    /// A line with a heading.
    Line(&'static str, String),
    /// A line below the first one.
    Indented(String),
    /// Puzzles to name: the heading, what is said behind it, and the puzzles.
    Puzzles(&'static str, &'static str, &'a [SlowPuzzle]),
    /// The first malformed records; Markdown only, because the terminal shows them during the run.
    Malformed(&'a [String]),
    /// The engines of a comparison.
    Ranking(Table),
    /// A paragraph of explanation; Markdown only.
    Explanation(String),
    /// Reasons to doubt the figures; Markdown only, because the terminal shows them after the report.
    Warnings(&'a [String]),
    /// The puzzles on which an engine and the reference differ most.
    Notable {
        /// The engine.
        engine: &'a str,
        /// The reference.
        reference: &'a str,
        /// The puzzles, the largest difference first.
        puzzles: &'a [NotablePuzzle],
    },
}

/// A name and a value.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    /// Whether the value is program text, such as a command.
    pub(super) is_code: bool,
}

impl Fact {
    pub(super) fn new(name: &'static str, value: impl ToString) -> Fact {
        Fact { name, value: value.to_string(), is_code: false }
    }

    /// The command that was typed, if it is known.
    pub(super) fn command(command: Option<&String>) -> Option<Fact> {
        command.map(|command| Fact { name: "command", value: command.clone(), is_code: true })
    }
}

/// The distribution of what puzzles cost.
pub(super) struct Effort {
    /// The cost: `time`, `guesses`.
    pub(super) of: &'static str,
    /// Names and values of the usual figures.
    pub(super) figures: Vec<(&'static str, String)>,
    /// Whether the puzzles were solved many at once, so that a puzzle's time is a share.
    pub(super) is_shared: bool,
    /// The histogram.
    pub(super) bars: Vec<Bar>,
}

/// One range of a histogram.
pub(super) struct Bar {
    /// The range: `2–3`.
    pub(super) label: String,
    /// The number of puzzles in it.
    pub(super) count: String,
    /// Their part of all puzzles in percent.
    pub(super) percent: String,
    /// Their part of the largest range, 0 to 1.
    length: f64,
}

/// A table. The first column holds words, all others numbers.
pub(super) struct Table {
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Bar {
    /// The bars of these ranges, which have names and hold `all` values.
    pub(super) fn of(ranges: Vec<(String, Bucket)>, all: u64) -> Vec<Bar> {
        let largest = ranges.iter().map(|(_, bar)| bar.count).max().unwrap_or(0);
        let bar = |(label, bucket): (String, Bucket)| Bar {
            label,
            count: group_digits(bucket.count),
            percent: percent(bucket.count, all),
            length: bucket.count as f64 / largest.max(1) as f64,
        };
        ranges.into_iter().map(bar).collect()
    }

    /// The bar drawn in eighths of a character; the largest bar is `width` characters long. A bar that is not zero is
    /// at least an eighth long.
    pub(super) fn draw(&self, width: usize) -> String {
        const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
        let eighths = (self.length * (8 * width) as f64).round() as usize;
        let eighths = eighths.max(usize::from(self.length > 0.0)).min(8 * width);
        "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
    }
}

/// The names of the columns of [`notable_row`].
pub(super) fn notable_header(engine: &str, reference: &str) -> [String; 5] {
    [
        format!("time {engine}"),
        format!("time {reference}"),
        "ratio".into(),
        format!("guesses {engine}"),
        format!("guesses {reference}"),
    ]
}

/// The cells of a notable puzzle in a table: times of the engine and the reference, their ratio, and guesses of both.
pub(super) fn notable_row(puzzle: &NotablePuzzle) -> [String; 5] {
    [
        duration(puzzle.nanos),
        duration(puzzle.reference_nanos),
        three_digits(puzzle.nanos.max(1.0) / puzzle.reference_nanos.max(1.0)),
        rounded(puzzle.guesses),
        rounded(puzzle.reference_guesses),
    ]
}

/// What stands for a figure that is not known.
pub(super) const UNKNOWN: &str = "-";

/// The ratio of an engine to the reference, in words.
pub(super) fn ratio(engine: &EngineFigures, reference: &str) -> String {
    ratio_in_words(engine.ratio, engine.name == reference)
}

/// `2.35 (2.30–2.41)`; `1` for the reference.
pub(super) fn ratio_in_words(ratio: Option<Ratio>, is_reference: bool) -> String {
    match ratio {
        Some(Ratio { middle, low: Some(low), high: Some(high), .. }) => {
            let [middle, low, high] = [middle, low, high].map(three_digits);
            format!("{middle} ({low}–{high})")
        }
        Some(Ratio { middle, .. }) => three_digits(middle),
        None if is_reference => "1".to_owned(),
        None => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_in_proportion_and_never_vanish() {
        let bar = |count: u64, largest: u64, width| {
            let length = count as f64 / largest as f64;
            Bar { label: String::new(), count: String::new(), percent: String::new(), length }.draw(width)
        };
        assert_eq!(bar(10, 10, 4), "████");
        assert_eq!(bar(5, 10, 3), "█▌");
        assert_eq!(bar(1, 1_000_000, 4), "▏");
        assert_eq!(bar(0, 10, 4), "");
    }
}
