//! How a run is done.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use crate::engine::Isa;
use crate::output::{self, Column, FormatEntry};
use crate::pipeline::crosscheck::Sample;
use crate::pipeline::{BATCH_CHUNK_BYTES, CHUNK_BYTES};
use crate::puzzle::Limits;

use super::selection::Selection;

/// Bytes of a chunk if all solutions are printed: 100 puzzles. With fewer of them, each may have more solutions before a
/// page is full.
const LISTED_CHUNK_BYTES: usize = 8 * 1024;

/// How a run is done. What it solves comes with [`SolveRun::open`](super::SolveRun::open).
#[derive(Clone, Copy, Debug)]
pub struct SolveOptions<'a> {
    /// Where searches stop.
    pub limits: Limits,
    /// Whether all solutions of a puzzle are printed that [`limits`](Self::limits) allow, a record each.
    pub all: bool,
    /// Which records are printed; `None` for all of them.
    pub selection: Option<&'a Selection>,
    /// Worker threads; `None` for one a core.
    pub threads: Option<NonZero<usize>>,
    /// The format of the output.
    pub format: &'static FormatEntry,
    /// The columns of a format that has some, in order; `None` for the usual ones.
    pub columns: Option<&'a [&'static Column]>,
    /// Bytes of input a chunk, the same for any number of threads; `None` for what suits the engine:
    /// [`CHUNK_BYTES`], or `BATCH_CHUNK_BYTES` if it solves many puzzles at once.
    pub chunk_bytes: Option<NonZero<usize>>,
    /// The instruction set of engines that are compiled for several.
    pub isa: Isa,
    /// Which puzzles another engine solves again, if any.
    pub crosscheck: Option<Sample>,
    /// Whether each puzzle's time is measured.
    pub times: bool,
    /// How many of the slowest puzzles are kept.
    pub slowest: usize,
    /// Once this is true the run ends with [`ErrorKind::Stopped`](crate::ErrorKind::Stopped), after the puzzles that
    /// are being solved.
    pub stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for SolveOptions<'_> {
    fn default() -> Self {
        SolveOptions {
            limits: Limits::ANY,
            all: false,
            selection: None,
            threads: None,
            format: &output::FORMATS[0],
            columns: None,
            chunk_bytes: None,
            isa: Isa::best(),
            crosscheck: None,
            times: true,
            slowest: 5,
            stop: &NEVER,
        }
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
