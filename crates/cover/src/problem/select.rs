//! Options named by some of their items: the options that solutions must have, or must not have.

use super::build::{ColourRef, ItemRef, TermRef};
use super::error::clip;
use crate::{Assumptions, Bounds, Colour, ExactCover, ItemId, OptionId};

/// Why items do not say what to assume.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// There are no items.
    #[error("no items (name one item or more of an option)")]
    NoItems,
    /// An unknown item.
    #[error("unknown item `{}` (the first line of the problem names all items)", clip(.0))]
    UnknownItem(String),
    /// No option gives the item this colour.
    #[error("no option gives item `{}` the colour `{}`", clip(.item), clip(.colour))]
    UnknownColour {
        /// The item.
        item: String,
        /// The colour.
        colour: String,
    },
    /// No option has all items.
    #[error("no option has all items of `{}`", clip(.0))]
    NoOption(String),
    /// Several options have the items, and a solution may have any number of them.
    #[error(
        "{count} options have all items of `{}`, and none of these items is covered exactly once: name more items",
        clip(.text)
    )]
    Several {
        /// The items.
        text: String,
        /// Options that have them.
        count: usize,
    },
}

/// An item that an option must have, in this colour if there is one.
#[derive(Clone, Copy)]
struct Wanted {
    item: ItemId,
    colour: Option<Colour>,
}

impl Assumptions {
    /// Also assumes that solutions have an option with all items of `terms`, each in its colour if `terms` gives it one.
    /// If several options have them, one of the items must be covered exactly once: then all other options of this item
    /// are forbidden.
    ///
    /// ```
    /// use galop_cover::{Assumptions, CoverLimits, models};
    ///
    /// let queens = models::queens(6)?;
    /// let mut solver = queens.solver()?;
    /// let mut assumptions = Assumptions::default();
    /// assumptions.require(&queens, ["r0", "c3"])?;
    /// assumptions.forbid(&queens, ["r5", "c2"])?;
    /// solver.assume(&assumptions.chosen, &assumptions.forbidden)?;
    /// assert_eq!(solver.search(&CoverLimits::NONE).count()?.solutions, 0);
    /// # Ok::<(), galop_cover::CoverError>(())
    /// ```
    ///
    /// # Errors
    /// [`SelectionError`]; the assumptions stay as they were.
    pub fn require<'a>(
        &mut self,
        problem: &ExactCover,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
    ) -> Result<(), SelectionError> {
        let (text, wanted) = read(problem, terms)?;
        let options = matching(problem, &wanted, &text)?;
        let is_once =
            |item: ItemId| item.index() < problem.primary_count() && problem.bounds(item) == Bounds::ONCE;
        if let [option] = options[..] {
            self.chosen.push(option);
        } else if let Some(&Wanted { item, .. }) = wanted.iter().find(|wanted| is_once(wanted.item)) {
            // Of all options with this item exactly one is chosen.
            let of_item = [Wanted { item, colour: None }];
            let others = having(problem, &of_item).filter(|option| options.binary_search(option).is_err());
            self.forbidden.extend(others);
        } else {
            return Err(SelectionError::Several { text, count: options.len() });
        }
        Ok(())
    }

    /// Also assumes that solutions have none of the options with all items of `terms`; see [`require`](Self::require).
    ///
    /// # Errors
    /// [`SelectionError`]; the assumptions stay as they were.
    pub fn forbid<'a>(
        &mut self,
        problem: &ExactCover,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
    ) -> Result<(), SelectionError> {
        let (text, wanted) = read(problem, terms)?;
        self.forbidden.extend(matching(problem, &wanted, &text)?);
        Ok(())
    }
}

/// The terms as text, and what they want.
fn read<'a>(
    problem: &ExactCover,
    terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
) -> Result<(String, Vec<Wanted>), SelectionError> {
    let (mut text, mut wanted) = (String::new(), Vec::new());
    for term in terms {
        let TermRef { item, colour } = term.into();
        let colour = colour.map(|colour| match colour {
            ColourRef::Name(name) => name.to_owned(),
            ColourRef::Number(number) => number.to_string(),
        });
        let (item, colour) = match item {
            ItemRef::Number(item) if item.index() < problem.item_count() => (item, colour),
            ItemRef::Number(item) => return Err(SelectionError::UnknownItem(item.to_string())),
            ItemRef::Name(name) => (find(problem, name)?, colour),
            ItemRef::Text(text) => match (find(problem, text), text.split_once(':')) {
                // The whole text may be a name.
                (Err(_), Some((name, colour))) => (find(problem, name)?, Some(colour.to_owned())),
                (item, _) => (item?, None),
            },
        };
        let name = problem.item_name(item);
        text.push_str(if text.is_empty() { "" } else { " " });
        text.push_str(name);
        let colour = match colour {
            None => None,
            Some(colour) => {
                text.push(':');
                text.push_str(&colour);
                let unknown =
                    || SelectionError::UnknownColour { item: name.to_owned(), colour: colour.clone() };
                Some(find_colour(problem, item, &colour).ok_or_else(unknown)?)
            }
        };
        wanted.push(Wanted { item, colour });
    }
    if wanted.is_empty() { Err(SelectionError::NoItems) } else { Ok((text, wanted)) }
}

fn find(problem: &ExactCover, name: &str) -> Result<ItemId, SelectionError> {
    let mut items = (0..problem.item_count() as u32).map(ItemId);
    let item = items.find(|&item| problem.item_name(item) == name);
    item.ok_or_else(|| SelectionError::UnknownItem(name.to_owned()))
}

/// The colour of that name, if any option gives it to the item.
fn find_colour(problem: &ExactCover, item: ItemId, name: &str) -> Option<Colour> {
    let of_item = problem.options().flatten().filter(|term| term.item == item);
    of_item.filter_map(|term| term.colour()).find(|&colour| problem.colour_name(colour) == name)
}

/// The options that have all that is wanted.
fn having(problem: &ExactCover, wanted: &[Wanted]) -> impl Iterator<Item = OptionId> {
    let has = |option: &OptionId| {
        wanted.iter().all(|&Wanted { item, colour }| {
            let terms = problem.option(*option);
            terms.iter().any(|term| term.item == item && (colour.is_none() || term.colour() == colour))
        })
    };
    (0..problem.option_count() as u32).map(OptionId).filter(has)
}

/// The options that have all that is wanted: at least one.
fn matching(problem: &ExactCover, wanted: &[Wanted], text: &str) -> Result<Vec<OptionId>, SelectionError> {
    let options: Vec<OptionId> = having(problem, wanted).collect();
    if options.is_empty() { Err(SelectionError::NoOption(text.to_owned())) } else { Ok(options) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assumed(
        problem: &str,
        with: &[&str],
        without: &[&str],
    ) -> Result<(Vec<OptionId>, Vec<OptionId>), SelectionError> {
        let problem: ExactCover = problem.parse().unwrap();
        let mut assumptions = Assumptions::default();
        if !with.is_empty() {
            assumptions.require(&problem, with.iter().copied())?;
        }
        if !without.is_empty() {
            assumptions.forbid(&problem, without.iter().copied())?;
        }
        Ok((assumptions.chosen, assumptions.forbidden))
    }

    const PROBLEM: &str = "a b 0:2|m | x\na m x:red\na x:blue\nb m\na b\n";

    #[test]
    fn items_name_options() {
        let options = |numbers: &[u32]| numbers.iter().map(|&number| OptionId(number)).collect::<Vec<_>>();
        assert_eq!(assumed(PROBLEM, &["a", "m"], &["b"]), Ok((options(&[0]), options(&[2, 3]))));
        // One of the three options with `a` is chosen; it may not be option 3, nor an option that has no `x`.
        assert_eq!(assumed(PROBLEM, &["a", "x"], &[]), Ok((options(&[]), options(&[3]))));
        assert_eq!(assumed(PROBLEM, &["x:blue"], &["x:red"]), Ok((options(&[1]), options(&[0]))));
        let mut by_number = Assumptions::default();
        let problem: ExactCover = PROBLEM.parse().unwrap();
        by_number.require(&problem, [(ItemId(3), "red")]).unwrap();
        assert_eq!(by_number.chosen, [0]);
    }

    #[test]
    fn items_that_name_nothing_are_errors() {
        let unknown = |name: &str| Err(SelectionError::UnknownItem(name.into()));
        assert_eq!(assumed(PROBLEM, &["c"], &[]), unknown("c"));
        assert_eq!(assumed(PROBLEM, &["c:red"], &[]), unknown("c"));
        assert_eq!(assumed(PROBLEM, &[], &["b", "x"]), Err(SelectionError::NoOption("b x".into())));
        let colour = SelectionError::UnknownColour { item: "x".into(), colour: "green".into() };
        assert_eq!(assumed(PROBLEM, &["x:green"], &[]), Err(colour));
        let several = SelectionError::Several { text: "m".into(), count: 2 };
        assert_eq!(assumed(PROBLEM, &["m"], &[]), Err(several));
        let mut none = Assumptions::default();
        assert_eq!(none.require(&PROBLEM.parse().unwrap(), [""; 0]), Err(SelectionError::NoItems));
    }
}
