//! What happens when a signal ends the program: the run stops, and no unfinished file is left behind.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

/// True after a signal told the program to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The number of the last signal that was handled, or 0. The handler itself sets it: the write that SIGXFSZ ends finds
/// it.
pub(super) static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// The number of the signal that stopped the program, if any.
pub(super) fn received() -> Option<i32> {
    Some(SIGNAL.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
}

/// From now on these signals stop the program: an interrupt, a request, a terminal that closes, and the limit of
/// processor time. Each sets [`STOP`]. A run that does not end by itself within half a second (because one puzzle takes
/// long, or a pipe is silent) is ended. A second signal ends it at once.
///
/// SIGXFSZ, the limit of the size of a file, stops nothing by itself. The write behind it fails: that of the output ends
/// the run, that of a report or a message does not.
///
/// SIGHUP and the later ones stay ignored if they are ignored at the start (`nohup`).
#[cfg(unix)]
pub(super) fn handle() -> std::io::Result<()> {
    use super::handlers::{end_on_fault, is_ignored, note, stop_on};
    end_on_fault();
    stop_on(libc::SIGINT)?;
    stop_on(libc::SIGTERM)?;
    for signal in
        [libc::SIGHUP, libc::SIGQUIT, libc::SIGXCPU].into_iter().filter(|&signal| !is_ignored(signal))
    {
        stop_on(signal)?;
    }
    if is_ignored(libc::SIGXFSZ) { Ok(()) } else { note(libc::SIGXFSZ) }
}

/// There are no signals to wait for on this system.
#[cfg(not(unix))]
pub(super) fn handle() -> std::io::Result<()> {
    Ok(())
}

/// Records `path` as a file to remove if a signal ends the program.
pub(super) fn remember_unfinished(path: &Path) {
    #[cfg(unix)]
    super::handlers::unfinished::remember(path);
    #[cfg(not(unix))]
    let _ = path;
}

/// Has a run that a signal ends by force print this line too.
pub(super) fn set_last_words(line: &str) {
    #[cfg(unix)]
    super::handlers::set_last_words(line);
    #[cfg(not(unix))]
    let _ = line;
}
