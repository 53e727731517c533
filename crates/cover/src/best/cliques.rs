//! Items that let colours have a price.
//!
//! A secondary item with colours has no price: options of the same colour do not exclude each other, so the linear
//! program does not know what a change of colour costs. But some of its options do exclude each other, and a secondary
//! item without colour says so:
//! ```text
//! options of item s | colour c | other colours |
//! of p              |   all    |               |     p and q: two primary items that are covered at most once.
//! of q              |          |      all      |     Those marked are a clique: of them, a cover has at most one.
//! ```
//! Such an item forbids nothing that the others do not forbid, so the covers stay the same. (With these items alone the
//! best of a roster for 5 was found and proved in .2 s, where no cover was found in 20 s.)

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::problem::Use;
use crate::{ExactCover, ItemId, OptionId, Term};

/// The most terms that are added for each term of the problem.
const MOST_TERMS: usize = 2;
/// The groups of an item. (An item that stands for a change of shift or for a letter of a word has two.)
const MOST_GROUPS: usize = 8;

/// A copy without names, in which cliques of options that colours exclude are secondary items. Items and options keep
/// their numbers. If the cliques are too large, nothing is added.
pub(super) fn with_cliques(problem: &ExactCover) -> ExactCover {
    let copy = problem.without_names();
    let Some(cliques) = cliques(problem) else { return copy };
    let mut added = vec![Vec::new(); problem.option_count()];
    let items = problem.item_count();
    for (number, clique) in (items as u32..).zip(&cliques) {
        clique
            .iter()
            .for_each(|&option| added[option as usize].push(Term { item: ItemId(number), colour: 0 }));
    }
    let (mut terms, mut starts) = (Vec::new(), vec![0]);
    for (given, added) in problem.options().zip(added) {
        terms.extend(given.iter().copied().chain(added));
        starts.push(terms.len() as u32);
    }
    ExactCover { item_count: items + cliques.len(), terms, starts, ..copy }
}

/// The cliques, each ascending; `None` if they have too many options.
fn cliques(problem: &ExactCover) -> Option<BTreeSet<Vec<u32>>> {
    let (uses, starts) = problem.uses();
    // The number of all terms is a `u32`.
    let most = (MOST_TERMS * problem.term_count()).min(u32::MAX as usize - problem.term_count());
    let mut cliques = BTreeSet::new();
    let mut size = 0;
    for range in starts[problem.primary_count..].windows(2) {
        let uses = &uses[range[0] as usize..range[1] as usize];
        if uses.iter().all(|of| of.colour == 0) {
            continue;
        }
        let groups = groups(problem, uses);
        for (one, group) in groups.iter().enumerate() {
            let colours: BTreeSet<u32> = group.iter().map(|of| of.colour).collect();
            for colour in colours {
                for (_, other) in groups.iter().enumerate().filter(|&(other, _)| other != one) {
                    let differ = other.iter().filter(|of| of.colour != colour);
                    let agree = group.iter().filter(|of| of.colour == colour);
                    let mut clique: Vec<u32> = differ.chain(agree).map(|of| of.option).collect();
                    clique.sort_unstable();
                    size += clique.len();
                    if size > most {
                        return None;
                    }
                    cliques.insert(clique);
                }
            }
        }
    }
    Some(cliques)
}

/// The options of an item in groups: those that share a primary item which is covered at most once. A group within
/// another one is left out. An item with more than [`MOST_GROUPS`] has none.
fn groups(problem: &ExactCover, uses: &[Use]) -> Vec<Vec<Use>> {
    let mut groups: BTreeMap<u32, Vec<Use>> = BTreeMap::new();
    for &of in uses {
        for &Term { item, .. } in problem.option(OptionId(of.option)) {
            if item.index() < problem.primary_count && problem.bounds(item).high == 1 {
                groups.entry(item.0).or_default().push(of);
            }
        }
    }
    let mut groups: Vec<Vec<Use>> = groups.into_values().collect();
    groups.sort_by_key(|group| Reverse(group.len()));
    let mut widest: Vec<Vec<Use>> = Vec::new();
    for group in groups {
        let is_part = |wide: &Vec<Use>| group.iter().all(|of| wide.binary_search(of).is_ok());
        if !widest.iter().any(is_part) {
            widest.push(group);
        }
        if widest.len() > MOST_GROUPS {
            return Vec::new();
        }
    }
    widest
}
