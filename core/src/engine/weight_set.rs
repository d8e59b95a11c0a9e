//! The weights of an engine: built in, or from files.

use std::path::Path;
use std::sync::Arc;
use std::{fmt, fs, io};

use crate::board::Size;
use crate::eval::{self, Evaluator, Layer, Weights};
use crate::search::{MoveWeights, move_weights};
use crate::weights::{Model, Section, WeightTable, WeightsError, format_table, sections};

/// Weights of the evaluation with its layer and of the move order, for every size. By default those built in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WeightSet(Arc<Replaced>);

/// By size, smallest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Replaced {
    evaluation: [Option<Arc<Weights>>; Size::ALL.len()],
    layer: [Option<Arc<Layer>>; Size::ALL.len()],
    /// Computed from the two above if one of them is set.
    evaluator: [Option<Arc<Evaluator>>; Size::ALL.len()],
    ordering: [Option<Arc<MoveWeights>>; Size::ALL.len()],
}

/// An error reading a weight file: its name and the fault.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WeightSetError(String);

impl WeightSet {
    /// The linear part of the evaluation.
    pub fn evaluation(&self, size: Size) -> &Weights {
        self.0.evaluation[size.index()].as_deref().unwrap_or_else(|| eval::weights(size))
    }

    /// The part of the evaluation that is not linear.
    pub fn layer(&self, size: Size) -> &Layer {
        self.0.layer[size.index()].as_deref().unwrap_or_else(|| eval::layer(size))
    }

    /// Both, prepared for evaluation.
    pub fn evaluator(&self, size: Size) -> &Evaluator {
        self.0.evaluator[size.index()].as_deref().unwrap_or_else(|| eval::evaluator(size))
    }

    /// The weights by which search and levels order moves.
    pub fn ordering(&self, size: Size) -> &MoveWeights {
        self.0.ordering[size.index()].as_deref().unwrap_or_else(|| move_weights(size))
    }

    /// All of them for `size` as the text of one file.
    pub fn text(&self, size: Size) -> String {
        [
            format_table(self.evaluation(size), size),
            format_table(self.layer(size), size),
            format_table(self.ordering(size), size),
        ]
        .concat()
    }

    /// Replaces weights by the tables of `text`, for the same model and size; see [`sections`] for the format. A layer
    /// was fitted to the error of the weights of the evaluation, so such weights remove it, unless a later table
    /// contains one.
    ///
    /// # Errors
    /// [`WeightsError`] names the first invalid line.
    pub fn with_text(mut self, text: &str) -> Result<Self, WeightsError> {
        let sections = sections(text)?;
        let replaced = Arc::make_mut(&mut self.0);
        for section in &sections {
            replaced.replace(section)?;
        }
        for section in sections {
            if section.model != Model::Ordering {
                let size = section.size;
                let evaluator = Evaluator::new(self.evaluation(size), self.layer(size));
                let replaced = Arc::make_mut(&mut self.0);
                replaced.evaluator[size.index()] = Some(evaluator.into());
            }
        }
        Ok(self)
    }

    /// [`WeightSet::with_text`] with the text of a file.
    ///
    /// # Errors
    /// [`WeightSetError`] names the file, and the line if it is one.
    pub fn with_file(self, path: &Path) -> Result<Self, WeightSetError> {
        let fault = |fault: &dyn fmt::Display| WeightSetError(format!("{}: {fault}", path.display()));
        let text = read_regular(path).map_err(|error| fault(&error))?;
        self.with_text(&text).map_err(|error| fault(&error))
    }
}

/// All of a regular file: devices have no end, and a pipe waits for its other end.
fn read_regular(path: &Path) -> io::Result<String> {
    /// Longer files are refused, in bytes: all tables of all sizes have 10 MiB.
    const MAX_BYTES: u64 = 64 << 20;

    let found = fs::metadata(path)?;
    if !found.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if found.len() > MAX_BYTES {
        return Err(io::Error::other(format!("it is longer than {} MiB", MAX_BYTES >> 20)));
    }
    fs::read_to_string(path)
}

impl Replaced {
    fn replace(&mut self, section: &Section<'_>) -> Result<(), WeightsError> {
        let place = section.size.index();
        match section.model {
            Model::Evaluation => {
                self.evaluation[place] = Some(section.read::<Weights>()?.into());
                self.layer[place] = Some(Layer::zero().into());
            }
            Model::Layer => {
                self.layer[place] = Some(section.read::<Layer>()?.into());
            }
            Model::Ordering => {
                self.ordering[place] = Some(section.read::<MoveWeights>()?.into());
            }
        }
        Ok(())
    }
}
