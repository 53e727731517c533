//! Rows that are records of a problem, in one of two forms:
//!
//! ```text
//! (n, k)         12  40  -3   0   0      options 12 and 40 are chosen, option 3 is forbidden; 0 is nothing
//! (n, options)    0   1   0   2   0      option 2 is chosen, option 4 is forbidden
//! ```
//! Galop writes solutions in the first form, which is short, and puzzles in the second one.

use std::sync::Arc;

use galop_cover::Assumptions;
use galop_cover::problem::Excerpt;
use galop_cover::text::{ChoiceFault, ChoiceText};

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
    /// For rows of so many numbers. A row with as many numbers as options has marks, unless all options can be chosen
    /// together: then only bytes are marks.
    pub(super) fn new(text: &Arc<ChoiceText>, numbers: usize, value: Value) -> Choices {
        let problem = text.problem();
        let options = problem.option_count();
        let has_marks = numbers == options && (value.bytes == 1 || problem.most_chosen() < options);
        Choices { text: Arc::clone(text), options, value, has_marks }
    }

    /// Appends the record that a row is. It is read as a line with the same choices would be.
    ///
    /// # Errors
    /// The first wrong number.
    pub(super) fn push(&self, row: &[u8], puzzles: &mut Vec<u8>) -> Result<(), LineError> {
        let (mut line, mut columns) = (String::new(), Vec::new());
        for (bytes, column) in row.chunks_exact(self.value.bytes).zip(1_u32..) {
            let error = |kind| LineError { column, kind };
            let fault = |number: String| {
                let count = self.options as u32;
                error(LineErrorKind::Choice(ChoiceFault::Number { number: Excerpt::from(&*number), count }))
            };
            let number = match self.value.read(bytes) {
                Number::Whole(number) => number,
                Number::Nan => 0,
                Number::Other(number) => return Err(fault(number.to_string())),
            };
            let option = match number {
                0 => continue,
                1 if self.has_marks => i128::from(column),
                2 if self.has_marks => -i128::from(column),
                _ if self.has_marks => {
                    let found = number.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                    return Err(error(LineErrorKind::Mark { found }));
                }
                _ => number,
            };
            let mark = if option < 0 { ":- " } else { "" };
            line += &format!("{mark}:{}|", option.unsigned_abs());
            columns.push(column);
        }
        let mut assumptions = Assumptions::default();
        self.text.read(line.as_bytes(), &mut assumptions).map_err(|error| {
            let before = line.bytes().take(error.column - 1).filter(|&byte| byte == b'|').count();
            let column = columns.get(before).copied().unwrap_or(1);
            LineError { column, kind: LineErrorKind::Choice(error.fault) }
        })?;
        push_options(&assumptions, self.options, puzzles);
        Ok(())
    }
}
