//! Problems as text: the format of Knuth's programs (DLX1, DLX2, DLX3, DLX5; www-cs-faculty.stanford.edu/~knuth/
//! programs.html), read and written back without loss.
//!
//! ```text
//! | a comment: its line begins with a bar
//! A B 2:3|C | X Y                  the items: primary ones, C of them 2 to 3 times, a bar, secondary ones
//! A B X:0 Y:0                      every further line is an option; X gets the colour 0
//! A C X:1 Y:1 |7                   and this one costs 7
//! ```
//! - Blanks (space, tab and the other blanks of ASCII) part the words; lines end in LF or CRLF; a line of blanks
//!   says nothing. A byte-order mark is passed over.
//! - A name or a colour is any run of bytes of UTF-8 without blanks, `:` and `|`, of any length. (Knuth's programs
//!   take eight characters, and colours of one.) Comments may hold any bytes.
//! - `n|name` is `n:n|name`; several costs of an option add up, and a cost of 0 is none.
//! - An option without a primary item is dropped: nothing would choose it. [`Text::dropped`] says so. Equal options
//!   count as different ones.

mod read;
mod write;

pub use read::{Dropped, Text, read};
pub use write::{to_text, write};

/// What parts words: ASCII, so that bytes of a longer character are never taken for it.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}
