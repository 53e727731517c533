//! `galop export`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use galop::Rules;
use galop::batch::{CHUNK_BYTES, Malformed};
use galop::input::format::Records;
use galop::input::reader::{Piece, Reader};
use galop::input::source::Source;
use galop::rules::{KINDS, Kind};

use super::args::ExportArgs;
use super::{output, show};

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let kind = |name: &str| KINDS.iter().find(|kind| kind.name == name);
    // One word that is no kind is the puzzle.
    let (kind, puzzle) = match (args.kind.as_deref(), args.puzzle.as_deref()) {
        (None, puzzle) => (&KINDS[0], puzzle),
        (Some(word), None) => kind(word).map_or((&KINDS[0], Some(word)), |kind| (kind, None)),
        (Some(name), puzzle) => match kind(name) {
            Some(kind) => (kind, puzzle),
            None => bail!("`{}` is no kind of puzzle; there is {}", name.escape_debug(), kinds()),
        },
    };
    let rules = Rules::new(kind);
    let cells =
        puzzle.map_or_else(|| Ok(vec![0; rules.grid().cells()]), |puzzle| read(puzzle, kind, &rules))?;
    let problem = if args.full { rules.full_cover(&cells) } else { rules.reduced_cover(&cells) }?;
    let clues = cells.iter().filter(|&&symbol| symbol != 0).count();
    let taken = match (clues, args.full) {
        (0, _) => "the empty grid",
        (_, false) => "its clues taken: what they cover is gone",
        (_, true) => "all items; of a cell with a clue, the clue's option alone",
    };
    let comments =
        [format!("{}: {}", kind.name, kind.about), format!("puzzle {}", text(&cells)), taken.into()];
    let others: Vec<&Path> = puzzle.into_iter().map(Path::new).collect();
    output::write_problem(&comments, &problem, args.output.as_deref(), &others)?;
    Ok(ExitCode::SUCCESS)
}

fn kinds() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// The puzzle that `word` is, or the first one of the file of that name.
fn read(word: &str, kind: &Kind, rules: &Rules) -> anyhow::Result<Vec<u8>> {
    let cells = rules.grid().cells();
    let path = Path::new(word);
    let opened = if word == "-" { Ok(Source::stdin()) } else { show::open(path, cells) };
    let mut source = match opened {
        Err(_) if !path.exists() => bail!(
            "`{}` is no {} puzzle of {cells} cells, no file, and no kind of puzzle ({})",
            word.escape_debug(),
            kind.name,
            kinds()
        ),
        opened => opened?,
    };
    first(&mut source, cells)?
        .with_context(|| format!("{}: there is no puzzle in it", source.name().display()))
}

/// The cells of the first record.
fn first(source: &mut Source, cells: usize) -> anyhow::Result<Option<Vec<u8>>> {
    let path = source.name().to_owned();
    let mut reader = Reader::new(source, CHUNK_BYTES, cells);
    let (mut records, mut lines) = (Records::default(), 0);
    while let Some(Piece { chunk, is_first, shape }) = reader.next(Vec::new())? {
        records.read(shape.as_ref(), &chunk.bytes, is_first);
        let Some(record) = records.iter().next() else {
            lines += records.lines;
            continue;
        };
        return match record.puzzle {
            Ok(_) => Ok(records.puzzles.get(..cells).map(<[u8]>::to_vec)),
            Err(error) => bail!("{}", Malformed { path, line: lines + record.line + 1, error }),
        };
    }
    Ok(None)
}

/// The cells as one line: `.` is blank, 10 is `A`.
fn text(cells: &[u8]) -> String {
    let symbol = |&cell| match cell {
        0 => '.',
        _ => char::from_digit(u32::from(cell), 36).unwrap_or('?').to_ascii_uppercase(),
    };
    cells.iter().map(symbol).collect()
}
