//! A position and its legal actions, ready to be drawn and spoken.

use serde::Serialize;

use super::draft::{self, Draft};
use super::record::Played;
use super::words::{self, Pile};
use crate::board::{AnyPosition, Color, Game, Move, MoveKind, Outcome, PieceKind, Size, Square};

/// A position of a game.
#[derive(Debug, Serialize)]
pub struct View {
    size: usize,
    /// The opening rule of the game.
    opening: String,
    half_komi: i32,
    tps: String,
    /// The player to move.
    to_move: &'static str,
    /// The colour of the piece placed in this turn.
    places: &'static str,
    move_number: u32,
    /// The pieces that can be placed, flats first.
    kinds: Vec<Kind>,
    /// Row by row, a1 first.
    squares: Vec<SquareView>,
    white: Player,
    black: Player,
    /// The result of counting flats now.
    count: String,
    /// All moves of the game.
    moves: Vec<MoveView>,
    /// The number of moves played before this position.
    at: usize,
    /// True if the last move of the game ended it.
    is_over: bool,
    /// The last of the moves played.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Last>,
    /// The last player to move threatens a road.
    tak: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeView>,
}

/// A kind of piece that can be placed.
#[derive(Debug, Serialize)]
struct Kind {
    kind: &'static str,
    /// The effect of Enter on an empty square.
    enter: String,
}

#[derive(Debug, Serialize)]
pub struct SquareView {
    name: String,
    /// As in TPS, empty for an empty square.
    stack: String,
    /// The stack in words.
    says: String,
    /// The numbers of pieces that may be lifted, fewest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lifts: Vec<u32>,
}

#[derive(Debug, Serialize)]
struct Player {
    stones: u8,
    caps: u8,
    flats: u32,
}

#[derive(Debug, Serialize)]
struct MoveView {
    text: String,
    color: &'static str,
    number: u32,
}

/// The effect of a move.
#[derive(Debug, Serialize)]
struct Last {
    text: String,
    says: String,
    from: String,
    /// The squares that a spread covered, with the pieces dropped.
    drops: Vec<(String, u32)>,
}

#[derive(Debug, Serialize)]
struct OutcomeView {
    /// As in PTN.
    result: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    says: String,
    /// The squares of the road that won.
    road: Vec<String>,
}

/// A spread in progress.
#[derive(Debug, Serialize)]
pub struct DraftView {
    draft: Draft,
    /// The squares that have changed.
    squares: Vec<SquareView>,
    /// As in TPS, the bottom piece first.
    hand: String,
    /// The squares that the next piece may be dropped on.
    next: Vec<String>,
    /// Those of them on which it flattens a wall.
    flattens: Vec<String>,
    says: String,
}

impl View {
    pub fn of(played: &Played) -> Self {
        let position = played.game.position();
        let moves = position.legal_moves();
        let to_move = position.to_move();
        let places = if words::is_swap(position) { !to_move } else { to_move };
        let reserves = position.reserves();
        let player = |color| Player {
            stones: reserves[color].stones,
            caps: reserves[color].caps,
            flats: position.flat_count(color),
        };
        Self {
            size: position.size().width(),
            opening: position.opening().to_string(),
            half_komi: position.komi().half(),
            tps: position.to_string(),
            to_move: words::adjective(to_move),
            places: words::adjective(places),
            move_number: position.move_number(),
            kinds: kinds(position, &moves),
            squares: squares(position.size()).map(|square| square_view(position, &moves, square)).collect(),
            white: player(Color::White),
            black: player(Color::Black),
            count: words::counted(position),
            moves: numbered(played),
            at: played.game.moves().len(),
            is_over: played.is_over,
            last: last(&played.game),
            tak: moves_threaten(position),
            outcome: position.outcome().map(|outcome| outcome_view(position, outcome)),
        }
    }
}

impl DraftView {
    pub fn of(position: &AnyPosition, draft: Draft) -> Self {
        let seen = |(square, pile): (Square, Pile)| SquareView {
            name: square.to_string(),
            stack: pile.code(),
            says: pile.says(position.size().width()),
            lifts: Vec::new(),
        };
        let next = draft.next(position);
        let flattens = next.iter().filter(|&&square| draft.flattens(position, square));
        Self {
            squares: draft.piles(position).into_iter().map(seen).collect(),
            hand: draft.hand(position).code(),
            flattens: flattens.map(Square::to_string).collect(),
            next: next.iter().map(Square::to_string).collect(),
            says: draft.says(position),
            draft,
        }
    }
}

fn squares(size: Size) -> impl Iterator<Item = Square> {
    let width = size.width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

fn square_view(position: &AnyPosition, moves: &[Move], square: Square) -> SquareView {
    let pile = Pile::on(position, square);
    SquareView {
        name: square.to_string(),
        stack: pile.code(),
        says: pile.says(position.size().width()),
        lifts: draft::lifts(moves, square),
    }
}

fn kinds(position: &AnyPosition, moves: &[Move]) -> Vec<Kind> {
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
    kinds.map(|kind| Kind { kind: words::kind(kind), enter: enter(kind) }).collect()
}

fn numbered(played: &Played) -> Vec<MoveView> {
    let (mut number, mut color) = (played.start.move_number, played.start.to_move);
    let view = |mv: &Move| {
        let view = MoveView { text: mv.to_string(), color: words::adjective(color), number };
        number += u32::from(color == Color::Black);
        color = !color;
        view
    };
    played.moves.iter().map(view).collect()
}

fn last(game: &Game) -> Option<Last> {
    let mut before = game.clone();
    let mv = before.take_back()?;
    let drops = match mv.kind() {
        MoveKind::Place(_) => Vec::new(),
        MoveKind::Spread(direction, pattern) => (1..)
            .zip(pattern.drops())
            .map(|(steps, drop)| (mv.square().step(direction, steps).to_string(), drop.count))
            .collect(),
    };
    Some(Last {
        text: mv.to_string(),
        says: words::played(before.position(), mv),
        from: mv.square().to_string(),
        drops,
    })
}

/// Returns whether the last player to move could complete a road if it were their turn again.
fn moves_threaten(position: &AnyPosition) -> bool {
    position.outcome().is_none() && !words::is_swap(position) && position.winning_move(!position.to_move()).is_some()
}

fn outcome_view(position: &AnyPosition, outcome: Outcome) -> OutcomeView {
    OutcomeView {
        result: outcome.to_string(),
        winner: outcome.winner.map(words::adjective),
        says: words::ended(position, outcome),
        road: position.winning_road().iter().map(Square::to_string).collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::page::record::{Record, Start};

    fn view(size: u64, tps: Option<&str>, moves: &[&str]) -> Value {
        let record = Record {
            start: Start {
                size,
                half_komi: 0,
                opening: "swap".to_owned(),
                reserves: None,
                tps: tps.map(str::to_owned),
            },
            moves: moves.iter().map(ToString::to_string).collect(),
            at: None,
        };
        let played = record.play().unwrap_or_else(|error| panic!("{error}"));
        serde_json::to_value(View::of(&played)).unwrap()
    }

    #[test]
    fn a_view_describes_the_position() {
        let view = view(5, None, &["a1", "e5", "Cc3", "Sd3"]);
        assert_eq!(view["tps"], "x4,1/x5/x2,1C,2S,x/x5/2,x4 1 3");
        assert_eq!((&view["to_move"], &view["places"]), (&json!("white"), &json!("white")));
        assert_eq!(
            view["kinds"],
            json!([
                {"kind": "flat", "enter": "places a flat"},
                {"kind": "wall", "enter": "places a wall"},
            ])
        );
        let named =
            |name: &str| view["squares"].as_array().unwrap().iter().find(|square| square["name"] == name).cloned();
        assert_eq!(named("c3").unwrap(), json!({"name": "c3", "stack": "1C", "says": "white capstone", "lifts": [1]}));
        assert_eq!(named("d3").unwrap(), json!({"name": "d3", "stack": "2S", "says": "black wall"}));
        assert_eq!(view["white"], json!({"stones": 20, "caps": 0, "flats": 1}));
        assert_eq!(view["moves"][2], json!({"text": "Cc3", "color": "white", "number": 2}));
        assert_eq!(view["last"]["says"], "Black places a wall on d3");
    }

    #[test]
    fn the_first_turn_says_whose_piece_it_is() {
        let start = view(6, None, &[]);
        assert_eq!((&start["to_move"], &start["places"]), (&json!("white"), &json!("black")));
        let text = start["kinds"][0]["enter"].as_str().unwrap();
        assert!(text.starts_with("places a black flat"), "{text}");
        assert_eq!(start["kinds"].as_array().unwrap().len(), 1);
    }

    #[test]
    fn two_black_flats_are_named_if_two_are_placed() {
        for (stones, enter, says) in [
            (21, "places two black flats: so this game begins", "White places a stack of two black flats on a1"),
            (
                1,
                "places a black flat: in the first turn a piece of the other colour",
                "White places a black flat on a1",
            ),
        ] {
            let view = |moves: &[&str]| {
                let record = Record {
                    start: Start {
                        size: 5,
                        half_komi: 0,
                        opening: "double-black".to_owned(),
                        reserves: Some([[21, 1], [stones, 1]]),
                        tps: None,
                    },
                    moves: moves.iter().map(ToString::to_string).collect(),
                    at: None,
                };
                serde_json::to_value(View::of(&record.play().unwrap())).unwrap()
            };
            assert_eq!(view(&[])["kinds"][0]["enter"], enter);
            assert_eq!(view(&["a1"])["last"]["says"], says);
        }
    }

    #[test]
    fn a_threat_is_announced_and_a_road_is_shown() {
        let tak = view(3, Some("x3/1,1,x/2,2,x 2 4"), &[]);
        assert_eq!(tak["tak"], true);
        let won = view(3, Some("x3/1,1,x/2,2,x 1 4"), &["c2"]);
        assert_eq!((&won["tak"], &won["kinds"]), (&json!(false), &json!([])));
        assert_eq!(
            won["outcome"],
            json!({
                "result": "R-0", "winner": "white", "says": "White wins by a road", "road": ["c2", "b2", "a2"],
            })
        );
        // The shortest of two roads, round no corner that is not needed.
        let won = view(4, Some("x,1,1,x/x,1,x2/1,1,1,1/x,1,2,2 2 9"), &[]);
        assert_eq!(won["outcome"]["road"].as_array().unwrap().len(), 4);
    }

    #[test]
    fn the_view_has_the_drops_of_a_spread() {
        let view = view(5, Some("x5/x5/x5/1121,x4/x5 1 20"), &["4a2>211"]);
        assert_eq!(view["last"]["drops"], json!([["b2", 2], ["c2", 1], ["d2", 1]]));
        assert_eq!(view["last"]["from"], "a2");
    }
}
