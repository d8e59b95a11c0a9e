//! A file, or any other output, to which games are written as PTN.

use std::fmt::Display;
use std::io::Write;
use std::path::Path;

use anyhow::Context;

use crate::system::files::create_alone;

/// Games one after the other, with a blank line between them.
pub(super) struct PtnFile<'a> {
    out: Box<dyn Write + 'a>,
    name: String,
    empty: bool,
}

impl PtnFile<'static> {
    /// A file that holds nothing yet, or that may be overwritten.
    pub fn create(path: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let file = create_alone(path, overwrite).with_context(|| format!("cannot write {name}"))?;
        Ok(Self::new(file, name))
    }
}

impl<'a> PtnFile<'a> {
    /// To `out`, which errors call `name`.
    pub fn new(out: impl Write + 'a, name: String) -> Self {
        Self { out: Box::new(out), name, empty: true }
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
