//! Another program as an engine of a comparison: puzzles in, a line each; answers out, a line each.
//!
//! A shell runs the command for every pass. `{}` in it becomes the name of a file with the puzzles; without it the program
//! reads them from its standard input. A line of its output has the solution as one of its fields; a line without one
//! means that it found none. Every solution is verified, as those of the engines are.
//!
//! Its time is elapsed time from the start of the program to its end, since the processor time of another process is not
//! known as exactly. A puzzle's time is an equal share of it.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::engine::{Engine, WrongStride};
use crate::grid::{Alphabet, Rules};
use crate::puzzle::{Answer, Answers, Effort, Limits, Puzzles};

/// What went wrong with a program, if anything did.
pub(super) type Fault = Arc<Mutex<Option<String>>>;

/// Runs a command.
pub(super) struct Program {
    command: String,
    alphabet: Alphabet,
    fault: Fault,
}

/// Time between two looks at whether the program has ended.
const PERIOD: Duration = Duration::from_micros(200);

impl Program {
    /// Runs `command` on puzzles of `rules`.
    pub(super) fn new(command: &str, rules: &Rules) -> (Program, Fault) {
        let fault = Fault::default();
        let (command, alphabet) = (command.to_owned(), rules.alphabet().clone());
        (Program { command, alphabet, fault: fault.clone() }, fault)
    }

    /// The output of the program; `None` if it was stopped.
    fn run(&self, puzzles: Puzzles<'_>, is_stopped: &dyn Fn() -> bool) -> io::Result<Option<Vec<u8>>> {
        let mut text = Vec::with_capacity(puzzles.len() * (puzzles.stride() + 1));
        for puzzle in puzzles.iter() {
            text.extend(puzzle.iter().map(|&cell| self.alphabet.character(cell)));
            text.push(b'\n');
        }
        let mut file = tempfile::NamedTempFile::new()?;
        file.write_all(&text)?;
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
            let bytes = reader.join().unwrap_or_else(|_| Err(io::Error::other("its output cannot be read")));
            match ended? {
                None => Ok(None),
                Some(status) if !status.success() => Err(io::Error::other(status.to_string())),
                Some(_) => bytes.map(Some),
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
            let effort = Effort { cost: 1, ..Effort::default() };
            *answer = Answer::complete(u64::from(found.is_some())).with_effort(effort);
        }
        Ok(())
    }

    fn is_solution(&self, field: &[u8], cells: usize) -> bool {
        let is_symbol = |&byte: &u8| self.alphabet.cell(byte).is_some_and(|cell| cell > 0);
        field.len() == cells && field.iter().all(is_symbol)
    }
}

/// Waits until `child` ends; `None` if it shall not go on.
fn wait(child: &mut Child, is_stopped: &dyn Fn() -> bool) -> io::Result<Option<std::process::ExitStatus>> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if is_stopped() {
            return Ok(None);
        }
        std::thread::sleep(PERIOD);
    }
}

impl Engine for Program {
    fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        answers: &mut Answers<'_>,
    ) -> Result<(), WrongStride> {
        self.solve_until(puzzles, limits, answers, &|| false)
    }

    fn solve_until(
        &mut self,
        puzzles: Puzzles<'_>,
        _limits: Limits,
        answers: &mut Answers<'_>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<(), WrongStride> {
        answers.iter_mut().for_each(|(_, answer)| answer.clear());
        let done = self.run(puzzles, is_stopped).and_then(|out| match out {
            Some(out) => self.read(&out, answers),
            None => Ok(()),
        });
        if let Err(error) = done {
            *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
        }
        Ok(())
    }

    fn is_batched(&self) -> bool {
        true
    }
}
