//! The cheapest solution of each puzzle of a problem with costs, by the branch and bound of `galop cover best`.
//!
//! With a limit of two solutions or more, the solutions that cost as little are counted. What a search looked at are its
//! nodes: they stand for guesses. Each puzzle prepares the search anew, with a linear program for its bound.

use std::sync::Arc;

use galop_cover::{Assumptions, CoverLimits, End, ExactCover, OptionId, Rank};

use super::{Each, Engine, Entry, Isa, Search, Unsupported};
use crate::grid::Rules;
use crate::puzzle::{Answer, CHOSEN, Effort, Limits, read_options};

/// Most solutions of the same cost that are counted.
const MOST: u64 = 1 << 16;

/// Finds the cheapest solutions. It is in no table of engines, as its counts are of these alone.
pub static BEST: Entry = Entry {
    about: "problems with costs: the cheapest solution",
    accepts: accept,
    ..Entry::new("best", make)
};

/// Accepts problems.
fn accept(rules: &Rules) -> Result<(), Unsupported> {
    match rules.choices() {
        Some(_) => Ok(()),
        None => Err(Unsupported::Rules { accepts: "exact cover problems", rules: rules.name().to_owned() }),
    }
}

fn make(rules: &Rules, _isa: Isa) -> Result<Box<dyn Engine>, Unsupported> {
    accept(rules)?;
    let problem = Arc::new(rules.cover().clone());
    Ok(Box::new(Each(Best { problem, stride: rules.stride(), assumptions: Assumptions::default() })))
}

struct Best {
    problem: Arc<ExactCover>,
    stride: usize,
    assumptions: Assumptions,
}

impl Search for Best {
    fn cells(&self) -> usize {
        self.stride
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn search(&mut self, puzzle: &[u8], limits: Limits, solution: &mut [u8]) -> Answer {
        if !read_options(puzzle, &mut self.assumptions) {
            return Answer::complete(0);
        }
        let Assumptions { chosen, forbidden } = &self.assumptions;
        let most = limits.max_solutions().min(MOST) as usize;
        let nodes = CoverLimits::NONE.with_nodes(limits.guesses());
        let ranked = self.problem.rank(Rank::Cheapest, most).assume(chosen, forbidden).search(&nodes);
        // The options are the problem's, and there is one thread: only a wrong solution is an error.
        let Ok(ranking) = ranked else { return Answer::default() };
        let effort = Effort { guesses: ranking.nodes, ..Effort::default() };
        let least = ranking.covers.first().map(|cover| cover.cost);
        if let Some(cover) = ranking.covers.first() {
            solution.fill(0);
            cover.options.iter().for_each(|option: &OptionId| solution[option.index()] = CHOSEN);
        }
        // A cover that is not proved to be the best one is none that was asked for.
        let found = ranking.covers.iter().filter(|cover| Some(cover.cost) == least).count() as u64;
        match ranking.end {
            End::Complete => Answer::complete(found).with_effort(effort),
            _ => Answer::limited(0).with_effort(effort),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::engine::{Lister, NextSolution};
    use crate::puzzle::{Answers, Puzzles};

    /// All solutions that fit, by dancing links.
    fn all(rules: &Rules, puzzle: &[u8]) -> Vec<Vec<u8>> {
        let mut lister = Lister::new(rules).unwrap();
        lister.start(puzzle);
        let (mut found, mut options) = (Vec::new(), vec![0; puzzle.len()]);
        while lister.next(&mut options, || false) == NextSolution::Solution {
            found.push(options.clone());
        }
        found
    }

    #[test]
    fn the_cheapest_solution_of_each_puzzle_is_found() {
        let mut chance = Chance::new(5, 0);
        for _ in 0..2_000 {
            let items = 4 + chance.below(3) as usize;
            let names: Vec<String> = (0..items).map(|item| format!("i{item}")).collect();
            let mut text = names.join(" ") + "\n";
            for option in 0..14 {
                let kept: Vec<&str> =
                    names.iter().map(String::as_str).filter(|_| chance.below(3) == 0).collect();
                let kept = if kept.is_empty() { names[option % items].clone() } else { kept.join(" ") };
                text += &format!("{kept} |{}\n", chance.below(6));
            }
            let problem: ExactCover = text.parse().unwrap();
            let rules = Rules::problem(problem.clone());
            let cost = |solution: &[u8]| -> u64 {
                let chosen = (0..).zip(solution).filter(|(_, byte)| **byte == CHOSEN);
                chosen.map(|(option, _)| problem.cost(OptionId(option))).sum()
            };
            let mut best = (BEST.make)(&rules, Isa::best()).unwrap();
            for _ in 0..50 {
                let mut puzzle = vec![0; rules.stride()];
                (0..chance.below(3))
                    .for_each(|_| puzzle[chance.below(14) as usize] = chance.below(2) as u8 + 1);
                let expected = all(&rules, &puzzle);
                let least = expected.iter().map(|solution| cost(solution)).min();
                let (mut solution, mut answer) = (vec![9; puzzle.len()], Answer::default());
                let mut places = Answers::one(&mut solution, &mut answer);
                best.solve(Puzzles::one(&puzzle), Limits::count(50), &mut places).unwrap();
                let as_cheap = expected.iter().filter(|solution| Some(cost(solution)) == least).count();
                assert_eq!(answer.solutions, as_cheap as u64, "{text} {puzzle:?}");
                if let Some(least) = least {
                    assert_eq!((cost(&solution), expected.contains(&solution)), (least, true));
                }
            }
        }
        assert!((BEST.make)(&Rules::default(), Isa::best()).is_err());
    }
}
