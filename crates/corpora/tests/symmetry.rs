//! Canonical forms of whole files.

#![allow(clippy::unwrap_used)]

use std::collections::HashSet;

use galop_corpora::symmetry::{Canonizer, Form, FormKind, Forms, Images, Symmetries, Symmetry};
use galop_engines::engine::Isa;
use galop_engines::puzzle::{Answer, Answers, Limits, Puzzles};
use galop_engines::{Rules, engine};

use galop_testing::available::{isas, large_set_text};
use galop_testing::data::first;
use galop_testing::puzzles::{Cells, cells};

/// The solutions of puzzles, and whether each is the only one.
fn solved(puzzles: &[u8]) -> (Vec<u8>, Vec<bool>) {
    let puzzles = Puzzles::new(puzzles, 81).unwrap();
    let mut engine = (engine::named("lanes").unwrap().make)(&Rules::default(), Isa::best()).unwrap();
    let (mut solutions, mut answers) = (vec![0; 81 * puzzles.len()], vec![Answer::default(); puzzles.len()]);
    engine
        .solve(puzzles, Limits::UNIQUE, &mut Answers::new(&mut solutions, &mut answers, 81).unwrap())
        .unwrap();
    (solutions, answers.iter().map(|answer| answer.solutions == 1).collect())
}

/// The keys of the canonical puzzles, and of their solution grids.
fn keys(isa: Isa, puzzles: &[u8]) -> Vec<(u128, u128)> {
    let (solutions, is_single) = solved(puzzles);
    let mut forms = Forms::default();
    let mut canonizer = Canonizer::of_nine(isa).unwrap();
    let (puzzles, solutions) = (Puzzles::new(puzzles, 81).unwrap(), Puzzles::new(&solutions, 81).unwrap());
    canonizer.puzzles(puzzles, solutions, &|place| is_single[place], &mut forms).unwrap();
    let key = |form: Form<'_>| (form.key(), form.solution_key().unwrap());
    forms.iter().map(|form| key(form.unwrap())).collect()
}

/// The images of puzzles, each under a symmetry of its own.
fn images(puzzles: &[u8], seed: u64) -> Vec<u8> {
    let symmetries = Symmetries::new(&Rules::default(), seed).unwrap();
    let symmetries: Vec<Symmetry> =
        (0..puzzles.len() as u64 / 81).map(|record| symmetries.get(record, 0)).collect();
    let mut images = vec![0; puzzles.len()];
    Images::new().write(&symmetries, puzzles, &mut images).unwrap();
    images
}

fn flat(puzzles: &[Cells]) -> Vec<u8> {
    puzzles.iter().flatten().copied().collect()
}

#[test]
fn images_have_the_keys_of_their_puzzles_on_every_instruction_set() {
    let puzzles = flat(&first("minimal_10k.txt", 2_000));
    let images = images(&puzzles, 1);
    assert_ne!(puzzles, images);
    let expected = keys(Isa::Portable, &puzzles);
    for isa in isas() {
        assert_eq!(keys(isa, &puzzles), expected);
        assert_eq!(keys(isa, &images), expected);
    }
    assert_eq!(expected.iter().collect::<HashSet<_>>().len(), 2_000);
}

/// Both kinds of forms make the same classes.
#[test]
fn direct_forms_make_the_same_classes() {
    let puzzles = flat(&first("minimal_10k.txt", 1_000));
    let images = images(&puzzles[..81 * 500], 2);
    let mut forms = Forms::default();
    let mut canonizer = Canonizer::new(&Rules::default()).unwrap();
    canonizer.direct(Puzzles::new(&[puzzles, images].concat(), 81).unwrap(), &mut forms).unwrap();
    let keys: Vec<u128> = forms.iter().map(|form| form.unwrap().key()).collect();
    assert_eq!(keys[..500], keys[1_000..]);
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 1_000);
    assert!(forms.iter().all(|form| form.is_ok_and(|form| form.kind == FormKind::Direct)));
}

/// The puzzles of 17 clues are all different, as their collectors say. The unbiased sample repeats itself.
#[test]
fn large_sets_have_their_numbers_of_classes() {
    let expected = [("17_clue.txt", 49_151, 46_294), ("unbiased_100k.txt", 66_804, 41_655)];
    for (name, classes, grids) in expected {
        let Some(text) = large_set_text(name) else { continue };
        let lines = text.lines().filter(|line| line.len() >= 81 && !line.starts_with('#'));
        let puzzles: Vec<Cells> = lines.map(|line| cells(&line[..81])).collect();
        let keys = keys(Isa::best(), &flat(&puzzles));
        let distinct = |keys: HashSet<u128>| keys.len();
        assert_eq!(distinct(keys.iter().map(|key| key.0).collect()), classes, "{name}");
        assert_eq!(distinct(keys.iter().map(|key| key.1).collect()), grids, "{name}");
    }
}
