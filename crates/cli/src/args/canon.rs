//! The options of `galop canon`.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_corpora::symmetry::FormKind;
use galop_corpora::{CANON_COLUMNS, CanonColumn, CanonOptions, ClassOptions};

use super::classes::TrustArgs;
use super::values::{column_parser, each_once, form_parser};
use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop canon puzzles.txt -o canonical.csv
  galop canon puzzles.txt | cut -d, -f2 | sort -u | wc -l    count the classes";

/// Write the canonical form of each puzzle, which all equivalent puzzles share
///
/// Two puzzles are equivalent if a symmetry turns one into the other: the digits are relabelled; bands, stacks, and
/// rows and columns within them are permuted; the grid is transposed. The canonical form is the least of all images of
/// a puzzle, compared row by row. A line of the output is the puzzle and its form: `puzzle,canonical`. csv, tsv and
/// json keep all columns and add `canonical` and `form`, npz has arrays of these beside the puzzles, and grid and npy
/// hold the forms in place of the puzzles. Sudokus of 9x9, 6x6 and 4x4 have forms. For example, galop canon
/// puzzles.txt | cut -d, -f2 | sort -u | wc -l counts the classes.
///
/// The form of a puzzle with exactly one solution is the image whose solution grid is the least, as in gsf's program
/// and the catalogues of grids. So each puzzle is solved, with a search for a second solution. A puzzle with no
/// solution or several has the direct form, the least image of the puzzle itself; the field `direct` after it, or the
/// column `form`, says so. The forms of the two kinds differ: compare only forms of one kind.
///
/// A malformed record is reported on standard error. Its text takes the place of the puzzle, and the word `malformed`
/// the place of the answer.
#[derive(ClapArgs, Debug)]
pub(crate) struct CanonArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// The images of which the form is the least
    #[arg(long, value_name = "KIND", value_parser = form_parser(), default_value = "solution")]
    form: FormKind,

    #[command(flatten)]
    trust: TrustArgs,

    /// The columns to add, in this order [default: canonical,form]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = column_parser(CANON_COLUMNS))]
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
