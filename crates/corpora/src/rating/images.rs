//! The guesses for random images of puzzles, which do away with luck.

use crate::error::{Error, ErrorKind};
use crate::grid::Rules;
use crate::puzzle::Puzzles;
use crate::symmetry::{Images, Symmetries, Symmetry};

use super::{Rater, Rating};

/// The guesses for the images of a puzzle, summed up.
#[derive(Clone, Copy, Debug, Default)]
pub struct ImageGuesses {
    count: u64,
    sum: u64,
    squares: u128,
    /// The sum of the logarithms of guesses + 1.
    logarithms: f64,
}

impl ImageGuesses {
    fn add(&mut self, guesses: u64) {
        self.count += 1;
        self.sum += guesses;
        self.squares += u128::from(guesses) * u128::from(guesses);
        self.logarithms += (guesses as f64).ln_1p();
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }

    /// The geometric mean of guesses + 1, minus 1.
    pub fn geometric_mean(&self) -> f64 {
        (self.logarithms / self.count as f64).exp_m1()
    }

    /// The standard deviation of a sample, whose squares are divided by its size minus 1; `None` for a single image.
    pub fn deviation(&self) -> Option<f64> {
        let count = u128::from(self.count);
        let squares = count * self.squares - u128::from(self.sum) * u128::from(self.sum);
        (count > 1).then(|| (squares as f64 / (count * (count - 1)) as f64).sqrt())
    }
}

/// Counts the guesses for random images of puzzles.
#[derive(Debug)]
pub struct ImageRater {
    /// Images of each puzzle.
    images: u64,
    symmetries: Symmetries,
    writer: Images,
    guesses: Vec<Option<ImageGuesses>>,
    /// The puzzles whose images are rated, flat, and their places in the batch.
    cells: Vec<u8>,
    places: Vec<usize>,
    /// An image of each of them, flat, with its symmetry.
    written: Vec<u8>,
    drawn: Vec<Symmetry>,
}

impl ImageRater {
    /// For `images` images of each puzzle of `rules`. A seed, the number of a puzzle and the number of an image
    /// determine the image.
    ///
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported).
    pub fn new(rules: &Rules, images: u64, seed: u64) -> Result<ImageRater, Error> {
        let symmetries = Symmetries::new(rules, seed).map_err(ErrorKind::from)?;
        let writer = Images::new();
        let (guesses, cells, places) = (Vec::new(), Vec::new(), Vec::new());
        let (written, drawn) = (Vec::new(), Vec::new());
        Ok(ImageRater { images, symmetries, writer, guesses, cells, places, written, drawn })
    }

    /// The guesses for the images of each of `puzzles`, which have these `ratings` by `rater`; `None` if the puzzle has not
    /// one solution, or if the engine gave up on an image. `numbers` are the numbers of the puzzles. `advanced` gets the
    /// share of the images that are rated, 0 to 1.
    ///
    /// # Errors
    /// The errors of [`Rater::rate`].
    pub fn rate(
        &mut self,
        rater: &mut Rater,
        puzzles: Puzzles<'_>,
        ratings: &[Rating],
        numbers: &[u64],
        advanced: &dyn Fn(f64),
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<&[Option<ImageGuesses>], Error> {
        let ImageRater { images, symmetries, writer, guesses, cells, places, written, drawn } = self;
        guesses.clear();
        cells.clear();
        places.clear();
        for (place, (rating, puzzle)) in ratings.iter().zip(puzzles.iter()).enumerate() {
            guesses.push(rating.guesses().map(|_| ImageGuesses::default()));
            if rating.guesses().is_some() {
                cells.extend_from_slice(puzzle);
                places.push(place);
            }
        }
        for image in 0..*images {
            advanced(image as f64 / *images as f64);
            drawn.clear();
            drawn.extend(
                places.iter().map(|&place| symmetries.get(numbers.get(place).copied().unwrap_or(0), image)),
            );
            written.resize(cells.len(), 0);
            writer.write(drawn, cells, written).map_err(ErrorKind::from)?;
            let ratings = rater.rate(Puzzles::new(written, puzzles.stride())?, is_stopped)?;
            for (&place, rating) in places.iter().zip(ratings) {
                match (&mut guesses[place], rating.guesses()) {
                    (Some(of_images), Some(count)) => of_images.add(count),
                    (of_images, _) => *of_images = None,
                }
            }
        }
        Ok(guesses)
    }
}
