//! Searches for one puzzle, within limits of time and guesses: a solution, how many there are, and one after the other.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::limits::{COUNTED, FIRST_GUESSES, LIST_AGE, LISTS, SEARCH_TIME, SEARCHES, WAITING_SEARCHES};
use super::message::{Refusal, Status};
use super::puzzle::Puzzle;
use super::token::Tokens;
use galop_engines::engine::{Isa, Lister, NextSolution, prover_for};
use galop_engines::grid::Verifier;
use galop_engines::grid::inference::bit;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};

/// Places for searches that take long: as many as cores, but at most [`SEARCHES`].
#[derive(Debug)]
pub(super) struct Places {
    /// Searches that run, and searches that wait.
    taken: Mutex<(usize, usize)>,
    freed: Condvar,
    cores: usize,
}

/// A place; it is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Place<'a>(&'a Places);

impl Places {
    pub(super) fn new() -> Places {
        let cores = std::thread::available_parallelism().map_or(1, usize::from).min(SEARCHES);
        Places { taken: Mutex::new((0, 0)), freed: Condvar::new(), cores }
    }

    /// Waits for a place.
    pub(super) fn take(&self) -> Result<Place<'_>, Refusal> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.0 >= self.cores && taken.1 >= WAITING_SEARCHES {
            return Err(Refusal::new(Status::BUSY, "too many searches wait; try again in a moment"));
        }
        taken.1 += 1;
        while taken.0 >= self.cores {
            taken = self.freed.wait(taken).unwrap_or_else(PoisonError::into_inner);
        }
        *taken = (taken.0 + 1, taken.1 - 1);
        Ok(Place(self))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.taken.lock().unwrap_or_else(PoisonError::into_inner).0 -= 1;
        self.0.freed.notify_one();
    }
}

/// The answer to a puzzle.
#[derive(Debug, Serialize)]
pub(super) struct Solved {
    /// The word of a record: `solved`, `none`, `multiple` or `limit`.
    status: &'static str,
    /// A solution, if there is one.
    solution: Option<Vec<u8>>,
    /// Guesses of the last attempt.
    guesses: u64,
    nanos: u64,
    /// Why there is no solution, if the clues alone show it.
    reason: Option<String>,
}

/// Solves the puzzle, and finds out whether it has other solutions.
pub(super) fn solve(puzzle: &Puzzle, places: &Places) -> Result<Solved, Refusal> {
    let limits = Limits::UNIQUE;
    let Attempt { answer, solution, time } = attempt(puzzle, limits, places)?;
    let status = answer.status(limits);
    Ok(Solved {
        status: status.word(),
        reason: if answer.solutions == 0 { puzzle.reason() } else { None },
        solution: (answer.solutions > 0).then_some(solution),
        guesses: answer.effort.guesses,
        nanos: time.as_nanos() as u64,
    })
}

/// What a player filled in, compared with the solution.
#[derive(Debug, Serialize)]
pub(super) struct Checked {
    /// As of [`Solved`]. Unless it is `solved`, no entry is called wrong.
    status: &'static str,
    /// The cells whose entries or eliminated candidates contradict the only solution.
    wrong: Vec<usize>,
}

/// Compares a player's work with the solution, which is not in the answer.
pub(super) fn check(puzzle: &Puzzle, places: &Places) -> Result<Checked, Refusal> {
    let Attempt { answer, solution, .. } = attempt(puzzle, Limits::UNIQUE, places)?;
    let status = answer.status(Limits::UNIQUE).word();
    let is_wrong = |&cell: &usize| {
        let entry = puzzle.entries.get(cell).copied().unwrap_or(0);
        let crossed = puzzle.crossed.get(cell).copied().unwrap_or(0);
        entry != 0 && entry != solution[cell] || crossed & bit(solution[cell]) != 0
    };
    let wrong = match status {
        "solved" => (0..solution.len()).filter(is_wrong).collect(),
        _ => Vec::new(),
    };
    Ok(Checked { status, wrong })
}

/// How many solutions there are.
#[derive(Debug, Serialize)]
pub(super) struct Counted {
    solutions: u64,
    /// Whether all of them were counted.
    is_exact: bool,
    nanos: u64,
}

/// Counts the solutions.
pub(super) fn count(puzzle: &Puzzle, places: &Places) -> Result<Counted, Refusal> {
    let Attempt { answer, time, .. } = attempt(puzzle, Limits::count(COUNTED), places)?;
    let is_exact = !answer.gave_up() && answer.solutions < COUNTED;
    Ok(Counted { solutions: answer.solutions, is_exact, nanos: time.as_nanos() as u64 })
}

/// The last attempt at a puzzle.
struct Attempt {
    answer: Answer,
    solution: Vec<u8>,
    time: Duration,
}

/// Searches with few guesses, and with twice as many as long as that is not enough and time is left. A search cannot be
/// stopped in the middle; this way the last attempt takes about as long as all before it. Only the attempts after the
/// first one need a place of `searches`.
fn attempt(puzzle: &Puzzle, limits: Limits, searches: &Places) -> Result<Attempt, Refusal> {
    let fault = |reason: String| Refusal::new(Status::FAULT, reason);
    let Puzzle { rules, cells, .. } = puzzle;
    let mut engine =
        (prover_for(rules).make)(rules, Isa::best()).map_err(|error| fault(error.to_string()))?;
    let mut started = Instant::now();
    // A guess in a larger grid takes longer.
    let mut guesses = (FIRST_GUESSES * 81 / cells.len().max(81) as u64).max(1);
    let mut place = None;
    loop {
        let (mut solution, mut answer) = (vec![0; cells.len()], Answer::default());
        let mut places = Answers::one(&mut solution, &mut answer);
        let before = Instant::now();
        let solved = engine.solve(Puzzles::one(cells), limits.with_guesses(guesses), &mut places);
        solved.map_err(|error| fault(error.to_string()))?;
        if answer.solutions > 0 {
            Verifier::new(rules).check(cells, &solution).map_err(|violation| fault(violation.to_string()))?;
        }
        let (last, time) = (before.elapsed(), started.elapsed());
        if !answer.gave_up() || answer.is_stuck() || time + 2 * last > SEARCH_TIME {
            return Ok(Attempt { answer, solution, time });
        }
        guesses = guesses.saturating_mul(2);
        if place.is_none() {
            place = Some(searches.take()?);
            // The time of waiting does not count.
            started = Instant::now() - time;
        }
    }
}

/// The lists of solutions that can go on: at most [`LISTS`], each for [`LIST_AGE`].
#[derive(Default)]
pub(super) struct Lists(Mutex<Vec<List>>);

/// A search that stands at its last solution.
struct List {
    token: String,
    lister: Lister,
    cells: usize,
    found: u64,
    used: Instant,
}

/// The next solution of a list.
#[derive(Debug, Serialize)]
pub(super) struct Next {
    /// The list, to go on.
    list: Option<String>,
    /// The number of the solution, from 1; at the end, how many there are.
    number: u64,
    solution: Option<Vec<u8>>,
    /// Whether there are no more solutions. If not and there is no solution either, the time was not enough: the next
    /// request goes on.
    is_end: bool,
}

impl Lists {
    /// The first solution of a puzzle.
    pub(super) fn start(&self, puzzle: &Puzzle, tokens: &Tokens, places: &Places) -> Result<Next, Refusal> {
        let made = Lister::new(&puzzle.rules);
        let mut lister = made.map_err(|error| Refusal::new(Status::UNREADABLE, error.to_string()))?;
        lister.start(&puzzle.cells);
        let cells = puzzle.cells.len();
        self.go_on(List { token: tokens.next(), lister, cells, found: 0, used: Instant::now() }, places)
    }

    /// The next solution of the list `token`.
    pub(super) fn next(&self, token: &str, places: &Places) -> Result<Next, Refusal> {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // While a list is searched it is not here: a second request for it finds nothing.
        let Some(at) = lists.iter().position(|list| list.token == token) else {
            return Err(Refusal::new(Status::GONE, "this list of solutions is no longer kept; begin again"));
        };
        let list = lists.remove(at);
        drop(lists);
        self.go_on(list, places)
    }

    fn go_on(&self, mut list: List, places: &Places) -> Result<Next, Refusal> {
        let mut solution = vec![0; list.cells];
        // The first part of the search needs no place.
        let mut listed = list.lister.next(&mut solution, || true);
        if listed == NextSolution::Stopped {
            let place = match places.take() {
                Ok(place) => place,
                Err(refusal) => {
                    self.keep(list);
                    return Err(refusal);
                }
            };
            let end = Instant::now() + SEARCH_TIME;
            listed = list.lister.next(&mut solution, || Instant::now() >= end);
            drop(place);
        }
        let is_found = listed == NextSolution::Solution;
        list.found += u64::from(is_found);
        let (number, is_end) = (list.found, listed == NextSolution::End);
        let token = (!is_end).then(|| list.token.clone());
        if !is_end {
            self.keep(list);
        }
        Ok(Next { list: token, number, solution: is_found.then_some(solution), is_end })
    }

    /// Keeps a list, and drops the one that was used least recently if there are too many.
    fn keep(&self, list: List) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lists.len() >= LISTS {
            lists.remove(0);
        }
        lists.push(List { used: Instant::now(), ..list });
    }

    /// Drops the lists that were not used for long before `now`.
    pub(super) fn drop_old(&self, now: Instant) {
        let mut lists = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lists.retain(|list| now.saturating_duration_since(list.used) < LIST_AGE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::PuzzleRequest;

    #[test]
    fn lists_that_are_not_used_are_dropped() {
        let puzzle = PuzzleRequest::read(br#"{"text":"1..............."}"#).unwrap().puzzle().unwrap();
        let (lists, places) = (Lists::default(), Places::new());
        let list = lists.start(&puzzle, &Tokens::default(), &places).unwrap().list.unwrap();
        lists.drop_old(Instant::now());
        assert_eq!(lists.next(&list, &places).unwrap().number, 2);
        lists.drop_old(Instant::now() + LIST_AGE);
        assert_eq!(lists.next(&list, &places).unwrap_err().0.0, 410);
    }
}
