//! Hashes that are part of files: the same for every version and machine, unlike the standard library's.

use serde::Serialize;

/// The 64-bit FNV-1a hash.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    fnv1a_more(0xcbf2_9ce4_8422_2325, bytes)
}

/// Continues a hash with more bytes.
pub fn fnv1a_more(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A short text that is equal for equal settings and, with a probability of 1 - 2^-64, different for others. Records
/// carry it, so that none gets into a journal of other work.
///
/// # Panics
/// Never: settings are plain data that always has a JSON form.
pub fn fingerprint(settings: &impl Serialize) -> String {
    let text = serde_json::to_string(settings).expect("settings are plain data");
    format!("{:016x}", fnv1a(text.as_bytes()))
}

/// The CRC-32 of IEEE 802.3, which identifies weights and protects the games of `tak-lab`.
pub fn crc32(bytes: &[u8]) -> u32 {
    const REMAINDERS: [u32; 256] = {
        let mut table = [0; 256];
        let mut byte = 0;
        while byte < 256 {
            let mut rest = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                rest = (rest >> 1) ^ if rest & 1 == 1 { 0xedb8_8320 } else { 0 };
                bit += 1;
            }
            table[byte] = rest;
            byte += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum, &byte| (sum >> 8) ^ REMAINDERS[usize::from(sum as u8 ^ byte)])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check values of the published algorithms.
    #[test]
    fn hashes_are_the_published_ones() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
