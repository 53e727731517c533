//! The engines that continue after the try: each is built when it is first needed, once for all threads.

use std::sync::Arc;

use super::choose::{Built, counter, finisher, finisher_bytes};
use super::whole::Ways;
use crate::ExactCover;
use crate::engine::{Build, CoverEngine, Selection, Unsuitable, bitset};
use crate::memory::Memory;
use galop_simd::Isa;

/// The engines that continue after the try.
pub(super) struct Parts {
    /// The problem without its names; dropped once neither engine is `Unbuilt`, unless it is kept for another order.
    pub(super) problem: Option<Arc<ExactCover>>,
    pub(super) is_kept: bool,
    pub(super) isa: Isa,
    pub(super) counter: Part,
    pub(super) finisher: Part,
    /// The finisher that covers first what fails most; built if a count was steered.
    pub(super) steered: Part,
    pub(super) ways: Ways,
    /// What counts, or counted, the current or last search, if it is not the finisher.
    pub(super) counting: Option<Selection>,
}

/// An engine that is built when it is first needed.
pub(super) enum Part {
    /// Not needed yet.
    Unbuilt,
    /// Never started itself: searches use its forks.
    Built(Selection, Box<dyn CoverEngine>),
    /// No engine is suitable: sparse sets continue instead of a finisher, and solutions are found one by one instead
    /// of being counted.
    Missing,
}

impl Part {
    pub(super) fn is_built(&self) -> bool {
        matches!(self, Part::Built(..))
    }

    pub(super) fn selection(&self) -> Option<Selection> {
        match self {
            Part::Built(selection, _) => Some(*selection),
            _ => None,
        }
    }

    /// A fork of the engine, which is built first if it was not needed before.
    fn fork(
        &mut self,
        problem: Option<&ExactCover>,
        isa: Isa,
        make: impl Fn(&ExactCover, Isa) -> Result<Built, Unsuitable>,
    ) -> Option<Box<dyn CoverEngine>> {
        if let Part::Unbuilt = self {
            *self = match problem.and_then(|problem| make(problem, isa).ok()) {
                Some((selection, engine)) => Part::Built(selection, engine),
                None => Part::Missing,
            };
        }
        self.fork_built()
    }

    /// A fork of the engine, if it is built.
    pub(super) fn fork_built(&self) -> Option<Box<dyn CoverEngine>> {
        match self {
            Part::Built(_, engine) => Some(engine.fork()),
            _ => None,
        }
    }
}

impl Parts {
    pub(super) fn counter(&mut self, memory: &Memory) -> Option<Box<dyn CoverEngine>> {
        let engine = self
            .counter
            .fork(self.problem.as_deref(), self.isa, |problem, isa| counter(problem, isa, memory));
        self.drop_problem();
        engine
    }

    /// A fork of the finisher. It has room already if the memory was given; else it takes what it needs.
    pub(super) fn finisher(&mut self, memory: &Memory) -> Option<Box<dyn CoverEngine>> {
        let build = |isa: Isa| match memory.is_given() {
            true => isa.into(),
            false => Build::from(isa).within(memory),
        };
        let make = |problem: &ExactCover, isa| finisher(problem, build(isa));
        let engine = self.finisher.fork(self.problem.as_deref(), self.isa, make);
        self.drop_problem();
        engine
    }

    /// The most bytes that a fork of the finisher takes.
    pub(super) fn finisher_bytes(&self) -> usize {
        match (&self.finisher, &self.problem) {
            (Part::Built(_, engine), _) => engine.own_bytes(),
            (Part::Unbuilt, Some(problem)) => finisher_bytes(problem)[1],
            _ => 0,
        }
    }

    /// Whether the finisher is the row filter.
    pub(super) fn has_rows(&self) -> bool {
        self.finisher.selection().is_some_and(|finisher| finisher.entry.name == bitset::ENTRY.name)
    }

    fn drop_problem(&mut self) {
        let is_needed = matches!(self.counter, Part::Unbuilt) || matches!(self.finisher, Part::Unbuilt);
        if !is_needed && !self.is_kept {
            self.problem = None;
        }
    }
}
