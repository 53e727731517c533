//! Engines by name, made once for each thread.

use galop_engines::Rules;
use galop_engines::engine::Isa;
use galop_published::named;

use crate::batch::Named;

/// The engine `name` for `rules`; `None` if it does not accept them.
pub(crate) fn engine(name: &str, rules: &Rules, isa: Isa) -> Option<Named> {
    let entry = named(name)?;
    (entry.accepts)(rules).ok()?;
    let engine = (entry.make)(rules, isa).ok()?;
    Some(Named { name: format!("{name} ({})", isa.name()), engine, guesses: None })
}

/// The same, if it gives a puzzle up after that many guesses.
pub(crate) fn limited(name: &str, rules: &Rules, isa: Isa, guesses: u64) -> Option<Named> {
    engine(name, rules, isa).map(|engine| Named { guesses: Some(guesses), ..engine })
}
