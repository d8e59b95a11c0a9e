//! Lines of a text that may hold anything: with the ends of any system, and none takes more than a bounded amount of
//! memory.

use std::io::{self, BufRead, ErrorKind};

/// The bytes of a line, without its end.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// Its beginning, if it is too long.
    pub bytes: Vec<u8>,
    /// Set if it is too long.
    pub is_cut: bool,
}

/// Reads lines, which end with a line feed, a carriage return, or any number of those before a line feed.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    longest: usize,
    /// Carriage returns that have been read and end a line each, unless a line feed follows.
    returns: usize,
}

impl<R: BufRead> Lines<R> {
    /// Those of `input`. Of a line longer than `longest` bytes the rest is skipped.
    pub fn new(input: R, longest: usize) -> Self {
        Self { input, longest, returns: 0 }
    }

    /// The input, read to the end of the last line or a little further.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// The most bytes of a line that are kept.
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Reads the next line; `None` at the end.
    ///
    /// # Errors
    /// Fails if the input cannot be read.
    pub fn read(&mut self) -> io::Result<Option<Line>> {
        let mut line = Line::default();
        let mut is_empty = true;
        // The input after the previous line shows that each of these ends one.
        if self.returns > 0 {
            self.returns -= 1;
            return Ok(Some(line));
        }
        loop {
            let buffer = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read?,
            };
            let length = match buffer.first() {
                None => {
                    self.returns = 0;
                    return Ok((!is_empty).then_some(line));
                }
                Some(b'\n') => {
                    self.input.consume(1);
                    self.returns = 0;
                    return Ok(Some(line));
                }
                Some(b'\r') => {
                    self.input.consume(1);
                    self.returns += 1;
                    is_empty = false;
                    continue;
                }
                Some(_) if self.returns > 0 => {
                    self.returns -= 1;
                    return Ok(Some(line));
                }
                Some(_) => {
                    let end = buffer.iter().position(|byte| b"\r\n".contains(byte));
                    end.unwrap_or(buffer.len())
                }
            };
            let kept = length.min(self.longest - line.bytes.len());
            line.bytes.extend_from_slice(&buffer[..kept]);
            line.is_cut |= kept < length;
            self.input.consume(length);
            is_empty = false;
        }
    }
}

/// The same lines of a text in memory.
pub fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    let chunks = text.split_inclusive('\n');
    chunks.flat_map(|chunk| chunk.trim_end_matches(['\r', '\n']).split('\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// The lines of `text`, of at most 8 bytes, through a buffer of this capacity. A cut one ends with an ellipsis.
    fn lines(text: &str, capacity: usize) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, text.as_bytes()), 8);
        let read = std::iter::from_fn(|| lines.read().unwrap());
        read.map(|line| String::from_utf8(line.bytes).unwrap() + if line.is_cut { "..." } else { "" }).collect()
    }

    #[test]
    fn lines_of_any_system_and_length_are_read() {
        for (text, expected) in [
            ("", &[][..]),
            ("\n", &[""]),
            ("\r", &[""]),
            ("one\r\n\ntwo", &["one", "", "two"]),
            ("one\r\rtwo\r", &["one", "", "two"]),
            ("one\r\r\ntwo\r\n", &["one", "two"]),
            ("12345678\n123456789\nx", &["12345678", "12345678...", "x"]),
            ("1234567\r12345678", &["1234567", "12345678"]),
            ("one\r\n\r\rtwo\r\r\n\n123456789", &["one", "", "", "two", "", "12345678..."]),
        ] {
            // However little is read at once.
            for capacity in 1..9 {
                assert_eq!(lines(text, capacity), expected, "{text:?} {capacity}");
            }
            if !text.contains("123456789") {
                assert_eq!(lines_of(text).collect::<Vec<_>>(), expected, "{text:?}");
            }
        }
    }
}
