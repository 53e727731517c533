//! The values of chosen columns, written one after the other into one buffer.

use std::io::Write;
use std::ops::Range;

use crate::input::Field;

/// How a value was appended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Text,
    Number,
    Missing,
}

/// Appends a number, if there is one.
pub(crate) fn push_number(number: Option<u64>, out: &mut Vec<u8>) -> Value {
    let Some(number) = number else { return Value::Missing };
    // Vectors of bytes take all that is written.
    let _ = write!(out, "{number}");
    Value::Number
}

/// The values of one record. The buffers are used again for the next one.
#[derive(Debug, Default)]
pub(crate) struct Values {
    text: Vec<u8>,
    places: Vec<(Value, Range<usize>)>,
}

impl Values {
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.places.clear();
    }

    /// Adds the value that `append` appends to the text.
    pub(crate) fn push(&mut self, append: impl FnOnce(&mut Vec<u8>) -> Value) {
        let start = self.text.len();
        let value = append(&mut self.text);
        self.places.push((value, start..self.text.len()));
    }

    /// The values as fields.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Field<'_>> {
        self.places.iter().map(|(value, place)| match value {
            Value::Text => Field::Text(&self.text[place.clone()]),
            Value::Number => Field::Literal(&self.text[place.clone()]),
            Value::Missing => Field::Missing,
        })
    }

    /// The same in an array, `N` at most, and how many there are.
    pub(crate) fn fields<const N: usize>(&self) -> ([Field<'_>; N], usize) {
        let mut fields = [Field::Missing; N];
        for (field, value) in fields.iter_mut().zip(self.iter()) {
            *field = value;
        }
        (fields, self.places.len().min(N))
    }
}
