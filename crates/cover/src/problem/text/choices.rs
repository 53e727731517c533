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
//! The option is looked for among the uses of the item that has fewest. Of problems that are not too large, the whole
//! text of every option and the text that is written are in a table, and such a choice costs one look-up.

use std::sync::{Arc, OnceLock};

use super::super::index::Index;
use super::super::names::is_blank;
use super::super::{Excerpt, Use};
use crate::{Assumptions, ExactCover, ItemId, OptionId};

/// Uses of items that may be looked at to make the table of texts. A problem that needs more has no table.
const LOOKS: usize = 1 << 23;

/// What is wrong with a choice, and what would be right. Options are numbered from 1, as in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ChoiceFault {
    /// It is not UTF-8.
    #[error("bytes that are not UTF-8 (names are UTF-8)")]
    NotUtf8,
    /// A mark without a choice behind it, or with another meaning.
    #[error(
        "misplaced `:` in `{0}` (`:12` is option 12, `:- a b` forbids option `a b`, `x:red` is a colour)"
    )]
    Mark(Excerpt),
    /// A number that is no number of an option.
    #[error("there is no option `{number}` (options are numbered from 1, and there are {count})")]
    Number {
        /// What stands for the number.
        number: Excerpt,
        /// Options of the problem.
        count: u32,
    },
    /// An unknown item.
    #[error("unknown item `{0}` (the first line of the problem names all items)")]
    UnknownItem(Excerpt),
    /// No option has these items.
    #[error("no option has `{0}`")]
    NoOption(Excerpt),
    /// Several options have these items.
    #[error("options {} and {} have `{text}` (name more items, or a number as `:{}`)", .one + 1, .other + 1, .one + 1)]
    Several {
        /// The choice.
        text: Excerpt,
        /// The first option that has these items, from 0.
        one: u32,
        /// The second one, from 0.
        other: u32,
    },
    /// An option is named twice.
    #[error("option {} is named twice (a choice is made once)", .option + 1)]
    Twice {
        /// The option, from 0.
        option: u32,
    },
    /// An option excludes one that was chosen before.
    #[error("options {} and {} exclude each other, because of item `{item}`", .earlier + 1, .option + 1)]
    Clash {
        /// The option, from 0.
        option: u32,
        /// The last option before it that has the item, from 0.
        earlier: u32,
        /// The item.
        item: Excerpt,
    },
}

/// Where a record is wrong, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ChoiceError {
    /// The first byte of the wrong choice, from 1.
    pub column: usize,
    /// What is wrong with it.
    pub fault: ChoiceFault,
}

/// Reads and writes the choices of one problem. All threads can share it.
///
/// ```
/// use galop_cover::{Assumptions, ExactCover, OptionId, text::ChoiceText};
///
/// let problem: ExactCover = "a b c | x\na x:red\nb c x:red\nb\nc\n".parse()?;
/// let choices = ChoiceText::new(problem.into());
/// let mut assumed = Assumptions::default();
/// choices.read(b"a | :- b c", &mut assumed)?;
/// assert_eq!((&assumed.chosen[..], &assumed.forbidden[..]), (&[OptionId(0)][..], &[OptionId(1)][..]));
/// let mut line = Vec::new();
/// choices.write(&assumed, &mut line);
/// assert_eq!(line, b"a | :- b c");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ChoiceText {
    problem: Arc<ExactCover>,
    items: Index,
    /// See [`ExactCover::uses`].
    uses: Vec<Use>,
    starts: Vec<u32>,
    /// By option: its text as it is written, made when it is needed.
    texts: Vec<OnceLock<Box<str>>>,
    /// The texts of the options, as they are written and with all items, and the option of each; empty if the problem is
    /// too large.
    table: Index,
    options: Vec<OptionId>,
}

/// What the choices of a record have named and covered so far.
struct Named {
    /// A bit an option: it is chosen or forbidden.
    options: Vec<u64>,
    /// A bit an item: a chosen option has it.
    items: Vec<u64>,
    /// By item: how it is covered. Only once an item is covered twice.
    covered: Option<Vec<Covered>>,
}

/// How the choices of a record cover an item.
#[derive(Clone, Copy, Debug, Default)]
struct Covered {
    times: u32,
    colour: u32,
    /// The last option that covers it.
    option: OptionId,
}

/// Sets a bit; returns whether it was set before.
fn set(bits: &mut [u64], at: usize) -> bool {
    let Some(word) = bits.get_mut(at / 64) else { return false };
    let before = *word;
    *word |= 1 << (at % 64);
    before == *word
}

impl ChoiceText {
    /// For choices of `problem`.
    #[must_use]
    pub fn new(problem: Arc<ExactCover>) -> ChoiceText {
        let (uses, starts) = problem.uses();
        let mut items = Index::default();
        items.reserve(problem.item_count());
        for item in 0..problem.item_count() as u32 {
            // The names of a problem are unique, and there is room for them.
            let _ = items.insert(problem.item_name(ItemId(item)));
        }
        let texts = vec![OnceLock::new(); problem.option_count()];
        let (table, options) = (Index::default(), Vec::new());
        let mut choices = ChoiceText { problem, items, uses, starts, texts, table, options };
        choices.make_table();
        choices
    }

    /// The problem.
    #[must_use]
    pub fn problem(&self) -> &Arc<ExactCover> {
        &self.problem
    }

    fn make_table(&mut self) {
        let uses = |term: &crate::Term| self.uses_of(term.item.0).len();
        let looks = |terms: &[crate::Term]| terms.len().pow(2) * terms.iter().map(uses).min().unwrap_or(0);
        let mut sum = 0_usize;
        if self.problem.options().any(|terms| {
            sum = sum.saturating_add(looks(terms));
            sum > LOOKS
        }) {
            return;
        }
        self.table.reserve(self.texts.len());
        for option in (0..self.texts.len() as u32).map(OptionId) {
            let text = self.texts[option.index()].get_or_init(|| self.text_of(option));
            if !text.starts_with(':') && self.table.insert(text).is_ok() {
                self.options.push(option);
            }
            let whole = self.problem.option_text(option).to_string();
            if !whole.contains('|') && self.find(&whole) == Ok(option) && self.table.insert(&whole).is_ok() {
                self.options.push(option);
            }
        }
    }

    fn uses_of(&self, item: u32) -> &[Use] {
        let [start, end] = [item, item + 1].map(|item| self.starts[item as usize] as usize);
        &self.uses[start..end]
    }

    /// Reads the choices of a record, without its line end. They replace `assumptions`.
    ///
    /// # Errors
    /// The first choice that names no option or several, names one again, or excludes an earlier choice.
    pub fn read(&self, record: &[u8], assumptions: &mut Assumptions) -> Result<(), ChoiceError> {
        let mut named = self.begin(assumptions);
        let mut start = 0;
        while start <= record.len() {
            let end = memchr::memchr(b'|', &record[start..]).map_or(record.len(), |bar| start + bar);
            let part = &record[start..end];
            let blanks = part.iter().take_while(|&&byte| is_blank(byte)).count();
            if blanks < part.len() {
                let error = |fault| ChoiceError { column: start + blanks + 1, fault };
                self.add(&part[blanks..], &mut named, assumptions).map_err(error)?;
            }
            start = end + 1;
        }
        Ok(())
    }

    /// Reads the choices of a record that is no text: options, and whether each is forbidden. They replace
    /// `assumptions`.
    ///
    /// # Errors
    /// The place of the first choice, from 0, that [`read`](Self::read) would not take either, and what is wrong with
    /// it.
    pub fn choose(
        &self,
        record: impl IntoIterator<Item = (OptionId, bool)>,
        assumptions: &mut Assumptions,
    ) -> Result<(), (usize, ChoiceFault)> {
        let mut named = self.begin(assumptions);
        for (place, (option, is_forbidden)) in record.into_iter().enumerate() {
            let added = self.add_option(option, is_forbidden, &mut named, assumptions);
            added.map_err(|fault| (place, fault))?;
        }
        Ok(())
    }

    /// Removes the choices of an earlier record.
    fn begin(&self, assumptions: &mut Assumptions) -> Named {
        assumptions.replace(&[], &[]);
        let words = |count: usize| vec![0; count.div_ceil(64)];
        let (options, items) = (words(self.problem.option_count()), words(self.problem.item_count()));
        Named { options, items, covered: None }
    }

    /// Adds a choice, which does not begin with a blank.
    fn add(
        &self,
        choice: &[u8],
        named: &mut Named,
        assumptions: &mut Assumptions,
    ) -> Result<(), ChoiceFault> {
        let text = str::from_utf8(choice).map_err(|_| ChoiceFault::NotUtf8)?;
        let text = text.trim_end_matches(|end: char| end.is_ascii() && is_blank(end as u8));
        let forbidden = text.strip_prefix(":-").map(str::trim_ascii_start);
        let option = self.named(forbidden.unwrap_or(text))?;
        self.add_option(option, forbidden.is_some(), named, assumptions)
    }

    fn add_option(
        &self,
        option: OptionId,
        is_forbidden: bool,
        named: &mut Named,
        assumptions: &mut Assumptions,
    ) -> Result<(), ChoiceFault> {
        let count = self.problem.option_count() as u32;
        if option.0 >= count {
            let number = Excerpt::from(&*(u64::from(option.0) + 1).to_string());
            return Err(ChoiceFault::Number { number, count });
        }
        if set(&mut named.options, option.index()) {
            return Err(ChoiceFault::Twice { option: option.0 });
        }
        if is_forbidden {
            assumptions.forbidden.push(option);
            return Ok(());
        }
        self.cover(option, named, &assumptions.chosen)?;
        assumptions.chosen.push(option);
        Ok(())
    }

    /// The option that a choice without the mark of a forbidden one names.
    fn named(&self, text: &str) -> Result<OptionId, ChoiceFault> {
        match self.table.find(text).and_then(|number| self.options.get(number as usize)) {
            Some(&option) => Ok(option),
            None => match text.strip_prefix(':') {
                Some(number) => self.numbered(number),
                None => self.find(text),
            },
        }
    }

    /// The option of a number, from 1.
    fn numbered(&self, number: &str) -> Result<OptionId, ChoiceFault> {
        let count = self.problem.option_count() as u32;
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(ChoiceFault::Mark(Excerpt::from(&*format!(":{number}"))));
        }
        match number.parse::<u32>() {
            Ok(given @ 1..) if given <= count => Ok(OptionId(given - 1)),
            _ => Err(ChoiceFault::Number { number: Excerpt::from(number), count }),
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
                _ if !is_clear => return Err(ChoiceFault::Mark(Excerpt::from(word))),
                None => return Err(ChoiceFault::UnknownItem(Excerpt::from(name))),
                Some(item) => words.push((item, colour)),
            }
        }
        words.sort_unstable();
        words.dedup();
        let Some(&(rarest, _)) = words.iter().min_by_key(|&&(item, _)| self.uses_of(item).len()) else {
            return Err(ChoiceFault::Mark(Excerpt::from(text)));
        };
        let has = |option: OptionId, &(item, colour): &(u32, &str)| {
            self.problem.option(option).iter().any(|term| {
                let is_right = || term.colour().map_or("", |given| self.problem.colour_name(given)) == colour;
                term.item == item && (colour.is_empty() || is_right())
            })
        };
        // Those with all items, and those that have no further one.
        let (mut found, mut exact) = (Vec::new(), Vec::new());
        for option in self.uses_of(rarest).iter().map(|used| OptionId(used.option)) {
            if words.iter().all(|word| has(option, word)) {
                let is_exact = self.problem.option(option).len() == words.len();
                let list = if is_exact { &mut exact } else { &mut found };
                if list.len() < 2 {
                    list.push(option);
                }
            }
        }
        let text = Excerpt::from(text);
        match if exact.is_empty() { &found[..] } else { &exact[..] } {
            [] => Err(ChoiceFault::NoOption(text)),
            &[option] => Ok(option),
            &[one, other, ..] => Err(ChoiceFault::Several { text, one: one.0, other: other.0 }),
        }
    }

    /// Covers the items of an option, which was not `chosen` before.
    fn cover(&self, option: OptionId, named: &mut Named, chosen: &[OptionId]) -> Result<(), ChoiceFault> {
        let mut is_again = false;
        for term in self.problem.option(option) {
            is_again |= set(&mut named.items, term.item.index());
        }
        if is_again && named.covered.is_none() {
            named.covered = Some(vec![Covered::default(); self.problem.item_count()]);
            for &earlier in chosen {
                self.count(earlier, named)?;
            }
        }
        self.count(option, named)
    }

    /// Counts how an option covers its items, if they are counted.
    fn count(&self, option: OptionId, named: &mut Named) -> Result<(), ChoiceFault> {
        let Some(all) = &mut named.covered else { return Ok(()) };
        for term in self.problem.option(option) {
            let Some(covered) = all.get_mut(term.item.index()) else { continue };
            let times = covered.times + 1;
            let is_above = if term.item.index() < self.problem.primary_count() {
                times > self.problem.bounds(term.item).high
            } else {
                times > 1 && (term.colour == 0 || term.colour != covered.colour)
            };
            if is_above {
                let item = Excerpt::from(self.problem.item_name(term.item));
                return Err(ChoiceFault::Clash { option: option.0, earlier: covered.option.0, item });
            }
            *covered = Covered { times, colour: term.colour, option };
        }
        Ok(())
    }

    /// Appends choices to `line`, so that [`read`](Self::read) finds the same: each option by the first of its items
    /// that name it alone, or by its number. A line of one word begins with a bar, as does one that would be empty or begin
    /// with `#`.
    pub fn write(&self, assumptions: &Assumptions, line: &mut Vec<u8>) {
        let start = line.len();
        let chosen = assumptions.chosen.iter().map(|&option| (option, ""));
        for (option, mark) in chosen.chain(assumptions.forbidden.iter().map(|&option| (option, ":- "))) {
            let Some(text) = self.texts.get(option.index()) else { continue };
            let separator: &[u8] = if line.len() == start { b"" } else { b" | " };
            line.extend_from_slice(separator);
            line.extend_from_slice(mark.as_bytes());
            line.extend_from_slice(text.get_or_init(|| self.text_of(option)).as_bytes());
        }
        let written = &line[start..];
        if written.is_empty() {
            line.push(b'|');
        } else if written.starts_with(b"#") || !written.iter().any(|&byte| is_blank(byte)) {
            line.splice(start..start, *b"| ");
        }
    }

    /// The first items of the option that name it alone, or its number.
    fn text_of(&self, option: OptionId) -> Box<str> {
        let text = self.problem.option_text(option).to_string();
        let ends = text.match_indices(' ').map(|(end, _)| end).chain([text.len()]);
        let names = |end: &usize| !text[..*end].contains('|') && self.find(&text[..*end]) == Ok(option);
        match ends.into_iter().find(names) {
            Some(end) => text[..end].into(),
            None => format!(":{}", option.0 + 1).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::problems;
    use proptest::prelude::*;

    fn read(problem: &ExactCover, record: &str) -> Result<(Vec<u32>, Vec<u32>), String> {
        let mut assumptions = Assumptions::default();
        let result = ChoiceText::new(problem.clone().into()).read(record.as_bytes(), &mut assumptions);
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
    fn options_are_choices_as_their_numbers_are() {
        let choices = ChoiceText::new(MIXED.parse::<ExactCover>().unwrap().into());
        assert!(!choices.options.is_empty(), "there is a table");
        for record in [&[][..], &[(0, false), (6, true)], &[(2, false), (3, false), (4, false)]] {
            let [mut found, mut expected] = [Assumptions::default(), Assumptions::default()];
            let number = |&(option, is_forbidden): &(u32, bool)| {
                format!("{}:{}", if is_forbidden { ":-" } else { "" }, option + 1)
            };
            let text: Vec<String> = record.iter().map(number).collect();
            let options = record.iter().map(|&(option, is_forbidden)| (OptionId(option), is_forbidden));
            let chosen = choices.choose(options, &mut found).map_err(|(_, fault)| fault);
            let read = choices.read(text.join("|").as_bytes(), &mut expected).map_err(|error| error.fault);
            assert_eq!((chosen, found), (read, expected), "{record:?}");
        }
        for (record, place, message) in [
            (
                &[(2, false), (7, true)][..],
                1,
                "there is no option `8` (options are numbered from 1, and there are 7)",
            ),
            (&[(u32::MAX, false)], 0, "there is no option `4294967296` "),
            (&[(2, false), (3, true), (2, true)], 2, "option 3 is named twice"),
            (&[(3, true), (0, false), (1, false), (9, false)], 2, "options 1 and 2 exclude each other"),
        ] {
            let options = record.iter().map(|&(option, is_forbidden)| (OptionId(option), is_forbidden));
            let (at, fault) = choices.choose(options, &mut Assumptions::default()).unwrap_err();
            assert!(at == place && fault.to_string().starts_with(message), "{at} {fault}");
        }
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
            ChoiceText::new(problem.into()).read(b"d | \xff", &mut Assumptions::default()).unwrap_err(),
            ChoiceError { column: 5, fault: ChoiceFault::NotUtf8 }
        );
    }

    #[test]
    fn what_is_written_is_no_comment_and_no_single_word() {
        let problem: ExactCover = "none #c a b\nnone\n#c a\nb\nb\n".parse().unwrap();
        let choices = ChoiceText::new(problem.clone().into());
        for (options, expected) in
            [(&[][..], "|"), (&[0], "| none"), (&[1], "| #c"), (&[3], "| :4"), (&[0, 2], "none | :3")]
        {
            let mut line = b"> ".to_vec();
            let chosen = options.iter().map(|&option| OptionId(option)).collect();
            choices.write(&Assumptions { chosen, forbidden: Vec::new() }, &mut line);
            assert_eq!(line, format!("> {expected}").as_bytes());
        }
        // Names that no text has.
        let mut builder = ExactCover::builder();
        let items = ["a|b", "c d", "e:f", "c"].map(|name| builder.primary(name));
        for item in items {
            builder.option([item]);
        }
        let problem = builder.finish().unwrap();
        let (choices, mut line) = (ChoiceText::new(problem.into()), Vec::new());
        let (chosen, forbidden) = ([0, 1, 2].map(OptionId).to_vec(), vec![OptionId(3)]);
        choices.write(&Assumptions { chosen, forbidden }, &mut line);
        assert_eq!(line, b":1 | :2 | :3 | :- c");
    }

    proptest! {
        /// Any solution is read back, all of it chosen or a part of it forbidden, with a table of the options and
        /// without one.
        #[test]
        fn what_is_written_is_read_back(problem in problems()) {
            let with_table = ChoiceText::new(problem.clone().into());
            let without = ChoiceText { table: Index::default(), options: Vec::new(), ..with_table.clone() };
            let mut read = Assumptions::default();
            for mut chosen in crate::tests::brute_force(&problem).into_iter().take(20) {
                for kept in [chosen.len(), chosen.len() / 2, 0] {
                    let forbidden = chosen.split_off(kept);
                    let (written, mut line) = (Assumptions { chosen: chosen.clone(), forbidden }, Vec::new());
                    without.write(&written, &mut line);
                    for choices in [&with_table, &without] {
                        choices.read(&line, &mut read).unwrap();
                        prop_assert_eq!(&read, &written);
                    }
                    chosen.extend(written.forbidden);
                }
            }
        }

        /// No text makes it panic, and what it accepts is not contradictory.
        #[test]
        fn any_text_is_read_or_refused(problem in problems(), text in "[ps:0-3| #c-]{0,30}") {
            let mut assumptions = Assumptions::default();
            if ChoiceText::new(problem.clone().into()).read(text.as_bytes(), &mut assumptions).is_ok() {
                let Assumptions { chosen, .. } = &assumptions;
                for (place, &one) in chosen.iter().enumerate() {
                    prop_assert!(chosen[..place].iter().all(|&other| !problem.clash(one, other)));
                }
            }
        }
    }
}
