//! Reads the text of a diagram, and checks what can be checked in one pass.
//!
//! If no item has bounds, all solutions of a node cover the same primary items. So each node has a signature, the sum
//! of random numbers that stand for these items, and the branches of a node must agree on it. The root's signature is
//! the sum for all items. (Wrong files pass with a probability of 2^-64.)
//!
//! A few lines could describe a product of a billion nodes. So a node also has the length of its longest way, which may
//! not be longer than the ways of any search.

use super::{EMPTY, FORMAT, NODES, VERSION};
use std::hash::{BuildHasher, RandomState};
use std::iter::Peekable;

use crate::chance::Chance;
use crate::diagram::{Branch, Diagram, DiagramBuilder, DiagramError, NONE, NodeId};
use crate::problem::names::is_blank;
use crate::problem::{Fault, TextError, clip, text};
use crate::{ExactCover, OptionId, Term};

/// Where the text of a diagram is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {fault}")]
pub struct DiagramTextError {
    /// The line, from 1.
    pub line: u64,
    /// The first wrong byte of the line, from 1.
    pub column: u64,
    /// What is wrong.
    pub fault: DiagramFault,
}

/// What is wrong in the text of a diagram.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DiagramFault {
    /// The first line does not belong to a diagram.
    #[error("not a diagram: the first line must be `galop-diagram: 1`")]
    NotDiagram,
    /// The version is unknown.
    #[error("version `{}` of the format is unknown (this is version 1)", clip(.0))]
    Version(String),
    /// The problem is wrong.
    #[error(transparent)]
    Problem(#[from] Fault),
    /// There is no line with the number of nodes.
    #[error("no line `nodes: N` after the problem")]
    NoNodes,
    /// The number of nodes is not a number.
    #[error("`{}` is not a number of nodes", clip(.0))]
    NodeCount(String),
    /// There are more or fewer nodes than stated.
    #[error("{found} nodes or more, where {stated} are stated")]
    MissingNodes {
        /// Nodes found so far.
        found: u64,
        /// The number in the line `nodes: N`.
        stated: u64,
    },
    /// A word is not the number of an option or a child.
    #[error("`{}` is neither the number of an option nor `>` and the number of a node", clip(.0))]
    Word(String),
    /// There is no such option.
    #[error("unknown option {option} (options are numbered from 0, and there are {count})")]
    Option {
        /// The number of the option.
        option: OptionId,
        /// Options of the problem.
        count: usize,
    },
    /// A child does not come before its parent.
    #[error("node {node} does not come before this one, which is node {count}")]
    Child {
        /// The number of the child.
        node: NodeId,
        /// The number of its parent.
        count: usize,
    },
    /// A branch has an option twice.
    #[error("option {0} occurs twice in a branch")]
    Twice(OptionId),
    /// A branch has no word.
    #[error("a branch without options and children is written as `.`")]
    EmptyBranch,
    /// A way through the diagram is longer than any search could make it.
    #[error("the solutions of this node take more nodes than there can be")]
    TooLong,
    /// Two solutions of a node cover different primary items.
    #[error("the branches of this node do not cover the same primary items")]
    Unlike,
    /// The solutions of the root do not cover every primary item exactly once.
    #[error("the solutions of this node, the root, do not cover every primary item exactly once")]
    Incomplete,
    /// The diagram is too large.
    #[error(transparent)]
    Diagram(DiagramError),
}

/// Whether a text starts as a diagram does. (No text of a problem does.)
pub fn is_diagram(bytes: &[u8]) -> bool {
    without_mark(bytes).starts_with(FORMAT.as_bytes())
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// Reads the text of a diagram.
///
/// # Errors
/// The first error in the text, with its line and column.
pub fn read(bytes: &[u8]) -> Result<Diagram, DiagramTextError> {
    let mut lines = Lines { rest: without_mark(bytes), number: 0 };
    let at_line =
        |line: u64| move |Wrong { at, fault }| DiagramTextError { line, column: at as u64 + 1, fault };
    read_format(lines.next().unwrap_or_default()).map_err(at_line(1))?;
    let of_problem = lines.rest;
    let (stated, problem) = loop {
        let before = lines.rest.len();
        let Some(line) = lines.next() else {
            return Err(at_line(lines.number + 1)(Wrong { at: 0, fault: DiagramFault::NoNodes }));
        };
        if let Some(stated) = read_node_count(line).map_err(at_line(lines.number))? {
            break (stated, read_problem(&of_problem[..of_problem.len() - before])?);
        }
    };
    let mut nodes = Nodes::new(&problem);
    let mut root_line = lines.number;
    while let Some(line) = lines.next() {
        if !is_comment(line) {
            root_line = lines.number;
            nodes.read_node(line, stated).map_err(at_line(lines.number))?;
        }
    }
    if nodes.numbers.len() as u64 != stated {
        let fault = DiagramFault::MissingNodes { found: nodes.numbers.len() as u64, stated };
        return Err(at_line(lines.number + 1)(Wrong { at: 0, fault }));
    }
    let root = nodes.numbers.last().copied().unwrap_or(NONE);
    if nodes.signatures.last().is_some_and(|&signature| signature != nodes.all) {
        return Err(at_line(root_line)(Wrong { at: 0, fault: DiagramFault::Incomplete }));
    }
    nodes.builder.finish(&problem, root).map_err(|error| at_line(root_line)(error.into()))
}

/// A fault, and its byte in the line, from 0.
struct Wrong {
    at: usize,
    fault: DiagramFault,
}

impl From<DiagramError> for Wrong {
    fn from(error: DiagramError) -> Wrong {
        Wrong { at: 0, fault: DiagramFault::Diagram(error) }
    }
}

/// The lines of a text, without their line feeds.
struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the last line, from 1.
    number: u64,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        self.number += 1;
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest.get(1..).unwrap_or_default();
        Some(line)
    }
}

/// The words of a line, each with the position of its first byte.
fn words(line: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let start = end + line[end..].iter().position(|&byte| !is_blank(byte))?;
        end = line[start..].iter().position(|&byte| is_blank(byte)).map_or(line.len(), |len| start + len);
        Some((start, &line[start..end]))
    })
}

fn is_comment(line: &[u8]) -> bool {
    words(line).next().is_none_or(|(_, word)| word.starts_with(b"|"))
}

fn text_of(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

/// A number in decimal digits.
fn number<N: std::str::FromStr>(word: &[u8]) -> Option<N> {
    let digits = word.first()?.is_ascii_digit();
    std::str::from_utf8(word).ok().filter(|_| digits)?.parse().ok()
}

fn read_format(line: &[u8]) -> Result<(), Wrong> {
    let mut words = words(line);
    if words.next().is_none_or(|(at, word)| at > 0 || word != FORMAT.as_bytes()) {
        return Err(Wrong { at: 0, fault: DiagramFault::NotDiagram });
    }
    let end = line.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
    let (at, version) = words.next().unwrap_or((end, &[]));
    if version != VERSION.as_bytes() {
        return Err(Wrong { at, fault: DiagramFault::Version(text_of(version)) });
    }
    Ok(())
}

/// The number of nodes; `None` if the line belongs to the problem.
fn read_node_count(line: &[u8]) -> Result<Option<u64>, Wrong> {
    let mut words = words(line);
    let Some((start, _)) = words.next().filter(|(_, word)| *word == NODES.as_bytes()) else {
        return Ok(None);
    };
    let (at, word) = words.next().unwrap_or((start + NODES.len(), &[]));
    let fault = || Wrong { at, fault: DiagramFault::NodeCount(text_of(word)) };
    number(word).map(Some).ok_or_else(fault)
}

fn read_problem(bytes: &[u8]) -> Result<ExactCover, DiagramTextError> {
    // The first line names the format.
    let problem = text::read(bytes).and_then(text::Text::complete);
    problem.map_err(|TextError { line, column, fault }| DiagramTextError {
        line: line + 1,
        column,
        fault: fault.into(),
    })
}

/// Nodes and options on a way, for each item and each option. (A search takes a node for an item, one more if what
/// remains falls into parts, and an option once.)
const MOST_STEPS: u64 = 8;

/// The nodes read so far.
struct Nodes<'p> {
    problem: &'p ExactCover,
    builder: DiagramBuilder,
    /// The number that the builder gave each node.
    numbers: Vec<NodeId>,
    /// The signature of every node; empty if items have bounds.
    signatures: Vec<u64>,
    /// The nodes and options on the longest way through every node.
    lengths: Vec<u64>,
    /// The signatures of the options.
    options: Vec<u64>,
    /// The signature of all primary items.
    all: u64,
    branch: BranchWords,
}

/// A branch as it is read.
#[derive(Default)]
struct BranchWords {
    options: Vec<u32>,
    /// The children, as the file numbers them.
    children: Vec<NodeId>,
    /// For each option the last branch that has it, counted from 1.
    named_by: Vec<u64>,
    /// Branches read.
    read: u64,
}

impl Nodes<'_> {
    fn new(problem: &ExactCover) -> Nodes<'_> {
        // Random numbers that differ each time, so that no wrong file can be made to pass.
        let mut chance = Chance::new(RandomState::new().hash_one(0));
        let items: Vec<u64> = (0..problem.primary_count()).map(|_| chance.word()).collect();
        let sum =
            |items: &mut dyn Iterator<Item = &u64>| items.fold(0, |sum: u64, item| sum.wrapping_add(*item));
        let of_terms =
            |terms: &[Term]| sum(&mut terms.iter().filter_map(|term| items.get(term.item.index())));
        Nodes {
            problem,
            builder: DiagramBuilder::default(),
            numbers: Vec::new(),
            signatures: Vec::new(),
            lengths: Vec::new(),
            options: problem.options().map(of_terms).collect(),
            all: sum(&mut items.iter()),
            branch: BranchWords { named_by: vec![0; problem.option_count()], ..BranchWords::default() },
        }
    }

    /// Reads a node. At most `stated` nodes are read.
    fn read_node(&mut self, line: &[u8], stated: u64) -> Result<(), Wrong> {
        let found = self.numbers.len() as u64 + 1;
        if found > stated {
            return Err(Wrong { at: 0, fault: DiagramFault::MissingNodes { found, stated } });
        }
        let is_simple = self.problem.is_simple();
        self.builder.begin();
        let (mut signature, mut longest) = (None, 0);
        let mut words = words(line).peekable();
        loop {
            let has_more = self.branch.read(&mut words, line.len(), self.numbers.len())?;
            let BranchWords { options, children, .. } = &mut self.branch;
            if is_simple {
                let of_options = options.iter().map(|&option| self.options[option as usize]);
                let of_children = children.iter().map(|&child| self.signatures[child as usize]);
                let own = of_options.chain(of_children).fold(0, u64::wrapping_add);
                if *signature.get_or_insert(own) != own {
                    return Err(Wrong { at: 0, fault: DiagramFault::Unlike });
                }
            }
            let of_children = children.iter().map(|&child| self.lengths[child as usize]);
            longest = longest.max(of_children.fold(1 + options.len() as u64, u64::saturating_add));
            children.iter_mut().for_each(|child| *child = self.numbers[*child as usize]);
            self.builder.branch(Branch { options, children })?;
            if !has_more {
                break;
            }
        }
        if longest > MOST_STEPS * (self.problem.item_count() + self.problem.option_count()) as u64 {
            return Err(Wrong { at: 0, fault: DiagramFault::TooLong });
        }
        self.numbers.push(self.builder.end()?);
        self.lengths.push(longest);
        self.signatures.extend(signature);
        Ok(())
    }
}

impl BranchWords {
    /// Reads a branch of node `node` from a line of `len` bytes. Returns whether another one follows.
    fn read<'a>(
        &mut self,
        words: &mut Peekable<impl Iterator<Item = (usize, &'a [u8])>>,
        len: usize,
        node: usize,
    ) -> Result<bool, Wrong> {
        self.options.clear();
        self.children.clear();
        self.read += 1;
        let empty = words.next_if(|(_, word)| *word == EMPTY.as_bytes());
        loop {
            let is_empty = empty.is_none() && self.options.is_empty() && self.children.is_empty();
            let next = words.next();
            if is_empty && next.is_none_or(|(_, word)| word == b"|") {
                return Err(Wrong { at: next.map_or(len, |(at, _)| at), fault: DiagramFault::EmptyBranch });
            }
            let Some((at, word)) = next else { return Ok(false) };
            if word == b"|" {
                return Ok(true);
            }
            if empty.is_some() {
                return Err(Wrong { at, fault: DiagramFault::EmptyBranch });
            }
            self.read_word(word, node).map_err(|fault| Wrong { at, fault })?;
        }
    }

    fn read_word(&mut self, word: &[u8], node: usize) -> Result<(), DiagramFault> {
        let unknown = || DiagramFault::Word(text_of(word));
        if let Some(child) = word.strip_prefix(b">") {
            let child: NodeId = number(child).ok_or_else(unknown)?;
            if child as usize >= node {
                return Err(DiagramFault::Child { node: child, count: node });
            }
            self.children.push(child);
            return Ok(());
        }
        let option = OptionId(number(word).ok_or_else(unknown)?);
        let count = self.named_by.len();
        match self.named_by.get_mut(option.index()) {
            None => return Err(DiagramFault::Option { option, count }),
            Some(by) if *by == self.read => return Err(DiagramFault::Twice(option)),
            Some(by) => *by = self.read,
        }
        self.options.push(option.0);
        Ok(())
    }
}
