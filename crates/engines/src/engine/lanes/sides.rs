//! The stacks of sides not yet tried, one per puzzle. Their nodes are in one slab, so a stack has no bound and takes
//! no memory while it is empty.

use super::state::{self, Chunk};

/// No node: the top of an empty stack.
pub(super) const NIL: u32 = u32::MAX;

/// Sides not yet tried: the nodes of all stacks in one slab.
pub(super) struct Sides {
    states: Vec<Chunk>,
    /// Chunks of a state.
    size: usize,
    below: Vec<u32>,
    free: u32,
    /// Sides in all stacks.
    count: usize,
}

impl Sides {
    /// No sides of states of `size` chunks.
    pub(super) fn new(size: usize) -> Sides {
        Sides { states: Vec::new(), size, below: Vec::new(), free: NIL, count: 0 }
    }

    /// The number of places, used or not.
    #[cfg(test)]
    pub(super) fn places(&self) -> usize {
        self.below.len()
    }

    /// Whether all stacks are empty.
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Pushes `state` on the stack whose top is `top`, and returns its place.
    #[inline(always)]
    pub(super) fn push(&mut self, top: &mut u32, state: &[Chunk]) -> &mut [Chunk] {
        if self.free == NIL {
            self.grow();
        }
        self.count += 1;
        let node = self.free;
        let below = &mut self.below[node as usize];
        self.free = *below;
        *below = *top;
        *top = node;
        let place = state::at_mut(&mut self.states, node as usize, state.len());
        state::copy(place, state);
        place
    }

    /// Pops the top of the stack, if there is one: `size` chunks.
    #[inline(always)]
    pub(super) fn pop(&mut self, top: &mut u32, size: usize) -> Option<&[Chunk]> {
        let node = *top;
        let below = self.below.get_mut(node as usize)?;
        self.count -= 1;
        *top = *below;
        *below = self.free;
        self.free = node;
        Some(state::at(&self.states, node as usize, size))
    }

    /// Removes the bottom of the stack, that is, its oldest side, if there is one.
    pub(super) fn take_oldest(&mut self, top: &mut u32) -> Option<&[Chunk]> {
        let (mut above, mut node) = (NIL, *top);
        while *self.below.get(node as usize)? != NIL {
            (above, node) = (node, self.below[node as usize]);
        }
        match self.below.get_mut(above as usize) {
            Some(below) => *below = NIL,
            None => *top = NIL,
        }
        self.count -= 1;
        self.below[node as usize] = self.free;
        self.free = node;
        Some(state::at(&self.states, node as usize, self.size))
    }

    /// Empties the stack.
    pub(super) fn clear(&mut self, top: &mut u32) {
        while self.pop(top, self.size).is_some() {}
    }

    /// Empties all stacks; their tops mean nothing any more.
    pub(super) fn clear_all(&mut self) {
        if self.count > 0 {
            *self = Sides::new(self.size);
        }
    }

    #[cold]
    fn grow(&mut self) {
        let (old, new) = (self.below.len(), (2 * self.below.len()).max(1024));
        self.states.resize(new * self.size, Chunk::NONE);
        self.below.resize(new, NIL);
        for node in (old..new).rev() {
            self.below[node] = self.free;
            self.free = node as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every side that is pushed comes out again: from the top the last one first, from the bottom the first one
    /// first.
    #[test]
    fn sides_are_stacks_with_two_ends() {
        let mut sides = Sides::new(2);
        let mut tops = [NIL; 3];
        let side = |number: u8| [Chunk([number; 32]), Chunk([number + 100; 32])];
        for number in 0..30 {
            sides.push(&mut tops[usize::from(number) % 3], &side(number));
        }
        assert_eq!(sides.pop(&mut tops[0], 2), Some(&side(27)[..]));
        assert_eq!(sides.take_oldest(&mut tops[0]), Some(&side(0)[..]));
        assert_eq!(sides.take_oldest(&mut tops[0]), Some(&side(3)[..]));
        sides.clear(&mut tops[1]);
        assert!(tops[1] == NIL && sides.pop(&mut tops[1], 2).is_none());
        assert!(sides.take_oldest(&mut tops[1]).is_none());
        for number in (0..10).rev() {
            assert_eq!(sides.pop(&mut tops[2], 2), Some(&side(3 * number + 2)[..]));
        }
        assert!(!sides.is_empty());
        sides.clear(&mut tops[0]);
        assert!(sides.is_empty());
        assert_eq!(sides.places(), 1024, "nodes are used again");
    }
}
