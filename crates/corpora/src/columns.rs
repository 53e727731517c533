//! The values of chosen columns, written one after the other into one buffer.

use std::ops::Range;

use crate::input::Field;

/// How a value was appended.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Text,
    Number,
    Missing,
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

    /// The values as fields, `N` at most, and how many there are.
    pub(crate) fn fields<const N: usize>(&self) -> ([Field<'_>; N], usize) {
        let mut fields = [Field::Missing; N];
        for (field, (value, place)) in fields.iter_mut().zip(&self.places) {
            *field = match value {
                Value::Text => Field::Text(&self.text[place.clone()]),
                Value::Number => Field::Literal(&self.text[place.clone()]),
                Value::Missing => Field::Missing,
            };
        }
        (fields, self.places.len().min(N))
    }
}
