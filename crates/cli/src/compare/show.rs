//! What a contest shows on the terminal.

use std::io::Write;

use galop_compare::Contest;
use galop_report as report;

use crate::messages;
use crate::output::name_stdout;

/// Prints the tables on standard output, and the warnings about them on standard error.
pub(super) fn show(contest: &Contest, is_quiet: bool) -> anyhow::Result<()> {
    // The puzzles on which a pair of engines differs most: all for one pair, a few for a few pairs.
    let most = contest.comparisons.iter().map(|comparison| comparison.engines.len()).max().unwrap_or(0);
    let differences = match most {
        _ if contest.comparisons.len() > 1 => 0,
        ..=2 => usize::MAX,
        3 | 4 => 3,
        _ => 0,
    };
    let text = report::contest_text(contest, &messages::style(), differences);
    let mut stdout = anstream::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(name_stdout)?;
    let has_puzzles = contest.comparisons.iter().any(|comparison| comparison.rules.is_some());
    if differences == 0 && has_puzzles && !is_quiet {
        messages::say(
            "to see where engines differ most, compare fewer engines, or use --report or --per-puzzle",
        );
    }
    if !is_quiet {
        contest.comparisons.iter().flat_map(|comparison| &comparison.warnings).for_each(messages::warn);
    }
    Ok(())
}
