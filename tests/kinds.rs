//! Every kind and size of grid, from the command line and from the library.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::atomic::AtomicBool;

use assert_cmd::Command;
use galop::generate::{self, Recipe, Wish};
use galop::grid::{Alphabet, KINDS, Kind, Regions, Verifier, kind};
use galop::input::detect::Characters;
use galop::input::source::Source;
use galop::{Answer, Answers, ENGINES, Engine, Entry, Isa, Limits, Puzzles, Rules, engine};

const ALL: Limits = Limits::ALL;

/// Regions of five cells.
const MAP5: &str = "aaabb\naabbb\nccddd\ncccdd\neeeee\n";

fn galop(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_galop"));
    command.args(args);
    command
}

/// Standard output, standard error and the exit code of a run that reads `input`.
fn run(args: &[&str], input: &str) -> (String, String, i32) {
    let output = galop(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

fn answer(entry: &Entry, rules: &Rules, puzzle: &[u8], limits: Limits) -> (Answer, Vec<u8>) {
    let mut engine = (entry.make)(rules, Isa::best()).unwrap();
    let (mut solution, mut answers) = (vec![0; puzzle.len()], [Answer::default()]);
    let mut places = Answers::new(&mut solution, &mut answers, puzzle.len());
    engine.solve(Puzzles::new(puzzle, puzzle.len()), limits, &mut places).unwrap();
    (answers[0], solution)
}

fn text(rules: &Rules, cells: &[u8]) -> String {
    cells.iter().map(|&cell| char::from(rules.alphabet().character(cell))).collect()
}

fn rules_of(kind: &Kind, side: usize) -> Rules {
    let map = match side {
        4 => "aabbaabbccddccdd".to_owned(),
        5 => MAP5.to_owned(),
        side => (0..side).map(|row| char::from(b'A' + row as u8).to_string().repeat(side)).collect(),
    };
    let regions = Regions::read(map.as_bytes()).unwrap();
    Rules::new(kind, side, Some(&regions)).unwrap()
}

/// A solution of every kind and size: of the empty grid, found by the engine for all of them.
fn solved(rules: &Rules) -> Vec<u8> {
    let empty = vec![0; rules.grid().cells()];
    let (answer, solution) = answer(engine("grid").unwrap(), rules, &empty, Limits::ANY);
    assert_eq!(answer.solutions, 1, "{}", rules.name());
    assert_eq!(Verifier::new(rules).check(&empty, &solution), Ok(()), "{}", rules.name());
    solution
}

/// Whoever accepts the rules and comes to an end counts the known numbers: 4x4 sudokus 288, Latin squares OEIS
/// A002860.
#[test]
fn empty_grids_have_the_known_numbers_of_solutions() {
    let known = [
        ("sudoku", 4, 288),
        ("latin", 4, 576),
        ("diagonal", 4, 48),
        ("jigsaw", 4, 288),
        ("latin", 5, 161_280),
    ];
    for (name, side, count) in known {
        let rules = rules_of(kind(name).unwrap(), side);
        for name in ["grid", "dlx", "backtrack", "norvig", "reduce"] {
            let (answer, _) = answer(engine(name).unwrap(), &rules, &vec![0; side * side], ALL);
            assert_eq!((answer.solutions, answer.gave_up()), (count, false), "{name} {}", rules.name());
        }
    }
}

#[test]
fn every_kind_and_size_has_a_solution_that_verifies() {
    for kind in KINDS {
        for size in kind.sizes.iter().filter(|size| size.side <= 16) {
            solved(&rules_of(kind, size.side));
        }
    }
}

/// Solutions of small grids with cells left out: all engines that accept the rules count alike.
#[test]
fn all_engines_agree() {
    for kind in KINDS {
        for size in kind.sizes.iter().filter(|size| [4, 5, 6, 9].contains(&size.side)) {
            let rules = rules_of(kind, size.side);
            let whole = solved(&rules);
            for step in 0..6 {
                let keep =
                    |cell: usize| (cell * 7 + step * 3) % 10 < 6 - usize::from(size.side < 9) * step / 2;
                let mut puzzle = whole.clone();
                puzzle.iter_mut().enumerate().for_each(|(cell, symbol)| *symbol *= u8::from(keep(cell)));
                if step == 5 {
                    puzzle.swap(0, size.side + 1);
                }
                let limits = Limits::count(500);
                let (first, _) = answer(engine("grid").unwrap(), &rules, &puzzle, limits);
                let others = ENGINES
                    .iter()
                    .filter(|entry| !entry.may_be_stuck && (entry.make)(&rules, Isa::best()).is_ok());
                for entry in others {
                    let (other, solution) = answer(entry, &rules, &puzzle, limits);
                    assert_eq!(
                        other.solutions,
                        first.solutions,
                        "{} {} {puzzle:?}",
                        entry.name,
                        rules.name()
                    );
                    if other.solutions > 0 {
                        assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()), "{}", entry.name);
                    }
                }
            }
        }
    }
}

/// A guess is counted by the rule of all engines, and the limit on guesses holds.
#[test]
fn the_limit_on_guesses_holds() {
    let rules = rules_of(&KINDS[0], 4);
    let grid = engine("grid").unwrap();
    assert_eq!(answer(grid, &rules, &[0; 16], ALL).0.effort.guesses, 287);
    let (limited, _) = answer(grid, &rules, &[0; 16], Limits::ALL.with_guesses(10));
    assert!(limited.gave_up() && limited.effort.guesses == 10 && limited.solutions <= 11);
}

/// The size follows from the first record, in a file and in a pipe; other lengths are malformed then.
#[test]
fn the_size_follows_from_the_first_record() {
    for side in [4, 6, 12, 16] {
        let rules = rules_of(&KINDS[0], side);
        let solution = solved(&rules);
        let mut puzzle = solution.clone();
        puzzle.iter_mut().step_by(5).for_each(|cell| *cell = 0);
        let (puzzle, solution) = (text(&rules, &puzzle), text(&rules, &solution));
        let nine = ".".repeat(81);
        let input = format!("# a comment\n\n{puzzle} rest\n{nine}\n{puzzle}\r\n{}", solution.to_lowercase());
        let lines: Vec<String> = [
            format!("{puzzle},{solution}"),
            format!("{nine},malformed"),
            format!("{puzzle},{solution}"),
            format!("{},{solution}", solution.to_lowercase()),
        ]
        .into();
        let expected = lines.join("\n") + "\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("puzzles.txt");
        std::fs::write(&path, &input).unwrap();
        for args in [vec!["solve", "-q"], vec!["solve", "-q", path.to_str().unwrap()]] {
            let (out, error, code) = run(&args, &input);
            assert_eq!((out.as_str(), code), (expected.as_str(), 1), "{error}");
        }
        let (out, _, code) = run(&["verify", "-u"], &format!("{puzzle},{solution}\n"));
        assert_eq!((out.as_str(), code), ("", 0));
        let wrong = format!("{puzzle},{}{}\n", &solution[1..2], &solution[1..]);
        let (out, _, code) = run(&["verify"], &wrong);
        assert!(
            code == 1 && out.contains("does not hold every symbol once") || out.contains("clue"),
            "{out}"
        );
        let (out, _, code) = run(&["check"], &format!("{puzzle}\n"));
        assert_eq!((out.as_str(), code), ("", 0));
        let (out, _, code) = run(&["show", &puzzle], "");
        assert!(code == 0 && out.lines().count() > side, "{out}");
    }
}

#[test]
fn every_output_format_writes_the_alphabet_of_the_input() {
    let rules = rules_of(&KINDS[0], 16);
    let whole = solved(&rules);
    for name in ["1-9A-G", "0-9A-F", "A-P", "a-p"] {
        let rules = rules.clone().written_in(Alphabet::named(name).unwrap()).unwrap();
        let mut puzzle = whole.clone();
        puzzle.iter_mut().step_by(5).for_each(|cell| *cell = 0);
        let (puzzle, solution) = (text(&rules, &puzzle), text(&rules, &whole));
        for format in ["pair", "solution", "csv", "json"] {
            let (out, error, code) =
                run(&["solve", "-q", "--no-times", "-f", format], &format!("{puzzle}\n"));
            assert!(code == 0 && out.contains(&solution), "{name} {format}: {out}{error}");
        }
        let (out, _, code) =
            run(&["solve", "-q", "--crosscheck", "1", "--alphabet", name], &format!("{puzzle}\n"));
        assert_eq!((out, code), (format!("{puzzle},{solution}\n"), 0));
    }
}

#[test]
fn what_fits_several_alphabets_is_refused_with_a_way_out() {
    let letters = format!("{}{}\n", "ABCDEFAB", ".".repeat(248));
    let (out, error, code) = run(&["solve"], &letters);
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(
        error.contains("several alphabets (1-9A-G or 0-9A-F or A-P); choose one: --alphabet NAME"),
        "{error}"
    );
    let dots = ".".repeat(255);
    let (_, error, code) = run(&["solve"], &format!("9{dots}\nP{dots}\n"));
    assert!(code == 2 && error.contains("several alphabets"), "{error}");
    let (_, error, code) = run(&["solve"], &letters.replace("AB.", "9P."));
    assert!(code == 1 && error.contains("1:8: unexpected `P` (cells are 1-9A-G"), "{error}");
    let (out, _, code) = run(&["solve", "--alphabet", "A-P", "-q"], &format!("A{}\n", ".".repeat(255)));
    assert!(code == 0 && out.starts_with('A'), "{out}");
    let (_, error, code) = run(&["solve", "--alphabet", "A-Y"], &letters);
    assert!(code == 2 && error.contains("has 25 symbols; the rules have 16"), "{error}");
    let (_, error, code) = run(&["solve", "--alphabet", "B-D"], &letters);
    assert!(code == 2 && error.contains("is not an alphabet"), "{error}");
    // A contradiction behind what was looked at is a malformed line that names the way out.
    let first = format!("12G9{}\n", ".".repeat(252));
    let later = format!("{first}P{}\n", ".".repeat(255));
    let (out, error, code) = run(&["solve", "-q"], &later);
    assert!(code == 1 && out.ends_with(",malformed\n"), "{out}");
    assert!(
        error.contains("2:1: unexpected `P` (cells are 1-9A-G") && error.contains("--alphabet"),
        "{error}"
    );
}

#[test]
fn characters_tell_the_alphabet() {
    let dots = |text: &str| text.to_owned() + &".".repeat(256 - text.len());
    let found = |line: String| {
        let mut characters = Characters::new(256, 16);
        characters.look(&mut Source::stream("s", std::io::Cursor::new(line.into_bytes()))).unwrap();
        characters.alphabet().map(|alphabet| alphabet.name().to_string()).ok()
    };
    assert_eq!(found(dots("1G")).as_deref(), Some("1-9A-G"));
    assert_eq!(found(dots("1g")).as_deref(), Some("1-9a-g"));
    assert_eq!(found(dots("10")).as_deref(), Some("0-9A-F"));
    assert_eq!(found("10".repeat(128)).as_deref(), Some("1-9A-G"), "0 is the only blank");
    assert_eq!(found(dots("AP")).as_deref(), Some("A-P"));
    assert_eq!(found(dots("1F")), None);
    assert_eq!(found("0123456789ABCDEF".repeat(16)).as_deref(), Some("0-9A-F"), "a full grid");
    assert_eq!(found("0023456789ABCDEF".repeat(16)).as_deref(), Some("1-9A-G"), "0 is a blank");
    assert_eq!(found(String::new()).as_deref(), Some("1-9A-G"));
}

#[test]
fn regions_are_read_or_refused_with_line_and_column() {
    let regions = Regions::read(format!("# five\n{MAP5}").as_bytes()).unwrap();
    assert_eq!(regions.side(), 5);
    assert_eq!(Regions::read(MAP5.replace('\n', "").as_bytes()).unwrap(), regions);
    let refused =
        |map: &str| galop::Error::from(Regions::read(map.as_bytes()).unwrap_err()).in_file("map").to_string();
    assert!(refused("").contains("a map of 0 cells"));
    assert!(refused("aabb\nccdd\n").contains("a map of 8 cells"));
    let fault = refused(&MAP5.replace("aabbb", "aaabb"));
    assert!(fault.contains("2:3:") && fault.contains("region `a` has 6 cells (each has 5"), "{fault}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.txt");
    std::fs::write(&path, MAP5).unwrap();
    let map = path.to_str().unwrap();
    let (out, error, code) = run(&["solve", "-q", "--regions", map], &format!("{}\n", ".".repeat(25)));
    assert_eq!((out.len(), code), (52, 0), "{out}{error}");
    assert_eq!(run(&["verify", "--regions", map], &out).2, 0);
    std::fs::write(&path, MAP5.replace("aabbb", "aaabb")).unwrap();
    let (_, error, code) = run(&["solve", "--regions", map], "");
    assert!(code == 2 && error.contains("map.txt:2:3: region `a`"), "{error}");
    let (_, error, code) = run(&["solve", "--kind", "jigsaw"], &format!("{}\n", ".".repeat(25)));
    assert!(code == 2 && error.contains("--regions FILE"), "{error}");
    let (_, error, code) = run(&["solve", "--kind", "latin", "--regions", map], "");
    assert_eq!(code, 2, "{error}");
}

#[test]
fn an_engine_for_nine_by_nine_names_those_for_other_rules() {
    let (out, error, code) = run(&["solve", "--engine", "lanes"], &format!("{}\n", ".".repeat(16)));
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(error.contains("`sudoku 4x4`") && error.contains("engines that do: grid, dlx"), "{error}");
    let nine = format!("{}\n", ".".repeat(81));
    for kind in ["diagonal", "windoku", "latin"] {
        let (out, error, code) = run(&["solve", "-q", "--kind", kind], &nine);
        assert_eq!((out.len(), code), (2 * 82, 0), "{error}");
        assert_eq!(run(&["verify", "--kind", kind], &out).2, 0);
        let other = if kind == "latin" { "sudoku" } else { kind };
        assert_eq!(run(&["verify", "--kind", other], &out).2, i32::from(kind == "latin"), "{kind}");
    }
}

#[test]
fn engines_are_compared_on_other_grids() {
    let rules = rules_of(&KINDS[0], 4);
    let mut puzzle = solved(&rules);
    puzzle[3] = 0;
    let (out, error, code) = run(
        &["compare", "-q", "-e", "grid,dlx", "--runs", "2", "--progress", "never"],
        &format!("{}\n", text(&rules, &puzzle)),
    );
    assert!(code == 0 && out.contains("grid") && out.contains("dlx"), "{out}{error}");
}

/// The map is an input like the puzzles: nothing is written over it.
#[test]
fn no_output_is_the_map_of_regions() {
    let folder = tempfile::tempdir().unwrap();
    let map = folder.path().join("map.json").to_str().unwrap().to_owned();
    std::fs::write(&map, MAP5).unwrap();
    let puzzle = format!("1{}\n", ".".repeat(24));
    for words in
        [["solve", "-o"], ["solve", "--report"], ["compare", "--report"], ["compare", "--per-puzzle"]]
    {
        let (_, error, code) = run(&[words[0], "-q", "--regions", &map, words[1], &map], &puzzle);
        assert_eq!(code, 2, "{words:?}: {error}");
        assert_eq!(std::fs::read_to_string(&map).unwrap(), MAP5, "{words:?}");
    }
}

/// It may be a pipe, which gives it once.
#[cfg(unix)]
#[test]
fn the_map_of_regions_is_read_once() {
    let puzzle = format!("1{}", ".".repeat(24));
    for words in [["show", "--regions"], ["export", "--regions"]] {
        let output = galop(&words).arg("/dev/stdin").arg(&puzzle).write_stdin(MAP5).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !output.stdout.is_empty(), "{words:?}: {error}");
    }
}

/// A puzzle of 16x16 that an engine is not made for would hold a comparison up for hours.
#[test]
fn a_comparison_gives_up_sooner_on_large_grids() {
    let folder = tempfile::tempdir().unwrap();
    let report = folder.path().join("compared.json").to_str().unwrap().to_owned();
    for (side, own, named) in [(4, "\"max_guesses\": 10000000000", ""), (16, "\"max_guesses\": 1000000", "7")]
    {
        let rules = rules_of(&KINDS[0], side);
        let mut puzzle = solved(&rules);
        puzzle[3] = 0;
        let text = format!("{}\n", text(&rules, &puzzle));
        let words = ["compare", "-q", "-e", "backtrack", "--runs", "1", "--report", &report];
        assert_eq!(run(&words, &text).2, 0);
        let figures = std::fs::read_to_string(&report).unwrap();
        assert!(figures.contains(&format!("{own},")), "{side}: {figures}");
        if !named.is_empty() {
            assert_eq!(run(&[&words[..], &["--max-guesses", named]].concat(), &text).2, 0);
            assert!(std::fs::read_to_string(&report).unwrap().contains("\"max_guesses\": 7,"));
        }
    }
}

#[test]
fn sixteen_by_sixteen_puzzles_have_one_solution_each() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/16x16.txt");
    if !path.exists() {
        return;
    }
    let file = path.to_str().unwrap();
    let (out, error, code) = run(&["solve", "-q", "-u", "--strict", "--crosscheck", "1", file], "");
    assert_eq!((out.lines().count(), code), (10, 0), "{error}");
    assert_eq!(run(&["verify", "-u"], &out).2, 0);
    assert_eq!(run(&["check", file], "").2, 0);
    let one = run(&["solve", "-q", "-j1", file], "").0;
    assert_eq!(one, run(&["solve", "-q", "-j4", file], "").0);
}

/// A file is looked through until its alphabet is known; of a stream the first block must tell.
#[test]
fn the_alphabet_is_inferred_over_the_file() {
    let rules = rules_of(&KINDS[0], 16);
    let whole = solved(&rules);
    let puzzle: String = text(&rules, &whole)
        .char_indices()
        .map(|(at, c)| if at % 7 == 0 || "G0".contains(c) { '.' } else { c })
        .collect();
    assert!(puzzle.contains('F') && !puzzle.contains('G'));
    let text = format!("{puzzle}\n").repeat(400) + &text(&rules, &whole) + "\n";
    assert!(text.len() > 3 * 32 * 1024);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("late.txt");
    std::fs::write(&path, &text).unwrap();
    let (out, error, code) = run(&["solve", "-q", path.to_str().unwrap()], "");
    assert_eq!((out.lines().count(), code), (401, 0), "{error}");
    let (_, error, code) = run(&["solve", "-q"], &text);
    assert!(code == 2 && error.contains("(1-9A-G or 0-9A-F); choose one: --alphabet NAME"), "{error}");
}

/// Puzzles `0..count` of a recipe and their solutions, as cells.
fn generated(rules: &Rules, seed: u64, count: u64, wish: Wish) -> Vec<(Vec<u8>, Vec<u8>)> {
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    let recipe = Recipe::of(rules.clone(), seed, wish);
    generate::run(&recipe, count, &AtomicBool::new(false), &mut |some, theirs| {
        puzzles.extend_from_slice(some);
        solutions.extend_from_slice(theirs);
        Ok(())
    })
    .unwrap();
    let lines = |text: Vec<u8>| -> Vec<Vec<u8>> {
        let cell = |&byte: &u8| rules.alphabet().cell(byte).unwrap();
        text.split(|&byte| byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| line.iter().map(cell).collect())
            .collect()
    };
    lines(puzzles).into_iter().zip(lines(solutions)).collect()
}

/// Kinds and sizes, each once; of the many sides of some kinds a few.
fn kinds_and_sizes(most: usize) -> impl Iterator<Item = Rules> {
    let sizes = |kind: &'static Kind| kind.sizes.iter().map(move |size| (kind, size.side));
    KINDS
        .iter()
        .flat_map(sizes)
        .filter(move |&(_, side)| side <= most && [4, 5, 6, 9, 10, 12, 16, 25].contains(&side))
        .map(|(kind, side)| rules_of(kind, side))
}

/// Generated puzzles of every kind and size have the one solution, and `grid` and `dlx` count alike once some clues
/// more are gone, or one is wrong.
#[test]
fn generated_puzzles_have_one_solution_and_thinned_ones_what_dlx_says() {
    for rules in kinds_and_sizes(16) {
        let Wish::Clues(usual) = Wish::usual(&rules) else { panic!("a number of clues") };
        let made = generated(&rules, 5, 3, Wish::usual(&rules));
        assert_eq!(made.len(), 3);
        for (seed, (puzzle, solution)) in made.into_iter().enumerate() {
            let clues = puzzle.iter().filter(|&&symbol| symbol != 0).count();
            assert!(usual.contains(&clues), "{}: {clues}", rules.name());
            assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()), "{}", rules.name());
            for gone in [0, 1, 2, 4] {
                let mut puzzle = puzzle.clone();
                let clues: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0).collect();
                (0..gone).for_each(|at| puzzle[clues[(7 * at + 3 * seed) % clues.len()]] = 0);
                if gone == 2 {
                    // Another symbol in the place of a clue: hardly ever a puzzle any more.
                    let cell = clues[1];
                    puzzle[cell] = puzzle[cell] % rules.grid().symbols() + 1;
                }
                let limits = Limits::count(20).with_guesses(20_000);
                let [grid, dlx] =
                    ["grid", "dlx"].map(|name| answer(engine(name).unwrap(), &rules, &puzzle, limits));
                if !dlx.0.gave_up() && !grid.0.gave_up() {
                    assert_eq!(grid.0.solutions, dlx.0.solutions, "{} {puzzle:?}", rules.name());
                }
                if gone == 0 {
                    assert_eq!((grid.0.solutions, grid.1), (1, solution.clone()), "{}", rules.name());
                }
                let is_right = Verifier::new(&rules).check(&puzzle, &dlx.1).is_ok();
                assert!(dlx.0.solutions == 0 || is_right, "{}", rules.name());
            }
        }
    }
}

#[test]
fn large_grids_are_generated() {
    let rules = rules_of(&KINDS[0], 25);
    for (puzzle, solution) in generated(&rules, 1, 2, Wish::Clues(300..=300)) {
        assert_eq!(puzzle.iter().filter(|&&symbol| symbol != 0).count(), 300);
        assert_eq!(Verifier::new(&rules).check(&puzzle, &solution), Ok(()));
    }
}

/// No clue of a minimal puzzle can go: up to 9x9 that is proved.
#[test]
fn minimal_puzzles_of_every_kind_are_minimal() {
    for rules in kinds_and_sizes(9) {
        for (puzzle, _) in generated(&rules, 6, 2, Wish::Minimal) {
            for cell in (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0) {
                let mut thinner = puzzle.clone();
                thinner[cell] = 0;
                let (answer, _) = answer(engine("dlx").unwrap(), &rules, &thinner, Limits::UNIQUE);
                assert_eq!(answer.solutions, 2, "{} {puzzle:?}", rules.name());
            }
        }
    }
}

#[test]
fn the_generator_is_asked_by_kind_side_map_and_alphabet() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.txt");
    std::fs::write(&path, MAP5).unwrap();
    let map = path.to_str().unwrap();
    let asked: [(&[&str], &[&str], usize); 5] = [
        (&["--side", "16"], &[], 256),
        (&["--side", "16", "--alphabet", "a-p"], &["--alphabet", "A-P"], 256),
        (&["--kind", "diagonal", "--side", "6"], &["--kind", "diagonal"], 36),
        (&["--kind", "latin", "--side", "10"], &["--kind", "latin", "--alphabet", "1-9A"], 100),
        (&["--regions", map], &["--regions", map], 25),
    ];
    for (words, reading, cells) in asked {
        let all = [&["generate", "-n", "4", "-s", "2", "--pairs"], words].concat();
        let (out, error, code) = run(&all, "");
        assert_eq!((out.lines().count(), code), (4, 0), "{words:?} {error}");
        assert!(out.lines().all(|line| line.len() == 2 * cells + 1), "{words:?}");
        let (faults, error, code) = run(&[&["verify", "-u"], reading].concat(), &out);
        assert_eq!((&*faults, code), ("", 0), "{words:?} {error}");
        for threads in ["1", "3"] {
            assert_eq!(run(&[&all[..], &["-j", threads]].concat(), "").0, out);
        }
        let long = run(&[&["generate", "-n", "6", "-s", "2", "--pairs"], words].concat(), "").0;
        assert!(long.starts_with(&out), "the first of six are the four");
    }
    for (words, message) in [
        (&["--side", "5"][..], "`sudoku` has no size 5x5; its sides are 4, 6, 9"),
        (&["--regions", map, "--side", "6"], "has 5x5 cells"),
        (&["--side", "16", "--clues", "10..300"], "must lie within 15..256"),
        (&["--kind", "jigsaw"], "--regions FILE"),
    ] {
        let (out, error, code) = run(&[&["generate", "-n", "1", "-s", "1"], words].concat(), "");
        assert!(out.is_empty() && code == 2 && error.contains(message), "{words:?}: {error}");
    }
    // Row 1 but for its last cell is a region: that cell holds what the region's fourth does, in the same column.
    std::fs::write(&path, "aaab bbba cccc dddd").unwrap();
    let (_, error, code) = run(&["generate", "-n", "1", "-s", "1", "--regions", map], "");
    assert!(code == 2 && error.contains("found no full grid of `jigsaw 4x4`"), "{error}");
}

/// The number of solutions of what `galop export` writes.
fn counted(words: &[&str]) -> String {
    let (problem, error, code) = run(&[&["export"], words].concat(), "");
    assert_eq!(code, 0, "{words:?}: {error}");
    run(&["cover", "-q", "-"], &problem).0.trim().to_owned()
}

#[test]
fn grids_of_every_kind_are_exported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.txt");
    std::fs::write(&path, "aabb aabc ddbc ddcc").unwrap();
    let map = path.to_str().unwrap();
    assert_eq!(counted(&["sudoku", "--side", "4"]), "288");
    assert_eq!(counted(&["latin", "--side", "5"]), "161280");
    assert_eq!(counted(&["--kind", "diagonal", "--side", "4"]), "48");
    let jigsaw = rules_of_map("aabb aabc ddbc ddcc");
    let known = answer(engine("backtrack").unwrap(), &jigsaw, &[0; 16], ALL).0.solutions;
    assert!(known > 0);
    assert_eq!(counted(&["--regions", map]), known.to_string());
    assert_eq!(counted(&["jigsaw", "--regions", map, "--full"]), known.to_string());
    let rules = rules_of(&KINDS[0], 16);
    let (puzzle, _) = generated(&rules, 3, 1, Wish::usual(&rules)).remove(0);
    let letters = rules.clone().written_in(Alphabet::named("A-P").unwrap()).unwrap();
    for text in [text(&rules, &puzzle), text(&letters, &puzzle)] {
        assert_eq!(counted(&[&text]), "1");
    }
    let (problem, _, _) = run(&["export", "--side", "25"], "");
    assert!(problem.starts_with("| rules sudoku 25x25\n| puzzle ..."), "{}", &problem[..100]);
    for (words, message) in [
        (&["latin", "--kind", "sudoku"][..], "name one kind"),
        (&["--side", "5"], "`sudoku` has no size 5x5"),
        (&["sudoku", &"1...".repeat(4), "--side", "4"], "--side is for the empty grid"),
    ] {
        let (_, error, code) = run(&[&["export"], words].concat(), "");
        assert!(code == 2 && error.contains(message), "{words:?}: {error}");
    }
}

fn rules_of_map(map: &str) -> Rules {
    let regions = Regions::read(map.as_bytes()).unwrap();
    Rules::new(kind("jigsaw").unwrap(), regions.side(), Some(&regions)).unwrap()
}

/// A table of 16x16 puzzles, as of any others: read by its header, its columns kept.
#[test]
fn tables_of_large_puzzles_are_read_by_their_header() {
    let rules = rules_of(&KINDS[0], 16);
    let pairs = generated(&rules, 8, 3, Wish::usual(&rules));
    let lines = pairs.iter().enumerate().map(|(id, (puzzle, solution))| {
        format!("{id},\"{}\",{}\n", text(&rules, puzzle), text(&rules, solution))
    });
    let table = "id,puzzle,solution\n".to_owned() + &lines.collect::<String>();
    let (out, error, code) = run(&["solve", "-q", "--no-times", "-f", "csv"], &table);
    assert_eq!((out.lines().count(), code), (4, 0), "{error}");
    assert!(out.starts_with("id,puzzle,solution,galop_solution,status,solutions,guesses,nanos\n0,"), "{out}");
    assert_eq!(run(&["verify", "-u"], &table).2, 0);
    let mut cut = table.clone();
    cut.remove(table.len() - 300);
    let (out, _, code) = run(&["verify"], &cut);
    assert!(code == 1 && out.contains("<stdin>:4:"), "{out}");
}

/// What is found is told in the symbols of the file.
#[test]
fn check_and_show_speak_in_the_symbols_of_the_file() {
    let dots = ".".repeat(252);
    let (out, _, code) = run(&["check", "-q"], &format!("C.1C{dots}\nG...{dots}\n"));
    assert_eq!(code, 1);
    assert_eq!(out, "<stdin>:1: C stands twice in row 1: in row 1, column 1 and in row 1, column 4\n");
    let (out, _, code) = run(&["show", "--alphabet", "A-P", "-c"], &format!("P...{dots}\n"));
    assert!(code == 0 && out.contains("ABCDEFGHIJKLMNO") && !out.contains('1'), "{out}");
    let (out, _, code) = run(&["show", "--alphabet", "A-P"], &format!("P..A{dots}\n"));
    assert!(code == 0 && out.starts_with("+---------+") && out.contains("| P . . A | . . . . |"), "{out}");
    let twice = format!("1{}1\n", ".".repeat(79));
    let (out, _, _) = run(&["check", "-q", "--kind", "diagonal"], &twice);
    assert!(out.contains("1 stands twice in extra unit 1 (a diagonal or window)"), "{out}");
}

/// Reports name the rules, and draw what was slowest.
#[test]
fn reports_name_kind_and_size_and_draw_any_grid() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(file("map.txt"), MAP5).unwrap();
    let map = file("map.txt");
    let cases: [(&[&str], &[&str], &str, &str); 3] = [
        (&["--side", "16"], &[], "sudoku 16x16", "1-9A-G"),
        (&["--regions", &map], &["--regions", &map], "jigsaw 5x5", "1-5"),
        (&["--kind", "windoku"], &["--kind", "windoku"], "windoku", "1-9"),
    ];
    for (asked, reading, name, symbols) in cases {
        let puzzles = run(&[&["generate", "-n", "3", "-s", "4"], asked].concat(), "").0;
        let reports: Vec<String> =
            ["json", "md", "html", "txt"].map(|ending| file(&format!("run.{ending}"))).into();
        let words: Vec<&str> = reports.iter().flat_map(|path| ["--report", path]).collect();
        let (_, error, code) = run(&[&["solve", "-q"], reading, &words].concat(), &puzzles);
        assert_eq!(code, 0, "{error}");
        let read = |path: &String| std::fs::read_to_string(path).unwrap();
        let json: serde_json::Value = serde_json::from_str(&read(&reports[0])).unwrap();
        assert_eq!((&json["rules"]["name"], &json["rules"]["symbols"]), (&name.into(), &symbols.into()));
        assert_eq!(
            json["rules"]["side"].as_u64().unwrap().pow(2),
            puzzles.lines().next().unwrap().len() as u64
        );
        for report in &reports[1..] {
            assert!(read(report).contains(name), "{report}");
        }
        let page = read(&reports[2]);
        assert_eq!(page.matches("<svg class=\"grid").count(), 3, "{name}");
        let compared = file("compare.html");
        let words = ["compare", "-q", "--runs", "1", "--report", &compared];
        let (out, error, code) = run(&[&words[..], reading].concat(), &puzzles);
        assert!(
            code == 0 && out.contains("grid") && out.contains("dlx") && out.contains(name),
            "{out}{error}"
        );
        if name == "jigsaw 5x5" {
            let all = run(&[&["compare", "-q", "--runs", "1", "-e", "all"], reading].concat(), &puzzles);
            assert!(all.2 == 0 && all.0.contains("norvig") && !all.0.contains("lanes"), "{}{}", all.0, all.1);
        }
        assert!(read(&compared).contains(name));
    }
}

/// `galop engines` says who solves all kinds: those that solve one of them.
#[test]
fn engines_are_for_one_grid_or_for_all() {
    let (out, _, _) = run(&["engines"], "");
    let line = out.lines().find(|line| line.starts_with("9x9 sudoku: every engine")).unwrap();
    let (all, small) = line.split_once("; with at most nine symbols also: ").unwrap();
    let all: Vec<&str> = all.split("all others: ").nth(1).unwrap().split(", ").collect();
    let small: Vec<&str> = small.split(", ").collect();
    for rules in kinds_and_sizes(25).filter(|rules| rules.grid() != Rules::sudoku().grid()) {
        for entry in ENGINES {
            let accepts = (entry.make)(&rules, Isa::best()).is_ok();
            let is_small = rules.grid().symbols() <= 9 && small.contains(&entry.name);
            assert_eq!(accepts, is_small || all.contains(&entry.name), "{} {}", entry.name, rules.name());
        }
    }
    assert!(KINDS.iter().all(|kind| out.contains(kind.about)), "{out}");
}

/// The verifier sees every unit of every kind.
#[test]
fn no_wrong_grid_passes_the_verifier() {
    for rules in kinds_and_sizes(25) {
        let (right, verifier) = (solved_of(&rules), Verifier::new(&rules));
        let blank = vec![0; right.len()];
        assert_eq!(verifier.check(&blank, &right), Ok(()), "{}", rules.name());
        for cell in (0..right.len()).step_by(1 + right.len() / 60) {
            let mut wrong = right.clone();
            wrong[cell] = wrong[cell] % rules.grid().symbols() + 1;
            assert!(verifier.check(&blank, &wrong).is_err() && verifier.check(&right, &wrong).is_err());
            let mut clue = blank.clone();
            clue[cell] = wrong[cell];
            assert!(verifier.check(&clue, &right).is_err(), "{}", rules.name());
        }
        // For every unit a grid in which the others may be right: two cells of it exchanged with none of its own.
        for unit in rules.grid().units() {
            let mut wrong = right.clone();
            let (one, other) = (
                unit[0],
                (0..right.len()).find(|cell| right[*cell] != right[unit[0]] && !unit.contains(cell)),
            );
            wrong.swap(one, other.unwrap());
            assert!(verifier.check(&blank, &wrong).is_err(), "{}", rules.name());
        }
    }
}

/// A full grid, drawn by the generator.
fn solved_of(rules: &Rules) -> Vec<u8> {
    let cells = rules.grid().cells();
    generated(rules, 9, 1, Wish::Clues(cells..=cells)).remove(0).1
}

/// Grids over several lines, bare, framed and as `galop show` draws them, are read like puzzles on one line.
#[test]
fn grids_of_any_size_may_stand_over_several_lines() {
    for side in [4, 6, 12, 16, 25] {
        for name in ["", "0-9A-O", "A-P"] {
            let rules = rules_of(&KINDS[0], side);
            let alphabet = match name {
                "" => rules.alphabet().clone(),
                name => match Alphabet::named(name).filter(|alphabet| alphabet.symbols() == side as u8) {
                    Some(alphabet) => alphabet,
                    None => continue,
                },
            };
            let rules = rules.written_in(alphabet).unwrap();
            let made = generated(&rules, 2, 2, Wish::Clues(side * side * 6 / 10..=side * side * 6 / 10));
            let lines: String = made.iter().map(|(puzzle, _)| text(&rules, puzzle) + "\n").collect();
            let bare = |puzzle: &str| {
                let rows: Vec<&str> =
                    puzzle.as_bytes().chunks(side).map(|row| std::str::from_utf8(row).unwrap()).collect();
                rows.join("\n") + "\n\n"
            };
            let expected = run(&["solve", "-q"], &lines);
            assert_eq!(expected.2, 0, "{}", expected.1);
            let (drawn, _, _) = run(&["show"], &lines);
            let rows: String = lines.lines().map(bare).collect();
            let mixed = format!("{}{}", bare(lines.lines().next().unwrap()), lines.lines().nth(1).unwrap());
            for shape in [rows, drawn, mixed] {
                let (out, error, code) = run(&["solve", "-q"], &shape);
                assert_eq!((out, code), (expected.0.clone(), 0), "{side} {name} {error}\n{shape}");
            }
        }
    }
    // Rows of which the first might be puzzles of 4x4.
    let first = "1234............\n................\n....4......1....\n";
    let grid = first.to_owned() + &"................\n".repeat(12) + "FG..............\n";
    let (out, error, code) = run(&["solve", "-q"], &grid);
    assert!(code == 0 && out.len() == 514 && out.starts_with("1234..."), "{error}{out}");
    let (out, _, code) = run(&["solve", "-q"], first);
    assert_eq!((out.lines().count(), code), (3, 0), "puzzles of 4x4");
    let bad = grid.replace("FG", "F!").replace("..4.", "..H.");
    let (out, error, code) = run(&["solve", "-q", "--alphabet", "1-9A-G"], &bad);
    assert!(
        code == 1 && out.lines().count() == 1 && error.contains("3:5: unexpected `H` (cells are 1-9A-G"),
        "{error}"
    );
}
