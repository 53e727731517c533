//! The exit code of the program.

use std::io;
use std::process::ExitCode;

use galop_batch::{Error, ErrorKind};

use super::{input, messages, resume, signals};

/// The exit code after the reader of the output closed its pipe: 128 + SIGPIPE, as a shell reports it for other tools.
/// The run ends quietly. The code is not 0, because records that were not printed or not read may have faults.
const CLOSED_PIPE: u8 = 128 + 13;

/// The exit code of a result that is partial because a limit that the user set was reached.
pub(super) const PARTIAL: u8 = 4;

/// The exit code for the result of a command. Prints the error, if any.
pub(super) fn code(done: anyhow::Result<ExitCode>) -> ExitCode {
    let error = match done {
        // As `gzip -d` does.
        Ok(_) if input::has_garbage() => return ExitCode::from(2),
        Ok(code) => return code,
        Err(error) => error,
    };
    if is_closed_pipe(&error) {
        return ExitCode::from(CLOSED_PIPE);
    }
    messages::error(&error);
    resume::say_how_to_go_on();
    match kind_of(&error) {
        // SIGXFSZ ends a write with an error.
        Some(ErrorKind::Stopped | ErrorKind::Write(_)) => {
            signals::received().map_or(2, |signal| 128 + signal as u8).into()
        }
        _ if has_contradiction(&error) => ExitCode::from(3),
        _ => ExitCode::from(2),
    }
}

/// Whether a solution or a cover is wrong, or two engines contradict each other.
fn has_contradiction(error: &anyhow::Error) -> bool {
    error.downcast_ref().is_some_and(messages::is_contradiction)
        || matches!(error.downcast_ref(), Some(galop_cover::CoverError::WrongCover { .. }))
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
