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
    for (index, first) in comparisons.iter().enumerate() {
        let is_same = |other: &&Comparison| has_same_tasks(first, other);
        if comparisons[..index].iter().any(|earlier| is_same(&earlier)) {
            continue;
        }
        let same: Vec<&Comparison> = comparisons.iter().filter(is_same).collect();
        if same.len() < 2 {
            continue;
        }
        let mut names: Vec<&str> = Vec::new();
        for engine in same.iter().flat_map(|comparison| &comparison.engines) {
            if !names.contains(&&*engine.name) {
                names.push(&engine.name);
            }
        }
        let number = |comparison: &&Comparison| {
            1 + comparisons.iter().position(|other| std::ptr::eq(other, *comparison)).unwrap_or(0)
        };
        let mut header = vec!["engine".to_owned()];
        header.extend(same.iter().flat_map(|comparison| {
            let number = number(comparison);
            [format!("({number}) mean"), format!("× {}", comparison.reference)]
        }));
        let row = |name: &&str| {
            let mut row = vec![(*name).to_owned()];
            for comparison in &same {
                let found = comparison.engines.iter().find(|engine| engine.name == *name);
                row.push(found.map_or_else(|| UNKNOWN.to_owned(), |engine| duration(engine.mean_nanos)));
                row.push(
                    found.map_or_else(|| UNKNOWN.to_owned(), |engine| ratio(engine, &comparison.reference)),
                );
            }
            row
        };
        let rows = names.iter().map(row).collect();
        sections.push(Section::Line("side by side", subject(first)));
        sections.push(Section::Ranking(Table { header, rows }));
        sections.extend(same.iter().map(|comparison| {
            let (machine, date) =
                (&comparison.machine.cpu, comparison.date.as_deref().unwrap_or("date unknown"));
            Section::Indented(format!("({}) {machine}, {date}, {}", number(comparison), version(comparison)))
        }));
    }
    sections
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

/// How times grow.
fn growth(curves: &[Curve]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for (index, first) in curves.iter().enumerate() {
        let is_same = |curve: &&Curve| (&curve.over, &curve.time_of) == (&first.over, &first.time_of);
        if curves[..index].iter().any(|earlier| is_same(&earlier)) {
            continue;
        }
        let same: Vec<&Curve> = curves.iter().filter(is_same).collect();
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
