//! The sections of a report of one comparison or several: each by itself, those of the same tasks side by side, and how
//! times grow.

use super::comparison_sections::{sections_of, subject, version};
use super::section::{Section, Table, UNKNOWN, ratio};
use galop_batch::figures::{duration, rounded, three_digits};
use galop_compare::{Comparison, Contest, Curve, Law};

/// The sections, in order, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections(contest: &Contest, notable: usize) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for comparison in &contest.comparisons {
        sections.extend(sections_of(comparison, notable));
    }
    sections.extend(side_by_side(&contest.comparisons));
    sections.extend(growth(&contest.growth));
    sections
}

/// Comparisons of the same tasks, perhaps on several machines: a row for each engine, a column for each comparison.
pub(super) fn side_by_side(comparisons: &[Comparison]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for same in alike(comparisons, has_same_tasks).filter(|same| same.len() > 1) {
        let mut names: Vec<&str> = Vec::new();
        for engine in same.iter().flat_map(|(_, comparison)| &comparison.engines) {
            if !names.contains(&&*engine.name) {
                names.push(&engine.name);
            }
        }
        let mut header = vec!["engine".to_owned()];
        header.extend(same.iter().flat_map(|(place, comparison)| {
            [format!("({}) mean", place + 1), format!("× {}", comparison.reference)]
        }));
        let row = |name: &&str| {
            let mut row = vec![(*name).to_owned()];
            for (_, comparison) in &same {
                let found = comparison.engines.iter().find(|engine| engine.name == *name);
                row.push(found.map_or_else(|| UNKNOWN.to_owned(), |engine| duration(engine.mean_nanos)));
                row.push(
                    found.map_or_else(|| UNKNOWN.to_owned(), |engine| ratio(engine, &comparison.reference)),
                );
            }
            row
        };
        let rows = names.iter().map(row).collect();
        sections.push(Section::Line("side by side", subject(same[0].1)));
        sections.push(Section::Ranking(Table { header, rows }));
        sections.extend(same.iter().map(|(place, comparison)| {
            let (machine, date) =
                (&comparison.machine.cpu, comparison.date.as_deref().unwrap_or("date unknown"));
            Section::Indented(format!("({}) {machine}, {date}, {}", place + 1, version(comparison)))
        }));
    }
    sections
}

/// Those of `all` that are alike, with their places: a list for each kind, in the order of the first of each.
fn alike<T>(all: &[T], is_alike: fn(&T, &T) -> bool) -> impl Iterator<Item = Vec<(usize, &T)>> {
    let is_first =
        move |&(place, one): &(usize, &T)| !all[..place].iter().any(|earlier| is_alike(earlier, one));
    let like = move |(_, one): (usize, &T)| {
        all.iter().enumerate().filter(|(_, other)| is_alike(one, other)).collect()
    };
    all.iter().enumerate().filter(is_first).map(like)
}

/// Whether two comparisons are of the same files with the same goal.
fn has_same_tasks(one: &Comparison, other: &Comparison) -> bool {
    let tasks = |comparison: &Comparison| {
        let sums = comparison.inputs.iter().map(|input| (input.name.clone(), input.sha256.clone()));
        let options = &comparison.options;
        (sums.collect::<Vec<_>>(), options.solutions, options.cheapest, options.sample, comparison.puzzles)
    };
    tasks(one) == tasks(other)
}

/// Curves that belong in one plot: times of the same things over the same sizes.
pub(super) fn plots(curves: &[Curve]) -> impl Iterator<Item = Vec<(usize, &Curve)>> {
    alike(curves, |one, other| (&one.over, &one.time_of) == (&other.over, &other.time_of))
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
