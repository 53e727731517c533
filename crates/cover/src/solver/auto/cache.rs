//! What the searches of a problem have built, once for all threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Built;
use super::independent::Split;
use crate::ExactCover;
use crate::engine::sweep::{self, SweepPlan};
use crate::engine::{Selection, Unsuitable};
use crate::memory::Memory;
use galop_simd::Isa;

/// The engines and plans of the rows.
#[derive(Default)]
pub(super) struct Cache {
    /// By the name of the row: its engine, whose forks are used; `None` if it does not suit the problem, or does not
    /// pay.
    slots: BTreeMap<&'static str, Option<Built>>,
    /// The plan of a sweep, and the independent parts; `None` if not looked for yet.
    pub(super) plan: Option<Option<Arc<SweepPlan>>>,
    split: Option<Option<Arc<Split>>>,
    /// Whether a sweep was begun before, and did not give up: another one is begun without a try.
    pub(super) is_swept: bool,
    /// What does most of the current or last search, if it is not the try.
    pub(super) selection: Option<Selection>,
}

impl Cache {
    /// A fork of a row's engine, which is built first if it was not needed before.
    pub(super) fn engine(
        &mut self,
        row: &'static str,
        make: impl FnOnce() -> Result<Built, Unsuitable>,
    ) -> Option<Built> {
        let slot = self.slots.entry(row).or_insert_with(|| make().ok());
        slot.as_ref().map(|(selection, engine)| (*selection, engine.fork()))
    }

    /// Notes that a row does not pay.
    pub(super) fn give_up(&mut self, row: &'static str) {
        self.slots.insert(row, None);
        if row == sweep::NAME {
            (self.plan, self.is_swept) = (Some(None), false);
        }
    }

    /// Whether a row has its engine or its plan already.
    pub(super) fn is_any_built(&self) -> bool {
        self.is_swept || self.slots.values().any(Option::is_some)
    }

    /// The independent parts of `problem`.
    pub(super) fn split(&mut self, problem: &ExactCover, isa: Isa, memory: &Memory) -> Option<Arc<Split>> {
        self.split.get_or_insert_with(|| Split::of(problem, isa, memory).map(Arc::new)).clone()
    }
}
