//! How reports write the names of inputs, and other text from outside.

use std::path::Path;

use galop_batch::printable;

/// The name of an input, for people.
pub(super) fn input_name(name: &str) -> String {
    printable(Path::new(name)).to_string()
}

/// The last part of the name of an input.
pub(super) fn file_name(name: &str) -> String {
    Path::new(name)
        .file_name()
        .map_or_else(|| input_name(name), |last| printable(Path::new(last)).to_string())
}

/// Some inputs in a few words.
pub(super) fn name_inputs<'a>(mut names: impl ExactSizeIterator<Item = &'a str>) -> String {
    match (names.next(), names.len()) {
        (None, _) => "no input".to_owned(),
        (Some(one), 0) => input_name(one),
        (Some(first), others) => format!("{} and {others} more", input_name(first)),
    }
}

/// Text without Markdown markup: names of files may look like HTML or links.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if "\\`*_[]<>&~#!".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
