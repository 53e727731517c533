//! JSON: everything a later program needs.

use serde::Serialize;

use super::Format;

pub(super) const FORMAT: Format = Format {
    ending: "json",
    about: "everything, for programs: options, counts, histograms, slowest",
    write: Some(json),
    compare: Some(json),
};

fn json(report: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(report);
    // Reports are made of numbers, strings and lists: there is nothing that could fail.
    text.map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |text| text + "\n")
}
