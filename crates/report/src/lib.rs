//! The figures of a run or a comparison written out, for people and for programs.
//!
//! [`FORMATS`] is the table of report formats. The ending of a file's name chooses one. One file and one row add a
//! format.
//!
//! ```text
//! Report, Contest  --> sections: what is shown, in which order  --> text, markdown, html with plots
//!                  --> json, csv: all figures, for programs
//! ```

mod brief;
mod comparison_sections;
mod contest_sections;
mod csv;
mod error;
mod format;
mod html;
mod json;
mod markdown;
mod names;
mod problem_sections;
mod run;
mod run_sections;
mod section;
mod survey;
mod text;
mod written_at;

pub use brief::brief;
pub use format::{Figures, Format, Writer, writer_of};
pub use html::{STYLE, html};
pub use json::json;
pub use run::{Report, Run};
pub use survey::{Survey, SurveyRun};
pub use text::{Style, contest_text, text};
pub use written_at::written_at;

/// Every report format.
pub static FORMATS: &[Format] = &[json::FORMAT, markdown::FORMAT, html::FORMAT, csv::FORMAT, text::FORMAT];

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
