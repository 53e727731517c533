//! The assumptions that the texts of --with and --without mean.

use anyhow::anyhow;
use galop_cover::{Assumptions, ExactCover};

use crate::args::GivenArgs;

/// The assumptions that the texts of --with and --without mean.
pub(super) fn assumptions(
    problem: &ExactCover,
    GivenArgs { with, without }: &GivenArgs,
) -> anyhow::Result<Assumptions> {
    let mut assumptions = Assumptions::default();
    for text in with {
        let required = assumptions.require(problem, text.split_ascii_whitespace());
        required.map_err(|error| anyhow!("--with {text:?}: {error}"))?;
    }
    for text in without {
        let forbidden = assumptions.forbid(problem, text.split_ascii_whitespace());
        forbidden.map_err(|error| anyhow!("--without {text:?}: {error}"))?;
    }
    Ok(assumptions)
}
