//! The rules that keep the server and the machine safe: who may ask, what a request may name, and how much of anything
//! there is.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::{Response, Served};
use crate::program::send;
use galop_testing::available::sized;
use galop_testing::puzzles::PUZZLE;
use galop_testing::wait;

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
        "/api/technique/..%2fsecret.txt",
        "/api/technique//etc/passwd",
        "file:///etc/passwd",
        &secret,
        &format!("/api/technique/{secret}"),
        "/crates/serve/src/page/page.html",
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
    // A puzzle is text, not the name of a file.
    served.malformed(&json!({ "text": secret }), "");
    served.malformed(&json!({ "kind": "jigsaw", "map": secret, "text": PUZZLE }), "map");
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
    served
        .request("GET /api/techniques", "Sec-Fetch-Site: cross-site\r\n", b"")
        .is_refused(403, "another site");
    // A form of another site can send these types without asking first.
    for of_forms in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let headers = format!("Content-Type: {of_forms}\r\n");
        served.request("POST /api/solve", &headers, body.as_bytes()).is_refused(415, "application/json");
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
    assert!(said.contains("warning: everyone who can reach this address can use the page"), "{said}");

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
    // One that sends a byte now and then, until there is a response, is not faster.
    let mut stream = served.connect();
    stream.set_read_timeout(Some(Duration::from_millis(200))).unwrap();
    while stream.write_all(b"G").is_ok() && stream.peek(&mut [0]).is_err() {}
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
    wait::until("a free place in the queue", || served.get("/").status == 200);
}

/// Searches that wait for a core have a limit too.
#[test]
fn too_many_searches_are_refused() {
    let served = Served::new();
    let body = json!({ "cells": vec![0; 625] });
    let round = || -> Vec<u16> {
        thread::scope(|scope| {
            let asked: Vec<_> =
                (0..16).map(|_| scope.spawn(|| served.post("/api/count", &body).status)).collect();
            asked.into_iter().map(|asked| asked.join().unwrap()).collect()
        })
    };
    // On a busy machine the clients of a round may come one after the other.
    let statuses = (0..20).map(|_| round()).find(|statuses| statuses.contains(&503)).unwrap();
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
}

#[test]
fn thousands_of_requests_are_answered_in_flat_memory() {
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
    ask(25);
    #[cfg(target_os = "linux")]
    let before = served.memory();
    ask(sized(2_000, 10_000) / CLIENTS);
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
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let mut served = Served::new();
        assert_eq!(served.get("/").status, 200);
        send(&served.process, signal);
        assert_eq!(served.process.wait().unwrap().code(), Some(code));
        let mut said = String::new();
        served.process.stderr.as_mut().unwrap().read_to_string(&mut said).unwrap();
        assert_eq!(said, "");
    }
}
