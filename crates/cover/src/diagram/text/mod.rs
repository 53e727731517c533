//! The text format of diagrams. A file has everything: the problem, and the nodes.
//!
//! ```text
//! galop-diagram: 1            the format and its version
//! a b c d                     the problem, as problem::text writes it: the items,
//! a b                         option 0,
//! c d                         option 1, ..
//! a c
//! b d
//! nodes: 3                    the number of nodes
//! 1                           node 0: one branch, option 1
//! 3                           node 1
//! 0 >0 | 2 >1                 node 2, the root: option 0 and a solution of node 0, or option 2 and one of node 1
//! ```
//! - A line for each node, children before their parents; the last node is the root. Without nodes there is no
//!   solution.
//! - The branches of a node are separated by ` | `. No two branches have a solution in common.
//! - A branch is its options, by their numbers from 0, and its children: `>` and the number of a node. The options of a
//!   branch and its children have no option in common. A branch that has neither options nor children is `.`.
//! - Empty lines and lines that start with `|` are comments, as in the text of a problem.
//!
//! A reader checks that options and children exist, and that no way through the diagram is longer than a search could
//! make it. That is 8 nodes and options for each item and each option of the problem. If no item has bounds, it also
//! checks that every solution covers every primary item exactly once. It cannot check that these are all solutions of
//! the problem.

mod read;
mod write;

pub use read::{DiagramFault, DiagramTextError, is_diagram, read};
pub use write::write;

/// The first word of a file. (No line of a problem starts with it: a name has no colon.)
const FORMAT: &str = "galop-diagram:";
/// The version of the format.
const VERSION: &str = "1";
/// The word before the number of nodes.
const NODES: &str = "nodes:";
/// A branch without options and children.
const EMPTY: &str = ".";

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::OptionId;
    use crate::diagram::Diagram;
    use crate::diagram::text::{DiagramFault as Fault, DiagramTextError};
    use crate::tests::problems;
    use crate::{CoverLimits, ExactCover, problem};

    fn built(problem: &ExactCover) -> Diagram {
        Diagram::build(problem, &CoverLimits::NONE, None).unwrap()
    }

    fn to_text(diagram: &Diagram) -> String {
        let mut text = Vec::new();
        write(diagram, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    const EXAMPLE: &str = "galop-diagram: 1\na b c d\na b\nc d\na c\nb d\nnodes: 3\n1\n3\n0 >0 | 2 >1\n";

    #[test]
    fn the_example_is_read_and_written_back() {
        let diagram = read(EXAMPLE.as_bytes()).unwrap();
        assert_eq!(diagram.solutions().collect::<Vec<_>>(), [[0, 1], [2, 3]]);
        assert_eq!(to_text(&diagram), EXAMPLE);
        let lines = EXAMPLE.replace('\n', "\r\n\n| a comment\n \t\n");
        let with_comments = read(
            format!("\u{feff}{}", lines.replace("galop-diagram: 1\r\n\n", "galop-diagram: 1\r\n")).as_bytes(),
        );
        assert_eq!(with_comments.map(|diagram| to_text(&diagram)), Ok(EXAMPLE.to_owned()));
        assert!(is_diagram(EXAMPLE.as_bytes()) && is_diagram(b"\xef\xbb\xbfgalop-diagram: 7"));
        assert!(!is_diagram(b"a b\n") && !is_diagram(b"galop-diagram\n") && !is_diagram(b""));
    }

    #[test]
    fn errors_name_their_place() {
        #[track_caller]
        fn fails(from: &str, to: &str, line: u64, column: u64, fault: Fault) {
            assert!(EXAMPLE.contains(from), "{from}");
            let text = EXAMPLE.replacen(from, to, 1);
            assert_eq!(
                read(text.as_bytes()).unwrap_err(),
                DiagramTextError { line, column, fault },
                "{text}"
            );
        }
        let word = |word: &str| Fault::Word(word.to_owned());
        fails("galop-diagram: 1", "a b", 1, 1, Fault::NotDiagram);
        fails("galop-diagram: 1", "galop-diagram: 2", 1, 16, Fault::Version("2".into()));
        fails("galop-diagram: 1", "galop-diagram:", 1, 15, Fault::Version(String::new()));
        fails("\nc d\n", "\nc  x\n", 4, 4, Fault::Problem(problem::Fault::UnknownItem("x".into())));
        fails("\na b\n", "\na b\n|\nx\n", 5, 1, Fault::Problem(problem::Fault::UnknownItem("x".into())));
        fails("nodes: 3", "", 11, 1, Fault::NoNodes);
        fails("nodes: 3\n1\n3\n0 >0 | 2 >1\n", "", 7, 1, Fault::NoNodes);
        fails("nodes: 3", "nodes: x", 7, 8, Fault::NodeCount("x".into()));
        fails("nodes: 3", "nodes: 4", 11, 1, Fault::MissingNodes { found: 3, stated: 4 });
        fails("nodes: 3", "nodes: 2", 10, 1, Fault::MissingNodes { found: 3, stated: 2 });
        fails("0 >0", "x >0", 10, 1, word("x"));
        fails("0 >0", "0 >", 10, 3, word(">"));
        fails("0 >0", "0 >-1", 10, 3, word(">-1"));
        fails("0 >0", "0 >99999999999", 10, 3, word(">99999999999"));
        fails("0 >0", "4 >0", 10, 1, Fault::Option { option: OptionId(4), count: 4 });
        fails("0 >0", "0 >2", 10, 3, Fault::Child { node: 2, count: 2 });
        fails("0 >0", "0 0 >0", 10, 3, Fault::Twice(OptionId(0)));
        fails("0 >0 |", "0 >0 | |", 10, 8, Fault::EmptyBranch);
        fails("2 >1", "", 10, 8, Fault::EmptyBranch);
        fails("2 >1", ". 2", 10, 10, Fault::EmptyBranch);
        fails("0 >0 | 2", "0 >1 | 2", 10, 1, Fault::Unlike);
        fails("0 >0 | 2 >1", "0", 10, 1, Fault::Incomplete);
        // Two to the power of 64 copies of node 0, whose signatures add up to 0.
        let mut text = "galop-diagram: 1\na\na\nnodes: 66\n0\n".to_owned();
        (0..64).for_each(|node| text += &format!(">{node} >{node}\n"));
        text += "0 >64\n";
        let fault = Fault::TooLong;
        assert_eq!(read(text.as_bytes()).unwrap_err(), DiagramTextError { line: 8, column: 1, fault });
        let not_utf8 = [EXAMPLE.replace("nodes: 3", "nodes: 4").as_bytes(), b"\xff"].concat();
        let fault = Fault::Word("\u{fffd}".into());
        assert_eq!(read(&not_utf8).unwrap_err(), DiagramTextError { line: 11, column: 1, fault });
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_as_the_same(problem in problems()) {
            let diagram = built(&problem);
            let text = to_text(&diagram);
            let again = read(text.as_bytes()).unwrap();
            prop_assert_eq!(again.problem(), &problem);
            prop_assert_eq!(to_text(&again), text);
            prop_assert!(again.solutions().eq(diagram.solutions()));
        }

        /// Asserts only that garbage does not panic. It starts from a good file, so that it gets far.
        #[test]
        fn damaged_files_are_read_or_refused(
            problem in problems(),
            damage in proptest::collection::vec((any::<proptest::sample::Index>(), "[0-9>|.: a\n]{0,3}"), 1..4),
        ) {
            let mut text = to_text(&built(&problem));
            for (place, replacement) in damage {
                let place = place.index(text.len());
                text.replace_range(place..place + 1, &replacement);
                if text.is_empty() {
                    break;
                }
            }
            if let Ok(diagram) = read(text.as_bytes()) {
                let total = diagram.count();
                prop_assert_eq!(diagram.nth(&total), None);
                prop_assert!(diagram.sample(1).take(3).all(|sample| sample.len() <= text.len()));
                diagram.solutions().take(10).for_each(drop);
                diagram.cheapest().take(10).for_each(drop);
                diagram.marginals();
                prop_assert!(read(to_text(&diagram).as_bytes()).is_ok());
            }
        }
    }
}
