//! JSON: everything a later program needs.

use super::Format;

pub(super) const FORMAT: Format = Format {
    ending: "json",
    about: "everything, for programs: options, counts, histograms, slowest",
    write: Some(|report| {
        let text = serde_json::to_string_pretty(report);
        // The report is made of numbers, strings and lists: there is nothing that could fail.
        text.map_or_else(|error| format!("{{\"error\":\"{error}\"}}\n"), |text| text + "\n")
    }),
    compare: None,
};
