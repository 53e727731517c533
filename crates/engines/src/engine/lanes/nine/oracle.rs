//! The obvious version of the kernels, one puzzle at a time, and tests that compare every machine with it, lane by
//! lane, on random states.

use super::kernels;
use super::on_every_isa::on_every_isa;
use super::planes::Planes;
use super::slice::Slice;
use super::sweep::BLOCKS;
use super::tally::Configurations;
use galop_simd::{Simd, Vector};
use galop_testing::chance::Chance;
use galop_testing::puzzles::cells;

/// One lane: its candidates by digit and cell, and its flags.
#[derive(Clone, Debug, PartialEq)]
struct Lane {
    cells: [[bool; 81]; 9],
    contradictory: bool,
    single: bool,
    moving: bool,
}

/// By block, digit and line: whether the digit is possible in the minirow or minicolumn.
type Minis = [[[bool; 3]; 9]; 9];

/// The cell at `row` and `column` of `block`.
fn cell(block: usize, row: usize, column: usize) -> usize {
    27 * (block / 3) + 3 * (block % 3) + 9 * row + column
}

impl Lane {
    fn of_planes(planes: &Planes) -> Lane {
        let bit = |digit, cell| planes.get(digit) >> cell & 1 == 1;
        let cells = std::array::from_fn(|digit| std::array::from_fn(|cell| bit(digit, cell)));
        Lane { cells, contradictory: false, single: false, moving: false }
    }

    fn minirows(&self) -> Minis {
        self.minis(|line, at| (line, at))
    }

    fn minicolumns(&self) -> Minis {
        self.minis(|line, at| (at, line))
    }

    fn minis(&self, place: impl Fn(usize, usize) -> (usize, usize)) -> Minis {
        let possible = |block, digit: usize, line| {
            (0..3).any(|at| {
                let (row, column) = place(line, at);
                self.cells[digit][cell(block, row, column)]
            })
        };
        std::array::from_fn(|block| {
            std::array::from_fn(|digit| std::array::from_fn(|line| possible(block, digit, line)))
        })
    }

    fn start(&mut self, is_fresh: bool) {
        if is_fresh {
            for block in 0..9 {
                let single = self.singles(block);
                for digit in 0..9 {
                    let clues = (0..9).filter(|&at| single[at] && self.at(block, digit, at)).count();
                    self.contradictory |= clues > 1;
                }
                self.eliminate(block, single);
            }
        }
    }

    fn at(&self, block: usize, digit: usize, at: usize) -> bool {
        self.cells[digit][cell(block, at / 3, at % 3)]
    }

    fn remove(&mut self, block: usize, digit: usize, at: usize) {
        self.cells[digit][cell(block, at / 3, at % 3)] = false;
    }

    /// Whether every digit occurs once in every row, column and block.
    fn is_grid(&self) -> bool {
        (0..9).all(|digit| {
            let (mut rows, mut columns, mut blocks) = (0, 0, 0);
            for cell in (0..81).filter(|&cell| self.cells[digit][cell]) {
                rows |= 1 << (cell / 9);
                columns |= 1 << (cell % 9);
                blocks |= 1 << (cell / 27 * 3 + cell % 9 / 3);
            }
            let is_placed_nine_times = self.cells[digit].iter().filter(|&&has| has).count() == 9;
            is_placed_nine_times && [rows, columns, blocks] == [0x1ff; 3]
        })
    }

    /// The cells of a block with one candidate.
    fn singles(&self, block: usize) -> [bool; 9] {
        std::array::from_fn(|at| (0..9).filter(|&digit| self.at(block, digit, at)).count() == 1)
    }

    /// Eliminates the digits of the `single` cells from the other cells of the block.
    fn eliminate(&mut self, block: usize, single: [bool; 9]) {
        for digit in 0..9 {
            if (0..9).any(|at| single[at] && self.at(block, digit, at)) {
                (0..9).filter(|&at| !single[at]).for_each(|at| self.remove(block, digit, at));
            }
        }
    }

    /// A sweep. Returns how many configurations each digit has in each chute (used only after the last
    /// sweep).
    fn sweep(&mut self, is_last: bool) -> [[usize; 9]; 6] {
        let mut counts = [[0; 9]; 6];
        let (mut is_good, mut has_moved) = (true, false);
        let mut rows = self.minirows();
        for band in 0..3 {
            self.chute(&mut rows, band, is_last, &mut counts, &mut is_good, &mut has_moved);
        }
        for block in 0..9 {
            for digit in 0..9 {
                (0..9).filter(|at| !rows[block][digit][at / 3]).for_each(|at| self.remove(block, digit, at));
            }
        }
        let mut columns = self.minicolumns();
        for stack in 3..6 {
            self.chute(&mut columns, stack, is_last, &mut counts, &mut is_good, &mut has_moved);
        }
        let mut all_single = true;
        for block in 0..9 {
            for digit in 0..9 {
                (0..9)
                    .filter(|at| !columns[block][digit][at % 3])
                    .for_each(|at| self.remove(block, digit, at));
            }
            let lines = self.minirows()[block];
            let several = |lines: [bool; 3]| lines.iter().filter(|&&line| line).count() > 1;
            let open: [bool; 9] =
                std::array::from_fn(|digit| several(lines[digit]) || several(columns[block][digit]));
            let owned: [bool; 9] =
                std::array::from_fn(|at| (0..9).any(|digit| self.at(block, digit, at) && !open[digit]));
            for at in (0..9).filter(|&at| owned[at]) {
                (0..9).filter(|&digit| open[digit]).for_each(|digit| self.remove(block, digit, at));
            }
            let single = self.singles(block);
            for at in 0..9 {
                let candidates = (0..9).filter(|&digit| self.at(block, digit, at)).count();
                self.contradictory |= candidates == 0 || owned[at] && candidates > 1;
                all_single &= candidates == 1;
            }
            self.eliminate(block, single);
        }
        self.moving = if all_single { !self.single } else { has_moved || !is_last };
        self.contradictory |= !is_good;
        self.single = all_single;
        counts
    }

    fn chute(
        &mut self,
        minis: &mut Minis,
        chute: usize,
        is_last: bool,
        counts: &mut [[usize; 9]; 6],
        is_good: &mut bool,
        has_moved: &mut bool,
    ) {
        let blocks = BLOCKS[chute];
        let possible = |minis: &Minis, x: usize, row: usize| {
            (0..9).filter(|&digit| minis[blocks[x]][digit][row]).count()
        };
        let before = *minis;
        if is_last {
            for row in 0..3 {
                for x in 0..3 {
                    self.contradictory |= possible(&before, x, row) < 3;
                    for digit in (0..9).filter(|&digit| before[blocks[x]][digit][row]) {
                        let is_full = |x| possible(&before, x, row) == 3;
                        if is_full(x) {
                            let others = (0..3).filter(|&other| other != x && !is_full(other));
                            others.for_each(|other| minis[blocks[other]][digit][row] = false);
                        }
                    }
                }
            }
        }
        for digit in 0..9 {
            let held = *minis;
            let rows = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            let is_open = |rows: &&[usize; 3]| (0..3).all(|x| held[blocks[x]][digit][rows[x]]);
            let open: Vec<_> = rows.iter().filter(is_open).collect();
            counts[chute][digit] = open.len();
            *is_good &= !open.is_empty();
            for x in 0..3 {
                for row in 0..3 {
                    let left = open.iter().any(|rows| rows[x] == row);
                    minis[blocks[x]][digit][row] = left;
                    *has_moved |= before[blocks[x]][digit][row] != left;
                }
            }
        }
        if is_last {
            for row in 0..3 {
                let of_row = *minis;
                for x in 0..3 {
                    let alone =
                        |digit: usize| (0..3).all(|other| of_row[blocks[other]][digit][row] == (other == x));
                    let forced: Vec<usize> = (0..9).filter(|&digit| alone(digit)).collect();
                    self.contradictory |= forced.len() > 3;
                    if forced.len() == 3 {
                        let others = (0..9).filter(|digit| !forced.contains(digit));
                        others.for_each(|digit| minis[blocks[x]][digit][row] = false);
                    }
                }
            }
        }
    }
}

/// States of all kinds: puzzles, puzzles with candidates eliminated at random, and noise.
fn states(count: usize) -> Vec<Planes> {
    let puzzles = include_str!("../../../../../../data/minimal_10k.txt").lines().cycle();
    let mut chance = Chance::new(1);
    puzzles
        .take(count)
        .enumerate()
        .map(|(index, line)| {
            let mut planes = Planes::of_puzzle(&cells(line)).unwrap();
            for at in 0..12 {
                let mut masked = |times| (0..times).fold(0, |mask, _| mask | chance.number());
                let word = match index % 5 {
                    0 => planes.word(at),
                    1 => masked(2),
                    2 => planes.word(at) & masked(3),
                    _ => planes.word(at) & masked(5),
                };
                planes.set_word(at, word);
            }
            planes
        })
        .collect()
}

fn lanes_of<S: Simd, V: Vector>(slice: &Slice<V>) -> Vec<Lane> {
    let count = V::BITS;
    let mut planes = vec![Planes::NONE; count];
    kernels::store::<S, V>(slice, Planes::chunks_mut(&mut planes));
    let flag = |of: V, lane: usize| of.word(lane / 64) >> (lane % 64) & 1 == 1;
    let lane = |(index, planes)| Lane {
        contradictory: flag(slice.contradictory, index),
        single: flag(slice.single, index),
        moving: flag(slice.moving, index),
        ..Lane::of_planes(planes)
    };
    planes.iter().enumerate().map(lane).collect()
}

fn assert_same(found: &[Lane], expected: &[Lane], machine: &str, step: &str) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        // The state of a contradictory lane does not matter.
        assert_eq!(found.contradictory, expected.contradictory, "{machine} {step} lane {index}");
        assert!(
            expected.contradictory || found == expected,
            "{machine} {step} lane {index}: {found:?} {expected:?}"
        );
    }
}

/// Rounds of every length from fresh and from resumed states, compared after every sweep.
fn sweeps_as_the_oracle<S: Simd, V: Vector>() {
    let (name, count) = (S::ISA.name(), V::BITS);
    for batch in states(4 * count).chunks(count) {
        for is_fresh in [true, false] {
            let mut slice = Slice::<V>::new();
            kernels::load::<S, V>(Planes::chunks(batch), &mut slice);
            let mut lanes: Vec<Lane> = batch.iter().map(Lane::of_planes).collect();
            lanes.iter_mut().for_each(|lane| lane.start(is_fresh));
            if is_fresh {
                kernels::start_fresh::<S, V>(&mut slice);
            } else {
                kernels::start::<S, V>(&mut slice);
            }
            for sweep in 0..12 {
                let is_last = sweep % 3 == 2;
                let mut counts = [Configurations::<V>::NONE; 6];
                match (is_last, sweep % 2) {
                    (false, _) => kernels::sweep::<S, V>(&mut slice),
                    (true, 0) => kernels::last_sweep::<S, V>(&mut slice),
                    _ => kernels::last_sweep_counting::<S, V>(&mut slice, &mut counts),
                }
                let expected: Vec<_> = lanes.iter_mut().map(|lane| lane.sweep(is_last)).collect();
                assert_same(&lanes_of::<S, V>(&slice), &lanes, name, &format!("sweep {sweep}"));
                let mut proved = slice.clone();
                kernels::prove::<S, V>(&mut proved);
                for (lane, found) in
                    lanes.iter().zip(lanes_of::<S, V>(&proved)).filter(|(lane, _)| !lane.contradictory)
                {
                    // The kernel does not know yet about cells that became single by the last elimination.
                    let is_proved = lane.single && lane.is_grid();
                    assert_eq!(found.moving, lane.moving && !is_proved, "{name} proof");
                }
                if is_last && sweep % 2 == 1 {
                    for (index, expected) in
                        expected.iter().enumerate().filter(|(index, _)| !lanes[*index].contradictory)
                    {
                        assert_counts::<V>(&counts, index, expected);
                    }
                }
            }
        }
    }
}

fn assert_counts<V: Vector>(counts: &[Configurations<V>; 6], lane: usize, expected: &[[usize; 9]; 6]) {
    let bit = |of: V| of.word(lane / 64) >> (lane % 64) & 1;
    for (chute, (counts, expected)) in counts.iter().zip(expected).enumerate() {
        for digit in 0..9 {
            assert_eq!(bit(counts.two[digit]) == 1, expected[digit] == 2, "lane {lane}, {chute}, {digit}");
        }
        let total = (0..6).map(|place| bit(counts.total[place]) << place).sum::<u64>();
        assert_eq!(total, expected.iter().sum::<usize>() as u64, "lane {lane}, {chute}");
        assert_eq!(bit(counts.open) == 1, expected.iter().any(|&count| count > 1), "lane {lane}, {chute}");
    }
}

#[test]
fn every_instruction_set_sweeps_as_the_oracle() {
    on_every_isa!(sweeps_as_the_oracle);
}
