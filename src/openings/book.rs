//! Opening suites: move lists, positions in TPS, or PTN games. Every entry is checked by the rules before it is used.

use std::collections::HashSet;
use std::fs::File;
use std::path::Path;

use anyhow::{Context, anyhow, ensure};

use crate::board::{AnyPosition, ByColor, Komi, Move, OpeningRule, Reserve, Setup, Size};
use crate::files::text::read_text;
use crate::lines::lines_of;
use crate::notation::{
    Deviations, GameText, ReadGame, begins_ptn, game_texts, read_first_move, read_game, read_move, read_setup,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    /// The position before the first move, playable, with the tournament's komi and first turns.
    pub start: Setup,
    /// Legal moves that both players make before the engines take over. The game is not over after them.
    pub moves: Vec<Move>,
}

/// An opening for the games that it names itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookLine {
    /// The position before the first move, playable, with the standard reserves.
    pub start: Setup,
    /// Legal moves of both players. The game may be over after them.
    pub moves: Vec<Move>,
    /// The komi of the games that it is for; `None` for any.
    pub komi: Option<Komi>,
    /// The rule for the first turns that its first moves were made by, if given.
    first_turns: Option<OpeningRule>,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BookError(String);

/// The format of a suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum BookFormat {
    /// One opening a line, moves in PTN separated by blanks, from the empty board.
    MoveList,
    /// One position a line.
    Tps,
    /// One opening a game.
    Ptn,
}

/// Reads a suite from a file, for games from the empty board `board`. Without a `format` it is detected from the content.
/// See [`parse`] for `plies`.
pub fn load(
    path: &Path,
    format: Option<BookFormat>,
    plies: Option<usize>,
    board: &Setup,
) -> Result<Vec<Opening>, BookError> {
    load_with(path, |text| parse(text, format, plies, board))
}

/// Reads lines for games of any kind from a file, with its format detected from the content; see [`parse_lines`].
pub fn load_lines(path: &Path, size: Option<Size>) -> Result<Vec<BookLine>, BookError> {
    load_with(path, |text| parse_lines(text, size))
}

fn load_with<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, BookError>) -> Result<T, BookError> {
    let text = File::open(path).and_then(read_text);
    let text = text.map_err(|reason| BookError(format!("cannot read {}: {reason}", path.display())))?;
    parse(&text).map_err(|fault| BookError(format!("openings {}: {fault}", path.display())))
}

/// Reads a suite for games from the empty board `board`. In move lists and lists of positions, empty lines, lines that
/// begin with `#`, and comments from `;` to the end of the line are skipped. With `plies` the entries are whole games, of
/// which only so many first moves are taken: those that end before are left out, and so are those of other sizes and
/// those that begin like another.
pub fn parse(
    text: &str,
    format: Option<BookFormat>,
    plies: Option<usize>,
    board: &Setup,
) -> Result<Vec<Opening>, BookError> {
    let openings = match plies {
        None => read(text, format, None, Some(board), |line| line.opening(board))?,
        Some(most) => distinct(read(text, format, plies, Some(board), |line| line.beginning(most, board))?, most)?,
    };
    if seems_smaller(&openings, board.size) {
        let size = board.size;
        log::warn!(
            "openings: no move reaches the last file or row of a {size}x{size} board: are they for a smaller one?"
        );
    }
    Ok(openings)
}

/// The beginning of a game as an opening, or the reason why it is none.
enum Beginning {
    Opening(Opening),
    /// The game ends with these plies or before.
    Short,
    OtherSize,
}

/// The openings among these beginnings, each once. Tells how many are left out.
fn distinct(beginnings: Vec<Beginning>, plies: usize) -> Result<Vec<Opening>, BookError> {
    let all = beginnings.len();
    let (mut openings, mut seen) = (Vec::new(), HashSet::new());
    let (mut short, mut of_other_size, mut repeated) = (0, 0, 0);
    for beginning in beginnings {
        match beginning {
            Beginning::Short => short += 1,
            Beginning::OtherSize => of_other_size += 1,
            Beginning::Opening(opening) if seen.insert((opening.start.to_string(), opening.moves.clone())) => {
                openings.push(opening);
            }
            Beginning::Opening(_) => repeated += 1,
        }
    }
    let left_out = [
        (short, format!("end within {plies} plies")),
        (of_other_size, "have another size".to_owned()),
        (repeated, "begin like another".to_owned()),
    ];
    let reasons: Vec<String> =
        left_out.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let told = format!("{} of {all} games are used: {}", openings.len(), reasons.join(", "));
    if openings.is_empty() {
        return Err(BookError(told));
    }
    if !reasons.is_empty() {
        log::warn!("openings: {told}");
    }
    Ok(openings)
}

/// Moves by which a suite is judged: so many at random keep to a smaller board less than once in a hundred times.
const MANY_MOVES: usize = 20;

/// Returns whether many moves from the empty board keep to a smaller one. A list of moves does not name its board.
fn seems_smaller(openings: &[Opening], size: Size) -> bool {
    let mut moves = 0;
    let is_small = openings.iter().all(|opening| {
        moves += opening.moves.len();
        let last = size.width() - 1;
        let is_inside = |mv: &Move| mv.square().column() < last && mv.square().row() < last;
        opening.start.move_number == 1 && opening.moves.iter().all(is_inside)
    });
    is_small && moves >= MANY_MOVES
}

/// Reads lines for games of any size, komi and first turns. A PTN game names them in its tags; without `Komi` it is for any
/// komi. A position shows its size. Move lists are for games of `size`, with the usual first turns.
pub fn parse_lines(text: &str, size: Option<Size>) -> Result<Vec<BookLine>, BookError> {
    let board = size.map(|size| Setup::empty(size, Komi::ZERO));
    read(text, None, None, board.as_ref(), |line| {
        checked(&line.start, &line.moves)?;
        Ok(line)
    })
}

/// Reads every opening of a suite and converts it. Move lists are for `board`. A game may have a fault after the first
/// `plies`, if given.
fn read<T>(
    text: &str,
    format: Option<BookFormat>,
    plies: Option<usize>,
    board: Option<&Setup>,
    fit: impl Fn(BookLine) -> anyhow::Result<T>,
) -> Result<Vec<T>, BookError> {
    let text = text.trim_start_matches('\u{feff}');
    let format = format.unwrap_or_else(|| detect(text));
    let mut noted = Deviations::default();
    let openings: Result<Vec<T>, BookError> = match format {
        BookFormat::Ptn => (1..)
            .zip(game_texts(text))
            .map(|(number, text)| {
                let game = BookLine::game(&text, plies, board.map(|board| board.size), &mut noted);
                // A fault of the text names its line itself.
                let game = game.map_err(|fault| BookError(fault.to_string()))?;
                fit(game).map_err(|fault| BookError(format!("game {number}, from line {}: {fault}", text.line)))
            })
            .collect(),
        BookFormat::MoveList | BookFormat::Tps => entries(text)
            .map(|(number, line)| {
                let noted = noted.at_line(number);
                let read = if format == BookFormat::Tps {
                    BookLine::position(line, noted)
                } else {
                    BookLine::move_list(line, board, noted)
                };
                read.and_then(&fit).map_err(|fault| BookError(format!("line {number}: {fault}")))
            })
            .collect(),
    };
    if !noted.is_empty() {
        log::warn!("openings: {noted}");
    }
    match openings {
        Ok(openings) if openings.is_empty() => Err(BookError("it has no openings".to_owned())),
        openings => openings,
    }
}

/// A hash of a suite, the same however it was written.
pub fn hash(openings: &[Opening]) -> String {
    let mut text = String::new();
    for opening in openings {
        text += &opening.start.to_string();
        for &mv in &opening.moves {
            text.push(' ');
            text += &mv.to_string();
        }
        text.push('\n');
    }
    format!("{:016x}", crate::journals::hash::fnv1a(text.as_bytes()))
}

/// The entry in a line of a list of positions or moves, without the comment after `;`; `None` for a blank line and for
/// one that begins with `#`.
pub fn entry(line: &str) -> Option<&str> {
    let entry = line.trim_start_matches('\u{feff}').split(';').next().unwrap_or_default().trim();
    (!entry.is_empty() && !entry.starts_with('#')).then_some(entry)
}

/// The entries of a text with the numbers of their lines.
fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(lines_of(text)).filter_map(|(number, line)| entry(line).map(|entry| (number, entry)))
}

/// Tags begin with a bracket, and only positions have slashes, or are read as positions without them.
fn detect(text: &str) -> BookFormat {
    let mut lines = entries(text).map(|(_, line)| line);
    let is_position = |line: &str| line.starts_with('[') && !begins_ptn(line);
    match lines.next() {
        Some(line) if begins_ptn(line) => BookFormat::Ptn,
        // The position of a game is a tag too.
        Some(line) if is_position(line) && !lines.all(is_position) => BookFormat::Ptn,
        Some(line) if line.starts_with('[') || line.contains('/') => BookFormat::Tps,
        Some(line) if read_setup(line, &mut Deviations::default()).is_ok() => BookFormat::Tps,
        _ => BookFormat::MoveList,
    }
}

/// Openings as the file has them, their moves not checked.
impl BookLine {
    fn move_list(line: &str, board: Option<&Setup>, noted: &mut Deviations) -> anyhow::Result<Self> {
        let board = board.context("a move list does not specify a board size; use PTN games with a Size tag")?;
        let mut start = board.clone();
        let moves = (0..).zip(line.split_whitespace()).map(|(ply, word)| match ply {
            0 => read_first_move(word, &mut start, true, noted),
            _ => read_move(word, start.size, noted),
        });
        let moves = moves.collect::<Result<_, _>>()?;
        Ok(Self { start, moves, komi: None, first_turns: None })
    }

    fn position(line: &str, noted: &mut Deviations) -> anyhow::Result<Self> {
        Ok(Self { start: read_setup(line, noted)?, moves: Vec::new(), komi: None, first_turns: None })
    }

    fn game(text: &GameText, plies: Option<usize>, size: Option<Size>, noted: &mut Deviations) -> anyhow::Result<Self> {
        let ReadGame { game, fault, deviations, .. } = read_game(text, size);
        noted.extend(&deviations);
        if let Some(fault) = fault
            && plies.is_none_or(|plies| game.moves.len() < plies)
        {
            return Err(fault.into());
        }
        Ok(Self {
            moves: game.moves.iter().map(|ptn_move| ptn_move.mv).collect(),
            komi: game.tag("Komi").map(|_| game.start.komi),
            // With another rule its first moves would mean something else.
            first_turns: (game.start.move_number == 1).then_some(game.start.opening),
            start: game.start,
        })
    }

    /// Its first moves for a tournament's games.
    fn beginning(mut self, plies: usize, board: &Setup) -> anyhow::Result<Beginning> {
        if self.start.size != board.size {
            return Ok(Beginning::OtherSize);
        }
        self.moves.truncate(plies);
        if self.moves.len() < plies || checked(&self.start, &self.moves)?.outcome().is_some() {
            return Ok(Beginning::Short);
        }
        self.opening(board).map(Beginning::Opening)
    }

    /// Fits it to a tournament's games.
    fn opening(self, board: &Setup) -> anyhow::Result<Opening> {
        let (found, expected) = (self.first_turns.unwrap_or(board.opening), board.opening);
        ensure!(found == expected, "the opening uses the {found} rule, but the tournament uses {expected}");
        let (found, expected) = (self.start.size, board.size);
        ensure!(found == expected, "it is for size {found}, but the tournament has size {expected}");
        // The komi of the game that an opening was taken from does not matter.
        let start = Setup { komi: board.komi, opening: board.opening, ..self.start };
        let position = checked(&start, &self.moves)?;
        ensure!(position.outcome().is_none(), "the game is over after it; --plies takes first moves only");
        Ok(Opening { start, moves: self.moves })
    }
}

/// The position after the moves, if all is as it may be.
fn checked(start: &Setup, moves: &[Move]) -> anyhow::Result<AnyPosition> {
    // TEI cannot express other reserves.
    ensure!(start.reserves == ByColor([Reserve::standard(start.size); 2]), "its reserves are not the standard ones");
    let position = AnyPosition::from_setup(start);
    let mut position = position.map_err(|reason| anyhow!("the position is impossible: {reason}"))?;
    for (number, &mv) in (1..).zip(moves) {
        position.play(mv).map_err(|reason| anyhow!("move {number}, {mv}, is illegal: {reason}"))?;
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Komi;

    #[test]
    fn whole_games_give_their_beginnings() {
        let text = "[Size \"5\"]\n1. e5 a1 2. b1 b5 3. c1 c5 4. d1 d5 5. e1 R-0\n\n[Size \"5\"]\n1. a1 e5 2. b1 b5 3. c3 zz\n\n\
            [Size \"5\"]\n1. a1 e5 2. b1 R-0\n\n[Size \"6\"]\n1. a1 f6 2. b1 b6\n\n[Size \"5\"]\n1. a1 b1 2. c1 d1\n";
        let read = |plies| parse(text, None, Some(plies), &board(OpeningRule::Swap));
        let moves = |opening: &Opening| opening.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let openings = read(4).unwrap();
        assert_eq!(openings.iter().map(moves).collect::<Vec<_>>(), ["e5 a1 b1 b5", "a1 e5 b1 b5", "a1 b1 c1 d1"]);
        // The fault of the second game is within these; the first is over after nine.
        assert!(read(6).unwrap_err().to_string().starts_with("line 5: "));
        let error = parse(&text[..text.find("\n\n").unwrap()], None, Some(9), &board(OpeningRule::Swap)).unwrap_err();
        assert_eq!(error.to_string(), "0 of 1 games are used: 1 end within 9 plies");
        let error = five(&text[..text.find("\n\n").unwrap()]).unwrap_err().to_string();
        assert!(error.ends_with("the game is over after it; --plies takes first moves only"), "{error}");
    }

    fn five(text: &str) -> Result<Vec<Opening>, BookError> {
        parse(text, None, None, &board(OpeningRule::Swap))
    }

    fn board(opening: OpeningRule) -> Setup {
        Setup { opening, ..Setup::empty(Size::new(5).unwrap(), Komi::ZERO) }
    }

    fn fault(text: &str) -> String {
        five(text).unwrap_err().to_string()
    }

    #[test]
    fn all_formats_are_detected_and_agree() {
        let list = five("# made by hand\r\n\na5 e1 c3 Cb2\r\na1 b1\n").unwrap();
        let ptn = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a5 e1\n2. c3 Cb2\n\n[Size \"5\"]\n1. a1 b1 *\n";
        assert_eq!(five(ptn).unwrap(), list);
        assert_eq!(hash(&five(ptn).unwrap()), hash(&list));
        assert_eq!(list[0].moves.len(), 4);
        let tps = five("2,x4/x5/x2,1,x2/x,2C,x3/x4,1 1 3").unwrap();
        let mut position = AnyPosition::from_setup(&list[0].start).unwrap();
        for &mv in &list[0].moves {
            position.play(mv).unwrap();
        }
        assert_eq!(AnyPosition::from_setup(&tps[0].start).unwrap(), position);
        assert_ne!(hash(&tps), hash(&list));
    }

    #[test]
    fn positions_in_other_notation_and_comments_are_read() {
        let standard = five("x5/x5/x,1C,x3/x5/2,x4 2 3").unwrap();
        assert_eq!(five("x5-x5-x,1c,x3-x5-2,x4 2 3").unwrap(), standard);
        assert_eq!(five("; by hand\nx5/x5/x,1C,x3/x5/2,x4 2 3 ; sharp\n").unwrap(), standard);
        assert_eq!(five("a5 e1 c3 ; c4 is weaker\n").unwrap(), five("a5 e1 c3").unwrap());
    }

    #[test]
    fn every_format_knows_other_first_turns() {
        let double = board(OpeningRule::DoubleBlack);
        let texts =
            ["2a5 e1", "a5 e1", "[Size \"5\"]\n[Opening \"double black stack\"]\n1. 2a5 e1", "22,x4/x5/x5/x5/x4,1 1 2"];
        for text in texts {
            let book = parse(text, None, None, &double).unwrap();
            let mut position = AnyPosition::from_setup(&book[0].start).unwrap();
            for &mv in &book[0].moves {
                position.play(mv).unwrap();
            }
            let tps = position.to_string();
            assert_eq!(tps, "22,x4/x5/x5/x5/x4,1 1 2", "{text}");
            assert_eq!(position.opening(), OpeningRule::DoubleBlack);
        }
        assert!(parse("22,x4/x5/x5/x5/x5 2 1", None, None, &double).is_ok());
        let fault = |text: &str, rule| parse(text, None, None, &board(rule)).unwrap_err().to_string();
        assert_eq!(
            fault(texts[2], OpeningRule::Swap),
            "game 1, from line 1: the opening uses the double-black rule, but the tournament uses swap"
        );
        assert_eq!(
            fault("22,x4/x5/x5/x5/x5 2 1", OpeningRule::NoSwap),
            "line 1: the position is impossible: Black to play move 1 needs a board with one white piece (opening no-swap)"
        );
        assert!(fault("2a5 e1", OpeningRule::Swap).starts_with("line 1: invalid move \"2a5\""));
        assert!(parse("Ca1 Se5 a1+", None, None, &board(OpeningRule::NoSwap)).is_ok());
        assert!(fault("Ca1 Se5 a1+", OpeningRule::DoubleBlack).contains("move 1, Ca1, is illegal"));
    }

    #[test]
    fn a_suite_for_a_smaller_board_is_noticed() {
        let four = "a1 d4 b2 c3\n".repeat(5);
        let seems = |text: &str| seems_smaller(&five(text).unwrap(), Size::new(5).unwrap());
        assert!(seems(&four));
        assert!(!seems(&four[12..]), "these are few moves");
        assert!(!seems(&format!("{four}e1 a1\n")) && !seems(&format!("{four}a5 b2\n")));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(fault("a1 b1\n\na1 f1").starts_with("line 3: invalid move \"f1\""));
        assert!(fault("a1 b1\na1 a1").starts_with("line 2: move 2, a1, is illegal"));
        assert!(fault("a1 b1\nSa1").starts_with("line 2: move 1, Sa1, is illegal"));
        assert!(fault("x4/x4/x4/x4 1 1").contains("size 4, but the tournament has size 5"));
        assert!(fault("x5/x5/x5/x5/1,1,1,1,1 2 5").contains("over"));
        assert!(fault("x5/x5/x5/x5/x5 2 1").contains("the position is impossible"));
        assert!(
            fault("[Size \"5\"]\n1. a1 b1\n\n[Size \"5\"]\n1. a1 a1").starts_with("game 2, from line 4: move 2, a1")
        );
        assert!(fault("[Size \"5\"]\n1. a1 b1 zz").starts_with("line 2: "));
        assert!(fault("[Size \"5\"]\n[Flats \"10\"]\n1. a1 b1").contains("reserves"));
        assert_eq!(fault("\n# nothing\n"), "it has no openings");
    }

    #[test]
    fn lines_are_for_the_games_that_they_name() {
        let games = "[Size \"5\"]\n[Komi \"2\"]\n1. a1 e5\n\n[Size \"3\"]\n[Opening \"no-swap\"]\n1. a1 a3 2. b1 b3 3. c1 R-0\n";
        let lines = parse_lines(games, Some(Size::ALL[5])).unwrap();
        assert_eq!(lines[0].komi, Komi::from_half(4).ok());
        assert_eq!(lines[0].start.size, Size::ALL[2]);
        // A line may be a whole game.
        assert_eq!((lines[1].komi, lines[1].moves.len()), (None, 5));
        assert_eq!(lines[1].start.opening, OpeningRule::NoSwap);
        let lines = parse_lines("2,x4/x5/x5/x5/x4,1 1 2\nx2,1/x3/2,x2 1 2", None).unwrap();
        assert_eq!(lines[1].start.size, Size::ALL[0]);
        assert!(lines.iter().all(|line| line.komi.is_none() && line.moves.is_empty()));
        let lines = parse_lines("h8 a1", Some(Size::ALL[5])).unwrap();
        assert_eq!((lines[0].moves.len(), lines[0].komi), (2, None));
        let fault = |text: &str| parse_lines(text, None).unwrap_err().to_string();
        assert_eq!(
            fault("# a comment\na1 e5"),
            "line 2: a move list does not specify a board size; use PTN games with a Size tag"
        );
        assert_eq!(
            fault("\n[Size \"5\"]\n\n1. a1 e5\n2. a1 b1"),
            "game 1, from line 2: move 3, a1, is illegal: square a1 is not empty"
        );
        assert!(fault("[Size \"5\"]\n[Caps \"3\"]\n1. a1 e5").contains("reserves"));
    }
}
