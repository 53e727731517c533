//! What runs inside a signal. A fault ends the tool: SIGBUS when a mapped input is cut short under it, and SIGABRT.
//! Other signals are the stop for which a user or the system asks. `signals.rs` says which signals those are.
//!
//! The handlers do everything themselves. A thread that waits for signals would cost each run 60 µs at its start, a
//! twentieth of a short run.
#![allow(unsafe_code)]

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, Ordering};

use super::stop::{SIGNAL, STOP};

/// Microseconds from a signal to the forced end, if the run does not end by itself.
const GRACE: libc::suseconds_t = 500_000;

/// What a run prints that is ended by force: [`galop_batch::ErrorKind::Stopped`].
const STOPPED: &str = "galop: stopped before the end; the output is not complete\n";

/// The code of a signal that a process sent with `kill`.
#[cfg(not(target_vendor = "apple"))]
const SI_USER: libc::c_int = libc::SI_USER;

/// The code of a signal that a process sent with `kill`: `<sys/signal.h>`, which `libc` has without it.
#[cfg(target_vendor = "apple")]
const SI_USER: libc::c_int = 0x10001;

type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);

/// From now on `handler` runs when `signal` comes, in place of what did before.
///
/// # Safety
/// The handler calls only async-signal-safe functions.
unsafe fn handle(signal: libc::c_int, handler: Handler) -> io::Result<()> {
    // SAFETY: `action` is a plain C struct for which all zeros is a valid value; `handler` has the signature of a
    // handler with SA_SIGINFO, and the caller promises the rest. sigaction and sigemptyset are async-signal-safe (POSIX
    // 2.4.3).
    let result = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as usize;
        // A stack overflow is reported on the alternate stack. A system call that was interrupted goes on.
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_RESTART;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(signal, &raw const action, null_mut())
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Whether the process was started with `signal` ignored, as `nohup` does.
pub(super) fn is_ignored(signal: i32) -> bool {
    // SAFETY: `action` is a plain C struct for which all zeros is a valid value; without a new action, sigaction only
    // writes the present one into it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// From now on SIGBUS, which a mapped file raises when it is truncated while it is read, ends the process with one line
/// on stderr and exit code 2, instead of a core dump. One that another process sends ends it with 128 + SIGBUS. SIGBUS
/// and SIGABRT (memory that cannot be allocated, a stack overflow) remove the unfinished outputs first.
///
/// It replaces the process's handlers of these signals.
pub(super) fn end_on_fault() {
    const FAULT: &str = "galop: error: a mapped input file cannot be read (SIGBUS): it was cut short while it was being \
        read, or the disk failed; the output is not complete. Run again when nothing writes to it, or with --no-mmap\n";
    const SENT: &str = "galop: error: another process sent SIGBUS; the output is not complete\n";

    extern "C" fn bus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO, the system passes a valid `info`.
        let code = unsafe { (*info).si_code };
        // Codes of the system are positive; those of kill, sigqueue and the like are not.
        let is_sent = code <= 0 || code == SI_USER;
        write(if is_sent { SENT } else { FAULT });
        unfinished::remove();
        exit(if is_sent { 128 + signal } else { 2 });
    }

    extern "C" fn abort(signal: libc::c_int, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        unfinished::remove();
        // SAFETY: signal and raise are async-signal-safe (POSIX 2.4.3). The signal ends the process when this returns.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    // SAFETY: both handlers call only async-signal-safe functions. (These signals have handlers on every system.)
    unsafe {
        handle(libc::SIGBUS, bus).ok();
        handle(libc::SIGABRT, abort).ok();
    }
}

/// Whether the run may take longer than [`GRACE`] after a signal.
static IS_HELD: AtomicBool = AtomicBool::new(false);

/// While `is_held`, a signal does not end the run by force. (A second signal does.)
pub(super) fn hold_end(is_held: bool) {
    IS_HELD.store(is_held, Ordering::SeqCst);
}

/// Has SIGALRM come after [`GRACE`]. False if that cannot be.
fn set_timer() -> bool {
    let once = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: once, it_value: libc::timeval { tv_usec: GRACE, ..once } };
    // SAFETY: setitimer is a system call without a state of its own in the C library; it reads `timer`.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const timer, null_mut()) == 0 }
}

/// From now on `signal` sets [`STOP`]. A run that does not end by itself within [`GRACE`] is ended, unless it is
/// [held](hold_end); a second signal ends it at once.
pub(super) fn stop_on(signal: i32) -> io::Result<()> {
    /// The signal that stopped the run first.
    static FIRST: AtomicI32 = AtomicI32::new(0);

    extern "C" fn stop(signal: libc::c_int, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        SIGNAL.store(signal, Ordering::SeqCst);
        if STOP.swap(true, Ordering::SeqCst) {
            return end(signal);
        }
        FIRST.store(signal, Ordering::SeqCst);
        // SAFETY: `late` calls only async-signal-safe functions.
        let is_handled = unsafe { handle(libc::SIGALRM, late) }.is_ok();
        let is_set = is_handled && set_timer();
        if !is_set {
            end(signal);
        }
    }

    extern "C" fn late(_signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        // SAFETY: with SA_SIGINFO, the system passes a valid `info`.
        let is_sent = unsafe { (*info).si_code } == SI_USER;
        // The timer looks again later whether the run is still held. A SIGALRM that was sent is a second signal.
        if is_sent || !IS_HELD.load(Ordering::SeqCst) || !set_timer() {
            end(FIRST.load(Ordering::SeqCst));
        }
    }

    // SAFETY: `stop` calls only async-signal-safe functions, which cannot fail here and so leave errno as it was.
    unsafe { handle(signal, stop) }
}

/// From now on `signal` is noted in [`SIGNAL`], and does nothing else.
pub(super) fn note(signal: i32) -> io::Result<()> {
    extern "C" fn note(signal: libc::c_int, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        SIGNAL.store(signal, Ordering::SeqCst);
    }

    // SAFETY: `note` calls no function of the system.
    unsafe { handle(signal, note) }
}

/// Ends the process by force. It returns only if that is already being done.
fn end(signal: libc::c_int) {
    static IS_ENDING: AtomicBool = AtomicBool::new(false);
    if IS_ENDING.swap(true, Ordering::SeqCst) {
        return;
    }
    unfinished::remove();
    write(STOPPED);
    // SAFETY: the pointer is null or from `set_last_words`, which leaks what it points to and never changes it.
    if let Some((words, path)) = unsafe { LAST_WORDS.load(Ordering::Acquire).as_ref() } {
        // SAFETY: access is async-signal-safe (POSIX 2.4.3) and reads a C string.
        if unsafe { libc::access(path.as_ptr(), libc::F_OK) } == 0 {
            write(words);
        }
    }
    exit(128 + signal);
}

/// Prints a line on standard error, if that works.
fn write(line: &str) {
    // SAFETY: write is async-signal-safe (POSIX 2.4.3) and reads the bytes of `line`.
    unsafe { libc::write(2, line.as_ptr().cast(), line.len()) };
}

fn exit(code: libc::c_int) -> ! {
    // SAFETY: _exit is async-signal-safe (POSIX 2.4.3).
    unsafe { libc::_exit(code) }
}

/// What is printed behind [`STOPPED`] if a file is there, and the file.
static LAST_WORDS: AtomicPtr<(String, CString)> = AtomicPtr::new(null_mut());

/// Has a run that is ended by force print `line` too, if the file `path` is there.
pub(super) fn set_last_words(line: &str, path: &Path) {
    let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return };
    LAST_WORDS.store(Box::leak(Box::new((format!("{line}\n"), path))), Ordering::Release);
}

/// The unfinished outputs, in a form that a handler may read: a list that only grows.
pub(super) mod unfinished {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;
    use std::ptr::null_mut;
    use std::sync::atomic::{AtomicPtr, Ordering};

    struct Node {
        path: CString,
        next: *mut Node,
    }

    static FIRST: AtomicPtr<Node> = AtomicPtr::new(null_mut());

    /// Records `path` as a file to remove if a signal ends the process.
    pub(crate) fn remember(path: &Path) {
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return };
        let node = Box::leak(Box::new(Node { path, next: FIRST.load(Ordering::Acquire) }));
        // Only the main thread creates outputs, so nothing was stored since.
        FIRST.store(node, Ordering::Release);
    }

    /// Removes the files. (The name of one that is finished belongs to no file any more.)
    pub(super) fn remove() {
        let mut node = FIRST.load(Ordering::Acquire);
        // SAFETY: the pointers are null or from `remember`, which leaks what they point to and never changes it.
        while let Some(Node { path, next }) = unsafe { node.as_ref() } {
            // SAFETY: as above; `path` is a C string; unlink is async-signal-safe (POSIX 2.4.3).
            unsafe {
                libc::unlink(path.as_ptr());
            }
            node = *next;
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_run_ended_by_force_says_what_one_that_ends_by_itself_says() {
        assert_eq!(super::STOPPED, format!("galop: {}\n", galop_batch::ErrorKind::Stopped));
    }
}
