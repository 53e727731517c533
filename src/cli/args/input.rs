//! The files of puzzles that a command reads.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::KindArgs;

/// The files of puzzles that a command reads.
#[derive(ClapArgs, Debug)]
pub(crate) struct InputArgs {
    /// Files of puzzles, folders of them, or zip archives; `-` or no file means standard input
    ///
    /// Data compressed by gzip, zstd, xz or bzip2 are recognised by their first bytes and unpacked, from files and from
    /// standard input. Of a folder, all files in it are read, sorted by name; hidden files and folders in it are left
    /// out. Of a zip archive, which must be a file, all members are read, in the order of the archive; a member is
    /// called ARCHIVE/MEMBER. If compressed data are cut short or damaged, the records before that are answered, and
    /// the exit code is 2.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) kind: KindArgs,

    /// Read files in blocks instead of mapping them into memory
    #[arg(long, display_order = 900)]
    pub(crate) no_mmap: bool,
}
