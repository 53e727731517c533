//! Engines side by side on exact cover problems.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use galop_compare::{By, Comparison, Contest, Contestant, Law, Plan, PlanError, Problem, compare_problems};
use galop_cover::{Choice, engine, models};
use galop_engines::engine::DLX;

fn queens(sizes: std::ops::RangeInclusive<usize>) -> Vec<Problem> {
    let problem = |size| {
        let problem = Problem::new(&format!("queens {size}"), models::queens(size).unwrap(), None);
        problem.in_series("queens N", size as f64)
    };
    sizes.map(problem).collect()
}

fn contestant(name: &str) -> Contestant {
    Contestant::new(name, By::Cover(engine::by_name(name).map_or(Choice::Auto, Choice::Engine)))
}

/// Counts all solutions in three runs.
fn plan(names: &[&str]) -> Plan<'static> {
    let contestants = names.iter().map(|name| contestant(name)).collect();
    Plan { contestants, runs: 3, solutions: u64::MAX, budget: None, ..Plan::new(&[]) }
}

fn compared(problems: &[Problem], plan: &Plan<'_>) -> Comparison {
    compare_problems(problems, plan, &mut ()).unwrap()
}

/// The nodes of an engine, problem by problem.
fn nodes(comparison: &Comparison, name: &str) -> Vec<f64> {
    let answers = comparison.problems.iter().flat_map(|problem| &problem.engines);
    answers.filter(|answer| answer.engine == name).filter_map(|answer| answer.nodes).collect()
}

#[test]
fn answers_are_counted_and_nodes_depend_on_the_seed_alone() {
    let problems = queens(4..=8);
    let one = compared(&problems, &plan(&["links", "masks"]));
    let answers: Vec<&str> = one.problems.iter().filter_map(|problem| problem.answer.as_deref()).collect();
    assert_eq!(answers, ["2", "10", "4", "40", "92"]);
    assert!(one.engines.iter().all(|engine| engine.without_guess.is_none()), "nodes are no guesses");
    let turned = compared(&problems, &plan(&["masks", "links"]));
    assert_eq!(nodes(&one, "links"), nodes(&turned, "links"), "not on the others");
    // What is found first depends on the order of the options.
    let first = |seed, is_permuted| {
        let plan = Plan { seed, is_permuted, solutions: 1, ..plan(&["masks"]) };
        nodes(&compared(&queens(8..=16), &plan), "masks")
    };
    assert_eq!(first(1, true), first(1, true));
    assert_ne!(first(1, true), first(2, true));
    assert_eq!(first(1, false), first(2, false));
    // The times of a series follow a law.
    let contest = Contest::new(vec![one]);
    let curve = contest.growth.iter().find(|curve| curve.engine == "links").unwrap();
    assert!(curve.points.len() == 5 && curve.fit.unwrap().slope > 1.0, "{curve:?}");
    assert!(matches!(curve.fit.unwrap().law, Law::Exponential | Law::Power));
}

/// A search that was ended has no ratio, and the score of twice the budget; it is not run again.
#[test]
fn a_search_that_runs_into_the_budget_is_not_finished() {
    let problems = queens(16..=16);
    let budget = Duration::from_millis(20);
    let started = std::time::Instant::now();
    let comparison =
        compared(&problems, &Plan { budget: Some(budget), runs: 50, ..plan(&["links", "sparse"]) });
    assert!(started.elapsed() < 50 * budget, "it was run again");
    for (engine, answer) in comparison.engines.iter().zip(&comparison.problems[0].engines) {
        assert_eq!((engine.puzzles, engine.par2_nanos, engine.ratio), (0, Some(40e6), None));
        assert!(!answer.finished && answer.ratio.is_none() && answer.nanos.is_some());
    }
    assert_eq!(comparison.problems[0].answer, None);
    let warned = |warning: &&String| warning.contains("not finished within the limits: queens 16");
    assert_eq!(comparison.warnings.iter().filter(warned).count(), 2, "{:?}", comparison.warnings);
}

#[test]
fn contestants_for_other_tasks_are_refused() {
    let problems = queens(4..=4);
    let fault = |plan: &Plan<'_>| {
        let error = compare_problems(&problems, plan, &mut ()).unwrap_err();
        error.fact::<PlanError>().cloned().unwrap()
    };
    let other = |name: &str| PlanError::OtherTasks(name.to_owned());
    assert_eq!(fault(&Plan { runs: 1, ..Plan::new(&[DLX]) }), other("dlx"));
    assert_eq!(fault(&Plan { is_cheapest: true, ..plan(&["links"]) }), other("links"));
    assert_eq!(fault(&plan(&[])), PlanError::NoEngine);
    assert_eq!(
        compare_problems(&[], &plan(&["links"]), &mut ()).unwrap_err().fact(),
        Some(&PlanError::NoPuzzles)
    );
}
