//! Every engine of the table against the data sets, the verifier, the other engines and itself.
//!
//! Data: the files of `data/`, and those of `../shared/data` where that folder is; a test passes over what is
//! not there, and everything below also runs on puzzles made here. Samples are taken evenly over a file.
//!
//! `backtrack` takes minutes for single puzzles whose first rows are empty, so it gets a budget of guesses and
//! is held to what it answers within it; a test below says how much that must be.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use galop::rules::Verifier;
use galop::{Answer, Answers, ENGINES, Engine, Entry, Isa, Limits, Puzzles, Rules, Status, engine};
use proptest::prelude::*;

type Cells = [u8; 81];

/// Guesses that `backtrack` may spend on one puzzle: about two milliseconds.
const BUDGET: u64 = 50_000;

const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
const IMPOSSIBLE: &str = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";
/// One solution each: Norvig's two examples, Inkala's of 2010, and two with 17 clues.
const UNIQUE: [&str; 5] = [
    "..3.2.6..9..3.5..1..18.64....81.29..7.......8..67.82....26.95..8..2.3..9..5.1.3..",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
    "......52..8.4......3...9...5.1...6..2..7........3.....6...1..........7.4.......3.",
];

fn cells(text: &str) -> Cells {
    let digits = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' });
    digits.collect::<Vec<_>>().try_into().unwrap()
}

/// Solves `puzzles` with a new engine, and checks every solution that it claims.
fn solve(entry: &Entry, puzzles: &[Cells], limits: Limits) -> Vec<(Answer, Cells)> {
    let rules = Rules::sudoku();
    let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
    let mut solutions = vec![0; 81 * puzzles.len()];
    let mut answers = vec![Answer::default(); puzzles.len()];
    let bytes = puzzles.as_flattened();
    engine.solve(Puzzles::new(bytes, 81), limits, &mut Answers::new(&mut solutions, &mut answers, 81));

    let verifier = Verifier::new(&rules);
    let found = answers.into_iter().zip(solutions.as_chunks::<81>().0.iter().copied());
    let found = found.collect::<Vec<_>>();
    for (puzzle, (answer, solution)) in puzzles.iter().zip(&found) {
        assert!(answer.solutions <= limits.solutions, "{} {answer:?}", entry.name);
        assert!(answer.effort.guesses <= limits.guesses, "{} {answer:?}", entry.name);
        assert_eq!(answer.effort.nanos, 0, "an engine holds no clock");
        if answer.solutions > 0 {
            assert_eq!(verifier.check(puzzle, solution), Ok(()), "{} {puzzle:?}", entry.name);
        }
        if answer.is_stuck {
            assert!(entry.may_be_stuck && answer.gave_up, "{} {answer:?}", entry.name);
            assert_eq!((answer.solutions, answer.effort.guesses), (0, 0), "{}", entry.name);
            assert!(solution.contains(&0) && is_within(puzzle, solution), "{} {puzzle:?}", entry.name);
        }
    }
    found
}

/// Whether every cell filled in `part` is the same in `whole`.
fn is_within(part: &Cells, whole: &Cells) -> bool {
    part.iter().zip(whole).all(|(part, whole)| *part == 0 || part == whole)
}

/// No limit but the budget of the slow engine.
fn limits(entry: &Entry, solutions: u64) -> Limits {
    Limits { solutions, guesses: if is_slow(entry) { BUDGET } else { u64::MAX } }
}

fn is_batched(entry: &Entry) -> bool {
    (entry.make)(&Rules::sudoku(), Isa::best()).unwrap().is_batched()
}

fn is_slow(entry: &Entry) -> bool {
    entry.name == "backtrack"
}

/// The engine whose answers the others are held to where a file does not tell.
fn reference() -> &'static Entry {
    engine("dlx").unwrap()
}

/// Puzzles made by blanking cells of a solved grid: `clues` are left. Few clues, many solutions.
fn thinned(seed: u64, clues: usize) -> Cells {
    let mut puzzle = cells(SOLVED);
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut left = 81;
    while left > clues {
        // Xorshift: Marsaglia, "Xorshift RNGs" (2003).
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let cell = (random % 81) as usize;
        left -= usize::from(puzzle[cell] != 0);
        puzzle[cell] = 0;
    }
    puzzle
}

/// Puzzles for every test: one solution, several, none.
fn made() -> Vec<Cells> {
    let mut puzzles = UNIQUE.map(cells).to_vec();
    puzzles.extend((0..60).map(|seed| thinned(seed, 22 + seed as usize % 12)));
    // Change a clue: mostly none, sometimes others.
    puzzles.extend((60..90).map(|seed| {
        let mut puzzle = thinned(seed, 30);
        let cell = (0..81).filter(|&cell| puzzle[cell] != 0).nth(seed as usize % 30).unwrap();
        puzzle[cell] = puzzle[cell] % 9 + 1;
        puzzle
    }));
    puzzles
}

/// A file of puzzles, and the status that all of them have under [`Limits::UNIQUE`].
struct DataSet {
    path: PathBuf,
    status: Status,
}

fn data_sets() -> Vec<DataSet> {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sets = Vec::new();
    for folder in [home.join("data"), home.join("../shared/data")] {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy();
            let is_sudoku =
                name.ends_with(".txt") && !name.contains("_solutions") && !name.starts_with("16x16");
            let status = match () {
                () if name.starts_with("multi") => Status::Multiple,
                () if name.starts_with("invalid") => Status::None,
                () => Status::Solved,
            };
            if is_sudoku {
                sets.push(DataSet { path, status });
            }
        }
    }
    sets.sort_by(|one, other| one.path.cmp(&other.path));
    sets
}

/// Lines of 81 cells: at most `count` of them, evenly over the file.
fn read(path: &Path, count: usize) -> Vec<Cells> {
    read_field(path, count, 0)
}

/// The same of one field of lines of fields between commas.
fn read_field(path: &Path, count: usize, field: usize) -> Vec<Cells> {
    let text = fs::read_to_string(path).unwrap();
    let fields = text.lines().filter_map(|line| line.split(',').nth(field));
    let lines = fields.filter(|field| field.len() == 81).collect::<Vec<_>>();
    let step = lines.len().div_ceil(count).max(1);
    lines.into_iter().step_by(step).map(cells).collect()
}

#[test]
fn data_sets_have_the_status_they_should() {
    for DataSet { path, status } in data_sets() {
        let puzzles = read(&path, 2_000);
        let expected = solve(reference(), &puzzles, Limits::UNIQUE);
        for entry in ENGINES.iter().filter(|entry| !is_slow(entry)) {
            let found = solve(entry, &puzzles, Limits::UNIQUE);
            for ((puzzle, found), expected) in puzzles.iter().zip(&found).zip(&expected) {
                if found.0.is_stuck {
                    // What it did fill belongs to the only solution.
                    assert!(status != Status::Solved || is_within(&found.1, &expected.1), "{}", entry.name);
                    continue;
                }
                assert_eq!(found.0.status(Limits::UNIQUE), status, "{} {puzzle:?}", entry.name);
                if status == Status::Solved {
                    assert_eq!(found.1, expected.1, "{} {puzzle:?}", entry.name);
                }
            }
        }
    }
}

/// Where a file of solutions stands beside the puzzles, they are the solutions.
#[test]
fn data_sets_have_the_solutions_written_beside_them() {
    for DataSet { path, .. } in data_sets() {
        let stem = path.file_stem().unwrap().to_string_lossy();
        let beside = path.with_file_name(format!("{stem}_solutions.txt"));
        if !beside.exists() {
            continue;
        }
        let (puzzles, solutions) = (read(&path, 5_000), read_field(&beside, 5_000, 1));
        assert_eq!(puzzles.len(), solutions.len(), "{}", beside.display());
        for entry in ENGINES.iter().filter(|entry| !is_slow(entry)) {
            for (found, solution) in solve(entry, &puzzles, Limits::ANY).iter().zip(&solutions) {
                let is_right =
                    if found.0.is_stuck { is_within(&found.1, solution) } else { found.1 == *solution };
                assert!(is_right, "{}", entry.name);
            }
        }
    }
}

/// A hundred puzzles of every file and those made here: what `backtrack` answers within its budget is right,
/// and that is at least a third of them.
#[test]
fn backtrack_agrees_within_its_budget() {
    let backtrack = engine("backtrack").unwrap();
    let sampled = data_sets().iter().flat_map(|set| read(&set.path, 100)).collect::<Vec<_>>();
    for puzzles in [made(), sampled] {
        let expected = solve(reference(), &puzzles, Limits::UNIQUE);
        let mut answered = 0;
        for (found, expected) in solve(backtrack, &puzzles, limits(backtrack, 2))
            .iter()
            .zip(&expected)
            .filter(|(found, _)| !found.0.gave_up)
        {
            answered += 1;
            assert_eq!(found.0.solutions, expected.0.solutions);
            assert!(found.0.solutions != 1 || found.1 == expected.1);
        }
        assert!(3 * answered >= puzzles.len(), "{answered} of {}", puzzles.len());
    }
}

#[test]
fn engines_agree_on_the_count() {
    let mut puzzles = made();
    puzzles.extend(data_sets().iter().flat_map(|set| read(&set.path, 50)));
    for solutions in [1, 2, 100] {
        let expected = solve(reference(), &puzzles, limits(reference(), solutions));
        for entry in ENGINES {
            let found = solve(entry, &puzzles, limits(entry, solutions));
            for ((puzzle, (found, _)), (expected, _)) in puzzles.iter().zip(&found).zip(&expected) {
                assert!(!found.gave_up || is_slow(entry) || found.is_stuck);
                let is_same = found.gave_up || found.solutions == expected.solutions;
                assert!(is_same, "{} {found:?} {expected:?} {puzzle:?}", entry.name);
            }
        }
    }
}

#[test]
fn guess_limits_are_kept_and_the_true_count_is_enough() {
    let mut puzzles = made();
    puzzles.extend(data_sets().iter().flat_map(|set| read(&set.path, 50)));
    for entry in ENGINES {
        for solutions in [1, 2, 100] {
            let unlimited = solve(entry, &puzzles, limits(entry, solutions));
            for guesses in [0, 1, 5] {
                let limited = solve(entry, &puzzles, Limits { solutions, guesses });
                for ((limited, _), (unlimited, _)) in limited.iter().zip(&unlimited) {
                    let is_enough = unlimited.effort.guesses <= guesses && !unlimited.gave_up;
                    let is_settled = limited.gave_up != is_enough || is_batched(entry);
                    assert!(is_settled, "{} {limited:?} {unlimited:?}", entry.name);
                    // An engine that solves many at once may take other guesses in other company.
                    assert!(limited.gave_up || limited.solutions == unlimited.solutions);
                    assert!(limited.gave_up || limited == unlimited || is_batched(entry));
                    assert!(!limited.gave_up || limited.is_stuck || limited.effort.guesses == guesses);
                }
            }
            let alone = puzzles.iter().zip(&unlimited).filter(|(_, found)| !found.0.gave_up);
            for (puzzle, unlimited) in alone.filter(|_| !is_batched(entry)) {
                let guesses = unlimited.0.effort.guesses;
                let limited = &solve(entry, &[*puzzle], Limits { solutions, guesses })[0];
                assert_eq!(limited.0, unlimited.0, "{}", entry.name);
                assert!(limited.0.solutions == 0 || limited.1 == unlimited.1, "{}", entry.name);
            }
        }
    }
}

#[test]
fn answers_do_not_depend_on_earlier_calls() {
    let rules = Rules::sudoku();
    let puzzles = made();
    for entry in ENGINES {
        let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
        let limits = limits(entry, 2);
        let mut run = |puzzles: &[Cells]| {
            let (mut solutions, mut answers) =
                (vec![0; 81 * puzzles.len()], vec![Answer::default(); puzzles.len()]);
            let mut places = Answers::new(&mut solutions, &mut answers, 81);
            engine.solve(Puzzles::new(puzzles.as_flattened(), 81), limits, &mut places);
            answers
        };
        let first = run(&puzzles);
        // One that stops in the middle of a search, and one that never begins.
        run(&[[0; 81], [9; 81]]);
        assert_eq!(run(&puzzles), first, "{}", entry.name);
    }
}

/// Norvig's program needed 1,439 seconds to find that it has no solution; here it takes some thousand guesses and
/// a few milliseconds, but for engines that infer singles only: those give up.
#[test]
fn norvigs_impossible_puzzle_has_none() {
    for entry in ENGINES.iter().filter(|entry| !is_slow(entry)) {
        let limits = Limits { solutions: 1, guesses: 100_000 };
        let (answer, _) = solve(entry, &[cells(IMPOSSIBLE)], limits)[0];
        assert_eq!(answer.solutions, 0, "{}", entry.name);
        let is_strong = ["lanes", "bitboard", "hybrid", "hybrid-links", "dlx"].contains(&entry.name);
        assert!(!answer.gave_up || !is_strong, "{} {answer:?}", entry.name);
        assert!(answer.effort.guesses < 5_000 || entry.name != "dlx", "{answer:?}");
    }
}

#[test]
fn the_empty_grid_stops_at_the_limits() {
    for entry in ENGINES {
        if entry.may_be_stuck {
            let (answer, solution) = solve(entry, &[[0; 81]], Limits::UNIQUE)[0];
            assert!(answer.is_stuck && solution == [0; 81], "{} {answer:?}", entry.name);
            continue;
        }
        for solutions in [1, 2, 100] {
            let (answer, _) = solve(entry, &[[0; 81]], Limits { solutions, guesses: u64::MAX })[0];
            assert_eq!((answer.solutions, answer.gave_up), (solutions, false), "{}", entry.name);
        }
        let (answer, _) = solve(entry, &[[0; 81]], Limits { solutions: u64::MAX, guesses: 1_000 })[0];
        assert!(answer.gave_up && answer.effort.guesses == 1_000, "{} {answer:?}", entry.name);
    }
}

#[test]
fn a_full_grid_is_its_own_solution_without_a_guess() {
    for entry in ENGINES {
        let (answer, solution) = solve(entry, &[cells(SOLVED)], Limits::UNIQUE)[0];
        assert_eq!((answer.solutions, answer.effort.guesses), (1, 0), "{}", entry.name);
        assert_eq!(solution, cells(SOLVED));
    }
}

#[test]
fn clashing_clues_have_no_solution() {
    // Two of a kind in a row, a column, a block; a full grid with one digit wrong.
    let clash = |one: usize, other: usize| {
        let mut puzzle = [0; 81];
        (puzzle[one], puzzle[other]) = (5, 5);
        puzzle
    };
    let mut wrong = cells(SOLVED);
    wrong[80] = wrong[80] % 9 + 1;
    let puzzles = [clash(0, 8), clash(3, 75), clash(60, 80), [9; 81], wrong];
    for entry in ENGINES {
        for (answer, _) in solve(entry, &puzzles, Limits::UNIQUE) {
            assert_eq!(answer.status(Limits::UNIQUE), Status::None, "{}", entry.name);
            assert_eq!(answer.effort.guesses, 0, "{}", entry.name);
        }
    }
}

#[test]
fn symbols_the_rules_do_not_have_are_no_puzzle() {
    for entry in ENGINES {
        for symbol in [10, 11, 16, 17, 32, 33, 64, 65, 128, 129, 255] {
            for cell in [0, 40, 80] {
                let mut puzzle = [0; 81];
                puzzle[cell] = symbol;
                let (answer, _) = solve(entry, &[puzzle], Limits::UNIQUE)[0];
                assert_eq!((answer.solutions, answer.gave_up), (0, false), "{} {symbol}", entry.name);
            }
        }
    }
}

#[test]
fn a_wrong_stride_is_no_puzzle_and_no_panic() {
    let rules = Rules::sudoku();
    for entry in ENGINES {
        let mut engine = (entry.make)(&rules, Isa::best()).unwrap();
        for (stride, place) in [(80, 80), (82, 82), (1, 1), (80, 81), (81, 80), (82, 81), (256, 256)] {
            let (mut solutions, mut answers) = (vec![0; 4 * place], [Answer::default(); 4]);
            let mut places = Answers::new(&mut solutions, &mut answers, place);
            engine.solve(Puzzles::new(&vec![0; 4 * stride], stride), Limits::ANY, &mut places);
            assert_eq!(answers, [Answer::default(); 4], "{} {stride} {place}", entry.name);
        }
        // Fewer places than puzzles, and more: the shorter counts.
        for (puzzles, places) in [(3, 1), (1, 3), (0, 2), (2, 0)] {
            let (mut solutions, mut answers) = (vec![0; places * 81], vec![Answer::default(); places]);
            let bytes = cells(SOLVED).repeat(puzzles);
            engine.solve(
                Puzzles::new(&bytes, 81),
                Limits::ANY,
                &mut Answers::new(&mut solutions, &mut answers, 81),
            );
            let solved = answers.iter().map(|answer| answer.solutions).sum::<u64>();
            assert_eq!(solved, puzzles.min(places) as u64, "{}", entry.name);
        }
    }
}

/// A change of a grid that changes nothing: other digits, bands, stacks, rows and columns within them, and
/// the mirror in the diagonal.
#[derive(Clone, Debug)]
struct Symmetry {
    digits: Vec<u8>,
    /// Where each row of the new grid comes from, and each column.
    rows: Vec<usize>,
    columns: Vec<usize>,
    is_transposed: bool,
}

impl Symmetry {
    fn any() -> impl Strategy<Value = Symmetry> {
        (digits(), lines(), lines(), any::<bool>()).prop_map(|(digits, rows, columns, is_transposed)| {
            Symmetry { digits, rows, columns, is_transposed }
        })
    }

    fn of(&self, grid: &Cells) -> Cells {
        std::array::from_fn(|cell| {
            let (row, column) = (self.rows[cell / 9], self.columns[cell % 9]);
            let (row, column) = if self.is_transposed { (column, row) } else { (row, column) };
            match grid[9 * row + column] {
                0 => 0,
                digit => self.digits[usize::from(digit) - 1],
            }
        })
    }
}

fn digits() -> impl Strategy<Value = Vec<u8>> {
    Just((1..=9).collect::<Vec<u8>>()).prop_shuffle()
}

/// Nine rows or columns: three bands in any order, three lines of each in any order.
fn lines() -> impl Strategy<Value = Vec<usize>> {
    let three = || Just(vec![0, 1, 2]).prop_shuffle();
    (three(), [three(), three(), three()]).prop_map(|(bands, within)| {
        bands
            .into_iter()
            .zip(within)
            .flat_map(|(band, lines)| lines.into_iter().map(move |line| 3 * band + line))
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn symmetries_keep_the_count(symmetry in Symmetry::any(), place in 0..95_usize) {
        let puzzle = made()[place];
        let mapped = symmetry.of(&puzzle);
        for entry in ENGINES {
            let limits = limits(entry, 100);
            let (one, solution) = solve(entry, &[puzzle], limits)[0];
            let (other, mapped_solution) = solve(entry, &[mapped], limits)[0];
            if !one.gave_up && !other.gave_up {
                prop_assert_eq!(one.solutions, other.solutions, "{}", entry.name);
                if one.solutions == 1 {
                    prop_assert_eq!(symmetry.of(&solution), mapped_solution, "{}", entry.name);
                }
            }
        }
    }
}
