//! Where a search stops, and what came of it.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::{Natural, OptionId, Stop};

/// Where to stop.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// After so many solutions: exactly, on any number of threads.
    pub solutions: u64,
    /// After so many nodes. On several threads it may end a little before.
    pub nodes: u64,
    /// At this time.
    pub deadline: Option<Instant>,
    /// Once this is true.
    pub cancel: Option<&'a AtomicBool>,
}

impl Limits<'_> {
    /// No limits.
    pub const NONE: Limits<'static> =
        Limits { solutions: u64::MAX, nodes: u64::MAX, deadline: None, cancel: None };
}

/// What ended a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum End {
    /// Nothing is left: all solutions were found.
    #[default]
    Complete,
    /// The limit on solutions.
    Solutions,
    /// The limit on nodes.
    Nodes,
    /// The deadline.
    Deadline,
    /// The flag.
    Cancelled,
    /// Whoever was given the solutions wants no more.
    Refused,
}

impl End {
    /// One word for reports.
    pub fn name(self) -> &'static str {
        match self {
            End::Complete => "complete",
            End::Solutions => "solutions",
            End::Nodes => "nodes",
            End::Deadline => "deadline",
            End::Cancelled => "cancelled",
            End::Refused => "refused",
        }
    }
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        match stop {
            Stop::Nodes => End::Nodes,
            Stop::Deadline => End::Deadline,
            Stop::Cancelled => End::Cancelled,
        }
    }
}

/// What came of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Solutions found: all of them if `end` is [`Complete`](End::Complete). `u128::MAX` also stands for more than
    /// that: `beyond` has their number then.
    pub solutions: u128,
    /// The number of solutions where it does not fit `solutions`.
    pub beyond: Option<Natural>,
    /// States looked at. On several threads a little more than on one: each branch given away has a root.
    pub nodes: u64,
    /// Options struck out, or what the engine counts in its place.
    pub updates: u64,
    /// Nodes at each depth (choices taken, forced ones not counted).
    pub depths: Vec<u64>,
    /// What ended it.
    pub end: End,
}

impl Outcome {
    /// How many solutions were found, however many they are.
    pub fn number(&self) -> Natural {
        self.beyond.clone().unwrap_or_else(|| Natural::from(self.solutions))
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// 0 to 1; it only grows. Every branch of a choice counts alike (Knuth's estimate).
    pub fraction: f64,
    /// Solutions found; `u128::MAX` also stands for more.
    pub solutions: u128,
    /// States looked at.
    pub nodes: u64,
}

/// Is told of solutions and progress while a search runs; on several threads by any of them, one at a time.
pub trait Watch: Send {
    /// A solution, its options ascending, checked.
    fn solution(&mut self, options: &[OptionId]) -> ControlFlow<()>;

    /// How far the search is; some ten times a second.
    fn progress(&mut self, progress: &Progress) {
        let _ = progress;
    }
}
