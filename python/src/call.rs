//! A long call: other threads of the interpreter run meanwhile, Ctrl-C stops it, its progress is reported.
//!
//! ```text
//! thread that called             thread of the call            workers
//! ------------------             ------------------            -------
//! lets go of the interpreter --> work                    -->   blocks of puzzles
//! every 50 ms: signals?                                         count what is done, look whether to stop
//!              progress
//! <-- result                <--
//! ```

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, scope};
use std::time::Duration;

use galop::SolveError;
use galop_cover::threads;
use galop_engines::Control;
use numpy::PyReadonlyArray2;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::error::{of_batch, value_error};
use crate::rules::Rules;

/// Time between two looks at signals.
const TICK: Duration = Duration::from_millis(50);

/// Bytes of the stack of the thread of a call, as many as the main thread of a program has.
const STACK_BYTES: usize = 8 << 20;

/// What is called back with the puzzles done, and with `total` if it is known.
#[derive(Default)]
pub(crate) struct Watch<'a> {
    pub(crate) progress: Option<&'a Py<PyAny>>,
    pub(crate) total: Option<u64>,
}

/// Does `work` on a thread of its own. A signal handler that raises, and a callback that raises, stop `control`; the
/// call then raises what they raised.
pub(crate) fn long<T: Send>(
    py: Python<'_>,
    control: &Control,
    watch: &Watch<'_>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let report = |py: Python<'_>, done: usize| match watch.progress {
        Some(progress) => progress.call1(py, (done, watch.total)).map(drop),
        None => Ok(()),
    };
    let result = py.detach(|| {
        scope(|scope| {
            let (sender, receiver) = channel::<()>();
            let thread = Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, move || {
                let _sender = sender;
                work()
            });
            let thread =
                thread.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
            let mut raised = None;
            // The sender is dropped when the work ends.
            while let Err(RecvTimeoutError::Timeout) = receiver.recv_timeout(TICK) {
                if raised.is_some() {
                    continue;
                }
                let looked =
                    Python::attach(|py| py.check_signals().and_then(|()| report(py, control.done())));
                if let Err(error) = looked {
                    control.stop();
                    raised = Some(error);
                }
            }
            let result = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map_or(result, Err)
        })
    })?;
    // A signal at the very end.
    py.check_signals()?;
    report(py, control.done())?;
    Ok(result)
}

/// Does `work` on the cells of rows of puzzles, as [`long`]; the progress counts rows.
pub(crate) fn over_rows<T: Send>(
    py: Python<'_>,
    rules: &Rules,
    puzzles: &PyReadonlyArray2<'_, u8>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&[u8], &Control) -> PyResult<T> + Send,
) -> PyResult<T> {
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let control = Control::default();
    let watch = Watch { progress, total: Some((puzzles.len() / rules.cells()) as u64) };
    long(py, &control, &watch, || work(puzzles, &control))
}

/// Fails once `control` is stopped.
pub(crate) fn check(control: &Control) -> PyResult<()> {
    if control.is_stopped() { Err(of_batch(SolveError::Stopped)) } else { Ok(()) }
}

/// Threads: 0 or `None` is one for each core.
pub(crate) fn threads_of(threads: Option<usize>) -> Option<NonZero<usize>> {
    threads.and_then(NonZero::new)
}

/// Calls `work` for each of `blocks`, on several threads, with what `make` made for the thread. The results are in the
/// order of the blocks.
pub(crate) fn in_blocks<B: Send, W: Send, T: Send>(
    threads: Option<usize>,
    blocks: Vec<B>,
    make: impl Fn() -> PyResult<W> + Sync,
    work: impl Fn(&mut W, B) -> PyResult<T> + Sync,
) -> PyResult<Vec<T>> {
    let pool = threads::start(threads_of(threads)).map_err(|error| of_batch(error.into()))?;
    let made: Vec<Mutex<Option<W>>> = (0..pool.current_num_threads()).map(|_| Mutex::new(None)).collect();
    pool.install(|| {
        let blocks = blocks.into_par_iter().with_max_len(1);
        blocks
            .map(|block| {
                let index = rayon::current_thread_index().unwrap_or(0);
                let mut made = made[index].lock().unwrap_or_else(PoisonError::into_inner);
                let worker = match &mut *made {
                    Some(worker) => worker,
                    none => none.insert(make()?),
                };
                work(worker, block)
            })
            .collect()
    })
}
