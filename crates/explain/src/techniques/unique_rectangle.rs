//! Unique rectangle: four blank cells in two rows and two columns that could hold two symbols either way round, without
//! any difference for other cells. A puzzle with one solution has no such cells, so one of them holds another symbol.
//!
//! ```text
//! type 1   ab  ab     the fourth cell holds neither a nor b
//!          ab  ab+
//! type 2   ab  ab     one of the two holds c, so cells that see both lose c
//!          abc abc
//! type 4   ab  ab     if a unit of the two has a only in them, one of them holds a, so neither holds b
//!          ab+ ab+
//! ```
//! Exchanged symbols make no difference if each unit has none of the four cells or two beside each other.

use super::rectangles::is_deadly;
use crate::deduction::Deduction;
use crate::geometry::{bit, each};
use crate::technique::{Example, Finder, Technique};

pub(super) const TECHNIQUE: Technique = Technique {
    name: "unique rectangle",
    about: "four cells that could exchange two symbols would make two solutions, so one holds another symbol: types 1, 2 and 4",
    description: "Four cells in two rows, two columns and two blocks could hold only the same two symbols. Then the \
        symbols could be exchanged without any effect on other cells, and the puzzle would have two \
        solutions. A proper puzzle has one, so at least one of the four cells must hold something else. \
        That eliminates candidates from the cell or cells that have more than the two.",
    example: Example::sudoku(
        "...8...5.6.........83....69.7..8....3...7...4.1..9.3.2.6.....9....6..4.8.34..1..6",
    ),
    group: "uniqueness",
    score: 45,
    is_rated: true,
    needs_uniqueness: true,
    reason: "because {cells} could exchange two symbols otherwise, and the puzzle is known to have one solution",
    find,
};

fn find(finder: &mut Finder<'_>) -> Option<Deduction> {
    let side = finder.geometry.side as u16;
    let pairs = finder.cells_with(2..=2);
    // Two cells in a line with the same two candidates, and the two cells across.
    for (at, &one) in pairs.iter().enumerate() {
        let marks = finder.board.marks(one);
        for &other in pairs[at + 1..].iter().filter(|&&other| finder.board.marks(other) == marks) {
            for line in 0..side {
                let across = |cell: u16| match one / side == other / side {
                    true => line * side + cell % side,
                    false => cell / side * side + line,
                };
                let is_beside = one / side == other / side || one % side == other % side;
                let roof = [across(one), across(other)];
                let may_hold = |&cell: &u16| finder.board.marks(cell) & marks == marks;
                if !is_beside || roof[0] == one || roof[1] == other || !roof.iter().all(may_hold) {
                    continue;
                }
                if is_deadly(finder, [one, other, roof[0], roof[1]])
                    && let Some(found) = of_rectangle(finder, [one, other], roof)
                {
                    return Some(found);
                }
            }
        }
    }
    None
}

fn of_rectangle(finder: &Finder<'_>, floor: [u16; 2], roof: [u16; 2]) -> Option<Deduction> {
    let (geometry, board) = (finder.geometry, finder.board);
    let marks = board.marks(floor[0]);
    let [one, other] = roof.map(|cell| board.marks(cell) & !marks);
    let (name, eliminates) = match (one, other) {
        (0, 0) => return None,
        (0, _) => ("unique rectangle type 1", finder.candidates_of(&roof[1..], marks)),
        (_, 0) => ("unique rectangle type 1", finder.candidates_of(&roof[..1], marks)),
        _ if one == other && one.is_power_of_two() => {
            ("unique rectangle type 2", finder.candidates(geometry.see_all(roof), one))
        }
        _ => ("", Vec::new()),
    };
    let because = [&floor[..], &roof].concat();
    let deduction = |name, eliminates| Deduction {
        eliminates,
        known_as: Some(name),
        because: finder.candidates_of(&because, marks | if one == other { one } else { 0 }),
        ..Deduction::default()
    };
    if finder.is_new(&eliminates) {
        return Some(deduction(name, eliminates));
    }
    if one == 0 || other == 0 {
        return None;
    }
    for unit in geometry.units_with(&roof) {
        for symbol in each(marks) {
            let eliminates = finder.candidates_of(&roof, marks & !bit(symbol));
            if board.places(usize::from(unit), symbol).count_ones() == 2 && finder.is_new(&eliminates) {
                return Some(deduction("unique rectangle type 4", eliminates));
            }
        }
    }
    None
}
