//! Puzzles of every kind and size: `grid` against `dlx`, and small ones also against a published solver.

use galop_engines::Rules;
use galop_engines::grid::{KINDS, Regions, Verifier};
use galop_engines::puzzle::Limits;

use crate::Disagreement;
use crate::batch::{Case, Named};
use crate::engines::engine;
use crate::nine::change;
use galop_testing::available::isas;
use galop_testing::chance::Chance;
use galop_testing::rules::{full_grid, mixed_rows};

/// Guesses after which an engine gives a puzzle up, which is no disagreement.
const GUESSES: u64 = 20_000;

/// Solves some puzzles of random rules. Returns the number of solves.
pub(crate) fn round(chance: &mut Chance) -> Result<u64, Disagreement> {
    let rules = rules(chance);
    let cells = rules.grid().cells();
    let count = (16_384 / cells).clamp(8, 200);
    let limits = Limits::count([1, 2, 3, 100][chance.below(4)]).with_guesses(GUESSES);
    let isas = isas();
    let isa = isas[chance.below(isas.len())];
    let mut names = vec!["grid", "dlx"];
    if cells <= 81 {
        names.extend(["norvig", "hybrid"]);
    }
    let mut engines: Vec<Named> = names.iter().filter_map(|name| engine(name, &rules, isa)).collect();
    let full = full(&rules, chance);
    let mut puzzles = Vec::with_capacity(count * cells);
    for _ in 0..count {
        let mut puzzle = full.clone();
        let blanks = cells * (20 + chance.below(60)) / 100;
        (0..blanks).for_each(|_| puzzle[chance.below(cells)] = 0);
        change(&mut puzzle, chance);
        puzzles.extend_from_slice(&puzzle);
    }
    let case = Case { rules: &rules, verifier: &Verifier::new(&rules), limits };
    let (first, others) = engines.split_at_mut(1);
    let first = &mut first[0];
    let by_first = case.answer(first, &puzzles);
    for other in &mut *others {
        let by_other = case.answer(other, &puzzles);
        case.agree(&puzzles, (first, &by_first), (other, &by_other))?;
    }
    Ok((count * (1 + others.len())) as u64)
}

/// Random rules; a jigsaw gets a random map.
fn rules(chance: &mut Chance) -> Rules {
    loop {
        let kind = &KINDS[chance.below(KINDS.len())];
        let side = kind.sizes[chance.below(kind.sizes.len())].side;
        // Larger ones take most of the time and find little.
        if side > 16 && chance.below(16) > 0 {
            continue;
        }
        let regions = regions(side, chance);
        if let Ok(rules) = Rules::new(kind, side, Some(&regions)) {
            return rules;
        }
    }
}

/// A map of regions: the rows of a grid, with neighbours exchanged at random.
fn regions(side: usize, chance: &mut Chance) -> Regions {
    let exchanges = side * chance.below(4);
    mixed_rows(side, (0..exchanges).map(|_| chance.below(side * (side - 1))))
}

/// A full grid, or, if the first row has no completion, that row alone.
fn full(rules: &Rules, chance: &mut Chance) -> Vec<u8> {
    let mut row: Vec<u8> = (1..=rules.grid().symbols()).collect();
    chance.shuffle(&mut row);
    full_grid(rules, &row, GUESSES).unwrap_or_else(|| {
        row.resize(rules.grid().cells(), 0);
        row
    })
}

#[cfg(test)]
mod tests {
    use galop_engines::engine::Isa;

    use super::*;
    use crate::chance;

    #[test]
    fn rounds_agree_for_every_kind() {
        let mut names = std::collections::BTreeSet::new();
        for round in 0..25 {
            names.insert(rules(&mut chance(9, round)).name());
            assert!(super::round(&mut chance(9, round)).unwrap() > 0);
        }
        assert!(names.len() > 8, "{names:?}");
        assert!(engine("lanes", &Rules::default(), Isa::best()).is_some());
    }
}
