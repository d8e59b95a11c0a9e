//! Control characters of files and names, which would command a terminal, are shown as escapes.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::notation::turns_text;

/// Returns whether a terminal obeys a character instead of showing it. Ends of lines and tabs are harmless.
fn is_unsafe(c: char) -> bool {
    c.is_control() && c != '\n' && c != '\t' || turns_text(c)
}

/// The text with `\u{1b}` for the character ESC.
fn escaped(text: &str) -> Cow<'_, str> {
    escaped_where(text, is_unsafe)
}

/// The same in one line: ends of lines become `\n`, for names and messages that contain names.
pub(super) fn escaped_line(text: &str) -> Cow<'_, str> {
    escaped_where(text, |c| c == '\n' || is_unsafe(c))
}

fn escaped_where(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return text.into();
    }
    let mut escaped = String::with_capacity(2 * text.len());
    for c in text.chars() {
        if is_escaped(c) {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// Writes text to a terminal.
pub(super) struct Escaping<W>(pub W);

impl<W: Write> Write for Escaping<W> {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.0.write_all(escaped(&String::from_utf8_lossy(text)).as_bytes())?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_the_terminal() {
        let text = "a \x1b[31mred\x1b]0;title\x07\r\u{9b}2J \u{202e}sdrow\x7f,\ttab, \u{fc}\u{4e2d}\n";
        let shown = "a \\u{1b}[31mred\\u{1b}]0;title\\u{7}\\r\\u{9b}2J \\u{202e}sdrow\\u{7f},\ttab, \u{fc}\u{4e2d}\n";
        assert_eq!(escaped(text), shown);
        assert!(matches!(escaped("plain\n"), Cow::Borrowed(_)));
        assert_eq!(escaped_line("a\nb\t\r"), "a\\nb\t\\r");
        let mut written = Vec::new();
        write!(Escaping(&mut written), "{text}").unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), shown);
    }
}
