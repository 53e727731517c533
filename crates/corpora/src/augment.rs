//! Random images of puzzles, each with the same image of its solution.
//!
//! The symmetry of an image depends on the seed, the line of its record over all sources, and the number of the image:
//! not on the threads, and not on the other records.

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::grid::{Rules, Verifier};
use crate::input::Record;
use crate::output::{Heading, Kind};
use crate::pipeline::rewrite::{AnswerContent, Content};
use crate::pipeline::rewrite::{Counts, Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{ChunkJob, Failure};
use crate::symmetry::{Images, Symmetries, Symmetry, WrongSize};

/// The column that says which images belong together.
pub const GROUP: [Heading; 1] = [Heading { name: "group", kind: Kind::Whole }];

/// Images of a record that are made together.
const BATCH: u64 = 64;

galop_batch::options! {
    /// Which images are written.
    #[derive(Clone, Copy, Debug)]
    AugmentOptions {
        /// Images of each puzzle.
        times: u64 = 1,
        /// The seed of the random symmetries.
        seed: u64 = 0,
        /// Whether the images of a puzzle all differ, and differ from the puzzle. A puzzle of high symmetry then may
        /// have fewer.
        are_distinct: bool = false,
        /// Whether each puzzle comes first, as it is.
        with_original: bool = false,
        /// Whether a column `group` is added, if the format has columns: the line of the puzzle over all sources.
        with_group: bool = false,
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AugmentCounts {
    /// Puzzles that were written, images and originals.
    pub written: u64,
    /// Images that puzzles of high symmetry lack.
    pub lacking: u64,
    /// Answers that are no solution of their puzzle, or a status word: their images have none.
    pub without_solution: u64,
}

impl Counts for AugmentCounts {
    fn add(&mut self, other: AugmentCounts) {
        self.written += other.written;
        self.lacking = self.lacking.saturating_add(other.lacking);
        self.without_solution += other.without_solution;
    }
}

/// A run that writes the images of each puzzle, in order. Malformed records are left out.
///
/// # Errors
/// [`NotConverted`](crate::pipeline::NotConverted), [`NotSupported`](crate::symmetry::NotSupported),
/// [`ErrorKind::Threads`].
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{AugmentOptions, augment};
/// use galop_engines::Rules;
///
/// let text = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......\n";
/// let stop = false.into();
/// let format = output::CSV;
/// let rewriting = RewriteOptions::default().format(format).stop(&stop);
/// let options =
///     AugmentOptions::default().times(3).seed(1).are_distinct(true).with_original(true).with_group(true);
/// let (mut run, mut bytes) = (augment(&Rules::default(), rewriting, options)?, Vec::new());
/// run.read(&mut Source::stream("text", text.as_bytes()), Part::WHOLE, &mut [&mut bytes], &mut ())?;
/// let (_, counts) = run.finish(&mut [&mut bytes])?;
/// assert_eq!((bytes.split(|&byte| byte == b'\n').next(), counts.written), (Some(&b"puzzle,group"[..]), 4));
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn augment<'a>(
    rules: &Rules,
    rewriting: RewriteOptions<'a>,
    options: AugmentOptions,
) -> Result<RewriteRun<'a, AugmentCounts>, Error> {
    let symmetries = Symmetries::new(rules, options.seed).map_err(ErrorKind::from)?;
    let has_names = rewriting.format.has_named_columns();
    let added: &[Heading] = if options.with_group && has_names { &GROUP } else { &[] };
    let editor = || {
        Ok(Augment {
            options,
            is_grouped: !added.is_empty(),
            symmetries: symmetries.clone(),
            images: Images::new(),
            verifier: Verifier::new(rules),
            batch: Vec::new(),
            puzzles: Vec::new(),
            answer: vec![0; rules.stride()],
            solutions: Vec::new(),
            counts: AugmentCounts::default(),
        })
    };
    Ok(Box::new(Rewrite::open(rules, rewriting, added, editor)?))
}

/// Replaces `out` by the images of `cells` under `symmetries`, flat.
fn write_images(
    images: Images,
    symmetries: &[Symmetry],
    cells: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), WrongSize> {
    let from = cells.repeat(symmetries.len());
    out.resize(from.len(), 0);
    images.write(symmetries, &from, out)
}

/// Writes the images of each puzzle.
#[derive(Debug)]
struct Augment {
    options: AugmentOptions,
    is_grouped: bool,
    symmetries: Symmetries,
    images: Images,
    verifier: Verifier,
    /// The symmetries of the images that are made together.
    batch: Vec<Symmetry>,
    /// The images of the puzzle and of its solution, flat.
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
    /// Room for the solution.
    answer: Vec<u8>,
    counts: AugmentCounts,
}

impl Editor for Augment {
    type Note = ();
    type Counts = AugmentCounts;
    const NUMBERS_LINES: bool = true;

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, ()>) -> Result<(), Failure> {
        let Ok(puzzle) = &record.puzzle else { return Ok(()) };
        let line = out.line(record);
        let group = line.to_string();
        let group = |_: usize, out: &mut Vec<u8>| out.extend_from_slice(group.as_bytes());
        let push: Option<&dyn Fn(usize, &mut Vec<u8>)> = if self.is_grouped { Some(&group) } else { None };
        let has_solution = self.read_solution(record, out.chunk);
        if self.options.with_original {
            out.write(record, &Content { push, ..Content::default() });
            self.counts.written += 1;
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
                    let mut image = Vec::new();
                    let is_other = |symmetry: &Symmetry| {
                        write_images(self.images, &[*symmetry], puzzle.cells, &mut image).is_err()
                            || image != puzzle.cells
                    };
                    self.batch.extend(distinct.filter(is_other).take(wanted as usize));
                }
                None => self.symmetries.fill(line, made..made + wanted, &mut self.batch),
            }
            if self.batch.is_empty() {
                let lacking = &mut self.counts.lacking;
                *lacking = lacking.saturating_add(self.options.times - made);
                break;
            }
            if out.chunk.is_stopped() {
                return Err(Failure::stopped());
            }
            made += self.batch.len() as u64;
            let write = |cells: &[u8], images: &mut Vec<u8>| {
                write_images(self.images, &self.batch, cells, images).map_err(ErrorKind::from)
            };
            write(puzzle.cells, &mut self.puzzles)?;
            if has_solution {
                write(&self.answer, &mut self.solutions)?;
            }
            let cells = puzzle.cells.len();
            for (at, image) in self.puzzles.chunks_exact(cells).enumerate() {
                let answer = match has_solution {
                    true => AnswerContent::Cells(&self.solutions[cells * at..][..cells]),
                    false => AnswerContent::LeftOut,
                };
                out.write(record, &Content { puzzle: Some(image), answer, push });
            }
        }
        self.counts.written += made;
        Ok(())
    }

    fn take_counts(&mut self) -> AugmentCounts {
        std::mem::take(&mut self.counts)
    }
}

impl Augment {
    /// Reads the solution beside the puzzle. Returns whether there is one.
    fn read_solution(&mut self, record: &Record<'_>, chunk: &ChunkJob<'_>) -> bool {
        let Ok(puzzle) = &record.puzzle else { return false };
        let read = chunk.read_solution(record, puzzle, &self.verifier, &mut self.answer);
        let Some(is_solution) = read else { return false };
        self.counts.without_solution += u64::from(!is_solution);
        is_solution
    }
}
