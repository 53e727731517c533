//! The best covers against brute force, and costs at their limits.

use std::num::NonZero;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::cliques::with_cliques;
use super::costs::Costs;
use super::dive;
use super::prices::{Effort, Improvement, NodeEnd, Prices};
use super::remainder::Remainder;
use super::*;
use crate::engine::{Meter, Stop};
use crate::problem::TermRef;
use crate::tests::made;
use crate::tests::{brute_force_with, problems};
use crate::{CoverError, CoverLimits, ExactCover, ItemId};

/// These covers, the best first; covers of equal cost are in the order of their options.
fn ranked(problem: &ExactCover, rank: Rank, mut covers: Vec<Vec<OptionId>>) -> Vec<RankedCover> {
    covers.sort();
    let cost = |options: &[OptionId]| options.iter().map(|&option| u128::from(problem.cost(option))).sum();
    let mut covers: Vec<RankedCover> =
        covers.into_iter().map(|options| RankedCover { cost: cost(&options), options }).collect();
    match rank {
        Rank::Cheapest => covers.sort_by_key(|cover| cover.cost),
        Rank::Dearest => covers.sort_by_key(|cover| std::cmp::Reverse(cover.cost)),
    }
    covers
}

/// The `most` cheapest covers.
fn best(problem: &ExactCover, most: usize) -> Vec<RankedCover> {
    problem.rank(Rank::Cheapest, most).search(&CoverLimits::NONE).unwrap().covers
}

/// Compares some best covers with the covers of brute force, on several threads.
fn compare(problem: &ExactCover, most: &[usize], assumed: [&[OptionId]; 2]) -> Result<(), TestCaseError> {
    let all = brute_force_with(problem, assumed[0], assumed[1]);
    for rank in [Rank::Cheapest, Rank::Dearest] {
        let expected = ranked(problem, rank, all.clone());
        for threads in [1, 4] {
            for &most in most {
                let ranker = problem.rank(rank, most).threads(NonZero::new(threads));
                let found = ranker.assume(assumed[0], assumed[1]).search(&CoverLimits::NONE).unwrap();
                let expected = &expected[..expected.len().min(most)];
                prop_assert_eq!(&found.covers, expected, "{:?} {} on {} threads", rank, most, threads);
                prop_assert_eq!(found.gap(), expected.first().map(|_| 0));
                prop_assert_eq!(found.end, End::Complete);
                let last = if expected.len() < most { None } else { expected.last().map(|cover| cover.cost) };
                prop_assert_eq!(found.bound, last);
            }
        }
    }
    Ok(())
}

/// The same problem with other costs.
fn with_costs(problem: &ExactCover, costs: &[u64]) -> ExactCover {
    let costs = costs.iter().cycle().take(problem.option_count()).copied().collect();
    ExactCover { costs, ..problem.clone() }
}

proptest! {
    #[test]
    fn the_best_covers_are_those_of_brute_force(
        problem in problems(),
        small in vec(0_u64..12, 11),
        most in 1_usize..8,
        draws in any::<[u32; 2]>(),
    ) {
        let small = with_costs(&problem, &small);
        compare(&small, &[1, most, 1000], [&[], &[]])?;
        if let Some(last) = (problem.option_count() as u32).checked_sub(1) {
            let [one, two] = draws.map(|draw| draw % (last + 1));
            compare(&small, &[2], [&[OptionId(one)], &[OptionId(two)]])?;
        }
    }

    #[test]
    fn costs_may_be_zero_equal_and_as_large_as_numbers_of_64_bits(
        problem in problems(),
        large in vec(u64::MAX - 3..=u64::MAX, 11),
        mixed in vec(prop_oneof![0_u64..3, u64::MAX - 1..=u64::MAX, 1_u64 << 40..1 << 41], 11),
    ) {
        for costs in [&large, &mixed, &vec![0], &vec![7], &vec![u64::MAX]] {
            compare(&with_costs(&problem, costs), &[1, 3], [&[], &[]])?;
        }
    }

    #[test]
    fn scaled_sums_are_never_above_the_scaled_sum(costs in vec(any::<u64>(), 1..12), shift in 0_u32..64) {
        let mut builder = ExactCover::builder();
        builder.primary("a");
        for &cost in &costs {
            builder.option_with_cost(["a"], cost >> shift);
        }
        let problem = builder.finish().unwrap();
        for rank in [Rank::Cheapest, Rank::Dearest] {
            let scale = Costs::new(&problem, rank);
            let all: Vec<OptionId> = (0..costs.len() as u32).map(OptionId).collect();
            let exact = scale.sum(&all);
            let scaled: i64 = scale.scaled().iter().sum();
            prop_assert!(scaled <= scale.limit(exact));
            prop_assert!(scale.least(scaled) <= exact);
            prop_assert!(scale.least(scale.limit(exact)) <= exact && scale.limit(exact - 1) <= scale.limit(exact));
            let given: u128 = all.iter().map(|&option| u128::from(problem.cost(option))).sum();
            prop_assert_eq!(scale.given(exact), given);
        }
    }
}

/// Problems too large for brute force: 12 primary items, 5 secondary ones in two colours, 30 to 60 options.
fn larger_problems() -> impl Strategy<Value = ExactCover> {
    let option = (vec(0_u32..12, 1..=4), vec(0_u32..12, 5), 0_u64..60);
    (vec(option, 30..60), prop_oneof![Just(1_u64), Just(20), Just(1_000_000_007)], 0_u32..3).prop_map(
        |(options, scale, spread)| {
            let mut builder = ExactCover::builder();
            for item in 0..12 {
                // A third of the problems has items that may be covered more than once, or not at all.
                let (low, high) = if spread == 0 && item % 4 == 0 { (item / 4 % 2, 2) } else { (1, 1) };
                builder.primary_with_bounds(&format!("p{item}"), low, high);
            }
            for item in 0..5 {
                builder.secondary(&format!("s{item}"));
            }
            for (mut items, colours, cost) in options {
                items.sort_unstable();
                items.dedup();
                let mut places: Vec<String> = items.iter().map(|item| format!("p{item}")).collect();
                for (item, does) in colours.iter().enumerate() {
                    match does {
                        0 | 1 => places.push(format!("s{item}")),
                        2 | 3 if item < 2 => places.push(format!("s{item}:c{does}")),
                        _ => {}
                    }
                }
                builder.option_with_cost(&places, cost * scale);
            }
            builder.finish().unwrap()
        },
    )
}

proptest! {
    #[test]
    fn the_best_covers_of_larger_problems_are_the_best_of_all(problem in larger_problems(), most in 1_usize..5) {
        let mut solver = problem.solver().unwrap();
        let all: Vec<_> = solver.search(&CoverLimits::first(20_000)).into_iter().map(Result::unwrap).collect();
        prop_assume!(all.len() < 20_000);
        for rank in [Rank::Cheapest, Rank::Dearest] {
            let expected = ranked(&problem, rank, all.clone());
            let ranking = problem.rank(rank, most).search(&CoverLimits::NONE).unwrap();
            prop_assert_eq!(&ranking.covers[..], &expected[..expected.len().min(most)]);
        }
    }
}

/// Domino tilings: very many covers of the same cost. The first ones in the order of options are those that the
/// enumeration of all finds first.
#[test]
fn very_many_ties_are_sorted_by_their_options() {
    let small = made("dominoes 4x6");
    let mut solver = small.solver().unwrap();
    let mut all: Vec<_> = solver.search(&CoverLimits::NONE).into_iter().map(Result::unwrap).collect();
    all.sort();
    assert_eq!(all.len(), 281);
    for threads in [1, 2] {
        let threads = NonZero::new(threads);
        for most in [1, 5, 281, 300] {
            let ranking =
                small.rank(Rank::Cheapest, most).threads(threads).search(&CoverLimits::NONE).unwrap();
            let found: Vec<Vec<OptionId>> = ranking.covers.into_iter().map(|cover| cover.options).collect();
            assert_eq!(found, all[..all.len().min(most)], "{most}");
        }
        let is_allowed = |cover: &&Vec<OptionId>| cover.contains(&all[100][3]) && !cover.contains(&all[7][2]);
        let allowed: Vec<&Vec<OptionId>> = all.iter().filter(is_allowed).take(3).collect();
        let ranker = small.rank(Rank::Cheapest, 3).threads(threads).assume(&[all[100][3]], &[all[7][2]]);
        let ranking = ranker.search(&CoverLimits::NONE).unwrap();
        assert_eq!(ranking.covers.iter().map(|cover| &cover.options).collect::<Vec<_>>(), allowed);
    }
    // 2,444,888,770,250,892,795,802,079,170,816 tilings.
    let large = best(&made("dominoes 16x16"), 2);
    assert_eq!(large.len(), 2);
    assert!(large[0].options < large[1].options && large[0].cost == 0);
}

/// A search that is stopped returns a bound that the best cover keeps.
#[test]
fn a_stopped_search_has_a_bound() {
    let queens = made("queen-costs 10");
    for (rank, best) in [
        (Rank::Cheapest, 275),
        (Rank::Dearest, queens.rank(Rank::Dearest, 1).search(&CoverLimits::NONE).unwrap().covers[0].cost),
    ] {
        for nodes in (0..60).chain([300, 1_000_000]) {
            let limits = CoverLimits { nodes: Some(nodes), ..CoverLimits::NONE };
            let ranking = queens.rank(rank, 1).search(&limits).unwrap();
            let found = ranking.covers.first().map(|cover| cover.cost);
            if nodes == 1_000_000 {
                assert_eq!((found, ranking.end), (Some(best), End::Complete));
                continue;
            }
            assert!(ranking.end == End::Nodes || found == Some(best), "{ranking:?}");
            match rank {
                Rank::Cheapest => {
                    assert!(found.is_none_or(|found| found >= best));
                    assert!(ranking.bound.is_none_or(|bound| bound <= best));
                }
                Rank::Dearest => {
                    assert!(found.is_none_or(|found| found <= best));
                    assert!(ranking.bound.is_none_or(|bound| bound >= best));
                }
            }
            if let (Some(found), Some(gap)) = (found, ranking.gap()) {
                assert!(found.abs_diff(best) <= gap, "{ranking:?}");
            }
        }
    }
}

#[test]
fn a_list_of_nothing_and_a_problem_without_covers() {
    let none: ExactCover = "a b\na |3\n".parse().unwrap();
    assert_eq!(best(&none, 5), []);
    let ranking = none.rank(Rank::Dearest, 2).search(&CoverLimits::NONE).unwrap();
    assert_eq!((ranking.end, ranking.bound, ranking.gap()), (End::Complete, None, None));
    let empty = ExactCover::default();
    assert_eq!(best(&empty, 2), [RankedCover { cost: 0, options: Vec::new() }]);
    assert_eq!(best(&empty, 0), []);
}

/// Nothing is built then, and nothing is known.
#[test]
fn a_search_that_is_stopped_before_it_begins_has_no_nodes() -> Result<(), CoverError> {
    let queens = made("queen-costs 8");
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let cancelled = CoverLimits { cancel: Some(&cancel), ..CoverLimits::NONE };
    for (limits, end) in
        [(CoverLimits::NONE.within(std::time::Duration::ZERO), End::Deadline), (cancelled, End::Cancelled)]
    {
        let ranking = queens.rank(Rank::Cheapest, 1).search(&limits)?;
        assert_eq!(ranking, Ranking { rank: Rank::Cheapest, covers: Vec::new(), bound: None, nodes: 0, end });
    }
    Ok(())
}

/// The root's bound, by prices alone or with the linear program.
fn root_bound(
    problem: &ExactCover,
    has_program: bool,
    meter: &mut Meter<'_>,
) -> (Costs, Result<Improvement, NodeEnd>) {
    let costs = Costs::new(problem, Rank::Cheapest);
    let mut state = Remainder::new(problem.clone().into());
    state.propagate().unwrap();
    let mut prices = Prices::new(&state, costs.scaled(), costs.max_price);
    let effort = Effort { steps: 3, pace: 1.0, patience: 1, has_program };
    let improved = prices.improve(&mut state, i64::MAX, effort, meter);
    (costs, improved)
}

/// Intervals of a line, all of one item and more, in an order that `costs` decides; each twice if that is possible, so
/// that a cover may take it as often as the linear program, which knows only items.
fn intervals(items: usize, costs: &[u64], bounds: &[(u32, u32)]) -> ExactCover {
    let mut builder = ExactCover::builder();
    for (item, &(low, high)) in (0..items).zip(bounds.iter().cycle()) {
        builder.primary_with_bounds(&format!("i{item}"), low, high);
    }
    let times = if bounds.iter().all(|&(_, high)| high == 1) { 1 } else { 2 };
    let ranges = (0..items).flat_map(|start| (start + 1..=items.min(start + 4)).map(move |end| start..end));
    for (range, &cost) in ranges.zip(costs.iter().cycle()) {
        for _ in 0..times {
            builder.option_with_cost(range.clone().map(|item| ItemId(item as u32)), cost);
        }
    }
    builder.finish().unwrap()
}

proptest! {
    /// The linear program of intervals is integral: its bound is the cost of the best cover.
    #[test]
    fn the_program_of_intervals_has_the_cost_of_the_best_cover(
        items in 2_usize..20,
        costs in vec(prop_oneof![0_u64..50, 0_u64..5_000_000], 1..60),
        bounds in vec(select(vec![(1, 1), (1, 1), (0, 1), (1, 2), (0, 2), (2, 2)]), 1..30),
    ) {
        let problem = intervals(items, &costs, &bounds);
        let best = best(&problem, 1);
        prop_assume!(!best.is_empty());
        let best = best[0].cost as i128;
        let (costs, improved) = root_bound(&problem, true, &mut Meter::new(u64::MAX, None, None));
        let Ok(Improvement { bound, .. }) = improved else { return Err(TestCaseError::fail("no bound")) };
        // (Costs have lost the factor that all of them have.)
        prop_assert_eq!(costs.given(costs.least(bound)) as i128, best);
    }

    /// With bounds, secondary items and colours: no bound is above a cover, and the program's bound is not below
    /// the bound of prices.
    #[test]
    fn the_bound_of_the_program_is_safe(problem in larger_problems()) {
        let best = best(&problem, 1);
        prop_assume!(!best.is_empty());
        let bound = |has_program| match root_bound(&problem, has_program, &mut Meter::new(u64::MAX, None, None)) {
            (costs, Ok(Improvement { bound, .. })) => (costs.given(costs.least(bound)), bound),
            (_, other) => panic!("{other:?}"),
        };
        let (prices, program) = (bound(false), bound(true));
        prop_assert!(program.0 <= best[0].cost && prices.1 <= program.1);
    }
}

proptest! {
    /// The items that let colours have prices forbid nothing.
    #[test]
    fn cliques_leave_all_covers(problem in problems()) {
        let with = with_cliques(&problem);
        prop_assert!(with.options().zip(problem.options()).all(|(with, terms)| with.starts_with(terms)));
        for cover in brute_force_with(&problem, &[], &[]) {
            let terms = cover.iter().flat_map(|&option| with.option(option));
            let mut added: Vec<u32> =
                terms.map(|term| term.item.0).filter(|&item| item >= problem.item_count() as u32).collect();
            added.sort_unstable();
            prop_assert!(added.is_sorted_by(|one, other| one < other));
        }
    }

    /// What is found by rounding is a cover, and not too dear.
    #[test]
    fn a_rounded_program_is_a_cover(problem in problems(), limit in 0_i128..100) {
        let costs = Costs::new(&problem, Rank::Cheapest);
        let mut state = Remainder::new(problem.clone().into());
        let mut prices = Prices::new(&state, costs.scaled(), costs.max_price);
        let meter = &mut Meter::new(u64::MAX, None, None);
        let is_possible = state.propagate().is_ok();
        if is_possible && dive::round(&mut state, &mut prices, costs.limit(limit), false, meter).unwrap() {
            let mut cover: Vec<OptionId> = state.chosen().iter().map(|&option| OptionId(option)).collect();
            cover.sort_unstable();
            prop_assert!(costs.sum(&cover) <= limit);
            prop_assert!(brute_force_with(&problem, &[], &[]).contains(&cover));
        }
    }
}

/// On Tuesday no early shift follows a late one of Monday, so the two exclude each other.
#[test]
fn a_change_of_colour_is_a_clique() -> Result<(), CoverError> {
    let text = "mon tue | late\nmon late:0\nmon late:1\ntue late:0\ntue late:1\ntue\n";
    let with = with_cliques(&text.parse()?);
    let members = |item: u32| {
        let has = |&option: &u32| with.option(OptionId(option)).iter().any(|term| term.item == ItemId(item));
        (0..5).filter(has).collect::<Vec<u32>>()
    };
    assert_eq!((3..with.item_count() as u32).map(members).collect::<Vec<_>>(), [vec![0, 3], vec![1, 2]]);
    Ok(())
}

/// Shifts of eight persons on 14 days, with wishes. No cover was found before the program knew what a change of colour
/// costs, had both bounds of an item, and was rounded.
#[test]
fn the_best_roster_is_found() -> Result<(), CoverError> {
    let (persons, days) = (8, 14);
    let mut builder = ExactCover::builder();
    let shift_of = |person: usize, day: usize| (person + day / 2) % 4;
    let worked = |person: usize| (0..days).filter(|&day| shift_of(person, day) < 3).count() as u32;
    let work: Vec<ItemId> = (0..persons)
        .map(|who| builder.primary_with_bounds(&format!("w{who}"), worked(who), worked(who)))
        .collect();
    let mut needed = Vec::new();
    for day in 0..days {
        for shift in 0..3 {
            let least = (0..persons).filter(|&person| shift_of(person, day) == shift).count() as u32;
            needed.push(builder.primary_with_bounds(&format!("n{day}.{shift}"), least, least + 1));
        }
    }
    let cells = builder.primary_items(persons * days);
    let late = builder.secondary_items(persons * days);
    for at in 0..persons * days {
        let (person, day) = (at / days, at % days);
        for shift in 0..4 {
            let mut terms = vec![TermRef::from(cells[at])];
            if shift < 3 {
                terms.extend([needed[3 * day + shift], work[person]].map(TermRef::from));
            }
            terms.push((late[at], u32::from(shift == 1 || shift == 2)).into());
            if shift == 0 && day > 0 {
                terms.push((late[at - 1], 0).into());
            }
            let wish = at as u64 * at as u64 * 31 % 997 * (shift as u64 + 3) % 60;
            builder.option_with_cost(terms, wish.saturating_sub(40));
        }
    }
    let limits = CoverLimits { nodes: Some(50_000), ..CoverLimits::NONE };
    let ranking = builder.finish()?.rank(Rank::Cheapest, 1).search(&limits)?;
    assert!(ranking.gap() == Some(0), "{ranking:?}");
    Ok(())
}

/// The program looks at the limits at every step.
#[test]
fn a_program_is_stopped_by_a_deadline_and_by_a_flag() {
    let problem = intervals(40, &[7, 3, 9, 4, 8], &[(1, 1)]);
    let now = Some(std::time::Instant::now());
    let flag = std::sync::atomic::AtomicBool::new(true);
    for (mut meter, stop) in [
        (Meter::new(u64::MAX, now, None), Stop::Deadline),
        (Meter::new(u64::MAX, None, Some(&flag)), Stop::Cancelled),
    ] {
        assert_eq!(root_bound(&problem, true, &mut meter).1, Err(NodeEnd::Stopped(stop)));
    }
}

/// 200 items whose single options are dear: prices alone leave a gap of 2 %, and the search took minutes.
#[test]
fn a_problem_whose_program_is_integral_needs_few_nodes() -> Result<(), CoverError> {
    let costs: Vec<u64> = (0..797_u64).map(|at| 100 + at * at * 31 % 997).collect();
    let problem = intervals(200, &costs, &[(1, 1)]);
    let ranking = problem.rank(Rank::Cheapest, 1).search(&CoverLimits::NONE)?;
    assert!(ranking.end == End::Complete && ranking.nodes < 2000, "{ranking:?}");
    Ok(())
}
