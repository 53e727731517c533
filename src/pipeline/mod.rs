//! Chunks of a source handed to all cores, and what becomes of them taken back in order.
//!
//! ```text
//!   caller's thread                       workers (rayon)
//!   ---------------                       ---------------
//!   next chunk, with a free slot  ----->  work: the chunk's result goes into the slot
//!   the oldest slot, when done    <-----
//!   deliver it, free it
//! ```
//! There are a few slots a thread, so memory is bounded whatever the size of the input; a result waits in its
//! slot until all earlier ones are delivered. The caller's thread reads and delivers but is no worker: it may
//! block without stopping one. (Windows of chunks with a barrier between them keep order too, but at every
//! barrier the workers idle for the slowest chunk of the window.)

pub mod check;
pub mod crosscheck;
mod error;
pub mod solve;
pub mod verify;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};

use galop_cover::threads;
use rayon::ThreadPool;

use crate::error::{Error, ErrorKind};
use crate::input;
use crate::input::format::{Header, Shape, Spelling};
use crate::input::reader::Reader;
use crate::input::source::Source;
pub use error::{ColumnsDiffer, Disagreement, Opinion};

/// Bytes of a chunk: 400 puzzles, small enough that all cores have something to do on a small file, large
/// enough that handing it over (microseconds) does not count.
pub const CHUNK_BYTES: usize = 32 * 1024;

/// Bytes of a chunk for engines that solve many puzzles at once: 6,000 puzzles, so that their lanes are full
/// nearly all of the time. Half of it costs such an engine 4 %, a quarter 10; the double is no faster and takes
/// twice the memory. The road around the engine does not care.
///
/// Memory of its own at most (RssAnon): one thread 6 MiB, two 11; 12 and 19 where the input is not mapped.
pub const BATCH_CHUNK_BYTES: usize = 512 * 1024;

/// Slots a thread, for chunks of so many bytes: enough of them that a worker finds work while the oldest chunk
/// is being written, and of large ones no more than that, as their memory counts.
fn slots_per_thread(chunk_bytes: usize) -> usize {
    (8 * CHUNK_BYTES / chunk_bytes.max(1)).clamp(2, 8)
}

/// Threads, a worker for each, and the slots that go round between them. `W` is what a thread keeps between
/// chunks, `S` what a chunk becomes.
pub(crate) struct Crew<W, S> {
    pool: ThreadPool,
    /// One for each thread of the pool, which alone locks it.
    workers: Vec<Mutex<W>>,
    slots: Vec<Slot<S>>,
    slot: Box<dyn Fn() -> S + Send>,
}

/// A chunk's result, and the buffer its bytes were read into. Used again and again.
struct Slot<S> {
    result: S,
    spare: Vec<u8>,
    /// Offset in the source behind the chunk.
    end: u64,
    /// The task panicked: there is no result.
    is_lost: bool,
}

/// A chunk as a worker sees it.
pub(crate) struct Piece<'a> {
    /// Whole lines.
    pub(crate) bytes: &'a [u8],
    /// Whether the first record of the source, or the header of its table, is here.
    pub(crate) is_first: bool,
    /// How its lines are read.
    pub(crate) shape: &'a dyn Shape,
    stops: [&'a AtomicBool; 2],
}

impl Piece<'_> {
    /// Whether the work is no longer wanted.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stops.iter().any(|stop| stop.load(Ordering::Relaxed))
    }
}

impl<W: Send, S: Send> Crew<W, S> {
    /// Starts `threads` threads (0: one a core) and makes a worker for each.
    pub(crate) fn new(
        threads: usize,
        worker: impl Fn() -> Result<W, Error>,
        slot: impl Fn() -> S + Send + 'static,
    ) -> Result<Self, Error> {
        let threads = threads::count(NonZero::new(threads)).get();
        let workers = (0..threads).map(|_| worker().map(Mutex::new)).collect::<Result<_, Error>>()?;
        let pool = threads::start(NonZero::new(threads))?;
        Ok(Crew { pool, workers, slots: Vec::new(), slot: Box::new(slot) })
    }

    /// How many threads there are.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Sends the chunks of `source` through `work`, and their results in order through `deliver`, with the
    /// offset reached. `recognised` hears the name of the source's shape, and the
    /// header of a table, before the first chunk that has a record.
    ///
    /// # Errors
    /// What reading, `recognised` or `deliver` fails with; the tasks under way then see [`Piece::is_stopped`].
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn run(
        &mut self,
        source: &mut Source,
        (chunk_bytes, spelling): (usize, Spelling),
        stop: &AtomicBool,
        recognised: impl FnOnce(&'static str, Option<Header<'_>>) -> Result<(), Error>,
        work: impl Fn(&mut W, &mut S, Piece<'_>) + Sync,
        mut deliver: impl FnMut(&mut S, u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Crew { pool, workers, slots, slot } = self;
        // All of them at first; later those that went down with an error.
        let slot = || Slot { result: slot(), spare: Vec::new(), end: 0, is_lost: false };
        slots.resize_with(workers.len() * slots_per_thread(chunk_bytes) + 2, slot);
        let (workers, work) = (&*workers, &work);
        let name = source.name().to_owned();
        let mut reader = Reader::new(source, chunk_bytes, spelling);
        let mut recognised = Some(recognised);
        let mut queue = Queue::default();
        let (send, receive) = channel();
        let abandoned = AtomicBool::new(false);
        let abandoned = &abandoned;

        pool.in_place_scope_fifo(|scope| {
            // However this closure ends, whatever is still under way is then not wanted.
            let _guard = SetOnDrop(abandoned);
            let mut is_read = false;
            loop {
                while !is_read && let Some(mut slot) = slots.pop() {
                    let Some(read) = reader.next(std::mem::take(&mut slot.spare))? else {
                        is_read = true;
                        slots.push(slot);
                        break;
                    };
                    if let Some(recognised) = recognised.take_if(|_| read.is_first) {
                        recognised(reader.shape().unwrap_or_default(), read.header())?;
                    }
                    let input::reader::Piece { chunk, is_first, shape } = read;
                    slot.end = chunk.end;
                    let mut reply = Reply { number: queue.enter(), slot: Some(slot), sender: send.clone() };
                    scope.spawn_fifo(move |_| {
                        let index = rayon::current_thread_index().unwrap_or(0);
                        let mut worker = workers[index].lock().unwrap_or_else(PoisonError::into_inner);
                        if let Some(slot) = &mut reply.slot {
                            let stops = [stop, abandoned];
                            let piece = Piece { bytes: &chunk.bytes, is_first, shape: shape.as_ref(), stops };
                            work(&mut worker, &mut slot.result, piece);
                            if let Cow::Owned(spare) = chunk.bytes {
                                slot.spare = spare;
                            }
                        }
                    });
                }
                if queue.is_empty() {
                    return Ok(());
                }
                queue.receive(&receive);
                while let Some(mut slot) = queue.leave() {
                    if slot.is_lost || stop.load(Ordering::Relaxed) {
                        return Err(Error::at(&name, ErrorKind::Stopped));
                    }
                    deliver(&mut slot.result, slot.end)?;
                    slots.push(slot);
                }
            }
        })
    }

    /// What the threads kept.
    pub(crate) fn into_workers(self) -> impl Iterator<Item = W> {
        self.workers.into_iter().map(|worker| worker.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A chunk's slot on its way back to the caller's thread, also when its task panics.
struct Reply<S> {
    number: u64,
    slot: Option<Slot<S>>,
    sender: Sender<(u64, Slot<S>)>,
}

impl<S> Drop for Reply<S> {
    fn drop(&mut self) {
        if let Some(mut slot) = self.slot.take() {
            slot.is_lost = std::thread::panicking();
            // After an error nobody listens any more.
            self.sender.send((self.number, slot)).ok();
        }
    }
}

struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Chunks under way: puts them back in order.
struct Queue<S> {
    /// The number of the chunk at the front of `done`.
    front: u64,
    done: VecDeque<Option<Slot<S>>>,
}

impl<S> Default for Queue<S> {
    fn default() -> Self {
        Queue { front: 0, done: VecDeque::new() }
    }
}

impl<S> Queue<S> {
    fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// A place at the end; its number.
    fn enter(&mut self) -> u64 {
        self.done.push_back(None);
        self.front + self.done.len() as u64 - 1
    }

    /// Waits for any chunk.
    fn receive(&mut self, receive: &Receiver<(u64, Slot<S>)>) {
        // The caller's thread holds a sender itself: the channel cannot close.
        if let Ok((number, slot)) = receive.recv()
            && let Some(place) = self.done.get_mut((number - self.front) as usize)
        {
            *place = Some(slot);
        }
    }

    /// The chunk at the front, if it is done.
    fn leave(&mut self) -> Option<Slot<S>> {
        self.done.front()?.as_ref()?;
        self.front += 1;
        self.done.pop_front()?
    }
}
