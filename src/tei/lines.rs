//! Lines of text from a stream that may hold anything: no line can take more than a bounded amount of memory.

use std::io::{self, BufRead};

/// The longest line taken, in bytes: more moves than the longest game has, and less than a megabyte.
const MAX_LINE: usize = 512 * 1024;

/// A line that is no text to work with. The line after it can be read as if nothing had happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum LineError {
    /// Longer than [`MAX_LINE`].
    #[error("the line is longer than {MAX_LINE} bytes")]
    TooLong,
    /// Bytes that are no text.
    #[error("the line is not UTF-8 text")]
    NotUtf8,
}

/// Reads up to the next line feed, or to the end of the input; `None` when the input had ended before.
///
/// # Errors
/// When `input` cannot be read.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, LineError>>> {
    let mut line = Vec::new();
    let mut length = 0;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        let end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        length += part.len();
        if length <= MAX_LINE {
            line.extend_from_slice(part);
        }
        // An end of input has nothing available, a line feed ends even an empty line.
        let read = part.len() + usize::from(end.is_some());
        input.consume(read);
        if end.is_none() && read > 0 {
            continue;
        }
        return Ok(if length > MAX_LINE {
            Some(Err(LineError::TooLong))
        } else if read == 0 && length == 0 {
            None
        } else {
            Some(String::from_utf8(line).map_err(|_| LineError::NotUtf8))
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    /// Every line of `bytes`, read through a buffer of this capacity.
    fn lines(bytes: &[u8], capacity: usize) -> Vec<Result<String, LineError>> {
        let mut input = BufReader::with_capacity(capacity, bytes);
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_do_not_depend_on_the_buffer() {
        for capacity in [1, 2, 3, 7, 1024] {
            let ok = |text: &str| Ok(text.to_owned());
            assert_eq!(
                lines(b"one\n\ntwo\r\n\xFF\nlast", capacity),
                [
                    ok("one"),
                    ok(""),
                    ok("two\r"),
                    Err(LineError::NotUtf8),
                    ok("last")
                ]
            );
            assert_eq!(lines(b"", capacity), []);
            assert_eq!(lines(b"\n", capacity), [ok("")]);
        }
    }

    #[test]
    fn long_lines_are_skipped_to_their_end() {
        let longest = "x".repeat(MAX_LINE);
        let text = format!("{longest}\n{longest}y\nnext\n{longest}zz");
        assert_eq!(
            lines(text.as_bytes(), 4096),
            [
                Ok(longest),
                Err(LineError::TooLong),
                Ok("next".to_owned()),
                Err(LineError::TooLong)
            ]
        );
    }
}
