//! Variations in PTN files: other lines from positions of a game. PTN Ninja writes them after the game, each with its
//! name in braces before it; the name begins with that of the variation which it leaves, as in `{2b_d4/3w_e1}`.

use std::collections::{HashMap, HashSet};

use super::number::Number;
use super::{PtnGame, PtnMove, PtnVariation};
use crate::board::Color;

impl PtnGame {
    /// The number and colour of the move after so many plies.
    pub(super) fn turn(&self, ply: usize) -> (usize, Color) {
        let plies = self.start.to_move.index() + ply;
        (self.start.move_number as usize + plies / 2, Color::from_bit(u8::from(plies % 2 == 1)))
    }

    /// The name of a variation that leaves another one after so many plies with this move.
    pub fn variation_name(&self, parent: Option<usize>, ply: usize, mv: &PtnMove) -> String {
        let (number, color) = self.turn(ply);
        let side = if color == Color::White { 'w' } else { 'b' };
        let before = parent.map_or_else(String::new, |parent| format!("{}/", self.variations[parent].name));
        format!("{before}{number}{side}_{}", mv.mv)
    }

    /// The name of a variation without those that it leaves, unless it is the one that follows from its first move.
    pub fn own_name<'a>(&self, variation: &'a PtnVariation) -> Option<&'a str> {
        let usual = self.variation_name(variation.parent, variation.ply, variation.moves.first()?);
        let before = variation.parent.map_or("", |parent| self.variations[parent].name.as_str());
        let own = variation.name.strip_prefix(before).and_then(|own| own.strip_prefix('/'));
        (variation.name != usual).then(move || own.unwrap_or(&variation.name))
    }

    /// Plies from the start of the game to the end of a line; `None` is the game itself.
    pub fn plies(&self, line: Option<usize>) -> usize {
        line.map_or(self.moves.len(), |index| self.variations[index].end())
    }

    /// The result to write: a first variation that goes on with the game would without one be read as its moves.
    pub(super) fn written_result(&self) -> Option<&str> {
        let goes_on = self.variations.first().is_some_and(|variation| variation.ply >= self.moves.len());
        self.result.as_deref().or(goes_on.then_some("*"))
    }

    /// Removes the variations that leave the game after more than so many plies, and theirs.
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

/// Brackets in brackets beyond this depth are not read: each name holds those around it.
const MAX_BRACKET_DEPTH: usize = 50;

/// A game while its lines are read.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub game: PtnGame,
    text: &'a str,
    /// The variation outside of brackets that is being read; `None` for the game itself.
    base: Option<Branch>,
    /// Variations in brackets that are open, the innermost last.
    brackets: Vec<Branch>,
    /// Variations by name.
    names: HashMap<String, usize>,
    /// Variations with text that cannot be read, which may go on later.
    cut: HashSet<usize>,
}

/// A variation while it is read.
#[derive(Debug, Default)]
struct Branch {
    /// Its place in the list; `None` before its first move.
    index: Option<usize>,
    /// What comes before its first move.
    head: PtnVariation,
    /// The number of its first move, if it is known.
    number: Option<usize>,
    is_black: bool,
    /// True if its moves have a name before each number, so that the game may go on between them.
    is_numbered: bool,
    /// The place in the text at which it begins.
    begin: usize,
    /// The place from which on it cannot be read.
    unread: Option<usize>,
}

impl<'a> Lines<'a> {
    /// Those of a game without moves so far.
    pub fn new(game: PtnGame, text: &'a str) -> Self {
        Self { game, text, base: None, brackets: Vec::new(), names: HashMap::new(), cut: HashSet::new() }
    }

    fn branch(&mut self) -> Option<&mut Branch> {
        self.brackets.last_mut().or(self.base.as_mut())
    }

    /// Returns whether the moves are those of the game.
    pub fn is_main(&self) -> bool {
        self.base.is_none() && self.brackets.is_empty()
    }

    /// Returns whether the rest of the variation is not read.
    pub fn is_unread(&mut self) -> bool {
        self.branch().is_some_and(|branch| branch.unread.is_some())
    }

    /// Returns whether plain move numbers belong to a variation.
    pub fn is_whole(&self) -> bool {
        self.brackets.last().or(self.base.as_ref()).is_some_and(|branch| !branch.is_numbered)
    }

    /// Begins the variation of this name at a place in the text.
    pub fn begin(&mut self, name: &str, begin: usize) {
        let joined = joined(name);
        let parent = self.parent(&joined);
        let name = if parent.is_some() { joined } else { name.to_owned() };
        let head = PtnVariation { name, parent, ..PtnVariation::default() };
        self.replace_base(Some(Branch { head, begin, ..Branch::default() }), begin);
    }

    /// Begins the variation of a name before a number, or resumes it. Returns whether it is another one than before.
    pub fn begin_numbered(&mut self, name: &str, begin: usize) -> bool {
        let name = joined(name);
        if self.base.as_ref().is_some_and(|branch| branch.is_numbered && branch.head.name == name) {
            return false;
        }
        let index = self.names.get(&name).copied();
        let unread = index.filter(|index| self.cut.contains(index)).map(|_| begin);
        let head = PtnVariation { parent: self.parent(&name), name, ..PtnVariation::default() };
        self.replace_base(Some(Branch { index, head, is_numbered: true, begin, unread, ..Branch::default() }), begin);
        true
    }

    /// The variation that one of this name leaves.
    fn parent(&self, name: &str) -> Option<usize> {
        self.names.get(name.rsplit_once('/')?.0).copied()
    }

    /// Returns to the game at a place in the text.
    pub fn finish(&mut self, at: usize) {
        self.replace_base(None, at);
    }

    fn replace_base(&mut self, branch: Option<Branch>, at: usize) {
        if let Some(before) = std::mem::replace(&mut self.base, branch) {
            self.end(before, at);
        }
    }

    /// Begins a variation behind an opening bracket, which replaces the last move.
    pub fn enter(&mut self, begin: usize) {
        if self.is_unread() {
            return;
        }
        let parent = self.branch().and_then(|branch| branch.index.or(branch.head.parent));
        let (number, color) = self.game.turn(self.game.plies(parent).saturating_sub(1));
        let unread = (self.brackets.len() >= MAX_BRACKET_DEPTH).then_some(begin);
        let head = PtnVariation { parent, ..PtnVariation::default() };
        let is_black = color == Color::Black;
        self.brackets.push(Branch { head, number: Some(number), is_black, begin, unread, ..Branch::default() });
    }

    /// Ends the variations in brackets of which only this number are still open.
    pub fn leave(&mut self, brackets: usize, at: usize) {
        for branch in self.brackets.split_off(brackets.min(self.brackets.len())).into_iter().rev() {
            self.end(branch, at);
        }
    }

    /// Takes the move number before the first move of a variation.
    pub fn number(&mut self, Number { value, is_black, .. }: Number) {
        if let Some(branch) = self.branch().filter(|branch| branch.index.is_none()) {
            // Dots alone have no number.
            branch.is_black = is_black || (value.is_none() && branch.is_black);
            branch.number = value.or(branch.number);
        }
    }

    /// Takes a placeholder: Black makes the first move.
    pub fn skip_white(&mut self) {
        if let Some(branch) = self.branch() {
            branch.is_black = true;
        }
    }

    /// The plies before the next move of the line; `None` if a variation leaves no position of its parent.
    pub fn place(&mut self) -> Option<usize> {
        let game = &self.game;
        let Some(branch) = self.brackets.last_mut().or(self.base.as_mut()) else { return Some(game.moves.len()) };
        if branch.index.is_some() {
            return Some(game.plies(branch.index));
        }
        let first = 2 * game.start.move_number as usize + game.start.to_move.index();
        let ply = branch.number?.checked_mul(2)?.checked_add(branch.is_black.into())?.checked_sub(first)?;
        let mut parent = branch.head.parent;
        while let Some(index) = parent.filter(|&index| ply <= game.variations[index].ply) {
            parent = game.variations[index].parent;
        }
        (branch.head.parent, branch.head.ply) = (parent, ply);
        (ply <= game.plies(parent)).then_some(ply)
    }

    /// Adds a move to the line, in the [`place`](Self::place) that was found for it.
    pub fn add(&mut self, mv: PtnMove) {
        let game = &mut self.game;
        let Some(branch) = self.brackets.last_mut().or(self.base.as_mut()) else {
            game.moves.push(mv);
            return;
        };
        let index = *branch.index.get_or_insert_with(|| {
            let mut head = branch.head.clone();
            if head.name.is_empty() {
                head.name = game.variation_name(head.parent, head.ply, &mv);
            }
            self.names.insert(head.name.clone(), game.variations.len());
            game.variations.push(head);
            game.variations.len() - 1
        });
        game.variations[index].moves.push(mv);
    }

    /// Takes a comment after the last move of the line, or before its first.
    pub fn comment(&mut self, text: &str) {
        let comments = match self.branch() {
            None => self.comments(None),
            Some(Branch { unread: Some(_), .. }) => return,
            Some(Branch { index: None, head, .. }) => &mut head.comments,
            Some(&mut Branch { index, .. }) => self.comments(index),
        };
        comments.push(text.to_owned());
    }

    /// The comments after the last move of a line, or before the first of the game.
    fn comments(&mut self, line: Option<usize>) -> &mut Vec<String> {
        let game = &mut self.game;
        let moves = line.map_or(&mut game.moves, |index| &mut game.variations[index].moves);
        moves.last_mut().map_or(&mut game.comments, |last| &mut last.comments)
    }

    /// Takes marks after the last move of the line. `false` if there is none.
    pub fn marks(&mut self, marks: &str) -> bool {
        let last = match self.branch() {
            None => self.game.moves.last_mut(),
            Some(&mut Branch { index, .. }) => index.and_then(|index| self.game.variations[index].moves.last_mut()),
        };
        last.map(|last| last.marks.push_str(marks)).is_some()
    }

    /// Sets the result of the line.
    pub fn result(&mut self, result: &str) {
        let place = match self.branch() {
            None => &mut self.game.result,
            Some(Branch { index: None, head, .. }) => &mut head.result,
            Some(&mut Branch { index: Some(index), .. }) => &mut self.game.variations[index].result,
        };
        *place = Some(result.to_owned());
    }

    /// Does not read the rest of the variation, from this place on.
    pub fn stop(&mut self, at: usize) {
        if let Some(branch) = self.branch() {
            branch.unread = Some(at);
        }
    }

    /// Ends a variation at a place in the text. What is left of it stays as comments.
    fn end(&mut self, Branch { index, head, is_numbered, begin, unread, .. }: Branch, at: usize) {
        if let Some(unread) = unread {
            self.cut.extend(index);
            let text = self.text[if index.is_some() { unread } else { begin }..at].trim();
            self.comments(index.or(head.parent)).push(text.replace('{', "(").replace('}', ")"));
        } else if index.is_none() {
            let name = (!is_numbered && !head.name.is_empty()).then_some(head.name);
            self.comments(head.parent).extend(name.into_iter().chain(head.comments).chain(head.result));
        }
    }

    /// The game at the end of its text.
    pub fn into_game(mut self) -> PtnGame {
        self.leave(0, self.text.len());
        self.finish(self.text.len());
        self.game.result = self.game.written_result().map(str::to_owned);
        self.game
    }
}

/// The name of a variation as PTN Ninja writes it: `/` between its parts.
fn joined(name: &str) -> String {
    name.trim_end_matches('.').replace('.', "/")
}
