//! What is kept of the records that are read: their text, if it has the format of the output, or else their fields. The
//! rows of a table become JSON objects, and objects become rows.

use std::collections::{HashMap, HashSet};
use std::ops::{AddAssign, Range};
use std::sync::Arc;

use memchr::memchr_iter;
use serde::{Deserialize, Serialize};

use super::{ChunkJob, ColumnsDiffer, Failure, SourceHead};
use crate::grid::Rules;
use crate::input::InputError;
use crate::input::answer::{AnswerContent as Given, AnswerField};
use crate::input::format::{Field, Format, Header, Notation, Regular};
use crate::input::line::first_line;
use crate::input::name::is_unicode;
use crate::input::records::{Puzzle, Record, write_cells};
use crate::output::columns::{Heading, TakenKeys, prefixes};
use crate::output::record::{Copied, Fields, Form, Kept, KeptText, push_nothing};
use crate::output::{FormatEntry, Holds};
use crate::puzzle::Status;

/// The columns of an output. The first source decides them.
pub(super) struct OutputHeader {
    format: &'static FormatEntry,
    /// The added columns where the fields of the input are kept.
    behind: Vec<Heading>,
    /// The columns where they are not, of answers; `None` if a puzzle and its answer are fields themselves.
    alone: Option<Vec<Heading>>,
    first: Option<Arc<SourcePlan>>,
}

/// What is kept of the records of a source.
#[derive(Clone, Debug, Default)]
pub(super) struct SourcePlan {
    keeps: Keeps,
    /// The names of the fields.
    names: Vec<String>,
    /// The place among them of each column of the input; empty if the input has no columns.
    columns: Vec<usize>,
    /// The place of the puzzle.
    puzzle: usize,
    /// The place of the answer.
    answer: Option<usize>,
    /// The added keys that the first record has already.
    taken: TakenKeys,
}

/// How fields are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Keeps {
    /// They are not: the puzzle is in an added column.
    #[default]
    Nothing,
    /// As the text of the record, because it has the format of the output.
    Text,
    /// Each by itself.
    Fields,
}

impl OutputHeader {
    /// The header of records with the columns `behind` their fields. `alone` are the columns of answers to records
    /// without fields.
    pub(super) fn new(
        format: &'static FormatEntry,
        behind: Vec<Heading>,
        alone: Option<Vec<Heading>>,
    ) -> OutputHeader {
        OutputHeader { format, behind, alone, first: None }
    }

    /// Whether a source has decided it.
    pub(super) fn is_known(&self) -> bool {
        self.first.is_some()
    }

    /// Takes the head of the next source. The first one decides the header of the output, which is appended to `out`.
    ///
    /// # Errors
    /// [`ColumnsDiffer`]: the columns of a later source have no place below the header.
    pub(super) fn keep(
        &mut self,
        head: &SourceHead<'_>,
        out: &mut Vec<u8>,
    ) -> Result<Arc<SourcePlan>, ColumnsDiffer> {
        let mut plan = self.plan(head);
        match &self.first {
            Some(first) if self.format.header.is_some() => plan = plan.below(first)?,
            Some(_) => {}
            None => {
                let header = head.header.filter(|_| plan.keeps == Keeps::Text);
                let text = header.map(|Header { line, columns }| KeptText {
                    text: line,
                    delimiter: columns.delimiter,
                    missing: 0,
                });
                self.print(text, &plan, out);
            }
        }
        let plan = Arc::new(plan);
        self.first.get_or_insert_with(|| plan.clone());
        Ok(plan)
    }

    /// The plan for a source, if its columns are the output's columns.
    fn plan(&self, head: &SourceHead<'_>) -> SourcePlan {
        let OutputHeader { format, behind, alone, .. } = self;
        let names = [Heading::PUZZLE, Heading::ANSWER].map(|heading| heading.name.to_owned());
        let mut plan = match &head.format.every {
            Some(every) if format.holds(Holds::Fields) => {
                let is_text = format.keeps == Some(head.format.name);
                SourcePlan {
                    keeps: if is_text { Keeps::Text } else { Keeps::Fields },
                    names: every.names.clone(),
                    columns: (0..every.names.len()).collect(),
                    puzzle: every.puzzle,
                    answer: every.answer,
                    taken: TakenKeys::default(),
                }
            }
            _ if alone.is_some() => return SourcePlan::default(),
            _ => {
                let mut names: Vec<String> = match &head.format.taken {
                    Some(taken) if format.holds(Holds::Fields) => {
                        [Some(taken.puzzle.clone()), taken.answer.clone()].into_iter().flatten().collect()
                    }
                    _ => names.to_vec(),
                };
                if format.holds(Holds::Fields) && head.format.taken.is_none() && !first_has_answer(head) {
                    names.pop();
                }
                let answer = (names.len() > 1).then_some(1);
                SourcePlan { keeps: Keeps::Fields, names, answer, ..SourcePlan::default() }
            }
        };
        // A header names each column; an object has each key once.
        if format.header.is_none() {
            make_unique(&mut plan.names);
            let taken = &mut plan.taken;
            match plan.keeps {
                Keeps::Text => {
                    head.format.for_each_key(head.first_record, &mut |key| taken.mark(behind, key));
                }
                _ if alone.is_some() => {
                    plan.names.iter().for_each(|name| taken.mark(behind, name.as_bytes()));
                }
                _ => {
                    let counts = behind.iter().map(|heading| prefixes_beside(&plan.names, heading));
                    taken.0 =
                        counts.map(|count| 1_u32.checked_shl(count).unwrap_or(0).wrapping_sub(1)).collect();
                }
            }
        }
        plan
    }

    /// Appends the header above the columns of `plan`, whose text may be there already.
    fn print(&self, text: Option<KeptText<'_>>, plan: &SourcePlan, out: &mut Vec<u8>) {
        let Some(print) = self.format.header else { return };
        let alone = self.alone.as_ref().filter(|_| plan.keeps == Keeps::Nothing);
        let added = alone.unwrap_or(&self.behind).iter();
        let added: Vec<_> = added.map(|heading| (*heading, prefixes_beside(&plan.names, heading))).collect();
        print(text, &plan.names, &added, out);
    }

    /// The header of an output without records; empty if a source has decided it.
    pub(super) fn without_sources(&self) -> Vec<u8> {
        let mut out = Vec::new();
        if !self.is_known() {
            let names = [Heading::PUZZLE, Heading::ANSWER].map(|heading| heading.name.to_owned());
            let plan = match self.alone {
                Some(_) => SourcePlan::default(),
                None => SourcePlan { keeps: Keeps::Fields, names: names.to_vec(), ..SourcePlan::default() },
            };
            self.print(None, &plan, &mut out);
        }
        out
    }
}

/// How many prefixes make the name of a column a new one beside `names`.
fn prefixes_beside(names: &[String], heading: &Heading) -> u32 {
    prefixes(heading.name, |name| names.iter().any(|other| other.eq_ignore_ascii_case(name)))
}

impl SourcePlan {
    /// Whether nothing of a record is kept but its puzzle.
    pub(super) fn keeps_nothing(&self) -> bool {
        self.keeps == Keeps::Nothing
    }

    /// Whether the fields of records are written each by itself.
    pub(super) fn has_fields(&self) -> bool {
        self.keeps == Keeps::Fields
    }

    /// The same for a later source, whose columns go to the columns of `first`, a header that is written: the puzzle and
    /// the answer to theirs, and of the others the first of a name to the first of that name, and so on.
    ///
    /// # Errors
    /// [`ColumnsDiffer`].
    fn below(self, first: &SourcePlan) -> Result<SourcePlan, ColumnsDiffer> {
        match (self.keeps, first.keeps) {
            (Keeps::Nothing, Keeps::Nothing) => return Ok(self),
            // The puzzle alone is in the columns of answers.
            (_, Keeps::Nothing) if self.names.len() == 1 => return Ok(SourcePlan::default()),
            (_, Keeps::Nothing) => return Err(ColumnsDiffer),
            _ => {}
        }
        let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
        let is_other = |column: &usize| *column != first.puzzle && Some(*column) != first.answer;
        for column in (0..first.names.len()).rev().filter(is_other) {
            places.entry(&first.names[column]).or_default().push(column);
        }
        let mut place = |column: usize| match column {
            column if column == self.puzzle => Some(first.puzzle),
            column if Some(column) == self.answer => first.answer,
            column => places.get_mut(&*self.names[column])?.pop(),
        };
        let columns: Option<Vec<usize>> = self.columns.iter().map(|&column| place(column)).collect();
        // Answers of lines that have no column are counted as lost, as they are within one source.
        let has_place = self.answer.is_none() || first.answer.is_some() || self.columns.is_empty();
        let Some(columns) = columns.filter(|_| has_place) else { return Err(ColumnsDiffer) };
        let is_text = self.keeps == Keeps::Text && first.keeps == Keeps::Text && self.names == first.names;
        let keeps = if is_text { Keeps::Text } else { Keeps::Fields };
        Ok(SourcePlan { keeps, columns, ..first.clone() })
    }
}

/// Adds a number to each name that an earlier column has. Returns how many names were tried.
fn make_unique(names: &mut [String]) -> usize {
    let (mut used, mut next, mut tried) = (HashSet::new(), HashMap::new(), 0);
    for name in names {
        let plain = name.clone();
        let number = next.entry(plain.clone()).or_insert(1_u64);
        tried += 1;
        while !used.insert(name.clone()) {
            tried += 1;
            *number += 1;
            *name = format!("{plain}_{number}");
        }
    }
    tried
}

/// Whether the first record of a source without columns has an answer. True if it is malformed: a later one may have.
fn first_has_answer(head: &SourceHead<'_>) -> bool {
    let format = head.format;
    if format.has_many_lines {
        return format.has_answers;
    }
    match format.puzzle(head.first_record, &mut Vec::new()) {
        Ok(at) => answer_in(head.first_record, &at, format, &mut Vec::new()).is_some(),
        Err(_) => true,
    }
}

/// What is written of a record that is well-formed.
#[derive(Clone, Copy, Default)]
pub struct Content<'a> {
    /// The cells of the puzzle; `None`: the puzzle as it was read.
    pub puzzle: Option<&'a [u8]>,
    /// The answer.
    pub answer: AnswerContent<'a>,
    /// Appends the value in one of the added columns, or nothing; `None`: they have no values. In a format without
    /// columns the values follow the puzzle and the answer.
    pub push: Option<&'a dyn Fn(usize, &mut Vec<u8>)>,
}

/// The answer that is written.
#[derive(Clone, Copy, Default)]
pub enum AnswerContent<'a> {
    /// The answer as it was read, or none if none was.
    #[default]
    AsRead,
    /// None. A column of answers keeps what it has.
    LeftOut,
    /// These cells.
    Cells(&'a [u8]),
}

/// What a writer of records counts. Adds up.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct FieldCounts {
    /// Records that were written with an answer, or the status word in its place.
    pub(super) answers: u64,
    /// Fields that have no column, because the first record lacks it.
    pub(super) lost: u64,
    /// Damaged answers that the format has no place for.
    pub(super) damaged: u64,
    /// Records of plain lines that were written without their other fields.
    pub(super) crowded: u64,
}

impl AddAssign for FieldCounts {
    fn add_assign(&mut self, other: FieldCounts) {
        self.answers += other.answers;
        self.lost += other.lost;
        self.damaged += other.damaged;
        self.crowded += other.crowded;
    }
}

/// Finds what is kept of records. Each thread has one.
struct Keeper {
    /// Whether the output is a table.
    is_table: bool,
    fields: Fields,
    /// The added columns behind the fields.
    added: Arc<[Heading]>,
    /// The added keys that the object that is written has already.
    keys: TakenKeys,
    /// The line in the chunk, from 0, of the first record with a field that is not UTF-8, where it must be.
    not_unicode: Option<u64>,
}

impl Keeper {
    /// The text of `record`, to be followed by added columns or keys.
    #[inline(always)]
    fn text<'a>(&'a mut self, record: &Record<'a>, format: &Format, plan: &'a SourcePlan) -> Kept<'a> {
        let (delimiter, taken) = match format.columns {
            Some(columns) => (columns.delimiter, &plan.taken),
            None => (0, self.taken(record.text, format, plan)),
        };
        let text = Some(KeptText { text: record.text, delimiter, missing: record.missing_fields });
        Kept { text, taken, ..Kept::NOTHING }
    }

    /// The added keys that the object `text` or the first one has.
    fn taken(&mut self, text: &[u8], format: &Format, plan: &SourcePlan) -> &TakenKeys {
        let Keeper { added, keys, .. } = self;
        keys.0.clone_from(&plan.taken.0);
        format.for_each_key(text, &mut |key| keys.mark(added, key));
        keys
    }

    /// All fields of the record `text`, with its puzzle as it is written, and its answer, which may be a new one.
    /// Returns also how many of them have no column.
    fn fields<'a>(
        &'a mut self,
        (record, format): (&Record<'_>, &Format),
        plan: &'a SourcePlan,
        puzzle: &[u8],
        (answer, is_new): (Option<&[u8]>, bool),
    ) -> (Kept<'a>, u64) {
        let Keeper { is_table, fields, not_unicode, .. } = self;
        let mut lost = 0;
        let SourcePlan { names, columns, taken, .. } = plan;
        fields.clear(names.len());
        if !columns.is_empty() {
            let is_bytes = |field: Field<'_>| matches!(field, Field::Text(text) | Field::Literal(text) if std::str::from_utf8(text).is_err());
            let mut set = |column: Option<usize>, field: Field<'_>| {
                let Some(&column) = column.and_then(|at| columns.get(at)) else { return lost += 1 };
                if !*is_table && is_bytes(field) {
                    not_unicode.get_or_insert(record.line);
                }
                fields.set_field(column, field);
            };
            format.for_each_field(record.text, &mut set);
        }
        fields.set(plan.puzzle, Form::Text, puzzle);
        // A column of answers has its own text, and no status word of another column.
        match (plan.answer, answer) {
            (Some(at), Some(answer)) if columns.is_empty() || is_new || fields.form(at) == Form::Literal => {
                fields.set(at, Form::Text, answer);
            }
            (None, Some(_)) if columns.is_empty() => lost += 1,
            _ => {}
        }
        (Kept { fields, names, taken, ..Kept::NOTHING }, lost)
    }

    /// The text of a malformed record in the place of the puzzle, and a status word in the place of the answer, if one
    /// is written there.
    #[cold]
    fn malformed<'a>(
        &'a mut self,
        (text, format): (&[u8], &Format),
        plan: &'a SourcePlan,
        word: Option<&[u8]>,
    ) -> Kept<'a> {
        let mut echo = Vec::new();
        crate::output::push_escaped(text, &mut echo);
        let Some(word) = word else {
            // An object that is none keeps only its puzzle.
            let names = if self.is_table { &plan.names } else { &plan.names[plan.puzzle..=plan.puzzle] };
            let is_object = plan.keeps == Keeps::Text && !self.is_table;
            self.keys.0.clone_from(&plan.taken.0);
            if is_object {
                self.taken(text, format, plan);
            }
            self.fields.clear(names.len());
            self.fields.set(if self.is_table { plan.puzzle } else { 0 }, Form::Echo, &echo);
            return Kept { fields: &self.fields, names, taken: &self.keys, ..Kept::NOTHING };
        };
        let fields = &mut self.fields;
        fields.clear(plan.names.len());
        fields.set(plan.puzzle, Form::Text, &echo);
        if let Some(answer) = plan.answer {
            fields.set(answer, Form::Text, word);
        }
        Kept { fields, names: &plan.names, taken: &plan.taken, ..Kept::NOTHING }
    }
}

/// Writes records with their fields.
pub(super) struct FieldWriter {
    format: &'static FormatEntry,
    rules: Rules,
    notation: Notation,
    /// The added columns behind the fields.
    added: Arc<[Heading]>,
    keeper: Keeper,
    /// Room for a puzzle and an answer that are not one character a cell.
    puzzle: Vec<u8>,
    answer: Vec<u8>,
    pub(super) counts: FieldCounts,
}

impl FieldWriter {
    /// `added` are the columns behind the fields.
    pub(super) fn new(format: &'static FormatEntry, rules: &Rules, added: Vec<Heading>) -> FieldWriter {
        let added: Arc<[Heading]> = added.into();
        let is_table = format.header.is_some();
        let (fields, keys) = (Fields::default(), TakenKeys::default());
        let keeper = Keeper { is_table, fields, added: added.clone(), keys, not_unicode: None };
        let (puzzle, answer, counts) = (Vec::new(), Vec::new(), FieldCounts::default());
        FieldWriter {
            format,
            rules: rules.clone(),
            notation: rules.into(),
            added,
            keeper,
            puzzle,
            answer,
            counts,
        }
    }

    /// Whether the format has named columns behind the puzzle and the answer.
    pub(super) fn has_columns(&self) -> bool {
        self.format.has_named_columns()
    }

    /// Whether values of added columns have a place in the format.
    pub(super) fn has_added(&self) -> bool {
        self.format.has_added_fields()
    }

    /// Checks that everything that was written of `chunk` is text, if it must be.
    ///
    /// # Errors
    /// [`InputError::NotUnicode`], in the line of the header or of the first such record.
    pub(super) fn check(&mut self, chunk: &ChunkJob<'_>, plan: &SourcePlan) -> Result<(), Failure> {
        let in_names = self.format.is_unicode() && !plan.names.iter().all(|name| is_unicode(name));
        let in_header = in_names.then(|| {
            let before = first_line(chunk.bytes).map_or(0, |line| line.start);
            memchr_iter(b'\n', &chunk.bytes[..before]).count() as u64
        });
        match in_header.or(self.keeper.not_unicode.take()) {
            Some(line) => Err(Failure::in_line(line, InputError::NotUnicode)),
            None => Ok(()),
        }
    }

    /// Counts the answer beside the puzzle of `record`, or the status word in its place, of a record that is written as
    /// a whole.
    pub(super) fn count_answer(&mut self, record: &Record<'_>, puzzle: &Puzzle<'_>, format: &Format) {
        self.counts.answers += u64::from(answer_of(record, puzzle, format, &mut self.answer).is_some());
    }

    /// What is kept of `record`, if an answer is written behind it; `None` if only its puzzle is.
    #[inline(always)]
    pub(super) fn kept<'a>(
        &'a mut self,
        record: &Record<'a>,
        format: &Format,
        plan: &'a SourcePlan,
    ) -> Option<Kept<'a>> {
        match (plan.keeps, &record.puzzle) {
            (Keeps::Nothing, _) => None,
            (Keeps::Text, Ok(_)) => Some(self.keeper.text(record, format, plan)),
            (_, Err(_)) => Some(self.keeper.malformed((record.text, format), plan, None)),
            (Keeps::Fields, Ok(puzzle)) => Some(self.kept_fields(record, puzzle, format, plan)),
        }
    }

    /// All fields of `record`. (Inlined, it would be in the way of runs that keep the text of records, or nothing.)
    #[inline(never)]
    fn kept_fields<'a>(
        &'a mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        format: &Format,
        plan: &'a SourcePlan,
    ) -> Kept<'a> {
        let FieldWriter { keeper, notation, puzzle: puzzle_text, answer: answer_text, counts, .. } = self;
        let text = puzzle.on_one_line(notation, puzzle_text);
        let answer = answer_in(record.text, &puzzle.at, format, answer_text);
        let (kept, lost) = keeper.fields((record, format), plan, text, (answer, false));
        counts.lost += lost;
        kept
    }

    /// Appends a record that is well-formed, with `content` in the place of what was read. It is compiled into its
    /// callers: most of them change nothing.
    #[inline(always)]
    pub(super) fn write(
        &mut self,
        record: &Record<'_>,
        puzzle: &Puzzle<'_>,
        format: &Format,
        plan: &SourcePlan,
        content: &Content<'_>,
        out: &mut Vec<u8>,
    ) {
        let FieldWriter { format: target, rules, notation, added, keeper, puzzle: text, answer, counts } =
            self;
        let mut is_new = false;
        let answer = match content.answer {
            AnswerContent::AsRead => {
                let field = AnswerField::read(format, record.text, &puzzle.at, answer);
                let answer = field.as_ref().filter(|field| is_kept(field, format)).map(|field| field.text);
                // (A line of text has other fields behind the puzzle.)
                if field.is_some() && answer.is_none() && format.has_answers {
                    counts.damaged += u64::from(target.has_added_fields() && !target.holds(Holds::Fields));
                }
                answer
            }
            AnswerContent::LeftOut => None,
            AnswerContent::Cells(cells) => {
                is_new = true;
                Some(write_cells(cells, notation, answer))
            }
        };
        counts.answers += u64::from(answer.is_some());
        // Most lines have nothing else.
        if matches!(format.regular, Some(Regular::Ends(_)))
            && record.text.len() > puzzle.at.len() + answer.map_or(0, |answer| 1 + answer.len())
        {
            counts.crowded += u64::from(has_other_fields(record.text, &puzzle.at, format));
        }
        let text = match content.puzzle {
            None => puzzle.on_one_line(notation, text),
            Some(cells) => write_image(cells, puzzle, notation, text),
        };
        let is_changed = is_new || content.puzzle.is_some();
        let kept = match plan.keeps {
            _ if !target.has_named_columns() => Kept::NOTHING,
            Keeps::Text if !is_changed => {
                if !keeper.is_table && std::str::from_utf8(record.text).is_err() {
                    keeper.not_unicode.get_or_insert(record.line);
                }
                keeper.text(record, format, plan)
            }
            _ => {
                let (kept, lost) = keeper.fields((record, format), plan, text, (answer, is_new));
                counts.lost += lost;
                kept
            }
        };
        let cells = content.puzzle.or(Some(puzzle.cells));
        let (count, push) = content.push.map_or((0, &push_nothing as _), |push| (added.len(), push));
        let copied = Copied { puzzle: text, cells, answer, added: count, push, rules };
        target.print_copied(kept, &copied, added, out);
    }

    /// Appends a malformed record: its text in the place of the puzzle, and the word in the place of the answer.
    #[cold]
    pub(super) fn write_malformed(
        &mut self,
        text: &[u8],
        format: &Format,
        plan: &SourcePlan,
        out: &mut Vec<u8>,
    ) {
        let FieldWriter { format: target, rules, added, keeper, .. } = self;
        let answer = Some(Status::Malformed.word().as_bytes());
        let copied = Copied { puzzle: text, cells: None, answer, added: 0, push: &push_nothing, rules };
        target.print_copied(keeper.malformed((text, format), plan, answer), &copied, added, out);
    }
}

/// The cells of an image of `puzzle` as text. A blank is written as in the puzzle, if that is one character a cell.
fn write_image<'b>(
    cells: &[u8],
    puzzle: &Puzzle<'_>,
    notation: &Notation,
    buffer: &'b mut Vec<u8>,
) -> &'b [u8] {
    let usual = notation.alphabet.character(0);
    write_cells(cells, notation, buffer);
    let blank = puzzle.cells.iter().position(|&cell| cell == 0).and_then(|at| puzzle.text.get(at));
    if let Some(&blank) = blank.filter(|&&blank| blank != usual && puzzle.text.len() == cells.len()) {
        buffer.iter_mut().filter(|byte| **byte == usual).for_each(|byte| *byte = blank);
    }
    buffer
}

/// The answer beside the puzzle of `record`, or the status word in its place.
pub(super) fn answer_of<'b>(
    record: &Record<'b>,
    puzzle: &Puzzle<'_>,
    format: &Format,
    buffer: &'b mut Vec<u8>,
) -> Option<&'b [u8]> {
    answer_in(record.text, &puzzle.at, format, buffer)
}

/// The same in the record `text`, the puzzle of which is at `puzzle`.
fn answer_in<'b>(
    text: &'b [u8],
    puzzle: &Range<usize>,
    format: &Format,
    buffer: &'b mut Vec<u8>,
) -> Option<&'b [u8]> {
    let field = AnswerField::read(format, text, puzzle, buffer)?;
    is_kept(&field, format).then_some(field.text)
}

/// Whether the plain line `text`, the puzzle of which is at `puzzle`, has words or numbers beside its puzzle and its
/// answer.
#[cold]
fn has_other_fields(text: &[u8], puzzle: &Range<usize>, format: &Format) -> bool {
    let mut buffer = Vec::new();
    let answer = AnswerField::read(format, text, puzzle, &mut buffer).filter(|field| is_kept(field, format));
    let answer = answer.map_or(puzzle.end..puzzle.end, |field| field.at);
    // A puzzle whose digits have marks is an empty range behind it.
    let before = if puzzle.is_empty() { 0..0 } else { 0..puzzle.start };
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let is_used = |at: Range<usize>| text.get(at).is_some_and(|text| text.iter().any(is_word));
    [before, puzzle.end..answer.start, answer.end..text.len()].into_iter().any(is_used)
}

/// Whether other formats have a place for the field: it is a grid or a status word.
fn is_kept(field: &AnswerField<'_>, format: &Format) -> bool {
    let Notation { cells, alphabet, choices } = &format.notation;
    match field.content {
        Given::Blank | Given::Word(_) => true,
        Given::Answer if choices.is_some() => format.notation.read_answer(field.text, &mut Vec::new()),
        Given::Answer => field.text.len() == *cells && alphabet.reads(field.text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_unique_in_a_number_of_steps_that_grows_with_them() {
        let unique = |names: &[&str]| {
            let mut names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
            make_unique(&mut names);
            names
        };
        assert_eq!(unique(&["x", "x", "x_2", "y", "x"]), ["x", "x_2", "x_2_2", "y", "x_3"]);
        for count in [100, 10_000] {
            assert!(make_unique(&mut vec!["x".to_owned(); count]) <= 2 * count);
        }
    }
}
