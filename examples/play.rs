//! A game against the engine in the terminal: `cargo run --example play [SIZE [LEVEL]]`. You have White.

use std::error::Error;
use std::io;
use std::time::Duration;

use tak_engine::board::{AnyPosition, Game, Komi, Size};
use tak_engine::engine::{Engine, Level, Limits, SearchRequest, Settings};
use tak_engine::notation::parse_move;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let size: Size = arguments.next().as_deref().unwrap_or("5").parse()?;
    let level = arguments.next().map(|number| number.parse()).transpose()?;
    let level = level.and_then(Level::new);
    let mut engine = Engine::new(Settings { level, ..Settings::default() });
    let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
    println!("Your move, such as c3, Sc3 or 2c3+11?");
    for line in io::stdin().lines() {
        // A move that cannot be read, or is illegal, changes nothing.
        let own = parse_move(line?.trim(), size).map_err(Box::<dyn Error>::from);
        if let Err(reason) = own.and_then(|mv| Ok(game.play(mv)?)) {
            println!("{reason}");
            continue;
        }
        if game.position().outcome().is_none() {
            let report = engine.run(&SearchRequest::new(game.clone(), Limits::move_time(Duration::from_secs(1))))?;
            let reply = report.best().ok_or("a game that goes on has moves")?;
            game.play(reply)?;
            println!("{reply}    {}", game.position());
        }
        if let Some(outcome) = game.position().outcome() {
            println!("{outcome}");
            break;
        }
    }
    Ok(())
}
