//! The least image of a puzzle.
//!
//! An image is a list: the chosen options, ascending, then the forbidden options, ascending. Lists are compared number
//! by number. All images of a puzzle have as many of both, so the lists are equally long.
//!
//! 1. The first number of the list is the least image of a chosen option. One pass over the columns of the chosen
//!    options finds it for all symmetries at once, in vectors, and leaves few of them.
//! 2. Their lists are sorted and compared.

use std::sync::Arc;

use super::super::canonizer::{Find, Records, check_symbols};
use super::super::forms::{Entry, FormKind, FormSymmetry, Forms, NoForm};
use super::Symmetric;
use super::columns::{Columns, Number};

/// The byte of an option that is chosen.
const CHOSEN: u8 = 1;

/// The byte of an option that is forbidden.
const FORBIDDEN: u8 = 2;

/// Finds the forms of puzzles of one problem.
#[derive(Debug)]
pub(super) struct Finder<T> {
    group: Arc<Columns<T>>,
    room: Room<T>,
    /// The symmetries that lead to the least solution and to the least puzzle.
    solution_ways: Vec<u32>,
    ways: Vec<u32>,
}

/// Memory that is used again.
#[derive(Debug, Default)]
struct Room<T> {
    chosen: Vec<u32>,
    forbidden: Vec<u32>,
    /// By symmetry: the first number of the image.
    firsts: Vec<T>,
    /// The list of an image, and the least one so far.
    image: Vec<T>,
    least: Vec<T>,
}

impl<T: Number> Finder<T> {
    pub(super) fn new(group: Arc<Columns<T>>) -> Finder<T> {
        Finder { group, room: Room::default(), solution_ways: Vec::new(), ways: Vec::new() }
    }

    /// The form of a record: `puzzle` is `None` if the record is its solution.
    fn form(
        &mut self,
        puzzle: Option<&[u8]>,
        solution: Option<&[u8]>,
        image: &mut [u8],
        solution_image: &mut [u8],
    ) -> Result<Entry, NoForm> {
        let Finder { group, room, solution_ways, ways } = self;
        let mut solution_automorphisms = 0;
        if let Some(solution) = solution {
            check_symbols(solution, CHOSEN.into())?;
            room.least(group, solution, None, solution_ways);
            solution_automorphisms = solution_ways.len() as u32;
        }
        let kind = if solution.is_some() { FormKind::Solution } else { FormKind::Direct };
        let among = solution.map(|_| solution_ways.as_slice());
        let found = match (puzzle, solution) {
            (Some(puzzle), _) => {
                check_symbols(puzzle, FORBIDDEN.into())?;
                if let Some(solution) = solution {
                    check_choices(puzzle, solution)?;
                }
                room.least(group, puzzle, among, ways);
                &*ways
            }
            (None, Some(_)) => &*solution_ways,
            (None, None) => return Err(NoForm::NotAGrid),
        };
        let way = found.first().copied().unwrap_or(0);
        let write = |bytes: &[u8], image: &mut [u8]| {
            image.fill(0);
            for (option, &byte) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                if let Some(image) = image.get_mut(group.image(way as usize, option) as usize) {
                    *image = byte;
                }
            }
        };
        puzzle.or(solution).into_iter().for_each(|record| write(record, image));
        solution.into_iter().for_each(|solution| write(solution, solution_image));
        let (symmetry, automorphisms) = (FormSymmetry::Group(way), found.len() as u32);
        Ok(Entry { kind, symmetry, automorphisms, solution_automorphisms })
    }
}

impl<T: Number> Room<T> {
    /// Replaces `ways` by the symmetries, of those in `among` if there are any given, that lead to the least image.
    fn least(&mut self, group: &Columns<T>, bytes: &[u8], among: Option<&[u32]>, ways: &mut Vec<u32>) {
        let Room { chosen, forbidden, firsts, image, least } = self;
        chosen.clear();
        forbidden.clear();
        for (option, &byte) in (0..).zip(bytes).filter(|(_, byte)| **byte != 0) {
            if byte == CHOSEN { &mut *chosen } else { &mut *forbidden }.push(option);
        }
        ways.clear();
        let first = if chosen.is_empty() { &*forbidden } else { &*chosen };
        match (among, first.split_first()) {
            (Some(among), _) => ways.extend_from_slice(among),
            (None, None) => ways.extend(0..group.order() as u32),
            (None, Some((&option, rest))) => {
                firsts.clear();
                firsts.extend_from_slice(group.column(option));
                for &option in rest {
                    firsts.iter_mut().zip(group.column(option)).for_each(|(first, &image)| {
                        *first = image.min(*first);
                    });
                }
                let least = firsts.iter().copied().min();
                ways.extend(
                    (0..).zip(&*firsts).filter(|&(_, &first)| Some(first) == least).map(|(way, _)| way),
                );
            }
        }
        if ways.len() <= 1 || first.is_empty() {
            return;
        }
        // The ways to the least list so far are moved to the front.
        let mut count = 0;
        for place in 0..ways.len() {
            let way = ways[place];
            image.clear();
            for options in [&*chosen, &*forbidden] {
                let start = image.len();
                image.extend(options.iter().filter_map(|&option| group.column(option).get(way as usize)));
                image[start..].sort_unstable();
            }
            if count == 0 || *image < *least {
                std::mem::swap(image, least);
                count = 0;
            } else if *image != *least {
                continue;
            }
            ways[count] = way;
            count += 1;
        }
        ways.truncate(count);
    }
}

/// Whether the chosen options are in the solution, and the forbidden ones are not.
fn check_choices(puzzle: &[u8], solution: &[u8]) -> Result<(), NoForm> {
    let is_kept = |(&byte, &solved): (&u8, &u8)| byte == 0 || (byte == CHOSEN) == (solved == CHOSEN);
    if puzzle.iter().zip(solution).all(is_kept) { Ok(()) } else { Err(NoForm::Clue) }
}

impl<T: Number> Find for Finder<T> {
    fn find(&mut self, records: Records<'_>, forms: &mut Forms) {
        let stride = self.group.options();
        let Forms { cells, solutions, entries, .. } = forms;
        let places = cells.chunks_exact_mut(stride.max(1)).zip(solutions.chunks_exact_mut(stride.max(1)));
        for (place, (cells, solution)) in places.enumerate() {
            let (puzzle, known) = records.get(place);
            entries.push(self.form(puzzle, known, cells, solution));
        }
    }
}
