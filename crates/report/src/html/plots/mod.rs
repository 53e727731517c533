//! The plots of the page, one file for each kind.
//!
//! [`frame`] draws axes, which are logarithmic but for a few, and [`ink`] writes the marks. A crate would do it too:
//! `plotters` writes colours into every element; `poloto` has no logarithmic axes, `charts-rs` no scatter on them;
//! `charming` and `plotly` draw in the browser, with a megabyte of script.
//!
//! All plots are [`WIDTH`](frame::WIDTH) units wide and shown 22 to 30 rem wide: side by side if there is room, one
//! below the other on a phone. On both, letters have the size of the text around them.

mod axis;
mod cactus;
mod cumulative;
mod frame;
mod growth;
mod histogram;
mod ink;
mod ratio;
mod scatter;

use std::fmt::{self, Write};

use super::escape::Text;
use super::sections::write_swatch;
use crate::comparison_sections::is_folded;
use crate::section::Plots;
use frame::Series;
pub(super) use ink::series_class;
use ratio::ratios;

/// Writes the plots of a section, with the colours of the engines in front.
pub(super) fn write(plots: &Plots<'_>, out: &mut String) -> fmt::Result {
    match plots {
        Plots::Run(report) => {
            let series = [Series {
                name: report.engine,
                nanos: report.nanos.as_ref(),
                guesses: Some(&report.guesses),
                points: &report.points,
                share: 1.0,
            }];
            writeln!(out, "<h2>Distributions</h2>")?;
            if report.times().is_none() {
                writeln!(out, "<p class=\"soft\">Times were not taken.</p>")?;
            }
            writeln!(out, "<div class=\"figures\">")?;
            histogram::times(&series, out)?;
            histogram::guesses(&series, out)?;
            cumulative::cumulative(&series, out)?;
            scatter::scatter(&series, out)?;
        }
        Plots::Puzzles(comparison) => {
            let engines = comparison.engines.iter();
            let series = engines.map(|engine| Series {
                name: &engine.name,
                nanos: engine.nanos.as_ref(),
                guesses: engine.guesses.as_ref(),
                points: &engine.points,
                share: engine.share,
            });
            let series: Vec<Series<'_>> = series.collect();
            if series.iter().all(|series| series.guesses.is_none_or(|guesses| guesses.count == 0)) {
                return Ok(());
            }
            writeln!(out, "<h2>Distributions</h2>")?;
            // The plot of ratios has the names of all beside its lines.
            let drawn = |series: &&Series<'_>| series.nanos.is_some() || series.guesses.is_some();
            let numbered = series.iter().enumerate().filter(|(_, series)| drawn(series));
            legend(numbered.map(|(number, series)| (number, series.name)), out)?;
            writeln!(out, "<div class=\"figures\">")?;
            cumulative::cumulative(&series, out)?;
            ratios(comparison, out)?;
            if is_folded(comparison) {
                writeln!(out, "</div>\n<details>\n<summary>Histograms and points of each engine</summary>")?;
                writeln!(out, "<div class=\"figures\">")?;
            }
            histogram::times(&series, out)?;
            histogram::guesses(&series, out)?;
            scatter::scatter(&series, out)?;
            if is_folded(comparison) {
                return writeln!(out, "</div>\n</details>");
            }
        }
        Plots::Problems(comparison) => {
            writeln!(out, "<div class=\"figures\">")?;
            cactus::cactus(comparison, out)?;
            ratios(comparison, out)?;
        }
        Plots::Growth(curves) => {
            legend(curves.iter().map(|curve| &*curve.engine).enumerate(), out)?;
            writeln!(out, "<div class=\"figures\">")?;
            growth::growth(curves, out)?;
        }
    }
    writeln!(out, "</div>")
}

fn legend<'a>(names: impl Iterator<Item = (usize, &'a str)>, out: &mut String) -> fmt::Result {
    writeln!(out, "<ul class=\"legend\">")?;
    for (number, name) in names {
        write!(out, "<li>")?;
        write_swatch(number, out)?;
        writeln!(out, "{}</li>", Text(name))?;
    }
    writeln!(out, "</ul>")
}
