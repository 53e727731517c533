//! Every kind and size of grid, from the command line and from the library.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;
use galop::input::head::Characters;
use galop::input::source::Source;
use galop::rules::{Alphabet, KINDS, Kind, Regions, Verifier, kind};
use galop::{Answer, Answers, ENGINES, Engine, Entry, Isa, Limits, Puzzles, Rules, engine};

const ALL: Limits = Limits { solutions: u64::MAX, guesses: u64::MAX };

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
    engine.solve(Puzzles::new(puzzle, puzzle.len()), limits, &mut places);
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
            assert_eq!((answer.solutions, answer.gave_up), (count, false), "{name} {}", rules.name());
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
                let limits = Limits { solutions: 500, ..ALL };
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
    let (limited, _) = answer(grid, &rules, &[0; 16], Limits { solutions: u64::MAX, guesses: 10 });
    assert!(limited.gave_up && limited.effort.guesses == 10 && limited.solutions <= 11);
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
    assert!(error.contains("--alphabet 1-9A-G or 0-9A-F or A-P"), "{error}");
    let dots = ".".repeat(255);
    let (_, error, code) = run(&["solve"], &format!("9{dots}\nP{dots}\n"));
    assert!(code == 2 && error.contains("several alphabets"), "{error}");
    let (_, error, code) = run(&["solve"], &letters.replace("AB.", "9P."));
    assert!(code == 1 && error.contains("1:8: unexpected `P` (cells are 1-9A-G"), "{error}");
    let (out, _, code) = run(&["solve", "--alphabet", "A-P", "-q"], &format!("A{}\n", ".".repeat(255)));
    assert!(code == 0 && out.starts_with('A'), "{out}");
    let (_, error, code) = run(&["solve", "--alphabet", "A-Y"], &letters);
    assert!(code == 2 && error.contains("has 25 symbols, the rules have 16"), "{error}");
    let (_, error, code) = run(&["solve", "--alphabet", "B-D"], &letters);
    assert!(code == 2 && error.contains("is no alphabet"), "{error}");
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
    assert_eq!(found(String::new()).as_deref(), Some("1-9A-G"));
}

#[test]
fn regions_are_read_or_refused_with_line_and_column() {
    let regions = Regions::read(format!("# five\n{MAP5}").as_bytes()).unwrap();
    assert_eq!(regions.side(), 5);
    assert_eq!(Regions::read(MAP5.replace('\n', "").as_bytes()).unwrap(), regions);
    let refused = |map: &str| Regions::read(map.as_bytes()).unwrap_err().in_file("map").to_string();
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
