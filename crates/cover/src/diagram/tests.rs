//! Diagrams against brute force.

use proptest::prelude::*;

use super::*;
use crate::random::{brute_force, problems};
use crate::{Natural, models};

/// The diagram of a problem, without limits.
fn built(problem: &ExactCover) -> Diagram {
    Diagram::build(problem, &CoverLimits::NONE, usize::MAX).unwrap()
}

proptest! {
    #[test]
    fn counts_and_marginals_are_those_of_brute_force(problem in problems()) {
        let expected = brute_force(&problem);
        let diagram = built(&problem);
        prop_assert_eq!(diagram.count(), expected.len() as u128);
        let marginals: Vec<Natural> = (0..problem.option_count() as OptionId)
            .map(|option| expected.iter().filter(|solution| solution.contains(&option)).count())
            .map(|count| Natural::from(count as u128))
            .collect();
        prop_assert_eq!(diagram.marginals(), marginals);
    }
}

#[test]
fn counts_of_the_literature() {
    for (words, count) in
        [("dominoes 8x8", 12_988_816), ("queens 8", 92), ("queen-domination 5 3", 186), ("langford 8", 300)]
    {
        let words: Vec<&str> = words.split(' ').collect();
        let problem = (models::model(words[0]).unwrap().make)(&words[1..]).unwrap();
        assert_eq!(built(&problem).count(), count, "{words:?}");
    }
}
