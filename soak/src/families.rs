//! Families of exact cover problems, by size and seed: small ones for the soak, larger ones to see how times grow.
//!
//! A problem is a text in the format of Knuth's programs, with names of at most eight characters and colours of one.
//! The generators start from a solution and describe it, so every problem has one, except some colourings.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use galop_cover::{models, text};
use galop_testing::chance::Chance;

/// A generator of problems.
#[derive(Clone, Debug)]
pub(crate) struct Family {
    pub(crate) name: &'static str,
    /// Sizes for the soak: most of their problems have few solutions.
    pub(crate) small: RangeInclusive<usize>,
    /// The largest size.
    most: usize,
    make: fn(usize, &mut Chance) -> Text,
}

/// Every family: one row adds one. The README says what a size is.
pub(crate) static FAMILIES: &[Family] = &[
    Family { name: "nonogram", small: 2..=7, most: 40, make: nonogram },
    Family { name: "roster", small: 2..=3, most: 1000, make: |staff, chance| roster(staff, chance, false) },
    Family { name: "wishes", small: 2..=2, most: 1000, make: |staff, chance| roster(staff, chance, true) },
    Family { name: "cars", small: 2..=9, most: 1000, make: cars },
    Family { name: "crews", small: 2..=30, most: 10_000, make: crews },
    Family { name: "dominosa", small: 2..=6, most: 999, make: dominosa },
    Family { name: "quasigroup", small: 2..=9, most: 62, make: quasigroup },
    Family { name: "colouring", small: 2..=10, most: 10_000, make: colouring },
    Family { name: "costas", small: 2..=6, most: 62, make: costas },
    Family { name: "edges", small: 2..=3, most: 40, make: edges },
    Family { name: "packing", small: 2..=5, most: 99, make: packing },
    Family { name: "timetable", small: 2..=3, most: 999, make: timetable },
];

impl Family {
    /// The problem of this size and seed.
    pub(crate) fn make(&self, size: usize, seed: u64) -> Result<String, String> {
        let sizes = *self.small.start()..=self.most;
        if !sizes.contains(&size) {
            return Err(format!("{} takes sizes from {} to {}", self.name, sizes.start(), sizes.end()));
        }
        Ok((self.make)(size, &mut Chance::new(seed)).finish())
    }
}

/// The family of that name.
pub(crate) fn by_name(name: &str) -> Result<&'static Family, String> {
    let names: Vec<&str> = FAMILIES.iter().map(|family| family.name).collect();
    FAMILIES.iter().find(|family| family.name == name).ok_or(format!("there are {}", names.join(", ")))
}

/// Items with their bounds, and options.
#[derive(Default)]
struct Text {
    primary: Vec<String>,
    secondary: Vec<String>,
    options: Vec<String>,
}

impl Text {
    fn finish(self) -> String {
        let bar = if self.secondary.is_empty() { "" } else { " | " };
        let (primary, secondary) = (self.primary.join(" "), self.secondary.join(" "));
        format!("{primary}{bar}{secondary}\n{}\n", self.options.join("\n"))
    }
}

/// The cells of a board, row by row.
fn places(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..rows).flat_map(move |row| (0..columns).map(move |column| (row, column)))
}

fn names(prefix: &str, rows: usize, columns: usize) -> impl Iterator<Item = String> {
    places(rows, columns).map(move |(row, column)| format!("{prefix}{row}.{column}"))
}

/// A colour of one character.
fn colour(number: usize) -> char {
    ('0'..='9').chain('a'..='z').chain('A'..='Z').nth(number).unwrap_or('?')
}

/// A picture of `n` x `n` random cells, three of five black, from the lengths of the runs in every line. The items are
/// the lines, an option fills one, and the cells are secondary items with two colours.
fn nonogram(n: usize, chance: &mut Chance) -> Text {
    let picture: Vec<bool> = (0..n * n).map(|_| chance.below(5) < 3).collect();
    let mut text = Text { secondary: names("", n, n).collect(), ..Text::default() };
    let rows = (0..n).map(|row| (format!("r{row}"), (0..n).map(|column| row * n + column).collect()));
    let columns = (0..n).map(|column| (format!("c{column}"), (0..n).map(|row| row * n + column).collect()));
    for (name, cells) in rows.chain(columns).collect::<Vec<(String, Vec<usize>)>>() {
        let black: Vec<bool> = cells.iter().map(|&cell| picture[cell]).collect();
        let runs: Vec<usize> =
            black.chunk_by(PartialEq::eq).filter(|run| run[0]).map(<[bool]>::len).collect();
        for filling in fillings(&runs, n) {
            let coloured = cells.iter().zip(filling);
            let words =
                coloured.map(|(&cell, black)| format!(" {}:{}", text.secondary[cell], u8::from(black)));
            text.options.push(format!("{name}{}", words.collect::<String>()));
        }
        text.primary.push(name);
    }
    text
}

/// All lines of `length` cells with these black runs.
fn fillings(runs: &[usize], length: usize) -> Vec<Vec<bool>> {
    let Some((&run, rest)) = runs.split_first() else { return vec![vec![false; length]] };
    let needed = run + rest.iter().map(|run| run + 1).sum::<usize>();
    let mut all = Vec::new();
    for gap in 0..=length - needed {
        let mut start = [vec![false; gap], vec![true; run]].concat();
        start.extend((!rest.is_empty()).then_some(false));
        let ends = fillings(rest, length - start.len());
        all.extend(ends.into_iter().map(|end| [start.clone(), end].concat()));
    }
    all
}

/// Shifts of `staff` persons on 14 days: early, late, night or off. No early shift follows a late one, and none but a
/// night shift follows a night shift. Everybody has a number of shifts and some impossible ones, and each shift needs a
/// number of persons. The colour of `n` says whether the day has a night shift, of `l` whether a late or a night shift.
fn roster(staff: usize, chance: &mut Chance, has_costs: bool) -> Text {
    const DAYS: usize = 14;
    const EARLY: usize = 0;
    const LATE: usize = 1;
    const NIGHT: usize = 2;
    const OFF: usize = 3;
    const NAMES: [&str; 3] = ["E", "L", "N"];
    let mut text = Text::default();
    let mut needed = [[0; 3]; DAYS];
    for person in 0..staff {
        let (mut worked, mut before) = (0, OFF);
        for (day, needed) in needed.iter_mut().enumerate() {
            let allowed = if before == OFF { EARLY } else { before };
            let shift = allowed + chance.below(4 - allowed);
            if shift != OFF {
                worked += 1;
                needed[shift] += 1;
            }
            for other in [EARLY, LATE, NIGHT, OFF] {
                if other != shift && other != OFF && chance.below(4) == 0 {
                    continue;
                }
                let mut option = format!("{person}.{day}");
                if other != OFF {
                    option += &format!(" {}{day} w{person}", NAMES[other]);
                }
                let (late, night) = (u8::from(other == LATE || other == NIGHT), u8::from(other == NIGHT));
                option += &format!(" l{person}.{day}:{late} n{person}.{day}:{night}");
                match other {
                    EARLY if day > 0 => option += &format!(" l{person}.{}:0", day - 1),
                    LATE if day > 0 => option += &format!(" n{person}.{}:0", day - 1),
                    _ => {}
                }
                if has_costs && chance.below(3) == 0 {
                    option += &format!(" |{}", 1 + chance.below(20));
                }
                text.options.push(option);
            }
            before = shift;
        }
        text.primary.push(format!("{worked}|w{person}"));
    }
    for (day, needed) in needed.iter().enumerate() {
        let shifts = NAMES.iter().zip(needed);
        text.primary.extend(shifts.map(|(shift, number)| format!("{number}:{}|{shift}{day}", number + 1)));
    }
    text.primary.extend(names("", staff, DAYS));
    text.secondary = names("l", staff, DAYS).chain(names("n", staff, DAYS)).collect();
    text
}

/// A sequence of `n` cars of several classes. A class is a set of extras, and of `width` cars one after the other at
/// most `most` have an extra.
fn cars(n: usize, chance: &mut Chance) -> Text {
    const EXTRAS: [(usize, usize); 5] = [(1, 2), (2, 3), (1, 3), (2, 5), (1, 5)];
    let mut sequence: Vec<[bool; 5]> = Vec::new();
    for place in 0..n {
        sequence.push(std::array::from_fn(|extra| {
            let (most, width) = EXTRAS[extra];
            let window = &sequence[(place + 1).saturating_sub(width)..];
            window.iter().filter(|car| car[extra]).count() < most && chance.below(4) > 0
        }));
    }
    let mut classes: BTreeMap<[bool; 5], usize> = BTreeMap::new();
    sequence.iter().for_each(|car| *classes.entry(*car).or_default() += 1);
    let mut text = Text { primary: (0..n).map(|place| format!("p{place}")).collect(), ..Text::default() };
    for (extra, (most, width)) in EXTRAS.into_iter().enumerate() {
        text.primary
            .extend((0..(n + 1).saturating_sub(width)).map(|from| format!("0:{most}|{extra}.{from}")));
    }
    for (class, (extras, number)) in classes.iter().enumerate() {
        text.primary.push(format!("{number}|c{class}"));
        for place in 0..n {
            let mut option = format!("p{place} c{class}");
            for (extra, (_, width)) in EXTRAS.into_iter().enumerate().filter(|(extra, _)| extras[*extra]) {
                let windows = (place + 1).saturating_sub(width)..=place.min(n.saturating_sub(width));
                windows
                    .filter(|from| from + width <= n)
                    .for_each(|from| option += &format!(" {extra}.{from}"));
            }
            text.options.push(option);
        }
    }
    text
}

/// Flights, in the order of time, from one of eight towns to another. An option is a crew that flies up to five of them
/// from its base and back to it, at a cost; a single flight with a hired crew costs more.
fn crews(legs: usize, chance: &mut Chance) -> Text {
    const BASES: usize = 3;
    let flights: Vec<[usize; 2]> = (0..legs).map(|_| [chance.below(8), chance.below(8)]).collect();
    let mut text = Text { primary: (0..legs).map(|leg| format!("f{leg}")).collect(), ..Text::default() };
    text.options = (0..legs).map(|leg| format!("f{leg} |{}", 900 + chance.below(200))).collect();
    let mut open: Vec<Vec<usize>> =
        (0..legs).filter(|&leg| flights[leg][0] < BASES).map(|leg| vec![leg]).collect();
    while let Some(path) = open.pop() {
        let (first, last) = (path[0], path[path.len() - 1]);
        if flights[last][1] == flights[first][0] {
            let names: String = path.iter().map(|leg| format!("f{leg} ")).collect();
            text.options.push(format!("{names}|{}", 300 + 10 * (last - first) + chance.below(200)));
        }
        let later = (last + 1..legs.min(last + 25)).filter(|&leg| flights[leg][0] == flights[last][1]);
        if path.len() < 5 {
            open.extend(later.map(|leg| [&path[..], &[leg]].concat()));
        }
    }
    text
}

/// A board that the dominoes from 0-0 to `n`-`n` cover, each once. Its tiling is made by turning random pairs of
/// parallel dominoes.
fn dominosa(n: usize, chance: &mut Chance) -> Text {
    let (rows, columns) = (n + 1, n + 2);
    let step = if columns % 2 == 0 { 1 } else { columns };
    // The tiles lie along the even side. `to_other` is how far the other half of a domino is.
    let mut to_other: Vec<isize> = places(rows, columns)
        .map(|(row, column)| {
            let is_first = (if step == 1 { column } else { row }) % 2 == 0;
            if is_first { step as isize } else { -(step as isize) }
        })
        .collect();
    for _ in 0..50 * rows * columns {
        let corner = chance.below(rows - 1) * columns + chance.below(columns - 1);
        let (right, down) = (1, columns as isize);
        let block = [corner, corner + 1, corner + columns, corner + columns + 1];
        let (level, upright) = ([right, -right, right, -right], [down, down, -down, -down]);
        let is = block.map(|cell| to_other[cell]);
        let turned = if is == level {
            upright
        } else if is == upright {
            level
        } else {
            continue;
        };
        block.into_iter().zip(turned).for_each(|(cell, way)| to_other[cell] = way);
    }
    let domino = |one: usize, other: usize| format!("d{}.{}", one.min(other), one.max(other));
    let mut dominoes: Vec<[usize; 2]> = places(n + 1, n + 1).map(|(one, other)| [one, other]).collect();
    dominoes.retain(|[one, other]| one <= other);
    let mut text = Text {
        primary: dominoes.iter().map(|&[one, other]| domino(one, other)).collect(),
        ..Text::default()
    };
    let cells: Vec<String> = names("", rows, columns).collect();
    chance.shuffle(&mut dominoes);
    let mut numbers = vec![0; cells.len()];
    let firsts: Vec<usize> = (0..cells.len()).filter(|&cell| to_other[cell] > 0).collect();
    for (cell, mut halves) in firsts.into_iter().zip(dominoes) {
        chance.shuffle(&mut halves);
        numbers[cell] = halves[0];
        numbers[cell.wrapping_add_signed(to_other[cell])] = halves[1];
    }
    for (row, column) in places(rows, columns) {
        let cell = row * columns + column;
        let neighbours =
            [(column + 1 < columns).then_some(cell + 1), (row + 1 < rows).then_some(cell + columns)];
        text.options.extend(neighbours.into_iter().flatten().map(|other| {
            format!("{} {} {}", domino(numbers[cell], numbers[other]), cells[cell], cells[other])
        }));
    }
    text.primary.extend(cells);
    text
}

/// A Latin square of which 42 of 100 cells are empty, about where completing one is hardest (Gomes and Shmoys,
/// "Completing quasigroups or Latin squares", 2002).
fn quasigroup(n: usize, chance: &mut Chance) -> Text {
    let square = latin_square(n, chance);
    let latin = models::latin(n).map(|problem| text::to_text(&problem)).unwrap_or_default();
    let (items, options) = latin.split_once('\n').unwrap_or_default();
    let is_clue: Vec<bool> = (0..n * n).map(|_| chance.below(100) >= 42).collect();
    // The options of the model are ordered by cells, then by symbols.
    let kept = options.lines().enumerate().filter(|(option, _)| {
        let (cell, symbol) = (option / n, option % n);
        !is_clue[cell] || square[cell] == symbol
    });
    let options = kept.map(|(_, option)| option.to_owned()).collect();
    Text { primary: vec![items.to_owned()], options, ..Text::default() }
}

/// A Latin square far from the cyclic one. Each step exchanges two rows in some columns, so that they stay rows of a
/// Latin square, and then rows, columns and symbols change their parts.
fn latin_square(n: usize, chance: &mut Chance) -> Vec<usize> {
    let mut square: Vec<usize> = places(n, n).map(|(row, column)| (row + column) % n).collect();
    for _ in 0..30 * n {
        let one = chance.below(n);
        let other = (one + 1 + chance.below(n - 1)) % n;
        let mut column = chance.below(n);
        let first = square[one * n + column];
        loop {
            square.swap(one * n + column, other * n + column);
            let new = square[one * n + column];
            if new == first {
                break;
            }
            // The other column where this row has the new symbol.
            let twice = (0..n).find(|&twin| twin != column && square[one * n + twin] == new);
            column = twice.unwrap_or(column);
        }
        let mut turned = square.clone();
        places(n, n).for_each(|(row, column)| turned[column * n + square[row * n + column]] = row);
        square = turned;
    }
    square
}

/// A random graph in four colours, with 4.3 edges for each vertex: near the threshold, so some have no colouring. (A
/// small graph has fewer.)
fn colouring(vertices: usize, chance: &mut Chance) -> Text {
    let mut pairs: Vec<(usize, usize)> =
        places(vertices, vertices).filter(|(one, other)| one < other).collect();
    chance.shuffle(&mut pairs);
    pairs.truncate((vertices * 43 / 10).min(pairs.len() * 3 / 4));
    let mut text = Text { secondary: names("e", pairs.len(), 4).collect(), ..Text::default() };
    for vertex in 0..vertices {
        text.primary.push(format!("v{vertex}"));
        for colour in 0..4 {
            let edges =
                pairs.iter().enumerate().filter(|(_, (one, other))| *one == vertex || *other == vertex);
            let edges: String = edges.map(|(edge, _)| format!(" e{edge}.{colour}")).collect();
            text.options.push(format!("v{vertex}{edges}"));
        }
    }
    text
}

/// Costas arrays: permutations of which all differences at the same distance differ. The seed orders the options. The
/// places are secondary items whose colours are their values; a pair of places is an item.
fn costas(n: usize, chance: &mut Chance) -> Text {
    let mut text = Text { primary: (0..n).map(|value| format!("v{value}")).collect(), ..Text::default() };
    text.secondary = (0..n).map(|place| format!("p{place}")).collect();
    text.options =
        places(n, n).map(|(value, place)| format!("v{value} p{place}:{}", colour(value))).collect();
    for (place, later) in places(n, n).filter(|(place, later)| place < later) {
        text.primary.push(format!("q{place}.{later}"));
        for (one, other) in places(n, n).filter(|(one, other)| one != other) {
            let difference = format!("{}.{}", later - place, other as i64 - one as i64);
            text.options.push(format!(
                "q{place}.{later} p{place}:{} p{later}:{} {difference}",
                colour(one),
                colour(other)
            ));
        }
    }
    let differences =
        places(n, 2 * n).filter(|&(distance, shifted)| distance > 0 && shifted > 0 && shifted != n);
    text.secondary
        .extend(differences.map(|(distance, shifted)| format!("{distance}.{}", shifted as i64 - n as i64)));
    chance.shuffle(&mut text.options);
    text
}

/// Squares with `n` + 2 colours of edges on a board of `n` x `n`: touching edges have the same colour, and the border
/// the colour 0. The edges of the board are secondary items.
fn edges(n: usize, chance: &mut Chance) -> Text {
    let mut draw = |is_border| if is_border { 0 } else { 1 + chance.below(n + 2) };
    let level: Vec<usize> = places(n + 1, n).map(|(row, _)| draw(row == 0 || row == n)).collect();
    let upright: Vec<usize> = places(n, n + 1).map(|(_, column)| draw(column == 0 || column == n)).collect();
    let mut tiles: Vec<[usize; 4]> = places(n, n)
        .map(|(row, column)| {
            let (above, left) = (row * n + column, row * (n + 1) + column);
            [level[above], upright[left + 1], level[above + n], upright[left]]
        })
        .collect();
    chance.shuffle(&mut tiles);
    let mut text = Text {
        primary: (0..n * n).map(|tile| format!("t{tile}")).chain(names("", n, n)).collect(),
        secondary: names("h", n + 1, n).chain(names("u", n, n + 1)).collect(),
        ..Text::default()
    };
    for (tile, colours) in tiles.iter().enumerate() {
        let turns: BTreeSet<[usize; 4]> =
            (0..4).map(|turn| std::array::from_fn(|side| colours[(side + turn) % 4])).collect();
        for ((row, column), turned) in
            places(n, n).flat_map(|place| turns.iter().map(move |turn| (place, turn)))
        {
            let is_border = [row == 0, column + 1 == n, row + 1 == n, column == 0];
            if (0..4).all(|side| is_border[side] == (turned[side] == 0)) {
                let [above, right, below, left] = turned.map(colour);
                text.options.push(format!(
                    "t{tile} {row}.{column} h{row}.{column}:{above} u{row}.{}:{right} h{}.{column}:{below} \
                     u{row}.{column}:{left}",
                    column + 1,
                    row + 1
                ));
            }
        }
    }
    text
}

/// A board of `n` x `n` cells, cut at random into pieces of up to five cells, which may be turned. The item of a shape
/// is covered once for each piece.
fn packing(n: usize, chance: &mut Chance) -> Text {
    let mut free: BTreeSet<(i32, i32)> =
        places(n, n).map(|(row, column)| (row as i32, column as i32)).collect();
    let mut shapes: BTreeMap<BTreeSet<Vec<(i32, i32)>>, usize> = BTreeMap::new();
    while let Some(cell) = free.pop_first() {
        let mut piece = vec![cell];
        while piece.len() < 5 {
            let near = piece.iter().flat_map(|&(row, column)| {
                [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            });
            let near: Vec<(i32, i32)> = near.filter(|cell| free.contains(cell)).collect();
            if near.is_empty() {
                break;
            }
            let next = near[chance.below(near.len())];
            free.remove(&next);
            piece.push(next);
        }
        *shapes.entry(turns(piece)).or_default() += 1;
    }
    let mut text = Text::default();
    for (shape, (turns, number)) in shapes.iter().enumerate() {
        text.primary.push(format!("{number}|s{shape}"));
        for ((row, column), turned) in
            places(n, n).flat_map(|place| turns.iter().map(move |turn| (place, turn)))
        {
            let cells = turned.iter().map(|(down, right)| (down + row as i32, right + column as i32));
            if cells.clone().all(|(row, column)| row < n as i32 && column < n as i32) {
                let cells: String = cells.map(|(row, column)| format!(" {row}.{column}")).collect();
                text.options.push(format!("s{shape}{cells}"));
            }
        }
    }
    text.primary.extend(names("", n, n));
    text
}

/// The shape of a piece: its turns, also of the other side, each with its least row and column at 0.
fn turns(mut piece: Vec<(i32, i32)>) -> BTreeSet<Vec<(i32, i32)>> {
    let mut all = BTreeSet::new();
    for turn in 0..8 {
        piece = piece.into_iter().map(|(row, column)| (column, if turn == 4 { row } else { -row })).collect();
        let least = |side: fn(&(i32, i32)) -> i32| piece.iter().map(side).min().unwrap_or_default();
        let (top, left) = (least(|cell| cell.0), least(|cell| cell.1));
        let mut turned: Vec<(i32, i32)> =
            piece.iter().map(|(row, column)| (row - top, column - left)).collect();
        turned.sort_unstable();
        all.insert(turned);
    }
    all
}

/// Lessons of as many classes as teachers in 20 hours of five days. A class has a teacher at most once a day, the rooms
/// are as many as the fullest hour needs, and two thirds of the free hours of teachers are impossible.
fn timetable(classes: usize, chance: &mut Chance) -> Text {
    const DAYS: usize = 5;
    const HOURS: usize = 20;
    let mut lessons = vec![0; classes * classes];
    let (mut busy, mut days) = (BTreeSet::new(), BTreeSet::new());
    let mut rooms = [0; HOURS];
    let mut teachers: Vec<usize> = (0..classes).collect();
    for (hour, rooms) in rooms.iter_mut().enumerate() {
        chance.shuffle(&mut teachers);
        for (class, &teacher) in teachers.iter().enumerate() {
            if chance.below(8) > 0 && days.insert((class, teacher, hour % DAYS)) {
                lessons[class * classes + teacher] += 1;
                busy.insert((teacher, hour));
                *rooms += 1;
            }
        }
    }
    let most = rooms.into_iter().max().unwrap_or_default();
    busy.extend(places(classes, HOURS).filter(|_| chance.below(3) == 0));
    let mut text = Text::default();
    for (class, teacher) in
        places(classes, classes).filter(|(class, teacher)| lessons[class * classes + teacher] > 0)
    {
        text.primary.push(format!("{}|{class}.{teacher}", lessons[class * classes + teacher]));
        text.secondary.extend((0..DAYS).map(|day| format!("{class}.{teacher}{}", colour(10 + day))));
        for hour in (0..HOURS).filter(|&hour| busy.contains(&(teacher, hour))) {
            let day = colour(10 + hour % DAYS);
            text.options.push(format!(
                "{class}.{teacher} h{hour} c{class}.{hour} t{teacher}.{hour} {class}.{teacher}{day}"
            ));
        }
    }
    text.primary.extend((0..HOURS).map(|hour| format!("0:{most}|h{hour}")));
    text.secondary.extend(names("c", classes, HOURS).chain(names("t", classes, HOURS)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use galop_cover::ExactCover;

    /// Every problem that is made from a solution has one, and a seed is a problem.
    #[test]
    fn families_have_solutions() {
        for family in FAMILIES {
            for (size, seed) in family.small.clone().flat_map(|size| (1..5).map(move |seed| (size, seed))) {
                let text = family.make(size, seed).unwrap();
                assert_eq!(family.make(size, seed).unwrap(), text);
                let problem: ExactCover = text.parse().expect(family.name);
                assert!(
                    family.name == "colouring" || problem.solve().unwrap().is_some(),
                    "{} {size} {seed}",
                    family.name
                );
            }
            assert!(
                family.make(*family.small.end(), 1) != family.make(*family.small.end(), 2),
                "{}",
                family.name
            );
            assert!(family.make(0, 1).is_err() && family.make(family.most + 1, 1).is_err());
        }
    }
}
