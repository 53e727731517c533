//! Writes a problem as a text that [`read`](super::read) reads back as the same problem.

use std::fmt;
use std::io::{self, Write};

use crate::problem::names::is_blank;
use crate::{Bounds, ExactCover, ItemId, OptionId};

/// Writes `problem` as a text to `out`.
///
/// A program may give items and colours names that a text cannot have, because they contain blanks, `:` or `|`. Then all
/// names are written with these characters and `%` as in an address of the web: `room of maths` is `room%20of%20maths`.
/// (They are not decoded when the text is read.)
///
/// # Errors
/// The errors of `out`.
pub fn write(problem: &ExactCover, out: &mut dyn Write) -> io::Result<()> {
    let primary = problem.primary_count() as ItemId;
    let is_encoded = has_reserved(problem);
    let name = |name| Word { name, is_encoded };
    if problem.item_name(0).starts_with('\u{feff}') {
        // Without the blank, the start of this name would be read as a byte-order mark.
        out.write_all(b" ")?;
    }
    for item in 0..problem.item_count() as ItemId {
        if item > 0 {
            out.write_all(if item == primary { b" | " } else { b" " })?;
        }
        match problem.bounds(item) {
            Bounds::ONCE => {}
            Bounds { low, high } if low == high => write!(out, "{low}|")?,
            Bounds { low, high } => write!(out, "{low}:{high}|")?,
        }
        write!(out, "{}", name(problem.item_name(item)))?;
    }
    out.write_all(b"\n")?;
    for option in 0..problem.option_count() as OptionId {
        for (index, term) in problem.option(option).iter().enumerate() {
            let separator = if index > 0 { " " } else { "" };
            write!(out, "{separator}{}", name(problem.item_name(term.item)))?;
            if let Some(colour) = term.colour() {
                write!(out, ":{}", name(problem.colour_name(colour)))?;
            }
        }
        match problem.cost(option) {
            0 => out.write_all(b"\n")?,
            cost => writeln!(out, " |{cost}")?,
        }
    }
    Ok(())
}

/// Whether a text cannot contain this character of a name.
fn is_reserved(character: char) -> bool {
    matches!(character, ':' | '|') || u8::try_from(character).is_ok_and(is_blank)
}

/// Whether any name of an item or a colour has a reserved character.
fn has_reserved(problem: &ExactCover) -> bool {
    problem.item_names.text().contains(is_reserved) || problem.colour_names.text().contains(is_reserved)
}

/// A name as it is written. If the names are encoded, `%` is too, so that different names stay different.
struct Word<'a> {
    name: &'a str,
    is_encoded: bool,
}

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_encoded {
            return f.write_str(self.name);
        }
        self.name.split_inclusive(|character| is_reserved(character) || character == '%').try_for_each(
            |part| match part.char_indices().next_back() {
                Some((end, last)) if is_reserved(last) || last == '%' => {
                    write!(f, "{}%{:02X}", &part[..end], u32::from(last))
                }
                _ => f.write_str(part),
            },
        )
    }
}

/// `problem` as a text.
pub fn to_text(problem: &ExactCover) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail, and names are UTF-8.
    write(problem, &mut text).ok();
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::read;
    use super::*;
    use crate::random::problems;

    #[test]
    fn a_text_is_written_back_word_by_word() {
        let text = "A 2|B 0:3|C | X Y\nA X:red Y |5\nB C X:red\nB C X:red\nA Y\n";
        assert_eq!(to_text(&read(text.as_bytes()).unwrap().problem), text);
    }

    #[test]
    fn a_name_is_not_taken_for_a_byte_order_mark() {
        for text in ["\u{feff}\u{feff} | x\n\u{feff}", " \u{feff} b\nb \u{feff}", " \u{feff}a\n"] {
            let problem = read(text.as_bytes()).unwrap().problem;
            assert!(problem.item_name(0).starts_with('\u{feff}'));
            assert_eq!(read(to_text(&problem).as_bytes()).unwrap().problem, problem);
        }
    }

    #[test]
    fn names_that_a_text_cannot_have_are_encoded() {
        let mut builder = ExactCover::builder();
        builder.primary_with_bounds("room of maths", 1, 2);
        builder.primary("room%20of%20maths");
        builder.secondary("a|b:\t");
        builder.option_with_colours(["room of maths"], [("a|b:\t", "1\u{a0}%")]);
        let problem = builder.finish().unwrap();
        let text = "1:2|room%20of%20maths room%2520of%2520maths | a%7Cb%3A%09\n\
                    room%20of%20maths a%7Cb%3A%09:1\u{a0}%25\n";
        assert_eq!(to_text(&problem), text);
        let read = read(text.as_bytes()).unwrap().problem;
        assert!(read.options().eq(problem.options()) && read.bounds(0) == problem.bounds(0));
        // Names that a text can have are written as they are.
        let plain = "50%20 |  x%\n50%20 x%:100%\n".replace("  ", " ");
        assert_eq!(to_text(&super::super::read(plain.as_bytes()).unwrap().problem), plain);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(problem in problems()) {
            let text = to_text(&problem);
            let read = read(text.as_bytes()).unwrap();
            prop_assert_eq!(read.dropped.count, 0);
            prop_assert_eq!(read.problem, problem);
        }

        /// Asserts only that reading does not panic. Random bytes are mostly wrong in the first word; the format's own
        /// characters get further.
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            read(&bytes).ok();
        }

        #[test]
        fn any_characters_of_the_format_are_read_or_refused(text in "[ab1-2:| \n\r]{0,60}") {
            if let Ok(read) = read(text.as_bytes()) {
                let again = super::super::read(to_text(&read.problem).as_bytes()).unwrap();
                prop_assert_eq!(again.problem, read.problem);
            }
        }
    }
}
