//! Canonical forms of galop and of crate `sudoku`, in one process and on one thread: are they equal, and how long do
//! they take?
//!
//! `symmetry FILE..` reads lines `puzzle,solution`. Grids are compared up to `--lines` (100,000), and so are the
//! puzzles on them; the times of `--sample` (20,000) grids are thread CPU time, interleaved, the median of `--reps` (9)
//! ratios. (With 2,000 grids, galop would spend a good part of its time on tables that the crate's turn has pushed out
//! of the cache.)
//!
//! Of puzzles on grids with automorphisms crate `sudoku` 0.8 takes the first way to the least grid, not the least
//! clues. So images of one puzzle may have two of its forms. These puzzles are counted apart, with the forms of 200
//! images each.
//!
//! Exit status 1 if a grid, or a puzzle on a grid without automorphisms, has another form.

use std::collections::HashSet;
use std::process::ExitCode;

use cpu_time::ThreadTime;
use galop_corpora::symmetry::{Canonizer, Forms, Symmetries};
use galop_engines::Rules;
use galop_engines::puzzle::Puzzles;
use galop_peers::median;

/// Images of each puzzle on an automorphic grid.
const IMAGES: u64 = 200;

fn main() -> ExitCode {
    let (mut files, mut lines, mut sample, mut reps) = (Vec::new(), 100_000, 20_000, 9);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value =
            || words.next().and_then(|word| word.parse().ok()).expect("the option takes a number");
        match word.as_str() {
            "--lines" => lines = value(),
            "--sample" => sample = value(),
            "--reps" => reps = value(),
            _ => files.push(word),
        }
    }
    let is_equal = files.iter().fold(true, |is_equal, file| {
        let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let pairs = text.lines().filter_map(|line| line.split_once(',')).take(lines);
        let (puzzles, grids): (Vec<_>, Vec<_>) =
            pairs.map(|(puzzle, grid)| (cells(puzzle), cells(grid))).unzip();
        println!("{file}: {} lines", grids.len());
        time(&grids[..sample.min(grids.len())], reps);
        compare(&puzzles, &grids) && is_equal
    });
    if is_equal { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn cells(text: &str) -> [u8; 81] {
    let digit = |byte: &u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
    text.as_bytes().first_chunk().expect("81 characters").each_ref().map(digit)
}

/// The crate's form.
fn theirs(cells: &[u8; 81]) -> Option<[u8; 81]> {
    let (form, _) = sudoku::Sudoku::from_bytes(*cells).ok()?.canonicalized()?;
    Some(form.to_bytes())
}

fn time(grids: &[[u8; 81]], reps: usize) {
    let (mut canonizer, mut forms) = (Canonizer::new(&Rules::default()).expect("9x9"), Forms::default());
    let flat = grids.concat();
    let (mut own, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..reps.max(1) {
        let start = ThreadTime::now();
        canonizer.grids(Puzzles::new(&flat, 81).expect("whole puzzles"), &mut forms).expect("81 cells");
        own.push(start.elapsed().as_secs_f64() / grids.len() as f64);
        let start = ThreadTime::now();
        grids.iter().for_each(|grid| _ = std::hint::black_box(theirs(grid)));
        ratios.push(start.elapsed().as_secs_f64() / grids.len() as f64 / own[own.len() - 1]);
    }
    println!("  grids: {:.3} us each, {:.0} x crate sudoku", median(own) * 1e6, median(ratios));
}

/// Whether all forms that should be equal are.
fn compare(puzzles: &[[u8; 81]], grids: &[[u8; 81]]) -> bool {
    let mut canonizer = Canonizer::new(&Rules::default()).expect("9x9");
    let (flat_puzzles, flat_grids) = (puzzles.concat(), grids.concat());
    let (flat_puzzles, flat_grids) = (
        Puzzles::new(&flat_puzzles, 81).expect("whole puzzles"),
        Puzzles::new(&flat_grids, 81).expect("whole puzzles"),
    );
    let mut forms = Forms::default();
    canonizer.puzzles(flat_puzzles, flat_grids, &|_| true, &mut forms).expect("81 cells");
    let (mut other_grids, mut other_puzzles, mut automorphic) = (0, 0, Vec::new());
    for (place, form) in forms.iter().enumerate() {
        let form = form.expect("a puzzle and its solution");
        other_grids += usize::from(theirs(&grids[place]).as_ref().map(|grid| &grid[..]) != form.solution);
        if form.solution_automorphisms == Some(1) {
            other_puzzles += usize::from(theirs(&puzzles[place]).is_none_or(|puzzle| puzzle != form.cells));
        } else {
            automorphic.push(place);
        }
    }
    println!(
        "  grids with another form: {other_grids}; puzzles, on grids without automorphisms: {other_puzzles}"
    );
    for &place in &automorphic {
        let (own, other) = forms_of_images(&puzzles[place], &grids[place]);
        println!("  line {}: forms of {IMAGES} images: {own}, of crate sudoku {other}", place + 1);
    }
    other_grids + other_puzzles == 0
}

/// The different forms of images of a puzzle: galop's, and the crate's.
fn forms_of_images(puzzle: &[u8; 81], grid: &[u8; 81]) -> (usize, usize) {
    let symmetries = Symmetries::new(&Rules::default(), 1).expect("9x9");
    let (mut canonizer, mut forms) = (Canonizer::new(&Rules::default()).expect("9x9"), Forms::default());
    let (mut own, mut other) = (HashSet::new(), HashSet::new());
    for image in 0..IMAGES {
        let (mut puzzle_image, mut grid_image) = ([0; 81], [0; 81]);
        let symmetry = symmetries.get(0, image);
        symmetry.apply(puzzle, &mut puzzle_image).expect("81 cells");
        symmetry.apply(grid, &mut grid_image).expect("81 cells");
        let (puzzles, grids) = (
            Puzzles::new(&puzzle_image, 81).expect("whole puzzles"),
            Puzzles::new(&grid_image, 81).expect("whole puzzles"),
        );
        canonizer.puzzles(puzzles, grids, &|_| true, &mut forms).expect("81 cells");
        own.extend(forms.iter().flatten().map(|form| form.key()));
        other.insert(theirs(&puzzle_image));
    }
    (own.len(), other.len())
}
