//! Choices as text: what a record says of a problem that is the same for all records.
//!
//! ```text
//! r1c1 r1=5 | r2c7 x:red      options, each by its items: any that no other option has all of
//! :12 | :13                   options by their numbers, from 1 in the order of the problem
//! :- r1c1 r1=5 | :- :12       options that are forbidden
//! | #a b                      a bar in front changes nothing, and the line does not begin with `#`
//! |                           no choice
//! ```
//! Bars separate the choices, blanks the words of a choice. The name of an item has neither a `:` nor a `|`, so nothing
//! else is escaped. An item without a colour fits a term of any colour. If the items are all items of one option, that
//! option is meant, even if other options have them and more.
//!
//! The option is looked for among the uses of the item that has fewest. A text that was found is kept, so in a later
//! record it costs one look-up.

use std::collections::HashMap;

use super::super::index::Index;
use super::super::names::is_blank;
use super::super::{Use, clip};
use crate::{Assumptions, ExactCover, ItemId, OptionId};

/// Bytes of the texts of choices that are kept. Further ones are looked for each time.
const KEPT_BYTES: usize = 4 << 20;

/// What is wrong with a choice, and what would be right. Options are numbered from 1, as in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceFault {
    /// It is not UTF-8.
    #[error("bytes that are not UTF-8 (names are UTF-8)")]
    NotUtf8,
    /// A mark without a choice behind it, or with another meaning.
    #[error("misplaced `:` in `{}` (`:12` is option 12, `:- a b` forbids option `a b`, `x:red` is a colour)", clip(.0))]
    Mark(String),
    /// A number that is no number of an option.
    #[error("there is no option `{}` (options are numbered from 1, and there are {count})", clip(.number))]
    Number {
        /// What stands for the number.
        number: String,
        /// Options of the problem.
        count: usize,
    },
    /// An unknown item.
    #[error("unknown item `{}` (the first line of the problem names all items)", clip(.0))]
    UnknownItem(String),
    /// No option has these items.
    #[error("no option has `{}`", clip(.0))]
    NoOption(String),
    /// Several options have these items.
    #[error("options {} and {} have `{}` (name more items, or a number as `:{}`)", .one + 1, .other + 1, clip(.text), .one + 1)]
    Several {
        /// The choice.
        text: String,
        /// The first option that has these items, from 0.
        one: u32,
        /// The second one, from 0.
        other: u32,
    },
    /// An option is named twice.
    #[error("option {} is named twice (a choice is made once)", .option.0 + 1)]
    Twice {
        /// The option.
        option: OptionId,
    },
    /// An option excludes one that was chosen before.
    #[error("options {} and {} exclude each other, because of item `{}`", .earlier.0 + 1, .option.0 + 1, clip(.item))]
    Clash {
        /// The option.
        option: OptionId,
        /// The last option before it that has the item.
        earlier: OptionId,
        /// The item.
        item: String,
    },
}

/// Where a record is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ChoiceError {
    /// The first byte of the wrong choice, from 1.
    pub column: usize,
    /// What is wrong with it.
    pub fault: ChoiceFault,
}

/// Reads and writes the choices of one problem.
///
/// ```
/// use galop_cover::{Assumptions, ExactCover, OptionId, text::ChoiceText};
///
/// let problem: ExactCover = "a b c | x\na x:red\nb c x:red\nb\nc\n".parse()?;
/// let mut choices = ChoiceText::new(&problem);
/// let mut assumed = Assumptions::default();
/// choices.read(b"a | :- b c", &mut assumed)?;
/// assert_eq!((assumed.chosen, assumed.forbidden), (vec![OptionId(0)], vec![OptionId(1)]));
/// let mut line = String::new();
/// choices.write(&[OptionId(0), OptionId(2), OptionId(3)], &mut line);
/// assert_eq!(line, "a x:red | b | c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChoiceText<'p> {
    problem: &'p ExactCover,
    items: Index,
    /// See [`ExactCover::uses`].
    uses: Vec<Use>,
    starts: Vec<u32>,
    /// Options by the text of a choice.
    kept: HashMap<Box<str>, OptionId>,
    kept_bytes: usize,
    /// The number of the record, from 1.
    record: u32,
    /// By item: how the choices of a record cover it.
    covered: Vec<Covered>,
    /// By option: the last record that names it.
    named_in: Vec<u32>,
    /// By option: its text, empty if it was not needed yet.
    texts: Vec<Box<str>>,
}

/// How the choices of a record cover an item. Of another record than the current one it has no meaning.
#[derive(Clone, Copy, Debug, Default)]
struct Covered {
    record: u32,
    times: u32,
    colour: u32,
    /// The last option that covers it.
    option: OptionId,
}

impl<'p> ChoiceText<'p> {
    /// For choices of `problem`.
    #[must_use]
    pub fn new(problem: &'p ExactCover) -> ChoiceText<'p> {
        let (uses, starts) = problem.uses();
        let mut items = Index::default();
        items.reserve(problem.item_count());
        for item in 0..problem.item_count() as u32 {
            // The names of a problem are unique, and there is room for them.
            let _ = items.insert(problem.item_name(ItemId(item)));
        }
        ChoiceText {
            problem,
            items,
            uses,
            starts,
            kept: HashMap::new(),
            kept_bytes: 0,
            record: 0,
            covered: vec![Covered::default(); problem.item_count()],
            named_in: vec![0; problem.option_count()],
            texts: Vec::new(),
        }
    }

    /// Reads the choices of a record, without its line end. They replace `assumptions`.
    ///
    /// # Errors
    /// The first choice that names no option or several, names one again, or excludes an earlier choice.
    pub fn read(&mut self, record: &[u8], assumptions: &mut Assumptions) -> Result<(), ChoiceError> {
        assumptions.replace(&[], &[]);
        self.begin();
        let mut start = 0;
        for part in record.split(|&byte| byte == b'|') {
            let blanks = part.iter().take_while(|&&byte| is_blank(byte)).count();
            let column = start + blanks + 1;
            start += part.len() + 1;
            if blanks < part.len() {
                self.add(&part[blanks..], assumptions).map_err(|fault| ChoiceError { column, fault })?;
            }
        }
        Ok(())
    }

    /// Starts a record. The marks are reset only after 2^32 - 1 records.
    fn begin(&mut self) {
        if self.record == u32::MAX {
            self.covered.fill(Covered::default());
            self.named_in.fill(0);
            self.record = 0;
        }
        self.record += 1;
    }

    /// Adds a choice, which does not begin with a blank.
    fn add(&mut self, choice: &[u8], assumptions: &mut Assumptions) -> Result<(), ChoiceFault> {
        let text = str::from_utf8(choice).map_err(|_| ChoiceFault::NotUtf8)?;
        let text = text.trim_end_matches(|end: char| end.is_ascii() && is_blank(end as u8));
        let forbidden = text.strip_prefix(":-").map(str::trim_ascii_start);
        let option = self.named(forbidden.unwrap_or(text))?;
        match self.named_in.get_mut(option.index()) {
            Some(named_in) if *named_in != self.record => *named_in = self.record,
            _ => return Err(ChoiceFault::Twice { option }),
        }
        if forbidden.is_some() {
            assumptions.forbidden.push(option);
            return Ok(());
        }
        self.cover(option)?;
        assumptions.chosen.push(option);
        Ok(())
    }

    /// The option that a choice without the mark of a forbidden one names.
    fn named(&mut self, text: &str) -> Result<OptionId, ChoiceFault> {
        if let Some(&option) = self.kept.get(text) {
            return Ok(option);
        }
        let option = match text.strip_prefix(':') {
            Some(number) => return self.numbered(number),
            None => self.find(text)?,
        };
        if self.kept_bytes + text.len() <= KEPT_BYTES {
            self.kept_bytes += text.len();
            self.kept.insert(text.into(), option);
        }
        Ok(option)
    }

    /// The option of a number, from 1.
    fn numbered(&self, number: &str) -> Result<OptionId, ChoiceFault> {
        let count = self.problem.option_count();
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(ChoiceFault::Mark(format!(":{number}")));
        }
        match number.parse::<u32>() {
            Ok(given @ 1..) if given as usize <= count => Ok(OptionId(given - 1)),
            _ => Err(ChoiceFault::Number { number: number.to_owned(), count }),
        }
    }

    /// The option that these items name.
    fn find(&self, text: &str) -> Result<OptionId, ChoiceFault> {
        let mut words: Vec<(u32, &str)> = Vec::new();
        for word in text.split(|blank: char| blank.is_ascii() && is_blank(blank as u8)) {
            let (name, colour) = word.split_once(':').unwrap_or((word, ""));
            let is_clear =
                name.len() == word.len() || !name.is_empty() && !colour.is_empty() && !colour.contains(':');
            match self.items.find(name) {
                _ if word.is_empty() => {}
                _ if !is_clear => return Err(ChoiceFault::Mark(word.to_owned())),
                None => return Err(ChoiceFault::UnknownItem(name.to_owned())),
                Some(item) => words.push((item, colour)),
            }
        }
        words.sort_unstable();
        words.dedup();
        let uses = |item: u32| {
            let [start, end] = [item, item + 1].map(|item| self.starts[item as usize] as usize);
            &self.uses[start..end]
        };
        let Some(&(rarest, _)) = words.iter().min_by_key(|&&(item, _)| uses(item).len()) else {
            return Err(ChoiceFault::Mark(text.to_owned()));
        };
        let has = |option: OptionId, &(item, colour): &(u32, &str)| {
            self.problem.option(option).iter().any(|term| {
                let is_right = || term.colour().map_or("", |given| self.problem.colour_name(given)) == colour;
                term.item == item && (colour.is_empty() || is_right())
            })
        };
        // Those with all items, and those that have no further one.
        let (mut found, mut exact) = (Vec::new(), Vec::new());
        for option in uses(rarest).iter().map(|used| OptionId(used.option)) {
            if words.iter().all(|word| has(option, word)) {
                let is_exact = self.problem.option(option).len() == words.len();
                let list = if is_exact { &mut exact } else { &mut found };
                if list.len() < 2 {
                    list.push(option);
                }
            }
        }
        let text = || text.to_owned();
        match if exact.is_empty() { &found[..] } else { &exact[..] } {
            [] => Err(ChoiceFault::NoOption(text())),
            &[option] => Ok(option),
            &[one, other, ..] => Err(ChoiceFault::Several { text: text(), one: one.0, other: other.0 }),
        }
    }

    /// Covers the items of an option.
    fn cover(&mut self, option: OptionId) -> Result<(), ChoiceFault> {
        for term in self.problem.option(option) {
            let Some(covered) = self.covered.get_mut(term.item.index()) else { continue };
            let times = if covered.record == self.record { covered.times + 1 } else { 1 };
            let is_above = if term.item.index() < self.problem.primary_count() {
                times > self.problem.bounds(term.item).high
            } else {
                times > 1 && (term.colour == 0 || term.colour != covered.colour)
            };
            if is_above {
                let item = self.problem.item_name(term.item).to_owned();
                return Err(ChoiceFault::Clash { option, earlier: covered.option, item });
            }
            *covered = Covered { record: self.record, times, colour: term.colour, option };
        }
        Ok(())
    }

    /// Appends options to `line`, so that [`read`](Self::read) finds them chosen: each with all its items, or by its
    /// number if they do not name it. A line of one word begins with a bar, as does one that would be empty or begin
    /// with `#`.
    pub fn write(&mut self, options: &[OptionId], line: &mut String) {
        if self.texts.is_empty() {
            self.texts = vec![Box::default(); self.problem.option_count()];
        }
        let start = line.len();
        for &option in options.iter().filter(|option| option.index() < self.problem.option_count()) {
            if self.texts[option.index()].is_empty() {
                self.texts[option.index()] = self.text_of(option).into();
            }
            line.push_str(if line.len() == start { "" } else { " | " });
            line.push_str(&self.texts[option.index()]);
        }
        let written = &line[start..];
        if written.is_empty() {
            line.push('|');
        } else if written.starts_with('#') || !written.bytes().any(is_blank) {
            line.insert_str(start, "| ");
        }
    }

    fn text_of(&self, option: OptionId) -> String {
        let text = self.problem.option_text(option).to_string();
        match self.find(&text) {
            Ok(found) if found == option && !text.contains('|') => text,
            _ => format!(":{}", option.0 + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{made, problems};
    use proptest::prelude::*;

    fn read(problem: &ExactCover, record: &str) -> Result<(Vec<u32>, Vec<u32>), String> {
        let mut assumptions = Assumptions::default();
        let result = ChoiceText::new(problem).read(record.as_bytes(), &mut assumptions);
        let numbers = |options: &[OptionId]| options.iter().map(|option| option.0).collect();
        result.map_err(|error| error.to_string())?;
        Ok((numbers(&assumptions.chosen), numbers(&assumptions.forbidden)))
    }

    const MIXED: &str = "a b #c 2|d | x y\na b x:red\na b x:blue\n#c d\nd\nd y\nd y\na d\n";

    #[test]
    fn a_choice_is_named_by_items_or_by_its_number() {
        let problem: ExactCover = MIXED.parse().unwrap();
        for (record, chosen) in [
            ("", &[][..]),
            (" | ", &[]),
            ("a b x:red", &[0]),
            ("  x:blue\t b |", &[1]),
            ("b x:red x", &[0]),
            (":1 |#c", &[0, 2]),
            ("| #c d|d", &[2, 3]),
            ("d | :5 ", &[3, 4]),
            ("a d", &[6]),
        ] {
            assert_eq!(read(&problem, record), Ok((chosen.to_vec(), vec![])), "{record}");
        }
        assert_eq!(read(&problem, ":- a d | b x:red | :-:5 | :- :6"), Ok((vec![0], vec![6, 4, 5])));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_column() {
        let problem: ExactCover = MIXED.parse().unwrap();
        for (record, error) in [
            ("#c | e", "column 6: unknown item `e` (the first line of the problem names all items)"),
            ("b d", "column 1: no option has `b d`"),
            ("x:green", "column 1: no option has `x:green`"),
            ("#c |  b", "column 7: options 1 and 2 have `b` (name more items, or a number as `:1`)"),
            ("y", "column 1: options 5 and 6 have `y` (name more items, or a number as `:5`)"),
            (":8", "column 1: there is no option `8` (options are numbered from 1, and there are 7)"),
            (":0", "column 1: there is no option `0` (options are numbered from 1, and there are 7)"),
            (":1 | :- b x:red", "column 6: option 1 is named twice (a choice is made once)"),
            ("b x:red | a d", "column 11: options 1 and 7 exclude each other, because of item `a`"),
            ("#c | d | :5", "column 10: options 4 and 5 exclude each other, because of item `d`"),
        ] {
            assert_eq!(read(&problem, record), Err(error.to_owned()), "{record}");
        }
        for record in [":", ":-", ":x", ":1 a", "x:", "x:red:blue", ": 1"] {
            let error = read(&problem, record).unwrap_err();
            assert!(error.starts_with("column 1: misplaced `:` in `"), "{record}: {error}");
        }
        assert_eq!(
            ChoiceText::new(&problem).read(b"d | \xff", &mut Assumptions::default()).unwrap_err(),
            ChoiceError { column: 5, fault: ChoiceFault::NotUtf8 }
        );
    }

    #[test]
    fn what_is_written_is_no_comment_and_no_single_word() {
        let problem: ExactCover = "none #c a b\nnone\n#c a\nb\nb\n".parse().unwrap();
        let mut choices = ChoiceText::new(&problem);
        for (options, expected) in
            [(&[][..], "|"), (&[0], "| none"), (&[1], "| #c a"), (&[3], "| :4"), (&[0, 2], "none | :3")]
        {
            let mut line = String::from("> ");
            choices.write(&options.iter().map(|&option| OptionId(option)).collect::<Vec<_>>(), &mut line);
            assert_eq!(line, format!("> {expected}"));
        }
        // Names that no text has.
        let mut builder = ExactCover::builder();
        let items = ["a|b", "c d", "e:f", "c"].map(|name| builder.primary(name));
        for item in items {
            builder.option([item]);
        }
        let problem = builder.finish().unwrap();
        let (mut choices, mut line) = (ChoiceText::new(&problem), String::new());
        choices.write(&[0, 1, 2, 3].map(OptionId), &mut line);
        assert_eq!(line, ":1 | :2 | :3 | c");
    }

    #[test]
    fn more_texts_than_are_kept_are_found() {
        let problem = made("queens 9");
        let mut choices = ChoiceText::new(&problem);
        choices.kept_bytes = KEPT_BYTES - 20;
        let mut assumptions = Assumptions::default();
        for option in (0..problem.option_count() as u32).map(OptionId).chain([OptionId(0)]) {
            let mut line = String::new();
            choices.write(&[option], &mut line);
            choices.read(line.as_bytes(), &mut assumptions).unwrap();
            assert_eq!(assumptions.chosen, [option]);
        }
        assert!(choices.kept.len() < 4);
    }

    proptest! {
        /// Any solution, and any of its options forbidden in its place, is read back.
        #[test]
        fn what_is_written_is_read_back(problem in problems()) {
            let mut choices = ChoiceText::new(&problem);
            let mut assumptions = Assumptions::default();
            for solution in crate::tests::brute_force(&problem).into_iter().take(20) {
                let mut line = String::new();
                choices.write(&solution, &mut line);
                choices.read(line.as_bytes(), &mut assumptions).unwrap();
                prop_assert_eq!(&assumptions.chosen, &solution);
                for &option in &solution {
                    line.clear();
                    choices.write(&[option], &mut line);
                    let line = format!(":- {}", line.trim_start_matches("| "));
                    choices.read(line.as_bytes(), &mut assumptions).unwrap();
                    prop_assert_eq!(&assumptions.forbidden[..], &[option][..]);
                }
            }
        }

        /// No text makes it panic, and what it accepts is not contradictory.
        #[test]
        fn any_text_is_read_or_refused(problem in problems(), text in "[ps:0-3| #c-]{0,30}") {
            let mut assumptions = Assumptions::default();
            if ChoiceText::new(&problem).read(text.as_bytes(), &mut assumptions).is_ok() {
                let Assumptions { chosen, .. } = &assumptions;
                for (place, &one) in chosen.iter().enumerate() {
                    prop_assert!(chosen[..place].iter().all(|&other| !problem.clash(one, other)));
                }
            }
        }
    }
}
