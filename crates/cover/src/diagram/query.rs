//! Questions about all solutions at once: each is one pass over the nodes.

use super::Diagram;
use crate::Natural;

impl Diagram {
    /// The number of solutions.
    pub fn count(&self) -> Natural {
        self.counts().last().cloned().unwrap_or_default()
    }

    /// The number of solutions of every node, counted once.
    pub(super) fn counts(&self) -> &[Natural] {
        self.counts.get_or_init(|| self.count_nodes())
    }

    fn count_nodes(&self) -> Vec<Natural> {
        let mut counts: Vec<Natural> = Vec::with_capacity(self.nodes.len());
        for node in 0..self.nodes.len() {
            let mut sum = Natural::ZERO;
            for branch in self.nodes.branches(node) {
                match *branch.children {
                    [child] => sum += &counts[child as usize],
                    _ => sum += &product(&counts, branch.children),
                }
            }
            counts.push(sum);
        }
        counts
    }

    /// How many solutions contain each option, in the order of the options.
    ///
    /// ```
    /// use galop_cover::{CoverLimits, diagram::Diagram, models};
    ///
    /// let dominoes = models::dominoes(2, 3)?;
    /// let diagram = Diagram::build(&dominoes, &CoverLimits::NONE, None)?;
    /// // Of the three tilings, two have a horizontal domino in the first row.
    /// assert_eq!((diagram.count().to_string(), diagram.marginals()[0].to_string()), ("3".into(), "2".into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn marginals(&self) -> Vec<Natural> {
        let counts = self.counts();
        let mut marginals = vec![Natural::ZERO; self.problem.option_count()];
        // How many ways lead from the root to each node, with all that is independent of it on the way.
        let mut ways = vec![Natural::ZERO; self.nodes.len()];
        ways.last_mut().into_iter().for_each(|root| *root = Natural::ONE);
        let mut behind = Vec::new();
        for node in (0..self.nodes.len()).rev() {
            let above = std::mem::take(&mut ways[node]);
            for branch in self.nodes.branches(node) {
                // The ways with the solutions of the children behind each child, the last child first.
                behind.clear();
                behind.push(above.clone());
                for (&child, place) in branch.children.iter().rev().zip(0..) {
                    behind.push(&behind[place] * &counts[child as usize]);
                }
                let solutions = behind.pop().unwrap_or_default();
                branch.options.iter().for_each(|&option| marginals[option as usize] += &solutions);
                let mut before = Natural::ONE;
                for (&child, behind) in branch.children.iter().zip(behind.iter().rev()) {
                    ways[child as usize] += &(&before * behind);
                    before = &before * &counts[child as usize];
                }
            }
        }
        marginals
    }
}

/// The number of ways to take one solution of each child.
pub(super) fn product(counts: &[Natural], children: &[u32]) -> Natural {
    let mut factors = children.iter().map(|&child| &counts[child as usize]);
    let first = factors.next().cloned().unwrap_or(Natural::ONE);
    factors.fold(first, |product, factor| &product * factor)
}
