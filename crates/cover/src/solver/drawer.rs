//! Random solutions of one problem.
//!
//! If the problem has a diagram of all solutions that is small, a solution is drawn from it, and all are exactly equally likely. Otherwise
//! each draw searches with restarts, and some solutions are likelier than others: the options are put in a random order,
//! the first of them that do not clash are chosen, and a search tries the others in that order. A search that takes too
//! long, or finds that the choices were wrong, is followed by one with another order, fewer choices and twice the nodes.
//! A search without choices that ends has proved that there is no solution.
//!
//! No clock and no setting of the machine plays a part, so a seed gives the same solution everywhere.

use std::ops::Deref;
use std::sync::Arc;

use galop_simd::Isa;

use crate::chance::Chance;
use crate::diagram::Diagram;
use crate::engine::{LINKS, Step, Stepper, sparse};
use crate::error::CoverError;
use crate::problem::CoverChecker;
use crate::{Assumptions, CoverLimits, ExactCover, OptionId};

/// Nodes times options of the search for the diagram, and its least and most nodes: up to a second.
const DIAGRAM_WORK: u64 = 400_000_000;
const DIAGRAM_NODES: [u64; 2] = [50_000, 500_000];
/// Bytes of the diagram and of the search for it. The limit on nodes is reached first, unless options are very large.
const DIAGRAM_BYTES: u64 = 1 << 28;

/// Options chosen at random before the first search of a draw. Every second search has one less.
const CHOICES: usize = 3;
/// Nodes of the first search of a draw, and the number of searches. Each has twice the nodes of the one before: the draw
/// gives up after 4,000,000 nodes.
const FIRST_NODES: u64 = 1000;
const SEARCHES: usize = 12;
/// Nodes between two looks whether the draw is to stop.
const STOP_CHECK_NODES: u64 = 4096;

/// Draws random solutions of a problem.
///
/// ```
/// use galop_cover::{Drawer, Drawn, models};
///
/// let queens = models::queens(30)?;
/// let mut drawer = Drawer::new(&queens);
/// assert!(!drawer.is_uniform()); // its diagram is too large
/// let Drawn::Solution(one) = drawer.draw(1, &|| false)? else { panic!("no solution found") };
/// assert_eq!(one.len(), 30);
/// assert_eq!(drawer.draw(1, &|| false)?, Drawn::Solution(one)); // the same seed, the same solution
/// # Ok::<(), galop_cover::CoverError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Drawer<P> {
    /// A reference to the problem, or a share in it.
    problem: P,
    checker: CoverChecker<P>,
    /// Clones share it.
    diagram: Option<Arc<Diagram>>,
}

/// What a draw found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// A random solution, its options ascending.
    Solution(Vec<OptionId>),
    /// The problem has no solution: this is proved.
    NoSolution,
    /// No solution was found within the nodes of a draw. Another seed may find one.
    GaveUp,
    /// The caller stopped the draw.
    Stopped,
}

impl<P: Deref<Target = ExactCover> + Clone> Drawer<P> {
    /// Tries to build the diagram of all solutions of `problem`, which can take a second and 256 MiB.
    pub fn new(problem: P) -> Drawer<P> {
        let [least, most] = DIAGRAM_NODES;
        let nodes = (DIAGRAM_WORK / problem.option_count().max(1) as u64).clamp(least, most);
        let limits = CoverLimits::NONE.with_nodes(nodes);
        let diagram = Diagram::build(&problem, &limits, Some(DIAGRAM_BYTES)).ok().map(Arc::new);
        Drawer { checker: CoverChecker::new(problem.clone()), problem, diagram }
    }

    /// Whether every solution is equally likely: the diagram of all solutions was small enough.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.diagram.is_some()
    }

    /// A random solution. The problem and the seed determine it, whatever was drawn before. The draw looks at
    /// `is_stopped` every few thousand nodes.
    ///
    /// # Errors
    /// [`CoverError::Unsuitable`] if the problem is too large for the engine, and [`CoverError::WrongCover`] if the
    /// solution fails its check, which is a bug.
    pub fn draw(&mut self, seed: u64, is_stopped: &dyn Fn() -> bool) -> Result<Drawn, CoverError> {
        let (engine, drawn) = match &self.diagram {
            Some(diagram) => {
                ("diagram", diagram.sample(seed).next().map_or(Drawn::NoSolution, Drawn::Solution))
            }
            None => search(&self.problem, seed, is_stopped)?,
        };
        if let Drawn::Solution(options) = &drawn
            && let Err(violation) = self.checker.check(options, &Assumptions::default())
        {
            return Err(CoverError::WrongCover { engine, options: options.clone(), violation });
        }
        Ok(drawn)
    }
}

/// Searches with restarts. Returns the name of the engine, too.
fn search(
    problem: &ExactCover,
    seed: u64,
    is_stopped: &dyn Fn() -> bool,
) -> Result<(&'static str, Drawn), CoverError> {
    // Both are built in linear time: each search has an engine of its own.
    let entry = if problem.is_simple() { &sparse::ENTRY } else { &LINKS };
    let (mut chance, mut order) = (Chance::new(seed), Vec::new());
    let mut shuffled = problem.without_names();
    for turn in 0..SEARCHES {
        let choices = CHOICES.saturating_sub(turn / 2);
        shuffle(problem, &mut chance, &mut order, &mut shuffled);
        let assumptions = choose(&shuffled, choices);
        let mut stepper = Stepper::new(&shuffled, entry, Isa::best())
            .map_err(|why| CoverError::Unsuitable { engine: entry.name, why })?;
        stepper.start(&assumptions, u64::MAX);
        let nodes = FIRST_NODES << turn;
        while stepper.nodes() < nodes {
            if is_stopped() {
                return Ok((entry.name, Drawn::Stopped));
            }
            match stepper.next(STOP_CHECK_NODES.min(nodes - stepper.nodes())) {
                Step::Solution => {
                    let mut options: Vec<OptionId> =
                        stepper.solution().iter().map(|option| order[option.index()]).collect();
                    options.sort_unstable();
                    return Ok((entry.name, Drawn::Solution(options)));
                }
                Step::End if choices == 0 => return Ok((entry.name, Drawn::NoSolution)),
                Step::End => break,
                Step::Stopped => {}
            }
        }
    }
    Ok((entry.name, Drawn::GaveUp))
}

/// Puts the options of `problem` in a random order, and writes them to `shuffled`.
fn shuffle(problem: &ExactCover, chance: &mut Chance, order: &mut Vec<OptionId>, shuffled: &mut ExactCover) {
    order.clear();
    order.extend((0..problem.option_count() as u32).map(OptionId));
    chance.shuffle(order);
    let ExactCover { terms, starts, .. } = shuffled;
    terms.clear();
    starts.truncate(1);
    for &option in &*order {
        terms.extend_from_slice(problem.option(option));
        starts.push(terms.len() as u32);
    }
}

/// The first `count` options that do not clash with each other.
fn choose(problem: &ExactCover, count: usize) -> Assumptions {
    let mut assumptions = Assumptions::default();
    let chosen = &mut assumptions.chosen;
    let mut options = (0..problem.option_count() as u32).map(OptionId);
    while chosen.len() < count
        && let Some(option) =
            options.find(|&option| !chosen.iter().any(|&other| problem.clash(option, other)))
    {
        chosen.push(option);
    }
    assumptions
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::tests::{brute_force, made, problems};

    /// A drawer that has no diagram.
    fn restarting(problem: &ExactCover) -> Drawer<&ExactCover> {
        Drawer { problem, checker: CoverChecker::new(problem), diagram: None }
    }

    /// How often each solution is drawn with the seeds `0..draws`.
    fn tally(drawer: &mut Drawer<&ExactCover>, draws: u64) -> BTreeMap<Vec<OptionId>, u32> {
        let mut times = BTreeMap::new();
        for seed in 0..draws {
            let drawn = drawer.draw(seed, &|| false).unwrap();
            assert_eq!(drawer.draw(seed, &|| false).unwrap(), drawn);
            let Drawn::Solution(options) = drawn else { panic!("{drawn:?}") };
            *times.entry(options).or_insert(0) += 1;
        }
        times
    }

    #[test]
    fn uniform_draws_are_equally_likely() {
        for (words, solutions) in [("queens 8", 92), ("dominoes 4x4", 36), ("langford 7", 52)] {
            let problem = made(words);
            let mut drawer = Drawer::new(&problem);
            assert!(drawer.is_uniform());
            let times = tally(&mut drawer, 100 * solutions);
            let square: f64 = times.values().map(|&times| (f64::from(times) - 100.0).powi(2) / 100.0).sum();
            // Its mean is one less than the number of solutions.
            assert!(times.len() as u64 == solutions && square < 1.6 * solutions as f64, "{words}: {square}");
        }
    }

    #[test]
    fn restarts_find_many_solutions() {
        for words in ["queens 30", "latin 10", "latin 20", "langford 16", "pentominoes 6x10"] {
            let problem = made(words);
            assert!(tally(&mut restarting(&problem), 20).len() >= 19, "{words}");
        }
    }

    #[test]
    fn a_draw_stops_or_gives_up() {
        let problem = made("langford 14");
        let mut drawer = restarting(&problem);
        let looks = std::cell::Cell::new(0);
        assert_eq!(drawer.draw(1, &|| looks.replace(looks.get() + 1) == 20).unwrap(), Drawn::Stopped);
        assert_eq!(drawer.draw(1, &|| false).unwrap(), Drawn::GaveUp);
    }

    proptest! {
        #[test]
        fn a_solution_is_drawn_or_it_is_proved_that_there_is_none(problem in problems(), seed in any::<u64>()) {
            let solutions = brute_force(&problem);
            for mut drawer in [Drawer::new(&problem), restarting(&problem)] {
                match drawer.draw(seed, &|| false).unwrap() {
                    Drawn::Solution(options) => prop_assert!(solutions.contains(&options)),
                    drawn => prop_assert!(drawn == Drawn::NoSolution && solutions.is_empty(), "{drawn:?}"),
                }
            }
        }
    }
}
