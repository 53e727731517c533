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
//! | `GET /api/techniques` | the techniques, the easiest first |
//! | `GET /api/technique/NAME` | what one is, and an example |
//! | `POST /api/next` | the first or the next solution |
//! | `POST /api/files?name=&kind=&map=&alphabet=&format=&unique=` | a file to solve: its token |
//! | `GET`, `DELETE /api/files/TOKEN` | how far it is; stop and drop it |
//! | `GET /answers/TOKEN`, `GET /report/TOKEN` | the answers; the HTML report |
//!
//! Bodies are JSON, except the body of a file. No part of a path or query names a file of the machine.

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;

use super::explanation::explain;
use super::files::{Upload, formats};
use super::limits::{BODY_BYTES, BODY_TIME, FILE_BYTES, FILE_TIME};
use super::message::{Body, Head, Refusal, Response, Status, Timed, decoded_part};
use super::page::REPORT_POLICY;
use super::puzzle::{Choice, PuzzleRequest};
use super::{State, guard, search, techniques};

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
    if !["GET", "POST", "DELETE"].contains(&method) {
        return Err(Refusal::new(Status::WRONG_METHOD, "this method is not known here"));
    }
    let token = |prefix: &str| path.strip_prefix(prefix).filter(|token| !token.is_empty());
    match (method, path) {
        ("GET", "/") => Ok(Response::page(state.page.html.into(), state.page.policy.clone().into())),
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
            let asked = PuzzleRequest::read(&request.json()?)?;
            Ok(Response::json(&search::check(&asked.puzzle()?, &asked.entries, &state.places)?))
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
        ("GET", "/api/techniques") => Ok(Response::json(&techniques::list())),
        ("POST", "/api/files") => upload(request, state),
        _ => {
            if let ("GET", Some(token)) = (method, token("/answers/")) {
                let (answers, len, ending) = state.files.get(token)?.answers()?;
                let mut response = Response::new(Status::OK, "application/octet-stream", Vec::new());
                response.body = Body::Read(Box::new(answers), len);
                response.file_name = Some(format!("answers.{ending}"));
                return Ok(response);
            }
            if let ("GET", Some(token)) = (method, token("/report/")) {
                let report = state.files.get(token)?.report()?;
                return Ok(Response::page(report.into_bytes().into(), REPORT_POLICY.into()));
            }
            if let ("GET", Some(name)) = (method, token("/api/technique/")) {
                return techniques::page(&decoded_part(name));
            }
            match (method, token("/api/files/")) {
                ("GET", Some(token)) => Ok(Response::json(&state.files.get(token)?.progress())),
                ("DELETE", Some(token)) => {
                    state.files.remove(token)?;
                    Ok(Response::json(&serde_json::json!({})))
                }
                _ => Err(Refusal::new(Status::NOT_FOUND, "there is nothing here")),
            }
        }
    }
}

/// Takes a file, and puts it in the queue.
fn upload<'a>(request: Request<'_>, state: &State) -> Result<Response<'a>, Refusal> {
    request.has_type("application/octet-stream")?;
    let query = |name: &str| request.head.query(name).unwrap_or_default();
    let choice = Choice::new(&query("kind"), &query("map"), &query("alphabet"))?;
    let wanted = query("format");
    let format = formats().find(|format| format.name == wanted || wanted.is_empty());
    let format =
        format.ok_or_else(|| Refusal::new(Status::UNREADABLE, "there is no such format for answers"))?;
    let (name, is_unique) = (label(&query("name")), query("unique") == "1");
    let size = request.head.body_len(FILE_BYTES)?;
    let _place = state.files.upload_place()?;
    let mut file = tempfile::tempfile().map_err(cannot_keep)?;
    request.copy_body(size, &mut file)?;
    let upload = Upload { file, name, choice, format, is_unique };
    let job = state.files.add(state.tokens.next(), size, upload)?;
    Ok(Response::json(&job.progress()))
}

/// The upload cannot be written to the temporary file.
fn cannot_keep(error: io::Error) -> Refusal {
    Refusal::new(Status::FAULT, format!("the file cannot be kept: {error}"))
}

/// Characters of a file's name that are kept.
const NAME_LEN: usize = 80;

/// The name of an upload in messages and in the report. It is never opened.
fn label(name: &str) -> PathBuf {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let kept: String = last.chars().filter(|c| !c.is_control()).take(NAME_LEN).collect();
    if kept.is_empty() { "upload".into() } else { kept.into() }
}

impl Request<'_> {
    /// Fails unless the body has this type. A form cannot send it to another site.
    fn has_type(&self, wanted: &str) -> Result<(), Refusal> {
        let given = self.head.header("content-type")?.unwrap_or_default();
        match given.split(';').next().is_some_and(|given| given.trim().eq_ignore_ascii_case(wanted)) {
            true => Ok(()),
            false => Err(Refusal::new(Status::WRONG_TYPE, format!("the Content-Type must be {wanted}"))),
        }
    }

    /// Reads the body of a request about one puzzle.
    fn json(&self) -> Result<Vec<u8>, Refusal> {
        self.has_type("application/json")?;
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

    /// Copies a body of `len` bytes to `file`.
    fn copy_body(&self, len: u64, file: &mut File) -> Result<(), Refusal> {
        let came = self.body(len);
        file.write_all(came).map_err(cannot_keep)?;
        self.expects_more()?;
        let (mut left, mut stream) = (len - came.len() as u64, Timed::new(self.stream, FILE_TIME));
        let mut block = vec![0; 64 << 10];
        while left > 0 {
            let most = block.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let read = stream.read(&mut block[..most])?;
            if read == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            file.write_all(&block[..read]).map_err(cannot_keep)?;
            left -= read as u64;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_has_no_folder_and_a_limited_length() {
        assert_eq!(label("../../etc/passwd"), PathBuf::from("passwd"));
        assert_eq!(label("C:\\x\\y.txt"), PathBuf::from("y.txt"));
        assert_eq!(label("/"), PathBuf::from("upload"));
        assert_eq!(label(&"ä".repeat(1_000)).to_str().unwrap().chars().count(), NAME_LEN);
        assert_eq!(label("a\nb\u{1b}c"), PathBuf::from("abc"));
    }
}
