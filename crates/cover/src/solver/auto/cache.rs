//! What the searches of a problem have built, once for all threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Built;
use super::independent::Split;
use crate::ExactCover;
use crate::engine::sweep::SweepPlan;
use crate::engine::{CoverEngine, Selection, Unsuitable};
use crate::memory::Memory;
use galop_simd::Isa;

/// An engine that is built when it is first needed. Searches use its forks.
enum Slot {
    Built(Selection, Box<dyn CoverEngine>),
    /// It does not suit the problem, or does not pay.
    Missing,
}

/// The engines and plans of the stages.
#[derive(Default)]
pub(super) struct Cache {
    /// By the name of the stage.
    slots: BTreeMap<&'static str, Slot>,
    /// The plan of a sweep, and the independent parts; `None` if not looked for yet.
    pub(super) plan: Option<Option<Arc<SweepPlan>>>,
    split: Option<Option<Arc<Split>>>,
    /// Whether a sweep was begun before, and did not give up: another one is begun without a try.
    pub(super) is_swept: bool,
    /// What does most of the current or last search, if it is not the try.
    pub(super) selection: Option<Selection>,
}

impl Cache {
    /// A fork of a stage's engine, which is built first if it was not needed before.
    pub(super) fn engine(
        &mut self,
        stage: &'static str,
        make: impl FnOnce() -> Result<Built, Unsuitable>,
    ) -> Option<Built> {
        let build = || make().map_or(Slot::Missing, |(selection, engine)| Slot::Built(selection, engine));
        match self.slots.entry(stage).or_insert_with(build) {
            Slot::Built(selection, engine) => Some((*selection, engine.fork())),
            Slot::Missing => None,
        }
    }

    /// Notes that a stage does not pay.
    pub(super) fn give_up(&mut self, stage: &'static str) {
        self.slots.insert(stage, Slot::Missing);
        if stage == "sweep" {
            (self.plan, self.is_swept) = (Some(None), false);
        }
    }

    /// Whether a stage has its engine or its plan already.
    pub(super) fn is_any_built(&self) -> bool {
        self.is_swept || self.slots.values().any(|slot| matches!(slot, Slot::Built(..)))
    }

    /// The independent parts of `problem`.
    pub(super) fn split(&mut self, problem: &ExactCover, isa: Isa, memory: &Memory) -> Option<Arc<Split>> {
        self.split.get_or_insert_with(|| Split::of(problem, isa, memory).map(Arc::new)).clone()
    }
}
