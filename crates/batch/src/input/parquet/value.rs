//! The text of a value.

use std::io::{self, Write};

use parquet::basic::ConvertedType;
use parquet::record::Field;
use parquet::schema::types::ColumnDescPtr;

use crate::input::format::push_in_quotes;

/// Days from 1970 that have a text: about 260,000 years before and behind.
const DAYS: std::ops::RangeInclusive<i32> = -95_000_000..=95_000_000;

/// Milliseconds of a day.
const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

/// Refuses a column whose values have no text.
pub(super) fn check(column: &ColumnDescPtr) -> io::Result<()> {
    match column.converted_type() {
        ConvertedType::INTERVAL => {
            Err(io::Error::other(format!("column `{}` has values of the type INTERVAL", column.path())))
        }
        _ => Ok(()),
    }
}

/// Appends the text of `field`, in quotes if it needs them; nothing if it has no value.
pub(super) fn push(field: &Field, text: &mut Vec<u8>) -> io::Result<()> {
    match field {
        Field::Null => {}
        Field::Str(value) => push_field(value.as_bytes(), text),
        Field::Bytes(value) => push_field(value.data(), text),
        // A number needs no quotes.
        Field::Int(_) | Field::Long(_) | Field::Float(_) | Field::Double(_) => write!(text, "{field}")?,
        field if has_text(field) => push_field(field.to_string().as_bytes(), text),
        _ => return Err(io::Error::other("a date has more than six digits in its year")),
    }
    Ok(())
}

/// Whether the crate has a text for the value: it ends the program at a date that it does not know.
fn has_text(field: &Field) -> bool {
    let is_known = |millis: i64| i32::try_from(millis / DAY_MILLIS).is_ok_and(|day| DAYS.contains(&day));
    match field {
        Field::Date(day) => DAYS.contains(day),
        Field::TimestampMillis(millis) => is_known(*millis),
        Field::TimestampMicros(micros) => is_known(*micros / 1000),
        Field::Group(row) => row.get_column_iter().all(|(_, field)| has_text(field)),
        Field::ListInternal(list) => list.elements().iter().all(has_text),
        Field::MapInternal(map) => map.entries().iter().all(|(key, value)| has_text(key) && has_text(value)),
        _ => true,
    }
}

/// A field, in quotes if it needs them.
pub(super) fn push_field(field: &[u8], text: &mut Vec<u8>) {
    let needs_quotes = |byte: u8| matches!(byte, b'"' | b',' | b'\n' | b'\r' | b'#');
    // Without an early end: so the compiler looks at many bytes at a time.
    let has_none = !field.iter().fold(false, |found, &byte| found | needs_quotes(byte));
    if has_none && field.trim_ascii().len() == field.len() {
        return text.extend_from_slice(field);
    }
    push_in_quotes(field, text);
}
