//! Explanations: every step keeps the solutions, its proof holds, every technique is used, and the end is right.

use galop_corpora::generate::Wish;
use galop_engines::Rules;
use galop_engines::grid::{KINDS, kind};
use galop_engines::puzzle::Limits;
use galop_explain::{
    Assertion, Candidate, End, Error, Explainer, Explanation, Level, Options, Position, Step, TECHNIQUES,
    Technique, Truth, explain,
};

use galop_testing::data::{puzzle_files, sample};
use galop_testing::engines::{named, solve_one};
use galop_testing::puzzles::{IMPOSSIBLE, PUZZLE, SOLUTION, cells};
use galop_testing::rules::{generated, jigsaw, rules_of};

/// The technique of that name.
fn technique(name: &str) -> &'static Technique {
    TECHNIQUES.iter().find(|technique| technique.name == name).unwrap()
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
            before.apply(self.rules, step);
        }
        assert_eq!(before.cells, explanation.cells);
    }

    /// The rules that the step names are enough: they contradict the opposite of what it concludes.
    fn check_proof(&self, before: &Position, step: &Step) {
        let options = |truth: &Truth| -> Vec<Candidate> {
            let all: Vec<Candidate> = match *truth {
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
        };
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
        let conflicts = |one: &Candidate, other: &Candidate| {
            let grid = self.rules.grid();
            let [from, to] = [one, other].map(|one| usize::from(one.cell));
            let sees = || one.symbol == other.symbol && grid.peers(from).contains(&to);
            let pair =
                [(from, one.symbol), (to, other.symbol)].map(|(cell, symbol)| grid.candidate(cell, symbol));
            one != other && (from == to || sees() || grid.excluded_by(pair[0]).contains(&pair[1]))
        };
        let left = |truth: &Vec<Candidate>| -> Vec<Candidate> {
            let is_free = |option: &&Candidate| chosen.iter().all(|one| !conflicts(one, option));
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

#[test]
fn every_step_keeps_the_solutions_of_made_puzzles() {
    let rules = Rules::default();
    let explainer = Explainer::new(&rules);
    for (puzzle, _) in generated(&rules, 3, 60, Wish::Minimal) {
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

/// A puzzle for each technique that needs it.
const USES: [(&str, &str); 25] = [
    ("full house", "2.86.....3...7.8.5..5..2....3..2..141.......9..416...34.....3..5....8....6...795."),
    ("hidden single", "5.9...1237.1..4..58...............9....4..6.1......452.8.271...35.6.......45...6."),
    ("naked single", "2.86.....3...7.8.5..5..2....3..2..141.......9..416...34.....3..5....8....6...795."),
    ("pointing", ".4.9.8.2.........3.5..3..69..2.6...45...2.6.74...8..1..2.6..3..81.24......3......"),
    ("claiming", ".23.48...54...1......5......89....1........366.....8....5..2..34.8..619.7......65"),
    ("naked pair", "..63.......59...8......86.53.......2...69..3.9.2.7...1.3.2...57...8..4..6....7..9"),
    ("hidden pair", "......9...63.7.....7.1356.......3.46......38...9.84...327...5........41.1...52..."),
    ("naked triple", "...7.6.49.9....5..6...9....8.92....4.13...8.6.45....2...6..5.8...23.7......4....7"),
    ("hidden triple", ".....34..56.1......8..5........7.15...1..26..6..3......9..2.8....76...29.....451."),
    ("naked quad", "6........7953...........2.4.1.7.834.....6.92.....9......7....6.3..4..57.1......82"),
    ("hidden quad", "...2.....8...15...4...76...21..5.....39.....7..5.6..14..8..2.5..6..93...1......9."),
    ("X-wing", ".1..4..8.....8....5.....1.2.7...8.4....62....6....7..91...5...3......92..59.7...4"),
    ("swordfish", ".92..........52...4....9.1...1.......5..3...2..4...19.5.61..97....6.3..898.2....."),
    ("jellyfish", "...8.91....3......2....79.5..45.3..7.72......1......5....7......8..41.2.72..9.3.."),
    ("finned fish", "...5.........2.79..7..6...45.1...9.6.47....2...9.8...5.85.........2..849...47.6.."),
    ("XY-wing", ".....86..384.95.7.....1.............235...18..1.....2.791.5..388....7.....3.89..6"),
    ("XYZ-wing", ".....5..4.1.83...5.8..1.2...7......29.......64...9.1...98.67.3...31.4......3....."),
    ("W-wing", "..9...16......8....31.5...21245..7..........67...8.3....53....1........861...2.45"),
    ("simple colouring", "..8....3.......1....19...262...5..8.7...6...3..62..7.....17.39.4..5.....5...3...."),
    ("unique rectangle", "......7...2.8.56..5....6..4.....25....71..8...3......289..4..151.3..8.2....6....."),
    ("X-chain", ".1.3.5..........7..58.21.6.....13..6.93.4.12.5..............3..6.24....7.4.8....."),
    ("XY-chain", "......5.6..1......6.7.........285..373.4..1....47....2..5.4..9......36.124..9...7"),
    ("AIC", ".....51.3..5.2.......9......1.2...7..82.7.3.653....2.4.91.4......67...3.753....9."),
    ("forcing chains", ".389.........267..2..8.14....9.4...5....9..47.....71.9..27.....8.46....2......81."),
    // The second puzzle of the article of Lior Sinai that is called the hardest, by Arto Inkala.
    ("bifurcation", "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."),
];

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
            let explanation = explainer.explain(&puzzle, &Options::default()).unwrap();
            explanation.steps.into_iter().map(|step| step.text(&rules)).collect::<Vec<_>>()
        });
        let of_peers: Vec<String> = texts.filter(|text| text.starts_with("common peers: ")).collect();
        assert!(!of_peers.is_empty(), "{name}");
        assert!(of_peers[0].contains(", because every way to place "), "{}", of_peers[0]);
    }
}

#[test]
fn every_technique_is_used() {
    let rules = Rules::default();
    // In a sudoku, pointing and claiming find what common peers find.
    let names = TECHNIQUES.iter().map(|technique| technique.name).filter(|name| *name != "common peers");
    assert_eq!(USES.map(|(name, _)| name).to_vec(), names.collect::<Vec<_>>());
    for (name, puzzle) in USES {
        let puzzle = cells(puzzle);
        let options = Options::default().unique(technique(name).needs_uniqueness);
        let explanation = explain(&rules, &puzzle, &options).unwrap();
        assert_eq!(explanation.end, End::Solved, "{name}");
        let steps = &explanation.steps;
        assert!(steps.iter().any(|step| step.technique.name == name), "{name}");
        // The rank of the hardest technique, found in another way.
        let rank = |step: &Step| TECHNIQUES.iter().position(|other| other == step.technique).unwrap();
        let hardest = &TECHNIQUES[steps.iter().map(rank).max().unwrap()];
        assert_eq!(explanation.hardest(), Some(hardest));
        assert_eq!(explanation.level(), Some(hardest.level));
        assert!(explanation.score() >= hardest.score);
        assert_eq!(explanation.counts().iter().map(|(_, count)| count).sum::<usize>(), steps.len());
        // Without the hardest technique and those above, it is not solved.
        if let Some(at) = steps.iter().map(rank).max().unwrap().checked_sub(1) {
            let options = options.hardest(&TECHNIQUES[at]);
            assert_eq!(explain(&rules, &puzzle, &options).unwrap().end, End::Stuck, "{name}");
        }
    }
}

#[test]
fn techniques_are_sorted_by_level_and_have_different_names() {
    assert!(TECHNIQUES.is_sorted_by_key(|technique| technique.level));
    for (at, technique) in TECHNIQUES.iter().enumerate() {
        assert!(TECHNIQUES[..at].iter().all(|other| other.name != technique.name));
        assert!(Level::ALL.contains(&technique.level) && !technique.about.is_empty());
    }
    assert_eq!(Level::ALL.map(Level::name), ["easy", "medium", "hard", "very hard", "ultra-hard"]);
}

#[test]
fn unique_rectangles_are_used_only_where_uniqueness_is_given() {
    let rules = Rules::default();
    let puzzle = cells(USES.iter().find(|(name, _)| *name == "unique rectangle").unwrap().1);
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
fn the_shortest_contradiction_has_the_words_of_check() {
    let rules = Rules::default();
    let explanation = explain(&rules, &cells(IMPOSSIBLE), &Options::default()).unwrap();
    let texts: Vec<String> = explanation.steps.iter().map(|step| step.text(&rules)).collect();
    assert_eq!(
        texts,
        [
            "hidden pair: r8c5<>236789, r9c5<>2346789, because 1 and 5 have no other cells in column 5 than r8c5, r9c5"
        ]
    );
    let End::Contradiction(impossible) = explanation.end else { panic!("{:?}", explanation.end) };
    assert_eq!(impossible.to_string(), "no cell of column 5 is left for 6");
    // Two equal clues: no step.
    let twice = cells(&PUZZLE.replacen("4..", "44.", 1));
    let explanation = explain(&rules, &twice, &Options::default()).unwrap();
    let End::Contradiction(impossible) = explanation.end else { panic!("{:?}", explanation.end) };
    assert_eq!(impossible.to_string(), "4 occurs twice in row 1: in row 1, column 1 and in row 1, column 2");
    assert!(explanation.steps.is_empty());
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
        r#"{"technique":"full house","places":[[1,16,16]],"eliminates":[],"because":[[1,1,1],[1,2,2],"#
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
    assert_eq!(error.to_string(), "10 in row 2, column 2 is no symbol of the rules");
    let explained = |options: &Options| explain(&rules, &cells(PUZZLE), options).unwrap();
    let few = explained(&Options::default().max_steps(3));
    assert_eq!((few.steps.len(), few.end), (3, End::Limit));
    let (_, hard) = USES.last().unwrap();
    let few = Options::default().max_work(10_000);
    assert_eq!(explain(&rules, &cells(hard), &few).unwrap().end, End::Limit);
    // The largest grid, empty and with a symbol: the work is bounded.
    let rules = Rules::sudoku(25).unwrap();
    let mut puzzle = vec![0; 625];
    puzzle[0] = 25;
    let options = Options::default().max_work(100_000);
    assert!(matches!(explain(&rules, &puzzle, &options).unwrap().end, End::Several | End::Limit));
}

/// A chain that a step shows: each entry follows from the one before.
#[test]
fn chains_alternate() {
    let rules = Rules::default();
    for name in ["X-chain", "XY-chain", "AIC"] {
        let puzzle = cells(USES.iter().find(|(other, _)| *other == name).unwrap().1);
        let explanation = explain(&rules, &puzzle, &Options::default()).unwrap();
        let step = explanation.steps.iter().find(|step| step.technique.name == name).unwrap();
        let [chain] = &step.chains[..] else { panic!("{step:?}") };
        let is_true: Vec<bool> = chain.iter().map(|assertion| assertion.is_true).collect();
        assert!(is_true.iter().enumerate().all(|(at, &is_true)| is_true == (at % 2 == 1)), "{name}");
        let Assertion { candidate, .. } = chain[0];
        assert!(step.because.contains(&candidate));
    }
}
