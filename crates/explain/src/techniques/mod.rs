//! The techniques, a file for each, and their table.

mod aic;
mod als_aic;
mod als_xy_wing;
mod als_xz;
mod bifurcation;
mod claiming;
mod common_peers;
mod finned_fish;
mod fish;
mod forcing_chains;
mod full_house;
mod grouped_aic;
mod grouped_chain;
mod grouped_x_chain;
mod hidden_rectangle;
mod hidden_single;
mod hidden_subset;
mod known;
mod links;
mod naked_single;
mod naked_subset;
mod nodes;
mod pointing;
mod rectangles;
mod simple_colouring;
mod trial;
mod unique_rectangle;
mod unique_rectangle_extra;
mod unique_rectangle_subset;
mod unique_rectangle_x_wing;
mod w_wing;
mod x_chain;
mod xy_chain;
mod xy_wing;
mod xyz_wing;

use crate::technique::Technique;

/// Every technique, the easiest first. An explanation takes the first one that finds something.
pub static TECHNIQUES: [Technique; 35] = [
    full_house::TECHNIQUE,
    hidden_single::TECHNIQUE,
    naked_single::TECHNIQUE,
    pointing::TECHNIQUE,
    claiming::TECHNIQUE,
    common_peers::TECHNIQUE,
    naked_subset::PAIR,
    hidden_subset::PAIR,
    naked_subset::TRIPLE,
    hidden_subset::TRIPLE,
    naked_subset::QUAD,
    hidden_subset::QUAD,
    fish::X_WING,
    fish::SWORDFISH,
    fish::JELLYFISH,
    finned_fish::TECHNIQUE,
    xy_wing::TECHNIQUE,
    xyz_wing::TECHNIQUE,
    w_wing::TECHNIQUE,
    simple_colouring::TECHNIQUE,
    unique_rectangle::TECHNIQUE,
    unique_rectangle_subset::TECHNIQUE,
    unique_rectangle_extra::TECHNIQUE,
    unique_rectangle_x_wing::TECHNIQUE,
    hidden_rectangle::TECHNIQUE,
    x_chain::TECHNIQUE,
    xy_chain::TECHNIQUE,
    aic::TECHNIQUE,
    grouped_x_chain::TECHNIQUE,
    als_xz::TECHNIQUE,
    grouped_aic::TECHNIQUE,
    als_xy_wing::TECHNIQUE,
    als_aic::TECHNIQUE,
    forcing_chains::TECHNIQUE,
    bifurcation::TECHNIQUE,
];

/// The last technique, which finds something unless the puzzle has several solutions or none.
pub(crate) fn last() -> &'static Technique {
    &TECHNIQUES[TECHNIQUES.len() - 1]
}

/// The place of a technique in the table.
pub(crate) fn rank(technique: &Technique) -> usize {
    TECHNIQUES.iter().position(|other| other == technique).unwrap_or(0)
}

/// The technique of that name, in any case and with spaces or hyphens: `naked pair` and `Naked-Pair` are the same.
pub fn named(name: &str) -> Option<&'static Technique> {
    let normal = |name: &str| name.to_ascii_lowercase().replace('-', " ");
    TECHNIQUES.iter().find(|technique| normal(technique.name) == normal(name))
}

/// The groups of techniques and the last technique of each, the easiest group first. Groups that rely on uniqueness are
/// left out.
pub fn groups() -> impl Iterator<Item = (&'static str, &'static Technique)> {
    let is_last = |at: &usize| TECHNIQUES.get(at + 1).is_none_or(|next| next.group != TECHNIQUES[*at].group);
    let last = (0..TECHNIQUES.len()).filter(is_last).map(|at| &TECHNIQUES[at]);
    last.filter(|technique| !technique.needs_uniqueness).map(|technique| (technique.group, technique))
}
