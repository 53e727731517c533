//! The options of `galop augment`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{InputArgs, PartArgs, RewriteArgs};

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop augment train.csv --times 10 --seed 1 -o more.csv
  galop augment puzzles.txt --seed 1           one image of each puzzle";

/// Write random symmetric images of puzzles, to enlarge a data set
///
/// Each puzzle becomes one or more images under random symmetries: the digits are relabelled; bands, stacks, and rows
/// and columns within them are permuted; the grid is transposed. All symmetries are equally likely. The solution beside
/// a puzzle is transformed with it, and all other columns are kept; formats with columns get a column `group`, the line
/// of the puzzle counted over all inputs. For example, galop augment train.csv --times 10 --seed 1 -o more.csv. The
/// images depend only on the seed and the line, not on the number of threads. Sudokus of 9x9, 6x6 and 4x4 have
/// symmetries.
///
/// A malformed record is reported on standard error and left out. An answer that is not a solution of its puzzle is
/// left out of the images.
#[derive(ClapArgs, Debug)]
pub(crate) struct AugmentArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) part: PartArgs,

    /// Images of each puzzle
    #[arg(short = 'k', long, value_name = "N", default_value_t = 1)]
    pub(crate) times: u64,

    /// The seed of the random symmetries [default: drawn, and named at the end]
    #[arg(short, long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Write images that differ from each other and from the puzzle
    ///
    /// Two random symmetries are almost never equal, but two images of a puzzle with few clues may be. This option
    /// takes 16 bytes for each image of a puzzle, and more time.
    #[arg(long)]
    pub(crate) distinct: bool,

    /// Write each puzzle unchanged before its images
    #[arg(long)]
    pub(crate) with_original: bool,

    /// Also write a report, FILE.json: puzzles and images, the seed in the command, checksums (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) rewrite: RewriteArgs,
}
