//! From the clues to the solution: the easiest technique that finds something, again and again.

use galop_engines::Rules;
use galop_engines::grid::{Cell, Fault};

use crate::board::{Board, cell_name};
use crate::geometry::{Candidate, Geometry, Symbols, bit, each};
use crate::shortest::shortest;
use crate::step::Step;
use crate::technique::{Finder, Level, Technique};
use crate::technique_set::TechniqueSet;
use crate::techniques::{self, TECHNIQUES, rank};

/// What may be used: all techniques by default, except those that rely on a unique solution, and some seconds of work.
///
/// ```
/// let options = galop::explain::Options::default().unique(true).max_steps(100);
/// assert_eq!((options.unique, options.max_steps), (true, 100));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The puzzle is known to have one solution, so techniques that rely on it are allowed.
    pub unique: bool,
    /// The techniques that are allowed. Those that rely on uniqueness also need `unique`.
    pub(crate) techniques: TechniqueSet,
    /// The most steps.
    pub max_steps: usize,
    /// The most work: about one for each candidate that a search looks at, some nanoseconds each.
    pub max_work: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            unique: false,
            techniques: TechniqueSet::all(),
            max_steps: 100_000,
            max_work: 1_000_000_000,
        }
    }
}

impl Options {
    /// The techniques by which puzzles are rated: those of Sudoku Explainer, or what it rates alike. A rating does not
    /// depend on the other techniques of the table.
    pub fn rating() -> Options {
        Options { techniques: TechniqueSet::rated(), ..Options::default() }
    }

    /// Whether the puzzle is known to have one solution, so that techniques that rely on it are allowed.
    #[must_use]
    pub fn unique(self, unique: bool) -> Options {
        Options { unique, ..self }
    }

    /// Excludes the techniques that are harder than `hardest`.
    #[must_use]
    pub fn hardest(self, hardest: &'static Technique) -> Options {
        Options { techniques: self.techniques.up_to(hardest), ..self }
    }

    /// Excludes a technique.
    #[must_use]
    pub fn without(self, technique: &'static Technique) -> Options {
        Options { techniques: self.techniques.without(technique), ..self }
    }

    /// Sets the number of steps after which the explanation ends.
    #[must_use]
    pub fn max_steps(self, max_steps: usize) -> Options {
        Options { max_steps, ..self }
    }

    /// Sets the most work, in the unit of [`max_work`](Options::max_work).
    #[must_use]
    pub fn max_work(self, max_work: u64) -> Options {
        Options { max_work, ..self }
    }
}

/// How an explanation ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// The last step fills the last cell.
    Solved,
    /// The puzzle has no solution, and this shows it after the steps.
    Contradiction(Fault),
    /// The puzzle has several solutions.
    Several,
    /// The techniques that are allowed find nothing more.
    Stuck,
    /// The most steps are taken, or the most work is done.
    Limit,
}

/// The cells are not a puzzle of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There are more or fewer cells than the rules have.
    #[error("{found} cells where the rules have {expected}")]
    Length {
        /// Cells of the puzzle.
        found: usize,
        /// Cells of the rules.
        expected: usize,
    },
    /// A cell holds a number that is not a symbol of the rules.
    #[error("{symbol} in {cell} is not a symbol of the rules")]
    Symbol {
        /// The number.
        symbol: u8,
        /// The cell.
        cell: Cell,
    },
}

/// The steps from the clues to the solution, or as far as they lead.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// Cells that are filled at the start.
    pub clues: usize,
    /// Cells that hold a hidden single at the start: a symbol that has no other cell in a row, column or block.
    pub singles: usize,
    /// The steps, in order. If the puzzle has no solution, only those that lead to the contradiction.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
    /// The cells after the last step: 0 blank, 1..=n.
    pub cells: Vec<u8>,
}

impl Explanation {
    /// The technique of the hardest step: of those with the highest score, the last in the table. `None` if there are no
    /// steps.
    pub fn hardest(&self) -> Option<&'static Technique> {
        self.difficulty().hardest
    }

    /// The difficulty in tenths: the highest score of a step.
    pub fn score(&self) -> u16 {
        self.difficulty().score
    }

    /// The level of the score.
    pub fn level(&self) -> Level {
        Level::of(self.score())
    }

    fn difficulty(&self) -> Difficulty {
        let mut difficulty = Difficulty { hardest: None, score: 0, end: self.end };
        self.steps.iter().for_each(|step| difficulty.count(step));
        difficulty
    }

    /// The techniques of the steps and how often each is used, the easiest first.
    pub fn counts(&self) -> Vec<(&'static Technique, usize)> {
        let count = |technique: &'static Technique| {
            (technique, self.steps.iter().filter(|step| step.technique == technique).count())
        };
        TECHNIQUES.iter().map(count).filter(|(_, count)| *count > 0).collect()
    }
}

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// The technique of the hardest step; `None` if there are no steps.
    pub hardest: Option<&'static Technique>,
    /// The highest score of a step, in tenths.
    pub score: u16,
    /// How the steps end.
    pub end: End,
}

impl Difficulty {
    fn count(&mut self, step: &Step) {
        let key = |technique, score| (score, rank(technique));
        let new = key(step.technique, step.score);
        if self.hardest.is_none_or(|hardest| key(hardest, self.score) < new) {
            (self.hardest, self.score) = (Some(step.technique), step.score);
        }
    }
}

/// Explains puzzles of the same rules.
pub struct Explainer {
    geometry: Geometry,
}

impl std::fmt::Debug for Explainer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explainer").field("cells", &self.geometry.cells()).finish_non_exhaustive()
    }
}

impl Explainer {
    /// For puzzles of `rules`.
    pub fn new(rules: &Rules) -> Explainer {
        Explainer { geometry: Geometry::new(rules) }
    }

    /// Explains the puzzle `cells` (flat: 0 blank, 1..=n).
    ///
    /// # Errors
    /// [`Error`].
    pub fn explain(&self, cells: &[u8], options: &Options) -> Result<Explanation, Error> {
        let mut steps = self.steps(cells, options)?;
        let taken = steps.by_ref().collect();
        Ok(steps.explanation(taken))
    }

    /// The steps for the puzzle `cells` (flat: 0 blank, 1..=n), each found when it is asked for.
    ///
    /// They are the steps of [`explain`](Self::explain), unless the puzzle has no solution: then `explain` leaves out
    /// the steps that the contradiction does not need, which are known only at the end.
    ///
    /// # Errors
    /// [`Error`].
    ///
    /// ```
    /// use galop::Rules;
    /// use galop::explain::{End, Explainer, Options};
    ///
    /// let explainer = Explainer::new(&Rules::sudoku(4)?);
    /// let mut steps = explainer.steps(&[1, 2, 3, 0, 3, 4, 1, 0, 2, 1, 4, 0, 4, 3, 2, 0], &Options::default())?;
    /// assert_eq!(steps.next().map(|step| step.technique.name), Some("full house"));
    /// assert_eq!((steps.by_ref().count(), steps.end()), (3, Some(End::Solved)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self, cells: &[u8], options: &Options) -> Result<Steps<'_>, Error> {
        let geometry = &self.geometry;
        self.check(cells)?;
        let (mut board, mut end) = (Board::new(geometry, &[]), None);
        match geometry.grid.check_clues(cells) {
            Ok(()) => board = Board::new(geometry, cells),
            Err(impossible) => {
                // Clues that exclude each other have no candidates: only the cells are shown.
                board.values.copy_from_slice(cells);
                end = Some(End::Contradiction(impossible));
            }
        }
        Ok(Steps { geometry, clues: board.clone(), board, left: *options, end })
    }

    /// How hard the puzzle `cells` is: what [`explain`](Self::explain) says of its steps, without most of them. So it
    /// is faster for puzzles that need more than singles.
    ///
    /// # Errors
    /// [`Error`].
    pub fn difficulty(&self, cells: &[u8], options: &Options) -> Result<Difficulty, Error> {
        let mut steps = self.steps(cells, options)?;
        let mut difficulty = Difficulty { hardest: None, score: 0, end: End::Solved };
        if steps.end.is_none() {
            loop {
                while steps.board.place_singles(&self.geometry) {}
                let Some(step) = steps.next() else { break };
                difficulty.count(&step);
            }
            difficulty.end = steps.end().unwrap_or(End::Limit);
        }
        // If singles suffice, the steps tell which. If there is a contradiction, only some of the steps count.
        if difficulty.hardest.is_none() || matches!(difficulty.end, End::Contradiction(_)) {
            return Ok(self.explain(cells, options)?.difficulty());
        }
        Ok(difficulty)
    }

    fn check(&self, cells: &[u8]) -> Result<(), Error> {
        let geometry = &self.geometry;
        if cells.len() != geometry.cells() {
            return Err(Error::Length { found: cells.len(), expected: geometry.cells() });
        }
        match cells.iter().position(|&symbol| symbol > geometry.symbols) {
            Some(cell) => {
                let (symbol, cell) = (cells[cell], cell_name(geometry, cell as u16));
                Err(Error::Symbol { symbol, cell })
            }
            None => Ok(()),
        }
    }
}

/// The steps for a puzzle, one after another: see [`Explainer::steps`].
pub struct Steps<'a> {
    geometry: &'a Geometry,
    clues: Board,
    board: Board,
    /// The options, with what is left of the steps and the work.
    left: Options,
    end: Option<End>,
}

impl std::fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Steps")
            .field("blanks", &self.board.blanks)
            .field("end", &self.end)
            .finish_non_exhaustive()
    }
}

impl Steps<'_> {
    /// How the steps end; `None` until the iterator has returned `None`.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Allows `work` more, in the unit of [`max_work`](Options::max_work). If the work ended the steps, they go on: a
    /// caller that gives it in portions can look at a clock or at progress in between. The technique whose search was
    /// broken off begins anew, so each portion must be larger than the one before.
    pub fn allow(&mut self, work: u64) {
        if self.end == Some(End::Limit) && self.left.max_steps > 0 {
            self.end = None;
        }
        self.left.max_work = self.left.max_work.saturating_add(work);
    }

    /// Eliminates candidates before the first step, bit `symbol - 1` of each cell: those that a player has crossed out.
    #[must_use]
    pub fn without(mut self, gone: &[u64]) -> Self {
        for (cell, &gone) in (0..self.board.marks.len() as u16).zip(gone) {
            for symbol in each(self.board.marks(cell) & gone as Symbols) {
                self.board.eliminate(self.geometry, Candidate { cell, symbol });
            }
        }
        self.clues = self.board.clone();
        self
    }

    /// All steps that are possible after those that the iterator gave, the easiest first: each places or eliminates
    /// something that the ones before do not. Techniques that look for the shortest proof of all have one step, and
    /// bifurcation has one only if there are no others. If the work is spent before the last technique has ended,
    /// [`end`](Self::end) is [`End::Limit`].
    pub fn possible(&mut self) -> Vec<Step> {
        let (mut known, mut steps) = (vec![0; self.geometry.cells()], Vec::new());
        if self.end.is_some() || self.board.contradictions(self.geometry).next().is_some() {
            return steps;
        }
        let allowed: Vec<_> = self.allowed().collect();
        let Steps { geometry, board, left, .. } = self;
        for technique in allowed {
            if technique == techniques::last() && !steps.is_empty() {
                break;
            }
            while steps.len() < left.max_steps && left.max_work > 0 {
                let finder = &mut Finder { geometry, board, known: &known, work: &mut left.max_work };
                let Some(found) = (technique.find)(finder) else { break };
                if !finder.is_new(&found.places) && !finder.is_new(&found.eliminates) {
                    break;
                }
                for &Candidate { cell, symbol } in &found.eliminates {
                    known[usize::from(cell)] |= bit(symbol);
                }
                for &placed in &found.places {
                    known[usize::from(placed.cell)] = geometry.all();
                    for other in geometry.excluded_by(placed) {
                        known[usize::from(other.cell)] |= bit(other.symbol);
                    }
                }
                steps.push(Step::new(technique, found, geometry));
            }
        }
        if left.max_work == 0 {
            self.end = Some(End::Limit);
        }
        steps
    }

    /// The techniques that may be used, the easiest first.
    fn allowed(&self) -> impl Iterator<Item = &'static Technique> + use<> {
        // What makes a solution the only one is known for grids of units.
        let is_unique = self.left.unique && self.geometry.grid.has_only_units();
        let techniques = self.left.techniques;
        techniques.iter().filter(move |technique| is_unique || !technique.needs_uniqueness)
    }

    /// The explanation with the steps that this iterator gave, all of them in order. Unless the steps have come to an
    /// end, it ends with [`End::Limit`].
    pub fn explanation(self, steps: Vec<Step>) -> Explanation {
        let Steps { geometry, clues, board, end, .. } = self;
        let mut explanation = Explanation {
            clues: clues.values.iter().filter(|&&symbol| symbol != 0).count(),
            singles: hidden_singles(geometry, &clues),
            steps,
            end: end.unwrap_or(End::Limit),
            cells: board.values,
        };
        if let End::Contradiction(_) = explanation.end {
            let (steps, dead) = shortest(geometry, &clues, explanation.steps);
            let mut board = clues;
            steps.iter().for_each(|step| board.apply(geometry, step));
            explanation.steps = steps;
            explanation.cells.copy_from_slice(&board.values);
            if let Some(dead) = dead {
                explanation.end = End::Contradiction(dead.impossible(geometry));
            }
        }
        explanation
    }

    /// Finds the next step, or the reason why there is none. Its cost is taken from the limits.
    fn find(&mut self) -> Result<Step, End> {
        let allowed = self.allowed();
        let Steps { geometry, board, left, .. } = self;
        if let Some(dead) = board.contradictions(geometry).next() {
            return Err(End::Contradiction(dead.impossible(geometry)));
        }
        if board.blanks == 0 {
            return Err(End::Solved);
        }
        if left.max_steps == 0 {
            return Err(End::Limit);
        }
        for technique in allowed {
            let finder = &mut Finder { geometry, board, known: &[], work: &mut left.max_work };
            if let Some(found) = (technique.find)(finder) {
                return Ok(Step::new(technique, found, geometry));
            }
            // A harder technique might find something, but an easier one was broken off.
            if left.max_work == 0 {
                return Err(End::Limit);
            }
        }
        Err(if left.techniques.has(techniques::last()) {
            // Bifurcation refutes every candidate that belongs to no solution.
            End::Several
        } else {
            End::Stuck
        })
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.end.is_some() {
            return None;
        }
        match self.find() {
            Ok(step) => {
                self.board.apply(self.geometry, &step);
                self.left.max_steps -= 1;
                Some(step)
            }
            Err(end) => {
                self.end = Some(end);
                None
            }
        }
    }
}

/// Explains the puzzle `cells` (flat: 0 blank, 1..=n) of `rules`. For many puzzles, keep an [`Explainer`].
///
/// # Errors
/// [`Error`].
pub fn explain(rules: &Rules, cells: &[u8], options: &Options) -> Result<Explanation, Error> {
    Explainer::new(rules).explain(cells, options)
}

/// The cells with a symbol that has no other cell in a unit.
fn hidden_singles(geometry: &Geometry, board: &Board) -> usize {
    let mut cells = Vec::new();
    for (number, unit) in geometry.units.iter().enumerate() {
        for symbol in each(board.open(geometry, number)) {
            let places = board.places(number, symbol);
            if places.is_power_of_two() {
                cells.push(unit.cells[places.trailing_zeros() as usize]);
            }
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells.len()
}
