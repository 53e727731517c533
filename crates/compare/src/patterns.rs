//! Numbers in what another program prints.

use std::fmt;

use regex_lite::Regex;

use super::error::PlanError;

/// Finds the numbers of solutions and of guesses in what programs print, by regular expressions.
///
/// The first group that took part in a match is the number; commas in it are left out. Of several matches the last one
/// counts, because programs print their sums at the end.
#[derive(Clone, Debug)]
pub struct Patterns {
    solutions: Option<Regex>,
    guesses: Option<Regex>,
}

/// What most programs print: `Altogether 92 solutions, 2,057 nodes`.
const SOLUTIONS: &str = r"([0-9][0-9,]*) (?:solution|cover)s?\b";
const GUESSES: &str = r"([0-9][0-9,]*) (?:node|guess|guesse)s?\b";

impl Patterns {
    /// Patterns for the number of solutions and the number of guesses or nodes; `None` for those of most programs:
    /// `92 solutions`, `2,057 nodes`, `17 guesses`.
    ///
    /// # Errors
    /// [`PlanError::Pattern`] if a pattern is no regular expression, or has no group.
    pub fn new(solutions: Option<&str>, guesses: Option<&str>) -> Result<Patterns, PlanError> {
        let regex = |pattern: &str| {
            let reason = |reason: &dyn fmt::Display| PlanError::Pattern {
                pattern: pattern.to_owned(),
                reason: reason.to_string(),
            };
            let regex = Regex::new(pattern).map_err(|error| reason(&error))?;
            match regex.captures_len() {
                0 | 1 => {
                    Err(reason(&"it has no group; put the number in parentheses, as in `([0-9]+) nodes`"))
                }
                _ => Ok(regex),
            }
        };
        let (solutions, guesses) = (solutions.unwrap_or(SOLUTIONS), guesses.unwrap_or(GUESSES));
        Ok(Patterns { solutions: Some(regex(solutions)?), guesses: Some(regex(guesses)?) })
    }

    /// The number of solutions in `text`, in decimal digits.
    pub(super) fn solutions(&self, text: &str) -> Option<String> {
        last_number(self.solutions.as_ref()?, text)
    }

    /// The number of guesses or nodes in `text`.
    pub(super) fn guesses(&self, text: &str) -> Option<u64> {
        last_number(self.guesses.as_ref()?, text)?.parse().ok()
    }
}

impl Default for Patterns {
    /// What most programs print.
    fn default() -> Patterns {
        Patterns::new(None, None).unwrap_or(Patterns { solutions: None, guesses: None })
    }
}

fn last_number(regex: &Regex, text: &str) -> Option<String> {
    let found = regex.captures_iter(text).last()?;
    let group = found.iter().skip(1).flatten().next()?;
    let digits: String = group.as_str().chars().filter(|character| *character != ',').collect();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_what_programs_print() {
        let usual = Patterns::new(None, None).unwrap();
        let knuth =
            "(8 options, 16 items)\nAltogether 14,200 solutions, 12345+678 mems, 70 updates, 1,234 nodes.\n";
        assert_eq!((usual.solutions(knuth), usual.guesses(knuth)), (Some("14200".to_owned()), Some(1234)));
        assert_eq!(usual.guesses("3 guesses\n17 guesses\n"), Some(17), "the last one");
        assert_eq!(usual.solutions("1 solution"), Some("1".to_owned()));
        assert_eq!((usual.solutions("none"), usual.guesses("nodes")), (None, None));
        // A group of the alternative that matched; a number of any length.
        let own = Patterns::new(Some("count=([0-9]+)|found ([0-9]+)"), Some("n: ([a-z0-9]+)")).unwrap();
        let long = "9".repeat(60);
        assert_eq!(own.solutions(&format!("found {long}")), Some(long));
        assert_eq!(own.guesses("n: 12x"), None);
        for wrong in ["(", "no group"] {
            assert!(matches!(Patterns::new(Some(wrong), None), Err(PlanError::Pattern { .. })), "{wrong}");
        }
    }
}
