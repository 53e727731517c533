//! Puts items, terms and options into a builder, and keeps the rules of a problem.

use super::terms::{ColourRef, ItemRef};
use super::{Builder, TermRef};
use crate::problem::Fault;
use crate::problem::index::{Index, InsertError};
use crate::problem::names::Names;
use crate::{Bounds, ExactCover, ItemId, OptionId, Term};

/// Terms of an option from which its items are noted, so that a second occurrence is found without a search.
const NOTED_TERMS: usize = 16;

impl Builder {
    pub(super) fn add_option<'a>(
        &mut self,
        terms: impl IntoIterator<Item = impl Into<TermRef<'a>>>,
        cost: u64,
    ) -> Result<(), Fault> {
        for term in terms {
            let (item, colour) = self.resolve(term.into())?;
            match colour {
                Some(ColourRef::Number(number)) => self.add_term(item, Some(&number.to_string()))?,
                Some(ColourRef::Name(name)) => self.add_term(item, Some(name))?,
                None => self.add_term(item, None)?,
            }
        }
        if self.end_option(cost)? { Ok(()) } else { Err(Fault::NoPrimary) }
    }

    /// The number and the colour of a term.
    pub(super) fn resolve<'a>(&self, term: TermRef<'a>) -> Result<(ItemId, Option<ColourRef<'a>>), Fault> {
        let count = self.items.names().len();
        match term.item {
            ItemRef::Number(item) if item.index() < count => Ok((item, term.colour)),
            ItemRef::Number(item) => Err(Fault::UnknownNumber { item, count }),
            ItemRef::Name(name) => Ok((self.find(name)?, term.colour)),
            ItemRef::Text(text) => {
                if self.has_colons
                    && let Some(item) = self.items.find(text)
                {
                    return Ok((ItemId(item), None));
                }
                match text.split_once(':') {
                    Some((name, colour)) => Ok((self.find(name)?, Some(ColourRef::Name(colour)))),
                    None => Ok((self.find(text)?, None)),
                }
            }
        }
    }

    pub(super) fn item_count(&self) -> u32 {
        self.items.names().len() as u32
    }

    pub(crate) fn option_count(&self) -> OptionId {
        OptionId((self.starts.len() - 1) as u32)
    }

    pub(crate) fn add_primary(&mut self, name: &str, bounds: Bounds) -> Result<ItemId, Fault> {
        if self.primary_count < self.items.names().len() {
            return Err(Fault::LatePrimary(name.into()));
        }
        if bounds.high == 0 {
            return Err(Fault::HighZero(name.into()));
        }
        if bounds.low > bounds.high {
            return Err(Fault::LowAboveHigh { name: name.into(), low: bounds.low, high: bounds.high });
        }
        let item = self.add_secondary(name)?;
        self.primary_count += 1;
        self.bounds.push(bounds);
        Ok(item)
    }

    pub(crate) fn add_secondary(&mut self, name: &str) -> Result<ItemId, Fault> {
        if name.is_empty() {
            return Err(Fault::NoName);
        }
        let item = self.items.insert(name).map_err(|why| match why {
            InsertError::Present(_) => Fault::DuplicateItem(name.into()),
            InsertError::Full => Fault::TooLarge,
        })?;
        self.has_colons |= name.contains(':');
        self.named_by.push(0);
        Ok(ItemId(item))
    }

    pub(crate) fn find(&self, name: &str) -> Result<ItemId, Fault> {
        self.items.find(name).map(ItemId).ok_or_else(|| Fault::UnknownItem(name.into()))
    }

    /// The numbers of items; `NONE` for an unknown one.
    pub(crate) fn find_all<'a>(&self, names: impl Iterator<Item = &'a str> + Clone, numbers: &mut Vec<u32>) {
        self.items.find_all(names, numbers);
    }

    /// Makes room for `count` more items.
    pub(crate) fn reserve_items(&mut self, count: usize) {
        self.items.reserve(count);
        self.named_by.reserve(count);
    }

    /// Adds an existing item to the current option.
    pub(crate) fn add_term(&mut self, item: ItemId, colour: Option<&str>) -> Result<(), Fault> {
        let is_primary = item.index() < self.primary_count;
        if self.names_already(item) {
            return Err(Fault::ItemTwice(self.name_of(item)));
        }
        let colour = match colour {
            None => 0,
            Some(_) if is_primary => return Err(Fault::ColourOnPrimary(self.name_of(item))),
            Some("") => return Err(Fault::NoColour(self.name_of(item))),
            Some(colour) => self.colour(colour)?,
        };
        self.has_primary |= is_primary;
        self.terms.push(Term { item, colour });
        Ok(())
    }

    #[cold]
    fn name_of(&self, item: ItemId) -> String {
        self.items.names().get(item.0).unwrap_or_default().to_owned()
    }

    /// Whether the current option has the item already, and a note that it has now.
    ///
    /// Most options are short and their terms at hand: the note would wait for memory if there are many items.
    fn names_already(&mut self, item: ItemId) -> bool {
        let number = self.starts.len() as u32;
        let terms = &self.terms[self.starts[self.starts.len() - 1] as usize..];
        if terms.len() < NOTED_TERMS {
            return terms.iter().any(|term| term.item == item);
        }
        if terms.len() == NOTED_TERMS {
            terms.iter().for_each(|term| self.named_by[term.item.index()] = number);
        }
        std::mem::replace(&mut self.named_by[item.index()], number) == number
    }

    fn colour(&mut self, name: &str) -> Result<u32, Fault> {
        match self.colours.insert(name) {
            Ok(number) | Err(InsertError::Present(number)) => Ok(number + 1),
            Err(InsertError::Full) => Err(Fault::TooLarge),
        }
    }

    /// Ends the current option; `false` if it was dropped because it has no primary item.
    pub(crate) fn end_option(&mut self, cost: u64) -> Result<bool, Fault> {
        let end = u32::try_from(self.terms.len()).map_err(|_| Fault::TooLarge)?;
        if self.starts.len() >= u32::MAX as usize {
            return Err(Fault::TooLarge);
        }
        if !std::mem::take(&mut self.has_primary) {
            let start = self.starts[self.starts.len() - 1];
            self.has_dropped |= self.terms[start as usize..].iter().any(|term| term.colour != 0);
            self.terms[start as usize..].iter().for_each(|term| self.named_by[term.item.index()] = 0);
            self.terms.truncate(start as usize);
            return Ok(false);
        }
        if cost > 0 {
            self.costs.resize(self.starts.len() - 1, 0);
            self.costs.push(cost);
        }
        self.starts.push(end);
        Ok(true)
    }

    pub(crate) fn build(mut self) -> Result<ExactCover, Fault> {
        if self.primary_count == 0 {
            return Err(Fault::NoItems);
        }
        if self.bounds.iter().all(|&bounds| bounds == Bounds::ONCE) {
            self.bounds.clear();
        }
        if self.costs.iter().all(|&cost| cost == 0) {
            self.costs.clear();
        } else {
            self.costs.resize(self.starts.len() - 1, 0);
        }
        let colour_names = match self.has_dropped {
            true => renumber_colours(&mut self.terms, self.colours.names())?,
            false => self.colours.into_names(),
        };
        Ok(ExactCover {
            primary_count: self.primary_count,
            item_count: self.items.names().len(),
            bounds: self.bounds,
            terms: self.terms,
            starts: self.starts,
            item_names: self.items.into_names(),
            colour_names,
            costs: self.costs,
        })
    }
}

/// Renumbers the colours in order of appearance, so that every number is used.
pub(crate) fn renumber_colours(terms: &mut [Term], names: &Names) -> Result<Names, Fault> {
    let mut numbers = vec![0; names.len() + 1];
    let mut kept = Index::default();
    for term in terms.iter_mut().filter(|term| term.colour != 0) {
        let number = &mut numbers[term.colour as usize];
        if *number == 0 {
            let name = names.get(term.colour - 1).unwrap_or_default();
            *number = kept.insert(name).map_err(|_| Fault::TooLarge)? + 1;
        }
        term.colour = *number;
    }
    Ok(kept.into_names())
}
