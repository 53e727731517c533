//! Why compressed data cannot be unpacked to their end.

use std::fmt;
use std::io;

use super::MAX_WINDOW_BYTES;

/// Compressed data that cannot be unpacked to their end, and where that shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The name of the format: `gzip`.
    pub format: &'static str,
    /// Bytes of compressed data that were read.
    pub offset: u64,
    /// Bytes of text that were unpacked.
    pub text: u64,
    /// What is wrong.
    pub kind: DamageKind,
}

/// What is wrong with compressed data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// They end too early.
    Truncated,
    /// They are not what a program of this format writes. Holds what the library says about it.
    Corrupt(String),
    /// Something else follows their end.
    Garbage,
    /// They need more memory than is allowed.
    Window,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Damage { format, offset, text, kind } = self;
        match kind {
            DamageKind::Truncated => write!(f, "its {format} data are cut short at byte {offset}")?,
            DamageKind::Corrupt(reason) => {
                write!(f, "its {format} data are damaged at byte {offset} or shortly before ({reason})")?;
            }
            DamageKind::Garbage => {
                return write!(
                    f,
                    "its {format} data end at byte {offset}, but more bytes follow, which were not read"
                );
            }
            DamageKind::Window => write!(
                f,
                "its {format} data need a window of more than {} MiB of memory from byte {offset} on",
                MAX_WINDOW_BYTES >> 20
            )?,
        }
        write!(f, "; the {text} bytes of text before that were read, and the output is not complete")
    }
}

impl std::error::Error for Damage {}

/// Whether the failure of a read says that something else follows the end of compressed data.
pub(crate) fn is_garbage(error: &io::Error) -> bool {
    let damage = error.get_ref().and_then(|error| error.downcast_ref::<Damage>());
    damage.is_some_and(|damage| damage.kind == DamageKind::Garbage)
}
