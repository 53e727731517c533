//! What the searches of a problem have built, once for all threads.

use std::sync::Arc;

use super::Built;
use super::independent::Split;
use super::table::Row;
use crate::ExactCover;
use crate::engine::sweep::SweepPlan;
use crate::engine::{Selection, Unsuitable};
use crate::memory::Memory;
use galop_simd::Isa;

/// The engines and plans of the rows.
#[derive(Default)]
pub(super) struct Cache {
    /// The engines of the rows, whose forks are used; `None` if it does not suit the problem, or does not pay.
    slots: Vec<(&'static Row, Option<Built>)>,
    /// The plan of a sweep, and the independent parts; `None` if not looked for yet.
    pub(super) plan: Option<Option<Arc<SweepPlan>>>,
    split: Option<Option<Arc<Split>>>,
    /// What does most of the current or last search, if it is not the try.
    pub(super) selection: Option<Selection>,
}

impl Cache {
    /// A fork of a row's engine, which is built first if it was not needed before.
    pub(super) fn engine(
        &mut self,
        row: &'static Row,
        make: impl FnOnce() -> Result<Built, Unsuitable>,
    ) -> Option<Built> {
        let at = self.slots.iter().position(|(of, _)| std::ptr::eq(*of, row)).unwrap_or_else(|| {
            self.slots.push((row, make().ok()));
            self.slots.len() - 1
        });
        self.slots[at].1.as_ref().map(|(selection, engine)| (*selection, engine.fork()))
    }

    /// Notes that the engine of a row does not pay.
    pub(super) fn give_up(&mut self, row: &'static Row) {
        self.slots.iter_mut().filter(|(of, _)| std::ptr::eq(*of, row)).for_each(|(_, built)| *built = None);
    }

    /// Whether a row has its engine already.
    pub(super) fn is_built(&self, row: &Row) -> bool {
        self.slots.iter().any(|(of, built)| std::ptr::eq(*of, row) && built.is_some())
    }

    /// Whether any row has its engine already.
    pub(super) fn is_any_built(&self) -> bool {
        self.slots.iter().any(|(_, built)| built.is_some())
    }

    /// The independent parts of `problem`.
    pub(super) fn split(&mut self, problem: &ExactCover, isa: Isa, memory: &Memory) -> Option<Arc<Split>> {
        self.split.get_or_insert_with(|| Split::of(problem, isa, memory).map(Arc::new)).clone()
    }
}
