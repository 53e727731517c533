//! The command-line tool over the library `galop`: typed words in, exit code out.

fn main() -> std::process::ExitCode {
    galop_cli::main()
}
