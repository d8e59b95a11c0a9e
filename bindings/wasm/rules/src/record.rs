//! A game with the text around its moves.

use tak_engine::board::{AnyPosition, Game, Move};
use tak_engine::notation::{
    Deviations, PtnGame, ReadGame, START_TAGS, assumed_size_warning, game_texts, read_first_move,
    read_game_on_smallest_board, read_move, winner_of,
};

/// The tag of the result.
const RESULT: &str = "Result";

/// A game, and the text that it was read from with what was changed since.
#[derive(Clone)]
pub struct Record {
    game: Game,
    /// The same moves with marks, comments and variations. Its tags are those that do not describe the start.
    ptn: PtnGame,
    note: Option<String>,
}

fn is_tag(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

/// Returns whether a text is a result: not `*`.
fn is_result(text: &str) -> bool {
    winner_of(text).is_some() || ["1/2-1/2", "0-0"].contains(&text)
}

impl Record {
    /// A game without moves.
    pub fn new(game: Game) -> Self {
        let ptn = PtnGame::new(game.start().to_setup());
        Self { game, ptn, note: None }
    }

    /// Reads the first game of a PTN.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut games = game_texts(text);
        let first = games.next().ok_or("there is no game in the text")?;
        let read = read_game_on_smallest_board(&first);
        if let Some(fault) = &read.fault {
            return Err(fault.to_string());
        }
        let game = played(&read)?;
        let ReadGame { game: mut ptn, deviations, assumed_size, .. } = read;
        // Some files have the result after the moves alone.
        if let Some(result) = ptn.result.take().filter(|result| is_result(result)) {
            ptn.tags.retain(|(name, _)| !is_tag(name, RESULT));
            ptn.tags.push((RESULT.to_owned(), result));
        }
        ptn.tags.retain(|(name, _)| !is_of_start(name));
        let more = games.count();
        let first = (more > 0).then(|| format!("This is the first of {} games.", more + 1));
        let guessed = assumed_size.map(|size| format!("Warning: {}.", assumed_size_warning(size)));
        // The size is one of them.
        let is_odd = deviations.count() > usize::from(assumed_size.is_some());
        let odd = is_odd.then(|| format!("Warning: {deviations}."));
        let notes: Vec<String> = first.into_iter().chain(guessed).chain(odd).collect();
        Ok(Self { game, ptn, note: (!notes.is_empty()).then(|| notes.join(" ")) })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The tags that do not describe the start.
    pub fn tags(&self) -> &[(String, String)] {
        &self.ptn.tags
    }

    /// A remark on what was read.
    pub fn note(&self) -> Option<&str> {
        self.note.as_deref()
    }

    /// A move for the current position, not checked to be legal.
    pub fn read_move(&self, text: &str) -> Result<Move, String> {
        let (position, mut deviations) = (self.game.position(), Deviations::default());
        let read = match position.ply() {
            0 => read_first_move(text, &mut position.to_setup(), true, &mut deviations),
            _ => read_move(text, position.size(), &mut deviations),
        };
        read.map_err(|error| error.to_string())
    }

    /// Plays a move and returns its usual text.
    pub fn play(&mut self, text: &str) -> Result<String, String> {
        let mv = self.read_move(text)?;
        self.game.play(mv).map_err(|reason| format!("illegal move {mv}: {reason}"))?;
        self.ptn.moves.push(mv.into());
        self.forget_result();
        Ok(mv.to_string())
    }

    /// Takes back the last move, with its comments and the variations from the position after it.
    pub fn undo(&mut self) -> Option<String> {
        let mv = self.game.take_back()?;
        self.ptn.moves.pop();
        self.forget_result();
        self.drop_variations();
        Some(mv.to_string())
    }

    /// A result that was read belongs to the game as it was then.
    fn forget_result(&mut self) {
        self.ptn.tags.retain(|(name, _)| !is_tag(name, RESULT));
    }

    /// Drops the variations that leave the game after its end, and those that leave these.
    fn drop_variations(&mut self) {
        let mut places = Vec::new();
        let mut kept = Vec::new();
        for mut variation in std::mem::take(&mut self.ptn.variations) {
            let parent: Option<Option<usize>> = match variation.parent {
                None => (variation.ply <= self.ptn.moves.len()).then_some(None),
                Some(index) => places.get(index).copied().flatten().map(Some),
            };
            places.push(parent.map(|_| kept.len()));
            if let Some(parent) = parent {
                variation.parent = parent;
                kept.push(variation);
            }
        }
        self.ptn.variations = kept;
    }

    /// The game as PTN. The tags given come before those of the text, which they replace.
    pub fn write(&self, tags: Vec<(String, String)>) -> Result<String, String> {
        let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        for (name, value) in &tags {
            if !is_name(name) || is_of_start(name) {
                return Err(format!(
                    "invalid tag \"{name:.40}\": expected letters and digits, and no tag of the start"
                ));
            }
            if is_tag(name, RESULT) && !is_result(value) {
                return Err(format!("invalid result \"{value:.40}\": expected one such as R-0"));
            }
        }
        let by_rules = PtnGame::from(&self.game);
        let mut all = tags;
        let is_in = |tags: &[(String, String)], name: &str| tags.iter().any(|(other, _)| is_tag(other, name));
        let kept: Vec<_> = self.ptn.tags.iter().filter(|(name, _)| !is_in(&all, name)).cloned().collect();
        all.extend(kept);
        // The result by the rules replaces any other.
        all.retain(|(name, _)| !is_in(&by_rules.tags, name));
        let result = by_rules.result.or_else(|| {
            let given = all.iter().find(|(name, _)| is_tag(name, RESULT));
            given.map(|(_, value)| value.clone())
        });
        all.extend(by_rules.tags);
        Ok(PtnGame { tags: all, result, ..self.ptn.clone() }.to_string())
    }
}

fn is_of_start(name: &str) -> bool {
    START_TAGS.iter().any(|tag| is_tag(tag, name))
}

/// The game that was read; an error has its line.
fn played(read: &ReadGame) -> Result<Game, String> {
    let start = AnyPosition::from_setup(&read.game.start)
        .map_err(|reason| format!("line {}: cannot start: {reason}", read.line(usize::MAX)))?;
    let mut game = Game::new(start);
    for (plies, played) in read.game.moves.iter().enumerate() {
        if game.play(played.mv).is_err() {
            // The same again, for its words.
            let reason = read.game.game().err().map(|error| error.to_string()).unwrap_or_default();
            return Err(format!("line {}: {reason}", read.line(plies)));
        }
    }
    Ok(game)
}
