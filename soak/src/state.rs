//! How far a soak is, as text in a file.

use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

/// Answers of engines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Solves {
    /// To 9x9 sudokus.
    pub(crate) nine: u64,
    /// To grids of all kinds and sizes.
    pub(crate) grids: u64,
    /// To exact cover problems.
    pub(crate) cover: u64,
}

impl Solves {
    pub(crate) fn total(&self) -> u64 {
        self.nine + self.grids + self.cover
    }
}

impl AddAssign for Solves {
    fn add_assign(&mut self, other: Solves) {
        self.nine += other.nine;
        self.grids += other.grids;
        self.cover += other.cover;
    }
}

/// The rounds that were done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) seed: u64,
    /// All rounds below this one are done.
    pub(crate) rounds: u64,
    /// What those rounds solved.
    pub(crate) solves: Solves,
}

impl Progress {
    pub(crate) fn new(seed: u64) -> Progress {
        Progress { seed, rounds: 0, solves: Solves::default() }
    }

    /// Reads the state; a new one if the file does not exist.
    pub(crate) fn load(path: &Path, seed: u64) -> io::Result<Progress> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Progress::new(seed)),
            text => text?,
        };
        let numbers: Vec<u64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [of, rounds, nine, grids, cover] if of == seed => {
                Ok(Progress { seed, rounds, solves: Solves { nine, grids, cover } })
            }
            _ => Err(io::Error::other(format!(
                "{} is not the state of a soak with seed {seed}",
                path.display()
            ))),
        }
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let Progress { seed, rounds, solves: Solves { nine, grids, cover } } = self;
        let text = format!("seed {seed} rounds {rounds} nine {nine} grids {grids} cover {cover}\n");
        let part = path.with_extension("part");
        fs::write(&part, text)?;
        fs::rename(part, path)
    }

    /// The line a minute. `before`: solves of earlier runs.
    pub(crate) fn line(&self, elapsed: Duration, before: u64) -> String {
        let Solves { nine, grids, cover } = self.solves;
        let rate = (self.solves.total() - before) as f64 / elapsed.as_secs_f64().max(1e-9);
        format!(
            "{:5.1} min  {:>13} solves  {rate:>9.0} a second  0 disagreements  ({nine} of 9x9, {grids} of grids, \
             {cover} of exact cover; {} rounds)",
            elapsed.as_secs_f64() / 60.0,
            self.solves.total(),
            self.rounds,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_and_belongs_to_its_seed() {
        let path = std::env::temp_dir().join(format!("galop-soak-state-{}", std::process::id()));
        let progress = Progress { seed: 7, rounds: 5, solves: Solves { nine: 3, grids: 2, cover: 1 } };
        progress.save(&path).unwrap();
        assert_eq!(Progress::load(&path, 7).unwrap(), progress);
        assert!(Progress::load(&path, 8).is_err());
        fs::remove_file(&path).unwrap();
        assert_eq!(Progress::load(&path, 8).unwrap(), Progress::new(8));
    }
}
