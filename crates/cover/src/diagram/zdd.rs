//! Writes a diagram in the format of Knuth's program DLX6, as a zero-suppressed decision diagram (ZDD).
//!
//! A node of a ZDD asks about one option: its solutions are those of `low`, without the option, and those of `high`, with
//! the option. Node 0 has no solution and node 1 the empty one. A line is a node, all numbers but the option's in
//! hexadecimal; options count from 1. The last line names the root:
//! ```text
//! 2: (~2?0:1)        option 2, and then nothing
//! 3: (~1?0:2)        option 1, and then node 2
//! 4: (~0?0:3)        the root is node 3
//! ```
//! A ZDD has no products. A branch with several children becomes a chain: at the end of the first child's solutions are
//! those of the second one. So a child has one copy for each set of nodes that may follow, and the file can be much
//! larger than the diagram: four independent parts with a million nodes each have four million, but parts that follow
//! different others are copied.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{Branch, Diagram};

/// Writes `diagram` to `out`: in small pieces, so `out` should have a buffer.
///
/// # Errors
/// The errors of `out`.
pub fn write(diagram: &Diagram, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = Writer { nodes: Vec::new(), numbers: HashMap::new(), out };
    let root = writer.run(diagram)?;
    let next = writer.nodes.len() + 2;
    writeln!(writer.out, "{next:x}: (~0?0:{root:x})")
}

/// The number of a node of the ZDD; 0 and 1 are not stored.
type Number = u32;

/// A node of the ZDD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Question {
    option: u32,
    low: Number,
    high: Number,
}

struct Writer<'o> {
    nodes: Vec<Question>,
    numbers: HashMap<Question, Number>,
    out: &'o mut dyn Write,
}

/// A node of the diagram under way, followed by a node of the ZDD.
struct Frame<'d> {
    key: (usize, Number),
    /// The branches that remain; the last one is converted first.
    branches: Vec<Branch<'d>>,
    /// The branches converted.
    done: Number,
    /// What follows the children of the last branch that remain.
    high: Number,
    /// Children of the last branch that remain.
    children: usize,
}

impl<'d> Frame<'d> {
    fn new(diagram: &'d Diagram, key: (usize, Number)) -> Frame<'d> {
        let branches: Vec<Branch<'d>> = diagram.nodes.branches(key.0).collect();
        let children = branches.last().map_or(0, |branch| branch.children.len());
        Frame { key, branches, done: 0, high: key.1, children }
    }
}

impl Writer<'_> {
    /// Writes all nodes and returns the root.
    fn run(&mut self, diagram: &Diagram) -> io::Result<Number> {
        let Some(root) = diagram.nodes.len().checked_sub(1) else { return Ok(0) };
        let mut known: HashMap<(usize, Number), Number> = HashMap::new();
        let mut stack = vec![Frame::new(diagram, (root, 1))];
        loop {
            let Some(frame) = stack.last_mut() else {
                return Ok(known.get(&(root, 1)).copied().unwrap_or(0));
            };
            let Some(&branch) = frame.branches.last() else {
                known.insert(frame.key, frame.done);
                stack.pop();
                continue;
            };
            if let Some(place) = frame.children.checked_sub(1) {
                let key = (branch.children[place] as usize, frame.high);
                match known.get(&key) {
                    Some(&number) => (frame.high, frame.children) = (number, place),
                    None => stack.push(Frame::new(diagram, key)),
                }
                continue;
            }
            frame.done = self.add_branch(branch, frame.high, frame.done)?;
            frame.branches.pop();
            frame.high = frame.key.1;
            frame.children = frame.branches.last().map_or(0, |branch| branch.children.len());
        }
    }

    /// The solutions of a branch, followed by `high`, and those of the branches after it.
    fn add_branch(&mut self, branch: Branch<'_>, mut high: Number, after: Number) -> io::Result<Number> {
        let Some((&first, others)) = branch.options.split_first() else { return self.join(high, after) };
        for &option in others.iter().rev() {
            high = self.node(Question { option: option + 1, low: 0, high })?;
        }
        self.node(Question { option: first + 1, low: after, high })
    }

    /// The solutions of two nodes that have none in common: a chain of low nodes takes the other one at its end.
    fn join(&mut self, mut one: Number, mut other: Number) -> io::Result<Number> {
        let mut chain = Vec::new();
        loop {
            match (one, other) {
                (0, end) | (end, 0) => {
                    return chain
                        .into_iter()
                        .rev()
                        .try_fold(end, |low, node: Question| self.node(Question { low, ..node }));
                }
                // The empty solution must be at the end.
                (1, 1) => other = 0,
                (1, _) => (one, other) = (other, 1),
                _ => {
                    let node = self.nodes[one as usize - 2];
                    chain.push(node);
                    one = node.low;
                }
            }
        }
    }

    /// The number of a node, which is written if it is new.
    fn node(&mut self, node: Question) -> io::Result<Number> {
        if node.high == 0 {
            return Ok(node.low);
        }
        if let Some(&number) = self.numbers.get(&node) {
            return Ok(number);
        }
        let number = Number::try_from(self.nodes.len() + 2);
        let number = number.map_err(|_| io::Error::other("the decision diagram has more than 2^32 nodes"))?;
        self.nodes.push(node);
        self.numbers.insert(node, number);
        writeln!(self.out, "{number:x}: (~{}?{:x}:{:x})", node.option, node.low, node.high)?;
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::random::{brute_force, problems};
    use crate::{CoverLimits, ExactCover, OptionId};

    /// All solutions of the text of a ZDD, each ascending, in ascending order, and the number of its nodes. No option
    /// may be asked twice on the way to a solution.
    fn solutions(text: &str) -> (Vec<Vec<OptionId>>, usize) {
        let mut nodes: HashMap<u32, Question> = HashMap::new();
        let mut root = 0;
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> =
                line.split([':', '?', ' ', '(', ')', '~']).filter(|word| !word.is_empty()).collect();
            let hex = |place: usize| u32::from_str_radix(words[place], 16).unwrap();
            assert_eq!(hex(0), index as u32 + 2);
            match words[1] {
                "0" => root = hex(3),
                option => {
                    let question = Question { option: option.parse().unwrap(), low: hex(2), high: hex(3) };
                    assert!(question.low < hex(0) && question.high < hex(0));
                    nodes.insert(hex(0), question);
                }
            }
        }
        let mut found = Vec::new();
        let mut open = vec![(root, Vec::new(), Vec::new())];
        while let Some((node, solution, asked)) = open.pop() {
            match (node, nodes.get(&node)) {
                (0, _) => {}
                (_, None) => {
                    let mut solution: Vec<OptionId> = solution;
                    solution.sort_unstable();
                    found.push(solution);
                }
                (_, Some(question)) => {
                    let option = question.option - 1;
                    assert!(!asked.contains(&option), "option {option} is asked twice");
                    let asked = [&asked[..], &[option]].concat();
                    open.push((question.high, [&solution[..], &[option]].concat(), asked.clone()));
                    open.push((question.low, solution, asked));
                }
            }
        }
        found.sort();
        (found, nodes.len())
    }

    fn written(problem: &ExactCover) -> String {
        let diagram = Diagram::build(problem, &CoverLimits::NONE, None).unwrap();
        let mut text = Vec::new();
        write(&diagram, &mut text).unwrap();
        String::from_utf8(text).unwrap()
    }

    proptest! {
        #[test]
        fn the_decision_diagram_has_the_solutions(problem in problems()) {
            let (found, _) = solutions(&written(&problem));
            prop_assert_eq!(found, brute_force(&problem));
        }
    }

    /// The three tilings of 2 x 3 cells; DLX6 writes as many nodes.
    #[test]
    fn the_format_is_that_of_dlx6() {
        let problem: ExactCover = "a b c d e f\na b\nc d\ne f\na c\nb d\nc e\nd f\n".parse().unwrap();
        let text = written(&problem);
        assert_eq!(solutions(&text), (vec![vec![0, 1, 2], vec![0, 5, 6], vec![2, 3, 4]], 7));
        assert_eq!(text.lines().last(), Some("9: (~0?0:8)"));
        assert_eq!(written(&"a b\na\n".parse().unwrap()), "2: (~0?0:0)\n");
        assert_eq!(written(&"0:1|a\n".parse().unwrap()), "2: (~0?0:1)\n");
    }
}
