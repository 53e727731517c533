//! Writes a diagram as a text.

use std::io::{self, Write};

use super::{EMPTY, FORMAT, NODES, VERSION};
use crate::diagram::Diagram;
use crate::problem::text;

/// Writes `diagram`, with its problem, to `out`: in small pieces, so `out` should have a buffer.
///
/// # Errors
/// The errors of `out`.
pub fn write(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{FORMAT} {VERSION}")?;
    text::write(&diagram.problem, out)?;
    writeln!(out, "{NODES} {}", diagram.nodes.len())?;
    for node in 0..diagram.nodes.len() {
        for (index, branch) in diagram.nodes.branches(node).enumerate() {
            if index > 0 {
                out.write_all(b" | ")?;
            }
            let mut separator = "";
            for option in branch.options {
                write!(out, "{separator}{option}")?;
                separator = " ";
            }
            for child in branch.children {
                write!(out, "{separator}>{child}")?;
                separator = " ";
            }
            if separator.is_empty() {
                out.write_all(EMPTY.as_bytes())?;
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}
