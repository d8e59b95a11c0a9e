//! Hash keys, built by `const` code: one table for all sizes.
//!
//! A classical Zobrist table would need a key for each square, height and colour (more than 100 KiB, since stacks are so
//! tall). Instead the whole content of a square is mixed by one widening multiplication with two keys of that square
//! (the "fold" of wyhash, github.com/wangyi-fudan/wyhash), and squares are combined by XOR, so a move only touches the
//! squares it changes.

use super::{OpeningRule, PieceKind, Square};

/// `XOR`ed into the hash when Black is to move.
pub(super) const BLACK_TO_MOVE: u64 = 0x6A09_E667_F3BC_C908;

/// `XOR`ed into the hash in each player's first turn, when the same board has other moves than later.
#[inline]
pub(super) const fn opening_key(ply: u32) -> u64 {
    match ply {
        0 => 0xBB67_AE85_84CA_A73B,
        1 => 0x3C6E_F372_FE94_F82B,
        _ => 0,
    }
}

/// 2^64 divided by the golden ratio, odd: its multiples are spread over all numbers.
const GOLDEN_RATIO: u64 = 0x9E37_79B9_7F4A_7C15;

const SQUARE_KEYS: [[u64; 2]; 64] = {
    let mut keys = [[0; 2]; 64];
    let mut state = 0x7A6B_5C4D_3E2F_1001_u64;
    let mut i = 0;
    while i < 128 {
        state = state.wrapping_add(GOLDEN_RATIO);
        keys[i / 2][i % 2] = split_mix(state);
        i += 1;
    }
    keys
};

/// The finaliser of `SplitMix64` (Steele, Lea and Flood 2014).
const fn split_mix(mut z: u64) -> u64 {
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// XOR of both halves of the product: the "fold" of wyhash.
#[inline]
pub(crate) const fn fold(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product >> 64) as u64 ^ product as u64
}

/// A key of a number, to be XORed into another key: Fibonacci hashing (Knuth, "Sorting and Searching", 1998, 6.4). Only
/// the upper bits are well mixed; 0 for 0.
#[inline]
pub(crate) const fn spread(number: u64) -> u64 {
    number.wrapping_mul(GOLDEN_RATIO)
}

/// Mixes a value into a key; unlike XOR, the order of several values matters.
#[inline]
pub(crate) const fn mix(key: u64, value: u64) -> u64 {
    fold(key ^ GOLDEN_RATIO, value)
}

/// The key of a stack on a square: `colors` has bit 0 for the top piece, `height` is at least 1.
#[inline]
pub(super) const fn stack_key(square: Square, colors: u128, height: u8, top: PieceKind) -> u64 {
    let [first, second] = SQUARE_KEYS[square.index()];
    let a = colors as u64 ^ first;
    let b = ((colors >> 64) as u64).rotate_left(16) ^ ((height as u64) << 2 | top as u64) ^ second;
    fold(a, b)
}

/// A key of the settings of a game, so that the table does not mix scores of different ones.
pub(super) const fn settings_key(width: usize, half_komi: i32, reserves: [u8; 4], opening: OpeningRule) -> u64 {
    let word = u32::from_le_bytes(reserves) as u64;
    let komi = half_komi.to_le_bytes()[0] as u64;
    // The width needs only four bits of its byte.
    let word = word << 16 | komi << 8 | (opening as u64) << 4 | width as u64;
    split_mix(split_mix(word).wrapping_add(1))
}
