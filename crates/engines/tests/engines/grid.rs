//! The engine `grid`: every instruction set against the others, and counts against dancing links.

use galop_engines::Rules;
use galop_engines::engine::{DLX, GRID, Isa};
use galop_engines::grid::Verifier;
use galop_engines::puzzle::{Limits, Status};
use galop_testing::available::isas;
use galop_testing::puzzles::{LONG_TAILS, cells};
use galop_testing::rules::{jigsaw, kinds_and_sizes, solved};
use proptest::prelude::*;

use crate::solve_new;

/// The last row has two 7s. The search once guessed the symbol of a settled cell, again and again: ten million guesses
/// and gigabytes of levels.
#[test]
fn two_settled_cells_of_a_unit_with_one_symbol_are_never_guessed() {
    let puzzle = cells("...........9...4..........7...6............7.................7....3..6.1.....77..");
    let limits = Limits::ANY.with_guesses(10_000);
    for isa in isas() {
        let found = solve_new(GRID, isa, &Rules::default(), &puzzle, limits);
        assert_eq!(found[0].0.status(Limits::ANY), Status::None, "{isa:?}");
    }
}

/// The cells of a solution that `keep` has, with the symbols and, seldom, a cell changed.
fn puzzle(rules: &Rules, keep: &[bool], shift: u8, wrong: Option<usize>) -> Vec<u8> {
    let (cells, symbols) = (rules.grid().cells(), rules.grid().symbols());
    let mut puzzle = solved(rules);
    puzzle.iter_mut().for_each(|symbol| *symbol = (*symbol - 1 + shift % symbols) % symbols + 1);
    if let Some(wrong) = wrong {
        puzzle[wrong % cells] = puzzle[(wrong + 1) % cells];
    }
    puzzle.iter_mut().zip(keep).for_each(|(symbol, &keep)| *symbol *= u8::from(keep));
    puzzle
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// One in four puzzles has a wrong cell.
    #[test]
    fn counts_are_those_of_dancing_links(
        keep in (2_u32..9).prop_flat_map(|of_ten| {
            prop::collection::vec(prop::bool::weighted(f64::from(of_ten) / 10.0), 81)
        }),
        shift in 0_u8..9,
        wrong in prop::option::weighted(0.25, 0..81_usize),
        most in prop::sample::select(vec![1, 2, 40, 400]),
    ) {
        let limits = Limits::count(most);
        let map = jigsaw(include_str!("../../../../data/jigsaw.map"));
        for rules in kinds_and_sizes(9).chain([map]) {
            let puzzle = puzzle(&rules, &keep, shift, wrong);
            let (expected, _) = &solve_new(DLX, Isa::best(), &rules, &puzzle, limits)[0];
            let first = solve_new(GRID, Isa::best(), &rules, &puzzle, limits);
            for isa in isas() {
                prop_assert_eq!(&solve_new(GRID, isa, &rules, &puzzle, limits), &first, "{:?}", isa);
            }
            let (found, solution) = &first[0];
            prop_assert_eq!(found.status(limits), expected.status(limits), "{} {:?}", rules.name(), &puzzle);
            prop_assert_eq!(found.solutions, expected.solutions, "{} {:?}", rules.name(), &puzzle);
            if found.solutions > 0 {
                prop_assert_eq!(Verifier::new(&rules).check(&puzzle, solution), Ok(()));
            }
        }
    }
}

/// 5,000 guesses are 40 times what each puzzle takes.
#[test]
fn long_tails_are_cut() {
    for (map, puzzles) in LONG_TAILS {
        let rules = jigsaw(map);
        let verifier = Verifier::new(&rules);
        for puzzle in puzzles.iter().map(|text| cells(text)) {
            for limits in [Limits::ANY, Limits::UNIQUE].map(|limits| limits.with_guesses(5_000)) {
                let first = solve_new(GRID, Isa::best(), &rules, &puzzle, limits);
                let (found, solution) = &first[0];
                assert_eq!(Some(found.solutions), limits.solutions(), "{puzzle:?}");
                assert_eq!(verifier.check(&puzzle, solution), Ok(()), "{puzzle:?}");
                for isa in isas() {
                    assert_eq!(solve_new(GRID, isa, &rules, &puzzle, limits), first, "{isa:?} {puzzle:?}");
                }
            }
        }
    }
}

/// 153 clues of 25x25, an image of `ton-25x25-W3` of Denis Berthier's collection. Guesses alone do not solve it: ten
/// million are not enough.
const FEW_CLUES: &str = "\
    E.A.O..4...........D...JB..F.........P......2...K...........D.M.7P...I...........C...2.9.IL.7.6.....\
    K.B.4G.J.N...........O.1A..N.G.....LO.13.J.4....H...1..........N..............C..2.6...........9.M..\
    ..E.J..K...F....1.N5........L..9....A..........6..IM.9..L.P...D.C.6...........3......6.....B.......N\
    76.D..........9....M.......J....F.E......G1O..K.B....2...1........K.J.H..O.9..7....H......2......C.D\
    .8....6B..OJ.4...........C2.6...........D...7M.IG...G....N.1.B.K..............M.........A.6.I.97....\
    ......I2C.M.6.D.....P.7..N.O.A...........H.B...........6M.9.P.7.2...1...3......K...D.......N.E......\
    .14.B...........OJA....N.";

/// The guesses that are counted at the end include the nodes of exact cover.
#[test]
fn what_takes_too_many_guesses_is_handed_over() {
    let symbol = |byte: char| byte.to_digit(36).unwrap_or(0) as u8;
    let (rules, puzzle) = (Rules::sudoku(25).unwrap(), FEW_CLUES.chars().map(symbol).collect::<Vec<u8>>());
    let limits = Limits::UNIQUE.with_guesses(1_000_000);
    let (found, solution) = &solve_new(GRID, Isa::best(), &rules, &puzzle, limits)[0];
    assert_eq!(found.status(limits), Status::Solved);
    assert!(found.effort.guesses > 10_000);
    assert_eq!(Verifier::new(&rules).check(&puzzle, solution), Ok(()));
}
