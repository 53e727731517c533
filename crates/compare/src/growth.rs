//! How times grow: with the size of a problem, the number of puzzles, the size of a grid, or the number of threads.

use serde::Serialize;

use super::figures::{Comparison, EngineFigures};
use super::statistics::{mean, student};

/// The times of one engine over a series.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The engine.
    pub engine: String,
    /// What grows: `queens`, `puzzles`, `threads`.
    pub over: String,
    /// What the times are: `time of a problem`, `elapsed time of a puzzle`.
    pub time_of: String,
    /// The times, the smallest size first.
    pub points: Vec<CurvePoint>,
    /// The curve through the points that were finished; null if there are fewer than three.
    pub fit: Option<Fit>,
}

/// One time of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The size.
    pub size: f64,
    /// Nanoseconds.
    pub nanos: f64,
    /// Whether the engine finished; if not, its time is at least this.
    pub finished: bool,
}

/// How a time grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// The law that fits better.
    pub law: Law,
    /// The factor for each step of the size, or the power of the size.
    pub slope: f64,
    /// The lower end of its interval of 95 %.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of the variance of the logarithms that the law explains (R²).
    pub explained: f64,
}

/// A law of growth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Law {
    /// The time grows by a factor for each step of the size.
    Exponential,
    /// The time grows as a power of the size.
    Power,
}

/// The curves of some comparisons: over the sizes of their problems, over their own sizes, and over threads.
pub(super) fn curves(comparisons: &[Comparison]) -> Vec<Curve> {
    let mut points = Points::default();
    for comparison in comparisons {
        for problem in &comparison.problems {
            let Some(series) = &problem.series else { continue };
            for answer in &problem.engines {
                if let Some(nanos) = answer.nanos {
                    let (size, nanos, finished) = (series.size, nanos.median, answer.finished);
                    points.add(
                        &answer.engine,
                        &series.of,
                        "time of a problem",
                        CurvePoint { size, nanos, finished },
                    );
                }
            }
        }
        for engine in &comparison.engines {
            if let Some(series) = &comparison.series {
                // More puzzles take more time; larger grids take more time for each.
                let (time_of, times) = match &*series.of {
                    "puzzles" => ("time of all puzzles", engine.puzzles as f64),
                    _ => ("time of a puzzle", 1.0),
                };
                let (size, nanos) = (series.size, times * engine.cpu_nanos.median);
                let finished = engine.share >= 1.0;
                points.add(&engine.name, &series.of, time_of, CurvePoint { size, nanos, finished });
            }
            if comparison.engines.iter().any(|other| is_same_but_threads(engine, other)) {
                let (time_of, nanos) = match comparison.rules {
                    Some(_) => ("elapsed time of a puzzle", engine.wall_nanos.median / engine.threads as f64),
                    None => ("elapsed time of a problem", engine.wall_nanos.median),
                };
                let (size, finished) = (engine.threads as f64, engine.share >= 1.0);
                points.add(base(&engine.name), "threads", time_of, CurvePoint { size, nanos, finished });
            }
        }
    }
    points.0.retain(|curve| curve.points.len() > 1);
    for curve in &mut points.0 {
        curve.points.sort_by(|one, other| one.size.total_cmp(&other.size));
        curve.fit = fit(&curve.points, matches!(&*curve.over, "threads" | "puzzles"));
    }
    points.0
}

/// Curves that points are added to.
#[derive(Default)]
struct Points(Vec<Curve>);

impl Points {
    fn add(&mut self, engine: &str, over: &str, time_of: &str, point: CurvePoint) {
        let is_one =
            |curve: &Curve| (&*curve.engine, &*curve.over, &*curve.time_of) == (engine, over, time_of);
        if let Some(curve) = self.0.iter_mut().find(|curve| is_one(curve)) {
            return curve.points.push(point);
        }
        let [engine, over, time_of] = [engine, over, time_of].map(str::to_owned);
        self.0.push(Curve { engine, over, time_of, points: vec![point], fit: None });
    }
}

/// The name of an engine without its number of threads.
fn base(name: &str) -> &str {
    match name.rsplit_once('@') {
        Some((base, threads)) if threads.bytes().all(|byte| byte.is_ascii_digit()) => base,
        _ => name,
    }
}

fn is_same_but_threads(one: &EngineFigures, other: &EngineFigures) -> bool {
    base(&one.name) == base(&other.name)
        && one.threads != other.threads
        && !one.is_program
        && !other.is_program
}

/// The law that fits the finished points better, by least squares on the logarithms of the times; the interval is
/// Student's for a slope. `None` for fewer than three points, or sizes that are all the same.
fn fit(points: &[CurvePoint], is_power: bool) -> Option<Fit> {
    let finished: Vec<&CurvePoint> =
        points.iter().filter(|point| point.finished && point.nanos > 0.0).collect();
    let times: Vec<f64> = finished.iter().map(|point| point.nanos.ln()).collect();
    let law_of = |law, of: fn(f64) -> f64| {
        let sizes: Vec<f64> = finished.iter().map(|point| of(point.size)).collect();
        let [slope, low, high, explained] = line(&sizes, &times)?;
        let end = |value: f64| if law == Law::Exponential { value.exp() } else { value };
        Some(Fit { law, slope: end(slope), low: end(low), high: end(high), explained })
    };
    let power = law_of(Law::Power, f64::ln);
    let exponential = law_of(Law::Exponential, |size| size).filter(|_| !is_power);
    match (power, exponential) {
        (Some(power), Some(exponential)) if exponential.explained > power.explained => Some(exponential),
        (power, exponential) => power.or(exponential),
    }
}

/// The slope of the line of least squares through the points, the ends of its interval, and R².
fn line(sizes: &[f64], times: &[f64]) -> Option<[f64; 4]> {
    if sizes.len() < 3 || sizes.iter().any(|size| !size.is_finite()) {
        return None;
    }
    let (middle, mean_time) = (mean(sizes), mean(times));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        let pairs = sizes.iter().zip(times);
        pairs.map(|(size, time)| of(size - middle, time - mean_time)).sum::<f64>()
    };
    let (squares, both, all) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    if squares <= 0.0 {
        return None;
    }
    let slope = both / squares;
    let rest = sum(&|x, y| (y - slope * x).powi(2));
    let freedom = (sizes.len() - 2) as f64;
    let half = student(freedom)? * (rest / freedom / squares).sqrt();
    let explained = if all > 0.0 { 1.0 - rest / all } else { 1.0 };
    Some([slope, slope - half, slope + half, explained])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(of: impl Fn(f64) -> f64) -> Vec<CurvePoint> {
        let sizes = [4.0, 5.0, 6.0, 8.0, 10.0];
        sizes.map(|size| CurvePoint { size, nanos: of(size), finished: true }).to_vec()
    }

    #[test]
    fn the_law_that_made_the_points_is_found() {
        let exponential = fit(&points(|size| 7.0 * 3f64.powf(size)), false).unwrap();
        assert_eq!(exponential.law, Law::Exponential);
        assert!((exponential.slope - 3.0).abs() < 1e-9 && exponential.explained > 0.999, "{exponential:?}");
        let power = fit(&points(|size| 7.0 * size.powf(2.5)), false).unwrap();
        assert_eq!(power.law, Law::Power);
        assert!((power.slope - 2.5).abs() < 1e-9 && power.high - power.low < 1e-6, "{power:?}");
        // With noise the interval holds the slope, and is not empty.
        let noisy = |size: f64| size.powi(2) * if size % 4.0 == 0.0 { 1.1 } else { 0.9 };
        let Fit { low, high, .. } = fit(&points(noisy), true).unwrap();
        assert!(low < 2.0 && 2.0 < high && high - low > 0.1, "{low} {high}");
    }

    /// Points that were not finished are not part of the line; two points have none.
    #[test]
    fn a_time_that_was_cut_is_no_point_of_the_line() {
        let mut cut = points(|size| 2f64.powf(size));
        let whole = fit(&cut, false).unwrap();
        cut.push(CurvePoint { size: 12.0, nanos: 5.0, finished: false });
        assert_eq!(fit(&cut, false), Some(whole));
        assert_eq!(fit(&cut[..2], false), None);
        let one_size = [CurvePoint { size: 2.0, nanos: 1.0, finished: true }; 4];
        assert_eq!(fit(&one_size, false), None);
    }

    /// By hand (Student's t with 1 degree of freedom is 12.706): the points (0,0), (1,1), (2,3) have slope 1.5, a rest
    /// of 1/6 and squares of 2.
    #[test]
    fn the_interval_of_a_slope_by_hand() {
        let [slope, low, high, explained] = line(&[0.0, 1.0, 2.0], &[0.0, 1.0, 3.0]).unwrap();
        let half = 12.706_205 * (1.0f64 / 12.0).sqrt();
        assert!(
            (slope - 1.5).abs() < 1e-12
                && (high - slope - half).abs() < 1e-4
                && (slope - low - half).abs() < 1e-4
        );
        assert!((explained - (1.0 - (1.0 / 6.0) / (14.0 / 3.0))).abs() < 1e-12);
    }

    #[test]
    fn names_without_their_threads() {
        assert_eq!(
            ["grid@4", "grid", "lanes@avx2", "lanes@avx2@2"].map(base),
            ["grid", "grid", "lanes@avx2", "lanes@avx2"]
        );
    }
}
