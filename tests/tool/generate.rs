//! `galop generate`. Other kinds and sizes are in kinds.rs.

use crate::common::program::Folder;

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

/// Several machines can make parts of one run.
#[test]
fn a_run_is_made_in_parts() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        folder.run(&[&["generate", "--minimal", "-s", "3"], words].concat()).ends(0, &[]).out
    };
    let parts = [["-n", "13", "--from", "0"], ["-n", "40", "--from", "13"], ["-n", "7", "--from", "53"]];
    assert_eq!(parts.map(|words| make(&words)).concat(), make(&["-n", "60"]));
}

#[test]
fn minimal_puzzles_have_the_clues_that_are_asked_for() {
    let folder = Folder::new();
    let words = ["generate", "-n", "60", "-s", "3", "--minimal", "--clues", "22..23", "-f", "csv"];
    let csv = folder.run(&words).ends(0, &[]).out;
    let ends = |row: &&str| row.ends_with(",22") || row.ends_with(",23");
    assert_eq!(csv.lines().filter(ends).count(), 60);
}

#[test]
fn clues_are_placed_symmetrically() {
    let folder = Folder::new();
    let make = |words: &[&str]| {
        let words = [&["generate", "-n", "40", "-s", "3", "--pairs", "--symmetric"], words].concat();
        folder.run(&words).ends(0, &[]).out
    };
    let clues = |pair: &str| pair[..81].bytes().map(|byte| byte != b'.').collect::<Vec<_>>();
    for words in [&["rotate180", "--minimal"][..], &["rotate180"], &["rotate90", "--clues", "30..36"]] {
        let pairs = make(words);
        assert!(pairs.lines().map(clues).all(|clues| clues.iter().eq(clues.iter().rev())));
        assert_eq!(make(&[words, &["-j", "1"]].concat()), pairs);
        folder.run_on(pairs, &["verify", "--unique"]).ends(0, &["40 right, 0 faulty"]);
    }
    let mirrored = make(&["mirror-h"]);
    assert_eq!(mirrored, make(&["mirror"]));
    for clues in mirrored.lines().map(clues) {
        assert!(clues.chunks(9).all(|row| row.iter().eq(row.iter().rev())));
    }
    let words = ["generate", "-n", "1", "-s", "3", "--symmetric", "rotate90", "--clues", "30..31"];
    folder
        .run(&words)
        .ends(2, &["clues 30..31: no such number of clues is symmetric by rotate90", "--symmetric"]);
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
    assert_eq!(make(&["--pattern", "line.txt", "-j", "1"]).out, pairs);
    folder.run_on(pairs, &["verify", "--unique"]).ends(0, &["5 right, 0 faulty"]);
    make(&["--pattern", "short.txt"])
        .ends(2, &["the pattern has 72 characters, where the grid has 81 cells"]);
    make(&["--pattern", "no.txt"]).ends(2, &["no.txt: cannot read the pattern of clues"]);
    make(&["--pattern", "rows.txt", "--minimal"]).ends(2, &["cannot be used with"]);
    make(&["--pattern", "rows.txt", "-o", "rows.txt"]).ends(2, &["rows.txt"]);
}

#[test]
fn puzzles_may_have_no_solution_or_several() {
    let folder = Folder::new();
    for (status, ending) in [("none", " was "), ("multiple", " removed")] {
        let make = |words: &[&str]| {
            let all = [&["generate", "-n", "40", "-s", "3", "--minimal", "--status", status], words].concat();
            folder.run(&all).ends(0, &[]).out
        };
        let pairs = make(&["--pairs"]);
        assert!(pairs.lines().all(|pair| pair[82..] == *status));
        let solved = folder.run_on(make(&[]), &["solve", "--unique", "-q"]).out;
        assert_eq!(solved, pairs);
        let csv = make(&["-f", "csv"]);
        assert_eq!(csv.lines().next(), Some("puzzle,solution,clues,change"));
        for (row, pair) in csv.lines().skip(1).zip(pairs.lines()) {
            let fields: Vec<&str> = row.split(',').collect();
            assert_eq!((fields[0], fields[1], fields.len()), (&pair[..81], "", 4));
            assert!(fields[3].starts_with('r') && fields[3].contains(ending), "{row}");
        }
        assert_eq!(make(&["-f", "csv", "-j", "1"]), csv);
        make(&["-o", "a.npz"]);
        let json = make(&["-f", "json"]);
        let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
        assert!(first["change"].as_str().unwrap().contains(ending));
        assert!(first.get("solution").is_none_or(serde_json::Value::is_null));
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
    let json = make(&["-f", "json"]).out;
    let first: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(
        (&first["puzzle"], first["clues"].as_u64()),
        (&pairs[..81].into(), csv.lines().nth(1).map(|row| row[164..].parse().unwrap()))
    );
    // By the ending, and read back.
    make(&["-o", "a.csv.gz"]).ends(0, &["made 50 puzzles in ", " a second"]);
    make(&["-q", "-o", "a.npz"]);
    for name in ["a.csv.gz", "a.npz"] {
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
