//! Algorithm X for problems without colours and bounds.
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
//! sizes    | of item 0 | of item 1 | ...   options left; COVERED is added while the item is covered, SECONDARY
//!                                          always if the item is secondary
//! ```
//!
//! Knuth's names: `up`, `down` are ULINK, DLINK; `item` is TOP; `sizes` is LEN; `tops` take the place of his headers.
//!
//! What differs from the book:
//! 1. The items are in no list of their own (LLINK, RLINK): a covered item has `COVERED` in its size, and the item
//!    with the fewest options is the minimum of one short dense array, which the compiler reads by vectors.
//! 2. An item that falls to one option is noted when it falls. Forced options are chosen from these notes, the array
//!    is read only before a branch, and an item that falls to none ends the branch at once.
//! 3. To choose an option covers its items together and hides the other options around it; the option itself stays
//!    in its lists. So the size of an open item is exact at every step, and 2 needs no second look.
//! 4. A hidden option is written down, and every hide is the same short straight loop over its nodes: no walk whose
//!    length the processor must guess. Taking back is one pass over what was written down. The node in the list of the
//!    covered item is left out without a branch.
//! 5. No header is in the list; a node that leaves names its neighbour as the top. So no step of a walk must ask "is
//!    this the header?".
//! 6. A whole search is taken back by copying the links of the whole problem, 8 bytes a node. If options are
//!    forbidden, which may leave few of them, the lists are built anew from what is left.
//! 7. A secondary item is never the smallest and never forced: its size is counted from `SECONDARY`.
//! 8. A choice knows the fewest options that it left to any item, so `least` bounds the sizes from below. The array of
//!    3 is searched for that size first, and the search ends where it is found.
//! 9. Solutions that are only counted are not written down.
//!
//! Measured on 17-clue sudokus, first solution: 2.1 to 2.4 times as fast as crate `dlx` 0.8.5 (32-bit links,
//! unchecked indexing; the best of three ways to use it: its matrix copied for every puzzle, the clues covered). Of
//! this, 6 is worth 1.4, no branch in 2 1.09, 4 and 5 together 1.06. Measured on all solutions of problems in
//! `galop cover`: 8 and 9 are worth 1.75 on dominoes 8x8 and 1.19 on the matchings of 14 items; the node left out in 4
//! 1.16 on Langford pairs and 1.15 on matchings.
//!
//! Tried and lost:
//! - unrolled loops for options of 3 nodes (1.04 on Langford pairs), 4 (1.00 on sudokus), 5 and 6 (1.14 on pentominoes 3x20:
//!   other engines solve these);
//! - to end a choice at the option whose hiding leaves an item none, not after its whole list: 1.00 on pentominoes 3x20,
//!   1.02 to 1.03 times the instructions elsewhere;
//! - links of 16 bits: 1.02, and large rules no longer fit; the same in arrays of 65,536 places, where no index needs
//!   a check: 1.09 for two kinds of links;
//! - the last of the smallest items, so units before cells: 1.1 to 1.5 times the guesses;
//! - of the smallest items the one whose options meet the largest items: 0.86 to 1.11 times the guesses, but 1.15 to
//!   1.5 times the time; meet the smallest ones: 0.85 to 1.18 times the guesses (but 25 instead of 1,312 on Norvig's
//!   impossible puzzle), and as slow.

use std::sync::Arc;

use crate::engine::search::{Branches, Found, Position};
use crate::engine::{Build, CoverEngine, Event, Meter, Room, Unsuitable, is_checked};
use crate::{Assumptions, ExactCover, Natural, OptionId};

/// The number of a node, an item or an option.
pub(super) type Link = u32;

/// Added to the size of a covered item.
const COVERED: Link = 1 << 31;
/// Added to the size of a secondary item: more than any item has options.
const SECONDARY: Link = 1 << 30;
/// The item of a spacer; the number of an item that is not in these lists.
const NONE: Link = Link::MAX;

/// The neighbours of a node in its item's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Neighbours {
    up: Link,
    down: Link,
}

/// What never changes about a node: its item, and the first node of its option.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    item: Link,
    start: Link,
}

/// The lists of a problem, or of a part of it: see the drawing.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    /// Room for the whole problem; a part has the first `len` nodes.
    pub(super) links: Vec<Neighbours>,
    nodes: Vec<Node>,
    len: usize,
    pub(super) tops: Vec<Link>,
    pub(super) sizes: Vec<Link>,
    /// Primary items, which come first.
    primary_count: usize,
}

/// The whole problem before anything is chosen.
#[derive(Debug)]
struct Whole {
    lists: Lists,
    /// The first node of every option, and one past the last spacer.
    starts: Vec<Link>,
}

impl Whole {
    /// The nodes of `option`.
    fn option(&self, option: OptionId) -> &[Node] {
        let (start, end) = (self.starts[option as usize], self.starts[option as usize + 1]);
        &self.lists.nodes[start as usize..end as usize - 1]
    }
}

/// Where a level began: the options chosen and hidden before it, and those of its item.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    chosen: usize,
    hidden: usize,
    degree: u32,
}

/// A problem in dancing links, and a search through it.
#[derive(Debug)]
pub(super) struct Short {
    whole: Arc<Whole>,
    room: Room,
    pub(super) lists: Lists,
    /// Whether `lists` has the nodes of the whole problem.
    is_whole: bool,
    /// What the search takes for granted.
    assumptions: Assumptions,
    /// A bit an option: neither chosen nor forbidden.
    free: Vec<u64>,
    /// The number in `lists` of every item of the whole problem, or NONE.
    numbers: Vec<Link>,
    /// The first node of every chosen option, in order.
    chosen: Vec<Link>,
    /// The node of every hidden option in the list of the covered item, in order: the first `hidden_len` of them.
    hidden: Vec<Link>,
    hidden_len: usize,
    /// Items that fell to one option or none, some covered since: the first `forced_len` of them.
    forced: Vec<Link>,
    forced_len: usize,
    /// Whether an item has no option left.
    is_contradictory: bool,
    /// Open primary items.
    open: usize,
    /// No open primary item has fewer options than this.
    least: Link,
    /// The branches are options, by their first nodes.
    branches: Branches<Mark>,
    is_ascending: bool,
    updates: u64,
    solution: Vec<OptionId>,
}

impl Lists {
    /// No items and options, with room for as many.
    fn with_capacity(items: usize, nodes: usize) -> Lists {
        Lists {
            links: vec![Neighbours::default(); nodes],
            nodes: vec![Node { item: NONE, start: NONE }; nodes],
            len: 0,
            tops: Vec::with_capacity(items),
            sizes: Vec::with_capacity(items),
            primary_count: 0,
        }
    }

    /// Empties the lists for `items` without options; the first `primary_count` of them are primary.
    fn begin(&mut self, items: usize, primary_count: usize) {
        self.len = 0;
        self.tops.clear();
        self.tops.resize(items, NONE);
        self.sizes.clear();
        self.sizes.resize(primary_count, 0);
        self.sizes.resize(items, SECONDARY);
        self.primary_count = primary_count;
    }

    /// Appends an option below all others.
    #[inline]
    fn push(&mut self, option: OptionId, items: impl Iterator<Item = Link>) {
        let Lists { links, nodes, tops, sizes, .. } = self;
        let (links, nodes, tops, sizes) = (&mut links[..], &mut nodes[..], &mut tops[..], &mut sizes[..]);
        let (start, mut at) = (self.len as Link, self.len);
        for item in items {
            let node = at as Link;
            let top = tops[item as usize];
            if top == NONE {
                tops[item as usize] = node;
                links[at] = Neighbours { up: node, down: node };
            } else {
                let up = std::mem::replace(&mut links[top as usize].up, node);
                links[at] = Neighbours { up, down: top };
                links[up as usize].down = node;
            }
            nodes[at] = Node { item, start };
            sizes[item as usize] += 1;
            at += 1;
        }
        nodes[at] = Node { item: NONE, start: option };
        self.len = at + 1;
    }

    /// Nodes, links, tops and sizes. The first two are of one length and so are the last two, which the compiler must
    /// see to check an index once.
    #[inline(always)]
    fn slices(&mut self) -> (&[Node], &mut [Neighbours], &mut [Link], &mut [Link]) {
        let (nodes, sizes) = (&self.nodes[..], &mut self.sizes[..]);
        (nodes, &mut self.links[..nodes.len()], &mut self.tops[..sizes.len()], sizes)
    }

    /// The number of the option that starts at `start`.
    fn option_at(&self, start: Link) -> OptionId {
        self.nodes[start as usize..].iter().find(|node| node.item == NONE).map_or(NONE, |spacer| spacer.start)
    }
}

/// Clears the bit of `option`; whether it was set.
fn take(bits: &mut [u64], option: OptionId) -> bool {
    let Some(word) = bits.get_mut(option as usize / 64) else { return false };
    let bit = 1 << (option % 64);
    let was_set = *word & bit != 0;
    *word &= !bit;
    was_set
}

/// Numbers what is not NONE, from `next` on; the number after the last.
fn count_up(numbers: &mut [Link], mut next: Link) -> Link {
    for number in numbers {
        let is_here = *number != NONE;
        *number = if is_here { next } else { NONE };
        next += Link::from(is_here);
    }
    next
}

/// The nodes of the option that starts at `start`.
fn option(nodes: &[Node], start: Link) -> impl Iterator<Item = &Node> {
    nodes[start as usize..].iter().take_while(|node| node.item != NONE)
}

/// Calls `each` with the number and the item of every node of the option of `other`, but not for `other` itself.
#[inline(always)]
fn for_each_other(nodes: &[Node], other: Link, items: usize, mut each: impl FnMut(usize, usize)) {
    let mut place = nodes[other as usize].start as usize;
    loop {
        let at = place + usize::from(place >= other as usize);
        // The spacer's item is too large, which ends the loop.
        let item = nodes[at].item as usize;
        if item >= items {
            break;
        }
        each(at, item);
        place += 1;
    }
}

/// The first item with `size` options. It is sought in groups of items, which the compiler compares by vectors.
fn first_of_size(sizes: &[Link], size: Link) -> Option<usize> {
    let (groups, rest) = sizes.as_chunks::<16>();
    for (first, group) in (0..).step_by(16).zip(groups) {
        if group.iter().fold(false, |is_here, &other| is_here | (other == size)) {
            return group.iter().position(|&other| other == size).map(|at| first + at);
        }
    }
    rest.iter().position(|&other| other == size).map(|at| 16 * groups.len() + at)
}

impl Short {
    /// `Err` if the problem has more nodes or options than links can number, or if `build` stops.
    pub(super) fn new(problem: &ExactCover, build: Build<'_>) -> Result<Short, Unsuitable> {
        let (items, options) = (problem.item_count(), problem.option_count());
        let nodes = problem.term_count() + options;
        Unsuitable::check_size("nodes", nodes, NONE as usize - 1)?;
        Unsuitable::check_size("options", options, SECONDARY as usize - 1)?;
        let list_bytes = 16 * nodes + 8 * items;
        // Branches are nodes of different items.
        let branches = Branches::<Mark>::bytes(items.min(options), nodes);
        let own = list_bytes + 6 * options + 40 * items + branches;
        let room = build.reserve(list_bytes + 4 * options, own)?;
        let mut lists = Lists::with_capacity(items, nodes);
        lists.begin(items, problem.primary_count());
        let mut starts = Vec::with_capacity(options + 1);
        for (number, terms) in problem.options().enumerate() {
            build.check(number)?;
            starts.push(lists.len as Link);
            lists.push(number as OptionId, terms.iter().map(|term| term.item));
        }
        starts.push(lists.len as Link);
        Ok(Short::of(Arc::new(Whole { lists, starts }), room))
    }

    fn of(whole: Arc<Whole>, room: Room) -> Short {
        let (items, options) = (whole.lists.tops.len(), whole.starts.len() - 1);
        Short {
            lists: whole.lists.clone(),
            room,
            is_whole: true,
            assumptions: Assumptions::default(),
            free: vec![0; options.div_ceil(64)],
            numbers: vec![0; items],
            chosen: Vec::with_capacity(items),
            hidden: vec![0; options + 1],
            hidden_len: 0,
            forced: vec![0; 2 * items + 1],
            forced_len: 0,
            is_contradictory: false,
            open: 0,
            least: 0,
            branches: Branches::default(),
            is_ascending: true,
            updates: 0,
            solution: Vec::with_capacity(items),
            whole,
        }
    }

    /// Makes `lists` those of the whole problem, nothing chosen.
    ///
    /// After a search this is quicker than dancing back.
    fn restore(&mut self) {
        let whole = &self.whole.lists;
        if self.is_whole {
            self.lists.links.copy_from_slice(&whole.links);
            self.lists.tops.copy_from_slice(&whole.tops);
            self.lists.sizes.copy_from_slice(&whole.sizes);
        } else {
            self.lists.clone_from(whole);
            self.is_whole = true;
        }
        self.open = whole.primary_count;
    }

    /// Takes the assumed options out of `free`, and repetitions out of the chosen ones; `false` if a chosen one is
    /// forbidden or not in the problem.
    fn take_assumed(&mut self) -> bool {
        let free = &mut self.free[..];
        free.fill(u64::MAX);
        let padding = 64 * free.len() + 1 - self.whole.starts.len();
        if let Some(last) = free.last_mut() {
            *last >>= padding;
        }
        let Assumptions { chosen, forbidden } = &mut self.assumptions;
        for &option in &*forbidden {
            take(free, option);
        }
        let mut index = 0;
        while let Some(&option) = chosen.get(index) {
            if take(free, option) {
                index += 1;
            } else if chosen[..index].contains(&option) {
                chosen.remove(index);
            } else {
                return false;
            }
        }
        true
    }

    /// Chooses the assumed options in the whole problem; `false` if they clash.
    fn choose_assumed(&mut self) -> bool {
        self.restore();
        for index in 0..self.assumptions.chosen.len() {
            let start = self.whole.starts[self.assumptions.chosen[index] as usize];
            if !self.is_open(start) {
                return false;
            }
            self.choose(start);
            if self.is_contradictory {
                return false;
            }
        }
        true
    }

    /// Whether no item of the option that starts at `start` is covered.
    fn is_open(&self, start: Link) -> bool {
        option(&self.lists.nodes, start).all(|node| self.lists.sizes[node.item as usize] < COVERED)
    }

    /// Builds the lists of what the assumptions leave; `false` if the chosen options clash.
    fn rebuild(&mut self) -> bool {
        let Short { whole, lists, assumptions, free, numbers, .. } = self;
        numbers.fill(0);
        for &chosen in &assumptions.chosen {
            for node in whole.option(chosen) {
                if std::mem::replace(&mut numbers[node.item as usize], NONE) == NONE {
                    return false;
                }
            }
        }
        let (primary, secondary) = numbers.split_at_mut(whole.lists.primary_count);
        let primary_count = count_up(primary, 0);
        let items = count_up(secondary, primary_count);
        lists.begin(items as usize, primary_count as usize);
        for (first, &word) in (0..).step_by(64).zip(&*free) {
            let mut left = word;
            while left != 0 {
                let option = first + left.trailing_zeros();
                left &= left - 1;
                let numbers = whole.option(option).iter().map(|node| numbers[node.item as usize]);
                if numbers.clone().all(|number| number != NONE) {
                    lists.push(option, numbers);
                }
            }
        }
        self.is_whole = false;
        self.open = primary_count as usize;
        true
    }

    /// Searches to the next event.
    fn run(&mut self, meter: &mut Meter<'_>) -> Event {
        let mut branches = std::mem::take(&mut self.branches);
        let event = branches.run(self, meter);
        self.branches = branches;
        event
    }

    /// Chooses forced options, `most` at most, until there is a contradiction; their number.
    fn choose_forced(&mut self, most: u64) -> u64 {
        let mut count = 0;
        while count < most
            && !self.is_contradictory
            && let Some(start) = self.forced_option()
        {
            self.choose(start);
            count += 1;
        }
        count
    }

    /// The only option of an open item that has fallen to one.
    #[inline]
    fn forced_option(&mut self) -> Option<Link> {
        while self.forced_len > 0 {
            self.forced_len -= 1;
            let item = self.forced[self.forced_len] as usize;
            if self.lists.sizes[item] < COVERED {
                return Some(self.start_of(self.lists.tops[item]));
            }
        }
        None
    }

    fn start_of(&self, node: Link) -> Link {
        self.lists.nodes[node as usize].start
    }

    /// The open primary item with the fewest options, the first of several, and their number; `None` if all are
    /// covered.
    fn fewest_options(&mut self) -> Option<(usize, Link)> {
        if self.open == 0 {
            return None;
        }
        let sizes = &self.lists.sizes[..self.lists.primary_count];
        if let Some(item) = first_of_size(sizes, self.least) {
            return Some((item, self.least));
        }
        self.least = sizes.iter().copied().min()?;
        Some((first_of_size(sizes, self.least)?, self.least))
    }

    /// Appends the options of `item` to `options`.
    fn list(&self, item: usize, options: &mut Vec<Link>) {
        let (begin, top) = (options.len(), self.lists.tops[item]);
        let mut node = top;
        loop {
            options.push(self.start_of(node));
            node = self.lists.links[node as usize].down;
            if node == top {
                break;
            }
        }
        let options = &mut options[begin..];
        if self.is_ascending {
            let first = (1..options.len()).find(|&at| options[at] < options[at - 1]);
            if let Some(first) = first {
                options.rotate_left(first);
            }
        }
    }

    /// Chooses an option: covers its items, and hides every option that clashes with it.
    fn choose(&mut self, start: Link) {
        self.chosen.push(start);
        let primary_count = self.lists.primary_count;
        let (nodes, links, tops, sizes) = self.lists.slices();
        let (hidden, forced) = (&mut self.hidden[..], &mut self.forced[..]);
        let (mut open, mut end) = (self.open, start);
        for node in option(nodes, start) {
            sizes[node.item as usize] += COVERED;
            open -= usize::from((node.item as usize) < primary_count);
            end += 1;
        }
        self.open = open;
        // The lengths in locals: the loop keeps them in registers.
        let (mut hidden_len, mut forced_len, mut fewest) = (self.hidden_len, self.forced_len, NONE);
        for own in start..end {
            if fewest == 0 {
                break; // What was hidden so far is written down; the rest need not be hidden.
            }
            let mut other = links[own as usize].down;
            while other != own {
                // Hide the option of `other`: all its nodes but `other`.
                hidden[hidden_len] = other;
                hidden_len += 1;
                for_each_other(nodes, other, sizes.len(), |at, item| {
                    let Neighbours { up, down } = links[at];
                    links[up as usize].down = down;
                    links[down as usize].up = up;
                    tops[item] = down;
                    let size = sizes[item] - 1;
                    sizes[item] = size;
                    fewest = fewest.min(size);
                    forced[forced_len] = item as Link;
                    forced_len += usize::from(size < 2);
                });
                other = links[other as usize].down;
            }
        }
        self.updates += (hidden_len - self.hidden_len) as u64;
        (self.hidden_len, self.forced_len) = (hidden_len, forced_len);
        self.least = self.least.min(fewest);
        self.is_contradictory = fewest == 0;
    }

    /// Takes [`choose`](Self::choose) back until `chosen` options are chosen and `hidden` ones hidden.
    pub(super) fn withdraw(&mut self, chosen: usize, hidden: usize) {
        let primary_count = self.lists.primary_count;
        let (nodes, links, tops, sizes) = self.lists.slices();
        for &other in self.hidden[hidden..self.hidden_len].iter().rev() {
            for_each_other(nodes, other, sizes.len(), |at, item| {
                let (node, Neighbours { up, down }) = (at as Link, links[at]);
                links[up as usize].down = node;
                links[down as usize].up = node;
                tops[item] = node;
                sizes[item] += 1;
            });
        }
        for &start in &self.chosen[chosen..] {
            for node in option(nodes, start) {
                sizes[node.item as usize] -= COVERED;
                self.open += usize::from((node.item as usize) < primary_count);
            }
        }
        self.chosen.truncate(chosen);
        (self.hidden_len, self.forced_len, self.is_contradictory) = (hidden, 0, false);
    }

    /// Writes down the options of the solution.
    fn record(&mut self) {
        self.solution.clear();
        if !self.is_whole {
            self.solution.extend_from_slice(&self.assumptions.chosen);
        }
        let lists = &self.lists;
        self.solution.extend(self.chosen.iter().map(|&start| lists.option_at(start)));
    }
}

impl Position for Short {
    type Mark = Mark;

    #[inline(always)]
    fn enter(
        &mut self,
        option: Option<Link>,
        depth: usize,
        meter: &mut Meter<'_>,
        options: &mut Vec<Link>,
    ) -> Found<Mark> {
        if let Some(start) = option {
            self.choose(start);
        }
        let count = self.choose_forced(meter.unchecked_nodes());
        meter.add_nodes(depth, count);
        if self.is_contradictory {
            return Found::Contradiction;
        }
        if let Some(only) = self.forced_option() {
            return Found::Forced(Some(only));
        }
        match self.fewest_options() {
            None => Found::Solution,
            Some((_, 0)) => Found::Contradiction,
            Some((item, 1)) => Found::Forced(Some(self.start_of(self.lists.tops[item]))),
            Some((item, degree)) => {
                self.list(item, options);
                Found::Open(Mark { chosen: self.chosen.len(), hidden: self.hidden_len, degree })
            }
        }
    }

    #[inline(always)]
    fn go_back(&mut self, _: usize, mark: Mark) {
        self.withdraw(mark.chosen, mark.hidden);
        self.least = mark.degree;
    }
}

impl CoverEngine for Short {
    fn start(&mut self, assumptions: &Assumptions) {
        self.chosen.clear();
        (self.hidden_len, self.forced_len, self.is_contradictory, self.updates) = (0, 0, false, 0);
        self.assumptions.replace(&assumptions.chosen, &assumptions.forbidden);
        let is_possible = self.take_assumed()
            && if self.assumptions.forbidden.is_empty() { self.choose_assumed() } else { self.rebuild() };
        self.least = 0;
        self.branches.start(is_possible);
    }

    fn next(&mut self, meter: &mut Meter<'_>) -> Event {
        let event = self.run(meter);
        if event == Event::Solution {
            self.record();
        }
        meter.updates += std::mem::take(&mut self.updates);
        event
    }

    fn count(&mut self, meter: &mut Meter<'_>, found: &mut Natural) -> Option<Event> {
        let before = found.to_u128().unwrap_or_default() as u64;
        let mut more = 0;
        let event = loop {
            match self.run(meter) {
                Event::Solution if is_checked(before + more) => {
                    more += 1;
                    self.record();
                    break Event::Solution;
                }
                Event::Solution => more += 1,
                event => break event,
            }
        };
        *found += more;
        meter.updates += std::mem::take(&mut self.updates);
        Some(event)
    }

    fn set_ascending(&mut self, is_ascending: bool) {
        self.is_ascending = is_ascending;
    }

    fn solution(&self) -> &[OptionId] {
        &self.solution
    }

    fn split(&mut self) -> Option<Assumptions> {
        let (_, mark, option) = self.branches.split()?;
        let mut assumptions = self.assumptions.clone();
        let assumed = if self.is_whole { assumptions.chosen.len() } else { 0 };
        let chosen = self.chosen[assumed..mark.chosen].iter().chain([&option]);
        assumptions.chosen.extend(chosen.map(|&start| self.lists.option_at(start)));
        Some(assumptions)
    }

    fn progress(&self) -> f64 {
        self.branches.progress()
    }

    fn own_bytes(&self) -> usize {
        self.room.own()
    }

    fn fork(&self) -> Box<dyn CoverEngine> {
        let mut fork = Short::of(Arc::clone(&self.whole), self.room.clone());
        fork.is_ascending = self.is_ascending;
        Box::new(fork)
    }
}
