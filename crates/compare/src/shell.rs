//! Another program: a shell runs its command on a text.
//!
//! `{}` in the command becomes the name of a file with the text; without it the program reads the text from its
//! standard input. Its time is the processor time of the program and of the processes that it waited for, which the
//! system gives when it has ended.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::child::{self, Exit};
use super::clock::TimeSpent;

/// Runs a command.
#[derive(Clone, Debug)]
pub(super) struct Shell {
    command: String,
}

/// What a program printed, and what it took.
#[derive(Clone, Debug)]
pub(super) struct Printed {
    /// Its standard output.
    pub(super) out: Vec<u8>,
    /// Its standard error.
    pub(super) err: Vec<u8>,
    pub(super) spent: TimeSpent,
}

/// Time between two looks at whether the program has ended.
const PERIOD: Duration = Duration::from_micros(200);

/// Characters of standard error that an error repeats, at most.
const QUOTED: usize = 200;

impl Shell {
    pub(super) fn new(command: &str) -> Shell {
        Shell { command: command.to_owned() }
    }

    /// What the program prints for the input `text`; `None` if it was stopped.
    ///
    /// # Errors
    /// The program cannot be run, or fails. The error has the last line of its standard error.
    pub(super) fn run(&self, text: &[u8], is_stopped: &dyn Fn() -> bool) -> io::Result<Option<Printed>> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(text)?;
        file.flush()?;
        let path = file.path().to_string_lossy().replace('\'', "'\\''");
        let command = self.command.replace("{}", &format!("'{path}'"));
        let has_file = command != self.command;
        let input = if has_file { Stdio::null() } else { Stdio::from(file.reopen()?) };
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, so that all programs of a pipe can be ended.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let started = Instant::now();
        let mut child = shell.spawn()?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            let (out, err) = (scope.spawn(move || all_of(out)), scope.spawn(move || all_of(err)));
            let ended = wait(&mut child, is_stopped);
            if !matches!(ended, Ok(Some(_))) {
                #[cfg(unix)]
                if let Some(group) = rustix::process::Pid::from_raw(child.id() as i32) {
                    rustix::process::kill_process_group(group, rustix::process::Signal::KILL).ok();
                }
                child.kill().ok();
                child.wait().ok();
            }
            let wall = started.elapsed();
            let unread = || Err(io::Error::other("its output cannot be read"));
            let [out, err] = [out, err].map(|reader| reader.join().unwrap_or_else(|_| unread()));
            match ended? {
                None => Ok(None),
                Some(Exit { status, .. }) if !status.success() => {
                    let said = last_line(&err.unwrap_or_default());
                    Err(io::Error::other(if said.is_empty() {
                        status.to_string()
                    } else {
                        format!("{status}: {said}")
                    }))
                }
                Some(Exit { cpu, .. }) => {
                    let spent = TimeSpent { cpu: cpu.unwrap_or(wall), wall };
                    Ok(Some(Printed { out: out?, err: err?, spent }))
                }
            }
        })
    }
}

/// Everything that comes from a pipe.
fn all_of(pipe: Option<impl Read>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    pipe.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut bytes)).map(|_| bytes)
}

/// The last line that is not blank, shortened, without control characters.
fn last_line(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|character| !character.is_control()).take(QUOTED).collect()
}

/// Waits until `child` ends; `None` if it must not go on.
fn wait(child: &mut Child, is_stopped: &dyn Fn() -> bool) -> io::Result<Option<Exit>> {
    loop {
        if let Some(exit) = child::poll(child)? {
            return Ok(Some(exit));
        }
        if is_stopped() {
            return Ok(None);
        }
        std::thread::sleep(PERIOD);
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program that sleeps takes no processor time; one that must not go on has no times.
    #[test]
    fn time_that_a_program_waits_is_no_processor_time() {
        let printed = Shell::new("sleep 0.3; cat {}").run(b"text", &|| false).unwrap().unwrap();
        assert_eq!(printed.spent.cpu < printed.spent.wall / 2, child::GIVES_TIME, "{:?}", printed.spent);
        assert_eq!((&*printed.out, &*printed.err), (&b"text"[..], &b""[..]));
        assert!(Shell::new("sleep 60").run(b"", &|| true).unwrap().is_none());
        let printed = Shell::new("cat >&2").run(b"input", &|| false).unwrap().unwrap();
        assert_eq!((&*printed.out, &*printed.err), (&b""[..], &b"input"[..]));
    }

    #[test]
    fn a_failure_says_what_the_program_said() {
        let message = |command| Shell::new(command).run(b"", &|| false).unwrap_err().to_string();
        assert_eq!(message("echo 'no such board' >&2; echo >&2; exit 3"), "exit status: 3: no such board");
        assert_eq!(message("exit 4"), "exit status: 4");
    }
}
