//! A file, or any other output, to which games are written as PTN.

use std::fmt::Display;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

/// Games one after the other, with a blank line between them.
pub(super) struct PtnFile<'a> {
    out: Box<dyn Write + 'a>,
    name: String,
    empty: bool,
}

impl PtnFile<'static> {
    /// A file that does not exist yet.
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        Self::open(path, OpenOptions::new().create_new(true))
            .with_context(|| format!("cannot create {}", path.display()))
    }

    /// A file in the place of what may be there.
    pub fn replace(path: &Path) -> anyhow::Result<Self> {
        Self::open(path, OpenOptions::new().create(true).truncate(true))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn open(path: &Path, options: &mut OpenOptions) -> io::Result<Self> {
        let file = options.write(true).open(path)?;
        Ok(Self::new(file, path.display().to_string()))
    }
}

impl<'a> PtnFile<'a> {
    /// To `out`, which errors call `name`.
    pub fn new(out: impl Write + 'a, name: String) -> Self {
        Self {
            out: Box::new(out),
            name,
            empty: true,
        }
    }

    /// Adds a game.
    pub fn append(&mut self, game: &impl Display) -> anyhow::Result<()> {
        let separator = if self.empty { "" } else { "\n" };
        let text = format!("{separator}{game}");
        self.out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush())
            .with_context(|| format!("cannot write {}", self.name))?;
        self.empty = false;
        Ok(())
    }
}
