//! Parts of a problem that have nothing to do with each other: each is counted by itself, and the counts are
//! multiplied.
//!
//! Two items belong to the same part if an option has both, or through other items. A search of the whole goes through
//! all solutions of the second part for every solution of the first one. Each part gets an engine of its own, chosen
//! as for a whole problem. The largest part comes last: it is not searched if another part has no solution.

use std::sync::Arc;

use super::begin;
use super::whole::Counted;
use crate::engine::{Build, CoverEngine, CoverEntry, Event, Meter, Stop, Unsuitable};
use crate::memory::Memory;
use crate::{Assumptions, ExactCover, Natural, OptionId, Term};
use galop_simd::Isa;

/// Its name in reports. It is not in the table of engines, because it only counts.
pub(super) static ENTRY: CoverEntry = CoverEntry {
    name: "parts",
    about: "counts independent parts one by one and multiplies; it finds no solution",
    make: |_, _| Err(Unsuitable::Bounds),
};

/// A part of a problem, and the numbers of its options in the whole.
#[derive(Debug)]
pub(super) struct Component {
    problem: ExactCover,
    options: Vec<OptionId>,
}

/// The parts of `problem`, the one with the fewest options first; at most one if nothing can be split.
#[inline(never)]
pub(super) fn components(problem: &ExactCover) -> Vec<Component> {
    let roots = roots(problem);
    let mut parts = vec![u32::MAX; problem.item_count()];
    let mut count = 0;
    for &root in &roots[..problem.primary_count()] {
        if parts[root] == u32::MAX {
            parts[root] = count;
            count += 1;
        }
    }
    if count < 2 || !problem.is_simple() {
        return Vec::new();
    }
    // The items of a part keep their order, so its primary items still come first.
    let mut numbers = vec![0; problem.item_count()];
    let empty = || Component { problem: ExactCover::default(), options: Vec::new() };
    let mut components: Vec<Component> = (0..count).map(|_| empty()).collect();
    for (item, &root) in roots.iter().enumerate() {
        // Secondary items that occur in no option have no part.
        let Some(part) = components.get_mut(parts[root] as usize) else { continue };
        numbers[item] = part.problem.item_count as u32;
        part.problem.item_count += 1;
        part.problem.primary_count += usize::from(item < problem.primary_count());
    }
    for (option, terms) in (0..).zip(problem.options()) {
        let Some(first) = terms.first() else { continue };
        let Some(part) = components.get_mut(parts[roots[first.item as usize]] as usize) else { continue };
        let numbered = terms.iter().map(|term| Term { item: numbers[term.item as usize], ..*term });
        part.problem.terms.extend(numbered);
        part.problem.starts.push(part.problem.terms.len() as u32);
        part.options.push(option);
    }
    components.sort_by_key(|part| part.options.len());
    components
}

/// For every item, an item that stands for all those connected with it.
fn roots(problem: &ExactCover) -> Vec<usize> {
    fn find(parents: &mut [usize], mut item: usize) -> usize {
        while parents[item] != item {
            parents[item] = parents[parents[item]];
            item = parents[item];
        }
        item
    }
    let mut parents: Vec<usize> = (0..problem.item_count()).collect();
    for terms in problem.options() {
        for pair in terms.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|term| find(&mut parents, term.item as usize));
            parents[one.max(other)] = one.min(other);
        }
    }
    (0..parents.len()).map(|item| find(&mut parents, item)).collect()
}

/// A count of all parts, one after the other.
pub(super) struct Product {
    components: Arc<Vec<Component>>,
    forbidden: Vec<OptionId>,
    isa: Isa,
    memory: Memory,
    /// The part under way, its engine, and whether that still counts without finding each solution.
    part: usize,
    engine: Option<Box<dyn CoverEngine>>,
    can_count: bool,
    found: Natural,
    /// The product of the parts that are counted.
    product: Natural,
    /// A solution of each part that showed one, one after the other; the parts that did; and whether the current one
    /// did.
    solution: Vec<OptionId>,
    shown: usize,
    is_shown: bool,
}

impl Product {
    pub(super) fn new(
        components: &Arc<Vec<Component>>,
        forbidden: &[OptionId],
        isa: Isa,
        memory: &Memory,
    ) -> Product {
        Product {
            components: Arc::clone(components),
            forbidden: forbidden.to_vec(),
            isa,
            memory: memory.clone(),
            part: 0,
            engine: None,
            can_count: true,
            found: Natural::ZERO,
            product: Natural::from(1),
            solution: Vec::new(),
            shown: 0,
            is_shown: false,
        }
    }

    /// Counts on. It gives up before the largest part if all others have one solution together: the search of the whole
    /// can be divided among threads.
    pub(super) fn run(&mut self, meter: &mut Meter<'_>) -> Counted {
        while let Some(component) = self.components.get(self.part) {
            if self.product == 0 {
                return Counted::Done;
            }
            if self.part + 1 == self.components.len() && self.product == 1 {
                return Counted::GaveUp;
            }
            if self.engine.is_none() {
                let build = Build::from(self.isa).within(&self.memory);
                let Ok((_, mut engine)) = begin(&component.problem, build, &self.memory) else {
                    return Counted::GaveUp;
                };
                // Both lists ascend.
                let place = |option: &OptionId| component.options.binary_search(option).ok();
                let forbidden = self.forbidden.iter().filter_map(place).map(|place| place as OptionId);
                engine.start(&Assumptions { chosen: Vec::new(), forbidden: forbidden.collect() });
                (self.engine, self.can_count, self.is_shown) = (Some(engine), true, false);
                self.found = Natural::ZERO;
            }
            if let Some(stop) = self.count_part(meter) {
                return Counted::Stopped(stop);
            }
            self.product = &self.product * &self.found;
            self.shown += usize::from(self.is_shown);
            self.engine = None;
            self.part += 1;
        }
        Counted::Done
    }

    /// Counts the current part to its end.
    fn count_part(&mut self, meter: &mut Meter<'_>) -> Option<Stop> {
        let (engine, component) = (self.engine.as_mut()?, self.components.get(self.part)?);
        loop {
            let counted = if self.can_count { engine.count(meter, &mut self.found) } else { None };
            self.can_count = counted.is_some();
            match counted.unwrap_or_else(|| engine.next(meter)) {
                Event::End => return None,
                Event::Stopped(stop) => return Some(stop),
                Event::Solution => {
                    self.found += u64::from(!self.can_count);
                    if !std::mem::replace(&mut self.is_shown, true) {
                        let solution = engine.solution().iter();
                        self.solution.extend(solution.map(|&option| component.options[option as usize]));
                    }
                }
            }
        }
    }

    /// The number of solutions, after it is done.
    pub(super) fn count(&self) -> &Natural {
        &self.product
    }

    /// A solution, if each part has shown one.
    pub(super) fn solution(&self) -> Option<&[OptionId]> {
        (self.shown == self.components.len()).then_some(&*self.solution)
    }

    /// The share of the largest part that is done. Before that nothing counts as done, because the count may give up.
    pub(super) fn progress(&self) -> f64 {
        let is_largest = self.part + 1 == self.components.len();
        self.engine.as_ref().filter(|_| is_largest).map_or(0.0, |engine| engine.progress())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn parts_keep_their_options() {
        let text = b"a b c d e | x y z\na b x\nc y\nb a\nd e\nc y:1\ne d\na x\n";
        let problem = text::read(text).unwrap().problem;
        let parts = components(&problem);
        let options: Vec<&[OptionId]> = parts.iter().map(|part| &*part.options).collect();
        assert_eq!(options, [&[1, 4][..], &[3, 5], &[0, 2, 6]]);
        for part in &parts {
            for (number, &option) in part.options.iter().enumerate() {
                let colours = |terms: &[Term]| terms.iter().map(|term| term.colour).collect::<Vec<_>>();
                assert_eq!(colours(part.problem.option(number as OptionId)), colours(problem.option(option)));
            }
        }
        let sizes: Vec<_> =
            parts.iter().map(|part| (part.problem.primary_count, part.problem.item_count)).collect();
        assert_eq!(sizes, [(1, 2), (2, 2), (2, 3)]);
        assert!(components(&text::read(b"a b | x\na x\nb x\n").unwrap().problem).is_empty());
    }
}
