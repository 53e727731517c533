//! Text that cannot become markup, and figures that a program can read back.
//!
//! Everything that comes from outside (paths, commands, puzzles, names of processors) goes through [`Text`].

use std::fmt::{self, Display, Write};

use serde::Serialize;

use galop_batch::figures::group_digits;

/// Text escaped for use between tags and in attributes with double quotes.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                // HTML allows no control characters, not even escaped.
                c if c.is_control() && !matches!(c, '\n' | '\t') => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// An element that shows a figure as `shown` and carries its path in the JSON report (names and places, joined by dots)
/// and its exact value there. The name of the `element` may be followed by attributes.
pub(super) fn figure(element: &str, path: &str, value: impl Serialize, shown: &str) -> String {
    // Numbers, strings and lists of them cannot fail to serialise.
    let value = serde_json::to_string(&value).unwrap_or_default();
    let name = element.split(' ').next().unwrap_or_default();
    let (value, shown) = (Text(&value), Text(shown));
    format!("<{element} data-figure=\"{path}\" data-value=\"{value}\">{shown}</{name}>")
}

/// A number in its own cell of a table.
pub(super) fn number_cell(path: &str, value: u64) -> String {
    figure("td", path, value, &group_digits(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let text = Text("<script src='x'>\"&\"</script>\u{1b}[0m").to_string();
        assert_eq!(text, "&lt;script src=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/script&gt;\u{fffd}[0m");
    }

    #[test]
    fn a_figure_has_its_path_and_value() {
        let cell = figure("td class=\"n\"", "counts.solved", 1234, "1,234");
        let expected = "<td class=\"n\" data-figure=\"counts.solved\" data-value=\"1234\">1,234</td>";
        assert_eq!(cell, expected);
        let cell = figure("td", "engine", "a\"b", "a\"b");
        assert!(cell.contains("data-value=\"&quot;a\\&quot;b&quot;\""), "{cell}");
    }
}
