//! Text that cannot become markup.
//!
//! Everything that comes from outside (paths, commands, puzzles, names of processors) goes through [`Text`].

use std::fmt::{self, Display, Write};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_becomes_markup() {
        let text = Text("<script src='x'>\"&\"</script>\u{1b}[0m").to_string();
        assert_eq!(text, "&lt;script src=&#39;x&#39;&gt;&quot;&amp;&quot;&lt;/script&gt;\u{fffd}[0m");
    }
}
