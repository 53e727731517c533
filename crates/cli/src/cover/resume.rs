//! `galop cover count --resume`: a count keeps what it counted and what remains, and a later run goes on from there.
//!
//! With `-o OUT` the state is in `OUT.progress`, a JSON object with these members:
//! ```text
//! solutions   counted so far, by all runs (a string, because it may be large), with `nodes` and `ticks`
//! given       options that must be the same in a later run
//! open        what remains: for each branch the options that a solution must have, and those that it must not have
//! problem     the text of the problem
//! sha256      the checksum of OUT, in `.OUT.complete`: the state of a complete count, by which the same command knows
//!             that nothing is left to be done
//! ```

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use galop_batch::output::OutputSum;
use galop_batch::{Error, ErrorKind, printable};
use galop_cover::{Assumptions, CoverLimits, CoverOutcome, End, Natural, OptionId, Solver, text};
use serde_json::{Value, json};

use super::search::{Aim, Search};
use super::{Question, count, limit_of};
use crate::args::{CountArgs, CountFormat};
use crate::output::{self, Content, Destination, Writing, name_sink};
use crate::progress::Progress;
use crate::{command, exit, input, messages, signals};

/// Time between two writes of the state: a run that is killed loses at most as much.
const INTERVAL: Duration = Duration::from_secs(600);

pub(super) fn run(args: &CountArgs) -> anyhow::Result<ExitCode> {
    let files = input::paths(&args.problems.files)?;
    let [file] = files[..] else { bail!("--resume is for one FILE, but there are {}", files.len()) };
    let Some(out) = args.speaking.writing.output.as_deref().filter(|out| *out != Path::new("-")) else {
        bail!("--resume needs a file for the count: -o FILE");
    };
    let content = if args.format.is_some() { Content::Named } else { Content::Answers };
    output::check_name(out, &files, content)?;
    let question = Question::read(file, &args.problems.given, false)?;
    let search = Search::new(&question, &args.search, args.speaking.verbosity(), Aim::Count)?;
    let Some(mut state) = State::open(out, args, &search, &question)? else {
        if !args.speaking.writing.quiet {
            messages::say(format_args!("{}: complete already", printable(out)));
        }
        return Ok(ExitCode::SUCCESS);
    };
    let limits = question.limits(&args.search.limits, None);
    let mut bar = count::bar(args);
    let report = search.run(&limits, |solver| state.count(solver, &limits, &mut bar));
    bar.finish();
    if report.is_err() {
        state.leave()?;
    }
    let report = report?;
    report.say(args.speaking.verbosity());
    if limit_of(report.outcome.end).is_some() {
        state.say_how_to_go_on();
        return Ok(exit::PARTIAL.into());
    }
    let answer = if args.speaking.writing.format(args.format, CountFormat::USUAL) == CountFormat::Json {
        report.json()
    } else {
        report.count_line()
    };
    write_file(out, &answer, args.speaking.writing.quiet)?;
    state.sha256 = OutputSum::of_file(out)?.sha256;
    write_file(&complete(out), &state.to_text(), true)?;
    let removed = fs::remove_file(&state.path);
    removed.map_err(|error| name_sink(ErrorKind::Write(error).into(), Some(&state.path)))?;
    Ok(ExitCode::SUCCESS)
}

/// The file of the state of a count that is complete.
fn complete(out: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(out.file_name().unwrap_or_default());
    name.push(".complete");
    out.with_file_name(name)
}

/// Writes a file, so that it has either its old bytes or the new ones.
fn write_file(path: &Path, text: &str, is_quiet: bool) -> anyhow::Result<()> {
    let named = |error| name_sink(Error::from(ErrorKind::Write(error)), Some(path));
    // A signal may have ended the search: what it found is written nevertheless.
    let _held = signals::hold_end();
    // The name of the answer was checked, and the state has one of its own.
    let mut sink = Destination::new(Some(path), &[], Writing::of(Content::Named, is_quiet))?.sink();
    sink.write_all(text.as_bytes()).map_err(named)?;
    output::finish(sink, Some(path), output::End::default())?;
    Ok(())
}

/// What a count keeps.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct State {
    path: PathBuf,
    solutions: Natural,
    nodes: u64,
    ticks: u64,
    /// Options that must be the same in a later run.
    given: Vec<String>,
    open: Vec<Assumptions>,
    problem: String,
    /// The checksum of the output, if it is complete.
    sha256: String,
}

impl State {
    /// The state that an earlier run left, or the beginning of the search; `None` if the count is complete.
    fn open(
        out: &Path,
        args: &CountArgs,
        search: &Search<'_>,
        question: &Question<'_>,
    ) -> anyhow::Result<Option<State>> {
        let mut path = OsString::from(out);
        path.push(".progress");
        let open =
            search.shard.as_ref().map_or_else(|| vec![question.assumptions.clone()], |shard| shard.1.clone());
        let problem = text::to_text(&question.problem);
        let state =
            State { path: path.into(), given: given(args, search), open, problem, ..State::default() };
        signals::set_last_words(&state.how_to_go_on(), &state.path);
        let state = match fs::read_to_string(&state.path) {
            Ok(text) => return state.read(&text).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => state,
            Err(error) => return Err(Error::from(ErrorKind::Read(error)).in_file(&state.path).into()),
        };
        if out.exists() {
            let finished =
                fs::read_to_string(complete(out)).ok().and_then(|text| state.clone().read(&text).ok());
            let sum = OutputSum::of_file(out)?.sha256;
            if finished.is_some_and(|finished| finished.sha256 == sum) {
                return Ok(None);
            }
            let out = printable(out);
            bail!("{out}: already exists, and is not the complete output of this count");
        }
        state.save()?;
        Ok(Some(state))
    }

    /// Reads the state of an earlier run of the same count.
    fn read(self, text: &str) -> anyhow::Result<State> {
        let name = printable(&self.path).to_string();
        let (given, problem, path) = (self.given, self.problem, self.path);
        let state = State::parse(text, path)
            .with_context(|| anyhow!("{name}: this is not the state of a count; remove it to begin again"))?;
        if state.problem != problem {
            bail!("{name}: this is the count of another problem");
        }
        if state.given != given {
            bail!("{name}: this is the count of a run with other options: [{}]", state.given.join(", "));
        }
        Ok(state)
    }

    fn parse(text: &str, path: PathBuf) -> Option<State> {
        let value: Value = serde_json::from_str(text).ok()?;
        let number = |name: &str| value[name].as_u64();
        let options = |list: &Value| -> Option<Vec<OptionId>> {
            list.as_array()?.iter().map(|option| Some(OptionId(option.as_u64()?.try_into().ok()?))).collect()
        };
        let branch = |branch: &Value| {
            Some(Assumptions { chosen: options(&branch[0])?, forbidden: options(&branch[1])? })
        };
        let word = |word: &Value| word.as_str().map(str::to_owned);
        Some(State {
            path,
            solutions: value["solutions"].as_str()?.parse().ok()?,
            nodes: number("nodes")?,
            ticks: number("ticks")?,
            given: value["given"].as_array()?.iter().map(word).collect::<Option<_>>()?,
            open: value["open"].as_array()?.iter().map(branch).collect::<Option<_>>()?,
            problem: word(&value["problem"])?,
            sha256: word(&value["sha256"])?,
        })
    }

    fn to_text(&self) -> String {
        let numbers = |options: &[OptionId]| options.iter().map(|option| option.0).collect::<Vec<u32>>();
        let branch = |branch: &Assumptions| json!([numbers(&branch.chosen), numbers(&branch.forbidden)]);
        let open: Vec<_> = self.open.iter().map(branch).collect();
        let object = json!({
            "solutions": self.solutions.to_string(),
            "nodes": self.nodes,
            "ticks": self.ticks,
            "given": self.given,
            "open": open,
            "problem": self.problem,
            "sha256": self.sha256,
        });
        format!("{object}\n")
    }

    fn save(&self) -> anyhow::Result<()> {
        write_file(&self.path, &self.to_text(), true)
    }

    /// Counts what remains, and keeps the state.
    fn count(
        &mut self,
        solver: &mut Solver<'_>,
        limits: &CoverLimits<'_>,
        bar: &mut Progress,
    ) -> anyhow::Result<CoverOutcome> {
        let mut run = CoverOutcome::default();
        while !self.open.is_empty() {
            solver.assume_any(&self.open)?;
            let save_at = Instant::now().checked_add(INTERVAL);
            let deadline = limits.deadline.into_iter().chain(save_at).min();
            let nodes = limits.nodes.map(|nodes| nodes.saturating_sub(run.nodes));
            let limits_of_step = limits.with_nodes(nodes).with_deadline(deadline);
            let mut watch = |searched: &galop_cover::Progress| count::show(bar, searched);
            let (outcome, open) = solver.search(&limits_of_step).observe(&mut watch).count_and_keep()?;
            self.solutions += &outcome.solutions;
            self.nodes += outcome.nodes;
            self.ticks += outcome.ticks;
            self.open = open;
            (run.end, run.nodes) = (outcome.end, run.nodes + outcome.nodes);
            self.save()?;
            let is_between =
                run.end == End::Deadline && limits.deadline.is_none_or(|limit| Instant::now() < limit);
            if run.end != End::Complete && !is_between {
                break;
            }
        }
        Ok(CoverOutcome { solutions: self.solutions.clone(), nodes: self.nodes, ticks: self.ticks, ..run })
    }

    fn how_to_go_on(&self) -> String {
        let path = printable(&self.path);
        format!("galop: the count so far is in {path}; to continue: {}", command::typed())
    }

    /// Keeps what was counted, and says so. A count that cannot begin leaves no state.
    fn leave(&self) -> anyhow::Result<()> {
        if self.nodes > 0 || signals::STOP.load(Ordering::Relaxed) {
            self.say_how_to_go_on();
            return Ok(());
        }
        let removed = fs::remove_file(&self.path);
        removed.map_err(|error| name_sink(ErrorKind::Write(error).into(), Some(&self.path)))
    }

    fn say_how_to_go_on(&self) {
        messages::say(self.how_to_go_on());
    }
}

/// The options that select solutions, and how the search is shared: a later run must have the same.
fn given(args: &CountArgs, search: &Search<'_>) -> Vec<String> {
    let given = &args.problems.given;
    let shard = args.search.shard.zip(search.shard.as_ref()).map(|(shard, (sharing, _))| {
        format!("--shard {}/{} ({})", shard.index(), shard.count(), sharing.name())
    });
    let with = given.with.iter().map(|items| format!("--with {items}"));
    let without = given.without.iter().map(|items| format!("--without {items}"));
    shard.into_iter().chain(with).chain(without).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let branch = |chosen: &[u32], forbidden: &[u32]| Assumptions {
            chosen: chosen.iter().map(|&option| OptionId(option)).collect(),
            forbidden: forbidden.iter().map(|&option| OptionId(option)).collect(),
        };
        let state = State {
            path: "out.progress".into(),
            solutions: "340282366920938463463374607431768211456".parse().unwrap(),
            nodes: 7,
            ticks: 9,
            given: vec!["--shard 1/3 (parts)".into(), "--with a \"b\"".into()],
            open: vec![branch(&[1], &[0, 2]), branch(&[], &[]), branch(&[], &[1])],
            problem: "a b\na\nb\na b\n".into(),
            sha256: String::new(),
        };
        let file = state.to_text();
        assert_eq!(state.clone().read(&file).unwrap(), state);
        let begun = |given: &[String], problem: &str| State {
            given: given.to_vec(),
            problem: problem.into(),
            ..state.clone()
        };
        for (file, begun, words) in [
            (&*file, begun(&state.given, "a b\na\nb\n"), "another problem"),
            (&file, begun(&[], &state.problem), "other options: [--shard 1/3 (parts), --with a \"b\"]"),
            ("", state.clone(), "not the state of a count"),
            (&file.replace("[[1],[0,2]]", "[[1]]"), state.clone(), "not the state of a count"),
            (&file.replace("\"nodes\"", "\"node\""), state.clone(), "not the state of a count"),
        ] {
            let error = begun.read(file).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
