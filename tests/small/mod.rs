//! Small exact cover problems at random.

#![allow(clippy::unwrap_used)]

use galop_cover::ExactCover;
use proptest::collection::vec;
use proptest::prelude::*;

/// Problems of up to six primary items with `bounds`, low and high, so many secondary ones in three colours, and up to
/// so many options.
pub(crate) fn problems(
    bounds: impl Strategy<Value = (u32, u32)>,
    secondary: usize,
    options: usize,
) -> impl Strategy<Value = ExactCover> {
    let option = (0_usize..6, vec(0_u32..=3, 6), vec(0_u32..=6, secondary));
    (vec(bounds, 1..=6), vec(option, 0..=options)).prop_map(move |(bounds, options)| {
        let mut builder = ExactCover::builder();
        for (item, &(low, high)) in bounds.iter().enumerate() {
            builder.primary_with_bounds(&format!("p{item}"), low.min(high), high);
        }
        for item in 0..secondary {
            builder.secondary(&format!("s{item}"));
        }
        for (sure, first, second) in options {
            let is_in = |item: &usize| *item == sure % bounds.len() || first[*item] == 0;
            let mut places: Vec<String> =
                (0..bounds.len()).filter(is_in).map(|item| format!("p{item}")).collect();
            for (item, does) in second.into_iter().enumerate() {
                match does {
                    0 => places.push(format!("s{item}")),
                    1..=3 => places.push(format!("s{item}:c{does}")),
                    _ => {}
                }
            }
            builder.option(&places);
        }
        builder.finish().unwrap()
    })
}
