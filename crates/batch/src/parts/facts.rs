//! What a run that goes on must have in common with the one that began, as far as the inputs are concerned.

use crate::error::Error;
use crate::input::source::Source;
use crate::output::{ResumeError, RunFact};
use crate::printable::printable;

/// What identifies `sources`: their number, names, lengths, times and the checksums of their first bytes.
///
/// # Errors
/// [`ResumeError::Stream`] if one of them cannot be read again, and the errors of reading.
pub fn facts_of(sources: &[Source]) -> Result<Vec<RunFact>, Error> {
    let fact = |name: String, value: String| RunFact { name, value: Some(value) };
    let mut facts = vec![fact("the number of inputs".to_owned(), sources.len().to_string())];
    for (number, source) in (1..).zip(sources) {
        let Some(found) = source.facts()? else {
            return Err(Error::at(source.name(), ResumeError::Stream));
        };
        let name = printable(source.name());
        facts.push(fact(format!("the name of input {number}"), name.to_string()));
        facts.push(fact(format!("the length of {name}"), format!("{} bytes", found.len)));
        facts.push(fact(format!("the time of the last change of {name}"), found.modified));
        let start = format!("{:08x}", found.start_crc);
        facts.push(fact(format!("the checksum of the first 64 KiB of {name}"), start));
    }
    Ok(facts)
}
