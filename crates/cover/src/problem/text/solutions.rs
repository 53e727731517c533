//! Solutions as text. A program that lists millions of them copies, and formats nothing.

use crate::{ExactCover, OptionId};

/// Writes solutions as text: the text of an option is made when it is first needed, and copied from then on.
///
/// ```
/// use galop_cover::OptionId;
/// use galop_cover::text::{self, SolutionText};
///
/// let problem = text::read(b"a b c | x\na x:red\nb c x:red\n")?.problem;
/// let mut texts = SolutionText::new(&problem, " | ", |problem, option| problem.option_text(option).to_string());
/// let mut line = String::new();
/// texts.append(&[OptionId(0), OptionId(1)], &mut line);
/// assert_eq!(line, "a x:red | b c x:red");
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SolutionText<'a> {
    problem: &'a ExactCover,
    separator: &'a str,
    make: fn(&ExactCover, OptionId) -> String,
    /// The text of each option, the separator before it; empty if it has not been needed.
    texts: Vec<Box<str>>,
}

impl<'a> SolutionText<'a> {
    /// A writer of solutions of `problem`, whose options `make` turns into text.
    pub fn new(
        problem: &'a ExactCover,
        separator: &'a str,
        make: fn(&ExactCover, OptionId) -> String,
    ) -> SolutionText<'a> {
        SolutionText { problem, separator, make, texts: Vec::new() }
    }

    /// Appends a solution to `line`: its options in their order, the separator between them. An
    /// option that the problem does not have is left out.
    pub fn append(&mut self, solution: &[OptionId], line: &mut String) {
        if self.texts.is_empty() {
            self.texts = vec![Box::default(); self.problem.option_count()];
        }
        let mut skipped = self.separator.len();
        for &option in solution {
            let Some(text) = self.texts.get_mut(option.index()) else { continue };
            if text.is_empty() {
                *text = format!("{}{}", self.separator, (self.make)(self.problem, option)).into();
            }
            line.push_str(&text[skipped..]);
            skipped = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::numbered;
    use crate::text::read;

    #[test]
    fn every_solution_is_written_as_option_text_writes_it() {
        let problem = read(b"a b | x y\na x:red y\nb x:red\na b x y:7\nb\n").unwrap().problem;
        let mut texts =
            SolutionText::new(&problem, " | ", |problem, option| problem.option_text(option).to_string());
        for solution in [vec![0, 1], vec![2], vec![1, 0], vec![], vec![0, 3]].map(numbered) {
            let words: Vec<String> =
                solution.iter().map(|&option| problem.option_text(option).to_string()).collect();
            let mut line = String::from("> ");
            texts.append(&solution, &mut line);
            assert_eq!(line, format!("> {}", words.join(" | ")));
        }
        let mut line = String::new();
        texts.append(&numbered([9, 2, 4, 3]), &mut line);
        assert_eq!(line, "a b x y:7 | b");
    }

    #[test]
    fn texts_and_separators_may_be_empty() {
        let problem = read(b"a b\na\nb\n").unwrap().problem;
        let mut line = String::new();
        SolutionText::new(&problem, "", |_, _| String::new()).append(&numbered([0, 1]), &mut line);
        assert_eq!(line, "");
        SolutionText::new(&problem, ",", |_, _| String::new()).append(&numbered([0, 1, 0]), &mut line);
        assert_eq!(line, ",,");
    }
}
