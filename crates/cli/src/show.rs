//! `galop show`.

use std::io::{self, Write};
use std::process::ExitCode;

use galop_batch::output;
use galop_engines::Rules;
use galop_explain::{End, Explainer, Options, Position, Technique};

use super::args::ShowArgs;
use super::records::{Printer, print_each};

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    print_each(&args.input, |rules| {
        let marks = match args.up_to {
            Some(hardest) => Some(Marks::After(hardest)),
            None => args.candidates.then_some(Marks::OfClues),
        };
        Show { marks, explainer: Explainer::new(rules), rules: rules.clone(), shown: 0 }
    })
}

/// Which pencil marks are drawn.
#[derive(Clone, Copy)]
enum Marks {
    /// Those that the clues leave.
    OfClues,
    /// Those that techniques leave, up to this one.
    After(&'static Technique),
}

/// Prints grids, or their pencil marks.
struct Show {
    marks: Option<Marks>,
    explainer: Explainer,
    rules: Rules,
    shown: u64,
}

impl Printer for Show {
    fn print(&mut self, puzzle: &[u8], solution: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
        let text = match self.marks {
            Some(marks) => self.marks(puzzle, marks),
            None => output::framed(&std::iter::once(puzzle).chain(solution).collect::<Vec<_>>(), &self.rules),
        };
        // The text of candidates ends in a blank line.
        if self.shown > 0 && self.marks.is_none() {
            writeln!(out)?;
        }
        self.shown += 1;
        out.write_all(text.as_bytes())
    }
}

impl Show {
    /// The pencil marks, or a contradiction that was found.
    fn marks(&self, puzzle: &[u8], marks: Marks) -> String {
        let options = match marks {
            Marks::OfClues => Options::default().max_steps(0),
            Marks::After(hardest) => Options::default().hardest(hardest),
        };
        let written = |symbol: u8| char::from(self.rules.alphabet().character(symbol)).to_string();
        match self.explainer.explain(puzzle, &options) {
            Ok(explanation) => {
                if let End::Contradiction(reason) = explanation.end {
                    return format!("contradiction: {}\n\n", reason.in_words(written));
                }
                let mut position = Position::new(&self.rules, puzzle);
                explanation.steps.iter().for_each(|step| position.apply(&self.rules, step));
                output::display(&position.marks, &self.rules)
            }
            Err(error) => format!("{error}\n\n"),
        }
    }
}
