//! The explanation of a puzzle, as the page shows it: a line of JSON for each step as it is found, then a last line.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use galop_explain::{Candidate, End, Explainer, Explanation, Options, Step, named};
use serde::Serialize;

use super::limits::{EXPLAIN_STEPS, EXPLAIN_TIME, FIRST_EXPLAIN_WORK, MORE_WORK, STEPS_WORK};
use super::message::{Refusal, Response, Status, Timed};
use super::puzzle::{Puzzle, PuzzleRequest};
use super::search::Places;
use galop_engines::grid::{Cell, Fault, Rules, UnitName};

/// A line of the answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Step(StepView),
    /// The last line, unless there is an error.
    End(EndView),
    /// Why there are no further steps, though there may be some: no place for a longer search.
    Error(String),
}

/// How an explanation ends. Only here is a rating: before the last step, the puzzle may still be harder.
#[derive(Debug, Serialize)]
struct EndView {
    /// Clues and techniques in words.
    summary: String,
    /// How hard the puzzle is, if the steps solve it.
    level: Option<&'static str>,
    score: String,
    is_solved: bool,
    /// How it ends, in words.
    text: String,
    /// The cells of a contradiction at the end.
    bad: Vec<usize>,
    /// If there is no solution: the steps that lead to the contradiction, in place of all steps before.
    steps: Option<Vec<StepView>>,
}

/// A step with all that is needed to draw it. Cells count from 0, symbols from 1.
#[derive(Debug, Serialize)]
pub(super) struct StepView {
    technique: &'static str,
    text: String,
    /// Where to look for it, in words, without saying what is found: `in row 3`. And the cells of these units.
    place: String,
    look: Vec<Vec<usize>>,
    /// A cell and a symbol each.
    places: Vec<(u16, u8)>,
    eliminates: Vec<(u16, u8)>,
    because: Vec<(u16, u8)>,
    /// The cells of the units that the technique is about, and of those from which candidates are eliminated.
    units: Vec<Vec<usize>>,
    covers: Vec<Vec<usize>>,
    chains: Vec<Vec<Node>>,
    /// The cells of each almost locked set.
    sets: Vec<Vec<u16>>,
}

/// A node of a chain: one of the cells holds the symbol, or none does.
#[derive(Debug, Serialize)]
struct Node {
    cells: Vec<u16>,
    symbol: u8,
    #[serde(rename = "true")]
    is_true: bool,
    /// The nodes of the chain from which it follows.
    from: Vec<u16>,
    /// Whether one of a link's ends is true: of a node that is false and this one, or of a cell or unit with two places.
    strong: bool,
}

impl StepView {
    pub(super) fn new(step: &Step, rules: &Rules) -> StepView {
        let pairs = |candidates: &[Candidate]| candidates.iter().map(|one| (one.cell, one.symbol)).collect();
        let units = |numbers: &[u16]| -> Vec<Vec<usize>> {
            numbers.iter().filter_map(|&unit| rules.grid().units().get(usize::from(unit)).cloned()).collect()
        };
        let (place, look) = place(step, rules);
        let node = |node: &galop_explain::Node| Node {
            cells: node.cells.clone(),
            symbol: node.symbol,
            is_true: node.is_true,
            from: node.from.clone(),
            strong: node.is_true || node.by.is_some(),
        };
        StepView {
            technique: step.technique.name,
            text: step.text(rules),
            place,
            look: units(&look),
            places: pairs(&step.places),
            eliminates: pairs(&step.eliminates),
            because: pairs(&step.because),
            units: units(&step.units),
            covers: units(&step.covers),
            chains: step.chains.iter().map(|chain| chain.iter().map(node).collect()).collect(),
            sets: step.sets.clone(),
        }
    }
}

/// Where to look for a step, in words and as numbers of units: its units, or else the block or row of a cell that proves
/// it.
fn place(step: &Step, rules: &Rules) -> (String, Vec<u16>) {
    let grid = rules.grid();
    let names: Vec<String> =
        step.units.iter().map(|&unit| grid.unit_name(usize::from(unit)).to_string()).collect();
    if let [first @ .., last] = &*names {
        let words = if first.is_empty() {
            format!("in {last}")
        } else {
            format!("in {} and {last}", first.join(", "))
        };
        return (words, step.units.clone());
    }
    let mut cells = step.because.iter().chain(&step.eliminates).chain(&step.places);
    let units = cells.next().map_or(&[][..], |candidate| grid.units_of(usize::from(candidate.cell)));
    // The units of a cell are its row, its column, then its block.
    let unit = units.get(2).or(units.first());
    unit.map_or_else(Default::default, |&unit| {
        (format!("around {}", grid.unit_name(unit)), vec![unit as u16])
    })
}

impl PuzzleRequest {
    /// Which techniques an explanation may use.
    pub(super) fn options(&self) -> Result<Options, Refusal> {
        let options = Options::default().unique(self.unique).max_steps(EXPLAIN_STEPS);
        self.without.iter().try_fold(options, |options, name| match named(name) {
            Some(technique) => Ok(options.without(technique)),
            None => {
                let reason = format!("there is no technique `{}`", name.escape_default());
                Err(Refusal::new(Status::UNREADABLE, reason))
            }
        })
    }
}

/// Writes the steps that solve the puzzle, each when it is found. Fails if the client is gone.
///
/// The work is allowed in portions, of which only the first needs no place of `searches`: a search for a step cannot be
/// stopped in the middle. Each portion is a multiple of the one before, as long as the time is likely to be enough for
/// it.
pub(super) fn explain(
    puzzle: &Puzzle,
    options: &Options,
    searches: &Places,
    out: &mut Timed<'_>,
) -> io::Result<()> {
    let Puzzle { rules, cells, crossed, .. } = puzzle;
    let explainer = Explainer::new(rules);
    let mut work = FIRST_EXPLAIN_WORK;
    let mut steps = match explainer.steps(cells, &options.max_work(work)) {
        Ok(steps) => steps.without(crossed),
        Err(error) => return line(&Line::Error(error.to_string()), out),
    };
    let (mut taken, mut spent, mut place) = (Vec::new(), Duration::ZERO, None);
    while spent < EXPLAIN_TIME {
        let before = Instant::now();
        for step in steps.by_ref() {
            line(&Line::Step(StepView::new(&step, rules)), out)?;
            taken.push(step);
            check_client(out)?;
            if spent + before.elapsed() > EXPLAIN_TIME {
                break;
            }
        }
        let last = before.elapsed();
        spent += last;
        let may_go_on = steps.end() == Some(End::Limit) && taken.len() < EXPLAIN_STEPS;
        if !may_go_on || spent + MORE_WORK * last > EXPLAIN_TIME {
            break;
        }
        check_client(out)?;
        if place.is_none() {
            match searches.take() {
                Ok(taken) => place = Some(taken),
                Err(Refusal(_, reason)) => return line(&Line::Error(reason), out),
            }
        }
        work = work.saturating_mul(MORE_WORK.into());
        steps.allow(work);
    }
    line(&Line::End(end_view(&steps.explanation(taken), rules)), out)
}

/// All steps that are possible now.
#[derive(Debug, Serialize)]
struct Possible {
    steps: Vec<StepView>,
    /// Whether the search came to its end.
    is_complete: bool,
}

/// The steps that are possible in the position of the puzzle.
pub(super) fn possible<'a>(
    Puzzle { rules, cells, crossed, .. }: &Puzzle,
    options: &Options,
    searches: &Places,
) -> Result<Response<'a>, Refusal> {
    let explainer = Explainer::new(rules);
    let unreadable = |error: galop_explain::Error| Refusal::new(Status::UNREADABLE, error.to_string());
    let mut steps =
        explainer.steps(cells, &options.max_work(STEPS_WORK)).map_err(unreadable)?.without(crossed);
    let _place = searches.take()?;
    let found = steps.possible();
    let is_complete = steps.end() != Some(End::Limit);
    Ok(Response::json(&Possible {
        steps: found.iter().map(|step| StepView::new(step, rules)).collect(),
        is_complete,
    }))
}

fn check_client(out: &Timed<'_>) -> io::Result<()> {
    if out.is_closed() { Err(io::ErrorKind::BrokenPipe.into()) } else { Ok(()) }
}

fn line(line: &Line, out: &mut Timed<'_>) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

fn end_view(found: &Explanation, rules: &Rules) -> EndView {
    let is_solved = found.end == End::Solved;
    EndView {
        summary: summary(found),
        level: found.hardest().filter(|_| is_solved).map(|_| found.level().name()),
        score: format!("{:.1}", f64::from(found.score()) / 10.0),
        is_solved,
        text: end(found.end, rules),
        bad: match found.end {
            End::Contradiction(reason) => cells_of(reason, rules),
            _ => Vec::new(),
        },
        steps: matches!(found.end, End::Contradiction(_))
            .then(|| found.steps.iter().map(|step| StepView::new(step, rules)).collect()),
    }
}

/// `23 clues, 2 singles at the start: hidden single 40, naked pair 3.`
fn summary(found: &Explanation) -> String {
    let plural =
        |count: usize, word: &str| galop_batch::figures::pluralize(count as u64, word, &format!("{word}s"));
    let start = format!("{}, {} at the start", plural(found.clues, "clue"), plural(found.singles, "single"));
    let counts: Vec<String> =
        found.counts().iter().map(|(technique, count)| format!("{} {count}", technique.name)).collect();
    if counts.is_empty() { format!("{start}.") } else { format!("{start}: {}.", counts.join(", ")) }
}

/// How it ends.
fn end(end: End, rules: &Rules) -> String {
    let written = |symbol| char::from(rules.alphabet().character(symbol)).to_string();
    match end {
        End::Solved => "Solved: the last step fills the last cell.".to_owned(),
        End::Contradiction(reason) => format!("No solution: {}.", reason.in_words(written)),
        End::Several => "The puzzle has several solutions, so there is no further step.".to_owned(),
        End::Stuck => "The techniques that are switched on find nothing more.".to_owned(),
        _ => "The explanation takes more work than a request may take: there is no rating.".to_owned(),
    }
}

/// The cells of a contradiction.
fn cells_of(reason: Fault, rules: &Rules) -> Vec<usize> {
    let grid = rules.grid();
    let side = grid.side();
    let number = |cell: Cell| (cell.row - 1) * side + cell.column - 1;
    let in_unit = |unit: UnitName| -> Vec<usize> {
        // The units are rows, columns, then blocks or regions, then extra units.
        let blocks = if grid.units().len() >= 3 * side { side } else { 0 };
        let at = match unit {
            UnitName::Row(row) => row,
            UnitName::Column(column) => side + column,
            UnitName::Block(block) => 2 * side + block,
            UnitName::Extra(extra) => 2 * side + blocks + extra,
        };
        grid.units().get(at - 1).cloned().unwrap_or_default()
    };
    match reason {
        Fault::Twice { cells, .. } => cells.map(number).to_vec(),
        Fault::Symbol { cell, .. } | Fault::NoCandidate { cell, .. } => vec![number(cell)],
        Fault::NoPlace { unit, .. } => in_unit(unit),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    /// Nothing is found in an empty grid of 25x25, so no write fails: only the look at the connection ends the work.
    #[test]
    fn an_explanation_ends_when_the_client_is_gone() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, _) = listener.accept().unwrap();
        let mut out = Timed::new(&stream, EXPLAIN_TIME);
        assert!(!out.is_closed());
        drop(client);
        let request = PuzzleRequest::read(format!(r#"{{"cells":{:?}}}"#, vec![0; 625]).as_bytes()).unwrap();
        let (puzzle, options) = (request.puzzle().unwrap(), request.options().unwrap());
        let ended = explain(&puzzle, &options, &Places::new(), &mut out).unwrap_err();
        assert_eq!(ended.kind(), io::ErrorKind::BrokenPipe);
    }
}
