//! How the program ends: signals, exit codes, and nothing half-done left behind.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use galop::{Error, ErrorKind};

use super::messages;

/// True once a signal asked the program to stop.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Files to remove should the program end without running destructors.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The run ends by itself within this time of a signal, or is ended.
const GRACE: Duration = Duration::from_millis(500);

/// Records `path` as a file that must not outlive an unfinished run.
pub(super) fn remember_unfinished(path: &Path) {
    galop::input::source::end_on_fault(Some(path));
    if let Ok(mut paths) = UNFINISHED.lock() {
        paths.push(path.to_owned());
    }
}

/// From now on SIGINT and SIGTERM set [`STOP`]; a run that does not end by itself (one puzzle may take long, a
/// pipe may be silent) is ended. A second signal ends it at once.
pub(super) fn on_signals() {
    galop::input::source::end_on_fault(None);
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
    anstream::eprintln!("galop: stopped before the end; the output is not complete");
    std::process::exit(128 + signal)
}

/// The exit code for what a command came to; an error is shown.
pub(super) fn code(done: anyhow::Result<ExitCode>) -> ExitCode {
    let error = match done {
        Ok(code) => return code,
        Err(error) => error,
    };
    if is_closed_pipe(&error) {
        // Whoever read the output has seen enough.
        return ExitCode::SUCCESS;
    }
    messages::error(&error);
    match kind_of(&error) {
        Some(ErrorKind::WrongSolution(_) | ErrorKind::Disagreement(_)) => ExitCode::from(3),
        Some(ErrorKind::Stopped) => match SIGNAL.load(Ordering::SeqCst) {
            0 => ExitCode::from(2),
            signal => ExitCode::from(128 + signal as u8),
        },
        None if is_wrong_cover(&error) => ExitCode::from(3),
        _ => ExitCode::from(2),
    }
}

fn is_wrong_cover(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(galop_cover::CoverError::WrongCover { .. }))
}

fn kind_of(error: &anyhow::Error) -> Option<&ErrorKind> {
    error.downcast_ref::<Error>().map(Error::kind)
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io_error = match kind_of(error) {
        Some(ErrorKind::Write(io_error)) => Some(io_error),
        Some(_) => None,
        None => error.downcast_ref::<io::Error>(),
    };
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
