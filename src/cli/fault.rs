//! The end of the tool when a mapped input is cut short under it: SIGBUS.
//!
//! This file holds the tool's only handler that runs inside a signal; the others are in `signals.rs`.

use std::path::Path;

/// From now on, a mapped file that is truncated while it is read (SIGBUS) ends the process with one line on stderr
/// and exit code 2, instead of a core dump. `unfinished` is the unfinished output, which the handler removes.
///
/// It replaces the process's handler of SIGBUS.
#[cfg(unix)]
#[allow(unsafe_code)]
pub(super) fn end_on_fault(unfinished: Option<&Path>) {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;
    use std::sync::atomic::{AtomicPtr, Ordering};

    static UNFINISHED: AtomicPtr<libc::c_char> = AtomicPtr::new(std::ptr::null_mut());
    const LINE: &[u8] =
        b"galop: error: an input file was cut short while it was being read; the output is not \
        complete. Run again when nothing writes to it, or with --no-mmap\n";

    extern "C" fn end(_signal: libc::c_int) {
        // SAFETY: write, unlink and _exit are async-signal-safe (POSIX 2.4.3); LINE is static; the pointer is null or
        // a C string that was leaked below, so it is valid for the rest of the process.
        unsafe {
            libc::write(2, LINE.as_ptr().cast(), LINE.len());
            let path = UNFINISHED.load(Ordering::Acquire);
            if !path.is_null() {
                libc::unlink(path);
            }
            libc::_exit(2);
        }
    }

    if let Some(path) = unfinished.and_then(|path| CString::new(path.as_os_str().as_bytes()).ok()) {
        UNFINISHED.store(path.into_raw(), Ordering::Release);
    }
    // SAFETY: `action` is a plain C struct for which all zeros is a valid value; `end` has the signature of a handler
    // without SA_SIGINFO and calls only async-signal-safe functions.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = end as extern "C" fn(libc::c_int) as usize;
        libc::sigemptyset(&raw mut action.sa_mask);
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

/// There is no SIGBUS on this system.
#[cfg(not(unix))]
pub(super) fn end_on_fault(_unfinished: Option<&Path>) {}
