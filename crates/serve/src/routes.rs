//! What each request does.
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page |
//! | `POST /api/puzzle` | the puzzle as it was read: cells, candidates, contradictions; or an `error` if it is malformed |
//! | `POST /api/solve` | a solution, and whether it is the only one |
//! | `POST /api/check` | which of the entries of a player differ from the solution |
//! | `POST /api/count` | the number of solutions |
//! | `POST /api/explain` | the steps by which people solve it, a line of JSON for each as it is found, and a last line |
//! | `POST /api/steps` | all steps that are possible now |
//! | `GET /api/techniques` | the techniques, the easiest first |
//! | `GET /api/technique/NAME` | what one is, and an example |
//! | `GET /api/new/NAME` | a puzzle of a level, or one that needs a technique |
//! | `POST /api/next` | the first or the next solution |
//!
//! Bodies are JSON. No part of a path names a file of the machine.

use std::io::{self, Read, Write};
use std::net::TcpStream;

use super::explanation::{explain, possible};
use super::limits::{BODY_BYTES, BODY_TIME};
use super::message::{Head, Refusal, Response, Status, Timed, decoded};
use super::puzzle::PuzzleRequest;
use super::{State, guard, pool, search, techniques};

/// A request whose body is still to be read.
pub(super) struct Request<'a> {
    pub(super) head: Head,
    /// Bytes of the body that came with the head.
    pub(super) rest: Vec<u8>,
    pub(super) stream: &'a TcpStream,
}

/// Answers a request.
pub(super) fn answer<'a>(request: Request<'_>, state: &'a State) -> Result<Response<'a>, Refusal> {
    let head = &request.head;
    guard::check(head, state.address)?;
    let (method, path) = (&*head.method, &*head.path);
    if !["GET", "POST"].contains(&method) {
        return Err(Refusal::new(Status::WRONG_METHOD, "this method is not known here"));
    }
    match (method, path) {
        ("GET", "/") => Ok(Response::page(&state.page.html, &state.page.policy)),
        ("POST", "/api/puzzle") => {
            match PuzzleRequest::read(&request.json()?)?.puzzle() {
                Ok(puzzle) => Ok(Response::json(&puzzle.view())),
                // A person who types has not made a faulty request: browsers note other statuses as errors.
                Err(Refusal(Status::UNREADABLE, reason)) => {
                    Ok(Response::json(&serde_json::json!({ "error": reason })))
                }
                Err(refusal) => Err(refusal),
            }
        }
        ("POST", "/api/solve") => {
            let puzzle = PuzzleRequest::read(&request.json()?)?.puzzle()?;
            Ok(Response::json(&search::solve(&puzzle, &state.places)?))
        }
        ("POST", "/api/check") => {
            let puzzle = PuzzleRequest::read(&request.json()?)?.puzzle()?;
            Ok(Response::json(&search::check(&puzzle, &state.places)?))
        }
        ("POST", "/api/count") => {
            let puzzle = PuzzleRequest::read(&request.json()?)?.puzzle()?;
            Ok(Response::json(&search::count(&puzzle, &state.places)?))
        }
        ("POST", "/api/next") => {
            let asked = PuzzleRequest::read(&request.json()?)?;
            Ok(Response::json(&match &asked.list {
                Some(list) => state.lists.next(list, &state.places)?,
                None => state.lists.start(&asked.puzzle()?, &state.tokens, &state.places)?,
            }))
        }
        ("POST", "/api/explain") => {
            let asked = PuzzleRequest::read(&request.json()?)?;
            let (puzzle, options) = (asked.puzzle()?, asked.options()?);
            Ok(Response::lines(move |out| explain(&puzzle, &options, &state.places, out)))
        }
        ("POST", "/api/steps") => {
            let asked = PuzzleRequest::read(&request.json()?)?;
            possible(&asked.puzzle()?, &asked.options()?, &state.places)
        }
        ("GET", "/api/techniques") => Ok(Response::json(&techniques::list())),
        _ => {
            let named = |before| path.strip_prefix(before).filter(|_| method == "GET").map(decoded);
            match (named("/api/technique/"), named("/api/new/")) {
                (Some(name), _) => techniques::page(&name),
                (_, Some(name)) => pool::new(&name, &state.tokens),
                _ => Err(Refusal::new(Status::NOT_FOUND, "there is nothing here")),
            }
        }
    }
}

impl Request<'_> {
    /// Reads the body of a request about one puzzle.
    fn json(&self) -> Result<Vec<u8>, Refusal> {
        // A form of another site cannot send this type.
        let given = self.head.header("content-type")?.unwrap_or_default();
        let is_json = |given: &str| given.trim().eq_ignore_ascii_case("application/json");
        if !given.split(';').next().is_some_and(is_json) {
            return Err(Refusal::new(Status::WRONG_TYPE, "the Content-Type must be application/json"));
        }
        let len = self.head.body_len(BODY_BYTES)?;
        let mut body = self.body(len).to_vec();
        self.expects_more()?;
        let left = len - body.len() as u64;
        Timed::new(self.stream, BODY_TIME).take(left).read_to_end(&mut body)?;
        if (body.len() as u64) < len {
            Err(io::Error::from(io::ErrorKind::UnexpectedEof).into())
        } else {
            Ok(body)
        }
    }

    /// The part of a body of `len` bytes that came with the head.
    fn body(&self, len: u64) -> &[u8] {
        &self.rest[..self.rest.len().min(usize::try_from(len).unwrap_or(usize::MAX))]
    }

    /// Asks for the body if the client waits for that.
    fn expects_more(&self) -> Result<(), Refusal> {
        let expected = self.head.header("expect")?;
        if expected.is_some_and(|expected| expected.eq_ignore_ascii_case("100-continue")) {
            Timed::new(self.stream, BODY_TIME).write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        Ok(())
    }
}
