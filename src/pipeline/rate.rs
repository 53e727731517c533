//! How hard puzzles are: what singles leave of them, and the guesses of an engine.
//!
//! The guesses are those of the search that shows that the solution is the only one. It searches the whole tree, so it is
//! not luck on which side of a guess the solution is; and only a puzzle with one solution has a rating.
//!
//! [`RATE_COLUMNS`] is the table of what can be written of a rating: one row adds one.

use std::io::Write;
use std::ops::{AddAssign, Range};

use super::fields::{AnswerContent, Content};
use super::rewrite::{Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};
use super::solve::Watch;
use super::{ChunkJob, Failure, NotRated, Unanswered};
use crate::engine::{self, Engine, Entry, Isa, Left, SinglesPass};
use crate::error::{Error, ErrorKind};
use crate::figures::Histogram;
use crate::grid::{Alphabet, Rules, Verifier, WrongSolution};
use crate::input::format::Field;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::puzzle::{Answer, Limits, Puzzles, Status};
use crate::symmetry::{Images, Symmetries, Symmetry};

/// A column with something of a rating.
#[derive(Clone, Copy, Debug)]
pub struct RateColumn {
    /// Its name in the header, or its key.
    pub name: &'static str,
    /// One line: what it holds.
    pub about: &'static str,
    /// Whether it says something of the images of a puzzle. It is empty if there are none.
    pub is_of_images: bool,
    /// Appends the value as text. False if there is none.
    push: fn(&Rating, &mut Vec<u8>) -> bool,
}

/// Every column.
pub const RATE_COLUMNS: &[RateColumn] = &[
    RateColumn {
        name: "tier",
        about: "singles: naked and hidden singles solve it; no-guess: the engine does without a guess; guesses; \
                none, multiple: it has no solution or several; limit, stuck: the engine gave up",
        is_of_images: false,
        push: |rating, out| {
            out.extend_from_slice(rating.tier.name().as_bytes());
            true
        },
    },
    RateColumn {
        name: "blanks",
        about: "cells that singles leave blank",
        is_of_images: false,
        push: |rating, out| rating.only_single(rating.blanks.into(), out),
    },
    RateColumn {
        name: "guesses",
        about: "guesses of the engine, to the proof that there is no second solution",
        is_of_images: false,
        push: |rating, out| rating.only_single(rating.guesses, out),
    },
    RateColumn {
        name: "mean",
        about: "the mean of the guesses for the images",
        is_of_images: true,
        push: |rating, out| rating.images.is_some_and(|images| push_decimal(images.mean(), out)),
    },
    RateColumn {
        name: "geometric_mean",
        about: "the geometric mean: that of guesses + 1, minus 1",
        is_of_images: true,
        push: |rating, out| rating.images.is_some_and(|images| push_decimal(images.geometric_mean(), out)),
    },
    RateColumn {
        name: "deviation",
        about: "the standard deviation of the guesses for the images; empty for a single image",
        is_of_images: true,
        push: |rating, out| {
            let deviation = rating.images.and_then(|images| images.deviation());
            deviation.is_some_and(|deviation| push_decimal(deviation, out))
        },
    },
];

/// The column of that name, or `None`.
pub fn rate_column(name: &str) -> Option<&'static RateColumn> {
    RATE_COLUMNS.iter().find(|column| column.name == name)
}

fn push_decimal(number: f64, out: &mut Vec<u8>) -> bool {
    // Vectors of bytes take all that is written.
    write!(out, "{number:.3}").is_ok()
}

/// How puzzles are rated, and what of that is written.
#[derive(Clone, Debug)]
pub struct RateOptions {
    /// The engine whose guesses are counted; `None` for the fastest one.
    pub engine: Option<&'static Entry>,
    /// Random images of each puzzle whose guesses are counted as well.
    pub images: u64,
    /// The seed of the images.
    pub seed: u64,
    /// The columns that are written behind the fields of a record. A name should be there only once.
    pub columns: Vec<&'static RateColumn>,
}

impl Default for RateOptions {
    /// The tier, the blanks and the guesses of the fastest engine.
    fn default() -> RateOptions {
        RateOptions { engine: None, images: 0, seed: 0, columns: RATE_COLUMNS.iter().take(3).collect() }
    }
}

impl RateOptions {
    /// The engine that rates puzzles of `rules`.
    pub fn engine(&self, rules: &Rules) -> &'static Entry {
        self.engine.unwrap_or_else(|| engine::default_for(rules))
    }
}

/// The coarsest rating of a puzzle: what suffices to solve it, or why it has no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tier {
    /// Naked and hidden singles solve it.
    Singles,
    /// The engine solves it without a guess.
    NoGuess,
    /// The engine guesses.
    Guesses,
    /// There is no single solution, or the engine gave up.
    Unrated(Status),
}

impl Tier {
    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Singles => "singles",
            Tier::NoGuess => "no-guess",
            Tier::Guesses => "guesses",
            Tier::Unrated(status) => status.word(),
        }
    }
}

/// How many puzzles have which tier, and how many guesses they took. Adds up.
#[derive(Clone, Debug, Default)]
pub struct RateCounts {
    /// Puzzles that singles solve.
    pub singles: u64,
    /// Other puzzles that the engine solves without a guess.
    pub no_guess: u64,
    /// Puzzles for which it guesses.
    pub guessed: u64,
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with several solutions.
    pub multiple: u64,
    /// Puzzles on which the engine gave up.
    pub undecided: u64,
    /// The guesses for the puzzles with one solution.
    pub guesses: Histogram,
}

impl RateCounts {
    fn count(&mut self, rating: &Rating) {
        let counter = match rating.tier {
            Tier::Singles => &mut self.singles,
            Tier::NoGuess => &mut self.no_guess,
            Tier::Guesses => &mut self.guessed,
            Tier::Unrated(Status::None) => &mut self.none,
            Tier::Unrated(Status::Multiple) => &mut self.multiple,
            Tier::Unrated(_) => &mut self.undecided,
        };
        *counter += 1;
        if rating.is_single() {
            self.guesses.add(rating.guesses);
        }
    }
}

impl AddAssign<&RateCounts> for RateCounts {
    fn add_assign(&mut self, other: &RateCounts) {
        self.singles += other.singles;
        self.no_guess += other.no_guess;
        self.guessed += other.guessed;
        self.none += other.none;
        self.multiple += other.multiple;
        self.undecided += other.undecided;
        self.guesses += &other.guesses;
    }
}

/// What was read and rated.
#[derive(Clone, Debug, Default)]
pub struct RateOutcome {
    /// What was read and written.
    pub rewritten: RewriteOutcome,
    /// The ratings.
    pub counts: RateCounts,
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{RateOptions, RateRun, RewriteOptions};
/// use galop::{Rules, output};
///
/// let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
/// let format = output::format("csv").expect("a row of FORMATS");
/// let stop = false.into();
/// let options = RewriteOptions { threads: None, format, chunk_bytes: None, stop: &stop };
/// let mut run = RateRun::open(&Rules::sudoku(), options, &RateOptions::default(), Vec::new())?;
/// run.rate(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert!(bytes.starts_with(b"puzzle,tier,blanks,guesses\n") && bytes.ends_with(b",singles,0,0\n"));
/// assert_eq!(outcome.counts.singles, 1);
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was rated"]
#[derive(Debug)]
pub struct RateRun<'a, W> {
    rewrite: Rewrite<'a, Rate, W>,
}

impl<'a, W: Write> RateRun<'a, W> {
    /// Starts the threads. The records will be written to `out`, with their ratings behind them.
    ///
    /// # Errors
    /// [`NotRated`], [`Unsupported`](crate::engine::Unsupported), [`NotConverted`](super::NotConverted),
    /// [`NotSupported`](crate::symmetry::NotSupported) if there are images, [`ErrorKind::Threads`].
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: &RateOptions,
        out: W,
    ) -> Result<Self, Error> {
        if rewriting.format.copier.is_some_and(|copier| !copier.has_added()) {
            return Err(ErrorKind::from(NotRated { format: rewriting.format.name }).into());
        }
        let names: Vec<&'static str> = options.columns.iter().map(|column| column.name).collect();
        let symmetries = match options.images {
            0 => None,
            _ => Some(Symmetries::new(rules, options.seed).map_err(ErrorKind::from)?),
        };
        let entry = options.engine(rules);
        let editor = || {
            Ok(Rate {
                columns: options.columns.clone(),
                images: options.images,
                symmetries: symmetries.clone(),
                solver: Solver {
                    entry,
                    engine: entry.make_steady(rules, Isa::best())?,
                    limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
                    verifier: Verifier::new(rules),
                    alphabet: rules.alphabet().clone(),
                    solutions: Vec::new(),
                    answers: Vec::new(),
                },
                pass: SinglesPass::new(rules, Isa::best()),
                writer: Images::new(),
                left: Vec::new(),
                ratings: Vec::new(),
                has_images: false,
                unsolved: Unsolved::default(),
                text: Vec::new(),
                at: Vec::new(),
                counts: RateCounts::default(),
            })
        };
        Ok(RateRun { rewrite: Rewrite::open(rules, rewriting, &names, [out], editor)? })
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.rewrite.threads()
    }

    /// Rates every record of `source`, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](super::ColumnsDiffer), [`WrongSolution`], [`Unanswered`].
    pub fn rate(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.rewrite.run(source, watch, &mut |(), _| Ok(Some(0)))
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(self) -> Result<(W, RateOutcome), Error> {
        let ([out], rewritten, editors) = self.rewrite.finish()?;
        let mut counts = RateCounts::default();
        editors.iter().for_each(|editor| counts += &editor.counts);
        Ok((out, RateOutcome { rewritten, counts }))
    }
}

/// The rating of a puzzle.
#[derive(Clone, Copy, Debug)]
struct Rating {
    tier: Tier,
    blanks: u16,
    guesses: u64,
    /// The guesses for its images; `None` if there are none, or if the engine gave up on one of them.
    images: Option<Guesses>,
}

impl Rating {
    /// Whether the puzzle is known to have one solution.
    fn is_single(&self) -> bool {
        !matches!(self.tier, Tier::Unrated(_))
    }

    /// Appends a number that only puzzles with one solution have.
    fn only_single(&self, number: u64, out: &mut Vec<u8>) -> bool {
        self.is_single() && write!(out, "{number}").is_ok()
    }
}

/// Numbers of guesses, summed up.
#[derive(Clone, Copy, Debug, Default)]
struct Guesses {
    count: u64,
    sum: u64,
    squares: u128,
    /// The sum of the logarithms of guesses + 1.
    logarithms: f64,
}

impl Guesses {
    fn add(&mut self, guesses: u64) {
        self.count += 1;
        self.sum += guesses;
        self.squares += u128::from(guesses) * u128::from(guesses);
        self.logarithms += (guesses as f64).ln_1p();
    }

    fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    fn geometric_mean(&self) -> f64 {
        (self.logarithms / self.count as f64).exp_m1()
    }

    /// That of a sample, whose squares are divided by its size minus 1.
    fn deviation(&self) -> Option<f64> {
        let count = u128::from(self.count);
        let squares = count * self.squares - u128::from(self.sum) * u128::from(self.sum);
        (count > 1).then(|| (squares as f64 / (count * (count - 1)) as f64).sqrt())
    }
}

/// Writes the rating of each record behind its fields.
struct Rate {
    columns: Vec<&'static RateColumn>,
    /// Images of each puzzle.
    images: u64,
    symmetries: Option<Symmetries>,
    solver: Solver,
    pass: SinglesPass,
    writer: Images,
    /// What singles leave of the puzzles of the chunk, and their ratings.
    left: Vec<Left>,
    ratings: Vec<Rating>,
    /// Whether the images of the chunk are rated.
    has_images: bool,
    unsolved: Unsolved,
    /// The values of the columns, and their places.
    text: Vec<u8>,
    at: Vec<(bool, Range<usize>)>,
    counts: RateCounts,
}

/// Puzzles of a chunk that the engine solves.
#[derive(Default)]
struct Unsolved {
    /// Flat.
    cells: Vec<u8>,
    /// The places of the puzzles in the chunk.
    places: Vec<usize>,
    /// Images of the puzzles, flat, with their symmetries.
    images: Vec<u8>,
    symmetries: Vec<Symmetry>,
}

impl Unsolved {
    /// Replaces them by the puzzles at the places for which `is_unsolved` holds.
    fn take(&mut self, puzzles: Puzzles<'_>, is_unsolved: impl Fn(usize) -> bool) {
        self.cells.clear();
        self.places.clear();
        for (place, puzzle) in puzzles.iter().enumerate().filter(|(place, _)| is_unsolved(*place)) {
            self.cells.extend_from_slice(puzzle);
            self.places.push(place);
        }
    }
}

/// The engine, and room for what it answers.
struct Solver {
    entry: &'static Entry,
    engine: Box<dyn Engine>,
    limits: Limits,
    verifier: Verifier,
    alphabet: Alphabet,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

impl Solver {
    /// Answers `puzzles`. Every solution is verified.
    fn solve(&mut self, chunk: &ChunkJob<'_>, puzzles: Puzzles<'_>) -> Result<(), Failure> {
        let Solver { entry, engine, limits, verifier, alphabet, solutions, answers } = self;
        answers.clear();
        chunk.solve_batch(&mut **engine, puzzles, *limits, solutions, answers)?;
        for ((puzzle, solution), answer) in
            puzzles.iter().zip(solutions.chunks_exact(puzzles.stride())).zip(answers)
        {
            match answer.status(*limits) {
                Status::Unanswered => {
                    return Err(ErrorKind::from(Unanswered { engine: entry.name }).into());
                }
                Status::Solved => verifier.check(puzzle, solution).map_err(|violation| {
                    let wrong = WrongSolution::new(entry.name, puzzle, solution, violation, alphabet);
                    ErrorKind::from(wrong)
                })?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The status and the guesses of each puzzle.
    fn answers(&self) -> impl Iterator<Item = (Status, u64)> {
        self.answers.iter().map(|answer| (answer.status(self.limits), answer.effort.guesses))
    }
}

impl Rate {
    /// Counts the guesses for the images of the puzzles that have one solution. The first record of the chunk is on line
    /// `first` of all sources, from 1.
    fn rate_images(&mut self, chunk: &ChunkJob<'_>, first: u64) -> Result<(), Failure> {
        let Rate { images, symmetries, solver, writer, left, ratings, unsolved, .. } = self;
        let Some(symmetries) = symmetries else { return Ok(()) };
        let mut lines = vec![0; ratings.len()];
        for record in chunk.records() {
            if let Ok(puzzle) = &record.puzzle {
                lines[puzzle.place] = first + record.line;
            }
        }
        let is_solved = |place: usize| solver.entry.solves_singles && left[place] == Left::Blanks(0);
        unsolved.take(chunk.puzzles(), |place| ratings[place].is_single() && !is_solved(place));
        for (place, rating) in ratings.iter_mut().enumerate().filter(|(_, rating)| rating.is_single()) {
            let mut guesses = Guesses::default();
            if is_solved(place) {
                guesses.count = *images;
            }
            rating.images = Some(guesses);
        }
        for image in 0..*images {
            unsolved.symmetries.clear();
            unsolved
                .symmetries
                .extend(unsolved.places.iter().map(|&place| symmetries.get(lines[place], image)));
            unsolved.images.resize(unsolved.cells.len(), 0);
            writer
                .write(&unsolved.symmetries, &unsolved.cells, &mut unsolved.images)
                .map_err(ErrorKind::from)?;
            solver.solve(chunk, Puzzles::new(&unsolved.images, chunk.puzzles().stride()))?;
            for (&place, (status, guesses)) in unsolved.places.iter().zip(solver.answers()) {
                match &mut ratings[place].images {
                    Some(of_images) if status == Status::Solved => of_images.add(guesses),
                    of_images => *of_images = None,
                }
            }
        }
        Ok(())
    }
}

impl Editor for Rate {
    type Note = ();
    const NUMBERS_LINES: bool = true;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let Rate { solver, pass, left, ratings, unsolved, has_images, images, .. } = self;
        let puzzles = chunk.puzzles();
        pass.run(puzzles, left);
        ratings.clear();
        ratings.extend(left.iter().map(|left| match left {
            Left::Blanks(0) => Rating { tier: Tier::Singles, blanks: 0, guesses: 0, images: None },
            Left::Blanks(blanks) => Rating { tier: Tier::Guesses, blanks: *blanks, guesses: 0, images: None },
            Left::Contradiction => {
                Rating { tier: Tier::Unrated(Status::None), blanks: 0, guesses: 0, images: None }
            }
        }));
        unsolved.take(puzzles, |place| match left[place] {
            Left::Blanks(0) => !solver.entry.solves_singles,
            Left::Blanks(_) => true,
            Left::Contradiction => false,
        });
        solver.solve(chunk, Puzzles::new(&unsolved.cells, puzzles.stride()))?;
        for (&place, (status, guesses)) in unsolved.places.iter().zip(solver.answers()) {
            let rating = &mut ratings[place];
            rating.guesses = guesses;
            rating.tier = match (status, rating.tier) {
                // An engine that gives up on it knows less than singles do.
                (_, Tier::Singles) => Tier::Singles,
                (Status::Solved, _) if guesses == 0 => Tier::NoGuess,
                (Status::Solved, _) => Tier::Guesses,
                (status, _) => Tier::Unrated(status),
            };
        }
        *has_images = *images == 0;
        Ok(())
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, ()>) -> Result<(), Failure> {
        if !self.has_images {
            self.has_images = true;
            self.rate_images(out.chunk, out.line(record) - record.line)?;
        }
        let Rate { columns, ratings, text, at, counts, .. } = self;
        let rating = match &record.puzzle {
            Ok(puzzle) => ratings.get(puzzle.place),
            Err(_) => None,
        };
        let Some(rating) = rating else {
            out.keep(record);
            return Ok(());
        };
        counts.count(rating);
        text.clear();
        at.clear();
        for column in columns.iter() {
            let start = text.len();
            let is_there = (column.push)(rating, text);
            at.push((is_there, start..text.len()));
        }
        let mut added = [Field::Missing; RATE_COLUMNS.len()];
        for ((field, (is_there, at)), column) in added.iter_mut().zip(&*at).zip(columns) {
            *field = match is_there {
                true if column.name == "tier" => Field::Text(&text[at.clone()]),
                true => Field::Literal(&text[at.clone()]),
                false => Field::Missing,
            };
        }
        let added = &added[..at.len().min(RATE_COLUMNS.len())];
        let answer = if out.has_columns() { AnswerContent::AsRead } else { AnswerContent::LeftOut };
        out.write(record, &Content { puzzle: None, answer, added });
        Ok(())
    }
}
