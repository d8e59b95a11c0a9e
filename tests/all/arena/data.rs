//! Made-up tournaments: settings, and games whose results follow from a seed.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tak_engine::arena::record::EngineSettings;
use tak_engine::arena::record::{GameRecord, GameResult, MoveRecord, Termination};
use tak_engine::arena::stats::sprt::{SprtModel, SprtSettings};
use tak_engine::arena::tournament::schedule::{Format, OpeningOrder};
use tak_engine::arena::tournament::settings::TournamentSettings;
use tak_engine::board::OpeningRule;

/// A round robin of these engines.
pub fn settings(names: &[&str], games: u64) -> TournamentSettings {
    let engine = |name: &&str| EngineSettings {
        name: (*name).to_owned(),
        time: "tc=10+0.1".to_owned(),
        settings: "option.Hash=64".to_owned(),
    };
    TournamentSettings {
        engines: names.iter().map(engine).collect(),
        format: Format::RoundRobin,
        games,
        size: 6,
        half_komi: 4,
        opening_rule: OpeningRule::Swap,
        order: OpeningOrder::Shuffled,
        seed: 1,
        openings: 10,
        openings_hash: "0123456789abcdef".to_owned(),
        sprt: None,
        rules: BTreeMap::from([("max-plies".to_owned(), "1000".to_owned())]),
    }
}

/// An SPRT of two engines.
pub fn sprt_settings(games: u64) -> TournamentSettings {
    TournamentSettings {
        format: Format::Sprt,
        sprt: Some(SprtSettings { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: SprtModel::Normalized }),
        ..settings(&["changed", "base"], games)
    }
}

/// All games of a tournament; engines of lower index are a little stronger, White a little better off.
pub fn games(settings: &TournamentSettings) -> Vec<GameRecord> {
    let fingerprint = settings.fingerprint();
    let pairings = settings.schedule().pairings().unwrap();
    let mut random = StdRng::seed_from_u64(7);
    let game = |pairing: &tak_engine::arena::record::Pairing| {
        let lead = pairing.black as f64 - pairing.white as f64;
        let at = random.random::<f64>() + 0.04 * lead.signum() + 0.03;
        let (result, termination) = match at {
            at if at < 0.42 => (GameResult::BlackWin, Termination::Road),
            at if at < 0.45 => (GameResult::BlackWin, Termination::TimeForfeit),
            at if at < 0.5 => (GameResult::Draw, Termination::FlatsReserves),
            at if at < 0.6 => (GameResult::WhiteWin, Termination::FlatsBoardFull),
            _ => (GameResult::WhiteWin, Termination::Road),
        };
        let plies = random.random_range(20..90);
        let moves = (0..plies).map(|ply| MoveRecord {
            mv: ["a1", "b2", "Cc3", "3d4>21"][ply % 4].to_owned(),
            score_cp: (ply > 1).then(|| random.random_range(-300..300)),
            depth: (ply > 1).then(|| random.random_range(5..12)),
            nodes: (ply > 1).then(|| random.random_range(1000..90_000)),
            time_us: if ply > 1 { random.random_range(100..200_000) } else { 0 },
            ..MoveRecord::default()
        });
        GameRecord {
            settings: fingerprint.clone(),
            pairing: *pairing,
            start_tps: "x6/x6/x6/x6/x6/x6 1 1".to_owned(),
            opening_plies: 2,
            result,
            termination,
            detail: termination.is_fault().then(|| "0.120 s too late".to_owned()),
            moves: moves.collect(),
            started: "2026-03-01T12:00:00Z".to_owned(),
            wall_ms: 5000,
        }
    };
    pairings.iter().map(game).collect()
}

/// A path for a file of a test, which must not exist yet.
pub fn fresh_path(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&path);
    path
}
