//! Counts that meet no solution: colourings of graphs near the phase transition, where learnt weights prove that there
//! is none.

use galop_cover::{Choice, CoverLimits, End, ExactCover, ItemId, OptionId};

use crate::{choose, count, solver_on};

/// The ways to give each vertex of a random graph one of three colours, so that no edge has one colour twice. Every
/// edge is an item for each colour. With `is_planted` there is at least one way.
fn colouring(vertices: u32, edges: u32, seed: u64, is_planted: bool) -> ExactCover {
    let mut state = seed;
    let mut draw = |most: u32| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u32 % most
    };
    let mut pairs = Vec::new();
    while pairs.len() < edges as usize {
        let (one, other) = (draw(vertices), draw(vertices));
        let pair = (one.min(other), one.max(other));
        if one != other && !pairs.contains(&pair) && (!is_planted || one % 3 != other % 3) {
            pairs.push(pair);
        }
    }
    let mut builder = ExactCover::builder();
    builder.primary_items(vertices as usize);
    builder.secondary_items(3 * edges as usize);
    for vertex in 0..vertices {
        for colour in 0..3 {
            let ends = (0..).zip(&pairs).filter(|(_, pair)| pair.0 == vertex || pair.1 == vertex);
            let items = ends.map(|(edge, _): (u32, _)| vertices + 3 * edge + colour);
            builder.option([vertex].into_iter().chain(items).map(ItemId));
        }
    }
    builder.finish().unwrap()
}

#[test]
fn learnt_weights_prove_that_no_colouring_exists() {
    let mut hard = Vec::new();
    for seed in 0..6 {
        let problem = colouring(200, 484, seed, false);
        let (expected, nodes) = count(&mut solver_on(1, &problem, choose("masks")));
        let mut steered = 0;
        for threads in [1, 4] {
            let mut solver = solver_on(threads, &problem, Choice::Auto);
            for _ in 0..2 {
                let (solutions, nodes) = count(&mut solver);
                assert_eq!(solutions, expected, "{seed} {threads}");
                steered = nodes;
            }
        }
        if expected == 0 && nodes > 50_000 {
            hard.push((seed, nodes, steered));
        }
    }
    let proved = hard.iter().filter(|(_, nodes, proved)| 4 * proved < *nodes).count();
    assert!(proved > 2, "seed, nodes in order, nodes with proofs: {hard:?}");
}

/// With options chosen or forbidden, in parts, and interrupted again and again.
#[test]
fn a_steered_count_can_be_divided() {
    let problem = colouring(200, 484, 1, false);
    let mut solver = problem.solver().unwrap();
    for (chosen, forbidden) in
        [(vec![OptionId(0)], vec![]), (vec![], vec![OptionId(1)]), (vec![OptionId(3)], vec![OptionId(7)])]
    {
        solver.assume(&chosen, &forbidden).unwrap();
        assert_eq!(count(&mut solver).0, 0, "{chosen:?} {forbidden:?}");
    }
    for nodes in [1, 3_000, 4_096, 5_000] {
        let mut solver = problem.solver().unwrap();
        let limits = CoverLimits::NONE.with_nodes(nodes);
        let (outcome, open) = solver.search(&limits).count_and_keep().unwrap();
        assert!(outcome.solutions == 0 && outcome.end == End::Nodes && !open.is_empty());
        let mut rest = problem.solver().unwrap();
        rest.assume_any(&open).unwrap();
        assert_eq!(count(&mut rest).0, 0, "{nodes}");
    }
}

#[test]
fn few_colourings_are_all_counted() {
    for seed in 0..12 {
        let problem = colouring(60, 150, seed, true);
        let (expected, _) = count(&mut solver_on(1, &problem, choose("masks")));
        assert!(expected != 0);
        for threads in [1, 4] {
            let mut solver = solver_on(threads, &problem, Choice::Auto);
            assert_eq!(count(&mut solver).0, expected, "{seed} {threads}");
        }
    }
}
