//! Tips for mistakes on the command line that clap cannot know: what was meant, and how it is typed.

use std::ffi::OsString;
use std::path::Path;

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The error with a tip, if there is one for it. `words` is the command line.
pub(super) fn with_tip(mut error: Error, words: &[OsString]) -> Error {
    if error.kind() == ErrorKind::InvalidSubcommand {
        if !takes_a_file(&mut error) {
            put_transposed_first(&mut error);
        }
    } else if let Some(tip) = tip(&error, words) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Suggests `galop solve` if a file or a puzzle stands in the place of the command; returns whether it did.
fn takes_a_file(error: &mut Error) -> bool {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return false };
    let is_puzzle = typed.len() >= 16 && typed.bytes().any(|byte| byte.is_ascii_digit());
    if !is_puzzle && !Path::new(typed).exists() {
        return false;
    }
    let tip = format!("did you mean galop solve {typed}");
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    true
}

fn tip(error: &Error, words: &[OsString]) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let command = words.get(1)?.to_str()?;
    match (error.kind(), command) {
        (ErrorKind::UnknownArgument | ErrorKind::MissingRequiredArgument, "generate") => {
            let count = words.iter().skip(2).find_map(|word| word.to_str()?.parse::<u64>().ok())?;
            Some(format!("the number of puzzles is an option: galop generate --count {count}"))
        }
        (ErrorKind::UnknownArgument, "augment") if text(ContextKind::InvalidArg)? == "--layout" => Some(
            "the example examples/hrm.py writes the arrays from which HRM and TRM are trained".to_owned(),
        ),
        _ => None,
    }
}

/// Of the commands that are suggested, those with the letters that were typed come first: `solve` for `slove`.
fn put_transposed_first(error: &mut Error) {
    let letters = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let typed = letters(typed);
    let Some(ContextValue::Strings(suggested)) = error.get(ContextKind::SuggestedSubcommand) else { return };
    let mut suggested = suggested.clone();
    suggested.sort_by_key(|word| letters(word) != typed);
    error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(suggested));
}
