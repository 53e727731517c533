//! What happens when a signal ends the program: the run stops, and no unfinished file is left behind.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

/// True after a signal told the program to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Files to remove if the program ends without running destructors.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Records `path` as a file to remove if a signal ends the program.
pub(super) fn remember_unfinished(path: &Path) {
    #[cfg(unix)]
    super::fault::unfinished::remember(path);
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
}

#[cfg(unix)]
pub(super) use unix::{handle, received};

#[cfg(unix)]
mod unix {
    use std::io;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::{Arc, LazyLock};
    use std::thread::{Builder, sleep};
    use std::time::Duration;

    use galop::ErrorKind;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ};

    use super::{STOP, UNFINISHED};
    use crate::cli::fault::{end_on_fault, is_ignored};
    use crate::cli::{messages, resume};

    /// The signals that stop the program: an interrupt, a request, a terminal that closes, and the limit of processor
    /// time.
    const SIGNALS: [i32; 5] = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU];

    /// The number of the last of these signals or of SIGXFSZ, or 0. The handler itself sets it: the write that SIGXFSZ
    /// ends finds it.
    static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(Arc::default);

    /// Time from a signal to the forced end, if the run does not end by itself.
    const GRACE: Duration = Duration::from_millis(500);

    /// Bytes of the stack of a thread that only waits and removes files.
    const STACK_BYTES: usize = 256 << 10;

    /// The number of the signal that stopped the program, if any.
    pub(in crate::cli) fn received() -> Option<i32> {
        i32::try_from(SIGNAL.load(Ordering::SeqCst)).ok().filter(|&signal| signal != 0)
    }

    /// From now on each of [`SIGNALS`] sets [`STOP`]. A run that does not end by itself within [`GRACE`] (because one
    /// puzzle takes long, or a pipe is silent) is ended. A second signal ends it at once.
    ///
    /// SIGXFSZ, the limit of the size of a file, stops nothing by itself. The write behind it fails: that of the output
    /// ends the run, that of a report or a message does not.
    ///
    /// SIGHUP and the later ones stay ignored if they are ignored at the start (`nohup`).
    pub(in crate::cli) fn handle() -> io::Result<()> {
        end_on_fault();
        let handled = |signal: &i32| [SIGINT, SIGTERM].contains(signal) || !is_ignored(*signal);
        let handled: Vec<i32> = SIGNALS.into_iter().filter(handled).collect();
        let sizes = Some(SIGXFSZ).filter(|&signal| !is_ignored(signal));
        for &signal in handled.iter().chain(&sizes) {
            signal_hook::flag::register_usize(signal, Arc::clone(&SIGNAL), signal as usize)?;
        }
        let mut signals = signal_hook::iterator::Signals::new(handled)?;
        let wait = move || {
            for signal in signals.forever() {
                if STOP.swap(true, Ordering::SeqCst) {
                    end(signal);
                }
                let limit = Builder::new().stack_size(STACK_BYTES).spawn(move || {
                    sleep(GRACE);
                    end(signal);
                });
                if limit.is_err() {
                    end(signal);
                }
            }
        };
        Builder::new().stack_size(STACK_BYTES).spawn(wait).map(drop)
    }

    fn end(signal: i32) -> ! {
        for path in UNFINISHED.lock().iter().flat_map(|paths| paths.iter()) {
            std::fs::remove_file(path).ok();
        }
        messages::say(format_args!("galop: {}", ErrorKind::Stopped));
        resume::say_how_to_go_on();
        std::process::exit(128 + signal)
    }
}

/// There are no signals to wait for on this system.
#[cfg(not(unix))]
pub(super) fn handle() -> std::io::Result<()> {
    Ok(())
}

/// No signal stopped the program.
#[cfg(not(unix))]
pub(super) fn received() -> Option<i32> {
    None
}
