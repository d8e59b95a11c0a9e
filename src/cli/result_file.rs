//! A file, or stdout, to which results are written one after the other.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use super::program::Named;
use super::values::output_file;
use crate::files::text::create_alone;

/// An output that is written to the end of each result, so that none is lost.
pub struct ResultFile<'a> {
    out: Box<dyn Write + 'a>,
    /// Errors of stdout name it themselves.
    name: Option<String>,
    is_empty: bool,
}

impl<'a> ResultFile<'a> {
    /// A file that holds nothing yet, or that may be overwritten; stdout if `-` is named.
    pub fn create(path: &Path, overwrite: bool) -> anyhow::Result<Self> {
        let (out, name): (Box<dyn Write>, _) = match output_file(Some(path)) {
            Some(path) => {
                let name = path.display().to_string();
                let file = create_alone(path, overwrite).with_context(|| format!("cannot write {name}"))?;
                (Box::new(file), Some(name))
            }
            None => (Box::new(Named(io::stdout())), None),
        };
        Ok(Self { out, name, is_empty: true })
    }

    /// The file, or stdout if none or `-` is named. Stdout is returned if it is free for totals.
    pub fn create_or_stdout(
        path: Option<&Path>,
        overwrite: bool,
        stdout: &'a mut dyn Write,
    ) -> anyhow::Result<(Self, Option<&'a mut dyn Write>)> {
        match output_file(path) {
            Some(path) => Ok((Self::create(path, overwrite)?, Some(stdout))),
            None => Ok((Self { out: Box::new(stdout), name: None, is_empty: true }, None)),
        }
    }

    /// Takes what is written for the continuation of another file, which it will be appended to.
    pub fn follow(&mut self) {
        self.is_empty = false;
    }

    /// Adds a game as PTN, with a blank line before all but the first.
    pub fn append_game(&mut self, game: &impl Display) -> io::Result<()> {
        let separator = if self.is_empty { "" } else { "\n" };
        self.append(&format_args!("{separator}{game}"))
    }

    /// Adds a text with its line end. An error names the file.
    pub fn append(&mut self, text: &impl Display) -> io::Result<()> {
        let written = self.out.write_all(text.to_string().as_bytes()).and_then(|()| self.out.flush());
        self.is_empty = false;
        written.map_err(|error| match &self.name {
            Some(name) => io::Error::new(error.kind(), format!("cannot write {name}: {error}")),
            None => error,
        })
    }
}
