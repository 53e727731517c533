//! The command-line tool over the library `galop`: typed words in, exit code out.

mod cli;

fn main() -> std::process::ExitCode {
    cli::main()
}
