//! A whole run on all cores: makes chunks of puzzles in parallel and delivers them in order.
//!
//! The first chunks are small, so that the first puzzles come soon. Later ones are four times as long, and so on up to
//! a limit, because many puzzles are made faster together. There are a few chunks a thread, each with its buffers, so
//! memory does not grow with the count. They are filled in any order, and each is delivered as soon as it and all
//! before it are.

use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use galop_cover::threads;

use super::{DISTINCT_CLASSES, GenerateError, Generator, Recipe, SURE_CELLS, Wish};
use crate::error::{Error, ErrorKind};
use crate::pipeline::workers::{Steps, Workers};

/// Chunks per thread that are filled or wait for an earlier one, and chunks of each length.
const CHUNKS_PER_THREAD: usize = 8;

/// Puzzles in a chunk; in one of the first chunks if they are made at once.
const CHUNK: u64 = 32;

/// Puzzles in a chunk at most, if they are made at once: with half as many a run takes 10 % longer, with twice as many
/// it takes as long.
const LONG_CHUNK: u64 = 1024;

/// Puzzles in one of the first chunks if they are made at once and are no 9x9 sudokus: with a few of them the lanes would
/// be as slow as an engine for single puzzles.
const FIRST_OTHERS: u64 = 512;

/// Puzzles in a chunk at most, if they are made at once and may take long.
const SLOW_CHUNK: u64 = 128;

/// Walks in a chunk at most, and in one of the first chunks. Puzzles of 10 guesses a second and core: 42 in chunks of
/// 64, 99 of 512, 105 of 1,024.
const WALKS: u64 = 1024;
const FIRST_WALKS: u64 = 512;

/// Clues at or below which a puzzle is a chunk of its own, because it may take seconds. A large grid is one, too.
const SLOW_CLUES: usize = 22;

/// Clues at or above which this is true of a minimal puzzle.
const SLOW_MINIMAL_CLUES: usize = 28;

/// Puzzles that were made, one after the other.
#[derive(Debug, Default)]
pub struct MadePage {
    /// A line for each puzzle, in the alphabet of the rules (`.` for a blank), with a line feed.
    pub puzzles: Vec<u8>,
    /// As many lines of their solutions. If the puzzles have not one solution, these lines say what was changed:
    /// `r3c5=7 was 2`, or `r3c5 r8c1 removed`.
    pub solutions: Vec<u8>,
    /// The place of each puzzle in the run.
    pub places: Vec<u64>,
    /// The guesses for each puzzle, if the recipe asks for them.
    pub guesses: Vec<u64>,
    /// The key of the class of each puzzle, if the recipe asks for it.
    pub keys: Vec<u128>,
    /// The weight of each puzzle, if the recipe asks for it.
    pub weights: Vec<f64>,
}

impl MadePage {
    fn clear(&mut self) {
        let MadePage { puzzles, solutions, places, guesses, keys, weights } = self;
        puzzles.clear();
        solutions.clear();
        places.clear();
        guesses.clear();
        keys.clear();
        weights.clear();
    }

    /// Keeps the puzzles at the indices for which `keeps` holds.
    fn retain(&mut self, keeps: &[bool]) {
        fn filtered<T: Copy>(all: &[T], keeps: &[bool]) -> Vec<T> {
            all.iter().zip(keeps).filter(|(_, keeps)| **keeps).map(|(one, _)| *one).collect()
        }
        let lines = |text: &[u8]| -> Vec<u8> {
            let lines = text.split_inclusive(|&byte| byte == b'\n').zip(keeps);
            lines.filter(|(_, keeps)| **keeps).flat_map(|(line, _)| line.iter().copied()).collect()
        };
        *self = MadePage {
            puzzles: lines(&self.puzzles),
            solutions: lines(&self.solutions),
            places: filtered(&self.places, keeps),
            guesses: filtered(&self.guesses, keeps),
            keys: filtered(&self.keys, keeps),
            weights: filtered(&self.weights, keeps),
        };
    }
}

/// Makes `count` puzzles of `recipe`, from its first place on. Passes them to `sink` in order: lines of one character
/// per cell (`.` for a blank) and a line feed, and as many lines of their solutions. If the recipe asks for puzzles
/// that have not one solution, these lines say what was changed: `r3c5=7 was 2`, or `r3c5 r8c1 removed`.
///
/// How the lines are divided into calls may change. Their concatenated bytes do not.
///
/// # Errors
/// The puzzles before the failed one were delivered. The errors of [`Recipe::check`], and:
/// - [`ErrorKind::Threads`](crate::error::ErrorKind::Threads);
/// - [`GenerateError`](super::GenerateError) if no puzzle is found;
/// - [`Unsupported`](crate::engine::Unsupported) if the engine does not accept the rules;
/// - [`NotSupported`](crate::symmetry::NotSupported) if classes are asked for and the rules have none;
/// - [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped) soon after `stop` is set;
/// - [`WrongSolution`](crate::grid::WrongSolution) if the engine has a bug;
/// - errors of `sink`, which is then not called again.
pub fn run(
    recipe: &Recipe,
    count: u64,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&[u8], &[u8]) -> Result<(), Error>,
) -> Result<(), Error> {
    run_described(recipe, count, stop, &mut |page| sink(&page.puzzles, &page.solutions))
}

/// As [`run`]. Passes the puzzles with their places, and with the details that the recipe asks for.
///
/// # Errors
/// The errors of [`run`].
pub fn run_described(
    recipe: &Recipe,
    count: u64,
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&MadePage) -> Result<(), Error>,
) -> Result<(), Error> {
    let is_rare = match &recipe.wish {
        _ if recipe.walks() => true,
        Wish::Minimal => false,
        Wish::Pattern(_) => true,
        Wish::Clues(range) => *range.start() <= SLOW_CLUES,
        Wish::MinimalClues(range) => *range.end() < SLOW_CLUES || *range.start() >= SLOW_MINIMAL_CLUES,
    };
    let is_slow = is_rare || recipe.rules.grid().cells() > SURE_CELLS;
    // Every thread should have some puzzles.
    let share = || count.div_ceil(threads::count(recipe.threads).get() as u64);
    let first = match is_slow {
        // Few walks side by side take nearly as long as many.
        true if recipe.walks() && recipe.is_batched() => FIRST_WALKS.min(share()).max(1),
        true => 1,
        false if recipe.is_batched() && !recipe.rules.grid().is_nine() => {
            FIRST_OTHERS.min(share()).max(CHUNK)
        }
        false => CHUNK,
    };
    let most = match recipe.is_batched() {
        true if recipe.walks() => WALKS,
        true if is_slow => SLOW_CHUNK,
        true => LONG_CHUNK,
        false => first,
    };
    run_in_chunks(recipe, count, [first, most], stop, sink)
}

/// As [`run_described`], in chunks of the first length at first and of the second length at last.
fn run_in_chunks<'a>(
    recipe: &'a Recipe,
    count: u64,
    [chunk, most]: [u64; 2],
    stop: &AtomicBool,
    sink: &mut dyn FnMut(&MadePage) -> Result<(), Error>,
) -> Result<(), Error> {
    recipe.check(count)?;
    // This one finds what is wrong with the recipe before any thread works. The others are made when they are needed.
    let first = Cell::new(Some(Generator::new(recipe)?));
    let mut workers: Workers<_, Chunk> = Workers::start(recipe.threads, || Ok(first.take()))?;
    let slots = CHUNKS_PER_THREAD * workers.threads();
    let mut making = Making { end: count, next: 0, begun: 0, chunk, failure: None };
    // The first place that is not needed any more: puzzles after the first failure are never delivered, but all puzzles
    // before it are.
    let end = AtomicU64::new(u64::MAX);
    let next = |making: &mut Making, slot: &mut Chunk| {
        if making.next >= making.end || making.failure.is_some() {
            return Ok(None);
        }
        if making.begun == slots {
            (making.begun, making.chunk) = (0, most.min(4 * making.chunk));
        }
        making.begun += 1;
        let start = making.next;
        making.next = making.end.min(start.saturating_add(making.chunk));
        // The result if the work panics.
        slot.failure = Some(ErrorKind::Stopped.into());
        Ok(Some(recipe.first + start..recipe.first + making.next))
    };
    let work = |generator: &mut Option<Generator<'a>>,
                places: Range<u64>,
                slot: &mut Chunk,
                abandoned: &AtomicBool| {
        if abandoned.load(Ordering::Relaxed) {
            end.store(0, Ordering::Relaxed);
        }
        slot.failure = slot.fill(recipe, generator, places, stop, &end).err();
    };
    let mut classes = HashSet::new();
    let deliver = |making: &mut Making, slot: &mut Chunk| {
        if recipe.is_distinct {
            let repeats = keep_new(&mut slot.page, &mut classes);
            recipe.tally.leave_out(repeats);
            // Another puzzle is made for each that is left out.
            making.end += repeats;
        }
        if !slot.page.places.is_empty() {
            sink(&slot.page)?;
        }
        match slot.failure.take() {
            Some(error) if !(recipe.has_gaps && stop.load(Ordering::Relaxed)) => return Err(error),
            failure => making.failure = making.failure.take().or(failure),
        }
        // There are no more places than numbers for them.
        match making.end > u64::MAX - recipe.first {
            true => Err(GenerateError::Places { first: recipe.first, count: making.end }.into()),
            false => Ok(()),
        }
    };
    workers.run(slots, &mut making, Steps { next, work, deliver, wait: |_: &mut Making| () })?;
    making.failure.map_or(Ok(()), Err)
}

/// Where a run is.
struct Making {
    /// Places up to which puzzles are made.
    end: u64,
    /// The first place that no chunk has.
    next: u64,
    /// Chunks of the present length.
    begun: usize,
    /// Puzzles of a chunk.
    chunk: u64,
    /// The first failure.
    failure: Option<Error>,
}

/// Leaves out the puzzles whose class an earlier puzzle has. Returns how many.
fn keep_new(page: &mut MadePage, classes: &mut HashSet<u128>) -> u64 {
    let mut is_new = |key: &u128| match classes.len() < DISTINCT_CLASSES {
        true => classes.insert(*key),
        false => !classes.contains(key),
    };
    let keeps: Vec<bool> = page.keys.iter().map(&mut is_new).collect();
    let left_out = keeps.iter().filter(|keeps| !**keeps).count() as u64;
    if left_out > 0 {
        page.retain(&keeps);
    }
    left_out
}

/// Some puzzles, one after the other.
#[derive(Default)]
struct Chunk {
    page: MadePage,
    failure: Option<Error>,
}

impl Chunk {
    /// Makes the puzzles `places` with the generator of this thread, as far as they are before `end`, which is the place
    /// of the first failure.
    fn fill<'a>(
        &mut self,
        recipe: &'a Recipe,
        generator: &mut Option<Generator<'a>>,
        places: Range<u64>,
        stop: &AtomicBool,
        end: &AtomicU64,
    ) -> Result<(), Error> {
        self.page.clear();
        let generator = match generator {
            Some(generator) => generator,
            None => generator.insert(Generator::new(recipe)?),
        };
        let at_once = if recipe.is_batched() { places.end - places.start } else { 1 };
        for start in places.clone().step_by(at_once.max(1) as usize) {
            if end.load(Ordering::Relaxed) < start {
                break;
            }
            let some = start..places.end.min(start + at_once);
            generator.write(some, stop, &mut self.page).inspect_err(|_| {
                end.fetch_min(places.start + self.page.places.len() as u64, Ordering::Relaxed);
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;
    use std::sync::{Arc, OnceLock};

    use super::super::{Tally, Wish};
    use super::*;
    use crate::engine::{Engine, Entry, WrongLength, named};
    use crate::grid::Rules;
    use crate::input::InputError;
    use crate::puzzle::{Answers, Limits, Puzzles};
    use galop_testing::wait;

    /// The concatenated bytes that a run delivers.
    fn bytes(recipe: &Recipe, count: u64, chunk: u64, threads: usize) -> (Vec<u8>, Vec<u8>) {
        let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
        let mut sink = |page: &MadePage| {
            puzzles.extend_from_slice(&page.puzzles);
            solutions.extend_from_slice(&page.solutions);
            Ok(())
        };
        let recipe = Recipe { threads: NonZero::new(threads), ..recipe.clone() };
        run_in_chunks(&recipe, count, [chunk; 2], &AtomicBool::new(false), &mut sink).unwrap();
        (puzzles, solutions)
    }

    #[test]
    fn same_bytes_for_any_threads_and_chunks() {
        for wish in [Wish::Clues(30..=36), Wish::Clues(81..=81)] {
            let recipe = Recipe::new(9, wish);
            let first = bytes(&recipe, 100, 100, 1);
            assert_eq!((first.0.len(), first.1.len()), (8200, 8200));
            for (chunk, threads) in [(1, 1), (1, 2), (7, 2), (7, 3), (32, 2), (256, 3)] {
                assert_eq!(bytes(&recipe, 100, chunk, threads), first, "chunk {chunk}, threads {threads}");
            }
        }
    }

    #[test]
    fn the_first_puzzles_of_a_long_run_are_the_short_run() {
        let recipe = Recipe::new(10, Wish::Clues(32..=32));
        let (long, short) = (bytes(&recipe, 100, 3, 2), bytes(&recipe, 10, 3, 2));
        assert!(long.0.starts_with(&short.0) && long.1.starts_with(&short.1));
        assert_eq!(short.0.len(), 820);
        assert_eq!(bytes(&recipe, 0, 3, 2), (Vec::new(), Vec::new()));
    }

    /// Parts of a run, made by themselves, are the run.
    #[test]
    fn a_run_can_begin_at_any_place() {
        for wish in [Wish::Clues(32..=40), Wish::Minimal] {
            let whole = Recipe::new(12, wish);
            let expected = bytes(&whole, 90, 32, 2);
            let mut parts = (Vec::new(), Vec::new());
            for (first, count) in [(0, 7), (7, 50), (57, 33)] {
                let (puzzles, solutions) = bytes(&Recipe { first, ..whole.clone() }, count, 32, 2);
                parts.0.extend(puzzles);
                parts.1.extend(solutions);
            }
            assert!(parts == expected);
        }
    }

    /// The last place is `u64::MAX - 1`. A run beyond it makes nothing.
    #[test]
    fn a_run_beyond_the_last_place_is_an_error() {
        let full = Recipe::new(12, Wish::Clues(81..=81));
        let last = |first| Recipe { first, ..full.clone() };
        assert_eq!(bytes(&last(u64::MAX - 2), 2, 32, 1).0.len(), 2 * 82);
        assert_eq!(bytes(&last(u64::MAX - 1), 1, 32, 1).0.len(), 82);
        assert_eq!(bytes(&last(u64::MAX), 0, 32, 1).0.len(), 0);
        for (first, count) in [(u64::MAX, 1), (u64::MAX, u64::MAX), (u64::MAX - 2, 3), (1, u64::MAX)] {
            let go = AtomicBool::new(false);
            let error = run(&last(first), count, &go, &mut |_, _| panic!("a puzzle")).unwrap_err();
            let expected = GenerateError::Places { first, count };
            assert!(error.fact().is_some_and(|fact: &GenerateError| *fact == expected), "{error}");
        }
        // There are two classes of full grids of 4x4. Each repeat takes another place behind the last one.
        let rules = Rules::sudoku(4).unwrap();
        let full = Recipe::of(rules, 1, Wish::Clues(16..=16));
        let few = Recipe { first: u64::MAX - 40, is_distinct: true, ..full };
        let mut found = 0;
        let error = run(&few, 40, &AtomicBool::new(false), &mut |some, _| {
            found += some.len() / 17;
            Ok(())
        });
        assert!(matches!(error.unwrap_err().fact(), Some(GenerateError::Places { .. })));
        assert!((1..=2).contains(&found), "{found}");
    }

    /// The tally of the run that the next test makes, and whether its first puzzle was delivered.
    static MADE: OnceLock<Arc<Tally>> = OnceLock::new();
    static IS_DELIVERED: AtomicBool = AtomicBool::new(false);

    /// An engine that does not go on with the second puzzle before the first one is delivered.
    struct Held(Box<dyn Engine>);

    impl Engine for Held {
        fn solve(
            &mut self,
            puzzles: Puzzles<'_>,
            limits: Limits,
            answers: &mut Answers<'_>,
        ) -> Result<(), WrongLength> {
            let made = || MADE.get().map_or(0, |tally| tally.tried().made);
            // (A run that delivers nothing before all chunks are full would wait in vain.)
            wait::until("the first puzzle is delivered", || {
                made() <= 1 || IS_DELIVERED.load(Ordering::Relaxed)
            });
            self.0.solve(puzzles, limits, answers)
        }
    }

    #[test]
    fn a_puzzle_is_delivered_while_later_ones_are_made() {
        let bitboard = named("bitboard").unwrap();
        let make = |rules: &Rules, isa| {
            let engine = (named("bitboard").unwrap().make)(rules, isa)?;
            Ok(Box::new(Held(engine)) as Box<dyn Engine>)
        };
        let engine = Box::leak(Box::new(Entry { name: "held", make, ..*bitboard }));
        let full = Recipe::new(4, Wish::Clues(81..=81));
        let recipe = Recipe { threads: NonZero::new(1), engine, ..full };
        MADE.set(Arc::clone(&recipe.tally)).unwrap();
        let (go, mut delivered) = (AtomicBool::new(false), 0);
        run_in_chunks(&recipe, 8, [1; 2], &go, &mut |page| {
            IS_DELIVERED.store(true, Ordering::Relaxed);
            delivered += page.places.len();
            Ok(())
        })
        .unwrap();
        assert_eq!((delivered, recipe.tally.tried().made), (8, 8));
    }

    #[test]
    fn errors_end_the_run() {
        let full = Recipe::new(1, Wish::Clues(81..=81));
        let go = AtomicBool::new(false);
        let mut calls = 0;
        let stopped = run(&full, 1000, &AtomicBool::new(true), &mut |_, _| Ok(())).unwrap_err();
        assert!(matches!(stopped.kind(), ErrorKind::Stopped));
        let refused = run(&full, 1000, &go, &mut |_, _| {
            calls += 1;
            Err(InputError::Changed.into())
        });
        assert!(matches!(refused.unwrap_err().fact(), Some(InputError::Changed)));
        assert_eq!(calls, 1);
        let impossible = run(&Recipe::new(1, Wish::Clues(3..=5)), 1, &go, &mut |_, _| Ok(())).unwrap_err();
        assert!(matches!(impossible.fact(), Some(GenerateError::Clues { from: 3, to: 5, .. })));
    }

    /// A run that is stopped has delivered the beginning of the whole run, in whole puzzles.
    #[test]
    fn a_stop_leaves_a_beginning() {
        let recipe = Recipe::new(11, Wish::Clues(50..=50));
        let whole = bytes(&recipe, 600, 32, 2).0;
        let (stop, mut got) = (AtomicBool::new(false), Vec::new());
        let error = run_in_chunks(&recipe, 600, [2; 2], &stop, &mut |page| {
            got.extend_from_slice(&page.puzzles);
            stop.store(got.len() > 82 * 50, Ordering::Relaxed);
            Ok(())
        });
        assert!(matches!(error.unwrap_err().kind(), ErrorKind::Stopped));
        assert!(got.len() < whole.len() && got.len() % 82 == 0 && whole.starts_with(&got));
    }
}
