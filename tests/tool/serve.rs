//! `galop serve`: each part of the page's interface, and each rule that keeps it safe.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::program::Folder;
use crate::common::puzzles::{PUZZLE, SOLUTION, contradictory, open_puzzle};
use crate::puzzles;

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

    #[track_caller]
    fn upload(&self, query: &str, bytes: &[u8]) -> Response {
        let line = format!("POST /api/files?{query}");
        self.request(&line, "Content-Type: application/octet-stream\r\n", bytes)
    }

    /// Uploads a file, and waits until it is solved or has failed.
    #[track_caller]
    fn solve_file(&self, query: &str, bytes: &[u8]) -> (String, Value) {
        let token = self.upload(query, bytes).json(200)["file"].as_str().unwrap().to_owned();
        for _ in 0..6_000 {
            let progress = self.get(&format!("/api/files/{token}")).json(200);
            if ["done", "failed"].contains(&progress["state"].as_str().unwrap()) {
                return (token, progress);
            }
            sleep(Duration::from_millis(10));
        }
        panic!("the file is never solved")
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
    served.ask_nothing().is_refused(422, "no puzzle");
    served.post("/api/puzzle", &json!({ "text": "12345" })).is_refused(422, "5 cells");
    served.post("/api/puzzle", &json!({ "text": PUZZLE.replace('4', "!") })).is_refused(422, "!");
    served.post("/api/puzzle", &json!({ "text": PUZZLE, "cells": [] })).is_refused(400, "either");
    served.post("/api/puzzle", &json!({ "txt": PUZZLE })).is_refused(400, "txt");
}

#[test]
fn every_kind_and_size_is_read_shown_and_solved() {
    let served = Served::new();
    for kind in galop::grid::KINDS {
        for size in kind.sizes {
            let side = size.side;
            let map: String = (0..side * side).map(|cell| char::from(b'A' + (cell / side) as u8)).collect();
            let puzzle =
                json!({ "kind": kind.name, "map": map, "side": side, "cells": vec![0; side * side] });
            let view = served.ask("/api/puzzle", &puzzle);
            assert_eq!((&view["side"], &view["kind"]), (&json!(side), &json!(kind.name)));
            assert_eq!(view["symbols"].as_str().unwrap().len(), side);
            let all = (1_u64 << side) - 1;
            assert_eq!(view["marks"], json!(vec![all; side * side]), "{} {side}", kind.name);
            if side > 9 || kind.name == "jigsaw" {
                continue;
            }
            let solved = served.ask("/api/solve", &puzzle);
            assert_eq!(solved["status"], "multiple", "{} {side}", kind.name);
            assert_eq!(solved["solution"].as_array().unwrap().len(), side * side);
        }
    }
    served.post("/api/puzzle", &json!({ "kind": "jigsaw", "text": PUZZLE })).is_refused(422, "map");
    served
        .post("/api/puzzle", &json!({ "kind": "jigsaw", "map": "abc", "text": PUZZLE }))
        .is_refused(422, "map:1:3");
    served.post("/api/puzzle", &json!({ "kind": "killer", "text": PUZZLE })).is_refused(422, "`killer`");
    served.post("/api/puzzle", &json!({ "side": 7, "cells": vec![0; 49] })).is_refused(422, "7x7");
    served.post("/api/puzzle", &json!({ "cells": vec![0; 80], "side": 9 })).is_refused(422, "80 cells");
    served.post("/api/puzzle", &json!({ "cells": vec![10; 81] })).is_refused(422, "no symbol");
    let letters = json!({ "side": 16, "cells": vec![0; 256], "alphabet": "A-P" });
    assert_eq!(served.ask("/api/puzzle", &letters)["symbols"], "ABCDEFGHIJKLMNOP");
}

#[test]
fn candidates_and_contradictions_are_shown_where_they_are() {
    let served = Served::new();
    let mut puzzle = vec![0; 16];
    puzzle[..3].copy_from_slice(&[1, 2, 3]);
    let view = served.ask("/api/puzzle", &json!({ "cells": puzzle }));
    let marks = view["marks"].as_array().unwrap();
    assert_eq!((&marks[0], &marks[3], &marks[4]), (&json!(0), &json!(0b1000), &json!(0b1100)));
    let singles = served.ask("/api/puzzle", &json!({ "cells": puzzle, "marks": "singles" }));
    assert_eq!(singles["marks"][0], json!(1));
    assert_eq!(singles["marks"][3], json!(0b1000));

    // The same symbol twice in a row; a blank with nothing left; a symbol without a place.
    let clash =
        served.ask("/api/puzzle", &json!({ "cells": [1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] }));
    assert_eq!(clash["clashes"], json!([0, 3]));
    assert!(clash["reason"].as_str().unwrap().contains("1 stands twice in row 1"));
    let empty =
        served.ask("/api/puzzle", &json!({ "cells": [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4] }));
    assert_eq!(empty["empty"], json!([3]));
    assert_eq!(empty["no_place"][0], json!({ "symbol": 4, "cells": [0, 1, 2, 3] }));
    assert_eq!(empty["clashes"], json!([]));
    let none = served.ask("/api/puzzle", &json!({ "cells": clash["cells"], "marks": "singles" }));
    assert_eq!(none["marks"], Value::Null);
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

/// A puzzle that no engine solves in the time of a request gets an answer all the same.
#[test]
fn a_search_has_a_limit_of_time() {
    let served = Served::new();
    // Solutions of 25x25 grids without clues are found, but never all of them.
    let count = served.ask("/api/count", &json!({ "cells": vec![0; 625] }));
    assert_eq!(count["is_exact"], false);
    let next = served.ask("/api/next", &json!({ "cells": vec![0; 625] }));
    assert!(next["list"].is_string(), "it can go on: {next}");
    assert_eq!(served.get("/").status, 200);
}

#[test]
fn a_file_is_solved_with_its_report_and_answers() {
    let served = Served::new();
    let text = format!("{}wrong\n{}\n", puzzles(2_000), contradictory());
    let (token, progress) = served.solve_file("name=my%20puzzles.txt", text.as_bytes());
    assert_eq!(progress["state"], "done", "{progress}");
    assert_eq!((&progress["counts"]["solved"], &progress["counts"]["malformed"]), (&json!(2_000), &json!(1)));
    assert_eq!((&progress["bytes_done"], &progress["bytes"]), (&json!(text.len()), &json!(text.len())));

    let answers = served.get(&format!("/answers/{token}"));
    assert_eq!(answers.status, 200);
    assert!(answers.head.contains("Content-Disposition: attachment; filename=\"answers.txt\""));
    served.folder.write("in.txt", &text);
    assert_eq!(answers.text(), served.folder.run(&["solve", "-q", "in.txt"]).out);
    let report = served.get(&format!("/report/{token}"));
    assert!(report.head.contains("default-src 'none'") && report.head.contains("sandbox"), "{}", report.head);
    assert!(
        report.text().contains("my puzzles.txt") && report.text().contains("2,000 puzzles")
            || report.text().contains("2,001 puzzles")
    );

    let (token, progress) = served.solve_file("format=csv&unique=1&kind=sudoku", PUZZLE.as_bytes());
    assert_eq!(progress["counts"]["solved"], 1);
    let answers = served.get(&format!("/answers/{token}"));
    assert!(
        answers.head.contains("answers.csv") && answers.text().starts_with("puzzle,solution,"),
        "{answers:?}"
    );
    served.request(&format!("DELETE /api/files/{token}"), "", b"").json(200);
    served.get(&format!("/answers/{token}")).is_refused(404, "not kept");

    // What cannot be read fails and says why.
    let (token, progress) = served.solve_file("kind=jigsaw", PUZZLE.as_bytes());
    assert_eq!(progress["state"], "failed");
    assert!(progress["error"].as_str().unwrap().contains("map"), "{progress}");
    served.get(&format!("/report/{token}")).is_refused(409, "not solved");
    served.upload("format=npy", PUZZLE.as_bytes()).is_refused(422, "format");
    served.upload("kind=none", PUZZLE.as_bytes()).is_refused(422, "kind");
    served.request("POST /api/files", "", PUZZLE.as_bytes()).is_refused(415, "Content-Type");
    assert_eq!(served.folder.names(), ["in.txt"], "nothing is written to the folder");
}

/// Files are found by their tokens; the number of them is limited.
#[test]
fn only_a_few_files_are_kept() {
    let served = Served::new();
    let tokens: Vec<String> = (0..6).map(|_| served.solve_file("", PUZZLE.as_bytes()).0).collect();
    let statuses: Vec<u16> =
        tokens.iter().map(|token| served.get(&format!("/api/files/{token}")).status).collect();
    assert_eq!(statuses, [404, 404, 200, 200, 200, 200]);
}

/// No path and no query names a file of the machine.
#[test]
fn no_file_can_be_read_or_written() {
    let served = Served::new();
    served.folder.write("secret.txt", "secret");
    let secret = served.folder.word("secret.txt");
    for path in [
        "/secret.txt",
        "/./secret.txt",
        "//secret.txt",
        "/../../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/answers/../secret.txt",
        "/answers/secret.txt",
        "/report/..%2fsecret.txt",
        "/answers//etc/passwd",
        "file:///etc/passwd",
        &secret,
        &format!("/api/files/{secret}"),
        "/src/serve/page.html",
        "*",
        "/?name=secret.txt",
    ] {
        let response = served.get(path);
        assert!([400, 404, 200].contains(&response.status), "{path}");
        let text = String::from_utf8_lossy(&response.body).into_owned();
        assert!(!text.contains("secret\n") && !text.contains("root:"), "{path}");
        assert_eq!(response.status == 200, path.starts_with("/?"), "{path}");
    }
    for line in
        ["PUT /secret.txt", "DELETE /secret.txt", "POST /secret.txt", "PATCH /", "OPTIONS /", "TRACE /"]
    {
        assert!([404, 405].contains(&served.request(line, "", b"x").status), "{line}");
    }
    // A name is a label only.
    let (_, progress) = served.solve_file(&format!("name={secret}"), PUZZLE.as_bytes());
    assert_eq!(progress["state"], "done");
    // A puzzle is text, not the name of a file.
    served.post("/api/puzzle", &json!({ "text": secret })).is_refused(422, "");
    served
        .post("/api/puzzle", &json!({ "kind": "jigsaw", "map": secret, "text": PUZZLE }))
        .is_refused(422, "map");
    assert_eq!(
        (served.folder.names(), served.folder.read("secret.txt")),
        (vec!["secret.txt".into()], "secret".into())
    );
}

#[test]
fn requests_to_other_names_and_from_other_sites_are_refused() {
    let served = Served::new();
    let port = served.port();
    for host in [
        "evil.example",
        &format!("evil.example:{port}"),
        "127.0.0.1",
        &format!("127.0.0.1:{port}.evil.example"),
        "",
    ] {
        let response = served.send(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").as_bytes());
        response.is_refused(403, "not this server");
    }
    served.send(b"GET / HTTP/1.0\r\n\r\n").is_refused(403, "not this server");
    let localhost =
        format!("GET / HTTP/1.1\r\nHost: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n\r\n");
    assert_eq!(served.send(localhost.as_bytes()).status, 200);
    let body = json!({ "text": PUZZLE }).to_string();
    for origin in ["http://evil.example", "null", &format!("https://{}", served.host), "http://127.0.0.1:1"] {
        let headers = format!("Content-Type: application/json\r\nOrigin: {origin}\r\n");
        served.request("POST /api/solve", &headers, body.as_bytes()).is_refused(403, "another site");
    }
    let own = format!("Content-Type: application/json\r\nOrigin: http://{}\r\n", served.host);
    served.request("POST /api/solve", &own, body.as_bytes()).json(200);
    served.request("GET /api/files/x", "Sec-Fetch-Site: cross-site\r\n", b"").is_refused(403, "another site");
    // A form of another site can send these types without asking first.
    for of_forms in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let headers = format!("Content-Type: {of_forms}\r\n");
        served.request("POST /api/solve", &headers, body.as_bytes()).is_refused(415, "application/json");
        served.request("POST /api/files", &headers, body.as_bytes()).is_refused(415, "octet-stream");
    }
}

#[test]
fn only_this_machine_is_served_unless_another_address_is_named() {
    let mut served = Served::with(&["--address", "0.0.0.0"]);
    let page = served.send(format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", served.port()).as_bytes());
    assert_eq!(page.status, 200);
    let evil = format!("GET / HTTP/1.1\r\nHost: evil.example:{}\r\n\r\n", served.port());
    served.send(evil.as_bytes()).is_refused(403, "not this server");
    served.process.kill().unwrap();
    let mut said = String::new();
    served.process.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("warning: other machines can use the page"), "{said}");

    let mut served = Served::new();
    served.process.kill().unwrap();
    let mut said = String::new();
    served.process.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
}

#[test]
fn heads_and_bodies_have_limits() {
    let served = Served::new();
    let long = "a".repeat(20_000);
    served.get(&format!("/{long}")).is_refused(431, "bytes");
    served.request("GET /", &format!("X-Long: {long}\r\n"), b"").is_refused(431, "bytes");
    served.request("GET /", &"a: b\r\n".repeat(70), b"").is_refused(431, "headers");
    served.post("/api/solve", &json!({ "text": "1".repeat(70_000) })).is_refused(413, "bytes");
    let json = "Content-Type: application/json\r\n";
    served.request("POST /api/solve", json, b"").is_refused(411, "Content-Length");
    let chunked = format!("{json}Transfer-Encoding: chunked\r\n");
    served.request("POST /api/solve", &chunked, b"").is_refused(411, "Content-Length");
    // The file is refused by its length, before it is sent.
    let headers = format!("Content-Type: application/octet-stream\r\nContent-Length: {}\r\n", (64 << 20) + 1);
    served.request("POST /api/files", &headers, b"").is_refused(413, "bytes");
    served.send(b"rubbish\r\n\r\n").is_refused(400, "not HTTP");
    served.send(&[0xff; 100]).is_refused(400, "not HTTP");
    served.request("POST /api/solve", json, b"{\"text\":").is_refused(400, "EOF");
    let deep = "[".repeat(60_000);
    served.request("POST /api/solve", json, deep.as_bytes()).is_refused(400, "");
    // A client that waits for permission to send gets it.
    let mut stream = served.connect();
    let body = json!({ "text": PUZZLE }).to_string();
    let head = format!(
        "POST /api/solve HTTP/1.1\r\nHost: {}\r\n{json}Expect: 100-continue\r\nContent-Length: {}\r\n\r\n",
        served.host,
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut permission = [0; 25];
    stream.read_exact(&mut permission).unwrap();
    assert_eq!(&permission, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(body.as_bytes()).unwrap();
    assert_eq!(Response::read(&mut stream).json(200)["status"], "solved");
}

#[test]
fn slow_clients_are_given_up() {
    let served = Served::new();
    let starts = [
        String::new(),
        "GET / HT".to_owned(),
        format!(
            "POST /api/solve HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{{",
            served.host
        ),
    ];
    let mut streams: Vec<TcpStream> = starts
        .iter()
        .map(|start| {
            let mut stream = served.connect();
            stream.write_all(start.as_bytes()).unwrap();
            stream
        })
        .collect();
    for stream in &mut streams {
        Response::read(stream).is_refused(408, "slowly");
    }
    // One that sends a byte now and then is not faster.
    let mut stream = served.connect();
    while stream.write_all(b"G").is_ok() {
        sleep(Duration::from_millis(200));
        if stream.set_nonblocking(true).is_ok() && stream.peek(&mut [0]).is_ok() {
            break;
        }
        stream.set_nonblocking(false).unwrap();
    }
    stream.set_nonblocking(false).unwrap();
    Response::read(&mut stream).is_refused(408, "slowly");
}

/// Silent connections take all threads and all places of the queue; a further one is refused at once.
#[test]
fn the_queue_has_a_limit() {
    let served = Served::new();
    let silent: Vec<TcpStream> = (0..16 + 128).map(|_| served.connect()).collect();
    let mut refused = None;
    for _ in 0..200 {
        // The threads may not have taken their connections from the queue yet.
        let mut stream = served.connect();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        if stream.peek(&mut [0]).is_ok_and(|read| read > 0) {
            refused = Some(Response::read(&mut stream));
            break;
        }
    }
    let refused = refused.unwrap();
    refused.is_refused(503, "too many");
    assert!(refused.head.contains("Retry-After: 1"));
    drop(silent);
    assert_eq!((0..600).map(|_| served.status_after_a_moment()).find(|&status| status == 200), Some(200));
}

impl Served {
    fn status_after_a_moment(&self) -> u16 {
        sleep(Duration::from_millis(50));
        self.get("/").status
    }
}

/// Searches that wait for a core have a limit too, and other requests are answered meanwhile.
#[test]
fn too_many_searches_are_refused() {
    let served = Served::new();
    let body = json!({ "cells": vec![0; 625] });
    let statuses: Vec<u16> = thread::scope(|scope| {
        let asked: Vec<_> =
            (0..16).map(|_| scope.spawn(|| served.post("/api/count", &body).status)).collect();
        sleep(Duration::from_millis(300));
        assert_eq!(served.post("/api/puzzle", &json!({ "text": PUZZLE })).status, 200);
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
}

#[test]
fn ten_thousand_requests_are_answered_in_flat_memory() {
    const CLIENTS: usize = 16;
    let served = Served::new();
    let body = json!({ "text": PUZZLE });
    let ask = |count: usize| {
        thread::scope(|scope| {
            for client in 0..CLIENTS {
                let (served, body) = (&served, &body);
                scope.spawn(move || {
                    for number in 0..count {
                        let response = match (number + client) % 4 {
                            0 => served.get("/"),
                            1 => served.post("/api/solve", body),
                            2 => served.post("/api/next", body),
                            _ => served.post("/api/puzzle", body),
                        };
                        assert_eq!(response.status, 200, "{}", response.text());
                    }
                });
            }
        });
    };
    ask(50);
    #[cfg(target_os = "linux")]
    let before = served.memory();
    ask(10_000 / CLIENTS);
    #[cfg(target_os = "linux")]
    {
        // Threads keep a little of what they freed.
        let after = served.memory();
        assert!(after < before + (16 << 10), "{before} KiB before, {after} KiB after");
    }
}

#[test]
#[cfg(unix)]
fn signals_end_the_server() {
    for (signal, code) in [("INT", 130), ("TERM", 143)] {
        let mut served = Served::new();
        assert_eq!(served.get("/").status, 200);
        let pid = served.process.id().to_string();
        let sent =
            std::process::Command::new("kill").args(["-s", signal, &pid]).stdout(Stdio::null()).status();
        assert!(sent.unwrap().success());
        assert_eq!(served.process.wait().unwrap().code(), Some(code));
        let mut said = String::new();
        served.process.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }
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
fn a_puzzle_is_explained_step_by_step() {
    let served = Served::new();
    let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let explained = served.ask("/api/explain", &json!({ "text": easy }));
    assert_eq!(explained["is_solved"], true, "{explained}");
    assert!(explained["summary"].as_str().unwrap().starts_with("30 clues, "), "{}", explained["summary"]);
    let mut grid = cells(easy);
    for step in explained["steps"].as_array().unwrap() {
        assert!(step["text"].as_str().unwrap().starts_with(step["technique"].as_str().unwrap()));
        for placed in step["places"].as_array().unwrap() {
            let [cell, symbol] = [0, 1].map(|at| placed[at].as_u64().unwrap());
            assert_eq!(std::mem::replace(&mut grid[cell as usize], symbol as u8), 0, "{step}");
        }
    }
    assert_eq!(json!(grid), served.ask("/api/solve", &json!({ "text": easy }))["solution"]);

    let none =
        served.ask("/api/explain", &json!({ "cells": [1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4] }));
    assert_eq!((&none["is_solved"], &none["steps"]), (&json!(false), &json!([])));
    assert!(none["end"].as_str().unwrap().starts_with("No solution: "), "{none}");
    assert!(none["bad"].as_array().unwrap().contains(&json!(3)), "{none}");
    // It ends, whatever the puzzle is.
    let open = served.ask("/api/explain", &json!({ "cells": vec![0; 625] }));
    assert_eq!(open["is_solved"], false);
    served.ask("/api/explain", &json!({ "text": PUZZLE, "unique": true }));
}
