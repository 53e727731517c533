//! Steps in words, as JSON, and drawn.

use galop_engines::Rules;

use crate::deduction::{Node, Truth};
use crate::explainer::{End, Explanation};
use crate::geometry::{Candidate, each};
use crate::step::{Position, Step};

impl Explanation {
    /// The explanation as `galop explain` prints it: the puzzle, a line for each step, the end, and the level and the
    /// techniques. The last line has no end.
    pub fn text(&self, puzzle: &[u8], rules: &Rules) -> String {
        self.written(puzzle, rules, |_| String::new())
    }

    /// The same with the position before each step drawn below it, as [`Step::drawn`] does.
    pub fn drawn(&self, puzzle: &[u8], rules: &Rules) -> String {
        let mut position = Position::new(rules, puzzle);
        self.written(puzzle, rules, |step| {
            let drawn = step.drawn(&position, rules);
            position.apply(rules, step);
            format!("\n{drawn}\n")
        })
    }

    /// `below` is what stands below the line of a step.
    fn written(&self, puzzle: &[u8], rules: &Rules, mut below: impl FnMut(&Step) -> String) -> String {
        let mut text = self.heading(puzzle, rules) + "\n";
        for (at, step) in self.steps.iter().enumerate() {
            let text_of = step.worded(rules, ["\n       "; 2]);
            text += &format!("{:>3}. {text_of}\n{}", at + 1, below(step));
        }
        text += &self.ending(rules);
        if let Some(summary) = self.summary() {
            text = text + "\n" + &summary;
        }
        text
    }

    /// A line before the steps: the puzzle, its clues and its hidden singles.
    fn heading(&self, puzzle: &[u8], rules: &Rules) -> String {
        let (puzzle, clues, singles) = (Words { rules }.symbols_of(puzzle), self.clues, self.singles);
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        format!(
            "{puzzle}: {clues} clue{}, {singles} hidden single{} at the start",
            plural(clues),
            plural(singles)
        )
    }

    /// How it ends: a line with the cells, or with what shows that there is no solution.
    pub fn ending(&self, rules: &Rules) -> String {
        let words = Words { rules };
        let cells = words.symbols_of(&self.cells);
        match self.end {
            End::Contradiction(reason) => {
                format!("no solution: {}", reason.in_words(|symbol| words.symbol(symbol).to_string()))
            }
            End::Solved => format!("solved: {cells}"),
            End::Several => format!("several solutions: {cells}"),
            End::Stuck => format!("stuck: {cells}"),
            End::Limit => format!("the limit is reached: {cells}"),
        }
    }

    /// The level and the techniques of the steps, in two lines; `None` without any step.
    fn summary(&self) -> Option<String> {
        let (hardest, score) = (self.hardest()?, self.score());
        let counts = self.counts();
        let counts: Vec<String> =
            counts.iter().map(|(technique, count)| format!("{} {count}", technique.name)).collect();
        let steps = self.steps.len();
        Some(format!(
            "level {}, hardest technique {}, score {}.{}\n{steps} step{}: {}",
            self.level().name(),
            hardest.name,
            score / 10,
            score % 10,
            if steps == 1 { "" } else { "s" },
            counts.join(", ")
        ))
    }
}

impl End {
    /// Its word: `solved`, `none`, `multiple`, `stuck` or `limit`.
    pub fn word(self) -> &'static str {
        match self {
            End::Solved => "solved",
            End::Contradiction(_) => "none",
            End::Several => "multiple",
            End::Stuck => "stuck",
            End::Limit => "limit",
        }
    }
}

impl Step {
    /// The step in a line: `naked pair: r1c5<>3, r1c9<>35, because ...`. The symbols are written in the alphabet of
    /// `rules`.
    pub fn text(&self, rules: &Rules) -> String {
        self.worded(rules, [" ", "; "])
    }

    /// The same with `between[0]` before the first of several cases, and `between[1]` before the others.
    fn worded(&self, rules: &Rules, between: [&str; 2]) -> String {
        let words = Words { rules };
        let mut text = match (self.technique.name, self.known_as) {
            (technique, Some(name)) if name.starts_with(technique) => name.to_owned(),
            (technique, Some(name)) => format!("{technique} ({name})"),
            (technique, None) => technique.to_owned(),
        };
        text += ": ";
        let placed = self.places.iter().map(|&candidate| words.assertion(candidate, true));
        text += &placed.chain(words.eliminated(&self.eliminates)).collect::<Vec<_>>().join(", ");
        text += ", ";
        let mut rest = match &self.chains[..] {
            // The chain leads from the opposite of a candidate to the candidate.
            [chain] if !self.places.is_empty() && !is_assumption(chain) => {
                "because it follows from its opposite: {chains}"
            }
            _ => self.technique.reason,
        };
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            text += before;
            text += &match name {
                "cells" => words.cells(&self.because),
                "symbols" => words.symbols(&self.because),
                "placed" => words.symbols(&self.places),
                "eliminated" => words.symbols(&self.eliminates),
                "units" => words.units(&self.units),
                "covers" => words.units(&self.covers),
                "chains" => self.chains.iter().map(|chain| words.chain(chain)).collect::<Vec<_>>().join("; "),
                "cases" => words.cases(self, between),
                "wing" => words.wing(&self.because, &self.eliminates),
                "sets" => words.sets(&self.sets),
                "nodes" => self.positions.to_string(),
                _ => String::new(),
            };
            rest = after;
        }
        text + rest
    }

    /// The step as a JSON object: `technique`; `known_as`, or null; `places`, `eliminates` and `because` as lists of
    /// `[row, column, symbol]`, all counted from 1; and `chains`, lists of nodes with `cells` (`[row, column]`),
    /// `symbol`, `is_true` and `from`: the numbers in the list of the nodes from which it follows, counted from 1.
    pub fn json(&self, rules: &Rules) -> String {
        let side = rules.grid().side().max(1);
        let place = |cell: u16| format!("{},{}", usize::from(cell) / side + 1, usize::from(cell) % side + 1);
        let join = |texts: &mut dyn Iterator<Item = String>| texts.collect::<Vec<_>>().join(",");
        let list = |candidates: &[Candidate]| {
            join(&mut candidates.iter().map(|one| format!("[{},{}]", place(one.cell), one.symbol)))
        };
        let node = |node: &Node| {
            let cells = join(&mut node.cells.iter().map(|&cell| format!("[{}]", place(cell))));
            let from = join(&mut node.from.iter().map(|at| (at + 1).to_string()));
            format!(
                r#"{{"cells":[{cells}],"symbol":{},"is_true":{},"from":[{from}]}}"#,
                node.symbol, node.is_true
            )
        };
        let chain = |chain: &Vec<Node>| format!("[{}]", join(&mut chain.iter().map(node)));
        format!(
            r#"{{"technique":"{}","known_as":{},"places":[{}],"eliminates":[{}],"because":[{}],"chains":[{}]}}"#,
            self.technique.name,
            self.known_as.map_or_else(|| "null".to_owned(), |name| format!("\"{name}\"")),
            list(&self.places),
            list(&self.eliminates),
            list(&self.because),
            join(&mut self.chains.iter().map(chain))
        )
    }

    /// The candidates of `before`, the position before the step, as a grid, with what the step concerns: `=4` is
    /// placed, `-5` is eliminated, `(37)` is in a cell that proves it. Every line has its end.
    pub fn drawn(&self, before: &Position, rules: &Rules) -> String {
        let words = Words { rules };
        let has = |list: &[Candidate], cell: usize, symbol: u8| {
            list.contains(&Candidate { cell: cell as u16, symbol })
        };
        let cell_text = |cell: usize| {
            let (mut text, mut proves) = (String::new(), String::new());
            for symbol in each(before.marks[cell] as u32) {
                let written = words.symbol(symbol);
                if has(&self.places, cell, symbol) {
                    text.push('=');
                    text.push(written);
                } else if has(&self.eliminates, cell, symbol) {
                    text.push('-');
                    text.push(written);
                } else if has(&self.because, cell, symbol) {
                    proves.push(written);
                } else {
                    text.push(written);
                }
            }
            if proves.is_empty() { text } else { format!("({proves}){text}") }
        };
        let cells: Vec<String> = (0..before.marks.len()).map(cell_text).collect();
        let side = rules.grid().side().max(1);
        let (height, width) = rules.grid().block().unwrap_or((side, side));
        let widest = cells.iter().map(String::len).max().unwrap_or(0);
        let mut text = String::new();
        for (row, line) in cells.chunks(side).enumerate() {
            if row > 0 && row % height == 0 {
                text += &vec!["-".repeat((widest + 1) * width); side / width].join("+-");
                text.push('\n');
            }
            let blocks = line
                .chunks(width)
                .map(|cells| cells.iter().map(|cell| format!("{cell:<widest$} ")).collect::<String>());
            text += blocks.collect::<Vec<_>>().join("| ").trim_end();
            text.push('\n');
        }
        text
    }
}

/// Cells, symbols and units as text.
struct Words<'a> {
    rules: &'a Rules,
}

impl Words<'_> {
    fn symbol(&self, symbol: u8) -> char {
        self.rules.alphabet().character(symbol).into()
    }

    /// The cells of a grid, one after the other.
    fn symbols_of(&self, cells: &[u8]) -> String {
        cells.iter().map(|&symbol| self.symbol(symbol)).collect()
    }

    /// `r1c2`.
    fn cell(&self, cell: u16) -> String {
        let side = self.rules.grid().side().max(1);
        format!("r{}c{}", usize::from(cell) / side + 1, usize::from(cell) % side + 1)
    }

    /// `r1c2=3` or `r1c2<>3`.
    fn assertion(&self, candidate: Candidate, is_true: bool) -> String {
        let sign = if is_true { "=" } else { "<>" };
        format!("{}{sign}{}", self.cell(candidate.cell), self.symbol(candidate.symbol))
    }

    /// `r1c2=3`, or `r1c2,r1c3<>3` for a group.
    fn node(&self, node: &Node) -> String {
        let cells: Vec<String> = node.cells.iter().map(|&cell| self.cell(cell)).collect();
        let sign = if node.is_true { "=" } else { "<>" };
        format!("{}{sign}{}", cells.join(","), self.symbol(node.symbol))
    }

    /// `r1c2<>37` for each cell, in the order in which the cells are named first.
    fn eliminated(&self, candidates: &[Candidate]) -> Vec<String> {
        let mut texts: Vec<(u16, String)> = Vec::new();
        for &candidate in candidates {
            match texts.iter_mut().find(|(cell, _)| *cell == candidate.cell) {
                Some((_, text)) => text.push(self.symbol(candidate.symbol)),
                None => texts.push((candidate.cell, self.assertion(candidate, false))),
            }
        }
        texts.into_iter().map(|(_, text)| text).collect()
    }

    fn cells(&self, candidates: &[Candidate]) -> String {
        let mut cells: Vec<u16> = candidates.iter().map(|candidate| candidate.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.iter().map(|&cell| self.cell(cell)).collect::<Vec<_>>().join(", ")
    }

    fn symbols(&self, candidates: &[Candidate]) -> String {
        let mut symbols: Vec<u8> = candidates.iter().map(|candidate| candidate.symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        let symbols: Vec<String> = symbols.iter().map(|&symbol| self.symbol(symbol).to_string()).collect();
        join_and(&symbols)
    }

    fn units(&self, units: &[u16]) -> String {
        let name = |&unit: &u16| self.rules.grid().unit_name(usize::from(unit)).to_string();
        join_and(&units.iter().map(name).collect::<Vec<_>>())
    }

    /// `r1c2,r1c3 and r5c5`. A set of a chain may occur in it twice.
    fn sets(&self, sets: &[Vec<u16>]) -> String {
        let mut texts: Vec<String> = Vec::new();
        for set in sets {
            let text = set.iter().map(|&cell| self.cell(cell)).collect::<Vec<_>>().join(",");
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        join_and(&texts)
    }

    /// `r1c2<>3 -> r1c5=3 -> ..`: each node follows from the one before.
    fn chain(&self, chain: &[Node]) -> String {
        chain.iter().map(|node| self.node(node)).collect::<Vec<_>>().join(" -> ")
    }

    /// What follows from each assumption: the placed symbols with the cell or unit that has no other place, then the end
    /// or the contradiction.
    fn cases(&self, step: &Step, [first, others]: [&str; 2]) -> String {
        let reason = |node: &Node| match node.by {
            Some(Truth::Cell(_)) => " (last in its cell)".to_owned(),
            Some(Truth::Unit { unit, .. }) => format!(" (last in {})", self.units(&[unit])),
            None => String::new(),
        };
        let mut text = String::new();
        for (at, chain) in step.chains.iter().enumerate() {
            text += if at == 0 { if step.chains.len() > 1 { first } else { " " } } else { others };
            let Some((assumed, rest)) = chain.split_first() else { continue };
            text += &format!("if {}", self.node(assumed));
            let told = rest.iter().enumerate().filter(|(at, node)| node.is_true || at + 1 == rest.len());
            let told: Vec<String> = told.map(|(_, node)| self.node(node) + &reason(node)).collect();
            if !told.is_empty() {
                text += &format!(": {}", told.join(", "));
            }
        }
        if let Some(contradiction) = &step.contradiction {
            text += ", and then ";
            text += &contradiction.in_words(|symbol| self.symbol(symbol).to_string());
        }
        text
    }

    /// `pivot r7c7 (26), wings r7c2 (12) and r8c9 (16)`. The pivot has the most candidates, or else it lacks those that
    /// are eliminated.
    fn wing(&self, because: &[Candidate], eliminated: &[Candidate]) -> String {
        let mut cells: Vec<(u16, Vec<u8>)> = Vec::new();
        for &Candidate { cell, symbol } in because {
            match cells.iter_mut().find(|(known, _)| *known == cell) {
                Some((_, symbols)) => symbols.push(symbol),
                None => cells.push((cell, vec![symbol])),
            }
        }
        let lacks = |symbols: &[u8]| eliminated.iter().all(|candidate| !symbols.contains(&candidate.symbol));
        let pivot =
            cells.iter().max_by_key(|(_, symbols)| (symbols.len(), lacks(symbols))).map(|(cell, _)| *cell);
        let written = |(cell, symbols): &(u16, Vec<u8>)| {
            let symbols: String = symbols.iter().map(|&symbol| self.symbol(symbol)).collect();
            format!("{} ({symbols})", self.cell(*cell))
        };
        let (pivots, wings): (Vec<_>, Vec<_>) = cells.iter().partition(|(cell, _)| Some(*cell) == pivot);
        let [pivots, wings] =
            [pivots, wings].map(|cells| join_and(&cells.into_iter().map(written).collect::<Vec<_>>()));
        format!("pivot {pivots}, wings {wings}")
    }
}

/// Whether a chain begins with a candidate that is assumed to be true.
fn is_assumption(chain: &[Node]) -> bool {
    chain.first().is_some_and(|first| first.is_true)
}

/// `a, b and c`.
fn join_and(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
