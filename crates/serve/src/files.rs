//! Files that are solved: an upload, a run of the pipeline, its answers and its report.
//!
//! ```text
//! upload -> unnamed temporary file -> waiting -> one run at a time, on all cores -> answers in another file, report
//! ```
//! No file has a name, so none is left behind, and no request can name one: a file is found by its token only.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::limits::{ANSWER_BYTES, FILE_AGE, FILES, RUN_GUESSES, RUN_TIME, UPLOADS};
use super::message::{Refusal, Status};
use super::puzzle::Choice;
use galop_batch::error::{Error, ErrorKind};
use galop_batch::figures::{Counts, pluralize};
use galop_batch::input::Source;
use galop_batch::output;
use galop_batch::output::FormatEntry;
use galop_batch::pipeline::{SolveOptions, SolveRun, Watch};
use galop_engines::Control;
use galop_engines::engine::default_for;
use galop_engines::puzzle::Limits;
use galop_report::{Report, Run, html};

/// The files that are kept.
#[derive(Default)]
pub(super) struct Files {
    shelf: Mutex<Shelf>,
    arrived: Condvar,
    uploads: AtomicU64,
}

#[derive(Default)]
struct Shelf {
    /// Oldest first.
    jobs: Vec<Arc<Job>>,
    waiting: VecDeque<(Arc<Job>, Upload)>,
    is_closed: bool,
}

/// What is to be solved, and how.
#[derive(Debug)]
pub(super) struct Upload {
    pub(super) file: File,
    pub(super) name: PathBuf,
    pub(super) choice: Choice,
    pub(super) format: &'static FormatEntry,
    pub(super) is_unique: bool,
}

/// A file that is kept.
pub(super) struct Job {
    pub(super) token: String,
    size: u64,
    /// Bytes that were solved.
    position: AtomicU64,
    control: Control,
    state: Mutex<State>,
}

enum State {
    Waiting,
    Running(Instant),
    Done(Box<Done>, Instant),
    Failed(String, Instant),
}

/// What a run left.
struct Done {
    answers: File,
    bytes: u64,
    ending: &'static str,
    report: String,
    counts: Counts,
    elapsed: Duration,
}

/// How far a file is.
#[derive(Debug, Serialize)]
pub(super) struct Progress {
    file: String,
    /// `waiting`, `running`, `done` or `failed`.
    state: &'static str,
    bytes: u64,
    bytes_done: u64,
    puzzles: usize,
    seconds: f64,
    counts: Option<Counts>,
    answer_bytes: Option<u64>,
    error: Option<String>,
}

/// A permission to upload; it ends when this is dropped.
pub(super) struct UploadPlace<'a>(&'a AtomicU64);

impl Drop for UploadPlace<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn busy(reason: &str) -> Refusal {
    Refusal::new(Status::BUSY, reason)
}

impl Files {
    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for an upload, before its first byte is read.
    pub(super) fn upload_place(&self) -> Result<UploadPlace<'_>, Refusal> {
        let place = UploadPlace(&self.uploads);
        if self.uploads.fetch_add(1, Ordering::Relaxed) >= UPLOADS as u64 {
            return Err(busy("other files are being uploaded; try again in a moment"));
        }
        let shelf = self.shelf();
        let is_full = shelf.jobs.len() >= FILES && !shelf.jobs.iter().any(|job| job.is_over());
        if is_full { Err(busy("other files are waiting to be solved; try again later")) } else { Ok(place) }
    }

    /// Adds a file of `size` bytes. It replaces the oldest solved one if there are too many.
    pub(super) fn add(&self, token: String, size: u64, upload: Upload) -> Result<Arc<Job>, Refusal> {
        let mut shelf = self.shelf();
        if shelf.jobs.len() >= FILES {
            let Some(oldest) = shelf.jobs.iter().position(|job| job.is_over()) else {
                return Err(busy("other files are waiting to be solved; try again later"));
            };
            shelf.jobs.remove(oldest);
        }
        let (position, control, state) = (AtomicU64::new(0), Control::default(), Mutex::new(State::Waiting));
        let job = Arc::new(Job { token, size, position, control, state });
        shelf.jobs.push(Arc::clone(&job));
        shelf.waiting.push_back((Arc::clone(&job), upload));
        self.arrived.notify_one();
        Ok(job)
    }

    /// The file `token`.
    pub(super) fn get(&self, token: &str) -> Result<Arc<Job>, Refusal> {
        let shelf = self.shelf();
        let job = shelf.jobs.iter().find(|job| job.token == token).map(Arc::clone);
        job.ok_or_else(|| Refusal::new(Status::NOT_FOUND, "this file is no longer kept"))
    }

    /// Stops the run of the file `token`, and drops the file.
    pub(super) fn remove(&self, token: &str) -> Result<(), Refusal> {
        self.get(token)?.control.stop();
        let mut shelf = self.shelf();
        shelf.jobs.retain(|job| job.token != token);
        shelf.waiting.retain(|(job, _)| job.token != token);
        Ok(())
    }

    /// Drops what was solved long before `now`, and stops a run that takes too long.
    pub(super) fn drop_old(&self, now: Instant) {
        self.shelf().jobs.retain(|job| match &*job.state() {
            State::Done(_, at) | State::Failed(_, at) => now.saturating_duration_since(*at) < FILE_AGE,
            State::Running(since) => {
                if now.saturating_duration_since(*since) > RUN_TIME {
                    job.control.stop();
                }
                true
            }
            State::Waiting => true,
        });
    }

    /// Stops all runs, and ends [`work`](Self::work).
    pub(super) fn close(&self) {
        let mut shelf = self.shelf();
        shelf.is_closed = true;
        shelf.waiting.clear();
        shelf.jobs.iter().for_each(|job| job.control.stop());
        self.arrived.notify_all();
    }

    /// Solves one file after the other, until [`close`](Self::close).
    pub(super) fn work(&self) {
        loop {
            let mut shelf = self.shelf();
            while shelf.waiting.is_empty() && !shelf.is_closed {
                shelf = self.arrived.wait(shelf).unwrap_or_else(PoisonError::into_inner);
            }
            let Some((job, upload)) = shelf.waiting.pop_front() else { return };
            drop(shelf);
            *job.state() = State::Running(Instant::now());
            let solved = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job.solve(upload)));
            let now = Instant::now();
            *job.state() = match solved {
                Ok(Ok(done)) => State::Done(Box::new(done), now),
                Ok(Err(error)) if job.control.is_stopped() && matches!(error.kind(), ErrorKind::Stopped) => {
                    State::Failed("stopped before the end".to_owned(), now)
                }
                Ok(Err(error)) => State::Failed(error.to_string(), now),
                Err(_) => State::Failed("a fault in galop ended the run".to_owned(), now),
            };
        }
    }
}

impl Job {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether its run has ended.
    fn is_over(&self) -> bool {
        matches!(&*self.state(), State::Done(..) | State::Failed(..))
    }

    fn solve(&self, upload: Upload) -> Result<Done, Error> {
        let Upload { mut file, name, choice, format, is_unique } = upload;
        let in_file = |error| Error::at(&name, ErrorKind::Read(error));
        file.rewind().map_err(in_file)?;
        let started = Instant::now();
        let mut source = Source::stream(&name, file);
        let rules = choice.rules(&mut source)?;
        let engine = default_for(&rules);
        let limits = if is_unique { Limits::UNIQUE } else { Limits::ANY };
        let options = SolveOptions::default()
            .limits(limits.with_guesses(engine.max_guesses.min(RUN_GUESSES)))
            .format(format)
            .stop(self.control.stop_flag());
        let answers = tempfile::tempfile().map_err(ErrorKind::Write)?;
        let out = BufWriter::new(Bounded { file: answers, left: ANSWER_BYTES });
        let mut run = SolveRun::open(&rules, engine, options, out)?;
        run.solve(&mut source, &mut Follower(self))?;
        let threads = run.threads();
        let (out, outcome) = run.finish()?;
        let Bounded { file: mut answers, left } =
            out.into_inner().map_err(|error| ErrorKind::Write(error.into_error()))?;
        answers.rewind().map_err(ErrorKind::Write)?;
        let elapsed = started.elapsed();
        let run = Run { rules: &rules, engine, options: &options, threads, elapsed, command: None };
        let report = html(&Report::new(&run, &outcome));
        let ending = match format.name {
            "csv" | "tsv" => format.name,
            "json" => "jsonl",
            _ => "txt",
        };
        let bytes = ANSWER_BYTES - left;
        Ok(Done {
            answers,
            bytes,
            ending,
            report,
            counts: Counts::new(|status| outcome.tally.of(status)),
            elapsed,
        })
    }

    /// How far it is.
    pub(super) fn progress(&self) -> Progress {
        let mut progress = Progress {
            file: self.token.clone(),
            state: "waiting",
            bytes: self.size,
            bytes_done: self.position.load(Ordering::Relaxed),
            puzzles: self.control.done(),
            seconds: 0.0,
            counts: None,
            answer_bytes: None,
            error: None,
        };
        match &*self.state() {
            State::Waiting => {}
            State::Running(since) => {
                (progress.state, progress.seconds) = ("running", since.elapsed().as_secs_f64());
            }
            State::Failed(error, _) => (progress.state, progress.error) = ("failed", Some(error.clone())),
            State::Done(done, _) => {
                (progress.state, progress.seconds) = ("done", done.elapsed.as_secs_f64());
                (progress.counts, progress.answer_bytes) = (Some(done.counts.clone()), Some(done.bytes));
            }
        }
        progress
    }

    /// The answers: a file of its own to read, its length and the ending of its name.
    pub(super) fn answers(&self) -> Result<(AnswerReader, u64, &'static str), Refusal> {
        self.done(|done| {
            let file = done.answers.try_clone();
            let file = file.map_err(|error| Refusal::new(Status::FAULT, error.to_string()))?;
            Ok((AnswerReader { file, at: 0 }, done.bytes, done.ending))
        })
    }

    /// The report, as HTML.
    pub(super) fn report(&self) -> Result<String, Refusal> {
        self.done(|done| Ok(done.report.clone()))
    }

    fn done<T>(&self, get: impl FnOnce(&Done) -> Result<T, Refusal>) -> Result<T, Refusal> {
        match &*self.state() {
            State::Done(done, _) => get(done),
            _ => Err(Refusal::new(Status::CONFLICT, "this file is not solved yet")),
        }
    }
}

/// Reads a file from its start. Several of them may read the same open file, because each has a position of its own.
#[derive(Debug)]
pub(super) struct AnswerReader {
    file: File,
    at: u64,
}

impl Read for AnswerReader {
    #[cfg(unix)]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = std::os::unix::fs::FileExt::read_at(&self.file, bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }

    #[cfg(windows)]
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = std::os::windows::fs::FileExt::seek_read(&self.file, bytes, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

/// Follows the run of a job.
struct Follower<'a>(&'a Job);

impl Watch for Follower<'_> {
    fn advanced(&mut self, position: u64, records: u64) {
        self.0.position.fetch_max(position, Ordering::Relaxed);
        self.0.control.add((records as usize).saturating_sub(self.0.control.done()));
    }

    fn working(&mut self, position: u64, records: u64) {
        self.advanced(position, records);
    }
}

/// A file that takes a limited number of bytes.
struct Bounded {
    file: File,
    left: u64,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() as u64 > self.left {
            let limit = pluralize(ANSWER_BYTES >> 20, "MiB", "MiB");
            return Err(io::Error::new(
                io::ErrorKind::FileTooLarge,
                format!("the answers take more than {limit}"),
            ));
        }
        let written = self.file.write(bytes)?;
        self.left -= written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The formats that answers are written in: all that are text.
pub(super) fn formats() -> impl Iterator<Item = &'static FormatEntry> {
    output::FORMATS.iter().filter(|format| !format.is_of_arrays())
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_testing::wait;
    use std::thread;

    fn upload(text: &str) -> Upload {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let choice = Choice::new("", "", "").unwrap();
        Upload { file, name: "in.txt".into(), choice, format: &output::FORMATS[0], is_unique: false }
    }

    #[test]
    fn a_run_that_takes_too_long_is_stopped_and_old_answers_are_dropped() {
        let files = Files::default();
        let job = files.add("a".to_owned(), 17, upload("1...............\n")).unwrap();
        let started = Instant::now();
        *job.state() = State::Running(started);
        files.drop_old(started + RUN_TIME);
        assert!(!job.control.is_stopped());
        files.drop_old(started + RUN_TIME + Duration::from_secs(1));
        assert!(job.control.is_stopped());

        thread::scope(|scope| {
            scope.spawn(|| files.work());
            wait::until("the end of the run", || job.is_over());
            files.close();
        });
        let progress = job.progress();
        assert_eq!((progress.state, progress.error.as_deref()), ("failed", Some("stopped before the end")));
        files.drop_old(Instant::now());
        assert!(files.get("a").is_ok());
        files.drop_old(Instant::now() + FILE_AGE);
        assert_eq!(files.get("a").err().map(|refusal| refusal.0.0), Some(404));
    }

    #[test]
    fn answers_have_a_limit_of_bytes() {
        let mut out = Bounded { file: tempfile::tempfile().unwrap(), left: 5 };
        out.write_all(b"123").unwrap();
        let error = out.write_all(b"456").unwrap_err();
        assert_eq!((error.kind(), out.left), (io::ErrorKind::FileTooLarge, 2));
        assert!(error.to_string().contains("more than 256 MiB"), "{error}");
    }
}
