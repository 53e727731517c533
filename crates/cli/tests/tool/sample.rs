//! `galop sample`: records drawn at random.

use std::collections::BTreeMap;

use crate::program::Folder;
use crate::puzzles;
use galop_testing::puzzles::{PUZZLE, SOLUTION};

/// Different puzzles, each with a note, and a few lines that are no puzzles.
fn lines(count: usize) -> String {
    let few = puzzles(40);
    let few: Vec<&str> = few.lines().collect();
    (0..count)
        .map(|at| match at % 100 {
            17 => format!("{} {at}\n# comment\n", few[at % 40]),
            18 => "bad\n".to_owned(),
            _ => format!("{},{SOLUTION}\n", few[at % 40]),
        })
        .collect()
}

/// `part` in the order of `all`, each line as it is there. The places where the lines are.
fn places(all: &str, part: &str) -> Vec<usize> {
    let mut lines = all.lines().enumerate();
    part.lines().map(|line| lines.find(|(_, other)| *other == line).unwrap().0).collect()
}

#[test]
fn the_share_and_the_number_hold_in_the_order_of_the_input() {
    let text = lines(20_000);
    let folder = Folder::with(&[("a.txt", &text)]);
    let sample = |words: &[&str]| {
        let words = [&["sample", "-q", "--allow-malformed", "a.txt", "-f", "csv"], words].concat();
        folder.run(&words).ends(0, &[]).out
    };
    let all = sample(&["--share", "1", "-s", "1"]);
    assert_eq!(all, folder.run(&["convert", "-q", "a.txt", "-f", "csv"]).out.replace("bad,malformed\n", ""));
    assert_eq!(sample(&["--share", "0", "-s", "1"]).lines().count(), 1);
    for (words, expected) in [(&["--share", "10%"], 1_800..2_160), (&["-n", "1234"], 1_235..1_236)] {
        let one = sample(&[&words[..], &["-s", "1", "-j", "1"]].concat());
        assert!(expected.contains(&one.lines().count()), "{}", one.lines().count());
        places(&all, &one);
        for threads in ["2", "5"] {
            assert!(sample(&[&words[..], &["-s", "1", "-j", threads]].concat()) == one);
        }
        assert!(sample(&[&words[..], &["-s", "2"]].concat()) != one);
        // A pipe gives the same, also where it is read twice.
        let words = [&["sample", "-q", "--allow-malformed", "-f", "csv", "-s", "1"], &words[..]].concat();
        assert!(folder.run_on(&*text, &words).ends(0, &[]).out == one);
    }
}

/// Of 6 records 2: all 15 choices come about equally often.
#[test]
fn all_choices_are_equally_likely() {
    let text: String = (1..=6).map(|clue| format!("{clue}{}\n", ".".repeat(80))).collect();
    let folder = Folder::with(&[("a.txt", &text)]);
    let mut counts = BTreeMap::new();
    for seed in 0..300 {
        let seed = seed.to_string();
        let out = folder.run(&["sample", "-q", "a.txt", "-n", "2", "-s", &seed, "-j", "1"]).ends(0, &[]).out;
        *counts.entry(out.lines().map(|line| &line[..1]).collect::<String>()).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 15, "{counts:?}");
    // 20 each, with a standard deviation of 4.3.
    assert!(counts.values().all(|count| (4..=36).contains(count)), "{counts:?}");
}

#[test]
fn tables_keep_their_columns_and_the_report_names_the_seed() {
    let rows: String = (0..50).map(|at| format!("{at},{PUZZLE},\"a, b\"\n")).collect();
    let folder = Folder::with(&[("a.csv", &format!("id,puzzle,note\n{rows}bad,row,3\n"))]);
    let words = ["sample", "a.csv", "-n", "7", "-o", "b.csv", "--seed", "3", "--report", "r.json"];
    folder.run(&words).ends(1, &["51 records in ", ": 7 records drawn", "1 malformed record"]);
    let drawn = folder.read("b.csv");
    assert!(drawn.starts_with("id,puzzle,note\n") && drawn.lines().count() == 8);
    assert!(drawn.lines().skip(1).all(|line| rows.contains(line)), "{drawn}");
    let report = folder.json("r.json");
    assert_eq!(report["figures"], serde_json::json!({"drawn": 7, "seed": 3}));
    assert_eq!(report["records"], 51);
    let more = ["sample", "a.csv", "-n", "60", "--allow-malformed"];
    let run = folder.run(&more).ends(0, &[": 50 records drawn, 10 fewer than requested, --seed "]);
    assert_eq!(run.out.lines().count(), 50);
    folder.run(&["sample", "a.csv"]).fails("--share");
    folder.run(&["sample", "a.csv", "-n", "1", "--share", "1"]).fails("cannot be used with");
    folder.run(&["sample", "a.csv", "--share", "2"]).fails("`2` is not a share");
}
