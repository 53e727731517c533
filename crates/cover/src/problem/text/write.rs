//! Writes a problem as a text that [`read`](super::read) reads back as the same problem.

use std::io::{self, Write};

use crate::problem::names::is_blank;
use crate::{Bounds, ExactCover, ItemId, OptionId};

/// Writes `problem` as a text to `out`.
///
/// A program may give items and colours names that a text cannot have, because they contain blanks, `:` or `|`. Then
/// all names are written with these characters and `%` as in an address of the web: `room of maths` is
/// `room%20of%20maths`. (They are not decoded when the text is read.)
///
/// # Errors
/// The errors of `out`.
pub fn write(problem: &ExactCover, out: &mut dyn Write) -> io::Result<()> {
    let mut text = String::new();
    lines(problem, &mut text, &mut |text| {
        if text.len() >= BLOCK {
            out.write_all(text.as_bytes())?;
            text.clear();
        }
        Ok(())
    })?;
    out.write_all(text.as_bytes())
}

/// `problem` as a text.
pub fn to_text(problem: &ExactCover) -> String {
    let mut text = String::new();
    // Writing to memory cannot fail.
    lines(problem, &mut text, &mut |_| Ok(())).ok();
    text
}

/// Bytes that are written at once, or a little more.
const BLOCK: usize = 1 << 15;

/// Appends the lines of `problem` to `text`, and calls `after` at the end of each.
fn lines(
    problem: &ExactCover,
    text: &mut String,
    after: &mut dyn FnMut(&mut String) -> io::Result<()>,
) -> io::Result<()> {
    let primary = ItemId(problem.primary_count() as u32);
    let push_name = if has_reserved(problem) { push_encoded } else { String::push_str };
    if problem.item_name(ItemId(0)).starts_with('\u{feff}') {
        // Without the blank, the start of this name would be read as a byte-order mark.
        text.push(' ');
    }
    for item in (0..problem.item_count() as u32).map(ItemId) {
        if item.0 > 0 {
            text.push_str(if item == primary { " | " } else { " " });
        }
        match problem.bounds(item) {
            Bounds::ONCE => {}
            Bounds { low, high } if low == high => text.push_str(&format!("{low}|")),
            Bounds { low, high } => text.push_str(&format!("{low}:{high}|")),
        }
        push_name(text, problem.item_name(item));
    }
    text.push('\n');
    after(text)?;
    for option in (0..problem.option_count() as u32).map(OptionId) {
        for (index, term) in problem.option(option).iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            push_name(text, problem.item_name(term.item));
            if let Some(colour) = term.colour() {
                text.push(':');
                push_name(text, problem.colour_name(colour));
            }
        }
        match problem.cost(option) {
            0 => text.push('\n'),
            cost => text.push_str(&format!(" |{cost}\n")),
        }
        after(text)?;
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

/// Appends a name with its reserved characters encoded, and `%`, so that different names stay different.
fn push_encoded(text: &mut String, name: &str) {
    for character in name.chars() {
        if is_reserved(character) || character == '%' {
            text.push_str(&format!("%{:02X}", u32::from(character)));
        } else {
            text.push(character);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::read;
    use super::*;
    use crate::tests::problems;

    #[test]
    fn a_text_is_written_back_word_by_word() {
        let text = "A 2|B 0:3|C | X Y\nA X:red Y |5\nB C X:red\nB C X:red\nA Y\n";
        assert_eq!(to_text(&read(text.as_bytes()).unwrap().problem), text);
    }

    #[test]
    fn a_name_is_not_taken_for_a_byte_order_mark() {
        for text in ["\u{feff}\u{feff} | x\n\u{feff}", " \u{feff} b\nb \u{feff}", " \u{feff}a\n"] {
            let problem = read(text.as_bytes()).unwrap().problem;
            assert!(problem.item_name(ItemId(0)).starts_with('\u{feff}'));
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
        assert!(read.options().eq(problem.options()) && read.bounds(ItemId(0)) == problem.bounds(ItemId(0)));
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

        #[test]
        fn any_characters_of_the_format_are_read_or_refused(text in "[ab1-2:| \n\r]{0,60}") {
            if let Ok(read) = read(text.as_bytes()) {
                let again = super::super::read(to_text(&read.problem).as_bytes()).unwrap();
                prop_assert_eq!(again.problem, read.problem);
            }
        }
    }
}
