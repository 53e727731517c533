//! The examples on the page: a puzzle of each level.

use galop_explain::Level;

/// A puzzle to try.
#[derive(Debug)]
pub(super) struct Example {
    /// What it needs, in a few words.
    pub(super) about: &'static str,
    /// How hard it is.
    pub(super) level: Level,
    pub(super) puzzle: &'static str,
}

/// The examples in the order of the page. The first one has a bit of everything, for a reader who tries one only.
pub(super) const EXAMPLES: [Example; 6] = [
    Example {
        about: "Pair, pointing, X-wing",
        level: Level::Hard,
        puzzle: "12.6..4.......13.5..3.....2..2.3.15....7.582.5.4...7..84.....3..3.8.2.71.1.3..5..",
    },
    Example {
        about: "Singles",
        level: Level::Easy,
        puzzle: ".8..43..9..1..7.8....1...42......4...2......615463..2..7...69.383....2..21...4..7",
    },
    Example {
        about: "Pointing",
        level: Level::Medium,
        puzzle: "81....45...9..832..7.......5...73..4.3.....82...98..3..4.639..83..8.7...79.5.2...",
    },
    Example {
        about: "XY-wing",
        level: Level::VeryHard,
        puzzle: ".43.2..7......4.9..8..37.........8.7.....3.56.317.6..4..2......1...6....8792.....",
    },
    Example {
        about: "XY-chain",
        level: Level::Fiendish,
        puzzle: "..........8.7.36.19...45.7...6....9....26....3....4..7....3.5.9....2.....64.1.8..",
    },
    Example {
        about: "Forcing chains",
        level: Level::UltraHard,
        puzzle: "....374692....4.87.9..5..2...91.3.5..2..6....831.....6....8.....52...3.........75",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::PuzzleRequest;
    use galop_explain::{End, Explanation, Options, explain};

    fn explanation(example: &Example) -> Explanation {
        let request = format!(r#"{{"text":"{}"}}"#, example.puzzle);
        let puzzle = PuzzleRequest::read(request.as_bytes()).unwrap().puzzle().unwrap();
        explain(&puzzle.rules, &puzzle.cells, &Options::default()).unwrap()
    }

    #[test]
    fn each_level_has_one_example_which_is_as_hard_as_it_says() {
        for example in &EXAMPLES {
            let explanation = explanation(example);
            let hardest = explanation.hardest().unwrap();
            assert_eq!((explanation.end, explanation.level()), (End::Solved, example.level), "{example:?}");
            let word = if hardest.group == "singles" { "single" } else { hardest.name };
            assert!(example.about.to_lowercase().contains(&word.to_lowercase()), "{example:?}: {hardest:?}");
        }
        let mut levels: Vec<Level> = EXAMPLES.iter().map(|example| example.level).collect();
        levels.sort_unstable();
        assert_eq!(levels, Level::ALL);
    }

    #[test]
    fn the_first_example_has_a_pair_a_pointing_and_a_fish_and_no_chain() {
        let steps = explanation(&EXAMPLES[0]).steps;
        let has = |word: &str| steps.iter().any(|step| step.technique.name.contains(word));
        assert!(has("pair") && has("pointing") && steps.iter().any(|step| step.technique.group == "fish"));
        assert!(!has("chain") && !has("wing ") && !has("AIC"));
    }
}
