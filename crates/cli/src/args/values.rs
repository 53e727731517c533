//! The values of options: names of tables, numbers, ranges, times.

use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use galop_batch::figures::group_digits;
use galop_batch::output;
use galop_batch::pipeline::{CHOICES, Choice, Shard};
use galop_corpora::By;
use galop_corpora::generate::{CLUE_SYMMETRIES, ClueSymmetry, Negative};
use galop_corpora::symmetry::FormKind;
use galop_engines::engine::{Entry, Isa};
use galop_explain as explain;
use galop_explain::{Level, TECHNIQUES, Technique};

use crate::messages;

/// The rows of a table by their names; the help describes each of them.
pub(super) fn table_parser<T: Copy + Send + Sync + 'static>(
    rows: impl IntoIterator<Item = T>,
    value: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T> {
    let rows: Vec<T> = rows.into_iter().collect();
    PossibleValuesParser::new(rows.iter().map(|&row| value(row))).try_map(move |name| {
        let is_named = |row: &T| value(*row).matches(&name, false);
        rows.iter().copied().find(is_named).ok_or("unknown name")
    })
}

/// A value of an option, and what the help says of it.
pub(super) fn value(name: &'static str, about: &'static str) -> PossibleValue {
    PossibleValue::new(name).help(about)
}

/// A name of the table of engines.
pub(super) fn engine_parser() -> impl TypedValueParser<Value = &'static Entry> {
    table_parser(galop_published::every(), |entry| {
        // `galop compare` and `galop engines` show the published solvers.
        let is_published = galop_published::ENGINES.iter().any(|other| std::ptr::eq(other, entry));
        value(entry.name, entry.about).aliases(entry.alias).hide(is_published)
    })
}

/// A group of techniques; the value is the last technique of the group.
pub(super) fn group_parser() -> impl TypedValueParser<Value = &'static Technique> {
    let values = explain::groups().map(|(name, _)| PossibleValue::new(name));
    PossibleValuesParser::new(values).try_map(|name| {
        let group = explain::groups().find(|(group, _)| *group == name);
        group.map(|(_, last)| last).ok_or("unknown group")
    })
}

/// A technique by its name.
pub(super) fn technique(text: &str) -> Result<&'static Technique, String> {
    explain::named(text).ok_or_else(|| {
        let names: Vec<&str> = TECHNIQUES.iter().map(|technique| technique.name).collect();
        format!("the techniques are {}", names.join(", "))
    })
}

/// What `--without` does.
pub(super) fn without_help() -> String {
    let names: Vec<&str> = TECHNIQUES.iter().map(|technique| technique.name).collect();
    format!(
        "Use none of these techniques: a list with commas, such as x-wing,unique-rectangle\n\n\
         The techniques are {}. Hyphens stand for spaces. Without bifurcation, the steps may end before the solution, \
         and a puzzle with several solutions or none may go unnoticed.",
        names.join(", ")
    )
}

/// What `--max-guesses` does for `engines`; `others` are defaults besides those of the engines.
pub(super) fn max_guesses_help(engines: impl Iterator<Item = &'static Entry>, others: &str) -> String {
    let mut limits: Vec<(u64, Vec<&str>)> = Vec::new();
    for entry in engines.filter(|entry| entry.max_guesses > 0) {
        match limits.iter_mut().find(|(limit, _)| *limit == entry.max_guesses) {
            Some((_, names)) => names.push(entry.name),
            None => limits.push((entry.max_guesses, vec![entry.name])),
        }
    }
    limits.sort_unstable();
    let limit =
        |(limit, names): &(u64, Vec<&str>)| format!("{} for {}", group_digits(*limit), names.join(", "));
    let limits: Vec<String> = limits.iter().map(limit).collect();
    format!(
        "Give up a puzzle after N guesses [default: the limit of the engine: {}{others}]\n\n\
         A guess is a choice that is tried while another is still open: the last candidate of a cell is not a guess.",
        limits.join("; ")
    )
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("`{text}` is not a whole number from 1")),
    }
}

/// The largest number of threads: more than most machines have cores. Each thread takes memory and time to start.
const MOST_THREADS: usize = 1024;

/// A number of threads; 0 means one per core.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number <= MOST_THREADS => Ok(number),
        _ if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) => Err(format!(
            "more than {MOST_THREADS} threads only take memory and time to start; 0 starts one per core"
        )),
        _ => Err(format!("`{text}` is not a whole number from 0 to {MOST_THREADS}")),
    }
}

/// A number of bytes: a whole number, and behind it nothing, K, M or G for powers of 1,024.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last().map(u8::to_ascii_uppercase) {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.ok_or_else(|| format!("`{text}` is not a number of bytes, such as 64M or 2G"))
}

/// A name of what makes two records equal.
pub(super) fn by_parser() -> impl TypedValueParser<Value = By> {
    table_parser(By::ALL, |by| value(by.name(), by.about()))
}

/// A shard: `3/10` is the third of ten.
pub(super) fn shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<u64>().ok();
    let shard = text.split_once('/').and_then(|(index, count)| Shard::new(number(index)?, number(count)?));
    shard.ok_or_else(|| format!("`{text}` is not a shard: I/N, where I is from 1 to N, such as 3/10"))
}

/// The names of all instruction sets; those that this machine lacks are refused.
pub(super) fn isa_parser() -> impl TypedValueParser<Value = Isa> {
    let parser = PossibleValuesParser::new(Isa::ALL.map(Isa::name));
    parser.try_map(|name| named_isa(&name, Isa::is_available))
}

/// The instruction set of that name, if it `is_available`.
pub(super) fn named_isa(name: &str, is_available: fn(Isa) -> bool) -> Result<Isa, String> {
    Isa::ALL.into_iter().find(|isa| isa.name() == name && is_available(*isa)).ok_or_else(|| {
        let there: Vec<&str> = Isa::ALL.into_iter().filter(|isa| is_available(*isa)).map(Isa::name).collect();
        format!("this machine lacks it; it has {}", there.join(", "))
    })
}

/// A share from 0 to 1: `0.01` or `1%`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number.trim_end(), 100.0));
    match number.parse::<f64>() {
        Ok(number) if (0.0..=whole).contains(&number) => Ok(number / whole),
        _ => Err(format!("`{text}` is not a share: 0 to 1, or 0% to 100%")),
    }
}

/// How many records are tests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Tests {
    Share(f64),
    Count(usize),
}

/// A share, or a number of records above 1.
pub(super) fn tests(text: &str) -> Result<Tests, String> {
    match text.parse() {
        Ok(count) if count > 1 => Ok(Tests::Count(count)),
        _ => share(text).map(Tests::Share).map_err(|error| error + ", or a number of records such as 2000"),
    }
}

/// The rows in their order, each once.
pub(super) fn each_once<T>(rows: impl IntoIterator<Item = &'static T>) -> Vec<&'static T> {
    let mut once: Vec<&'static T> = Vec::new();
    for row in rows {
        if !once.iter().any(|earlier| std::ptr::eq(*earlier, row)) {
            once.push(row);
        }
    }
    once
}

/// The columns of a table, which can be chosen.
pub(super) fn column_parser<P, N>(
    columns: impl IntoIterator<Item = &'static output::Column<P, N>>,
) -> impl TypedValueParser<Value = &'static output::Column<P, N>>
where
    output::Column<P, N>: Send + Sync + 'static,
{
    table_parser(columns, |column| value(column.name, column.about))
}

/// The columns of answers. docs/formats.md describes them.
pub(super) fn answer_column_parser() -> impl TypedValueParser<Value = &'static output::AnswerColumn> {
    table_parser(output::COLUMNS, |column| PossibleValue::new(column.name))
}

/// The levels by their names, with a hyphen for a space.
pub(super) fn level_parser() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(LEVELS.map(|(name, _)| name)).try_map(|name| {
        LEVELS.into_iter().find(|(known, _)| *known == name).map(|(_, level)| level).ok_or("unknown level")
    })
}

/// The levels, as words of the command line.
const LEVELS: [(&str, Level); 6] = [
    ("easy", Level::Easy),
    ("medium", Level::Medium),
    ("hard", Level::Hard),
    ("very-hard", Level::VeryHard),
    ("fiendish", Level::Fiendish),
    ("ultra-hard", Level::UltraHard),
];

/// What a canonical form is the least of.
pub(super) fn form_parser() -> impl TypedValueParser<Value = FormKind> {
    table_parser([FormKind::Solution, FormKind::Direct], |kind| {
        let about = match kind {
            FormKind::Solution => "the images of the solution grid, with the clues that go with it",
            FormKind::Direct => "the images of the puzzle itself, whatever its solutions",
        };
        value(kind.name(), about)
    })
}

/// What the records of the output can be chosen by.
pub(super) fn choice_parser() -> impl TypedValueParser<Value = &'static Choice> {
    table_parser(CHOICES, |choice| PossibleValue::new(choice.name))
}

/// The format of an output: the one that was `named`, or else that of its name, or else the first one.
pub(super) fn format_or(
    named: Option<&'static output::FormatEntry>,
    output: Option<&Path>,
) -> &'static output::FormatEntry {
    named.or_else(|| output.and_then(output::format_of)).unwrap_or(&output::FORMATS[0])
}

/// The formats of `values`, by their names. Parquet is no format, and is refused with what helps.
fn format_parser_of(
    values: impl Iterator<Item = PossibleValue>,
) -> impl TypedValueParser<Value = &'static output::FormatEntry> {
    let parquet = PossibleValue::new("parquet").hide(true);
    PossibleValuesParser::new(values.chain([parquet]))
        .try_map(|name| output::format(&name).ok_or_else(|| messages::no_parquet_is_written(None)))
}

/// The table of output formats: name and description.
pub(super) fn format_parser() -> impl TypedValueParser<Value = &'static output::FormatEntry> {
    format_parser_of(output::FORMATS.iter().map(|format| PossibleValue::new(format.name)))
}

/// The formats to which records are converted.
pub(super) fn converted_format_parser() -> impl TypedValueParser<Value = &'static output::FormatEntry> {
    let converted = |format: &output::FormatEntry| Some(value(format.name, format.about_converted()?));
    format_parser_of(output::FORMATS.iter().filter_map(converted))
}

/// A symmetry of clues.
pub(super) fn clue_symmetry_parser() -> impl TypedValueParser<Value = &'static ClueSymmetry> {
    table_parser(CLUE_SYMMETRIES, |symmetry| value(symmetry.name, symmetry.about).aliases(symmetry.alias))
}

/// The status of puzzles that have not one solution.
pub(super) fn negative_parser() -> impl TypedValueParser<Value = Negative> {
    table_parser(Negative::ALL, |negative| PossibleValue::new(negative.status().word()))
}

/// A range that includes both ends: `30..36`, `30..=36` or `30`.
pub(super) fn clue_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let number =
        |text: &str| text.trim().parse::<usize>().map_err(|_| format!("`{text}` is not a number of clues"));
    match text.split_once("..") {
        Some((from, to)) => Ok(number(from)?..=number(to.strip_prefix('=').unwrap_or(to))?),
        None => number(text).map(|clues| clues..=clues),
    }
}

/// Lines from 1, as a range that includes both ends: `5..10`, `5..`, `..10` or `5`.
pub(super) fn line_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    match range(text, 1)? {
        lines if *lines.start() == 0 => Err("lines count from 1".to_owned()),
        lines => Ok(lines),
    }
}

/// Numbers from 0, as a range that includes both ends: `5..10`, `5..`, `..10` or `5`.
pub(super) fn number_range(text: &str) -> Result<RangeInclusive<u64>, String> {
    range(text, 0)
}

/// A range that includes both ends. One without a start begins at `least`.
fn range(text: &str, least: u64) -> Result<RangeInclusive<u64>, String> {
    let number = |text: &str| {
        let expected = "expected A..B, A.., ..B or N, such as 5..10";
        text.trim().parse::<u64>().map_err(|_| format!("`{text}` is not a whole number; {expected}"))
    };
    let (from, to) = match text.split_once("..") {
        Some((from, to)) => (from, to.strip_prefix('=').unwrap_or(to)),
        None => (text, text),
    };
    let from = if from.is_empty() && !to.is_empty() { least } else { number(from)? };
    let to = if to.is_empty() { u64::MAX } else { number(to)? };
    if to < from {
        return Err(format!("the range ends at {to}, before it begins at {from}"));
    }
    Ok(from..=to)
}

/// A time in seconds: `10`, `0.5`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.ok_or_else(|| format!("`{text}` is not a number of seconds, such as 10 or 0.5"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clue_ranges_include_both_ends() {
        assert_eq!(clue_range("30..36"), Ok(30..=36));
        assert_eq!(clue_range("30..=36"), Ok(30..=36));
        assert_eq!(clue_range("24"), Ok(24..=24));
        assert!(clue_range("a..3").is_err() && clue_range("..").is_err());
    }

    #[test]
    fn ranges_include_both_ends_and_may_be_open() {
        for (text, expected) in [("5..10", 5..=10), ("5..=10", 5..=10), ("5..", 5..=u64::MAX), ("7", 7..=7)] {
            assert_eq!(line_range(text).as_ref(), Ok(&expected));
            assert_eq!(number_range(text), Ok(expected));
        }
        assert_eq!((line_range("..9"), number_range("..9")), (Ok(1..=9), Ok(0..=9)));
        assert_eq!(number_range("0..0"), Ok(0..=0));
        assert_eq!(line_range("5..3").unwrap_err(), "the range ends at 3, before it begins at 5");
        assert_eq!(line_range("0..").unwrap_err(), "lines count from 1");
        assert!(line_range("..0").is_err());
        for text in ["", "..", "a..3", "1..b", "-1..3", "1...3", "99999999999999999999"] {
            assert!(
                number_range(text).unwrap_err().contains("is not a whole number; expected A..B"),
                "{text}"
            );
        }
    }

    #[test]
    fn shares_are_parts_or_percents() {
        let good = [("0", 0.0), ("0.01", 0.01), ("1", 1.0), ("1%", 0.01), ("2.5 %", 0.025), ("100%", 1.0)];
        for (text, value) in good {
            assert_eq!(share(text), Ok(value));
        }
        for text in ["", "%", "5", "-0.1", "101%", "nan", "inf", "many"] {
            assert!(share(text).is_err(), "{text}");
        }
        assert_eq!(["1", "2000"].map(tests), [Ok(Tests::Share(1.0)), Ok(Tests::Count(2000))]);
        assert!(tests("2.5").unwrap_err().ends_with("or a number of records such as 2000"));
    }

    #[test]
    fn shards_count_from_1() {
        assert_eq!(shard("3/10").ok(), Shard::new(3, 10));
        for text in ["", "3", "/", "0/3", "4/3", "a/3", "1/0", "-1/3", "1/3/3", "99999999999999999999/1"] {
            assert!(shard(text).unwrap_err().contains("is not a shard"), "{text}");
        }
    }

    #[test]
    fn threads_have_an_upper_bound() {
        assert_eq!((threads("0"), threads("1024")), (Ok(0), Ok(1024)));
        for text in ["1025", "9223372036854775808", "99999999999999999999999"] {
            assert!(threads(text).unwrap_err().starts_with("more than 1024 threads"), "{text}");
        }
        for text in ["", "-1", "many", "1.5"] {
            assert!(threads(text).unwrap_err().contains("not a whole number"), "{text}");
        }
    }

    #[test]
    fn seconds_are_any_number_not_below_0() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        assert_eq!(seconds("3"), Ok(Duration::from_secs(3)));
        for text in ["", "-1", "nan", "inf", "soon", "1e300"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }

    #[test]
    fn instruction_sets_are_those_of_the_machine() {
        let old = |isa| isa == Isa::Portable;
        assert_eq!(named_isa("portable", old), Ok(Isa::Portable));
        let refused = named_isa("avx2", old).unwrap_err();
        assert_eq!(refused, "this machine lacks it; it has portable");
        for isa in Isa::ALL {
            assert_eq!(named_isa(isa.name(), |_| true), Ok(isa));
        }
    }
}
