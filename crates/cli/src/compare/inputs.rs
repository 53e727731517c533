//! The inputs of a contest that is repeated.

use anyhow::bail;
use galop_compare::{Comparison, Input};

/// Checks by their checksums that `inputs` are the files of the comparison that is repeated.
pub(super) fn check(earlier: Option<&Comparison>, inputs: &[Input]) -> anyhow::Result<()> {
    let Some(earlier) = earlier else { return Ok(()) };
    for (now, before) in inputs.iter().zip(&earlier.inputs) {
        if now.sha256 != before.sha256 {
            bail!(
                "{}: this is not the file of the repeated comparison: its SHA-256 is {}, but was {}",
                now.name,
                now.sha256.as_deref().unwrap_or("not known"),
                before.sha256.as_deref().unwrap_or("not known")
            );
        }
    }
    Ok(())
}
