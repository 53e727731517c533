//! `galop show`.

use std::io::{BufWriter, Cursor, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use galop::input::format;
use galop::input::reader::RecordReader;
use galop::input::records::{MALFORMED_KEPT, MalformedRecord};
use galop::input::source::Source;
use galop::pipeline::CHUNK_BYTES;
use galop::{Error, ErrorKind, Rules, output};

use super::args::ShowArgs;
use super::rules::{Chosen, chosen, rules_by};
use super::{exit, input, messages};

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let chosen = chosen(&args.kind)?;
    let mut sources = input::open_by(&args.inputs, |path| open(path, &chosen))?;
    let rules = rules_by(&chosen, &mut sources)?;
    let out = BufWriter::new(std::io::stdout().lock());
    let mut page = Page { candidates: args.candidates, rules, out, shown: 0, malformed: 0 };
    for source in &mut sources {
        page.show(source)?;
        source.check_unchanged()?;
    }
    messages::warn_malformed(page.malformed, "");
    Ok(ExitCode::from(u8::from(page.malformed > 0)))
}

/// Opens the file `name`. If there is no such file and `name` is a puzzle, that puzzle is the source.
pub(super) fn open(name: &Path, chosen: &Chosen) -> Result<Source, Error> {
    match name.to_str() {
        Some(text) if !name.exists() && is_puzzle(text, chosen) => Ok(argument(text)),
        // Not mapped: printing the grids takes longer than reading them.
        _ => Source::open(name),
    }
}

/// The source of an argument that is a puzzle.
fn argument(text: &str) -> Source {
    Source::stream("<argument>", Cursor::new(text.to_owned()))
}

/// Whether `text` has records, and all of them are puzzles.
fn is_puzzle(text: &str, chosen: &Chosen) -> bool {
    let mut source = argument(text);
    let Ok(rules) = rules_by(chosen, std::slice::from_mut(&mut source)) else { return false };
    let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules);
    let mut has_puzzles = false;
    while let Ok(Some(records)) = reader.next() {
        for record in records.iter() {
            if record.puzzle.is_err() {
                return false;
            }
            has_puzzles = true;
        }
    }
    has_puzzles
}

/// What is shown, and how much of it was.
struct Page<W> {
    candidates: bool,
    rules: Rules,
    out: W,
    shown: u64,
    malformed: u64,
}

impl<W: Write> Page<W> {
    fn show(&mut self, source: &mut Source) -> Result<(), Error> {
        let path = source.name().to_owned();
        let rules = self.rules.clone();
        let mut reader = RecordReader::new(source, CHUNK_BYTES, &rules);
        while let Some(records) = reader.next()? {
            if exit::STOP.load(Ordering::Relaxed) {
                return Err(Error::at(path, ErrorKind::Stopped));
            }
            for record in records.iter() {
                match &record.puzzle {
                    Ok(puzzle) => {
                        let solution = records.format().solution(record.text, puzzle.at.clone());
                        let solution = solution.and_then(|at| grid(&record.text[at], &rules));
                        self.print(puzzle.cells, solution.as_deref()).map_err(ErrorKind::Write)?;
                    }
                    Err(error) => self.report(&records.malformed(&record, *error)),
                }
            }
            self.out.flush().map_err(ErrorKind::Write)?;
        }
        Ok(())
    }

    fn print(&mut self, puzzle: &[u8], solution: Option<&[u8]>) -> std::io::Result<()> {
        let text = if self.candidates {
            galop::candidates(&self.rules, puzzle)
                .map_or_else(|| CONTRADICTION.into(), |values| output::display(&values, &self.rules))
        } else {
            output::framed(&std::iter::once(puzzle).chain(solution).collect::<Vec<_>>(), &self.rules)
        };
        // A display ends in a blank line by itself.
        if self.shown > 0 && !self.candidates {
            writeln!(self.out)?;
        }
        self.shown += 1;
        self.out.write_all(text.as_bytes())
    }

    fn report(&mut self, malformed: &MalformedRecord) {
        if self.malformed < MALFORMED_KEPT as u64 {
            anstream::eprintln!("{}", messages::malformed(malformed));
        }
        self.malformed += 1;
    }
}

/// In the place of the values that singles leave.
const CONTRADICTION: &str =
    "contradiction: the clues leave a cell without a value, or a value without a cell in some unit\n\n";

/// The cells of `field`, if it is a grid and no status word.
fn grid(field: &[u8], rules: &Rules) -> Option<Vec<u8>> {
    let mut grid = Vec::new();
    let at = format::recognise(b"", rules).puzzle(field, &mut grid).ok()?;
    (at == (0..field.len())).then_some(grid)
}
