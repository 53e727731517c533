//! Every vector against arithmetic lane by lane, and the 256-bit ones against plain words.

use proptest::prelude::*;

use crate::{Bytes, Isa, Job, Lane, Lanes, MissingIsa, Quad, Simd, Vector, WideBytes, Words};

/// The lanes of `words`.
fn lanes<const L: usize>(words: &[u64]) -> Vec<u64> {
    let parts = words.iter().flat_map(|word| (0..64 / L).map(move |lane| word >> (lane * L)));
    parts.map(|lane| lane & (!0 >> (64 - L))).collect()
}

fn vector<V: Vector>(words: &[u64]) -> V {
    V::from_words(&words[..V::WORDS])
}

fn words<V: Vector>(vector: V) -> Vec<u64> {
    vector.words().to_vec()
}

fn found<V: Lanes, const L: usize>(hits: V::Hits) -> Vec<usize> {
    let bits = V::bits::<L>(hits);
    assert_eq!(V::is_any(hits), bits != 0);
    (0..32).filter(|bit| bits >> bit & 1 == 1).map(V::lane_of::<L>).collect()
}

fn which(lanes: &[u64], is_hit: impl Fn(u64) -> bool) -> Vec<usize> {
    (0..lanes.len()).filter(|&lane| is_hit(lanes[lane])).collect()
}

/// Lanes that are empty or have their top bit, few others.
fn state<const L: usize>(one: &[u64; 8], other: &[u64; 8], kinds: &[u64; 8]) -> Vec<u64> {
    let (top, low) = (1_u64 << (L - 1), !0 >> (65 - L));
    let mut words = vec![0; 8];
    for lane in 0..512 / L {
        let (at, shift) = (lane * L / 64, lane * L % 64);
        let lane = match kinds[at] >> (lane % 16 * 3) & 7 {
            0 | 1 => 0,
            2 => top,
            3 => top | 1 << ((one[at] >> 40) % (L as u64 - 1)),
            4 => top | (one[at] >> shift & low),
            _ => top | (one[at] & other[at] & other[at].rotate_left(7)) >> shift & low,
        };
        words[at] |= lane << shift;
    }
    words
}

fn agrees<V: Lanes, const L: usize>(state: &[u64], any: &[u64]) {
    let top = 1 << (L - 1);
    for words in [state, any] {
        let lanes = lanes::<L>(&words[..V::WORDS]);
        let peeled: Vec<u64> = lanes.iter().map(|&lane| lane & lane.wrapping_sub(1)).collect();
        let vector = vector::<V>(words);
        assert_eq!(self::lanes::<L>(vector.peel::<L>().words()), peeled);
        assert_eq!(found::<V, L>(vector.tops::<L>()), which(&lanes, |lane| lane == top));
        assert_eq!(found::<V, L>(vector.peel::<L>().tops::<L>()), which(&peeled, |lane| lane == top));
    }
    let all = lanes::<L>(&words(V::splat::<L>(any[0])));
    assert!(all.iter().all(|&lane| lane == any[0] & (!0 >> (64 - L))));
}

fn agrees_on_words<V: Lanes>(one: &[u64], other: &[u64]) {
    let (a, b) = (vector::<V>(one), vector::<V>(other));
    let pairs: Vec<(u64, u64)> = one.iter().copied().zip(other.iter().copied()).take(V::WORDS).collect();
    let each = |f: fn((u64, u64)) -> u64| pairs.iter().copied().map(f).collect::<Vec<u64>>();
    assert_eq!(words(a & b), each(|(one, other)| one & other));
    assert_eq!(words(a | b), each(|(one, other)| one | other));
    assert_eq!(words(a ^ b), each(|(one, other)| one ^ other));
    assert_eq!(words(!a), each(|(one, _)| !one));
    let (mut and, mut or, mut xor, mut set) = (a, a, a, a);
    and &= b;
    or |= b;
    xor ^= b;
    assert_eq!([words(and), words(or), words(xor)], [words(a & b), words(a | b), words(a ^ b)]);
    for index in 0..V::WORDS {
        assert_eq!(a.word(index), one[index]);
        set.set_word(index, other[index]);
    }
    assert_eq!(words(set), words(b));
    assert_eq!((V::ZERO.words(), V::ONES.words()), (&vec![0; V::WORDS][..], &vec![!0; V::WORDS][..]));

    assert_eq!(a.is_zero(), pairs.iter().all(|pair| pair.0 == 0));
    assert!(V::ZERO.is_zero() && !V::is_any(V::no_hits()));
    let equal: Vec<usize> = (0..pairs.len()).filter(|&at| pairs[at].0 == pairs[at].1).collect();
    assert_eq!(found::<V, 64>(a.equal(b)), equal);
    assert_eq!(found::<V, 64>(V::either(a.equal(b), a.equal(a))).len(), V::WORDS);

    let counts = V::sum(a.count_parts().add_parts(b.count_parts())).add(V::splat::<64>(500));
    assert_eq!(words(counts), each(|(one, other)| u64::from(one.count_ones() + other.count_ones()) + 500));
    assert_eq!(words(a.subtract(b)), each(|(one, other)| one.wrapping_sub(other)));
    assert_eq!(words(a.shift_left(0)), words(a));
    assert_eq!(words(a.shift_left(16)), each(|(one, _)| one << 16));
    assert_eq!(words(a.shift_left(63)), each(|(one, _)| one << 63));
    let low_halves = |words: Vec<u64>| words.iter().map(|&word| word as u32).collect::<Vec<u32>>();
    let least = each(|(one, other)| u64::from((one as u32).min(other as u32)));
    assert_eq!(low_halves(words(a.min_low_halves(b))), low_halves(least));
}

fn agrees_in_all<V: Lanes>(words: &[[u64; 8]; 3]) {
    let [one, other, kinds] = words;
    agrees::<V, 16>(&state::<16>(one, other, kinds), one);
    agrees::<V, 32>(&state::<32>(one, other, kinds), one);
    agrees::<V, 64>(&state::<64>(one, other, kinds), one);
    let mut alike = *other;
    alike[2] = one[2];
    agrees_on_words::<V>(one, &alike);
    agrees_on_words::<V>(&[0; 8], other);
    agrees_on_words::<V>(&[!0; 8], &[!0; 8]);
}

/// Both do the same with the same lanes.
fn agree<A: Quad, B: Quad>(one: &[u64; 8], other: &[u64; 8], kinds: &[u64; 8]) {
    let (a, b, c, d) = (vector::<A>(one), vector::<A>(other), vector::<B>(one), vector::<B>(other));
    assert_eq!(words(a.equal_lanes::<16>(b)), words(c.equal_lanes::<16>(d)));
    assert_eq!(words(a.equal_lanes::<32>(b)), words(c.equal_lanes::<32>(d)));
    assert_eq!(words(a.equal_lanes::<64>(b)), words(c.equal_lanes::<64>(d)));
    assert_eq!(a.signs::<16>(), c.signs::<16>());
    assert_eq!(a.signs::<32>(), c.signs::<32>());
    assert_eq!(a.signs::<64>(), c.signs::<64>());
    assert_eq!(words(a.unpack_low(b)), words(c.unpack_low(d)));
    assert_eq!(words(a.unpack_high(b)), words(c.unpack_high(d)));
    assert_eq!(words(a.permute64::<0b_11_00_10_01>()), words(c.permute64::<0b_11_00_10_01>()));
    assert_eq!(words(a.permute64::<0b_00_01_11_11>()), words(c.permute64::<0b_00_01_11_11>()));
    let bytes: [u8; 32] = std::array::from_fn(|at| (kinds[at / 8] >> (at % 8 * 8)) as u8 & 0x8f);
    assert_eq!(words(a.shuffle_bytes(&bytes)), words(c.shuffle_bytes(&bytes)));
    let places: [u32; 8] = std::array::from_fn(|at| kinds[at] as u32 % 8);
    assert_eq!(words(a.permute32(&places)), words(c.permute32(&places)));
    moves::<A, u8>(one);
    moves::<A, u16>(one);
    moves::<A, u32>(one);
    moves::<A, u64>(one);
}

/// Lanes come from memory and go there, lowest first.
fn moves<V: Quad, W: Lane + From<u8> + PartialEq + std::fmt::Debug>(words: &[u64; 8])
where
    u64: From<W>,
{
    let bits = 8 * size_of::<W>();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let numbers: Vec<W> = bytes.iter().map(|&byte| W::from(byte)).collect();
    let vector = V::load(&numbers);
    for (lane, &number) in numbers[..256 / bits].iter().enumerate() {
        let lane = vector.word(lane * bits / 64) >> (lane * bits % 64);
        assert_eq!(lane & (!0 >> (64 - bits)), u64::from(number));
    }
    let mut stored = vec![W::from(7); 64];
    vector.store(&mut stored);
    assert_eq!(stored[..256 / bits], numbers[..256 / bits]);
    assert!(stored[256 / bits..].iter().all(|&number| number == W::from(7)));
}

/// Every operation against the same byte by byte.
fn agrees_on_bytes<B: Bytes>(words: [u64; 2], others: [u64; 2]) {
    let array =
        |words: [u64; 2]| -> [u8; 16] { std::array::from_fn(|at| (words[at / 8] >> (at % 8 * 8)) as u8) };
    let bytes = |vector: B| {
        let mut bytes = [0; 16];
        vector.store(&mut bytes);
        bytes
    };
    let (one, other) = (array(words), array(others));
    let (a, b) = (B::load(&one), B::load(&other));
    let each = |f: fn(u8, u8) -> u8| -> [u8; 16] { std::array::from_fn(|at| f(one[at], other[at])) };
    assert_eq!((bytes(a), a.words(), bytes(B::ZERO)), (one, words, [0; 16]));
    assert_eq!(bytes(B::from_words(words)), one);
    assert_eq!(bytes(B::splat(one[3])), [one[3]; 16]);
    assert_eq!(bytes(a & b), each(|one, other| one & other));
    assert_eq!(bytes(a | b), each(|one, other| one | other));
    assert_eq!(bytes(a ^ b), each(|one, other| one ^ other));
    assert_eq!(bytes(a.min(b)), each(|one, other| one.min(other)));
    assert_eq!(bytes(a.max(b)), each(|one, other| one.max(other)));
    assert_eq!(bytes(a.equal(b)), each(|one, other| if one == other { 255 } else { 0 }));
    let greater = each(|one, other| if one.cast_signed() > other.cast_signed() { 255 } else { 0 });
    assert_eq!(bytes(a.greater(b)), greater);
    let looked_up = |at: u8| if at < 128 { one[usize::from(at) % 16] } else { 0 };
    assert_eq!(bytes(a.look_up(b)), other.map(looked_up));
    assert_eq!(a.tops(), (0..16).fold(0, |tops, at| tops | u32::from(one[at] >> 7) << at));
}

/// Every operation against the same byte by byte.
fn agrees_on_wide_bytes<B: WideBytes>(words: &[u64; 8], others: &[u64; 8]) {
    let array =
        |words: &[u64; 8]| -> [u8; 64] { std::array::from_fn(|at| (words[at / 8] >> (at % 8 * 8)) as u8) };
    let (one, other) = (array(words), array(others));
    let (a, b) = (B::load(&one), B::load(&other));
    // `equal` is compared with single bytes first, because it shows what the others give.
    let equal = (0..64).fold(0, |equal, at| equal | u64::from(one[at] == other[at]) << at);
    assert_eq!((a.equal(b), a.equal(a)), (equal, !0));
    let each = |f: fn(u8, u8) -> u8| B::load(&std::array::from_fn(|at| f(one[at], other[at])));
    assert_eq!((a & b).equal(each(|one, other| one & other)), !0);
    assert_eq!((a | b).equal(each(|one, other| one | other)), !0);
    assert_eq!((a ^ b).equal(each(|one, other| one ^ other)), !0);
    assert_eq!(B::splat(one[3]).equal(B::load(&[one[3]; 64])), !0);
    let table: [u8; 16] = std::array::from_fn(|at| other[at]);
    let looked_up = one.map(|at| if at < 128 { table[usize::from(at) % 16] } else { 0 });
    assert_eq!(a.look_up(&table).equal(B::load(&looked_up)), !0);
    let from = one.map(|at| at % 128);
    let picked = from.map(|at| if at < 64 { one[usize::from(at)] } else { other[usize::from(at) - 64] });
    assert_eq!(a.pick(b, &from).equal(B::load(&picked)), !0);
}

struct Agrees<'a>(&'a [[u64; 8]; 3]);

impl Job for Agrees<'_> {
    type Output = ();

    fn run<S: Simd>(self) {
        let [one, other, kinds] = self.0;
        agrees_in_all::<S::Quad>(self.0);
        agrees_in_all::<S::Widest>(self.0);
        let (top, half) = (one.map(|word| word | 1 << 63), other.map(|word| word & 0xffff_0000_ffff_0000));
        agree::<S::Quad, Words<4>>(one, other, kinds);
        agree::<S::Quad, Words<4>>(&top, one, kinds);
        agrees_on_bytes::<S::Bytes>([one[0], one[1]], [other[0], other[1]]);
        agrees_on_bytes::<S::Bytes>([one[0], one[1]], [one[0], other[1] & 0x8f8f_8f8f_8f8f_8f8f]);
        agrees_on_wide_bytes::<S::WideBytes>(one, other);
        agrees_on_wide_bytes::<S::WideBytes>(one, &half);
        agrees_on_wide_bytes::<S::WideBytes>(&half, &half.map(|word| word ^ 0xff));
        agree::<S::Quad, Words<4>>(&half, &one.map(|word| word & 0xffff_0000_ffff), kinds);
    }
}

proptest! {
    #[test]
    fn vectors_do_what_is_done_lane_by_lane(words in any::<[[u64; 8]; 3]>()) {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
            prop_assert_eq!(isa.run(Agrees(&words)), Ok(()));
        }
    }
}

/// The name of the instruction set that a job runs with.
struct Name;

impl Job for Name {
    type Output = Isa;

    fn run<S: Simd>(self) -> Isa {
        S::ISA
    }
}

#[test]
fn a_job_runs_with_the_instruction_set_that_was_chosen_or_not_at_all() {
    for isa in Isa::ALL {
        let wanted = if isa.is_available() { Ok(isa) } else { Err(MissingIsa { isa }) };
        assert_eq!(isa.run(Name), wanted);
        assert_eq!(isa.check().is_ok(), isa.is_available());
    }
    let missing = MissingIsa { isa: Isa::Avx512 }.to_string();
    assert!(missing.starts_with("this machine lacks the instruction set avx512 (it has "), "{missing}");
    assert!(missing.ends_with("portable)"), "{missing}");
}

#[test]
fn the_best_is_the_first_that_is_available() {
    assert!(Isa::best().is_available());
    assert!(Isa::Portable.is_available());
    let names = Isa::ALL.map(Isa::name);
    assert_eq!(names, ["avx512", "avx2", "portable"]);
}
