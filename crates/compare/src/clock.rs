//! Two clocks: the processor time of this thread or process, and the elapsed time.
//!
//! Processor time is what an engine needs. Elapsed time beside it shows whether the machine was busy with other work.
//! Reading the processor time is a system call of some 100 ns, so it is read once a batch and not once a puzzle.
//! Reading the elapsed time takes 25 ns, from memory.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Gives the two times. Tests replace it.
pub(super) trait TimeSource {
    /// The present moment.
    fn now(&self) -> Instant;

    /// Processor time that was used so far; `None` if the system does not say.
    fn processor_time(&self) -> Option<Duration>;
}

/// The clocks of the operating system: the processor time of this thread, or of all threads of this process.
#[derive(Clone, Copy, Debug)]
pub(super) enum SystemTime {
    Thread,
    Process,
}

impl TimeSource for SystemTime {
    fn now(&self) -> Instant {
        Instant::now()
    }

    #[cfg(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd"))]
    fn processor_time(&self) -> Option<Duration> {
        let whose = match self {
            SystemTime::Thread => rustix::time::ClockId::ThreadCPUTime,
            SystemTime::Process => rustix::time::ClockId::ProcessCPUTime,
        };
        let time = rustix::time::clock_gettime(whose);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_os = "macos", target_os = "freebsd")))]
    fn processor_time(&self) -> Option<Duration> {
        None
    }
}

/// Nanoseconds of the clock's smallest step, as far as it shows here: no time that it measures is below.
pub(super) fn step() -> u64 {
    static STEP: OnceLock<u64> = OnceLock::new();
    /// Pairs of readings; some of them are the smallest step apart.
    const PAIRS: usize = 200;
    let apart = || {
        let first = Instant::now();
        first.elapsed().as_nanos() as u64
    };
    *STEP.get_or_init(|| (0..PAIRS).map(|_| apart()).filter(|&nanos| nanos > 0).min().unwrap_or(1))
}

/// Whether this system gives the processor time of a thread.
pub(super) fn gives_processor_time() -> bool {
    SystemTime::Thread.processor_time().is_some()
}

/// A stopwatch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock<S = SystemTime> {
    source: S,
    started: Instant,
    cpu_before: Option<Duration>,
}

/// What a clock measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct TimeSpent {
    /// Processor time; elapsed time on systems that do not give it.
    pub(super) cpu: Duration,
    /// Elapsed time.
    pub(super) wall: Duration,
}

/// Milliseconds of processor time and of elapsed time.
#[cfg(test)]
pub(super) fn spent(cpu: u64, wall: u64) -> TimeSpent {
    TimeSpent { cpu: Duration::from_millis(cpu), wall: Duration::from_millis(wall) }
}

impl Clock {
    /// Starts now, and measures the processor time of this thread.
    pub(super) fn start() -> Clock {
        Clock::start_on(SystemTime::Thread)
    }

    /// Starts now, and measures the processor time of all threads.
    pub(super) fn start_of_process() -> Clock {
        Clock::start_on(SystemTime::Process)
    }
}

impl<S: TimeSource> Clock<S> {
    fn start_on(source: S) -> Clock<S> {
        let cpu_before = source.processor_time();
        let started = source.now();
        Clock { source, started, cpu_before }
    }

    /// Elapsed time since the start.
    pub(super) fn wall(&self) -> Duration {
        self.source.now().duration_since(self.started)
    }

    /// Both times since the start. A clock of a thread must be asked on it.
    pub(super) fn spent(&self) -> TimeSpent {
        let wall = self.wall();
        let cpu =
            self.source.processor_time().zip(self.cpu_before).map(|(now, before)| now.saturating_sub(before));
        TimeSpent { cpu: cpu.unwrap_or(wall), wall }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Clocks that tests set, in milliseconds since `origin`.
    struct SetTime {
        origin: Instant,
        wall: Cell<u64>,
        cpu: Cell<Option<u64>>,
    }

    impl TimeSource for &SetTime {
        fn now(&self) -> Instant {
            self.origin + Duration::from_millis(self.wall.get())
        }

        fn processor_time(&self) -> Option<Duration> {
            self.cpu.get().map(Duration::from_millis)
        }
    }

    #[test]
    fn processor_time_and_elapsed_time_are_separate() {
        let time = SetTime { origin: Instant::now(), wall: Cell::new(100), cpu: Cell::new(Some(7)) };
        let clock = Clock::start_on(&time);
        assert_eq!(clock.spent(), spent(0, 0));
        time.wall.set(130);
        assert_eq!((clock.spent(), clock.wall()), (spent(0, 30), Duration::from_millis(30)), "it slept");
        time.wall.set(140);
        time.cpu.set(Some(16));
        assert_eq!(clock.spent(), spent(9, 40));
    }

    #[test]
    fn elapsed_time_stands_in_for_a_missing_processor_time() {
        let time = SetTime { origin: Instant::now(), wall: Cell::new(0), cpu: Cell::new(None) };
        let clock = Clock::start_on(&time);
        time.wall.set(25);
        assert_eq!(clock.spent(), spent(25, 25));
    }

    /// A step is positive, and a clock that is read twice is at least one further or has not moved.
    #[test]
    fn the_step_of_the_clock_is_known() {
        assert!((1..1_000_000).contains(&step()), "{}", step());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_gives_processor_time() {
        for clock in [SystemTime::Thread, SystemTime::Process] {
            let before = clock.processor_time();
            assert!(before.is_some() && before <= clock.processor_time());
        }
        assert!(SystemTime::Thread.processor_time() <= SystemTime::Process.processor_time());
    }
}
