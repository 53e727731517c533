//! Each engine's time divided by the reference's, with its interval: one line for each engine, on a logarithmic axis.

use std::fmt;

use super::axis::{Axis, power};
use super::frame::{ABOVE, BELOW, LEFT, Panel, RIGHT, WIDTH, figure};
use super::ink::series_class;
use galop_compare::{Comparison, EngineFigures, Ratio};

/// Units of the drawing: the height of a line.
const LINE: i32 = 44;

/// Units of the drawing: the width of a label with the space beside it.
const LABEL: f64 = 80.0;

/// A ratio and its ends.
struct Interval<'a> {
    /// The engine's name.
    name: &'a str,
    /// The lower end, the middle and the upper end.
    ends: [f64; 3],
}

impl Interval<'_> {
    fn of<'a>(comparison: &Comparison, engine: &'a EngineFigures) -> Interval<'a> {
        let ends = match engine.ratio {
            Some(Ratio { middle, low, high, .. }) => [low.unwrap_or(middle), middle, high.unwrap_or(middle)],
            None if engine.name == comparison.reference => [1.0; 3],
            None => [f64::NAN; 3],
        };
        Interval { name: &engine.name, ends }
    }
}

/// Draws the ratios of all engines one below the other, without those that have no value; nothing if fewer than two
/// have one.
pub(super) fn ratios(comparison: &Comparison, out: &mut String) -> fmt::Result {
    let intervals = comparison.engines.iter().map(|engine| Interval::of(comparison, engine));
    let (intervals, reference): (Vec<Interval<'_>>, _) = (intervals.collect(), &comparison.reference);
    let is_drawn = |interval: &&Interval<'_>| interval.ends.iter().all(|end| end.is_finite() && *end > 0.0);
    if intervals.len() < 2 || intervals.iter().filter(is_drawn).count() < 2 {
        return Ok(());
    }
    let all = || intervals.iter().filter(is_drawn).flat_map(|interval| interval.ends);
    let low = all().fold(1.0, f64::min) / 1.15;
    let high = all().fold(1.0, f64::max) * 1.15;
    let height = ABOVE + LINE * intervals.len() as i32;
    // The names are left of the axis.
    let longest = intervals.iter().map(|interval| interval.name.chars().count()).max().unwrap_or(0) as i32;
    let names = (40 + 16 * longest).clamp(LEFT, WIDTH / 2);
    let axis = Axis::logarithmic(low..high, ticks(low, high, WIDTH - RIGHT - names), times_label);
    let sentence = format!(
        "How many times the processor time of {reference}, with an interval that holds the ratio in 95 of 100 cases."
    );
    figure("Ratios.", &sentence, height + BELOW, out, |ink| {
        let panel = Panel { xs: names..WIDTH - RIGHT, ys: ABOVE..height, x: &axis, y: None };
        panel.draw_axes(true, ink)?;
        let one = panel.across(1.0);
        ink.line("axis", [(one, ABOVE), (one, height)])?;
        for (number, interval) in intervals.iter().enumerate() {
            let (class, y) = (series_class(number), ABOVE + (number as i32 * 2 + 1) * LINE / 2);
            ink.text("label", "end", (names - 16, y), interval.name)?;
            if !is_drawn(&interval) {
                continue;
            }
            let [from, middle, to] = interval.ends.map(|end| panel.across(end));
            ink.line(&class, [(from, y), (to, y)])?;
            for end in [from, to] {
                ink.line(&class, [(end, y - LINE / 4), (end, y + LINE / 4)])?;
            }
            ink.dot(&class, "w4", (middle, y))?;
        }
        Ok(())
    })
}

/// `0.5 x`, `1 x`, `20 x`, `10⁵ x`.
fn times_label(ratio: f64) -> String {
    let decimals = (-ratio.log10().floor()).clamp(0.0, 6.0) as usize;
    // 1.2 and 1.5 stand beside 1 and 2.
    let decimals = if ratio > 1.0 && (ratio - ratio.round()).abs() > 0.01 { 1 } else { decimals };
    match ratio {
        // A longer label may be wider than the space right of the plot.
        many if !(0.009..=9_999.0).contains(&many) => format!("{} ×", power(many)),
        few => format!("{few:.decimals$} ×"),
    }
}

/// 1, 2, 5, 10, 20, 50, ... if there is room for the labels of all of them on an axis of `width` units, otherwise the
/// powers of ten.
fn ticks(low: f64, high: f64, width: i32) -> Vec<f64> {
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    let of = |digits: &[f64]| -> Vec<f64> {
        let all = powers.clone().flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)));
        all.filter(|tick| (low..=high).contains(tick)).collect()
    };
    let units = |ratio: f64| ratio.ln() / (high / low).ln() * f64::from(width);
    [&[1.0, 1.2, 1.5, 2.0, 3.0, 5.0][..], &[1.0, 2.0, 5.0][..], &[1.0][..]]
        .map(of)
        .into_iter()
        .find(|ticks| ticks.windows(2).all(|pair| units(pair[1] / pair[0]) >= LABEL))
        .unwrap_or_else(|| vec![1.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_have_room() {
        assert_eq!(ticks(0.9, 1.9, 580), [1.0, 1.2, 1.5]);
        assert_eq!(ticks(0.4, 6.0, 580), [0.5, 1.0, 2.0, 5.0]);
        assert_eq!(ticks(0.1, 500.0, 580), [0.1, 1.0, 10.0, 100.0]);
        assert_eq!(ticks(1e-9, 1e9, 350), [1.0]);
    }
}
