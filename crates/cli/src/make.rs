//! `galop make`.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};
use galop_batch::Error;
use galop_batch::input::{RecordReader, Source};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_cover::models::{MODELS, Model};
use galop_engines::Rules;

use super::args::MakeArgs;
use super::rules::{self, KindChoice};
use super::{argument, messages, output};

/// The model that also makes problems of puzzles. The library of models knows no puzzles.
const OF_PUZZLES: &str = "sudoku";

/// What it makes of them.
const PUZZLES: Row = Row {
    usage: "sudoku PUZZLE|FILE",
    about: "a puzzle, or the first of a file: its clues are chosen; --kind and others name its rules",
};

/// A line of the table of models.
struct Row {
    usage: &'static str,
    about: &'static str,
}

pub(super) fn run(args: &MakeArgs) -> anyhow::Result<ExitCode> {
    let Some(model) = args.model else { return list() };
    let words: Vec<&str> = args.arguments.iter().map(String::as_str).collect();
    if let (OF_PUZZLES, [word]) = (model.name, &words[..])
        && !is_size(word)
    {
        return make_puzzle(args, word);
    }
    if !args.kind.is_usual() {
        bail!("--kind and the other options about rules are for puzzles: galop make {}", PUZZLES.usage);
    }
    let problem = model.make(&words).with_context(|| format!("galop make {}", usage(model)))?;
    let command = [&[model.name], &words[..]].concat().join(" ");
    let comment = format!("galop make {command}: {}", model.about);
    output::write_problem(&[comment], &problem, args.output.as_deref(), &[])?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the table of models.
fn list() -> anyhow::Result<ExitCode> {
    let mut rows: Vec<(String, &str)> = Vec::new();
    for model in MODELS {
        rows.push((usage(model), model.about));
        if model.name == OF_PUZZLES {
            rows.push((PUZZLES.usage.to_owned(), PUZZLES.about));
        }
    }
    let width = rows.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let line = |(usage, about): &(String, &str)| format!("{usage:<width$}  {about}\n");
    output::print(rows.iter().map(line).collect::<String>().as_bytes())
}

/// The name and the arguments.
fn usage(model: &Model) -> String {
    format!("{} {}", model.name, model.usage).trim_end().to_owned()
}

/// Whether `word` is a size, such as 3x3.
fn is_size(word: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    word.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

/// Writes the problem of the puzzle `word`, or of the first puzzle of the file of that name.
fn make_puzzle(args: &MakeArgs, word: &str) -> anyhow::Result<ExitCode> {
    let (rules, cells) = read(word, &rules::choice(&args.kind)?)?;
    let text: String = cells.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect();
    let clues = match cells.iter().all(|&symbol| symbol == 0) {
        true => "the empty grid",
        false => "its clues are chosen: the items that they cover are left out",
    };
    let comments = [format!("rules {}", rules.name()), format!("puzzle {text}"), clues.to_owned()];
    let others: Vec<&Path> =
        [Path::new(word)].into_iter().chain(args.kind.maps().map(|(_, path)| path)).collect();
    output::write_problem(&comments, &rules.reduced_cover(&cells)?, args.output.as_deref(), &others)?;
    Ok(ExitCode::SUCCESS)
}

/// The puzzle `word`, or the first puzzle of the file of that name, and its rules.
fn read(word: &str, choice: &KindChoice) -> anyhow::Result<(Rules, Vec<u8>)> {
    let path = Path::new(word);
    let opened = if word == "-" { Ok(vec![Source::stdin()]) } else { argument::open(path, choice, false) };
    let mut sources = match opened {
        // The file is missing, and the word is not nearly a puzzle.
        Err(error) if !path.exists() && error.is::<Error>() => bail!(
            "`{}` is neither a {} puzzle nor a file nor a size of blocks, such as 3x3",
            word.escape_debug(),
            choice.variant
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
