//! What `galop cover` answers without listing all solutions.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_cover::Natural;

/// What `galop cover` answers without listing all solutions.
#[derive(ClapArgs, Debug)]
pub(crate) struct DiagramArgs {
    /// Print N random solutions; all solutions are equally likely, and one may come twice
    ///
    /// --sample, --marginals, --nth and --diagram store all solutions in a decision diagram, which has each equal part
    /// once: the 2.4 * 10^30 domino tilings of 16x16 cells take a few megabytes. Problems whose parts rarely repeat, as
    /// queens, need much memory.
    #[arg(long, value_name = "N", display_order = 900, conflicts_with_all = SEARCH)]
    pub(crate) sample: Option<u64>,

    /// Print how many solutions each option is in: a number and the option on each line
    #[arg(long, display_order = 902, conflicts_with_all = SEARCH)]
    pub(crate) marginals: bool,

    /// Print the K-th solution, counted from 1; the order is that of --all with a diagram as FILE
    #[arg(long, value_name = "K", display_order = 903, conflicts_with_all = SEARCH)]
    pub(crate) nth: Option<Natural>,

    /// Write the decision diagram to DIAGRAM, a text file; later runs take it as FILE and need no search
    ///
    /// The file has the problem and the nodes; the library describes its format in the module `diagram::text`. If its name
    /// ends in .gz, .zst, .xz or .bz2, the file is compressed.
    #[arg(long, value_name = "DIAGRAM", display_order = 904, conflicts_with_all = SEARCH)]
    pub(crate) diagram: Option<PathBuf>,

    /// Only solutions with an option that has all of these items, as in --with "r0 c3" (repeatable)
    ///
    /// ITEMS are names of items, with :colour if the option must give that colour. If several options have all of them,
    /// one of the items must be covered exactly once.
    #[arg(long, value_name = "ITEMS", display_order = 905)]
    pub(crate) with: Vec<String>,

    /// Only solutions without the options that have all of these items (repeatable)
    #[arg(long, value_name = "ITEMS", display_order = 906)]
    pub(crate) without: Vec<String>,

    /// Draw each solution: a board of cells, the cells of an option joined by lines
    ///
    /// The cells are the items whose names are a row and a column, counted from 0: 3.10, or two of the digits 0-9, a-z and
    /// A-Z, as in 3a. The models dominoes, mixed and pentominoes have such items.
    #[arg(long, display_order = 907, conflicts_with = "format")]
    pub(crate) draw: bool,
}

/// Options that matter to a search for single solutions, and not to a diagram.
const SEARCH: [&str; 3] = ["engine", "preprocess", "ordered"];

impl DiagramArgs {
    /// Whether the answer needs a diagram.
    pub(crate) fn needs_diagram(&self) -> bool {
        self.sample.is_some() || self.marginals || self.nth.is_some() || self.diagram.is_some()
    }
}
