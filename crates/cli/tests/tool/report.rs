//! Reports of a run, for programs and for people.

use serde_json::Value;

use crate::program::Folder;
use crate::puzzles;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

#[test]
fn a_json_report_adds_up() {
    let text = format!("# generated\n{}wrong\n{}\n", puzzles(300), contradictory());
    let folder = Folder::with(&[("in.txt", &text)]);
    let words = ["solve", "in.txt", "--report", "r.json", "-j", "2", "-o", "out.txt"];
    folder.run(&words).ends(1, &[]);
    let report: Value = folder.json("r.json");
    let number =
        |path: &str| report.pointer(path).and_then(Value::as_u64).unwrap_or_else(|| panic!("{path}"));

    assert!(galop_published::named(report["engine"].as_str().unwrap()).is_some());
    assert_eq!(report["galop"], env!("CARGO_PKG_VERSION"));
    let counts = ["records", "puzzles", "solved", "none", "multiple", "limit", "malformed"];
    let counts = counts.map(|name| number(&format!("/counts/{name}")));
    assert_eq!(counts, [302, 301, 300, 1, 0, 0, 1]);
    assert_eq!((number("/options/threads"), number("/options/solutions")), (2, 1));
    let input = &report["inputs"][0];
    assert_eq!((&input["name"], &input["shape"]), (&"in.txt".into(), &"lines".into()));
    assert_eq!(number("/inputs/0/bytes"), text.len() as u64);
    assert_eq!((number("/inputs/0/lines"), number("/inputs/0/records")), (303, 302));
    assert!(report["elapsed_seconds"].as_f64().unwrap() > 0.0);
    assert!(report["puzzles_per_second"].as_f64().unwrap() > 0.0);

    for name in ["nanos", "guesses"] {
        let figure = |field: &str| number(&format!("/{name}/{field}"));
        assert_eq!(figure("count"), 301);
        let buckets = report[name]["histogram"].as_array().unwrap();
        let field = |bucket: &Value, field: &str| bucket[field].as_u64().unwrap();
        assert_eq!(buckets.iter().map(|bucket| field(bucket, "count")).sum::<u64>(), 301);
        let between = |end: &str| buckets.iter().map(|b| field(b, "count") * field(b, end)).sum::<u64>();
        assert!((between("from")..=between("to")).contains(&figure("sum")));
        assert!(buckets.iter().all(|bucket| field(bucket, "from") <= field(bucket, "to")));
        assert!(buckets.windows(2).all(|two| field(&two[0], "to") < field(&two[1], "from")));
        let steps = ["min", "p50", "p90", "p99", "p99_9", "max"].map(figure);
        assert!(steps.is_sorted(), "{steps:?}");
        let mean = report[name]["mean"].as_f64().unwrap();
        assert!((mean - figure("sum") as f64 / 301.0).abs() < 1e-6);
    }
    let slowest = report["slowest"].as_array().unwrap();
    assert_eq!(slowest.len(), 4);
    assert!(slowest.is_sorted_by(|one, next| one["nanos"].as_u64() >= next["nanos"].as_u64()));
    // They are measured again, alone; the distribution is that of the run.
    assert!(slowest.iter().all(|slow| slow["nanos"].as_u64() > Some(0)));
    let most = report["most_guesses"].as_array().unwrap();
    assert_eq!((most.len(), &most[0]["guesses"]), (4, &report["guesses"]["max"]));
    assert!(most.is_sorted_by(|one, next| one["guesses"].as_u64() >= next["guesses"].as_u64()));
    for slow in slowest.iter().chain(most) {
        let line = text.lines().nth(slow["line"].as_u64().unwrap() as usize - 1);
        assert_eq!(slow["puzzle"].as_str(), line);
    }
    assert!(report["malformed"][0].as_str().unwrap().starts_with("in.txt:302:1: "));
}

#[test]
fn reports_without_times_or_limits_say_so() {
    let folder = Folder::with(&[("in.txt", PUZZLE)]);
    folder.run(&["solve", "in.txt", "--no-times", "--limit", "0", "--report", "R.JSON"]).ends(0, &[]);
    let report: Value = folder.json("R.JSON");
    assert_eq!((&report["nanos"], &report["options"]["solutions"]), (&Value::Null, &Value::Null));
    assert_eq!(report["slowest"][0]["nanos"], Value::Null);
}

/// A report without the parts that differ between runs.
fn steady(report: &str) -> String {
    let steady = |line: &str| match line {
        line if line.starts_with("| elapsed |") => "| elapsed | [time] |".to_owned(),
        line if line.starts_with("| puzzles a second |") => "| puzzles a second | [rate] |".to_owned(),
        line if line.starts_with("| version |") => "| version | [version] |".to_owned(),
        line if line.starts_with("| machine |") => "| machine | [machine] |".to_owned(),
        line if line.starts_with("| command |") => "| command | [command] |".to_owned(),
        line => match (line.split_once(" in "), line.split_once(" a second")) {
            (Some((before, _)), Some((_, after))) => format!("{before} in [time]: [rate] a second{after}"),
            _ => line.to_owned(),
        },
    };
    report.lines().map(|line| steady(line) + "\n").collect()
}

#[test]
fn reports_for_people() {
    let easy = "9.5..147..4..9.....2...7....817..3.94..9.3..13..1.658.......6..5.2..9..7..7...8.5";
    let text = format!("{easy}\n{}\n{SOLUTION}\nwrong | line\n{}\n", contradictory(), open_puzzle());
    let folder = Folder::with(&[("in.txt", &text)]);
    let words = [
        "solve",
        "in.txt",
        "-e",
        "backtrack",
        "-u",
        "-j",
        "1",
        "--no-times",
        "-v",
        "--report",
        "r.md",
        "--report",
        "r.txt",
    ];
    let run = folder.run(&words).ends(1, &[]);
    assert!(run.err.contains(&steady(&folder.read("r.txt")).lines().nth(1).unwrap().to_owned()));
    insta::assert_snapshot!("report_md", steady(&folder.read("r.md")));
    insta::assert_snapshot!("report_txt", steady(&folder.read("r.txt")));
}

/// The sum of an output is that of the file as it lies on the disk, compressed or not.
#[test]
fn a_report_has_the_checksum_of_the_output() {
    use sha2::{Digest, Sha256};
    let folder = Folder::with(&[("p.txt", &crate::puzzles(3000))]);
    for name in ["out.txt", "out.txt.gz", "out.txt.zst", "out.txt.xz"] {
        let reports = ["--report", "r.json", "--report", "r.md", "--report", "r.html", "--report", "r.txt"];
        folder.run(&[&["solve", "p.txt", "-q", "-o", name][..], &reports].concat()).ends(0, &[]);
        let bytes = folder.bytes(name);
        let sum = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let expected = serde_json::json!({"name": name, "bytes": bytes.len(), "sha256": sum});
        assert_eq!(folder.json("r.json")["output"], expected);
        let size = galop_batch::figures::group_digits(bytes.len() as u64);
        for report in ["r.md", "r.html", "r.txt"] {
            let text = folder.read(report);
            assert!(text.contains(&format!("{name} ({size} bytes, SHA-256 {sum})")), "{text}");
        }
    }
    // Standard output is no file.
    folder.run(&["solve", "p.txt", "--report", "s.json"]).ends(0, &[]);
    assert!(folder.json("s.json").get("output").is_none());
}
