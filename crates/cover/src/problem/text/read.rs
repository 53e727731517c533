//! Reads a problem in one pass over the bytes, with one table look-up for each word.
//!
//! In a problem of a million items each look-up waits for memory. So the lines of options are read in blocks: first the
//! words of a block are found, then all are looked up, and the look-ups wait together; then the options are built.

use crate::ItemId;
use std::ops::Range;

use crate::problem::index::NONE;
use crate::problem::names::is_blank;
use crate::problem::{Bounds, Builder, ExactCover, Fault, TextError};

/// Words of options that are looked up together, and possibly the rest of a line.
const BLOCK_WORDS: usize = 64;

/// The result of reading a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The problem.
    pub problem: ExactCover,
    /// The options that were dropped.
    pub dropped: Dropped,
}

impl Text {
    /// The problem.
    ///
    /// # Errors
    /// [`Fault::NoPrimary`] in the first line of an option that was dropped.
    pub fn complete(self) -> Result<ExactCover, TextError> {
        match self.dropped.lines.first() {
            None => Ok(self.problem),
            Some(&line) => Err(TextError { line, column: 1, fault: Fault::NoPrimary }),
        }
    }
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
    let text = std::str::from_utf8(bytes).ok();
    let mut builder = ExactCover::builder();
    let mut dropped = Dropped::default();
    let mut block = Block::default();
    let (mut has_items, mut line, mut start, mut skip) = (false, 0, 0, bytes_of_mark);
    for end in memchr::memchr_iter(b'\n', bytes).chain([bytes.len()]) {
        line += 1;
        let text = text.and_then(|text| text.get(start..end));
        let mut words = Words { line: &bytes[start..end], text, at: std::mem::take(&mut skip) };
        start = end + 1;
        if words.is_comment_or_empty() {
            continue;
        }
        if has_items {
            block.add(line, words);
            if block.words.len() >= BLOCK_WORDS {
                block.read_options(&mut builder, &mut dropped)?;
            }
        } else {
            read_items(&mut builder, &mut words).map_err(|misplaced| misplaced.in_line(line))?;
            has_items = true;
        }
    }
    block.read_options(&mut builder, &mut dropped)?;
    let problem = builder.build().map_err(|fault| TextError { line: line.max(1), column: 1, fault })?;
    Ok(Text { problem, dropped })
}

impl std::str::FromStr for ExactCover {
    type Err = TextError;

    /// Reads a problem as [`read`] does, but an option without a primary item is an error: it would be dropped.
    fn from_str(text: &str) -> Result<ExactCover, TextError> {
        read(text.as_bytes())?.complete()
    }
}

/// A fault, and its byte in the line, from 0.
struct PlacedFault {
    at: usize,
    fault: Fault,
}

impl PlacedFault {
    fn in_line(self, line: u64) -> TextError {
        TextError { line, column: self.at as u64 + 1, fault: self.fault }
    }
}

/// Adds a place to a fault.
fn at(at: usize) -> impl Fn(Fault) -> PlacedFault {
    move |fault| PlacedFault { at, fault }
}

/// A word of a line.
#[derive(Clone, Copy)]
struct Word<'a> {
    /// Its first byte in the line.
    at: usize,
    text: &'a str,
    /// The bytes before its first colon.
    name: usize,
}

/// The words of a line.
#[derive(Clone, Copy)]
struct Words<'a> {
    line: &'a [u8],
    /// The line, if the whole text is UTF-8.
    text: Option<&'a str>,
    at: usize,
}

impl<'a> Words<'a> {
    fn is_comment_or_empty(self) -> bool {
        self.line[self.at..].iter().find(|&&byte| !is_blank(byte)).is_none_or(|&byte| byte == b'|')
    }

    #[inline]
    fn next(&mut self) -> Result<Option<Word<'a>>, PlacedFault> {
        let mut start = self.at;
        while self.line.get(start).is_some_and(|&byte| is_blank(byte)) {
            start += 1;
        }
        let (mut end, mut colon) = (start, usize::MAX);
        while let Some(&byte) = self.line.get(end)
            && !is_blank(byte)
        {
            if byte == b':' {
                colon = colon.min(end);
            }
            end += 1;
        }
        self.at = end;
        if start == end {
            return Ok(None);
        }
        let text = match self.text {
            Some(text) => text.get(start..end).unwrap_or_default(),
            None => std::str::from_utf8(&self.line[start..end])
                .map_err(|error| at(start + error.valid_up_to())(Fault::NotUtf8))?,
        };
        Ok(Some(Word { at: start, text, name: colon.min(end) - start }))
    }
}

/// Lines with options, whose words are looked up together.
#[derive(Default)]
struct Block<'a> {
    lines: Vec<Line>,
    words: Vec<Word<'a>>,
    /// The number of the item that each word names.
    items: Vec<u32>,
}

/// A line of a block.
struct Line {
    number: u64,
    words: Range<usize>,
    /// What ends the words of the line.
    fault: Option<PlacedFault>,
}

impl<'a> Block<'a> {
    fn add(&mut self, number: u64, mut words: Words<'a>) {
        let start = self.words.len();
        let fault = loop {
            match words.next() {
                Ok(Some(word)) => self.words.push(word),
                Ok(None) => break None,
                Err(fault) => break Some(fault),
            }
        };
        self.lines.push(Line { number, words: start..self.words.len(), fault });
    }

    /// Adds all options to `builder`, and empties the block.
    fn read_options(&mut self, builder: &mut Builder, dropped: &mut Dropped) -> Result<(), TextError> {
        self.items.clear();
        builder.find_all(self.words.iter().map(|word| &word.text[..word.name]), &mut self.items);
        for Line { number, words, fault } in self.lines.drain(..) {
            let items = &self.items[words.clone()];
            match read_option(builder, &self.words[words], items, fault) {
                Ok(true) => {}
                Ok(false) => dropped.add(number),
                Err(misplaced) => return Err(misplaced.in_line(number)),
            }
        }
        self.words.clear();
        Ok(())
    }
}

fn read_items(builder: &mut Builder, words: &mut Words<'_>) -> Result<(), PlacedFault> {
    let mut is_secondary = false;
    builder.reserve_items(words.line.iter().filter(|&&byte| is_blank(byte)).count());
    let (mut ahead, mut block, mut items) = (*words, Vec::new(), Vec::new());
    for number in 0.. {
        if number % BLOCK_WORDS == 0 {
            // Brings the slots of the next words near, so that adding these items waits for none of them.
            (block, items) = (cleared(block), cleared(items));
            block.extend(std::iter::from_fn(|| ahead.next().ok().flatten()).take(BLOCK_WORDS));
            builder.find_all(block.iter().map(|word: &Word<'_>| word.text), &mut items);
        }
        let Some(Word { at: start, text: word, .. }) = words.next()? else { break };
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

/// The list without its items; the memory is reused.
fn cleared<T>(mut list: Vec<T>) -> Vec<T> {
    list.clear();
    list
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

/// Reads an option; `false` if it was dropped. `items` has the number that each word names.
fn read_option(
    builder: &mut Builder,
    words: &[Word<'_>],
    items: &[u32],
    fault: Option<PlacedFault>,
) -> Result<bool, PlacedFault> {
    let mut cost: u64 = 0;
    for (&Word { at: start, text: word, name }, &item) in words.iter().zip(items) {
        let colour = word.get(name + 1..);
        if item != NONE && colour.is_none() {
            builder.add_term(ItemId(item), None).map_err(at(start))?;
            continue;
        }
        if let Some(bar) = word.find('|') {
            if bar > 0 || word == "|" {
                return Err(at(start + bar)(Fault::MisplacedBar(word.into())));
            }
            let is_number = word[1..].bytes().all(|byte| byte.is_ascii_digit());
            let added = word[1..].parse().ok().filter(|_| is_number).and_then(|more| cost.checked_add(more));
            cost = added.ok_or_else(|| at(start)(Fault::Cost(word.into())))?;
            continue;
        }
        let second = colour.and_then(|colour| colour.find(':')).map(|colon| name + 1 + colon);
        if let Some(colon) = second.or_else(|| (name == 0).then_some(0)) {
            return Err(at(start + colon)(Fault::MisplacedColon(word.into())));
        }
        let added = match item {
            NONE => Err(Fault::UnknownItem(word[..name].into())),
            item => builder.add_term(ItemId(item), colour),
        };
        added.map_err(at(start))?;
    }
    match fault {
        Some(fault) => Err(fault),
        None => builder.end_option(cost).map_err(at(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OptionId;

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
        assert_eq!(problem.bounds(ItemId(1)), Bounds { low: 2, high: 2 });
        assert_eq!(problem.bounds(ItemId(2)), Bounds { low: 0, high: 3 });
        assert_eq!((problem.item_name(ItemId(2)), problem.item_name(ItemId(4))), ("long-name", "\u{fc}ber"));
        assert_eq!((problem.cost(OptionId(0)), problem.cost(OptionId(1))), (7, 0));
        assert_eq!(problem.option_text(OptionId(1)).to_string(), "\u{fc}ber:\u{1f600} A");
        assert_eq!(dropped, Dropped { count: 1, lines: vec![8] });
        let parsed = "A | X\nA\n X\n".parse::<ExactCover>();
        assert_eq!(parsed, Err(TextError { line: 3, column: 1, fault: Fault::NoPrimary }));
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
