//! `galop show`.

use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use galop::input::RecordReader;
use galop::input::Source;
use galop::input::{MALFORMED_KEPT, MalformedRecord};
use galop::pipeline::CHUNK_BYTES;
use galop::{Error, ErrorKind, Rules, output};

use super::args::ShowArgs;
use super::output::name_sink;
use super::rules;
use super::{argument, messages, signals};

pub(super) fn run(args: &ShowArgs) -> anyhow::Result<ExitCode> {
    let choice = rules::choice(&args.kind)?;
    // Not mapped: printing grids is slower than reading them.
    let mut sources = argument::open_all(&args.inputs, &choice, false)?;
    sources.iter_mut().for_each(|source| source.choose_columns(args.columns.choice()));
    let rules = rules::of_choice(&choice, &mut sources)?;
    let out = BufWriter::new(std::io::stdout().lock());
    let mut page = Page { candidates: args.candidates, rules, out, shown: 0, malformed: 0 };
    for source in &mut sources {
        page.show(source).map_err(|error| name_sink(error, None))?;
        source.check_unchanged()?;
    }
    messages::warn_malformed(page.malformed, "");
    Ok(ExitCode::from(u8::from(page.malformed > 0)))
}

/// Prints records.
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
        while let Some(records) = reader.next_chunk()? {
            if signals::STOP.load(Ordering::Relaxed) {
                return Err(Error::from(ErrorKind::Stopped).in_file(path));
            }
            for record in records.iter() {
                match &record.puzzle {
                    Ok(puzzle) => {
                        let solution = records.solution(&record);
                        self.print(puzzle.cells, solution.as_deref()).map_err(ErrorKind::Write)?;
                    }
                    Err(error) => self.print_malformed(&records.malformed(&record, *error)),
                }
            }
            self.out.flush().map_err(ErrorKind::Write)?;
        }
        Ok(())
    }

    fn print(&mut self, puzzle: &[u8], solution: Option<&[u8]>) -> std::io::Result<()> {
        let text = if self.candidates {
            galop::grid::candidates(&self.rules, puzzle)
                .map_or_else(|| CONTRADICTION.into(), |values| output::display(&values, &self.rules))
        } else {
            output::framed(&std::iter::once(puzzle).chain(solution).collect::<Vec<_>>(), &self.rules)
        };
        // The text of candidates ends in a blank line.
        if self.shown > 0 && !self.candidates {
            writeln!(self.out)?;
        }
        self.shown += 1;
        self.out.write_all(text.as_bytes())
    }

    fn print_malformed(&mut self, malformed: &MalformedRecord) {
        if self.malformed < MALFORMED_KEPT as u64 {
            messages::say(messages::malformed(malformed));
        }
        self.malformed += 1;
    }
}

/// Printed in place of the candidates.
const CONTRADICTION: &str =
    "contradiction: the clues leave a cell without a value, or a value without a cell in some unit\n\n";
