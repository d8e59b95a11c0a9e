//! Games and positions as text: PTN and TPS, in and out.

use serde::{Deserialize, Serialize};

use super::record::{Record, RecordError, Start};
use crate::board::{AnyPosition, Color, Reserve, Setup};
use crate::notation::{PtnFault, PtnGame, PtnMove, PtnTextError, SetupTextError, opening_tag, parse_games};

/// What is known of a game besides its moves.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Names {
    #[serde(default)]
    pub white: String,
    #[serde(default)]
    pub black: String,
    /// A result that the rules do not tell, such as that of a game resigned.
    #[serde(default)]
    pub result: Option<String>,
}

/// What a text holds.
#[derive(Debug, Serialize)]
pub struct Found {
    game: Record,
    names: Names,
    /// What was left out, if anything was.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

/// Why a text holds no game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    #[error("there is no text")]
    Empty,
    #[error("this is no position: {0}")]
    Tps(SetupTextError),
    #[error("this is no game: {0}")]
    Ptn(PtnTextError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// Reads the first game of a PTN file, or a TPS. A TPS has the rules of `like`.
///
/// # Errors
/// What is wrong with it.
pub fn read(text: &str, like: &Start) -> Result<Found, ReadError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ReadError::Empty);
    }
    let bare = text.strip_prefix("[TPS \"").and_then(|text| text.strip_suffix("\"]")).unwrap_or(text);
    if looks_like_tps(bare) {
        return read_tps(bare, like);
    }
    let first = parse_games(text).next().ok_or(ReadError::Empty)?;
    let is_sizeless = first.as_ref().is_err_and(|error| error.fault == PtnFault::NoSize);
    let game = if is_sizeless { sized(text, like)? } else { first.map_err(ReadError::Ptn)? };
    let more = parse_games(text).count() - 1;
    let tag = |name| game.tag(name).unwrap_or_default().to_owned();
    let record = Record {
        start: Start::from(&game.start),
        moves: game.moves.iter().map(|ptn| ptn.mv.to_string()).collect(),
        at: None,
    };
    record.play()?;
    let is_over = |result: &&String| result.as_str() != "*";
    Ok(Found {
        game: record,
        names: Names {
            white: tag("Player1"),
            black: tag("Player2"),
            result: game.result.as_ref().filter(is_over).cloned(),
        },
        note: (more > 0).then(|| format!("This is the first of {} games.", more + 1)),
    })
}

/// The first game of a text that does not say its size: bare moves, as people send them, are for the board at hand.
fn sized(text: &str, like: &Start) -> Result<PtnGame, ReadError> {
    let text = format!("[Size \"{}\"]\n{text}", like.size);
    let game = parse_games(&text).next().ok_or(ReadError::Empty)?;
    game.map_err(|error| ReadError::Ptn(PtnTextError { line: error.line.saturating_sub(1), ..error }))
}

/// A TPS has rows, a PTN file has none: slashes in it are in tags and results.
fn looks_like_tps(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.contains('/') && first.chars().all(|c| "x12345678SC,/".contains(c)) && first != "1/2-1/2"
}

fn read_tps(text: &str, like: &Start) -> Result<Found, ReadError> {
    let setup = text.parse::<Setup>().map_err(ReadError::Tps)?;
    let same_size = like.size == setup.size.width() as u64;
    let start = Start {
        size: setup.size.width() as u64,
        // Reserves are made for one board.
        reserves: like.reserves.filter(|_| same_size),
        tps: Some(text.to_owned()),
        ..like.clone()
    };
    let record = Record { start, moves: Vec::new(), at: None };
    let played = record.play()?;
    Ok(Found { game: Record { start: Start::from(&played.start), ..record }, names: Names::default(), note: None })
}

/// The game as a PTN file.
///
/// # Errors
/// When it is no game.
pub fn write(record: &Record, names: &Names) -> Result<String, RecordError> {
    let whole = Record { at: None, ..record.clone() };
    let played = whole.play()?;
    let start = &played.start;
    let result = played.game.position().outcome().map(|outcome| outcome.to_string());
    let result = result.or_else(|| names.result.clone()).unwrap_or_else(|| "*".to_owned());
    let name = |name: &String, color: Color| {
        if name.is_empty() { color.to_string() } else { name.clone() }
    };
    let mut tags = vec![
        ("Player1".to_owned(), name(&names.white, Color::White)),
        ("Player2".to_owned(), name(&names.black, Color::Black)),
        ("Size".to_owned(), start.size.to_string()),
        ("Komi".to_owned(), start.komi.to_string()),
        ("Opening".to_owned(), opening_tag(start.opening).to_owned()),
        ("Result".to_owned(), result.clone()),
    ];
    let standard = Reserve::standard(start.size);
    for (color, number) in [(Color::White, 1), (Color::Black, 2)] {
        let reserve = start.reserves[color];
        if reserve != standard {
            tags.push((format!("Flats{number}"), reserve.stones.to_string()));
            tags.push((format!("Caps{number}"), reserve.caps.to_string()));
        }
    }
    if let Some(tps) = Start::from(start).tps {
        tags.push(("TPS".to_owned(), tps));
    }
    let game = PtnGame {
        tags,
        start: start.clone(),
        comments: Vec::new(),
        moves: played.moves.iter().copied().map(PtnMove::from).collect(),
        result: Some(result),
    };
    Ok(game.to_string())
}

/// The position as a TPS.
pub fn tps(position: &AnyPosition) -> String {
    position.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn like() -> Start {
        Start { size: 5, half_komi: 4, opening: "swap".to_owned(), reserves: Some([[20, 1], [20, 1]]), tps: None }
    }

    #[test]
    fn games_survive_the_way_through_a_file() {
        for (tps, opening, moves) in [
            (None, "swap", vec!["a1", "e5", "Cc3", "Sd3", "c3>"]),
            (None, "no-swap", vec!["Sa1", "Ce5"]),
            (None, "double-black", vec!["a1", "e5", "b1"]),
            (Some("x5/x5/x2,12,x2/x5/x5 2 7"), "swap", vec!["c3>", "a1"]),
        ] {
            let record = Record {
                start: Start { opening: opening.to_owned(), tps: tps.map(str::to_owned), ..like() },
                moves: moves.iter().map(ToString::to_string).collect(),
                at: None,
            };
            let names =
                Names { white: "A \"quoted\" name".to_owned(), black: String::new(), result: Some("0-1".to_owned()) };
            let text = write(&record, &names).unwrap();
            let found = read(&text, &like()).unwrap();
            assert_eq!(found.game, record, "{text}");
            assert_eq!((found.names.white.as_str(), found.names.black.as_str()), (names.white.as_str(), "Black"));
            assert_eq!(found.names.result.as_deref(), Some("0-1"));
        }
    }

    #[test]
    fn positions_have_the_rules_of_the_present_game() {
        for text in ["x5/x5/x2,12,x2/x5/x5 2 7", " [TPS \"x5/x5/x2,12,x2/x5/x5 2 7\"]\n"] {
            let found = read(text, &like()).unwrap();
            assert_eq!(found.game.start, Start { tps: Some("x5/x5/x2,12,x2/x5/x5 2 7".to_owned()), ..like() });
        }
        let found = read("x6/x6/x6/x6/x6/x6 1 1", &like()).unwrap();
        assert_eq!(found.game.start, Start { size: 6, reserves: None, ..like() });
    }

    #[test]
    fn moves_without_a_size_are_for_the_board_at_hand() {
        let found = read("1. a1 a5 2. Cc3", &like()).unwrap();
        assert_eq!(found.game.start.size, 5);
        assert_eq!(found.game.moves, ["a1", "a5", "Cc3"]);
        assert_eq!(found.note, None);
    }

    #[test]
    fn what_is_no_game_is_refused_with_a_reason() {
        for (text, why) in [
            ("  \n", "there is no text"),
            ("hello", "this is no game: line 1: "),
            ("[Size \"5\"]\n1. a1 e5 2. z9", "this is no game: line 2: "),
            ("[Size \"5\"]\n1. a1 a1", "move 2, a1, is not possible: "),
            ("x5/x5/x5/x5 1 1", "this is no position: "),
            ("x5/x5/x5/x5/1C,1C,x3 1 9", "nobody can play from this position: "),
        ] {
            let error = read(text, &like()).map(|_| ()).unwrap_err().to_string();
            assert!(error.starts_with(why), "{error}");
        }
        let error = read("1. a1 e5\n2. z9", &like()).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        let two = "[Size \"5\"]\n1. a1 e5\n\n[Size \"6\"]\n1. a1 f6";
        assert_eq!(read(two, &like()).unwrap().note.as_deref(), Some("This is the first of 2 games."));
    }
}
