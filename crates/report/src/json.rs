//! JSON: all figures, for programs.

use serde::Serialize;

use super::format::Format;

pub(super) const FORMAT: Format = Format {
    ending: "json",
    about: "everything, for programs: options, counts, histograms, slowest",
    run: Some(json),
    comparison: Some(json),
    survey: Some(json),
};

/// A report as JSON.
pub fn json(report: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(report);
    // Reports consist of numbers, strings and lists, so this cannot fail.
    text.map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |text| text + "\n")
}
