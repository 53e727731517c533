//! Commands that print each record of their input by itself, without the pipeline: printing is slower than reading.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use galop_batch::input::{MALFORMED_KEPT, MalformedRecord, RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_batch::{Error, ErrorKind};
use galop_engines::Rules;

use super::args::GridInputArgs;
use super::output::name_sink;
use super::{argument, input, messages, rules, signals};

/// Prints a puzzle and its solution, if the record has one.
pub(super) trait Printer {
    fn print(&mut self, puzzle: &[u8], solution: Option<&[u8]>, out: &mut dyn Write) -> io::Result<()>;
}

/// Prints each record of `input`, files or puzzles, by the printer that `make` makes for their rules.
pub(super) fn print_each<P: Printer>(
    input: &GridInputArgs,
    make: impl FnOnce(&Rules) -> P,
) -> anyhow::Result<ExitCode> {
    let choice = rules::choice(&input.kind)?;
    // Not mapped: printing is slower than reading.
    let prepare = |source: &mut Source| source.choose_columns(input.columns.choice());
    let open = |path: &Path| argument::open(path, &choice, false);
    let mut sources = input::open(&input::expanded(&input.files)?, prepare, open)?;
    let rules = rules::of_choice(&choice, &mut sources)?;
    let out = BufWriter::new(io::stdout().lock());
    let mut page = Page { printer: make(&rules), rules, out, malformed: 0 };
    for source in &mut sources {
        page.print(source).map_err(|error| name_sink(error, None))?;
        source.finish()?;
    }
    messages::warn_malformed(page.malformed, "");
    Ok(ExitCode::from(u8::from(page.malformed > 0)))
}

struct Page<P, W> {
    printer: P,
    rules: Rules,
    out: W,
    malformed: u64,
}

impl<P: Printer, W: Write> Page<P, W> {
    fn print(&mut self, source: &mut Source) -> Result<(), Error> {
        let path = source.name().to_owned();
        let rules = self.rules.clone();
        let mut reader = RecordReader::new(source, CHUNK_BYTES, &rules);
        while let Some(records) = reader.next_chunk()? {
            for record in records.iter() {
                if signals::STOP.load(Ordering::Relaxed) {
                    return Err(Error::from(ErrorKind::Stopped).in_file(path));
                }
                match &record.puzzle {
                    Ok(puzzle) => {
                        let solution = records.solution(&record);
                        let printed = self.printer.print(puzzle.cells, solution.as_deref(), &mut self.out);
                        printed.map_err(ErrorKind::Write)?;
                    }
                    Err(error) => self.print_malformed(&records.malformed(&record, *error)),
                }
            }
            self.out.flush().map_err(ErrorKind::Write)?;
        }
        Ok(())
    }

    fn print_malformed(&mut self, malformed: &MalformedRecord) {
        if self.malformed < MALFORMED_KEPT as u64 {
            messages::say(messages::malformed(malformed));
        }
        self.malformed += 1;
    }
}
