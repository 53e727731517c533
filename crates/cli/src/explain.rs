//! `galop explain`.

use std::io::{self, Write};
use std::process::ExitCode;

use galop_engines::Rules;
use galop_explain::{End, Explainer, Explanation, Options};

use super::args::{ExplainArgs, ExplainFormat};
use super::records::{Printer, print_each};

pub(super) fn run(args: &ExplainArgs) -> anyhow::Result<ExitCode> {
    let mut options = Options::default().unique(args.assume_unique);
    if let Some(hardest) = args.up_to {
        options = options.hardest(hardest);
    }
    options = args.without.iter().fold(options, |options, technique| options.without(technique));
    print_each(&args.input, |rules| Explain {
        explainer: Explainer::new(rules),
        rules: rules.clone(),
        options,
        is_json: args.format == ExplainFormat::Json,
        is_drawn: args.draw,
        printed: 0,
    })
}

/// Prints explanations.
struct Explain {
    explainer: Explainer,
    rules: Rules,
    options: Options,
    is_json: bool,
    is_drawn: bool,
    printed: u64,
}

impl Printer for Explain {
    fn print(&mut self, puzzle: &[u8], _: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
        let explanation = match self.explainer.explain(puzzle, &self.options) {
            Ok(explanation) => explanation,
            Err(error) => return writeln!(out, "{error}"),
        };
        if self.is_json {
            return self.print_json(puzzle, &explanation, out);
        }
        if self.printed > 0 {
            writeln!(out)?;
        }
        self.printed += 1;
        let text = match self.is_drawn {
            true => explanation.drawn(puzzle, &self.rules),
            false => explanation.text(puzzle, &self.rules),
        };
        writeln!(out, "{text}")
    }
}

impl Explain {
    fn print_json(&self, puzzle: &[u8], explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
        for step in &explanation.steps {
            writeln!(out, "{}", step.json(&self.rules))?;
        }
        let reason = match explanation.end {
            End::Contradiction(reason) => Some(reason),
            _ => None,
        };
        let hardest = explanation.hardest();
        let steps: serde_json::Map<String, serde_json::Value> = explanation
            .counts()
            .iter()
            .map(|(technique, count)| (technique.name.to_owned(), (*count).into()))
            .collect();
        let figures = serde_json::json!({
            "puzzle": self.written(puzzle),
            "end": explanation.end.word(),
            "cells": self.written(&explanation.cells),
            "clues": explanation.clues,
            "singles": explanation.singles,
            "level": hardest.map(|_| explanation.level().name()),
            "hardest": hardest.map(|technique| technique.name),
            "score": f64::from(explanation.score()) / 10.0,
            "contradiction": reason.map(|reason| reason.in_words(|symbol| self.symbol(symbol).to_string())),
            "steps": steps,
        });
        writeln!(out, "{figures}")
    }

    fn written(&self, cells: &[u8]) -> String {
        cells.iter().map(|&cell| self.symbol(cell)).collect()
    }

    fn symbol(&self, symbol: u8) -> char {
        self.rules.alphabet().character(symbol).into()
    }
}
