//! The puzzle of a request, and what the page shows of it before it is solved: candidates and contradictions.

use std::io::Cursor;

use serde::{Deserialize, Serialize};

use super::candidates::{Start, read};
use super::message::{Refusal, Status};
use galop_batch::input::{LineError, LineErrorKind, MalformedRecord, RecordReader, Source, detect_rules};
use galop_batch::pipeline::CHUNK_BYTES;
use galop_engines::grid::inference::{all_symbols, bit, taken};
use galop_engines::grid::{Alphabet, Fault, GridError, Regions, Rules, Variant, candidates};

/// The name of a text in messages.
const NAME: &str = "puzzle";

/// The puzzle that a request names: a text in any notation, or cells.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PuzzleRequest {
    /// A text that holds at least one puzzle.
    text: Option<String>,
    /// Cells row by row: 0 for a blank, 1 to n for a symbol.
    cells: Option<Vec<u8>>,
    /// The kind, a name of [`KINDS`]; the first of them if it is empty.
    kind: String,
    /// Cells of a row, of a puzzle that is given as cells.
    side: Option<usize>,
    /// The map of a jigsaw.
    map: String,
    /// The name of an alphabet; if it is empty, the text shows it.
    alphabet: String,
    /// Whether an explanation may rely on the puzzle having one solution.
    pub(super) unique: bool,
    /// The names of techniques that an explanation may not use.
    pub(super) without: Vec<String>,
    /// What a player filled in: cells as in `cells`.
    entries: Vec<u8>,
    /// The candidates of each cell that are eliminated before the first step: bit `symbol - 1`.
    crossed: Vec<u64>,
    /// The list of solutions that goes on.
    pub(super) list: Option<String>,
}

/// The rules that a request names.
#[derive(Debug)]
struct Choice {
    variant: Variant,
    alphabet: Option<Alphabet>,
}

impl Choice {
    /// The kind called `name`, the map of a jigsaw, the alphabet; each may be empty.
    fn new(name: &str, map: &str, alphabet: &str) -> Result<Choice, Refusal> {
        let unreadable = |reason: String| Refusal::new(Status::UNREADABLE, reason);
        let unknown =
            |what: &str, name: &str| unreadable(format!("there is no {what} `{}`", name.escape_default()));
        let mut variant = match name {
            "" => Variant::default(),
            name => name.parse::<Variant>().map_err(|error| unreadable(error.to_string()))?,
        };
        // Other kinds have no map.
        if !map.trim().is_empty() && variant.needs_regions() {
            let regions = Regions::read(map.as_bytes()).map_err(|error| {
                unreadable(format!("map: line {}, column {}: {error}", error.line, error.column))
            })?;
            variant = variant.with_regions(regions).map_err(|error| unreadable(error.to_string()))?;
        }
        let alphabet = match alphabet {
            "" => None,
            name => Some(Alphabet::named(name).ok_or_else(|| unknown("alphabet", name))?),
        };
        Ok(Choice { variant, alphabet })
    }

    /// The rules of this size.
    fn rules(&self, side: usize) -> Result<Rules, GridError> {
        let rules = self.variant.rules(side)?;
        self.alphabet
            .as_ref()
            .map_or(Ok(rules.clone()), |alphabet| rules.clone().written_in(alphabet.clone()))
    }
}

/// A puzzle that was read.
#[derive(Debug)]
pub(super) struct Puzzle {
    pub(super) rules: Rules,
    pub(super) cells: Vec<u8>,
    /// What a player has filled in and crossed out, as in a request.
    pub(super) entries: Vec<u8>,
    pub(super) crossed: Vec<u64>,
    /// Puzzles of the text.
    puzzles: usize,
    kind: String,
}

impl PuzzleRequest {
    /// A request about the puzzle `text` of a kind.
    pub(super) fn of(kind: &str, text: &str) -> PuzzleRequest {
        PuzzleRequest { text: Some(text.to_owned()), kind: kind.to_owned(), ..PuzzleRequest::default() }
    }

    /// Reads the request's JSON.
    pub(super) fn read(body: &[u8]) -> Result<PuzzleRequest, Refusal> {
        serde_json::from_slice(body).map_err(|error| Refusal::new(Status::BAD_REQUEST, error.to_string()))
    }

    /// Reads the puzzle.
    pub(super) fn puzzle(&self) -> Result<Puzzle, Refusal> {
        let choice = Choice::new(&self.kind, &self.map, &self.alphabet)?;
        let (rules, start, puzzles) = match (&self.cells, &self.text) {
            (Some(cells), None) => {
                let rules = self.rules_of_cells(&choice, cells)?;
                (
                    rules,
                    Start {
                        cells: cells.clone(),
                        entries: self.entries.clone(),
                        crossed: self.crossed.clone(),
                    },
                    1,
                )
            }
            (None, Some(text)) => match read(text, |side| choice.rules(side).ok()) {
                Some((rules, start)) => (rules, start, 1),
                None => first_puzzle(&choice, text, &self.entries)?,
            },
            _ => {
                return Err(Refusal::new(
                    Status::BAD_REQUEST,
                    "a request must have either `text` or `cells`",
                ));
            }
        };
        let (kind, Start { cells, entries, crossed }) = (choice.variant.to_string(), start);
        Ok(Puzzle { rules, cells, entries, crossed, puzzles, kind })
    }

    /// The rules of `cells`, which must be a puzzle of them.
    fn rules_of_cells(&self, choice: &Choice, cells: &[u8]) -> Result<Rules, Refusal> {
        let unreadable = |reason: String| Refusal::new(Status::UNREADABLE, reason);
        let side = self.side.unwrap_or_else(|| cells.len().isqrt());
        let rules = choice.rules(side).map_err(|error| unreadable(error.to_string()))?;
        let grid = rules.grid();
        if cells.len() != grid.cells() {
            return Err(unreadable(wrong_length(cells.len(), grid.cells())));
        }
        match cells.iter().position(|&symbol| symbol > grid.symbols()) {
            Some(cell) => {
                Err(unreadable(format!("cell {cell} holds {}, which is not a symbol", cells[cell])))
            }
            None => Ok(rules),
        }
    }
}

/// The rules and the first puzzle of a text, and how many puzzles its first chunk has.
fn first_puzzle(choice: &Choice, text: &str, entries: &[u8]) -> Result<(Rules, Start, usize), Refusal> {
    let unreadable = |reason: String| Refusal::new(Status::UNREADABLE, reason);
    let mut source = Source::stream(NAME, Cursor::new(text.to_owned()));
    let rules = detect_rules(std::slice::from_mut(&mut source), &choice.variant, choice.alphabet.as_ref());
    let rules = rules.map_err(|error| unreadable(error.kind().to_string()))?;
    let mut reader = RecordReader::new(&mut source, CHUNK_BYTES, &rules);
    let mut malformed = None;
    while let Some(records) = reader.next_chunk().map_err(|error| unreadable(error.kind().to_string()))? {
        let mut first = None;
        let mut puzzles = 0;
        for record in records.iter() {
            match &record.puzzle {
                Ok(puzzle) => {
                    first.get_or_insert_with(|| puzzle.cells.to_vec());
                    puzzles += 1;
                }
                Err(error) if malformed.is_none() => {
                    malformed = Some(plain(&records.malformed(&record, *error)));
                }
                Err(_) => {}
            }
        }
        if let Some(cells) = first {
            return Ok((rules, Start { cells, entries: entries.to_vec(), crossed: Vec::new() }, puzzles));
        }
    }
    Err(unreadable(malformed.unwrap_or_else(|| "there is no puzzle in this text".to_owned())))
}

/// What is wrong with a record, for a reader who pasted one puzzle.
fn plain(MalformedRecord { line, error: LineError { column, kind }, .. }: &MalformedRecord) -> String {
    match kind {
        LineErrorKind::Length(count) | LineErrorKind::GridLength(count) => {
            wrong_length(count.found as usize, count.expected as usize)
        }
        LineErrorKind::GridRow(count) => {
            format!("{} cells in line {line}; a row has {}", count.found, count.expected)
        }
        LineErrorKind::Symbol { byte, .. }
        | LineErrorKind::Character(byte)
        | LineErrorKind::GridCharacter(byte) => {
            let shown = byte.escape_ascii();
            format!("`{shown}` is neither a symbol nor a blank: character {column} of line {line}")
        }
        kind => format!("line {line}: {kind}"),
    }
}

/// `80 cells; a 9x9 puzzle has 81`.
fn wrong_length(found: usize, expected: usize) -> String {
    let (words, side) = (galop_batch::figures::pluralize(found as u64, "cell", "cells"), expected.isqrt());
    format!("{words}; a {side}x{side} puzzle has {expected}")
}

/// What the page shows of a puzzle.
#[derive(Debug, Serialize)]
pub(super) struct View<'a> {
    kind: &'a str,
    /// The kind and the size.
    name: &'a str,
    side: usize,
    /// The characters of the symbols, from 1.
    symbols: String,
    /// The name of the alphabet.
    alphabet: String,
    cells: &'a [u8],
    /// What the request or its text says of a player's work.
    entries: &'a [u8],
    crossed: &'a [u64],
    clues: usize,
    /// Puzzles in the text.
    puzzles: usize,
    /// The block or region of each cell, from 0.
    parts: Vec<usize>,
    /// The cells of each unit.
    units: &'a [Vec<usize>],
    /// The cells that differ from each cell.
    peers: Vec<&'a [usize]>,
    /// Pairs of candidates that exclude each other besides: `side * cell + symbol - 1`.
    exclusive: &'a [[usize; 2]],
    /// The candidates of each cell after all naked and hidden singles: bit `symbol - 1`; `null` on a contradiction.
    after_singles: Option<Vec<u64>>,
    /// Cells with a symbol that another cell excludes.
    clashes: Vec<usize>,
    /// Blanks without a candidate.
    empty: Vec<usize>,
    /// Units that have no place for a symbol.
    no_place: Vec<NoPlace<'a>>,
    /// Why there is no solution, if the clues alone show it.
    reason: Option<String>,
}

/// A symbol that has no place in a unit.
#[derive(Debug, Serialize)]
struct NoPlace<'a> {
    symbol: u8,
    cells: &'a [usize],
}

impl Puzzle {
    /// Why there is no solution, in words, if the clues alone show it.
    pub(super) fn reason(&self) -> Option<String> {
        let (grid, marks) = (self.rules.grid(), self.marks_of_clues());
        let no_place = |(number, unit): (usize, &Vec<usize>)| {
            let symbol = self.symbol_without_place(&marks, unit)?;
            Some(Fault::NoPlace { symbol, unit: grid.unit_name(number) })
        };
        let clash = grid.check_clues(&self.cells).err();
        let no_place = || grid.units().iter().enumerate().find_map(no_place);
        let no_candidate = || {
            let cell = (0..marks.len()).find(|&cell| self.is_empty(&marks, cell))?;
            Some(Fault::NoCandidate { cell: grid.cell_name(cell) })
        };
        let written = |symbol| char::from(self.rules.alphabet().character(symbol)).to_string();
        clash.or_else(no_place).or_else(no_candidate).map(|reason| reason.in_words(written))
    }

    /// A symbol for which `marks` and the clues leave no cell of `unit`.
    fn symbol_without_place(&self, marks: &[u64], unit: &[usize]) -> Option<u8> {
        let there = unit.iter().fold(0, |there, &cell| there | marks[cell] | bit(self.cells[cell]));
        (1..=self.rules.grid().symbols()).find(|&symbol| there & bit(symbol) == 0)
    }

    /// Whether a cell is a blank for which `marks` have no candidate.
    fn is_empty(&self, marks: &[u64], cell: usize) -> bool {
        self.cells[cell] == 0 && marks[cell] == 0
    }

    /// What the page shows.
    pub(super) fn view(&self) -> View<'_> {
        let Puzzle { rules, cells, .. } = self;
        let (grid, alphabet) = (rules.grid(), rules.alphabet());
        let marks = self.marks_of_clues();
        let of =
            |test: &dyn Fn(usize) -> bool| (0..cells.len()).filter(|&cell| test(cell)).collect::<Vec<_>>();
        let clash = |cell: usize| taken(grid, cells, cell) & bit(cells[cell]) != 0;
        View {
            kind: &self.kind,
            name: rules.name(),
            side: grid.side(),
            symbols: (1..=grid.symbols()).map(|symbol| char::from(alphabet.character(symbol))).collect(),
            alphabet: alphabet.name().to_string(),
            cells,
            entries: &self.entries,
            crossed: &self.crossed,
            clues: cells.iter().filter(|&&cell| cell != 0).count(),
            puzzles: self.puzzles,
            parts: (0..cells.len()).map(|cell| grid.part(cell)).collect(),
            units: grid.units(),
            peers: (0..cells.len()).map(|cell| grid.peers(cell)).collect(),
            exclusive: grid.exclusive(),
            clashes: of(&clash),
            empty: of(&|cell| self.is_empty(&marks, cell)),
            no_place: grid
                .units()
                .iter()
                .filter_map(|unit| {
                    let symbol = self.symbol_without_place(&marks, unit)?;
                    Some(NoPlace { symbol, cells: unit })
                })
                .collect(),
            reason: self.reason(),
            after_singles: candidates(rules, cells),
        }
    }

    /// The candidates that the clues leave in each blank; 0 for a clue.
    fn marks_of_clues(&self) -> Vec<u64> {
        let Puzzle { rules, cells, .. } = self;
        let grid = rules.grid();
        let left = |cell: usize| all_symbols(grid) & !taken(grid, cells, cell);
        (0..cells.len()).map(|cell| if cells[cell] == 0 { left(cell) } else { 0 }).collect()
    }
}
