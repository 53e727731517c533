//! What happens when a signal ends the program: the run stops, and no unfinished file is left behind.

use std::path::Path;

pub(super) use super::stop::{STOP, received};

/// From now on these signals stop the program: an interrupt, a request, a terminal that closes, and the limit of
/// processor time. So do the signals by which a batch system announces the end of a slot (`sbatch --signal=USR1`,
/// `timeout -s ALRM`). Each sets [`STOP`]. A run that does not end by itself within half a second (because one puzzle
/// takes long, or a pipe is silent) is ended, unless it [is held](Held). A second signal ends it at once.
///
/// SIGXFSZ, the limit of the size of a file, stops nothing by itself. The write behind it fails: that of the output
/// ends the run, that of a report or a message does not.
///
/// A signal that is ignored at the start (`nohup`, `trap '' INT`, a job in the background of a script) stays ignored.
#[cfg(unix)]
pub(super) fn handle() -> std::io::Result<()> {
    use super::handlers::{end_on_fault, is_ignored, note, stop_on};
    const STOPPING: [i32; 10] = [
        libc::SIGINT,
        libc::SIGTERM,
        libc::SIGHUP,
        libc::SIGQUIT,
        libc::SIGUSR1,
        libc::SIGUSR2,
        libc::SIGALRM,
        libc::SIGXCPU,
        libc::SIGVTALRM,
        libc::SIGPROF,
    ];
    end_on_fault();
    STOPPING.into_iter().filter(|&signal| !is_ignored(signal)).try_for_each(stop_on)?;
    if is_ignored(libc::SIGXFSZ) { Ok(()) } else { note(libc::SIGXFSZ) }
}

/// There are no signals to wait for on this system.
#[cfg(not(unix))]
pub(super) fn handle() -> std::io::Result<()> {
    Ok(())
}

/// A run that finishes its output after a signal, however long that takes: until this is dropped, a first signal does
/// not end the program by force.
#[must_use = "the run is held until this is dropped"]
pub(super) struct Held(());

/// Holds the run.
pub(super) fn hold_end() -> Held {
    #[cfg(unix)]
    super::handlers::hold_end(true);
    Held(())
}

impl Drop for Held {
    fn drop(&mut self) {
        #[cfg(unix)]
        super::handlers::hold_end(false);
    }
}

/// Records `path` as a file to remove if a signal ends the program.
pub(super) fn remember_unfinished(path: &Path) {
    #[cfg(unix)]
    super::handlers::unfinished::remember(path);
    #[cfg(not(unix))]
    let _ = path;
}

/// Has a run that a signal ends by force print this line too, if the file `path` is there.
pub(super) fn set_last_words(line: &str, path: &Path) {
    #[cfg(unix)]
    super::handlers::set_last_words(line, path);
    #[cfg(not(unix))]
    let _ = (line, path);
}
