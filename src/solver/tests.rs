use super::*;
use galop_engines::engine::{BITBOARD, ENGINES, Each, Entry, LANES, Search};
use galop_engines::grid::kind;
use galop_engines::puzzle::{Answer, Status};

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLVED: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

fn built(builder: SolverBuilder) -> Solver {
    builder.build().unwrap()
}

fn message(puzzle: &str) -> String {
    solve(puzzle).unwrap_err().to_string()
}

#[test]
fn errors_say_what_is_wrong_and_where() {
    let cells = "(cells are 1-9, a blank is one of . 0 * _ ?)";
    assert_eq!(message(&PUZZLE.replace("8.4", "8!4")), format!("column 42: unexpected `!` {cells}"));
    assert_eq!(message(&PUZZLE.replace("8.4", "8A4")), format!("column 42: unexpected `A` {cells}"));
    let drawn = "4.....8.5\n.3.......\n...7é.....";
    assert!(message(drawn).starts_with("line 3, column 5: unexpected `é`"), "{}", message(drawn));
    assert!(message(&format!("{PUZZLE},{SOLVED}")).starts_with("column 82: unexpected `,`"));
    let mut nine = built(Solver::builder().rules(Rules::default()));
    assert_eq!(nine.solve("rubbish").unwrap_err().to_string(), format!("column 1: unexpected `r` {cells}"));
    let lengths = "16, 36, 64, 81, 100, 144, 225, 256 or 625";
    for (text, found) in [("", 0), ("12", 2), (&PUZZLE[1..], 80)] {
        let expected = format!("{found} cells (a puzzle has {lengths}, one character per cell)");
        assert_eq!(message(text), expected);
    }
    let twice = PUZZLE.replacen("4..", "4.4", 1);
    assert_eq!(
        message(&twice),
        "no solution: 4 occurs twice in row 1: in row 1, column 1 and in row 1, column 3"
    );
    // A contradiction that only a search finds.
    let hard = "49....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    assert_eq!(message(hard), "no solution");
}

#[test]
fn white_space_is_skipped() {
    let rows: Vec<&str> = PUZZLE.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect();
    for text in [rows.join("\n"), rows.join("\r\n") + "\r\n", format!("  {PUZZLE}\t"), rows.join(" ")] {
        assert_eq!(solve(&text).unwrap().as_str(), SOLVED);
    }
    assert_eq!(format!("{:>83}", solve(PUZZLE).unwrap()), format!("  {SOLVED}"));
}

/// A solution written as in the puzzle: digits, letters, small letters; it is a solution of itself.
#[test]
fn sudokus_of_all_sizes_are_solved_in_their_symbols() {
    for side in SUDOKU.sides() {
        for alphabet in Alphabet::all(side as u8).iter().flat_map(|all| [all.clone(), all.small()]) {
            let rules = Rules::sudoku(side).unwrap();
            let blank = ".".repeat(side * side);
            let mut named = built(Solver::builder().rules(rules.written_in(alphabet.clone()).unwrap()));
            let solution = named.solve(&blank).unwrap();
            let again = solve(solution.as_str()).unwrap();
            assert_eq!(again, Solution { guesses: 0, ..solution }, "{side} {alphabet:?}");
        }
    }
    let unclear = format!("1A{}", ".".repeat(254));
    assert_eq!(message(&unclear), "the symbols of the puzzles fit several alphabets (1-9A-G or 0-9A-F)");
    assert!(solve(&unclear.replace("1A", "9G")).unwrap().as_str().starts_with("9G"), "the next call is new");
}

#[test]
fn results_are_in_the_order_of_the_puzzles() {
    let four = "12.. 34.. ..1. ...2";
    let texts: Vec<String> = (0..40_000)
        .map(|number| match number % 4 {
            0 => PUZZLE.to_owned(),
            1 => four.to_owned(),
            2 => "?".to_owned(),
            _ => ".".repeat(80) + "!",
        })
        .collect();
    let mut solver = Solver::new();
    for _ in 0..2 {
        let results = solver.solve_many(&texts);
        assert_eq!(results.len(), texts.len());
        for (number, result) in results.into_iter().enumerate() {
            match number % 4 {
                0 => assert_eq!(result.unwrap().as_str(), SOLVED),
                1 => assert_eq!(result.unwrap().as_str(), "1243342123144132"),
                2 => assert!(matches!(result, Err(SolveError::Length { found: 1, .. }))),
                _ => assert!(matches!(result, Err(SolveError::Character { column: 81, .. }))),
            }
        }
    }
    assert!(solver.solve_many::<&str>(&[]).is_empty());
}

/// Both for engines that solve many puzzles at once and for others, and the numbers of guesses as well.
#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let texts: Vec<String> = (0..6_000)
        .map(|number: usize| {
            let blanked = |(at, symbol)| if at == number % 81 || at == number / 81 { '.' } else { symbol };
            PUZZLE.chars().enumerate().map(blanked).collect()
        })
        .collect();
    for entry in [LANES, BITBOARD] {
        let solve = |threads| built(Solver::builder().engine(entry).threads(threads)).solve_many(&texts);
        let expected = solve(1);
        assert!(expected.iter().all(Result::is_ok));
        assert_eq!(solve(3), expected, "{}", entry.name);
    }
    let mut liar = built(Solver::builder().engine(&LIAR).threads(3));
    let results = liar.solve_many(&texts);
    assert!(results.iter().all(|result| matches!(result, Err(SolveError::WrongSolution { .. }))));
}

#[test]
fn limits_are_errors_and_never_answers() {
    let empty = ".".repeat(81);
    for entry in ENGINES.iter().filter(|entry| !entry.may_be_stuck) {
        let mut solver = built(Solver::builder().engine(entry).unique(true));
        assert_eq!(solver.solve(PUZZLE).map(|solution| solution.to_string()), Ok(SOLVED.to_owned()));
        assert_eq!(solver.solve(&empty), Err(SolveError::Multiple), "{}", entry.name);
        assert_eq!((solver.count(&empty, 0), solver.count(&empty, 7)), (Ok(0), Ok(7)));
    }
    let mut solver = built(Solver::builder().max_guesses(0).unique(true));
    assert_eq!(solver.solve(&empty), Err(SolveError::Limit { guesses: 0 }));
    assert_eq!(solver.is_unique(&empty), Err(SolveError::Limit { guesses: 0 }));
    assert_eq!(built(Solver::builder().max_guesses(1_000)).solve(&empty).map(|_| ()), Ok(()));
    let logic = galop_published::named("logic").unwrap();
    assert_eq!(
        built(Solver::builder().engine(logic)).solve(&empty),
        Err(SolveError::Stuck { engine: "logic" })
    );
    let mut bitboard = built(Solver::builder().engine(BITBOARD));
    assert!(matches!(bitboard.solve("................"), Err(SolveError::Unsupported(_))));
    let latin = Rules::new(kind("latin").unwrap(), 9, None).unwrap();
    let mut latin = built(Solver::builder().rules(latin));
    assert!(latin.solve(PUZZLE).is_ok());
    let length = SolveError::Length { found: 16, expected: vec![81] };
    assert_eq!(latin.solve("................"), Err(length));
}

#[test]
fn cells_have_the_stride_of_a_size() {
    let mut solver = Solver::new();
    let (mut solutions, mut statuses) = ([0; 32], [Status::Unanswered; 2]);
    let (mut counts, mut guesses) = ([0; 2], [0; 2]);
    let mut solve = |cells: usize, stride: usize| {
        let puzzles = Puzzles::new(&[0; 32][..cells], stride).unwrap();
        let places = puzzles.len();
        let results = Results::new(
            &mut solutions[..cells],
            &mut statuses[..places],
            &mut counts[..places],
            &mut guesses[..places],
        );
        solver.solve_cells(puzzles, Limits::ANY, results, &Control::default())
    };
    assert_eq!(solve(32, 16), Ok(()));
    assert!(matches!(solve(10, 5), Err(SolveError::Length { found: 5, .. })));
    assert_eq!(solve(0, 81), Ok(()));
    assert_eq!((statuses, counts), ([Status::Solved; 2], [1; 2]));
}

/// Answers every puzzle with its own cells.
struct Liar;

impl Search for Liar {
    fn cells(&self) -> usize {
        81
    }

    fn search(&mut self, puzzle: &[u8], _limits: Limits, solution: &mut [u8]) -> Answer {
        solution.copy_from_slice(puzzle);
        Answer::complete(1)
    }
}

pub(super) static LIAR: Entry = Entry::new("liar", |_, _| Ok(Box::new(Each(Liar))));

#[test]
fn a_wrong_solution_is_an_error() {
    let mut solver = built(Solver::builder().engine(&LIAR));
    assert_eq!(solver.solve(SOLVED).unwrap().as_str(), SOLVED);
    let wrong = |result| matches!(result, Err(SolveError::WrongSolution { engine: "liar", .. }));
    assert!(wrong(solver.solve(PUZZLE)));
    assert!(matches!(solver.is_unique(PUZZLE), Err(SolveError::WrongSolution { .. })));
}

/// Choices of a problem in, choices out; the same by slices of options.
#[test]
fn problems_are_solved_as_texts_and_as_slices() {
    let rules = galop_engines::Rules::problem(
        "a b c d\na b\nc d\na c\nb d\na\n".parse::<galop_cover::ExactCover>().unwrap(),
    );
    let mut solver = built(Solver::builder().rules(rules).unique(true));
    let texts = ["a b", ":- a b", "| a", "a b | a c", "e", "|"];
    let results: Vec<String> = solver
        .solve_many(&texts)
        .into_iter()
        .map(|result| result.map_or_else(|error| error.to_string(), |solution| solution.to_string()))
        .collect();
    assert_eq!(results[0], "a b | c d");
    assert_eq!(results[1], "a c | b d");
    assert_eq!(results[2], "no solution");
    assert_eq!(results[3], "column 7: options 1 and 3 exclude each other, because of item `a`");
    assert!(results[4].starts_with("column 1: unknown item `e`"), "{}", results[4]);
    assert_eq!(results[5], "more than one solution");
    assert_eq!(solver.count("|", 0), Ok(0));
    assert_eq!(solver.count("|", 9), Ok(2));
    let (mut solutions, mut statuses) = ([9; 10], [Status::Unanswered; 2]);
    let (mut counts, mut guesses) = ([0; 2], [0; 2]);
    let results = Results::new(&mut solutions, &mut statuses, &mut counts, &mut guesses);
    let puzzles = [1, 0, 0, 0, 0, 0, 0, 0, 0, 1];
    let puzzles = Puzzles::new(&puzzles, 5).unwrap();
    solver.solve_cells(puzzles, Limits::UNIQUE, results, &Control::default()).unwrap();
    assert_eq!((statuses, counts), ([Status::Solved, Status::None], [1, 0]));
    assert_eq!(solutions, [1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
}
