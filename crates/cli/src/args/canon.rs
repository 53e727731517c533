//! The options of `galop canon`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_corpora::symmetry::FormKind;
use galop_corpora::{CanonColumn, CanonOptions, ClassOptions};

use super::classes::TrustArgs;
use super::values::{canon_column_parser, each_once, form_parser};
use super::{PartArgs, RewriteArgs, SymmetricInputArgs};

/// Write the canonical form of each puzzle, which all equivalent puzzles share
///
/// Two puzzles are equivalent if one becomes the other by a symmetry: the digits get other names, bands, stacks, and
/// rows and columns within them change places, the grid is transposed. Of all images of a puzzle the canonical form is
/// the least, row by row. A line of the output is the puzzle and its form: `puzzle,canonical`. csv, tsv, json and
/// parquet keep all columns and add `canonical` and `form`, npz has arrays of these beside the puzzles, and grid and
/// npy hold the forms in the place of the puzzles. Sudokus of 9x9, 6x6 and 4x4 have forms, and so have problems:
/// --symmetries names their symmetries. For example, galop canon puzzles.txt | cut -d, -f2 | sort -u | wc -l counts the
/// classes.
///
/// The form of a puzzle with exactly one solution is that whose solution grid is the least, as gsf's program and the
/// catalogues of grids have it. Each puzzle is solved, with a search for a second solution. A puzzle without a single
/// solution has the direct form, the least image of the puzzle itself; the field `direct` behind it, or the column
/// `form`, says so. The forms of the two kinds differ: compare only forms of one kind.
///
/// A malformed record is named on standard error. Its text stands in place of the puzzle, and the word `malformed` in
/// place of the answer.
#[derive(ClapArgs, Debug)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    pub(crate) input: SymmetricInputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// What a form is the least of
    #[arg(long, value_name = "KIND", value_parser = form_parser(), default_value = "solution")]
    form: FormKind,

    #[command(flatten)]
    trust: TrustArgs,

    /// The columns that are added, in this order [default: canonical,form]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = canon_column_parser())]
    #[arg(help_heading = "Output")]
    columns: Vec<&'static CanonColumn>,

    /// Also write a report, FILE.json: forms of each kind, automorphic puzzles, the engine, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}

impl CanonArgs {
    /// The options for the library.
    pub(crate) fn options(&self) -> CanonOptions {
        let classes = ClassOptions::default().kind(self.form).trusts_answers(self.trust.trust_solutions);
        let options = CanonOptions::default().classes(classes);
        let columns = each_once(self.columns.iter().copied());
        match columns.is_empty() {
            true => options,
            false => options.columns(columns),
        }
    }
}
