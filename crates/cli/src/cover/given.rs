//! Options named by their items: those that solutions must have, or must not have.

use anyhow::bail;
use galop_cover::{Assumptions, Bounds, Colour, ExactCover, ItemId, OptionId};

use crate::args::GivenArgs;

/// An item that an option must have, in this colour if there is one.
type Word = (ItemId, Option<Colour>);

/// The assumptions that the texts of --with and --without mean.
pub(super) fn assumptions(
    problem: &ExactCover,
    GivenArgs { with, without }: &GivenArgs,
) -> anyhow::Result<Assumptions> {
    let mut assumptions = Assumptions::default();
    for text in with {
        let words = words(problem, text)?;
        let options = matching(problem, &words, text)?;
        let is_once =
            |item: ItemId| item.index() < problem.primary_count() && problem.bounds(item) == Bounds::ONCE;
        if let [option] = options[..] {
            assumptions.chosen.push(option);
        } else if let Some((item, _)) = words.iter().find(|(item, _)| is_once(*item)) {
            // Of all options with this item exactly one is chosen.
            let of_item = [(*item, None)];
            let others = having(problem, &of_item).filter(|option| options.binary_search(option).is_err());
            assumptions.forbidden.extend(others);
        } else {
            bail!("--with {text:?}: {} options have these items: name more of them", options.len());
        }
    }
    for text in without {
        assumptions.forbidden.extend(matching(problem, &words(problem, text)?, text)?);
    }
    Ok(assumptions)
}

/// The items named, with their colours.
fn words(problem: &ExactCover, text: &str) -> anyhow::Result<Vec<Word>> {
    let mut words = Vec::new();
    for word in text.split_ascii_whitespace() {
        let (name, colour) = word.split_once(':').map_or((word, None), |(name, colour)| (name, Some(colour)));
        let item = (0..problem.item_count() as u32).map(ItemId).find(|&item| problem.item_name(item) == name);
        let Some(item) = item else {
            bail!("unknown item {name:?} in {text:?}");
        };
        let number = |colour: &str| {
            let of_item = problem.options().flatten().filter(|term| term.item == item);
            of_item.filter_map(|term| term.colour()).find(|&number| problem.colour_name(number) == colour)
        };
        let colour = match colour.map(|colour| (colour, number(colour))) {
            Some((colour, None)) => bail!("no option gives item {name:?} the colour {colour:?}"),
            Some((_, number)) => number,
            None => None,
        };
        words.push((item, colour));
    }
    if words.is_empty() {
        bail!("--with and --without name items, and {text:?} names none");
    }
    Ok(words)
}

/// The options that have all words.
fn having(problem: &ExactCover, words: &[Word]) -> impl Iterator<Item = OptionId> {
    let has = |option: &OptionId| {
        words.iter().all(|(item, colour)| {
            let terms = problem.option(*option);
            terms.iter().any(|term| term.item == *item && (colour.is_none() || term.colour() == *colour))
        })
    };
    (0..problem.option_count() as u32).map(OptionId).filter(has)
}

/// The options that have all words: at least one.
fn matching(problem: &ExactCover, words: &[Word], text: &str) -> anyhow::Result<Vec<OptionId>> {
    let options: Vec<OptionId> = having(problem, words).collect();
    if options.is_empty() {
        bail!("no option has all items of {text:?}");
    }
    Ok(options)
}
