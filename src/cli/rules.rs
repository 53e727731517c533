//! Which rules a run has: what was typed, and what the beginning of the input says.

use anyhow::{Context, bail};
use galop::grid::{Alphabet, KINDS, Kind, Regions, kind};
use galop::input::detect::{self, Characters};
use galop::input::source::Source;
use galop::{ENGINES, Entry, Error, Rules};

use super::args::KindArgs;

/// What was typed of the rules, its map read.
pub(super) struct Chosen {
    pub(super) kind: &'static Kind,
    regions: Option<Regions>,
    alphabet: Option<Alphabet>,
}

/// The rules of all `sources`: their first record tells the size, their characters the alphabet.
pub(super) fn rules(args: &KindArgs, sources: &mut [Source]) -> anyhow::Result<Rules> {
    rules_by(&chosen(args)?, sources)
}

/// The same where the map was read before: it may be a pipe.
pub(super) fn rules_by(chosen: &Chosen, sources: &mut [Source]) -> anyhow::Result<Rules> {
    let Chosen { kind, regions, alphabet } = chosen;
    let side = match (regions, kind.sizes) {
        (Some(regions), _) => regions.side(),
        (None, [only]) => only.side,
        (None, sizes) => {
            let lengths: Vec<usize> = sizes.iter().map(|size| size.side * size.side).collect();
            let mut cells = None;
            for source in sources.iter_mut() {
                if cells.is_none() {
                    cells = detect::cells(source, &lengths)?;
                }
            }
            cells.unwrap_or(81).isqrt()
        }
    };
    let rules = Rules::new(kind, side, regions.as_ref())?;
    if let Some(alphabet) = alphabet {
        return Ok(rules.written_in(alphabet.clone())?);
    }
    if rules.grid().symbols() <= 9 {
        return Ok(rules);
    }
    let mut characters = Characters::new(rules.grid().cells(), rules.grid().symbols());
    for source in sources.iter_mut() {
        characters.look(source)?;
    }
    let name = sources.first().map(|source| source.name().display().to_string()).unwrap_or_default();
    let alphabet = characters.alphabet().context(name)?;
    Ok(rules.written_in(alphabet)?)
}

/// The rules where nothing is read that could tell the size: `side`, or that of the map; 9 without either.
pub(super) fn rules_of(args: &KindArgs, side: Option<usize>) -> anyhow::Result<Rules> {
    let Chosen { kind, regions, alphabet } = chosen(args)?;
    let side = match (side, &regions) {
        (Some(side), Some(regions)) if side != regions.side() => {
            bail!("--side {side}: the map of --regions has {0}x{0} cells; leave --side out", regions.side())
        }
        (Some(side), _) => side,
        (None, Some(regions)) => regions.side(),
        (None, None) => 9,
    };
    let rules = Rules::new(kind, side, regions.as_ref())?;
    Ok(match alphabet {
        Some(alphabet) => rules.written_in(alphabet)?,
        None => rules,
    })
}

/// The kind that was typed, and the map of its regions if there is one: then it is a jigsaw.
pub(super) fn chosen(args: &KindArgs) -> anyhow::Result<Chosen> {
    let regions = regions(args)?;
    let jigsaw = kind("jigsaw").filter(|_| regions.is_some());
    let chosen = args.kind.or(jigsaw).unwrap_or(&KINDS[0]);
    if jigsaw.is_some_and(|jigsaw| jigsaw.name != chosen.name) {
        bail!("--regions is for --kind jigsaw; a `{}` has no map", chosen.name);
    }
    Ok(Chosen { kind: chosen, regions, alphabet: args.alphabet.clone() })
}

fn regions(args: &KindArgs) -> anyhow::Result<Option<Regions>> {
    let Some(path) = &args.regions else { return Ok(None) };
    let map =
        std::fs::read(path).with_context(|| format!("{}: cannot read the map of regions", path.display()))?;
    Ok(Some(Regions::read(&map).map_err(|error| Error::from(error).in_file(path))?))
}

/// The engine that was chosen, if it accepts the rules; `usual` if none was chosen.
pub(super) fn engine_for(
    chosen: Option<&'static Entry>,
    usual: fn(&Rules) -> &'static Entry,
    rules: &Rules,
) -> anyhow::Result<&'static Entry> {
    chosen.map_or_else(|| Ok(usual(rules)), |entry| accepted(entry, rules, "--engine"))
}

/// `entry`, which `option` names, if it accepts the rules.
pub(super) fn accepted(entry: &'static Entry, rules: &Rules, option: &str) -> anyhow::Result<&'static Entry> {
    if let Err(unsupported) = (entry.accepts)(rules) {
        let others: Vec<&str> =
            ENGINES.iter().filter(|entry| accepts(entry, rules)).map(|entry| entry.name).collect();
        let error = Error::from(galop::ErrorKind::Unsupported(unsupported));
        bail!("{option} {}: {error}; engines that do: {}", entry.name, others.join(", "))
    }
    Ok(entry)
}

/// Whether the engine solves puzzles of these rules.
pub(super) fn accepts(entry: &Entry, rules: &Rules) -> bool {
    (entry.accepts)(rules).is_ok()
}
