//! `galop rate`: levels, scores and guesses.

use std::collections::BTreeMap;

use galop_corpora::generate::{Recipe, Wish};
use galop_corpora::symmetry::Symmetries;
use galop_engines::Rules;
use galop_explain::{Level, TECHNIQUES};

use crate::program::Folder;
use galop_testing::available::large_set;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells, contradictory, digits, generated, open_puzzle};

/// Singles solve it.
const EASY: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

/// One of the hardest known.
const HARD: &str = "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";

/// A mixture of puzzles, with some that have several solutions or none.
fn mixture(count: u64) -> String {
    let (minimal, _) = generated(&Recipe::new(5, Wish::Minimal), count / 2);
    let (others, _) = generated(&Recipe::new(6, Wish::Clues(24..=32)), count / 2);
    let mut text = String::new();
    for (at, (one, other)) in minimal.lines().zip(others.lines()).enumerate() {
        text += &format!("{one}\n{other} ED=7\n");
        match at % 40 {
            0 => text += &format!("{}\n{HARD}\n", open_puzzle()),
            1 => text += &format!("# comment\n{}\n{EASY}\n", contradictory()),
            2 => text += "bad\n",
            _ => {}
        }
    }
    text
}

/// The rows of csv, each by the names of its columns.
fn rows(csv: &str) -> Vec<BTreeMap<String, String>> {
    let mut lines = csv.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    lines
        .map(|line| {
            names.iter().zip(line.split(',')).map(|(&name, field)| (name.into(), field.into())).collect()
        })
        .collect()
}

#[test]
fn guesses_are_counted() {
    let (open, none) = (open_puzzle(), contradictory());
    let text = format!("{EASY}\n{HARD} SE=11\nbad\n{open}\n{none}\n{SOLUTION}\n");
    let folder = Folder::with(&[("a.txt", &text)]);
    let run = folder.run(&["rate", "a.txt", "--by", "guesses"]).ends(
        1,
        &[
            "6 records in ",
            " guesses per puzzle on average, at most ",
            " (engine lanes, galop ",
            "1 without a solution, 1 with several solutions",
            "1 malformed record",
        ],
    );
    let guesses = run.out.lines().nth(2).unwrap().rsplit_once(',').unwrap().1;
    assert!(guesses.parse::<u64>().unwrap() > 10, "{}", run.out);
    let expected =
        format!("puzzle,guesses\n{EASY},0\n{HARD},{guesses}\nbad,\n{open},\n{none},\n{SOLUTION},0\n");
    assert_eq!(run.out, expected);
    let rate = |words: &[&str]| {
        folder.run(&[&["rate", "-q", "a.txt", "--by", "guesses"], words].concat()).ends(1, &[]).out
    };
    let lines = rate(&["-f", "pair"]);
    assert!(lines.starts_with(&format!("{EASY},0\n{HARD},{guesses}\n")), "{lines}");
    let json = rate(&["-f", "json", "--columns", "guesses,guesses"]);
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({"puzzle": EASY, "guesses": 0}));
    rate(&["-o", "a.json"]);
    assert!(folder.read("a.json").starts_with("{\"puzzle\":"));
    folder.run(&["rate", "-q", "a.txt", "--allow-malformed"]).ends(0, &[]);
    folder.run(&["rate", "a.txt", "-o", "a.npy"]).fails("`npy` has no place for ratings");
    folder
        .run(&["rate", "a.txt", "--by", "guesses", "--columns", "mean"])
        .fails("`mean` is only for images of the puzzles: add --symmetries N");
    folder.run(&["rate", "a.txt", "--seed", "1"]).fails("--symmetries");
}

#[test]
fn tables_keep_their_columns() {
    let table = format!("id,Level,quizzes\n7,x,{EASY}\n8,\"a, b\",{}\n", open_puzzle());
    let folder = Folder::with(&[("a.csv", &table), ("p.txt", &format!("{PUZZLE},{SOLUTION}\n{EASY}\n"))]);
    let run = folder.run(&["rate", "a.csv"]).ends(0, &["a.csv: puzzles in `quizzes`"]);
    let expected = format!(
        "id,Level,quizzes,galop_level,score,hardest\n7,x,{EASY},easy,1.5,hidden single\n8,\"a, b\",{},multiple,,\n",
        open_puzzle()
    );
    assert_eq!(run.out, expected);
    let pairs = folder.run(&["rate", "-q", "p.txt", "--columns", "score"]).ends(0, &[]).out;
    assert_eq!(pairs, format!("puzzle,solution,score\n{PUZZLE},{SOLUTION},2.6\n{EASY},,1.5\n"));
}

/// A rating belongs to the puzzle: other puzzles, threads and the place in the file do not matter.
#[test]
fn ratings_depend_on_the_puzzle_alone() {
    let text = mixture(600);
    let folder = Folder::with(&[("a.txt", &text)]);
    let words = ["rate", "-q", "--by", "guesses", "--allow-malformed"];
    let one = folder.run(&[&words[..], &["a.txt", "-j", "1"]].concat()).ends(0, &[]).out;
    let all = rows(&one);
    for (guesses, least) in [("0", 100), ("1", 20), ("2", 10), ("", 10)] {
        assert!(all.iter().filter(|row| row["guesses"] == guesses).count() > least, "{guesses}");
    }
    // One by itself, and some of them.
    for (start, count) in [(100, 1), (333, 7)] {
        let some: String = text.lines().skip(start).take(count).map(|line| format!("{line}\n")).collect();
        let rated = folder.run_on(some, &words).ends(0, &[]).out;
        assert!(rows(&rated).iter().all(|row| all.contains(row)), "{rated}");
    }
}

#[test]
fn random_images_give_a_mean_and_a_spread() {
    let folder = Folder::with(&[("a.txt", &format!("# comment\n{HARD}\n{EASY}\n{}\n", open_puzzle()))]);
    let rate = |words: &[&str]| {
        folder.run(&[&["rate", "-q", "--by", "guesses", "a.txt", "-s", "4"], words].concat()).ends(0, &[]).out
    };
    let rated = rows(&rate(&["--symmetries", "5"]));
    assert_eq!((&*rated[1]["mean"], &*rated[1]["deviation"]), ("0.000", "0.000"));
    assert!(["guesses", "mean", "geometric_mean", "deviation"].iter().all(|name| rated[2][*name].is_empty()));
    // The images are those of `augment` with the same seed: of line 2, numbered from 0.
    let symmetries = Symmetries::new(&Rules::default(), 4).unwrap();
    let images: String = (0..5)
        .map(|number| {
            let mut image = [0; 81];
            symmetries.get(2, number).apply(&cells(HARD), &mut image).unwrap();
            digits(&image) + "\n"
        })
        .collect();
    let guesses: Vec<f64> = rows(&folder.run_on(images, &["rate", "-q", "--by", "guesses"]).ends(0, &[]).out)
        .iter()
        .map(|row| row["guesses"].parse().unwrap())
        .collect();
    let mean = guesses.iter().sum::<f64>() / 5.0;
    let deviation = (guesses.iter().map(|guesses| (guesses - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
    let geometric = (guesses.iter().map(|guesses| (guesses + 1.0).ln()).sum::<f64>() / 5.0).exp() - 1.0;
    let expected = [("mean", mean), ("geometric_mean", geometric), ("deviation", deviation)];
    for (name, expected) in expected {
        assert_eq!(rated[0][name], format!("{expected:.3}"), "{guesses:?}");
    }
    assert!(deviation > 0.0, "{guesses:?}");
    assert_eq!(rows(&rate(&["--symmetries", "1"]))[0]["deviation"], "");
    assert_ne!(
        rate(&["--symmetries", "5"]),
        folder.run(&["rate", "-q", "--by", "guesses", "a.txt", "--symmetries", "5", "-s", "5"]).out
    );
    folder
        .run(&["rate", "a.txt", "--by", "guesses", "--symmetries", "1"])
        .ends(0, &["3 records in ", ", --seed "]);
}

#[test]
fn other_engines_and_other_puzzles_are_rated() {
    let folder = Folder::with(&[
        ("a.txt", &format!("{EASY}\n{PUZZLE}\n{HARD}\n")),
        ("four.txt", "1234341221434321\n1...............\n123.34.22.43.321\n"),
    ]);
    let rate = |words: &[&str]| folder.run(&[&["rate", "--by", "guesses"], words].concat());
    let bitboard = rate(&["a.txt", "-e", "bitboard"]).ends(0, &["(engine bitboard, galop "]).out;
    let lanes = rate(&["-q", "a.txt"]).ends(0, &[]).out;
    assert_ne!(bitboard, lanes);
    let logic = rate(&["-q", "a.txt", "-e", "logic"]).ends(0, &[]).out;
    assert!(logic.starts_with(&format!("puzzle,guesses\n{EASY},0\n")), "{logic}");
    assert!(logic.ends_with(&format!("{HARD},\n")), "{logic}");
    let four = rate(&["four.txt", "--symmetries", "1", "-s", "1"]).ends(0, &["(engine lanes, galop "]).out;
    let rated = rows(&four);
    let guesses: Vec<&str> = rated.iter().map(|row| &*row["guesses"]).collect();
    assert_eq!((guesses, &*rated[0]["mean"]), (vec!["0", "", "0"], "0.000"));
    let latin = folder.run(&["rate", "-q", "a.txt", "--kind", "latin"]).ends(0, &[]).out;
    assert!(rows(&latin).iter().all(|row| row["level"] == "multiple"), "{latin}");
    rate(&["a.txt", "--kind", "latin", "--symmetries", "2"]).fails("are not supported");
    folder
        .run(&["rate", "a.txt", "-e", "bitboard", "--kind", "latin"])
        .fails("a.txt: the engine solves 9x9 sudoku only, not `latin`");
}

#[test]
fn the_report_has_a_histogram() {
    let folder = Folder::with(&[("a.txt", &format!("{EASY}\n{EASY}\n{HARD}\n{}\n", open_puzzle()))]);
    folder
        .run(
            &[
                &["rate", "-q", "--by", "guesses", "a.txt", "-o", "a.csv", "--report", "r.json"][..],
                &["--symmetries", "2", "-s", "7"],
            ]
            .concat(),
        )
        .ends(0, &[]);
    let report = folder.json("r.json");
    let figures = serde_json::json!({
        "solved": 3, "none": 0, "multiple": 1, "undecided": 0, "symmetries": 2, "seed": 7
    });
    assert_eq!((&report["figures"], &report["engine"]), (&figures, &"lanes".into()));
    assert_eq!(
        (&report["guesses"]["count"], &report["guesses"]["histogram"][0]["count"]),
        (&3.into(), &2.into())
    );
    assert_eq!(report["galop"], env!("CARGO_PKG_VERSION"));
    assert_eq!(report["output"]["sha256"].as_str().unwrap().len(), 64);
}

/// Every puzzle of the list of the hardest has a rating, and nearly none is solved without a guess.
#[test]
fn the_hardest_puzzles_take_guesses() {
    let Some(path) = large_set("forum_hardest_1905_11plus.txt") else { return };
    let out = Folder::new().run(&["rate", "-q", "--by", "guesses", path.to_str().unwrap()]).ends(0, &[]).out;
    let rated = rows(&out);
    assert_eq!(rated.len(), 48_766);
    assert!(rated.iter().all(|row| !["", "0"].contains(&&*row["guesses"])));
}

/// Levels, scores and hardest techniques are those of `galop explain` without the techniques that are not rated, for
/// puzzles that the lanes rate and for others.
#[test]
fn techniques_are_rated_as_they_are_explained() {
    let text = mixture(300) + &format!("{SOLUTION}\n{}\n", SOLUTION.replacen('1', ".", 3));
    let folder = Folder::with(&[("a.txt", &text)]);
    for unique in [&[][..], &["--assume-unique"]] {
        let words = ["rate", "-q", "a.txt", "--allow-malformed"];
        let rated = folder.run(&[&words[..], unique].concat()).ends(0, &[]).out;
        assert!(rated.starts_with("puzzle,level,score,hardest\n"), "{rated}");
        let others = TECHNIQUES.iter().filter(|technique| !technique.is_rated);
        let others: Vec<&str> = others.map(|technique| technique.name).collect();
        let words = ["explain", "a.txt", "-f", "json", "--without", &others.join(",")];
        let explained = folder.run(&[&words[..], unique].concat()).ends(1, &[]).out;
        let mut figures = explained
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
            .filter(|object| object["puzzle"].is_string());
        let mut levels: BTreeMap<String, usize> = BTreeMap::new();
        // Every puzzle of a level has a lower score than every one of a higher level.
        let place =
            |row: &BTreeMap<String, String>| Level::ALL.iter().position(|level| level.name() == row["level"]);
        let mut scored: Vec<_> = rows(&rated)
            .iter()
            .filter_map(|row| Some((row["score"].parse::<f64>().ok()?, place(row).unwrap())))
            .collect();
        scored.sort_by(|one, other| one.0.total_cmp(&other.0));
        assert!(scored.len() > 200 && scored.is_sorted_by_key(|&(_, level)| level), "{scored:?}");
        for row in rows(&rated) {
            *levels.entry(row["level"].clone()).or_default() += 1;
            if row["puzzle"] == "bad" {
                assert_eq!(row["level"], "");
                continue;
            }
            let figures = figures.next().unwrap();
            assert_eq!(figures["puzzle"], row["puzzle"]);
            if figures["end"] == "solved" && row["puzzle"] != SOLUTION {
                let score = format!("{:.1}", figures["score"].as_f64().unwrap());
                assert_eq!(
                    (&figures["level"], &figures["hardest"]),
                    (&(*row["level"]).into(), &(*row["hardest"]).into())
                );
                assert_eq!(score, row["score"]);
            } else if row["puzzle"] == SOLUTION {
                assert_eq!((&*row["level"], &*row["score"], &*row["hardest"]), ("easy", "0.0", ""));
            } else {
                assert_eq!(figures["end"], row["level"]);
                assert_eq!((&*row["score"], &*row["hardest"]), ("", ""));
            }
        }
        assert!(figures.next().is_none());
        for (level, least) in [
            ("easy", 100),
            ("medium", 10),
            ("hard", 5),
            ("very hard", 20),
            ("fiendish", 20),
            ("ultra-hard", 5),
            ("none", 3),
            ("multiple", 3),
        ] {
            assert!(levels[level] >= least, "{levels:?}");
        }
    }
}

#[test]
fn ratings_by_techniques_have_their_own_options_and_figures() {
    let folder = Folder::with(&[
        ("a.txt", &format!("{EASY}\n{HARD}\n{}\n{}\n", open_puzzle(), contradictory())),
        ("four.txt", "1234341221434321\n1...............\n123.34.22.43.321\n"),
    ]);
    let rate = |words: &[&str]| folder.run(&[&["rate", "a.txt"], words].concat());
    let run = rate(&["-o", "a.csv", "--report", "r.json"]);
    run.ends(
        0,
        &[
            "4 records in ",
            ": 1 easy, 0 medium, 0 hard, 0 very hard, 0 fiendish, 1 ultra-hard (galop ",
            "1 without a solution, 1 with several solutions",
        ],
    );
    let figures = serde_json::json!({
        "easy": 1, "medium": 0, "hard": 0, "very_hard": 0, "fiendish": 0, "ultra_hard": 1, "none": 1, "multiple": 1,
        "undecided": 0
    });
    assert_eq!(folder.json("r.json")["figures"], figures);
    let json = rate(&["-q", "-f", "json", "--columns", "score,hardest"]).ends(0, &[]).out;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(first, serde_json::json!({"puzzle": EASY, "score": 1.5, "hardest": "hidden single"}));
    rate(&["--columns", "level,guesses"])
        .fails("the column `guesses` is only for ratings by guesses: add --by guesses");
    rate(&["--symmetries", "2"]).fails("--symmetries is only for ratings by guesses: add --by guesses");
    rate(&["--by", "guesses", "--columns", "level"])
        .fails("the column `level` is only for ratings by techniques: add --by techniques");
    rate(&["--by", "guesses", "--assume-unique"])
        .fails("--assume-unique is only for ratings by techniques: add --by techniques");
    // Other kinds and sizes are rated one by one.
    let four = folder.run(&["rate", "-q", "four.txt"]).ends(0, &[]).out;
    let rated = rows(&four);
    let levels: Vec<&str> = rated.iter().map(|row| &*row["level"]).collect();
    assert_eq!((levels, &*rated[2]["hardest"]), (vec!["easy", "multiple", "easy"], "full house"));
    // Any number of threads writes the same bytes.
    folder.write("b.txt", mixture(400));
    let by = |threads: &str| {
        let words = ["rate", "-q", "--allow-malformed", "b.txt", "-j", threads];
        folder.run(&words).ends(0, &[]).out
    };
    assert_eq!(by("1"), by("3"));
}
