//! `galop hint`.

use std::io::{self, Write};
use std::process::ExitCode;

use galop_engines::Rules;
use galop_explain::{End, Explainer, Options, Position};

use super::args::HintArgs;
use super::records::{Printer, print_each};

pub(super) fn run(args: &HintArgs) -> anyhow::Result<ExitCode> {
    let options = Options::default().unique(args.assume_unique).max_steps(1);
    print_each(&args.input, |rules| Hint {
        explainer: Explainer::new(rules),
        rules: rules.clone(),
        options,
        is_drawn: args.draw,
    })
}

/// Prints the first step of explanations.
struct Hint {
    explainer: Explainer,
    rules: Rules,
    options: Options,
    is_drawn: bool,
}

impl Printer for Hint {
    fn print(&mut self, puzzle: &[u8], _: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
        let explanation = match self.explainer.explain(puzzle, &self.options) {
            Ok(explanation) => explanation,
            Err(error) => return writeln!(out, "{error}"),
        };
        if let Some(step) = explanation.steps.first() {
            writeln!(out, "{}", step.text(&self.rules))?;
            if self.is_drawn {
                write!(out, "\n{}", step.drawn(&Position::new(&self.rules, puzzle), &self.rules))?;
            }
            return Ok(());
        }
        match explanation.end {
            End::Solved => writeln!(out, "solved: no cell is blank"),
            End::Contradiction(_) => writeln!(out, "{}", explanation.ending(&self.rules)),
            End::Several => writeln!(out, "no step: the puzzle has several solutions"),
            _ => writeln!(out, "no step found; the puzzle may have several solutions"),
        }
    }
}
