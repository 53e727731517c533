//! The folder of arrays from which HRM and TRM are trained (Wang et al., "Hierarchical Reasoning Model", 2025; the file
//! `dataset/build_sudoku_dataset.py` beside it makes such folders).
//!
//! ```text
//! all__inputs.npy              (examples, 81) bytes: 1 for a blank, 2..=10 for the digits; 0 would be padding
//! all__labels.npy              (examples, 81) bytes: the solutions, 2..=10
//! all__puzzle_identifiers.npy  (examples) int32: 0 for all
//! all__puzzle_indices.npy      (examples + 1) int32: where each puzzle begins: 0, 1, 2, ...
//! all__group_indices.npy       (groups + 1) int32: where each group begins: 0, k, 2 k, ...
//! dataset.json                 sizes, and what the numbers mean
//! ```
//! A group is a puzzle with its images: all groups have the same number of examples.

use std::io::{self, Write};

use crate::error::{Error, ErrorKind, Fact};
use crate::grid::Rules;
use crate::output::{Completion, End, NpyFile, Outlet, OutputFile, Sink};

/// The names of the files, in the order in which [`HrmFiles::new`] takes them. The last one is finished last.
pub const HRM_NAMES: [&str; 6] = [
    "all__inputs.npy",
    "all__labels.npy",
    "all__puzzle_identifiers.npy",
    "all__puzzle_indices.npy",
    "all__group_indices.npy",
    "dataset.json",
];

/// Why the folder cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HrmError {
    /// Examples without a solution.
    #[error("{0} examples have no solution, which this layout needs as the label")]
    NoSolution(u64),
    /// Groups of different sizes.
    #[error(
        "some puzzles have fewer different images than others, but all groups of this layout have one size"
    )]
    Groups,
    /// More examples than the indices can count.
    #[error("{0} examples are more than indices of 32 bits can count")]
    Examples(u64),
}

impl Fact for HrmError {}

/// The files. Records are written to it as format `npz` writes converted records: the cells of a puzzle, then those of
/// its solution, 0 for a blank.
#[derive(Debug)]
#[must_use = "`finish` writes the indices and gives the files their names"]
pub struct HrmFiles {
    inputs: NpyFile,
    labels: NpyFile,
    others: [OutputFile; 4],
    rules: Rules,
    /// A record that is not whole yet.
    part: Vec<u8>,
    rows: Vec<u8>,
    /// Examples of a group.
    group: u64,
    examples: u64,
    without_solution: u64,
}

impl HrmFiles {
    /// Writes to these files, which have the names [`HRM_NAMES`], puzzles of `rules`. A group has `group` examples.
    ///
    /// # Errors
    /// [`NoPlaceForCount`](crate::output::NoPlaceForCount), [`ErrorKind::Write`].
    pub fn new(files: [OutputFile; 6], rules: &Rules, group: u64) -> Result<HrmFiles, Error> {
        let [inputs, labels, others @ ..] = files;
        let cells = rules.grid().cells();
        Ok(HrmFiles {
            inputs: NpyFile::of_grids(inputs, cells)?,
            labels: NpyFile::of_grids(labels, cells)?,
            others,
            rules: rules.clone(),
            part: Vec::new(),
            rows: Vec::new(),
            group,
            examples: 0,
            without_solution: 0,
        })
    }
}

impl Outlet for HrmFiles {}

impl Sink for HrmFiles {
    /// Writes the other files, and gives all of them their names. The errors are [`HrmError`] and [`ErrorKind::Write`].
    fn finish(self: Box<Self>, _: End<'_>) -> Result<Completion, Error> {
        let HrmFiles { inputs, labels, others, rules, group, examples, without_solution, .. } = *self;
        let groups = examples / group.max(1);
        if without_solution > 0 {
            return Err(HrmError::NoSolution(without_solution).into());
        }
        if groups * group != examples {
            return Err(HrmError::Groups.into());
        }
        if i32::try_from(examples).is_err() {
            return Err(HrmError::Examples(examples).into());
        }
        let [identifiers, puzzles, group_indices, mut json] = others;
        let files = [
            inputs.complete()?,
            labels.complete()?,
            indices(identifiers, (0..examples).map(|_| 0))?,
            indices(puzzles, 0..=examples)?,
            indices(group_indices, (0..=groups).map(|number| number * group))?,
        ];
        let (cells, symbols) = (rules.grid().cells(), rules.grid().symbols());
        let text = format!(
            "{{\"pad_id\": 0, \"ignore_label_id\": 0, \"blank_identifier_id\": 0, \"vocab_size\": {}, \"seq_len\": {cells}, \
             \"num_puzzle_identifiers\": 1, \"total_groups\": {groups}, \"mean_puzzle_examples\": 1, \"sets\": [\"all\"]}}\n",
            symbols + 2
        );
        json.write_all(text.as_bytes()).map_err(|error| Error::at(json.name(), ErrorKind::Write(error)))?;
        files.into_iter().chain([json]).try_for_each(|file| file.finish().map(drop))?;
        Ok(Completion::default())
    }
}

/// Writes an array of indices.
fn indices(file: OutputFile, values: impl Iterator<Item = u64>) -> Result<OutputFile, Error> {
    let name = file.name().to_owned();
    let mut file = NpyFile::of_indices(file)?;
    let mut rows = Vec::new();
    let mut write = |rows: &mut Vec<u8>| {
        let written = file.write_all(rows).map_err(|error| Error::at(&name, ErrorKind::Write(error)));
        rows.clear();
        written
    };
    for value in values {
        rows.extend_from_slice(&(value as i32).to_le_bytes());
        if rows.len() >= 1 << 16 {
            write(&mut rows)?;
        }
    }
    write(&mut rows)?;
    file.complete()
}

impl Write for HrmFiles {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let cells = self.rules.grid().cells();
        self.part.extend_from_slice(bytes);
        let whole = self.part.len() - self.part.len() % (2 * cells);
        for at in 0..2 {
            self.rows.clear();
            for record in self.part[..whole].chunks_exact(2 * cells) {
                let grid = &record[at * cells..][..cells];
                self.rows.extend(grid.iter().map(|&cell| cell + 1));
                if at == 1 {
                    self.examples += 1;
                    self.without_solution += u64::from(grid.contains(&0));
                }
            }
            if at == 0 { &mut self.inputs } else { &mut self.labels }.write_all(&self.rows)?;
        }
        self.part.drain(..whole);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inputs.flush()?;
        self.labels.flush()
    }
}
