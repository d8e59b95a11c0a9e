//! Variations in PTN files: other lines from positions of a game. PTN Ninja writes them after the game, each with its
//! name in braces before it; the name begins with that of the variation which it leaves, as in `{2b_d4/3w_e1}`.

use std::collections::HashMap;

use super::{PtnGame, PtnMove, PtnVariation};
use crate::board::Color;

impl PtnGame {
    /// The number and colour of the move after so many plies.
    pub(super) fn turn(&self, ply: usize) -> (usize, Color) {
        let plies = self.start.to_move.index() + ply;
        (self.start.move_number as usize + plies / 2, Color::from_bit(u8::from(plies % 2 == 1)))
    }

    /// The name of a variation that leaves another one after so many plies with this move.
    #[doc(hidden)]
    pub fn variation_name(&self, parent: Option<usize>, ply: usize, mv: &PtnMove) -> String {
        let (number, color) = self.turn(ply);
        let side = if color == Color::White { 'w' } else { 'b' };
        let before = parent.map_or_else(String::new, |parent| format!("{}/", self.variations[parent].name));
        format!("{before}{number}{side}_{}", mv.mv)
    }

    /// The plies of a line to its end.
    #[doc(hidden)]
    #[must_use]
    pub fn plies(&self, line: Option<usize>) -> usize {
        line.map_or(self.moves.len(), |index| self.variations[index].end())
    }

    /// Removes the variations that leave the game after more than so many plies, and theirs.
    #[doc(hidden)]
    pub fn keep_variations_up_to(&mut self, plies: usize) {
        let mut places = Vec::new();
        let mut kept: Vec<PtnVariation> = Vec::new();
        for variation in std::mem::take(&mut self.variations) {
            let place = variation.parent.map_or(Some(None), |parent: usize| places[parent]);
            let is_kept = place.filter(|parent: &Option<usize>| parent.is_some() || variation.ply <= plies);
            places.push(is_kept.map(|_| Some(kept.len())));
            kept.extend(is_kept.map(|parent| PtnVariation { parent, ..variation }));
        }
        self.variations = kept;
    }
}

/// Brackets in brackets beyond this depth are skipped: each name holds those around it.
const DEEPEST: usize = 50;

/// The variation that is being read.
#[derive(Debug, Clone)]
struct Open {
    index: usize,
    /// The number and colour that were read before its first move, if any.
    number: Option<usize>,
    is_black: bool,
    /// True if its moves have a name before each number, so that the game may go on between them.
    is_numbered: bool,
    /// True if it cannot be read any further.
    is_bad: bool,
}

/// The place in the lines of a game to which moves are added while it is read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    open: Option<Open>,
    /// Variations by name.
    names: HashMap<String, usize>,
    /// The lines around the brackets that are open, and the file's lines of the latter.
    around: Vec<(Option<Open>, usize)>,
}

impl Lines {
    /// Returns whether the moves are those of the game.
    pub fn is_main(&self) -> bool {
        self.open.is_none()
    }

    /// Returns whether what follows is skipped.
    pub fn is_bad(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.is_bad)
    }

    /// Returns whether plain move numbers belong to the variation.
    pub fn is_whole(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.is_numbered)
    }

    /// The line of the file with the bracket that is open, if any.
    pub fn bracket(&self) -> Option<usize> {
        self.around.last().map(|&(_, line)| line)
    }

    /// The moves of the line, which is not a bad one.
    pub fn moves<'a>(&self, game: &'a mut PtnGame) -> &'a mut Vec<PtnMove> {
        match &self.open {
            None => &mut game.moves,
            Some(open) => &mut game.variations[open.index].moves,
        }
    }

    /// Sets the result of the line.
    pub fn end(&self, game: &mut PtnGame, result: &str) {
        match &self.open {
            None => game.result = Some(result.to_owned()),
            Some(open) if open.is_bad => {}
            Some(open) => game.variations[open.index].result = Some(result.to_owned()),
        }
    }

    /// Begins the variation of a name, or goes on with it if its numbers have names. Returns whether it is another one
    /// than before.
    pub fn begin(&mut self, game: &mut PtnGame, text: &str, is_numbered: bool) -> bool {
        let joined = text.trim_end_matches('.').replace('.', "/");
        let (parent, name) = match joined.rsplit_once('/').and_then(|(parent, _)| self.names.get(parent)) {
            Some(&parent) => (Some(parent), joined),
            None if is_numbered => (None, joined),
            None => (None, text.to_owned()),
        };
        if is_numbered {
            if self.open.as_ref().is_some_and(|open| open.is_numbered && self.names.get(&name) == Some(&open.index)) {
                return false;
            }
            if let Some(&index) = self.names.get(&name) {
                self.drop_empty(game);
                self.open = Some(Open { index, number: None, is_black: false, is_numbered, is_bad: false });
                return true;
            }
        }
        self.push(game, name, parent, is_numbered);
        true
    }

    fn push(&mut self, game: &mut PtnGame, name: String, parent: Option<usize>, is_numbered: bool) {
        self.drop_empty(game);
        let index = game.variations.len();
        self.names.insert(name.clone(), index);
        game.variations.push(PtnVariation { name, parent, ..PtnVariation::default() });
        self.open = Some(Open { index, number: None, is_black: false, is_numbered, is_bad: false });
    }

    /// Begins a variation in brackets at a line of the file, which replaces the last move.
    pub fn enter(&mut self, game: &mut PtnGame, line: usize) {
        let is_bad = self.is_bad() || self.around.len() >= DEEPEST;
        let mut before = self.open.clone();
        let mut parent = before.as_ref().filter(|_| !is_bad).map(|open| open.index);
        if let (Some(open), Some(index)) = (&mut before, parent)
            && game.variations[index].moves.is_empty()
        {
            // It is removed now, and its moves would come too late.
            open.is_bad = true;
            parent = game.variations[index].parent;
        }
        let (number, color) = game.turn(game.plies(parent).saturating_sub(1));
        self.push(game, String::new(), parent, false);
        if let Some(open) = &mut self.open {
            (open.number, open.is_black, open.is_bad) = (Some(number), color == Color::Black, is_bad);
        }
        self.around.push((before, line));
    }

    /// Returns to the line around the brackets.
    pub fn leave(&mut self, game: &mut PtnGame) {
        self.drop_empty(game);
        self.open = self.around.pop().and_then(|(before, _)| before);
    }

    /// Takes the move number before the first move of a variation, and whether Black moves.
    pub fn number(&mut self, game: &PtnGame, number: Option<usize>, is_black: bool) {
        if let Some(open) = self.open.as_mut().filter(|open| !open.is_bad)
            && game.variations[open.index].moves.is_empty()
        {
            // `...` has no number.
            open.is_black = is_black || (number.is_none() && open.is_black);
            open.number = number.or(open.number);
        }
    }

    /// Takes a placeholder: Black makes the first move.
    pub fn skip_white(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_black = true;
        }
    }

    /// Returns to the game.
    pub fn finish(&mut self) {
        self.open = None;
    }

    /// Skips the rest of the variation.
    pub fn fail(&mut self) {
        if let Some(open) = &mut self.open {
            open.is_bad = true;
        }
    }

    /// The plies before the next move of the line; `None` if a variation leaves no position of its parent.
    pub fn place(&mut self, game: &mut PtnGame) -> Option<usize> {
        let Some(open) = &self.open else { return Some(game.moves.len()) };
        let variation = &game.variations[open.index];
        if !variation.moves.is_empty() {
            return Some(variation.ply + variation.moves.len());
        }
        let first = 2 * game.start.move_number as usize + game.start.to_move.index();
        let ply = open.number?.checked_mul(2)?.checked_add(usize::from(open.is_black))?.checked_sub(first)?;
        let mut parent = variation.parent;
        while let Some(index) = parent.filter(|&index| ply <= game.variations[index].ply) {
            parent = game.variations[index].parent;
        }
        if ply > game.plies(parent) {
            return None;
        }
        let variation = &mut game.variations[open.index];
        (variation.parent, variation.ply) = (parent, ply);
        Some(ply)
    }

    pub fn add(&self, game: &mut PtnGame, mv: PtnMove) {
        if let Some(open) = &self.open
            && game.variations[open.index].name.is_empty()
        {
            let PtnVariation { parent, ply, .. } = game.variations[open.index];
            game.variations[open.index].name = game.variation_name(parent, ply, &mv);
        }
        self.moves(game).push(mv);
    }

    /// Removes the last variation if it has no moves.
    pub fn drop_empty(&mut self, game: &mut PtnGame) {
        if let Some(empty) = game.variations.pop_if(|variation| variation.moves.is_empty()) {
            self.names.remove(&empty.name);
        }
    }
}
