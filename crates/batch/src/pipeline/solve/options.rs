//! How a run is done.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use crate::engine::Isa;
use crate::options::NEVER;
use crate::output::{self, AnswerColumn, FormatEntry};
use crate::pipeline::crosscheck::Sample;
use crate::pipeline::{BATCH_CHUNK_BYTES, CHUNK_BYTES};
use crate::puzzle::Limits;

use super::selection::Selection;

/// Bytes of a chunk if all solutions are printed: 25 puzzles. Their page has 4 MB if each has 1,000 solutions.
const LISTED_CHUNK_BYTES: usize = 2 * 1024;

crate::options! {
    /// How a run is done. What it solves comes with [`SolveRun::open`](super::SolveRun::open).
    #[derive(Clone, Copy, Debug)]
    SolveOptions<'a> {
        /// Where searches stop.
        limits: Limits = Limits::ANY,
        /// Whether every solution of a puzzle is printed, a record each, up to [`limits`](Self::limits). They are held
        /// in memory until the page of the puzzle is written.
        all: bool = false,
        /// Which records are printed; `None` for all of them.
        selection: Option<&'a Selection> = None,
        /// Worker threads; `None` for one a core.
        threads: Option<NonZero<usize>> = None,
        /// The format of the output.
        format: &'static FormatEntry = &output::FORMATS[0],
        /// The columns of a format that has some, in order; `None` for the usual ones.
        columns: Option<&'a [&'static AnswerColumn]> = None,
        /// Bytes of input a chunk, the same for any number of threads; `None` for what suits the engine:
        /// [`CHUNK_BYTES`], or `BATCH_CHUNK_BYTES` if it solves many puzzles at once.
        chunk_bytes: Option<NonZero<usize>> = None,
        /// The instruction set of engines that are compiled for several.
        isa: Isa = Isa::best(),
        /// Which puzzles another engine solves again, if any.
        crosscheck: Option<Sample> = None,
        /// Whether each puzzle's time is measured.
        times: bool = true,
        /// How many of the slowest puzzles are kept. The page of a report has room for four beside each other.
        slowest: usize = 4,
        /// Once this is true the run ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped), after the puzzles
        /// that are being solved.
        stop: &'a AtomicBool = &NEVER,
    }
}

impl SolveOptions<'_> {
    /// Bytes of a chunk, for an engine that solves many puzzles at once (`is_batched`) or not.
    pub(super) fn chunk_bytes_for(&self, is_batched: bool) -> usize {
        let usual = match is_batched {
            _ if self.all => LISTED_CHUNK_BYTES,
            true => BATCH_CHUNK_BYTES,
            false => CHUNK_BYTES,
        };
        self.chunk_bytes.map_or(usual, NonZero::get)
    }
}
