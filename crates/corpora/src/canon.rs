//! Finds the canonical forms of puzzles, and what belongs to them: the kind of the form,
//! automorphisms, keys.
//!
//! [`CANON_COLUMNS`] is the table of what can be written of a form: one row adds one.

use serde::{Deserialize, Serialize};

use crate::classes::{ClassOptions, Classes};
use crate::columns::{Value, Values};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::{Notation, Record};
use crate::pipeline::rewrite::{AnswerContent, Content};
use crate::pipeline::rewrite::{
    Counts, Editor, EditorPage, FirstOutput, Rewrite, RewriteOptions, RewriteRun,
};
use crate::pipeline::{ChunkJob, Failure};
use crate::symmetry::{self, Form, FormKind};

/// A column with something of a canonical form.
#[derive(Clone, Copy, Debug)]
pub struct CanonColumn {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    /// Appends the value as text.
    push: fn(&Form<'_>, &Notation, &mut Vec<u8>) -> Value,
}

/// Every column.
pub static CANON_COLUMNS: &[CanonColumn] = &[
    CanonColumn {
        name: "canonical",
        about: "the canonical form",
        push: |form, notation, out| {
            notation.write(form.cells, out);
            Value::Text
        },
    },
    CanonColumn {
        name: "form",
        about: "the kind of the form: solution, or direct without exactly one solution (lines have only `direct`)",
        push: |form, _, out| {
            out.extend_from_slice(form.kind.name().as_bytes());
            Value::Text
        },
    },
    CanonColumn {
        name: "automorphisms",
        about: "symmetries that map the puzzle to itself up to relabelling; 1 if only the identity does",
        push: |form, _, out| push_number(form.automorphisms.into(), out),
    },
    CanonColumn {
        name: "key",
        about: "a key of 128 bits, 32 hexadecimal digits, that only equivalent puzzles have in common",
        push: |form, _, out| push_key(Some(form.key()), out),
    },
    CanonColumn {
        name: "canonical_solution",
        about: "the canonical form of the solution; empty in direct forms",
        push: |form, notation, out| match form.solution {
            Some(solution) => {
                notation.write(solution, out);
                Value::Text
            }
            None => Value::Missing,
        },
    },
    CanonColumn {
        name: "solution_automorphisms",
        about: "automorphisms of the solution; empty in direct forms",
        push: |form, _, out| match form.solution_automorphisms {
            Some(count) => push_number(count.into(), out),
            None => Value::Missing,
        },
    },
    CanonColumn {
        name: "solution_key",
        about: "the key of the canonical form of the solution; empty in direct forms",
        push: |form, _, out| push_key(form.solution_key(), out),
    },
];

fn push_number(number: u64, out: &mut Vec<u8>) -> Value {
    out.extend_from_slice(number.to_string().as_bytes());
    Value::Number
}

fn push_key(key: Option<u128>, out: &mut Vec<u8>) -> Value {
    let Some(key) = key else { return Value::Missing };
    symmetry::push_key(key, out);
    Value::Text
}

galop_batch::options! {
    /// How canonical forms are found, and what of them is written: by default the columns `canonical` and `form`.
    #[derive(Clone, Debug)]
    CanonOptions {
        /// How the forms are found.
        classes: ClassOptions = ClassOptions::default(),
        /// The columns that are written behind the fields of a record. A name should be there only once.
        columns: Vec<&'static CanonColumn> = CANON_COLUMNS.iter().take(2).collect(),
    }
}

/// How many forms were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormCounts {
    /// Forms by the solution.
    pub solution: u64,
    /// Direct forms.
    pub direct: u64,
    /// Forms with more than one automorphism.
    pub automorphic: u64,
}

impl FormCounts {
    fn count(&mut self, form: &Form<'_>) {
        match form.kind {
            FormKind::Solution => self.solution += 1,
            FormKind::Direct => self.direct += 1,
        }
        self.automorphic += u64::from(form.automorphisms > 1);
    }
}

impl Counts for FormCounts {
    fn add(&mut self, other: FormCounts) {
        self.solution += other.solution;
        self.direct += other.direct;
        self.automorphic += other.automorphic;
    }
}

/// A run that writes each record with its form behind it; in a format that has no place for that, the form is in the
/// place of the puzzle.
///
/// # Errors
/// [`NotSupported`](crate::symmetry::NotSupported), [`NotConverted`](crate::pipeline::NotConverted),
/// [`ErrorKind::Threads`](crate::error::ErrorKind::Threads). The run itself may fail with
/// [`WrongSolution`](crate::grid::WrongSolution) and [`Unanswered`](crate::engine::Unanswered).
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{CanonOptions, canonize};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let format = output::PAIR;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let mut run = canonize(&Rules::default(), options, &CanonOptions::default())?;
/// let mut lines = Vec::new();
/// run.read(&mut Source::stream("text", text.as_bytes()), Part::WHOLE, &mut [&mut lines], &mut ())?;
/// let (_, forms) = run.finish(&mut [&mut lines])?;
/// assert_eq!((lines.len(), forms.solution), (2 * 82, 1));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn canonize<'a>(
    rules: &Rules,
    options: RewriteOptions<'a>,
    canon: &CanonOptions,
) -> Result<RewriteRun<'a, FormCounts>, Error> {
    let names: Vec<&'static str> = canon.columns.iter().map(|column| column.name).collect();
    let editor = || {
        let (columns, notation) = (canon.columns.clone(), Notation::from(rules));
        let (classes, counts) = (Classes::new(rules, canon.classes)?, FormCounts::default());
        Ok(Canon { classes, columns, notation, values: Values::default(), counts })
    };
    Ok(Rewrite::open(rules, options, &names, editor)?.by(FirstOutput))
}

/// Writes the form of each record behind its fields.
struct Canon {
    classes: Classes,
    columns: Vec<&'static CanonColumn>,
    notation: Notation,
    values: Values,
    counts: FormCounts,
}

impl Editor for Canon {
    type Note = ();
    type Counts = FormCounts;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.classes.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, ()>) -> Result<(), Failure> {
        let Canon { classes, columns, notation, values, counts } = self;
        let form = match &record.puzzle {
            Ok(puzzle) => classes.form(out.chunk, puzzle.place)?,
            Err(_) => None,
        };
        let Some(form) = form else {
            out.keep(record);
            return Ok(());
        };
        counts.count(&form);
        let has_columns = out.has_columns();
        if !has_columns && !out.has_added() {
            let answer = form.solution.map_or(AnswerContent::LeftOut, AnswerContent::Cells);
            out.write(record, &Content { puzzle: Some(form.cells), answer, added: &[] });
            return Ok(());
        }
        values.clear();
        for column in columns.iter() {
            // In lines, the usual kind of form is not named.
            let is_usual = column.name == "form" && form.kind == FormKind::Solution && !has_columns;
            values.push(|text| if is_usual { Value::Missing } else { (column.push)(&form, notation, text) });
        }
        let (fields, count) = values.fields::<{ CANON_COLUMNS.len() }>();
        let answer = if has_columns { AnswerContent::AsRead } else { AnswerContent::LeftOut };
        out.write(record, &Content { puzzle: None, answer, added: &fields[..count] });
        Ok(())
    }

    fn take_counts(&mut self) -> FormCounts {
        std::mem::take(&mut self.counts)
    }
}
