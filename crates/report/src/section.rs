//! The sections of reports for people: what is shown, in which order. [`text`](super::text),
//! [`markdown`](super::markdown) and [`html`](super::html) write them. A figure knows its place in the JSON report.

use std::fmt::{self, Display};

use serde::Serialize;

use super::run::{Report, SlowPuzzle};
use galop_batch::figures::{
    Bucket, CpuInfo, Distribution, RulesInfo, duration, group_digits, percent, pluralize, rounded,
    three_digits,
};
use galop_compare::{Comparison, Curve, NotablePuzzle, Ratio};

/// A section of a report.
pub(super) enum Section<'a> {
    /// The first line.
    Title {
        /// What was solved or compared.
        what: String,
        /// The rest of the line, in pieces; the emphasised ones are marked.
        rest: Vec<(bool, String)>,
    },
    /// The main figures and their names; page only.
    Headline(Vec<(&'static str, Words)>),
    /// Names and values that describe the run, and its inputs, which only the page shows as a table. Not in the text.
    Facts(Vec<Fact>, Table),
    /// Statuses that occurred, with their counts and shares.
    Statuses(Table),
    /// Names and sentences about the run; text only, because they are facts elsewhere.
    Notes(Vec<(&'static str, Words)>),
    /// What puzzles cost. Not on the page, which has plots and a table of all costs.
    Effort(Effort),
    /// A line with a heading.
    Line(&'static str, String),
    /// A line below the first one.
    Indented(String),
    /// Puzzles to name.
    Puzzles {
        title: &'static str,
        /// What is said behind the title.
        about: &'static str,
        /// The place of the list in the JSON report.
        place: Place,
        rules: &'a RulesInfo,
        puzzles: &'a [SlowPuzzle],
    },
    /// The first malformed records, and the number of all; not in the text, because the terminal shows them during the
    /// run.
    Malformed(&'a [String], u64),
    /// Figures of engines or problems.
    Table(Table),
    /// The same, page only.
    PageTable(Table),
    /// Plots; page only.
    Plots(Plots<'a>),
    /// A paragraph of explanation; not in the text.
    Explanation(String),
    /// The same, page only.
    PageNote(String),
    /// Reasons to doubt the figures, with their place in the JSON report; not in the text, because the terminal shows
    /// them after the report.
    Warnings(Place, &'a [String]),
    /// The puzzles on which an engine and the reference differ most.
    Notable {
        /// The engine.
        engine: &'a str,
        /// The reference.
        reference: &'a str,
        /// The place of the list in the JSON report.
        place: Place,
        rules: Option<&'a RulesInfo>,
        /// Whether the page folds them, because there are many such sections.
        is_folded: bool,
        /// The puzzles, the largest difference first.
        puzzles: &'a [NotablePuzzle],
    },
}

/// What plots are drawn of.
pub(super) enum Plots<'a> {
    Run(&'a Report),
    Puzzles(&'a Comparison),
    Problems(&'a Comparison),
    Growth(Vec<&'a Curve>),
}

/// A place in the JSON report: names and numbers, joined by dots.
#[derive(Clone, Debug)]
pub(super) struct Place(pub(super) String);

impl Place {
    /// The place called `name` in this one.
    pub(super) fn at(&self, name: impl Display) -> Place {
        Place(if self.0.is_empty() { name.to_string() } else { format!("{}.{name}", self.0) })
    }

    /// The figure called `name`, whose value is written as `shown`.
    pub(super) fn figure(&self, name: &str, value: impl Serialize, shown: impl Into<String>) -> Words {
        // Numbers, strings and lists of them cannot fail to serialise.
        let value = serde_json::to_string(&value).unwrap_or_default();
        let figure = Some(Figure { place: self.at(name).0, value });
        Words(vec![Piece { text: shown.into(), kind: Kind::Plain, figure }])
    }

    /// The same if the value is known.
    pub(super) fn known<T: Serialize + Copy>(
        &self,
        name: &str,
        value: Option<T>,
        shown: impl FnOnce(T) -> String,
    ) -> Words {
        value.map_or_else(|| UNKNOWN.into(), |value| self.figure(name, value, shown(value)))
    }
}

/// A value as people read it: pieces that follow each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(pub(super) Vec<Piece>);

/// A piece of a value.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) kind: Kind,
    /// The figure that it shows.
    pub(super) figure: Option<Figure>,
}

/// What a piece is, which decides how it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Our own words and numbers.
    Plain,
    /// Text that may look like markup: names of files.
    Foreign,
    /// Program text, such as a command.
    Code,
    /// Small print; page only.
    Aside,
    /// Words that the page writes small, below the others.
    Below,
    /// The name of the engine that has this number in the plots.
    Series(usize),
}

/// A figure of the JSON report.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// Its place there.
    pub(super) place: String,
    /// Its value as JSON.
    pub(super) value: String,
}

impl Words {
    /// Words of one kind.
    pub(super) fn of(kind: Kind, text: impl Into<String>) -> Words {
        Words(vec![Piece { text: text.into(), kind, figure: None }])
    }

    /// These words as words of another kind.
    pub(super) fn kind(mut self, kind: Kind) -> Words {
        self.0.iter_mut().for_each(|piece| piece.kind = kind);
        self
    }

    /// These words and others.
    pub(super) fn and(mut self, others: impl Into<Words>) -> Words {
        self.0.extend(others.into().0);
        self
    }
}

impl<T: Into<String>> From<T> for Words {
    fn from(text: T) -> Words {
        Words::of(Kind::Plain, text)
    }
}

/// The words without small print.
impl Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pieces = self.0.iter().filter(|piece| piece.kind != Kind::Aside);
        pieces.try_for_each(|piece| f.write_str(&piece.text))
    }
}

/// A name and a value.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: Words,
    pub(super) readers: Readers,
}

/// Who reads a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readers {
    All,
    /// Readers of Markdown: what the page has in its table of inputs.
    Markdown,
    /// Readers of the page.
    Page,
}

impl Fact {
    pub(super) fn new(name: &'static str, value: impl Into<Words>) -> Fact {
        Fact { name, value: value.into(), readers: Readers::All }
    }

    pub(super) fn for_readers(self, readers: Readers) -> Fact {
        Fact { readers, ..self }
    }

    /// The command that was typed, if it is known.
    pub(super) fn command(place: &Place, command: Option<&String>) -> Option<Fact> {
        command
            .map(|command| Fact::new("command", place.figure("command", command, command).kind(Kind::Code)))
    }

    pub(super) fn machine(place: &Place, machine: &CpuInfo) -> Fact {
        let (CpuInfo { cpu, cores, os, arch }, place) = (machine, place.at("machine"));
        let number = pluralize(*cores as u64, "core", "cores");
        let (os, arch) = (place.figure("os", os, os), place.figure("arch", arch, arch));
        let cpu = place.figure("cpu", cpu, cpu).and(", ").and(place.figure("cores", cores, number));
        Fact::new("machine", cpu.and(", ").and(os).and(" ").and(arch))
    }
}

/// A number with its digits in groups.
pub(super) fn number(place: &Place, name: &str, value: u64) -> Words {
    place.figure(name, value, group_digits(value))
}

/// A limit, or `none`.
pub(super) fn or_none(limit: Option<u64>) -> String {
    limit.map_or("none".to_owned(), group_digits)
}

/// The SHA-256 sum of an input in a table.
pub(super) fn checksum(place: &Place, sum: Option<&String>) -> Words {
    place.figure("sha256", sum, sum.map_or("–", String::as_str)).kind(Kind::Code)
}

/// The columns of [`percentiles`], and of the names before them.
pub(super) const PERCENTILES: [&str; 7] = ["", "mean", "p50", "p90", "p99", "p99.9", "max"];

/// The usual figures of the distribution at `place`.
pub(super) fn percentiles(
    place: &Place,
    distribution: &Distribution,
    mean_shown: fn(f64) -> String,
    shown: fn(f64) -> String,
) -> [Words; 6] {
    let Distribution { mean, p50, p90, p99, p99_9, max, .. } = *distribution;
    let of = |name, value: u64| place.figure(name, value, shown(value as f64));
    let mean = place.figure("mean", mean, mean_shown(mean));
    [mean, of("p50", p50), of("p90", p90), of("p99", p99), of("p99_9", p99_9), of("max", max)]
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
    /// Its name; page only.
    pub(super) title: &'static str,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Vec<Words>>,
}

impl Table {
    pub(super) fn new<T: ToString>(
        title: &'static str,
        header: impl IntoIterator<Item = T>,
        rows: Vec<Vec<Words>>,
    ) -> Table {
        Table { title, header: header.into_iter().map(|name| name.to_string()).collect(), rows }
    }
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

/// Which puzzles are notable.
pub(super) const NOTABLE: &str =
    "The puzzles whose ratio of times is furthest from the median ratio, slower or faster.";

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

/// The cells of the notable puzzle at `place`: times of the engine and the reference, their ratio, and guesses of both.
pub(super) fn notable_row(place: &Place, puzzle: &NotablePuzzle) -> [Words; 5] {
    let time = |name, nanos| place.figure(name, nanos, duration(nanos));
    let guesses = |name, guesses| place.figure(name, guesses, rounded(guesses));
    [
        time("nanos", puzzle.nanos),
        time("reference_nanos", puzzle.reference_nanos),
        three_digits(puzzle.nanos.max(1.0) / puzzle.reference_nanos.max(1.0)).into(),
        guesses("guesses", puzzle.guesses),
        guesses("reference_guesses", puzzle.reference_guesses),
    ]
}

/// What stands for a figure that is not known.
pub(super) const UNKNOWN: &str = "-";

/// The ratio at `place` of an engine to the reference: `2.35 (2.30–2.41)`; `1` for the reference.
pub(super) fn ratio(place: &Place, ratio: Option<Ratio>, is_reference: bool) -> Words {
    let place = place.at("ratio");
    let part = |name, value: f64| place.figure(name, value, three_digits(value));
    match ratio {
        Some(Ratio { middle, low: Some(low), high: Some(high), .. }) => {
            let (low, high) = (part("low", low), part("high", high));
            let interval = Words::from(" (").and(low).and("–").and(high).and(")");
            part("middle", middle).and(interval.kind(Kind::Below))
        }
        Some(Ratio { middle, .. }) => part("middle", middle),
        None if is_reference => Words::from("1").and(Words::of(Kind::Aside, " reference")),
        None => UNKNOWN.into(),
    }
}

/// `time` as `Time`.
pub(super) fn capitalised(words: &str) -> String {
    let (first, rest) = words.split_at(usize::from(!words.is_empty()));
    first.to_ascii_uppercase() + rest
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
