//! The steps of the dance, each with the one that takes it back. (The book's primes mark variants; these are the
//! variants for colours.)

use super::{DONE, Full, Item, Link, Node, SPACER};

impl Full {
    /// Covers `item`: out of the ring, and its options out of all other lists.
    pub(super) fn cover(&mut self, item: Link) {
        let mut node = self.node(item).down;
        while node != item {
            self.hide(node);
            node = self.node(node).down;
        }
        self.deactivate(item);
    }

    /// Takes [`cover`](Self::cover) back.
    pub(super) fn uncover(&mut self, item: Link) {
        self.reactivate(item);
        let mut node = self.node(item).up;
        while node != item {
            self.unhide(node);
            node = self.node(node).up;
        }
    }

    /// Takes `item` out of the ring.
    pub(super) fn deactivate(&mut self, item: Link) {
        let Item { left, right, .. } = self.items[item as usize];
        self.items[left as usize].right = right;
        self.items[right as usize].left = left;
    }

    /// Takes [`deactivate`](Self::deactivate) back.
    pub(super) fn reactivate(&mut self, item: Link) {
        let Item { left, right, .. } = self.items[item as usize];
        self.items[left as usize].right = item;
        self.items[right as usize].left = item;
    }

    /// Calls `each` with the other nodes of the option of `node`, in a walk to the right and round to the left end.
    #[inline(always)]
    fn for_others(&mut self, node: Link, each: impl Fn(&mut Full, Link)) {
        let mut at = node + 1;
        while at != node {
            let Node { top, up, .. } = self.node(at);
            if top == SPACER {
                at = up;
            } else {
                each(self, at);
                at += 1;
            }
        }
    }

    /// The same walk backwards.
    #[inline(always)]
    fn for_others_backwards(&mut self, node: Link, each: impl Fn(&mut Full, Link)) {
        let mut at = node - 1;
        while at != node {
            let Node { top, down, .. } = self.node(at);
            if top == SPACER {
                at = down;
            } else {
                each(self, at);
                at -= 1;
            }
        }
    }

    /// Unlinks the other nodes of the option of `node`.
    pub(super) fn hide(&mut self, node: Link) {
        self.for_others(node, Full::unlink);
    }

    /// Takes [`hide`](Self::hide) back.
    pub(super) fn unhide(&mut self, node: Link) {
        self.for_others_backwards(node, Full::relink);
    }

    #[inline]
    pub(super) fn unlink(&mut self, at: Link) {
        let Node { top, up, down, colour } = self.node(at);
        if colour != DONE {
            self.nodes[up as usize].down = down;
            self.nodes[down as usize].up = up;
            self.nodes[top as usize].top -= 1;
            self.updates += 1;
        }
    }

    #[inline]
    pub(super) fn relink(&mut self, at: Link) {
        let Node { top, up, down, colour } = self.node(at);
        if colour != DONE {
            self.nodes[up as usize].down = at;
            self.nodes[down as usize].up = at;
            self.nodes[top as usize].top += 1;
        }
    }

    /// Commits to the item of `node`, a node of an option chosen by another of its items.
    pub(super) fn commit(&mut self, node: Link) {
        let Node { top: item, colour, .. } = self.node(node);
        if self.is_primary(item) || colour == 0 {
            let bound = self.bound(item);
            *bound -= 1;
            if *bound == 0 {
                self.cover(item);
            }
        } else if colour != DONE {
            self.purify(node);
        }
    }

    /// Takes [`commit`](Self::commit) back.
    pub(super) fn uncommit(&mut self, node: Link) {
        let Node { top: item, colour, .. } = self.node(node);
        if self.is_primary(item) || colour == 0 {
            let bound = self.bound(item);
            *bound += 1;
            if *bound == 1 {
                self.uncover(item);
            }
        } else if colour != DONE {
            self.unpurify(node);
        }
    }

    /// Gives the item of `node` the colour of the node, and hides the options that give it another.
    pub(super) fn purify(&mut self, node: Link) {
        let Node { top: item, colour, .. } = self.node(node);
        self.nodes[item as usize].colour = colour;
        let mut at = self.node(item).down;
        while at != item {
            if self.node(at).colour == colour {
                self.nodes[at as usize].colour = DONE;
            } else {
                self.hide(at);
            }
            at = self.node(at).down;
        }
    }

    /// Takes [`purify`](Self::purify) back.
    pub(super) fn unpurify(&mut self, node: Link) {
        let Node { top: item, colour, .. } = self.node(node);
        let mut at = self.node(item).up;
        while at != item {
            if self.node(at).colour == DONE {
                self.nodes[at as usize].colour = colour;
            } else {
                self.unhide(at);
            }
            at = self.node(at).up;
        }
        self.nodes[item as usize].colour = 0;
    }

    /// Commits to all items of the option of `node` but its own.
    pub(super) fn commit_others(&mut self, node: Link) {
        self.for_others(node, Full::commit);
    }

    /// Takes [`commit_others`](Self::commit_others) back.
    pub(super) fn uncommit_others(&mut self, node: Link) {
        self.for_others_backwards(node, Full::uncommit);
    }

    /// Takes `node`, the first of its item's list, out of it; unless the item is covered, its whole option goes.
    pub(super) fn tweak(&mut self, node: Link, item: Link) {
        if *self.bound(item) > 0 {
            self.hide(node);
        }
        let down = self.node(node).down;
        self.nodes[item as usize].down = down;
        self.nodes[down as usize].up = item;
        self.nodes[item as usize].top -= 1;
        self.updates += 1;
    }

    /// Takes back every [`tweak`](Self::tweak) of `item`, from `first` on.
    pub(super) fn untweak(&mut self, item: Link, first: Link) {
        let is_hidden = *self.bound(item) > 0;
        let end = self.node(item).down;
        self.nodes[item as usize].down = first;
        let (mut node, mut above) = (first, item);
        while node != end {
            self.nodes[node as usize].up = above;
            self.nodes[item as usize].top += 1;
            if is_hidden {
                self.unhide(node);
            }
            above = node;
            node = self.node(node).down;
        }
        self.nodes[end as usize].up = above;
    }
}
