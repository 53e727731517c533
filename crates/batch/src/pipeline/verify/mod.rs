//! Verifies files of puzzles with their solutions: rules, clues and, on request, uniqueness.
//!
//! A puzzle that stands alone, without a solution field, is solved: it is faulty if it has no solution, or several
//! where each must have one. The puzzles of a chunk that stand alone are solved together, so that an engine for many
//! puzzles at once has full lanes.

mod faults;
mod judge;

use std::num::NonZero;
use std::ops::AddAssign;
use std::sync::atomic::AtomicBool;

use super::answerer::Answerer;
use super::malformed::MalformedLines;
use super::run::{Delivery, Run, Task, Totals};
use super::watch::Watch;
use super::{BATCH_CHUNK_BYTES, CHUNK_BYTES, ChunkJob, Failure, SolveOptions, SourceHead};
use crate::engine::Entry;
use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::input::source::Source;
use crate::options::NEVER;
use crate::parts::{Part, SolvedInput};
use crate::puzzle::{Limits, Puzzles, Status};
use judge::{Fault, Judge, Verdict};

pub use faults::{Faults, FaultyRecord, ReasonFaults};

crate::options! {
    /// How a source is verified.
    #[derive(Clone, Copy, Debug)]
    VerifyOptions<'a> {
        /// Whether each puzzle must have one solution only, and what a status word says must be true.
        unique: bool = false,
        /// Worker threads; `None` for one a core.
        threads: Option<NonZero<usize>> = None,
        /// Once this is true the run ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped).
        stop: &'a AtomicBool = &NEVER,
    }
}

/// How many records have each verdict. Adds up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdicts {
    /// All records.
    pub records: u64,
    /// Records with a right solution.
    pub right: u64,
    /// Records with a fault.
    pub faulty: u64,
    /// Records that claim no solution: a status word or a grid of blanks takes its place.
    pub unanswered: u64,
    /// Puzzles without a solution field.
    pub alone: u64,
    /// Those of them that have a solution, and one only where each must have one.
    pub solved: u64,
}

impl Verdicts {
    /// The verdicts in the order of a summary: the words for each, and its records. Puzzles alone are there only if some
    /// are solved.
    pub fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counts = [("right", self.right), ("faulty", self.faulty), ("claimed unsolved", self.unanswered)];
        let alone = ("solvable", self.solved);
        counts.into_iter().chain((self.solved > 0).then_some(alone))
    }
}

impl AddAssign for Verdicts {
    fn add_assign(&mut self, other: Verdicts) {
        let Verdicts { records, right, faulty, unanswered, alone, solved } = other;
        self.records += records;
        self.right += right;
        self.faulty += faulty;
        self.unanswered += unanswered;
        self.alone += alone;
        self.solved += solved;
    }
}

/// What was found in a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerifyOutcome {
    /// The source, and what was read of it.
    pub input: SolvedInput,
    /// How many of its records have each verdict.
    pub verdicts: Verdicts,
}

impl VerifyOutcome {
    /// The verdicts of all sources together; `None` without a source.
    pub fn total(sources: &[VerifyOutcome]) -> Option<Verdicts> {
        sources.iter().map(|source| source.verdicts).reduce(|mut total, verdicts| {
            total += verdicts;
            total
        })
    }
}

/// Verifies every record of `source`. `report` gets each faulty record, in order.
///
/// # Errors
/// As [`VerifyRun::open`] and [`VerifyRun::verify`].
pub fn verify(
    rules: &Rules,
    engine: &'static Entry,
    source: &mut Source,
    options: &VerifyOptions<'_>,
    report: &mut dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error>,
) -> Result<VerifyOutcome, Error> {
    VerifyRun::open(rules, engine, options)?.verify(source, &mut (), report)
}

/// A run that verifies one source after the other.
pub struct VerifyRun<'a> {
    rules: Rules,
    run: Run<'a, Worker, Page>,
}

impl<'a> VerifyRun<'a> {
    /// Starts the threads. `engine` solves the puzzles that stand alone; if each solution must be the only one, it
    /// proves that.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported), [`ErrorKind::Threads`].
    pub fn open(
        rules: &Rules,
        engine: &'static Entry,
        options: &VerifyOptions<'a>,
    ) -> Result<VerifyRun<'a>, Error> {
        let worker = || {
            let solver = Solver { rules: rules.clone(), engine, is_unique: options.unique, answerer: None };
            let mut worker = Worker { solver, judge: Judge::new(rules), alone: Vec::new() };
            if options.unique {
                worker.solver.answerer()?;
            }
            Ok(worker)
        };
        let chunk_bytes = |worker: &Worker| match &worker.solver.answerer {
            // Of a chunk of pairs, half is puzzles.
            Some(answerer) if answerer.engine.is_batched() => 2 * BATCH_CHUNK_BYTES,
            // Larger chunks than for solving: a record takes a tenth of the time, and waking a thread takes the same.
            _ => 8 * CHUNK_BYTES,
        };
        let run = Run::start(options.threads, worker, rules.into(), chunk_bytes, options.stop)?;
        Ok(VerifyRun { rules: rules.clone(), run })
    }

    /// Verifies every record of `source`. `report` gets each faulty record, in order.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Stopped`],
    /// [`Unanswered`](crate::engine::Unanswered), and what `report` fails with.
    pub fn verify(
        &mut self,
        source: &mut Source,
        watch: &mut dyn Watch,
        report: &mut dyn FnMut(&FaultyRecord<'_>) -> Result<(), Error>,
    ) -> Result<VerifyOutcome, Error> {
        let VerifyRun { rules, run } = self;
        let path = source.name().to_owned();
        let mut report = |line, fault: Fault| {
            let malformed = match &fault {
                Fault::Puzzle(error) | Fault::Solution(error) => Some(error),
                _ => None,
            };
            let written = |symbol| char::from(rules.alphabet().character(symbol)).to_string();
            let (column, reason, message) = (Some(fault.column()), fault.in_short(), fault.in_words(written));
            report(&FaultyRecord { path: &path, line, column, malformed, reason, message: &message })
        };
        let mut task = VerifyTask { verdicts: Verdicts::default(), report: &mut report };
        run.read(&mut task, source, Part::WHOLE, &mut [], watch)?;
        Ok(VerifyOutcome {
            input: run.totals.inputs.last().cloned().unwrap_or_default(),
            verdicts: task.verdicts,
        })
    }
}

impl std::fmt::Debug for VerifyRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VerifyRun").field("rules", &self.rules.name()).finish_non_exhaustive()
    }
}

/// Solves puzzles. The engine is made when it is first needed.
struct Solver {
    rules: Rules,
    engine: &'static Entry,
    is_unique: bool,
    answerer: Option<Answerer>,
}

impl Solver {
    fn answerer(&mut self) -> Result<&mut Answerer, Error> {
        let made = match self.answerer.take() {
            Some(made) => made,
            None => {
                let limits = if self.is_unique { Limits::UNIQUE } else { Limits::ANY };
                let limits = limits.with_guesses(self.engine.max_guesses);
                let options = SolveOptions::default().limits(limits).times(false);
                Answerer::new(&self.rules, self.engine, false, &options)?
            }
        };
        Ok(self.answerer.insert(made))
    }
}

/// The steps of one thread: read, answer, judge, count.
struct Worker {
    solver: Solver,
    judge: Judge,
    /// The puzzles of a chunk that stand alone, flat cells.
    alone: Vec<u8>,
}

impl Worker {
    /// Solves the puzzles of `page` that stand alone. Those that have a solution lose their fault.
    #[cold]
    fn solve_alone(&mut self, chunk: &ChunkJob<'_>, page: &mut Page) -> Result<(), Failure> {
        let cells = chunk.puzzles().stride();
        let puzzles = Puzzles::new(&self.alone, cells).map_err(ErrorKind::from)?;
        let answerer = self.solver.answerer()?;
        answerer.answer_others(chunk, puzzles)?;
        let mut places = 0..;
        for (line, fault) in &mut page.faults {
            if let Fault::Alone { found, clash, .. } = fault
                && let Some(place) = places.next()
            {
                *found = answerer.get(place, cells, *line)?.status;
                answerer.clear(place);
                let puzzle = puzzles.get(place).filter(|_| *found == Status::None);
                *clash = puzzle.and_then(|puzzle| self.judge.clash(puzzle));
            }
        }
        self.alone.clear();
        Ok(())
    }
}

/// Adds up the verdicts of all chunks, and reports the faults.
struct VerifyTask<'a> {
    verdicts: Verdicts,
    report: &'a mut dyn FnMut(u64, Fault) -> Result<(), Error>,
}

/// What one chunk becomes.
#[derive(Default)]
struct Page {
    verdicts: Verdicts,
    /// Lines count from 0 in the chunk.
    faults: Vec<(u64, Fault)>,
}

impl Task for VerifyTask<'_> {
    type Worker = Worker;
    type Plan = ();
    type Page = Page;

    fn recognised(
        &mut self,
        _head: &SourceHead<'_>,
        _lines_before: u64,
        _input: &mut SolvedInput,
        _header: &mut Vec<u8>,
    ) -> Result<(), Error> {
        Ok(())
    }

    fn work(
        worker: &mut Worker,
        (): (),
        chunk: &ChunkJob<'_>,
        page: &mut Page,
        _malformed: &mut MalformedLines,
    ) -> Result<(), Failure> {
        let mut verdicts = Verdicts::default();
        page.faults.clear();
        worker.alone.clear();
        let mut prover = worker.solver.answerer.as_mut().filter(|_| worker.solver.is_unique);
        if let Some(prover) = &mut prover {
            prover.answer(chunk)?;
        }
        let cells = chunk.puzzles().stride();
        for record in chunk.records() {
            if chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            let proved = match (&mut prover, &record.puzzle) {
                (Some(prover), Ok(puzzle)) => {
                    let status = prover.get(puzzle.place, cells, record.line)?.status;
                    prover.clear(puzzle.place);
                    Some(status)
                }
                _ => None,
            };
            verdicts.records += 1;
            match worker.judge.judge(&record, chunk.format, proved) {
                Ok(Verdict::Right) => verdicts.right += 1,
                Ok(Verdict::Unanswered) => verdicts.unanswered += 1,
                Err(mut fault) => {
                    if let (Fault::Alone { found, .. }, Ok(puzzle)) = (&fault, &record.puzzle) {
                        verdicts.alone += 1;
                        if *found == Status::Unanswered {
                            worker.alone.extend_from_slice(puzzle.cells);
                        }
                    }
                    page.faults.push((record.line + fault.find_line(&record, chunk.format), fault));
                }
            }
        }
        if !worker.alone.is_empty() {
            worker.solve_alone(chunk, page)?;
        }
        if verdicts.alone > 0 {
            page.faults.retain(|(_, fault)| !matches!(fault, Fault::Alone { found: Status::Solved, .. }));
        }
        verdicts.faulty = page.faults.len() as u64;
        verdicts.solved = verdicts.records - verdicts.right - verdicts.unanswered - verdicts.faulty;
        page.verdicts = verdicts;
        Ok(())
    }

    fn deliver(&mut self, page: &mut Page, delivery: Delivery<'_, '_>) -> Result<(), Error> {
        for (line, fault) in page.faults.drain(..) {
            (self.report)(delivery.at.line(line), fault)?;
        }
        self.verdicts += page.verdicts;
        Ok(())
    }

    /// A run of `verify` cannot go on where another one ended: it has no output.
    fn sums(&self, _totals: &Totals) -> impl serde::Serialize {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::named;
    use crate::pipeline::Verdicts;
    use galop_testing::puzzles::{IMPOSSIBLE, PUZZLE, SOLUTION, open_puzzle};

    fn check(text: String, unique: bool) -> (Verdicts, Vec<String>) {
        let (verdicts, faults) = check_with("dlx", &Rules::default(), unique, text);
        (verdicts, faults.into_iter().map(|(fault, _)| fault).collect())
    }

    /// The verdicts of an engine, and the faults with their reasons.
    fn check_with(
        engine: &str,
        rules: &Rules,
        unique: bool,
        text: String,
    ) -> (Verdicts, Vec<(String, &'static str)>) {
        let options = VerifyOptions::default().unique(unique).threads(NonZero::new(2));
        let mut source = Source::stream("file", std::io::Cursor::new(text.into_bytes()));
        let mut faults = Vec::new();
        let verified = verify(rules, named(engine).unwrap(), &mut source, &options, &mut |faulty| {
            faults.push((faulty.to_string(), faulty.reason));
            Ok(())
        });
        (verified.unwrap().verdicts, faults)
    }

    /// Right, faulty and unanswered records, and puzzles alone that are solved.
    fn numbers(verdicts: Verdicts) -> [u64; 4] {
        [verdicts.right, verdicts.faulty, verdicts.unanswered, verdicts.solved]
    }

    #[test]
    fn right_wrong_and_unanswered_are_distinguished() {
        let swapped = SOLUTION.replacen("41", "14", 1);
        let text = format!(
            "# comment\n{PUZZLE},{SOLUTION}\n{PUZZLE},{swapped}\n{PUZZLE},none\nrubbish,malformed\n\
             rubbish\n{PUZZLE}\n{PUZZLE},123\n{PUZZLE},{}\n",
            SOLUTION.replace('9', ".")
        );
        let (verified, faults) = check(text, false);
        assert_eq!(numbers(verified), [1, 4, 2, 1]);
        assert_eq!(verified.records, 8);
        assert_eq!(faults[0], "file:3:83: wrong solution: row 1, column 1 holds 1, but the clue is 4");
        let begins = [
            "file:6:1: ",
            "file:8:83: in the solution: 3 cells",
            "file:9:88: in the solution: `.` is a blank",
        ];
        for (fault, begin) in faults[1..].iter().zip(begins) {
            assert!(fault.starts_with(begin), "{fault}");
        }
    }

    /// The column belongs to the cell to blame.
    #[test]
    fn a_wrong_solution_is_described_in_the_symbols_of_the_file() {
        let blank = ".".repeat(81);
        let twice = SOLUTION.replacen("417", "414", 1);
        let (_, faults) = check(format!("{blank},{twice}\n"), false);
        let words = "4 occurs twice in row 1: in row 1, column 1 and in row 1, column 3";
        assert_eq!(faults, [format!("file:1:85: wrong solution: {words}")]);
        let rules = Rules::sudoku(16).unwrap();
        let symbol = |at: usize| rules.alphabet().character((at % 16) as u8 + 1);
        // The rows are right. 11 is written B.
        let solution: String = (0..256).map(|at| char::from(symbol(at + 10))).collect();
        let text = format!("{},{solution}\n", ".".repeat(256));
        let (_, found) = check_with("grid", &rules, false, text);
        let words = "B occurs twice in column 1: in row 1, column 1 and in row 2, column 1";
        assert_eq!(found, [(format!("file:1:274: wrong solution: {words}"), "symbol twice in a unit")]);
    }

    /// Answers are found by place: malformed records have none, and chunks have many records.
    #[test]
    fn every_engine_finds_the_same_in_large_files() {
        let (twice, right) = (PUZZLE.replacen("4..", "44.", 1), format!("{PUZZLE},{SOLUTION}"));
        let open = format!("{},{SOLUTION}", open_puzzle());
        let lines = [&*right, "rubbish,malformed", &right, &open, "rubbish", PUZZLE, &twice];
        let text: String = (0..20_000).map(|line| format!("{}\n", lines[line % 11 % 7])).collect();
        for (unique, expected) in
            [(false, [10_909, 3_636, 3_637, 1_818]), (true, [7_273, 7_272, 3_637, 1_818])]
        {
            let [first, others @ ..] = ["bitboard", "lanes", "grid"]
                .map(|name| check_with(name, &Rules::default(), unique, text.clone()));
            assert_eq!(numbers(first.0), expected);
            let fault = "file:19991:83: given as the only solution, but the puzzle has several";
            assert_eq!(first.1.iter().any(|(found, _)| found == fault), unique);
            assert!(others.iter().all(|other| *other == first));
        }
    }

    #[test]
    fn several_sources_have_their_own_verdicts_and_names() {
        let options = VerifyOptions::default().threads(NonZero::new(2));
        let mut run = VerifyRun::open(&Rules::default(), named("bitboard").unwrap(), &options).unwrap();
        let mut faults = Vec::new();
        let texts =
            [("one", format!("{PUZZLE},{SOLUTION}\n")), ("two", format!("#\n{PUZZLE},123\n{PUZZLE}\n"))];
        let found = texts.map(|(name, text)| {
            let mut source = Source::stream(name, std::io::Cursor::new(text.into_bytes()));
            let verified = run.verify(&mut source, &mut (), &mut |faulty| {
                faults.push(format!("{}:{}", faulty.path.display(), faulty.line));
                Ok(())
            });
            let VerifyOutcome { input, verdicts } = verified.unwrap();
            (input.name.display().to_string(), input.lines, numbers(verdicts))
        });
        assert_eq!(found, [("one".to_owned(), 1, [1, 0, 0, 0]), ("two".to_owned(), 3, [0, 1, 0, 1])]);
        assert_eq!(faults, ["two:2"]);
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = format!("id,solution,puzzle\r\n7,\"{SOLUTION}\",{PUZZLE}\r\n8,{PUZZLE},{PUZZLE}\r\n");
        let (verified, faults) = check(text, false);
        assert_eq!(numbers(verified), [1, 1, 0, 0]);
        assert!(faults[0].starts_with("file:3:4: in the solution"), "{faults:?}");
    }

    /// Fields in quotes may hold line ends: the fault has the line and column of its byte.
    #[test]
    fn a_fault_behind_a_line_end_in_quotes_has_its_own_line() {
        let (wrong, twice) = (SOLUTION.replacen("41", "14", 1), PUZZLE.replacen("4..", "44.", 1));
        let rows = format!(
            "\"a\nbc\",{PUZZLE},{wrong}\nd,{PUZZLE},{wrong}\n\"a\n\",{PUZZLE},x\n\"a\nb\",{twice}\n{PUZZLE},\"\nrubbish\",\n"
        );
        let (verified, faults) = check(format!("note,puzzle,solution\n{rows}"), false);
        assert_eq!(numbers(verified), [0, 5, 0, 0]);
        let places: Vec<&str> = faults.iter().filter_map(|fault| fault.split(": ").next()).collect();
        assert_eq!(places, ["file:3:87", "file:4:85", "file:6:85", "file:8:4", "file:9:84"]);
    }

    /// A puzzle alone is solved, whatever stands around it. Two clues that clash are the reason if there is no solution;
    /// in Norvig's impossible puzzle none clash.
    #[test]
    fn puzzles_alone_are_solved() {
        let twice = PUZZLE.replacen("4..", "44.", 1);
        let text = format!(
            "{PUZZLE}\n{PUZZLE},{SOLUTION}\n{twice}\n{PUZZLE},none\nrubbish\n{IMPOSSIBLE},\n{}\n",
            open_puzzle()
        );
        let none = [
            "file:3:1: none: 4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2",
            "file:6:1: none: the puzzle has no solution",
        ];
        let (verified, faults) = check(text.clone(), false);
        assert_eq!((numbers(verified), verified.alone), ([1, 3, 1, 2], 4));
        assert_eq!([&*faults[0], &*faults[2]], none);
        let (verified, faults) = check(text, true);
        assert_eq!((numbers(verified), verified.alone), ([1, 5, 0, 1], 4));
        assert_eq!([&*faults[0], &*faults[3]], none);
        assert_eq!(faults[4], "file:7:1: multiple: the puzzle has several solutions");
    }

    #[test]
    fn uniqueness_is_proved_on_request() {
        let open = open_puzzle();
        let text = format!("{PUZZLE},{SOLUTION}\n{open},{SOLUTION}\n{open},none\n{open},multiple\n");
        assert_eq!(check(text.clone(), false).0.faulty, 0);
        let (verified, faults) = check(text, true);
        assert_eq!(numbers(verified), [1, 2, 1, 0]);
        assert_eq!(faults[0], "file:2:83: given as the only solution, but the puzzle has several");
        assert_eq!(faults[1], "file:3:83: given as having no solution, but the puzzle has several");
        let text = format!("{PUZZLE},malformed\n{PUZZLE},limit\nrubbish,malformed\n{PUZZLE},stuck\n");
        assert_eq!(check(text.clone(), false).0.faulty, 0);
        let (verified, faults) = check(text, true);
        assert_eq!(numbers(verified), [0, 2, 2, 0]);
        assert_eq!(faults[0], "file:1:83: given as malformed, but the puzzle can be read");
        assert_eq!(faults[1], "file:2:83: given up at a limit, but the puzzle has exactly one");
    }
}
