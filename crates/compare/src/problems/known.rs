//! What is known of the answer to a problem, and when two answers contradict each other.

use std::fmt;

use galop_cover::Natural;

use super::error::CoverFault;

/// What a contestant says of a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// It found this many solutions. `is_all`: of all solutions, or as many as were wanted.
    Solutions { count: Natural, is_all: bool },
    /// The cheapest cover costs this; `None` if there is none.
    Cheapest(Option<u128>),
    /// Nothing: it did not finish, or printed no number.
    Nothing,
}

/// A number of solutions in words.
fn solutions(count: &Natural) -> String {
    match count.to_u128() {
        Some(1) => "1 solution".to_owned(),
        _ => format!("{count} solutions"),
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Said::Solutions { count, is_all: true } => write!(f, "{}", solutions(count)),
            Said::Solutions { count, is_all: false } => write!(f, "at least {}", solutions(count)),
            Said::Cheapest(Some(cost)) => write!(f, "the cheapest cover costs {cost}"),
            Said::Cheapest(None) => write!(f, "no cover"),
            Said::Nothing => write!(f, "no answer"),
        }
    }
}

/// The answer to a problem that says most, and who gave it; nothing at first.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownAnswer(Option<(String, Said)>);

impl KnownAnswer {
    /// Compares what `name` said with what is known, and keeps it if it says more.
    ///
    /// # Errors
    /// The two contradict each other.
    pub(super) fn learn(&mut self, name: &str, said: &Said) -> Result<(), CoverFault> {
        let kept = self.0.as_ref();
        if let Some((other, known)) = kept.filter(|(_, known)| !agree(known, said)) {
            let answers = [(other.clone(), known.to_string()), (name.to_owned(), said.to_string())];
            return Err(CoverFault::Contradiction { answers });
        }
        let says_more = match (kept.map(|(_, known)| known), said) {
            (_, Said::Nothing) => false,
            (None, _) => true,
            (Some(Said::Solutions { count: known, is_all: false }), Said::Solutions { count, is_all }) => {
                *is_all || known < count
            }
            _ => false,
        };
        if says_more {
            self.0 = Some((name.to_owned(), said.clone()));
        }
        Ok(())
    }

    /// The answer, if it is complete: the number of solutions, or the cost of the cheapest cover.
    pub(super) fn complete(&self) -> Option<String> {
        match &self.0.as_ref()?.1 {
            Said::Solutions { count, is_all: true } => Some(count.to_string()),
            Said::Cheapest(cost) => cost.map(|cost| cost.to_string()),
            _ => None,
        }
    }
}

fn agree(one: &Said, other: &Said) -> bool {
    match (one, other) {
        (Said::Solutions { count: one, is_all: true }, Said::Solutions { count: other, is_all: true }) => {
            one == other
        }
        (Said::Solutions { count: all, is_all: true }, Said::Solutions { count: some, is_all: false })
        | (Said::Solutions { count: some, is_all: false }, Said::Solutions { count: all, is_all: true }) => {
            some <= all
        }
        (Said::Cheapest(one), Said::Cheapest(other)) => one == other,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(count: u64, is_all: bool) -> Said {
        Said::Solutions { count: u128::from(count).into(), is_all }
    }

    #[test]
    fn answers_that_cannot_both_be_right_are_found() {
        let mut known = KnownAnswer::default();
        for said in [Said::Nothing, count(5, false), count(9, false), count(92, true), count(10, false)] {
            known.learn("one", &said).unwrap();
        }
        assert_eq!(known.complete(), Some("92".to_owned()));
        for wrong in [count(91, true), count(100, false)] {
            let error = known.learn("two", &wrong).unwrap_err().to_string();
            assert!(error.contains("`one` finds 92 solutions, `two` finds "), "{error}");
        }
        let mut known = KnownAnswer::default();
        known.learn("one", &count(9, false)).unwrap();
        assert_eq!(known.complete(), None);
        known.learn("two", &count(8, true)).unwrap_err();
        let mut known = KnownAnswer::default();
        known.learn("one", &Said::Cheapest(Some(7))).unwrap();
        known.learn("two", &Said::Cheapest(None)).unwrap_err();
        assert_eq!(known.complete(), Some("7".to_owned()));
    }
}
