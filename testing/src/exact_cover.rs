//! Exact cover problems as texts: random ones, some that tests build, and the plainest way to solve them.
//!
//! They are texts because the unit tests of galop-cover have a problem type of their own, which this package cannot
//! name.

use std::ops::RangeInclusive;

use proptest::collection::vec;
use proptest::prelude::*;

/// Knuth, TAOCP 4B, section 7.2.2.1, (6): an exact cover with one solution, options 0, 3 and 4.
pub const EXAMPLE_X: &str = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n";

/// Knuth's smallest problem with colours, (49): one solution, options 1 and 3.
pub const EXAMPLE_C: &str = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n";

/// A small problem with multiplicities: one solution, options 1, 3 and 4.
pub const EXAMPLE_M: &str = "A B 2:3|C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nC X:0\nB X:1\nC Y:1\n";

/// The sizes of random problems.
#[derive(Clone, Debug)]
pub struct Sizes {
    pub primary: RangeInclusive<usize>,
    pub secondary: RangeInclusive<usize>,
    pub options: RangeInclusive<usize>,
    /// Whether a quarter of the primary items have bounds.
    pub has_bounds: bool,
}

/// Problems that brute force solves at once.
pub const SMALL: Sizes = Sizes { primary: 1..=5, secondary: 0..=3, options: 0..=11, has_bounds: true };

/// The texts of random problems. Secondary items have three colours, and every fifth option has a cost.
pub fn problems(sizes: Sizes) -> BoxedStrategy<String> {
    let (most_primary, most_secondary) = (*sizes.primary.end(), *sizes.secondary.end());
    let bounds = prop_oneof![3 => Just((1, 1)), 1 => (0_u32..=3, 1_u32..=3)];
    let costs = prop_oneof![4 => Just(0_u64), 1 => 1_u64..9];
    // (The saved failures in `proptest-regressions` are numbers from which exactly these draws make a problem.)
    let option = (vec(0_u32..=3, most_primary), vec(0_u32..=5, most_secondary), 0..most_primary, costs);
    let lists = (vec(bounds, sizes.primary), sizes.secondary, vec(option, sizes.options));
    let texts = lists.prop_map(move |(bounds, secondary, options)| {
        let name = |(item, &(low, high)): (usize, &(u32, u32))| match (low.min(high), high) {
            (low, high) if sizes.has_bounds && (low, high) != (1, 1) => format!("{low}:{high}|p{item}"),
            _ => format!("p{item}"),
        };
        let mut text = bounds.iter().enumerate().map(name).collect::<Vec<_>>().join(" ");
        (0..secondary).for_each(|item| text += &format!("{} s{item}", if item == 0 { " |" } else { "" }));
        for (first, second, sure, cost) in options {
            let sure = sure % bounds.len();
            let is_in = |item: &usize| *item == sure || first[*item] == 3;
            let mut words: Vec<String> =
                (0..bounds.len()).filter(is_in).map(|item| format!("p{item}")).collect();
            words.extend(second.iter().enumerate().take(secondary).filter_map(|(item, draw)| match draw {
                2 => Some(format!("s{item}")),
                3..=5 => Some(format!("s{item}:c{draw}")),
                _ => None,
            }));
            words.extend((cost > 0).then(|| format!("|{cost}")));
            text += &format!("\n{}", words.join(" "));
        }
        text + "\n"
    });
    texts.boxed()
}

/// What the sets of options say about an item. Bit `n` of a set is option `n`.
struct Item<'a> {
    name: &'a str,
    /// How many of its options a solution has.
    bounds: RangeInclusive<u32>,
    is_primary: bool,
    options: u32,
    /// The options that give it the same colour.
    colours: Vec<(&'a str, u32)>,
}

impl<'a> Item<'a> {
    fn new(word: &'a str, is_primary: bool) -> Item<'a> {
        let (bounds, name) = word.rsplit_once('|').unwrap_or(("1", word));
        let (low, high) = bounds.split_once(':').unwrap_or((bounds, bounds));
        let number = |word: &str| word.parse().unwrap();
        Item { name, bounds: number(low)..=number(high), is_primary, options: 0, colours: Vec::new() }
    }

    fn allows(&self, set: u32) -> bool {
        let covers = set & self.options;
        if self.is_primary {
            return self.bounds.contains(&covers.count_ones());
        }
        covers.count_ones() <= 1 || self.colours.iter().any(|(_, options)| covers & !options == 0)
    }
}

/// The primary items of a problem without comments, its secondary items, and its options.
fn split(text: &str) -> (&str, &str, std::str::Lines<'_>) {
    let mut lines = text.lines();
    let header = lines.next().unwrap_or_default();
    let (primary, secondary) = header.split_once(" | ").unwrap_or((header, ""));
    (primary, secondary, lines)
}

/// All solutions of a problem without comments, each ascending, in ascending order: the sets of options that cover
/// every item as it must be.
///
/// It shares no code with the engines, the independent check or the reader of texts.
pub fn brute_force(text: &str) -> Vec<Vec<u32>> {
    let (primary, secondary, lines) = split(text);
    let primary = primary.split_whitespace().map(|word| Item::new(word, true));
    let mut items: Vec<Item<'_>> =
        primary.chain(secondary.split_whitespace().map(|word| Item::new(word, false))).collect();
    let mut count = 0;
    for line in lines {
        for word in line.split_whitespace().filter(|word| !word.starts_with('|')) {
            let (name, colour) = word.split_once(':').unwrap_or((word, ""));
            let item = items.iter_mut().find(|item| item.name == name).unwrap();
            item.options |= 1 << count;
            if colour.is_empty() {
                continue;
            }
            match item.colours.iter_mut().find(|(other, _)| *other == colour) {
                Some((_, options)) => *options |= 1 << count,
                None => item.colours.push((colour, 1 << count)),
            }
        }
        count += 1;
    }
    assert!(count < 20, "brute force is for small problems");
    let solutions = (0_u32..1 << count).filter(|&set| items.iter().all(|item| item.allows(set)));
    let mut solutions: Vec<Vec<u32>> =
        solutions.map(|set| (0..count).filter(|option| set >> option & 1 == 1).collect()).collect();
    solutions.sort();
    solutions
}

/// The solutions that contain all options of `chosen` and none of `forbidden`.
pub fn brute_force_with(text: &str, chosen: &[u32], forbidden: &[u32]) -> Vec<Vec<u32>> {
    let mut solutions = brute_force(text);
    solutions.retain(|solution| {
        chosen.iter().all(|option| solution.contains(option))
            && !forbidden.iter().any(|option| solution.contains(option))
    });
    solutions
}

/// Problems side by side, with no item in common: the number of a problem is before the names of its items. Costs are
/// lost.
pub fn side_by_side(texts: &[impl AsRef<str>]) -> String {
    let (mut primary, mut secondary, mut options) = (String::new(), String::new(), String::new());
    for (index, text) in texts.iter().enumerate() {
        let (first, second, lines) = split(text.as_ref());
        for word in first.split_whitespace() {
            let (bounds, name) = word.split_at(word.rfind('|').map_or(0, |bar| bar + 1));
            primary += &format!("{bounds}{index}.{name} ");
        }
        second.split_whitespace().for_each(|name| secondary += &format!(" {index}.{name}"));
        for line in lines {
            let words = line.split_whitespace().filter(|word| !word.starts_with('|'));
            words.for_each(|word| options += &format!("{index}.{word} "));
            options += "\n";
        }
    }
    let bar = if secondary.is_empty() { "" } else { "|" };
    format!("{primary}{bar}{secondary}\n{options}")
}

/// Pigeons, each in a hole of its own.
pub fn pigeons(pigeons: usize, holes: usize) -> String {
    let (mut header, mut options) = (String::new(), String::new());
    for pigeon in 0..pigeons {
        header += &format!("p{pigeon} ");
        (0..holes).for_each(|hole| options += &format!("p{pigeon} h{hole}\n"));
    }
    header += "|";
    (0..holes).for_each(|hole| header += &format!(" h{hole}"));
    format!("{header}\n{options}")
}
