//! The exit codes in words.

/// Every exit code and what it means, as the help of each command and the manual pages show them.
pub(super) const CODES: [(&str, &str); 7] = [
    ("0", "complete"),
    ("1", "complete, but records were faulty, `solve` found no puzzle, or a check found something"),
    ("2", "usage or I/O error; the output is not complete"),
    ("3", "a solution failed the independent check, or engines contradict each other: a bug in galop"),
    ("4", "stopped at a limit that you set (guesses, solutions, nodes, time): the result is partial"),
    ("130, 143", "interrupted or terminated; after any other signal, 128 plus its number"),
    ("141", "the reader of standard output closed it before the end"),
];
