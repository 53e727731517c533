//! What happens when a signal ends the program: the run stops, and no unfinished file is left behind.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use galop::ErrorKind;

use super::fault::end_on_fault;
use super::messages;

/// True after a signal told the program to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// The number of that signal, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);

/// Files to remove if the program ends without running destructors.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Time from a signal to the forced end, if the run does not end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// The number of the signal that stopped the program, if any.
pub(super) fn received() -> Option<i32> {
    Some(SIGNAL.load(Ordering::SeqCst)).filter(|&signal| signal != 0)
}

/// Records `path` as a file to remove if a signal ends the program.
pub(super) fn remember_unfinished(path: &Path) {
    end_on_fault(Some(path));
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
}

/// From now on SIGINT and SIGTERM set [`STOP`]. A run that does not end by itself within [`GRACE`] (because one puzzle
/// takes long, or a pipe is silent) is ended. A second signal ends it at once.
pub(super) fn handle() {
    end_on_fault(None);
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM};
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if STOP.swap(true, Ordering::SeqCst) {
                    end(signal);
                }
                SIGNAL.store(signal, Ordering::SeqCst);
                std::thread::spawn(move || {
                    std::thread::sleep(GRACE);
                    end(signal);
                });
            }
        });
    }
}

#[cfg(unix)]
fn end(signal: i32) -> ! {
    for path in UNFINISHED.lock().iter().flat_map(|paths| paths.iter()) {
        std::fs::remove_file(path).ok();
    }
    messages::say(format_args!("galop: {}", ErrorKind::Stopped));
    std::process::exit(128 + signal)
}
