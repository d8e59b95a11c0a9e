//! A damaged file is written again without what is damaged.

use std::fs;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use super::reader::read_games;
use crate::board::Size;
use crate::system::files::{LockedFile, keep_permissions, open_alone};

/// Puts a file of the whole games of `path` in its place. The old one is there until the new one is complete. Returns that,
/// locked, and its length.
pub(super) fn mend(path: &Path, size: Size, header: &[u8]) -> io::Result<(LockedFile, u64)> {
    // What a link points to, so that the link stays one.
    let path = path.canonicalize()?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".mending");
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = open_alone(&temporary).map_err(io::Error::other)?;
        // One that a crash has left behind.
        file.set_len(0)?;
        keep_permissions(&path, &file);
        let mut out = BufWriter::new(&*file);
        out.write_all(header)?;
        for game in read_games(&path, size).map_err(io::Error::other)? {
            out.write_all(&game?.to_bytes())?;
        }
        out.flush()?;
        drop(out);
        file.sync_all()?;
        fs::rename(&temporary, &path)?;
        let length = file.stream_position()?;
        Ok((file, length))
    };
    write().inspect_err(|_| {
        // If it cannot be removed, the first error is still the one to report.
        let _ = fs::remove_file(&temporary);
    })
}
