//! A position as a picture.

use serde_json::Value;

use super::question::{Kind, Question};
use super::record::Fault;
use crate::draw::{Diagram, Theme};

/// The widest picture, in pixels.
const MAX_WIDTH: u32 = 4096;

/// Draws a position with its last move, as `tak-engine draw` does.
pub fn picture(question: &mut Question) -> Result<Value, Fault> {
    let game = question.game()?.play()?.game;
    let name: String = question.take("theme")?;
    let theme = Theme::named(&name).ok_or_else(|| format!("unknown theme {name:?}"))?;
    let width = question.take::<u32>("width")?.clamp(1, MAX_WIDTH);
    let diagram = Diagram::of(&game).flipped(question.take_or_default("flipped")?);
    Ok(Kind::Draw.answer(diagram.svg(theme, width).into()))
}
