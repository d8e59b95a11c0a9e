//! The moves of the games in a PTN file, each with the engine's own move and its score for the player to move:
//! `cargo run --release --example analyse_ptn FILE`.

use std::error::Error;
use std::fs;

use tak_engine::board::Game;
use tak_engine::engine::{Engine, Limits, Settings};
use tak_engine::notation::parse_games;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: analyse_ptn FILE")?;
    let text = fs::read_to_string(path)?;
    let mut engine = Engine::new(Settings::default());
    for ptn in parse_games(&text) {
        let whole = ptn?.game()?;
        let mut game = Game::new(whole.start().clone());
        engine.clear();
        for &mv in whole.moves() {
            let report = engine.analyse(&game, Limits::nodes(20_000))?;
            if let (Some(best), Some(line)) = (report.best(), report.lines.first()) {
                let player = game.position().to_move();
                println!("{player} {mv}, best {best}: {}", line.score);
            }
            game.play(mv)?;
        }
        println!("{} moves", whole.moves().len());
    }
    Ok(())
}
