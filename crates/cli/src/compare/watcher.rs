//! What a contest reports while it is held: the progress, and the rows of `--per-puzzle`.

use std::path::Path;
use std::time::Duration;

use galop_batch::Error;
use galop_batch::figures::{duration, pluralize};
use galop_batch::output::{End, Outlet};
use galop_compare::{self as compare, Row, Watch};

use crate::args::CompareArgs;
use crate::messages;
use crate::output::{Content, Destination, Sink, Writing};
use crate::progress::Progress;

/// Shows the progress and writes the table of --per-puzzle.
pub(super) struct Watcher {
    progress: Option<Progress>,
    /// What is said of a long comparison that shows no progress: the runs and the budget.
    bound: Option<String>,
    table: Option<Table>,
}

impl Watcher {
    /// Creates the table, if one is wanted.
    pub(super) fn create(args: &CompareArgs) -> anyhow::Result<Watcher> {
        let table = args.per_puzzle.as_deref().map(|path| Table::create(path, args.quiet));
        Ok(Watcher { progress: None, bound: None, table: table.transpose()? })
    }

    /// The next comparison has this many answers.
    pub(super) fn start(&mut self, args: &CompareArgs, answers: u64) {
        self.progress.take().iter().for_each(Progress::finish);
        let progress = Progress::new(args.bar.progress, Some(answers), args.quiet);
        self.bound = (!args.quiet && !progress.is_shown()).then(|| {
            let runs = pluralize(args.runs as u64, "run", "runs");
            match args.budget.is_zero() {
                true => format!("{runs} of each engine"),
                false => format!(
                    "{runs} of each engine, each of at most {} (--budget)",
                    duration(args.budget.as_nanos() as f64)
                ),
            }
        });
        self.progress = Some(progress);
    }

    pub(super) fn finish(self) -> Result<(), Error> {
        self.progress.iter().for_each(Progress::finish);
        self.table.map_or(Ok(()), Table::finish)
    }
}

/// Time from which a comparison is long.
const LONG: Duration = Duration::from_secs(10);

impl Watch for Watcher {
    fn expected(&mut self, time: Duration) {
        if let Some(bound) = self.bound.take().filter(|_| time >= LONG) {
            messages::say(format_args!("this takes about {}: {bound}", duration(time.as_nanos() as f64)));
        }
    }

    fn advanced(&mut self, done: u64, _total: u64) {
        if let Some(progress) = &mut self.progress {
            progress.set(done, done);
        }
    }

    fn row(&mut self, row: &Row<'_>) -> Result<(), Error> {
        self.table.as_mut().map_or(Ok(()), |table| table.add(row))
    }
}

/// A table that is being written.
struct Table {
    file: Sink,
    text: String,
}

/// Bytes of text above which they are written.
const BUFFER_BYTES: usize = 1 << 20;

impl Table {
    fn create(path: &Path, is_quiet: bool) -> anyhow::Result<Table> {
        let opened = Destination::new(Some(path), &[], Writing::of(Content::Figures, is_quiet))?;
        Ok(Table { file: opened.sink(), text: compare::HEADER.to_owned() })
    }

    fn add(&mut self, row: &Row<'_>) -> Result<(), Error> {
        self.text += &format!("{row}\n");
        if self.text.len() > BUFFER_BYTES { self.write() } else { Ok(()) }
    }

    fn write(&mut self) -> Result<(), Error> {
        let written = self.file.put(self.text.as_bytes());
        self.text.clear();
        written
    }

    fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        self.file.finish(End::default()).map(drop)
    }
}
