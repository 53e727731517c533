//! Who takes part: what --engines and --command name.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use galop_batch::output::OutputSum;
use galop_compare::{By, Contestant, ProgramInfo};
use galop_cover::Choice;
use galop_cover::engine as cover_engine;
use galop_engines::Rules;

use crate::args::{CompareArgs, EngineName, NamedCommand, NamedEngine};
use crate::plan::{accepted, accepts};

/// Who takes part in a comparison on puzzles. `all` are the engines that accept the rules.
pub(super) fn for_puzzles(args: &CompareArgs, rules: &Rules) -> anyhow::Result<Vec<Contestant>> {
    let mut contestants: Vec<Contestant> = Vec::new();
    if args.engines.is_empty() {
        contestants.extend(galop_engines::engine::compared_for(rules).iter().copied().map(Contestant::from));
    }
    for name in named_engines(args)? {
        match name.engine {
            NamedEngine::All => {
                let all = galop_published::every().filter(|entry| accepts(entry, rules));
                contestants.extend(all.map(Contestant::from));
            }
            NamedEngine::Named { puzzles: Some(entry), .. } => {
                let entry = accepted(entry, rules, "--engines")?;
                let is_own = name.isa.is_some() || name.threads.is_some();
                let shown = if is_own { &*name.name } else { entry.name };
                contestants.push(variant(shown, By::Engine(entry), &name));
            }
            NamedEngine::Named { .. } | NamedEngine::Auto | NamedEngine::Best => {
                bail!("--engines {}: it solves exact cover problems (files .dlx)", name.name)
            }
        }
    }
    if rules.choices().is_some() && !args.command.is_empty() {
        bail!("--command gives a program grids, so --problem does not apply");
    }
    with_programs(contestants, args)
}

/// Who takes part in a comparison on exact cover problems. `all` are `auto` and the engines, or `best` if the cheapest
/// cover is searched.
pub(super) fn for_problems(args: &CompareArgs) -> anyhow::Result<Vec<Contestant>> {
    let auto = || Contestant::new("auto", By::Cover(Choice::Auto));
    let best = || Contestant::new("best", By::Cheapest);
    let engine = |entry| By::Cover(Choice::Engine(entry));
    let all = || -> Vec<Contestant> {
        if args.best {
            return vec![best()];
        }
        let engines = cover_engine::ENGINES.iter().map(|entry| Contestant::new(entry.name, engine(entry)));
        [auto()].into_iter().chain(engines).collect()
    };
    let mut contestants: Vec<Contestant> = Vec::new();
    if args.engines.is_empty() {
        contestants = all();
    }
    for name in named_engines(args)? {
        let by = match name.engine {
            NamedEngine::All => {
                contestants.extend(all());
                continue;
            }
            NamedEngine::Best if args.best => By::Cheapest,
            NamedEngine::Best => bail!("--engines {}: it finds cheapest covers; add --best", name.name),
            NamedEngine::Named { covers: None, .. } => {
                bail!("--engines {}: it solves puzzles, not exact cover problems", name.name)
            }
            _ if args.best => {
                bail!(
                    "--engines {}: it counts solutions; of galop, only `best` finds the cheapest",
                    name.name
                )
            }
            NamedEngine::Auto => By::Cover(Choice::Auto),
            NamedEngine::Named { covers: Some(entry), .. } => engine(entry),
        };
        contestants.push(variant(&name.name, by, &name));
    }
    with_programs(contestants, args)
}

fn variant(shown: &str, by: By, name: &EngineName) -> Contestant {
    Contestant { isa: name.isa, threads: name.threads, ..Contestant::new(shown, by) }
}

/// The engines of --engines: a range of threads is an engine for each number.
///
/// # Errors
/// One of them is named twice. `all` names every engine.
fn named_engines(args: &CompareArgs) -> anyhow::Result<Vec<EngineName>> {
    let names: Vec<EngineName> = args.engines.iter().flat_map(|word| word.0.clone()).collect();
    let has_all = names.iter().any(|name| matches!(name.engine, NamedEngine::All));
    for (index, name) in names.iter().enumerate() {
        let is_repeated = names[..index].iter().any(|earlier| earlier.name == name.name);
        let is_plain = name.isa.is_none() && name.threads.is_none();
        if is_repeated || has_all && is_plain && !matches!(name.engine, NamedEngine::All) {
            bail!("--engines: `{}` is named twice; name each engine once", name.name);
        }
    }
    Ok(names)
}

/// Adds the programs of --command. One without a name is called after the first of its words that is a file here (of
/// `python3 solver.py {}` the second one), or else after the first; with a number where the name is taken.
fn with_programs(mut contestants: Vec<Contestant>, args: &CompareArgs) -> anyhow::Result<Vec<Contestant>> {
    if args.version_of.len() > args.command.len() {
        bail!("--version-of: it belongs to a program of --command, in the same order");
    }
    let mut versions = args.version_of.iter();
    for NamedCommand { name: typed, command } in &args.command {
        let is_taken = |name: &str| contestants.iter().any(|contestant| contestant.name == name);
        if let Some(name) = typed.as_deref().filter(|name| is_taken(name)) {
            bail!("--command: another program has the name `{name}`; choose another name");
        }
        let words = || words_of(command);
        let word = words().find(|word| Path::new(word).is_file()).or_else(|| words().next());
        let word = word.unwrap_or("command");
        let word = word.rsplit('/').next().unwrap_or(word);
        let numbered = || (2..).map(|number| format!("{word}#{number}")).find(|name| !is_taken(name));
        let name = match typed {
            Some(name) => name.clone(),
            None if !is_taken(word) => word.to_owned(),
            None => numbered().unwrap_or_default(),
        };
        let program = Some(program(command, versions.next())?);
        contestants.push(Contestant { program, ..Contestant::new(name, By::Program(command.clone())) });
    }
    Ok(contestants)
}

fn words_of(command: &str) -> impl Iterator<Item = &str> {
    command.split_whitespace().map(|word| word.trim_matches(['\'', '"']))
}

/// What is known of the program of `command`: its file is the first word that is one, here or among the programs of the
/// system. The command `version` prints its version.
fn program(command: &str, version: Option<&String>) -> anyhow::Result<ProgramInfo> {
    let file = words_of(command).find(|word| Path::new(word).is_file()).map(PathBuf::from);
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = || {
        let name = words_of(command).next()?;
        std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
    };
    let file = file.or_else(found);
    let sum = file.as_deref().and_then(|file| OutputSum::of_file(file).ok());
    Ok(ProgramInfo {
        file: file.map(|file| file.display().to_string()),
        sha256: sum.map(|sum| sum.sha256),
        version: version.map(|command| printed_version(command)).transpose()?,
    })
}

/// The first line that `command` prints.
fn printed_version(command: &str) -> anyhow::Result<String> {
    let shell = Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output();
    let output = shell.with_context(|| format!("--version-of: cannot run `{command}`"))?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    match line.filter(|_| output.status.success()) {
        Some(line) => Ok(line.chars().filter(|character| !character.is_control()).take(200).collect()),
        None => bail!("--version-of: `{command}` prints no version ({})", output.status),
    }
}
