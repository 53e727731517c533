//! The end of another program, with the processor time that it took.
#![allow(unsafe_code)]

use std::io;
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// How a program ended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    pub(super) status: ExitStatus,
    /// Processor time of the program and of all processes that it and they waited for, in user and system mode; `None`
    /// if the system does not give it.
    pub(super) cpu: Option<Duration>,
}

/// Whether this system gives the processor time of a program.
pub(super) const GIVES_TIME: bool =
    cfg!(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd"));

/// How `child` ended; `None` if it still runs. After its end it must not be waited for or killed.
///
/// It asks for this one process: the times of all children of this process, which `getrusage` gives, may include
/// programs that other threads run.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd"))]
pub(super) fn poll(child: &mut Child) -> io::Result<Option<Exit>> {
    use std::os::unix::process::ExitStatusExt;

    let mut status = 0;
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: wait4 writes to `status` and `usage`, which live longer than the call. rusage is a plain C struct for
    // which all zeros is a valid value, so it is initialised even if wait4 does not write to it.
    let (ended, usage) = unsafe {
        let id = child.id() as libc::pid_t;
        let ended = libc::wait4(id, &raw mut status, libc::WNOHANG, usage.as_mut_ptr());
        (ended, usage.assume_init())
    };
    if ended < 0 {
        return Err(io::Error::last_os_error());
    }
    let time = |time: libc::timeval| {
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, 1000 * u32::try_from(time.tv_usec).ok()?))
    };
    let cpu = time(usage.ru_utime).zip(time(usage.ru_stime)).map(|(user, system)| user + system);
    Ok((ended > 0).then(|| Exit { status: ExitStatus::from_raw(status), cpu }))
}

/// How `child` ended; `None` if it still runs.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd")))]
pub(super) fn poll(child: &mut Child) -> io::Result<Option<Exit>> {
    Ok(child.try_wait()?.map(|status| Exit { status, cpu: None }))
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    fn end_of(command: &str) -> Exit {
        let mut child = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).spawn().unwrap();
        loop {
            if let Some(exit) = poll(&mut child).unwrap() {
                return exit;
            }
            std::thread::yield_now();
        }
    }

    /// A loop of a shell inside a shell, in a pipe: the time of the outer shell contains its time.
    #[test]
    fn processes_that_were_waited_for_count() {
        let busy = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let (idle, busy) = (end_of("exit 3"), end_of(&format!("sh -c '{busy}' | cat")));
        assert_eq!((idle.status.code(), busy.status.code()), (Some(3), Some(0)));
        assert_eq!(idle.cpu.is_some(), GIVES_TIME);
        if GIVES_TIME {
            // Each turn takes far more than 20 ns.
            assert!(busy.cpu.unwrap() > Duration::from_millis(4) && busy.cpu > idle.cpu, "{idle:?} {busy:?}");
        }
    }
}
