//! What the head of one source shows by itself: whether it holds puzzles, of which size, and in which alphabet. A file
//! that was found in a folder must show that; a file that was named is read in any case.

use std::path::{Path, PathBuf};

use super::detect::{BLOCK, MAX_HEAD, TextHead, cells_of, possible_cells};
use super::error::InputError;
use super::format::{ColumnChoice, Format, HEAD_BYTES, Header, Notation, npy, recognise_with};
use super::line::{first_line, is_separator, is_space};
use super::records::Records;
use super::source::{Head, Source};
use crate::error::Error;
use crate::grid::{Alphabet, Characters, Rules, Variant};

/// Bytes whose records are read first: most sources show there that they hold puzzles.
const FIRST_BYTES: usize = 2048;

/// The puzzles of a source, as its head shows them.
#[derive(Clone, Debug)]
pub struct Look {
    name: PathBuf,
    cells: usize,
    /// The name of the alphabet; `None` if several fit.
    alphabet: Option<String>,
}

/// What a source holds.
#[derive(Clone, Debug)]
pub enum Holds {
    /// Puzzles.
    Puzzles(Look),
    /// No record: it is empty, or has nothing but comments or the header of a table.
    Nothing,
    /// Something else.
    Other,
}

/// Looks at the head of `source`, for records of a problem.
///
/// # Errors
/// An [`InputError`] if the source cannot be read as text or as an array.
pub fn look_for_choices(source: &mut Source, rules: &Rules) -> Result<Holds, Error> {
    let notation = Notation::from(rules);
    let Some(head) = PeekedHead::of(source, &notation)? else { return Ok(Holds::Nothing) };
    let is_record = || head.format.puzzle(head.first_line(), &mut Vec::new()).is_ok();
    let look = Look { name: source.name().to_owned(), cells: notation.cells, alphabet: None };
    let is_known = head.is_array() || head.format.columns.is_some();
    Ok(if is_known || is_record() { Holds::Puzzles(look) } else { Holds::Other })
}

/// Looks at the head of `source`, for puzzles of this `variant`. The records may have any size that it has. `alphabet`
/// is the one in which they are written, if that is known.
///
/// # Errors
/// An [`InputError`] if the source cannot be read as text or as an array.
pub fn look(source: &mut Source, variant: &Variant, alphabet: Option<&Alphabet>) -> Result<Holds, Error> {
    let possible = possible_cells(variant);
    let (name, columns) = (source.name().to_owned(), source.columns.clone());
    let text = match source.head(BLOCK, None)? {
        Head::Array(header) => {
            let look = Look { name, cells: header.cells, alphabet: None };
            return Ok(match possible.contains(&header.cells) {
                true => Holds::Puzzles(look),
                false => Holds::Other,
            });
        }
        Head::Text(text) => text,
    };
    if columns == ColumnChoice::default()
        && let Some((cells, found)) = first_puzzle(text, &possible)
    {
        let alphabet = alphabet.unwrap_or(&found).name().to_string();
        return Ok(Holds::Puzzles(Look { name, cells, alphabet: Some(alphabet) }));
    }
    let cells = cells_of(source, &possible)?;
    let Head::Text(text) = source.head(BLOCK, None)? else { return Ok(Holds::Other) };
    let head = TextHead::new(&text[..text.len().min(MAX_HEAD)], &columns);
    let Some(first) = first_line(head.text) else { return Ok(Holds::Nothing) };
    let Some(cells) = cells else {
        // The header of a table without rows.
        let is_header = head.format.columns.is_some() && first_line(&head.text[first.end..]).is_none();
        return Ok(if is_header { Holds::Nothing } else { Holds::Other });
    };
    let alphabet = alphabet.cloned().or_else(|| {
        let mut characters = Characters::new(cells.isqrt());
        head.search(&mut characters, cells.isqrt());
        characters.alphabet().ok()
    });
    let look = Look { name, cells, alphabet: alphabet.as_ref().map(|one| one.name().to_string()) };
    let are_puzzles = alphabet.is_none_or(|alphabet| {
        let notation = Notation::of_grid(cells, alphabet);
        has_puzzles(head.text, first.start, FIRST_BYTES, &notation, &columns)
            || has_puzzles(head.text, first.start, BLOCK, &notation, &columns)
    });
    Ok(if are_puzzles { Holds::Puzzles(look) } else { Holds::Other })
}

/// The cells and the alphabet of the puzzle that the first line of `text` begins with, if they are clear without a look
/// at other lines. (Most files of a folder of thousands begin so: this takes less time than to open them.)
fn first_puzzle(text: &[u8], possible: &[usize]) -> Option<(usize, Alphabet)> {
    let line = &text[first_line(text)?];
    let cells = line.iter().position(|&byte| is_separator(byte) || is_space(byte)).unwrap_or(line.len());
    // A row of a grid over several lines may look like a small puzzle.
    if !possible.contains(&cells) || possible.contains(&(cells * cells)) {
        return None;
    }
    let mut characters = Characters::new(cells.isqrt());
    let is_puzzle = characters.add(&line[..cells]) && characters.are_settled();
    Some((cells, characters.alphabet().ok().filter(|_| is_puzzle)?))
}

/// Whether the first record of `text`, or half of the records in its first `len` bytes from `start` on, are puzzles.
fn has_puzzles(text: &[u8], start: usize, len: usize, notation: &Notation, columns: &ColumnChoice) -> bool {
    let rest = &text[start..];
    // A record that is cut does not count.
    let cut = memchr::memrchr(b'\n', &rest[..rest.len().min(len)]).filter(|_| rest.len() > len);
    let part = &rest[..cut.map_or(rest.len(), |at| at + 1)];
    let format = recognise_with(rest, notation.clone(), columns);
    let mut records = Records::default();
    if records.read(&format, part, true).is_err() {
        return false;
    }
    let (mut good, mut all, mut is_first_good) = (0, 0, false);
    for record in records.iter(part) {
        is_first_good |= all == 0 && record.puzzle.is_ok();
        (good, all) = (good + usize::from(record.puzzle.is_ok()), all + 1);
    }
    is_first_good || all > 0 && 2 * good >= all
}

impl Look {
    /// Whether it shows an alphabet, and `other` none.
    pub fn tells_more_than(&self, other: &Look) -> bool {
        self.alphabet.is_some() && other.alphabet.is_none()
    }

    /// Checks that these puzzles and the `others` can be read in one run.
    ///
    /// # Errors
    /// [`InputError::Unlike`].
    pub fn check_like(&self, others: &Look) -> Result<(), Error> {
        let unlike = |this: String, that: String| {
            let other = others.name.clone();
            Err(Error::at(&self.name, InputError::Unlike { this, other, that }))
        };
        let size = |cells: usize| format!("puzzles of {0}x{0}", cells.isqrt());
        match (&self.alphabet, &others.alphabet) {
            _ if self.cells != others.cells => unlike(size(self.cells), size(others.cells)),
            (Some(this), Some(that)) if this != that => {
                unlike(format!("the symbols {this}"), format!("the symbols {that}"))
            }
            _ => Ok(()),
        }
    }
}

/// The head of a source as the pipeline sees it.
pub(crate) struct PeekedHead {
    /// The first line and what is behind it; empty of an array.
    text: Vec<u8>,
    pub(crate) format: Format,
}

impl PeekedHead {
    /// The head of `source`, whose puzzles are in this notation; `None` if it has no record.
    ///
    /// # Errors
    /// An [`InputError`] if the source cannot be read as text or as an array.
    pub(crate) fn of(source: &mut Source, notation: &Notation) -> Result<Option<PeekedHead>, Error> {
        let columns = source.columns.clone();
        let text = match source.head(BLOCK, notation.options())? {
            Head::Array(header) => {
                let format = npy::format(&header, notation, 0);
                return Ok(Some(PeekedHead { text: Vec::new(), format }));
            }
            Head::Text(text) => text,
        };
        let Some(first) = first_line(text) else { return Ok(None) };
        let end = (first.end + 1).max(first.start + HEAD_BYTES + 1).min(text.len());
        let text = text[first.start..end].to_vec();
        let format = recognise_with(&text, notation.clone(), &columns);
        Ok(Some(PeekedHead { text, format }))
    }

    fn is_array(&self) -> bool {
        self.text.is_empty()
    }

    /// The first line that is neither blank nor a comment.
    pub(crate) fn first_line(&self) -> &[u8] {
        first_line(&self.text).map_or(b"", |line| &self.text[line])
    }

    /// The line that names the columns of a table.
    pub(crate) fn header(&self) -> Option<Header<'_>> {
        let columns = self.format.columns?;
        Some(Header {
            line: self.format.made_header.as_deref().unwrap_or_else(|| self.first_line()),
            columns,
        })
    }
}

/// Why a file of this name is known to hold no puzzles; `None` if its name does not say so. A file that is compressed
/// is known by the name in front of the ending that says so.
pub fn known_by_name(path: &Path) -> Option<&'static str> {
    let inner = crate::compressed::by_name(path).and_then(|_| path.file_stem()).map_or(path, Path::new);
    let name = inner.file_name()?.to_str()?.to_ascii_lowercase();
    let ending = Path::new(&name).extension().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    let by_ending = KNOWN_ENDINGS.iter().find(|(_, endings)| endings.contains(&ending));
    let by_start = KNOWN_STARTS.iter().find(|(_, starts)| starts.iter().any(|start| name.starts_with(start)));
    // A table called `readme.csv` is a table.
    let is_data = matches!(ending, "csv" | "tsv" | "json" | "jsonl" | "ndjson" | "npy" | "npz" | "parquet");
    by_ending.or(by_start.filter(|_| !is_data)).map(|(what, _)| *what)
}

/// Endings of names, in lowercase.
const KNOWN_ENDINGS: &[(&str, &[&str])] = &[
    ("text for people", &["md", "markdown", "rst", "adoc", "org", "tex", "html", "htm", "pdf"]),
    ("checksums", &["md5", "sha1", "sha224", "sha256", "sha384", "sha512", "b2", "b3", "sfv", "sig", "asc"]),
    ("exact cover problems", &["dlx"]),
    ("maps of regions", &["map"]),
    (
        "programs",
        &[
            "sh", "bash", "zsh", "fish", "ps1", "bat", "cmd", "py", "pyc", "ipynb", "r", "jl", "pl", "rb",
            "lua", "js", "mjs", "ts", "c", "h", "cc", "cpp", "hpp", "rs", "go", "java", "hs", "ml", "awk",
            "sql", "mk",
        ],
    ),
    ("settings", &["toml", "yaml", "yml", "ini", "cfg", "lock"]),
    ("pictures", &["png", "jpg", "jpeg", "gif", "svg", "webp", "ico"]),
    ("files of an unfinished run of galop", &["partial", "progress"]),
];

/// Starts of names, in lowercase.
const KNOWN_STARTS: &[(&str, &[&str])] = &[
    (
        "text for people",
        &[
            "readme",
            "license",
            "licence",
            "copying",
            "notice",
            "changelog",
            "authors",
            "contributing",
            "citation",
        ],
    ),
    (
        "checksums",
        &["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "checksum"],
    ),
    ("programs", &["makefile", "dockerfile"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_show_what_holds_no_puzzles() {
        for name in [
            "README",
            "README.md",
            "readme.txt.gz",
            "LICENSE-MIT",
            "SHA256SUMS",
            "a.txt.sha256",
            "q.dlx",
            "Q.DLX.xz",
            "make.sh",
            "jigsaw.map",
            "Makefile",
            "out.txt.progress",
        ] {
            assert!(known_by_name(Path::new(name)).is_some(), "{name}");
        }
        for name in
            ["a.txt", "puzzles", "17_clue", "a.csv.gz", "readme.csv", "md", "sh.txt", "a.sdk", "easy.1"]
        {
            assert_eq!(known_by_name(Path::new(name)), None, "{name}");
        }
    }

    fn holds(text: &str) -> Holds {
        let mut source = Source::stream("s", std::io::Cursor::new(text.to_owned().into_bytes()));
        look(&mut source, &Variant::default(), None).unwrap()
    }

    #[test]
    fn the_records_of_a_head_show_whether_it_holds_puzzles() {
        let puzzle = format!("{}\n", "4".to_owned() + &".".repeat(80));
        let large = format!("G{}\n", ".".repeat(255));
        for (text, cells) in [
            (puzzle.clone(), 81),
            (format!("# comment\n\n{puzzle}"), 81),
            (format!("id,puzzle\n1,{puzzle}"), 81),
            (format!("{}malformed\n{puzzle}", puzzle), 81),
            (format!("My collection\n{}", puzzle.repeat(3)), 81),
            (format!("{}\n", "4........").repeat(9), 81),
            (large.repeat(40), 256),
        ] {
            assert!(matches!(holds(&text), Holds::Puzzles(look) if look.cells == cells), "{text}");
        }
        for text in ["", "\n\n", "# only a comment\n", "id,puzzle\n"] {
            assert!(matches!(holds(text), Holds::Nothing), "{text:?}");
        }
        let prose = format!("Some words.\n{puzzle}And more,\nand more words,\nand more.\n");
        for text in ["Some words about puzzles.\n", &prose, "name,age\nAnn,7\n", "{\"a\":1}\n"] {
            assert!(matches!(holds(text), Holds::Other), "{text:?}");
        }
    }
}
