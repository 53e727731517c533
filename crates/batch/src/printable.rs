//! Names of files as text for people and for line formats.

use std::fmt::{self, Write};
use std::path::Path;

/// `path` as text that can neither control a terminal nor end a line.
///
/// Most names stay as they are. If a name has control characters, or characters that change the direction of text, all
/// of it is written as `$'..'` with escapes, which a shell reads again.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(galop_batch::printable(Path::new("my puzzles.txt")).to_string(), "my puzzles.txt");
/// assert_eq!(galop_batch::printable(Path::new("two\nlines.txt")).to_string(), r"$'two\nlines.txt'");
/// ```
pub fn printable(path: &Path) -> impl fmt::Display {
    Printable(path)
}

struct Printable<'a>(&'a Path);

/// Whether a character controls a terminal or the direction of text.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.to_string_lossy();
        if !text.contains(is_control) {
            return f.write_str(&text);
        }
        f.write_str("$'")?;
        for c in text.chars() {
            match c {
                '\'' | '\\' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                '\t' => f.write_str("\\t")?,
                '\r' => f.write_str("\\r")?,
                c if c.is_ascii_control() => write!(f, "\\x{:02x}", u32::from(c))?,
                c if is_control(c) => write!(f, "\\u{:04x}", u32::from(c))?,
                c => f.write_char(c)?,
            }
        }
        f.write_str("'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_control_characters_are_quoted() {
        let names = [
            ("in.txt", "in.txt"),
            (r"it's a\b.txt", r"it's a\b.txt"),
            ("größe.txt", "größe.txt"),
            ("\x1b]0;title\x07.txt", r"$'\x1b]0;title\x07.txt'"),
            ("it's\r\n\t\\", r"$'it\'s\r\n\t\\'"),
            ("a\u{202e}txt.\u{9b}", r"$'a\u202etxt.\u009b'"),
        ];
        for (name, expected) in names {
            assert_eq!(printable(Path::new(name)).to_string(), expected);
        }
    }
}
