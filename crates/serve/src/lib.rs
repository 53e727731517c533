//! A page to use in the browser: type a puzzle, solve it, see why.
//!
//! The page is one HTML file in the program, which loads nothing from elsewhere. Its script asks the [`Server`] for
//! everything; the library has the rules of all kinds of puzzles, the notations and the engines.
//!
//! # HTTP
//! ```text
//! accept -> queue of limited length -> threads: read one request, answer it, close     503 if the queue is full
//! ```
//! Requests are parsed by `httparse`, the parser of hyper, which has no dependencies; the standard library accepts the
//! connections. `tiny_http` would be a whole server, but it reads a request without a limit of time and starts a thread
//! for each connection without a limit of number, and neither can be set. Here, each byte that a client sends is read
//! by a deadline and counts towards a limit (`limits.rs`).
//!
//! A connection has one request. So a browser that keeps connections open for later takes no threads, and no request
//! can hide behind another one.
//!
//! # Safety
//! The server listens on the address that it is given, and only requests to that address, from no other site, are
//! answered (`guard.rs`). Requests name no files of the machine (`routes.rs`). Time and guesses of each search are
//! limited, and so are the number and age of the lists of solutions that are kept (`search.rs`). A panic ends one
//! request.

mod candidates;
mod explanation;
mod guard;
mod limits;
mod message;
mod page;
mod pool;
mod puzzle;
mod routes;
mod search;
mod techniques;
mod token;

use galop_cover::threads;
use std::io::{self, Read};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::sleep;
use std::time::Instant;

use limits::{HEAD_TIME, THREADS, TICK, WAITING_CONNECTIONS};
use message::{Head, Refusal, Response, Status, Timed};
use page::Page;
use routes::Request;
use search::{Lists, Places};
use token::Tokens;

/// Serves the page.
///
/// ```no_run
/// use std::sync::atomic::AtomicBool;
/// use galop_serve::Server;
///
/// let server = Server::bind("127.0.0.1:0".parse()?)?;
/// println!("http://{}/", server.address());
/// server.run(&AtomicBool::new(false))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.state.address).finish_non_exhaustive()
    }
}

/// What all requests share.
struct State {
    address: SocketAddr,
    page: Page,
    places: Places,
    lists: Lists,
    tokens: Tokens,
}

impl Server {
    /// Listens on `address`. Port 0 means any free one. Everybody who reaches the address can use the server; unless it
    /// is a loopback address, other machines can.
    ///
    /// # Errors
    /// If the address is in use, or not one of this machine.
    pub fn bind(address: SocketAddr) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let state = State {
            address,
            page: Page::new(),
            places: Places::new(),
            lists: Lists::default(),
            tokens: Tokens::default(),
        };
        Ok(Server { listener, state: Arc::new(state) })
    }

    /// The address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.state.address
    }

    /// Answers requests until `stop` is true. Requests that are being answered then are given up if the process ends.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn run(self, stop: &AtomicBool) -> io::Result<()> {
        let Server { listener, state } = self;
        let (queue, arrived) = sync_channel(WAITING_CONNECTIONS);
        let arrived = Arc::new(Mutex::new(arrived));
        for _ in 0..THREADS {
            let (state, arrived) = (Arc::clone(&state), Arc::clone(&arrived));
            start("galop-serve", move || work(&state, &arrived))?;
        }
        let is_closed = Arc::new(AtomicBool::new(false));
        let closed = Arc::clone(&is_closed);
        start("galop-accept", move || accept(&listener, &queue, &closed))?;

        while !stop.load(Ordering::Relaxed) {
            sleep(TICK);
            state.lists.drop_old(Instant::now());
        }
        is_closed.store(true, Ordering::Relaxed);
        // The thread that accepts wakes up for this one.
        TcpStream::connect(state.address).ok();
        Ok(())
    }
}

fn start(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    threads::spawn(name, work).map(drop)
}

/// Accepts connections, and refuses those for which the queue has no place.
fn accept(listener: &TcpListener, queue: &SyncSender<TcpStream>, is_closed: &AtomicBool) {
    loop {
        let accepted = listener.accept();
        if is_closed.load(Ordering::Relaxed) {
            return;
        }
        // No file descriptor is free, or the client is gone already.
        let Ok((stream, _)) = accepted else {
            sleep(TICK);
            continue;
        };
        if let Err(TrySendError::Full(stream)) = queue.try_send(stream) {
            // So small a response fits the buffer of the socket: this does not wait for the client.
            let refusal = Refusal::new(Status::BUSY, "too many requests wait; try again in a moment");
            stream.set_nonblocking(true).ok();
            Response::refusal(&refusal).write(&stream).ok();
            // A connection with unread bytes would be reset.
            io::copy(&mut (&stream).take(limits::HEAD_BYTES as u64), &mut io::sink()).ok();
        }
    }
}

/// Answers one connection after the other, until there will be no more.
fn work(state: &State, arrived: &Mutex<Receiver<TcpStream>>) {
    loop {
        let next = arrived.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(stream) = next else { return };
        serve(&stream, |request| routes::answer(request, state));
    }
}

/// Reads a request, and writes what `answer` makes of it. If that panics, the client gets 500.
fn serve<'a>(stream: &TcpStream, answer: impl FnOnce(Request<'_>) -> Result<Response<'a>, Refusal>) {
    stream.set_nodelay(true).ok();
    let mut rest = Vec::new();
    let response = match Head::read(&mut Timed::new(stream, HEAD_TIME), &mut rest) {
        Ok(None) => return,
        Ok(Some(head)) => catch_unwind(AssertUnwindSafe(|| answer(Request { head, rest, stream })))
            .unwrap_or_else(|_| Err(Refusal::new(Status::FAULT, "a fault in galop ended this request"))),
        Err(refusal) => Err(refusal),
    };
    let response = response.unwrap_or_else(|refusal| Response::refusal(&refusal));
    // A body that is written while it is found may panic as well: then the client gets no more of it.
    if let Ok(Ok(())) = catch_unwind(AssertUnwindSafe(|| response.write(stream))) {
        message::close(stream);
    }
}

/// The example of the README is compiled with the others.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_panic_ends_one_request_only() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        for is_fault in [true, false] {
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
            let (stream, _) = listener.accept().unwrap();
            serve(&stream, |_| {
                assert!(!is_fault, "a fault");
                Ok(Response::json(&1))
            });
            let mut response = String::new();
            client.read_to_string(&mut response).unwrap();
            let first = if is_fault { "HTTP/1.1 500 " } else { "HTTP/1.1 200 " };
            assert!(response.starts_with(first), "{response}");
        }
    }
}
