//! `galop show`.

use std::io::{BufWriter, Cursor, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use galop::input::format::{self, Records};
use galop::input::reader::{Piece, Reader};
use galop::input::source::Source;
use galop::pipeline::solve::{CHUNK_BYTES, MALFORMED_KEPT, Malformed};
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

/// What `name` stands for: a file, or, where there is none of that name, the puzzle that it is.
pub(super) fn open(name: &Path, chosen: &Chosen) -> Result<Source, Error> {
    let puzzle = |text: &str| Source::stream("<argument>", Cursor::new(text.to_owned()));
    match name.to_str() {
        Some(text) if !name.exists() && is_puzzle(&mut puzzle(text), text.as_bytes(), chosen) => {
            Ok(puzzle(text))
        }
        // Not mapped: whoever looks at grids reads no faster than they are printed.
        _ => Source::open(name, false),
    }
}

/// Whether `text`, which `source` gives, holds records, and puzzles only.
fn is_puzzle(source: &mut Source, text: &[u8], chosen: &Chosen) -> bool {
    let Ok(rules) = rules_by(chosen, std::slice::from_mut(source)) else { return false };
    let mut records = Records::default();
    records.read(format::recognise(text, &rules).1.as_ref(), text, true);
    !records.is_empty() && records.iter().all(|record| record.puzzle.is_ok())
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
        let cells = self.rules.grid().cells();
        let path = source.name().to_owned();
        let mut reader = Reader::new(source, CHUNK_BYTES, &self.rules);
        let mut records = Records::default();
        let mut lines = 0;
        while let Some(Piece { chunk, is_first, shape }) = reader.next(Vec::new())? {
            if exit::STOP.load(Ordering::Relaxed) {
                return Err(Error::at(path, ErrorKind::Stopped));
            }
            records.read(shape.as_ref(), &chunk.bytes, is_first);
            let mut puzzles = records.puzzles.chunks_exact(cells);
            for record in records.iter() {
                match &record.puzzle {
                    Ok(at) => {
                        let text = &chunk.bytes[record.text.clone()];
                        let at = at.start - record.text.start..at.end - record.text.start;
                        let solution = shape.solution(text, at).and_then(|at| grid(&text[at], &self.rules));
                        let puzzle = puzzles.next().unwrap_or_default();
                        self.print(puzzle, solution.as_deref()).map_err(ErrorKind::Write)?;
                    }
                    Err(error) => {
                        let (path, line) = (path.clone(), lines + record.line + 1);
                        self.name(&Malformed { path, line, error: *error });
                    }
                }
            }
            lines += records.lines;
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

    fn name(&mut self, malformed: &Malformed) {
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
    let at = format::recognise(b"", rules).1.puzzle(field, &mut grid).ok()?;
    (at == (0..field.len())).then_some(grid)
}
