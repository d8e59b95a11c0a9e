//! Reads and writes games and positions as PTN and TPS.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::annotation::annotation_of;
use super::lines::{Line, add_lines, impossible_move, lines};
use super::record::{Fault, Record, Start};
use crate::board::{Color, Setup, Size};
use crate::notation::{
    Deviations, Leniency, PtnGame, ReadGame, START_TAGS, assumed_size_warning, game_texts, read_game,
    read_game_on_smallest_board, read_setup, winner_of,
};

/// Players, result and tags of a game.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Names {
    /// Written as the colour if it is empty, and not at all if it is absent.
    #[serde(default)]
    pub white: Option<String>,
    #[serde(default)]
    pub black: Option<String>,
    /// A result that does not follow from the board, such as a resignation, or the form of it in a file.
    #[serde(default)]
    pub result: Option<String>,
    /// The other tags of an opened file, such as `Date` and `Round`, in their order.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// The comments before the first move.
    #[serde(default)]
    pub comments: Vec<String>,
}

/// A game or position found in a text.
#[derive(Debug, Serialize)]
pub struct Found {
    game: Record,
    names: Names,
    /// The main line and its variations.
    lines: Vec<Line>,
    /// A remark on skipped games or deviations from the standard.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The judgement of a game that was annotated, without a search.
    #[serde(skip_serializing_if = "Option::is_none")]
    annotation: Option<Value>,
}

/// Reads the first game of a PTN file, or a TPS, which gets the rules of `like`.
pub fn read(text: &str, like: &Start) -> Result<Found, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err("the text is empty".into());
    }
    let mut deviations = Deviations::default();
    match read_setup(text, &mut deviations) {
        Ok(setup) => return read_tps(&setup, &deviations, like),
        Err(error) if looks_like_tps(text) => return Err(format!("invalid TPS: {error}").into()),
        Err(_) => {}
    }
    let mut games = game_texts(text);
    let first = games.next().ok_or("the text is empty")?;
    // Moves without tags, as people send them, are for the current board if they can be played there.
    let on_current = Size::new(like.size).ok().map(|size| read_game(&first, Some(size)));
    let fits = |read: &ReadGame| read.assumed_size.is_none() || read.fault.is_none() && read.game.game().is_ok();
    let is_guessed = !on_current.as_ref().is_some_and(fits);
    let read = on_current.filter(|_| !is_guessed).unwrap_or_else(|| read_game_on_smallest_board(&first));
    let ReadGame { game, fault, deviations, assumed_size, .. } = read;
    if let Some(fault) = fault {
        return Err(format!("invalid PTN: {fault}").into());
    }
    let more = games.count();
    let player = |color| Some(game.player(color).unwrap_or_default().to_owned());
    let record = Record {
        start: Start::from(&game.start),
        moves: game.moves.iter().map(|ptn| ptn.mv.to_string()).collect(),
        at: None,
    };
    let played = record.play().map_err(|error| impossible_move(&game).map_or(error, Fault::from))?;
    let (lines, faults) = lines(&game, &played.game);
    let annotation = annotation_of(&game, &played.game);
    Ok(Found {
        game: record,
        names: Names {
            white: player(Color::White),
            black: player(Color::Black),
            result: result_of(&game).map(str::to_owned),
            tags: game.tags.iter().filter(|(tag, _)| !is_own(tag)).cloned().collect(),
            comments: game.comments,
        },
        lines,
        note: note(&deviations, assumed_size.filter(|_| is_guessed), more, &faults),
        annotation,
    })
}

/// The result of a game by its text. Some files have it in the tag alone.
pub fn result_of(game: &PtnGame) -> Option<&str> {
    let is_result = |text: &&str| winner_of(text).is_some() || *text == "1/2-1/2";
    let result = game.result.as_deref().filter(|result| *result != "*");
    result.or_else(|| game.tag("Result").filter(is_result))
}

/// The incomplete variations that are named.
const MAX_NAMED: usize = 3;

/// The remark on a text with a size that was guessed, `more` skipped games and these incomplete variations.
fn note(deviations: &Deviations, guessed: Option<Size>, more: usize, faults: &[String]) -> Option<String> {
    let first = (more > 0).then(|| format!("This is the first of {} games.", more + 1));
    let guessed = guessed.map(|size| format!("Warning: {}.", assumed_size_warning(size)));
    // The board shows the size of moves without tags.
    let only_size = deviations.count() == 1 && deviations.first().is_some_and(|d| d.rule == Leniency::MissingSize);
    let odd = (!deviations.is_empty() && !only_size).then(|| format!("Warning: {deviations}."));
    let incomplete = (!faults.is_empty()).then(|| incomplete(faults));
    let notes: Vec<String> = first.into_iter().chain(incomplete).chain(guessed).chain(odd).collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// `2 variations end early: 5. d6 (6. d3: square d3 is not empty), …`
fn incomplete(faults: &[String]) -> String {
    let named = faults[..faults.len().min(MAX_NAMED)].join(", ");
    let others = faults.len().saturating_sub(MAX_NAMED);
    let rest = if others > 0 { format!(", and {others} more") } else { String::new() };
    let end = if faults.len() == 1 { "variation ends" } else { "variations end" };
    format!("{} {end} early: {named}{rest}.", faults.len())
}

/// A TPS has rows; in a PTN file slashes are in tags and results.
fn looks_like_tps(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    first.contains('/') && first.chars().all(|c| "xX12345678SCsc,/".contains(c)) && first != "1/2-1/2"
}

fn read_tps(setup: &Setup, deviations: &Deviations, like: &Start) -> Result<Found, Fault> {
    let same_size = like.size == setup.size.width() as u64;
    let start = Start {
        size: setup.size.width() as u64,
        // Reserves belong to one board size.
        reserves: like.reserves.filter(|_| same_size),
        tps: Some(setup.to_string()),
        ..like.clone()
    };
    let record = Record { start, moves: Vec::new(), at: None };
    let played = record.play()?;
    Ok(Found {
        game: Record { start: Start::from(&played.start), ..record },
        names: Names { white: Some(String::new()), black: Some(String::new()), ..Names::default() },
        lines: Vec::new(),
        note: note(deviations, None, 0, &[]),
        annotation: None,
    })
}

/// The game as a PTN file, with the marks, comments and variations of its lines.
pub fn write(record: &Record, names: &Names, lines: &[Line]) -> Result<PtnGame, Fault> {
    let whole = Record { at: None, ..record.clone() };
    let played = whole.play()?;
    let outcome = played.game.position().outcome();
    let result = match (outcome, &names.result) {
        // Many programs write `0-1` for every win of Black. The board only decides the winner.
        (Some(outcome), Some(named)) if outcome.winner.is_some() && winner_of(named) == outcome.winner => named.clone(),
        (Some(outcome), _) => outcome.to_string(),
        (None, named) => named.clone().unwrap_or_else(|| "*".to_owned()),
    };
    let name = |name: &Option<String>, color: Color| {
        name.clone().map(|name| if name.is_empty() { color.to_string() } else { name })
    };
    let mut game = PtnGame::from(&played.game);
    game.tags.retain(|(tag, _)| tag != "Result");
    let own = [
        ("Player1", name(&names.white, Color::White)),
        ("Player2", name(&names.black, Color::Black)),
        ("Result", Some(result.clone())),
    ];
    let own = own.into_iter().filter_map(|(tag, value)| Some((tag.to_owned(), value?)));
    // A page may have stored any tags; those of the start must not contradict the game.
    let kept = names.tags.iter().filter(|(tag, _)| !is_own(tag)).cloned();
    let start = game.tags;
    game.tags = kept.chain(own).chain(start).collect();
    game.result = Some(result);
    game.comments.clone_from(&names.comments);
    add_lines(&mut game, lines);
    Ok(game)
}

/// Returns whether the page derives the tag from the game.
fn is_own(tag: &str) -> bool {
    ["Player1", "Player2", "Result"].into_iter().chain(START_TAGS).any(|own| own.eq_ignore_ascii_case(tag))
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
            let names = Names {
                white: Some("A \"quoted\" name".to_owned()),
                black: Some(String::new()),
                result: Some("0-1".to_owned()),
                tags: vec![("Date".to_owned(), "2026.11.25".to_owned())],
                comments: vec!["a game".to_owned()],
            };
            let text = write(&record, &names, &[]).unwrap().to_string();
            let found = read(&text, &like()).unwrap();
            assert_eq!(found.game, record, "{text}");
            assert_eq!((found.names.white, found.names.black.as_deref()), (names.white, Some("Black")));
            assert_eq!(found.names.result.as_deref(), Some("0-1"));
            assert_eq!((found.names.tags, found.names.comments), (names.tags, names.comments));
        }
    }

    #[test]
    fn a_saved_game_keeps_tags_and_form_of_result() {
        let file = |tags: &str, result: &str| format!("{tags}[Size \"3\"]\n1. a1 c3 2. c1 a2 3. c2 {result}\n");
        let written = |text: &str| {
            let Found { game, names, .. } = read(text, &like()).unwrap();
            write(&game, &names, &[]).unwrap().to_string()
        };
        let tags = "[Event \"Cup\"]\n[Date \"2026.11.25\"]\n[Round \"3\"]\n[player1 \"A\"]\n[Rating2 \"1500\"]\n";
        let text = written(&file(tags, "1-0"));
        let head = "[Event \"Cup\"]\n[Date \"2026.11.25\"]\n[Round \"3\"]\n[Rating2 \"1500\"]\n[Player1 \"A\"]\n";
        assert!(text.starts_with(head), "{text}");
        assert_eq!(written(&text), text);
        // White has a road; the file cannot change the winner.
        for (tag, result, kept) in [
            ("", "1-0", "1-0"),
            ("", "R-0", "R-0"),
            ("", "", "R-0"),
            ("", "0-1", "R-0"),
            ("[Result \"1-0\"]\n", "", "1-0"),
            ("[Result \"who knows\"]\n", "", "R-0"),
        ] {
            let text = written(&file(tag, result));
            assert!(text.contains(&format!("[Result \"{kept}\"]")), "{text}");
            assert!(text.trim_end().ends_with(&format!(" {kept}")), "{text}");
        }
    }

    #[test]
    fn tags_of_the_start_are_those_of_the_game() {
        let record = Record { start: like(), moves: vec!["a1".to_owned()], at: None };
        let tags = ["size", "TPS", "Komi", "Result", "Player2"].map(|tag| (tag.to_owned(), "nonsense".to_owned()));
        let text = write(&record, &Names { tags: tags.to_vec(), ..Names::default() }, &[]).unwrap().to_string();
        assert!(!text.contains("nonsense"), "{text}");
        assert_eq!(read(&text, &like()).unwrap().game, record);
    }

    #[test]
    fn positions_have_the_rules_of_the_current_game() {
        for text in ["x5/x5/x2,12,x2/x5/x5 2 7", " [TPS \"x5/x5/x2,12,x2/x5/x5 2 7\"]\n"] {
            let found = read(text, &like()).unwrap();
            assert_eq!(found.game.start, Start { tps: Some("x5/x5/x2,12,x2/x5/x5 2 7".to_owned()), ..like() });
        }
        let found = read("x6/x6/x6/x6/x6/x6 1 1", &like()).unwrap();
        assert_eq!(found.game.start, Start { size: 6, reserves: None, ..like() });
    }

    #[test]
    fn moves_without_a_size_are_for_the_current_board() {
        let found = read("1. a1 a5 2. Cc3", &like()).unwrap();
        assert_eq!(found.game.start.size, 5);
        assert_eq!(found.game.moves, ["a1", "a5", "Cc3"]);
        assert_eq!(found.note, None);
        // If there is none, or if they do not fit, they are for the smallest one that does.
        for (text, size, smallest) in [("1. a1 d4 2. b2", 0, 4), ("1. a1 f6", 5, 6)] {
            let found = read(text, &Start { size, ..like() }).unwrap();
            assert_eq!(found.game.start.size, smallest);
            let says = format!("tag: read for {smallest}x{smallest}, the smallest board that fits its moves.");
            assert!(found.note.unwrap().contains(&says));
        }
    }

    #[test]
    fn invalid_texts_are_refused_with_a_reason() {
        for (text, why) in [
            ("  \n", "the text is empty"),
            ("hello", "invalid PTN: line 1: "),
            ("[Size \"5\"]\n1. a1 e5 2. z9", "invalid PTN: line 2: "),
            ("[Size \"5\"]\n1. a1 a1", "1… a1 is not possible: "),
            ("x5/x5/x5/x5 1 1", "invalid TPS: "),
            ("x5/x5/x5/x5/1C,1C,x3 1 9", "invalid starting position: "),
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
