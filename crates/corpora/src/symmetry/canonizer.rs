//! Canonical forms of many records.

use galop_simd::{Isa, Job, Kernel, MissingIsa, Simd};

use super::bands::{Bands, bands};
use super::board;
use super::brute::Brute;
use super::direct::Direct;
use super::forms::{Entry, FormKind, Forms, NoForm};
use super::grids::{self, Chutes};
use super::shape::{NotSupported, Shape};
use super::transformation::{Symmetry, WrongSize};
use crate::grid::Rules;
use crate::puzzle::Puzzles;

/// Grids whose chutes are found together: see [`Chutes`].
const BLOCK: usize = 16;

/// Finds canonical forms of puzzles and solution grids of one size: 4x4, 6x6 or 9x9.
///
/// | records | canonical form |
/// |---|---|
/// | [`grids`](Self::grids) | the least solution grid of the class, row by row |
/// | [`puzzles`](Self::puzzles) | of a puzzle with one solution: the same, and the clues that go with it; if several symmetries lead to the grid, the least clues ([`FormKind::Solution`]) |
/// | [`direct`](Self::direct) | of any puzzle: the least puzzle, row by row, with blanks as 0 and digits named by first appearance ([`FormKind::Direct`]) |
///
/// Two puzzles of the same kind of form are equivalent, that is, a symmetry makes one of them the other, if and only if
/// their forms are equal. A puzzle's two forms differ; compare like with like.
///
/// ```
/// use galop_corpora::symmetry::{Canonizer, Forms, Symmetries};
/// use galop_engines::Rules;
/// use galop_engines::puzzle::Puzzles;
///
/// let cells = |text: &str| -> Vec<u8> { text.bytes().map(|byte| byte.saturating_sub(b'0')).collect() };
/// let puzzle = cells("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......");
/// let grid = cells("417369825632158947958724316825437169791586432346912758289643571573291684164875293");
/// let mut canonizer = Canonizer::new(&Rules::default())?;
/// let mut forms = Forms::default();
/// canonizer.puzzles(Puzzles::new(&puzzle, 81)?, Puzzles::new(&grid, 81)?, &|_| true, &mut forms)?;
/// let form = forms.iter().next().unwrap()?;
/// assert_eq!(form.automorphisms, 1);
/// let key = form.key();
///
/// // The form of an image is the same, and so is the key.
/// let symmetry = Symmetries::new(&Rules::default(), 1)?.get(0, 0);
/// let (mut puzzle_image, mut grid_image) = ([0; 81], [0; 81]);
/// symmetry.apply(&puzzle, &mut puzzle_image)?;
/// symmetry.apply(&grid, &mut grid_image)?;
/// canonizer.puzzles(Puzzles::new(&puzzle_image, 81)?, Puzzles::new(&grid_image, 81)?, &|_| true, &mut forms)?;
/// assert_eq!(forms.iter().next().unwrap()?.key(), key);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Time
/// 9x9, on one core of an AMD EPYC (Zen 5), a record: grids 0.13 µs, puzzles with their solutions 0.14, direct forms
/// 0.8 (`cargo bench -p galop-benches --bench symmetry`). The tables for 9x9 are made once, in about 25 ms. The direct
/// form of a puzzle of few clues takes longer, because many symmetries lead to it. It takes 10 µs with 10 clues in
/// cells drawn at random, 60 µs with 4, 0.4 ms for an empty grid. The most that was measured is 5 ms, for one full band
/// and no other clue. If a digit occurs twice in a row or column, all symmetries are tried, which takes 25 to 50 ms.
/// 4x4 and 6x6 always try all of theirs.
#[derive(Debug)]
pub struct Canonizer {
    cells: usize,
    find: Box<dyn Find>,
}

impl Canonizer {
    /// For grids of these rules, with the fastest instruction set of this machine.
    ///
    /// # Errors
    /// [`NotSupported`] unless they are the rules of the sudoku of 4x4, 6x6 or 9x9.
    pub fn new(rules: &Rules) -> Result<Canonizer, NotSupported> {
        Shape::of(rules).map(Canonizer::of)
    }

    /// For grids of 9x9, with this instruction set. The forms are the same.
    ///
    /// # Errors
    /// [`MissingIsa`] if this machine lacks it.
    pub fn of_nine(isa: Isa) -> Result<Canonizer, MissingIsa> {
        Ok(Canonizer { cells: Shape::NINE.cells(), find: isa.run(Make)? })
    }

    pub(super) fn of(shape: Shape) -> Canonizer {
        let small = || Box::new(Small::of(shape));
        let find = match shape.side {
            // The best one is available.
            9 => Isa::best().run(Make).unwrap_or_else(|_| small()),
            _ => small(),
        };
        Canonizer { cells: shape.cells(), find }
    }

    /// Replaces `forms` by the forms of solution grids.
    ///
    /// # Errors
    /// [`WrongSize`] if the grids have another number of cells than the rules.
    pub fn grids(&mut self, grids: Puzzles<'_>, forms: &mut Forms) -> Result<(), WrongSize> {
        self.find(Records { puzzles: None, solutions: Some(grids), is_single: &|_| true }, forms)
    }

    /// Replaces `forms` by the forms of puzzles: by their solutions, if `is_single` says of the place of a puzzle that
    /// its solution is the only one; else as by [`direct`](Self::direct). [`Form::kind`](super::Form::kind) says which.
    ///
    /// # Errors
    /// [`WrongSize`] if puzzles or solutions have another number of cells than the rules.
    pub fn puzzles(
        &mut self,
        puzzles: Puzzles<'_>,
        solutions: Puzzles<'_>,
        is_single: &dyn Fn(usize) -> bool,
        forms: &mut Forms,
    ) -> Result<(), WrongSize> {
        self.find(Records { puzzles: Some(puzzles), solutions: Some(solutions), is_single }, forms)
    }

    /// Replaces `forms` by the forms of puzzles with any number of solutions.
    ///
    /// # Errors
    /// [`WrongSize`] if the puzzles have another number of cells than the rules.
    pub fn direct(&mut self, puzzles: Puzzles<'_>, forms: &mut Forms) -> Result<(), WrongSize> {
        self.find(Records { puzzles: Some(puzzles), solutions: None, is_single: &|_| false }, forms)
    }

    fn find(&mut self, records: Records<'_>, forms: &mut Forms) -> Result<(), WrongSize> {
        let expected = self.cells;
        for cells in [records.puzzles, records.solutions].into_iter().flatten() {
            if cells.stride() != expected {
                return Err(WrongSize { found: cells.stride(), expected });
            }
        }
        let count = records.puzzles.or(records.solutions).map_or(0, |cells| cells.len());
        forms.start(expected, count, records.puzzles.is_some());
        self.find.find(records, forms);
        Ok(())
    }
}

/// The records of a call.
#[derive(Clone, Copy)]
struct Records<'a> {
    /// None: the records are solution grids.
    puzzles: Option<Puzzles<'a>>,
    solutions: Option<Puzzles<'a>>,
    is_single: &'a dyn Fn(usize) -> bool,
}

impl<'a> Records<'a> {
    /// The puzzle and the solution of the record at `place`, as far as they are asked for.
    #[inline(always)]
    fn get(&self, place: usize) -> (Option<&'a [u8]>, Option<&'a [u8]>) {
        let puzzle = self.puzzles.and_then(|puzzles| puzzles.get(place));
        let solution = self.solutions.and_then(|solutions| solutions.get(place));
        (puzzle, solution.filter(|_| (self.is_single)(place)))
    }
}

/// Finds the forms of one size.
trait Find: std::fmt::Debug + Send {
    /// Writes the form of each record to `forms`, which has places for them.
    fn find(&mut self, records: Records<'_>, forms: &mut Forms);
}

/// Whether the clues are symbols up to `side`, or 0.
#[inline(always)]
fn check_symbols(puzzle: &[u8], side: usize) -> Result<(), NoForm> {
    let largest = puzzle.iter().fold(0, |largest, &symbol| symbol.max(largest));
    if usize::from(largest) > side {
        Err(NoForm::Symbol { found: largest, largest: side as u8 })
    } else {
        Ok(())
    }
}

/// Whether the clues are in the solution.
#[inline(always)]
fn check_clues(puzzle: &[u8], solution: &[u8]) -> Result<(), NoForm> {
    let is_kept = |(&clue, &symbol): (&u8, &u8)| (clue == 0) | (clue == symbol);
    let are_kept = puzzle.iter().zip(solution).fold(true, |are_kept, cells| are_kept & is_kept(cells));
    if are_kept { Ok(()) } else { Err(NoForm::Clue) }
}

/// The direct form of a grid.
#[inline(always)]
fn direct_entry(symmetry: Symmetry, automorphisms: u32) -> Entry {
    Entry { kind: FormKind::Direct, symmetry, automorphisms, solution_automorphisms: 0 }
}

struct Make;

impl Job for Make {
    type Output = Box<dyn Find>;

    fn run<S: Simd>(self) -> Box<dyn Find> {
        let (ways, direct) = (Vec::new(), Direct::default());
        Box::new(Nine::<S> { bands: bands(), ways, direct, brute: None, of: std::marker::PhantomData })
    }
}

/// 9x9, compiled for `S`.
struct Nine<S: Simd> {
    bands: &'static Bands,
    ways: Vec<Symmetry>,
    direct: Direct,
    /// For puzzles that have a digit twice in a row or column.
    brute: Option<Brute>,
    of: std::marker::PhantomData<S>,
}

impl<S: Simd> std::fmt::Debug for Nine<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Nine").field("isa", &S::ISA).finish_non_exhaustive()
    }
}

impl<S: Simd> Find for Nine<S> {
    fn find(&mut self, records: Records<'_>, forms: &mut Forms) {
        S::run(All { nine: self, records, forms });
    }
}

struct All<'a, S: Simd> {
    nine: &'a mut Nine<S>,
    records: Records<'a>,
    forms: &'a mut Forms,
}

impl<S: Simd> Kernel for All<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let All { nine, records, forms } = self;
        let Forms { cells, solutions, entries, .. } = forms;
        let blocks =
            cells.as_chunks_mut().0.chunks_mut(BLOCK).zip(solutions.as_chunks_mut().0.chunks_mut(BLOCK));
        let mut chutes = [Chutes::NONE; BLOCK];
        for (block, (cells, solutions)) in blocks.enumerate() {
            let first = BLOCK * block;
            for (place, chutes) in (first..first + cells.len()).zip(&mut chutes) {
                if let Some(grid) = records.get(place).1.and_then(<[u8]>::first_chunk) {
                    chutes.replace(nine.bands, grid);
                }
            }
            let places = cells.iter_mut().zip(solutions).zip(&chutes);
            for (place, ((cells, solution), chutes)) in (first..).zip(places) {
                let (puzzle, known) = records.get(place);
                let entry = match (puzzle.and_then(<[u8]>::first_chunk), known.and_then(<[u8]>::first_chunk))
                {
                    (None, Some(grid)) => nine.grid(grid, chutes, cells),
                    (Some(puzzle), Some(known)) => nine.puzzle(puzzle, known, chutes, cells, solution),
                    (Some(puzzle), None) => nine.direct(puzzle, cells),
                    (None, None) => Err(NoForm::NotAGrid),
                };
                entries.push(entry);
            }
        }
    }
}

impl<S: Simd> Nine<S> {
    #[inline(always)]
    fn grid(
        &mut self,
        grid: &[u8; 81],
        chutes: &Chutes<S::Bytes>,
        image: &mut [u8; 81],
    ) -> Result<Entry, NoForm> {
        let symmetry = self.least_grid(grid, chutes, image)?;
        let automorphisms = self.ways.len().max(1) as u32;
        Ok(Entry { kind: FormKind::Solution, symmetry, automorphisms, solution_automorphisms: automorphisms })
    }

    /// The symmetry that leads to the least image of a grid, and all others that do so in `ways`.
    #[inline(always)]
    fn least_grid(
        &mut self,
        grid: &[u8; 81],
        chutes: &Chutes<S::Bytes>,
        image: &mut [u8; 81],
    ) -> Result<Symmetry, NoForm> {
        grids::least(self.bands, grid, chutes, image, &mut self.ways).ok_or(NoForm::NotAGrid)
    }

    #[inline(always)]
    fn puzzle(
        &mut self,
        puzzle: &[u8; 81],
        known: &[u8; 81],
        chutes: &Chutes<S::Bytes>,
        image: &mut [u8; 81],
        solution: &mut [u8; 81],
    ) -> Result<Entry, NoForm> {
        check_clues(puzzle, known)?;
        let mut symmetry = self.least_grid(known, chutes, solution)?;
        board::apply::<S::Bytes>(&symmetry, puzzle, image);
        let mut automorphisms = 1;
        for way in self.ways.iter().skip(1) {
            let mut other = [0; 81];
            board::apply::<S::Bytes>(way, puzzle, &mut other);
            if other < *image {
                (*image, symmetry, automorphisms) = (other, *way, 1);
            } else if other == *image {
                automorphisms += 1;
            }
        }
        Ok(Entry {
            kind: FormKind::Solution,
            symmetry,
            automorphisms,
            solution_automorphisms: self.ways.len().max(1) as u32,
        })
    }

    #[inline(always)]
    fn direct(&mut self, puzzle: &[u8; 81], image: &mut [u8; 81]) -> Result<Entry, NoForm> {
        check_symbols(puzzle, 9)?;
        let found = self.direct.least::<S::Bytes>(puzzle, image);
        let (symmetry, automorphisms) = match found {
            Some(found) => found,
            None => self.brute.get_or_insert_with(|| Brute::new(Shape::NINE)).least(puzzle, image),
        };
        Ok(direct_entry(symmetry, automorphisms))
    }
}

/// 4x4 and 6x6.
#[derive(Debug)]
struct Small {
    shape: Shape,
    brute: Brute,
}

impl Small {
    fn of(shape: Shape) -> Small {
        Small { shape, brute: Brute::new(shape) }
    }

    fn direct(&self, puzzle: &[u8], image: &mut [u8]) -> Result<Entry, NoForm> {
        check_symbols(puzzle, self.shape.side)?;
        let (symmetry, automorphisms) = self.brute.least(puzzle, image);
        Ok(direct_entry(symmetry, automorphisms))
    }

    fn grid(
        &self,
        puzzle: Option<&[u8]>,
        grid: &[u8],
        image: &mut [u8],
        solution: &mut [u8],
    ) -> Result<Entry, NoForm> {
        if !self.is_solved(grid) {
            return Err(NoForm::NotAGrid);
        }
        let (mut symmetry, solution_automorphisms) = self.brute.least(grid, solution);
        let mut automorphisms = solution_automorphisms;
        match puzzle {
            Some(puzzle) => {
                check_clues(puzzle, grid)?;
                (symmetry, automorphisms) = self.brute.least_clues(grid, solution, puzzle, image);
            }
            None => image.copy_from_slice(solution),
        }
        Ok(Entry { kind: FormKind::Solution, symmetry, automorphisms, solution_automorphisms })
    }

    /// Whether each row, column and block has every symbol.
    fn is_solved(&self, grid: &[u8]) -> bool {
        let Shape { side, height, width } = self.shape;
        let units = |cell: usize| {
            let (row, column) = (cell / side, cell % side);
            [row, side + column, 2 * side + row / height * height + column / width]
        };
        let mut seen = vec![0_u32; 3 * side];
        for (cell, &symbol) in grid.iter().enumerate() {
            units(cell).into_iter().for_each(|unit| seen[unit] |= 1 << symbol.min(31));
        }
        seen.iter().all(|&seen| seen == (2 << side) - 2)
    }
}

impl Find for Small {
    fn find(&mut self, records: Records<'_>, forms: &mut Forms) {
        let stride = self.shape.cells();
        let Forms { cells, solutions, entries, .. } = forms;
        let places = cells.chunks_exact_mut(stride).zip(solutions.chunks_exact_mut(stride));
        for (place, (cells, solution)) in places.enumerate() {
            entries.push(match records.get(place) {
                (puzzle, Some(grid)) => self.grid(puzzle, grid, cells, solution),
                (Some(puzzle), None) => self.direct(puzzle, cells),
                (None, None) => Err(NoForm::NotAGrid),
            });
        }
    }
}
