//! The types of numbers that an array may have, and which cells its numbers are.

use crate::input::error::{LineErrorKind, NpyFault};

/// A type of numbers, as numpy describes it: `<i4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) struct Value {
    kind: Kind,
    pub(super) bytes: usize,
    is_greatest_byte_first: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    Unsigned,
    Signed,
    Float,
}

/// What the bytes of a value are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    /// A whole number.
    Whole(i128),
    /// NaN, which programs write for a missing value.
    Nan,
    /// A fraction, an infinity, or a float too great for a whole number.
    Other(f64),
}

impl Value {
    /// The type with a description like `'<i4'`.
    ///
    /// # Errors
    /// [`NpyFault::Type`] if its values are no numbers.
    pub(super) fn of(descr: &str) -> Result<Value, NpyFault> {
        let name = type_name(descr)?;
        let plain = name.trim_start_matches(['|', '<', '>']);
        let (kind, bytes) = match plain {
            "b1" => (Kind::Bool, 1),
            "u1" => (Kind::Unsigned, 1),
            "i1" => (Kind::Signed, 1),
            "u2" => (Kind::Unsigned, 2),
            "i2" => (Kind::Signed, 2),
            "u4" => (Kind::Unsigned, 4),
            "i4" => (Kind::Signed, 4),
            "u8" => (Kind::Unsigned, 8),
            "i8" => (Kind::Signed, 8),
            "f2" => (Kind::Float, 2),
            "f4" => (Kind::Float, 4),
            "f8" => (Kind::Float, 8),
            _ => return Err(NpyFault::Type(name.to_owned())),
        };
        Ok(Value { kind, bytes, is_greatest_byte_first: name.starts_with('>') })
    }

    /// Whether a value is true or false.
    pub(super) fn is_bool(self) -> bool {
        self.kind == Kind::Bool
    }

    /// Whether the values are whole numbers, least byte first.
    fn is_plain(self) -> bool {
        matches!(self.kind, Kind::Unsigned | Kind::Signed) && !self.is_greatest_byte_first
    }

    /// The shortest text that is read as `float`, a number of this type.
    pub(super) fn shortest(self, float: f64) -> String {
        if self.bytes == 8 { float.to_string() } else { (float as f32).to_string() }
    }

    /// The number that `bytes` are.
    pub(super) fn read(self, bytes: &[u8]) -> Number {
        let push = |bits: u64, &byte: &u8| bits << 8 | u64::from(byte);
        let bits = match self.is_greatest_byte_first {
            true => bytes.iter().fold(0, push),
            false => bytes.iter().rev().fold(0, push),
        };
        let unused = 64 - 8 * self.bytes as u32;
        match (self.kind, self.bytes) {
            (Kind::Signed, _) => Number::Whole(((bits << unused) as i64 >> unused).into()),
            (Kind::Bool | Kind::Unsigned, _) => Number::Whole(bits.into()),
            (Kind::Float, 2) => Number::of_float(half(bits as u16)),
            (Kind::Float, 4) => Number::of_float(f32::from_bits(bits as u32).into()),
            (Kind::Float, _) => Number::of_float(f64::from_bits(bits)),
        }
    }
}

impl Number {
    fn of_float(float: f64) -> Number {
        match float {
            _ if float.is_nan() => Number::Nan,
            // From here on not every whole number is a float.
            _ if float.abs() < 2_f64.powi(53) && float.trunc() == float => Number::Whole(float as i128),
            _ => Number::Other(float),
        }
    }
}

/// The number of a float of 16 bits (IEEE 754-2019, 3.4: 1 bit of sign, 5 of exponent, 10 of fraction).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let size = match exponent {
        0 => fraction * 2_f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2_f64.powi(exponent - 25),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// The name of a type in a header, without its quotes.
pub(super) fn type_name(descr: &str) -> Result<&str, NpyFault> {
    match descr.chars().next() {
        Some(quote @ ('\'' | '"')) => Ok(descr[1..].split_once(quote).ok_or(NpyFault::Header)?.0),
        _ => Ok("structure"),
    }
}

/// How an array writes a cell: as a number, or as a channel for each symbol, of which one is 1 (one-hot).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) value: Value,
    /// Values of a cell: 1 for a number. With as many channels as symbols, all channels of a blank are 0; with one
    /// more, the first channel stands for blanks.
    pub(super) channels: usize,
}

impl Cell {
    /// Bytes of a cell.
    pub(super) fn bytes(self) -> usize {
        self.value.bytes * self.channels
    }

    /// Whether cells are channels.
    pub(super) fn is_one_hot(self) -> bool {
        self.channels > 1
    }

    /// Whether cells are whole numbers, least byte first: then their rows become vector code.
    pub(super) fn is_plain(self) -> bool {
        !self.is_one_hot() && self.value.is_plain()
    }

    /// The cell that `bytes` are: 0 for a blank, or a symbol from 1 to `symbols`. `blank` is the number of a blank.
    ///
    /// # Errors
    /// What is wrong with the number, or with the channels.
    #[inline]
    pub(super) fn read(self, bytes: &[u8], blank: u8, symbols: u8) -> Result<u8, LineErrorKind> {
        if self.is_one_hot() {
            return self.read_channels(bytes, symbols);
        }
        let most = symbols + blank;
        match self.value.read(bytes) {
            // Programs write -1, too, for a missing value.
            Number::Whole(-1) => Ok(0),
            Number::Whole(found) => match found - i128::from(blank) {
                cell if (0..=i128::from(symbols)).contains(&cell) => Ok(cell as u8),
                _ => {
                    let found = found.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
                    Err(LineErrorKind::Number { found, blank, most })
                }
            },
            Number::Nan => Ok(0),
            Number::Other(float) => Err(LineErrorKind::Float { bits: float.to_bits(), blank, most }),
        }
    }

    fn read_channels(self, bytes: &[u8], symbols: u8) -> Result<u8, LineErrorKind> {
        let (mut ones, mut others, mut last) = (0, 0, 0);
        for (channel, bytes) in bytes.chunks_exact(self.value.bytes).enumerate() {
            match self.value.read(bytes) {
                Number::Whole(0) => {}
                Number::Whole(1) => (ones, last) = (ones + 1, channel as u8),
                _ => others += 1,
            }
        }
        let has_no_blank = self.channels == usize::from(symbols);
        match (ones, others) {
            (1, 0) => Ok(last + u8::from(has_no_blank)),
            (0, 0) if has_no_blank => Ok(0),
            _ => Err(LineErrorKind::OneHot { ones, others, channels: self.channels as u16 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(descr: &str, bytes: &[u8]) -> Number {
        Value::of(&format!("'{descr}'")).unwrap().read(bytes)
    }

    #[test]
    fn the_bytes_of_every_type_are_numbers() {
        assert_eq!(number("<i4", &[0xfe, 0xff, 0xff, 0xff]), Number::Whole(-2));
        assert_eq!(number(">i4", &[0, 0, 1, 2]), Number::Whole(258));
        assert_eq!(number("<u8", &[0, 0, 0, 0, 1, 0, 0, 0]), Number::Whole(1 << 32));
        assert_eq!(number("<u8", &[0xff; 8]), Number::Whole(u64::MAX.into()));
        assert_eq!(number("|b1", &[1]), Number::Whole(1));
        for (float, expected) in [
            (9.0, Number::Whole(9)),
            (-0.0, Number::Whole(0)),
            (-3.0, Number::Whole(-3)),
            (f64::NAN, Number::Nan),
            (4.5, Number::Other(4.5)),
            (f64::INFINITY, Number::Other(f64::INFINITY)),
            (1e300, Number::Other(1e300)),
            (2_f64.powi(63), Number::Other(2_f64.powi(63))),
        ] {
            assert_eq!(number("<f8", &float.to_le_bytes()), expected);
            assert_eq!(number(">f8", &float.to_be_bytes()), expected);
            if f64::from(float as f32) == float || float.is_nan() {
                assert_eq!(number("<f4", &(float as f32).to_le_bytes()), expected);
            }
        }
        // 9, the least number above 0, -2, an infinity, NaN.
        let halves = [0x4880, 0x0001, 0xc000, 0x7c00, 0x7e00].map(|bits: u16| half(bits));
        assert_eq!(halves[..4], [9.0, 2_f64.powi(-24), -2.0, f64::INFINITY]);
        assert!(halves[4].is_nan());
    }

    #[test]
    fn the_channel_that_is_1_is_the_cell() {
        let value = Value::of("'|u1'").unwrap();
        let read = |channels: &[u8]| Cell { value, channels: channels.len() }.read(channels, 0, 4);
        assert_eq!(read(&[0, 0, 1, 0]), Ok(3));
        assert_eq!(read(&[0, 0, 0, 0]), Ok(0));
        assert_eq!(read(&[1, 0, 0, 0, 0]), Ok(0));
        assert_eq!(read(&[0, 0, 0, 0, 1]), Ok(4));
        assert_eq!(read(&[0, 0, 0, 0, 0]), Err(LineErrorKind::OneHot { ones: 0, others: 0, channels: 5 }));
        assert_eq!(read(&[1, 0, 1, 0]), Err(LineErrorKind::OneHot { ones: 2, others: 0, channels: 4 }));
        assert_eq!(read(&[1, 0, 2, 0]), Err(LineErrorKind::OneHot { ones: 1, others: 1, channels: 4 }));
    }
}
