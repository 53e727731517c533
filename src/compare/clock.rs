//! Two clocks: the processor time of this thread, and the time that went by.
//!
//! Processor time is what an engine needs; elapsed time beside it tells whether the machine had other things to do.
//! Reading the first is a system call of some 100 ns, so it is read once a batch and not once a puzzle; the second
//! is read from memory in 25.

use std::time::{Duration, Instant};

/// A stretch of work of one thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    started: Instant,
    cpu_before: Option<Duration>,
}

/// How long it took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Taken {
    /// Processor time of the thread; elapsed time on systems that do not tell.
    pub(super) cpu: Duration,
    /// Elapsed time.
    pub(super) wall: Duration,
}

impl Clock {
    /// Starts now.
    pub(super) fn start() -> Clock {
        let cpu_before = thread_time();
        Clock { started: Instant::now(), cpu_before }
    }

    /// Elapsed time since the start.
    pub(super) fn wall(&self) -> Duration {
        self.started.elapsed()
    }

    /// Both times since the start, on the thread that started it.
    pub(super) fn taken(&self) -> Taken {
        let wall = self.wall();
        let cpu = thread_time().zip(self.cpu_before).map(|(now, before)| now.saturating_sub(before));
        Taken { cpu: cpu.unwrap_or(wall), wall }
    }
}

/// Processor time that this thread has used, if the system tells.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd"))]
fn thread_time() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Processor time that this thread has used, if the system tells.
#[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd")))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// A thread that sleeps uses no processor; one that works does. No time is asserted but that.
    #[test]
    fn sleep_is_no_processor_time() {
        let clock = Clock::start();
        std::thread::sleep(Duration::from_millis(30));
        let asleep = clock.taken();
        assert!(asleep.wall >= Duration::from_millis(30) && asleep.cpu < asleep.wall, "{asleep:?}");
        let clock = Clock::start();
        while clock.taken().cpu < Duration::from_millis(1) {}
        assert!(clock.wall() > Duration::ZERO);
    }
}
