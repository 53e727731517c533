//! The lists while they dance: hide and unhide.

use super::{Link, Neighbours, Node};

/// The lists while they dance, as slices, which a loop keeps in registers.
pub(super) struct Dance<'a> {
    pub(super) nodes: &'a [Node],
    pub(super) links: &'a mut [Neighbours],
    pub(super) sizes: &'a mut [Link],
    pub(super) forced: &'a mut [Link],
    pub(super) forced_len: usize,
    /// The least size of an item that lost an option.
    pub(super) fewest: Link,
}

impl Dance<'_> {
    /// Calls `each` with every node of the option of `around`, and its item, but not with `around` itself.
    #[inline(always)]
    fn for_each(&mut self, around: Link, mut each: impl FnMut(&mut Self, usize, usize)) {
        let mut place = self.nodes[around as usize].start as usize;
        loop {
            let at = place + usize::from(place >= around as usize);
            // The item of the spacer is too large, which ends the loop.
            let item = self.nodes[at].item as usize;
            if item >= self.sizes.len() {
                break;
            }
            each(self, at, item);
            place += 1;
        }
    }

    /// Hides the option of `around` from the lists of its items, except the list with `around`.
    #[inline(always)]
    pub(super) fn hide(&mut self, around: Link) {
        self.for_each(around, |dance, at, item| {
            dance.unlink(at);
            dance.shrink(item);
        });
    }

    /// Takes [`hide`](Self::hide) back.
    #[inline(always)]
    pub(super) fn unhide(&mut self, around: Link) {
        self.for_each(around, |dance, at, item| {
            dance.relink(at);
            dance.sizes[item] = dance.sizes[item].wrapping_add(1);
        });
    }

    #[inline(always)]
    pub(super) fn unlink(&mut self, at: usize) {
        let Neighbours { up, down } = self.links[at];
        self.links[up as usize].down = down;
        self.links[down as usize].up = up;
    }

    #[inline(always)]
    pub(super) fn relink(&mut self, at: usize) {
        let Neighbours { up, down } = self.links[at];
        self.links[up as usize].down = at as Link;
        self.links[down as usize].up = at as Link;
    }

    /// Notes that an item can lose one option less. (After a contradiction the size may wrap, until it is taken back.)
    #[inline(always)]
    pub(super) fn shrink(&mut self, item: usize) {
        let size = self.sizes[item].wrapping_sub(1);
        self.sizes[item] = size;
        self.fewest = self.fewest.min(size);
        self.forced[self.forced_len] = item as Link;
        self.forced_len += usize::from(size < 2);
    }
}
