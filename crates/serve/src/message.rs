//! Requests and responses as HTTP/1.1 writes them (RFC 9112), within the [limits](super::limits).

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::{Duration, Instant};

use super::limits::{HEAD_BYTES, HEADERS, LINGER_BYTES, LINGER_TIME, RESPONSE_TIME};

/// The status of a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Status(pub(super) u16, pub(super) &'static str);

impl Status {
    pub(super) const OK: Status = Status(200, "OK");
    pub(super) const BAD_REQUEST: Status = Status(400, "Bad Request");
    pub(super) const FORBIDDEN: Status = Status(403, "Forbidden");
    pub(super) const NOT_FOUND: Status = Status(404, "Not Found");
    pub(super) const WRONG_METHOD: Status = Status(405, "Method Not Allowed");
    pub(super) const TIMEOUT: Status = Status(408, "Request Timeout");
    pub(super) const GONE: Status = Status(410, "Gone");
    pub(super) const LENGTH_REQUIRED: Status = Status(411, "Length Required");
    pub(super) const TOO_LARGE: Status = Status(413, "Content Too Large");
    pub(super) const WRONG_TYPE: Status = Status(415, "Unsupported Media Type");
    pub(super) const UNREADABLE: Status = Status(422, "Unprocessable Content");
    pub(super) const HEAD_TOO_LARGE: Status = Status(431, "Request Header Fields Too Large");
    pub(super) const FAULT: Status = Status(500, "Internal Server Error");
    pub(super) const BUSY: Status = Status(503, "Service Unavailable");
}

/// The head of a request.
#[derive(Debug, Default)]
pub(super) struct Head {
    pub(super) method: String,
    /// The path without the query.
    pub(super) path: String,
    headers: Vec<(String, String)>,
}

/// Why a request is refused: the status, and the reason in words.
#[derive(Debug)]
pub(super) struct Refusal(pub(super) Status, pub(super) String);

impl Refusal {
    pub(super) fn new(status: Status, reason: impl Into<String>) -> Refusal {
        Refusal(status, reason.into())
    }
}

impl From<io::Error> for Refusal {
    /// Reading from the client failed.
    fn from(error: io::Error) -> Refusal {
        match error.kind() {
            io::ErrorKind::TimedOut => Refusal::new(Status::TIMEOUT, "the request came too slowly"),
            _ => Refusal::new(Status::BAD_REQUEST, "the request is incomplete"),
        }
    }
}

impl Head {
    /// Reads the head of a request. `rest` gets the bytes of the body that came with it. `None`: the client sent
    /// nothing.
    pub(super) fn read(stream: &mut impl Read, rest: &mut Vec<u8>) -> Result<Option<Head>, Refusal> {
        let mut bytes = Vec::with_capacity(1024);
        let mut block = [0; 1024];
        loop {
            let read = stream.read(&mut block)?;
            if read == 0 {
                return if bytes.is_empty() {
                    Ok(None)
                } else {
                    Err(io::Error::from(io::ErrorKind::UnexpectedEof).into())
                };
            }
            bytes.extend_from_slice(&block[..read]);
            if let Some((head, len)) = Head::parse(&bytes)? {
                rest.extend_from_slice(&bytes[len..]);
                return Ok(Some(head));
            }
            if bytes.len() >= HEAD_BYTES {
                let reason = format!("the head has more than {HEAD_BYTES} bytes");
                return Err(Refusal::new(Status::HEAD_TOO_LARGE, reason));
            }
        }
    }

    /// The head at the start of `bytes` and its length; `None` if it is not there whole.
    fn parse(bytes: &[u8]) -> Result<Option<(Head, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let len = match request.parse(bytes) {
            Ok(httparse::Status::Complete(len)) => len,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => {
                let reason = format!("the head has more than {HEADERS} headers");
                return Err(Refusal::new(Status::HEAD_TOO_LARGE, reason));
            }
            Err(error) => {
                return Err(Refusal::new(Status::BAD_REQUEST, format!("this is not HTTP: {error}")));
            }
        };
        let target = request.path.unwrap_or_default();
        let path = target.split_once('?').map_or(target, |(path, _)| path);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let header = |header: &httparse::Header<'_>| (header.name.to_ascii_lowercase(), text(header.value));
        let head = Head {
            method: request.method.unwrap_or_default().to_owned(),
            path: path.to_owned(),
            headers: request.headers.iter().map(header).collect(),
        };
        Ok(Some((head, len)))
    }

    /// The value of the header `name`, in lowercase, which may not come twice.
    pub(super) fn header(&self, name: &str) -> Result<Option<&str>, Refusal> {
        let mut values =
            self.headers.iter().filter(|(other, _)| other == name).map(|(_, value)| value.trim());
        let first = values.next();
        match values.next() {
            Some(_) => Err(Refusal::new(Status::BAD_REQUEST, format!("the header {name} occurs twice"))),
            None => Ok(first),
        }
    }

    /// The length of the body, which is at most `limit` bytes.
    pub(super) fn body_len(&self, limit: u64) -> Result<u64, Refusal> {
        if self.header("transfer-encoding")?.is_some() {
            return Err(Refusal::new(Status::LENGTH_REQUIRED, "a body needs a Content-Length"));
        }
        let len = match self.header("content-length")? {
            None if self.method == "POST" => {
                return Err(Refusal::new(Status::LENGTH_REQUIRED, "a body needs a Content-Length"));
            }
            None => 0,
            Some(len) if !len.is_empty() && len.bytes().all(|byte| byte.is_ascii_digit()) => {
                len.parse().unwrap_or(u64::MAX)
            }
            Some(_) => return Err(Refusal::new(Status::BAD_REQUEST, "the Content-Length is not a number")),
        };
        match len <= limit {
            true => Ok(len),
            false => Err(Refusal::new(Status::TOO_LARGE, format!("the body has more than {limit} bytes"))),
        }
    }
}

/// A part of a path with each `%41` as the character that it stands for.
pub(super) fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped =
            after.get(..2).filter(|_| *first == b'%').and_then(|digits| std::str::from_utf8(digits).ok());
        let (byte, len) = match escaped.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => (byte, 3),
            None => (*first, 1),
        };
        bytes.push(byte);
        rest = &rest[len..];
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A stream whose reads and writes end with [`TimedOut`](io::ErrorKind::TimedOut) at a point in time.
#[derive(Debug)]
pub(super) struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl<'a> Timed<'a> {
    pub(super) fn new(stream: &'a TcpStream, time: Duration) -> Timed<'a> {
        Timed { stream, end: Instant::now() + time }
    }

    /// The time that is left.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Timed<'_> {
    /// Whether the other side has closed the connection, which ends work that is only for it.
    pub(super) fn is_closed(&self) -> bool {
        let peeked = self.stream.set_nonblocking(true).and_then(|()| self.stream.peek(&mut [0]));
        self.stream.set_nonblocking(false).is_err()
            || match peeked {
                Ok(bytes) => bytes == 0,
                Err(error) => error.kind() != io::ErrorKind::WouldBlock,
            }
    }
}

/// The system calls the end of a timeout `WouldBlock` or `TimedOut`.
fn timed_out(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::WouldBlock { io::ErrorKind::TimedOut.into() } else { error }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        (&mut &*self.stream).read(bytes).map_err(timed_out)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        (&mut &*self.stream).write(bytes).map_err(timed_out)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a client gets. It may borrow from what the server keeps.
pub(super) struct Response<'a> {
    pub(super) status: Status,
    pub(super) content_type: &'static str,
    /// The content-security policy.
    pub(super) policy: &'a str,
    pub(super) body: Body<'a>,
}

/// The body of a response.
pub(super) enum Body<'a> {
    Bytes(Cow<'a, [u8]>),
    /// What is written while it is found. The end of the connection ends it.
    Written(Box<dyn FnOnce(&mut Timed<'_>) -> io::Result<()> + 'a>),
}

/// The policy of everything that is not a page: nothing may be loaded or run.
const NOTHING: &str =
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";

impl<'a> Response<'a> {
    /// A response that is not a page.
    pub(super) fn new(status: Status, content_type: &'static str, body: Vec<u8>) -> Response<'a> {
        let body = Body::Bytes(body.into());
        Response { status, content_type, policy: NOTHING, body }
    }

    /// A page with this policy.
    pub(super) fn page(html: &'a str, policy: &'a str) -> Response<'a> {
        let body = Body::Bytes(html.as_bytes().into());
        Response { status: Status::OK, content_type: "text/html; charset=utf-8", policy, body }
    }

    /// JSON.
    pub(super) fn json(value: &impl serde::Serialize) -> Response<'a> {
        Response::new(Status::OK, "application/json", serde_json::to_vec(value).unwrap_or_default())
    }

    /// Lines of JSON, each written when `write` finds it.
    pub(super) fn lines(write: impl FnOnce(&mut Timed<'_>) -> io::Result<()> + 'a) -> Response<'a> {
        let empty = Response::new(Status::OK, "application/x-ndjson", Vec::new());
        Response { body: Body::Written(Box::new(write)), ..empty }
    }

    /// A refusal, as JSON.
    pub(super) fn refusal(Refusal(status, reason): &Refusal) -> Response<'a> {
        let body = serde_json::json!({ "error": reason });
        Response::new(*status, "application/json", body.to_string().into_bytes())
    }

    /// Writes it. The connection ends with it.
    pub(super) fn write(self, stream: &TcpStream) -> io::Result<()> {
        let Response { status: Status(code, words), content_type, policy, body } = self;
        let len = match &body {
            Body::Bytes(bytes) => format!("Content-Length: {}\r\n", bytes.len()),
            Body::Written(_) => String::new(),
        };
        let mut head = format!(
            "HTTP/1.1 {code} {words}\r\nContent-Type: {content_type}\r\n{len}Connection: close\r\n\
             Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\n\
             Referrer-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
             Content-Security-Policy: {policy}\r\n"
        );
        match code {
            405 => head.push_str("Allow: GET, POST\r\n"),
            503 => head.push_str("Retry-After: 1\r\n"),
            _ => {}
        }
        head.push_str("\r\n");
        let mut out = Timed::new(stream, RESPONSE_TIME);
        let mut bytes = head.into_bytes();
        match body {
            // One write: a small response is one packet.
            Body::Bytes(body) => {
                bytes.extend_from_slice(&body);
                out.write_all(&bytes)
            }
            Body::Written(write) => {
                out.write_all(&bytes)?;
                write(&mut out)
            }
        }
    }
}

/// Ends a connection. If the client still sends, a little of that is read: closing at once would reset the connection,
/// and the client might lose the response.
pub(super) fn close(stream: &TcpStream) {
    if stream.shutdown(Shutdown::Write).is_ok() {
        io::copy(&mut Timed::new(stream, LINGER_TIME).take(LINGER_BYTES), &mut io::sink()).ok();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<Option<Head>, u16> {
        let mut bytes = bytes;
        Head::read(&mut bytes, &mut Vec::new()).map_err(|Refusal(status, _)| status.0)
    }

    #[test]
    fn a_head_is_read_and_the_rest_kept() {
        let text = b"POST /a/b?name=one HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc";
        let (mut stream, mut rest) = (&text[..], Vec::new());
        let head = Head::read(&mut stream, &mut rest).unwrap().unwrap();
        assert_eq!((&*head.method, &*head.path, &*rest), ("POST", "/a/b", &b"abc"[..]));
        assert_eq!(head.header("host").unwrap(), Some("h"));
        assert_eq!((head.body_len(3).unwrap(), head.body_len(2).unwrap_err().0.0), (3, 413));
        assert_eq!(decoded("a+%41%zz%e2%9c%93%"), "a+A%zz✓%");
        assert!(read(b"").unwrap().is_none());
    }

    #[test]
    fn heads_that_are_too_large_or_no_http_are_refused() {
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(HEADERS + 1));
        assert_eq!(read(many.as_bytes()).unwrap_err(), 431);
        assert_eq!(read(format!("GET /{}", "a".repeat(2 * HEAD_BYTES)).as_bytes()).unwrap_err(), 431);
        for text in [
            "GET",
            "GET / HTTP/1.1\r\nHost: h\r\n",
            "\0\0\0",
            "GET / HTTP/1.1\r\n: x\r\n\r\n",
            "GET / HTTP/9.9\r\n\r\n",
        ] {
            assert_eq!(read(text.as_bytes()).unwrap_err(), 400, "{text:?}");
        }
    }

    #[test]
    fn a_length_is_one_number() {
        let of = |headers: &str| {
            let head = read(format!("POST / HTTP/1.1\r\n{headers}\r\n").as_bytes()).unwrap().unwrap();
            head.body_len(100).map_err(|Refusal(status, _)| status.0)
        };
        assert_eq!(of("Content-Length: 100\r\n"), Ok(100));
        assert_eq!(of(""), Err(411));
        assert_eq!(of("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), Err(411));
        for wrong in ["-1", "+1", "1,1", "", "0x5"] {
            assert_eq!(of(&format!("Content-Length: {wrong}\r\n")), Err(400), "{wrong}");
        }
        assert_eq!(of("Content-Length: 1\r\nContent-Length: 1\r\n"), Err(400));
        assert_eq!(of(&format!("Content-Length: {}\r\n", "9".repeat(40))), Err(413));
    }
}
