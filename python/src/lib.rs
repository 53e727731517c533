//! The extension module of the Python package `galop`: a thin layer over the library.
//!
//! | file | what |
//! |---|---|
//! | `rules` | the rules of the puzzles of a call; cells as text |
//! | `texts`, `arrow`, `read` | strings, lines, columns of strings and files, read as cells |
//! | `arrow_export` | tables of results, lent as streams of Arrow |
//! | `call` | a long call: the interpreter is free meanwhile, Ctrl-C stops it, its progress is reported |
//! | `solve`, `inspect`, `symmetry` | arrays of cells in, arrays out |
//! | `explain` | explanations by techniques; grids drawn |
//! | `records` | rows of cells as the records of a run |
//! | `repeats`, `draw`, `levels` | runs on such records: equivalent puzzles, samples, ratings by techniques |
//! | `make`, `compare`, `file`, `convert` | new puzzles; engines side by side; files |
//! | `cover` | exact cover |
//! | `tool` | the command-line tool |
//! | `error` | errors as exceptions |
//!
//! What a person calls is written in Python, in the folder `galop`: it makes arrays of what it is given, and names the
//! results.

mod arrow;
mod arrow_export;
mod call;
mod compare;
mod convert;
mod cover;
mod draw;
mod error;
mod explain;
mod file;
mod inspect;
mod levels;
mod make;
mod read;
mod records;
mod repeats;
mod rules;
mod solve;
mod symmetry;
mod texts;
mod tool;

use pyo3::prelude::*;

#[pymodule]
fn _galop(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<rules::Kind>()?;
    module.add_class::<rules::Rules>()?;
    module.add_class::<cover::Problem>()?;
    module.add_class::<cover::Solutions>()?;
    module.add_class::<cover::Diagram>()?;
    module.add_class::<cover::DiagramSolutions>()?;
    module.add_function(wrap_pyfunction!(rules::detect, module)?)?;
    module.add_function(wrap_pyfunction!(rules::kinds, module)?)?;
    module.add_function(wrap_pyfunction!(rules::sides, module)?)?;
    module.add_function(wrap_pyfunction!(rules::engines, module)?)?;
    module.add_function(wrap_pyfunction!(texts::read_texts, module)?)?;
    module.add_function(wrap_pyfunction!(texts::read_rows, module)?)?;
    module.add_function(wrap_pyfunction!(texts::read_lines, module)?)?;
    module.add_class::<arrow_export::ArrowColumn>()?;
    module.add_function(wrap_pyfunction!(arrow_export::lend_table, module)?)?;
    module.add_function(wrap_pyfunction!(arrow::read_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_text, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_cells, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::verify, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::clashes, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::rate, module)?)?;
    module.add_function(wrap_pyfunction!(symmetry::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(symmetry::augment, module)?)?;
    module.add_function(wrap_pyfunction!(explain::explain, module)?)?;
    module.add_function(wrap_pyfunction!(explain::techniques, module)?)?;
    module.add_function(wrap_pyfunction!(explain::candidates, module)?)?;
    module.add_function(wrap_pyfunction!(explain::parts, module)?)?;
    module.add_function(wrap_pyfunction!(explain::framed, module)?)?;
    module.add_function(wrap_pyfunction!(explain::framed_candidates, module)?)?;
    module.add_function(wrap_pyfunction!(make::generate, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(file::solve_file, module)?)?;
    module.add_function(wrap_pyfunction!(file::verify_file, module)?)?;
    module.add_function(wrap_pyfunction!(read::read_file, module)?)?;
    module.add_function(wrap_pyfunction!(repeats::dedup, module)?)?;
    module.add_function(wrap_pyfunction!(repeats::leak, module)?)?;
    module.add_function(wrap_pyfunction!(repeats::split, module)?)?;
    module.add_function(wrap_pyfunction!(draw::sample, module)?)?;
    module.add_function(wrap_pyfunction!(levels::levels, module)?)?;
    module.add_function(wrap_pyfunction!(convert::format_of, module)?)?;
    module.add_function(wrap_pyfunction!(convert::convert, module)?)?;
    module.add_function(wrap_pyfunction!(tool::main, module)?)?;
    Ok(())
}
