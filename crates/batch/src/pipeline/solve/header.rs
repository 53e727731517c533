//! The first line of the output, and what is kept of the inputs.

use std::sync::Arc;

use crate::input::format::{Columns, Header};
use crate::output::copied::Holds;
use crate::output::{FormatEntry, Layout, Row, TakenKeys};
use crate::pipeline::fields::FieldPlan;
use crate::pipeline::{ColumnsDiffer, SourceHead};

/// The header of the output. The first source decides it.
pub(super) struct OutputHeader {
    format: &'static FormatEntry,
    layout: Layout,
    /// The columns of the first source; `None` before there is one.
    columns_before: Option<HeaderColumns>,
}

/// Which columns come before galop's columns.
enum HeaderColumns {
    /// None.
    Nothing,
    /// Those of a table, whose rows stay as they are below this header.
    Table(Vec<u8>),
    /// Those of a table or of objects, which become the columns of a table.
    Fields(FieldPlan),
}

/// What is kept of the records of a source.
#[derive(Clone, Debug, Default)]
pub(super) enum SourcePlan {
    /// The puzzle.
    #[default]
    Puzzle,
    /// The whole text, because it has the format of the output.
    Text {
        /// The added keys that the first object has already.
        taken: Arc<TakenKeys>,
    },
    /// All fields, which are written in the format of the output.
    Fields {
        plan: Arc<FieldPlan>,
        /// The added keys that the objects have already.
        taken: Arc<TakenKeys>,
    },
}

impl OutputHeader {
    pub(super) fn new(format: &'static FormatEntry, layout: Layout) -> OutputHeader {
        OutputHeader { format, layout, columns_before: None }
    }

    /// Whether the output has a place for all fields of the input.
    pub(super) fn holds_fields(&self) -> bool {
        self.format.copier.is_some_and(|copier| copier.holds == Holds::Fields)
    }

    /// Whether a source has decided it.
    pub(super) fn is_known(&self) -> bool {
        self.columns_before.is_some()
    }

    /// Takes the head of the next source. The first one decides the header of the output, which is appended to `out`.
    /// Returns what is kept of this source.
    ///
    /// # Errors
    /// [`ColumnsDiffer`]: the columns of a later source have no place below the header.
    pub(super) fn keep(
        &mut self,
        head: &SourceHead<'_>,
        out: &mut Vec<u8>,
    ) -> Result<SourcePlan, ColumnsDiffer> {
        match self.format.copier {
            _ if self.keeps_text(head) => self.keep_text(head, out),
            Some(copier) if copier.holds == Holds::Fields && head.format.every.is_some() => {
                let plan = FieldPlan::new(head, copier.header.is_some());
                let Some(plan) = self.keep_fields(plan, copier.header, out)? else {
                    return Ok(SourcePlan::Puzzle);
                };
                let (added, mut taken) =
                    (self.layout.names_behind().collect::<Vec<_>>(), TakenKeys::default());
                plan.names.iter().for_each(|name| taken.mark(&added, name.as_bytes()));
                Ok(SourcePlan::Fields { plan: Arc::new(plan), taken: Arc::new(taken) })
            }
            _ => self.keep_puzzle(out),
        }
    }

    /// Whether records with this head stay as they are.
    fn keeps_text(&self, head: &SourceHead<'_>) -> bool {
        let is_other = |header: Header<'_>| {
            self.format.delimiter.is_some_and(|delimiter| delimiter != header.columns.delimiter)
        };
        self.format.keeps == Some(head.format.name) && !head.header.is_some_and(is_other)
    }

    fn keep_text(&mut self, head: &SourceHead<'_>, out: &mut Vec<u8>) -> Result<SourcePlan, ColumnsDiffer> {
        match (&self.columns_before, head.header) {
            (None, header) => {
                let table = header.as_ref().map(|header| row(header.line, header.columns, 0));
                self.print(table.as_ref(), out);
                let table = header.map(|header: Header<'_>| HeaderColumns::Table(header.line.to_vec()));
                self.columns_before = Some(table.unwrap_or(HeaderColumns::Nothing));
            }
            (Some(HeaderColumns::Table(first)), Some(header)) if header.line == first => {}
            (Some(HeaderColumns::Nothing), None) => {}
            // The columns of a later table have no place in the header.
            (Some(HeaderColumns::Nothing), Some(_)) => return Ok(SourcePlan::Puzzle),
            (Some(_), _) => return Err(ColumnsDiffer),
        }
        let (added, mut taken) = (self.layout.names_behind().collect::<Vec<_>>(), TakenKeys::default());
        head.format.for_each_key(head.first_record, &mut |key| taken.mark(&added, key));
        Ok(SourcePlan::Text { taken: Arc::new(taken) })
    }

    fn keep_fields(
        &mut self,
        plan: FieldPlan,
        print: Option<fn(&[String], &mut Vec<u8>)>,
        out: &mut Vec<u8>,
    ) -> Result<Option<FieldPlan>, ColumnsDiffer> {
        let Some(print) = print else {
            self.columns_before.get_or_insert(HeaderColumns::Nothing);
            return Ok(Some(plan));
        };
        match &self.columns_before {
            None => {
                let mut names = Vec::new();
                print(&plan.names, &mut names);
                self.print(Some(&row_of(self.format, &names, &plan, &[])), out);
                self.columns_before = Some(HeaderColumns::Fields(plan.clone()));
                Ok(Some(plan))
            }
            Some(HeaderColumns::Fields(first)) => plan.below(first).map(Some),
            Some(HeaderColumns::Nothing) => Ok(None),
            Some(HeaderColumns::Table(_)) => Err(ColumnsDiffer),
        }
    }

    fn keep_puzzle(&mut self, out: &mut Vec<u8>) -> Result<SourcePlan, ColumnsDiffer> {
        match &self.columns_before {
            None => {
                self.print(None, out);
                self.columns_before = Some(HeaderColumns::Nothing);
            }
            Some(HeaderColumns::Nothing) => {}
            Some(HeaderColumns::Table(_) | HeaderColumns::Fields(_)) => return Err(ColumnsDiffer),
        }
        Ok(SourcePlan::Puzzle)
    }

    fn print(&self, table: Option<&Row<'_>>, out: &mut Vec<u8>) {
        (self.format.header)(table, &self.layout, out);
    }

    /// The header of an output without records; empty if a source has decided it.
    pub(super) fn without_sources(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_known() {
            self.print(None, &mut out);
        }
        out
    }
}

/// A row of a table that lacks `missing` of its columns, to be printed with all of them.
pub(super) fn row(text: &[u8], columns: Columns, missing: usize) -> Row<'_> {
    let Columns { delimiter, count, puzzle } = columns;
    Row { text, delimiter, columns: count, puzzle, missing, ..Row::default() }
}

/// A row, an object or a header that was written in `format` with the fields of `plan`.
pub(super) fn row_of<'a>(
    format: &FormatEntry,
    text: &'a [u8],
    plan: &'a FieldPlan,
    taken: &'a [u32],
) -> Row<'a> {
    let name = plan.names.get(plan.puzzle).map_or("", |name| name);
    let delimiter = format.delimiter.unwrap_or(b',');
    // The records of a file of arrays are no lines.
    let line = text.strip_suffix(b"\n").filter(|_| !format.is_of_arrays());
    let text = line.unwrap_or(text);
    Row { text, delimiter, columns: plan.names.len(), puzzle: plan.puzzle, missing: 0, name, taken }
}
