//! `galop generate`. Other kinds and sizes are in kinds.rs.

use crate::program::{Folder, send};

#[test]
fn generated_puzzles_are_the_same_everywhere() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "-n", "200", "--seed", "3"], words].concat()).ends(0, &[]).out
    };
    let one = make(&["-j", "1"]);
    assert_eq!(one, make(&["-j", "2"]));
    assert!(one.lines().count() == 200 && one.lines().all(|line| line.len() == 81));
    for line in one.lines() {
        assert!((28..=36).contains(&line.bytes().filter(|&byte| byte != b'.').count()), "the default range");
    }
    make(&["-o", "out.txt"]);
    assert_eq!(folder.read("out.txt"), one);
    assert_ne!(one, folder.run(&["generate", "-n", "200", "--seed", "4"]).out);

    let pairs = make(&["--pairs", "--minimal"]);
    folder.run_on(pairs, &["verify", "--unique"]).ends(0, &["200 right, 0 faulty"]);
    assert_eq!(folder.run(&["generate", "-n", "0", "-s", "1"]).ends(0, &[]).out, "");
    let many = folder.run(&["generate", "-n", "5", "-s", "1", "--clues", "81"]).ends(0, &[]).out;
    assert!(!many.contains('.'));
}

#[test]
fn minimal_puzzles_have_the_clues_that_are_asked_for() {
    let words = ["generate", "-n", "60", "-s", "3", "--minimal", "--clues", "22..23", "-f", "csv"];
    let csv = Folder::new().run(&words).ends(0, &[]).out;
    assert_eq!(csv.lines().filter(|row| row.ends_with(",22") || row.ends_with(",23")).count(), 60);
}

#[test]
fn clues_are_placed_symmetrically() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        let words = [&["generate", "-n", "40", "-s", "3", "--pairs", "--symmetric"], words].concat();
        folder.run(&words).ends(0, &[]).out
    };
    let clues = |pair: &str| pair[..81].bytes().map(|byte| byte != b'.').collect::<Vec<_>>();
    let mirrored = make(&["mirror-h"]);
    assert_eq!(mirrored, make(&["mirror"]));
    for clues in mirrored.lines().map(clues) {
        assert!(clues.chunks(9).all(|row| row.iter().eq(row.iter().rev())));
    }
    let words = ["generate", "-n", "1", "-s", "3", "--symmetric", "rotate90", "--clues", "30..31"];
    folder
        .run(&words)
        .ends(2, &["clues 30..31: no number of clues in this range is symmetric by rotate90", "--symmetric"]);
}

#[test]
fn clues_are_placed_in_a_pattern() {
    let folder = Folder::new();
    let row = ["xx..x..xx", "x.xx.xx.x", "..x.x.x.."];
    let rows: Vec<&str> = row.into_iter().cycle().take(9).collect();
    folder.write("rows.txt", rows.join("\n"));
    folder.write("line.txt", rows.concat().replace('.', "0"));
    folder.write("short.txt", rows[1..].concat());
    let make = |words: &[&str]| folder.run(&[&["generate", "-n", "5", "-s", "3", "--pairs"], words].concat());
    let pairs = make(&["--pattern", "rows.txt"]).ends(0, &[]).out;
    for pair in pairs.lines() {
        assert!(
            pair[..81]
                .bytes()
                .zip(rows.concat().bytes())
                .all(|(one, other)| (one == b'.') == (other == b'.'))
        );
    }
    assert_eq!(make(&["--pattern", "line.txt"]).out, pairs);
    make(&["--pattern", "short.txt"])
        .ends(2, &["the pattern has 72 characters, where the grid has 81 cells"]);
    make(&["--pattern", "no.txt"]).ends(2, &["no.txt: cannot read the pattern of clues"]);
    make(&["--pattern", "rows.txt", "--minimal"]).ends(2, &["cannot be used with"]);
    make(&["--pattern", "rows.txt", "-o", "rows.txt"]).ends(2, &["rows.txt"]);
}

/// (What the changes are is tested beside the code.)
#[test]
fn puzzles_may_have_no_solution_or_several() {
    let folder = Folder::new();
    for (status, ending) in [("none", " was "), ("multiple", " removed")] {
        let make = |words: &[&str]| {
            let all = [&["generate", "-n", "40", "-s", "3", "--minimal", "--status", status], words].concat();
            folder.run(&all).ends(0, &[]).out
        };
        let pairs = make(&["--pairs"]);
        let solved = folder.run_on(make(&[]), &["solve", "--unique", "-q"]).out;
        assert_eq!(solved, pairs);
        assert!(pairs.lines().all(|pair| pair[82..] == *status));
        let csv = make(&["-f", "csv"]);
        assert_eq!(csv.lines().next(), Some("puzzle,solution,clues,change"));
        for (row, pair) in csv.lines().skip(1).zip(pairs.lines()) {
            let fields: Vec<&str> = row.split(',').collect();
            assert_eq!((fields[0], fields[1], fields.len()), (&pair[..81], "", 4));
            assert!(fields[3].starts_with('r') && fields[3].contains(ending), "{row}");
        }
        make(&["-o", "a.npz"]);
        assert!(make(&["-f", "json"]).lines().next().unwrap().contains(ending));
    }
}

#[test]
fn puzzles_are_made_in_every_format() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "-n", "50", "-s", "5", "--clues", "30..32"], words].concat()).ends(0, &[])
    };
    let pairs = make(&["--pairs"]).out;
    let csv = make(&["-f", "csv"]).out;
    let expected = pairs.lines().map(|pair| {
        let clues = pair[..81].bytes().filter(|&byte| byte != b'.').count();
        format!("{pair},{clues}\n")
    });
    assert_eq!(csv, format!("puzzle,solution,clues\n{}", expected.collect::<String>()));
    assert_eq!(folder.run(&["generate", "-n", "0", "-f", "csv"]).ends(0, &[]).out, "puzzle,solution,clues\n");
    // By the ending, and read back.
    make(&["-o", "a.csv.gz"]).ends(0, &["made 50 puzzles in ", " a second"]);
    make(&["-q", "-o", "a.npz"]);
    make(&["-q", "-o", "a.json"]);
    for name in ["a.csv.gz", "a.npz", "a.json"] {
        let read = folder.run(&["convert", "-q", name, "-f", "pair"]).ends(0, &[]).out;
        assert_eq!(read, pairs, "{name}");
    }
    make(&["-o", "a.npy"]);
    let puzzles = folder.run(&["convert", "-q", "a.npy"]).ends(0, &[]).out;
    assert_eq!(puzzles, make(&[]).out);
}

#[test]
fn a_seed_that_is_not_given_is_drawn_and_named() {
    let folder = Folder::new();
    let one = folder.run(&["generate", "-n", "3"]).ends(0, &["made 3 puzzles in ", ", --seed "]);
    let seed = one.err.rsplit("--seed ").next().unwrap().trim();
    assert_eq!(folder.run(&["generate", "-n", "3", "--seed", seed]).ends(0, &[]).out, one.out);
    assert_ne!(folder.run(&["generate", "-n", "3", "-q"]).ends(0, &[]).out, one.out);
}

/// The fields of the rows of a table, without the header.
fn rows(csv: &str) -> Vec<Vec<String>> {
    csv.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
}

/// Guesses and keys are those that `rate` and `canon` find.
#[test]
fn puzzles_have_the_rating_that_is_asked_for() {
    let folder = Folder::new();
    let make = |count: &str, words: &[&str]| {
        let all = [&["generate", "-n", count, "-s", "3", "-f", "csv"], words].concat();
        folder.run(&all).ends(0, &[]).out
    };
    for words in [
        &["--guesses", "0..0"][..],
        &["--guesses", "1..1", "--clues", "22..30"],
        &["--guesses", "2..3"],
        &["--guesses", "0..1", "--minimal", "--symmetric", "rotate180"],
    ] {
        let range = |text: &str| {
            text.split_once("..").map(|(from, to)| [from, to].map(|one| one.parse::<u64>().unwrap()))
        };
        let [from, to] = range(words[1]).unwrap();
        let with = [words, &["--columns", "key,guesses"]].concat();
        let csv = make("40", &with);
        assert_eq!(csv.lines().next(), Some("puzzle,solution,clues,key,guesses"));
        assert_eq!(make("40", &[&with[..], &["-j", "1"]].concat()), csv);
        folder.write("made.csv", &csv);
        let rated = folder.run(&["rate", "-q", "--by", "guesses", "made.csv", "-f", "csv"]).out;
        let keys = folder.run(&["canon", "-q", "--columns", "key", "made.csv", "-f", "csv"]).out;
        for ((row, rated), keyed) in rows(&csv).iter().zip(rows(&rated)).zip(rows(&keys)) {
            assert_eq!(row[4..], rated[5..]);
            assert!(keyed.contains(&row[3]) && (from..=to).contains(&row[4].parse().unwrap()), "{row:?}");
        }
        assert_eq!(rows(&rated).len(), 40);
        assert_eq!(make("1", words).lines().next(), Some("puzzle,solution,clues"));
    }
    let json = folder
        .run(&["generate", "-n", "1", "-s", "3", "-f", "json", "--columns", "guesses,key"])
        .ends(0, &[])
        .out;
    let first: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(first["guesses"].is_u64() && first["key"].as_str().unwrap().len() == 32);
    let words = ["generate", "-n", "1", "-s", "3", "--columns", "key"];
    folder.run(&words).ends(2, &["--format pair has no place for --columns"]);
    folder
        .run(&["generate", "-n", "1", "--level", "hard", "--status", "none"])
        .ends(2, &["cannot be used with"]);
    let words = ["generate", "-n", "1", "-s", "3", "--kind", "diagonal", "-f", "csv", "--columns", "guesses"];
    assert_eq!(rows(&folder.run(&words).ends(0, &[]).out)[0].len(), 4);
}

/// Hard puzzles are minimal, each of a class of its own, and the same in parts of a run.
#[test]
fn puzzles_of_many_guesses_are_found_by_walks() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        let all = ["generate", "-s", "3", "--guesses", "7..", "-f", "csv", "--columns", "guesses"];
        folder.run(&[&all, words].concat()).ends(0, &[]).out
    };
    let csv = make(&["-n", "20"]);
    assert_eq!(rows(&make(&["-n", "7", "--from", "13", "-j", "1"])), rows(&csv)[13..]);
    assert!(rows(&csv).iter().all(|row| row[3].parse::<u64>().unwrap() >= 7));
    folder.write("made.csv", &csv);
    folder.run(&["verify", "--unique", "made.csv"]).ends(0, &["20 right, 0 faulty"]);
    folder.run(&["dedup", "made.csv", "-o", "different.csv"]).ends(0, &["20 classes, 0 repeats"]);
    let mut thinner = String::new();
    for row in rows(&csv) {
        for (cell, _) in row[0].bytes().enumerate().filter(|(_, byte)| *byte != b'.') {
            thinner += &format!("{}.{}\n", &row[0][..cell], &row[0][cell + 1..]);
        }
    }
    let solved = folder.run_on(&*thinner, &["solve", "-q", "--unique"]).out;
    assert!(solved.lines().all(|line| line.ends_with(",multiple")));
    assert_eq!(solved.lines().count(), thinner.lines().count());
}

/// Puzzles that are in a file, in another guise, are replaced.
#[test]
fn puzzles_are_new() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "-n", "60", "-s", "3", "--minimal", "--pairs"], words].concat())
    };
    let old = make(&[]).out;
    folder.write("all.txt", &old);
    folder.run(&["augment", "all.txt", "--times", "1", "--seed", "4", "-o", "images.txt"]).ends(0, &[]);
    let images = folder.read("images.txt");
    let known: String = images.lines().take(30).map(|line| format!("{line}\n")).collect();
    folder.write("known.txt", &known);
    let new = make(&["--new-to", "known.txt"]).ends(0, &[]).out;
    assert_eq!(new, make(&["--new-to", "known.txt", "-j", "1"]).out);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&new)[30..], lines(&old)[30..], "only those that are known are replaced");
    assert!(lines(&new)[..30].iter().all(|line| !old.contains(line.as_str())));
    folder.write("new.txt", &new);
    folder.run(&["leak", "known.txt", "new.txt"]).ends(0, &[]);
    folder.write("faulty.txt", known + "rubbish\n");
    let run = make(&["--new-to", "faulty.txt"]).ends(1, &["1 malformed record in the files of --new-to"]);
    assert_eq!(run.out, new);
    make(&["--new-to", "no.txt"]).ends(2, &["no.txt"]);
    make(&["--new-to", "known.txt", "-o", "known.txt"]).ends(2, &["known.txt"]);
}

/// Only options that a command has are named as a remedy.
#[test]
fn a_remedy_is_one_of_the_command() {
    let folder = Folder::new();
    let puzzles = folder.run(&["generate", "-n", "3", "-s", "1"]).ends(0, &[]).out;
    let rows: String = puzzles.lines().map(|line| format!("{line},{line}\n")).collect();
    folder.write("two.csv", format!("a,b\n{rows}"));
    folder.run(&["solve", "two.csv"]).ends(2, &["two.csv", "; name it: --column NAME|N"]);
    let run = folder.run(&["generate", "-n", "1", "--new-to", "two.csv"]).ends(2, &["two.csv"]);
    assert!(!run.err.contains("--column"), "{}", run.err);
}

/// A rare wish says what was tried, and a signal leaves what was found.
#[cfg(unix)]
#[test]
fn a_rare_wish_says_what_was_tried() {
    use std::io::{BufRead, BufReader, Read};
    let folder = Folder::new();
    // No minimal puzzle of 20 clues or more takes so many guesses.
    let words = ["generate", "-n", "5", "-s", "3", "-j", "1", "--guesses", "100000..", "-o", "out.txt"];
    let mut child = folder.spawn(&words);
    let mut err = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert!(line.starts_with("no new puzzle for ") && line.contains(": 0 of 5 puzzles made; "), "{line}");
    assert!(line.contains(" tried, and none fits the options: they have 0 to "), "{line}");
    send(&child, "-INT");
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(
        rest.contains("stopped before the end; the output is not complete: it has 0 of 5 puzzles"),
        "{rest}"
    );
    assert_eq!(folder.read("out.txt"), "");
}

/// The puzzles are those of `--minimal`. What the weights are worth is tested beside the code.
#[test]
fn unbiased_samples_have_weights() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "-n", "50", "-s", "3", "-f", "csv"], words].concat()).ends(0, &[]).out
    };
    let (weighted, minimal) = (make(&["--unbiased"]), make(&["--minimal"]));
    assert_eq!(weighted.lines().next(), Some("puzzle,solution,clues,weight"));
    for (weighted, minimal) in rows(&weighted).iter().zip(rows(&minimal)) {
        assert_eq!(weighted[..3], minimal);
        assert!((1e8..1e24).contains(&weighted[3].parse::<f64>().unwrap()), "{weighted:?}");
    }
    assert_eq!(make(&["--unbiased", "-j", "1"]), weighted);
    folder.run(&["generate", "-n", "1", "--unbiased"]).ends(2, &["has no place for --columns"]);
    let words = ["generate", "-n", "1", "--unbiased", "--side", "4", "-f", "csv"];
    folder.run(&words).ends(2, &["only minimal 9x9 sudokus made from the top down have weights"]);
}

/// Puzzles have numbers up to 2^64 - 2. A run beyond them is refused before anything is written.
#[test]
fn a_run_beyond_the_last_number_is_refused() {
    let folder = Folder::new();
    let from = (u64::MAX - 1).to_string();
    let words = ["generate", "-s", "1", "--clues", "81", "-o", "g.txt", "--from", &from, "-n"];
    let message = "2 puzzles from number 18446744073709551614 on: the last number is 18446744073709551614";
    folder.run(&[&words[..], &["2"]].concat()).ends(2, &[message, "choose a smaller --from or --count"]);
    assert_eq!(folder.names(), [""; 0]);
    folder.run(&[&words[..], &["1"]].concat()).ends(0, &[]);
    assert_eq!(folder.read("g.txt").len(), 82);
}

/// `galop rate` gives each puzzle the level that was asked for.
#[test]
fn puzzles_have_the_level_that_is_asked_for() {
    let folder = Folder::new();
    for level in ["easy", "medium", "hard", "very-hard", "fiendish", "ultra-hard"] {
        let words = ["generate", "-n", "3", "--seed", "5", "--level", level];
        let puzzles = folder.run(&words).ends(0, &[]).out;
        assert_eq!(folder.run(&[&words[..], &["-j", "1"]].concat()).out, puzzles, "{level}");
        let rated = folder.run_on(puzzles, &["rate"]).ends(0, &[]).out;
        let name = level.replace("very-", "very ");
        assert_eq!(rated.matches(&format!(",{name},")).count(), 3, "{level}: {rated}");
    }
}
