//! The linear program of a node: its dual solution is the prices with the highest bound.
//!
//! A cover takes an option or leaves it; the linear program may take fractions of options. It is solved by the dual
//! simplex method with an explicit inverse of the basis (Chvátal, "Linear Programming", chapters 7 and 10), in floating
//! point. Only its prices are used, rounded to whole numbers, and [`Prices`](super::prices::Prices) computes their
//! bound exactly. So a rounding error can weaken a bound, but cannot make it wrong.
//! ```text
//! columns   live options, each at its cost less its present prices   |  +1 and -1 of each row, at the distance of a wall
//! rows      open items: covered once, at least or at most so often   |
//! ```
//! 1. Each price has a lower limit, its wall: with all prices at their walls, no reduced cost is negative. The prices
//!    start there, and every step raises the bound. So the program can stop at any step with a valid bound, and it does
//!    stop once the bound exceeds the limit.
//! 2. An item with bounds has two rows: "at least" with a price that is not negative, and "at most" with one that is not
//!    positive. (With one row for the side on which its price lay, rosters for 8 had a bound of 79.8 instead of 97.5.)
//! 3. The row whose price rises is chosen by the length of its row in the inverse (dual Devex; Forrest and Goldfarb
//!    1992): 200 items take 658 steps instead of 1,528.
//! 4. A column of the inverse with a 0 in the leaving row does not change. With short options that is most columns.
//!
//! Tried and lost
//! - The library microlp 0.7, for 200 items and 2,344 options: 70 ms instead of 25, and no prices (the dual program
//!   given as a primal one gives them, in 170 ms). It looks at its time limit every 1,000 steps: .5 s for 300 items.
//! - The primal method, from a narrow box around the present prices that widens: 4,200 steps, because most steps gain
//!   nothing.

use super::remainder::Remainder;
use crate::OptionId;
use crate::engine::{Meter, Stop};

/// Rows of the largest program: its inverse has 4 million numbers (34 MB). Larger problems have no program.
const MAX_ROWS: usize = 2048;
/// Primary items of the smallest program. With fewer, subgradient steps find prices that are as good: 12 queens with
/// costs (24 items) took 1.2 times as long with the program, and crew 60 takes 0.86 times. Tests solve small programs
/// too.
const MIN_PRIMARY: usize = if cfg!(test) { 1 } else { 48 };
/// A value above minus this counts as not negative.
const TOLERANCE: f64 = 1e-9;
/// Reduced costs that differ by less count as equal, as a share of the largest price or reduced cost.
const TIE: f64 = 1e-12;
/// The least absolute value of a pivot.
const PIVOT: f64 = 1e-7;
/// An entry of the inverse below this is a rounding error.
const NOTHING: f64 = 1e-12;
/// How far a price may fall, as a multiple of the largest price or reduced cost.
const WALL: f64 = 4.0;

/// A row of the program: an item is covered at least `number` times, at most, or both.
struct Row {
    number: i64,
    is_least: bool,
    is_most: bool,
}

/// The rows of an open item: two if it has bounds.
fn rows(state: &Remainder, item: u32) -> impl Iterator<Item = Row> {
    let (need, room) = (state.need(item), state.room(item));
    let least = Row { number: need, is_least: true, is_most: need == room };
    let most = Row { number: room, is_least: false, is_most: true };
    let has_most = need < room && room < state.count(item);
    [(need > 0 || need == room).then_some(least), has_most.then_some(most)].into_iter().flatten()
}

/// A linear program.
#[derive(Debug, Default)]
pub(super) struct Program {
    /// The item of each row.
    items: Vec<u32>,
    /// The number of options.
    options: usize,
    /// The rows of option `c` are `rows[starts[c]..starts[c + 1]]`.
    starts: Vec<u32>,
    rows: Vec<u32>,
    /// What all prices and costs are divided by.
    unit: f64,
    /// The reduced costs of the options at the start.
    costs: Vec<f64>,
    /// How far each price may rise, and how far it may fall.
    walls: Vec<[f64; 2]>,
    /// The columns of the basis, one for each row; options first, then +1 and -1 of each row.
    basis: Vec<usize>,
    /// The inverse of the basis, column after column.
    inverse: Vec<f64>,
    /// The value of each column of the basis: how much of it is chosen.
    values: Vec<f64>,
    /// Estimates of the length of each row of the inverse (Devex).
    weights: Vec<f64>,
    /// The prices, less those at the start.
    prices: Vec<f64>,
    /// By how much the bound has risen.
    gain: f64,
    /// The entering column, in terms of the basis.
    entering: Vec<f64>,
}

impl Program {
    /// Half the time that the program of this node takes, roughly, as a number of options that prices read. `None` if
    /// the program is too large, or so small that it gains nothing.
    pub(super) fn work(state: &Remainder) -> Option<u64> {
        let (items, options) =
            (state.open().iter().flat_map(|&item| rows(state, item)).count(), state.live().len());
        let primary = state.open().iter().filter(|&&item| state.is_primary(item)).count();
        (items <= MAX_ROWS && primary >= MIN_PRIMARY)
            .then_some(3 * items as u64 * (options + items * items / 32) as u64 / 2)
    }

    /// Solves the program of a node until the bound rises by more than `most`. It starts from `prices` (one for each
    /// item) and the reduced costs of all options that they give.
    pub(super) fn solve(
        state: &Remainder,
        reduced: &[i64],
        prices: &[i64],
        most: f64,
        meter: &mut Meter<'_>,
    ) -> Result<Program, Stop> {
        let mut program = Program::new(state, reduced, prices);
        let most_steps = 200 + 20 * program.items.len();
        for _ in 0..most_steps {
            if program.gain * program.unit > most || !program.raise() {
                break;
            }
            meter.ticks += 1;
            if let Some(stop) = meter.stop() {
                return Err(stop);
            }
        }
        Ok(program)
    }

    /// The items, and by how much their prices change. (The rows of an item are neighbours.)
    pub(super) fn changes(&self) -> impl Iterator<Item = (u32, f64)> {
        let mut row = 0;
        self.items.chunk_by(|one, other| one == other).map(move |rows| {
            let prices = &self.prices[row..row + rows.len()];
            row += rows.len();
            (rows[0], self.unit * prices.iter().sum::<f64>())
        })
    }

    /// The options of which the program takes something, and how much of each. (If it stopped early, shares can be
    /// above 1.)
    pub(super) fn shares(&self, state: &Remainder) -> impl Iterator<Item = (f64, OptionId)> {
        let options = self.basis.iter().zip(&self.values).filter(|&(&column, _)| column < self.options);
        options
            .filter(|&(_, &share)| share > TOLERANCE)
            .map(|(&column, &share)| (share, OptionId(state.live()[column])))
    }

    /// Reads the rows and columns, and starts at the walls.
    fn new(state: &Remainder, reduced: &[i64], prices: &[i64]) -> Program {
        let mut items = state.open().to_vec();
        items.sort_unstable();
        let costs = state.live().iter().map(|&option| reduced[option as usize]);
        let all = costs.chain(items.iter().map(|&item| prices[item as usize]));
        let unit = all.map(i64::unsigned_abs).max().unwrap_or(0).max(1) as f64;
        let mut program = Program { unit, options: state.live().len(), ..Program::default() };
        let mut rows_of = vec![0..0; state.problem().item_count()];
        for item in items {
            let start = program.items.len() as u32;
            let price = prices[item as usize] as f64 / unit;
            for Row { number, is_least, is_most } in rows(state, item) {
                program.items.push(item);
                program.values.push(-number as f64);
                let rise = if is_least { f64::INFINITY } else { -price.min(0.0) };
                let fall = if is_most { WALL } else { price.max(0.0) };
                program.walls.push([rise, fall]);
            }
            rows_of[item as usize] = start..program.items.len() as u32;
        }
        let count = program.items.len();
        program.starts.push(0);
        for &option in state.live() {
            let start = program.rows.len();
            program
                .rows
                .extend(state.terms(option).iter().flat_map(|term| rows_of[term.item.index()].clone()));
            program.starts.push(program.rows.len() as u32);
            let cost = reduced[option as usize] as f64 / unit;
            program.costs.push(cost);
            program.gain -= cost.min(0.0);
            let share = -cost / (program.rows.len() - start) as f64;
            for &row in &program.rows[start..] {
                let fall = &mut program.walls[row as usize][1];
                *fall = fall.max(share);
            }
        }
        program.gain +=
            program.values.iter().zip(&program.walls).map(|(value, wall)| value * wall[1]).sum::<f64>();
        program.basis.extend((0..count).map(|row| program.options + 2 * row + 1));
        program.prices.extend(program.walls.iter().map(|wall| -wall[1]));
        program.weights = vec![1.0; count];
        program.inverse = vec![0.0; count * count];
        program.inverse.iter_mut().step_by(count + 1).for_each(|number| *number = -1.0);
        program.entering = vec![0.0; count];
        program
    }

    /// A step of the dual method: a column with a negative value leaves the basis. `false` if there is none, or if no
    /// column can enter: the program has no solution then.
    fn raise(&mut self) -> bool {
        let mut leaving = (0, 0.0);
        for (place, (&value, &weight)) in self.values.iter().zip(&self.weights).enumerate() {
            let gain = value * value / weight;
            if value < -TOLERANCE && gain > leaving.1 {
                leaving = (place, gain);
            }
        }
        let (place, gain) = leaving;
        if gain == 0.0 {
            return false;
        }
        let count = self.items.len();
        let row: Vec<f64> = self.inverse.iter().skip(place).step_by(count).copied().collect();
        let mut best = (0, 0.0, 0.0, f64::INFINITY);
        let mut offer = |column: usize, part: f64, reduced: f64| {
            if part < -PIVOT {
                let ratio = reduced.max(0.0) / -part;
                if ratio < best.3 - TIE || (ratio < best.3 + TIE && part < best.1) {
                    best = (column, part, reduced, ratio);
                }
            }
        };
        for (column, (cost, range)) in self.costs.iter().zip(self.starts.windows(2)).enumerate() {
            let rows = &self.rows[range[0] as usize..range[1] as usize];
            let part = rows.iter().map(|&at| row[at as usize]).sum();
            if part < -PIVOT {
                let price: f64 = rows.iter().map(|&at| self.prices[at as usize]).sum();
                offer(column, part, cost - price);
            }
        }
        for (at, &price) in self.prices.iter().enumerate() {
            let wall = self.options + 2 * at;
            offer(wall, row[at], self.walls[at][0] - price);
            offer(wall + 1, -row[at], self.walls[at][1] + price);
        }
        let (column, _, reduced, ratio) = best;
        ratio < f64::INFINITY && {
            self.gain -= ratio * self.values[place];
            self.transform(column);
            let share = self.weights[place] / self.entering[place].powi(2);
            for (weight, part) in self.weights.iter_mut().zip(&self.entering) {
                *weight = weight.max(part * part * share);
            }
            self.weights[place] = share.max(1.0);
            self.pivot(column, place, reduced);
            true
        }
    }

    /// Expresses a column in the basis.
    fn transform(&mut self, column: usize) {
        let count = self.items.len();
        self.entering.fill(0.0);
        let mut add = |row: usize, factor: f64| {
            let part = &self.inverse[row * count..][..count];
            self.entering.iter_mut().zip(part).for_each(|(sum, part)| *sum += factor * part);
        };
        match column.checked_sub(self.options) {
            None => {
                let range = self.starts[column] as usize..self.starts[column + 1] as usize;
                self.rows[range].iter().for_each(|&row| add(row as usize, 1.0));
            }
            Some(wall) => add(wall / 2, if wall % 2 == 0 { 1.0 } else { -1.0 }),
        }
    }

    /// Replaces the column at a place of the basis by the one in `entering`.
    fn pivot(&mut self, column: usize, place: usize, reduced: f64) {
        let pivot = self.entering[place];
        let value = self.values[place] / pivot;
        self.values.iter_mut().zip(&self.entering).for_each(|(other, part)| *other -= value * part);
        self.values[place] = value;
        self.basis[place] = column;
        self.entering[place] = 0.0;
        for (price, part) in self.prices.iter_mut().zip(self.inverse.chunks_exact_mut(self.entering.len())) {
            if part[place].abs() < NOTHING {
                continue;
            }
            let factor = part[place] / pivot;
            *price += reduced * factor;
            part.iter_mut().zip(&self.entering).for_each(|(part, entering)| *part -= factor * entering);
            part[place] = factor;
        }
    }
}
