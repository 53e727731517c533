//! Problems of the literature with their numbers of solutions, no symmetry removed: for the tests and the benches.
//!
//! Sources in the OEIS: queens A000170; Langford pairs A014552, doubled; dominoes A004003, on boards of height two the
//! Fibonacci numbers; Latin squares A002860; perfect matchings A001147. There are 288 sudokus of 4x4. Pentominoes:
//! Knuth and Haselgrove; the Soma cube: Conway and Guy; MacMahon's squares have a border of one colour.

/// Every engine lists them on one to four threads.
pub const SMALL: &[(&str, u64)] = &[
    ("queens 1", 1),
    ("queens 2", 0),
    ("queens 3", 0),
    ("queens 4", 2),
    ("queens 5", 10),
    ("queens 6", 4),
    ("queens 7", 40),
    ("queens 8", 92),
    ("queens 9", 352),
    ("queens 10", 724),
    ("langford 1", 0),
    ("langford 2", 0),
    ("langford 3", 2),
    ("langford 4", 2),
    ("langford 5", 0),
    ("langford 7", 52),
    ("langford 8", 300),
    ("dominoes 1x1", 0),
    ("dominoes 3x3", 0),
    ("dominoes 4x4", 36),
    ("dominoes 2x10", 89),
    ("dominoes 10x2", 89),
    ("latin 1", 1),
    ("latin 2", 2),
    ("latin 3", 12),
    ("latin 4", 576),
    ("sudoku 1x1", 1),
    ("sudoku 2x1", 2),
    ("sudoku 1x3", 12),
    ("sudoku 2x2", 288),
    ("matching 1", 0),
    ("matching 2", 1),
    ("matching 7", 0),
    ("queen-domination 1 1", 1),
    ("queen-domination 3 1", 1),
    ("queen-domination 5 3", 186),
    ("queen-domination 6 3", 4),
    ("queen-domination 7 4", 86),
    ("mixed 1x1", 0),
    ("mixed 3x3 0", 2),
    ("mixed 4x4 8", 36),
];

/// Every engine lists them on one thread if they are not too many, and counts them on two.
pub const MEDIUM: &[(&str, u64)] = &[
    ("queens 11", 2_680),
    ("queens 12", 14_200),
    ("langford 11", 35_584),
    ("dominoes 6x6", 6_728),
    ("matching 12", 10_395),
    ("matching 14", 135_135),
    ("latin 5", 161_280),
    ("pentominoes 2x32", 0),
    ("pentominoes 3x20", 8),
    ("pentominoes 8x8", 520),
    ("pentominoes 20x3", 8),
    ("pentominoes 60x1", 0),
    ("soma", 11_520),
    ("queen-domination 6 4", 2_744),
    ("mixed 4x6 6", 2_498),
    ("mixed 6x4 6", 2_498),
    ("mixed 5x6 6", 18_245),
    ("mixed 6x5 6", 18_245),
];

/// The engine that is chosen counts them, plainly and after preprocessing.
pub const LARGE: &[(&str, u64)] = &[
    ("queens 13", 73_712),
    ("queens 14", 365_596),
    ("queens 15", 2_279_184),
    ("langford 12", 216_288),
    ("dominoes 8x8", 12_988_816),
    ("pentominoes 6x10", 9_356),
    ("pentominoes 5x12", 4_040),
    ("pentominoes 4x15", 1_472),
    ("pentominoes 2x5x6", 2_112),
    ("queen-domination 8 5", 4_860),
];

/// Only benches count them.
pub const LARGEST: &[(&str, u64)] = &[("langford 15", 79_619_280), ("macmahon", 106_624)];

/// The number of solutions of one of these problems.
pub fn solutions(words: &str) -> u64 {
    let all = [SMALL, MEDIUM, LARGE, LARGEST].into_iter().flatten();
    let found = all.into_iter().find(|(name, _)| *name == words);
    found.unwrap_or_else(|| panic!("the number of solutions of {words} is not known")).1
}
