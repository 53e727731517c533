//! Records on a terminal: the words of puzzles that are not solved have a colour.

use std::io::{self, IsTerminal, Stdout, Write};

use anstyle::{AnsiColor, Reset};
use galop_batch::output::{End, Outlet, Sink, Whole};
use galop_engines::puzzle::Status;

/// Whether `field` stands in place of a solution, or in the column `status`, and is not that of a solved puzzle.
fn is_open(field: &[u8]) -> bool {
    let words = Status::ALL.into_iter().filter(|&status| status != Status::Solved).map(Status::word);
    words.chain(["differs"]).any(|word| word.as_bytes() == field)
}

/// Bytes of a line that waits for its end; a longer one is written as it is.
const MAX_LINE: usize = 64 << 10;

/// A terminal. Lines wait until they are whole.
pub(super) struct Painted<W> {
    out: W,
    line: Vec<u8>,
}

impl Painted<Stdout> {
    /// Whether `stdout` is a terminal that shows colours, and the user allows them (`NO_COLOR`, `TERM`).
    pub(super) fn is_wanted(stdout: &Stdout) -> bool {
        stdout.is_terminal() && anstream::AutoStream::choice(stdout) != anstream::ColorChoice::Never
    }
}

impl<W: Write> Painted<W> {
    pub(super) fn new(out: W) -> Painted<W> {
        Painted { out, line: Vec::new() }
    }

    fn write_line(&mut self) -> io::Result<()> {
        let line = std::mem::take(&mut self.line);
        for (at, field) in line.split_inclusive(|byte| b",\t\n".contains(byte)).enumerate() {
            let text = field.trim_ascii_end().strip_suffix(b",").unwrap_or(field.trim_ascii_end());
            // The first field is the puzzle.
            match at > 0 && is_open(text) {
                true => {
                    write!(self.out, "{}", AnsiColor::Yellow.on_default())?;
                    self.out.write_all(text)?;
                    write!(self.out, "{Reset}")?;
                    self.out.write_all(&field[text.len()..])?;
                }
                false => self.out.write_all(field)?,
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Painted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(part);
            if part.ends_with(b"\n") || self.line.len() > MAX_LINE {
                self.write_line()?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_line()?;
        self.out.flush()
    }
}

impl<W: Write> Outlet for Painted<W> {}

impl Sink for Painted<Stdout> {
    fn is_unnamed(&self) -> bool {
        false
    }

    fn complete(mut self: Box<Self>, end: End<'_>) -> Result<Whole, galop_batch::Error> {
        self.flush().map_err(galop_batch::ErrorKind::Write)?;
        Box::new(self.out).complete(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn painted(text: &str) -> String {
        let mut painted = Painted::new(Vec::new());
        // In pieces, as a pipeline may write them.
        text.as_bytes().chunks(3).for_each(|piece| painted.write_all(piece).unwrap());
        painted.flush().unwrap();
        String::from_utf8(painted.out).unwrap()
    }

    #[test]
    fn words_in_place_of_a_solution_have_a_colour_and_nothing_else_has() {
        let (on, off) = (AnsiColor::Yellow.on_default(), Reset);
        assert_eq!(painted("1.3,none\n"), format!("1.3,{on}none{off}\n"));
        assert_eq!(painted("1.3\tlimit\t5\n"), format!("1.3\t{on}limit{off}\t5\n"));
        for text in ["1.3,123\n", "none,123\n", "1.3,nonesuch\n", "none", "", "\n", ",\n"] {
            assert_eq!(painted(text), text);
        }
    }
}
