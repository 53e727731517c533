//! How far a soak is, as text in a file.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::Path;
use std::time::Duration;
use std::{fmt, fs, io};

/// The end of the sorts that `dlx` answered.
const BY_DLX: &str = "by dlx";

/// Answers of engines, by what was answered: `9x9`, `cover`, a kind of grid, or `KIND by dlx`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Solves(BTreeMap<String, u64>);

impl Solves {
    /// Solves of one sort.
    pub(crate) fn of(sort: &str, count: u64) -> Solves {
        Solves(BTreeMap::from([(sort.to_owned(), count)]))
    }

    /// Solves of this sort.
    #[cfg(test)]
    pub(crate) fn get(&self, sort: &str) -> u64 {
        self.0.get(sort).copied().unwrap_or_default()
    }

    /// All of them. What `dlx` answered is counted with its kind.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().filter(|(sort, _)| !sort.ends_with(BY_DLX)).map(|(_, count)| count).sum()
    }
}

impl AddAssign for Solves {
    fn add_assign(&mut self, other: Solves) {
        for (sort, count) in other.0 {
            *self.0.entry(sort).or_default() += count;
        }
    }
}

impl fmt::Display for Solves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(sort, count)| writeln!(f, "{count}\t{sort}"))
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
        Progress::read(&text).filter(|progress| progress.seed == seed).ok_or_else(|| {
            io::Error::other(format!("{} is not the state of a soak with seed {seed}", path.display()))
        })
    }

    /// Reads what `Display` writes: the seed, the rounds, and the solves of each sort, one on each line.
    fn read(text: &str) -> Option<Progress> {
        let mut lines = text.lines().map(|line| line.split_once('\t'));
        let mut number = |name| {
            let (number, found) = lines.next()??;
            number.parse().ok().filter(|_| found == name)
        };
        let (seed, rounds) = (number("seed")?, number("rounds")?);
        let mut progress = Progress { seed, rounds, solves: Solves::default() };
        for line in lines {
            let (count, sort) = line?;
            progress.solves += Solves::of(sort, count.parse().ok()?);
        }
        Some(progress)
    }

    /// Writes the state, whole or not at all.
    pub(crate) fn save(&self, path: &Path) -> io::Result<()> {
        let part = path.with_extension("part");
        fs::write(&part, self.to_string())?;
        fs::rename(part, path)
    }

    /// The line a minute. `before`: solves of earlier runs.
    pub(crate) fn line(&self, elapsed: Duration, before: u64) -> String {
        let rate = (self.solves.total() - before) as f64 / elapsed.as_secs_f64().max(1e-9);
        format!(
            "{:5.1} min  {:>13} solves  {rate:>9.0} a second  0 disagreements  {} rounds",
            elapsed.as_secs_f64() / 60.0,
            self.solves.total(),
            self.rounds,
        )
    }
}

impl fmt::Display for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Progress { seed, rounds, solves } = self;
        write!(f, "{seed}\tseed\n{rounds}\trounds\n{solves}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_back_and_belongs_to_its_seed() {
        let path = std::env::temp_dir().join(format!("galop-soak-state-{}", std::process::id()));
        let mut solves = Solves::of("latin", 3);
        solves += Solves::of("latin by dlx", 2);
        solves += Solves::of("cover", 1);
        assert_eq!((solves.total(), solves.get("latin by dlx")), (4, 2));
        let progress = Progress { seed: 7, rounds: 5, solves };
        progress.save(&path).unwrap();
        assert_eq!(Progress::load(&path, 7).unwrap(), progress);
        assert!(Progress::load(&path, 8).is_err());
        fs::remove_file(&path).unwrap();
        assert_eq!(Progress::load(&path, 8).unwrap(), Progress::new(8));
    }
}
