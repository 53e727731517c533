//! Puzzles as the tasks of a contest.

use std::path::PathBuf;

use galop_batch::input::Source;
use galop_compare::{self as compare, Comparison, Plan, Set};
use galop_engines::Rules;

use super::watcher::Watcher;
use super::{contestants, options};
use crate::args::CompareArgs;
use crate::{messages, plan};

/// Compares engines on the puzzles of `files`.
pub(super) fn compare(
    args: &CompareArgs,
    files: &[PathBuf],
    is_summed: bool,
    watch: &mut Watcher,
) -> anyhow::Result<Comparison> {
    let (mut sources, rules) = plan::inputs(files, &args.input, args.problem.path())?;
    let contestants = contestants::for_puzzles(args, &rules)?;
    let set = read(args, &rules, &mut sources, is_summed)?;
    let is_large = rules.grid().cells() > 81;
    let plan = Plan {
        solutions: args.solutions.most(),
        max_guesses: args.max_guesses.or(is_large.then_some(LARGE_GUESSES)),
        is_permuted: !args.as_is && rules.choices().is_none(),
        ..options::plan(args, contestants)?
    };
    watch.start(args, plan.answers(set.len()));
    Ok(compare::compare(&rules, &set, &plan, watch)?)
}

/// Guesses after which a puzzle larger than 9x9 is given up, unless --max-guesses is given. The usual limits of the
/// engines are out of reach there, and the budget ends a run only between two puzzles. (`grid` needs 10,000 guesses for
/// hard puzzles of 25x25.)
const LARGE_GUESSES: u64 = 1_000_000;

/// All puzzles, or the sample of them.
fn read(args: &CompareArgs, rules: &Rules, sources: &mut [Source], is_summed: bool) -> anyhow::Result<Set> {
    let mut puzzles = Set::new(rules);
    for source in sources {
        puzzles.read(source, &mut |malformed| {
            messages::say(messages::malformed(malformed));
        })?;
        if is_summed {
            puzzles.add_checksum(source)?;
        }
    }
    messages::warn_malformed(puzzles.malformed(), " left out");
    if let Some(count) = args.count {
        puzzles.sample(count, args.seed);
    }
    Ok(puzzles)
}
