//! The values of arrays of one dimension in an archive, which become columns.

use super::super::every::Field;
use super::value::{Number, Value};

/// Bytes of the longest value of a column. Rows of several arrays are held in memory side by side.
const MAX_WIDTH: usize = 65_536;

/// An array with one value for each puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::input) struct ArrayColumn {
    pub(in crate::input) name: String,
    pub(in crate::input) kind: ColumnType,
}

/// The type of such an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum ColumnType {
    /// A number, or true or false.
    Number(Value),
    /// Code points of four bytes each, filled up with zeros.
    Text { characters: usize, is_greatest_byte_first: bool },
    /// Bytes, filled up with zeros.
    Bytes(usize),
}

impl ArrayColumn {
    /// Bytes of a value.
    pub(super) fn width(&self) -> usize {
        self.kind.width()
    }

    /// Calls `found` with the value that `bytes` are.
    pub(super) fn read(&self, bytes: &[u8], found: impl FnOnce(Field<'_>)) {
        match self.kind {
            ColumnType::Number(value) => match value.read(bytes) {
                Number::Whole(number) if value.is_bool() => {
                    found(Field::Literal(if number == 0 { b"false" } else { b"true" }));
                }
                Number::Whole(number) => found(Field::Literal(number.to_string().as_bytes())),
                Number::Nan => found(Field::Missing),
                Number::Other(float) if float.is_finite() => {
                    found(Field::Literal(value.shortest(float).as_bytes()));
                }
                // JSON has no number for it.
                Number::Other(float) => found(Field::Text(float.to_string().as_bytes())),
            },
            ColumnType::Text { is_greatest_byte_first, .. } => {
                let mut text: String = bytes
                    .as_chunks::<4>()
                    .0
                    .iter()
                    .map(|&bytes| match is_greatest_byte_first {
                        true => u32::from_be_bytes(bytes),
                        false => u32::from_le_bytes(bytes),
                    })
                    .map(|code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
                    .collect();
                text.truncate(text.trim_end_matches('\0').len());
                found(Field::Text(text.as_bytes()));
            }
            ColumnType::Bytes(_) => {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                found(Field::Text(&bytes[..end]));
            }
        }
    }
}

impl ColumnType {
    /// The type of this name: `<i8`, `<U5`, `|S3`. `None` if its values have no text.
    pub(super) fn of(name: &str) -> Option<ColumnType> {
        let len = |prefixes: [&str; 2]| {
            let number = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix))?;
            number.parse().ok().filter(|&len: &usize| len > 0)
        };
        let kind = match Value::of(&format!("'{name}'")) {
            Ok(value) => ColumnType::Number(value),
            Err(_) => match (len(["<U", ">U"]), len(["|S", "S"])) {
                (Some(characters), _) => {
                    ColumnType::Text { characters, is_greatest_byte_first: name.starts_with('>') }
                }
                (None, Some(bytes)) => ColumnType::Bytes(bytes),
                (None, None) => return None,
            },
        };
        (kind.width() <= MAX_WIDTH).then_some(kind)
    }

    /// Bytes of a value.
    pub(in crate::input) fn width(self) -> usize {
        match self {
            ColumnType::Number(value) => value.bytes,
            ColumnType::Text { characters, .. } => characters.saturating_mul(4),
            ColumnType::Bytes(bytes) => bytes,
        }
    }
}
