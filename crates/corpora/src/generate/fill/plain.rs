//! The obvious version of [`nine`](super::nine), for blocks of any shape whose chutes have as many blocks as lines: 3x3
//! as in 9x9 grids, and 2x3 as in 6x6 grids. It draws the same random numbers and gives the same grids.

use std::collections::{BTreeMap, BTreeSet};

use crate::chance::Chance;

type Set = BTreeSet<usize>;
type Block = Vec<Vec<usize>>;

/// Blocks of `height` rows and `width` columns.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) height: usize,
    pub(super) width: usize,
    /// Fillings of a lower block at most, given the rows of both.
    pub(super) limit: usize,
}

impl Shape {
    pub(super) const NINE: Shape = Shape { height: 3, width: 3, limit: 8 };
    pub(super) const SIX: Shape = Shape { height: 2, width: 3, limit: 4 };

    pub(super) fn side(self) -> usize {
        self.height * self.width
    }

    fn turned(self) -> Shape {
        Shape { height: self.width, width: self.height, ..self }
    }

    /// The ways of the second block of a band: the digits of each row.
    pub(super) fn ways(self) -> Vec<Vec<Set>> {
        let mut ways = vec![Vec::new()];
        for row in 0..self.height {
            let mut longer = Vec::new();
            for way in &ways {
                for bits in 0..1_usize << self.side() {
                    let set: Set = (0..self.side()).filter(|digit| bits >> digit & 1 == 1).collect();
                    let is_new = way.iter().all(|other: &Set| other.is_disjoint(&set));
                    if set.len() == self.width && is_new && set.iter().all(|digit| digit / self.width != row)
                    {
                        longer.push(way.iter().cloned().chain([set]).collect());
                    }
                }
            }
            ways = longer;
        }
        ways
    }

    /// The digits that a way leaves for each row of the third block.
    fn rest(self, way: &[Set]) -> Vec<Set> {
        let is_left = |row: usize, digit: &usize| digit / self.width != row && !way[row].contains(digit);
        (0..self.height).map(|row| (0..self.side()).filter(|digit| is_left(row, digit)).collect()).collect()
    }

    /// The blocks with these digits in their rows, ascending in row 0.
    fn blocks(self, way: &[Set]) -> Vec<Block> {
        let mut blocks = vec![vec![way[0].iter().copied().collect()]];
        for row in &way[1..] {
            blocks = blocks
                .iter()
                .flat_map(|block| orders(row).into_iter().map(move |row| [block.clone(), vec![row]].concat()))
                .collect();
        }
        blocks
    }

    /// The radixes of the random numbers of a try.
    pub(super) fn radixes(self) -> Vec<Vec<usize>> {
        let (band, stack) = (self, self.turned());
        let orders = |shape: Shape| shape.blocks(&shape.ways()[0]).len();
        let (second, lower) = (band.ways().len() * orders(band), stack.ways().len() * orders(stack));
        let mut radixes =
            vec![vec![second, lower, orders(stack)], vec![band.ways().len(), band.ways().len(), self.limit]];
        radixes.extend((self.height == 3).then(|| vec![orders(band), self.limit]));
        radixes
    }

    pub(super) fn draw(self, ways: &mut Ways, chance: &mut Chance) -> Vec<usize> {
        loop {
            let mut stages = ways.radixes.clone().into_iter();
            let mut numbers = Vec::new();
            // The second stack fails before the numbers of the third one are drawn.
            let grid = loop {
                let Some(radixes) = stages.next() else { break ways.grid_again(&numbers) };
                let mut number = chance.below(radixes.iter().product::<usize>() as u32) as usize;
                for radix in radixes {
                    numbers.push(number % radix);
                    number /= radix;
                }
                if self.height == 3 && numbers.len() == 6 && ways.columns(&numbers, false).is_none() {
                    break None;
                }
            };
            if let Some(grid) = grid {
                return grid;
            }
        }
    }
}

/// The ways of a shape and of its stacks.
pub(super) struct Ways {
    shape: Shape,
    rows: Vec<Vec<Set>>,
    columns: Vec<Vec<Set>>,
    radixes: Vec<Vec<usize>>,
    /// The grids so far.
    known: BTreeMap<Vec<usize>, Option<Vec<usize>>>,
}

impl Ways {
    pub(super) fn new(shape: Shape) -> Ways {
        let (rows, columns) = (shape.ways(), shape.turned().ways());
        Ways { shape, rows, columns, radixes: shape.radixes(), known: BTreeMap::new() }
    }

    /// The blocks of the first stack below the first one, rows by rows.
    fn left(&self, numbers: &[usize]) -> [Block; 2] {
        let turned = self.shape.turned();
        let orders = turned.blocks(&self.columns[0]).len();
        let way = &self.columns[numbers[1] / orders];
        let blocks =
            [&turned.blocks(way)[numbers[1] % orders], &turned.blocks(&turned.rest(way))[numbers[2]]];
        // Digits are named by their places in the first block, which is turned as well.
        let name = |digit: usize| digit % turned.width * self.shape.width + digit / turned.width;
        blocks.map(|block| transposed(block, name))
    }

    /// The block of the first band in the second or third stack.
    fn above(&self, numbers: &[usize], is_third: bool) -> Block {
        let orders = self.shape.blocks(&self.rows[0]).len();
        let way = &self.rows[numbers[0] / orders];
        match is_third {
            false => self.shape.blocks(way)[numbers[0] % orders].clone(),
            true => self.shape.blocks(&self.shape.rest(way))[numbers[6]].clone(),
        }
    }

    /// The two lower blocks of the second or third stack, if there are as many as the numbers say.
    pub(super) fn columns(&self, numbers: &[usize], is_third: bool) -> Option<[Block; 2]> {
        let turned = self.shape.turned();
        let left = self.left(numbers);
        let rows = [0, 1].map(|lower| {
            let way = &self.rows[numbers[3 + lower]];
            let way = if is_third { self.shape.rest(way) } else { way.clone() };
            translated(&way, &left[lower].concat())
        });
        let above = transposed(&self.above(numbers, is_third), |digit| digit);
        let fits = |way: &Vec<Set>| {
            let columns = [way.clone(), turned.rest(way)].map(|way| translated(&way, &above.concat()));
            let blocks = [met(&rows[0], &columns[0]), met(&rows[1], &columns[1])];
            blocks.iter().flatten().flatten().all(|digits| digits.len() == 1).then_some(blocks)
        };
        let index = numbers[if is_third { 7 } else { 5 }];
        let blocks = self.columns.iter().filter_map(fits).nth(index)?;
        Some(blocks.map(|block| block.into_iter().map(|row| row.concat()).collect()))
    }

    /// As [`grid`](Self::grid); the result is kept.
    fn grid_again(&mut self, numbers: &[usize]) -> Option<Vec<usize>> {
        if !self.known.contains_key(numbers) {
            self.known.insert(numbers.to_vec(), self.grid(numbers));
        }
        self.known[numbers].clone()
    }

    /// The grid of these numbers, digits from 0.
    pub(super) fn grid(&self, numbers: &[usize]) -> Option<Vec<usize>> {
        let Shape { height, width, .. } = self.shape;
        let first: Vec<usize> = (0..self.shape.side()).collect();
        let first: Block = first.chunks(width).map(<[usize]>::to_vec).collect();
        let [d, e] = self.left(numbers);
        let mut stacks = vec![[first, d, e]];
        for is_third in [false, true].into_iter().take(height - 1) {
            let [p, r] = self.columns(numbers, is_third)?;
            stacks.push([self.above(numbers, is_third), p, r]);
        }
        let row = |row: usize| stacks.iter().flat_map(move |stack| stack[row / height][row % height].clone());
        Some((0..3 * height).flat_map(row).collect())
    }
}

/// The digits at the places of each set.
fn translated(way: &[Set], digits: &[usize]) -> Vec<Set> {
    way.iter().map(|set| set.iter().map(|&place| digits[place]).collect()).collect()
}

/// The digits that each row has in common with each column.
fn met(rows: &[Set], columns: &[Set]) -> Vec<Vec<Vec<usize>>> {
    let common = |row: &Set, column: &Set| row.intersection(column).copied().collect();
    rows.iter().map(|row| columns.iter().map(|column| common(row, column)).collect()).collect()
}

fn transposed(block: &Block, name: impl Fn(usize) -> usize) -> Block {
    (0..block[0].len()).map(|column| block.iter().map(|row| name(row[column])).collect()).collect()
}

/// All orders of a set, ascending.
fn orders(set: &Set) -> Vec<Vec<usize>> {
    if set.is_empty() {
        return vec![Vec::new()];
    }
    let with = |&first: &usize| {
        let rest = set.iter().copied().filter(|&other| other != first).collect();
        orders(&rest).into_iter().map(move |order| [vec![first], order].concat())
    };
    set.iter().flat_map(with).collect()
}
