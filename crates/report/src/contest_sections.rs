//! The sections of a report of one comparison or of a series: each comparison by itself, and how times grow.

use super::comparison_sections::sections_of;
use super::section::{Section, Table, UNKNOWN};
use galop_batch::figures::{duration, rounded, three_digits};
use galop_compare::{Contest, Curve, Law};

/// The sections, in order, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections(contest: &Contest, notable: usize) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for comparison in &contest.comparisons {
        sections.extend(sections_of(comparison, notable));
    }
    sections.extend(growth(&contest.growth));
    sections
}

/// Curves that belong in one plot: times of the same things over the same sizes.
pub(super) fn plots(curves: &[Curve]) -> impl Iterator<Item = Vec<(usize, &Curve)>> {
    let is_alike = |one: &Curve, other: &Curve| (&one.over, &one.time_of) == (&other.over, &other.time_of);
    let is_first =
        move |&(place, one): &(usize, &Curve)| !curves[..place].iter().any(|earlier| is_alike(earlier, one));
    let like = move |(_, one): (usize, &Curve)| {
        curves.iter().enumerate().filter(|(_, other)| is_alike(one, other)).collect()
    };
    curves.iter().enumerate().filter(is_first).map(like)
}

/// How times grow.
fn growth(curves: &[Curve]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for same in plots(curves) {
        let (first, same) = (same[0].1, same.into_iter().map(|(_, curve)| curve).collect::<Vec<_>>());
        let mut sizes: Vec<f64> =
            same.iter().flat_map(|curve| &curve.points).map(|point| point.size).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let mut header = vec!["engine".to_owned()];
        header.extend(sizes.iter().map(|&size| rounded(size)));
        header.extend(["growth", "95 %", "explained"].map(String::from));
        let row = |curve: &&Curve| {
            let mut row = vec![curve.engine.clone()];
            for size in &sizes {
                let point = curve.points.iter().find(|point| point.size == *size);
                row.push(point.map_or_else(
                    || UNKNOWN.to_owned(),
                    |point| {
                        let bound = if point.finished { "" } else { "> " };
                        format!("{bound}{}", duration(point.nanos))
                    },
                ));
            }
            row.extend(match curve.fit {
                None => [UNKNOWN, UNKNOWN, UNKNOWN].map(str::to_owned),
                Some(fit) => [
                    law(fit.law, fit.slope),
                    format!("{} – {}", three_digits(fit.low), three_digits(fit.high)),
                    format!("{:.1} %", 100.0 * fit.explained),
                ],
            });
            row
        };
        sections.push(Section::Line("growth", format!("{} by {}", first.time_of, first.over)));
        sections.push(Section::Ranking(Table { header, rows: same.iter().map(row).collect() }));
    }
    sections
}

/// A law with its slope: `× 5.1 a step`, `size^1.02`.
pub(super) fn law(law: Law, slope: f64) -> String {
    match law {
        Law::Exponential => format!("× {} a step", three_digits(slope)),
        Law::Power => format!("size^{slope:.2}"),
    }
}
