//! The command line as text that a shell accepts again.

use std::ffi::OsString;
use std::path::Path;
use std::sync::OnceLock;

/// The words that were typed, if they are not those of this process.
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// From now on the command line is `words`, the first of which is the name of the program. False if it was set before.
pub(super) fn set_words(words: Vec<OsString>) -> bool {
    WORDS.set(words).is_ok()
}

/// The words of the command line, the first of which is the name of the program.
pub(super) fn words() -> Vec<OsString> {
    WORDS.get().cloned().unwrap_or_else(|| std::env::args_os().collect())
}

/// The command line.
pub(super) fn typed() -> String {
    quoted(words().into_iter())
}

/// The name of the command that was typed: `solve`.
pub(super) fn name() -> String {
    words().get(1).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// `path` as a word for a shell.
pub(super) fn quoted_path(path: &Path) -> String {
    word_for_shell(&path.to_string_lossy())
}

/// `words`, quoted for a shell (POSIX 2.2.2). The program's name loses its folder.
fn quoted(words: impl Iterator<Item = OsString>) -> String {
    let quote = |(at, word): (usize, OsString)| {
        let name = Path::new(&word).file_name().filter(|_| at == 0);
        word_for_shell(&name.unwrap_or(&word).to_string_lossy())
    };
    words.enumerate().map(quote).collect::<Vec<_>>().join(" ")
}

/// `word`, quoted for a shell where it needs to be.
fn word_for_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    if word.contains(char::is_control) {
        return galop_batch::printable(Path::new(word)).to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_command_line_is_refused() {
        assert!(
            set_words(vec!["galop".into(), "one".into()]) && !set_words(vec!["galop".into(), "two".into()])
        );
        assert_eq!(name(), "one");
    }

    #[test]
    fn words_survive_a_shell() {
        let words =
            ["/usr/bin/galop", "compare", "my file.txt", "it's", "", "--engines=a,b", "$HOME", "ä", "a\nb"];
        let line = quoted(words.into_iter().map(OsString::from));
        assert_eq!(line, r"galop compare 'my file.txt' 'it'\''s' '' --engines=a,b '$HOME' 'ä' $'a\nb'");
    }
}
