//! The figures of one comparison or several, as they are written to a file and read from it again.
//!
//! ```text
//! {
//!   "comparisons": [ .. ],
//!   "growth": [ .. ],
//!   "sha256": "..."          of all text before the comma and line end in front of it
//! }
//! ```
//! The checksum is against slips: a number changed by hand, a file cut short. It does not stop anyone who means to
//! change a figure.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::figures::Comparison;
use super::growth::{Curve, curves};
use galop_batch::error::{Error, Fact};
use galop_batch::output::OutputSum;

/// Comparisons, and how their times grow.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Contest {
    /// The comparisons, in the order in which they were made.
    pub comparisons: Vec<Comparison>,
    /// How the times grow over a series, engine by engine.
    pub growth: Vec<Curve>,
}

/// A file that is not the report of a comparison as galop wrote it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportFault {
    /// It is no report of a comparison.
    #[error("it is not the JSON report of a comparison: {0}")]
    Other(String),
    /// It was changed after it was written.
    #[error("its checksum does not match: it was changed or cut short after it was written")]
    Changed,
}

impl Fact for ReportFault {}

/// What stands in front of the checksum.
const MARK: &str = ",\n  \"sha256\": \"";

impl Contest {
    /// The comparisons, with the growth over the series among them.
    pub fn new(comparisons: Vec<Comparison>) -> Contest {
        let growth = curves(&comparisons);
        Contest { comparisons, growth }
    }

    /// Several contests in one report, perhaps of several machines and days. Behind the names of its engines, a curve has
    /// the number of the first comparison of its contest, from 1 on.
    #[must_use]
    pub fn merged(contests: Vec<Contest>) -> Contest {
        let mut all = Contest::default();
        for contest in contests {
            let number = all.comparisons.len() + 1;
            all.comparisons.extend(contest.comparisons);
            let numbered = |curve: Curve| Curve { engine: format!("{} ({number})", curve.engine), ..curve };
            all.growth.extend(contest.growth.into_iter().map(numbered));
        }
        all
    }

    /// The contest as JSON, with its checksum.
    pub fn to_json(&self) -> String {
        // Reports consist of numbers, strings and lists, so this cannot fail.
        let text = serde_json::to_string_pretty(self).unwrap_or_default();
        let text = text.strip_suffix("\n}").unwrap_or_default();
        let sum = sum_of(text);
        format!("{text}{MARK}{sum}\"\n}}\n")
    }

    /// The contest that [`to_json`](Self::to_json) wrote to the file `path`.
    ///
    /// # Errors
    /// [`ReportFault`].
    pub fn from_json(path: &Path, text: &str) -> Result<Contest, Error> {
        let fault = |fault| Error::at(path, fault);
        let Some((before, sum)) = text.rsplit_once(MARK) else {
            return Err(fault(ReportFault::Other("it has no checksum".to_owned())));
        };
        if sum.trim_end() != format!("{}\"\n}}", sum_of(before)) {
            return Err(fault(ReportFault::Changed));
        }
        serde_json::from_str(text).map_err(|error| fault(ReportFault::Other(error.to_string())))
    }
}

fn sum_of(text: &str) -> String {
    // Bytes in memory can always be read.
    OutputSum::of(text.as_bytes()).map(|sum| sum.sha256).unwrap_or_default()
}
