//! Converts sources to another format, without solving: puzzles, the answers beside them, and all other columns where the
//! format has columns. Nothing is checked but that the records are puzzles.

use std::collections::BTreeSet;
use std::io::Write;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::solve::{SolvedInput, Watch};
use super::{
    BATCH_CHUNK_BYTES, ChunkJob, ColumnsDiffer, Failure, NotConverted, PagePlace, Part, Pipeline, Reading,
    SourceHead, Station,
};
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::LineError;
use crate::input::format::{Field, Format, Notation};
use crate::input::records::{MALFORMED_KEPT, MalformedRecord, Puzzle, Record};
use crate::input::source::Source;
use crate::output::FormatEntry;
use crate::output::copied::{Copied, Copier, Fields, Holds};
use crate::puzzle::Status;

/// The names of the columns if the input has none.
const NAMES: [&str; 2] = ["puzzle", "solution"];

/// How sources are converted.
#[derive(Clone, Copy, Debug)]
pub struct ConvertOptions<'a> {
    /// Worker threads; `None` for one a core.
    pub threads: Option<NonZero<usize>>,
    /// The format of the output, one that has [`about_converted`](FormatEntry::about_converted).
    pub format: &'static FormatEntry,
    /// Bytes of input a chunk; `None` for the usual number.
    pub chunk_bytes: Option<NonZero<usize>>,
    /// Once this is true the run ends with [`ErrorKind::Stopped`].
    pub stop: &'a AtomicBool,
}

/// What was converted.
#[derive(Clone, Debug, Default)]
pub struct ConvertOutcome {
    /// The sources in order.
    pub inputs: Vec<SolvedInput>,
    /// Records of all sources.
    pub records: u64,
    /// Those that are no puzzles.
    pub malformed_count: u64,
    /// The first of them.
    pub malformed: Vec<MalformedRecord>,
    /// Records with an answer, or the status word in its place.
    pub answers: u64,
    /// Whether answers have a place in the format.
    pub keeps_answers: bool,
    /// Columns that have no place in the format.
    pub left_out: BTreeSet<String>,
    /// Fields that have no column, because the first records lack it.
    pub lost_fields: u64,
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{ConvertOptions, ConvertRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let format = output::format("json").expect("a row of FORMATS");
/// let stop = false.into();
/// let options = ConvertOptions { threads: None, format, chunk_bytes: None, stop: &stop };
/// let mut run = ConvertRun::open(&Rules::sudoku(), options, Vec::new())?;
/// run.convert(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert!(bytes.starts_with(b"{\"puzzle\":\"4.....8.5.3") && outcome.records == 1);
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was converted"]
pub struct ConvertRun<'a, W> {
    options: ConvertOptions<'a>,
    copier: &'static Copier,
    notation: Notation,
    pipeline: Pipeline<ConvertWorker, Page>,
    out: W,
    outcome: ConvertOutcome,
    /// The names in the header, once it is written.
    header: Option<Plan>,
}

impl<'a, W: Write> ConvertRun<'a, W> {
    /// Starts the threads. The records will be written to `out`.
    ///
    /// # Errors
    /// [`NotConverted`] or [`ErrorKind::Threads`].
    pub fn open(rules: &Rules, options: ConvertOptions<'a>, out: W) -> Result<Self, Error> {
        let copier = options.format.copier.ok_or(NotConverted { format: options.format.name })?;
        let pipeline = Pipeline::new(options.threads, || Ok(ConvertWorker::new(copier, rules)))?;
        let outcome =
            ConvertOutcome { keeps_answers: copier.holds >= Holds::Answer, ..ConvertOutcome::default() };
        Ok(ConvertRun { options, copier, notation: rules.into(), pipeline, out, outcome, header: None })
    }

    /// Converts every record of `source`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`].
    pub fn convert(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        let name = source.name().to_owned();
        let input = SolvedInput { name, mapped: source.is_mapped(), ..SolvedInput::default() };
        let ConvertRun { options, copier, notation, pipeline, out, outcome, header } = self;
        let chunk_bytes = options.chunk_bytes.map_or(BATCH_CHUNK_BYTES, NonZero::get);
        let reading =
            Reading { notation: notation.clone(), chunk_bytes, part: Part::WHOLE, stop: options.stop };
        let mut station = ConvertStation { copier, out, outcome, header, watch, input, first: Vec::new() };
        let result = pipeline.run(source, reading, &mut station);
        let input = station.input;
        self.outcome.inputs.push(input);
        result
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(self) -> Result<(W, ConvertOutcome), Error> {
        let ConvertRun { copier, pipeline, mut out, mut outcome, header, .. } = self;
        if let Some(print) = copier.header.filter(|_| header.is_none()) {
            let mut first = Vec::new();
            print(&NAMES.map(str::to_owned), &mut first);
            out.write_all(&first).map_err(ErrorKind::Write)?;
        }
        out.flush().map_err(ErrorKind::Write)?;
        for worker in pipeline.into_workers() {
            outcome.malformed_count += worker.malformed;
            outcome.answers += worker.answers;
            outcome.lost_fields += worker.lost_fields;
        }
        Ok((out, outcome))
    }
}

impl<W> std::fmt::Debug for ConvertRun<'_, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ConvertRun").field("options", &self.options).finish_non_exhaustive()
    }
}

/// Where the fields of a source go.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// The names of the output.
    names: Vec<String>,
    /// The column of the output for each of the input; empty if the input has no columns.
    columns: Vec<usize>,
    /// The columns of the puzzle and of the answer in the output.
    puzzle: usize,
    answer: Option<usize>,
    /// Whether records stay as they are.
    is_unchanged: bool,
}

impl Plan {
    /// The plan for a source, whose columns are those of the output.
    fn new(head: &SourceHead<'_>, has_header: bool) -> Plan {
        if let Some(every) = head.format.every_column() {
            let mut names = every.names.clone();
            if !has_header {
                make_unique(&mut names);
            }
            let columns = (0..names.len()).collect();
            return Plan { names, columns, puzzle: every.puzzle, answer: every.answer, is_unchanged: false };
        }
        let names = match head.format.taken() {
            Some(taken) => [Some(taken.puzzle.clone()), taken.answer.clone()],
            None => [Some(NAMES[0].to_owned()), first_has_answer(head).then(|| NAMES[1].to_owned())],
        };
        let names: Vec<String> = names.into_iter().flatten().collect();
        let answer = (names.len() > 1).then_some(1);
        Plan { names, columns: Vec::new(), puzzle: 0, answer, is_unchanged: false }
    }

    /// The same for a later source, whose columns go to those of `first`, a header that is written.
    fn below(self, first: &Plan) -> Result<Plan, ColumnsDiffer> {
        let place = |column: usize| match column {
            column if column == self.puzzle => Some(first.puzzle),
            column if Some(column) == self.answer => first.answer,
            column => first.names.iter().position(|name| *name == self.names[column]),
        };
        let columns: Option<Vec<usize>> = self.columns.iter().map(|&column| place(column)).collect();
        let (Some(columns), true) = (columns, self.answer.is_none() || first.answer.is_some()) else {
            return Err(ColumnsDiffer);
        };
        Ok(Plan { columns, is_unchanged: false, ..first.clone() })
    }
}

/// Adds a number to each name that an earlier column has.
fn make_unique(names: &mut [String]) {
    for column in 1..names.len() {
        let (name, mut number) = (names[column].clone(), 1);
        while names[..column].contains(&names[column]) {
            number += 1;
            names[column] = format!("{name}_{number}");
        }
    }
}

/// Whether the first record of a source without columns has an answer. True if it is malformed: a later one may have.
fn first_has_answer(head: &SourceHead<'_>) -> bool {
    let format = head.format;
    if format.of_many_lines().is_some() {
        return format.has_answers();
    }
    match format.puzzle(head.first_record, &mut Vec::new()) {
        Ok(at) => {
            let mut buffer = Vec::new();
            let field = format.solution(head.first_record, at);
            field.is_some_and(|at| is_answer(format, format.characters(&head.first_record[at], &mut buffer)))
        }
        Err(_) => true,
    }
}

/// Whether `text` is a grid, or a status word in the place of one.
fn is_answer(format: &dyn Format, text: &[u8]) -> bool {
    let Notation { cells, alphabet } = format.notation();
    text.len() == *cells && text.iter().all(|&byte| alphabet.cell(byte).is_some())
        || Status::ALL.iter().any(|status| status.word().as_bytes() == text)
}

struct ConvertStation<'r, W> {
    copier: &'static Copier,
    out: &'r mut W,
    outcome: &'r mut ConvertOutcome,
    header: &'r mut Option<Plan>,
    watch: &'r mut dyn Watch,
    input: SolvedInput,
    /// Bytes of the header that are not written yet.
    first: Vec<u8>,
}

impl<W: Write> Station for ConvertStation<'_, W> {
    type Worker = ConvertWorker;
    type Page = Page;
    type Decision = Arc<Plan>;

    fn recognised(&mut self, head: &SourceHead<'_>) -> Result<Arc<Plan>, Error> {
        let ConvertStation { copier, outcome, header, input, first, .. } = self;
        input.format = head.format.name();
        input.columns = head.format.taken().cloned();
        let mut plan = Plan::new(head, copier.header.is_some());
        if copier.holds < Holds::Fields {
            let is_kept = |column| {
                column == plan.puzzle || Some(column) == plan.answer && copier.holds >= Holds::Answer
            };
            let all = head.format.every_column().map_or(&[][..], |every| &every.names);
            let names = all.iter().enumerate().filter(|(column, _)| !is_kept(*column));
            outcome.left_out.extend(names.map(|(_, name)| name.clone()));
        }
        if let Some(print) = copier.header {
            match header.as_ref() {
                Some(before) => {
                    plan = plan.below(before).map_err(|error| Error::at(&input.name, error))?;
                }
                None => print(&plan.names, first),
            }
        }
        header.get_or_insert_with(|| plan.clone());
        plan.is_unchanged = copier.unchanged == Some(head.format.name());
        Ok(Arc::new(plan))
    }

    fn work(
        worker: &mut ConvertWorker,
        plan: Arc<Plan>,
        chunk: &ChunkJob<'_>,
        page: &mut Page,
    ) -> Result<(), Failure> {
        page.out.clear();
        page.malformed.clear();
        for record in chunk.records() {
            worker.copy(&record, chunk.format, &plan, page);
        }
        if chunk.is_stopped() { Err(Failure::stopped()) } else { Ok(()) }
    }

    fn deliver(&mut self, page: &mut Page, at: &PagePlace) -> Result<(), Error> {
        let ConvertStation { out, outcome, watch, input, first, .. } = self;
        out.write_all(&std::mem::take(first)).map_err(ErrorKind::Write)?;
        out.write_all(&page.out).map_err(ErrorKind::Write)?;
        for (line, error) in page.malformed.drain(..) {
            if outcome.malformed.len() < MALFORMED_KEPT {
                let (path, line) = (input.name.clone(), at.lines_before + line + 1);
                let malformed = MalformedRecord { path, line, error };
                watch.malformed(&malformed);
                outcome.malformed.push(malformed);
            }
        }
        input.add(at);
        outcome.records += at.records;
        watch.advanced(at.position, outcome.records);
        Ok(())
    }
}

/// What one chunk becomes. Lines count from 0 in the chunk.
#[derive(Default)]
struct Page {
    out: Vec<u8>,
    malformed: Vec<(u64, LineError)>,
}

/// What one thread keeps between chunks.
struct ConvertWorker {
    copier: &'static Copier,
    rules: Rules,
    fields: Fields,
    /// Room for a puzzle and an answer that are not one character a cell.
    puzzle: Vec<u8>,
    answer: Vec<u8>,
    malformed: u64,
    answers: u64,
    lost_fields: u64,
}

impl ConvertWorker {
    fn new(copier: &'static Copier, rules: &Rules) -> ConvertWorker {
        ConvertWorker {
            copier,
            rules: rules.clone(),
            fields: Fields::default(),
            puzzle: Vec::new(),
            answer: Vec::new(),
            malformed: 0,
            answers: 0,
            lost_fields: 0,
        }
    }

    fn copy(&mut self, record: &Record<'_>, format: &dyn Format, plan: &Plan, page: &mut Page) {
        match &record.puzzle {
            Ok(puzzle) => self.copy_puzzle(record, puzzle, format, plan, &mut page.out),
            Err(error) => {
                self.malformed += 1;
                if page.malformed.len() < MALFORMED_KEPT {
                    page.malformed.push((record.line, *error));
                }
                self.copy_malformed(record, plan, &mut page.out);
            }
        }
    }

    fn copy_puzzle(
        &mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        format: &dyn Format,
        plan: &Plan,
        out: &mut Vec<u8>,
    ) {
        let ConvertWorker { copier, rules, fields, puzzle: puzzle_text, answer: answer_text, .. } = self;
        let answer = format.solution(record.text, puzzle.at.clone());
        let answer = answer.map(|at| format.characters(&record.text[at], answer_text));
        let answer = answer.filter(|text| is_answer(format, text));
        self.answers += u64::from(answer.is_some());
        // A pasted puzzle is written as galop writes puzzles.
        let is_plain = puzzle.text.len() == puzzle.cells.len() || format.taken().is_some();
        if plan.is_unchanged && is_plain {
            out.extend_from_slice(record.text);
            out.push(b'\n');
            return;
        }
        let text = puzzle.on_one_line(rules.alphabet(), puzzle_text);
        if copier.holds == Holds::Fields {
            fields.clear(plan.names.len());
            let mut lost = 0;
            format.for_each_field(record.text, &mut |column, field| match column
                .and_then(|column| plan.columns.get(column))
            {
                Some(&column) => fields.set(column, field),
                None => lost += 1,
            });
            fields.set(plan.puzzle, Field::Text(text));
            // A column of answers has its own text, and no status word of another column.
            match (plan.answer, answer) {
                (Some(column), Some(answer)) if plan.columns.is_empty() => {
                    fields.set(column, Field::Text(answer));
                }
                (Some(column), Some(answer)) if matches!(fields.get(column), Field::Literal(_)) => {
                    fields.set(column, Field::Text(answer));
                }
                (None, Some(_)) if plan.columns.is_empty() => lost += 1,
                _ => {}
            }
            self.lost_fields += lost;
        }
        let cells = Some(puzzle.cells);
        (copier.print)(&Copied { puzzle: text, cells, answer, names: &plan.names, fields, rules }, out);
    }

    /// A malformed record: its text in the place of the puzzle, and the word in that of the answer.
    #[cold]
    fn copy_malformed(&mut self, record: &Record<'_>, plan: &Plan, out: &mut Vec<u8>) {
        let ConvertWorker { copier, rules, fields, .. } = self;
        let word = Status::Malformed.word().as_bytes();
        let mut echo = Vec::new();
        crate::output::push_escaped(record.text, &mut echo);
        fields.clear(plan.names.len());
        fields.set(plan.puzzle, Field::Text(&echo));
        if let Some(answer) = plan.answer {
            fields.set(answer, Field::Text(word));
        }
        let (puzzle, answer) = (record.text, Some(word));
        (copier.print)(&Copied { puzzle, cells: None, answer, names: &plan.names, fields, rules }, out);
    }
}
