//! Dancing links: an exact cover problem as circular lists of options, and the search through them.
//!
//! Algorithm X of Knuth, "The Art of Computer Programming" 4B, section 7.2.2.1 (first in "Dancing links",
//! arXiv cs/0011047), in one line: take the item with the fewest options, choose each of its options in turn,
//! strike out everything that clashes with it, and go on; when an item has no option left, go back.
//!
//! The options of an item hang in a circular list. Striking out an option unlinks its nodes; each keeps its
//! own links, so that the same steps backwards link it in again: nothing is copied, nothing searched for.
//!
//! ```text
//!            item 0       item 1       item 2       item 3
//! tops         |            |            |            |         any node still in the item's list
//! option 0   node 0       node 1         |          node 2      spacer 3
//!              |            |            |            |
//! option 1   node 4         |          node 5         |         spacer 6
//!              |            |            |            |
//! option 2     |          node 7       node 8       node 9      spacer 10
//!              |            |            |            |
//!            around       around       around       around
//!
//! place      0     1     2     3     4     5     6     7     8     9    10
//! links    | u d | u d | u d |  -  | u d | u d |  -  | u d | u d | u d |  -  |   up, down: they dance
//! nodes    | 0 0 | 1 0 | 3 0 | - 0 | 0 4 | 2 4 | - 1 | 1 7 | 2 7 | 3 7 | - 2 |   item, start of the option;
//!                                                              in a spacer: NONE, the number of its option
//! sizes    | of item 0 | of item 1 | ...     options left; COVERED is added while the item is covered
//! ```
//!
//! Knuth's names: `up`, `down` are ULINK, DLINK; `item` is TOP; `sizes` is LEN; `tops` stand for his headers.
//!
//! What is done otherwise than in the book:
//! 1. The items stand in no list of their own (LLINK, RLINK): a covered item carries `COVERED` in its size,
//!    and the item with the fewest options is the minimum of one short dense array, read by vectors.
//! 2. An item that falls to one option is remembered when it falls. Forced options are chosen from that
//!    memory, the array is read only before a guess, and an item that falls to none ends the branch at once.
//! 3. Choosing an option covers its items together and strikes out the others around it; the option itself
//!    stays in its lists. So the size of an open item is exact at every step, and 2 needs no second look.
//! 4. An option struck out leaves all its lists, its covered item's too, and is written down. Every hide is
//!    then the same short straight loop, and taking back is one pass over what was written down: no walk
//!    whose length the processor has to guess.
//! 5. No header stands in the list; a node that leaves names its neighbour as the top. So no step of a walk
//!    has to ask "is this the header?".
//! 6. A whole search is taken back by copying the links of the untouched matrix, 8 bytes a node.
//!
//! Measured on 17-clue sudokus, limit 1: 2.1 to 2.4 times as fast as crate `dlx` 0.8.5 (32-bit links, unchecked
//! indexing; the best of three ways to use it: its matrix copied for every puzzle, the clues covered). Of it
//! 6 is worth 1.4, no branch in 2 1.09, 4 and 5 together 1.06.
//!
//! Tried and lost:
//! - links of 16 bits: 1.02, and large rules no longer fit; the same in arrays of 65,536 places, where no
//!   index needs a check: 1.09 for two kinds of links;
//! - the last of the smallest items, so units before cells: 1.1 to 1.5 times the guesses;
//! - of the smallest items the one whose options meet the largest items: 0.86 to 1.11 times the guesses, but
//!   1.15 to 1.5 times the time; meet the smallest ones: 0.85 to 1.18 times the guesses (but 25 instead of
//!   1,312 on Norvig's impossible puzzle), and as slow.

use super::Contradiction;
use super::account::Account;
use crate::puzzle::{Answer, Limits};
use galop_cover::{ExactCover, ItemId, OptionId, Term};

/// The number of a node, of an item, of an option.
type Link = u32;

/// Added to the size of a covered item: more than any item has options.
const COVERED: Link = 1 << (Link::BITS - 1);
/// The item of a spacer; the place of what is not in this part of the problem.
const NONE: Link = Link::MAX;

/// The neighbours of a node in its item's list.
#[derive(Clone, Copy, Debug, Default)]
struct Neighbours {
    up: Link,
    down: Link,
}

/// What never changes about a node: its item, and the first node of its option.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    item: Link,
    start: Link,
}

/// An alternative of an item: `node` of its list, which was begun at `first`.
#[derive(Clone, Copy, Debug)]
struct Alternative {
    node: Link,
    first: Link,
}

/// A guess that may be withdrawn, and how many options were chosen and struck out before it.
#[derive(Clone, Copy, Debug)]
struct Level {
    tried: Alternative,
    chosen: usize,
    struck: usize,
}

/// An exact cover problem in dancing links, and a search through it.
#[derive(Clone, Debug)]
pub(super) struct Links {
    links: Vec<Neighbours>,
    nodes: Vec<Node>,
    tops: Vec<Link>,
    sizes: Vec<Link>,
    /// Where every item of the whole problem stands here, or NONE.
    places: Vec<Link>,
    /// The first node of every option of the whole problem, or NONE.
    starts: Vec<Link>,
    /// The first node of every option chosen so far, in order.
    chosen: Vec<Link>,
    /// The first node of every option struck out so far, in order: the first `struck_len` of them.
    struck: Vec<Link>,
    struck_len: usize,
    /// Items that fell to one option, some covered since: the first `forced_len` of them.
    forced: Vec<Link>,
    forced_len: usize,
    /// The guesses that can be withdrawn.
    levels: Vec<Level>,
    /// The options of the first solution.
    solution: Vec<OptionId>,
}

impl Links {
    /// The whole of `cover`.
    pub(super) fn new(cover: &ExactCover) -> Links {
        let (items, options) = (cover.item_count(), cover.option_count());
        let nodes = cover.term_count() + options;
        let mut links = Links {
            links: Vec::with_capacity(nodes),
            nodes: Vec::with_capacity(nodes),
            tops: Vec::with_capacity(items),
            sizes: Vec::with_capacity(items),
            places: vec![NONE; items],
            starts: vec![NONE; options],
            chosen: Vec::with_capacity(items),
            struck: vec![0; options + 1],
            struck_len: 0,
            forced: vec![0; items + 1],
            forced_len: 0,
            levels: Vec::with_capacity(items),
            solution: Vec::with_capacity(items),
        };
        links.rebuild(cover, 0..items as ItemId, 0..options as OptionId);
        links
    }

    /// Makes these the links of a part of `cover`: `items`, and those of `options` that cover no other item.
    ///
    /// Allocates nothing when made by [`new`](Self::new) of the same cover.
    pub(super) fn rebuild(
        &mut self,
        cover: &ExactCover,
        items: impl IntoIterator<Item = ItemId>,
        options: impl IntoIterator<Item = OptionId>,
    ) {
        self.clear();
        self.links.clear();
        self.nodes.clear();
        self.tops.clear();
        self.sizes.clear();
        self.places.fill(NONE);
        self.starts.fill(NONE);
        for item in items {
            self.places[item as usize] = self.sizes.len() as Link;
            self.tops.push(NONE);
            self.sizes.push(0);
        }
        for option in options {
            self.append(cover.option(option), option);
        }
    }

    /// Appends an option below all others, unless it covers an item that is not here.
    fn append(&mut self, terms: &[Term], option: OptionId) {
        if terms.iter().any(|term| self.places[term.item as usize] == NONE) {
            return;
        }
        let start = self.nodes.len() as Link;
        self.starts[option as usize] = start;
        for (node, term) in (start..).zip(terms) {
            let item = self.places[term.item as usize];
            let top = &mut self.tops[item as usize];
            if *top == NONE {
                *top = node;
                self.links.push(Neighbours { up: node, down: node });
            } else {
                let up = self.links[*top as usize].up;
                self.links.push(Neighbours { up, down: *top });
                self.links[up as usize].down = node;
                self.links[*top as usize].up = node;
            }
            self.nodes.push(Node { item, start });
            self.sizes[item as usize] += 1;
        }
        self.links.push(Neighbours::default());
        self.nodes.push(Node { item: NONE, start: option });
    }

    /// Chooses `option` for good: a clue.
    ///
    /// # Errors
    /// It is not here, covers an item that is covered already, or leaves one without options.
    pub(super) fn give(&mut self, option: OptionId) -> Result<(), Contradiction> {
        match self.starts.get(option as usize) {
            Some(&start) if start != NONE && self.is_open(start) => self.choose(start),
            _ => Err(Contradiction),
        }
    }

    /// Whether no item of the option that starts at `start` is covered yet.
    fn is_open(&self, start: Link) -> bool {
        option(&self.nodes, start).all(|node| self.sizes[node.item as usize] < COVERED)
    }

    /// Goes back to `fresh`, the same links before anything was chosen, and forgets what was found.
    ///
    /// After a search this is quicker than dancing back.
    pub(super) fn restore(&mut self, fresh: &Links) {
        self.links.copy_from_slice(&fresh.links);
        self.tops.copy_from_slice(&fresh.tops);
        self.sizes.copy_from_slice(&fresh.sizes);
        self.clear();
    }

    fn clear(&mut self) {
        self.chosen.clear();
        self.levels.clear();
        self.solution.clear();
        (self.struck_len, self.forced_len) = (0, 0);
    }

    /// The options of the first solution that [`search`](Self::search) found.
    pub(super) fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    /// Looks for solutions: Algorithm X.
    pub(super) fn search(&mut self, limits: Limits) -> Answer {
        let mut account = Account::new(limits, &mut []);
        let mut state = self.choose_forced();
        loop {
            let next = if state.is_err() {
                self.next_alternative()
            } else if let Some(item) = self.fewest_options() {
                self.first_alternative(item)
            } else {
                if account.solutions() == 0 {
                    self.keep_solution();
                }
                if account.solution(|_| ()).is_break() {
                    return account.close();
                }
                self.next_alternative()
            };
            let Some(next) = next else { return account.close() };
            if !self.is_last(next) {
                if account.guess().is_break() {
                    return account.close();
                }
                self.levels.push(Level { tried: next, chosen: self.chosen.len(), struck: self.struck_len });
            }
            state = self.choose(self.nodes[next.node as usize].start).and_then(|()| self.choose_forced());
        }
    }

    /// Chooses the only option of every item that has but one, until there is none.
    fn choose_forced(&mut self) -> Result<(), Contradiction> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len] as usize;
            if self.sizes[item] < COVERED {
                self.choose(self.nodes[self.tops[item] as usize].start)?;
            }
        }
        Ok(())
    }

    /// The open item with the fewest options, the first of several; `None` when all are covered.
    fn fewest_options(&self) -> Option<usize> {
        let fewest = self.sizes.iter().copied().min()?;
        if fewest >= COVERED { None } else { self.sizes.iter().position(|&size| size == fewest) }
    }

    /// The first option of `item`. `None` where it never had one: no guess was made yet, and none helps.
    fn first_alternative(&self, item: usize) -> Option<Alternative> {
        let first = self.tops[item];
        (self.sizes[item] > 0).then_some(Alternative { node: first, first })
    }

    /// Withdraws the last guess and all that followed; the alternative after it. `None` when none is open.
    fn next_alternative(&mut self) -> Option<Alternative> {
        let Level { tried, chosen, struck } = self.levels.pop()?;
        self.withdraw(chosen, struck);
        Some(Alternative { node: self.links[tried.node as usize].down, ..tried })
    }

    fn is_last(&self, alternative: Alternative) -> bool {
        self.links[alternative.node as usize].down == alternative.first
    }

    fn keep_solution(&mut self) {
        for &start in &self.chosen {
            let spacer = self.nodes[start as usize..].iter().find(|node| node.item == NONE);
            self.solution.extend(spacer.map(|spacer| spacer.start));
        }
    }

    /// Chooses an option: covers its items, and strikes out every option that clashes with it.
    fn choose(&mut self, start: Link) -> Result<(), Contradiction> {
        self.chosen.push(start);
        for node in option(&self.nodes, start) {
            self.sizes[node.item as usize] += COVERED;
        }
        // The lengths in locals: the loop keeps them in registers.
        let Links { nodes, links, tops, sizes, struck, forced, .. } = self;
        let (nodes, links, tops, sizes) = (&nodes[..], &mut links[..], &mut tops[..], &mut sizes[..]);
        let (struck, forced) = (&mut struck[..], &mut forced[..]);
        let (mut struck_len, mut forced_len, mut is_dead) = (self.struck_len, self.forced_len, false);
        for (own, _) in (start..).zip(option(nodes, start)) {
            if is_dead {
                break; // What was struck out so far is written down; the rest need not be.
            }
            let mut other = links[own as usize].down;
            while other != own {
                // Hide the option of `other`.
                let start = nodes[other as usize].start;
                other = links[other as usize].down;
                struck[struck_len] = start;
                struck_len += 1;
                for at in start as usize.. {
                    let item = nodes[at].item;
                    if item == NONE {
                        break;
                    }
                    let Neighbours { up, down } = links[at];
                    links[up as usize].down = down;
                    links[down as usize].up = up;
                    tops[item as usize] = down;
                    let size = sizes[item as usize] - 1;
                    sizes[item as usize] = size;
                    is_dead |= size == 0;
                    forced[forced_len] = item;
                    forced_len += usize::from(size == 1);
                }
            }
        }
        (self.struck_len, self.forced_len) = (struck_len, forced_len);
        if is_dead { Err(Contradiction) } else { Ok(()) }
    }

    /// Takes back [`choose`](Self::choose) until so many options are chosen and struck out.
    fn withdraw(&mut self, chosen: usize, struck: usize) {
        let Links { nodes, links, tops, sizes, .. } = self;
        let (nodes, links, tops, sizes) = (&nodes[..], &mut links[..], &mut tops[..], &mut sizes[..]);
        for &start in self.struck[struck..self.struck_len].iter().rev() {
            // Unhide it.
            for (at, node) in (start..).zip(option(nodes, start)) {
                let Neighbours { up, down } = links[at as usize];
                links[up as usize].down = at;
                links[down as usize].up = at;
                tops[node.item as usize] = at;
                sizes[node.item as usize] += 1;
            }
        }
        for &start in &self.chosen[chosen..] {
            for node in option(nodes, start) {
                sizes[node.item as usize] -= COVERED;
            }
        }
        self.chosen.truncate(chosen);
        (self.struck_len, self.forced_len) = (struck, 0);
    }
}

/// The nodes of the option that starts at `start`.
fn option(nodes: &[Node], start: Link) -> impl Iterator<Item = &Node> {
    nodes[start as usize..].iter().take_while(|node| node.item != NONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: Limits = Limits::ALL;

    /// The small example of section 7.2.2.1: items a to g, six options, one solution.
    fn knuths_example() -> ExactCover {
        let options = ["ce", "adg", "bcf", "adf", "bg", "deg"];
        let items = |option: &str| option.bytes().map(|byte| ItemId::from(byte - b'a')).collect();
        of_options(7, &options.map(items))
    }

    fn of_options(items: u32, options: &[Vec<ItemId>]) -> ExactCover {
        let mut builder = ExactCover::builder();
        for item in 0..items {
            builder.primary(&item.to_string());
        }
        for option in options {
            builder.option(option.iter().copied());
        }
        builder.finish().unwrap()
    }

    /// Dominoes on a board: an item for each square, an option for each place.
    fn dominoes(rows: u32, columns: u32) -> ExactCover {
        let mut options = Vec::new();
        for square in 0..rows * columns {
            if square % columns + 1 < columns {
                options.push(vec![square, square + 1]);
            }
            if square + columns < rows * columns {
                options.push(vec![square, square + columns]);
            }
        }
        of_options(rows * columns, &options)
    }

    /// Pairs of items, each pair an option: a solution is a perfect matching.
    fn matchings(items: u32) -> ExactCover {
        let pairs = (0..items).flat_map(|one| (one + 1..items).map(move |other| vec![one, other]));
        of_options(items, &pairs.collect::<Vec<_>>())
    }

    fn count(cover: &ExactCover) -> u64 {
        Links::new(cover).search(ALL).solutions
    }

    #[test]
    fn knuths_example_is_the_fourth_the_fifth_and_the_first_option() {
        let mut links = Links::new(&knuths_example());
        let answer = links.search(ALL);
        assert_eq!((answer.solutions, answer.gave_up()), (1, false));
        let mut solution = links.solution().to_vec();
        solution.sort_unstable();
        assert_eq!(solution, [0, 3, 4]);
    }

    #[test]
    fn counts_are_those_of_the_books() {
        // OEIS A004003 (4x4, 6x6) and A001147 (K6, K10).
        assert_eq!(count(&dominoes(4, 4)), 36);
        assert_eq!(count(&dominoes(6, 6)), 6_728);
        assert_eq!(count(&dominoes(3, 3)), 0);
        assert_eq!(count(&matchings(6)), 15);
        assert_eq!(count(&matchings(10)), 945);
    }

    /// k options, k - 1 guesses: in a matching of 4 items the first has 3 options, and all else is forced.
    #[test]
    fn the_last_alternative_is_no_guess() {
        let mut links = Links::new(&matchings(4));
        assert_eq!(links.search(ALL).effort.guesses, 2);
        let fresh = Links::new(&matchings(4));
        links.restore(&fresh);
        let answer = links.search(ALL.with_guesses(1));
        assert_eq!((answer.solutions, answer.effort.guesses, answer.gave_up()), (1, 1, true));
    }

    /// Every link, size and top is back after the last guess is withdrawn.
    #[test]
    fn a_search_of_everything_leaves_the_links_as_they_were() {
        for cover in [knuths_example(), dominoes(4, 5), matchings(8)] {
            let mut links = Links::new(&cover);
            let fresh = links.clone();
            let _ = links.search(ALL);
            // The last alternatives stay chosen: no guess stands above them.
            links.withdraw(0, 0);
            let order =
                |links: &Links| links.links.iter().map(|link| (link.up, link.down)).collect::<Vec<_>>();
            assert_eq!(order(&links), order(&fresh));
            assert_eq!(links.sizes, fresh.sizes);
            for (item, &top) in links.tops.iter().enumerate() {
                assert_eq!(links.nodes[top as usize].item as usize, item);
            }
        }
    }

    #[test]
    fn a_part_is_a_problem_of_its_own() {
        // The six dominoes of a 2x3 board inside a 4x4 one.
        let board = dominoes(4, 4);
        let mut links = Links::new(&board);
        links.rebuild(&board, [0, 1, 2, 4, 5, 6], 0..board.option_count() as OptionId);
        assert_eq!(links.search(ALL).solutions, 3);
        assert_eq!(links.solution().len(), 3);
        assert!(
            links.solution().iter().all(|&option| board.option(option).iter().all(|term| term.item % 4 < 3))
        );
        // No items: nothing to choose is one way to choose.
        links.rebuild(&board, [], 0..board.option_count() as OptionId);
        assert_eq!((links.search(ALL).solutions, links.solution()), (1, &[][..]));
        // An item without options.
        links.rebuild(&board, 0..16, []);
        assert_eq!(links.search(ALL), Answer::complete(0));
        links.rebuild(&board, 0..16, 0..board.option_count() as OptionId);
        assert_eq!(links.search(ALL).solutions, 36);
    }

    #[test]
    fn an_option_given_twice_or_beside_a_clash_is_a_contradiction() {
        let mut links = Links::new(&knuths_example());
        assert_eq!(links.give(0), Ok(()));
        assert_eq!(links.give(0), Err(Contradiction));
        assert_eq!(links.give(2), Err(Contradiction), "c is covered");
        assert_eq!(links.give(6), Err(Contradiction), "there is no such option");
        assert_eq!(links.search(ALL).solutions, 1);
    }
}
