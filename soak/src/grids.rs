//! Puzzles of every kind and size: every engine that accepts the rules against `grid`.

use std::collections::BTreeSet;

use galop_engines::Rules;
use galop_engines::engine::Isa;
use galop_engines::grid::{ExtraRegions, KINDS, Regions, Variant, Verifier};
use galop_engines::puzzle::Limits;

use crate::batch::{Case, Named, answer};
use crate::engines::limited;
use crate::nine::change;
use crate::panel::{Compared, Panel};
use crate::state::Solves;
use crate::{Disagreement, calls};
use galop_testing::available::isas;
use galop_testing::chance::Chance;
use galop_testing::rules::{full_grid, mixed_rows};

/// Guesses after which an engine gives a puzzle up, which is no disagreement: up to 9x9, and above.
const GUESSES: [u64; 2] = [20_000, 500];

/// The same for the engines that get a share of the puzzles. Each of their guesses takes longer.
const SLOW_GUESSES: [u64; 2] = [2_000, 200];

/// Guesses after which a clue stays in a puzzle that is to become minimal.
const PROOF_GUESSES: u64 = 200;

/// Puzzles of a batch from which one is also given to the slower engines.
const SHARE: usize = 4;

/// Full grids of a round, and minimal puzzles made of them.
const BASES: usize = 6;

/// Cells of a batch, about. (A 9x9 grid has 81.)
const BATCH_CELLS: usize = 200_000;

/// Solves some puzzles of random rules.
pub(crate) fn round(chance: &mut Chance) -> Result<Solves, Disagreement> {
    let isas = isas();
    let isa = isas[chance.below(isas.len())];
    // Some maps of regions have no full grid.
    let (rules, mut panel, bases) = loop {
        let rules = rules(chance);
        let mut panel = panel(&rules, isa);
        let bases = bases(&rules, &mut panel.first, chance);
        if !bases.is_empty() {
            break (rules, panel, bases);
        }
    };
    let cells = rules.grid().cells();
    let count = match chance.below(4) {
        0 => 1 + chance.below(60),
        _ => (BATCH_CELLS / cells).min(4_000),
    };
    // Larger grids have the hardest puzzles.
    let count = if rules.grid().side() > 16 { count.min(20) } else { count };
    let limits = Limits::count([1, 2, 2, 2, 3, 100][chance.below(6)]);
    let puzzles: Vec<u8> =
        (0..count).flat_map(|_| puzzle(&rules, &bases[chance.below(bases.len())], chance)).collect();
    let case = Case { rules: &rules, verifier: &Verifier::new(&rules), limits };
    let Compared { mut solves, few, by_first } = panel.agree(&case, &puzzles, chance)?;
    solves += calls::agree(&case, &few, &by_first, isa)?;
    let kind = rules.name().split(' ').next().unwrap_or_default();
    let mut all = Solves::of(kind, solves);
    all += Solves::of(&format!("{kind} by dlx"), by_first.answers.len() as u64);
    Ok(all)
}

/// The engines for these rules: `grid`, `lanes` with every instruction set, and slower ones.
fn panel(rules: &Rules, isa: Isa) -> Panel {
    let make = |name, isa, guesses: [u64; 2]| limited(name, rules, isa, guesses[size(rules)]);
    let mut slow: Vec<Named> = make("dlx", isa, SLOW_GUESSES).into_iter().collect();
    slow.extend(make("grid", Isa::best(), SLOW_GUESSES));
    if rules.grid().cells() <= 36 {
        slow.extend(["norvig", "hybrid"].iter().filter_map(|name| make(name, isa, SLOW_GUESSES)));
    }
    Panel {
        first: make("grid", isa, GUESSES).expect("an engine for all rules"),
        twice: isas().into_iter().filter_map(|isa| make("lanes", isa, GUESSES)).collect(),
        slow,
        share: SHARE,
    }
}

/// Random rules, also of two kinds at once; a jigsaw gets a random map, and some rules get extra regions or other blocks.
fn rules(chance: &mut Chance) -> Rules {
    loop {
        let variant = variant(chance);
        let sides = variant.sides();
        let side = sides[chance.below(sides.len())];
        // Larger ones take most of the time and find little.
        let is_rare = match side {
            ..=9 => false,
            10..=16 => chance.below(4) > 0,
            _ => chance.below(64) > 0,
        };
        if is_rare {
            continue;
        }
        let regions = match chance.below(2) {
            0 => Ok(regions(side, chance)),
            _ => Regions::read(&connected(side, chance)),
        };
        let regions = regions.expect("as many cells in each region");
        let variant = if variant.needs_regions() { variant.with_regions(regions) } else { Ok(variant) };
        let variant = variant.map(|variant| with_more(variant, side, chance));
        if let Ok(rules) = variant.and_then(|variant| variant.rules(side)) {
            return rules;
        }
    }
}

/// A kind, or in a quarter of all cases two that fit together.
fn variant(chance: &mut Chance) -> Variant {
    let mut kind = || &KINDS[chance.below(KINDS.len())];
    let (one, other) = (Variant::from(kind()), kind());
    if chance.below(4) > 0 { one } else { one.clone().and(other).unwrap_or(one) }
}

/// The same with extra regions in one of eight cases, or with blocks of another shape in one of eight.
fn with_more(variant: Variant, side: usize, chance: &mut Chance) -> Variant {
    match chance.below(8) {
        0 => variant.with_extra(extra(side, chance)),
        1 => {
            let rows = 2 + chance.below(side / 2);
            variant.clone().with_blocks(rows, side / rows).unwrap_or(variant)
        }
        _ => variant,
    }
}

/// One or two extra regions of any cells.
fn extra(side: usize, chance: &mut Chance) -> ExtraRegions {
    let mut map = vec![b'.'; side * side];
    for region in 0..1 + chance.below(2) {
        let mut free: Vec<usize> = (0..map.len()).filter(|&cell| map[cell] == b'.').collect();
        chance.shuffle(&mut free);
        free[..side].iter().for_each(|&cell| map[cell] = b'A' + region as u8);
    }
    ExtraRegions::read(&map).expect("as many cells in each region")
}

/// A map of regions: the rows of a grid, with neighbours exchanged at random.
fn regions(side: usize, chance: &mut Chance) -> Regions {
    let exchanges = side * chance.below(4);
    mixed_rows(side, (0..exchanges).map(|_| chance.below(side * (side - 1))))
}

/// A map of regions whose cells hang together, as in jigsaws that are printed: two cells at a time are exchanged where
/// that leaves no region in pieces.
fn connected(side: usize, chance: &mut Chance) -> Vec<u8> {
    let cells = side * side;
    let mut map: Vec<u8> = (0..cells).map(|cell| b'A' + (cell / side) as u8).collect();
    for _ in 0..cells * (2 + chance.below(20)) {
        let (one, other) = (chance.below(cells), chance.below(cells));
        map.swap(one, other);
        if !is_connected(&map, side, map[one]) || !is_connected(&map, side, map[other]) {
            map.swap(one, other);
        }
    }
    map
}

/// Whether the cells of a region hang together.
fn is_connected(map: &[u8], side: usize, region: u8) -> bool {
    let all: BTreeSet<usize> = (0..map.len()).filter(|&cell| map[cell] == region).collect();
    let mut open: Vec<usize> = all.first().copied().into_iter().collect();
    let mut reached: BTreeSet<usize> = open.iter().copied().collect();
    while let Some(cell) = open.pop() {
        let left = (cell % side > 0).then(|| cell - 1);
        let right = (cell % side + 1 < side).then(|| cell + 1);
        for next in [left, right, cell.checked_sub(side), Some(cell + side)].into_iter().flatten() {
            if all.contains(&next) && reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached.len() == all.len()
}

/// A full grid, and a puzzle of it from which no clue can be left out.
struct Base {
    full: Vec<u8>,
    minimal: Vec<u8>,
}

fn bases(rules: &Rules, grid: &mut Named, chance: &mut Chance) -> Vec<Base> {
    let mut one = |_| {
        let full = full(rules, chance)?;
        let minimal = minimal(rules, &full, grid, chance);
        Some(Base { full, minimal })
    };
    // Minimal puzzles of large grids take long.
    (0..[BASES, 1][size(rules)]).filter_map(&mut one).collect()
}

/// Whether the grid is larger than 9x9, as a number.
fn size(rules: &Rules) -> usize {
    usize::from(rules.grid().side() > 9)
}

/// A full grid, unless the search for one takes too long.
fn full(rules: &Rules, chance: &mut Chance) -> Option<Vec<u8>> {
    let mut row: Vec<u8> = (1..=rules.grid().symbols()).collect();
    // Where symbols exclude each other, hardly any row that begins a grid is found by chance.
    let (known, tries) = if rules.grid().exclusive().is_empty() { (row.len(), 1) } else { (2, 8) };
    (0..tries).find_map(|_| {
        chance.shuffle(&mut row);
        full_grid(rules, &row[..known], GUESSES[size(rules)] / tries)
    })
}

/// The grid without the clues that its solution does not need, looked at in a random order.
fn minimal(rules: &Rules, full: &[u8], grid: &mut Named, chance: &mut Chance) -> Vec<u8> {
    let mut puzzle = full.to_vec();
    let mut cells: Vec<usize> = (0..full.len()).collect();
    chance.shuffle(&mut cells);
    // The first clues are hardly ever needed. Above 16x16 a proof for each clue would take too long.
    let is_large = rules.grid().side() > 16;
    let (first, later) = cells.split_at(if is_large { 2 * full.len() / 5 } else { full.len() / 3 });
    first.iter().for_each(|&cell| puzzle[cell] = 0);
    if is_large {
        return puzzle;
    }
    let limits = Limits::UNIQUE.with_guesses(PROOF_GUESSES);
    let guesses = grid.guesses.replace(PROOF_GUESSES);
    for &cell in later {
        let clue = std::mem::take(&mut puzzle[cell]);
        let found = &answer(grid, &puzzle, full.len(), limits).answers[0];
        if found.solutions != 1 || found.gave_up() {
            puzzle[cell] = clue;
        }
    }
    grid.guesses = guesses;
    puzzle
}

/// A puzzle with none, one or many solutions: a minimal one with more clues, or a full grid with fewer; its symbols
/// exchanged unless symbols exclude each other, and perhaps some clues changed.
fn puzzle(rules: &Rules, base: &Base, chance: &mut Chance) -> Vec<u8> {
    let Base { full, minimal } = base;
    let cells = full.len();
    let mut puzzle = minimal.clone();
    if chance.below(3) > 0 {
        for _ in 0..[0, 0, 1, 2, 4, cells / 8][chance.below(6)] {
            let cell = chance.below(cells);
            puzzle[cell] = full[cell];
        }
    } else {
        let of_ten = 3 + chance.below(6);
        puzzle = full.iter().map(|&symbol| if chance.below(10) < of_ten { symbol } else { 0 }).collect();
    }
    change(&mut puzzle, chance);
    let mut symbols: Vec<u8> = (1..=cells.isqrt() as u8).collect();
    if rules.grid().exclusive().is_empty() {
        chance.shuffle(&mut symbols);
    }
    puzzle
        .iter_mut()
        .filter(|symbol| **symbol != 0)
        .for_each(|symbol| *symbol = symbols[usize::from(*symbol) - 1]);
    puzzle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance;

    #[test]
    fn rounds_agree_for_every_kind() {
        let (mut names, mut solves) = (BTreeSet::new(), Solves::default());
        for round in 0..40 {
            names.insert(rules(&mut chance(9, round)).name().to_owned());
            solves += super::round(&mut chance(9, round)).unwrap();
        }
        assert!(names.len() > 8, "{names:?}");
        for kind in KINDS {
            assert!(solves.get(&format!("{} by dlx", kind.name)) > 0, "{} {solves:?}", kind.name);
        }
    }

    #[test]
    fn rules_have_extra_regions_and_other_blocks() {
        let names: Vec<String> =
            (0..400).map(|round| rules(&mut chance(9, round)).name().to_owned()).collect();
        for part in ["extra", "blocks", "+anti-"] {
            assert!(names.iter().any(|name| name.contains(part)), "{part}: {names:?}");
        }
    }

    #[test]
    fn puzzles_keep_their_symbols_where_symbols_exclude_each_other() {
        let rules = "non-consecutive".parse::<Variant>().unwrap().rules(6).unwrap();
        let full = full(&rules, &mut chance(5, 5)).unwrap();
        let base = Base { minimal: full.clone(), full };
        let is_kept = |round| {
            let cells = puzzle(&rules, &base, &mut chance(5, round));
            cells.iter().zip(&base.full).filter(|(cell, full)| cell == full).count() > 12
        };
        assert!((0..20).filter(|&round| is_kept(round)).count() > 10);
    }

    #[test]
    fn lanes_are_compared_where_they_accept_the_rules() {
        let lanes = |side| panel(&Rules::sudoku(side).unwrap(), Isa::best()).twice.len();
        assert_eq!((lanes(6), lanes(25)), (isas().len(), 0));
    }

    #[test]
    fn regions_of_a_map_hang_together() {
        for side in [4, 9] {
            let map = connected(side, &mut chance(3, 1));
            assert_ne!(map, connected(side, &mut chance(3, 2)));
            (0..side as u8).for_each(|region| assert!(is_connected(&map, side, b'A' + region), "{map:?}"));
        }
        assert!(!is_connected(b"AABBCCAA", 4, b'A'));
    }

    #[test]
    fn minimal_puzzles_have_one_solution() {
        let rules = Rules::default();
        let mut grid = panel(&rules, Isa::best()).first;
        for Base { minimal, .. } in bases(&rules, &mut grid, &mut chance(4, 4)) {
            let mut count =
                |puzzle: &[u8]| answer(&mut grid, puzzle, 81, Limits::UNIQUE).answers[0].solutions;
            assert_eq!(count(&minimal), 1);
            for cell in (0..81).filter(|&cell| minimal[cell] != 0) {
                let mut fewer = minimal.clone();
                fewer[cell] = 0;
                assert_eq!(count(&fewer), 2);
            }
        }
    }
}
