use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::memory::Memory;
use crate::random::{brute_force_with, problems};

/// All solutions of `learner` in slices of `slice` nodes.
fn solutions(learner: &mut Learner, slice: u64) -> BTreeSet<Vec<OptionId>> {
    let (mut found, mut meter) = (BTreeSet::new(), Meter::new(0, None, None));
    loop {
        match learner.next(&mut meter) {
            Event::Solution => {
                assert!(found.insert(learner.solution().to_vec()), "a solution is found twice")
            }
            Event::Stopped(_) => meter.set_max_nodes(meter.nodes + slice),
            Event::End => return found,
        }
        assert!(!learner.has_given_up());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn it_finds_every_solution_once(problem in problems(), draws in any::<[u32; 2]>(), seed in any::<u64>(), slice in 1_u64..20) {
        let count = problem.option_count().max(1) as u32;
        let [chosen, forbidden] = draws.map(|draw| if draw % 3 > 0 || problem.option_count() == 0 {
            Vec::new()
        } else {
            vec![draw / 3 % count]
        });
        let expected: BTreeSet<_> = brute_force_with(&problem, &chosen, &forbidden).into_iter().collect();
        let mut learner = Learner::new(Arc::new(problem), Memory::new(None).growing());
        for _ in 0..2 {
            learner.start(&Assumptions { chosen: chosen.clone(), forbidden: forbidden.clone() }, seed);
            prop_assert_eq!(&solutions(&mut learner, slice), &expected);
        }
    }
}
