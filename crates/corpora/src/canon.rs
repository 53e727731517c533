//! Finds the canonical forms of puzzles, and what belongs to them: the kind of the form,
//! automorphisms, keys.
//!
//! [`CANON_COLUMNS`] is the table of what can be written of a form: one row adds one.

use serde::{Deserialize, Serialize};

use crate::classes::{ClassOptions, Classes};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::{Notation, Record};
use crate::output::{Column, Heading, Kind};
use crate::pipeline::rewrite::{AnswerContent, Content};
use crate::pipeline::rewrite::{Counts, Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{ChunkJob, Failure};
use crate::symmetry::{Form, FormKind, push_key};

/// A column with something of a canonical form.
pub type CanonColumn = Column<CanonPush>;

/// Appends a value of a form that is written in this notation. `is_named`: the columns have names.
#[derive(Clone, Copy, Debug)]
pub struct CanonPush(fn(form: &Form<'_>, notation: &Notation, is_named: bool, out: &mut Vec<u8>));

/// Every column.
pub static CANON_COLUMNS: &[CanonColumn] = galop_batch::columns! { CanonPush;
    canonical: Kind::Grid, (),
        "the canonical form" =>
        |form, notation, _, out| notation.write(form.cells, out);
    form: Kind::STATUS, (),
        "the kind of the form: solution, or direct without exactly one solution (lines have only `direct`)" =>
        |form, _, is_named, out| {
            // In lines, the usual kind of form is not named.
            if is_named || form.kind != FormKind::Solution {
                out.extend_from_slice(form.kind.name().as_bytes());
            }
        };
    automorphisms: Kind::Whole, (),
        "symmetries that map the puzzle to itself up to relabelling; 1 if only the identity does" =>
        |form, _, _, out| out.extend_from_slice(form.automorphisms.to_string().as_bytes());
    key: Kind::KEY, (),
        "a key of 128 bits, 32 hexadecimal digits, that only equivalent puzzles have in common" =>
        |form, _, _, out| push_key(form.key(), out);
    canonical_solution: Kind::Grid, (),
        "the canonical form of the solution; empty in direct forms" =>
        |form, notation, _, out| form.solution.into_iter().for_each(|solution| notation.write(solution, out));
    solution_automorphisms: Kind::Whole, (),
        "automorphisms of the solution; empty in direct forms" =>
        |form, _, _, out| {
            let count = form.solution_automorphisms.into_iter();
            count.for_each(|count| out.extend_from_slice(count.to_string().as_bytes()));
        };
    solution_key: Kind::KEY, (),
        "the key of the canonical form of the solution; empty in direct forms" =>
        |form, _, _, out| form.solution_key().into_iter().for_each(|key| push_key(key, out));
};

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
    let added: Vec<Heading> = canon.columns.iter().map(|column| column.heading()).collect();
    let editor = || {
        let (columns, notation) = (canon.columns.clone(), Notation::from(rules));
        let (classes, counts) = (Classes::new(rules, canon.classes)?, FormCounts::default());
        Ok(Canon { classes, columns, notation, counts })
    };
    Ok(Box::new(Rewrite::open(rules, options, &added, editor)?))
}

/// Writes the form of each record behind its fields.
struct Canon {
    classes: Classes,
    columns: Vec<&'static CanonColumn>,
    notation: Notation,
    counts: FormCounts,
}

impl Editor for Canon {
    type Note = ();
    type Counts = FormCounts;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.classes.begin(chunk)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, ()>) -> Result<(), Failure> {
        let Canon { classes, columns, notation, counts } = self;
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
            out.write(record, &Content { puzzle: Some(form.cells), answer, push: None });
            return Ok(());
        }
        let answer = if has_columns { AnswerContent::AsRead } else { AnswerContent::LeftOut };
        let push =
            |column: usize, out: &mut Vec<u8>| (columns[column].push.0)(&form, notation, has_columns, out);
        out.write(record, &Content { puzzle: None, answer, push: Some(&push) });
        Ok(())
    }

    fn take_counts(&mut self) -> FormCounts {
        std::mem::take(&mut self.counts)
    }
}
