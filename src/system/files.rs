//! Files as they should be used: text of any encoding and of bounded length.

use std::io::{self, Read};

/// Longer texts are refused: a device that never ends must not fill the memory.
const LONGEST_TEXT: u64 = 1 << 30;

/// All of a text file. Names in old files are not always UTF-8, and nothing else needs more than ASCII, so what cannot
/// be read is replaced.
///
/// # Errors
/// When it cannot be read or is longer than 1 GiB.
pub(crate) fn read_text(file: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(LONGEST_TEXT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_TEXT {
        return Err(io::Error::other("it is longer than 1 GiB"));
    }
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
}
