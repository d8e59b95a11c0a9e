//! Text in other encodings than UTF-8: UTF-16, which some editors write, and Windows-1252, in which old files are
//! written.

use std::io::{self, BufRead, Cursor, Read};

/// Longer texts in UTF-16 are refused, in bytes.
const MAX_UTF16_BYTES: u64 = 1 << 30;

/// The byte order of a text in UTF-16.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Little,
    Big,
}

impl Order {
    /// That of a text with these first bytes: a byte order mark, or a bracket with its other byte; `None` if it is not
    /// UTF-16.
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, ..] | [b'[', 0, ..] => Some(Self::Little),
            [0xfe, 0xff, ..] | [0, b'[', ..] => Some(Self::Big),
            _ => None,
        }
    }

    fn decode(self, bytes: &[u8]) -> String {
        let unit = match self {
            Self::Little => u16::from_le_bytes,
            Self::Big => u16::from_be_bytes,
        };
        let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    }
}

/// Returns whether a text with these first bytes is UTF-16. Two more zero bytes would make it UTF-32, which is not read.
pub fn is_utf16(bytes: &[u8]) -> bool {
    Order::of(bytes).is_some() && !matches!(bytes, [_, _, 0, 0, ..])
}

/// All of a text.
pub fn decode(bytes: Vec<u8>) -> String {
    if let Some(order) = Order::of(&bytes) {
        return order.decode(&bytes).trim_start_matches('\u{feff}').to_owned();
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

/// Converts UTF-16 to UTF-8 and passes other bytes unchanged. UTF-16 is read to its end first: editors write it, but no
/// program that expects an answer to each line.
pub struct Recoded<R> {
    input: R,
    is_begun: bool,
    /// The text, if it is UTF-16.
    text: Option<Cursor<String>>,
}

impl<R: BufRead> Recoded<R> {
    pub fn new(input: R) -> Self {
        Self { input, is_begun: false, text: None }
    }

    /// Returns whether it is UTF-16, as far as it was read.
    pub fn is_utf16(&self) -> bool {
        self.text.is_some()
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
            if let Some(order) = Order::of(self.input.fill_buf()?) {
                let mut bytes = Vec::new();
                self.input.by_ref().take(MAX_UTF16_BYTES + 1).read_to_end(&mut bytes)?;
                if bytes.len() as u64 > MAX_UTF16_BYTES {
                    return Err(io::Error::other("it is UTF-16 longer than 1024 MiB"));
                }
                let text = order.decode(&bytes);
                self.text = Some(Cursor::new(text.trim_start_matches('\u{feff}').to_owned()));
            }
            self.is_begun = true;
        }
        match &mut self.text {
            Some(text) => text.fill_buf(),
            None => self.input.fill_buf(),
        }
    }

    fn consume(&mut self, count: usize) {
        match &mut self.text {
            Some(text) => text.consume(count),
            None => self.input.consume(count),
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
