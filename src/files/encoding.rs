//! Text in other encodings than UTF-8: UTF-16, which some editors write, and Windows-1252, in which old files are written.

use std::io::{self, BufRead, Read};

/// The byte order of a text in UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl Order {
    /// That of a text with these first bytes: a byte order mark, or a bracket with its other byte; `None` if it is not UTF-16.
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, ..] | [b'[', 0, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] | [0, b'[', ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn unit(self, bytes: [u8; 2]) -> u16 {
        match self {
            Self::Little => u16::from_le_bytes(bytes),
            Self::Big => u16::from_be_bytes(bytes),
        }
    }
}

/// All of a text.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    if let Some(order) = Order::of(&bytes) {
        let units = bytes.chunks_exact(2).map(|pair| order.unit([pair[0], pair[1]]));
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        return text.trim_start_matches('\u{feff}').to_owned();
    }
    // Files may be joined from several, so each line is read for itself.
    String::from_utf8(bytes).unwrap_or_else(|error| {
        error.as_bytes().split_inclusive(|&byte| byte == b'\n').map(|line| decode_line(line.to_vec()).0).collect()
    })
}

/// A line, and whether it is not UTF-8.
pub(super) fn decode_line(bytes: Vec<u8>) -> (String, bool) {
    match String::from_utf8(bytes) {
        Ok(text) => (text, false),
        Err(error) => (error.as_bytes().iter().map(|&byte| windows_1252(byte)).collect(), true),
    }
}

/// A character of Windows-1252. Those that it leaves open are control characters, as in Latin-1.
fn windows_1252(byte: u8) -> char {
    const FROM_0X80: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘',
        '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => FROM_0X80[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Bytes of which UTF-16 comes out as UTF-8, and anything else as it is.
pub(crate) struct Recoded<R> {
    input: R,
    /// Set once the start of the input was checked, with the order if that is UTF-16.
    is_begun: bool,
    order: Option<Order>,
    /// UTF-8 that was not taken yet, and how much of it has been.
    text: Vec<u8>,
    taken: usize,
    /// The first half of a pair of surrogates.
    high: Option<u16>,
}

impl<R: BufRead> Recoded<R> {
    pub fn new(input: R) -> Self {
        Self { input, is_begun: false, order: None, text: Vec::new(), taken: 0, high: None }
    }

    /// Returns whether it is UTF-16, as far as it was read.
    pub fn is_utf16(&self) -> bool {
        self.order.is_some()
    }

    /// Reads code units until there is text, or the end.
    fn fill(&mut self, order: Order) -> io::Result<()> {
        self.text.clear();
        self.taken = 0;
        while self.text.is_empty() {
            let mut bytes = Vec::with_capacity(1 << 13);
            self.input.by_ref().take(1 << 13).read_to_end(&mut bytes)?;
            if bytes.is_empty() {
                break;
            }
            let units = bytes.chunks_exact(2).map(|pair| order.unit([pair[0], pair[1]]));
            let mut units: Vec<u16> = self.high.take().into_iter().chain(units).collect();
            if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
                self.high = units.pop();
            }
            let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
            self.text = text.into_bytes();
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Recoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Recoded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_begun {
            self.order = Order::of(self.input.fill_buf()?);
            self.is_begun = true;
        }
        let Some(order) = self.order else { return self.input.fill_buf() };
        if self.taken == self.text.len() {
            self.fill(order)?;
        }
        Ok(&self.text[self.taken..])
    }

    fn consume(&mut self, count: usize) {
        if self.is_utf16() {
            self.taken += count;
        } else {
            self.input.consume(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_the_same_text() {
        let text = "[Player1 \"Jörg “€” 🦀\"]\n1. a1\n".repeat(2000);
        let utf16 = |mark: bool, to_bytes: fn(u16) -> [u8; 2]| {
            let marked = if mark { format!("\u{feff}{text}") } else { text.clone() };
            marked.encode_utf16().flat_map(to_bytes).collect::<Vec<u8>>()
        };
        for bytes in [
            utf16(true, u16::to_le_bytes),
            utf16(true, u16::to_be_bytes),
            utf16(false, u16::to_le_bytes),
            utf16(false, u16::to_be_bytes),
            text.clone().into_bytes(),
        ] {
            let mut read = String::new();
            Recoded::new(bytes.as_slice()).read_to_string(&mut read).unwrap();
            assert!(read.trim_start_matches('\u{feff}') == text);
            assert!(decode(bytes) == text);
        }
    }

    #[test]
    fn lines_of_windows_1252_are_read_beside_utf8() {
        let bytes = b"J\xf6rg \x93x\x94 \x80\nJ\xc3\xb6rg\n".to_vec();
        assert_eq!(decode(bytes), "Jörg “x” €\nJörg\n");
        assert_eq!(decode_line(b"a1".to_vec()), ("a1".to_owned(), false));
        assert_eq!(decode_line(b"a1\x92".to_vec()), ("a1’".to_owned(), true));
    }
}
