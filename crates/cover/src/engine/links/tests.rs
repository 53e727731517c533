//! Everything is taken back.

use proptest::prelude::*;

use super::*;
use crate::tests::problems;

proptest! {
    /// Whatever was searched, the links go back to what they were.
    #[test]
    fn everything_is_taken_back(problem in problems(), choices in any::<[u8; 8]>()) {
        let mut links = Links::new(Arc::new(problem));
        let mut is_possible = links.assume(&Assumptions::default(), &mut Vec::new()).is_ok();
        let fresh = links.clone();
        for a_move in choices.map(usize::from) {
            if !is_possible {
                break;
            }
            let item = a_move / 3 % links.problem.primary_count();
            is_possible = match (a_move % 3, links.first_of(item)) {
                (0, Some(option)) if links.sizes[item] < COVERED => links.choose(option).is_ok(),
                (1, Some(option)) if links.sizes[item] < COVERED && !links.chosen.is_empty() => {
                    links.forbid(option).is_ok()
                }
                (2, _) => links.propagate().is_ok(),
                _ => true,
            };
        }
        links.withdraw(0);
        prop_assert_eq!(links.links, fresh.links);
        prop_assert_eq!((links.sizes, links.left, links.open), (fresh.sizes, fresh.left, fresh.open));
    }
}
