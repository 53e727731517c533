//! What is printed of the fields of a record beside its puzzle.

use super::header::{SourcePlan, row, row_of};
use crate::grid::Rules;
use crate::input::format::Format;
use crate::input::records::Record;
use crate::output::{FormatEntry, Layout, Row, TakenKeys};
use crate::pipeline::fields::{FieldPlan, FieldWriter};
use crate::pipeline::{ChunkJob, Failure};

/// Makes the rows and objects of records that keep their fields.
pub(super) struct Rows {
    format: &'static FormatEntry,
    /// The names of the columns behind the fields of the input.
    names_behind: Vec<&'static str>,
    /// Writes the fields of records of another format, if the output has a place for them.
    writer: Option<FieldWriter>,
    /// The fields of the record that is printed.
    text: Vec<u8>,
    /// The added keys that the object that is printed has already.
    keys: TakenKeys,
}

impl Rows {
    pub(super) fn new(rules: &Rules, format: &'static FormatEntry, layout: &Layout) -> Rows {
        Rows {
            format,
            names_behind: layout.names_behind().collect(),
            writer: format.copier.map(|copier| FieldWriter::new(copier, rules)),
            text: Vec::new(),
            keys: TakenKeys::default(),
        }
    }

    /// Takes the number of fields that have no column.
    pub(super) fn take_lost(&mut self) -> u64 {
        self.writer.as_mut().map_or(0, |writer| std::mem::take(&mut writer.counts.lost))
    }

    /// Checks the fields that were written of `chunk`.
    pub(super) fn check(&mut self, chunk: &ChunkJob<'_>, kept: &SourcePlan) -> Result<(), Failure> {
        match (&mut self.writer, kept) {
            (Some(writer), SourcePlan::Fields { plan, .. }) => writer.check(chunk, plan),
            _ => Ok(()),
        }
    }

    /// The row or object of `record` as it is `kept`; `None` if only its puzzle is.
    #[inline(always)]
    pub(super) fn row<'a>(
        &'a mut self,
        record: &Record<'a>,
        format: &'a Format,
        kept: &'a SourcePlan,
    ) -> Option<Row<'a>> {
        match kept {
            SourcePlan::Puzzle => None,
            SourcePlan::Text { taken } => Some(match format.columns {
                Some(columns) => row(record.text, columns, record.missing_fields),
                None => self.object(record, format, taken),
            }),
            SourcePlan::Fields { plan, taken } => {
                self.write_fields(record, format, plan);
                Some(row_of(self.format, &self.text, plan, &taken.0))
            }
        }
    }

    /// The object of `record`, to be printed with all its members. `first` are the added keys that the first object
    /// has.
    fn object<'a>(&'a mut self, record: &Record<'a>, format: &'a Format, first: &TakenKeys) -> Row<'a> {
        let Rows { names_behind, keys, .. } = self;
        keys.0.clone_from(&first.0);
        format.for_each_key(record.text, &mut |key| keys.mark(names_behind, key));
        let name = format.taken.as_ref().map_or("puzzle", |taken| &taken.puzzle);
        Row { text: record.text, name, taken: &keys.0, ..Row::default() }
    }

    /// Writes all fields of `record` in the format of the output. (Inlined, it would be in the way of runs that keep
    /// the text of records, or nothing.)
    #[inline(never)]
    fn write_fields(&mut self, record: &Record<'_>, format: &Format, plan: &FieldPlan) {
        self.text.clear();
        let Some(writer) = &mut self.writer else { return };
        match &record.puzzle {
            Ok(puzzle) => writer.write(record, puzzle, format, plan, &mut self.text),
            Err(_) => writer.write_malformed(record.text, plan, &mut self.text),
        }
    }
}
