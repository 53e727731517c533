//! What can go wrong, with its place and its remedy.
//!
//! A malformed line is not an [`Error`]: it gets its own status in its own place of the output, and a
//! [`LineError`] says why. Unsolvable, several solutions, limit reached are answers, and no errors either.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// An error that ends a run: where, what, and what would help. One pointer wide.
#[derive(Debug)]
pub struct Error(Box<Place>);

#[derive(Debug)]
struct Place {
    path: Option<PathBuf>,
    line: Option<u64>,
    column: Option<u64>,
    kind: ErrorKind,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading failed.
    #[error("cannot read: {0}")]
    Read(#[source] io::Error),
    /// Writing failed, be it at the last flush.
    #[error("cannot write: {0} (the output is not complete)")]
    Write(#[source] io::Error),
    /// The file's length or modification time is not what it was at the start.
    #[error(
        "changed while it was being read; run again when nothing writes to it (the output is not complete)"
    )]
    Changed,
    /// The file is packed; galop reads text.
    #[error("is {0}-compressed; unpack it into a pipe: {0} -dc FILE | galop solve -")]
    Compressed(&'static str),
    /// The run was told to stop.
    #[error("stopped before the end; the output is not complete")]
    Stopped,
    /// The independent check refused a solution: a bug in galop.
    #[error(
        "a solution failed the independent check: {violation}\n  puzzle   {puzzle}\n  solution {solution}\n\
         this is a bug in galop's engine `{engine}`: please report the puzzle; another --engine may do meanwhile"
    )]
    WrongSolution {
        /// The engine that gave it.
        engine: &'static str,
        /// The puzzle, in digits.
        puzzle: String,
        /// What it was said to be solved by.
        solution: String,
        /// What is wrong with it.
        violation: Violation,
    },
    /// Two engines contradict each other: a bug in galop.
    #[error("{0}")]
    Disagreement(Box<Disagreement>),
    /// The engine does not accept the rules.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// There is no such size of a kind of puzzle.
    #[error("there is no `{kind}` of {side}x{side} cells; the sides are {known}")]
    Size {
        /// The kind.
        kind: &'static str,
        /// The side asked for.
        side: usize,
        /// The sides there are, for people.
        known: String,
    },
    /// The rules need a map of regions.
    #[error(
        "`{rules}` needs a map of its regions: a file that names the region of each cell (--regions FILE)"
    )]
    NoRegions {
        /// The rules.
        rules: &'static str,
    },
    /// A map of regions is wrong.
    #[error("{0}")]
    Regions(#[from] RegionsFault),
    /// An alphabet has too few or too many symbols for the rules.
    #[error("the alphabet {name} has {found} symbols, the rules have {symbols}")]
    Alphabet {
        /// Its name.
        name: AlphabetName,
        /// Symbols it has.
        found: u8,
        /// Symbols of the rules.
        symbols: u8,
    },
    /// The symbols of the puzzles fit several alphabets, or none.
    #[error("{reason}; name the alphabet: --alphabet {known}")]
    AmbiguousAlphabet {
        /// What was seen.
        reason: &'static str,
        /// Those to choose from, for people.
        known: String,
    },
    /// The worker threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A report's file name has no known ending.
    #[error("no report format ends so; known endings: {known}")]
    ReportEnding {
        /// The known endings, for people.
        known: String,
    },
    /// A comparison that cannot be made.
    #[error("{reason}")]
    Plan {
        /// Why, and what would help.
        reason: String,
    },
    /// Puzzles of the wished kind were not found.
    #[error("found no one-solution puzzle with {clues} clues in {tries} tries; ask for more clues")]
    Generate {
        /// Clues asked for.
        clues: usize,
        /// Grids tried.
        tries: u64,
    },
    /// No full grid of the rules was found.
    #[error(
        "found no full grid of `{rules}`; the regions may allow none: `galop solve` on the empty grid may tell"
    )]
    NoGrid {
        /// The rules.
        rules: &'static str,
    },
    /// The wished range of clues holds numbers with which no one-solution puzzle exists, or none at all.
    #[error(
        "no one-solution puzzles have {from}..{to} clues; a range lies within {fewest}..{most}, the smaller number \
         first"
    )]
    Clues {
        /// The fewest clues wished for.
        from: usize,
        /// The most.
        to: usize,
        /// The fewest that may be wished for.
        fewest: usize,
        /// The most that may be wished for.
        most: usize,
    },
    /// The columns of a table are to be kept, but they are not those of the first input.
    #[error(
        "has not the header of the first input, whose columns the output keeps; run it by itself, or with \
         another --format"
    )]
    Columns,
}

/// The rules are not for this engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine solves {accepts} only, not `{rules}`")]
pub struct Unsupported {
    /// What the engine accepts, in words.
    pub accepts: &'static str,
    /// The name of the rules it was given.
    pub rules: &'static str,
}

/// Why a solution is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The lengths are not those of the rules.
    #[error("{found} cells where the rules have {expected}")]
    Length {
        /// Cells of the solution or the puzzle.
        found: usize,
        /// Cells of the rules.
        expected: usize,
    },
    /// A clue was not kept.
    #[error("the clue in cell {cell} was not kept")]
    Clue {
        /// The cell, from 0, row-major.
        cell: usize,
    },
    /// A unit does not hold every symbol once.
    #[error("unit {unit} (0-8 rows, 9-17 columns, 18-26 blocks) does not hold every symbol once")]
    Unit {
        /// The unit, as an index into [`Grid::units`](crate::grid::Grid::units).
        unit: usize,
    },
    /// The same in a grid of other rules than those of the 9x9 sudoku.
    #[error("{unit} does not hold every symbol once")]
    Named {
        /// The unit.
        unit: UnitName,
    },
}

/// What is wrong with a map of regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegionsFault {
    /// A byte that can be no name of a region.
    #[error("unexpected `{}` in a map of regions (a character a cell, the same for all cells of a region)", .0.escape_ascii())]
    Character(u8),
    /// No square of cells, or one of no size that there is.
    #[error(
        "a map of {found} cells (a map has a character for each cell of a square: 81 for 9x9; 4x4 to 25x25)"
    )]
    Cells {
        /// How many there are.
        found: usize,
    },
    /// A region that is too large or too small.
    #[error("region `{name}` has {found} cells (each has {expected}, as many as a row)")]
    Region {
        /// Its character.
        name: char,
        /// Cells it has.
        found: usize,
        /// Cells it should have.
        expected: usize,
    },
}

/// Why a puzzle cannot have a solution, found without a guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[error("{}", self.in_words(|symbol| symbol.to_string()))]
pub enum Impossible {
    /// The length is not that of the rules.
    Length {
        /// Cells of the puzzle.
        found: usize,
        /// Cells of the rules.
        expected: usize,
    },
    /// A cell holds what is no symbol of the rules.
    Symbol {
        /// What it holds.
        symbol: u8,
        /// Where.
        cell: Cell,
    },
    /// Two clues clash.
    Twice {
        /// What they say.
        symbol: u8,
        /// A unit that both are in.
        unit: UnitName,
        /// The cells they are in.
        cells: [Cell; 2],
    },
    /// A cell without candidates.
    NoCandidate {
        /// The cell.
        cell: Cell,
        /// Whether that shows only once singles, pairs and pointing pairs are found.
        is_inferred: bool,
    },
    /// A symbol without a place in a unit.
    NoPlace {
        /// The symbol.
        symbol: u8,
        /// The unit.
        unit: UnitName,
        /// Whether that shows only once singles, pairs and pointing pairs are found.
        is_inferred: bool,
    },
}

impl Impossible {
    /// The same, where it took singles, pairs and pointing pairs to see it.
    pub(crate) fn inferred(mut self) -> Impossible {
        if let Impossible::NoCandidate { is_inferred, .. } | Impossible::NoPlace { is_inferred, .. } =
            &mut self
        {
            *is_inferred = true;
        }
        self
    }
}

impl Impossible {
    /// The same for people, symbols written as `written` does it.
    pub fn in_words(&self, written: impl Fn(u8) -> String) -> String {
        match *self {
            Impossible::Length { found, expected } => {
                format!("{found} cells where the rules have {expected}")
            }
            Impossible::Symbol { symbol, cell } => format!("{symbol} in {cell} is no symbol of the rules"),
            Impossible::Twice { symbol, unit, cells: [one, other] } => {
                format!("{} stands twice in {unit}: in {one} and in {other}", written(symbol))
            }
            Impossible::NoCandidate { cell, is_inferred } => {
                format!("nothing is left for {cell}{}", once_inferred(is_inferred))
            }
            Impossible::NoPlace { symbol, unit, is_inferred } => {
                format!("no cell of {unit} is left for {}{}", written(symbol), once_inferred(is_inferred))
            }
        }
    }
}

fn once_inferred(is_inferred: bool) -> &'static str {
    if is_inferred { ", once singles, pairs and pointing pairs are found" } else { "" }
}

/// A cell as people name it: both numbers from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Its row, from the top.
    pub row: usize,
    /// Its column, from the left.
    pub column: usize,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.column)
    }
}

/// A unit as people name it, from 1: rows from the top, columns from the left, blocks as one reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitName {
    /// All cells in one row.
    Row(usize),
    /// All cells in one column.
    Column(usize),
    /// A block or region.
    Block(usize),
    /// A unit that is none of these: a diagonal, a window.
    Extra(usize),
}

impl UnitName {
    /// A block, the last of `blocks` numbers; what has a higher number is another unit.
    pub(crate) fn block(number: usize, blocks: usize) -> UnitName {
        if number > blocks { UnitName::Extra(number - blocks) } else { UnitName::Block(number) }
    }
}

impl fmt::Display for UnitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitName::Row(number) => write!(f, "row {number}"),
            UnitName::Column(number) => write!(f, "column {number}"),
            UnitName::Block(number) => write!(f, "block {number}"),
            UnitName::Extra(number) => write!(f, "extra unit {number} (a diagonal or window)"),
        }
    }
}

/// What an alphabet is called: the ranges of its symbols, as `1-9A-G`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct AlphabetName {
    pub(crate) text: [u8; 6],
    pub(crate) len: u8,
    /// Whether 0 is a blank and no symbol.
    pub(crate) has_blank_zero: bool,
}

impl AlphabetName {
    fn blanks(&self) -> &'static str {
        if self.has_blank_zero { ". 0 * _ ?" } else { ". * _ ?" }
    }
}

impl fmt::Display for AlphabetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.iter().take(usize::from(self.len)).try_for_each(|&byte| write!(f, "{}", char::from(byte)))
    }
}

impl fmt::Debug for AlphabetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Two opinions on a puzzle that cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The puzzle, in digits.
    pub puzzle: String,
    /// That of the run's engine, and the second one.
    pub opinions: [Opinion; 2],
}

/// What an engine says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opinion {
    /// The engine.
    pub engine: &'static str,
    /// Solutions it found.
    pub solutions: u64,
    /// Whether it gave up then.
    pub gave_up: bool,
    /// The first of them, in digits.
    pub solution: Option<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = &self.opinions;
        let width = "puzzle".len().max(first.engine.len()).max(second.engine.len());
        writeln!(f, "two engines contradict each other")?;
        writeln!(f, "  {:<width$} {}", "puzzle", self.puzzle)?;
        for opinion in [first, second] {
            writeln!(f, "  {:<width$} {opinion}", opinion.engine)?;
        }
        write!(
            f,
            "this is a bug in galop, in `{}` or `{}`: please report the puzzle and the command; another --engine \
             may do meanwhile",
            first.engine, second.engine
        )
    }
}

impl fmt::Display for Opinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.gave_up {
            f.write_str("gave up after ")?;
        }
        match (&self.solution, self.solutions) {
            (None, _) => f.write_str("no solution"),
            (Some(solution), 1) => write!(f, "1 solution {solution}"),
            (Some(solution), count) => write!(f, "{count} solutions, the first {solution}"),
        }
    }
}

impl Error {
    /// An error of this kind in the file `path`.
    pub fn at(path: impl Into<PathBuf>, kind: impl Into<ErrorKind>) -> Error {
        Error(Box::new(Place { path: Some(path.into()), line: None, column: None, kind: kind.into() }))
    }

    /// The same error, in line `line` (from 1).
    #[must_use]
    pub fn in_line(mut self, line: u64) -> Error {
        self.0.line = Some(line);
        self
    }

    /// The same error, in column `column` (from 1, in bytes) of its line.
    #[must_use]
    pub fn in_column(mut self, column: u64) -> Error {
        self.0.column = Some(column);
        self
    }

    /// The same error, in the file `path`.
    #[must_use]
    pub fn in_file(mut self, path: impl Into<PathBuf>) -> Error {
        self.0.path = Some(path.into());
        self
    }

    /// What went wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The file it happened in, if any.
    pub fn path(&self) -> Option<&std::path::Path> {
        self.0.path.as_deref()
    }
}

impl From<RegionsFault> for Error {
    fn from(fault: RegionsFault) -> Error {
        ErrorKind::Regions(fault).into()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Error {
        Error(Box::new(Place { path: None, line: None, column: None, kind }))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.0.path {
            write!(f, "{}:", path.display())?;
            if let Some(line) = self.0.line {
                write!(f, "{line}:")?;
            }
            if let Some(column) = self.0.column {
                write!(f, "{column}:")?;
            }
            f.write_str(" ")?;
        }
        write!(f, "{}", self.0.kind)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The kind is part of the message above: only what lies below it is news.
        std::error::Error::source(&self.0.kind).and_then(std::error::Error::source)
    }
}

/// Why a line is no puzzle: a column (from 1, in bytes) and a reason. `Copy`, nothing allocated: a file may
/// hold millions of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineError {
    /// The first byte that is wrong, from 1.
    pub column: u32,
    /// What is wrong with it.
    pub kind: LineErrorKind,
}

/// What makes a line malformed, and what would be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineErrorKind {
    /// A byte that is neither a digit nor a blank.
    Character(u8),
    /// A byte that is neither a symbol of the alphabet nor a blank.
    Symbol {
        /// The byte.
        byte: u8,
        /// The alphabet that the file is read in.
        alphabet: AlphabetName,
    },
    /// Too few or too many cells.
    Length {
        /// Puzzle characters found.
        found: u32,
        /// Cells of the rules.
        expected: u32,
    },
    /// The line is longer than any line of puzzles.
    TooLong {
        /// The longest line that is read, in bytes.
        limit: u32,
    },
    /// The field of a CSV record that should hold the puzzle is not there.
    NoField,
    /// In a grid over several lines, a byte that is neither a cell nor drawn around cells.
    GridCharacter(u8),
    /// A line of a grid with too few or too many cells.
    GridRow {
        /// Cells found.
        found: u32,
        /// Cells of a row.
        expected: u32,
    },
    /// A grid that ends too early.
    GridLength {
        /// Cells found.
        found: u32,
        /// Cells of the rules.
        expected: u32,
    },
    /// A grid over several lines that takes more bytes than any grid should.
    GridTooLong {
        /// How many it may take.
        limit: u32,
    },
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            LineErrorKind::Character(0) | LineErrorKind::GridCharacter(0) => write!(
                f,
                "a NUL byte (no puzzle has one; is the file binary, or was it cut short while it was read?)"
            ),
            LineErrorKind::Character(byte) => write!(
                f,
                "unexpected `{}` (cells are 1-9, a blank is one of . 0 * _ x X ?, fields end in space, tab or one of , ; : #)",
                byte.escape_ascii()
            ),
            LineErrorKind::Symbol { byte, alphabet } => write!(
                f,
                "unexpected `{}` (cells are {alphabet}, a blank is one of {}; if the puzzles are written in other \
                 symbols, name them: --alphabet NAME)",
                byte.escape_ascii(),
                alphabet.blanks(),
            ),
            LineErrorKind::Length { found, expected } => {
                write!(f, "{found} cells (a puzzle has {expected}, row by row on one line)")
            }
            LineErrorKind::TooLong { limit } => {
                write!(f, "a line of more than {limit} bytes (one puzzle a line)")
            }
            LineErrorKind::NoField => write!(f, "no puzzle column (the header promises one)"),
            LineErrorKind::GridCharacter(byte) => write!(
                f,
                "unexpected `{}` in a grid (cells are 1-9, a blank is one of . 0 * _ x X ?, frames are of | - + = !)",
                byte.escape_ascii()
            ),
            LineErrorKind::GridRow { found, expected } => write!(
                f,
                "{found} cells in a row of a grid (a row has {expected}, each blank drawn as one of . 0 * _ x X ?; \
                 one grid beside another is not read)"
            ),
            LineErrorKind::GridLength { found, expected } => write!(
                f,
                "a grid ends after {found} cells (it has {expected}, row by row, with no blank line in between)"
            ),
            LineErrorKind::GridTooLong { limit } => {
                write!(f, "a grid of more than {limit} bytes (blank lines stand between grids)")
            }
        }
    }
}
