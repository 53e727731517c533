//! A peer as a program, for `galop compare --command`.
//!
//! ```text
//! peer sudoku FILE [--limit N]   lines of sudokus: prints a solution for each, or `none`
//! peer dlx FILE                  an exact cover problem: prints how many solutions it has
//! ```
//! Both are what one writes in ten minutes from the documentation of the crate, with buffers that are large enough.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::process::ExitCode;

use dlx::choose::{mrv_chooser, no_tiebreak, prefer_any};
use dlx::x::make_problem;
use dlx::{OptOrder, Uint};
use galop_cover::text;

const BUFFER_BYTES: usize = 64 * 1024;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["sudoku", file] => solve(file, 1),
        ["sudoku", file, "--limit", limit] => solve(file, limit.parse().expect("--limit takes a number")),
        ["dlx", file] => count(file),
        _ => {
            eprintln!("usage: peer sudoku FILE [--limit N], or peer dlx FILE");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peer: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a solution of each line of `file`, or `none`. With a limit of 2 or more, a puzzle with several solutions has
/// none.
fn solve(file: &str, limit: usize) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(BUFFER_BYTES, File::open(file)?);
    let mut writer = BufWriter::with_capacity(BUFFER_BYTES, io::stdout().lock());
    let (mut line, mut found) = (String::new(), [[0; 81]; 1]);
    while reader.read_line(&mut line)? > 0 {
        let puzzle = sudoku::Sudoku::from_str_line(line.trim_end()).ok();
        let solution = match (puzzle, limit) {
            (Some(puzzle), 1) => puzzle.some_solution().map(|solution| solution.to_bytes()),
            (Some(puzzle), _) => (puzzle.solutions_up_to_buffer(&mut found, limit) == 1).then_some(found[0]),
            (None, _) => None,
        };
        match solution {
            Some(digits) => writer.write_all(&digits.map(|digit| b'0' + digit))?,
            None => writer.write_all(b"none")?,
        }
        writer.write_all(b"\n")?;
        line.clear();
    }
    writer.flush()
}

/// Prints the number of solutions of the problem in `file`. Crate `dlx` has no colours and no multiplicities.
fn count(file: &str) -> io::Result<()> {
    let problem =
        text::read(&std::fs::read(file)?).map_err(|error| io::Error::other(error.to_string()))?.problem;
    if !problem.is_simple() || problem.has_colours() {
        return Err(io::Error::other("crate dlx has no colours and no multiplicities"));
    }
    let items = |terms: &[galop_cover::Term]| terms.iter().map(|term| term.item.0 as Uint).collect();
    let options: Vec<Vec<Uint>> = problem.options().map(items).collect();
    let (primary, secondary) = (problem.primary_count(), problem.item_count() - problem.primary_count());
    let mut built = make_problem(primary as Uint, secondary as Uint, &options, OptOrder::Seq);
    let mut chooser = mrv_chooser(prefer_any(), no_tiebreak());
    let mut solver = dlx::Solver::new(&mut built);
    let mut count: u64 = 0;
    while solver.next_solution(&mut chooser) {
        count += 1;
    }
    println!("{count} solutions");
    Ok(())
}
