//! Another program in a comparison: puzzles in, a line each; answers out, a line each.
//!
//! A shell runs the command for every pass. `{}` in it becomes the name of a file with the puzzles; without it the
//! program reads them from its standard input. A line of its output has the solution as one of its fields; a line
//! without one means that it found none. Every solution is verified, as the engines' solutions are.
//!
//! Its time is the processor time of the program and of the processes that it waited for, which the system gives when
//! it has ended. Right before, it is run on an empty input, to learn what its start takes. Times and guesses of single
//! puzzles are not known.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::child::{self, Exit};
use super::clock::TimeSpent;
use galop_engines::grid::{Alphabet, Rules};
use galop_engines::puzzle::{Answer, Answers, Puzzles};

/// Runs a command.
pub(super) struct Program {
    command: String,
    alphabet: Alphabet,
}

/// What a program took for some puzzles.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProgramTimes {
    /// The whole run.
    pub(super) spent: TimeSpent,
    /// A run on an empty input; `None` if it failed.
    pub(super) start: Option<TimeSpent>,
}

/// Time between two looks at whether the program has ended.
const PERIOD: Duration = Duration::from_micros(200);

impl Program {
    /// Runs `command` on puzzles of `rules`.
    pub(super) fn new(command: &str, rules: &Rules) -> Program {
        Program { command: command.to_owned(), alphabet: rules.alphabet().clone() }
    }

    /// Has the program answer `puzzles`, after an empty input; `None` if it was stopped.
    ///
    /// # Errors
    /// The program cannot be run, fails, or prints something else than a line for each puzzle.
    pub(super) fn solve(
        &self,
        puzzles: Puzzles<'_>,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> io::Result<Option<ProgramTimes>> {
        let start = match self.run(b"", is_stopped) {
            Ok(None) => return Ok(None),
            Ok(Some((_, start))) => Some(start),
            Err(_) => None,
        };
        let mut text = Vec::with_capacity(puzzles.len() * (puzzles.stride() + 1));
        for puzzle in puzzles.iter() {
            text.extend(puzzle.iter().map(|&cell| self.alphabet.character(cell)));
            text.push(b'\n');
        }
        let Some((out, spent)) = self.run(&text, is_stopped)? else { return Ok(None) };
        self.read(&out, answers)?;
        Ok(Some(ProgramTimes { spent, start }))
    }

    /// The output of the program for the input `text`, and what it took; `None` if it was stopped.
    fn run(&self, text: &[u8], is_stopped: &dyn Fn() -> bool) -> io::Result<Option<(Vec<u8>, TimeSpent)>> {
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(text)?;
        file.flush()?;
        let path = file.path().to_string_lossy().replace('\'', "'\\''");
        let command = self.command.replace("{}", &format!("'{path}'"));
        let has_file = command != self.command;
        let input = if has_file { Stdio::null() } else { Stdio::from(file.reopen()?) };
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).stdin(input).stdout(Stdio::piped());
        // A group of its own, so that all programs of a pipe can be ended.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        let started = Instant::now();
        let mut child = shell.spawn()?;
        let out = child.stdout.take();
        std::thread::scope(|scope| {
            let reader = scope.spawn(move || {
                let mut bytes = Vec::new();
                out.map_or(Ok(0), |mut out| out.read_to_end(&mut bytes)).map(|_| bytes)
            });
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
            let bytes = reader.join().unwrap_or_else(|_| Err(io::Error::other("its output cannot be read")));
            match ended? {
                None => Ok(None),
                Some(Exit { status, .. }) if !status.success() => Err(io::Error::other(status.to_string())),
                Some(Exit { cpu, .. }) => Ok(Some((bytes?, TimeSpent { cpu: cpu.unwrap_or(wall), wall }))),
            }
        })
    }

    /// Reads the answers from the lines of the output.
    fn read(&self, out: &[u8], answers: &mut Answers<'_>) -> io::Result<()> {
        let lines: Vec<&[u8]> = out.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_end).collect();
        let lines = lines.strip_suffix(&[&b""[..]]).unwrap_or(&lines);
        if lines.len() != answers.len() {
            let (found, wanted) = (lines.len(), answers.len());
            return Err(io::Error::other(format!("{found} lines of output for {wanted} puzzles")));
        }
        for (line, (solution, answer)) in lines.iter().zip(answers.iter_mut()) {
            let fields = line.split(|byte| matches!(byte, b',' | b' ' | b'\t' | b':' | b';'));
            let found = fields.rev().find(|field| self.is_solution(field, solution.len()));
            if let Some(found) = found {
                for (cell, &byte) in solution.iter_mut().zip(found) {
                    *cell = self.alphabet.cell(byte).unwrap_or(0);
                }
            }
            *answer = Answer::complete(u64::from(found.is_some()));
        }
        Ok(())
    }

    fn is_solution(&self, field: &[u8], cells: usize) -> bool {
        let is_symbol = |&byte: &u8| self.alphabet.cell(byte).is_some_and(|cell| cell > 0);
        field.len() == cells && field.iter().all(is_symbol)
    }
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

    /// A program that sleeps, unless its input is empty.
    #[test]
    fn time_that_a_program_waits_is_no_processor_time() {
        let program = Program::new("if [ -s {} ]; then sleep 0.3; fi; cat {}", &Rules::default());
        let (mut solutions, mut answers) = (vec![0; 81], vec![Answer::default()]);
        let mut places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        let blank = vec![0; 81];
        let times =
            program.solve(Puzzles::new(&blank, 81).unwrap(), &mut places, &|| false).unwrap().unwrap();
        assert!(times.start.is_some());
        assert_eq!(times.spent.cpu < times.spent.wall / 2, child::GIVES_TIME, "{times:?}");
        assert_eq!(answers[0].solutions, 0);
        // One that must not go on has no times.
        let stopped = Program::new("sleep 60", &Rules::default());
        let mut places = Answers::new(&mut solutions, &mut answers, 81).unwrap();
        assert!(stopped.solve(Puzzles::new(&blank, 81).unwrap(), &mut places, &|| true).unwrap().is_none());
    }
}
