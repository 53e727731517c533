//! The end of the tool by a fault: SIGBUS when a mapped input is cut short under it, and SIGABRT.
//!
//! This file holds the tool's only handlers that run inside a signal; the others are in `signals.rs`.

/// From now on SIGBUS, which a mapped file raises when it is truncated while it is read, ends the process with one line
/// on stderr and exit code 2, instead of a core dump; one that another process sends, with 128 + SIGBUS. SIGBUS and SIGABRT (memory that cannot be allocated, a stack
/// overflow) remove the unfinished outputs first.
///
/// It replaces the process's handlers of these signals.
#[cfg(unix)]
#[allow(unsafe_code)]
pub(super) fn end_on_fault() {
    const FAULT: &[u8] =
        b"galop: error: a mapped input file cannot be read (SIGBUS): it was cut short while it was being read, or the disk \
        failed; the output is not complete. Run again when nothing writes to it, or with --no-mmap\n";
    const SENT: &[u8] = b"galop: error: another process sent SIGBUS; the output is not complete\n";

    extern "C" fn bus(signal: libc::c_int, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        // SAFETY: write and _exit are async-signal-safe (POSIX 2.4.3), and the texts are static. With SA_SIGINFO, the
        // system passes a valid `info`.
        unsafe {
            // Codes of the system are positive; those of kill, sigqueue and the like are not.
            let is_sent = (*info).si_code <= 0 || (*info).si_code == libc::SI_USER;
            let line = if is_sent { SENT } else { FAULT };
            libc::write(2, line.as_ptr().cast(), line.len());
            unfinished::remove();
            libc::_exit(if is_sent { 128 + signal } else { 2 });
        }
    }

    extern "C" fn abort(signal: libc::c_int, _info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
        unfinished::remove();
        // SAFETY: signal and raise are async-signal-safe (POSIX 2.4.3). The signal ends the process when this returns.
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
    }

    type Handler = extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut libc::c_void);
    let handle = |signal, handler: Handler| {
        // SAFETY: `action` is a plain C struct for which all zeros is a valid value; `handler` has the signature of a
        // handler with SA_SIGINFO and calls only async-signal-safe functions.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handler as usize;
            // A stack overflow is reported on the alternate stack.
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&raw mut action.sa_mask);
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    };
    handle(libc::SIGBUS, bus);
    handle(libc::SIGABRT, abort);
}

/// Whether the process was started with `signal` ignored, as `nohup` does.
#[cfg(unix)]
#[allow(unsafe_code)]
pub(super) fn is_ignored(signal: i32) -> bool {
    // SAFETY: `action` is a plain C struct for which all zeros is a valid value; without a new action, sigaction only
    // writes the present one into it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// The unfinished outputs, in a form that a handler may read: a list that only grows.
#[cfg(unix)]
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

    /// Records `path` as a file to remove if a fault ends the process.
    pub(in crate::cli) fn remember(path: &Path) {
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return };
        let node = Box::leak(Box::new(Node { path, next: FIRST.load(Ordering::Acquire) }));
        // Only the main thread creates outputs, so nothing was stored since.
        FIRST.store(node, Ordering::Release);
    }

    /// Removes the files. (The name of one that is finished belongs to no file any more.)
    #[allow(unsafe_code)]
    pub(super) fn remove() {
        let mut node = FIRST.load(Ordering::Acquire);
        // SAFETY: the pointers are null or from `remember`, which leaks what they point to and never changes it;
        // unlink is async-signal-safe (POSIX 2.4.3).
        while let Some(Node { path, next }) = unsafe { node.as_ref() } {
            // SAFETY: as above; `path` is a C string.
            unsafe { libc::unlink(path.as_ptr()) };
            node = *next;
        }
    }
}

/// There are no such signals on this system.
#[cfg(not(unix))]
pub(super) fn end_on_fault() {}
