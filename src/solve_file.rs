//! The main job of the tool as a function: a file of puzzles in, a file of solutions out.

use std::fs;
use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use galop_batch::input::{Source, detect_rules, files_in};
use galop_batch::output::{self, End, FormatEntry, OutputFile};
use galop_batch::pipeline::{SolveOptions, SolveOutcome, SolveRun, Watch};
use galop_batch::{Error, ErrorKind};
use galop_engines::engine::{Entry, default_for};
use galop_engines::grid::Variant;
use galop_engines::puzzle::Limits;
use galop_engines::{Control, Rules};

/// Solves all sudokus of the file `input` on all cores, and writes each with its solution to the file `output`.
///
/// The output has one line for each puzzle, in the order of the input. A puzzle without a solution has the word `none`
/// instead, and a malformed line `malformed`. The file `output` appears only when it is complete. [`SolveFile`] has
/// options.
///
/// The input may also be a folder of such files, a zip archive, or a compressed file. Files of a folder and members of an
/// archive whose names have none of the [`endings`](galop_batch::input::endings) are passed over. An output whose name
/// ends in `.gz`, `.zst`, `.xz` or `.bz2` is compressed. All but zip and gzip need the feature `compressed`.
///
/// Returns the figures of the run: counts, guesses and times.
///
/// # Errors
/// If a file cannot be read or written, or if its alphabet is unclear. Malformed lines are not errors.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::env::set_current_dir(&folder)?;
/// std::fs::write("in.txt", "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n")?;
///
/// let figures = galop::solve_file("in.txt", "out.txt")?;
///
/// assert_eq!(figures.tally.puzzles(), 1);
/// let written = std::fs::read_to_string("out.txt")?;
/// assert!(written.ends_with(",417369825632158947958724316825437169791586432346912758289643571573291684164875293\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_file(input: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<SolveOutcome, Error> {
    SolveFile::new(input, output).run()
}

/// Solves the puzzles of a file, with options. See [`solve_file`].
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # std::env::set_current_dir(&folder)?;
/// use galop::{SolveFile, Status, output};
///
/// std::fs::write("in.txt", "1...............\n12..34....1....2\n")?;
/// let figures = SolveFile::new("in.txt", "out.txt")
///     .unique(true)
///     .format(output::SOLUTION)
///     .threads(1)
///     .run()?;
/// assert_eq!((figures.tally.of(Status::Multiple), figures.tally.of(Status::Solved)), (1, 1));
/// assert_eq!(std::fs::read_to_string("out.txt")?, "multiple\n1243342123144132\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "`run` solves the file"]
pub struct SolveFile {
    input: PathBuf,
    output: PathBuf,
    rules: Option<Rules>,
    engine: Option<&'static Entry>,
    is_unique: bool,
    max_guesses: Option<u64>,
    format: Option<&'static FormatEntry>,
    threads: Option<NonZero<usize>>,
    control: Arc<Control>,
}

impl SolveFile {
    /// Solves the puzzles of the file `input` and writes them to the file `output`.
    pub fn new(input: impl AsRef<Path>, output: impl AsRef<Path>) -> SolveFile {
        SolveFile {
            input: input.as_ref().to_owned(),
            output: output.as_ref().to_owned(),
            rules: None,
            engine: None,
            is_unique: false,
            max_guesses: None,
            format: None,
            threads: None,
            control: Arc::default(),
        }
    }

    /// The rules of the puzzles. Without them, the puzzles are sudokus of the size and alphabet of the first ones.
    pub fn rules(self, rules: Rules) -> SolveFile {
        SolveFile { rules: Some(rules), ..self }
    }

    /// The engine. The default is the fastest one for the rules.
    pub fn engine(self, engine: &'static Entry) -> SolveFile {
        SolveFile { engine: Some(engine), ..self }
    }

    /// Whether a solution must be the only one: a puzzle with several gets the word `multiple`.
    pub fn unique(self, is_unique: bool) -> SolveFile {
        SolveFile { is_unique, ..self }
    }

    /// The number of guesses after which a puzzle is given up, with the word `limit`. The default is
    /// [`Entry::max_guesses`].
    pub fn max_guesses(self, guesses: u64) -> SolveFile {
        SolveFile { max_guesses: Some(guesses), ..self }
    }

    /// The format of the output, a row of [`FORMATS`](output::FORMATS). The default is that of the output's name
    /// ([`output::format_of`]), or else `pair`.
    pub fn format(self, format: &'static FormatEntry) -> SolveFile {
        SolveFile { format: Some(format), ..self }
    }

    /// The number of threads: 0, the default, for one for each core. The output does not depend on it.
    pub fn threads(self, threads: usize) -> SolveFile {
        SolveFile { threads: NonZero::new(threads), ..self }
    }

    /// Stops the run from another thread, and shows how many puzzles it has solved. A run that was stopped ends with
    /// [`ErrorKind::Stopped`], and writes no file.
    pub fn control(self, control: Arc<Control>) -> SolveFile {
        SolveFile { control, ..self }
    }

    /// Solves the file. Returns the figures of the run.
    ///
    /// # Errors
    /// The errors of [`solve_file`], and [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the
    /// rules.
    pub fn run(self) -> Result<SolveOutcome, Error> {
        let canonical = |path: &Path| fs::canonicalize(path).ok();
        let (inputs, _) = files_in(&self.input)?;
        if canonical(&self.output)
            .is_some_and(|output| inputs.iter().any(|input| canonical(input).as_ref() == Some(&output)))
        {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "the input would be overwritten");
            return Err(Error::at(self.output, ErrorKind::Write(error)));
        }
        let (mut sources, _) = Source::open_each(&self.input)?;
        let rules = match self.rules {
            Some(rules) => rules,
            None => detect_rules(&mut sources, &Variant::default(), None)?,
        };
        let engine = self.engine.unwrap_or_else(|| default_for(&rules));
        let limits = if self.is_unique { Limits::UNIQUE } else { Limits::ANY };
        let format = self.format.or_else(|| output::format_of(&self.output)).unwrap_or(output::PAIR);
        let options = SolveOptions::default()
            .limits(limits.with_guesses(self.max_guesses.unwrap_or(engine.max_guesses)))
            .threads(self.threads)
            .format(format)
            .stop(self.control.stop_flag());
        let output = OutputFile::create(&self.output)?.packed_by(self.threads)?;
        let mut sink = format.sink(output, None, &rules)?;
        let mut run = SolveRun::open(&rules, engine, options)?;
        let mut counter = Counter { control: &self.control, records: 0 };
        sources.iter_mut().try_for_each(|source| run.solve(source, &mut sink, &mut counter))?;
        let outcome = run.finish(&mut sink)?;
        sink.finish(End::default())?;
        Ok(outcome)
    }
}

/// Counts the puzzles that were solved.
struct Counter<'a> {
    control: &'a Control,
    records: u64,
}

impl Watch for Counter<'_> {
    fn advanced(&mut self, _position: u64, records: u64) {
        self.control.add(records.saturating_sub(self.records) as usize);
        self.records = self.records.max(records);
    }

    fn working(&mut self, position: u64, records: u64) {
        self.advanced(position, records);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_engines::engine::{BITBOARD, Unsupported};
    use galop_engines::puzzle::Status;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    #[test]
    fn the_output_appears_only_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["in.txt", "out.txt"].map(|name| folder.path().join(name));
        let missing = solve_file(&input, &output).unwrap_err();
        assert!(missing.to_string().starts_with(&format!("{}: cannot read", input.display())), "{missing}");
        fs::write(&input, format!("{PUZZLE}\n# comment\n44{}\nrubbish\n", ".".repeat(79))).unwrap();
        let refused = SolveFile::new(&input, &output).rules(latin()).engine(BITBOARD).run().unwrap_err();
        assert!(refused.fact::<Unsupported>().is_some(), "{refused}");
        let same = SolveFile::new(&input, &input).run().unwrap_err();
        assert!(same.to_string().contains("would be overwritten"), "{same}");
        assert!(!output.exists());

        let outcome = solve_file(&input, &output).unwrap();
        let counts = [Status::Solved, Status::None, Status::Malformed].map(|status| outcome.tally.of(status));
        assert_eq!(counts, [1, 1, 1]);
        assert_eq!(outcome.malformed[0].line, 4);
        let lines = fs::read_to_string(&output).unwrap();
        let ends: Vec<&str> = lines.lines().filter_map(|line| line.rsplit(',').next()).collect();
        assert_eq!((ends[0].len(), &ends[1..]), (81, &["none", "malformed"][..]));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "no temporary file is left");
    }

    #[test]
    fn a_run_is_stopped_and_counted_from_outside() {
        let folder = tempfile::tempdir().unwrap();
        let [input, output] = ["in.txt", "out.txt"].map(|name| folder.path().join(name));
        fs::write(&input, format!("{PUZZLE}\n").repeat(1_000)).unwrap();
        let control = Arc::new(Control::default());
        SolveFile::new(&input, &output).control(Arc::clone(&control)).run().unwrap();
        assert_eq!(control.done(), 1_000);
        fs::remove_file(&output).unwrap();
        control.stop();
        let stopped = SolveFile::new(&input, &output).control(control).run().unwrap_err();
        assert!(matches!(stopped.kind(), ErrorKind::Stopped), "{stopped}");
        assert!(!output.exists());
    }

    fn latin() -> Rules {
        Rules::new(galop_engines::grid::kind("latin").unwrap(), 9, None).unwrap()
    }
}
