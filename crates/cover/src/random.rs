//! Small random problems, and the plainest way to solve them: test every set of options.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{ExactCover, OptionId};

/// Problems of up to five primary items with bounds, three secondary ones in three colours, and eleven options.
pub(crate) fn problems() -> impl Strategy<Value = ExactCover> {
    let bounds = prop_oneof![3 => Just((1, 1)), 1 => (0_u32..=3, 1_u32..=3)];
    // What an option does with an item: 0 and 1 nothing, 2 names it, 3 and more give a secondary item that colour.
    let option =
        (vec(0_u32..=3, 5), vec(0_u32..=5, 3), 0_usize..5, prop_oneof![4 => Just(0_u64), 1 => 1_u64..9]);
    (vec(bounds, 1..=5), 0_usize..=3, vec(option, 0..=11)).prop_map(|(bounds, secondary, options)| {
        let mut builder = ExactCover::builder();
        for (item, (low, high)) in bounds.iter().enumerate() {
            builder.primary_with_bounds(&format!("p{item}"), (*low).min(*high), *high);
        }
        for item in 0..secondary {
            builder.secondary(&format!("s{item}"));
        }
        for (first, second, sure, cost) in options {
            let sure = sure % bounds.len();
            let mut places = Vec::new();
            for (item, does) in first.iter().enumerate().take(bounds.len()) {
                if item == sure || *does == 3 {
                    places.push(format!("p{item}"));
                }
            }
            for (item, does) in second.iter().enumerate().take(secondary) {
                match does {
                    0 | 1 => {}
                    2 => places.push(format!("s{item}")),
                    colour => places.push(format!("s{item}:c{colour}")),
                }
            }
            builder.option_with_cost(places.iter(), cost);
        }
        builder.finish().unwrap()
    })
}

/// All solutions, each ascending, in ascending order: the sets of options that cover every item as it must be.
///
/// It shares no code with the engines or with the independent check.
pub(crate) fn brute_force(problem: &ExactCover) -> Vec<Vec<OptionId>> {
    let options = problem.option_count();
    assert!(options < 20, "brute force is for small problems");
    let mut found: Vec<Vec<OptionId>> = (0_u32..1 << options)
        .map(|set| (0..options as OptionId).filter(|option| set >> option & 1 == 1).collect())
        .filter(|chosen: &Vec<OptionId>| covers(problem, chosen))
        .collect();
    found.sort();
    found
}

/// The solutions that contain all options of `chosen` and none of `forbidden`.
pub(crate) fn brute_force_with(
    problem: &ExactCover,
    chosen: &[OptionId],
    forbidden: &[OptionId],
) -> Vec<Vec<OptionId>> {
    let mut found = brute_force(problem);
    found.retain(|solution| {
        chosen.iter().all(|option| solution.contains(option))
            && !forbidden.iter().any(|option| solution.contains(option))
    });
    found
}

fn covers(problem: &ExactCover, chosen: &[OptionId]) -> bool {
    (0..problem.item_count() as u32).all(|item| {
        let terms = chosen.iter().flat_map(|&option| problem.option(option));
        let colours: Vec<Option<u32>> =
            terms.filter(|term| term.item == item).map(|term| term.colour()).collect();
        if (item as usize) < problem.primary_count() {
            let bounds = problem.bounds(item);
            (bounds.low as usize..=bounds.high as usize).contains(&colours.len())
        } else {
            colours.len() <= 1 || colours[0].is_some() && colours.iter().all(|&colour| colour == colours[0])
        }
    })
}
