//! The puzzle files of `data/`, and the large sets in the folder that the variable `GALOP_DATA` names.
//!
//! A test that finds a file or an instruction set missing says so on standard error.

use std::fs;
use std::path::{Path, PathBuf};

use super::puzzles::{Cells, cells};
use crate::available::large_set;

/// The files of 9x9 puzzles in `data/` and among the large sets, by name.
pub fn puzzle_files() -> Vec<PathBuf> {
    let own = Path::new(crate::ROOT).join("data");
    let folders = [Some(own), large_set("")].into_iter().flatten();
    let mut files: Vec<PathBuf> =
        folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy();
        let is_other = ["16x16", "diagonal", "jigsaw"].iter().any(|kind| name.starts_with(kind));
        name.ends_with(".txt") && !name.contains("_solutions") && !is_other
    });
    files.sort();
    files
}

/// At most `count` puzzles, evenly over a file of which `field` (counted from 0, separated by commas) is the puzzle.
/// All of them if the variable `GALOP_TEST_LINES` is `all`.
pub fn sample(path: &Path, count: usize, field: usize) -> Vec<Cells> {
    let text = fs::read_to_string(path).unwrap();
    let fields = text.lines().filter_map(|line| line.split(',').nth(field));
    let puzzles: Vec<&str> =
        fields.filter_map(|field| field.get(..81)).filter(|field| !field.starts_with('#')).collect();
    let is_all = std::env::var("GALOP_TEST_LINES").is_ok_and(|lines| lines == "all");
    let step = if is_all { 1 } else { puzzles.len().div_ceil(count).max(1) };
    puzzles.into_iter().step_by(step).map(cells).collect()
}

/// The first `count` puzzles of a file of `data/`.
pub fn first(name: &str, count: usize) -> Vec<Cells> {
    let text = fs::read_to_string(Path::new(crate::ROOT).join("data").join(name)).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).take(count).map(cells).collect()
}
