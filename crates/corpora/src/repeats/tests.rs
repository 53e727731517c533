use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use std::path::Path;

use super::*;

use crate::grid::Rules;
use crate::input::Source;
use crate::output::{self, Outlet};
use crate::pipeline::Part;
use crate::symmetry::{Symmetries, Symmetry};

const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";
const SOLUTION: &str = "417369825632158947958724316825437169791586432346912758289643571573291684164875293";
/// The same grid, another puzzle: a clue more.
const EASIER: &str = "4.7...8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

fn image(symmetry: &Symmetry, text: &str) -> String {
    let cells: Vec<u8> = text.bytes().map(|byte| if byte == b'.' { 0 } else { byte - b'0' }).collect();
    let mut image = vec![0; cells.len()];
    symmetry.apply(&cells, &mut image).unwrap();
    image.iter().map(|&cell| if cell == 0 { '.' } else { (b'0' + cell).into() }).collect()
}

fn images(text: &str, seed: u64) -> impl FnMut() -> String {
    let symmetries = Symmetries::new(&Rules::default(), seed).unwrap();
    let mut record = 0;
    move || {
        record += 1;
        image(&symmetries.get(record, 0), text)
    }
}

fn source(name: &str, text: &str) -> Source {
    Source::stream(name, std::io::Cursor::new(text.to_owned().into_bytes()))
}

fn rewriting(threads: usize, stop: &std::sync::atomic::AtomicBool) -> RewriteOptions<'_> {
    let format = output::format("pair").unwrap();
    RewriteOptions::default()
        .threads(NonZero::new(threads))
        .format(format)
        .chunk_bytes(NonZero::new(1 << 10))
        .stop(stop)
}

/// What is kept of the texts, the repeats, the outcome, and all records with the malformed ones.
fn dedup(by: By, texts: &[&str], threads: usize) -> (String, Vec<String>, DedupOutcome, [u64; 2]) {
    let stop = false.into();
    let options = DedupOptions::default().by(by).memory(0);
    let mut first = Dedup::open(&Rules::default(), rewriting(threads, &stop), options).unwrap();
    let name = |number: usize| format!("s{number}");
    for (number, text) in texts.iter().enumerate() {
        first.read(&mut source(&name(number), text), &mut ()).unwrap();
    }
    let (mut out, mut repeats) = (Vec::new(), Vec::new());
    let on_repeat = |repeat: LinePlace<'_>, first: LinePlace<'_>| {
        repeats.push(format!("{repeat} {first}"));
        Ok(())
    };
    let (mut second, outcome) = first.find(Box::new(on_repeat)).unwrap();
    for (number, text) in texts.iter().enumerate() {
        let source = &mut source(&name(number), text);
        second.read(source, Part::WHOLE, &mut [&mut out], &mut ()).unwrap();
    }
    let (read, _) = second.finish(&mut [&mut out]).unwrap();
    (String::from_utf8(out).unwrap(), repeats, outcome, [read.records, read.malformed_count])
}

#[test]
fn the_first_record_of_each_class_is_kept() {
    let (mut images, mut easier) = (images(PUZZLE, 1), images(EASIER, 2));
    let [one, two, three] = [PUZZLE.to_owned(), images(), images()];
    let easy = easier();
    let several = PUZZLE.replacen("4.....8.5", "4.......5", 1);
    let texts = [
        format!("# comment\n{one},{SOLUTION}\nrubbish\n{two} 7\n{easy}\n\n{one}\n"),
        format!("{three}\n{several}\n{one} a name\n{several}\n"),
    ];
    let texts = texts.each_ref().map(|text| &**text);
    for threads in [1, 3] {
        let (kept, repeats, outcome, records) = dedup(By::Puzzle, &texts, threads);
        assert_eq!(kept, format!("{one},{SOLUTION}\n{easy}\n{several}\n"));
        assert_eq!(repeats, ["s0:4 s0:2", "s0:7 s0:2", "s1:1 s0:2", "s1:3 s0:2", "s1:4 s1:2"]);
        assert_eq!((outcome.repeats, outcome.classes, outcome.without_class, outcome.direct), (5, 3, 0, 2));
        assert_eq!(records, [9, 1]);

        let (kept, repeats, outcome, _) = dedup(By::Grid, &texts, threads);
        assert_eq!(kept, format!("{one},{SOLUTION}\n{several}\n{several}\n"));
        assert_eq!(repeats, ["s0:4 s0:2", "s0:5 s0:2", "s0:7 s0:2", "s1:1 s0:2", "s1:3 s0:2"]);
        assert_eq!((outcome.repeats, outcome.classes, outcome.without_class), (5, 1, 2));

        let (kept, repeats, outcome, _) = dedup(By::Text, &texts, threads);
        assert_eq!(kept, format!("{one},{SOLUTION}\n{two} 7\n{easy}\n{three}\n{several}\n"));
        assert_eq!(repeats, ["s0:7 s0:2", "s1:3 s0:2", "s1:4 s1:2"]);
        assert_eq!((outcome.repeats, outcome.classes), (3, 5));
    }
}

/// Many records, of which each class has its number: exactly the planted repeats are found, whatever is in memory.
#[test]
fn planted_repeats_are_found_and_nothing_else() {
    let records = 20_000_u64;
    // Classes have 1 to 3 records, far apart. Keys are spread like the keys of forms.
    let class = |record: u64| record % 9_000;
    let mut keys = Keys::new(0);
    let mut firsts = BTreeMap::new();
    let mut expected = Vec::new();
    for record in 0..records {
        let key = u128::from(crate::chance::mix(class(record))) << 64;
        keys.push(key, Place { record, line: 3 * record }).unwrap();
        let first = *firsts.entry(key).or_insert(record);
        if first != record {
            expected.push((record, Place { record: first, line: 3 * first }));
        }
    }
    let stop = false.into();
    let repeats = keys.repeats(records, 0, &rewriting(2, &stop), |_, _| true).unwrap();
    assert_eq!(repeats.count, expected.len() as u64);
    let mut all = Vec::new();
    repeats.for_each(|record, first| all.push((record, first))).unwrap();
    assert_eq!(all, expected);
    let (mut next, mut found) = (repeats.into_order(), Vec::new());
    for record in 0..records {
        found.extend(next.find(record).unwrap().map(|first| (record, first)));
    }
    assert_eq!(found, expected);
}

#[test]
fn a_source_that_changed_between_the_readings_is_an_error() {
    let stop = false.into();
    let options = DedupOptions::default().by(By::Text).memory(0);
    let mut first = Dedup::open(&Rules::default(), rewriting(1, &stop), options).unwrap();
    first.read(&mut source("s", PUZZLE), &mut ()).unwrap();
    let (mut second, _) = first.find(Box::new(|_, _| Ok(()))).unwrap();
    let text = format!("{PUZZLE}\n{PUZZLE}\n");
    second.read(&mut source("s", &text), Part::WHOLE, &mut [], &mut ()).unwrap();
    let error = second.finish(&mut []).unwrap_err();
    assert_eq!(error.path(), Some(Path::new("s")));
    assert!(matches!(error.fact(), Some(crate::input::InputError::Changed)), "{error}");
}

#[test]
fn leaks_are_found_with_the_symmetry_that_leads_there() {
    let (mut images, mut easier) = (images(PUZZLE, 3), images(EASIER, 4));
    let several = PUZZLE.replacen("4.....8.5", "4.......5", 1);
    let other = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";
    let training = [format!("{other}\nrubbish\n{PUZZLE}\n"), format!("# comment\n{PUZZLE}\n{several}\n")];
    let (one, easy, two) = (images(), easier(), images());
    let tests = format!("{one}\n{easy}\n{several}\n{two}\n{two}\n");
    let stop = false.into();
    let options = LeakOptions::default().memory(0);
    for threads in [1, 2] {
        let mut leak = Leak::open(&Rules::default(), rewriting(threads, &stop), options).unwrap();
        for (name, text) in ["a", "b"].into_iter().zip(&training) {
            leak.read_training(&mut source(name, text), &mut ()).unwrap();
        }
        leak.read_tests(&mut source("t", &tests), &mut ()).unwrap();
        let mut reader = leak.find().unwrap();
        let LeakOutcome { training: records, tests: test_records, puzzles, grids, without_grid, .. } =
            *reader.outcome();
        assert_eq!((records, test_records, puzzles, grids, without_grid), (5, 5, 4, 4, 2));
        for (name, text) in ["a", "b"].into_iter().zip(&training) {
            reader.read_training(&mut source(name, text), &mut ()).unwrap();
        }
        let mut found = Vec::new();
        let mut on_leak = |leaked: &LeakPair<'_>| {
            let LeakPair { test, training, is_puzzle, symmetry } = leaked;
            found.push((format!("{test} {training}"), *is_puzzle, *symmetry));
            Ok(())
        };
        reader.read_tests(&mut source("t", &tests), &mut (), &mut on_leak).unwrap();
        let places: Vec<(&str, bool)> = found.iter().map(|(places, is, _)| (&**places, *is)).collect();
        let expected =
            [("t:1 a:3", true), ("t:2 a:3", false), ("t:3 b:3", true), ("t:4 a:3", true), ("t:5 a:3", true)];
        assert_eq!(places, expected);
        for (text, at) in [(&one, 0), (&two, 3), (&two, 4)] {
            assert_eq!(image(&found[at].2, text), PUZZLE);
        }
        assert_eq!(image(&found[2].2, &several), several);
        // The symmetry of a grid leads to the grid.
        let solved = galop::solve(&easy).unwrap().to_string();
        assert_eq!(image(&found[1].2, &solved), SOLUTION);
    }
}

#[test]
fn a_class_goes_to_one_part_and_the_share_holds() {
    let stop = false.into();
    let symmetries = Symmetries::new(&Rules::default(), 5).unwrap();
    // 400 classes: one clue more of the grid or two, in three images each.
    let mut puzzles = Vec::new();
    for (one, other) in (0..81).flat_map(|one| (one..one + 6).map(move |other| (one, other % 81))) {
        let mut puzzle = PUZZLE.to_owned().into_bytes();
        [one, other].iter().for_each(|&cell| puzzle[cell] = SOLUTION.as_bytes()[cell]);
        puzzles.push(String::from_utf8(puzzle).unwrap());
    }
    puzzles.sort();
    puzzles.dedup();
    let mut text = String::from("rubbish\n");
    for turn in 0..3 {
        for (number, puzzle) in (0..).zip(&puzzles) {
            text += &(image(&symmetries.get(number, turn), puzzle) + "\n");
        }
    }
    let split = |by: By, seed: u64, threads: usize, count: Option<usize>| {
        let options = SplitOptions::default().by(by).tests(TestLimit::share(0.25)).seed(seed);
        let options = count.map_or(options, |count| {
            let opened = TestCounter::open(&Rules::default(), rewriting(threads, &stop), options, count);
            let mut counter = opened.unwrap();
            counter.read(&mut source("s", &text), &mut ()).unwrap();
            options.tests(counter.finish())
        });
        let mut outs = [Vec::new(), Vec::new()];
        let mut run = super::split(&Rules::default(), rewriting(threads, &stop), options).unwrap();
        let mut both = outs.each_mut().map(|out| out as &mut dyn Outlet);
        run.read(&mut source("s", &text), Part::WHOLE, &mut both, &mut ()).unwrap();
        let (read, counts) = run.finish(&mut both).unwrap();
        assert_eq!((read.malformed_count, counts.0.iter().sum()), (1, 3 * puzzles.len() as u64));
        outs.map(|out| String::from_utf8(out).unwrap())
    };
    let [training, tests] = split(By::Puzzle, 1, 2, None);
    assert_eq!(split(By::Puzzle, 1, 1, None), [training.clone(), tests.clone()]);
    assert_ne!(split(By::Puzzle, 2, 1, None)[1], tests);
    // Three standard deviations of a quarter of 400 are 26 classes.
    let (_, _, outcome, _) = dedup(By::Puzzle, &[&tests], 2);
    let share = outcome.classes as f64 / puzzles.len() as f64;
    assert!((0.18..0.32).contains(&share), "{share}");
    assert_eq!((tests.lines().count() as u64, outcome.repeats), (3 * outcome.classes, 2 * outcome.classes));
    let both = dedup(By::Puzzle, &[&training, &tests], 2).2;
    assert_eq!(both.classes, puzzles.len() as u64);
    // Each class has three records.
    for (count, whole) in [(0, 0), (2, 0), (3, 3), (100, 99), (3 * puzzles.len(), 3 * puzzles.len())] {
        for (seed, threads) in [(1, 1), (1, 2), (2, 1)] {
            let [_, tests] = split(By::Puzzle, seed, threads, Some(count));
            assert_eq!(tests.lines().count(), whole, "{count}");
        }
    }
    assert_eq!(split(By::Puzzle, 1, 2, Some(usize::MAX))[0], "");
    // All of them have one grid.
    let parts = split(By::Grid, 1, 2, None);
    assert!(parts.iter().any(String::is_empty));
}

#[test]
fn names_are_different() {
    let names: BTreeSet<&str> = By::ALL.iter().map(|by| by.name()).collect();
    assert_eq!(names.len(), By::ALL.len());
}
