//! Rules against known counts.

use tak_engine::board::*;

#[test]
fn start_counts() {
    fn counts<const N: usize>(expected: &[u64]) {
        for (depth, &count) in expected.iter().enumerate() {
            assert_eq!(
                Position::<N>::start(Komi::ZERO).perft(depth as u32 + 1),
                count
            );
        }
    }
    counts::<3>(&[9, 72, 1200, 17792, 271_812]);
    counts::<4>(&[16, 240, 7440, 216_464, 6_468_872]);
    counts::<5>(&[25, 600, 43320, 2_999_784]);
    counts::<6>(&[36, 1260, 132_720, 13_586_048]);
    counts::<7>(&[49, 2352, 339_696, 48_051_008]);
    counts::<8>(&[64, 4032, 764_064, 142_512_336]);
}
