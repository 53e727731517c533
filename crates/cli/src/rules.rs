//! The rules of a run: from the options, and from the start of the input.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, bail};
use galop_batch::input::{LineError, LineErrorKind, Source, detect_rules};
use galop_batch::{Error, printable};
use galop_engines::Rules;
use galop_engines::grid::{Alphabet, ExtraRegions, GridError, Regions, RegionsError, SIDES, Variant};

use crate::args::KindArgs;
use crate::{problem, whole};

/// The options about rules, with the maps read.
pub(super) struct KindChoice {
    pub(super) variant: Variant,
    alphabet: Option<Alphabet>,
    /// The rules, if they are a problem.
    pub(super) problem: Option<Rules>,
}

/// The rules of all `sources`: their first record gives the size, their characters the alphabet. The maps were read
/// before, as they may be pipes, which can be read only once.
pub(super) fn of_choice(choice: &KindChoice, sources: &mut [Source]) -> anyhow::Result<Rules> {
    if let Some(rules) = &choice.problem {
        return Ok(rules.clone());
    }
    VARIANT.set(choice.variant.clone()).ok();
    Ok(detect_rules(sources, &choice.variant, choice.alphabet.as_ref())?)
}

/// What the puzzles of this run are.
static VARIANT: OnceLock<Variant> = OnceLock::new();

/// Why a record with the cells of a grid of another size is malformed, if the rules have no such size.
pub(super) fn lacking_size(error: &LineError) -> Option<GridError> {
    let LineErrorKind::Length(count) = error.kind else { return None };
    let found = count.found as usize;
    let side = Some(found.isqrt()).filter(|side| side * side == found && SIDES.contains(side))?;
    let error = VARIANT.get()?.rules(side).err();
    error.filter(|error| matches!(error, GridError::Size { .. }))
}

/// The rules of a command without input. The size is `side`, or the only possible one, or else 9.
pub(super) fn of_side(args: &KindArgs, side: Option<usize>) -> anyhow::Result<Rules> {
    let KindChoice { variant, alphabet, .. } = choice(args)?;
    let rules = variant.rules(side).map_err(Error::from)?;
    Ok(match alphabet {
        Some(alphabet) => rules.written_in(alphabet)?,
        None => rules,
    })
}

/// As [`choice`]; the problem in the file `problem`, if there is one.
pub(super) fn choice_or_problem(args: &KindArgs, problem: Option<&Path>) -> anyhow::Result<KindChoice> {
    let Some(path) = problem else { return choice(args) };
    Ok(KindChoice { variant: Variant::default(), alphabet: None, problem: Some(of_problem(path)?) })
}

/// The rules of the problem in the file `path`.
pub(super) fn of_problem(path: &Path) -> anyhow::Result<Rules> {
    Ok(Rules::problem(problem::read(path)?).named(&printable(whole::name_of(path)).to_string()))
}

/// Reads the options about rules. With a map of regions, the kind is the jigsaw.
pub(super) fn choice(args: &KindArgs) -> anyhow::Result<KindChoice> {
    let mut variant = args.kind.clone().unwrap_or_default();
    if let Some((rows, columns)) = args.blocks {
        variant = variant.with_blocks(rows, columns).map_err(Error::from)?;
    }
    if let Some(path) = &args.regions {
        variant = variant.with_regions(map(path, Regions::read)?).map_err(Error::from)?;
    }
    for path in &args.extra {
        variant = variant.with_extra(map(path, ExtraRegions::read)?);
    }
    Ok(KindChoice { variant, alphabet: args.alphabet.clone(), problem: None })
}

/// Bytes that are read of a map of regions; a longer file is an error. The largest map has 25x25 characters.
const MAP_BYTES: u64 = 64 << 10;

fn map<T>(path: &Path, read: fn(&[u8]) -> Result<T, RegionsError>) -> anyhow::Result<T> {
    let mut map = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAP_BYTES + 1).read_to_end(&mut map))
        .with_context(|| format!("{}: cannot read the map of regions", printable(path)))?;
    if map.len() as u64 > MAP_BYTES {
        bail!("{}: has more than {MAP_BYTES} bytes, so it is not a map of regions", printable(path));
    }
    read(&map).map_err(|error| Error::from(error).in_file(path).into())
}
