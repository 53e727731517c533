//! Applies symmetries to puzzles and the solutions beside them: one to all records, or to each record its own.
//!
//! What is written with [canonical forms](super::canon) can be undone. The inverse of the symmetry of a record is applied
//! to its form: in a table the column `canonical`, if there is one, and in lines the grid behind the puzzle, if the symmetry
//! leads there from the puzzle.

use std::io::Write;

use super::fields::{AnswerContent, Content};
use super::rewrite::{AnyEditor, Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};
use super::solve::Watch;
use super::{ChunkJob, Failure};
use crate::error::{Error, Fact};
use crate::grid::{Rules, Verifier};
use crate::input::answer::AnswerField;
use crate::input::format::Field;
use crate::input::records::{Puzzle, Record};
use crate::input::source::Source;
use crate::symmetry::{NotationError, Symmetry, WrongSize};

impl Fact for ApplyError {}

/// The name of the column with the symmetry of each record.
const MAP: &str = "map";
/// The name of the column with the form to which that symmetry leads.
const FORM: &str = "canonical";

/// Why a record has no image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The record has no symmetry.
    #[error(
        "no symmetry in the record (expected a column or key `map`, or in lines a word as \
         r123456789-c123456789-d123456789 behind the puzzle)"
    )]
    NoMap,
    /// The symmetry of the record cannot be read.
    #[error("in the symmetry: {0}")]
    Map(NotationError),
    /// The symmetry is one of grids of another size.
    #[error("the symmetry is one of other grids: {0}")]
    Size(WrongSize),
}

/// Which symmetries are applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApplyOptions {
    /// The symmetry of all records; `None`: each record has its own.
    pub map: Option<Symmetry>,
    /// Whether the symmetries are undone.
    pub is_inverse: bool,
}

/// What was done.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// What was read and written.
    pub rewritten: RewriteOutcome,
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{ApplyOptions, ApplyRun, RewriteOptions};
/// use galop::{Rules, output};
///
/// let puzzle = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
/// let text = format!("{puzzle},r123456789-c123456789-d123956784\n");
/// let format = output::format("pair").expect("a row of FORMATS");
/// let stop = false.into();
/// let options = RewriteOptions { threads: None, format, chunk_bytes: None, stop: &stop };
/// let mut run = ApplyRun::open(&Rules::sudoku(), options, ApplyOptions::default(), Vec::new())?;
/// run.apply(&mut Source::stream("text", std::io::Cursor::new(text)), &mut ())?;
/// let (lines, _) = run.finish()?;
/// assert!(lines.starts_with(b"9.....8.5.3...."));
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes"]
#[derive(Debug)]
pub struct ApplyRun<'a, W> {
    rewrite: Rewrite<'a, Apply, W>,
}

impl<'a, W: Write> ApplyRun<'a, W> {
    /// Starts the threads. The images will be written to `out`.
    ///
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported), [`ApplyError::Size`], [`NotConverted`](super::NotConverted),
    /// [`ErrorKind::Threads`](crate::ErrorKind::Threads).
    pub fn open(
        rules: &Rules,
        options: RewriteOptions<'a>,
        apply: ApplyOptions,
        out: W,
    ) -> Result<Self, Error> {
        // All symmetries have a size that is known, and so must the rules.
        let identity = Symmetry::identity(rules)?;
        if let Some(map) = &apply.map {
            map.then(&identity).map_err(|_| {
                ApplyError::Size(WrongSize { found: identity.cells(), expected: map.cells() })
            })?;
        }
        let editor = || {
            let cells = rules.grid().cells();
            Ok(Apply {
                map: apply.map.map(|map| if apply.is_inverse { map.inverse() } else { map }),
                is_inverse: apply.is_inverse,
                verifier: Verifier::new(rules),
                columns: [None; 2],
                word: Vec::new(),
                form: Vec::new(),
                from: vec![0; cells],
                puzzle: vec![0; cells],
                answer: vec![0; cells],
                image: vec![0; cells],
            })
        };
        Ok(ApplyRun { rewrite: Rewrite::open(rules, options, &[], [out], editor)? })
    }

    /// Writes the image of every record of `source`, in order.
    ///
    /// # Errors
    /// [`ApplyError`], [`ErrorKind::Read`](crate::ErrorKind::Read), [`InputError`](crate::input::InputError),
    /// [`ErrorKind::Write`](crate::ErrorKind::Write), [`ErrorKind::Stopped`](crate::ErrorKind::Stopped),
    /// [`ColumnsDiffer`](super::ColumnsDiffer).
    pub fn apply(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.rewrite.run(source, watch, &mut |(), _| Ok(Some(0)))
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`](crate::ErrorKind::Write).
    pub fn finish(self) -> Result<(W, Applied), Error> {
        let ([out], rewritten, _) = self.rewrite.finish()?;
        Ok((out, Applied { rewritten }))
    }
}

/// Writes the image of each record.
struct Apply {
    /// What is applied to all records, if that is the same.
    map: Option<Symmetry>,
    /// Whether the symmetry of a record is undone.
    is_inverse: bool,
    verifier: Verifier,
    /// The columns of the symmetries and of the forms, from 0, if the input has them.
    columns: [Option<usize>; 2],
    /// The symmetry of a record as text, and its form.
    word: Vec<u8>,
    form: Vec<u8>,
    /// The cells to which the symmetry is applied.
    from: Vec<u8>,
    /// Room for the image of a puzzle, for an answer, and for its image.
    puzzle: Vec<u8>,
    answer: Vec<u8>,
    image: Vec<u8>,
}

impl Editor for Apply {
    type Note = ();

    #[inline(never)]
    fn boxed(self) -> Box<dyn AnyEditor> {
        Box::new(self)
    }

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let names = chunk.format.every_column().map(|every| &every.names);
        self.columns = [MAP, FORM].map(|wanted| {
            names.and_then(|names| names.iter().position(|name| name.eq_ignore_ascii_case(wanted)))
        });
        Ok(())
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, ()>) -> Result<(), Failure> {
        let Ok(puzzle) = &record.puzzle else {
            out.keep(record);
            return Ok(());
        };
        let read = match self.map {
            Some(map) => Ok((map, map)),
            None => self.map_of(record, puzzle, out.chunk),
        };
        let (map, forward) = read.map_err(|error| Failure::in_line(record.line, error))?;
        let failed = |error| Failure::in_line(record.line, ApplyError::Size(error));
        let format = out.chunk.format;
        let has_form = self.map.is_none()
            && self.is_inverse
            && self.form.len() == self.from.len()
            && format.notation().read(&self.form, &mut self.from);
        if !has_form {
            self.from.copy_from_slice(puzzle.cells);
        }
        map.apply(&self.from, &mut self.puzzle).map_err(failed)?;

        let mut buffer = Vec::new();
        let given = AnswerField::read(format, record.text, &puzzle.at, &mut buffer);
        let text = given.map_or(&[][..], |field| field.text);
        let is_grid = text.len() == self.answer.len() && format.notation().read(text, &mut self.answer);
        let mut content = Content { puzzle: Some(&self.puzzle), answer: AnswerContent::AsRead, added: &[] };
        let mut is_form = false;
        if is_grid && self.map.is_none() && format.every_column().is_none() {
            forward.apply(puzzle.cells, &mut self.image).map_err(failed)?;
            is_form = self.image == self.answer;
        }
        if is_form {
            // A line of a puzzle, its form, and the symmetry that leads there.
            content.answer = AnswerContent::LeftOut;
            content.puzzle = content.puzzle.filter(|_| !self.is_inverse);
        } else if is_grid && self.verifier.check(&self.from, &self.answer).is_ok() {
            map.apply(&self.answer, &mut self.image).map_err(failed)?;
            content.answer = AnswerContent::Cells(&self.image);
        }
        out.write(record, &content);
        Ok(())
    }
}

impl Apply {
    /// What is applied to `record`, and its symmetry as it is written.
    fn map_of(
        &mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        chunk: &ChunkJob<'_>,
    ) -> Result<(Symmetry, Symmetry), ApplyError> {
        let Apply { columns, word, form, .. } = self;
        word.clear();
        form.clear();
        if chunk.format.every_column().is_some() {
            let [map, canonical] = columns.map(|column| column.unwrap_or(usize::MAX));
            chunk.format.for_each_field(record.text, &mut |at, field| match field {
                Field::Text(text) if at == Some(map) => word.extend_from_slice(text),
                Field::Text(text) if at == Some(canonical) => form.extend_from_slice(text),
                _ => {}
            });
        } else {
            let behind = record.text.get(puzzle.at.end..).unwrap_or(&[]);
            let is_separator =
                |byte: &u8| matches!(byte, b',' | b';' | b':' | b'|' | b'#') || byte.is_ascii_whitespace();
            let is_word = |field: &&[u8]| matches!(field, [b'r', ..] | [b't', b'-', ..]);
            let found = behind.split(is_separator).find(is_word);
            word.extend_from_slice(found.unwrap_or_default());
        }
        let word = word.trim_ascii();
        if word.is_empty() {
            return Err(ApplyError::NoMap);
        }
        // Other bytes than those of a symmetry are shown as they are read.
        let map: Symmetry =
            String::from_utf8_lossy(&word[..word.len().min(MAX_WORD)]).parse().map_err(ApplyError::Map)?;
        Ok((if self.is_inverse { map.inverse() } else { map }, map))
    }
}

/// Bytes of a word that are read: more than any symmetry has.
const MAX_WORD: usize = 100;
