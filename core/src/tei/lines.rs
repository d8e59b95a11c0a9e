//! Lines of text from a stream that may hold anything: no line can take more than a bounded amount of memory.

use std::io::{self, BufRead};
use std::time::Duration;

use crate::lines::Lines;

/// The longest line accepted, in bytes: more moves than the longest game has, and less than a megabyte.
pub(crate) const MAX_LINE_BYTES: usize = 512 * 1024;

/// An invalid line. The lines after it can still be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct BadLine {
    /// Its first word, or the beginning of it.
    pub(crate) head: String,
    pub(super) fault: String,
}

/// A line as it was read.
pub(crate) type Line = Result<String, BadLine>;

/// Input of the front end.
#[derive(Debug)]
pub(crate) enum Input {
    /// A line, with the time when it was read: a clock may be running from then on.
    Line(Line, Duration),
    /// The end.
    Closed,
}

/// Reads the next line; `None` at the end of the input. A mark of the byte order before it, as some editors write it, is
/// skipped.
///
/// # Errors
/// Fails if the input cannot be read.
pub fn read_line(lines: &mut Lines<impl BufRead>) -> io::Result<Option<Line>> {
    Ok(lines.read()?.map(|line| {
        let bytes = line.bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(&line.bytes);
        match str::from_utf8(bytes) {
            _ if line.is_cut => Err(bad(bytes, too_long(lines.longest()))),
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(bad(bytes, "the line is not UTF-8 text".to_owned())),
        }
    }))
}

/// A line that comes whole, such as a message of a page.
pub(crate) fn whole(text: &str) -> Line {
    if text.len() > MAX_LINE_BYTES { Err(bad(text.as_bytes(), too_long(MAX_LINE_BYTES))) } else { Ok(text.to_owned()) }
}

fn too_long(longest: usize) -> String {
    format!("the line is longer than {longest} bytes")
}

fn bad(line: &[u8], fault: String) -> BadLine {
    let words = line.trim_ascii_start();
    let head = words.split(u8::is_ascii_whitespace).next();
    let head = String::from_utf8_lossy(head.unwrap_or_default());
    BadLine { head: head.chars().take(40).collect(), fault }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    const MAX_LINE_BYTES: usize = 5000;

    /// Every line of `bytes`, read through a buffer of this capacity.
    fn lines(bytes: &[u8], capacity: usize) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes), MAX_LINE_BYTES);
        std::iter::from_fn(|| read_line(&mut lines).unwrap()).collect()
    }

    fn bad(head: &str, fault: &str) -> Line {
        Err(BadLine { head: head.to_owned(), fault: format!("the line is {fault}") })
    }

    #[test]
    fn lines_do_not_depend_on_the_buffer() {
        for capacity in [1, 2, 3, 7, 1024] {
            let ok = |text: &str| Ok(text.to_owned());
            assert_eq!(
                lines(b"\xEF\xBB\xBFone\n\ntwo\r\n \tnext\t\xFF\n\xFFx y\nlast", capacity),
                [
                    ok("one"),
                    ok(""),
                    ok("two"),
                    bad("next", "not UTF-8 text"),
                    bad("\u{FFFD}x", "not UTF-8 text"),
                    ok("last")
                ]
            );
            assert_eq!(lines(b"", capacity), []);
            assert_eq!(lines(b"\n", capacity), [ok("")]);
        }
    }
}
