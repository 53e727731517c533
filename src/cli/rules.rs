//! Which rules a run has: what was typed, and what the beginning of the input says.

use anyhow::{Context, bail};
use galop::input::head::{self, Characters};
use galop::input::source::Source;
use galop::rules::{KINDS, Regions, kind};
use galop::{ENGINES, Entry, Error, Isa, Rules, engine};

use super::args::KindArgs;

/// The rules of all `sources`: their first record tells the size, their characters the alphabet.
pub(super) fn rules(args: &KindArgs, sources: &mut [Source]) -> anyhow::Result<Rules> {
    let regions = regions(args)?;
    let named = if regions.is_some() { kind("jigsaw") } else { None };
    let chosen = args.kind.or(named).unwrap_or(&KINDS[0]);
    if regions.is_some() && Some(chosen.name) != named.map(|kind| kind.name) {
        bail!("--regions is for --kind jigsaw; a `{}` has no map", chosen.name);
    }
    let side = match (&regions, args.kind) {
        (Some(regions), _) => regions.side(),
        (None, Some(kind)) if kind.sizes.len() == 1 => kind.sizes[0].side,
        _ => {
            let lengths: Vec<usize> = chosen.sizes.iter().map(|size| size.side * size.side).collect();
            let mut cells = None;
            for source in sources.iter_mut() {
                if cells.is_none() {
                    cells = head::cells(source, &lengths)?;
                }
            }
            cells.unwrap_or(81).isqrt()
        }
    };
    let rules = match (chosen.name, side) {
        ("sudoku", 9) => Rules::sudoku(),
        _ => Rules::new(chosen, side, regions.as_ref())?,
    };
    if let Some(alphabet) = &args.alphabet {
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

fn regions(args: &KindArgs) -> anyhow::Result<Option<Regions>> {
    let Some(path) = &args.regions else { return Ok(None) };
    let map =
        std::fs::read(path).with_context(|| format!("{}: cannot read the map of regions", path.display()))?;
    Ok(Some(Regions::read(&map).map_err(|error| error.in_file(path))?))
}

/// The engine that was chosen, if it accepts the rules; without a choice `usual`, or `grid` where that is for other
/// rules.
pub(super) fn engine_for(
    chosen: Option<&'static Entry>,
    usual: &'static str,
    rules: &Rules,
) -> anyhow::Result<&'static Entry> {
    let accepts = |entry: &Entry| (entry.make)(rules, Isa::best()).map(|_| ());
    let Some(entry) = chosen else {
        let usual = engine(usual).unwrap_or(&ENGINES[0]);
        let is_usual = rules.grid() == Rules::sudoku().grid();
        return Ok(if is_usual { usual } else { engine("grid").unwrap_or(usual) });
    };
    match accepts(entry) {
        Ok(()) => Ok(entry),
        Err(unsupported) => {
            let others: Vec<&str> =
                ENGINES.iter().filter(|entry| accepts(entry).is_ok()).map(|entry| entry.name).collect();
            let error = Error::from(galop::ErrorKind::Unsupported(unsupported));
            bail!("--engine {}: {error}; engines that do: {}", entry.name, others.join(", "))
        }
    }
}
