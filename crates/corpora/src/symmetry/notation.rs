//! A symmetry as one word, and back.

use std::fmt;
use std::str::FromStr;

use super::shape::{LINES, Shape, unchanged};
use super::transformation::Symmetry;

/// Why a word is not a symmetry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The word has too few parts, too many, or one with another letter in front.
    #[error(
        "`{word}` is not a symmetry (it looks like `t-r123456789-c123456789-d123456789`; `t-` may be missing)"
    )]
    Parts {
        /// The word.
        word: String,
    },
    /// The parts have other lengths than the rows, columns and digits of a size that is supported.
    #[error("`{part}` has {found} digits (4, 6 or 9, as many as the other parts)")]
    Length {
        /// The part of the word.
        part: String,
        /// Its digits.
        found: usize,
    },
    /// A part does not have each number once.
    #[error("`{part}` does not have each of the digits 1 to {side} once")]
    NotAnOrder {
        /// The part of the word.
        part: String,
        /// Cells of a row.
        side: usize,
    },
    /// Rows of one band, or columns of one stack, go to different ones.
    #[error("`{part}` does not keep chutes of {size} lines together")]
    Chutes {
        /// The part of the word.
        part: String,
        /// Rows of a band, or columns of a stack.
        size: usize,
    },
    /// Grids of 6x6 have no transposition.
    #[error("a grid of {side}x{side} cannot be transposed (its blocks would be higher than wide)")]
    Transposed {
        /// Cells of a row.
        side: usize,
    },
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // As one text, so that widths of formats hold.
        let mut word = Vec::new();
        self.push_word(&mut word);
        f.pad(&String::from_utf8_lossy(&word))
    }
}

impl Symmetry {
    /// Appends the word of this symmetry to `out`.
    pub(crate) fn push_word(&self, out: &mut Vec<u8>) {
        if self.is_transposed {
            out.extend_from_slice(b"t-");
        }
        let side = usize::from(self.side);
        for (letter, numbers, first) in [
            (&b"r"[..], &self.rows[..side], b'1'),
            (b"-c", &self.columns[..side], b'1'),
            (b"-d", &self.digits[1..=side], b'0'),
        ] {
            out.extend_from_slice(letter);
            out.extend(numbers.iter().map(|number| first + number));
        }
    }
}

impl FromStr for Symmetry {
    type Err = NotationError;

    fn from_str(word: &str) -> Result<Symmetry, NotationError> {
        let is_transposed = word.starts_with("t-");
        let parts: Vec<&str> = word.strip_prefix("t-").unwrap_or(word).split('-').collect();
        let [rows, columns, digits] = parts[..] else {
            return Err(NotationError::Parts { word: word.into() });
        };
        let has_letters = [(rows, 'r'), (columns, 'c'), (digits, 'd')].iter().all(|(part, letter)| {
            part.strip_prefix(*letter).is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if !has_letters {
            return Err(NotationError::Parts { word: word.into() });
        }
        let length = |part: &str| NotationError::Length { part: part.into(), found: part.len() - 1 };
        let shape = Shape::of_side(rows.len() - 1).ok_or_else(|| length(rows))?;
        if let Some(part) = [columns, digits].into_iter().find(|part| part.len() != rows.len()) {
            return Err(length(part));
        }
        if is_transposed && !shape.can_transpose() {
            return Err(NotationError::Transposed { side: shape.side });
        }
        let names = order(digits, shape.side)?;
        let mut symmetry = Symmetry { is_transposed, ..Symmetry::unit(shape) };
        symmetry.rows = lines(rows, shape.side, shape.height)?;
        symmetry.columns = lines(columns, shape.side, shape.width)?;
        for (name, from) in symmetry.digits[1..].iter_mut().zip(&names[..shape.side]) {
            *name = from + 1;
        }
        Ok(symmetry)
    }
}

/// The numbers behind the letter of `part`, less one each.
fn order(part: &str, side: usize) -> Result<[u8; LINES], NotationError> {
    let mut order = unchanged();
    for (line, digit) in order.iter_mut().zip(part.bytes().skip(1)) {
        *line = digit.wrapping_sub(b'1');
    }
    let has_each = (0..side).all(|line| order[..side].contains(&(line as u8)));
    if has_each { Ok(order) } else { Err(NotationError::NotAnOrder { part: part.into(), side }) }
}

/// As [`order`], if it keeps the chutes of `size` lines together.
fn lines(part: &str, side: usize, size: usize) -> Result<[u8; LINES], NotationError> {
    let order = order(part, side)?;
    let is_kept =
        |chute: &[u8]| chute.iter().all(|&line| usize::from(line) / size == usize::from(chute[0]) / size);
    let is_kept = order[..side].chunks_exact(size).all(is_kept);
    if is_kept { Ok(order) } else { Err(NotationError::Chutes { part: part.into(), size }) }
}

#[cfg(test)]
mod tests {
    use super::super::Symmetries;
    use super::*;

    #[test]
    fn words_are_read_as_they_are_written() {
        for shape in Shape::ALL {
            for record in 0..300 {
                let symmetry = Symmetries::of(shape, 2).get(record, 0);
                assert_eq!(symmetry.to_string().parse(), Ok(symmetry));
            }
        }
        let word = "t-r123456789-c978645132-d912345678";
        let symmetry: Symmetry = word.parse().unwrap();
        assert_eq!((symmetry.rows[8], symmetry.columns[0], symmetry.digits[1]), (8, 8, 9));
        assert_eq!(format!("{symmetry:>36}"), format!("  {word}"));
    }

    #[test]
    fn other_words_say_what_is_wrong() {
        let error = |word: &str| word.parse::<Symmetry>().unwrap_err().to_string();
        for word in [
            "",
            "r1234",
            "t-t-r1234-c1234-d1234",
            "r1234-c1234-e1234",
            "r12a4-c1234-d1234",
            "r-c-d-",
            "-r1234",
        ] {
            assert!(error(word).starts_with(&format!("`{word}` is not a symmetry (it looks like")), "{word}");
        }
        assert_eq!(error("r12-c12-d12"), "`r12` has 2 digits (4, 6 or 9, as many as the other parts)");
        assert_eq!(error("r-c-d"), "`r` has 0 digits (4, 6 or 9, as many as the other parts)");
        assert_eq!(error("r1234-c123-d1234"), "`c123` has 3 digits (4, 6 or 9, as many as the other parts)");
        assert_eq!(error("r1234-c1134-d1234"), "`c1134` does not have each of the digits 1 to 4 once");
        assert_eq!(error("r1234-c1234-d0123"), "`d0123` does not have each of the digits 1 to 4 once");
        assert_eq!(error("r1324-c1234-d1234"), "`r1324` does not keep chutes of 2 lines together");
        assert_eq!(error("r123456-c143256-d123456"), "`c143256` does not keep chutes of 3 lines together");
        assert!("r123456-c132456-d123456".parse::<Symmetry>().is_ok());
        assert!(error("t-r123456-c123456-d123456").starts_with("a grid of 6x6 cannot be transposed"));
    }
}
