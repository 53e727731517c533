//! A solution in what another program prints: lines that are options of the problem.
//!
//! ```text
//!  c0 r1 a1 b0 (1 of 4)       the items of an option in any order, as Knuth's programs print them;
//!  c1 r3 a4 b2 |5             a part in parentheses and a cost are left out
//!  c0 r1 a1 b0 | c1 r3 a4 b2  several options in a line, as `galop cover list` prints a solution
//! ```

use std::collections::HashMap;

use galop_cover::{ExactCover, OptionId};

/// Finds the options of a problem in lines.
pub(super) struct PrintedOptions {
    /// By their words, sorted.
    options: HashMap<String, OptionId>,
}

impl PrintedOptions {
    pub(super) fn of(problem: &ExactCover) -> PrintedOptions {
        let ids = (0..problem.option_count() as u32).map(OptionId);
        PrintedOptions { options: ids.map(|id| (key(&problem.option_text(id).to_string()), id)).collect() }
    }

    /// The options of the last lines that follow each other and are all options; none if no line is.
    pub(super) fn last_solution(&self, text: &str) -> Vec<OptionId> {
        let mut found: Vec<OptionId> = Vec::new();
        for line in text.lines().rev() {
            let options: Option<Vec<OptionId>> =
                line.split(" | ").map(|option| self.options.get(&key(option)).copied()).collect();
            match options {
                Some(options) => found.extend(options),
                None if found.is_empty() => {}
                None => break,
            }
        }
        found.sort_unstable();
        found
    }
}

/// The words of an option in order, without what stands behind them.
fn key(line: &str) -> String {
    let end = line.find(['(', '|']).unwrap_or(line.len());
    let mut words: Vec<&str> = line[..end].split_whitespace().collect();
    words.sort_unstable();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_that_are_options_are_a_solution() {
        let problem: ExactCover = "a b c | d\na b d:x\nc |3\na\nb c d:y\n".parse().unwrap();
        let printed = PrintedOptions::of(&problem);
        let text = "1:\n a (1 of 2)\n c d:y b (1 of 1)\n2:\n c (1 of 2)\n d:x b a (1 of 1)\nAltogether 2 solutions\n";
        assert_eq!(printed.last_solution(text), [0, 1]);
        assert_eq!(printed.last_solution("a\nb d:x\n"), [2]);
        assert!(printed.last_solution("nothing\n\n").is_empty());
        assert_eq!(printed.last_solution("c |3\n"), [1]);
        assert_eq!(printed.last_solution("d:y b c | a\n"), [2, 3]);
    }
}
