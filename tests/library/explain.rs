//! Explanations: every step keeps the solutions, its proof holds, every technique is used, and the end is right.

use std::collections::BTreeMap;

use galop_corpora::generate::Wish;
use galop_engines::Rules;
use galop_engines::grid::{KINDS, kind};
use galop_engines::puzzle::Limits;
use galop_explain::{
    Candidate, End, Error, Explainer, Explanation, Level, Node, Options, Position, Step, TECHNIQUES,
    Technique, Truth, explain, named as named_technique,
};

use galop_testing::available::sized;
use galop_testing::data::{puzzle_files, sample};
use galop_testing::engines::{named, solve_one};
use galop_testing::puzzles::{IMPOSSIBLE, PUZZLE, SOLUTION, cells};
use galop_testing::rules::{generated, jigsaw, rules_of};

/// The technique of that name.
fn technique(name: &str) -> &'static Technique {
    named_technique(name).unwrap()
}

fn unique() -> Options {
    Options::default().unique(true)
}

/// Steps, one after the other, with the positions before them.
struct Steps<'a> {
    rules: &'a Rules,
    clues: &'a [u8],
}

impl Steps<'_> {
    /// Whether the puzzle with `candidate` added has a solution.
    fn is_possible(&self, candidate: Candidate) -> bool {
        let mut clues = self.clues.to_vec();
        clues[usize::from(candidate.cell)] = candidate.symbol;
        let engine = if self.rules.grid().is_nine() { "bitboard" } else { "grid" };
        solve_one(named(engine), self.rules, &clues, Limits::ANY).0.solutions > 0
    }

    /// Checks all steps of an explanation. `solution` is the only one, if there is only one.
    fn check(&self, explanation: &Explanation, solution: Option<&[u8]>) {
        let mut before = Position::new(self.rules, self.clues);
        for step in &explanation.steps {
            let text = step.text(self.rules);
            assert!(step.places.len() + step.eliminates.len() > 0, "{text}");
            for &Candidate { cell, symbol } in step.places.iter().chain(&step.eliminates) {
                let marks = before.marks[usize::from(cell)];
                assert_eq!(before.cells[usize::from(cell)], 0, "{text}");
                assert!(marks >> (symbol - 1) & 1 == 1, "{text}");
            }
            for &placed in &step.places {
                match solution {
                    Some(solution) => assert_eq!(solution[usize::from(placed.cell)], placed.symbol, "{text}"),
                    None => {
                        let marks = before.marks[usize::from(placed.cell)];
                        let others = (1..=self.rules.grid().symbols())
                            .filter(|&symbol| symbol != placed.symbol && marks >> (symbol - 1) & 1 == 1)
                            .map(|symbol| Candidate { cell: placed.cell, symbol });
                        others.for_each(|other| assert!(!self.is_possible(other), "{text}"));
                    }
                }
            }
            for &eliminated in &step.eliminates {
                let is_kept = match solution {
                    Some(solution) => solution[usize::from(eliminated.cell)] != eliminated.symbol,
                    None => !self.is_possible(eliminated),
                };
                assert!(is_kept, "{text}");
            }
            if !step.truths.is_empty() {
                self.check_proof(&before, step);
            }
            step.chains.iter().for_each(|chain| self.check_links(&before, step, chain));
            before.apply(self.rules, step);
        }
        assert_eq!(before.cells, explanation.cells);
    }

    /// The candidates of which one is true.
    fn options(&self, before: &Position, truth: Truth) -> Vec<Candidate> {
        let all: Vec<Candidate> = match truth {
            Truth::Cell(cell) => {
                (1..=self.rules.grid().symbols()).map(|symbol| Candidate { cell, symbol }).collect()
            }
            Truth::Unit { unit, symbol } => {
                let cells = self.rules.grid().units()[usize::from(unit)].iter();
                cells.map(|&cell| Candidate { cell: cell as u16, symbol }).collect()
            }
        };
        let is_mark = |one: &Candidate| before.marks[usize::from(one.cell)] >> (one.symbol - 1) & 1 == 1;
        all.into_iter().filter(is_mark).collect()
    }

    /// Whether the rules of the grid alone say that not both are true.
    fn conflicts(&self, one: &Candidate, other: &Candidate) -> bool {
        let grid = self.rules.grid();
        let [from, to] = [one, other].map(|one| usize::from(one.cell));
        let sees = || one.symbol == other.symbol && grid.peers(from).contains(&to);
        let pair =
            [(from, one.symbol), (to, other.symbol)].map(|(cell, symbol)| grid.candidate(cell, symbol));
        one != other && (from == to || sees() || grid.excluded_by(pair[0]).contains(&pair[1]))
    }

    /// Each node of a chain follows from those that it names, by the rules of the grid alone: a true one excludes it, or
    /// they leave it alone in its cell or a unit, or lock an almost locked set that has it.
    fn check_links(&self, before: &Position, step: &Step, chain: &[Node]) {
        let text = step.text(self.rules);
        let candidates = |node: &Node| -> Vec<Candidate> {
            node.cells.iter().map(|&cell| Candidate { cell, symbol: node.symbol }).collect()
        };
        assert!(chain[0].from.is_empty() && chain[1..].iter().all(|node| !node.from.is_empty()), "{text}");
        for (at, node) in chain.iter().enumerate().skip(1) {
            assert!(node.from.iter().all(|&from| usize::from(from) < at), "{text}");
            let from: Vec<&Node> = node.from.iter().map(|&from| &chain[usize::from(from)]).collect();
            let this = candidates(node);
            let is_out =
                |one: &Candidate| from.iter().any(|node| !node.is_true && candidates(node).contains(one));
            let leave_alone = |truth: Truth| {
                let options = self.options(before, truth);
                options.iter().any(|one| this.contains(one))
                    && options.iter().all(|one| this.contains(one) || is_out(one))
            };
            // Without one of its symbols, each of the others is in the set.
            let lock = |set: &Vec<u16>| {
                let all = set.iter().flat_map(|&cell| self.options(before, Truth::Cell(cell)));
                let mut places: BTreeMap<u8, Vec<Candidate>> = BTreeMap::new();
                all.for_each(|one| places.entry(one.symbol).or_default().push(one));
                let is_gone = |(symbol, places): (&u8, &Vec<Candidate>)| {
                    *symbol != node.symbol && places.iter().all(is_out)
                };
                places.len() == set.len() + 1
                    && places.iter().any(is_gone)
                    && places
                        .get(&node.symbol)
                        .is_some_and(|places| places.iter().all(|one| this.contains(one)))
            };
            let units = self.rules.grid().units_of(usize::from(node.cells[0])).iter();
            let of_units = units.map(|&unit| Truth::Unit { unit: unit as u16, symbol: node.symbol });
            let exclude = |node: &&Node| {
                let pairs =
                    candidates(node).into_iter().flat_map(|one| this.iter().map(move |other| (one, other)));
                node.is_true && pairs.into_iter().all(|(one, other)| self.conflicts(&one, other))
            };
            let follows = match (node.is_true, node.by) {
                // A pair of two colours is one of two candidates.
                (_, Some(truth)) if from[0].is_true || chain.len() == 2 => {
                    let options = self.options(before, truth);
                    options.len() == 2
                        && [this[0], candidates(from[0])[0]].iter().all(|one| options.contains(one))
                }
                (true, Some(truth)) => leave_alone(truth),
                (true, None) => {
                    let mut truths = of_units.chain([Truth::Cell(node.cells[0])]);
                    truths.any(leave_alone) || step.sets.iter().any(lock)
                }
                (false, _) => from.iter().any(exclude),
            };
            assert!(follows, "{text}: {node:?} from {from:?}");
        }
    }

    /// The rules that the step names are enough: they contradict the opposite of what it concludes.
    fn check_proof(&self, before: &Position, step: &Step) {
        let options = |truth: &Truth| self.options(before, *truth);
        let truths: Vec<Vec<Candidate>> = step.truths.iter().map(options).collect();
        for &eliminated in &step.eliminates {
            assert!(!self.is_satisfied(&truths, &mut vec![eliminated]), "{}", step.text(self.rules));
        }
        for placed in &step.places {
            let without =
                |options: &Vec<Candidate>| options.iter().copied().filter(|one| one != placed).collect();
            let truths: Vec<Vec<Candidate>> = truths.iter().map(without).collect();
            assert!(!self.is_satisfied(&truths, &mut Vec::new()), "{}", step.text(self.rules));
        }
    }

    /// Whether every truth can have one of its options, besides those that are `chosen`.
    fn is_satisfied(&self, truths: &[Vec<Candidate>], chosen: &mut Vec<Candidate>) -> bool {
        let left = |truth: &Vec<Candidate>| -> Vec<Candidate> {
            let is_free = |option: &&Candidate| chosen.iter().all(|one| !self.conflicts(one, option));
            truth.iter().filter(is_free).copied().collect()
        };
        let open = truths.iter().filter(|truth| truth.iter().all(|option| !chosen.contains(option)));
        let Some(options) = open.map(left).min_by_key(Vec::len) else { return true };
        options.into_iter().any(|option| {
            chosen.push(option);
            let is_satisfied = self.is_satisfied(truths, chosen);
            chosen.pop();
            is_satisfied
        })
    }
}

/// Explains a puzzle with all techniques, with and without those that rely on uniqueness, and checks steps and end.
fn check(explainer: &Explainer, rules: &Rules, clues: &[u8]) {
    let engine = if rules.grid().is_nine() { "bitboard" } else { "grid" };
    let (answer, solution) = solve_one(named(engine), rules, clues, Limits::UNIQUE);
    let steps = Steps { rules, clues };
    let explanation = explainer.explain(clues, &Options::default()).unwrap();
    let end = explanation.end;
    match answer.solutions {
        0 => assert!(matches!(end, End::Contradiction(_)), "{end:?}"),
        1 => assert_eq!((end, &explanation.cells), (End::Solved, &solution)),
        _ => assert_eq!(end, End::Several),
    }
    steps.check(&explanation, (answer.solutions == 1).then_some(&solution));
    if answer.solutions == 1 {
        let explanation = explainer.explain(clues, &unique()).unwrap();
        assert_eq!(explanation.end, End::Solved);
        steps.check(&explanation, Some(&solution));
    }
}

/// Checks the steps of an explanation of a puzzle with one solution.
fn check_steps(rules: &Rules, clues: &[u8], explanation: &Explanation) {
    let engine = if rules.grid().is_nine() { "bitboard" } else { "grid" };
    let (_, solution) = solve_one(named(engine), rules, clues, Limits::UNIQUE);
    Steps { rules, clues }.check(explanation, Some(&solution));
}

#[test]
fn every_step_keeps_the_solutions_of_made_puzzles() {
    let rules = Rules::default();
    let explainer = Explainer::new(&rules);
    for (puzzle, _) in generated(&rules, 3, sized(60, 10_000), Wish::Minimal) {
        check(&explainer, &rules, &puzzle);
        // One clue fewer: several solutions. A wrong one: mostly none.
        let clue = puzzle.iter().position(|&clue| clue != 0).unwrap();
        let mut fewer = puzzle.clone();
        fewer[clue] = 0;
        check(&explainer, &rules, &fewer);
        let mut wrong = puzzle.clone();
        wrong[clue] = wrong[clue] % 9 + 1;
        check(&explainer, &rules, &wrong);
    }
}

#[test]
fn every_step_keeps_the_solutions_of_the_data_sets() {
    let rules = Rules::default();
    let explainer = Explainer::new(&rules);
    for path in puzzle_files() {
        for puzzle in sample(&path, 20, 0) {
            check(&explainer, &rules, &puzzle);
        }
    }
}

#[test]
fn every_step_keeps_the_solutions_of_every_kind() {
    for kind in KINDS {
        for side in kind.sides().into_iter().filter(|side| [4, 5, 6, 8, 9, 10].contains(side)) {
            let rules = match (kind.name, side) {
                ("jigsaw", 9) => jigsaw(JIGSAW),
                _ => rules_of(kind, side),
            };
            let explainer = Explainer::new(&rules);
            for (puzzle, _) in generated(&rules, 7, 6, wish(&rules)) {
                check(&explainer, &rules, &puzzle);
            }
        }
    }
}

/// Minimal puzzles. Where symbols exclude each other, these have so few clues that explanations reach their limit.
fn wish(rules: &Rules) -> Wish {
    if rules.grid().exclusive().is_empty() { Wish::Minimal } else { Wish::usual(rules) }
}

/// Regions of nine cells that are not rectangles.
const JIGSAW: &str =
    "aaabbbccc aaabbbccc aadbbeccf addbeecff dddeeefff ddgeehffi dggehhfii ggghhhiii ggghhhiii";

/// The rules and the cells of the example of a technique.
fn example(technique: &Technique) -> (Rules, Vec<u8>) {
    (rules_of(kind(technique.example.kind).unwrap(), 9), cells(technique.example.puzzle).to_vec())
}

#[test]
fn pairs_are_explained_by_common_peers() {
    for (name, wish) in [
        ("anti-knight", Wish::Minimal),
        ("anti-king", Wish::Minimal),
        ("non-consecutive", Wish::Clues(12..=14)),
        ("diagonal", Wish::Minimal),
    ] {
        let rules = rules_of(kind(name).unwrap(), 9);
        let explainer = Explainer::new(&rules);
        let texts = generated(&rules, 5, 20, wish).into_iter().flat_map(|(puzzle, _)| {
            let options = Options::default().hardest(technique("common peers"));
            let explanation = explainer.explain(&puzzle, &options).unwrap();
            explanation.steps.into_iter().map(|step| step.text(&rules)).collect::<Vec<_>>()
        });
        let of_peers: Vec<String> = texts.filter(|text| text.starts_with("common peers: ")).collect();
        assert!(!of_peers.is_empty(), "{name}");
        assert!(of_peers[0].contains(", because every way to place "), "{}", of_peers[0]);
    }
}

#[test]
fn every_technique_has_an_example_that_uses_it() {
    for technique in &TECHNIQUES {
        let name = technique.name;
        let (rules, puzzle) = example(technique);
        let options = Options::default().unique(technique.needs_uniqueness);
        let explanation = explain(&rules, &puzzle, &options).unwrap();
        assert_eq!(explanation.end, End::Solved, "{name}");
        let steps = &explanation.steps;
        assert!(steps.iter().any(|step| step.technique == technique), "{name}");
        let rank = |step: &Step| TECHNIQUES.iter().position(|other| other == step.technique).unwrap();
        let hardest = steps.iter().max_by_key(|step| (step.score, rank(step))).unwrap();
        assert_eq!(explanation.hardest(), Some(hardest.technique));
        assert_eq!((explanation.score(), explanation.level()), (hardest.score, Level::of(hardest.score)));
        assert_eq!(explanation.counts().iter().map(|(_, count)| count).sum::<usize>(), steps.len());
        // Without the hardest technique and those above, it is not solved.
        if let Some(at) = steps.iter().map(rank).max().unwrap().checked_sub(1) {
            let options = options.hardest(&TECHNIQUES[at]);
            assert_eq!(explain(&rules, &puzzle, &options).unwrap().end, End::Stuck, "{name}");
        }
    }
}

#[test]
fn a_technique_that_is_excluded_is_not_used() {
    for technique in TECHNIQUES.iter().filter(|technique| technique.level() >= Level::Medium) {
        let (rules, puzzle) = example(technique);
        let options = Options::default().unique(true).without(technique);
        let explanation = explain(&rules, &puzzle, &options).unwrap();
        assert!(explanation.steps.iter().all(|step| step.technique != technique), "{}", technique.name);
        check_steps(&rules, &puzzle, &explanation);
    }
}

#[test]
fn steps_come_one_after_another() {
    let rules = Rules::default();
    let explainer = Explainer::new(&rules);
    for puzzle in [PUZZLE, IMPOSSIBLE, technique("AIC").example.puzzle] {
        let puzzle = cells(puzzle);
        let explanation = explainer.explain(&puzzle, &Options::default()).unwrap();
        let mut steps = explainer.steps(&puzzle, &Options::default()).unwrap();
        let mut texts = Vec::new();
        while let Some(step) = steps.next() {
            texts.push(step.text(&rules));
            assert_eq!(steps.end(), None);
        }
        assert!(steps.next().is_none());
        if explanation.end == End::Solved {
            assert!(explanation.steps.iter().map(|step| step.text(&rules)).eq(texts));
            assert_eq!(steps.end(), Some(End::Solved));
        } else {
            // Those of the explanation, and some that the contradiction does not need.
            assert!(explanation.steps.iter().all(|step| texts.contains(&step.text(&rules))));
            assert!(matches!(steps.end(), Some(End::Contradiction(_))));
        }
    }
}

/// A page about a technique needs a few plain sentences.
#[test]
fn every_technique_is_described() {
    for technique in &TECHNIQUES {
        let description = technique.description;
        let sentences = description.matches(['.', '!', '?']).count();
        assert!((2..=5).contains(&sentences), "{}: {sentences} sentences", technique.name);
        assert!(description.ends_with('.') && !description.contains("  ") && !description.contains('\n'));
    }
}

#[test]
fn techniques_have_different_names() {
    for (at, technique) in TECHNIQUES.iter().enumerate() {
        assert!(TECHNIQUES[..at].iter().all(|other| other.name != technique.name));
        assert!(!technique.about.is_empty());
    }
    assert_eq!(named_technique("Naked-Pair").unwrap().name, "naked pair");
    assert!(named_technique("naked").is_none());
}

/// The table of the guide has each level once, with its name and its band of scores.
#[test]
fn levels_are_bands_of_scores() {
    let guide = include_str!("../../docs/guide.md");
    let mut next = 10;
    for level in Level::ALL {
        let name = level.name();
        let rows: Vec<&str> = guide.lines().filter(|line| line.starts_with(&format!("| {name} "))).collect();
        let [row] = rows[..] else { panic!("{name}: {rows:?}") };
        let tenths = |text: &str| text.replace('.', "").parse::<u16>().unwrap();
        let band = row.split('|').nth(2).unwrap().trim();
        let (from, to) = match band.split_once(" to ") {
            Some((from, to)) => (tenths(from), tenths(to)),
            None => (tenths(band.strip_prefix("from ").unwrap()), u16::MAX - 1),
        };
        assert_eq!(from, next, "{name}");
        assert!((from..=to).all(|score| Level::of(score) == level), "{name}");
        next = to + 1;
    }
    assert!(Level::ALL.is_sorted() && TECHNIQUES.iter().all(|one| one.level() == Level::of(one.score)));
}

#[test]
fn unique_rectangles_are_used_only_where_uniqueness_is_given() {
    let rules = Rules::default();
    let puzzle = cells(technique("unique rectangle").example.puzzle);
    let explanation = explain(&rules, &puzzle, &Options::default()).unwrap();
    assert!(explanation.steps.iter().all(|step| !step.technique.needs_uniqueness));
    let explanation = explain(&rules, &puzzle, &unique()).unwrap();
    let step = explanation.steps.iter().find(|step| step.technique.needs_uniqueness).unwrap();
    assert!(step.text(&rules).contains("the puzzle is known to have one solution"), "{}", step.text(&rules));
}

#[test]
fn the_difficulty_figures() {
    let rules = Rules::default();
    let explanation = explain(&rules, &cells(PUZZLE), &Options::default()).unwrap();
    assert_eq!((explanation.clues, explanation.end), (17, End::Solved));
    assert_eq!(explanation.cells, cells(SOLUTION));
    // Cells with a hidden single at the start, counted in another way.
    let marks = Position::new(&rules, &cells(PUZZLE)).marks;
    let is_single = |cell: usize| {
        let of_unit = |unit: &&usize| {
            let others = rules.grid().units()[**unit].iter().filter(|&&other| other != cell);
            marks[cell] & !others.fold(0, |all, &other| all | marks[other]) != 0
        };
        cells(PUZZLE)[cell] == 0 && rules.grid().units_of(cell).iter().any(|unit| of_unit(&unit))
    };
    assert_eq!(explanation.singles, (0..81).filter(|&cell| is_single(cell)).count());
}

#[test]
fn a_step_as_text_and_json_and_drawn() {
    let rules = Rules::sudoku(16).unwrap();
    let mut clues = vec![0; 256];
    clues[..15].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    let explanation = explain(&rules, &clues, &Options::default().hardest(&TECHNIQUES[0])).unwrap();
    let [step] = &explanation.steps[..] else { panic!("{:?}", explanation.steps) };
    assert_eq!(step.text(&rules), "full house: r1c16=G, the last cell of row 1");
    assert!(step.json(&rules).starts_with(
        r#"{"technique":"full house","known_as":null,"places":[[1,16,16]],"eliminates":[],"because":[[1,1,1],[1,2,2],"#
    ));
    let drawn = step.drawn(&Position::new(&rules, &clues), &rules);
    let first = drawn.lines().next().unwrap();
    assert!(first.starts_with("(1) ") && first.contains("| (D) ") && first.ends_with(" =G"), "{drawn}");
    assert_eq!(drawn.lines().count(), 19);
    assert_eq!(explanation.end, End::Stuck);
}

#[test]
fn bad_cells_are_errors_and_work_is_bounded() {
    let rules = Rules::default();
    assert_eq!(
        explain(&rules, &[0; 80], &Options::default()).unwrap_err(),
        Error::Length { found: 80, expected: 81 }
    );
    let mut puzzle = [0; 81];
    puzzle[10] = 10;
    let error = explain(&rules, &puzzle, &Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "10 in row 2, column 2 is not a symbol of the rules");
    let explained = |options: &Options| explain(&rules, &cells(PUZZLE), options).unwrap();
    let few = explained(&Options::default().max_steps(3));
    assert_eq!((few.steps.len(), few.end), (3, End::Limit));
    let hard = technique("bifurcation").example.puzzle;
    let few = Options::default().max_work(10_000);
    assert_eq!(explain(&rules, &cells(hard), &few).unwrap().end, End::Limit);
    // The largest grid, empty and with a symbol: the work is bounded.
    let rules = Rules::sudoku(25).unwrap();
    let mut puzzle = vec![0; 625];
    puzzle[0] = 25;
    let options = Options::default().max_work(100_000);
    assert!(matches!(explain(&rules, &puzzle, &options).unwrap().end, End::Several | End::Limit));
}

/// Work in portions finds the steps of all the work at once, whatever technique a portion breaks off.
#[test]
fn steps_go_on_when_more_work_is_allowed() {
    let rules = Rules::default();
    let puzzle = cells(technique("forcing chains").example.puzzle);
    let whole = explain(&rules, &puzzle, &Options::default()).unwrap();
    let explainer = Explainer::new(&rules);
    let mut steps = explainer.steps(&puzzle, &Options::default().max_work(500)).unwrap();
    let (mut taken, mut work, mut portions) = (Vec::new(), 500, 1);
    loop {
        taken.extend(steps.by_ref());
        if steps.end() != Some(End::Limit) {
            break;
        }
        work *= 2;
        portions += 1;
        steps.allow(work);
    }
    assert!(portions > 3, "{portions}");
    let explanation = steps.explanation(taken);
    let texts = |steps: &[Step]| -> Vec<String> { steps.iter().map(|step| step.text(&rules)).collect() };
    assert_eq!(texts(&explanation.steps), texts(&whole.steps));
    assert_eq!((explanation.end, explanation.cells), (whole.end, whole.cells));
    // The most steps are the most, whatever the work.
    let mut few = explainer.steps(&puzzle, &Options::default().max_steps(1)).unwrap();
    assert_eq!((few.by_ref().count(), few.end()), (1, Some(End::Limit)));
    few.allow(1);
    assert_eq!(few.next().map(|step| step.technique.name), None);
}

/// A chain that a step shows: each entry follows from the one before.
#[test]
fn chains_alternate() {
    let rules = Rules::default();
    for name in [
        "X-chain",
        "XY-chain",
        "AIC",
        "grouped X-chain",
        "ALS-XZ",
        "grouped AIC",
        "ALS-XY-wing",
        "AIC with ALS",
    ] {
        let puzzle = cells(technique(name).example.puzzle);
        let explanation = explain(&rules, &puzzle, &Options::default()).unwrap();
        let step = explanation.steps.iter().find(|step| step.technique.name == name).unwrap();
        let [chain] = &step.chains[..] else { panic!("{step:?}") };
        let is_true: Vec<bool> = chain.iter().map(|assertion| assertion.is_true).collect();
        assert!(is_true.iter().enumerate().all(|(at, &is_true)| is_true == (at % 2 == 1)), "{name}");
        // Chains of groups have one: its cells are named together.
        let group = chain.iter().find(|node| node.cells.len() > 1);
        assert!(group.is_some() || !name.contains("grouped"), "{name}");
        if let Some(group) = group {
            let cells: Vec<String> =
                group.cells.iter().map(|cell| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1)).collect();
            assert!(step.text(&rules).contains(&cells.join(",")), "{}", step.text(&rules));
        }
        assert_eq!(step.sets.is_empty(), !name.contains("ALS"), "{name}");
        // A node as JSON.
        let node = &chain[0];
        let places: Vec<String> =
            node.cells.iter().map(|cell| format!("[{},{}]", cell / 9 + 1, cell % 9 + 1)).collect();
        let place = places.join(",");
        let json =
            format!(r#""chains":[[{{"cells":[{place}],"symbol":{},"is_true":false,"from":[]}}"#, node.symbol);
        assert!(step.json(&rules).contains(&json), "{}", step.json(&rules));
        let first = Candidate { cell: chain[0].cells[0], symbol: chain[0].symbol };
        assert!(step.because.contains(&first));
    }
}

/// Whether a step places or eliminates: its sentence is complete, and names the roles of its cells.
#[test]
fn sentences_are_complete() {
    let rules = Rules::default();
    for technique in TECHNIQUES.iter().filter(|technique| technique.example.kind == "sudoku") {
        let puzzle = cells(technique.example.puzzle);
        for step in explain(&rules, &puzzle, &unique()).unwrap().steps {
            let text = step.text(&rules);
            assert!(![" :", "  ", " ,", "{", "}"].iter().any(|hole| text.contains(hole)), "{text}");
            let told = match step.technique.name {
                "XY-wing" | "XYZ-wing" => "pivot r",
                "forcing chains" => "if r",
                _ => "",
            };
            assert!(text.contains(told), "{text}");
        }
    }
}

/// Short forms have the names that players know, each drawn on paper from its step.
#[test]
fn short_forms_have_their_known_names() {
    let rules = Rules::default();
    let cases = [
        (
            "...5..........143...3.6.1....1...965.86.7.2...2...5..1.7........4...2...8.2...6..",
            "finned fish (skyscraper): r8c9<>7,",
        ),
        (
            ".39.12...........1..84....7....48...8.5..3.7....9....61.....7....2.5.1.4.9.....68",
            "X-chain (two-string kite): r9c1<>7,",
        ),
        (
            "12...9.6.5.7....1..9...5....39...1..4...7.....1..9357...283.6............43.52.8.",
            "X-chain (turbot fish): r3c4<>4,",
        ),
        (
            ".45..2....7.......6..41....4.68.715..5..6.4.....9...26...7.491.7.....5....3....6.",
            "grouped X-chain (empty rectangle): r8c5<>3,",
        ),
        (
            ".6.5.13..19.......4.3.6....71.....54.8.14...9.......2....9.65.......4.16.....5.9.",
            "ALS-XZ (WXYZ-wing): r7c2<>3,",
        ),
        (
            "8.3........26..........275.39.8.......1......6....5.43.....19...5..6...74..9....6",
            "finned fish (finned X-wing): r1c5<>1, r2c5<>1,",
        ),
        (
            "8.3........26..........275.39.8.......1......6....5.43.....19...5..6...74..9....6",
            "finned fish (finned swordfish): r5c5<>2,",
        ),
        (
            ".6.9...1.425..3....1...2..3..4.8...52......9..7.......85.7...2.1..4..3.7.......89",
            "finned fish (finned jellyfish): r9c6<>6,",
        ),
        (
            "1...3...8.679.2.3....7.....8..2.7.91....1.6...........6.1..3.8.95....3..28.6....9",
            "finned fish (remote pair): r1c8<>5,",
        ),
        (
            ".......946....1.7.9...4....2..6......3..8.5..1.6....3....4..6......2.48...59.71..",
            "unique rectangle type 1: r5c9<>16,",
        ),
        (
            ".......8..36.5...4..4.6.39....3..75.4......3...1........584..6......2..5.2.6..1..",
            "unique rectangle type 2: r4c5<>2, r5c3<>2,",
        ),
        (
            "..8...2..6...4..7......1.3...6..271..251.........6.9.......9..8..7.5..2.9.....34.",
            "unique rectangle type 4: r3c3<>2, r3c4<>2,",
        ),
    ];
    for (puzzle, told) in cases {
        let options = Options::default().unique(told.starts_with("unique"));
        let explanation = explain(&rules, &cells(puzzle), &options).unwrap();
        let step = explanation.steps.iter().find(|step| step.text(&rules).starts_with(told)).expect(told);
        let name = format!(r#""known_as":"{}""#, step.known_as.unwrap());
        assert!(told.contains(step.known_as.unwrap()) && step.json(&rules).contains(&name), "{told}");
    }
}
