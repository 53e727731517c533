//! Permutations of items, written as cycles.

use std::collections::HashMap;

use galop_cover::{ExactCover, ItemId};

use super::GroupFault;

/// Reads permutations of the items of a problem.
pub(super) struct Cycles<'p> {
    problem: &'p ExactCover,
    numbers: HashMap<&'p str, u32>,
}

/// The column of the first cycle, and the image of each item.
pub(super) type Permutation = (usize, Vec<u32>);

impl<'p> Cycles<'p> {
    pub(super) fn new(problem: &'p ExactCover) -> Cycles<'p> {
        let numbers = (0..problem.item_count() as u32).map(|item| (problem.item_name(ItemId(item)), item));
        Cycles { problem, numbers: numbers.collect() }
    }

    /// Reads a line; `None` if it is blank or a comment. A fault comes with its column.
    pub(super) fn read(&self, line: &[u8]) -> Result<Option<Permutation>, (usize, GroupFault)> {
        let start = line.iter().take_while(|&&byte| is_blank(byte)).count();
        if line.get(start).is_none_or(|&byte| byte == b'#') {
            return Ok(None);
        }
        let text = str::from_utf8(line).map_err(|error| (error.valid_up_to() + 1, GroupFault::NotUtf8))?;
        let mut images: Vec<u32> = (0..self.problem.item_count() as u32).collect();
        let mut is_named = vec![false; images.len()];
        // The cycle that is open: the column of its bracket, and its items.
        let mut open: Option<(usize, Vec<u32>)> = None;
        for (place, word) in words(text) {
            let column = place + 1;
            match (word, &mut open) {
                ("(", None) => open = Some((column, Vec::new())),
                ("(", Some((bracket, _))) => return Err((*bracket, GroupFault::Unclosed)),
                (")", None) => return Err((column, GroupFault::Unopened)),
                (")", Some((_, cycle))) => {
                    let next = cycle.iter().cycle().skip(1);
                    for (&item, &image) in cycle.iter().zip(next) {
                        images[item as usize] = image;
                    }
                    open = None;
                }
                (name, None) => return Err((column, GroupFault::Outside(name.to_owned()))),
                (name, Some((_, cycle))) => {
                    let item = self.item(name, cycle.first()).map_err(|fault| (column, fault))?;
                    if std::mem::replace(&mut is_named[item as usize], true) {
                        return Err((column, GroupFault::ItemTwice(name.to_owned())));
                    }
                    cycle.push(item);
                }
            }
        }
        match open {
            Some((bracket, _)) => Err((bracket, GroupFault::Unclosed)),
            None => Ok(Some((start + 1, images))),
        }
    }

    /// The number of an item, which is like the first one of its cycle.
    fn item(&self, name: &str, first: Option<&u32>) -> Result<u32, GroupFault> {
        let unknown = || GroupFault::UnknownItem(name.to_owned());
        let item = *self.numbers.get(name).ok_or_else(unknown)?;
        let Some(&first) = first else { return Ok(item) };
        let is_primary = |item: u32| (item as usize) < self.problem.primary_count();
        let bounds = |item: u32| self.problem.bounds(ItemId(item));
        let names = || (self.problem.item_name(ItemId(first)).to_owned(), name.to_owned());
        if is_primary(item) != is_primary(first) {
            let (first, item) = names();
            return Err(GroupFault::MixedKinds { first, item });
        }
        if bounds(item) != bounds(first) {
            let (first, item) = names();
            return Err(GroupFault::MixedBounds { first, item });
        }
        Ok(item)
    }
}

/// Whether a byte separates names, as in the text of a problem.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

/// The brackets and names of a line, with their places.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_end = |byte: u8| is_blank(byte) || matches!(byte, b'(' | b')');
    let mut place = 0;
    std::iter::from_fn(move || {
        let rest = text.as_bytes().get(place..)?;
        let begin = place + rest.iter().take_while(|&&byte| is_blank(byte)).count();
        let rest = text.as_bytes().get(begin..)?;
        let length = match rest.first()? {
            b'(' | b')' => 1,
            _ => rest.iter().take_while(|&&byte| !is_end(byte)).count(),
        };
        place = begin + length;
        text.get(begin..place).map(|word| (begin, word))
    })
}

/// Appends the permutation `images` of the items of `problem` as cycles, or `()` if it moves nothing.
pub(super) fn push_cycles(problem: &ExactCover, images: &[u32], out: &mut String) {
    let mut is_written = vec![false; images.len()];
    let start = out.len();
    for first in 0..images.len() {
        let mut item = first;
        while !std::mem::replace(&mut is_written[item], true) {
            let Some(&image) = images.get(item).filter(|&&image| image as usize != item) else { break };
            out.push_str(match item == first {
                true if out.len() == start => "(",
                true => " (",
                false => " ",
            });
            out.push_str(problem.item_name(ItemId(item as u32)));
            item = (image as usize).min(images.len() - 1);
            if item == first {
                out.push(')');
            }
        }
    }
    if out.len() == start {
        out.push_str("()");
    }
}
