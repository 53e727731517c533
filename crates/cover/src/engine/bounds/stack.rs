//! The states of a search, by level, and what its moves write down beside them.

use crate::engine::Contradiction;

/// A state with a bit for every option that can be chosen.
pub(crate) trait Live: Clone + Send + 'static {
    fn live(&self) -> &[u64];
}

/// The states. Those above the current one are kept to be filled again.
#[derive(Debug)]
pub(crate) struct Stack<S> {
    states: Vec<S>,
    level: usize,
    /// The chosen options, by the numbers of the layout: assumed ones first.
    pub(super) chosen: Vec<u32>,
    /// The number of options eliminated.
    pub(super) updates: u64,
    /// The item of the last contradiction.
    pub(super) failed: usize,
}

impl<S: Live> Stack<S> {
    /// One state.
    pub(super) fn new(root: &S) -> Stack<S> {
        Stack { states: vec![root.clone()], level: 0, chosen: Vec::new(), updates: 0, failed: 0 }
    }

    #[inline(always)]
    pub(super) fn current(&self) -> &S {
        &self.states[self.level]
    }

    #[inline(always)]
    pub(super) fn current_mut(&mut self) -> &mut S {
        &mut self.states[self.level]
    }

    /// Goes back to the first level, with the state `root`; an error if that is contradictory.
    pub(super) fn reset(&mut self, root: &S, is_contradictory: bool) -> Result<(), Contradiction> {
        self.level = 0;
        self.chosen.clear();
        self.current_mut().clone_from(root);
        if is_contradictory { Err(Contradiction) } else { Ok(()) }
    }

    /// Keeps the current state, and goes on with a copy on the next level.
    #[inline(always)]
    pub(super) fn save(&mut self) {
        let (below, above) = self.states.split_at_mut(self.level + 1);
        match above.first_mut() {
            Some(next) => next.clone_from(&below[self.level]),
            None => self.states.push(self.states[self.level].clone()),
        }
        self.level += 1;
    }

    /// Goes back to the state that was kept on a level, in which `chosen` options were chosen.
    #[inline(always)]
    pub(super) fn restore(&mut self, level: usize, chosen: usize) {
        self.level = level;
        self.chosen.truncate(chosen);
    }

    /// Whether an option can be chosen.
    pub(super) fn is_live(&self, option: u32) -> bool {
        let word = self.current().live().get(option as usize / 64);
        word.is_some_and(|word| word >> (option % 64) & 1 == 1)
    }

    /// An error if an item has too few options.
    #[inline(always)]
    pub(super) fn check(&mut self, short: Option<usize>) -> Result<(), Contradiction> {
        let Some(item) = short else { return Ok(()) };
        self.failed = item;
        Err(Contradiction)
    }
}
