//! Whether the columns of all inputs have a place in one output, as their heads show before a run.

use std::path::{Path, PathBuf};

use super::fields::FieldPlan;
use super::solve::OutputHeader;
use super::{ColumnsDiffer, SourceHead};
use crate::error::Error;
use crate::grid::Rules;
use crate::input::InputError;
use crate::input::format::{Format, Notation};
use crate::input::look::PeekedHead;
use crate::input::source::Source;
use crate::output::copied::Holds;
use crate::output::{FormatEntry, Layout};
use crate::printable::printable;

/// Checks that the columns of all `sources`, puzzles of `rules`, have a place in one output of `format`. A run finds
/// the same, but when it comes to the source. `is_solved`: the records are solved, not rewritten.
///
/// # Errors
/// [`InputError::Unlike`] with the names of both sources; another [`InputError`] if one cannot be read.
pub fn check_columns(
    sources: &mut [Source],
    rules: &Rules,
    format: &'static FormatEntry,
    is_solved: bool,
) -> Result<(), Error> {
    let Some(copier) =
        format.copier.filter(|copier| copier.holds == Holds::Fields && copier.header.is_some())
    else {
        return Ok(());
    };
    let notation = Notation::from(rules);
    let mut solved = OutputHeader::new(format, Layout::usual(format));
    let mut first: Option<FieldPlan> = None;
    // The first source, whose columns the output has.
    let mut before: Option<(PathBuf, String)> = None;
    for source in sources {
        let Some(peeked) = PeekedHead::of(source, &notation)? else { continue };
        let (format, header) = (&peeked.format, peeked.header());
        let head = SourceHead { format, header, first_record: peeked.first_line() };
        let checked: Result<(), ColumnsDiffer> = if is_solved {
            solved.keep(&head, &mut Vec::new()).map(drop)
        } else {
            let plan = FieldPlan::new(&head, copier.header.is_some());
            match &first {
                Some(first) => plan.below(first).map(drop),
                None => {
                    first = Some(plan);
                    Ok(())
                }
            }
        };
        let this = columns_of(&peeked.format);
        let (other, that) = before.get_or_insert_with(|| (source.name().to_owned(), this.clone()));
        if let Err(ColumnsDiffer) = checked {
            let (other, that) = (other.clone(), that.clone());
            return Err(Error::at(source.name(), InputError::Unlike { this, other, that }));
        }
    }
    Ok(())
}

/// The columns of a source in words.
fn columns_of(format: &Format) -> String {
    match &format.every {
        Some(every) => format!("the columns {}", printable(Path::new(&every.names.join(", ")))),
        None => "puzzles without other columns".to_owned(),
    }
}
