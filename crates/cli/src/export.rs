//! `galop export`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use galop_batch::Error;
use galop_batch::input::{RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_engines::Rules;
use galop_engines::grid::{GridError, KINDS, Variant};

use super::args::{ExportArgs, KindArgs};
use super::rules::{self, KindChoice};
use super::{argument, messages, output};

pub(super) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    // A single word that is not a kind is the puzzle.
    let (named, puzzle) = match (args.word.as_deref(), args.puzzle.as_deref()) {
        (Some(word), None) => match word.parse::<Variant>() {
            Ok(variant) => (Some(variant), None),
            Err(GridError::Kind { .. }) => (None, Some(word)),
            Err(error) => return Err(Error::from(error).into()),
        },
        (Some(name), puzzle) => (Some(name.parse().map_err(Error::from)?), puzzle),
        (None, puzzle) => (None, puzzle),
    };
    if let (Some(one), Some(other)) = (&named, &args.kind.kind)
        && one.to_string() != other.to_string()
    {
        bail!("`{one}` and --kind {other}: name one kind");
    }
    let kind = KindArgs { kind: named.or(args.kind.kind.clone()), ..args.kind.clone() };
    let (rules, cells) = match puzzle {
        Some(_) if args.side.is_some() => bail!("--side is for the empty grid; a puzzle has a size"),
        Some(puzzle) => read(puzzle, &rules::choice(&kind)?)?,
        None => {
            let rules = rules::of_side(&kind, args.side)?;
            let cells = vec![0; rules.grid().cells()];
            (rules, cells)
        }
    };
    let problem = if args.full { rules.full_cover(&cells) } else { rules.reduced_cover(&cells) }?;
    let clues = cells.iter().filter(|&&symbol| symbol != 0).count();
    let taken = match (clues, args.full) {
        (0, _) => "the empty grid",
        (_, false) => "its clues are chosen: the items that they cover are left out",
        (_, true) => "all items; a cell with a clue has only the clue's option",
    };
    let text: String = cells.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect();
    let comments = [format!("rules {}", rules.name()), format!("puzzle {text}"), taken.into()];
    let others: Vec<&Path> =
        puzzle.map(Path::new).into_iter().chain(args.kind.maps().map(|(_, path)| path)).collect();
    output::write_problem(&comments, &problem, args.output.as_deref(), &others)?;
    Ok(ExitCode::SUCCESS)
}

fn kinds() -> String {
    KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}

/// The puzzle `word`, or the first puzzle of the file of that name, and its rules.
fn read(word: &str, choice: &KindChoice) -> anyhow::Result<(Rules, Vec<u8>)> {
    let path = Path::new(word);
    let opened = if word == "-" {
        Ok(vec![galop_batch::input::Source::stdin()])
    } else {
        argument::open(path, choice, false)
    };
    let mut sources = match opened {
        // The file is missing, and the word is not nearly a puzzle.
        Err(error) if !path.exists() && error.is::<Error>() => bail!(
            "`{}` is neither a {} puzzle nor a file nor a kind of puzzle ({})",
            word.escape_debug(),
            choice.variant,
            kinds()
        ),
        opened => opened?,
    };
    let rules = rules::of_choice(choice, &mut sources)?;
    let named = if word == "-" { Path::new("<stdin>") } else { path };
    let cells = first(&mut sources, &rules)?
        .with_context(|| format!("{}: no puzzle found", galop_batch::printable(named)))?;
    Ok((rules, cells))
}

/// The cells of the first record.
fn first(sources: &mut [Source], rules: &Rules) -> anyhow::Result<Option<Vec<u8>>> {
    for source in sources {
        let mut reader = RecordReader::new(source, CHUNK_BYTES, rules);
        while let Some(records) = reader.next_chunk()? {
            let Some(record) = records.iter().next() else { continue };
            return match &record.puzzle {
                Ok(puzzle) => Ok(Some(puzzle.cells.to_vec())),
                Err(error) => bail!("{}", messages::malformed(&records.malformed(&record, *error))),
            };
        }
    }
    Ok(None)
}
