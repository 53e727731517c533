//! What a technique is, and what it may look at.

use crate::board::Board;
use crate::geometry::Geometry;
use crate::step::Deduction;

/// How hard a puzzle is for people, by its hardest technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Singles.
    Easy,
    /// Locked candidates.
    Medium,
    /// Pairs, triples and quads.
    Hard,
    /// Fish, wings, colours, chains and unique rectangles.
    VeryHard,
    /// Assumptions: forcing chains and bifurcation.
    UltraHard,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Level; 5] = [Level::Easy, Level::Medium, Level::Hard, Level::VeryHard, Level::UltraHard];

    /// The name as it is printed.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::VeryHard => "very hard",
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
    /// A word for it and its neighbours in the table, such as `singles` or `fish`.
    pub group: &'static str,
    /// The level of puzzles that need it.
    pub level: Level,
    /// Its difficulty in tenths, on a scale like that of Sudoku Explainer.
    pub score: u16,
    /// Whether it relies on the puzzle having one solution.
    pub needs_uniqueness: bool,
    /// The reason in words, with `{cells}`, `{symbols}`, `{units}`, `{covers}` and `{chains}` of the step.
    pub(crate) reason: &'static str,
    pub(crate) find: fn(&mut Finder<'_>) -> Option<Deduction>,
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
