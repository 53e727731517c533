//! What a count keeps for a later run: what was counted, and the parts that remain.
//!
//! ```text
//! galop-cover-count: 2                the format and its version
//! solutions: 3120                     counted so far, by all runs
//! nodes: 81934
//! updates: 2200117
//! given: ["--shard 3/10"]             options that must be the same in a later run
//! sharing: parts                      how the search is shared: `none` without --shard
//! parts: 2                            what remains: a line for each part,
//! -1 -2 +7                            solutions without options 1 and 2, and with option 7
//! .                                   all solutions
//! problem:                            the problem, to its end
//! a b c
//! ..
//! ```

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail};
use galop::{Error, ErrorKind, printable};
use galop_cover::{
    Assumptions, CoverLimits, CoverOutcome, End, ExactCover, Natural, OptionId, Sharing, Solver, text,
};

use super::listing::Listing;
use crate::args::CoverArgs;
use crate::output::{self, Destination, Writing, name_sink};
use crate::signals;
use galop_cover::{Observer, Progress};

/// The first line of a file.
const FORMAT: &str = "galop-cover-count: 2";
/// The first line of files of earlier versions, which shared every search and have no line for it.
const FORMER: &str = "galop-cover-count: 1";
/// A part without assumptions.
const ALL: &str = ".";
/// Time between two writes: a run that is killed loses at most as much.
const INTERVAL: Duration = Duration::from_secs(600);

/// What a count keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    solutions: Natural,
    nodes: u64,
    updates: u64,
    /// Options that must be the same in a later run.
    given: Vec<String>,
    /// How the search is shared, if it is.
    sharing: Option<Sharing>,
    open: Vec<Assumptions>,
}

/// Counts the solutions of `parts`, or what remains of them after earlier runs. A search that is shared is so in the same
/// way as in these.
pub(super) fn count(
    path: &Path,
    solver: &mut Solver<'_>,
    (parts, sharing): (Vec<Assumptions>, Option<Sharing>),
    limits: &CoverLimits<'_>,
    listing: &mut Listing<'_>,
) -> anyhow::Result<CoverOutcome> {
    let given = given(listing.args);
    let mut state = match fs::read_to_string(path) {
        Ok(text) => State::read(&text, listing.problem, &given, sharing)
            .map_err(|error| anyhow!("--resume {}: {error}", printable(path)))?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let state = State { given, sharing, open: parts, ..State::default() };
            if state.open.is_empty() {
                save(path, &state, listing)?;
            }
            state
        }
        Err(error) => return Err(anyhow!("--resume {}: {error}", printable(path))),
    };
    let mut run = CoverOutcome::default();
    while !state.open.is_empty() {
        solver.assume_any(&state.open)?;
        let save_at = Instant::now().checked_add(INTERVAL);
        let deadline = limits.deadline.into_iter().chain(save_at).min();
        let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(run.nodes));
        let limits_of_step = limits.with_nodes(nodes).with_deadline(deadline);
        let mut watch = |progress: &Progress| listing.progress(progress);
        let (outcome, open) = solver.search(&limits_of_step).observe(&mut watch).count_and_keep()?;
        state.solutions += &outcome.solutions;
        state.nodes += outcome.nodes;
        state.updates += outcome.updates;
        state.open = open;
        (run.end, run.nodes) = (outcome.end, run.nodes + outcome.nodes);
        save(path, &state, listing)?;
        let is_between =
            run.end == End::Deadline && limits.deadline.is_none_or(|limit| Instant::now() < limit);
        if run.end != End::Complete && !is_between {
            break;
        }
    }
    Ok(CoverOutcome { solutions: state.solutions, nodes: state.nodes, updates: state.updates, ..run })
}

/// The options that select solutions.
fn given(args: &CoverArgs) -> Vec<String> {
    let shard = args.work.shard.map(|shard| format!("--shard {}/{}", shard.index(), shard.count()));
    let with = args.diagram.with.iter().map(|items| format!("--with {items}"));
    let without = args.diagram.without.iter().map(|items| format!("--without {items}"));
    shard.into_iter().chain(with).chain(without).collect()
}

/// Writes the state, so that the file has either the old state or the new one.
fn save(path: &Path, state: &State, listing: &Listing<'_>) -> anyhow::Result<()> {
    let args = listing.args;
    let others: Vec<&Path> = args.files.iter().map(AsRef::as_ref).chain(args.output.as_deref()).collect();
    let writing = Writing { threads: NonZero::new(1), is_quiet: true, ..Writing::default() };
    let named = |error| name_sink(Error::from(ErrorKind::Write(error)), Some(path));
    // A signal may have ended the search: the state is what remains of it.
    let _held = signals::hold_end();
    let mut sink = Destination::new(Some(path), &others, writing)?.sink();
    sink.write_all(state.to_text(listing.problem).as_bytes()).map_err(named)?;
    output::finish(sink, Some(path), output::End::default())?;
    Ok(())
}

impl State {
    fn to_text(&self, problem: &ExactCover) -> String {
        let State { solutions, nodes, updates, given, sharing, open } = self;
        let given = serde_json::json!(given);
        let sharing = name(*sharing);
        let mut text = format!(
            "{FORMAT}\nsolutions: {solutions}\nnodes: {nodes}\nupdates: {updates}\ngiven: {given}\n\
             sharing: {sharing}\nparts: {}\n",
            open.len()
        );
        for part in open {
            let chosen = part.chosen.iter().map(|option| format!("+{option}"));
            let words: Vec<String> =
                chosen.chain(part.forbidden.iter().map(|option| format!("-{option}"))).collect();
            text += if words.is_empty() { ALL } else { "" };
            text += &words.join(" ");
            text.push('\n');
        }
        text + "problem:\n" + &text::to_text(problem)
    }

    /// Reads a state of `problem` that has the same options `given` and is shared in the same way.
    fn read(
        file: &str,
        problem: &ExactCover,
        given: &[String],
        sharing: Option<Sharing>,
    ) -> anyhow::Result<State> {
        let mut lines = file.lines();
        let first = lines.next();
        if first != Some(FORMAT) && first != Some(FORMER) {
            bail!("this is not the state of a count: its first line must be `{FORMAT}`");
        }
        let mut field = |name: &str| {
            let value = lines
                .next()
                .and_then(|line| line.strip_prefix(name))
                .and_then(|rest| rest.strip_prefix(": "));
            value.ok_or_else(|| anyhow!("the line `{name}: ..` is missing"))
        };
        let solutions = field("solutions")?.parse()?;
        let nodes = field("nodes")?.parse()?;
        let updates = field("updates")?.parse()?;
        let before: Vec<String> = serde_json::from_str(field("given")?)?;
        if before != given {
            bail!("this is the count of a run with other options: [{}]", before.join(", "));
        }
        let way = match (first, sharing) {
            (Some(FORMAT), _) => field("sharing")?,
            (_, None) => name(None),
            (_, Some(_)) => "that of an earlier version",
        };
        if way != name(sharing) {
            bail!(
                "this count is shared in another way ({way}, not {}), and the counts of its shards do not add up with \
                 this one: count all shards again by one version of galop",
                name(sharing)
            );
        }
        let parts: usize = field("parts")?.parse()?;
        let open: Vec<Assumptions> =
            lines.by_ref().take(parts).map(read_part).collect::<anyhow::Result<_>>()?;
        if open.len() < parts || lines.next() != Some("problem:") {
            bail!("the file is not complete");
        }
        let (_, of_problem) = file.split_once("\nproblem:\n").unwrap_or_default();
        if of_problem != text::to_text(problem) {
            bail!("this is the count of another problem");
        }
        Ok(State { solutions, nodes, updates, given: before, sharing, open })
    }
}

/// The word for how a search is shared.
fn name(sharing: Option<Sharing>) -> &'static str {
    sharing.map_or("none", Sharing::name)
}

/// Reads the line of a part.
fn read_part(line: &str) -> anyhow::Result<Assumptions> {
    let mut part = Assumptions::default();
    for word in line.split(' ').filter(|&word| word != ALL) {
        let (list, number) = match word.split_at_checked(1) {
            Some(("+", number)) => (&mut part.chosen, number),
            Some(("-", number)) => (&mut part.forbidden, number),
            _ => bail!("`{word}` is not part of a search"),
        };
        list.push(number.parse::<OptionId>()?);
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let problem: ExactCover = "a b\na\nb\na b\n".parse().unwrap();
        let part = |chosen: &[u32], forbidden: &[u32]| Assumptions {
            chosen: chosen.to_vec(),
            forbidden: forbidden.to_vec(),
        };
        let state = State {
            solutions: "340282366920938463463374607431768211456".parse().unwrap(),
            nodes: 7,
            updates: 9,
            given: vec!["--shard 1/3".into(), "--with a \"b\"".into()],
            sharing: Some(Sharing::Parts),
            open: vec![part(&[1], &[0, 2]), part(&[], &[]), part(&[], &[1])],
        };
        let file = state.to_text(&problem);
        assert_eq!(State::read(&file, &problem, &state.given, state.sharing).unwrap(), state);
        let other: ExactCover = "a b\na\nb\n".parse().unwrap();
        let refused = |file: &str, problem: &ExactCover, given: &[String], words: &str| {
            let error = State::read(file, problem, given, state.sharing).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        };
        refused(&file, &other, &state.given, "another problem");
        refused(&file, &problem, &[], "other options: [--shard 1/3, --with a \"b\"]");
        refused("", &problem, &[], "not the state of a count");
        refused(&file.replace("parts: 3", "parts: 2"), &problem, &state.given, "not complete");
        refused(&file.replace("parts: 3", "parts: 9"), &problem, &state.given, "not part of a search");
        refused(&file.replace("+1", "*1"), &problem, &state.given, "`*1` is not part of a search");
        refused(&file.replace("nodes: 7", "node: 7"), &problem, &state.given, "`nodes: ..` is missing");
        for way in ["whole", "repeated", "none"] {
            let other = file.replace("sharing: parts", &format!("sharing: {way}"));
            refused(&other, &problem, &state.given, &format!("another way ({way}, not parts)"));
        }
        // Earlier versions shared every search, in parts of their own.
        let former = file.replace(FORMAT, FORMER).replace("sharing: parts\n", "");
        refused(&former, &problem, &state.given, "that of an earlier version, not parts");
        let whole = State::read(&former, &problem, &state.given, None).unwrap();
        assert_eq!((whole.open, whole.sharing), (state.open, None));
    }
}
