//! The drawing, and that everything is taken back.

use proptest::prelude::*;

use super::*;
use crate::tests::problems;

#[test]
fn the_lists_are_drawn() {
    let mut links = Links::new(Arc::new("a b c d\na b d\na c\n".parse().unwrap()));
    assert!(links.assume(&Assumptions::default(), &mut Vec::new()).is_ok());
    assert_eq!(links.nodes[6], Node { item: 3, start: 4 });
    assert_eq!(links.nodes[7], Node { item: NONE, start: 4 });
    assert_eq!(links.links[0], Neighbours { up: 9, down: 4 });
    assert_eq!(links.links[9], Neighbours { up: 4, down: 0 });
    assert_eq!((links.option_of(4), links.option_of(9)), (OptionId(0), OptionId(1)));
    assert_eq!(links.sizes, [2, 1, 1, 1]);
}

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
