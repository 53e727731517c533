//! Tests of [`rewrite`](super).

use super::*;
use crate::output::{self, Kind};
use crate::pipeline::fields::AnswerContent;
use galop_testing::puzzles::{PUZZLE, SOLUTION, cells};

/// Drops puzzles that begin with 5, and writes the others twice: as they are, and with the digits 1 and 2 exchanged.
struct Exchange;

impl Editor for Exchange {
    type Note = u64;
    type Counts = ();

    fn edit(&mut self, record: &Record<'_>, out: &mut EditorPage<'_, u64>) -> Result<(), Failure> {
        let Ok(puzzle) = &record.puzzle else { return Ok(()) };
        if puzzle.text.starts_with(b"5") {
            return Ok(());
        }
        let exchanged = |cells: &[u8]| -> Vec<u8> {
            cells.iter().map(|&cell| if matches!(cell, 1 | 2) { 3 - cell } else { cell }).collect()
        };
        let (puzzle, answer) = (exchanged(puzzle.cells), exchanged(&cells(SOLUTION)));
        let all = |column: usize, out: &mut Vec<u8>| out.extend_from_slice([&b"7"[..], b"x"][column]);
        out.write(record, &Content { push: Some(&all), ..Content::default() });
        let answer = AnswerContent::Cells(&answer);
        let first = |column: usize, out: &mut Vec<u8>| out.extend_from_slice([&b"7"[..], b""][column]);
        out.write(record, &Content { puzzle: Some(&puzzle), answer, push: Some(&first) });
        out.note(record, record.line);
        Ok(())
    }
}

fn rewrite(format: &str, text: &str, chunk_bytes: usize) -> ([String; 2], RewriteOutcome) {
    let (stop, format) = (false.into(), output::format(format).unwrap());
    let options = RewriteOptions::default()
        .threads(NonZero::new(3))
        .format(format)
        .chunk_bytes(NonZero::new(chunk_bytes))
        .stop(&stop);
    let added = [("group", Kind::Whole), ("id", Kind::Text)].map(|(name, kind)| Heading { name, kind });
    let mut run = Rewrite::open(&Rules::default(), options, &added, || Ok(Exchange)).unwrap();
    let mut texts = [Vec::new(), Vec::new()];
    let mut outs = texts.each_mut().map(|out| out as &mut dyn Outlet);
    assert_eq!(run.threads(), 3);
    let mut source = Source::stream("s", std::io::Cursor::new(text.to_owned().into_bytes()));
    run.read_by(&mut source, &mut outs, &mut (), &mut |_, at, ()| {
        Ok(match at.line % 4 {
            0 => Some(0),
            1 => Some(1),
            _ => None,
        })
    })
    .unwrap();
    let (outcome, ()) = Box::new(run).finish(&mut outs).unwrap();
    (texts.map(|out| String::from_utf8(out).unwrap()), outcome)
}

#[test]
fn an_editor_drops_changes_and_multiplies_records() {
    let zeros = PUZZLE.replace('.', "0");
    let text =
        format!("id,puzzle,solution\n7,{PUZZLE},\nbad,,\n8,{PUZZLE},none\n\"a\nb\",{zeros},{SOLUTION}\n");
    let exchange = |text: &str| text.replace('1', "x").replace('2', "1").replace('x', "2");
    let (other, solution) = (exchange(PUZZLE), exchange(SOLUTION));
    let ([first, second], outcome) = rewrite("csv", &text, 1 << 20);
    let header = "id,puzzle,solution,group,galop_id\n";
    assert_eq!(first, format!("{header}8,{PUZZLE},none,7,x\n8,{other},{solution},7,\n"));
    assert_eq!(
        second,
        format!(
            "{header}\"a\nb\",{zeros},{SOLUTION},7,x\n\"a\nb\",{},{solution},7,\n",
            other.replace('.', "0")
        )
    );
    assert_eq!((outcome.records, outcome.malformed_count, outcome.answers), (4, 1, 5));
    let object = rewrite("json", &text, 1 << 20).0[0].lines().next().unwrap().to_owned();
    assert!(object.ends_with(r#","solution":"none","group":7,"galop_id":"x"}"#), "{object}");
    // Lines have no columns: what is added follows.
    let pairs = rewrite("pair", &text, 1 << 20).0;
    assert_eq!(pairs[0], format!("{PUZZLE},none,7,x\n{other},{solution},7\n"));
}
