//! The extension module of the Python package `galop`: a thin layer over the library.
//!
//! | file | what |
//! |---|---|
//! | `rules` | the rules of the puzzles of a call; cells as text |
//! | `texts`, `arrow` | strings, lines and columns of strings, read as cells |
//! | `call` | a long call: the interpreter is free meanwhile, Ctrl-C stops it, its progress is reported |
//! | `solve`, `inspect`, `symmetry` | arrays of cells in, arrays out |
//! | `make`, `compare`, `file` | new puzzles; engines side by side; files |
//! | `cover` | exact cover |
//! | `tool` | the command-line tool |
//! | `error` | errors as exceptions |
//!
//! What a person calls is written in Python, in the folder `galop`: it makes arrays of what it is given, and names the
//! results.

mod arrow;
mod call;
mod compare;
mod cover;
mod error;
mod file;
mod inspect;
mod make;
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
    module.add_function(wrap_pyfunction!(arrow::read_arrow, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_text, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve_cells, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::verify, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::check, module)?)?;
    module.add_function(wrap_pyfunction!(inspect::rate, module)?)?;
    module.add_function(wrap_pyfunction!(symmetry::canonical, module)?)?;
    module.add_function(wrap_pyfunction!(symmetry::augment, module)?)?;
    module.add_function(wrap_pyfunction!(make::generate, module)?)?;
    module.add_function(wrap_pyfunction!(compare::compare, module)?)?;
    module.add_function(wrap_pyfunction!(file::solve_file, module)?)?;
    module.add_function(wrap_pyfunction!(tool::main, module)?)?;
    Ok(())
}
