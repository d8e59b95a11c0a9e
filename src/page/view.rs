//! A position and its legal actions, ready to be drawn and spoken.

use serde_json::{Value, json};

use super::record::Played;
use super::words;
use crate::board::{AnyPosition, Color, Game, Move, MoveKind, Outcome, PieceKind, Setup, SetupError, Size, Square};

/// Describes the position meant of a game.
pub fn view(played: &Played) -> Value {
    let position = played.game.position();
    let moves = position.legal_moves();
    let to_move = position.to_move();
    let reserves = position.reserves();
    let player = |color| {
        let reserve = reserves[color];
        json!({"stones": reserve.stones, "caps": reserve.caps, "flats": position.flat_count(color)})
    };
    json!({
        "size": position.size().width(),
        "opening": position.opening().to_string(),
        "half_komi": position.komi().half(),
        "tps": position.to_string(),
        "to_move": words::adjective(to_move),
        // The colour of the piece placed in this turn.
        "places": words::adjective(if words::is_swap(position) { !to_move } else { to_move }),
        "move_number": position.move_number(),
        "kinds": kinds(position, &moves),
        // Row by row, a1 first.
        "squares": squares(position.size()).map(|square| square_view(position, &moves, square)).collect::<Value>(),
        "white": player(Color::White),
        "black": player(Color::Black),
        "count": words::counted(position),
        // Whether the whole game has ended.
        "is_over": played.is_over,
        "last": last(&played.game),
        // The road that the last player to move could complete if it were their turn again.
        "threat": threat(position),
        "outcome": position.outcome().map(|outcome| outcome_view(position, outcome)),
    })
}

fn squares(size: Size) -> impl Iterator<Item = Square> {
    let width = size.width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

fn square_view(position: &AnyPosition, moves: &[Move], square: Square) -> Value {
    let spreads = moves.iter().filter(|mv| mv.is_spread() && mv.square() == square);
    let spreads: Vec<String> = spreads.map(Move::to_string).collect();
    json!({
        "name": square.to_string(),
        "stack": words::stack(position, square),
        // The moves of this stack, if any.
        "spreads": Some(spreads).filter(|spreads| !spreads.is_empty()),
    })
}

/// The pieces that can be placed, flats first, the stack on the square then, and the effect of Enter on an empty square.
fn kinds(position: &AnyPosition, moves: &[Move]) -> Value {
    let is_placed = |kind| moves.iter().any(|mv| mv.kind() == MoveKind::Place(kind));
    let kinds = PieceKind::ALL.into_iter().filter(|&kind| is_placed(kind));
    let player = position.to_move();
    let enter = |kind| {
        if !words::is_swap(position) {
            return format!("places a {}", words::kind(kind));
        }
        let other = words::adjective(!player);
        if words::places_two(position) {
            format!("places two {other} flats: so this game begins")
        } else {
            format!("places a {other} flat: in the first turn a piece of the other colour")
        }
    };
    let owner = if words::is_swap(position) { !player } else { player };
    let pieces = if words::places_two(position) { vec![owner; 2] } else { vec![owner] };
    let stack = |kind| words::code(&pieces, kind);
    kinds.map(|kind| json!({"kind": words::kind(kind), "stack": stack(kind), "enter": enter(kind)})).collect()
}

/// The effect of the last move.
fn last(game: &Game) -> Option<Value> {
    let mut before = game.clone();
    let mv = before.take_back()?;
    let mut view = move_view(mv);
    view["says"] = words::played(before.position(), mv).into();
    Some(view)
}

/// A move in parts: the square, the piece placed, and the drops of a spread with their squares.
pub fn move_view(mv: Move) -> Value {
    let (kind, drops) = match mv.kind() {
        MoveKind::Place(kind) => (Some(words::kind(kind)), json!([])),
        MoveKind::Spread(direction, pattern) => {
            let drops = (1..).zip(pattern.drops());
            let at = |steps| mv.square().step(direction, steps).to_string();
            (None, drops.map(|(steps, drop)| json!([at(steps), drop.count])).collect())
        }
    };
    json!({"text": mv.to_string(), "from": mv.square().to_string(), "kind": kind, "drops": drops})
}

/// The road that the last player to move could complete if it were their turn again; empty if none.
fn threat(position: &AnyPosition) -> Vec<String> {
    road_in_one(position).unwrap_or_default().iter().map(Square::to_string).collect()
}

fn road_in_one(position: &AnyPosition) -> Option<Vec<Square>> {
    if position.outcome().is_some() || words::is_swap(position) {
        return None;
    }
    let player = !position.to_move();
    let mv = position.winning_move(player)?;
    let setup = Setup { to_move: player, ..position.to_setup() };
    let mut theirs = AnyPosition::from_setup(&setup).ok()?;
    theirs.play(mv).ok()?;
    Some(theirs.winning_road())
}

/// The positions of a game as TPS, the start first, and whether the last move ended it.
pub fn line(played: &Played) -> Result<Value, SetupError> {
    let mut position = AnyPosition::from_setup(&played.start)?;
    let mut positions = vec![position.to_string()];
    for &mv in &played.moves {
        position.play_unchecked(mv);
        positions.push(position.to_string());
    }
    Ok(json!({"tps": positions, "is_over": played.is_over}))
}

fn outcome_view(position: &AnyPosition, outcome: Outcome) -> Value {
    json!({
        "result": outcome.to_string(),
        "winner": outcome.winner.map(words::adjective),
        "says": words::ended(position, outcome),
        "road": position.winning_road().iter().map(Square::to_string).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::record::{Record, Start};

    fn view_of(start: Start, moves: &[&str]) -> Value {
        let record = Record { start, moves: moves.iter().map(ToString::to_string).collect(), at: None };
        view(&record.play().unwrap())
    }

    fn view_from(size: u64, tps: Option<&str>, moves: &[&str]) -> Value {
        let tps = tps.map(str::to_owned);
        view_of(Start { size, half_komi: 0, opening: "swap".to_owned(), reserves: None, tps }, moves)
    }

    #[test]
    fn a_view_describes_the_position() {
        let view = view_from(5, None, &["a1", "e5", "Cc3", "Sd3"]);
        assert_eq!(view["tps"], "x4,1/x5/x2,1C,2S,x/x5/2,x4 1 3");
        assert_eq!((&view["to_move"], &view["places"]), (&json!("white"), &json!("white")));
        assert_eq!(
            view["kinds"],
            json!([
                {"kind": "flat", "stack": "1", "enter": "places a flat"},
                {"kind": "wall", "stack": "1S", "enter": "places a wall"},
            ])
        );
        let named =
            |name: &str| view["squares"].as_array().unwrap().iter().find(|square| square["name"] == name).cloned();
        assert_eq!(named("c3").unwrap(), json!({"name": "c3", "stack": "1C", "spreads": ["c3+", "c3>", "c3-", "c3<"]}));
        assert_eq!(named("d3").unwrap(), json!({"name": "d3", "stack": "2S", "spreads": null}));
        assert_eq!(view["white"], json!({"stones": 20, "caps": 0, "flats": 1}));
        assert_eq!(view["last"]["says"], "Black places a wall on d3");
    }

    #[test]
    fn first_turn_preview_names_the_piece_colour() {
        let start = view_from(6, None, &[]);
        assert_eq!((&start["to_move"], &start["places"]), (&json!("white"), &json!("black")));
        let text = start["kinds"][0]["enter"].as_str().unwrap();
        assert!(text.starts_with("places a black flat"), "{text}");
        assert_eq!(start["kinds"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn two_black_flats_are_named_if_two_are_placed() {
        for (stones, stack, enter, says) in [
            (21, "22", "places two black flats: so this game begins", "White places a stack of two black flats on a1"),
            (
                1,
                "2",
                "places a black flat: in the first turn a piece of the other colour",
                "White places a black flat on a1",
            ),
        ] {
            let reserves = Some([[21, 1], [stones, 1]]);
            let start = Start { size: 5, half_komi: 0, opening: "double-black".to_owned(), reserves, tps: None };
            let kind = view_of(start.clone(), &[])["kinds"][0].take();
            assert_eq!((&kind["enter"], &kind["stack"]), (&json!(enter), &json!(stack)));
            assert_eq!(view_of(start, &["a1"])["last"]["says"], says);
        }
    }

    #[test]
    fn a_threat_is_announced_and_a_road_is_shown() {
        let tak = view_from(3, Some("x3/1,1,x/2,2,x 2 4"), &[]);
        assert_eq!(tak["threat"], json!(["c2", "b2", "a2"]));
        // Black's, by a spread too: a placement would not be enough.
        let tak = view_from(4, Some("x4/2,2,22,1S/x3,1/1,1,x2 1 9"), &[]);
        assert_eq!(tak["threat"], json!([]));
        let tak = view_from(4, Some("x4/2,2,22,1/x3,1/1,1,x2 1 9"), &[]);
        assert_eq!(tak["threat"], json!(["d3", "c3", "b3", "a3"]));
        let won = view_from(3, Some("x3/1,1,x/2,2,x 1 4"), &["c2"]);
        assert_eq!((&won["threat"], &won["kinds"]), (&json!([]), &json!([])));
        assert_eq!(
            won["outcome"],
            json!({
                "result": "R-0", "winner": "white", "says": "White wins by a road", "road": ["c2", "b2", "a2"],
            })
        );
        // The shortest of two roads, round no corner that is not needed.
        let won = view_from(4, Some("x,1,1,x/x,1,x2/1,1,1,1/x,1,2,2 2 9"), &[]);
        assert_eq!(won["outcome"]["road"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn the_view_has_the_drops_of_a_spread() {
        let view = view_from(5, Some("x5/x5/x5/1121,x4/x5 1 20"), &["4a2>211"]);
        assert_eq!(view["last"]["drops"], json!([["b2", 2], ["c2", 1], ["d2", 1]]));
        assert_eq!((&view["last"]["from"], &view["last"]["kind"]), (&json!("a2"), &Value::Null));
        let view = view_from(5, None, &["a1", "e5", "Sc3"]);
        assert_eq!((&view["last"]["kind"], &view["last"]["drops"]), (&json!("wall"), &json!([])));
    }

    #[test]
    fn a_line_has_the_position_after_each_move() {
        let moves = ["a1", "c3", "b3", "b1", "b3-"].map(str::to_owned).to_vec();
        let tps = Some("x3/x3/x3 1 1".to_owned());
        let start = Start { size: 3, half_komi: 0, opening: "swap".to_owned(), reserves: None, tps };
        let line = line(&Record { start: start.clone(), moves: moves.clone(), at: Some(1) }.play().unwrap()).unwrap();
        assert_eq!((line["tps"].as_array().unwrap().len(), &line["is_over"]), (6, &json!(false)));
        for (at, tps) in line["tps"].as_array().unwrap().iter().enumerate() {
            let record = Record { start: start.clone(), moves: moves.clone(), at: Some(at) };
            assert_eq!(*tps, record.play().unwrap().game.position().to_string());
        }
    }
}
