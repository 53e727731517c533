//! The part of the sources that is read: a range of lines, a number of records, or both.
//!
//! ```text
//! lines     1      A                 B
//! chunks    [-----][--|------][-----|--][-----]
//! read      skip    first      last      not read
//! ```
//! A record belongs to the line of its first byte. Chunks before the range are skipped on the reading side: only their
//! line ends are counted. Nothing is read behind the chunk in which the range ends. The first chunk is always handed
//! on, because it shows the columns of a table; if it lies outside of the range, none of its records are kept.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::format::Format;
use super::records::Records;

/// Which records of the sources are read. Clones share the number of records that are left.
#[derive(Clone, Debug, Default)]
pub struct Cut {
    lines: Option<RangeInclusive<u64>>,
    records_left: Option<Arc<AtomicU64>>,
}

/// The records of a chunk that are kept.
#[derive(Clone, Debug)]
pub(super) struct RecordRange {
    /// Where their first bytes are.
    starts: Range<usize>,
    /// Lines of the chunk up to the end of the range.
    lines: u64,
}

impl Cut {
    /// Records that begin in these `lines` of their source, from 1, and of all sources together at most this number of
    /// `records`. `None`: all.
    pub fn new(lines: Option<RangeInclusive<u64>>, records: Option<u64>) -> Cut {
        Cut { lines, records_left: records.map(|records| Arc::new(AtomicU64::new(records))) }
    }

    /// Whether every record is read.
    pub(crate) fn is_whole(&self) -> bool {
        self.lines.is_none() && self.records_left.is_none()
    }

    fn is_used_up(&self) -> bool {
        self.records_left.as_ref().is_some_and(|left| left.load(Ordering::Relaxed) == 0)
    }
}

/// Applies a [`Cut`] to the chunks of one source.
#[derive(Debug)]
pub(super) struct Cutter {
    cut: Cut,
    /// Lines of the chunks so far.
    lines: u64,
    /// Lines of the chunks that were skipped since the last one that was kept.
    skipped: u64,
    /// Room to count records.
    records: Records,
}

impl Cutter {
    /// `None` if every record is read.
    pub(super) fn new(cut: &Cut) -> Option<Cutter> {
        let cutter = || Cutter { cut: cut.clone(), lines: 0, skipped: 0, records: Records::default() };
        (!cut.is_whole()).then(cutter)
    }

    /// Whether no more chunks are needed. `is_recognised`: the first record, or the header of the table, was read.
    pub(super) fn is_done(&self, is_recognised: bool) -> bool {
        let is_behind = self.cut.lines.as_ref().is_some_and(|lines| *lines.end() <= self.lines);
        self.cut.is_used_up() || is_recognised && is_behind
    }

    /// What is kept of the next chunk, and how many lines were skipped right before it. `None`: it is skipped.
    pub(super) fn take(
        &mut self,
        chunk: &[u8],
        format: &Format,
        is_first: bool,
    ) -> Option<(RecordRange, u64)> {
        let (before, all) = (self.lines, format.lines(chunk));
        self.lines += all;
        // The first byte of a line, given by its number in the source, from 1.
        let start_of = |line: u64| match line.saturating_sub(before + 1) {
            0 => 0,
            line if line > all => chunk.len(),
            line => format.line_start(chunk, line),
        };
        let mut starts = match &self.cut.lines {
            Some(lines) => start_of(*lines.start())..start_of(lines.end().saturating_add(1)),
            None => 0..chunk.len(),
        };
        if starts.is_empty() && !is_first {
            self.skipped += all;
            return None;
        }
        if let Some(left) = &self.cut.records_left {
            // If a record lacks its cells, the one who reads the chunk again says so.
            if self.records.read(format, chunk, is_first).is_ok() {
                self.records.keep(starts.clone());
                let (left_before, found) = (left.load(Ordering::Relaxed), self.records.len() as u64);
                if let Some(next) = self.records.start_of(left_before) {
                    starts.end = next;
                }
                left.store(left_before.saturating_sub(found), Ordering::Relaxed);
            }
        }
        // The last line of a source may lack its end.
        let lines = match starts.end {
            end if end >= chunk.len() => u64::MAX,
            end => format.lines(&chunk[..end]),
        };
        Some((RecordRange { starts, lines }, std::mem::take(&mut self.skipped)))
    }
}

impl Records {
    /// Drops the records that are not `kept`.
    pub(super) fn cut(&mut self, kept: &RecordRange) {
        self.keep(kept.starts.clone());
        self.lines = self.lines.min(kept.lines);
    }

    /// Drops the records whose first byte is not in `starts`.
    fn keep(&mut self, starts: Range<usize>) {
        let first = self.puzzles_from(starts.start);
        let last = self.puzzles_from(starts.end).max(first);
        self.runs.retain_mut(|run| {
            let (from, to) = (run.records_before(starts.start), run.records_before(starts.end));
            if from >= to {
                return false;
            }
            run.line += from as u64;
            run.text = run.text.start + from * run.stride..run.text.end + from * run.stride;
            run.place = (run.place + if run.puzzle.is_ok() { from } else { 0 }).saturating_sub(first);
            run.len = to - from;
            true
        });
        self.keep_puzzles(first..last);
    }

    /// How many puzzles belong to records that begin before byte `at`.
    fn puzzles_from(&self, at: usize) -> usize {
        let puzzles = self.runs.iter().filter(|run| run.puzzle.is_ok());
        puzzles.map(|run| run.records_before(at)).sum()
    }

    /// Where record `index` begins, if there is one.
    fn start_of(&self, mut index: u64) -> Option<usize> {
        for run in &self.runs {
            if index < run.len as u64 {
                return Some(run.text.start + index as usize * run.stride);
            }
            index -= run.len as u64;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Rules;
    use crate::input::{RecordReader, Source};
    use std::io::Cursor;

    const PUZZLE: &str = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......";

    /// The line and the text of each record of `text`.
    fn read(text: &[u8], cut: &Cut, chunk_bytes: usize) -> Vec<(u64, Vec<u8>, bool)> {
        let mut source = Source::stream("s", Cursor::new(text.to_vec()));
        source.cut(cut);
        let rules = Rules::default();
        let mut reader = RecordReader::new(&mut source, chunk_bytes, &rules);
        let mut found = Vec::new();
        while let Some(records) = reader.next_chunk().unwrap() {
            let mut place = 0;
            for record in records.iter() {
                if let Ok(puzzle) = &record.puzzle {
                    assert_eq!(puzzle.place, place);
                    place += 1;
                }
                found.push((records.line(&record), record.text.to_vec(), record.puzzle.is_ok()));
            }
        }
        found
    }

    fn npy(rows: usize) -> Vec<u8> {
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({rows}, 81), }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend((0..rows * 81).map(|at| if at % 81 == 0 { (at / 81 % 9) as u8 + 1 } else { 0 }));
        bytes
    }

    /// Whatever the format and the size of the chunks, the records that are read are the records of the whole that
    /// begin in the lines, and then the first ones.
    #[test]
    fn a_cut_keeps_the_records_of_the_whole_that_begin_in_the_lines() {
        let line = |index: usize| match index % 5 {
            0 => "rubbish\n".to_owned(),
            1 => "# comment\n\n".to_owned(),
            _ => format!("{PUZZLE}{}\n", if index.is_multiple_of(3) { " # 1" } else { "" }),
        };
        let lines: String = (0..60).map(line).collect();
        let regular = format!("{PUZZLE}\n").repeat(50) + PUZZLE;
        let row = |index: usize| match index % 4 {
            0 => format!("{index},{PUZZLE},\"a\nb\"\n"),
            1 => format!("{index},{PUZZLE},\"a\n"),
            _ => format!("{index},{PUZZLE},\n"),
        };
        let table: String =
            "# c\nid,puzzle,note\n".to_owned() + &(0..40).map(row).collect::<String>() + "1,2\",";
        let grid = PUZZLE.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row) + "\n");
        let grid: String = grid.collect();
        let grids = format!("{grid}\n").repeat(9) + &grid[..50] + "\n\n" + &grid;
        let texts =
            [lines.into_bytes(), regular.into_bytes(), table.into_bytes(), grids.into_bytes(), npy(40)];
        for text in &texts {
            for chunk_bytes in [64, 700, 1 << 20] {
                let all = read(text, &Cut::default(), chunk_bytes);
                assert!(all.len() > 9);
                for (from, to) in [(1, 1), (1, 9), (2, 3), (11, 29), (29, 29), (39, u64::MAX), (500, 600)] {
                    for records in [None, Some(1), Some(4), Some(10_000)] {
                        let found = read(text, &Cut::new(Some(from..=to), records), chunk_bytes);
                        let in_lines = all.iter().filter(|(line, ..)| (from..=to).contains(line));
                        let expected: Vec<_> =
                            in_lines.take(records.unwrap_or(u64::MAX) as usize).cloned().collect();
                        assert_eq!(found, expected, "{from}..{to} {records:?} {chunk_bytes}");
                    }
                }
                for records in [1, 2, 7, 10_000] {
                    let found = read(text, &Cut::new(None, Some(records)), chunk_bytes);
                    let expected = &all[..all.len().min(records as usize)];
                    assert_eq!(found, expected, "{records} {chunk_bytes}");
                }
            }
        }
    }

    #[test]
    fn clones_share_the_records_that_are_left() {
        let text = format!("{PUZZLE}\n").repeat(3);
        let cut = Cut::new(None, Some(5));
        let counts: Vec<usize> = (0..3).map(|_| read(text.as_bytes(), &cut.clone(), 1 << 20).len()).collect();
        assert_eq!(counts, [3, 2, 0]);
    }

    /// A reader that must not be read further than some bytes.
    struct Endless(usize);

    impl std::io::Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let line = format!("{PUZZLE}\n").into_bytes();
            self.0 += line.len();
            assert!(self.0 < 200_000, "too much is read");
            let len = line.len().min(buffer.len());
            buffer[..len].copy_from_slice(&line[..len]);
            Ok(len)
        }
    }

    #[test]
    fn nothing_is_read_behind_the_cut() {
        for cut in [Cut::new(Some(3..=100), None), Cut::new(None, Some(100))] {
            let mut source = Source::stream("s", Endless(0));
            source.cut(&cut);
            let rules = Rules::default();
            let mut reader = RecordReader::new(&mut source, 4096, &rules);
            let mut count = 0;
            while let Some(records) = reader.next_chunk().unwrap() {
                count += records.iter().count();
            }
            assert!(count == 98 || count == 100, "{count}");
        }
    }
}
