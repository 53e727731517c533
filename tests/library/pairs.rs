//! Files in which one format follows another: no puzzle comes out that is not in the file, and none is lost without a
//! word.

use std::collections::HashSet;

use galop_batch::input::{RecordReader, detect_rules};
use galop_engines::grid::Variant;
use proptest::prelude::*;

use crate::shards::{KINDS, file_of, puzzle};
use crate::stream;
use galop_testing::chance::Chance;
use galop_testing::puzzles::cells;

/// The puzzles that are read, and whether a malformed record or an error says that there is more.
fn read(bytes: Vec<u8>, chunk_bytes: usize) -> (Vec<Vec<u8>>, bool) {
    let mut source = stream(bytes);
    let Ok(rules) = detect_rules(std::slice::from_mut(&mut source), &Variant::default(), None) else {
        return (Vec::new(), true);
    };
    let mut reader = RecordReader::new(&mut source, chunk_bytes, &rules);
    let (mut puzzles, mut is_named) = (Vec::new(), false);
    loop {
        match reader.next_chunk() {
            Ok(Some(records)) => {
                for record in records.iter() {
                    match &record.puzzle {
                        Ok(puzzle) => puzzles.push(puzzle.cells.to_vec()),
                        Err(_) => is_named = true,
                    }
                }
            }
            Ok(None) => return (puzzles, is_named),
            Err(_) => return (puzzles, true),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(600) })]

    #[test]
    fn nothing_is_made_up_or_lost_where_one_format_follows_another(
        kinds in prop::array::uniform2(prop::sample::select(&KINDS[..])),
        most in prop::sample::select(&[1_usize, 3, 12, 200][..]),
        between in prop::sample::select(&["", "\n", "\n\n", "Some words.\n"][..]),
        chunk_bytes in 64_usize..3000,
        seed in any::<u64>(),
    ) {
        let mut chance = Chance::new(seed);
        let [first, second] = kinds.map(|kind| {
            // An array that shows no greatest number may be read with another blank.
            let least = if kind == "npy" { 5 } else { 1 };
            let puzzles: Vec<String> = (0..least + chance.below(most)).map(|_| puzzle(&mut chance)).collect();
            (file_of(kind, &puzzles, &mut chance), puzzles)
        });
        // A row of a drawn grid has a line of its own.
        let line_end = if first.0.ends_with(b"\n") { "" } else { "\n" };
        let text = [&first.0[..], line_end.as_bytes(), between.as_bytes(), &second.0].concat();
        let written: Vec<Vec<u8>> = first.1.iter().chain(&second.1).map(|puzzle| cells(puzzle).to_vec()).collect();
        let (found, is_named) = read(text.clone(), chunk_bytes);
        let known: HashSet<&Vec<u8>> = written.iter().collect();
        let shown = String::from_utf8_lossy(&text[..text.len().min(3000)]).into_owned();
        for puzzle in &found {
            prop_assert!(known.contains(puzzle), "{kinds:?}: {puzzle:?} is not in\n{shown}");
        }
        // A list of as many puzzles as the table has columns is a row of it.
        let may_be_row = ["csv", "quoted"].contains(&kinds[0]) && kinds[1] == "list";
        prop_assert!(may_be_row || is_named || found.len() >= written.len(), "{kinds:?}: {} of {} in\n{shown}", found.len(), written.len());
    }
}
