//! Rows that are records of a problem, in one of two forms:
//!
//! ```text
//! (n, k)         12  40  -3   0   0      options 12 and 40 are chosen, option 3 is forbidden; 0 is nothing
//! (n, options)    0   1   0   2   0      option 2 is chosen, option 4 is forbidden
//! ```
//! Galop writes solutions in the first form, which is short, and puzzles in the second one.

use std::sync::Arc;

use galop_cover::problem::Excerpt;
use galop_cover::text::{ChoiceFault, ChoiceText};
use galop_cover::{Assumptions, OptionId};

use super::value::{Number, Value};
use crate::input::error::{LineError, LineErrorKind};
use crate::input::notation::push_options;

/// How a row of numbers becomes a byte an option.
pub(super) struct Choices {
    text: Arc<ChoiceText>,
    options: usize,
    value: Value,
    /// Whether a row has a mark for each option.
    has_marks: bool,
}

impl Choices {
    /// For rows of `numbers` numbers. A row that has one for each option has marks. But if all options can be chosen
    /// together, only bytes are marks.
    pub(super) fn new(text: &Arc<ChoiceText>, numbers: usize, value: Value) -> Choices {
        let problem = text.problem();
        let options = problem.option_count();
        let has_marks = numbers == options && (value.bytes == 1 || problem.most_chosen() < options);
        Choices { text: Arc::clone(text), options, value, has_marks }
    }

    /// Appends the record that a row is.
    ///
    /// # Errors
    /// The first wrong number.
    pub(super) fn push(&self, row: &[u8], puzzles: &mut Vec<u8>) -> Result<(), LineError> {
        let (mut choices, mut columns, mut wrong) = (Vec::new(), Vec::new(), None);
        for (bytes, column) in row.chunks_exact(self.value.bytes).zip(1..) {
            match self.choice(bytes, column) {
                Ok(None) => {}
                Ok(Some(choice)) => {
                    choices.push(choice);
                    columns.push(column);
                }
                Err(kind) => {
                    wrong = Some(LineError { column, kind });
                    break;
                }
            }
        }
        let mut assumptions = Assumptions::default();
        self.text.choose(choices, &mut assumptions).map_err(|(place, fault)| {
            let column = columns.get(place).copied().unwrap_or(1);
            LineError { column, kind: LineErrorKind::Choice(fault) }
        })?;
        if let Some(error) = wrong {
            return Err(error);
        }
        push_options(&assumptions, self.options, puzzles);
        Ok(())
    }

    /// What the number in this column, from 1, chooses or forbids.
    fn choice(&self, bytes: &[u8], column: u32) -> Result<Option<(OptionId, bool)>, LineErrorKind> {
        let fault = |number: String| {
            let number = Excerpt::from(&*number);
            LineErrorKind::Choice(ChoiceFault::Number { number, count: self.options as u32 })
        };
        let number = match self.value.read(bytes) {
            Number::Whole(number) => number,
            Number::Nan => 0,
            Number::Other(number) => return Err(fault(number.to_string())),
        };
        let option = match number {
            0 => return Ok(None),
            1 if self.has_marks => i128::from(column),
            2 if self.has_marks => -i128::from(column),
            _ if self.has_marks => {
                let found = number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                return Err(LineErrorKind::Mark { found });
            }
            _ => number,
        };
        match u32::try_from(option.unsigned_abs()) {
            Ok(given @ 1..) if given as usize <= self.options => Ok(Some((OptionId(given - 1), option < 0))),
            _ => Err(fault(option.unsigned_abs().to_string())),
        }
    }
}
