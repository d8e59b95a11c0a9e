//! Games by the rules for JavaScript. `index.js` beside this folder gives callers a class around [`Rules`] and checks
//! what they pass.

mod record;

use std::fmt::Display;
use std::iter;

use tak_engine::board::{AnyPosition, ByColor, Color, EndReason, Game, Komi, PieceKind, Reserve, Setup, Size, Square};
use tak_engine::draw::{BoardStyle, Diagram, TerminalBoard, Theme};
use tak_engine::notation::{Deviations, read_setup};
use wasm_bindgen::prelude::*;

use crate::record::Record;

/// A game with the comments and variations of its text.
#[derive(Clone)]
#[wasm_bindgen]
pub struct Rules(Record);

/// An `Error` with this text.
fn invalid(reason: impl Display) -> JsError {
    JsError::new(&reason.to_string())
}

/// A text for JavaScript. The glue for a `String` is four times as long.
#[expect(clippy::needless_pass_by_value, reason = "functions that map values pass them so")]
fn text(value: impl ToString) -> JsValue {
    value.to_string().into()
}

fn texts(values: impl IntoIterator<Item = impl ToString>) -> Vec<JsValue> {
    values.into_iter().map(text).collect()
}

/// The text of what may be missing, or null.
fn optional(value: Option<impl ToString>) -> JsValue {
    value.map_or(JsValue::NULL, text)
}

/// The name of a colour.
fn name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// The stack on a square as TPS has it; nothing if it is empty.
fn stack(position: &AnyPosition, square: Square) -> String {
    let depths = (0..position.height(square)).rev();
    let mut stack: String = depths.map(|depth| ['1', '2'][position.color_at(square, depth).index()]).collect();
    match position.top(square) {
        Some((_, PieceKind::Wall)) => stack.push('S'),
        Some((_, PieceKind::Cap)) => stack.push('C'),
        _ => {}
    }
    stack
}

#[wasm_bindgen]
impl Rules {
    /// A game from its start. `reserves` are stones and capstones, White's first; none means those of the size.
    #[wasm_bindgen(constructor)]
    pub fn new(
        size: u32,
        half_komi: i32,
        opening: &str,
        tps: Option<String>,
        reserves: &[u8],
    ) -> Result<Self, JsError> {
        let komi = Komi::from_half(half_komi.into())?;
        let mut setup = match tps {
            Some(tps) => read_setup(&tps, &mut Deviations::default())?,
            None => Setup::empty(Size::new(size.into())?, komi),
        };
        setup.komi = komi;
        if let &[white, white_caps, black, black_caps] = reserves {
            let [white, black] =
                [(white, white_caps), (black, black_caps)].map(|(stones, caps)| Reserve { stones, caps });
            setup.reserves = ByColor([white, black]);
        }
        setup.opening = setup.opening_or(opening.parse()?);
        Ok(Self(Record::new(Game::new(AnyPosition::from_setup(&setup)?))))
    }

    /// Reads the first game of a PTN.
    #[wasm_bindgen(js_name = fromPtn)]
    pub fn from_ptn(ptn: &str) -> Result<Self, JsError> {
        Record::read(ptn).map(Self).map_err(invalid)
    }

    /// A copy of the game.
    #[must_use]
    pub fn copy(&self) -> Self {
        self.clone()
    }

    /// The legal moves; none if the game is over.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<JsValue> {
        texts(self.0.game().legal_moves())
    }

    /// Returns whether a move can be played.
    #[wasm_bindgen(js_name = isLegal)]
    pub fn is_legal(&self, mv: &str) -> bool {
        self.0.read_move(mv).is_ok_and(|mv| self.position().check_legal(mv).is_ok())
    }

    /// Plays a move and returns it as PTN writes it.
    pub fn play(&mut self, mv: &str) -> Result<JsValue, JsError> {
        self.0.play(mv).map(text).map_err(invalid)
    }

    /// Takes back the last move and returns it.
    pub fn undo(&mut self) -> JsValue {
        optional(self.0.undo())
    }

    /// The moves.
    pub fn history(&self) -> Vec<JsValue> {
        texts(self.0.game().moves())
    }

    /// The player to move.
    pub fn turn(&self) -> JsValue {
        text(name(self.position().to_move()))
    }

    /// Single moves since move 1 of White.
    pub fn ply(&self) -> u32 {
        self.position().ply()
    }

    /// The number of the move to be played.
    #[wasm_bindgen(js_name = moveNumber)]
    pub fn move_number(&self) -> u32 {
        self.position().move_number()
    }

    /// The width of the board.
    pub fn size(&self) -> usize {
        self.position().size().width()
    }

    /// Half points for Black.
    #[wasm_bindgen(js_name = halfKomi)]
    pub fn half_komi(&self) -> i32 {
        self.position().komi().half()
    }

    /// The opening rule.
    pub fn opening(&self) -> JsValue {
        text(self.position().opening())
    }

    /// The first position.
    #[wasm_bindgen(js_name = startTps)]
    pub fn start_tps(&self) -> JsValue {
        text(self.0.game().start())
    }

    /// Stones and capstones of both players at the start, White's first.
    #[wasm_bindgen(js_name = startReserves)]
    pub fn start_reserves(&self) -> Vec<u8> {
        flat(self.position().start_reserves())
    }

    /// Stones and capstones that both players have left, White's first.
    pub fn reserves(&self) -> Vec<u8> {
        flat(self.position().reserves())
    }

    /// Flats on top of stacks, White's first.
    pub fn flats(&self) -> Vec<u32> {
        Color::ALL.map(|color| self.position().flat_count(color)).to_vec()
    }

    /// How often the position has occurred in this game.
    pub fn occurrences(&self) -> usize {
        self.0.game().occurrences()
    }

    /// The result by the rules.
    pub fn result(&self) -> JsValue {
        optional(self.position().outcome())
    }

    /// The winner by the rules.
    pub fn winner(&self) -> JsValue {
        optional(self.position().outcome().and_then(|outcome| outcome.winner).map(name))
    }

    /// Why the game is over: `road`, `board-full` or `reserves`.
    pub fn reason(&self) -> JsValue {
        optional(self.position().outcome().map(|outcome| match outcome.reason {
            EndReason::Road => "road",
            EndReason::BoardFull => "board-full",
            EndReason::Reserves => "reserves",
        }))
    }

    /// How the game has ended, in words: `White wins by a road`.
    pub fn ended(&self) -> JsValue {
        optional(self.position().outcome().map(|outcome| match outcome.winner {
            Some(winner) => format!("{winner} wins {}", outcome.reason),
            None => format!("a draw {}", outcome.reason),
        }))
    }

    /// The squares of the road that won.
    pub fn road(&self) -> Vec<JsValue> {
        texts(self.position().winning_road())
    }

    /// The stacks of all squares as in TPS, from the upper left corner, row by row.
    pub fn stacks(&self) -> Vec<JsValue> {
        let (position, width) = (self.position(), self.position().size().width());
        let squares = (0..width).rev().flat_map(|row| (0..width).map(move |column| Square::new(column, row)));
        texts(squares.map(|square| stack(position, square)))
    }

    /// The position as TPS.
    pub fn tps(&self) -> JsValue {
        text(self.position())
    }

    /// The board as text.
    pub fn ascii(&self) -> JsValue {
        text(TerminalBoard { setup: &self.position().to_setup(), style: BoardStyle::Signs })
    }

    /// The board as SVG.
    pub fn svg(&self, theme: &str, width: u32, is_flipped: bool, moves: Vec<String>) -> Result<JsValue, JsError> {
        let theme = Theme::named(theme).ok_or_else(|| {
            let names = Theme::ALL.map(Theme::name).join(", ");
            invalid(format!("invalid theme \"{theme:.40}\": expected one of {names}"))
        })?;
        let moves =
            moves.into_iter().map(|mv| self.0.read_move(&mv)).collect::<Result<Vec<_>, _>>().map_err(invalid)?;
        Ok(text(Diagram::of(self.0.game()).with_moves(&moves)?.flipped(is_flipped).svg(theme, width)))
    }

    /// Names and values of the tags in turn, without those of the start.
    pub fn tags(&self) -> Vec<JsValue> {
        texts(self.0.tags().iter().flat_map(|(name, value)| [name, value]))
    }

    /// A remark on the text that it was read from.
    pub fn note(&self) -> JsValue {
        optional(self.0.note())
    }

    /// The game as PTN, with more tags: names and values in turn.
    #[wasm_bindgen(js_name = toPtn)]
    pub fn to_ptn(&self, tags: Vec<String>) -> Result<JsValue, JsError> {
        let mut tags = tags.into_iter();
        let tags = iter::from_fn(|| Some((tags.next()?, tags.next()?))).collect();
        self.0.write(tags).map(text).map_err(invalid)
    }

    fn position(&self) -> &AnyPosition {
        self.0.game().position()
    }
}

fn flat(reserves: ByColor<Reserve>) -> Vec<u8> {
    reserves.0.iter().flat_map(|reserve| [reserve.stones, reserve.caps]).collect()
}
