//! `galop engines`: the table of engines.

use std::process::ExitCode;

use galop::ENGINES;

pub(super) fn run() -> anyhow::Result<ExitCode> {
    let width = ENGINES.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    let lines: String =
        ENGINES.iter().map(|entry| format!("{:<width$}  {}\n", entry.name, entry.about)).collect();
    super::output::print(lines.as_bytes())
}
