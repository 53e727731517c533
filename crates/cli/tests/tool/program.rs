//! The program `galop` as its users start it: each time in a process of its own, in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command as Process, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use galop_testing::wait;
use tempfile::TempDir;

/// The program under test.
pub(crate) fn path() -> &'static str {
    env!("CARGO_BIN_EXE_galop")
}

/// A temporary folder with files in it, in which the program is run.
pub(crate) struct Folder(TempDir);

/// How a run ended, and what it wrote.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// Runs the program in an empty folder, without input.
pub(crate) fn run(words: &[&str]) -> Run {
    Folder::new().run(words)
}

/// Runs the program in an empty folder.
pub(crate) fn run_on(input: impl Into<Vec<u8>>, words: &[&str]) -> Run {
    Folder::new().run_on(input, words)
}

/// Runs `galop cover` in `folder` with `input` as its standard input, and asserts the exit code.
#[track_caller]
pub(crate) fn run_cover(folder: &Folder, input: &str, words: &[&str], code: i32) -> Run {
    folder.run_on(input, &[&["cover"], words].concat()).ends(code, &[])
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(TempDir::new().unwrap())
    }

    /// A folder with these files: their names and contents.
    pub(crate) fn with(files: &[(&str, &str)]) -> Folder {
        let folder = Folder::new();
        files.iter().for_each(|(name, text)| folder.write(name, text));
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The path of a file as a word of a command line.
    pub(crate) fn word(&self, name: &str) -> String {
        self.path(name).into_os_string().into_string().unwrap()
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    #[track_caller]
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    #[track_caller]
    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}; {:?}", self.names()))
    }

    /// A JSON file.
    #[track_caller]
    pub(crate) fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these words, with no variable set that changes its colours or widths.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.start(path(), words)
    }

    /// Any other program in the folder.
    pub(crate) fn start(&self, program: impl AsRef<OsStr>, words: &[&str]) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path()).args(words).timeout(Duration::from_secs(120));
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
            command.env_remove(name);
        }
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        self.run_on("", words)
    }

    /// Runs the program with `input` as its standard input.
    pub(crate) fn run_on(&self, input: impl Into<Vec<u8>>, words: &[&str]) -> Run {
        Run::of(self.command(words).write_stdin(input))
    }

    /// Starts the program, with a pipe to each of its three streams.
    ///
    /// No signal is ignored: a shell starts a job in the background of a script, which may be this test, with SIGINT
    /// ignored.
    pub(crate) fn spawn(&self, words: &[&str]) -> Child {
        let mut process = match cfg!(target_os = "linux") {
            true => Process::new("env"),
            false => Process::new(path()),
        };
        if cfg!(target_os = "linux") {
            process.args(["--default-signal=INT,QUIT,HUP", path()]);
        }
        process.current_dir(self.0.path()).args(words);
        process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process.spawn().unwrap()
    }

    /// Waits for the temporary file of an output: then the inputs are open and signals are caught.
    #[track_caller]
    pub(crate) fn wait_for_part(&self) {
        self.wait_for_part_of(0);
    }

    /// Waits until a file with this name exists.
    #[track_caller]
    pub(crate) fn wait_for(&self, name: &str) {
        wait::until(name, || self.path(name).exists());
    }

    /// Waits until an output under its temporary name has at least so many bytes.
    #[track_caller]
    pub(crate) fn wait_for_part_of(&self, bytes: u64) {
        let size = |name: &String| std::fs::metadata(self.path(name)).map_or(0, |part| part.len());
        wait::until("a temporary file", || {
            self.names().iter().any(|name| name.ends_with(".part") && size(name) >= bytes)
        });
    }
}

/// Sends a signal, such as `-INT`, to a program.
#[track_caller]
pub(crate) fn send(child: &Child, signal: &str) {
    let sent = Process::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

impl Run {
    /// Waits for the end of a command.
    pub(crate) fn of(command: &mut Command) -> Run {
        let output = command.output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        Run { code: output.status.code(), out, err }
    }

    /// Asserts the exit code, and that standard error holds every one of `words`.
    #[track_caller]
    pub(crate) fn ends(self, code: i32, words: &[&str]) -> Run {
        assert_eq!(self.code, Some(code), "{}{}", self.out, self.err);
        for word in words {
            assert!(self.err.contains(word), "{word:?} is not in\n{}", self.err);
        }
        self
    }

    /// Asserts a usage or input error: exit code 2, nothing on standard output, and `message` on standard error.
    #[track_caller]
    pub(crate) fn fails(self, message: &str) {
        assert_eq!(self.out, "");
        self.ends(2, &[message]);
    }
}
