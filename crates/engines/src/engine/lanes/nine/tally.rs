//! Counts the configurations of a chute, for the choices.

use super::adders::add3;
use galop_simd::Vector;

/// The configurations of a chute's digits, counted in every lane.
#[derive(Clone, Copy)]
pub(super) struct Configurations<V> {
    /// By digit: lanes in which exactly two configurations are open.
    pub(super) two: [V; 9],
    /// The number of open configurations of all digits (9 to 54): six bits, lowest first.
    pub(super) total: [V; 6],
    /// Lanes in which a digit has two configurations or more.
    pub(super) open: V,
}

impl<V: Vector> Configurations<V> {
    pub(super) const NONE: Self = Configurations { two: [V::ZERO; 9], total: [V::ZERO; 6], open: V::ZERO };

    /// Counts the configurations of digit `d`.
    #[inline(always)]
    pub(super) fn add(&mut self, d: usize, open: [V; 6]) {
        let (mut once, mut twice, mut more) = (open[0], V::ZERO, V::ZERO);
        for k in 1..6 {
            more |= twice & open[k];
            twice |= once & open[k];
            once |= open[k];
        }
        self.two[d] = twice & !more;
        self.open |= twice;
        add(&mut self.total, open);
    }
}

/// Adds each of six bits to a number of six bits.
#[inline(always)]
pub(super) fn add<V: Vector>(total: &mut [V; 6], bits: [V; 6]) {
    let (one_a, two_a) = add3(bits[0], bits[1], bits[2]);
    let (one_b, two_b) = add3(bits[3], bits[4], bits[5]);
    let (ones, two_c) = add3(total[0], one_a, one_b);
    let (two_d, four_a) = add3(two_a, two_b, two_c);
    let four_b = total[1] & two_d;
    let twos = total[1] ^ two_d;
    let (fours, mut carry) = add3(total[2], four_a, four_b);
    let mut sum = [ones, twos, fours, total[3], total[4], total[5]];
    for bit in 3..6 {
        (sum[bit], carry) = (sum[bit] ^ carry, sum[bit] & carry);
    }
    *total = sum;
}
