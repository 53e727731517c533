//! The table of engines, and which one suits given rules.

use galop_engines::Rules;
use galop_engines::engine::{
    BITBOARD, DLX, ENGINES, GRID, HYBRID, HYBRID_LINKS, Isa, LANES, default_for, prover_for, second_for,
};
use galop_engines::grid::{DIAGONAL, JIGSAW, KINDS, LATIN, Regions, SUDOKU, WINDOKU};

#[test]
fn an_engine_can_be_made_exactly_for_the_rules_that_it_accepts() {
    let regions: String = (0..49).map(|cell| char::from(b'a' + cell / 7)).collect();
    let regions = Regions::read(regions.as_bytes()).unwrap();
    for (kind, side) in KINDS.iter().flat_map(|kind| [4, 6, 7, 9, 16].map(|side| (kind, side))) {
        let Ok(rules) = Rules::new(kind, side, Some(&regions).filter(|_| side == 7)) else { continue };
        for entry in ENGINES {
            let made = (entry.make)(&rules, Isa::best()).map(|_| ());
            assert_eq!((entry.accepts)(&rules), made, "{} {}", entry.name, rules.name());
        }
        for entry in [default_for(&rules), prover_for(&rules), second_for(&rules, DLX)] {
            assert_eq!((entry.accepts)(&rules), Ok(()), "{} {}", entry.name, rules.name());
        }
    }
}

#[test]
fn constants_are_the_rows_of_their_names() {
    let rows = [LANES, BITBOARD, HYBRID, HYBRID_LINKS, GRID, DLX].map(|entry| entry.name);
    assert_eq!(rows, ["lanes", "bitboard", "hybrid", "hybrid-links", "grid", "dlx"]);
    let kinds = [SUDOKU, DIAGONAL, WINDOKU, LATIN, JIGSAW].map(|kind| kind.name);
    assert_eq!(kinds, ["sudoku", "diagonal", "windoku", "latin", "jigsaw"]);
}

#[test]
fn the_second_engine_is_another_one() {
    for entry in ENGINES {
        let name = if entry.name == "dlx" { "bitboard" } else { "dlx" };
        assert_eq!(second_for(&Rules::default(), entry).name, name);
    }
}
