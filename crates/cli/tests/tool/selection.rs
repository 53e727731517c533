//! `--only` and `--guesses`: only some of the records are written.

use crate::program::{Folder, run_on};

/// Of 4x4: one solution, none, several, malformed, one.
const SMALL: &str =
    "12..34....1....2\n11..............\n# comment\n1...............\nrubbish\n124334212314413.\n";

/// The first field of each line.
fn firsts(out: &str) -> Vec<&str> {
    out.lines().filter_map(|line| line.split(',').next()).collect()
}

#[test]
fn only_the_chosen_records_are_written() {
    let folder = Folder::with(&[("s.txt", SMALL)]);
    let lines: Vec<&str> = SMALL.lines().collect();
    for (only, expected) in [
        ("none", &[1][..]),
        ("malformed,none", &[1, 4]),
        ("solved", &[0, 5]),
        ("unique", &[0, 5]),
        ("multiple", &[3]),
    ] {
        let run = folder.run(&["solve", "s.txt", "--unique", "--only", only]);
        // The exit code and the counts are those of all records.
        let run = run.ends(1, &["1 malformed record", "2 with one solution", "1 with several solutions"]);
        let expected: Vec<&str> = expected.iter().map(|at| lines[*at]).collect();
        assert_eq!(firsts(&run.out), expected, "{only}");
        let words = format!("wrote {} of 5 records: {}", expected.len(), only.replace(',', " or "));
        assert!(run.err.contains(&words), "{}", run.err);
    }
    let one =
        folder.run(&["solve", "s.txt", "--limit", "1", "--only", "none", "--allow-malformed"]).ends(0, &[]);
    assert_eq!(one.out, format!("{},none\n", lines[1]));
    let solution = folder.run(&["solve", "s.txt", "--only", "none,malformed", "-f", "solution"]).ends(1, &[]);
    assert_eq!(solution.out, "none\nmalformed\n");
    // Without any record that is written the output is empty, or a header.
    for (format, lines) in [("pair", 0), ("csv", 1), ("json", 0), ("grid", 0)] {
        let none =
            folder.run(&["solve", "s.txt", "--only", "stuck", "-f", format]).ends(1, &["wrote 0 of 5"]);
        assert_eq!(none.out.lines().count(), lines);
    }
}

#[test]
fn lines_are_kept_as_a_column() {
    let folder = Folder::with(&[("s.txt", SMALL)]);
    let words = ["solve", "s.txt", "--only", "none,malformed", "--no-times", "-f"];
    let csv = folder.run(&[&words[..], &["csv"]].concat()).ends(1, &[]).out;
    let expected = "puzzle,solution,status,count,guesses,nanos,line\n\
                    11..............,,none,0,0,,2\n\"rubbish\",,malformed,0,0,,5\n";
    assert_eq!(csv, expected);
    let json = folder.run(&[&words[..], &["json"]].concat()).ends(1, &[]).out;
    let lines: Vec<serde_json::Value> =
        json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.iter().map(|line| line["line"].as_u64()).collect::<Vec<_>>(), [Some(2), Some(5)]);
    let chosen = folder.run(&[&words[..], &["csv", "--columns", "status"]].concat()).ends(1, &[]).out;
    assert_eq!(chosen, "status\nnone\nmalformed\n");
}

#[test]
fn records_are_chosen_by_their_guesses() {
    let puzzles = crate::puzzles(300) + "rubbish\n";
    let folder = Folder::with(&[("p.txt", &puzzles)]);
    let words = ["solve", "p.txt", "-e", "backtrack", "-f", "csv", "--columns", "guesses,line"];
    let all = folder.run(&words).ends(1, &[]).out;
    let guesses = |row: &str| row.split(',').next().unwrap().parse::<u64>().unwrap();
    let rows: Vec<&str> = all.lines().skip(1).filter(|row| *row != "0,301").collect();
    let mut sorted: Vec<u64> = rows.iter().map(|row| guesses(row)).collect();
    sorted.sort_unstable();
    let few: Vec<&str> = rows.into_iter().filter(|row| guesses(row) <= sorted[100]).collect();
    let range = format!("..{}", sorted[100]);
    let run = folder.run(&[&words[..], &["--guesses", &range]].concat()).ends(1, &[" of 301 records: "]);
    assert_eq!(run.out.lines().skip(1).collect::<Vec<_>>(), few);
    let both = folder.run(&[&words[..], &["--guesses", "0..", "--only", "malformed,none"]].concat());
    assert_eq!(
        both.ends(1, &["wrote 0 of 301 records: malformed or none, any number of guesses"])
            .out
            .lines()
            .count(),
        1
    );
}

#[test]
fn a_report_says_the_selection() {
    let folder = Folder::with(&[("s.txt", SMALL)]);
    let reports = ["--report", "r.json", "--report", "r.md", "--report", "r.html", "--report", "r.txt"];
    let words = ["solve", "s.txt", "-u", "--only", "none,limit", "--guesses", "..9", "-o", "out.txt"];
    folder.run(&[&words[..], &reports].concat()).ends(1, &[]);
    let report = folder.json("r.json");
    let expected = serde_json::json!({"only": ["none", "limit"], "guesses": [0, 9], "written": 1});
    assert_eq!((&report["selection"], &report["counts"]["records"]), (&expected, &5.into()));
    for name in ["r.md", "r.html", "r.txt"] {
        assert!(folder.read(name).contains("wrote 1 of 5 records: none or limit, 0 to 9 guesses"), "{name}");
    }
    folder.run(&["solve", "s.txt", "--report", "plain.json", "-q"]).ends(1, &[]);
    assert!(folder.json("plain.json").get("selection").is_none());
}

#[test]
fn wrong_choices_are_usage_errors() {
    for (words, message) in [
        (["--only", "wrong"], "invalid value 'wrong'"),
        (["--only", "unique"], "--only unique needs a search for two solutions or more: add --unique"),
        (["--only", "none,multiple"], "--only multiple needs a search"),
        (["--guesses", "5..3"], "the range ends at 3, before it begins at 5"),
        (["--guesses", "few"], "`few` is not a whole number; expected A..B"),
    ] {
        run_on("", &[&["solve"][..], &words].concat()).ends(2, &[message]);
    }
}
