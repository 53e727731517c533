//! The states of a search, by level: the last one in use is current.

/// States, of which those above the current one are kept to be filled again.
#[derive(Debug)]
pub(super) struct Stack<S> {
    states: Vec<S>,
    level: usize,
}

impl<S: Clone> Stack<S> {
    /// One state.
    pub(super) fn new(root: S) -> Stack<S> {
        Stack { states: vec![root], level: 0 }
    }

    #[inline(always)]
    pub(super) fn current(&self) -> &S {
        &self.states[self.level]
    }

    #[inline(always)]
    pub(super) fn current_mut(&mut self) -> &mut S {
        &mut self.states[self.level]
    }

    /// Goes back to the first level, with the state `root`.
    pub(super) fn reset(&mut self, root: &S) {
        self.level = 0;
        self.current_mut().clone_from(root);
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

    /// Goes back to the state that was kept on a level.
    #[inline(always)]
    pub(super) fn restore(&mut self, level: usize) {
        self.level = level;
    }
}
