//! A journal with damage: its complete lines are kept, or the journal is refused unchanged.

use std::fs;
use std::sync::OnceLock;

use tak_engine::arena::record::{GameRecord, GameResult, MoveRecord, Termination};
use tak_engine::arena::tournament::journal::{Contents, Journal, read, resume};
use tak_engine::arena::tournament::settings::TournamentSettings;

use super::damage::{damage, file_of};

/// Damages the journal as the bytes say, then reads it and continues it.
pub fn damaged(data: &[u8]) {
    let (settings, games, good) = good();
    let bytes = damage(good, data);
    let path = file_of("journal.jsonl", &bytes);
    let contents = read(&path);
    assert_eq!(fs::read(&path).ok().as_deref(), Some(&bytes[..]), "reading changes nothing");
    if let Ok(contents) = &contents {
        nothing_whole_is_lost(contents, &bytes);
    }
    match resume(&path, settings) {
        Err(_) => {
            let left = fs::read(&path).expect("the file is still there");
            assert_eq!(left, bytes, "a refused journal stays as it is");
        }
        Ok((mut journal, resumed)) => {
            nothing_whole_is_lost(&resumed, &bytes);
            if let Ok(contents) = &contents {
                // A journal without games is restarted with the right settings, regardless of those in it.
                assert_eq!(resumed.games, contents.games);
            }
            let held = resumed.games.len();
            // As the runner does: finished games are not played again.
            let next =
                games.iter().find(|game| resumed.games.iter().all(|held| held.pairing.game != game.pairing.game));
            if let Some(game) = next {
                journal.append(game).expect("there is room for a game");
            }
            drop(journal);
            let again = read(&path).expect("a continued journal");
            nothing_whole_is_lost(&again, &bytes);
            assert_eq!(again.games.len(), held + usize::from(next.is_some()));
            assert!(next.is_none_or(|game| again.games.contains(game)));
            assert_eq!(again.incomplete_bytes, 0);
        }
    }
    fs::remove_file(&path).expect("the file is ours");
}

/// Every game whose whole line is in the file must be among those read. Of several lines with one game the first
/// counts.
fn nothing_whole_is_lost(contents: &Contents, bytes: &[u8]) {
    let (_, games, good) = good();
    let whole: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    for (game, line) in games.iter().zip(good.split_inclusive(|&byte| byte == b'\n').skip(1)) {
        assert!(
            !whole.contains(&line) || contents.games.iter().any(|held| held.pairing.game == game.pairing.game),
            "game {} is lost",
            game.pairing.game
        );
    }
}

/// A journal as the runner writes it.
fn good() -> &'static (TournamentSettings, Vec<GameRecord>, Vec<u8>) {
    static GOOD: OnceLock<(TournamentSettings, Vec<GameRecord>, Vec<u8>)> = OnceLock::new();
    GOOD.get_or_init(|| {
        let settings = settings();
        let pairings = settings.schedule().pairings().expect("a tournament");
        let fingerprint = settings.fingerprint();
        let games: Vec<GameRecord> = pairings
            .iter()
            .map(|pairing| GameRecord {
                settings: fingerprint.clone(),
                pairing: *pairing,
                start_tps: "x3/x3/x3 1 1".to_owned(),
                opening_plies: 1,
                result: GameResult::WhiteWin,
                termination: Termination::Road,
                detail: None,
                moves: ["a1", "c3"].map(|mv| MoveRecord { mv: mv.to_owned(), ..MoveRecord::default() }).into(),
                started: "2026-03-01T12:00:00Z".to_owned(),
                wall_ms: 50,
            })
            .collect();
        let path = file_of("good.jsonl", b"");
        let mut journal = Journal::create(&path, &settings).expect("a journal");
        for game in &games {
            journal.append(game).expect("a game");
        }
        drop(journal);
        let bytes = fs::read(&path).expect("the journal");
        fs::remove_file(&path).expect("the file is ours");
        (settings, games, bytes)
    })
}

fn settings() -> TournamentSettings {
    let text = r#"{
        "engines": [
            { "name": "one", "time": "nodes=5", "settings": "timemargin=50" },
            { "name": "two", "time": "nodes=6", "settings": "timemargin=50" }
        ],
        "format": "round-robin",
        "games": 4,
        "size": 3,
        "half_komi": 0,
        "order": "shuffled",
        "seed": 1,
        "openings": 3,
        "openings_hash": "0123456789abcdef"
    }"#;
    serde_json::from_str(text).expect("the settings of a tournament")
}
