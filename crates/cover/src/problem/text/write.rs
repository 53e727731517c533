//! Writes a problem as a text that [`read`](super::read) reads back as the same problem.

use std::io::{self, Write};

use crate::{Bounds, ExactCover, ItemId, OptionId};

/// Writes `problem` as a text to `out`.
///
/// # Errors
/// The errors of `out`.
pub fn write(problem: &ExactCover, out: &mut dyn Write) -> io::Result<()> {
    let primary = problem.primary_count() as ItemId;
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
        out.write_all(problem.item_name(item).as_bytes())?;
    }
    out.write_all(b"\n")?;
    for option in 0..problem.option_count() as OptionId {
        write!(out, "{}", problem.option_text(option))?;
        match problem.cost(option) {
            0 => out.write_all(b"\n")?,
            cost => writeln!(out, " |{cost}")?,
        }
    }
    Ok(())
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
