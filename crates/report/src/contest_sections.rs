//! The sections of a report of one comparison or of a series: each comparison by itself, and how times grow.

use super::comparison_sections::sections_of;
use super::section::{Kind, Place, Plots, Section, Table, UNKNOWN, Words};
use galop_batch::figures::{duration, rounded, three_digits};
use galop_compare::{Contest, Curve, Law};

/// The sections, in order, with at most `notable` puzzles for each pair of engines.
pub(super) fn sections(contest: &Contest, notable: usize) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for (index, comparison) in contest.comparisons.iter().enumerate() {
        sections.extend(sections_of(&Place(format!("comparisons.{index}")), comparison, notable));
    }
    sections.extend(growth(&contest.growth));
    sections
}

/// Curves that belong in one plot: times of the same things over the same sizes.
fn plots(curves: &[Curve]) -> impl Iterator<Item = Vec<(usize, &Curve)>> {
    let is_alike = |one: &Curve, other: &Curve| (&one.over, &one.time_of) == (&other.over, &other.time_of);
    let is_first =
        move |&(place, one): &(usize, &Curve)| !curves[..place].iter().any(|earlier| is_alike(earlier, one));
    let like = move |(_, one): (usize, &Curve)| {
        curves.iter().enumerate().filter(|(_, other)| is_alike(one, other)).collect()
    };
    curves.iter().enumerate().filter(is_first).map(like)
}

/// What the growth of times is.
const GROWTH: &str = "Growth is the least-squares line through the logarithms of the finished times: of two laws, the one \
     that fits better. A step is 1 on the axis of growth.";

/// How times grow.
fn growth(curves: &[Curve]) -> Vec<Section<'_>> {
    let mut sections = Vec::new();
    for same in plots(curves) {
        let mut sizes: Vec<f64> =
            same.iter().flat_map(|(_, curve)| &curve.points).map(|point| point.size).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let mut header = vec!["engine".to_owned()];
        header.extend(sizes.iter().map(|&size| rounded(size)));
        header.extend(["growth", "95 %", "explained"].map(String::from));
        let row = |(number, &(index, curve)): (usize, &(usize, &Curve))| {
            let place = Place(format!("growth.{index}"));
            let mut row = vec![Words::of(Kind::Series(number), &curve.engine)];
            for size in &sizes {
                let mut points = curve.points.iter().enumerate();
                let point = points.find(|(_, point)| point.size == *size);
                row.push(point.map_or_else(
                    || UNKNOWN.into(),
                    |(at, point)| {
                        let bound = if point.finished { "" } else { "> " };
                        let shown = format!("{bound}{}", duration(point.nanos));
                        place.figure(&format!("points.{at}.nanos"), point.nanos, shown)
                    },
                ));
            }
            let place = place.at("fit");
            row.extend(match curve.fit {
                None => [UNKNOWN, UNKNOWN, UNKNOWN].map(Words::from),
                Some(fit) => {
                    let end = |name, value| place.figure(name, value, three_digits(value));
                    [
                        place.figure("slope", fit.slope, law(fit.law, fit.slope)),
                        end("low", fit.low).and(" – ").and(end("high", fit.high)),
                        place.figure("explained", fit.explained, format!("{:.1} %", 100.0 * fit.explained)),
                    ]
                }
            });
            row
        };
        let (first, rows) = (same[0].1, same.iter().enumerate().map(row).collect());
        sections.push(Section::Line("growth", format!("{} by {}", first.time_of, first.over)));
        sections.push(Section::Plots(Plots::Growth(same.iter().map(|&(_, curve)| curve).collect())));
        sections.push(Section::Table(Table { title: "", header, rows }));
        sections.push(Section::PageNote(GROWTH.to_owned()));
    }
    sections
}

/// A law with its slope: `× 5.1 a step`, `size^1.02`.
fn law(law: Law, slope: f64) -> String {
    match law {
        Law::Exponential => format!("× {} a step", three_digits(slope)),
        Law::Power => format!("size^{slope:.2}"),
    }
}
