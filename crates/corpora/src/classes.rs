//! The canonical forms of the puzzles of a chunk, which say to which classes they belong.
//!
//! The form by the solution needs a puzzle with exactly one solution. A complete grid is its own solution. Every other
//! puzzle is solved, with a search for a second solution; an answer beside it says nothing about how many there are.
//! Only for data whose puzzles are known to have one solution the given answers may be trusted: an answer that the
//! [`Verifier`] accepts then is the solution, and only the other puzzles are solved. A puzzle without a single solution
//! has the direct form.
//!
//! Forms are found for a few puzzles at a time, when they are asked for. So a stopped run does not wait for the forms
//! of a whole chunk, and the forms stay in the cache.

use std::ops::Range;

use crate::engine::Unanswered;
use crate::engine::{self, Engine, Entry, Isa};
use crate::error::{Error, ErrorKind};
use crate::grid::{Alphabet, Rules, Verifier, WrongSolution};
use crate::pipeline::{ChunkJob, Failure};
use crate::puzzle::{Answer, Limits, Puzzles, Status};
use crate::symmetry::{Canonizer, Form, FormKind, Forms};

/// Puzzles whose forms are found together.
const BLOCK: usize = 64;

galop_batch::options! {
    /// How the forms of puzzles are found.
    #[derive(Clone, Copy, Debug)]
    ClassOptions {
        /// What the forms are the least of. A puzzle without a single solution always has the direct form.
        kind: FormKind = FormKind::Solution,
        /// Whether the answer beside a puzzle, if it is a solution, is taken for the only one.
        trusts_answers: bool = false,
    }
}

impl ClassOptions {
    /// The engine that counts the solutions of puzzles of `rules`, if that is needed.
    pub fn engine(&self, rules: &Rules) -> Option<&'static Entry> {
        (self.kind == FormKind::Solution).then(|| engine::default_for(rules))
    }
}

/// Finds the classes of the puzzles of one chunk after the other. Each thread has one.
pub(super) struct Classes {
    options: ClassOptions,
    canonizer: Canonizer,
    verifier: Verifier,
    alphabet: Alphabet,
    engine: Box<dyn Engine>,
    entry: &'static Entry,
    limits: Limits,
    /// The forms of the block.
    forms: Forms,
    /// The places of the puzzles whose forms there are.
    block: Range<usize>,
    /// The solutions of the chunk, flat, and whether each of them is the only one.
    solutions: Vec<u8>,
    is_single: Vec<bool>,
    /// Room for the puzzles that are solved, their places, solutions and answers, if not all of a chunk are.
    unsolved: Vec<u8>,
    places: Vec<usize>,
    found: Vec<u8>,
    answers: Vec<Answer>,
}

impl Classes {
    /// For puzzles of `rules`.
    ///
    /// # Errors
    /// [`NotSupported`](crate::symmetry::NotSupported) and [`Unsupported`](crate::engine::Unsupported).
    pub(super) fn new(rules: &Rules, options: ClassOptions) -> Result<Classes, Error> {
        let entry = engine::default_for(rules);
        Ok(Classes {
            canonizer: Canonizer::new(rules)?,
            options,
            verifier: Verifier::new(rules),
            alphabet: rules.alphabet().clone(),
            engine: (entry.make)(rules, Isa::best())?,
            entry,
            limits: Limits::UNIQUE.with_guesses(entry.max_guesses),
            forms: Forms::default(),
            block: 0..0,
            solutions: Vec::new(),
            is_single: Vec::new(),
            unsolved: Vec::new(),
            places: Vec::new(),
            found: Vec::new(),
            answers: Vec::new(),
        })
    }

    /// Solves the puzzles of `chunk`, as far as that is needed. To be called before the first [`form`](Self::form) of
    /// it.
    pub(super) fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        self.block = 0..0;
        if self.options.kind == FormKind::Direct {
            return Ok(());
        }
        let puzzles = chunk.puzzles();
        let (count, cells) = (puzzles.len(), puzzles.stride());
        self.solutions.resize(count * cells, 0);
        self.is_single.clear();
        self.is_single.resize(count, false);
        if self.options.trusts_answers {
            self.take_answers(chunk);
        } else {
            self.take_grids(puzzles);
        }
        self.solve_others(chunk)
    }

    /// The form of the puzzle at `place` of `chunk`, the one that was begun. `None` past its end. Places that ascend
    /// are fast.
    pub(super) fn form(&mut self, chunk: &ChunkJob<'_>, place: usize) -> Result<Option<Form<'_>>, Failure> {
        if !self.block.contains(&place) {
            self.find_block(chunk, place - place % BLOCK)?;
        }
        // A form is lacking only if a solution is wrong, and all of them are verified.
        Ok(place.checked_sub(self.block.start).and_then(|place| self.forms.get(place)?.ok()))
    }

    /// Finds the forms of the block that begins at `start`.
    fn find_block(&mut self, chunk: &ChunkJob<'_>, start: usize) -> Result<(), Failure> {
        if chunk.is_stopped() {
            return Err(Failure::stopped());
        }
        let puzzles = chunk.puzzles();
        let (block, cells) = (start..puzzles.len().min(start + BLOCK), puzzles.stride());
        self.block = block.clone();
        let batch = puzzles.slice(block.clone());
        let found = match self.options.kind {
            FormKind::Direct => self.canonizer.direct(batch, &mut self.forms),
            FormKind::Solution => {
                let solutions = Puzzles::new(&self.solutions, cells).map_err(ErrorKind::from)?.slice(block);
                let is_single = |place: usize| self.is_single.get(start + place) == Some(&true);
                self.canonizer.puzzles(batch, solutions, &is_single, &mut self.forms)
            }
        };
        Ok(found.map_err(ErrorKind::from)?)
    }

    /// Takes complete grids for their own solutions.
    fn take_grids(&mut self, puzzles: Puzzles<'_>) {
        for (place, puzzle) in puzzles.iter().enumerate() {
            self.take_grid(place, puzzle);
        }
    }

    /// The same, and takes the answers beside puzzles for their only solutions.
    fn take_answers(&mut self, chunk: &ChunkJob<'_>) {
        for record in chunk.records() {
            let Ok(puzzle) = &record.puzzle else { continue };
            if self.take_grid(puzzle.place, puzzle.cells) {
                continue;
            }
            let solution = &mut self.solutions[puzzle.place * puzzle.cells.len()..][..puzzle.cells.len()];
            let read = chunk.read_solution(&record, puzzle, &self.verifier, solution);
            self.is_single[puzzle.place] = read == Some(true);
        }
    }

    /// Takes the puzzle at `place` for its own solution, if it is a solution grid. Returns whether it is.
    fn take_grid(&mut self, place: usize, puzzle: &[u8]) -> bool {
        let is_grid = !puzzle.contains(&0) && self.verifier.check(puzzle, puzzle).is_ok();
        if is_grid {
            self.solutions[place * puzzle.len()..][..puzzle.len()].copy_from_slice(puzzle);
            self.is_single[place] = true;
        }
        is_grid
    }

    /// Solves the puzzles that have no solution yet.
    fn solve_others(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
        let puzzles = chunk.puzzles();
        let Classes { engine, limits, solutions, is_single, unsolved, places, found, answers, .. } = self;
        unsolved.clear();
        places.clear();
        for (place, (puzzle, _)) in puzzles.iter().zip(&*is_single).enumerate().filter(|(_, (_, is))| !**is) {
            unsolved.extend_from_slice(puzzle);
            places.push(place);
        }
        if places.is_empty() {
            return Ok(());
        }
        let cells = puzzles.stride();
        let batch = Puzzles::new(unsolved, cells).map_err(ErrorKind::from)?;
        answers.clear();
        chunk.solve_batch(&mut **engine, batch, *limits, found, answers)?;
        for ((&place, puzzle), (solution, answer)) in
            places.iter().zip(batch.iter()).zip(found.chunks_exact(cells).zip(&*answers))
        {
            let status = answer.status(*limits);
            if status == Status::Unanswered {
                return Err(ErrorKind::from(Unanswered { engine: self.entry.name }).into());
            }
            if status == Status::Solved {
                self.verifier.check(puzzle, solution).map_err(|violation| {
                    let engine = self.entry.name;
                    ErrorKind::from(WrongSolution::new(engine, puzzle, solution, violation, &self.alphabet))
                })?;
                solutions[place * cells..][..cells].copy_from_slice(solution);
                is_single[place] = true;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZero;

    use super::*;
    use crate::input::Record;
    use crate::input::Source;
    use crate::output;
    use crate::pipeline::SourceRun;
    use crate::pipeline::rewrite::{Editor, EditorPage, RecordPlace, Rewrite, RewriteOptions};
    use crate::symmetry::{self, Symmetries, Symmetry};

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
    const SOLUTION: &str =
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293";

    /// Keeps records and notes their forms: the kind, the key, and the key of the solution.
    struct Keys(Classes);

    impl Editor for Keys {
        type Note = Option<(FormKind, u128, Option<u128>)>;
        type Counts = ();

        fn begin(&mut self, chunk: &ChunkJob<'_>) -> Result<(), Failure> {
            self.0.begin(chunk)
        }

        fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, Self::Note>) -> Result<(), Failure> {
            let form = match &record.puzzle {
                Ok(puzzle) => self.0.form(out.chunk, puzzle.place)?,
                Err(_) => None,
            };
            let note = form.map(|form| (form.kind, form.key(), form.solution_key()));
            out.keep(record);
            out.note(record, note);
            Ok(())
        }
    }

    /// The forms of the records of `text`, with their lines.
    fn keys(
        rules: &Rules,
        options: ClassOptions,
        text: &str,
        threads: usize,
    ) -> Vec<(u64, Option<(FormKind, u128, Option<u128>)>)> {
        let stop = false.into();
        let format = output::format("pair").unwrap();
        let chunk_bytes = NonZero::new(if threads == 1 { 1 << 20 } else { 1000 });
        let rewriting = RewriteOptions::default()
            .threads(NonZero::new(threads))
            .format(format)
            .chunk_bytes(chunk_bytes)
            .stop(&stop);
        let editor = || Ok(Keys(Classes::new(rules, options)?));
        let mut run = Rewrite::open(rules, rewriting, &[], editor).unwrap();
        let (mut out, mut found) = (Vec::new(), Vec::new());
        let mut source = Source::stream("s", std::io::Cursor::new(text.to_owned().into_bytes()));
        let mut select = |note, at: &RecordPlace<'_>, (): &mut ()| {
            found.push((at.line, note));
            Ok(at.line.is_multiple_of(2).then_some(0))
        };
        run.read_by(&mut source, &mut [&mut out], &mut (), &mut select).unwrap();
        let (outcome, ()) = Box::new(run).finish(&mut [&mut out]).unwrap();
        let records = outcome.records as usize;
        assert_eq!(String::from_utf8(out).unwrap().lines().count(), records / 2);
        found
    }

    /// An image of a grid or puzzle as text.
    fn image(symmetry: &Symmetry, text: &str) -> String {
        let cells: Vec<u8> = text.bytes().map(|byte| byte.saturating_sub(b'0').min(9) % 10).collect();
        let cells: Vec<u8> =
            cells.iter().zip(text.bytes()).map(|(&cell, byte)| if byte == b'.' { 0 } else { cell }).collect();
        let mut image = vec![0; cells.len()];
        symmetry.apply(&cells, &mut image).unwrap();
        image.iter().map(|&cell| if cell == 0 { '.' } else { (b'0' + cell).into() }).collect()
    }

    #[test]
    fn images_have_the_same_keys_whether_answers_are_given_or_not() {
        let rules = Rules::default();
        let symmetries = Symmetries::new(&rules, 3).unwrap();
        let mut lines = Vec::new();
        for record in 0..60 {
            let symmetry = symmetries.get(record, 0);
            let (puzzle, solution) = (image(&symmetry, PUZZLE), image(&symmetry, SOLUTION));
            lines.push(match record % 4 {
                0 => puzzle,
                1 => format!("{puzzle},{solution}"),
                // A wrong answer, and one that is none.
                2 => format!("{puzzle},{SOLUTION}"),
                _ => format!("{puzzle},none"),
            });
        }
        let text = lines.join("\n");
        for kind in [FormKind::Solution, FormKind::Direct] {
            for trusts_answers in [false, true] {
                let found =
                    keys(&rules, ClassOptions::default().kind(kind).trusts_answers(trusts_answers), &text, 1);
                assert_eq!(found.len(), 60);
                let first = found[0].1.unwrap();
                assert_eq!(first.0, kind);
                assert!((1..).zip(&found).all(|(line, found)| *found == (line, Some(first))), "{kind:?}");
                assert_eq!(
                    keys(&rules, ClassOptions::default().kind(kind).trusts_answers(trusts_answers), &text, 3),
                    found
                );
            }
        }
    }

    #[test]
    fn puzzles_without_a_single_solution_have_the_direct_form() {
        let several = PUZZLE.replacen("7.5", "..5", 1);
        let none = PUZZLE.replacen("4.....8", "4.4...8", 1);
        let text = format!("{several},{SOLUTION}\n{none}\nrubbish\n{PUZZLE}\n{SOLUTION}\n");
        let untrusting = keys(&Rules::default(), ClassOptions::default(), &text, 2);
        let kinds = |found: &[(u64, Option<(FormKind, u128, Option<u128>)>)]| -> Vec<Option<FormKind>> {
            found.iter().map(|(_, note)| note.map(|(kind, ..)| kind)).collect()
        };
        let (direct, solution) = (Some(FormKind::Direct), Some(FormKind::Solution));
        assert_eq!(kinds(&untrusting), [direct, direct, None, solution, solution]);
        // Trust in an answer that is not the only one gives another form.
        let options = ClassOptions::default().trusts_answers(true);
        let trusting = keys(&Rules::default(), options, &text, 2);
        assert_eq!(kinds(&trusting), [solution, direct, None, solution, solution]);
        // The solution and the grid have the same key.
        let of =
            |found: &[(u64, Option<(FormKind, u128, Option<u128>)>)], place: usize| found[place].1.unwrap();
        assert_eq!(of(&untrusting, 3).2, Some(of(&untrusting, 4).1));
        assert_eq!(of(&trusting, 0).2, of(&untrusting, 3).2);
    }

    #[test]
    fn small_sudokus_have_classes_and_other_rules_have_none() {
        let rules = Rules::sudoku(4).unwrap();
        let text = "1234341221434321\n1.......2.......\n3412123421434321\n";
        let found = keys(&rules, ClassOptions::default(), text, 1);
        assert_eq!((found[0].1, found[0].1.unwrap().0), (found[2].1, FormKind::Solution));
        assert_eq!(found[1].1.unwrap().0, FormKind::Direct);
        let rules = Rules::sudoku(16).unwrap();
        let error = Classes::new(&rules, ClassOptions::default()).map(drop).unwrap_err();
        assert!(error.fact::<symmetry::NotSupported>().is_some(), "{error}");
    }
}
