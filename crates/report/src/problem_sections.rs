//! The tables of a comparison on exact cover problems.

use super::names::input_name;
use super::section::{Table, UNKNOWN, ratio, ratio_in_words};
use galop_batch::figures::{duration, group_digits, rounded};
use galop_compare::{Comparison, EngineFigures, ProblemAnswer, ProblemFigures};

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
pub(super) fn one_problem(comparison: &Comparison, problem: &ProblemFigures) -> Table {
    let mut header = ["engine", "time", "nodes", answers_of(comparison)].map(String::from).to_vec();
    header.push(format!("× {}", comparison.reference));
    let row = |answer: &ProblemAnswer| {
        let said = answer.answer.as_deref().map_or_else(|| UNKNOWN.to_owned(), digits);
        let is_bound = !answer.finished && answer.answer.is_some();
        vec![
            answer.engine.clone(),
            time(answer),
            answer.nodes.map_or_else(|| UNKNOWN.to_owned(), |nodes| group_digits(nodes.round() as u64)),
            if is_bound { format!(">={said}") } else { said },
            ratio_in_words(answer.ratio, answer.engine == comparison.reference),
        ]
    };
    let taken = problem.engines.iter().filter(|answer| answer.refusal.is_none());
    Table { header, rows: taken.map(row).collect() }
}

/// The word for the answers to problems.
fn answers_of(comparison: &Comparison) -> &'static str {
    if comparison.options.cheapest { "cost" } else { "solutions" }
}

/// The time on a problem: `1.20 ms ± 0.05 ms`, or `> 10.0 s` if it was ended.
pub(super) fn time(answer: &ProblemAnswer) -> String {
    match answer.nanos {
        None => UNKNOWN.to_owned(),
        Some(spread) if !answer.finished => format!("> {}", duration(spread.median)),
        Some(spread) => format!("{} ± {}", duration(spread.median), duration(spread.deviation)),
    }
}

/// A number of decimal digits in groups; a long one as `1.23e45`.
pub(super) fn digits(text: &str) -> String {
    match text.parse::<u64>() {
        Ok(number) => group_digits(number),
        Err(_) if text.len() > 3 => format!("{}.{}e{}", &text[..1], &text[1..3], text.len() - 1),
        Err(_) => text.to_owned(),
    }
}

/// The engines on several problems.
pub(super) fn problem_ranking(comparison: &Comparison) -> Table {
    let has_score = comparison.engines.iter().any(|engine| engine.par2_nanos.is_some());
    let mut header: Vec<String> = ["engine", "finished", "mean", "max", "nodes"].map(String::from).into();
    header.extend(has_score.then(|| "PAR2".to_owned()));
    header.push(format!("× {}", comparison.reference));
    let row = |engine: &EngineFigures| {
        let mut row = vec![
            engine.name.clone(),
            format!("{} of {}", engine.puzzles, comparison.puzzles),
            duration(engine.mean_nanos),
            engine.nanos.as_ref().map_or_else(|| UNKNOWN.to_owned(), |nanos| duration(nanos.max as f64)),
            engine.mean_guesses.map_or_else(|| UNKNOWN.to_owned(), rounded),
        ];
        row.extend(has_score.then(|| engine.par2_nanos.map_or_else(|| UNKNOWN.to_owned(), duration)));
        row.push(ratio(engine, &comparison.reference));
        row
    };
    Table { header, rows: comparison.engines.iter().map(row).collect() }
}

/// The time of every engine on every problem.
pub(super) fn all_problems(comparison: &Comparison, problems: &[ProblemFigures]) -> Table {
    let mut header = ["problem", answers_of(comparison)].map(String::from).to_vec();
    header.extend(comparison.engines.iter().map(|engine| engine.name.clone()));
    let row = |problem: &ProblemFigures| {
        let answer = problem.answer.as_deref().map_or_else(|| UNKNOWN.to_owned(), digits);
        let mut row = vec![input_name(&problem.name), answer];
        row.extend(problem.engines.iter().map(|answer| match answer.nanos {
            None => UNKNOWN.to_owned(),
            Some(spread) if answer.finished => duration(spread.median),
            Some(spread) => format!("> {}", duration(spread.median)),
        }));
        row
    };
    Table { header, rows: problems.iter().map(row).collect() }
}
