//! How hard puzzles are, and some random images of each: the ratings of [`rating`](crate::rating) behind the fields of
//! records.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::engine::{self, Entry};
use crate::error::{Error, ErrorKind, Fact};
use crate::explain::Level;
use crate::figures::Histogram;
use crate::grid::Rules;
use crate::input::Record;
use crate::output::Heading;
use crate::pipeline::rewrite::{AnswerContent, Content};
use crate::pipeline::rewrite::{Counts, Editor, EditorPage, Rewrite, RewriteOptions, RewriteRun};
use crate::pipeline::{ChunkJob, Failure};
use crate::puzzle::Status;
use crate::rate_columns::{RATE_COLUMNS, RateColumn, RatedBy, RecordRating};
use crate::rating::{ImageRater, Rater, Rating, TechniqueRater, TechniqueRating};

impl Fact for NotRated {}

/// Ratings have no place in this format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the format `{format}` has no place for ratings (lines, tables, JSON and npz do)")]
pub struct NotRated {
    /// The name of the format.
    pub format: &'static str,
}

galop_batch::options! {
    /// How puzzles are rated, and what of that is written: by default the level, the score and the hardest technique.
    #[derive(Clone, Debug)]
    RateOptions {
        /// The engine whose guesses are counted, or which finds out which puzzles have one solution; `None` for the
        /// fastest one.
        engine: Option<&'static Entry> = None,
        /// Whether the guesses and images are rated, and the techniques are not.
        by_guesses: bool = false,
        /// Whether techniques that rely on a puzzle having one solution are used. All rated puzzles have one.
        unique: bool = false,
        /// Random images of each puzzle whose guesses are counted as well.
        images: u64 = 0,
        /// The seed of the images.
        seed: u64 = 0,
        /// The columns that are written behind the fields of a record. A name should be there only once. None: all
        /// that are about what is rated.
        columns: Vec<&'static RateColumn> = Vec::new(),
    }
}

impl RateOptions {
    /// The engine that rates puzzles of `rules`.
    pub fn engine_for(&self, rules: &Rules) -> &'static Entry {
        self.engine.unwrap_or_else(|| engine::default_for(rules))
    }

    /// The columns that are written.
    pub fn written_columns(&self) -> Vec<&'static RateColumn> {
        let is_usual = |column: &&RateColumn| match column.needs {
            RatedBy::Techniques => !self.by_guesses,
            RatedBy::Guesses => self.by_guesses,
            RatedBy::Images => self.by_guesses && self.images > 0,
        };
        match self.columns.is_empty() {
            true => RATE_COLUMNS.iter().filter(is_usual).collect(),
            false => self.columns.clone(),
        }
    }
}

/// How many puzzles have each level, or how many guesses they took.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct RateCounts {
    /// Puzzles without a solution.
    pub none: u64,
    /// Puzzles with several solutions.
    pub multiple: u64,
    /// Puzzles on which the engine gave up.
    pub undecided: u64,
    /// The guesses for the puzzles with one solution, if guesses are counted.
    pub guesses: Histogram,
    /// Puzzles of each level, in the order of [`Level::ALL`], if the techniques are rated.
    pub levels: [u64; Level::ALL.len()],
}

impl RateCounts {
    /// Counts a puzzle without a rating.
    fn count_unrated(&mut self, status: Status) {
        let counter = match status {
            Status::None => &mut self.none,
            Status::Multiple => &mut self.multiple,
            _ => &mut self.undecided,
        };
        *counter += 1;
    }
}

impl Counts for RateCounts {
    fn add(&mut self, other: RateCounts) {
        self.none += other.none;
        self.multiple += other.multiple;
        self.undecided += other.undecided;
        self.guesses += &other.guesses;
        self.levels.iter_mut().zip(other.levels).for_each(|(count, other)| *count += other);
    }
}

/// A run that writes each record with its rating behind it.
///
/// # Errors
/// [`NotRated`], [`Unsupported`](crate::engine::Unsupported), [`NotConverted`](crate::pipeline::NotConverted),
/// [`NotSupported`](crate::symmetry::NotSupported) if there are images, [`ErrorKind::Threads`]. The run itself may fail
/// with [`WrongSolution`](crate::grid::WrongSolution) and [`Unanswered`](crate::engine::Unanswered).
///
/// ```
/// use galop_batch::output;
/// use galop_batch::input::Source;
/// use galop_batch::pipeline::{Part, RewriteOptions};
/// use galop_corpora::{RateOptions, rate};
/// use galop_engines::Rules;
///
/// let text = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
/// let format = output::CSV;
/// let stop = false.into();
/// let options = RewriteOptions::default().format(format).stop(&stop);
/// let (mut run, mut bytes) = (rate(&Rules::default(), options, &RateOptions::default())?, Vec::new());
/// run.read(&mut Source::stream("text", text.as_bytes()), Part::WHOLE, &mut [&mut bytes], &mut ())?;
/// let (_, counts) = run.finish(&mut [&mut bytes])?;
/// assert!(bytes.starts_with(b"puzzle,level,score,hardest\n") && bytes.ends_with(b",easy,1.5,hidden single\n"));
/// assert_eq!(counts.levels[0], 1);
/// # Ok::<(), galop_batch::Error>(())
/// ```
pub fn rate<'a>(
    rules: &Rules,
    rewriting: RewriteOptions<'a>,
    options: &RateOptions,
) -> Result<RewriteRun<'a, RateCounts>, Error> {
    if rewriting.format.about_converted().is_some() && !rewriting.format.has_added_fields() {
        return Err(ErrorKind::from(NotRated { format: rewriting.format.name }).into());
    }
    let columns = options.written_columns();
    let added: Vec<Heading> = columns.iter().map(|column| column.heading()).collect();
    let images = || {
        let rater = (options.images > 0).then(|| ImageRater::new(rules, options.images, options.seed));
        rater.transpose()
    };
    let entry = options.engine_for(rules);
    let editor = || {
        Ok(Rate {
            columns: columns.clone(),
            rater: if options.by_guesses {
                AnyRater::Guesses(Rater::new(rules, entry)?.into())
            } else {
                AnyRater::Techniques(TechniqueRater::new(rules, entry, options.unique)?.into())
            },
            images: images()?,
            rated: Vec::new(),
            has_images: false,
            counts: RateCounts::default(),
        })
    };
    Ok(Box::new(Rewrite::open(rules, rewriting, &added, editor)?))
}

/// Writes the rating of each record behind its fields.
struct Rate {
    columns: Vec<&'static RateColumn>,
    rater: AnyRater,
    images: Option<ImageRater>,
    /// The ratings of the puzzles of the chunk.
    rated: Vec<RecordRating>,
    /// Whether the images of the chunk are rated.
    has_images: bool,
    counts: RateCounts,
}

/// Puzzles that are rated before they are counted, at most.
const PIECE_RATED: usize = 256;

/// What rates the puzzles.
enum AnyRater {
    Guesses(Box<Rater>),
    Techniques(Box<TechniqueRater>),
}

impl Rate {
    /// Counts the guesses for the images of the puzzles that have one solution. The first record of the chunk is on
    /// line `first` of all sources, from 1.
    fn rate_images(&mut self, chunk: &ChunkJob<'_>, first: u64) -> Result<(), Failure> {
        let Rate { images, rater, rated, .. } = self;
        let (Some(images), AnyRater::Guesses(rater)) = (images, rater) else { return Ok(()) };
        let mut lines = vec![0; rated.len()];
        for record in chunk.records() {
            if let Ok(puzzle) = &record.puzzle {
                lines[puzzle.place] = first + record.line;
            }
        }
        let advanced = &|share: f64| chunk.advance_to((share * chunk.len() as f64) as usize);
        let ratings: Vec<Rating> = rated.iter().map(|rated| rated.rating).collect();
        let guesses =
            images.rate(rater, chunk.puzzles(), &ratings, &lines, advanced, &|| chunk.is_stopped())?;
        rated.iter_mut().zip(guesses).for_each(|(rated, guesses)| rated.images = *guesses);
        Ok(())
    }
}

impl Editor for Rate {
    type Note = ();
    type Counts = RateCounts;
    const NUMBERS_LINES: bool = true;

    fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let (is_stopped, puzzles) = (&|| chunk.is_stopped(), chunk.puzzles());
        let Rate { rater, rated, images, .. } = self;
        rated.clear();
        match rater {
            AnyRater::Guesses(rater) => {
                let techniques = TechniqueRating { status: Status::Unanswered, hardest: None, score: 0 };
                let is_batched = rater.is_batched();
                let mut rate = |piece: Range<usize>| -> Result<(), Failure> {
                    let ratings = rater.rate(puzzles.slice(piece), is_stopped)?;
                    rated.extend(ratings.into_iter().map(|rating| RecordRating {
                        rating,
                        techniques,
                        images: None,
                    }));
                    Ok(())
                };
                // Many puzzles are fastest together. Images are counted themselves, and need the ratings of the whole
                // chunk.
                match images.is_some() || is_batched {
                    true => rate(0..puzzles.len())?,
                    false => chunk.each_piece(puzzles.len(), PIECE_RATED, rate)?,
                }
            }
            AnyRater::Techniques(rater) => {
                let rating = Rating { status: Status::Unanswered, guesses: 0 };
                let ratings = rater.rate(puzzles, &|done| chunk.advance_to(done), is_stopped)?;
                rated.extend(ratings.iter().map(|&techniques| RecordRating {
                    rating,
                    techniques,
                    images: None,
                }));
            }
        }
        self.has_images = self.images.is_none();
        Ok(())
    }

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, ()>) -> Result<(), Failure> {
        if !self.has_images {
            self.has_images = true;
            self.rate_images(out.chunk, out.line(record) - record.line)?;
        }
        let Rate { columns, rater, rated, counts, .. } = self;
        let rated = match &record.puzzle {
            Ok(puzzle) => rated.get(puzzle.place),
            Err(_) => None,
        };
        let Some(rated) = rated else {
            out.keep(record);
            return Ok(());
        };
        match (rater, rated.rating.guesses(), rated.techniques.level()) {
            (AnyRater::Guesses(_), Some(guesses), _) => counts.guesses.add(guesses),
            (AnyRater::Guesses(_), None, _) => counts.count_unrated(rated.rating.status),
            (AnyRater::Techniques(_), _, Some(level)) => counts.levels[level as usize] += 1,
            (AnyRater::Techniques(_), _, None) => counts.count_unrated(rated.techniques.status),
        }
        let answer = if out.has_columns() { AnswerContent::AsRead } else { AnswerContent::LeftOut };
        let push = |column: usize, out: &mut Vec<u8>| (columns[column].push.0)(rated, out);
        out.write(record, &Content { puzzle: None, answer, push: Some(&push) });
        Ok(())
    }

    fn take_counts(&mut self) -> RateCounts {
        std::mem::take(&mut self.counts)
    }
}
