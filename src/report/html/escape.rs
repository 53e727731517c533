//! Text that cannot become markup, and figures that a program can read back.
//!
//! Everything that comes from outside (paths, commands, puzzles, the names of processors) goes through [`Text`].

use std::fmt::{self, Display, Write};

use serde::Serialize;

/// Text as it stands between tags and in attributes with double quotes.
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
                // HTML has no place for them, not even escaped.
                c if c.is_control() && !matches!(c, '\n' | '\t') => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A figure in an element: what people read, and beside it where it stands in the JSON report and its exact value
/// there.
pub(super) struct Figure<'a> {
    element: &'a str,
    path: &'a str,
    value: String,
    shown: &'a str,
}

impl<'a> Figure<'a> {
    /// The figure at `path` of the JSON report (names and places, joined by dots), shown as `shown` in an
    /// `element`, whose name may be followed by attributes.
    pub(super) fn new(element: &'a str, path: &'a str, value: impl Serialize, shown: &'a str) -> Figure<'a> {
        // Numbers, strings and lists of them: nothing that could fail.
        let value = serde_json::to_string(&value).unwrap_or_default();
        Figure { element, path, value, shown }
    }
}

impl Display for Figure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figure { element, path, value, shown } = self;
        let name = element.split(' ').next().unwrap_or_default();
        let (value, shown) = (Text(value), Text(shown));
        write!(f, "<{element} data-figure=\"{path}\" data-value=\"{value}\">{shown}</{name}>")
    }
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
    fn a_figure_says_where_it_stands() {
        let cell = Figure::new("td class=\"n\"", "counts.solved", 1234, "1,234").to_string();
        let expected = "<td class=\"n\" data-figure=\"counts.solved\" data-value=\"1234\">1,234</td>";
        assert_eq!(cell, expected);
        let cell = Figure::new("td", "engine", "a\"b", "a\"b").to_string();
        assert!(cell.contains("data-value=\"&quot;a\\&quot;b&quot;\""), "{cell}");
    }
}
