//! `canonical` and `augment`.

use galop_corpora::symmetry::{Canonizer, FormKind, Forms, Images, Symmetries};
use galop_engines::engine::Isa;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles, Status};
use galop_engines::{Control, Engine, engine};
use numpy::{PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;

use crate::call::{Watch, check, in_blocks, long, over_rows};
use crate::error::value_error;
use crate::rules::Rules;

/// Puzzles of a block: enough for the lanes of the engine that solves them.
const BLOCK: usize = 4_096;

/// What a thread keeps to find canonical forms.
struct Finder {
    engine: Box<dyn Engine>,
    limits: Limits,
    canonizer: Canonizer,
    forms: Forms,
    solutions: Vec<u8>,
    answers: Vec<Answer>,
}

/// A block of puzzles, and the places for their forms.
struct FormBlock<'a> {
    puzzles: &'a [u8],
    forms: &'a mut [u8],
    /// 32 hexadecimal digits.
    keys: &'a mut [u8],
    kinds: &'a mut [u8],
    automorphisms: &'a mut [u32],
}

impl Finder {
    fn new(rules: &Rules) -> PyResult<Finder> {
        let entry = engine::default_for(&rules.rules);
        Ok(Finder {
            engine: (entry.make)(&rules.rules, Isa::best()).map_err(value_error)?,
            limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
            canonizer: Canonizer::new(&rules.rules).map_err(value_error)?,
            forms: Forms::default(),
            solutions: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Finds the forms of a block.
    fn find(&mut self, block: FormBlock<'_>, direct: bool, cells: usize, control: &Control) -> PyResult<()> {
        let Finder { engine, limits, canonizer, forms, solutions, answers } = self;
        let puzzles = Puzzles::new(block.puzzles, cells).map_err(value_error)?;
        if direct {
            canonizer.direct(puzzles, forms).map_err(value_error)?;
        } else {
            solutions.clear();
            solutions.resize(block.puzzles.len(), 0);
            answers.clear();
            answers.resize(puzzles.len(), Answer::default());
            let mut places = Answers::new(solutions, answers, cells).map_err(value_error)?;
            engine
                .solve_until(puzzles, *limits, &mut places, &|| control.is_stopped())
                .map_err(value_error)?;
            check(control)?;
            let is_single = |place: usize| answers[place].status(*limits) == Status::Solved;
            canonizer
                .puzzles(puzzles, Puzzles::new(solutions, cells).map_err(value_error)?, &is_single, forms)
                .map_err(value_error)?;
        }
        let places = block.forms.chunks_exact_mut(cells).zip(block.keys.chunks_exact_mut(32));
        let places = places.zip(block.kinds).zip(block.automorphisms);
        for (form, (((cells, key), kind), automorphisms)) in forms.iter().zip(places) {
            match form {
                Ok(form) => {
                    cells.copy_from_slice(form.cells);
                    key.copy_from_slice(format!("{:032x}", form.key()).as_bytes());
                    *kind = if form.kind == FormKind::Solution { 1 } else { 2 };
                    *automorphisms = form.automorphisms;
                }
                Err(_) => {
                    cells.fill(0);
                    key.fill(0);
                    (*kind, *automorphisms) = (0, 0);
                }
            }
        }
        Ok(())
    }
}

/// Finds the canonical forms of rows of cells, to arrays of forms, keys, kinds and automorphisms.
#[pyfunction]
pub(crate) fn canonical(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    direct: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    results: (
        PyReadwriteArray2<'_, u8>,
        PyReadwriteArray2<'_, u8>,
        PyReadwriteArray1<'_, u8>,
        PyReadwriteArray1<'_, u32>,
    ),
) -> PyResult<()> {
    let (mut forms, mut keys, mut kinds, mut automorphisms) = results;
    // What is wrong with the rules, before any thread starts.
    Finder::new(rules)?;
    let cells = rules.cells();
    let [forms, keys] = [&mut forms, &mut keys].map(|array| array.as_slice_mut().map_err(value_error));
    let (forms, keys, kinds) = (forms?, keys?, kinds.as_slice_mut().map_err(value_error)?);
    let automorphisms = automorphisms.as_slice_mut().map_err(value_error)?;
    let places = forms.chunks_mut(cells * BLOCK).zip(keys.chunks_mut(32 * BLOCK));
    let places = places.zip(kinds.chunks_mut(BLOCK)).zip(automorphisms.chunks_mut(BLOCK));
    over_rows(py, rules, &puzzles, progress.as_ref(), |puzzles, control| {
        let blocks = puzzles.chunks(cells * BLOCK).zip(places);
        let blocks = blocks.map(|(puzzles, (((forms, keys), kinds), automorphisms))| FormBlock {
            puzzles,
            forms,
            keys,
            kinds,
            automorphisms,
        });
        let find = |finder: &mut Finder, block: FormBlock<'_>| {
            let count = block.kinds.len();
            finder.find(block, direct, cells, control)?;
            control.add(count);
            Ok(())
        };
        in_blocks(threads, blocks.collect(), || Finder::new(rules), find).map(drop)
    })
}

/// Writes images of each row under random symmetries, one after the other, to `images`. The numbers of images that are
/// different, if `distinct`, go to `counts`. Image `i` of row `r` has the symmetry that `galop augment` draws for line
/// `r + 1`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the arguments of a call from Python")]
pub(crate) fn augment(
    py: Python<'_>,
    rules: &Rules,
    puzzles: PyReadonlyArray2<'_, u8>,
    seed: u64,
    distinct: bool,
    threads: Option<usize>,
    progress: Option<Py<PyAny>>,
    solutions: Option<PyReadonlyArray2<'_, u8>>,
    results: (PyReadwriteArray2<'_, u8>, Option<PyReadwriteArray2<'_, u8>>, PyReadwriteArray1<'_, u64>),
) -> PyResult<()> {
    let (mut images, mut solved, mut counts) = results;
    let cells = rules.cells();
    let symmetries = Symmetries::new(&rules.rules, seed).map_err(value_error)?;
    let puzzles = puzzles.as_slice().map_err(value_error)?;
    let solutions =
        solutions.as_ref().map(|solutions| solutions.as_slice()).transpose().map_err(value_error)?;
    let solved = solved.as_mut().map(|solved| solved.as_slice_mut()).transpose().map_err(value_error)?;
    let (Ok(images), Ok(counts)) = (images.as_slice_mut(), counts.as_slice_mut()) else {
        return Err(value_error("arrays in another order"));
    };
    let rows = puzzles.len() / cells;
    let wanted = images.len() / cells / rows.max(1);
    if rows == 0 || wanted == 0 {
        return Ok(());
    }
    // About as much work for any number of images.
    let at_once = (BLOCK / wanted).max(1);
    let mut solved = solved.map(|solved| solved.chunks_mut(at_once * wanted * cells));
    let mut given = solutions.map(|solutions| solutions.chunks(at_once * cells));
    let parts = puzzles.chunks(at_once * cells).zip(images.chunks_mut(at_once * wanted * cells));
    let parts = parts.zip(counts.chunks_mut(at_once)).enumerate();
    let parts = parts.map(|(number, ((puzzles, images), counts))| {
        let solved = solved.as_mut().and_then(Iterator::next);
        (number, puzzles, images, counts, given.as_mut().and_then(Iterator::next), solved)
    });
    let parts: Vec<_> = parts.collect();
    let control = Control::default();
    let watch = Watch { progress: progress.as_ref(), total: Some(rows as u64) };
    let make = || Ok((Images::new(), Vec::new(), Vec::new()));
    long(py, &control, &watch, || {
        in_blocks(threads, parts, make, |(writer, drawn, repeated), part| {
            let (number, puzzles, images, counts, given, mut solved) = part;
            for (row, puzzle) in puzzles.chunks_exact(cells).enumerate() {
                check(&control)?;
                let record = (number * at_once + row + 1) as u64;
                if distinct {
                    drawn.clear();
                    drawn.extend(symmetries.distinct(record, puzzle).map_err(value_error)?.take(wanted));
                } else {
                    symmetries.fill(record, 0..wanted as u64, drawn);
                }
                counts[row] = drawn.len() as u64;
                let at = row * wanted * cells..(row * wanted + drawn.len()) * cells;
                let mut write = |cells: &[u8], images: &mut [u8]| {
                    repeated.clear();
                    drawn.iter().for_each(|_| repeated.extend_from_slice(cells));
                    writer.write(drawn, repeated, images).map_err(value_error)
                };
                write(puzzle, &mut images[at.clone()])?;
                if let (Some(given), Some(solved)) = (given, &mut solved) {
                    write(&given[row * cells..][..cells], &mut solved[at])?;
                }
            }
            control.add(counts.len());
            Ok(())
        })
    })
    .map(drop)
}
