//! What a technique is, and what it may look at.

use crate::board::Board;
use crate::cells::Cells;
use crate::deduction::Deduction;
use crate::geometry::{Candidate, Geometry, Symbols, bit, each};

/// How hard a puzzle is for people: a band of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Scores up to 2.5: singles.
    Easy,
    /// 2.6 to 2.9: locked candidates.
    Medium,
    /// 3.0 to 4.1: pairs, triples, X-wing and swordfish.
    Hard,
    /// 4.2 to 6.4: wings, finned fish, jellyfish, colours, unique rectangles and quads.
    VeryHard,
    /// 6.5 to 7.9: chains and almost locked sets.
    Fiendish,
    /// 8.0 and more: assumptions, which are forcing chains and bifurcation.
    UltraHard,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Level; 6] =
        [Level::Easy, Level::Medium, Level::Hard, Level::VeryHard, Level::Fiendish, Level::UltraHard];

    /// The level of a score in tenths.
    pub fn of(score: u16) -> Level {
        match score {
            ..26 => Level::Easy,
            26..30 => Level::Medium,
            30..42 => Level::Hard,
            42..65 => Level::VeryHard,
            65..80 => Level::Fiendish,
            80.. => Level::UltraHard,
        }
    }

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::VeryHard => "very hard",
            Level::Fiendish => "fiendish",
            Level::UltraHard => "ultra-hard",
        }
    }
}

/// A technique of people.
pub struct Technique {
    /// The name that players use.
    pub name: &'static str,
    /// One line: what it does.
    pub about: &'static str,
    /// What it is and why it works, for players: two to five sentences.
    pub description: &'static str,
    /// A puzzle whose explanation has a step of it.
    pub example: Example,
    /// A word for it and its neighbours in the table, such as `singles` or `fish`.
    pub group: &'static str,
    /// Its difficulty in tenths, on a scale like the one of Sudoku Explainer.
    pub score: u16,
    /// Whether [`Options::rating`](crate::Options::rating) includes it: whether Sudoku Explainer has it, or finds what it
    /// finds as something that it rates alike. Ratings stay the same when techniques are added that are not rated.
    pub is_rated: bool,
    /// Whether it relies on the puzzle having one solution.
    pub needs_uniqueness: bool,
    /// The reason in words, with `{cells}`, `{symbols}`, `{units}`, `{covers}` and `{chains}` of the step.
    pub(crate) reason: &'static str,
    pub(crate) find: fn(&mut Finder<'_>) -> Option<Deduction>,
}

/// A puzzle whose explanation has a step of a technique, with [`Options::unique`](crate::Options::unique) if the
/// technique needs it. The position before the first such step is the picture of a page about the technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// The name of its kind, as in [`grid::kind`](galop_engines::grid::kind): mostly `sudoku`.
    pub kind: &'static str,
    /// Its 81 cells, row by row; `.` is blank.
    pub puzzle: &'static str,
}

impl Example {
    pub(crate) const fn sudoku(puzzle: &'static str) -> Example {
        Example { kind: "sudoku", puzzle }
    }
}

impl Technique {
    /// The level of its score.
    pub fn level(&self) -> Level {
        Level::of(self.score)
    }
}

impl PartialEq for Technique {
    fn eq(&self, other: &Technique) -> bool {
        self.name == other.name
    }
}

impl Eq for Technique {}

impl std::fmt::Debug for Technique {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// What a technique looks at.
pub(crate) struct Finder<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) board: &'a Board,
    /// Of each cell, what earlier steps of a list place or eliminate; empty if there is no list.
    pub(crate) known: &'a [Symbols],
    /// What may still be looked at: about one for each candidate that a search visits.
    pub(crate) work: &'a mut u64,
}

impl Finder<'_> {
    /// Whether `work` may be done. From the first false on nothing more may.
    pub(crate) fn pay(&mut self, work: u64) -> bool {
        *self.work = self.work.saturating_sub(work);
        *self.work > 0
    }
}

impl Finder<'_> {
    /// Whether there is something in what a technique places or eliminates that is not known.
    pub(crate) fn is_new(&self, found: &[Candidate]) -> bool {
        let known = |cell: u16| self.known.get(usize::from(cell)).copied().unwrap_or(0);
        found.iter().any(|one| known(one.cell) & bit(one.symbol) == 0)
    }

    /// The candidates `symbols` of `cells`, cell by cell.
    pub(crate) fn candidates(&self, cells: Cells, symbols: Symbols) -> Vec<Candidate> {
        let of_cell =
            |cell| each(self.board.marks(cell) & symbols).map(move |symbol| Candidate { cell, symbol });
        cells.iter().flat_map(of_cell).collect()
    }

    /// The candidates `symbols` of the listed cells.
    pub(crate) fn candidates_of(&self, cells: &[u16], symbols: Symbols) -> Vec<Candidate> {
        self.candidates(Cells::of(cells.iter().copied()), symbols)
    }

    /// The blank cells, ascending, with the number of candidates in `range`.
    pub(crate) fn cells_with(&self, range: std::ops::RangeInclusive<u32>) -> Vec<u16> {
        let count = |cell: &u16| self.board.marks(*cell).count_ones();
        (0..self.board.marks.len() as u16).filter(|cell| range.contains(&count(cell))).collect()
    }
}

/// Calls `found` with each choice of `count` of the `masks`, as places in the list, whose union has at most `most`
/// bits, until it returns something.
pub(crate) fn choose<T>(
    masks: &[u32],
    count: usize,
    most: u32,
    found: &mut dyn FnMut(&[usize], u32) -> Option<T>,
) -> Option<T> {
    let (mut chosen, mut unions) = (Vec::with_capacity(count), vec![0; count + 1]);
    let mut next = 0;
    loop {
        if chosen.len() == count {
            if let Some(result) = found(&chosen, unions[count]) {
                return Some(result);
            }
            next = chosen.pop()? + 1;
        }
        // Too few are left: the one before moves on.
        while next + (count - chosen.len()) > masks.len() {
            next = chosen.pop()? + 1;
        }
        let union = unions[chosen.len()] | masks[next];
        if union.count_ones() <= most {
            chosen.push(next);
            unions[chosen.len()] = union;
        }
        next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_choice_is_made_once() {
        let masks = [0b0011, 0b0110, 0b0101, 0b1000, 0b0001];
        let mut choices = Vec::new();
        let none = choose(&masks, 3, 3, &mut |chosen, union| {
            choices.push((chosen.to_vec(), union));
            None::<()>
        });
        assert!(none.is_none());
        let naive = |a: usize, b: usize, c: usize| (vec![a, b, c], masks[a] | masks[b] | masks[c]);
        let mut all = Vec::new();
        for a in 0..5 {
            for b in a + 1..5 {
                all.extend((b + 1..5).map(|c| naive(a, b, c)).filter(|(_, union)| union.count_ones() <= 3));
            }
        }
        assert_eq!(choices, all);
        assert_eq!(choose(&masks[..1], 2, 9, &mut |_, _| Some(())), None);
        assert_eq!(choose(&[], 2, 9, &mut |_, _| Some(())), None);
        assert_eq!(choose(&masks, 2, 2, &mut |chosen, _| Some(chosen.to_vec())), Some(vec![0, 4]));
    }
}
