//! Records with all their fields, in a format of another kind: rows of a table become JSON objects, and objects rows.

use std::ops::{AddAssign, Range};

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use super::{ChunkJob, ColumnsDiffer, Failure, SourceHead};
use crate::grid::Rules;
use crate::input::InputError;
use crate::input::answer::{AnswerContent as Given, AnswerField};
use crate::input::format::{Field, Format, Notation};
use crate::input::line::first_line;
use crate::input::name::is_unicode;
use crate::input::records::{Puzzle, Record, write_cells};
use crate::output::copied::{CopiedRecord, Copier, Fields, Holds};
use crate::output::new_name;
use crate::puzzle::Status;

/// The names of the columns if the input has none.
pub(super) const NAMES: [&str; 2] = ["puzzle", "solution"];

/// Where the fields of a source go.
#[derive(Clone, Debug, Default)]
pub(super) struct FieldPlan {
    /// The names of the output.
    pub(super) names: Vec<String>,
    /// The column of the output for each of the input; empty if the input has no columns.
    columns: Vec<usize>,
    /// The column of the puzzle in the output.
    pub(super) puzzle: usize,
    /// The column of the answer in the output.
    pub(super) answer: Option<usize>,
    /// The added columns: theirs are the last names, with a prefix where a name was there already.
    added: Vec<&'static str>,
}

impl FieldPlan {
    /// The plan for a source, whose columns are the output's columns. `has_header`: the names are written once, so a
    /// name may be there twice.
    pub(super) fn new(head: &SourceHead<'_>, has_header: bool) -> FieldPlan {
        if let Some(every) = &head.format.every {
            let mut names = every.names.clone();
            if !has_header {
                make_unique(&mut names);
            }
            let columns = (0..names.len()).collect();
            return FieldPlan {
                names,
                columns,
                puzzle: every.puzzle,
                answer: every.answer,
                added: Vec::new(),
            };
        }
        let names = match &head.format.taken {
            Some(taken) => [Some(taken.puzzle.clone()), taken.answer.clone()],
            None => [Some(NAMES[0].to_owned()), first_has_answer(head).then(|| NAMES[1].to_owned())],
        };
        let names: Vec<String> = names.into_iter().flatten().collect();
        let answer = (names.len() > 1).then_some(1);
        FieldPlan { names, columns: Vec::new(), puzzle: 0, answer, added: Vec::new() }
    }

    /// Adds columns behind all others. One whose name there is already gets the prefix `galop_`.
    pub(super) fn add(&mut self, names: &[&'static str]) {
        for &name in names {
            let is_taken = |name: &str| self.names.iter().any(|other| other.eq_ignore_ascii_case(name));
            self.names.push(new_name(name, is_taken));
        }
        self.added = names.to_vec();
    }

    /// The same for a later source, whose columns go to the columns of `first`, a header that is written.
    ///
    /// # Errors
    /// [`ColumnsDiffer`].
    pub(super) fn below(self, first: &FieldPlan) -> Result<FieldPlan, ColumnsDiffer> {
        let place = |column: usize| match column {
            column if column == self.puzzle => Some(first.puzzle),
            column if Some(column) == self.answer => first.answer,
            column => first.names.iter().position(|name| *name == self.names[column]),
        };
        let columns: Option<Vec<usize>> = self.columns.iter().map(|&column| place(column)).collect();
        let (Some(columns), true) = (columns, self.answer.is_none() || first.answer.is_some()) else {
            return Err(ColumnsDiffer);
        };
        Ok(FieldPlan { columns, ..first.clone() })
    }
}

/// Adds a number to each name that an earlier column has.
fn make_unique(names: &mut [String]) {
    for column in 1..names.len() {
        let (name, mut number) = (names[column].clone(), 1);
        while names[..column].contains(&names[column]) {
            number += 1;
            names[column] = format!("{name}_{number}");
        }
    }
}

/// Whether the first record of a source without columns has an answer. True if it is malformed: a later one may have.
fn first_has_answer(head: &SourceHead<'_>) -> bool {
    let format = head.format;
    if format.has_many_lines {
        return format.has_answers;
    }
    match format.puzzle(head.first_record, &mut Vec::new()) {
        Ok(at) => answer_in(head.first_record, &at, format, &mut Vec::new()).is_some(),
        Err(_) => true,
    }
}

/// What is written of a record that is well-formed.
#[derive(Clone, Copy, Default)]
pub struct Content<'a> {
    /// The cells of the puzzle; `None`: the puzzle as it was read.
    pub puzzle: Option<&'a [u8]>,
    /// The answer.
    pub answer: AnswerContent<'a>,
    /// The fields of the added columns, in their order. In a format without columns they follow the puzzle and the
    /// answer.
    pub added: &'a [Field<'a>],
}

/// The answer that is written.
#[derive(Clone, Copy, Default)]
pub enum AnswerContent<'a> {
    /// The answer as it was read, or none if none was.
    #[default]
    AsRead,
    /// None. A column of answers keeps what it has.
    LeftOut,
    /// These cells.
    Cells(&'a [u8]),
}

/// What a writer of records counts. Adds up.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct FieldCounts {
    /// Records that were written with an answer, or the status word in its place.
    pub(super) answers: u64,
    /// Fields that have no column, because the first record lacks it.
    pub(super) lost: u64,
    /// Damaged answers that the format has no place for.
    pub(super) damaged: u64,
}

impl AddAssign for FieldCounts {
    fn add_assign(&mut self, other: FieldCounts) {
        self.answers += other.answers;
        self.lost += other.lost;
        self.damaged += other.damaged;
    }
}

/// Writes records with their fields.
pub(super) struct FieldWriter {
    copier: &'static Copier,
    rules: Rules,
    notation: Notation,
    fields: Fields,
    /// Room for a puzzle and an answer that are not one character a cell.
    puzzle: Vec<u8>,
    answer: Vec<u8>,
    /// The line in the chunk, from 0, of the first record with a field that is not UTF-8, where it must be.
    not_unicode: Option<u64>,
    pub(super) counts: FieldCounts,
}

impl FieldWriter {
    pub(super) fn new(copier: &'static Copier, rules: &Rules) -> FieldWriter {
        let (fields, puzzle, answer) = (Fields::default(), Vec::new(), Vec::new());
        let (rules, notation) = (rules.clone(), Notation::from(rules));
        let counts = FieldCounts::default();
        FieldWriter { copier, rules, notation, fields, puzzle, answer, not_unicode: None, counts }
    }

    /// Checks that everything that was written of `chunk` is text, if it must be.
    ///
    /// # Errors
    /// [`InputError::NotUnicode`], in the line of the header or of the first such record.
    pub(super) fn check(&mut self, chunk: &ChunkJob<'_>, plan: &FieldPlan) -> Result<(), Failure> {
        let in_names = self.copier.is_unicode() && !plan.names.iter().all(|name| is_unicode(name));
        let in_header = in_names.then(|| {
            let before = first_line(chunk.bytes).map_or(0, |line| line.start);
            memchr_iter(b'\n', &chunk.bytes[..before]).count() as u64
        });
        match in_header.or(self.not_unicode.take()) {
            Some(line) => Err(Failure::in_line(line, InputError::NotUnicode)),
            None => Ok(()),
        }
    }

    /// Whether the format has columns, at least for added fields.
    pub(super) fn has_columns(&self) -> bool {
        self.copier.holds >= Holds::Added
    }

    /// Whether fields of added columns have a place in the format.
    pub(super) fn has_added(&self) -> bool {
        self.copier.has_added()
    }

    /// Counts the answer beside the puzzle of `record`, or the status word in its place, of a record that is written as
    /// a whole.
    pub(super) fn count_answer(&mut self, record: &Record<'_>, puzzle: &Puzzle<'_>, format: &Format) {
        self.counts.answers += u64::from(answer_of(record, puzzle, format, &mut self.answer).is_some());
    }

    /// Appends a record that is well-formed, as it came.
    pub(super) fn write(
        &mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        format: &Format,
        plan: &FieldPlan,
        out: &mut Vec<u8>,
    ) {
        self.write_content(record, puzzle, format, plan, &Content::default(), out);
    }

    /// The same with another puzzle or answer, or with fields of added columns. It is compiled into
    /// [`write`](Self::write), which has nothing of that.
    #[inline(always)]
    pub(super) fn write_content(
        &mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        format: &Format,
        plan: &FieldPlan,
        content: &Content<'_>,
        out: &mut Vec<u8>,
    ) {
        let FieldWriter { copier, rules, notation, fields, counts, .. } = self;
        let (puzzle_text, answer_text) = (&mut self.puzzle, &mut self.answer);
        let mut is_new = false;
        let answer = match content.answer {
            AnswerContent::AsRead => {
                let field = AnswerField::read(format, record.text, &puzzle.at, answer_text);
                let answer = field.as_ref().filter(|field| is_kept(field, format)).map(|field| field.text);
                // (A line of text has other fields behind the puzzle.)
                if field.is_some() && answer.is_none() && format.has_answers {
                    counts.damaged += u64::from(matches!(copier.holds, Holds::Answer | Holds::Added));
                }
                answer
            }
            AnswerContent::LeftOut => None,
            AnswerContent::Cells(cells) => {
                is_new = true;
                Some(write_cells(cells, notation, answer_text))
            }
        };
        let text = match content.puzzle {
            None => puzzle.on_one_line(notation, puzzle_text),
            Some(cells) => write_image(cells, puzzle, notation, puzzle_text),
        };
        if copier.holds == Holds::Fields {
            fields.clear(plan.names.len());
            let not_unicode = &mut self.not_unicode;
            let is_bytes = |field: Field<'_>| matches!(field, Field::Text(text) | Field::Literal(text) if std::str::from_utf8(text).is_err());
            format.for_each_field(record.text, &mut |column, field| match column
                .and_then(|column| plan.columns.get(column))
            {
                Some(&column) => {
                    if copier.is_unicode() && is_bytes(field) {
                        not_unicode.get_or_insert(record.line);
                    }
                    fields.set(column, field);
                }
                None => counts.lost += 1,
            });
            fields.set(plan.puzzle, Field::Text(text));
            // A column of answers has its own text, and no status word of another column.
            match (plan.answer, answer) {
                (Some(column), Some(answer)) if plan.columns.is_empty() => {
                    fields.set(column, Field::Text(answer));
                }
                (Some(column), Some(answer)) if is_new || matches!(fields.get(column), Field::Literal(_)) => {
                    fields.set(column, Field::Text(answer));
                }
                (None, Some(_)) if plan.columns.is_empty() => counts.lost += 1,
                _ => {}
            }
            for (column, field) in (plan.names.len() - plan.added.len()..).zip(content.added) {
                fields.set(column, *field);
            }
        }
        let (cells, names, added) = (content.puzzle.or(Some(puzzle.cells)), &*plan.names, content.added);
        let added_names = &*plan.added;
        (copier.print)(
            &CopiedRecord { puzzle: text, cells, answer, names, fields, added_names, added, rules },
            out,
        );
        counts.answers += u64::from(answer.is_some());
    }

    /// Appends a malformed record: its text in the place of the puzzle, and the word in the place of the answer.
    #[cold]
    pub(super) fn write_malformed(&mut self, text: &[u8], plan: &FieldPlan, out: &mut Vec<u8>) {
        let FieldWriter { copier, rules, fields, .. } = self;
        let word = Status::Malformed.word().as_bytes();
        let mut echo = Vec::new();
        crate::output::push_escaped(text, &mut echo);
        fields.clear(plan.names.len());
        fields.set(plan.puzzle, Field::Text(&echo));
        if let Some(answer) = plan.answer {
            fields.set(answer, Field::Text(word));
        }
        let (answer, names, added) = (Some(word), &*plan.names, &[]);
        let added_names = &*plan.added;
        (copier.print)(
            &CopiedRecord { puzzle: text, cells: None, answer, names, fields, added_names, added, rules },
            out,
        );
    }
}

/// The cells of an image of `puzzle` as text. A blank is written as in the puzzle, if that is one character a cell.
fn write_image<'b>(
    cells: &[u8],
    puzzle: &Puzzle<'_>,
    notation: &Notation,
    buffer: &'b mut Vec<u8>,
) -> &'b [u8] {
    let usual = notation.alphabet.character(0);
    write_cells(cells, notation, buffer);
    let blank = puzzle.cells.iter().position(|&cell| cell == 0).and_then(|at| puzzle.text.get(at));
    if let Some(&blank) = blank.filter(|&&blank| blank != usual && puzzle.text.len() == cells.len()) {
        buffer.iter_mut().filter(|byte| **byte == usual).for_each(|byte| *byte = blank);
    }
    buffer
}

/// The answer beside the puzzle of `record`, or the status word in its place.
pub(super) fn answer_of<'b>(
    record: &Record<'b>,
    puzzle: &Puzzle<'_>,
    format: &Format,
    buffer: &'b mut Vec<u8>,
) -> Option<&'b [u8]> {
    answer_in(record.text, &puzzle.at, format, buffer)
}

/// The same in the record `text`, the puzzle of which is at `puzzle`.
fn answer_in<'b>(
    text: &'b [u8],
    puzzle: &Range<usize>,
    format: &Format,
    buffer: &'b mut Vec<u8>,
) -> Option<&'b [u8]> {
    let field = AnswerField::read(format, text, puzzle, buffer)?;
    is_kept(&field, format).then_some(field.text)
}

/// Whether other formats have a place for the field: it is a grid or a status word.
fn is_kept(field: &AnswerField<'_>, format: &Format) -> bool {
    let Notation { cells, alphabet, choices } = &format.notation;
    match field.content {
        Given::Blank | Given::Word(_) => true,
        Given::Answer if choices.is_some() => format.notation.read_answer(field.text, &mut Vec::new()),
        Given::Answer => field.text.len() == *cells && alphabet.reads(field.text),
    }
}
