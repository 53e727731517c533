//! Random images of puzzles, each with that of its solution.
//!
//! The symmetry of an image depends on the seed, the line of its record over all sources, and the number of the image: not
//! on the threads, and not on the other records.

use std::io::Write;

use crate::error::{Error, ErrorKind};
use crate::grid::{Rules, Verifier};
use crate::input::format::Field;
use crate::input::records::Record;
use crate::input::source::Source;
use crate::pipeline::Watch;
use crate::pipeline::rewrite::{AnswerContent, Content};
use crate::pipeline::rewrite::{BoxedEditor, Edited, Editor, Rewrite, RewriteOptions, RewriteOutcome};
use crate::pipeline::{ChunkJob, Failure};
use crate::symmetry::{Images, Symmetries, Symmetry};

/// The column that says which images belong together.
const GROUP: [&str; 1] = ["group"];

/// Images of a record that are made together.
const BATCH: u64 = 64;

/// Which images are written.
#[derive(Clone, Copy, Debug)]
pub struct AugmentOptions {
    /// Images of each puzzle.
    pub times: u64,
    /// The seed of the random symmetries.
    pub seed: u64,
    /// Whether the images of a puzzle all differ, and differ from the puzzle. A puzzle of high symmetry then may have fewer.
    pub are_distinct: bool,
    /// Whether each puzzle comes first, as it is.
    pub with_original: bool,
    /// Whether a column `group` is added, if the format has columns: the line of the puzzle over all sources.
    pub with_group: bool,
}

/// What was read and written.
#[derive(Clone, Debug, Default)]
pub struct AugmentOutcome {
    /// What was read and written.
    pub rewritten: RewriteOutcome,
    /// Puzzles that were written, images and originals.
    pub written: u64,
    /// Images that puzzles of high symmetry lack.
    pub lacking: u64,
    /// Answers that are no solution of their puzzle, or a status word: their images have none.
    pub without_solution: u64,
}

/// A run: it takes one source after the other.
///
/// ```
/// use galop::input::Source;
/// use galop::pipeline::{RewriteOptions};
/// use galop_corpora::{AugmentOptions, AugmentRun};
/// use galop::{Rules, output};
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::CSV;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options =
///     AugmentOptions { times: 3, seed: 1, are_distinct: true, with_original: true, with_group: true };
/// let mut run = AugmentRun::open(&Rules::default(), rewriting, options, Vec::new())?;
/// run.augment(&mut Source::stream("text", text.as_bytes()), &mut ())?;
/// let (bytes, outcome) = run.finish()?;
/// assert_eq!((bytes.split(|&byte| byte == b'\n').next(), outcome.written), (Some(&b"puzzle,group"[..]), 4));
/// # Ok::<(), galop::Error>(())
/// ```
#[must_use = "`finish` writes the last bytes and returns what was written"]
#[derive(Debug)]
pub struct AugmentRun<'a, W> {
    run: Rewrite<'a, Augment, W>,
}

impl<'a, W: Write> AugmentRun<'a, W> {
    /// Starts the threads. The images will be written to `out`.
    ///
    /// # Errors
    /// [`NotConverted`](crate::pipeline::NotConverted), [`NotSupported`](crate::symmetry::NotSupported),
    /// [`ErrorKind::Threads`].
    pub fn open(
        rules: &Rules,
        rewriting: RewriteOptions<'a>,
        options: AugmentOptions,
        out: W,
    ) -> Result<AugmentRun<'a, W>, Error> {
        let has_names = rewriting.format.keeps_fields();
        let added: &[&str] = if options.with_group && has_names { &GROUP } else { &[] };
        let symmetries = Symmetries::new(rules, options.seed).map_err(ErrorKind::from)?;
        let editor = || {
            Ok(Augment {
                options,
                is_grouped: !added.is_empty(),
                symmetries: symmetries.clone(),
                verifier: Verifier::new(rules),
                images: Images::new(),
                batch: Vec::new(),
                from: Vec::new(),
                puzzles: Vec::new(),
                answer: vec![0; rules.grid().cells()],
                solutions: Vec::new(),
                written: 0,
                lacking: 0,
                without_solution: 0,
            })
        };
        Ok(AugmentRun { run: Rewrite::open(rules, rewriting, added, [out], editor)? })
    }

    /// Writes the images of each puzzle of `source`, in order. Malformed records are left out.
    ///
    /// # Errors
    /// [`ErrorKind::Read`], [`InputError`](crate::input::InputError), [`ErrorKind::Write`], [`ErrorKind::Stopped`],
    /// [`ColumnsDiffer`](crate::pipeline::ColumnsDiffer).
    pub fn augment(&mut self, source: &mut Source, watch: &mut dyn Watch) -> Result<(), Error> {
        self.run.run(source, watch, &mut |(), _| Ok(Some(0)))
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.run.threads()
    }

    /// Flushes the output and sums up.
    ///
    /// # Errors
    /// [`ErrorKind::Write`].
    pub fn finish(self) -> Result<(W, AugmentOutcome), Error> {
        let ([out], rewritten, editors) = self.run.finish()?;
        let mut outcome = AugmentOutcome { rewritten, ..AugmentOutcome::default() };
        for editor in editors {
            outcome.written += editor.written;
            outcome.lacking = outcome.lacking.saturating_add(editor.lacking);
            outcome.without_solution += editor.without_solution;
        }
        Ok((out, outcome))
    }
}

/// Writes the images of each puzzle.
#[derive(Debug)]
struct Augment {
    options: AugmentOptions,
    is_grouped: bool,
    symmetries: Symmetries,
    verifier: Verifier,
    images: Images,
    /// The symmetries of the images that are made together.
    batch: Vec<Symmetry>,
    /// A grid as often as there are symmetries.
    from: Vec<u8>,
    /// The images of the puzzle and of its solution, flat.
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    /// Room for the solution.
    answer: Vec<u8>,
    written: u64,
    lacking: u64,
    without_solution: u64,
}

impl Editor for Augment {
    type Note = ();
    const NUMBERS_LINES: bool = true;

    #[inline(never)]
    fn boxed(self) -> BoxedEditor {
        BoxedEditor::new(self)
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut Edited<'_, ()>) -> Result<(), Failure> {
        let Ok(puzzle) = &record.puzzle else { return Ok(()) };
        let line = out.line(record);
        let group = line.to_string();
        let group = [Field::Literal(group.as_bytes())];
        let added = if self.is_grouped { &group[..] } else { &[] };
        let has_solution = self.read_solution(record, out.chunk);
        if self.options.with_original {
            out.write(record, &Content { added, ..Content::default() });
            self.written += 1;
        }
        let mut distinct = match self.options.are_distinct {
            true => Some(self.symmetries.distinct(line, puzzle.cells).map_err(ErrorKind::from)?),
            false => None,
        };
        let mut made = 0;
        while made < self.options.times {
            let wanted = (self.options.times - made).min(BATCH);
            match &mut distinct {
                Some(distinct) => {
                    self.batch.clear();
                    let mut image = vec![0; puzzle.cells.len()];
                    let is_other = |symmetry: &Symmetry| {
                        symmetry.apply(puzzle.cells, &mut image).is_err() || image != puzzle.cells
                    };
                    self.batch.extend(distinct.filter(is_other).take(wanted as usize));
                }
                None => self.symmetries.fill(line, made..made + wanted, &mut self.batch),
            }
            if self.batch.is_empty() {
                self.lacking = self.lacking.saturating_add(self.options.times - made);
                break;
            }
            if out.chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            made += self.batch.len() as u64;
            write_images(&self.images, &self.batch, puzzle.cells, &mut self.from, &mut self.puzzles)?;
            if has_solution {
                write_images(&self.images, &self.batch, &self.answer, &mut self.from, &mut self.solutions)?;
            }
            let cells = puzzle.cells.len();
            for (at, image) in self.puzzles.chunks_exact(cells).enumerate() {
                let answer = match has_solution {
                    true => AnswerContent::Cells(&self.solutions[cells * at..][..cells]),
                    false => AnswerContent::LeftOut,
                };
                out.write(record, &Content { puzzle: Some(image), answer, added });
            }
        }
        self.written += made;
        Ok(())
    }
}

impl Augment {
    /// Reads the solution beside the puzzle. Returns whether there is one.
    fn read_solution(&mut self, record: &Record<'_>, chunk: &ChunkJob<'_>) -> bool {
        let Ok(puzzle) = &record.puzzle else { return false };
        let read = chunk.read_solution(record, puzzle, &self.verifier, &mut self.answer);
        let Some(is_solution) = read else { return false };
        self.without_solution += u64::from(!is_solution);
        is_solution
    }
}

/// Replaces `images` by the images of `grid` under `symmetries`.
fn write_images(
    writer: &Images,
    symmetries: &[Symmetry],
    grid: &[u8],
    from: &mut Vec<u8>,
    images: &mut Vec<u8>,
) -> Result<(), Failure> {
    from.clear();
    symmetries.iter().for_each(|_| from.extend_from_slice(grid));
    images.resize(from.len(), 0);
    Ok(writer.write(symmetries, from, images).map_err(ErrorKind::from)?)
}
