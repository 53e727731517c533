//! Every kind and size of grid on the command line.

use galop_corpora::generate::Wish;
use galop_engines::Rules;
use galop_engines::engine::Isa;
use galop_engines::grid::{Alphabet, KINDS, Regions};

use crate::program::{Folder, run_on};
use crate::puzzles;
use galop_testing::available::large_set;
use galop_testing::puzzles::contradictory;
use galop_testing::rules::{MAP5, generated, kinds_and_sizes, solved, sudoku, text};

/// Standard output, standard error and the exit code of a run that reads `input`.
fn run(words: &[&str], input: &str) -> (String, String, i32) {
    let run = run_on(input, words);
    (run.out, run.err, run.code.unwrap())
}

/// The first record decides the size, in a file and in a pipe. Records of another size are malformed.
#[test]
fn the_size_follows_from_the_first_record() {
    for side in [4, 6, 12, 16] {
        let rules = sudoku(side);
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
        let folder = Folder::with(&[("puzzles.txt", &input)]);
        for words in [vec!["solve", "-q"], vec!["solve", "-q", &folder.word("puzzles.txt")]] {
            let (out, error, code) = run(&words, &input);
            assert_eq!((out.as_str(), code), (expected.as_str(), 1), "{error}");
        }
        let (out, _, code) = run(&["verify", "-u"], &format!("{puzzle},{solution}\n{puzzle}\n"));
        assert_eq!((out.as_str(), code), ("", 0));
        let (out, _, code) = run(&["show", &puzzle], "");
        assert!(code == 0 && out.lines().count() > side, "{out}");
    }
}

#[test]
fn every_output_format_writes_the_alphabet_of_the_input() {
    let rules = sudoku(16);
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
fn a_record_in_several_alphabets_is_refused_and_the_flag_that_helps_is_named() {
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
    // A symbol outside the alphabet in a later line makes it malformed, and the message names the flag that helps.
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
fn regions_are_read_or_refused_with_line_and_column() {
    let regions = Regions::read(format!("# five\n{MAP5}").as_bytes()).unwrap();
    assert_eq!(regions.side(), 5);
    assert_eq!(Regions::read(MAP5.replace('\n', "").as_bytes()).unwrap(), regions);
    let refused = |map: &str| {
        galop_batch::Error::from(Regions::read(map.as_bytes()).unwrap_err()).in_file("map").to_string()
    };
    assert!(refused("").contains("a map of 0 cells"));
    assert!(refused("aabb\nccdd\n").contains("a map of 8 cells"));
    let fault = refused(&MAP5.replace("aabbb", "aaabb"));
    assert!(fault.contains("2:3:") && fault.contains("region `a` has 6 cells (each has 5"), "{fault}");
    let folder = Folder::with(&[("map.txt", MAP5)]);
    let map = &*folder.word("map.txt");
    let (out, error, code) = run(&["solve", "-q", "--regions", map], &format!("{}\n", ".".repeat(25)));
    assert_eq!((out.len(), code), (52, 0), "{out}{error}");
    assert_eq!(run(&["verify", "--regions", map], &out).2, 0);
    folder.write("map.txt", MAP5.replace("aabbb", "aaabb"));
    let (_, error, code) = run(&["solve", "--regions", map], "");
    assert!(code == 2 && error.contains("map.txt:2:3: region `a`"), "{error}");
    let (_, error, code) = run(&["solve", "--kind", "jigsaw"], &format!("{}\n", ".".repeat(25)));
    assert!(code == 2 && error.contains("--regions FILE"), "{error}");
    let (_, error, code) = run(&["solve", "--kind", "latin", "--regions", map], "");
    assert_eq!(code, 2, "{error}");
}

#[test]
fn an_engine_for_9x9_only_names_the_engines_for_other_rules() {
    let (out, error, code) = run(&["solve", "--engine", "bitboard"], &format!("{}\n", ".".repeat(16)));
    assert_eq!((out.as_str(), code), ("", 2));
    assert!(error.contains("`sudoku 4x4`") && error.contains("engines that do: lanes, grid, dlx"), "{error}");
}

/// The map of regions is an input, and no output may replace an input.
#[test]
fn no_output_replaces_the_map_of_regions() {
    let folder = Folder::with(&[("map.json", MAP5)]);
    let map = folder.word("map.json");
    let puzzle = format!("1{}\n", ".".repeat(24));
    for words in
        [["solve", "-o"], ["solve", "--report"], ["compare", "--report"], ["compare", "--per-puzzle"]]
    {
        let (_, error, code) = run(&[words[0], "-q", "--regions", &map, words[1], &map], &puzzle);
        assert_eq!(code, 2, "{words:?}: {error}");
        assert_eq!(folder.read("map.json"), MAP5, "{words:?}");
    }
}

/// It may be a pipe, which cannot be read twice.
#[cfg(unix)]
#[test]
fn the_map_of_regions_is_read_once() {
    let puzzle = format!("1{}", ".".repeat(24));
    for words in [["show", &puzzle].as_slice(), &["make", "sudoku", &puzzle]] {
        let run = run_on(MAP5, &[words, &["--regions", "/dev/stdin"]].concat()).ends(0, &[]);
        assert!(!run.out.is_empty(), "{words:?}: {}", run.err);
    }
}

/// Without a lower limit on guesses, one 16x16 puzzle could take an engine hours.
#[test]
fn a_comparison_gives_up_sooner_on_large_grids() {
    let folder = Folder::new();
    let report = folder.word("compared.json");
    for (side, own, named) in [(4, "\"max_guesses\": 10000000000", ""), (16, "\"max_guesses\": 1000000", "7")]
    {
        let rules = sudoku(side);
        let mut puzzle = solved(&rules);
        puzzle[3] = 0;
        let text = format!("{}\n", text(&rules, &puzzle));
        let words = ["compare", "-q", "-e", "backtrack", "--runs", "1", "--report", &report];
        assert_eq!(run(&words, &text).2, 0);
        let figures = folder.read("compared.json");
        assert!(figures.contains(&format!("{own},")), "{side}: {figures}");
        if !named.is_empty() {
            assert_eq!(run(&[&words[..], &["--max-guesses", named]].concat(), &text).2, 0);
            assert!(folder.read("compared.json").contains("\"max_guesses\": 7,"));
        }
    }
}

#[test]
fn sixteen_by_sixteen_puzzles_have_one_solution_each() {
    let Some(path) = large_set("16x16.txt") else { return };
    let file = path.to_str().unwrap();
    let (out, error, code) = run(&["solve", "-q", "-u", "--strict", "--crosscheck", "1", file], "");
    assert_eq!((out.lines().count(), code), (10, 0), "{error}");
    assert_eq!(run(&["verify", "-u"], &out).2, 0);
    assert_eq!(run(&["verify", "-u", file], "").2, 0);
    let one = run(&["solve", "-q", "-j1", file], "").0;
    assert_eq!(one, run(&["solve", "-q", "-j4", file], "").0);
}

/// A file is searched until its alphabet is known. Of a stream only the first block is searched.
#[test]
fn the_alphabet_is_detected_anywhere_in_a_file() {
    let rules = sudoku(16);
    let whole = solved(&rules);
    let puzzle: String = text(&rules, &whole)
        .char_indices()
        .map(|(at, c)| if at % 7 == 0 || "G0".contains(c) { '.' } else { c })
        .collect();
    assert!(puzzle.contains('F') && !puzzle.contains('G'));
    let text = format!("{puzzle}\n").repeat(400) + &text(&rules, &whole) + "\n";
    assert!(text.len() > 3 * 32 * 1024);
    let folder = Folder::with(&[("late.txt", &text)]);
    let (out, error, code) = run(&["solve", "-q", &folder.word("late.txt")], "");
    assert_eq!((out.lines().count(), code), (401, 0), "{error}");
    let (_, error, code) = run(&["solve", "-q"], &text);
    assert!(code == 2 && error.contains("(1-9A-G or 0-9A-F); choose one: --alphabet NAME"), "{error}");
}

#[test]
fn puzzles_are_generated_by_kind_side_map_and_alphabet() {
    let folder = Folder::with(&[("map.txt", MAP5)]);
    let map = &*folder.word("map.txt");
    let cases: [(&[&str], &[&str], usize); 5] = [
        (&["--side", "16"], &[], 256),
        (&["--side", "16", "--alphabet", "a-p"], &["--alphabet", "A-P"], 256),
        (&["--kind", "diagonal", "--side", "6"], &["--kind", "diagonal"], 36),
        (&["--kind", "latin", "--side", "10"], &["--kind", "latin", "--alphabet", "1-9A"], 100),
        (&["--regions", map], &["--regions", map], 25),
    ];
    for (words, reading, cells) in cases {
        let all = [&["generate", "-n", "4", "-s", "2", "--pairs"], words].concat();
        let (out, error, code) = run(&all, "");
        assert_eq!((out.lines().count(), code), (4, 0), "{words:?} {error}");
        assert!(out.lines().all(|line| line.len() == 2 * cells + 1), "{words:?}");
        let (faults, error, code) = run(&[&["verify", "-u"], reading].concat(), &out);
        assert_eq!((&*faults, code), ("", 0), "{words:?} {error}");
        assert_eq!(run(&[&all[..], &["-j", "1"]].concat(), "").0, out);
    }
    for (words, message) in [
        (&["--side", "5"][..], "`sudoku` has no size 5x5; its sides are 4, 6, 8, 9"),
        (&["--regions", map, "--side", "6"], "no size 6x6; its sides are 5"),
        (&["--side", "16", "--clues", "10..300"], "must lie within 15..256"),
        (&["--kind", "jigsaw"], "--regions FILE"),
    ] {
        let (out, error, code) = run(&[&["generate", "-n", "1", "-s", "1"], words].concat(), "");
        assert!(out.is_empty() && code == 2 && error.contains(message), "{words:?}: {error}");
    }
    // The same for records of a size that the rules lack.
    let (_, error, _) = run(&["solve", "--kind", "windoku"], "1...............\n");
    assert!(
        error.contains("16 cells (a puzzle has 81")
            && error.contains("`windoku` has no size 4x4; its sides are 9"),
        "{error}"
    );
    // Region a is row 1 without its last cell, and the cell below that: both cells need the same symbol, in one column.
    folder.write("map.txt", "aaab bbba cccc dddd");
    let (_, error, code) = run(&["generate", "-n", "1", "-s", "1", "--regions", map], "");
    assert!(code == 2 && error.contains("found no solution of `jigsaw 4x4`"), "{error}");
}

/// (That other problems of grids have the answers of the grids is tested beside the code.)
#[test]
fn a_made_problem_has_the_alphabet_of_the_puzzle() {
    let letters = sudoku(16).written_in(Alphabet::named("A-P").unwrap()).unwrap();
    let (puzzle, _) = generated(&letters, 3, 1, Wish::usual(&letters)).remove(0);
    let (problem, error, code) = run(&["make", "sudoku", &text(&letters, &puzzle)], "");
    assert_eq!(code, 0, "{error}");
    assert_eq!(run(&["cover", "-q", "-"], &problem).0.trim(), "1");
}

/// A table of 16x16 puzzles is read by its header and keeps its columns, as one of 9x9 puzzles does.
#[test]
fn tables_of_large_puzzles_are_read_by_their_header() {
    let rules = sudoku(16);
    let (puzzle, solution) = generated(&rules, 8, 1, Wish::usual(&rules)).remove(0);
    let table = format!("id,puzzle,solution\n0,\"{}\",{}\n", text(&rules, &puzzle), text(&rules, &solution));
    let (out, error, code) = run(&["solve", "-q", "--no-times", "-f", "csv"], &table);
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with("id,puzzle,solution,galop_solution,status,count,guesses,nanos\n0,"), "{out}");
}

#[test]
fn verify_and_show_use_the_symbols_of_the_file() {
    let dots = ".".repeat(252);
    let (out, _, code) = run(&["verify", "-q"], &format!("C.1C{dots}\nG...{dots}\n"));
    assert_eq!(code, 1);
    let reason = "C occurs twice in row 1: in row 1, column 1 and in row 1, column 4";
    assert_eq!(out, format!("<stdin>:1:1: none: {reason}\n"));
    let (out, _, code) = run(&["show", "--alphabet", "A-P", "-c"], &format!("P...{dots}\n"));
    assert!(code == 0 && out.contains("ABCDEFGHIJKLMNO") && !out.contains('1'), "{out}");
    let (out, _, code) = run(&["show", "--alphabet", "A-P"], &format!("P..A{dots}\n"));
    assert!(code == 0 && out.starts_with("+---------+") && out.contains("| P . . A | . . . . |"), "{out}");
    let twice = format!("1{}1\n", ".".repeat(79));
    let (out, _, _) = run(&["verify", "-q", "--kind", "diagonal"], &twice);
    assert!(out.contains("1 occurs twice in extra unit 1 (a diagonal or window)"), "{out}");
}

/// Reports name the rules, and draw the slowest puzzles.
#[test]
fn reports_name_kind_and_size_and_draw_any_grid() {
    let folder = Folder::with(&[("map.txt", MAP5)]);
    let map = folder.word("map.txt");
    let cases: [(&[&str], &[&str], &str, &str); 2] = [
        (&["--side", "16"], &[], "sudoku 16x16", "1-9A-G"),
        (&["--regions", &map], &["--regions", &map], "jigsaw 5x5", "1-5"),
    ];
    for (making, reading, name, symbols) in cases {
        let puzzles = run(&[&["generate", "-n", "3", "-s", "4"], making].concat(), "").0;
        let reports: Vec<String> =
            ["json", "md", "html", "txt"].map(|ending| folder.word(&format!("run.{ending}"))).into();
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
        let compared = folder.word("compare.html");
        let words = ["compare", "-q", "--runs", "1", "-e", "all", "--report", &compared];
        let (out, error, code) = run(&[&words[..], reading].concat(), &puzzles);
        assert!(code == 0 && out.contains("grid") && out.contains(name), "{out}{error}");
        assert!(out.contains("dlx") && !out.contains("bitboard"), "{out}");
        assert!(read(&compared).contains(name));
    }
}

/// `galop engines` says which engines solve all kinds. An engine solves 9x9 sudokus only, or all kinds, or all kinds
/// with at most 15 symbols, or those without pairs, or of these the ones with at most nine symbols.
#[test]
fn engines_are_for_one_grid_or_for_all_kinds() {
    let (out, _, _) = run(&["engines"], "");
    let names = |heading: &str| {
        let names = out.split(heading).nth(1).unwrap().split([';', '\n']).next().unwrap();
        names.split(", ").map(str::to_owned).collect::<Vec<_>>()
    };
    let all = names("all others: ");
    let most = names("; with at most 15 symbols also: ");
    let units = names("without pairs of cells or symbols also: ");
    let small = names("; with at most nine symbols also: ");
    for rules in kinds_and_sizes(25).filter(|rules| rules.grid() != Rules::default().grid()) {
        for entry in galop_published::all() {
            let accepts = (entry.make)(&rules, Isa::best()).is_ok();
            let is_in = |names: &[String]| names.iter().any(|name| name == entry.name);
            let (symbols, has_only_units) = (rules.grid().symbols(), rules.grid().has_only_units());
            let expected = is_in(&all)
                || symbols <= 15 && is_in(&most)
                || has_only_units && (is_in(&units) || symbols <= 9 && is_in(&small));
            assert_eq!(accepts, expected, "{} {}", entry.name, rules.name());
        }
    }
    assert!(KINDS.iter().all(|kind| out.contains(kind.about)), "{out}");
}

#[test]
fn the_kind_is_doubted_if_no_puzzle_has_a_solution() {
    let folder =
        Folder::with(&[("p.txt", &puzzles(20)), ("few.txt", &puzzles(9)), ("mixed.txt", &puzzles(20))]);
    let doubt = "galop: warning: none of 20 puzzles has a solution as `diagonal`";
    folder
        .run(&["solve", "-q", "--kind", "diagonal", "p.txt"])
        .ends(0, &[&format!("{doubt}; as `sudoku`, the first 20 have one: --kind sudoku\n")]);
    // What came through a pipe cannot be read again.
    let piped = folder.run_on(puzzles(20), &["solve", "-q", "--kind", "diagonal"]);
    piped.ends(0, &[&format!("{doubt}; is this --kind the right one?\n")]);
    // Some of them have none as any kind.
    let some = puzzles(15) + &format!("{}\n", contradictory()).repeat(5);
    folder.write("mixed.txt", some);
    folder
        .run(&["solve", "-q", "--kind", "diagonal", "mixed.txt"])
        .ends(0, &[&format!("{doubt}; as `sudoku`, 15 of the first 20 have one: --kind sudoku\n")]);
    // Nearly every broken sudoku is a Latin square with several solutions, which proves nothing.
    folder.write("broken.txt", format!("{}\n", contradictory()).repeat(20));
    assert_eq!(folder.run(&["solve", "-q", "broken.txt"]).ends(0, &[]).err, "");
    // Few puzzles may have no solution.
    assert_eq!(folder.run(&["solve", "-q", "--kind", "diagonal", "few.txt"]).ends(0, &[]).err, "");
    assert_eq!(folder.run(&["solve", "-q", "p.txt"]).ends(0, &[]).err, "");
}

#[test]
fn another_alphabet_is_named_before_another_kind() {
    // As 1-9A-G, every 0 is a blank.
    let from_zero = |text: &str| -> String {
        let (from, to) = ("123456789ABCDEFG", "0123456789ABCDEF");
        text.chars().map(|c| from.find(c).map_or(c, |at| char::from(to.as_bytes()[at]))).collect()
    };
    let puzzles: Vec<&str> = include_str!("../../../../data/16x16_20.txt").lines().take(3).collect();
    let folder = Folder::with(&[("hex.txt", &from_zero(&(puzzles.join("\n") + "\n")))]);
    folder.run(&["solve", "-qu", "--alphabet", "1-9A-G", "hex.txt"]).ends(
        0,
        &["galop: warning: 3 of 3 puzzles have no solution or several; in the alphabet 0-9A-F, 3 of the first 3 have one: \
           --alphabet 0-9A-F\n"],
    );
    assert_eq!(folder.run(&["solve", "-qu", "--alphabet", "0-9A-F", "hex.txt"]).ends(0, &[]).err, "");
    // `G` is no symbol of the other alphabet.
    folder.write("both.txt", from_zero(puzzles[0]) + "\n" + puzzles[1] + "\n" + &from_zero(puzzles[2]));
    let run = folder.run(&["solve", "-qu", "--alphabet", "1-9A-G", "both.txt"]).ends(0, &[]);
    assert_eq!(run.err, "");
}

#[test]
fn a_map_has_a_file_of_its_own_and_may_have_commas() {
    let map = include_str!("../../../../data/jigsaw.map");
    let puzzle = include_str!("../../../../data/jigsaw_20.txt").lines().next().unwrap();
    let commas =
        map.lines().map(|row| row.replace("", ",").trim_matches(',').to_owned() + "\n").collect::<String>();
    let both = format!("{puzzle}\n{}\n", map.replace('\n', ""));
    let folder = Folder::with(&[("plain.map", map), ("commas.map", &commas), ("both.txt", &both)]);
    let solved = folder.run(&["solve", "-q", "--regions", "plain.map", puzzle]).ends(0, &[]);
    assert_eq!(folder.run(&["solve", "-q", "--regions", "commas.map", puzzle]).ends(0, &[]).out, solved.out);
    folder.run(&["solve", "both.txt"]).ends(
        2,
        &["both.txt:1: is a jigsaw with its map beside the clues; write the clues on one line and the map of its regions into \
           a file of its own; then: galop solve --regions MAP CLUES\n"],
    );
}

/// The miracle sudoku: two clues.
pub(crate) const MIRACLE: &str =
    "......................................1............2.............................";

#[test]
fn several_kinds_have_a_plus_between_them() {
    let kinds = "non-consecutive+anti-king+anti-knight";
    let (out, error, code) = run(&["solve", "-q", "--kind", kinds], &format!("{MIRACLE}\n"));
    assert_eq!(code, 0, "{error}");
    assert!(out.starts_with(&format!("{MIRACLE},483726159726159483159483726")), "{out}");
    assert_eq!(run(&["verify", "-u", "--kind", kinds], &out).2, 0);
    let (out, error, code) = run(&["explain", "--kind", kinds, "-"], &format!("{MIRACLE}\n"));
    assert!(code == 0 && out.contains("common peers: "), "{out}{error}");
    let (faults, error, code) = run(&["verify", "--kind", kinds], &MIRACLE.replace('2', "1"));
    assert!(code == 1 && faults.contains("none: the puzzle has no solution"), "{faults}{error}");
    for (kinds, message) in [
        ("anti-night", "'anti-night'"),
        ("anti-knight+", "a value is required"),
        ("latin+jigsaw", "`latin` cannot have jigsaw"),
        ("diagonal+diagonal", "`diagonal` is named twice"),
    ] {
        let (out, error, code) = run(&["solve", "--kind", kinds], "");
        assert!(out.is_empty() && code == 2 && error.contains(message), "{kinds}: {error}");
    }
}

#[test]
fn new_kinds_are_generated_solved_and_verified() {
    let folder = Folder::with(&[
        ("dots.map", DOTS),
        ("asterisk.map", ASTERISK),
        ("jigsaw.map", include_str!("../../../../data/jigsaw.map")),
    ]);
    let (dots, asterisk, jigsaw) =
        (&*folder.word("dots.map"), &*folder.word("asterisk.map"), &*folder.word("jigsaw.map"));
    let cases: [(&[&str], &[&str], &str); 9] = [
        (&["--kind", "anti-knight"], &[], "anti-knight"),
        (&["--kind", "anti-king"], &["--side", "6"], "anti-king 6x6"),
        (&["--kind", "non-consecutive"], &[], "non-consecutive"),
        (&["--kind", "latin+diagonal"], &["--side", "7"], "latin+diagonal 7x7"),
        (&["--extra", dots, "--extra", asterisk], &[], "sudoku+extra"),
        (&["--kind", "anti-king", "--extra", dots], &[], "anti-king+extra"),
        (&["--blocks", "3x2"], &[], "sudoku 6x6 blocks 3x2"),
        (&["--blocks", "2x7"], &[], "sudoku 14x14"),
        (&["--kind", "diagonal", "--regions", jigsaw], &[], "jigsaw+diagonal"),
    ];
    for (kind, side, name) in cases {
        let (pairs, error, code) =
            run(&[&["generate", "-n", "4", "-s", "3", "--pairs"], kind, side].concat(), "");
        assert_eq!((pairs.lines().count(), code), (4, 0), "{name}: {error}");
        let (faults, error, code) = run(&[&["verify", "-u"], kind].concat(), &pairs);
        assert_eq!((&*faults, code), ("", 0), "{name}: {error}");
        for engine in ["dlx", "grid"] {
            let (solved, _, code) = run(&[&["solve", "-q", "--engine", engine], kind].concat(), &pairs);
            assert_eq!((&*solved, code), (&*pairs, 0), "{name}");
        }
        let puzzle = pairs.split(',').next().unwrap();
        let (out, error, code) = run(&[&["explain"], kind, &[puzzle]].concat(), "");
        assert!(code == 0 && !out.is_empty(), "{name}: {error}");
        let (problem, _, code) = run(&[&["make", "sudoku"], kind, &[puzzle]].concat(), "");
        assert!(code == 0 && problem.contains(&format!("rules {name}\n")), "{problem}");
        assert_eq!(run(&["cover", "-q", "-"], &problem).0.trim(), "1", "{name}");
    }
}

/// The centre of each block.
const DOTS: &str =
    "......... .a..a..a. ......... ......... .a..a..a. ......... ......... .a..a..a. .........";

const ASTERISK: &str =
    "......... ....a.... ..a...a.. ......... .a..a..a. ......... ..a...a.. ....a.... .........";

#[test]
fn maps_of_extra_regions_and_blocks_are_checked() {
    let folder = Folder::with(&[("wrong.map", &DOTS.replacen(".a", "..", 1)), ("dots.map", DOTS)]);
    let (wrong, dots) = (&*folder.word("wrong.map"), &*folder.word("dots.map"));
    for (words, message) in [
        (&["--extra", wrong][..], "region `a` has 8 cells (each has 9, as many as a row)"),
        (&["--extra", "missing.map"], "missing.map: cannot read the map of regions"),
        (&["--blocks", "9"], "`9` is not a block: RxC, such as 3x2"),
        (&["--blocks", "1x9"], "blocks of 1x9"),
        (&["--blocks", "6x6"], "blocks of 6x6"),
        (&["--blocks", "3x2", "--kind", "latin"], "`latin` cannot have blocks"),
        (&["--blocks", "3x2", "--extra", dots], "`sudoku+extra` has no size"),
    ] {
        let (out, error, code) = run(&[&["solve"], words].concat(), "");
        assert!(out.is_empty() && code == 2 && error.contains(message), "{words:?}: {error}");
    }
}
