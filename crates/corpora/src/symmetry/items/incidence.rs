//! What a permutation of items does to options, and the other way round.
//!
//! An option is a list of items with colours; an item is a list of options with colours. Both are the same table, read
//! by rows or by columns. The numbers in every list are replaced by their images, both tables are sorted, and equal
//! lists are one the image of the other:
//! ```text
//! options      a x:red | b x:blue | a c        the permutation (a b)
//! images       b x:red | a x:blue | b c        b x:red is no option, so option 1 has no image
//! ```

use std::cmp::Ordering;

use galop_cover::{ExactCover, ItemId, OptionId};

/// A list of numbers with colours for each option, or for each item.
#[derive(Debug)]
pub(super) struct Incidence {
    lists: Lists,
    /// The numbers of the lists, in the order of the lists; equal lists in the order of their numbers.
    sorted: Vec<u32>,
}

#[derive(Debug)]
struct Lists {
    pairs: Vec<(u32, u32)>,
    /// Where each list ends.
    ends: Vec<usize>,
    /// What images have in common besides the lists: the cost of an option, the kind and the bounds of an item.
    tags: Vec<u64>,
}

impl Lists {
    fn with_sizes(tags: Vec<u64>) -> Lists {
        Lists { pairs: Vec::new(), ends: Vec::with_capacity(tags.len()), tags }
    }

    fn list(&self, number: u32) -> &[(u32, u32)] {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.ends.get(number).and_then(|&end| self.pairs.get(start..end)).unwrap_or(&[])
    }

    fn tag(&self, number: u32) -> u64 {
        self.tags.get(number as usize).copied().unwrap_or(0)
    }

    fn compare(&self, one: u32, others: &Lists, other: u32) -> Ordering {
        let tags = self.tag(one).cmp(&others.tag(other));
        tags.then_with(|| self.list(one).cmp(others.list(other)))
    }

    fn push(&mut self, list: impl Iterator<Item = (u32, u32)>) {
        let start = self.pairs.len();
        self.pairs.extend(list);
        self.pairs[start..].sort_unstable();
        self.ends.push(self.pairs.len());
    }

    fn into_sorted(self) -> Incidence {
        let mut sorted: Vec<u32> = (0..self.ends.len() as u32).collect();
        sorted.sort_by(|&one, &other| self.compare(one, &self, other));
        Incidence { lists: self, sorted }
    }
}

impl Incidence {
    /// The options, each with its items.
    pub(super) fn of_options(problem: &ExactCover) -> Incidence {
        let count = problem.option_count() as u32;
        let mut lists = Lists::with_sizes((0..count).map(|option| problem.cost(OptionId(option))).collect());
        for terms in problem.options() {
            let colour = |term: &galop_cover::Term| term.colour().map_or(0, u32::from);
            lists.push(terms.iter().map(|term| (term.item.0, colour(term))));
        }
        lists.into_sorted()
    }

    /// The items, each with the options that have it.
    pub(super) fn of_items(problem: &ExactCover) -> Incidence {
        let mut uses = vec![Vec::new(); problem.item_count()];
        for (option, terms) in (0..).zip(problem.options()) {
            for term in terms {
                uses[term.item.index()].push((option, term.colour().map_or(0, u32::from)));
            }
        }
        let tag = |item: u32| match (item as usize) < problem.primary_count() {
            true => {
                let bounds = problem.bounds(ItemId(item));
                u64::from(bounds.low) << 32 | u64::from(bounds.high)
            }
            // The high bound of a primary item is at least 1.
            false => 0,
        };
        let mut lists = Lists::with_sizes((0..problem.item_count() as u32).map(tag).collect());
        uses.into_iter().for_each(|list| lists.push(list.into_iter()));
        lists.into_sorted()
    }

    /// The image of each list if every number in the lists is replaced by its image in `numbers`.
    ///
    /// # Errors
    /// The first list without an image.
    pub(super) fn images(&self, numbers: &[u32]) -> Result<Vec<u32>, u32> {
        let moved = self.moved(numbers).into_sorted();
        let mut images = vec![0; self.sorted.len()];
        let mut targets = self.sorted.iter().peekable();
        let mut lacking = None;
        for &list in &moved.sorted {
            let compare = |target: u32| self.lists.compare(target, &moved.lists, list);
            while targets.next_if(|&&target| compare(target).is_lt()).is_some() {}
            match targets.next_if(|&&target| compare(target).is_eq()) {
                Some(&target) => images[list as usize] = target,
                None => lacking = Some(lacking.map_or(list, |least: u32| least.min(list))),
            }
        }
        lacking.map_or(Ok(images), Err)
    }

    /// Whether some list is what a list becomes.
    pub(super) fn has_image(&self, numbers: &[u32], list: u32) -> bool {
        let moved = self.moved(numbers);
        self.sorted.binary_search_by(|&target| self.lists.compare(target, &moved, list)).is_ok()
    }

    fn moved(&self, numbers: &[u32]) -> Lists {
        let mut moved = Lists::with_sizes(self.lists.tags.clone());
        let image = |number: u32| numbers.get(number as usize).copied().unwrap_or(number);
        for list in 0..self.sorted.len() as u32 {
            moved.push(self.lists.list(list).iter().map(|&(number, colour)| (image(number), colour)));
        }
        moved
    }
}
