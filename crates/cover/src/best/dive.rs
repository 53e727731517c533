//! A cover close to the linear program of the root: its rounding.
//!
//! Branch and bound alone tries options by reduced costs, and all options that the program takes have none. With a cover
//! that is nearly the best one, reduced costs remove most options at the root.
//!
//! The option is chosen of which the program takes the most, but not all, and what follows from it; then the program of
//! what is left is solved, until it takes all options whole. An option that leaves no cover is excluded. (A dive;
//! Achterberg, "Constraint Integer Programming", 2007, section 9.2.) Rosters for 5 with costs take .05 s; before, no
//! cover of them was found in 20 s. Crews for 250 legs take .07 s; before, 5 s did not do.
//!
//! Tried and lost
//! - To choose first what the program takes whole: it cannot change its mind then, and of rosters for 10 one in three had
//!   a cover after 30 steps back, and none more after 300.
//! - The search that learns clauses, with the options that reduced costs leave: it finds covers at once, at 1.5 to 5 times
//!   the cost.

use super::prices::Prices;
use super::remainder::{Mark, Remainder};
use crate::OptionId;
use crate::engine::{Meter, Stop};

/// The share from which an option is taken whole. Such options are chosen last, without further programs.
const NEARLY_ALL: f64 = 0.99;
/// How far the sum of shares may be from a whole number.
const TOLERANCE: f64 = 1e-6;
/// Options that leave no cover, after which rounding is given up.
const MOST_EXCLUDED: u32 = 30;

/// Rounds the linear program to a cover of at most `limit`. Returns whether `state` is one; if not, it is somewhere
/// below. The prices are others afterwards. `is_solved` says whether the program of `state` was the last one solved.
pub(super) fn round(
    state: &mut Remainder,
    prices: &mut Prices,
    limit: i64,
    mut is_solved: bool,
    meter: &mut Meter<'_>,
) -> Result<bool, Stop> {
    let root_prices = prices.all().to_vec();
    let mut is_whole = false;
    let mut excluded = 0;
    let mut choices: Vec<(Mark, OptionId)> = Vec::new();
    while !state.live().is_empty() || prices.spent(state) > limit {
        let rank = |share: f64| if share < NEARLY_ALL { 2.0 + share } else { share };
        let shares = prices.shares.iter().filter(|&&(_, option)| state.is_live(option.0));
        let most = shares.max_by(|one, other| rank(one.0).total_cmp(&rank(other.0)));
        let mut is_possible = match most {
            Some(&(share, option)) if is_solved || is_whole => {
                is_whole = share >= NEARLY_ALL;
                choices.push((state.mark(), option));
                state.choose(option.0);
                is_solved = false;
                state.propagate().is_ok()
            }
            _ if is_solved || state.live().is_empty() => false,
            _ => {
                is_solved = true;
                let bound = prices.evaluate(state);
                prices.solve(state, bound, limit, meter)? <= limit && covers(state, &prices.shares)
            }
        };
        while !is_possible {
            excluded += 1;
            let Some((mut mark, option)) = choices.pop().filter(|_| excluded <= MOST_EXCLUDED) else {
                return Ok(false);
            };
            state.backtrack(mark);
            state.exclude(option.0, &mut mark);
            prices.set_all(&root_prices);
            (is_solved, is_whole) = (false, false);
            is_possible = state.propagate().is_ok();
        }
    }
    Ok(true)
}

/// Whether shares of options cover every item as often as it must be and may be. If not, there is no cover.
fn covers(state: &Remainder, shares: &[(f64, OptionId)]) -> bool {
    let mut sums = vec![0.0; state.problem().item_count()];
    for &(share, option) in shares {
        state.terms(option.0).iter().for_each(|term| sums[term.item.index()] += share);
    }
    state.open().iter().all(|&item| {
        let sum = sums[item as usize];
        sum > state.need(item) as f64 - TOLERANCE && sum < state.room(item) as f64 + TOLERANCE
    })
}
