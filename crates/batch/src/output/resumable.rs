//! An output that a later run can go on writing, if this one is ended at any moment.
//!
//! ```text
//! OUT.partial    what is written so far
//! OUT.progress   how far that was at the last checkpoint: its length and checksum, the options and inputs of the run,
//!                where the run was in its input, and what it had counted
//! OUT            the complete output
//! .OUT.complete  its progress, by which the same command knows that nothing is left to be done
//! ```
//! A later run cuts `OUT.partial` to the length that `OUT.progress` names, checks that the bytes are those that were
//! written, and goes on there. `OUT.progress` is replaced as a whole, after the bytes that it speaks of are on the
//! disk.
//!
//! # At the end
//! The progress is marked as complete, `OUT.partial` becomes `OUT`, the caller writes its reports, and then
//! `OUT.progress` becomes `.OUT.complete`. A run that is ended between these steps does the rest when it is started
//! again. A run of the same command that is started after all of them finds the output complete, and solves nothing.
//!
//! # What it costs
//! The checksum is the CRC-32 of gzip. Processor time of 900,000 lines on one thread of a busy machine, without and
//! with this: 0.32 and 0.38 s with `lanes`, 1.52 and 1.57 s with `bitboard`. A thread of its own flushes to the disk
//! and writes the progress, at most twice a second, so the run does not wait for the disk.

use galop_cover::threads;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use flate2::Crc;
use serde::{Deserialize, Serialize};

use super::Whole;
use super::file::{follow, is_system};
use super::sink::{Completion, End, Outlet, Sink};
use crate::compressed::{self, Packer};
use crate::error::{Error, ErrorKind, Fact};

/// Time between two checkpoints.
const PERIOD: Duration = Duration::from_millis(500);

/// Bytes read at a time to check what was written.
const BLOCK_BYTES: usize = 1 << 20;

/// The first bytes of the file of the progress, before the checksum of its other lines.
const MARK: &str = "galop progress 1 ";

/// Why an unfinished output cannot be continued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The run is not the one that began it.
    #[error("it has an unfinished run, but {what} {} when that run began, and {} now", said("was", then.as_deref()), said("is", now.as_deref()))]
    Differs {
        /// What differs.
        what: String,
        /// Its value when the run began.
        then: Option<String>,
        /// Its value now.
        now: Option<String>,
    },
    /// The file exists, and no run of it is known.
    #[error("already exists without an unfinished run; it may be complete")]
    Exists,
    /// The file is the complete output of a run that is not this one.
    #[error("is the complete output of another run: {what} {} then, and {} now", said("was", then.as_deref()), said("is", now.as_deref()))]
    OfAnother {
        /// What differs.
        what: String,
        /// Its value in the run that wrote the file.
        then: Option<String>,
        /// Its value now.
        now: Option<String>,
    },
    /// The bytes of the unfinished output are not those that were written.
    #[error("was changed after the unfinished run wrote it, so the run cannot continue")]
    Altered,
    /// The file of the progress is not one, or it is damaged.
    #[error("is not the progress of a run, or it is damaged")]
    NoProgress,
    /// Another process writes the output.
    #[error("is being written by another run")]
    Busy,
    /// The output is no regular file.
    #[error("is not a regular file, so a later run could not continue it")]
    NoFile,
    /// An input cannot be read again.
    #[error("is a stream, which a later run could not read again")]
    Stream,
}

impl Fact for ResumeError {}

/// A value in an error.
fn said(verb: &str, value: Option<&str>) -> String {
    const SHOWN: usize = 80;
    match value {
        None => format!("{verb} not given"),
        Some("") => format!("{verb} given"),
        Some(value) if value.chars().count() <= SHOWN => format!("{verb} `{}`", value.escape_debug()),
        Some(value) => {
            let start: String = value.chars().take(SHOWN).collect();
            format!("{verb} `{}...`", start.escape_debug())
        }
    }
}

/// Something that a later run must have in common with this one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFact {
    /// What it is: the name of an option, the length of a file.
    pub name: String,
    /// Its value, if it has one.
    pub value: Option<String>,
}

/// What an earlier run left.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The state of the run at its last checkpoint, as it was given to [`ResumableFile::keep`].
    pub state: String,
    /// Time that the run had taken.
    pub elapsed: Duration,
    /// Whether the output is complete and has its name.
    pub is_complete: bool,
}

/// The output of a run that may be ended at any moment and go on later. It gets its name when it is complete.
///
/// The bytes are compressed if the name ends in `.gz`, `.zst`, `.xz` or `.bz2`.
#[derive(Debug)]
#[must_use = "`finish` gives the file its name"]
pub struct ResumableFile {
    /// The path as the caller wrote it, for errors.
    name: PathBuf,
    paths: Paths,
    out: Out,
    written: Arc<Mutex<OutputExtent>>,
    keeper: Option<Keeper>,
    run: RunIdentity,
    /// Whether there is a progress, or bytes were written without one.
    is_begun: bool,
    /// When this run began, and when it made its last checkpoint.
    began: Instant,
    kept: Instant,
    /// Time that earlier runs took.
    before: Duration,
}

/// The files.
#[derive(Clone, Debug)]
struct Paths {
    complete: PathBuf,
    partial: PathBuf,
    progress: PathBuf,
    /// The next progress, until it is complete.
    next_progress: PathBuf,
    /// The progress of an output that has its name.
    last_progress: PathBuf,
}

/// What a run must have in common with the one that began.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RunIdentity {
    facts: Vec<RunFact>,
}

/// Where bytes go.
#[derive(Debug)]
enum Out {
    Plain(CountingFile),
    /// Members, packed in threads.
    Packed(Option<Packer>),
    /// Nowhere: the output was complete before.
    Complete,
}

/// What was written so far.
#[derive(Debug, Default)]
struct OutputExtent {
    bytes: u64,
    crc: Crc,
}

/// A file that counts what is written to it.
#[derive(Debug)]
struct CountingFile {
    file: File,
    written: Arc<Mutex<OutputExtent>>,
}

/// The second line of the progress.
#[derive(Serialize, Deserialize)]
struct Progress {
    run: RunIdentity,
    elapsed_seconds: f64,
    /// Whether the output is complete.
    is_complete: bool,
    /// Bytes of the output, and their CRC-32.
    bytes: u64,
    crc: u32,
}

/// The thread that writes the progress.
#[derive(Debug)]
struct Keeper {
    sender: SyncSender<Vec<u8>>,
    thread: JoinHandle<()>,
    is_busy: Arc<AtomicBool>,
    failed: Arc<Mutex<Option<io::Error>>>,
}

impl ResumableFile {
    /// Prepares to write `path`, or to go on where an earlier run ended that had the same `facts`. Compresses on this
    /// many threads (`None`: one a core).
    ///
    /// # Errors
    /// A [`ResumeError`], or [`ErrorKind::Write`].
    pub fn open(
        path: &Path,
        threads: Option<NonZero<usize>>,
        facts: Vec<RunFact>,
    ) -> Result<(ResumableFile, Option<Earlier>), Error> {
        let fail = |error| Error::at(path, ErrorKind::Write(error));
        let paths = Paths::of(&follow(path));
        if is_system(&paths.complete) || paths.complete.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(Error::at(path, ResumeError::NoFile));
        }
        let opened =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&paths.partial);
        let mut file = opened.map_err(|error| Error::at(&paths.partial, ErrorKind::Write(error)))?;
        // A file system without locks is no reason to end.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(Error::at(path, ResumeError::Busy));
        }
        let run = RunIdentity { facts };
        let (begun, written) = paths.begun(path, &mut file, &run)?.unzip();
        let (mut is_complete, mut before) = (false, Duration::ZERO);
        match &begun {
            Some(Begun { progress, .. }) => {
                before = Duration::try_from_secs_f64(progress.elapsed_seconds).unwrap_or_default();
                is_complete = progress.is_complete;
            }
            None => file.set_len(0).map_err(fail)?,
        }
        let written = written.unwrap_or_default();
        let written = Arc::new(Mutex::new(written));
        let keeper = Keeper::start(file.try_clone().map_err(fail)?, &paths).map_err(fail)?;
        let metered = CountingFile { file, written: Arc::clone(&written) };
        let out = match compressed::by_name(path) {
            _ if is_complete => Out::Complete,
            None => Out::Plain(metered),
            Some(codec) => {
                let threads = threads::count(threads);
                let rest = begun.as_ref().map_or(&[][..], |begun| &begun.rest);
                let has_begun = lock(&written).bytes > 0;
                let packer = Packer::continued(codec, Box::new(metered), threads, has_begun, rest);
                Out::Packed(Some(packer.map_err(fail)?))
            }
        };
        let (now, is_begun) = (Instant::now(), begun.is_some());
        let is_complete = is_complete && !paths.partial.exists();
        let earlier = begun.map(|begun| Earlier { state: begun.state, elapsed: before, is_complete });
        let name = path.to_owned();
        let keeper = Some(keeper);
        let file =
            ResumableFile { name, paths, out, written, keeper, run, is_begun, began: now, kept: now, before };
        Ok((file, earlier))
    }

    /// The file of the progress. It is there from the first checkpoint on.
    pub fn progress(&self) -> &Path {
        &self.paths.progress
    }

    /// Time that this run and the earlier ones took.
    pub(crate) fn elapsed(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    /// A checkpoint: a later run may go on behind what was written so far. `state`, one line of text, will be returned
    /// to it. One before the first byte is on the disk when this returns, so that what is written later cannot take its
    /// room.
    ///
    /// # Errors
    /// [`ErrorKind::Write`] if this checkpoint, or an earlier one, could not be written.
    pub fn keep(&mut self, state: String) -> Result<(), Error> {
        self.kept = Instant::now();
        if !self.is_begun {
            let progress = Progress::of(self.run.clone(), self.elapsed(), false, &lock(&self.written));
            let written = self.paths.write_progress(&progress.text(&state, &[]));
            self.is_begun = written.is_ok();
            return written.map_err(|error| Error::at(&self.paths.progress, ErrorKind::Write(error)));
        }
        let Some(keeper) = &self.keeper else { return Ok(()) };
        if let Some(error) = keeper.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return Err(Error::at(&self.paths.progress, ErrorKind::Write(error)));
        }
        keeper.is_busy.store(true, Ordering::Relaxed);
        let (sender, written) = (keeper.sender.clone(), Arc::clone(&self.written));
        let (run, elapsed) = (self.run.clone(), self.elapsed());
        let send = move |rest: Vec<u8>| {
            let text = Progress::of(run, elapsed, false, &lock(&written)).text(&state, &rest);
            // After an error the receiver is gone.
            sender.send(text).ok();
        };
        let sent = match &mut self.out {
            Out::Packed(Some(packer)) => packer.mark(send),
            Out::Plain(_) => {
                send(Vec::new());
                Ok(())
            }
            Out::Packed(None) | Out::Complete => Ok(()),
        };
        sent.map_err(|error| Error::at(&self.name, ErrorKind::Write(error)))
    }

    /// Ends the output, flushes it to the disk and gives it its name. `state` is the state at the end of the run. Call
    /// [`Complete::settle`] when nothing is left to be done.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(mut self, state: &str) -> Result<Complete, Error> {
        self.is_begun = true;
        let fail = |error| Error::at(&self.name, ErrorKind::Write(error));
        if let Out::Packed(packer) = &mut self.out {
            packer.take().map_or(Ok(()), Packer::finish).map_err(fail)?;
        }
        if let Some(keeper) = self.keeper.take() {
            keeper.end().map_err(|error| Error::at(&self.paths.progress, ErrorKind::Write(error)))?;
        }
        if !matches!(self.out, Out::Complete) {
            let file = File::open(&self.paths.partial).map_err(fail)?;
            file.sync_all().map_err(fail)?;
            let progress = Progress::of(self.run.clone(), self.elapsed(), true, &lock(&self.written));
            self.paths.write_progress(&progress.text(state, &[])).map_err(fail)?;
        }
        match fs::rename(&self.paths.partial, &self.paths.complete) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && matches!(self.out, Out::Complete) => {}
            renamed => renamed.map_err(fail)?,
        }
        Ok(Complete(self.paths.clone()))
    }
}

impl Outlet for ResumableFile {
    fn is_due(&self) -> bool {
        self.kept.elapsed() >= PERIOD && self.keeper.as_ref().is_some_and(|keeper| !keeper.is_busy())
    }

    fn keep(&mut self, state: &str) -> Result<(), Error> {
        ResumableFile::keep(self, state.to_owned())
    }

    fn name(&self) -> Option<&Path> {
        Some(&self.name)
    }
}

impl Sink for ResumableFile {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn complete(self: Box<Self>, end: End<'_>) -> Result<Whole, Error> {
        let elapsed = Some(self.elapsed());
        let progress = Some(ResumableFile::finish(*self, end.state)?);
        Ok(Whole::named(Completion { sum: None, elapsed, progress }))
    }
}

impl Drop for ResumableFile {
    /// Waits until the last checkpoint is written. Without one and without a byte, the output was not begun.
    fn drop(&mut self) {
        if let Out::Packed(packer) = &mut self.out
            && let Some(packer) = packer.take()
        {
            packer.give_up();
        }
        if let Some(keeper) = self.keeper.take() {
            keeper.end().ok();
        }
        if !self.is_begun {
            fs::remove_file(&self.paths.partial).ok();
        }
    }
}

/// An output that is complete, and whose progress is still there.
#[derive(Debug)]
#[must_use = "`settle` puts the progress away"]
pub struct Complete(Paths);

impl Complete {
    /// Puts the progress away, for a run that is started again.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn settle(self) -> Result<(), Error> {
        let Paths { progress, last_progress, .. } = self.0;
        match fs::rename(&progress, &last_progress) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && last_progress.exists() => Ok(()),
            renamed => renamed.map_err(|error| Error::at(&progress, ErrorKind::Write(error))),
        }
    }
}

impl Paths {
    fn of(complete: &Path) -> Paths {
        let with = |ending: &str| {
            let mut name = complete.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let [partial, progress, next_progress] = [".partial", ".progress", ".progress.new"].map(with);
        let mut hidden = OsString::from(".");
        hidden.push(complete.file_name().unwrap_or_default());
        hidden.push(".complete");
        let last_progress = complete.with_file_name(hidden);
        Paths { complete: complete.to_owned(), partial, progress, next_progress, last_progress }
    }

    /// What an earlier run with the facts of `run` left of the output `name`, and how much it wrote.
    fn begun(
        &self,
        name: &Path,
        file: &mut File,
        run: &RunIdentity,
    ) -> Result<Option<(Begun, OutputExtent)>, Error> {
        let begun = match fs::read(&self.progress) {
            Ok(bytes) => Some(Begun::read(&bytes, &self.progress)?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::at(&self.progress, ErrorKind::Read(error))),
        };
        // Another run may begin in the place of one that has written nothing.
        match begun.filter(|begun| !begun.is_blank() || begun.progress.run.check(run).is_ok()) {
            Some(begun) => {
                begun.progress.run.check(run).map_err(|error| Error::at(name, error))?;
                let written = begun.check(file, self)?;
                Ok(Some((begun, written)))
            }
            None if self.complete.exists() => {
                self.finished(file, run).map(Some).map_err(|error| Error::at(name, error))
            }
            None => Ok(None),
        }
    }

    /// The run that gave the output its name, if it had the facts of `run`.
    fn finished(&self, file: &mut File, run: &RunIdentity) -> Result<(Begun, OutputExtent), ResumeError> {
        let read = fs::read(&self.last_progress).ok().and_then(|bytes| Begun::parse(&bytes));
        let found = read.and_then(|begun| begun.check(file, self).ok().map(|written| (begun, written)));
        if found.is_none() && file.metadata().is_ok_and(|found| found.len() == 0) {
            fs::remove_file(&self.partial).ok();
        }
        let (begun, written) = found.ok_or(ResumeError::Exists)?;
        match begun.progress.run.check(run) {
            Err(ResumeError::Differs { what, then, now }) => Err(ResumeError::OfAnother { what, then, now }),
            checked => checked.map(|()| (begun, written)),
        }
    }

    /// Replaces the progress.
    fn write_progress(&self, text: &[u8]) -> io::Result<()> {
        let write = || {
            let mut file = File::create(&self.next_progress)?;
            file.write_all(text)?;
            file.sync_all()?;
            fs::rename(&self.next_progress, &self.progress)
        };
        write().inspect_err(|_| drop(fs::remove_file(&self.next_progress)))
    }
}

impl RunIdentity {
    /// Compares a run that began with the one of `now`.
    fn check(&self, now: &RunIdentity) -> Result<(), ResumeError> {
        let value = |run: &RunIdentity, name: &str| {
            run.facts.iter().find(|fact| fact.name == name).and_then(|fact| fact.value.clone())
        };
        for RunFact { name, .. } in now.facts.iter().chain(&self.facts) {
            let (then, now) = (value(self, name), value(now, name));
            if then != now {
                return Err(ResumeError::Differs { what: name.clone(), then, now });
            }
        }
        Ok(())
    }
}

impl Progress {
    fn of(run: RunIdentity, elapsed: Duration, is_complete: bool, written: &OutputExtent) -> Progress {
        let (bytes, crc) = (written.bytes, written.crc.sum());
        Progress { run, elapsed_seconds: elapsed.as_secs_f64(), is_complete, bytes, crc }
    }

    /// The file of the progress: its mark and checksum, this, the state, and the text that is not packed yet.
    fn text(&self, state: &str, rest: &[u8]) -> Vec<u8> {
        // Names and numbers can be written as JSON.
        let progress = serde_json::to_string(self).unwrap_or_default();
        let text = [progress.as_bytes(), b"\n", state.as_bytes(), b"\n", rest].concat();
        let mut crc = Crc::new();
        crc.update(&text);
        [format!("{MARK}{:08x}\n", crc.sum()).as_bytes(), &text].concat()
    }
}

/// What a progress says.
struct Begun {
    progress: Progress,
    state: String,
    rest: Vec<u8>,
}

impl Begun {
    fn read(bytes: &[u8], path: &Path) -> Result<Begun, Error> {
        Begun::parse(bytes).ok_or_else(|| Error::at(path, ResumeError::NoProgress))
    }

    fn parse(bytes: &[u8]) -> Option<Begun> {
        let (sum, text) = bytes.strip_prefix(MARK.as_bytes())?.split_at_checked(9)?;
        let mut crc = Crc::new();
        crc.update(text);
        if sum != format!("{:08x}\n", crc.sum()).as_bytes() {
            return None;
        }
        let mut lines = text.splitn(3, |&byte| byte == b'\n');
        let progress = serde_json::from_slice(lines.next()?).ok()?;
        let state = String::from_utf8(lines.next()?.to_vec()).ok()?;
        Some(Begun { progress, state, rest: lines.next()?.to_vec() })
    }

    /// Whether the run has written nothing.
    fn is_blank(&self) -> bool {
        self.progress.bytes == 0 && self.rest.is_empty() && !self.progress.is_complete
    }

    /// Checks what was written, and removes what was written behind it. `file` is the partial output.
    fn check(&self, file: &mut File, paths: &Paths) -> Result<OutputExtent, Error> {
        let fail = |error| Error::at(&paths.partial, ErrorKind::Read(error));
        let Progress { bytes, crc, is_complete, .. } = self.progress;
        let is_new = file.metadata().map_err(fail)?.len() == 0;
        let is_moved = is_complete && is_new && paths.complete.exists();
        let (path, mut found) = match is_moved {
            true => (&paths.complete, File::open(&paths.complete).map_err(fail)?),
            false => (&paths.partial, file.try_clone().map_err(fail)?),
        };
        let mut written = OutputExtent::default();
        let mut block = vec![0; BLOCK_BYTES];
        while written.bytes < bytes {
            let len = (bytes - written.bytes).min(BLOCK_BYTES as u64) as usize;
            match found.read(&mut block[..len]) {
                Ok(0) => break,
                Ok(read) => written.add(&block[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fail(error)),
            }
        }
        if (written.bytes, written.crc.sum()) != (bytes, crc) {
            if is_new {
                fs::remove_file(&paths.partial).ok();
            }
            return Err(Error::at(path, ResumeError::Altered));
        }
        if is_moved {
            fs::remove_file(&paths.partial).ok();
        } else {
            let cut = file.set_len(bytes).and_then(|()| file.seek(io::SeekFrom::End(0)));
            cut.map_err(|error| Error::at(path, ErrorKind::Write(error)))?;
        }
        Ok(written)
    }
}

impl OutputExtent {
    fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.crc.update(bytes);
    }
}

impl Keeper {
    fn start(file: File, paths: &Paths) -> io::Result<Keeper> {
        // The last checkpoint of a run comes even if the one before is being written.
        let (sender, received): (_, Receiver<Vec<u8>>) = sync_channel(2);
        let (is_busy, failed) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(None)));
        let (paths, busy, failure) = (paths.clone(), Arc::clone(&is_busy), Arc::clone(&failed));
        let write = move || {
            for text in received {
                if let Err(error) = file.sync_data().and_then(|()| paths.write_progress(&text)) {
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
                busy.store(false, Ordering::Relaxed);
            }
        };
        let thread = threads::spawn("progress", write)?;
        Ok(Keeper { sender, thread, is_busy, failed })
    }

    fn is_busy(&self) -> bool {
        self.is_busy.load(Ordering::Relaxed)
    }

    /// Waits for the last checkpoint.
    fn end(self) -> io::Result<()> {
        drop(self.sender);
        self.thread.join().ok();
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

fn lock(written: &Mutex<OutputExtent>) -> std::sync::MutexGuard<'_, OutputExtent> {
    written.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Write for CountingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        lock(&self.written).add(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Write for ResumableFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.is_begun = true;
        match &mut self.out {
            Out::Plain(file) => file.write(bytes),
            Out::Packed(Some(packer)) => packer.write(bytes),
            Out::Packed(None) | Out::Complete => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::Plain(file) => file.flush(),
            _ => Ok(()),
        }
    }
}
