//! The tables of a comparison on exact cover problems.

use super::names::input_name;
use super::section::{Kind, Place, Table, UNKNOWN, Words, ratio};
use galop_batch::figures::{duration, group_digits, rounded};
use galop_compare::{Comparison, EngineFigures, ProblemAnswer, ProblemFigures, Spread};

/// Why engines do not take problems: each reason once, with the names of the problems if some are taken.
pub(super) fn refusals(comparison: &Comparison) -> impl Iterator<Item = String> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for problem in &comparison.problems {
        for reason in problem.engines.iter().filter_map(|answer| answer.refusal.as_deref()) {
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, names)) => names.push(&problem.name),
                None => reasons.push((reason, vec![&problem.name])),
            }
        }
    }
    let count = comparison.problems.len();
    let lines: Vec<String> = reasons
        .into_iter()
        .map(|(reason, names)| match names.len() {
            all if all == count => reason.to_owned(),
            1 => format!("{}: {reason}", names[0]),
            some => format!("{some} problems, such as {}: {reason}", names[0]),
        })
        .collect();
    lines.into_iter()
}

/// The engines on one problem.
pub(super) fn one_problem(place: &Place, comparison: &Comparison, problem: &ProblemFigures) -> Table {
    let mut header = ["engine", "time", "nodes", answers_of(comparison)].map(String::from).to_vec();
    header.push(format!("× {}", comparison.reference));
    let row = |(index, answer): (usize, &ProblemAnswer)| {
        let place = place.at(format!("problems.0.engines.{index}"));
        let is_bound = !answer.finished && answer.answer.is_some();
        let said = place.known("answer", answer.answer.as_deref(), digits);
        vec![
            Words::of(Kind::Series(index), &answer.engine),
            time(&place, answer, Kind::Plain),
            place.known("nodes", answer.nodes, |nodes| group_digits(nodes.round() as u64)),
            if is_bound { Words::from(">=").and(said) } else { said },
            ratio(&place, answer.ratio, answer.engine == comparison.reference),
        ]
    };
    let taken = problem.engines.iter().enumerate().filter(|(_, answer)| answer.refusal.is_none());
    Table { title: "Problems", header, rows: taken.map(row).collect() }
}

/// The word for the answers to problems.
fn answers_of(comparison: &Comparison) -> &'static str {
    if comparison.options.cheapest { "cost" } else { "solutions" }
}

/// The time on the problem at `place`: `1.20 ms ± 0.05 ms`, with the distance as words of a kind, or `> 10.0 s` if it
/// was ended.
fn time(place: &Place, answer: &ProblemAnswer, kind: Kind) -> Words {
    let Some(Spread { median, deviation, .. }) = answer.nanos else { return UNKNOWN.into() };
    let time = place.figure("nanos.median", median, duration(median));
    if !answer.finished {
        return Words::from("> ").and(time);
    }
    let deviation = place.figure("nanos.deviation", deviation, duration(deviation));
    time.and(Words::from(" ± ").and(deviation).kind(kind))
}

/// A number of decimal digits in groups; a long one as `1.23e45`.
fn digits(text: &str) -> String {
    match text.parse::<u64>() {
        Ok(number) => group_digits(number),
        Err(_) if text.len() > 3 => format!("{}.{}e{}", &text[..1], &text[1..3], text.len() - 1),
        Err(_) => text.to_owned(),
    }
}

/// The engines on several problems.
pub(super) fn problem_ranking(place: &Place, comparison: &Comparison) -> Table {
    let has_score = comparison.engines.iter().any(|engine| engine.par2_nanos.is_some());
    let mut header: Vec<String> = ["engine", "finished", "mean", "max", "nodes"].map(String::from).into();
    header.extend(has_score.then(|| "PAR2".to_owned()));
    header.push(format!("× {}", comparison.reference));
    let row = |(index, engine): (usize, &EngineFigures)| {
        let place = place.at(format!("engines.{index}"));
        let finished = format!("{} of {}", engine.puzzles, comparison.puzzles);
        // An engine that can take none of the problems has no times and no score.
        let takes = |problem: &ProblemFigures| problem.engines[index].refusal.is_none();
        let is_in = comparison.problems.iter().any(takes);
        let longest = engine.nanos.as_ref().map(|nanos| nanos.max).filter(|_| is_in);
        let mean = is_in.then_some(engine.mean_nanos).filter(|mean| *mean > 0.0);
        let mut row = vec![
            Words::of(Kind::Series(index), &engine.name),
            place.figure("puzzles", engine.puzzles, finished),
            place.known("mean_nanos", mean, duration),
            place.known("nanos.max", longest, |max| duration(max as f64)),
            place.known("mean_guesses", engine.mean_guesses.filter(|_| is_in), rounded),
        ];
        let score = engine.par2_nanos.filter(|_| is_in);
        row.extend(has_score.then(|| place.known("par2_nanos", score, duration)));
        row.push(ratio(&place, engine.ratio, engine.name == comparison.reference));
        row
    };
    Table { title: "Ranking", header, rows: comparison.engines.iter().enumerate().map(row).collect() }
}

/// The time of every engine on every problem.
pub(super) fn all_problems(place: &Place, comparison: &Comparison, problems: &[ProblemFigures]) -> Table {
    let mut header = ["problem", answers_of(comparison)].map(String::from).to_vec();
    header.extend(comparison.engines.iter().map(|engine| engine.name.clone()));
    let row = |(index, problem): (usize, &ProblemFigures)| {
        let place = place.at(format!("problems.{index}"));
        let answer = place.known("answer", problem.answer.as_deref(), digits);
        let mut row = vec![input_name(&problem.name).into(), answer];
        let times = problem.engines.iter().enumerate();
        row.extend(times.map(|(at, answer)| time(&place.at(format!("engines.{at}")), answer, Kind::Aside)));
        row
    };
    Table { title: "Problems", header, rows: problems.iter().enumerate().map(row).collect() }
}
