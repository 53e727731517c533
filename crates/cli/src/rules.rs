//! The rules of a run: from the options, and from the start of the input.

use std::fs::File;
use std::io::Read;

use anyhow::{Context, bail};
use galop_batch::input::{Holds, Source, detect_rules, look};
use galop_batch::{Error, printable};
use galop_engines::Rules;
use galop_engines::grid::{Alphabet, KINDS, Kind, Regions, kind};

use crate::args::KindArgs;

/// The options about rules, with the map of regions read.
pub(super) struct KindChoice {
    pub(super) kind: &'static Kind,
    regions: Option<Regions>,
    alphabet: Option<Alphabet>,
}

impl KindChoice {
    /// Cells of a row in each size that the puzzles may have.
    pub(super) fn sides(&self) -> Vec<usize> {
        match &self.regions {
            Some(regions) => vec![regions.side()],
            None => self.kind.sizes.iter().map(|size| size.side).collect(),
        }
    }

    /// What `source` holds, as its head shows.
    pub(super) fn look(&self, source: &mut Source) -> Result<Holds, Error> {
        look(source, self.kind, self.regions.as_ref(), self.alphabet.as_ref())
    }
}

/// The rules of all `sources`: their first record gives the size, their characters the alphabet. The map of regions was
/// read before, as it may be a pipe, which can be read only once.
pub(super) fn of_choice(choice: &KindChoice, sources: &mut [Source]) -> anyhow::Result<Rules> {
    let KindChoice { kind, regions, alphabet } = choice;
    Ok(detect_rules(sources, kind, regions.as_ref(), alphabet.as_ref())?)
}

/// The rules of a command without input. The size is `side`, or that of the map of regions, or else 9.
pub(super) fn of_side(args: &KindArgs, side: Option<usize>) -> anyhow::Result<Rules> {
    let KindChoice { kind, regions, alphabet } = choice(args)?;
    let side = match (side, &regions) {
        (Some(side), Some(regions)) if side != regions.side() => {
            bail!("--side {side}: the map of --regions has {0}x{0} cells; omit --side", regions.side())
        }
        (Some(side), _) => side,
        (None, Some(regions)) => regions.side(),
        (None, None) => 9,
    };
    let rules = Rules::new(kind, side, regions.as_ref()).map_err(Error::from)?;
    Ok(match alphabet {
        Some(alphabet) => rules.written_in(alphabet)?,
        None => rules,
    })
}

/// Reads the options about rules. With a map of regions, the kind is the jigsaw.
pub(super) fn choice(args: &KindArgs) -> anyhow::Result<KindChoice> {
    let regions = regions(args)?;
    let jigsaw = kind("jigsaw").filter(|_| regions.is_some());
    let kind = args.kind.or(jigsaw).unwrap_or(&KINDS[0]);
    if jigsaw.is_some_and(|jigsaw| jigsaw.name != kind.name) {
        bail!("--regions is for --kind jigsaw; a `{}` has no map", kind.name);
    }
    Ok(KindChoice { kind, regions, alphabet: args.alphabet.clone() })
}

/// Bytes that are read of a map of regions; a longer file is an error. The largest map has 25x25 characters.
const MAP_BYTES: u64 = 64 << 10;

fn regions(args: &KindArgs) -> anyhow::Result<Option<Regions>> {
    let Some(path) = &args.regions else { return Ok(None) };
    let mut map = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAP_BYTES + 1).read_to_end(&mut map))
        .with_context(|| format!("{}: cannot read the map of regions", printable(path)))?;
    if map.len() as u64 > MAP_BYTES {
        bail!("{}: has more than {MAP_BYTES} bytes, so it is not a map of regions", printable(path));
    }
    Ok(Some(Regions::read(&map).map_err(|error| Error::from(error).in_file(path))?))
}
