//! Reads a problem in one pass over the bytes, with one table look-up for each word.

use crate::problem::names::is_blank;
use crate::problem::{Bounds, Builder, ExactCover, Fault, TextError};

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The problem.
    pub problem: ExactCover,
    /// The options that were dropped.
    pub dropped: Dropped,
}

/// Options that were dropped because they have no primary item: no search would choose them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// How many were dropped.
    pub count: u64,
    /// The lines (from 1) of the first ten.
    pub lines: Vec<u64>,
}

impl Dropped {
    /// Line numbers that are kept.
    const KEPT: usize = 10;

    fn add(&mut self, line: u64) {
        self.count += 1;
        if self.lines.len() < Self::KEPT {
            self.lines.push(line);
        }
    }
}

/// Reads the text of a problem.
///
/// # Errors
/// The first error in the text, with its line and column.
pub fn read(bytes: &[u8]) -> Result<Text, TextError> {
    let bytes_of_mark = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut builder = ExactCover::builder();
    let mut dropped = Dropped::default();
    let (mut has_items, mut line, mut start, mut skip) = (false, 0, 0, bytes_of_mark);
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        line += 1;
        let words = Words { line: &bytes[start..end], at: std::mem::take(&mut skip) };
        start = end + 1;
        if words.is_comment_or_empty() {
            continue;
        }
        let in_line = |Misplaced { at, fault }| TextError { line, column: at as u64 + 1, fault };
        if !has_items {
            read_items(&mut builder, words).map_err(in_line)?;
            has_items = true;
        } else if !read_option(&mut builder, words).map_err(in_line)? {
            dropped.add(line);
        }
    }
    let problem = builder.build().map_err(|fault| TextError { line: line.max(1), column: 1, fault })?;
    Ok(Text { problem, dropped })
}

impl std::str::FromStr for ExactCover {
    type Err = TextError;

    /// Reads a problem as [`read`] does; options that were dropped go unnoticed.
    fn from_str(text: &str) -> Result<ExactCover, TextError> {
        Ok(read(text.as_bytes())?.problem)
    }
}

/// A fault, and its byte in the line, from 0.
struct Misplaced {
    at: usize,
    fault: Fault,
}

/// Adds a place to a fault.
fn at(at: usize) -> impl Fn(Fault) -> Misplaced {
    move |fault| Misplaced { at, fault }
}

/// The words of a line, each with the position of its first byte.
#[derive(Clone, Copy)]
struct Words<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn is_comment_or_empty(self) -> bool {
        self.line[self.at..].iter().find(|&&byte| !is_blank(byte)).is_none_or(|&byte| byte == b'|')
    }

    fn next(&mut self) -> Result<Option<(usize, &'a str)>, Misplaced> {
        let rest = &self.line[self.at..];
        let Some(blanks) = rest.iter().position(|&byte| !is_blank(byte)) else { return Ok(None) };
        let (start, rest) = (self.at + blanks, &rest[blanks..]);
        let word = &rest[..rest.iter().position(|&byte| is_blank(byte)).unwrap_or(rest.len())];
        self.at = start + word.len();
        match std::str::from_utf8(word) {
            Ok(word) => Ok(Some((start, word))),
            Err(error) => Err(at(start + error.valid_up_to())(Fault::NotUtf8)),
        }
    }
}

fn read_items(builder: &mut Builder, mut words: Words<'_>) -> Result<(), Misplaced> {
    let mut is_secondary = false;
    while let Some((start, word)) = words.next()? {
        if word == "|" {
            if is_secondary {
                return Err(at(start)(Fault::SecondBar));
            }
            is_secondary = true;
            continue;
        }
        let (bounds, from) = bounds(word).map_err(|(from, fault)| at(start + from)(fault))?;
        let name = &word[from..];
        if let Some(colon) = name.find(':') {
            return Err(at(start + from + colon)(Fault::MisplacedColon(word.into())));
        }
        let added = match (bounds, is_secondary) {
            (Some(_), true) => Err(Fault::BoundsOnSecondary(name.into())),
            (None, true) => builder.add_secondary(name),
            (bounds, false) => builder.add_primary(name, bounds.unwrap_or(Bounds::ONCE)),
        };
        added.map_err(at(start))?;
    }
    Ok(())
}

/// The bounds in a word, and where the name starts; a fault with its position in the word.
fn bounds(word: &str) -> Result<(Option<Bounds>, usize), (usize, Fault)> {
    let Some(bar) = word.find('|') else { return Ok((None, 0)) };
    let (numbers, name) = (&word[..bar], &word[bar + 1..]);
    if name.is_empty() || numbers.is_empty() {
        return Err((bar, Fault::MisplacedBar(word.into())));
    }
    if let Some(second) = name.find('|') {
        return Err((bar + 1 + second, Fault::MisplacedBar(word.into())));
    }
    let number = |digits: &str| {
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse().ok()).flatten()
    };
    let bounds = match numbers.split_once(':') {
        Some((low, high)) => number(low).zip(number(high)).map(|(low, high)| Bounds { low, high }),
        None => number(numbers).map(|times| Bounds { low: times, high: times }),
    };
    match bounds {
        Some(bounds) => Ok((Some(bounds), bar + 1)),
        None => Err((0, Fault::Multiplicity(word.into()))),
    }
}

/// Reads an option; `false` if it was dropped.
fn read_option(builder: &mut Builder, mut words: Words<'_>) -> Result<bool, Misplaced> {
    let mut cost: u64 = 0;
    while let Some((start, word)) = words.next()? {
        if let Some(bar) = word.find('|') {
            if bar > 0 || word == "|" {
                return Err(at(start + bar)(Fault::MisplacedBar(word.into())));
            }
            let is_number = word[1..].bytes().all(|byte| byte.is_ascii_digit());
            let added = word[1..].parse().ok().filter(|_| is_number).and_then(|more| cost.checked_add(more));
            cost = added.ok_or_else(|| at(start)(Fault::Cost(word.into())))?;
            continue;
        }
        let (name, colour) = match word.split_once(':') {
            Some((name, colour)) => (name, Some(colour)),
            None => (word, None),
        };
        let second = colour.and_then(|colour| colour.find(':')).map(|colon| name.len() + 1 + colon);
        if let Some(colon) = second.or_else(|| name.is_empty().then_some(0)) {
            return Err(at(start + colon)(Fault::MisplacedColon(word.into())));
        }
        builder.find(name).and_then(|item| builder.add_term(item, colour)).map_err(at(start))?;
    }
    builder.end_option(cost).map_err(at(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: impl AsRef<[u8]>, line: u64, column: u64, fault: Fault) {
        assert_eq!(read(text.as_ref()), Err(TextError { line, column, fault }));
    }

    fn text(word: &str) -> String {
        word.into()
    }

    #[test]
    fn comments_blanks_bounds_colours_and_costs() {
        let mut text = b"\xef\xbb\xbf| any \xff bytes\r\n\n \t| indented\r\n  A 2|B\t0:3|long-name".to_vec();
        text.extend_from_slice(
            " | X \u{fc}ber\r\n\n|5 is a comment\nA X:rot |5 B |2\nX\n\u{fc}ber:\u{1f600} A".as_bytes(),
        );
        let Text { problem, dropped } = read(&text).unwrap();
        assert_eq!((problem.primary_count(), problem.item_count(), problem.option_count()), (3, 5, 2));
        assert_eq!(problem.bounds(1), Bounds { low: 2, high: 2 });
        assert_eq!(problem.bounds(2), Bounds { low: 0, high: 3 });
        assert_eq!((problem.item_name(2), problem.item_name(4)), ("long-name", "\u{fc}ber"));
        assert_eq!((problem.cost(0), problem.cost(1)), (7, 0));
        assert_eq!(problem.option_text(1).to_string(), "\u{fc}ber:\u{1f600} A");
        assert_eq!(dropped, Dropped { count: 1, lines: vec![8] });
    }

    #[test]
    fn a_cost_in_front_makes_a_comment() {
        // As in Knuth's programs: the bar comes first in its line.
        let read = read(b"A\n|5 A\nA\nA").unwrap();
        assert_eq!((read.problem.option_count(), read.problem.has_costs()), (2, false));
    }

    #[test]
    fn colours_of_dropped_options_leave_no_trace() {
        let kept = read(b"A | X\nA X:b").unwrap().problem;
        assert_eq!(read(b"A | X\nX:a\nA X:b").unwrap().problem, kept);
    }

    #[test]
    fn a_text_without_items_is_an_error() {
        fails("", 1, 1, Fault::NoItems);
        fails("\n| comment\n\n", 4, 1, Fault::NoItems);
        // A line that begins with a bar is a comment, so there are no problems without primary items.
        fails("| A\n", 2, 1, Fault::NoItems);
    }

    #[test]
    fn errors_in_items() {
        fails("A B A", 1, 5, Fault::DuplicateItem(text("A")));
        fails("A B | A", 1, 7, Fault::DuplicateItem(text("A")));
        fails("A | B | C", 1, 7, Fault::SecondBar);
        fails("A | 2|B", 1, 5, Fault::BoundsOnSecondary(text("B")));
        fails("\nA 0|B", 2, 3, Fault::HighZero(text("B")));
        fails("A 0:0|B", 1, 3, Fault::HighZero(text("B")));
        fails("A 3:2|B", 1, 3, Fault::LowAboveHigh { name: text("B"), low: 3, high: 2 });
        for word in ["x|B", "1:x|B", ":2|B", "1:|B", "1:2:3|B", "-1|B", "+1|B", "4294967296|B", "\u{b2}|B"] {
            fails(format!("A {word}"), 1, 3, Fault::Multiplicity(word.into()));
        }
        fails("A 2|", 1, 4, Fault::MisplacedBar(text("2|")));
        fails("A |B", 1, 3, Fault::MisplacedBar(text("|B")));
        fails("A 1|2|B", 1, 6, Fault::MisplacedBar(text("1|2|B")));
        fails("A B:C", 1, 4, Fault::MisplacedColon(text("B:C")));
        fails("A 1|B:C", 1, 6, Fault::MisplacedColon(text("1|B:C")));
        fails(b"A B\xffC", 1, 4, Fault::NotUtf8);
    }

    #[test]
    fn errors_in_options() {
        let fails = |option: &str, column, fault| fails(format!("A B | X Y\nA\n{option}"), 3, column, fault);
        fails("A C", 3, Fault::UnknownItem(text("C")));
        fails("A  B A", 6, Fault::ItemTwice(text("A")));
        fails("A X:1 X", 7, Fault::ItemTwice(text("X")));
        fails("X:1 A:1", 5, Fault::ColourOnPrimary(text("A")));
        fails("A X:", 3, Fault::NoColour(text("X")));
        fails("A X:1:2", 6, Fault::MisplacedColon(text("X:1:2")));
        fails("A :1", 3, Fault::MisplacedColon(text(":1")));
        fails("A | X", 3, Fault::MisplacedBar(text("|")));
        fails("A X|2", 4, Fault::MisplacedBar(text("X|2")));
        for cost in ["|x", "|-1", "|+1", "||", "|18446744073709551616"] {
            fails(&format!("A {cost}"), 3, Fault::Cost(text(cost)));
        }
        fails("A |18446744073709551615 |1", 25, Fault::Cost(text("|1")));
        // An option that would be dropped must still be correct.
        fails("X C", 3, Fault::UnknownItem(text("C")));
    }
}
