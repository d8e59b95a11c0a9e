//! A reference player of the levels' scale as a TEI engine, for matches: `reference_player placer|road-taker [SEED]`.

#[path = "../tests/all/reference.rs"]
mod reference;

use std::error::Error;
use std::io;

use reference::Reference;
use tak_engine::board::{AnyPosition, Komi, Size};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let player = match arguments.first().map(String::as_str) {
        Some("placer") => Reference::Placer,
        Some("road-taker") => Reference::RoadTaker,
        _ => return Err("usage: reference_player placer|road-taker [SEED]".into()),
    };
    let seed = arguments.get(1).map_or(Ok(0), |seed| seed.parse())?;
    let mut size = Size::new(6)?;
    let mut position = AnyPosition::start(size, Komi::ZERO);
    for line in io::stdin().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            // Komi does not change a move, but the match runner asks for the option.
            ["tei", ..] => {
                println!("id name {}\noption name HalfKomi type spin default 0 min -20 max 20\nteiok", arguments[0]);
            }
            ["isready", ..] => println!("readyok"),
            ["teinewgame", .., number] => size = Size::new(number.parse()?)?,
            ["position", ref rest @ ..] => {
                let (setup, moves) = match rest.iter().position(|&word| word == "moves") {
                    Some(place) => (&rest[..place], &rest[place + 1..]),
                    None => (rest, &[][..]),
                };
                position = match setup {
                    ["tps", tps @ ..] => tps.join(" ").parse()?,
                    _ => AnyPosition::start(size, Komi::ZERO),
                };
                for mv in moves {
                    position.play(mv.parse()?)?;
                }
            }
            ["go", ..] => {
                let best = player.choose(&position, seed).ok_or("the game is over")?;
                println!("info depth 1 score cp 0 pv {best}\nbestmove {best}");
            }
            ["quit"] => break,
            _ => {}
        }
    }
    Ok(())
}
