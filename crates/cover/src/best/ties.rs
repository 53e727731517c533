//! The first of very many covers of the same cost.
//!
//! A search that finds hundreds of covers with the cost of the last one of its list stops looking for more of them
//! ([`cutoff`](super::cutoff)). Otherwise problems in which all options cost the same would never end. It still proves
//! which costs the best covers have. Which covers of the last cost come first is then found here.
//!
//! The first cover in the order of options is built from its first option on. An option belongs to it if a cover exists
//! that contains it, together with the options decided before; a search for any such cover answers that. The last cover
//! found is kept as a witness: its options need no search. The next cover in the order is found likewise. It is the
//! first one that lacks the last option of the cover before, if there is one, or else the last but one, and so on.

use super::cutoff::Shared;
use crate::error::CoverError;
use crate::{Assumptions, CoverLimits, End, OptionId, Solver};

/// Replaces the covers of the last cost by the first ones of that cost. Returns what ended it, and the nodes it took.
pub(super) fn sort(
    search: &mut Solver<'_>,
    shared: &Shared,
    limits: &CoverLimits<'_>,
) -> Result<(End, u64), CoverError> {
    let Some((cost, count)) = shared.keep_ties(None) else { return Ok((End::Complete, 0)) };
    let given = search.assumptions().clone();
    let mut order = Order { search, limits: *limits, nodes: 0, given };
    let mut ties = Vec::new();
    let mut cover = order.first(Vec::new(), OptionId(0), None);
    let end = loop {
        match cover {
            Err(NoCover::Limit(end)) => break end,
            Err(NoCover::Error(error)) => return Err(error),
            Ok(None) => break End::Complete,
            Ok(Some(options)) => {
                if shared.costs.sum(&options) == cost {
                    ties.push(options.clone());
                }
                if ties.len() == count {
                    break End::Complete;
                }
                cover = order.after(&options);
            }
        }
    };
    let nodes = order.nodes;
    if end == End::Complete {
        shared.keep_ties(Some(ties));
    }
    Ok((end, nodes))
}

/// Why no cover was returned.
enum NoCover {
    Limit(End),
    Error(CoverError),
}

/// Covers that are good enough, in the order of options.
struct Order<'s, 'p, 'l> {
    search: &'s mut Solver<'p>,
    limits: CoverLimits<'l>,
    nodes: u64,
    /// The assumptions of the whole search.
    given: Assumptions,
}

impl Order<'_, '_, '_> {
    /// The first cover that has, of the options before `next`, exactly the options of `chosen`; `witness` is such a
    /// cover.
    fn first(
        &mut self,
        mut chosen: Vec<OptionId>,
        next: OptionId,
        witness: Option<Vec<OptionId>>,
    ) -> Result<Option<Vec<OptionId>>, NoCover> {
        let witness = match witness {
            Some(witness) => Some(witness),
            None => self.find(&chosen, next)?,
        };
        let Some(mut witness) = witness else { return Ok(None) };
        let options = self.search.problem().option_count() as u32;
        for option in (next.0..options).map(OptionId) {
            if chosen.len() == witness.len() {
                break;
            }
            let is_in = witness.binary_search(&option).is_ok() || {
                let problem = self.search.problem();
                let clashes = chosen.iter().any(|&other| problem.clash(option, other));
                let better = if clashes {
                    None
                } else {
                    chosen.push(option);
                    let better = self.find(&chosen, OptionId(option.0 + 1))?;
                    chosen.pop();
                    better
                };
                let is_better = better.is_some();
                witness = better.unwrap_or(witness);
                is_better
            };
            if is_in {
                chosen.push(option);
            }
        }
        Ok(Some(witness))
    }

    /// The first cover after `cover`.
    fn after(&mut self, cover: &[OptionId]) -> Result<Option<Vec<OptionId>>, NoCover> {
        for (index, &option) in cover.iter().enumerate().rev() {
            let chosen = cover[..index].to_vec();
            if let Some(witness) = self.find(&chosen, OptionId(option.0 + 1))? {
                return self.first(chosen, OptionId(option.0 + 1), Some(witness));
            }
        }
        Ok(None)
    }

    /// Any cover that has, of the options before `next`, exactly the options of `chosen`, ascending.
    fn find(&mut self, chosen: &[OptionId], next: OptionId) -> Result<Option<Vec<OptionId>>, NoCover> {
        let forbidden: Vec<OptionId> =
            (0..next.0).map(OptionId).filter(|option| chosen.binary_search(option).is_err()).collect();
        let chosen = [chosen, &self.given.chosen].concat();
        let forbidden = [&forbidden, &self.given.forbidden[..]].concat();
        self.search.assume(&chosen, &forbidden).map_err(NoCover::Error)?;
        let nodes = self.limits.nodes.map(|most| most.saturating_sub(self.nodes));
        let limits = CoverLimits { nodes, ..self.limits };
        let cover = self.search.search(&limits).first().map_err(NoCover::Error)?;
        self.nodes += self.search.outcome().nodes;
        match (cover, self.search.outcome().end) {
            (Some(cover), _) => Ok(Some(cover)),
            (None, End::Complete) => Ok(None),
            (None, end) => Err(NoCover::Limit(end)),
        }
    }
}
