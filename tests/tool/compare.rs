//! `galop compare`.

use galop::{ENGINES, compare};
use serde_json::Value;

use crate::common::program::{Folder, Run};
use crate::common::puzzles::PUZZLE;
use crate::puzzles;

#[test]
fn engines_are_compared_and_reported() {
    let mut text = puzzles(60);
    text.insert_str(2 * 82, "# a comment\n");
    text.insert_str(3 * 82 + "# a comment\n".len(), "wrong\n");
    let folder = Folder::with(&[("p.txt", &text), ("good.txt", PUZZLE), ("empty.txt", "")]);
    let words = [
        "compare",
        "p.txt",
        "--engines",
        "dlx,bitboard",
        "--runs",
        "2",
        "--report",
        "r.json",
        "--report",
        "r.md",
        "--per-puzzle",
        "t.csv",
    ];
    let Run { code, out, err } = folder.run(&words);
    assert_eq!(code, Some(1), "a record was malformed: {err}");
    assert!(err.contains("p.txt:5:1: ") && err.contains("1 malformed record left out"), "{err}");
    assert!(out.contains("where bitboard and dlx differ most"), "{out}");
    assert_eq!(out.matches("  p.txt:").count(), 10, "two engines, all listed");
    // Every column has a name of its own.
    let header = out.lines().find(|line| line.trim_start().starts_with("time bitboard")).unwrap();
    let columns: Vec<&str> = header.split("  ").map(str::trim).filter(|name| !name.is_empty()).collect();
    let expected = ["time bitboard", "time dlx", "ratio", "guesses bitboard", "guesses dlx", "place"];
    assert_eq!(columns, expected);
    assert!(out.contains("  solved, no guess"), "{out}");
    let json: Value = folder.json("r.json");
    assert_eq!(json["command"], format!("galop {}", words.join(" ")));
    let table = folder.read("t.csv");
    assert!(table.starts_with(compare::HEADER) && table.lines().count() == 121, "{table}");

    let Run { code, out, err } =
        folder.run(&["compare", "good.txt", "--runs", "1", "-q", "--unique", "--reference", "dlx"]);
    assert_eq!((code, &*err), (Some(0), ""));
    assert!(out.contains("× dlx\n") && out.contains("proved the only solution"), "{out}");
    let Run { code, out, .. } = folder.run(&["compare", "good.txt", "--runs", "1", "--engines", "all"]);
    assert!(code == Some(0) && ENGINES.iter().all(|entry| out.contains(entry.name)), "{out}");

    let refused: [(&[&str], &str); 7] = [
        (&["p.txt", "--engines", "dlx,bitbord"], "bitboard"),
        (&["p.txt", "--engines", "dlx,dlx"], "`dlx` is named twice"),
        (&["p.txt", "--engines", ""], "possible values"),
        (&["p.txt", "--engines", "dlx", "--reference", "lanes"], "`lanes` is not compared"),
        (&["p.txt", "--report", "r.doc"], ".json, .md, .html, .csv"),
        (&["p.txt", "--report", "p.txt"], "must not overwrite"),
        (&["empty.txt"], "no puzzles"),
    ];
    for (words, message) in refused {
        folder.run(&[&["compare"], words].concat()).fails(message);
    }
    assert_eq!(folder.names(), ["empty.txt", "good.txt", "p.txt", "r.json", "r.md", "t.csv"]);
}
