//! What the user reads on standard error: errors with the option that helps, warnings, malformed records.
//!
//! The library says what is wrong and where. Only this file knows which option of the tool helps.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anstyle::{AnsiColor, Reset};
use galop_batch::figures::{duration, group_digits, pluralize};
use galop_batch::input::{
    DamageKind, FileKind, InputError, LineError, LineErrorKind, MALFORMED_KEPT, MalformedRecord, MemberFault,
    NpyFault,
};
use galop_batch::output::{NoPlaceForCount, NoWidth, ResumeError};
use galop_batch::pipeline::{
    AnswerCounts, ColumnsDiffer, Disagreement, ShardError, SolvedInput, Unanswered, UnknownState,
};
use galop_batch::{Error, ErrorKind, printable};
use galop_compare::{CoverFault, PlanError, PrintedWrong};
use galop_corpora::generate::GenerateError;
use galop_cover::CoverError;
use galop_engines::grid::{GridError, WrongSolution};
use galop_report::Style;

use super::{args, command, rules};

/// The name of standard input in messages.
pub(super) const STDIN: &str = "<stdin>";

/// Prints a line on standard error. If that fails (a full disk, a closed pipe), the run goes on: its output and its
/// exit code matter more than a message. `eprintln!` would panic.
pub(super) fn say(line: impl fmt::Display) {
    let mut stderr = anstream::stderr().lock();
    let _ = writeln!(stderr, "{line}").and_then(|()| stderr.flush());
}

/// Prints an error, and what helps.
pub(super) fn error(error: &anyhow::Error) {
    let help = match error.downcast_ref() {
        Some(CoverError::Unsuitable { .. }) => Some("--engine auto chooses one that can".into()),
        Some(CoverError::WrongCover { .. }) => Some("another --engine may help meanwhile".into()),
        _ => error.downcast_ref::<Error>().and_then(help),
    };
    let help = help.map(suited).unwrap_or_default();
    let (on, off) = (AnsiColor::Red.on_default().bold(), Reset);
    say(format_args!("{on}galop: error:{off} {error:#}{help}"));
}

/// The parts of `help` that name only options of the command that was typed, behind a semicolon each.
fn suited(help: String) -> String {
    // Only options of other programs stand with a `=`.
    let is_own = |name: &&str| !name.is_empty() && !name.contains('=');
    let has_all = |part: &&str| {
        let words = part.split([' ', ',', ':']).filter_map(|word| word.strip_prefix("--"));
        words.filter(is_own).all(|name| args::has_option(&command::words(), name))
    };
    help.split("; ").filter(has_all).map(|part| format!("; {part}")).collect()
}

/// Warns of an error that does not end the run.
pub(super) fn warn_error(error: &Error) {
    let help = help(error).map(suited).unwrap_or_default();
    warn(format_args!("{error}{help}"));
}

/// Prints a warning.
pub(super) fn warn(warning: impl fmt::Display) {
    let (on, off) = (AnsiColor::Yellow.on_default().bold(), Reset);
    say(format_args!("{on}galop: warning:{off} {warning}"));
}

/// Names a command that may be of use next, for a person: only if standard error is a terminal.
pub(super) fn next(command: impl fmt::Display) {
    if std::io::stderr().is_terminal() {
        let (on, off) = (anstyle::Style::new().dimmed(), Reset);
        say(format_args!("{on}next: {command}{off}"));
    }
}

/// Warns of `count` malformed records, the first of which have been printed. `outcome` says what became of them.
pub(super) fn warn_malformed(count: u64, outcome: &str) {
    if count > 0 {
        let (records, shown) = (pluralize(count, "malformed record", "malformed records"), shown(count));
        warn(format_args!("{records}{outcome}{shown}"));
    }
}

/// What a warning of `count` records adds if only the first of them were printed.
fn shown(count: u64) -> String {
    match count > MALFORMED_KEPT as u64 {
        true => format!(", the first {MALFORMED_KEPT} of them shown"),
        false => String::new(),
    }
}

/// Warns of `inputs` without records. Returns whether that are all of them.
pub(super) fn warn_empty(inputs: &[SolvedInput]) -> bool {
    /// Inputs that are named.
    const NAMED: usize = 5;
    let is_empty = |input: &&SolvedInput| input.records == 0;
    let names: Vec<String> =
        inputs.iter().filter(is_empty).map(|input| printable(&input.name).to_string()).collect();
    if names.is_empty() {
        return false;
    }
    warn(format_args!("no puzzles in {}", listed(&names, NAMED)));
    names.len() == inputs.len()
}

/// Warns of fields that have no column in the output.
pub(super) fn warn_lost_fields(count: u64) {
    if count > 0 {
        let fields = pluralize(count, "field is", "fields are");
        warn(format_args!("{fields} left out, because the first record has no such column"));
    }
}

/// Warns of answers that have no place in `format`, because they are no grids.
pub(super) fn warn_damaged_answers(count: u64, format: &str) {
    if count > 0 {
        let answers = pluralize(count, "damaged answer is", "damaged answers are");
        warn(format_args!(
            "{answers} left out, because {format} holds only grids; `galop verify` names them"
        ));
    }
}

/// Warns of `inputs` whose eliminated candidates are not used.
pub(super) fn warn_eliminations(inputs: &[SolvedInput]) {
    for input in inputs.iter().filter(|input| input.has_eliminations) {
        let name = printable(&input.name);
        warn(format_args!("{name}: eliminations are not used: its puzzles are read with all candidates"));
    }
}

/// Names the arrays of archives that became no columns.
pub(super) fn say_left_out_arrays(inputs: &[SolvedInput]) {
    for input in inputs.iter().filter(|input| !input.left_out.is_empty()) {
        let (name, names) = (printable(&input.name), names_of(&input.left_out));
        say(format_args!(
            "{name}: left out: {names}, because they do not have one number or text for each puzzle"
        ));
    }
}

/// The names of files in a line.
pub(super) fn paths_of<'a>(paths: impl Iterator<Item = &'a Path>) -> String {
    let paths: Vec<String> = paths.map(|path| printable(path).to_string()).collect();
    listed(&paths, MAX_NAMES)
}

/// At most `most` names in a line, and how many more there are.
fn listed(names: &[String], most: usize) -> String {
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", names[..names.len().min(most)].join(", "))
}

/// Names that are listed.
const MAX_NAMES: usize = 20;

/// The names of columns, arrays or files in a line.
pub(super) fn names_of<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{}`", name.escape_debug())).collect();
    listed(&names, MAX_NAMES)
}

/// Warns of wrong answers that the input gives, the first of which have been printed.
pub(super) fn warn_wrong_answers(answers: &AnswerCounts) {
    if answers.wrong > 0 {
        let (wrong, given) = (group_digits(answers.wrong), group_digits(answers.given));
        let shown = shown(answers.wrong);
        warn(format_args!("{wrong} of {given} given answers are wrong{shown}"));
    }
}

/// Why the server did not start.
pub(super) fn cannot_listen(address: SocketAddr) -> String {
    format!("cannot listen on {address}; choose another --port N, or --port 0 for any free one")
}

/// Warns that the server is not for this machine only.
pub(super) fn warn_open_to_others() {
    warn("everyone who can reach this address can use the page; without --address, only this machine can");
}

/// A malformed record as text: its place, what is wrong, and what helps.
pub(super) fn malformed(malformed: &MalformedRecord) -> String {
    match rules::lacking_size(&malformed.error) {
        _ if has_other_symbols(&malformed.error) => format!("{malformed}; {ALPHABET_HELP}"),
        Some(lacking) => format!("{malformed}; {lacking}"),
        None => malformed.to_string(),
    }
}

/// Whether the line may be written in another alphabet.
pub(super) fn has_other_symbols(error: &LineError) -> bool {
    matches!(error.kind, LineErrorKind::Symbol { .. })
}

/// What helps against lines in another alphabet.
pub(super) const ALPHABET_HELP: &str = "if the puzzles use other symbols, name them: --alphabet NAME";

/// The colours of a report on the terminal.
pub(super) fn style() -> Style {
    Style {
        heading: anstyle::Style::new().bold().to_string(),
        bar: AnsiColor::Green.on_default().to_string(),
        warning: AnsiColor::Yellow.on_default().to_string(),
        dim: anstyle::Style::new().dimmed().to_string(),
        reset: Reset.to_string(),
    }
}

/// The start of a summary: `1,000 records in 3.2 ms`.
pub(super) fn records_in(records: u64, time: Duration) -> String {
    format!("{} in {}", pluralize(records, "record", "records"), duration(time.as_nanos() as f64))
}

/// What helps against an error: an option, or another way.
pub(super) fn help(error: &Error) -> Option<String> {
    if let (ErrorKind::Read(reason), Some(path)) = (error.kind(), error.path())
        && reason.kind() == std::io::ErrorKind::NotFound
        && path.to_string_lossy().contains(['*', '?', '['])
    {
        return Some("the shell found no file that matches this pattern".to_owned());
    }
    if let Some(help) = error.fact().and_then(|input| help_with_file(input, error.path())) {
        return Some(help);
    }
    let input = error.fact().and_then(|error| match error {
        InputError::Changed => Some("run again when nothing writes to it"),
        InputError::MissingCells { .. } => Some("please report the file and the command"),
        InputError::Header(_) => Some("correct the header, which must be one line"),
        InputError::PuzzleColumns { .. } => Some("rename or remove the other column"),
        InputError::UnclearColumn { .. } => Some("name it: --column NAME|N"),
        InputError::UnknownColumn { .. } => {
            Some("choose one by its name or number: --column NAME|N, --answer-column NAME|N")
        }
        InputError::Alphabet(_) => Some("choose one: --alphabet NAME"),
        _ => None,
    });
    let shard = error.fact().and_then(|error| match error {
        ShardError::Stream => Some("save it as a file and name that file, or leave out --shard"),
        ShardError::Compressed | ShardError::Member => {
            Some("unpack it to a file and name that file, or leave out --shard")
        }
        _ => None,
    });
    let resume = error.fact().and_then(|error| match error {
        ResumeError::Differs { .. } => {
            Some("continue with the same command and files, or remove the files .partial and .progress to begin again")
        }
        ResumeError::Exists | ResumeError::OfAnother { .. } => Some("to solve again, remove it, or leave out --resume"),
        ResumeError::Altered | ResumeError::NoProgress => {
            Some("remove the files .partial and .progress to begin again")
        }
        ResumeError::Busy => Some("wait until it ends"),
        ResumeError::NoFile => Some("name a file: -o FILE"),
        ResumeError::Stream => Some("save it as a file, or leave out --resume"),
        _ => None,
    });
    let state = error.fact().map(|UnknownState| "remove the files .partial and .progress to begin again");
    let grid = error.fact().and_then(|error| match error {
        GridError::NoRegions { .. } => Some("name the file of the map: --regions FILE"),
        _ => None,
    });
    let arrays = match (error.fact(), error.fact()) {
        (Some(NoPlaceForCount), _) => {
            Some("write a regular file, -o FILE.npy or FILE.npz, and compress it afterwards")
        }
        (_, Some(NoWidth { .. })) => Some("leave it out of --columns, or choose --format csv"),
        _ => None,
    };
    let columns =
        error.fact().map(|ColumnsDiffer| "give that file a run of its own, or choose --format json");
    let plan = error.fact().and_then(|error| match error {
        PlanError::Reference => Some("name it in --engines too"),
        PlanError::NoPuzzles => Some("name a file that has puzzles"),
        _ => None,
    });
    let generate = error.fact().and_then(|error| match error {
        GenerateError::NoPuzzle { .. } => Some("choose a larger --clues"),
        GenerateError::Places { .. } => Some("choose a smaller --from or --count"),
        GenerateError::NoPattern { .. } => {
            Some("choose a --pattern with more clues, or with clues in other cells")
        }
        GenerateError::PatternCells { .. } => {
            Some("write a character for each cell: `.` for a blank, `x` for a clue")
        }
        GenerateError::Asymmetric { .. } => Some("choose a wider range of --clues, or another --symmetric"),
        GenerateError::NoMinimal { .. } => Some("choose --clues closer to these, or leave out --minimal"),
        GenerateError::NoGuesses { .. } => Some("choose --guesses closer to these"),
        GenerateError::NoWeights => {
            Some("leave out --unbiased and the column weight, or the option that does not fit")
        }
        GenerateError::NoGrid { .. } => {
            Some("to find out, run `galop solve` on an empty grid with these regions")
        }
        _ => None,
    });
    let is_of_program =
        error.fact::<PrintedWrong>().is_some() || matches!(error.fact(), Some(CoverFault::Printed { .. }));
    let is_bug = is_contradiction(error) && !is_of_program || error.fact::<Unanswered>().is_some();
    let words = command::words();
    let has_program = words
        .iter()
        .take_while(|word| *word != "--")
        .any(|word| word.to_string_lossy().starts_with("--command"));
    let bug = is_bug.then_some(match has_program {
        true => {
            "unless the program of --command is wrong: in that case, please report the puzzle to its authors"
        }
        false => "please report the puzzle and the command; another --engine may help meanwhile",
    });
    let files = input.or(shard).or(resume).or(state).or(arrays).or(columns);
    files.or(grid).or(plan).or(generate).or(bug).map(str::to_owned)
}

/// What helps against an input that is no lines of text: a command that makes it so.
fn help_with_file(error: &InputError, path: Option<&Path>) -> Option<String> {
    let path = path.filter(|path| *path != Path::new(STDIN));
    let file = path.map(command::quoted_path);
    // A program that reads the file, or what came through the pipe.
    let galop = format!("galop {} -", command::name());
    let galop_file = format!("galop {} FILE", command::name());
    let through = |program: &str| match &file {
        Some(file) => format!("{program} < {file} | {galop}"),
        None => format!("... | {program} | {galop}"),
    };
    let of_file = file.as_deref().unwrap_or("FILE");
    Some(match error {
        InputError::Compressed(program) => match &file {
            Some(file) => format!("unpack it into standard input: {} {file} | {galop}", unpacker(program)),
            None => format!("unpack it first: {}", through(&unpacker(program))),
        },
        InputError::Damaged(damage) => match &damage.kind {
            DamageKind::Window => {
                let limit = if damage.format == "zstd" { " --memory=2GiB" } else { "" };
                let unpacker = unpacker(damage.format);
                format!("unpack it into standard input: {unpacker}{limit} {of_file} | {galop}")
            }
            DamageKind::Garbage => "if these bytes do not belong to it, remove them".to_owned(),
            _ => "copy or download the file again".to_owned(),
        },
        InputError::Member { member, fault: MemberFault::Encrypted } => {
            let member = command::quoted_path(Path::new(member));
            format!("unpack it into standard input: unzip -p -P PASSWORD {of_file} {member} | {galop}")
        }
        InputError::Member { member, fault: MemberFault::Method(_) } => {
            let member = command::quoted_path(Path::new(member));
            format!("unpack it into standard input: 7z x -so {of_file} {member} | {galop}")
        }
        InputError::Member { .. } | InputError::NoDirectory => "copy or download the file again".to_owned(),
        InputError::NotText(FileKind::Zip) => match &file {
            // An archive inside a file that is unpacked.
            Some(_) => "unpack the outer file first and name the archive".to_owned(),
            None => format!("an archive is read from its end: save it as a file, then run {galop_file}"),
        },
        InputError::NotText(FileKind::SevenZip) => {
            format!("unpack it into standard input: 7z x -so {of_file} | {galop}")
        }
        InputError::NotText(FileKind::Tar) => match path {
            Some(_) => format!("unpack it into standard input: tar -xOf {of_file} | {galop}"),
            None => format!("unpack it into standard input: ... | tar -xO | {galop}"),
        },
        InputError::NotText(FileKind::Xlsx) => {
            "save the sheet as CSV in a spreadsheet program, or write it with pandas".to_owned()
        }
        InputError::NotText(FileKind::Pickle) => {
            "load it in Python and write the puzzles as text or CSV; a pickle runs code when it is loaded, so load only \
             files that you trust"
                .to_owned()
        }
        InputError::NotText(FileKind::Hdf5) => "write it as CSV first, for example with h5py or pandas".to_owned(),
        InputError::NotText(FileKind::Parquet) => no_parquet_is_read(path),
        InputError::NotText(FileKind::Sqlite) => {
            format!(
                "write a table of it as CSV: sqlite3 -csv -header {of_file} 'SELECT * FROM TABLE' | {galop}"
            )
        }
        InputError::NotText(FileKind::Utf16) => {
            format!("convert it: {}", through("iconv -f UTF-16 -t UTF-8"))
        }
        InputError::NotText(FileKind::Utf32) => {
            format!("convert it: {}", through("iconv -f UTF-32 -t UTF-8"))
        }
        InputError::NotText(FileKind::Arrow) => {
            "write it as CSV first, for example with pandas; in Python, galop.solve takes its table".to_owned()
        }
        InputError::NotText(FileKind::Utf16Le) => {
            format!("convert it: {}", through("iconv -f UTF-16LE -t UTF-8"))
        }
        InputError::NotText(FileKind::Utf16Be) => {
            format!("convert it: {}", through("iconv -f UTF-16BE -t UTF-8"))
        }
        InputError::NotUnicode if is_named(path, "npz") => {
            "decode its arrays of bytes: np.char.decode(a, 'latin1')".to_owned()
        }
        InputError::NotUnicode => format!("convert it: {}", through("iconv -f LATIN1 -t UTF-8")),
        InputError::Stranger(kind) if kind.has_map => {
            format!("then: galop {} --regions MAP CLUES", command::name())
        }
        InputError::ExactCover => format!("solve it: galop cover {of_file}"),
        InputError::UnclearArray { .. } => {
            "name it: --column NAME, and --answer-column NAME if another array has the answers".to_owned()
        }
        InputError::Npy(NpyFault::Rows { .. }) => {
            "choose other arrays, --column NAME, --answer-column NAME, or give each puzzle its answer".to_owned()
        }
        InputError::Npy(NpyFault::ColumnsFirst) => {
            format!("write it in C order: {}", in_numpy(of_file, "np.ascontiguousarray(a)"))
        }
        InputError::Npy(NpyFault::Type(name)) => match name.trim_start_matches(['|', '<', '>']).chars().next() {
            // Texts, or Python's objects.
            Some(kind @ ('U' | 'S' | 'O')) => {
                let pickled = if kind == 'O' { ", allow_pickle=True" } else { "" };
                let print = format!("print(*np.load({of_file:?}{pickled}).astype(str).flat, sep='\\n')");
                format!("if it holds puzzles as texts, print them: python3 -c \"import numpy as np; {}\" | {galop}", print.replace('"', "'"))
            }
            _ => format!("convert it: {}", in_numpy(of_file, "a.astype(np.uint8)")),
        },
        InputError::Npy(NpyFault::ChannelsFirst(_)) => format!(
            "put them last: {}; or if they are last: a.reshape(-1, 81, 9)",
            in_numpy(of_file, "a.transpose(0, 2, 3, 1).reshape(-1, 81, 9)")
        ),
        InputError::Npy(NpyFault::Shape(shape)) => {
            let sizes: Vec<u64> = shape.split(|c: char| !c.is_ascii_digit()).filter_map(|size| size.parse().ok()).collect();
            match sizes[..] {
                [_, 2, 81] | [_, 2, 9, 9] => {
                    format!("take the puzzles alone: {}", in_numpy(of_file, "a[:, 0]"))
                }
                [_, 9 | 10, 81] => format!("put the digits last: {}", in_numpy(of_file, "a.transpose(0, 2, 1)")),
                [_, channels, rows, columns] if rows == columns && (rows..=rows + 1).contains(&channels) => {
                    format!("put the digits last: {}", in_numpy(of_file, "a.transpose(0, 2, 3, 1)"))
                }
                _ => format!("reshape it: {}", in_numpy(of_file, "a.reshape(-1, 81)")),
            }
        }
        InputError::CarriageReturns => format!("convert it: {}", through(r"tr '\r' '\n'")),
        _ => return None,
    })
}

/// Whether the name of a file has this ending.
fn is_named(path: Option<&Path>, ending: &str) -> bool {
    path.and_then(Path::extension).is_some_and(|other| other.eq_ignore_ascii_case(ending))
}

/// What helps with a Parquet file as an input.
fn no_parquet_is_read(path: Option<&Path>) -> String {
    let (command, file) = (command::name(), name_in_quotes(path));
    let call = match &*command {
        "solve" => Some(format!("solve_file('{file}', ...)")),
        "verify" => Some(format!("verify_file('{file}')")),
        "convert" => Some(format!("convert(Path('{file}'), ...)")),
        _ => None,
    };
    let python = in_python(call);
    format!(
        "galop reads no Parquet: {python}duckdb -csv -nullvalue \"\" -c \"FROM '{file}'\" | galop {command} -"
    )
}

/// What helps with a Parquet file as an output.
pub(super) fn no_parquet_is_written(path: Option<&Path>) -> String {
    let file = name_in_quotes(path);
    let call = match &*command::name() {
        "solve" => Some(format!("solve_file(..., '{file}')")),
        "convert" => Some(format!("convert(..., output='{file}')")),
        _ => None,
    };
    let python = in_python(call);
    format!(
        "galop writes no Parquet: {python}write csv, then \
         duckdb -c \"COPY (FROM read_csv('FILE.csv', all_varchar = true)) TO '{file}'\""
    )
}

/// How to `call` a function of the Python package, in front of another way.
fn in_python(call: Option<String>) -> String {
    call.map(|call| format!("pip install galop pyarrow, then galop.{call} in Python; or "))
        .unwrap_or_default()
}

/// The name of a file as it may stand between quotes of Python, SQL and a shell; `FILE.parquet` if it may not, or if
/// there is none.
fn name_in_quotes(path: Option<&Path>) -> String {
    let is_plain = |name: &String| !name.contains(|c: char| c.is_control() || "\"'`$\\!".contains(c));
    path.map(|path| path.to_string_lossy().into_owned()).filter(is_plain).unwrap_or("FILE.parquet".to_owned())
}

/// What to type in Python to write `array`, made of the array of `file`, to another file.
fn in_numpy(file: &str, array: &str) -> String {
    format!("in Python, a = np.load({file:?}); np.save(\"new.npy\", {array})")
}

/// The command that unpacks data of this `program` to standard output.
fn unpacker(program: &str) -> String {
    match program {
        "lzma" => "xz --format=lzma -dc".to_owned(),
        _ => format!("{program} -dc"),
    }
}

/// Whether a solution is wrong, or two engines contradict each other.
pub(super) fn is_contradiction(error: &Error) -> bool {
    error.fact::<WrongSolution>().is_some()
        || error.fact::<PrintedWrong>().is_some()
        || error.fact::<Disagreement>().is_some()
        || error.fact::<CoverFault>().is_some()
}
