//! The options of `galop cover` for the cheapest and the dearest solutions.

use std::convert::Infallible;
use std::path::PathBuf;

use clap::Args as ClapArgs;
use galop_cover::Rank;

/// Options for the best solutions.
#[derive(ClapArgs, Debug, Default)]
pub(crate) struct BestArgs {
    /// Print the K solutions of least total cost, the cheapest first; one if K is left out. For example --best 10
    ///
    /// A solution costs the sum of the costs of its options, |n in the file. Solutions that cost the same are printed
    /// in the order of their options in the file. The search proves that no other solution costs less; if it is
    /// interrupted, or stopped by --time-limit or --max-nodes, the best solutions found so far are printed, and a
    /// message says which cost is proved to be the least possible, and the gap between the two.
    ///
    /// A word after --best that is not a number is a FILE, so `--best problem.dlx` works.
    #[arg(long, value_name = "K", num_args = 0..=1, default_missing_value = "1", value_parser = most_or_file)]
    #[arg(conflicts_with_all = SEARCH)]
    best: Option<MostOrFile>,

    /// Print the K solutions of greatest total cost, the dearest first; otherwise as --best
    #[arg(long, value_name = "K", num_args = 0..=1, default_missing_value = "1", value_parser = most_or_file)]
    #[arg(conflicts_with_all = SEARCH)]
    worst: Option<MostOrFile>,
}

/// Options of a search for solutions in any order of cost.
const SEARCH: [&str; 6] = ["engine", "preprocess", "isa", "ordered", "shard", "resume"];

/// The word after `--best`.
#[derive(Clone, Debug)]
enum MostOrFile {
    /// A number of solutions.
    Most(usize),
    /// A file, and one solution.
    File(PathBuf),
}

/// A number, which may be too large for any problem, or the name of a file.
fn most_or_file(word: &str) -> Result<MostOrFile, Infallible> {
    let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    Ok(match is_number {
        true => MostOrFile::Most(word.parse().unwrap_or(usize::MAX)),
        false => MostOrFile::File(word.into()),
    })
}

impl BestArgs {
    /// Which solutions are wanted, and how many; `None` if not the best ones.
    pub(crate) fn wanted(&self) -> Option<(Rank, usize)> {
        let (rank, word) = self.word()?;
        match word {
            MostOrFile::Most(most) => Some((rank, *most)),
            MostOrFile::File(_) => Some((rank, 1)),
        }
    }

    /// The file named after the option, if there is one.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        match self.word()?.1 {
            MostOrFile::File(file) => Some(file.clone()),
            MostOrFile::Most(_) => None,
        }
    }

    fn word(&self) -> Option<(Rank, &MostOrFile)> {
        let best = self.best.as_ref().map(|word| (Rank::Cheapest, word));
        best.or_else(|| self.worst.as_ref().map(|word| (Rank::Dearest, word)))
    }
}
