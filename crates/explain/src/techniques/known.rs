//! Names that players have for short forms of a technique.
//!
//! ```text
//! skyscraper        two rows with two places each of a symbol; two of the places share a column (or columns and a row)
//! two-string kite   a row and a column with two places each; two of the places share a block
//! turbot fish       any other two units with two places each
//! empty rectangle   a block whose places are in one row and one column, and a row or column with two places
//! WXYZ-wing         an ALS-XZ of four cells with four symbols
//! finned X-wing     a finned fish of two rows or columns
//! remote pair       a chain, colours or a skyscraper of cells that all have the same two candidates
//! ```

use crate::deduction::{Deduction, Node, Truth};
use crate::geometry::{Candidate, Geometry};
use crate::technique::Finder;
use galop_engines::grid::UnitName;

/// The name of a chain of one symbol with two strong links.
pub(super) fn of_symbol_chain(geometry: &Geometry, found: &Deduction) -> Option<&'static str> {
    let [chain] = &found.chains[..] else { return None };
    let ([_, one, other, _], [Truth::Unit { unit: first, .. }, Truth::Unit { unit: second, .. }]) =
        (&chain[..], &found.truths[..])
    else {
        return None;
    };
    let name = |unit: u16| geometry.units[usize::from(unit)].name;
    let place = |node: &Node| {
        let cell = usize::from(node.cells[0]);
        [cell / geometry.side, cell % geometry.side]
    };
    let ([row, column], [other_row, other_column]) = (place(one), place(other));
    let has_group = chain.iter().any(|node| node.cells.len() > 1);
    Some(match (name(*first), name(*second)) {
        (UnitName::Block(_), UnitName::Row(_) | UnitName::Column(_))
        | (UnitName::Row(_) | UnitName::Column(_), UnitName::Block(_))
            if has_group =>
        {
            "empty rectangle"
        }
        _ if has_group => return None,
        (UnitName::Row(_), UnitName::Row(_)) if column == other_column => "skyscraper",
        (UnitName::Column(_), UnitName::Column(_)) if row == other_row => "skyscraper",
        (UnitName::Row(_), UnitName::Column(_)) | (UnitName::Column(_), UnitName::Row(_))
            if row != other_row && column != other_column =>
        {
            "two-string kite"
        }
        _ => "turbot fish",
    })
}

/// The name of joined cells that all have the same two candidates.
pub(super) fn of_pair(finder: &Finder<'_>, found: &Deduction) -> Option<&'static str> {
    let marks = |candidate: &Candidate| finder.board.marks(candidate.cell);
    let first = marks(found.because.first()?);
    let is_pair = first.count_ones() == 2 && found.because.iter().all(|one| marks(one) == first);
    is_pair.then_some("remote pair")
}

/// The name of two almost locked sets.
pub(super) fn of_sets(found: &Deduction) -> Option<&'static str> {
    let mut symbols: Vec<u8> = found.because.iter().map(|candidate| candidate.symbol).collect();
    symbols.sort_unstable();
    symbols.dedup();
    let are_cells = found.truths.iter().all(|truth| matches!(truth, Truth::Cell(_)));
    (are_cells && found.truths.len() == 4 && symbols.len() == 4).then_some("WXYZ-wing")
}

/// The name of a finned fish.
pub(super) fn of_finned_fish(found: &Deduction) -> Option<&'static str> {
    match found.units.len() {
        // Two places in each row, two of which share a column.
        2 if found.because.len() == 4 => Some("skyscraper"),
        2 => Some("finned X-wing"),
        3 => Some("finned swordfish"),
        4 => Some("finned jellyfish"),
        _ => None,
    }
}
