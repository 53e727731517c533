//! `galop serve`: each part of the page's interface.

mod safety;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::Folder;
use galop_testing::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};

/// A server in a folder of its own, which ends with this.
struct Served {
    folder: Folder,
    process: Child,
    /// Address and port.
    host: String,
}

/// A response: its status, head and body.
#[derive(Debug)]
struct Response {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Served {
    fn new() -> Served {
        Served::with(&[])
    }

    fn with(words: &[&str]) -> Served {
        let folder = Folder::new();
        let words = [&["serve", "--port", "0", "--quiet"], words].concat();
        let mut process = folder.spawn(&words);
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let host = line.trim_end().strip_prefix("http://").unwrap().strip_suffix('/').unwrap().to_owned();
        Served { folder, process, host }
    }

    fn port(&self) -> &str {
        self.host.rsplit(':').next().unwrap()
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port().parse().unwrap())).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream
    }

    /// Sends these bytes and reads the response to its end.
    #[track_caller]
    fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = self.connect();
        // The server may refuse before it has read all of it.
        let _ = stream.write_all(bytes);
        Response::read(&mut stream)
    }

    /// Sends a request with these lines for further headers.
    #[track_caller]
    fn request(&self, line: &str, headers: &str, body: &[u8]) -> Response {
        let host = &self.host;
        let mut text = format!("{line} HTTP/1.1\r\nHost: {host}\r\n{headers}");
        if !body.is_empty() {
            write!(text, "Content-Length: {}\r\n", body.len()).unwrap();
        }
        self.send(&[text.as_bytes(), b"\r\n", body].concat())
    }

    #[track_caller]
    fn get(&self, path: &str) -> Response {
        self.request(&format!("GET {path}"), "", b"")
    }

    #[track_caller]
    fn post(&self, path: &str, body: &Value) -> Response {
        self.request(
            &format!("POST {path}"),
            "Content-Type: application/json\r\n",
            body.to_string().as_bytes(),
        )
    }

    /// The JSON of a request that succeeds.
    #[track_caller]
    fn ask(&self, path: &str, body: &Value) -> Value {
        self.post(path, body).json(200)
    }

    /// KiB of memory that the process has of its own.
    #[cfg(target_os = "linux")]
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Response {
    #[track_caller]
    fn read(stream: &mut TcpStream) -> Response {
        let mut bytes = Vec::new();
        // A connection that is reset after the response has still given it.
        let _ = stream.read_to_end(&mut bytes);
        let at = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let at = at.unwrap_or_else(|| panic!("no response: {:?}", String::from_utf8_lossy(&bytes)));
        let head = String::from_utf8(bytes[..at].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head, body: bytes.split_off(at + 4) }
    }

    #[track_caller]
    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    #[track_caller]
    fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text());
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Asserts a refusal, and that its reason holds `word`.
    #[track_caller]
    fn is_refused(&self, status: u16, word: &str) {
        let json = self.json(status);
        assert!(json["error"].as_str().unwrap().contains(word), "{word}: {json}");
    }
}

/// The cells of a puzzle in digits.
fn cells(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }).collect()
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let served = Served::new();
    assert!(served.host.starts_with("127.0.0.1:"), "{}", served.host);
    let page = served.get("/");
    assert_eq!(page.status, 200);
    assert!(page.text().starts_with("<!DOCTYPE html>") && page.text().contains("jigsaw"));
    let policy = page.head.lines().find(|line| line.starts_with("Content-Security-Policy: ")).unwrap();
    for word in ["default-src 'none'", "script-src 'sha256-", "style-src 'sha256-", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(word), "{policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    for response in [page, served.get("/nothing"), served.ask_nothing()] {
        for line in ["Cache-Control: no-store", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY"] {
            assert!(response.head.contains(line), "{line}: {}", response.head);
        }
        assert!(response.head.contains("Content-Security-Policy: default-src 'none'"));
        assert!(!response.head.contains("Access-Control"), "no other site may read it");
    }
}

impl Served {
    /// A puzzle that cannot be read is refused everywhere, and only where it is typed with a status of success.
    #[track_caller]
    fn malformed(&self, puzzle: &Value, reason: &str) {
        self.post("/api/puzzle", puzzle).is_refused(200, reason);
        self.post("/api/solve", puzzle).is_refused(422, reason);
    }

    /// The steps of an explanation and its last line.
    #[track_caller]
    fn explain(&self, body: &Value) -> (Vec<Value>, Value) {
        let response = self.post("/api/explain", body);
        assert_eq!(response.status, 200, "{}", response.text());
        assert!(response.head.contains("Content-Type: application/x-ndjson"), "{}", response.head);
        assert!(!response.head.contains("Content-Length"), "it is written as it is found: {}", response.head);
        let mut lines: Vec<Value> =
            response.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let end = lines.pop().unwrap()["end"].take();
        let steps = lines.into_iter().map(|mut line| line["step"].take()).collect();
        (steps, end)
    }

    fn ask_nothing(&self) -> Response {
        self.post("/api/puzzle", &json!({ "text": "" }))
    }
}

#[test]
fn a_puzzle_is_read_in_any_notation() {
    let served = Served::new();
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..9 * row + 9]).collect();
    let lists: Vec<String> = rows.iter().map(|row| format!("{:?}", cells(row))).collect();
    let framed = served.folder.run(&["show", PUZZLE]).out;
    for text in [PUZZLE.to_owned(), rows.join("\n"), format!("[{}]", lists.join(",\n")), framed] {
        let view = served.ask("/api/puzzle", &json!({ "text": text }));
        assert_eq!(view["cells"], json!(cells(PUZZLE)), "{text}");
        assert_eq!((&view["side"], &view["symbols"]), (&json!(9), &json!("123456789")));
        assert_eq!(
            (&view["puzzles"], &view["clashes"], &view["reason"]),
            (&json!(1), &json!([]), &Value::Null)
        );
    }
    let two = served.ask("/api/puzzle", &json!({ "text": format!("{PUZZLE}\n{PUZZLE}\n") }));
    assert_eq!((&two["puzzles"], &two["cells"]), (&json!(2), &json!(cells(PUZZLE))));
    // Browsers note other statuses than 200 as errors of the page.
    served.ask_nothing().is_refused(200, "no puzzle");
    served.malformed(&json!({ "text": "12345" }), "5 cells; a 9x9 puzzle has 81");
    served.malformed(&json!({ "text": PUZZLE.replace('4', "!") }), "!");
    served.post("/api/puzzle", &json!({ "text": PUZZLE, "cells": [] })).is_refused(400, "either");
    served.post("/api/puzzle", &json!({ "txt": PUZZLE })).is_refused(400, "txt");
}

#[test]
fn every_kind_and_size_is_read_shown_and_solved() {
    let served = Served::new();
    for kind in galop_engines::grid::KINDS {
        for side in kind.sides() {
            let map: String = (0..side * side).map(|cell| char::from(b'A' + (cell / side) as u8)).collect();
            let puzzle =
                json!({ "kind": kind.name, "map": map, "side": side, "cells": vec![0; side * side] });
            let view = served.ask("/api/puzzle", &puzzle);
            assert_eq!((&view["side"], &view["kind"]), (&json!(side), &json!(kind.name)));
            assert_eq!(view["symbols"].as_str().unwrap().len(), side);
            let all = (1_u64 << side) - 1;
            assert_eq!(view["after_singles"], json!(vec![all; side * side]), "{} {side}", kind.name);
            if side > 9 || kind.name == "jigsaw" {
                continue;
            }
            let solved = served.ask("/api/solve", &puzzle);
            assert_eq!(solved["status"], "multiple", "{} {side}", kind.name);
            assert_eq!(solved["solution"].as_array().unwrap().len(), side * side);
        }
    }
    let both = json!({ "kind": "diagonal+latin", "side": 7, "cells": vec![0; 49] });
    assert_eq!(served.ask("/api/puzzle", &both)["name"], "latin+diagonal 7x7");
    served.malformed(&json!({ "kind": "jigsaw", "text": PUZZLE }), "map");
    served.malformed(&json!({ "kind": "jigsaw", "map": "abc", "text": PUZZLE }), "map: line 1, column 3");
    served.malformed(&json!({ "kind": "killer", "text": PUZZLE }), "`killer`");
    served.malformed(&json!({ "side": 7, "cells": vec![0; 49] }), "7x7");
    served.malformed(&json!({ "cells": vec![0; 80], "side": 9 }), "80 cells; a 9x9 puzzle has 81");
    served.malformed(&json!({ "cells": vec![10; 81] }), "not a symbol");
    let letters = json!({ "side": 16, "cells": vec![0; 256], "alphabet": "A-P" });
    assert_eq!(served.ask("/api/puzzle", &letters)["symbols"], "ABCDEFGHIJKLMNOP");
}

#[test]
fn candidates_and_contradictions_are_shown_where_they_are() {
    let served = Served::new();
    let mut puzzle = vec![0; 16];
    puzzle[..3].copy_from_slice(&[1, 2, 3]);
    let marks = &served.ask("/api/puzzle", &json!({ "cells": puzzle }))["after_singles"];
    assert_eq!((&marks[0], &marks[3], &marks[4]), (&json!(1), &json!(0b1000), &json!(0b1100)));

    // The same symbol twice in a row; a blank with nothing left; a symbol without a place.
    let clash =
        served.ask("/api/puzzle", &json!({ "cells": [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }));
    assert_eq!(clash["clashes"], json!([0, 3]));
    assert!(clash["reason"].as_str().unwrap().contains("1 occurs twice in row 1"));
    let empty =
        served.ask("/api/puzzle", &json!({ "cells": [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4] }));
    assert_eq!(empty["empty"], json!([3]));
    assert_eq!(empty["no_place"][0], json!({ "symbol": 4, "cells": [0, 1, 2, 3] }));
    assert_eq!(empty["clashes"], json!([]));
    assert_eq!(clash["after_singles"], Value::Null);
}

#[test]
fn a_puzzle_is_solved_and_its_solutions_are_counted() {
    let served = Served::new();
    let solved = served.ask("/api/solve", &json!({ "text": PUZZLE }));
    assert_eq!((&solved["status"], &solved["solution"]), (&json!("solved"), &json!(cells(SOLUTION))));
    assert_eq!(served.ask("/api/count", &json!({ "text": PUZZLE }))["solutions"], 1);
    let none = served.ask("/api/solve", &json!({ "text": contradictory() }));
    assert_eq!((&none["status"], &none["solution"]), (&json!("none"), &Value::Null));
    assert!(none["reason"].as_str().unwrap().contains("twice"), "{none}");
    assert_eq!(served.ask("/api/solve", &json!({ "text": open_puzzle() }))["status"], "multiple");
    let count = served.ask("/api/count", &json!({ "cells": vec![0; 16] }));
    assert_eq!((&count["solutions"], &count["is_exact"]), (&json!(288), &json!(true)));
    // The empty grid has more solutions than anyone counts.
    let count = served.ask("/api/count", &json!({ "cells": vec![0; 81] }));
    assert_eq!(count["is_exact"], false);
    assert!(count["solutions"].as_u64().unwrap() > 100, "{count}");
}

#[test]
fn solutions_come_one_after_the_other() {
    let served = Served::new();
    let mut next = served.ask("/api/next", &json!({ "cells": vec![0; 16] }));
    let mut found = std::collections::BTreeSet::new();
    while let Some(list) = next["list"].as_str() {
        assert_eq!(next["number"], json!(found.len() + 1));
        assert!(found.insert(next["solution"].to_string()), "{next}");
        next = served.ask("/api/next", &json!({ "list": list }));
    }
    assert_eq!((found.len(), &next["is_end"], &next["number"]), (288, &json!(true), &json!(288)));
    assert_eq!(next["solution"], Value::Null);
    served.post("/api/next", &json!({ "list": "0".repeat(32) })).is_refused(410, "begin again");
    // Only a few lists are kept.
    let lists: Vec<Value> =
        (0..12).map(|_| served.ask("/api/next", &json!({ "cells": vec![0; 16] }))["list"].clone()).collect();
    served.post("/api/next", &json!({ "list": lists[0] })).is_refused(410, "begin again");
    assert_eq!(served.ask("/api/next", &json!({ "list": lists[11] }))["number"], 2);
}

#[test]
fn a_port_that_is_in_use_is_named() {
    let served = Served::new();
    let run = served.folder.run(&["serve", "--port", served.port()]);
    run.fails(&format!("cannot listen on {}; choose another --port N", served.host));
    served.folder.run(&["serve", "--address", "example.com"]).ends(2, &["invalid"]);
    served
        .folder
        .run(&["serve", "--address", "192.0.2.1", "--port", "0"])
        .ends(2, &["cannot listen on 192.0.2.1:0"]);
}

#[test]
#[cfg(target_os = "linux")]
fn the_page_is_opened_by_the_program_that_opens_links() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("xdg-open", "#!/bin/sh\nprintf %s \"$1\" >part && mv part opened\n")]);
    std::fs::set_permissions(folder.path("xdg-open"), PermissionsExt::from_mode(0o755)).unwrap();
    let serve = |path: &str| {
        let path = format!("PATH={path}:/usr/bin:/bin");
        folder.start("env", &[&path, crate::program::path(), "serve", "--open", "--port", "0"])
    };
    let mut process = serve(&folder.word("")).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    folder.wait_for("opened");
    assert_eq!(folder.read("opened"), line.trim_end());
    process.kill().unwrap();
    process.wait().unwrap();
}

/// A naked pair, pointing and an X-wing, but no chains.
const WITH_FISH: &str = "12.6..4.......13.5..3.....2..2.3.15....7.582.5.4...7..84.....3..3.8.2.71.1.3..5..";

#[test]
fn a_puzzle_is_explained_step_by_step() {
    let served = Served::new();
    let (steps, end) = served.explain(&json!({ "text": WITH_FISH }));
    assert_eq!(
        (&end["is_solved"], &end["level"], &end["steps"]),
        (&json!(true), &json!("hard"), &Value::Null)
    );
    assert!(end["summary"].as_str().unwrap().starts_with("31 clues, "), "{end}");
    let mut grid = cells(WITH_FISH);
    for step in &steps {
        assert!(step["text"].as_str().unwrap().starts_with(step["technique"].as_str().unwrap()));
        assert_eq!(step.get("level"), None, "only the end has a rating");
        for placed in step["places"].as_array().unwrap() {
            let [cell, symbol] = [0, 1].map(|at| placed[at].as_u64().unwrap());
            assert_eq!(std::mem::replace(&mut grid[cell as usize], symbol as u8), 0, "{step}");
        }
    }
    assert_eq!(json!(grid), served.ask("/api/solve", &json!({ "text": WITH_FISH }))["solution"]);
    // What a picture of it needs: the rows, and the columns from which candidates go.
    let fish = steps.iter().find(|step| step["technique"] == "X-wing").unwrap();
    let row: Vec<usize> = (18..27).collect();
    assert_eq!((&fish["units"][0], &fish["place"]), (&json!(row), &json!("in row 3 and row 8")));
    assert_eq!(fish["look"], fish["units"]);
    assert_eq!(fish["covers"].as_array().unwrap().len(), 2);

    let (steps, end) = served.explain(&json!({ "cells": [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4] }));
    assert_eq!(
        (&end["is_solved"], steps, &end["steps"], &end["level"]),
        (&json!(false), vec![], &json!([]), &Value::Null)
    );
    assert!(end["text"].as_str().unwrap().starts_with("No solution: "), "{end}");
    assert!(end["bad"].as_array().unwrap().contains(&json!(3)), "{end}");
    // It ends, whatever the puzzle is.
    assert_eq!(served.explain(&json!({ "cells": vec![0; 625] })).1["is_solved"], false);
    served.explain(&json!({ "text": PUZZLE, "unique": true }));
}

#[test]
fn techniques_that_are_switched_off_are_not_used() {
    let served = Served::new();
    let uses = |without: &[&str], name: &str| {
        let (steps, end) = served.explain(&json!({ "text": WITH_FISH, "without": without }));
        (steps.iter().any(|step| step["technique"] == name), end["is_solved"] == true)
    };
    assert_eq!(uses(&[], "X-wing"), (true, true));
    assert_eq!(uses(&["X-wing"], "X-wing"), (false, true));
    let all: Vec<&str> = galop_explain::TECHNIQUES.iter().map(|technique| technique.name).collect();
    assert_eq!(uses(&all, "X-wing"), (false, false));
    let wrong = json!({ "text": WITH_FISH, "without": ["x-ray"] });
    served.post("/api/explain", &wrong).is_refused(422, "no technique `x-ray`");
}

#[test]
fn chains_come_as_nodes_in_order() {
    let served = Served::new();
    let hard = "1...9..57...1....6...56.2..28...51.4695..4.8.4..8..9.58.....53...6......3...81...";
    let (steps, _) = served.explain(&json!({ "text": hard }));
    let without = steps.iter().find(|step| step["units"] == json!([])).unwrap();
    assert!(without["place"].as_str().unwrap().starts_with("around block "), "{without}");
    assert_eq!(without["look"][0].as_array().unwrap().len(), 9, "the cells of the block");
    let chain = steps.iter().find_map(|step| step["chains"].get(0)).unwrap().as_array().unwrap();
    assert!(
        chain.len() > 2 && chain.iter().all(|node| node["cells"][0].is_u64() && node["true"].is_boolean())
    );
    assert!(chain.iter().any(|node| node["true"] == true) && chain.iter().any(|node| node["true"] == false));
}

#[test]
fn every_technique_has_a_page_with_an_example() {
    let served = Served::new();
    let all = served.get("/api/techniques").json(200);
    assert_eq!(all.as_array().unwrap().len(), galop_explain::TECHNIQUES.len());
    for row in all.as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let page = served.get(&format!("/api/technique/{}", name.replace(' ', "%20"))).json(200);
        assert_eq!((&page["name"], &page["level"]), (&row["name"], &row["level"]));
        assert!(page["description"].as_str().unwrap().len() > 40, "{name}");
        let (example, step) = (&page["example"], &page["example"]["step"]);
        assert_eq!(step["technique"], name, "{page}");
        // The position is the one before the step: what it places is blank, what it eliminates is there.
        for placed in step["places"].as_array().unwrap() {
            assert_eq!(example["position"]["cells"][placed[0].as_u64().unwrap() as usize], 0, "{name}");
        }
        for gone in step["eliminates"].as_array().unwrap() {
            let mask = example["position"]["marks"][gone[0].as_u64().unwrap() as usize].as_u64().unwrap();
            assert_ne!(mask & 1 << (gone[1].as_u64().unwrap() - 1), 0, "{name}");
        }
        assert_eq!(example["puzzle"]["side"], 9, "{name}");
    }
    served.get("/api/technique/x-ray").is_refused(404, "no technique `x-ray`");
    served.get("/api/technique/").is_refused(404, "");
}

#[test]
fn entries_are_checked_without_showing_the_solution() {
    let served = Served::new();
    let check =
        |text: &str, entries: &[u8]| served.ask("/api/check", &json!({ "text": text, "entries": entries }));
    let solution = cells(SOLUTION);
    assert_eq!(check(PUZZLE, &solution), json!({ "status": "solved", "wrong": [] }));
    let mut entries = vec![0; 81];
    let blank = cells(PUZZLE).iter().position(|&symbol| symbol == 0).unwrap();
    entries[blank] = solution[blank] % 9 + 1;
    assert_eq!(check(PUZZLE, &entries), json!({ "status": "solved", "wrong": [blank] }));
    assert_eq!(check(&contradictory(), &entries), json!({ "status": "none", "wrong": [] }));
    assert_eq!(check(&open_puzzle(), &entries), json!({ "status": "multiple", "wrong": [] }));
    assert_eq!(check(PUZZLE, &[1; 100]).as_object().unwrap().len(), 2, "more entries than cells");
    // A candidate that is crossed out is wrong, too, if the solution has it.
    let mut crossed = vec![0; 81];
    crossed[blank] = 1 << (solution[blank] - 1);
    let body = json!({ "cells": cells(PUZZLE), "crossed": crossed });
    assert_eq!(served.ask("/api/check", &body)["wrong"], json!([blank]));
}

#[test]
fn a_grid_of_candidates_is_read_and_explained_from_there() {
    let served = Served::new();
    let drawn = served.folder.run(&["explain", "--draw", WITH_FISH]).out;
    let lines: Vec<&str> = drawn.lines().skip_while(|line| !line.contains("X-wing: ")).take(16).collect();
    let view = served.ask("/api/puzzle", &json!({ "text": lines.join("\n") }));
    assert_eq!(view["kind"], "sudoku");
    let from = json!({ "cells": view["cells"], "crossed": view["crossed"] });
    let (steps, end) = served.explain(&from);
    assert_eq!((&steps[0]["technique"], &end["is_solved"]), (&json!("X-wing"), &json!(true)));

    // Every step that is possible there is new, and the first is the easiest.
    let all = served.ask("/api/steps", &from);
    let steps = all["steps"].as_array().unwrap();
    assert_eq!((&steps[0]["technique"], &all["is_complete"]), (&json!("X-wing"), &json!(true)));
    let mut known = std::collections::BTreeSet::new();
    for step in steps {
        let found = step["places"].as_array().unwrap().iter().chain(step["eliminates"].as_array().unwrap());
        let fresh = found.filter(|one| known.insert(one.to_string())).count();
        assert!(fresh > 0, "{step}");
    }
    assert!(steps.len() > 5, "{all}");
    let singles = served.ask("/api/steps", &json!({ "text": PUZZLE }));
    let technique = |step: &Value| step["technique"].as_str().unwrap().to_owned();
    let names: Vec<String> = singles["steps"].as_array().unwrap().iter().map(technique).collect();
    assert!(names.iter().filter(|name| *name == "hidden single").count() > 2, "{names:?}");
    assert!(!names.iter().any(|name| name == "bifurcation"), "{names:?}");
    assert_eq!(served.ask("/api/steps", &json!({ "text": contradictory() }))["steps"], json!([]));
    // A large grid takes a limited time.
    let started = std::time::Instant::now();
    served.ask("/api/steps", &json!({ "cells": vec![0; 625] }));
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
}

#[test]
fn a_new_puzzle_has_the_level_or_needs_the_technique() {
    let served = Served::new();
    let new = |name: &str| served.get(&format!("/api/new/{}", name.replace(' ', "%20"))).json(200);
    for name in ["easy", "very hard", "ultra-hard", "X-wing"] {
        let puzzle = new(name);
        let (steps, end) = served.explain(&json!({ "kind": puzzle["kind"], "cells": puzzle["cells"] }));
        let has_it = end["level"] == name || steps.iter().any(|step| step["technique"] == name);
        assert!(has_it, "{name}: {end}");
        assert_ne!(new(name)["cells"], puzzle["cells"], "another one");
    }
    assert_eq!(new("unique rectangle")["unique"], true);
    served.get("/api/new/nothing").is_refused(404, "there is no puzzle of `nothing`");
}
