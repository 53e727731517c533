//! The fast versions against every symmetry tried, and against what is known of all grids.

use std::collections::{HashMap, HashSet};

use galop_simd::Isa;

use super::brute::Brute;
use super::shape::Shape;
use super::*;
use crate::puzzle::Puzzles;
use galop_testing::available::isas;

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

/// The least and the greatest canonical grid, and the one with the most automorphisms (Russell and Jarvis; Fowler's
/// catalogue of all classes, `sudz`), with their automorphisms.
const EXTREMES: [(&str, u32); 3] = [
    ("123456789456789123789123456214365897365897214897214365531642978642978531978531642", 3),
    ("123456789457893612986217354274538196531964827698721435342685971715349268869172543", 72),
    ("123456789456789123789123456231564897564897231897231564312645978645978312978312645", 648),
];

fn cells(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte.saturating_sub(b'0')).collect()
}

fn image(symmetry: &Symmetry, cells: &[u8]) -> Vec<u8> {
    let mut image = vec![0; cells.len()];
    symmetry.apply(cells, &mut image).unwrap();
    image
}

/// The form of one record, its symmetry, and its automorphisms; checks that the symmetry leads there.
fn form(canonizer: &mut Canonizer, puzzle: Option<&[u8]>, grid: Option<&[u8]>) -> (Vec<u8>, u32) {
    let mut forms = Forms::default();
    match (puzzle, grid) {
        (Some(puzzle), Some(grid)) => {
            let (puzzle, grid) =
                (Puzzles::new(puzzle, puzzle.len()).unwrap(), Puzzles::new(grid, grid.len()).unwrap());
            canonizer.puzzles(puzzle, grid, &|_| true, &mut forms).unwrap();
        }
        (Some(puzzle), None) => {
            canonizer.direct(Puzzles::new(puzzle, puzzle.len()).unwrap(), &mut forms).unwrap();
        }
        (None, grid) => {
            let grid = grid.unwrap();
            canonizer.grids(Puzzles::new(grid, grid.len()).unwrap(), &mut forms).unwrap();
        }
    }
    let form = forms.get(0).unwrap().unwrap();
    assert_eq!(image(&form.symmetry, puzzle.or(grid).unwrap()), form.cells);
    if let (Some(solution), Some(grid)) = (form.solution, grid) {
        assert_eq!(image(&form.symmetry, grid), solution);
    }
    assert_eq!(form.kind, if grid.is_some() { FormKind::Solution } else { FormKind::Direct });
    (form.cells.to_vec(), form.automorphisms)
}

/// A puzzle of the clues of a grid that a fixed pattern keeps.
fn thinned(grid: &[u8], pattern: usize) -> Vec<u8> {
    let is_kept = |cell: usize| (cell * cell + 3 * cell + 7 * pattern) % 11 < 5;
    grid.iter().enumerate().map(|(cell, &symbol)| symbol * u8::from(is_kept(cell))).collect()
}

/// All 3,359,232 symmetries that move cells, with grids of many automorphisms and of none.
#[test]
fn forms_of_nine_are_the_least_of_all_images() {
    let brute = Brute::new(Shape::NINE);
    let symmetries = Symmetries::of(Shape::NINE, 3);
    let texts = EXTREMES.iter().map(|(text, _)| *text).chain([SOLUTION]);
    for (number, text) in texts.enumerate() {
        let symmetry = symmetries.get(number as u64, 0);
        let grid = image(&symmetry, &cells(text));
        let puzzle = if number == 3 { image(&symmetry, &cells(PUZZLE)) } else { thinned(&grid, number) };
        let (mut least, mut clues, mut direct) = ([0; 81], [0; 81], [0; 81]);
        let of_grid = brute.least(&grid, &mut least).1;
        let of_puzzle = brute.least_clues(&grid, &least, &puzzle, &mut clues).1;
        let of_direct = brute.least(&puzzle, &mut direct).1;
        for isa in isas() {
            let mut canonizer = Canonizer::of_nine(isa).unwrap();
            assert_eq!(form(&mut canonizer, None, Some(&grid)), (least.to_vec(), of_grid), "{isa:?}");
            assert_eq!(form(&mut canonizer, Some(&puzzle), Some(&grid)), (clues.to_vec(), of_puzzle));
            assert_eq!(form(&mut canonizer, Some(&puzzle), None), (direct.to_vec(), of_direct));
        }
    }
}

#[test]
fn extreme_grids_have_their_automorphisms() {
    for isa in isas() {
        let mut canonizer = Canonizer::of_nine(isa).unwrap();
        for (text, automorphisms) in EXTREMES {
            let grid = cells(text);
            for record in 0..50 {
                let image = image(&Symmetries::of(Shape::NINE, 4).get(record, 0), &grid);
                assert_eq!(form(&mut canonizer, None, Some(&image)), (grid.clone(), automorphisms));
                assert_eq!(form(&mut canonizer, Some(&image), None), (grid.clone(), automorphisms));
            }
        }
    }
}

/// Puzzles on automorphic grids have one form, not one for each way to the least grid.
#[test]
fn forms_do_not_change_under_symmetries() {
    let mut forms = HashSet::new();
    for isa in isas() {
        let mut canonizer = Canonizer::of_nine(isa).unwrap();
        for (number, text) in EXTREMES.iter().map(|(text, _)| *text).chain([SOLUTION]).enumerate() {
            let grid = cells(text);
            let puzzle = thinned(&grid, 5);
            for record in 0..200 {
                let symmetry = Symmetries::of(Shape::NINE, 6).get(record, number as u64);
                let (puzzle, grid) = (image(&symmetry, &puzzle), image(&symmetry, &grid));
                forms.insert((number, 0, form(&mut canonizer, Some(&puzzle), Some(&grid))));
                forms.insert((number, 1, form(&mut canonizer, Some(&puzzle), None)));
            }
        }
    }
    assert_eq!(forms.len(), 8);
}

/// Puzzles with few clues, which many symmetries leave as they are.
#[test]
fn puzzles_of_few_clues_have_direct_forms() {
    let row = |numbers: [u8; 9]| [&[0; 36][..], &numbers, &[0; 36]].concat();
    let (mut one, mut full_row) = (vec![0; 81], vec![0; 81]);
    one[80] = 7;
    full_row[72..].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let mut last = vec![0; 81];
    last[80] = 1;
    for isa in isas() {
        let mut canonizer = Canonizer::of_nine(isa).unwrap();
        assert_eq!(form(&mut canonizer, Some(&[0; 81]), None), (vec![0; 81], 3_359_232));
        assert_eq!(form(&mut canonizer, Some(&one), None), (last.clone(), 3_359_232 / 81));
        // All orders of columns, and of rows that leave the full one.
        let turned: Vec<u8> =
            (0..81).map(|cell| row([9, 8, 7, 6, 5, 4, 3, 2, 1])[cell % 9 * 9 + cell / 9]).collect();
        assert_eq!(form(&mut canonizer, Some(&turned), None), (full_row.clone(), 1296 * 1296 / 9));
    }
}

/// A digit twice in a row, in a column, and in a block only.
#[test]
fn contradictory_puzzles_have_direct_forms() {
    let mut canonizer = Canonizer::of_nine(Isa::best()).unwrap();
    for (first, second) in [(0, 1), (0, 9), (0, 10)] {
        let mut puzzle = cells(PUZZLE);
        (puzzle[first], puzzle[second]) = (5, 5);
        let symmetry = Symmetries::of(Shape::NINE, 8).get(1, 1);
        let least = form(&mut canonizer, Some(&puzzle), None);
        assert_eq!(form(&mut canonizer, Some(&image(&symmetry, &puzzle)), None), least);
    }
}

#[test]
fn records_without_a_form_say_why() {
    let (puzzle, grid) = (cells(PUZZLE), cells(SOLUTION));
    for shape in Shape::ALL {
        let mut canonizer = Canonizer::of(shape);
        let (mut forms, count) = (Forms::default(), shape.cells());
        let error = WrongSize { found: 25, expected: count };
        assert_eq!(canonizer.direct(Puzzles::new(&[0; 25], 25).unwrap(), &mut forms), Err(error));
        assert!(forms.get(0).is_none());
        let zeros = vec![0; count];
        let mut wrong = zeros.clone();
        wrong[1] = 200;
        canonizer.direct(Puzzles::new(&[zeros.clone(), wrong].concat(), count).unwrap(), &mut forms).unwrap();
        assert!(forms.get(0).unwrap().is_ok());
        let symbol = NoForm::Symbol { found: 200, largest: shape.side as u8 };
        assert_eq!(forms.get(1).unwrap().unwrap_err(), symbol);
        canonizer.grids(Puzzles::new(&zeros, count).unwrap(), &mut forms).unwrap();
        assert_eq!(forms.get(0).unwrap().unwrap_err(), NoForm::NotAGrid);
    }
    let mut canonizer = Canonizer::of_nine(Isa::best()).unwrap();
    let mut forms = Forms::default();
    let mut other = puzzle.clone();
    other[0] = 3;
    let puzzles = [puzzle.clone(), other, puzzle].concat();
    let solutions = [&grid[..], &grid, &grid].concat();
    let is_single = |place| place != 2;
    let solutions = Puzzles::new(&solutions, 81).unwrap();
    canonizer.puzzles(Puzzles::new(&puzzles, 81).unwrap(), solutions, &is_single, &mut forms).unwrap();
    let kinds: Vec<_> = forms.iter().map(|form| form.map(|form| form.kind)).collect();
    assert_eq!(kinds, [Ok(FormKind::Solution), Err(NoForm::Clue), Ok(FormKind::Direct)]);
    let [first, _, last] = &forms.iter().collect::<Vec<_>>()[..] else { panic!() };
    let (first, last) = (first.unwrap(), last.unwrap());
    assert_ne!(first.key(), last.key());
    assert_eq!((first.solution_automorphisms, last.solution_automorphisms), (Some(1), None));
    assert!(first.solution_key().is_some() && last.solution_key().is_none() && last.solution.is_none());
}

/// The solution grids of a size whose first block, and the order of the lines outside it, are fixed; every class has
/// one.
fn grids(shape: Shape) -> Vec<Vec<u8>> {
    let Shape { side, height, width } = shape;
    let mut grids = vec![vec![0_u8; side * side]];
    for cell in 0..side * side {
        let (row, column) = (cell / side, cell % side);
        let extend = |grid: &Vec<u8>| {
            let is_free = |symbol: &u8| {
                (0..cell).all(|other| {
                    let (r, c) = (other / side, other % side);
                    let sees =
                        r == row || c == column || (r / height, c / width) == (row / height, column / width);
                    !sees || grid[other] != *symbol
                })
            };
            let is_ordered = |symbol: &u8| match (row, column) {
                (0, column) => column % width == 0 || grid[cell - 1] < *symbol,
                (row, 0) => row % height == 0 && row > 0 || grid[cell - side] < *symbol,
                _ => true,
            };
            let is_fixed = |symbol: &u8| {
                row >= height || column >= width || *symbol as usize == row * width + column + 1
            };
            let all = (1..=side as u8).filter(is_free).filter(is_ordered).filter(is_fixed);
            all.map(|symbol| {
                let mut grid = grid.clone();
                grid[cell] = symbol;
                grid
            })
            .collect::<Vec<_>>()
        };
        grids = grids.iter().flat_map(extend).collect();
    }
    grids
}

/// The classes of 4x4 and 6x6, and the grids in all classes, are published: 2 and 288; 49 and 28,200,960 (Russell and
/// Jarvis, "Mathematics of Sudoku II"; Jarvis, "Sudoku enumeration problems").
#[test]
fn small_sizes_have_their_numbers_of_classes() {
    for (shape, count, all) in [(Shape::ALL[0], 2, 288), (Shape::ALL[1], 49, 28_200_960)] {
        let mut canonizer = Canonizer::of(shape);
        let mut classes = HashMap::new();
        for grid in grids(shape) {
            let (form, automorphisms) = form(&mut canonizer, None, Some(&grid));
            assert_eq!(*classes.entry(form).or_insert(automorphisms), automorphisms);
        }
        assert_eq!(classes.len(), count);
        let group = shape.places() * shape.names();
        assert_eq!(classes.values().map(|&automorphisms| group / u64::from(automorphisms)).sum::<u64>(), all);
    }
}

#[test]
fn forms_of_small_sizes_do_not_change_under_symmetries() {
    for (shape, text) in
        [(Shape::ALL[0], "1234341221434321"), (Shape::ALL[1], "123456456123214365365214531642642531")]
    {
        let mut canonizer = Canonizer::of(shape);
        let grid = cells(text);
        let puzzle = thinned(&grid, 1);
        let mut seen = HashSet::new();
        for record in 0..60 {
            let symmetry = Symmetries::of(shape, 1).get(record, 0);
            let (puzzle, grid) = (image(&symmetry, &puzzle), image(&symmetry, &grid));
            seen.insert((0, form(&mut canonizer, Some(&puzzle), Some(&grid))));
            seen.insert((1, form(&mut canonizer, Some(&puzzle), None)));
        }
        assert_eq!(seen.len(), 2, "{text}");
    }
}
