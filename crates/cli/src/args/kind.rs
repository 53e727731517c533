//! The kind of the puzzles, and how they are written.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args as ClapArgs, Command};
use galop_engines::grid::{Alphabet, KINDS, Variant};

use super::values::{table_parser, value};

/// The kind of the puzzles, and how they are written.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct KindArgs {
    /// The kind of puzzle, or several joined by a plus: diagonal+anti-knight (`galop engines` describes them) [default:
    /// sudoku, or jigsaw with --regions]
    #[arg(long, value_name = "KIND", value_parser = KindParser, help_heading = "Input")]
    pub(crate) kind: Option<Variant>,

    /// The map of a jigsaw: one character per cell, the same for all cells of a region
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) regions: Option<PathBuf>,

    /// A map of extra regions, each of which holds every symbol once, with a dot for a cell in none (repeatable)
    #[arg(long, value_name = "FILE", help_heading = "Input", hide_short_help = true)]
    pub(crate) extra: Vec<PathBuf>,

    /// Rows and columns of a block; for example 3x2 in a 6x6 grid [default: nearest to a square]
    #[arg(long, value_name = "RxC", value_parser = blocks, help_heading = "Input", hide_short_help = true)]
    pub(crate) blocks: Option<(usize, usize)>,

    /// The alphabet of more than nine symbols: for 16, 1-9A-G, 0-9A-F or A-P [default: from the puzzles]
    #[arg(long, value_name = "NAME", value_parser = alphabet, help_heading = "Input", hide_short_help = true)]
    pub(crate) alphabet: Option<Alphabet>,
}

/// An exact cover problem in place of a kind.
#[derive(ClapArgs, Clone, Debug, Default)]
pub(crate) struct ProblemArgs {
    /// The exact cover problem that all records belong to: r1 c1 | r2 c7 chooses two options (docs/exact-cover.md)
    #[arg(long, value_name = "FILE", help_heading = "Advanced", hide_short_help = true)]
    #[arg(conflicts_with_all = ["kind", "regions", "extra", "blocks", "alphabet"])]
    problem: Option<PathBuf>,
}

impl KindArgs {
    /// Whether no option is typed: other commands read the same puzzles without options.
    pub(crate) fn is_usual(&self) -> bool {
        let KindArgs { kind, regions, extra, blocks, alphabet } = self;
        let has_rules = kind.is_some() || regions.is_some() || !extra.is_empty() || blocks.is_some();
        !has_rules && alphabet.is_none()
    }

    /// The files that the rules come from, and what each of them is.
    pub(crate) fn maps(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let regions = self.regions.iter().map(|path| ("the map of the regions", path.as_path()));
        regions.chain(self.extra.iter().map(|path| ("a map of extra regions", path.as_path())))
    }
}

impl ProblemArgs {
    pub(crate) fn path(&self) -> Option<&Path> {
        self.problem.as_deref()
    }
}

/// Names of the table of kinds, with a plus between them.
#[derive(Clone, Debug)]
struct KindParser;

impl TypedValueParser for KindParser {
    type Value = Variant;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        names: &OsStr,
    ) -> Result<Variant, clap::Error> {
        let one = table_parser(KINDS, |kind| value(kind.name, kind.about));
        let names = names.to_string_lossy();
        for name in names.split('+') {
            one.parse_ref(command, option, OsStr::new(name))?;
        }
        names.parse::<Variant>().map_err(|error| {
            clap::Error::raw(ErrorKind::ValueValidation, format!("--kind {names}: {error}\n"))
                .with_cmd(command)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KINDS.iter().map(|kind| PossibleValue::new(kind.name))))
    }
}

fn blocks(text: &str) -> Result<(usize, usize), String> {
    let number = |text: &str| text.parse().ok();
    let blocks = text.split_once('x').and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
    let (rows, columns) = blocks.ok_or_else(|| format!("`{text}` is not a block: RxC, such as 3x2"))?;
    Variant::default().with_blocks(rows, columns).map_err(|error| error.to_string())?;
    Ok((rows, columns))
}

fn alphabet(name: &str) -> Result<Alphabet, String> {
    Alphabet::named(name).ok_or_else(|| {
        format!(
            "`{name}` is not an alphabet; 16 symbols have 1-9A-G, 0-9A-F and A-P, and other numbers similar alphabets"
        )
    })
}
