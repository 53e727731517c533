//! The program `galop` as its users start it: each time in a process of its own, in a folder of its own.

use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

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
        command.current_dir(self.0.path()).args(words);
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
        Run::on(input, &mut self.command(words))
    }

    /// Starts the program, with a pipe to each of its three streams.
    ///
    /// No signal is ignored: a shell starts a job in the background of a script, which may be this test, with SIGINT
    /// ignored.
    pub(crate) fn spawn(&self, words: &[&str]) -> Child {
        let mut process = match cfg!(target_os = "linux") {
            true => Command::new("env"),
            false => Command::new(path()),
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
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

/// Reads a stream of a program to its end, in a thread of its own.
fn read(mut stream: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (sender, text) = mpsc::channel();
    thread::spawn(move || {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        sender.send(text).unwrap();
    });
    text
}

impl Run {
    /// Runs a command without input to its end.
    #[track_caller]
    pub(crate) fn of(command: &mut Command) -> Run {
        Run::on("", command)
    }

    /// Runs a command with `input` as its standard input to its end. One that takes ten minutes is killed.
    #[track_caller]
    pub(crate) fn on(input: impl Into<Vec<u8>>, command: &mut Command) -> Run {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, mut stdin) = (input.into(), child.stdin.take().unwrap());
        // The program may end before it has read all of it.
        thread::spawn(move || stdin.write_all(&input));
        let (out, err) = (read(child.stdout.take().unwrap()), read(child.stderr.take().unwrap()));
        let [out, err] = [out, err].map(|text| {
            text.recv_timeout(Duration::from_secs(600)).unwrap_or_else(|error| {
                child.kill().unwrap();
                panic!("{command:?}: {error}")
            })
        });
        Run { code: child.wait().unwrap().code(), out, err }
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
