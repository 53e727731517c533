//! All columns of a table, or all keys of objects, with their values: what a conversion keeps.

/// The columns of a source.
#[derive(Clone, Debug)]
pub(crate) struct EveryColumn {
    /// Their names.
    pub(crate) names: Vec<String>,
    /// The column of the puzzles, from 0.
    pub(crate) puzzle: usize,
    /// The column of the answers.
    pub(crate) answer: Option<usize>,
}

/// The value of a record in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field<'a> {
    /// Any text.
    Text(&'a [u8]),
    /// A number, or another value of JSON that is no text, as it is written.
    Literal(&'a [u8]),
    /// Nothing.
    Missing,
}

/// Whether a text is a number that every program reads and writes alike: not too many digits, no leading zeros, which a
/// name may have, and no exponent.
pub(super) fn is_number(text: &[u8]) -> bool {
    const MAX_DIGITS: usize = 15;
    let unsigned = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, part) = match unsigned.iter().position(|&byte| byte == b'.') {
        Some(point) => (&unsigned[..point], &unsigned[point + 1..]),
        None => (unsigned, &b"0"[..]),
    };
    let are_digits = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    are_digits(whole)
        && are_digits(part)
        && (whole.len() == 1 || whole[0] != b'0')
        && whole.len() + part.len() <= MAX_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_that_every_program_reads_alike() {
        for text in ["0", "7", "-7", "1.50", "0.25", "-0.5", "99999999999999"] {
            assert!(is_number(text.as_bytes()), "{text}");
        }
        for text in ["", "-", "007", "1e5", "1.", ".5", "+1", "0x1", "nan", " 1", "1234567890123456", "1.2.3"]
        {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }
}
