//! A picture as PNG.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

/// The reason why a picture cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The text is not an SVG.
    #[error("the drawing cannot be read: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// There is not enough memory for the pixels.
    #[error("a picture of {0} by {1} pixels is too large")]
    TooLarge(u32, u32),
    /// The pixels cannot be written as PNG.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(String),
}

/// Converts an SVG made by [`Diagram::svg`](super::Diagram::svg) to PNG, in its own size. The result does not depend on
/// installed software.
///
/// # Errors
/// [`PngError`].
pub fn png(svg: &str) -> Result<Vec<u8>, PngError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::TooLarge(width, height))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Encoding(error.to_string()))
}
