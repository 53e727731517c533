//! Reads the arguments of a model, one after the other.

use std::fmt::Display;
use std::ops::RangeInclusive;

use super::ModelError;

/// The arguments that are not read yet.
pub(super) struct Arguments<'a>(std::slice::Iter<'a, &'a str>);

impl<'a> Arguments<'a> {
    pub(super) fn of(words: &'a [&'a str]) -> Arguments<'a> {
        Arguments(words.iter())
    }

    /// Reads a number.
    pub(super) fn number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<usize, ModelError> {
        number(self.next(name)?, name, range)
    }

    /// Reads the last argument, a number.
    pub(super) fn only(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<usize, ModelError> {
        let number = self.number(name, range)?;
        self.end()?;
        Ok(number)
    }

    /// Reads a number if an argument is left.
    pub(super) fn optional_number(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Option<usize>, ModelError> {
        self.0.next().map(|word| number(word, name, range)).transpose()
    }

    /// Reads a size: two or more numbers with an x between them, each in `range`.
    pub(super) fn size(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<Vec<usize>, ModelError> {
        let word = self.next(name)?;
        let sides: Vec<&str> = word.split(['x', 'X']).collect();
        if sides.len() < 2 || !sides.iter().all(|side| is_number(side)) {
            return Err(ModelError::Argument(format!(
                "`{}` is not a valid {name} (whole numbers with an x between them, as in 6x10)",
                word.escape_debug()
            )));
        }
        sides.iter().map(|side| number(side, name, range.clone())).collect()
    }

    /// Reads the size of a board: its width and its height.
    pub(super) fn board(
        &mut self,
        name: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<(usize, usize), ModelError> {
        match self.size(name, range)?[..] {
            [width, height] => Ok((width, height)),
            ref sides => {
                let sides = sides.len();
                Err(ModelError::Argument(format!("a board has two sides, not {sides} (WxH, as in 6x10)")))
            }
        }
    }

    /// Checks that no argument is left.
    pub(super) fn end(&mut self) -> Result<(), ModelError> {
        match self.0.next() {
            None => Ok(()),
            Some(word) => {
                let word = word.escape_debug();
                Err(ModelError::Argument(format!("`{word}` is one argument too many")))
            }
        }
    }

    fn next(&mut self, name: &'static str) -> Result<&'a str, ModelError> {
        self.0.next().copied().ok_or_else(|| ModelError::Argument(format!("{name} is missing")))
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(word: &str, name: &'static str, range: RangeInclusive<usize>) -> Result<usize, ModelError> {
    if !is_number(word) {
        return Err(ModelError::Argument(format!(
            "`{}` is not a valid {name} (a whole number, in digits)",
            word.escape_debug()
        )));
    }
    // Too many digits for a `usize` are out of every range.
    let number = word.parse().map_err(|_| out_of_range(name, word, &range))?;
    check(name, number, range)?;
    Ok(number)
}

/// Checks that an argument is in its range.
pub(super) fn check(
    name: &'static str,
    number: usize,
    range: RangeInclusive<usize>,
) -> Result<(), ModelError> {
    if range.contains(&number) { Ok(()) } else { Err(out_of_range(name, number, &range)) }
}

fn out_of_range(name: &'static str, number: impl Display, range: &RangeInclusive<usize>) -> ModelError {
    ModelError::Argument(format!(
        "{number} is out of range for {name} ({} to {})",
        range.start(),
        range.end()
    ))
}
