//! Which of the puzzles that are made are kept, by their level, their guesses and their class.
//!
//! ```text
//! grid -> thinned to the wished clues -> rated, and its class looked up -> kept
//!   ^                                      |
//!   +------- next grid, or next step <-----+   (a step of a walk: see `Recipe::walks`)
//! ```

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::weigh::Weigher;
use super::{MadePage, NewPuzzle, Recipe};
use crate::engine::default_for;
use crate::error::Error;
use crate::explain::Level;
use crate::puzzle::Puzzles;
use crate::rating::{Rater, TechniqueRater};
use crate::symmetry::{Canonizer, Forms};

/// Which puzzles are kept. The default keeps all.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Puzzles of this level only, as [`rate`](crate::rate()) rates them.
    pub level: Option<Level>,
    /// Puzzles with a number of guesses in this range only, which includes both ends. [`Rater`] counts the guesses of
    /// the fastest engine for the rules.
    pub guesses: Option<RangeInclusive<u64>>,
    /// No puzzles of these classes.
    pub known: Option<Arc<KnownClasses>>,
}

impl Filter {
    /// Whether it keeps all puzzles.
    pub(super) fn is_open(&self) -> bool {
        self.level.is_none() && self.guesses.is_none() && self.known.is_none()
    }

    /// How far a number of guesses is from the wish: 0 if it is met.
    fn distance(&self, guesses: u64) -> u64 {
        let Some(range) = &self.guesses else { return 0 };
        range.start().saturating_sub(guesses).max(guesses.saturating_sub(*range.end()))
    }
}

/// The distance of a puzzle that nothing brings nearer to the wish.
pub(super) const FAR: u64 = u64::MAX;

/// Classes of puzzles, by the keys of their canonical forms: 16 bytes of memory each.
#[derive(Debug, Default)]
pub struct KnownClasses {
    /// Ascending.
    pub(crate) keys: Vec<u128>,
}

impl KnownClasses {
    /// The classes with these keys.
    pub(crate) fn new(mut keys: Vec<u128>) -> KnownClasses {
        keys.sort_unstable();
        keys.dedup();
        KnownClasses { keys }
    }

    /// Whether the class with that key is one of them.
    fn contains(&self, key: u128) -> bool {
        self.keys.binary_search(&key).is_ok()
    }
}

/// Judges puzzles by a filter, many at once.
pub(super) struct Grader {
    rater: Option<Rater>,
    techniques: Option<TechniqueRater>,
    classifier: Option<Classifier>,
    puzzles: Vec<u8>,
    grids: Vec<u8>,
}

/// How far a puzzle is from the wish.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grade {
    /// 0: the puzzle is kept.
    pub(super) distance: u64,
    /// Its guesses, if they were counted.
    pub(super) guesses: Option<u64>,
}

impl Grader {
    /// For puzzles of the recipe; `None` if all are kept.
    ///
    /// # Errors
    /// [`Unsupported`](crate::engine::Unsupported), [`NotSupported`](crate::symmetry::NotSupported).
    pub(super) fn new(recipe: &Recipe) -> Result<Option<Grader>, Error> {
        let Recipe { rules, filter, .. } = recipe;
        if filter.is_open() {
            return Ok(None);
        }
        let rater = filter.guesses.as_ref().map(|_| Rater::new(rules, default_for(rules))).transpose()?;
        let by_techniques = |level| {
            let techniques = TechniqueRater::new(rules, default_for(rules), false);
            techniques.map(|techniques| techniques.up_to(level))
        };
        let techniques = filter.level.map(by_techniques).transpose()?;
        let classifier = filter.known.as_ref().map(|_| Classifier::new(recipe)).transpose()?;
        Ok(Some(Grader { rater, techniques, classifier, puzzles: Vec::new(), grids: Vec::new() }))
    }

    /// Replaces `grades` by the grades of puzzles with one solution each: its grid.
    ///
    /// # Errors
    /// [`ErrorKind::Stopped`](crate::error::ErrorKind::Stopped), [`WrongSolution`](crate::grid::WrongSolution).
    pub(super) fn grade<'p>(
        &mut self,
        filter: &Filter,
        made: impl Iterator<Item = (&'p [u8], &'p [u8])>,
        cells: usize,
        is_stopped: &dyn Fn() -> bool,
        grades: &mut Vec<Grade>,
    ) -> Result<(), Error> {
        self.puzzles.clear();
        self.grids.clear();
        for (puzzle, grid) in made {
            self.puzzles.extend_from_slice(puzzle);
            self.grids.extend_from_slice(grid);
        }
        let (puzzles, grids) = (Puzzles::new(&self.puzzles, cells)?, Puzzles::new(&self.grids, cells)?);
        grades.clear();
        grades.resize(puzzles.len(), Grade { distance: 0, guesses: None });
        if let Some(rater) = &mut self.rater {
            for (grade, rating) in grades.iter_mut().zip(rater.rate(puzzles, is_stopped)?) {
                *grade = Grade { distance: filter.distance(rating.guesses), guesses: Some(rating.guesses) };
            }
        }
        if let Some(techniques) = &mut self.techniques {
            for (grade, rating) in grades.iter_mut().zip(techniques.rate(puzzles, &|_| {}, is_stopped)?) {
                if rating.level() != filter.level {
                    grade.distance = grade.distance.max(FAR - 1);
                }
            }
        }
        if let (Some(classifier), Some(known)) = (&mut self.classifier, &filter.known) {
            for (grade, key) in grades.iter_mut().zip(classifier.keys(puzzles, grids)?) {
                if known.contains(*key) {
                    grade.distance = FAR;
                }
            }
        }
        Ok(())
    }
}

/// Finds the keys of the classes of puzzles.
pub(super) struct Classifier {
    canonizer: Canonizer,
    forms: Forms,
    keys: Vec<u128>,
}

impl Classifier {
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported).
    pub(super) fn new(recipe: &Recipe) -> Result<Classifier, Error> {
        let canonizer = Canonizer::new(&recipe.rules)?;
        Ok(Classifier { canonizer, forms: Forms::default(), keys: Vec::new() })
    }

    /// The keys of puzzles with one solution each: its grid.
    ///
    /// # Errors
    /// [`WrongSize`](crate::symmetry::WrongSize).
    pub(super) fn keys(&mut self, puzzles: Puzzles<'_>, grids: Puzzles<'_>) -> Result<&[u128], Error> {
        self.canonizer.puzzles(puzzles, grids, &|_| true, &mut self.forms)?;
        self.keys.clear();
        // All grids were verified, so each puzzle has a form.
        self.keys.extend(self.forms.iter().map(|form| form.map_or(0, |form| form.key())));
        Ok(&self.keys)
    }
}

/// What else is found out about each puzzle that is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Details {
    /// Its guesses.
    pub guesses: bool,
    /// The key of its class.
    pub keys: bool,
    /// The weight with which it counts in an exact sample of all minimal puzzles. Only minimal 9x9 sudokus that are
    /// made from the top down have weights: puzzles of [`Wish::Minimal`](super::Wish::Minimal) without a symmetry. A
    /// mean of their values by these weights is the mean of all minimal puzzles, but for the error of a sample.
    pub weights: bool,
}

/// Finds the details of puzzles.
pub(super) struct Describer {
    rater: Option<Rater>,
    classifier: Option<Classifier>,
    weigher: Option<Weigher>,
}

impl Describer {
    /// # Errors
    /// The errors of [`Grader::new`].
    pub(super) fn new(recipe: &Recipe) -> Result<Describer, Error> {
        let Recipe { rules, details, is_distinct, .. } = recipe;
        let rater = details.guesses.then(|| Rater::new(rules, default_for(rules))).transpose()?;
        let classifier = (details.keys || *is_distinct).then(|| Classifier::new(recipe)).transpose()?;
        let weigher = details.weights.then(Weigher::new).transpose()?;
        Ok(Describer { rater, classifier, weigher })
    }

    /// Appends the details of `made` to `page`.
    pub(super) fn describe(
        &mut self,
        made: &[NewPuzzle],
        cells: usize,
        page: &mut MadePage,
    ) -> Result<(), Error> {
        let Describer { rater, classifier, weigher } = self;
        if rater.is_none() && classifier.is_none() && weigher.is_none() {
            return Ok(());
        }
        let puzzles: Vec<u8> = made.iter().flat_map(|made| made.puzzle.iter().copied()).collect();
        let puzzles = Puzzles::new(&puzzles, cells)?;
        if let Some(rater) = rater {
            // Puzzles that are made are delivered, even if the run is stopped.
            page.guesses.extend(rater.rate(puzzles, &|| false)?.iter().map(|rating| rating.guesses));
        }
        if let Some(classifier) = classifier {
            let grids: Vec<u8> = made.iter().flat_map(|made| made.grid.iter().copied()).collect();
            page.keys.extend_from_slice(classifier.keys(puzzles, Puzzles::new(&grids, cells)?)?);
        }
        weigher.as_mut().map_or(Ok(()), |weigher| weigher.weigh(made, &mut page.weights))
    }
}
