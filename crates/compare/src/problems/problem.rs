//! An exact cover problem of a contest.

use std::sync::Arc;

use galop_cover::{ExactCover, text};
use galop_engines::chance::Chance;

use crate::figures::{Input, SeriesPlace};

/// An exact cover problem, with its name.
#[derive(Clone, Debug)]
pub struct Problem {
    pub(super) input: Input,
    pub(super) series: Option<SeriesPlace>,
    pub(super) cover: Arc<ExactCover>,
    /// The problem as a text: a line of items, and a line for each option.
    pub(super) text: Arc<str>,
}

impl Problem {
    /// The problem `cover` of this name: a path, or the words that made it. `sha256` is the checksum of its file.
    pub fn new(name: &str, cover: ExactCover, sha256: Option<String>) -> Problem {
        let text = text::to_text(&cover);
        let name = name.to_owned();
        let input = Input { name, bytes: text.len() as u64, puzzles: 1, malformed: 0, sha256 };
        Problem { input, series: None, cover: Arc::new(cover), text: text.into() }
    }

    /// The same at a place in a series, such as the number of queens.
    #[must_use]
    pub fn in_series(self, of: &str, size: f64) -> Problem {
        Problem { series: Some(SeriesPlace { of: of.to_owned(), size }), ..self }
    }

    /// Its name and its size as a text.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// The number of its options.
    pub fn options(&self) -> usize {
        self.cover.option_count()
    }

    /// The same problem with its options in a random order. Its items stay in theirs: they are what an author arranges.
    pub(super) fn shuffled(&self, chance: &mut Chance) -> Problem {
        let mut lines: Vec<&str> = self.text.lines().collect();
        chance.shuffle(&mut lines[1..]);
        let text = lines.join("\n") + "\n";
        let cover = text.parse().map_or_else(|_| Arc::clone(&self.cover), Arc::new);
        Problem { text: text.into(), cover, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffled_problem_has_the_same_options() {
        let cover = galop_cover::models::queens(6).unwrap();
        let problem = Problem::new("queens 6", cover, None).in_series("queens", 6.0);
        let shuffled = problem.shuffled(&mut Chance::new(1, 1));
        let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        let (before, after) = (lines(&problem.text), lines(&shuffled.text));
        assert_ne!(before, after);
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(sorted(before), sorted(after));
        assert_eq!(problem.text.lines().next(), shuffled.text.lines().next());
        assert_eq!((shuffled.cover.count().unwrap(), shuffled.series), (4u128.into(), problem.series));
        assert_eq!(&*shuffled.text, text::to_text(&shuffled.cover));
    }
}
