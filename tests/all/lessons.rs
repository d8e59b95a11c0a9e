//! The lessons of the page: every position is legal, and the accepted moves do what the text says.

#![cfg(feature = "page")]

use serde_json::Value;
use tak_engine::board::{
    AnyPosition, ByColor, Color, EndReason, Komi, Move, MoveKind, PieceKind, Position, Reserve, Setup, Square,
    with_position,
};
use tak_engine::page::file;

struct Step {
    name: String,
    record: Value,
    position: AnyPosition,
}

fn steps() -> Vec<Step> {
    let lessons: Vec<Value> = serde_json::from_str(file("/lessons.json").unwrap().text).unwrap();
    assert_eq!(lessons.len(), 12);
    let mut steps = Vec::new();
    for lesson in lessons {
        let records = lesson["steps"].as_array().unwrap();
        assert!((3..=6).contains(&records.len()), "{}", lesson["name"]);
        for (index, record) in records.iter().enumerate() {
            let name = format!("{} {}", lesson["name"].as_str().unwrap(), index + 1);
            steps.push(Step { position: position(record), record: record.clone(), name });
        }
    }
    steps
}

fn position(record: &Value) -> AnyPosition {
    let mut setup: Setup = record["tps"].as_str().unwrap().parse().unwrap();
    setup.komi = Komi::from_half(2 * record["komi"].as_i64().unwrap_or(0)).unwrap();
    if let Some(reserves) = record["reserves"].as_array() {
        let count = |player: usize, kind: usize| reserves[player][kind].as_u64().unwrap() as u8;
        setup.reserves = ByColor([0, 1].map(|player| Reserve { stones: count(player, 0), caps: count(player, 1) }));
    }
    AnyPosition::from_setup(&setup).unwrap_or_else(|error| panic!("{}: {error}", record["tps"]))
}

fn after(position: &AnyPosition, mv: Move) -> AnyPosition {
    let mut next = position.clone();
    next.play(mv).unwrap();
    next
}

fn squares(position: &AnyPosition) -> impl Iterator<Item = Square> {
    let width = position.size().width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

/// The square of a name such as `c3`.
fn named(text: &str) -> Square {
    let mv: Move = text.parse().unwrap();
    mv.square()
}

/// A stack as in TPS.
fn stack(position: &AnyPosition, square: Square) -> String {
    let digit = |depth| if position.color_at(square, depth) == Color::White { '1' } else { '2' };
    let digits: String = (0..position.height(square)).rev().map(digit).collect();
    let kind = match position.top(square) {
        Some((_, PieceKind::Wall)) => "S",
        Some((_, PieceKind::Cap)) => "C",
        _ => "",
    };
    digits + kind
}

/// The squares on which a flat stone of a player is on top.
fn top_flats(position: &AnyPosition, player: Color) -> usize {
    squares(position).filter(|&square| position.top(square) == Some((player, PieceKind::Flat))).count()
}

/// Returns whether a player can finish a road in one move, by trying every one.
fn has_road(position: &AnyPosition, player: Color) -> bool {
    let own = AnyPosition::from_setup(&Setup { to_move: player, ..position.to_setup() }).unwrap();
    own.legal_moves().into_iter().any(|mv| is_won(&after(&own, mv), player, EndReason::Road))
}

fn is_won(position: &AnyPosition, player: Color, reason: EndReason) -> bool {
    position.outcome().is_some_and(|outcome| outcome.winner == Some(player) && outcome.reason == reason)
}

/// Returns whether the top pieces that count join two opposite sides.
fn joins_sides(position: &AnyPosition, player: Color) -> bool {
    fn joined<const N: usize>(position: &Position<N>, player: Color) -> bool {
        position.road_pieces(player).has_road::<N>()
    }
    with_position!(position, position => joined(position, player))
}

/// Returns whether a move does what a rule of the page says.
fn follows(position: &AnyPosition, mv: Move, rule: &str) -> bool {
    let (mover, next) = (position.to_move(), after(position, mv));
    let is_over = next.outcome().is_some();
    match rule {
        "flat" => mv.kind() == MoveKind::Place(PieceKind::Flat),
        "wall" => mv.kind() == MoveKind::Place(PieceKind::Wall),
        "capstone" => mv.kind() == MoveKind::Place(PieceKind::Cap),
        "move" => matches!(mv.kind(), MoveKind::Spread(..)),
        "road" => is_won(&next, mover, EndReason::Road) && joins_sides(&next, mover),
        "both" => is_won(&next, mover, EndReason::Road) && Color::ALL.iter().all(|&color| joins_sides(&next, color)),
        "flats" => {
            next.outcome().is_some_and(|outcome| outcome.winner == Some(mover))
                && !Color::ALL.iter().any(|&color| joins_sides(&next, color))
        }
        "lost" => next.outcome().is_some_and(|outcome| outcome.winner != Some(mover)),
        "tak" => !is_over && has_road(&next, mover),
        "blocks" => !is_over && has_road(position, !mover) && !has_road(&next, !mover),
        "tinue" => {
            let wins_after = |reply| {
                let reply = after(&next, reply);
                reply.outcome().is_none() && has_road(&reply, mover)
            };
            !is_over && next.legal_moves().into_iter().all(wins_after)
        }
        "swapped" => {
            let corners = ["a1", "a5", "e1", "e5"];
            corners.contains(&mv.to_string().as_str()) && next.top(mv.square()) == Some((!mover, PieceKind::Flat))
        }
        _ => panic!("no rule {rule}"),
    }
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The moves that a rule or a list accepts.
fn fitting(step: &Step, rule: &Value) -> Vec<String> {
    let legal = step.position.legal_moves();
    match rule.as_str() {
        Some(rule) => {
            let moves = legal.into_iter().filter(|&mv| follows(&step.position, mv, rule));
            moves.map(|mv| mv.to_string()).collect()
        }
        None => texts(rule),
    }
}

#[test]
fn accepted_moves_do_what_the_lessons_say() {
    for step in steps() {
        let Step { name, record, position } = &step;
        assert!(position.outcome().is_none(), "{name}: the game is over");
        assert!(
            !has_road(position, position.to_move()) || record["accept"] == "road",
            "{name}: there is a road to make"
        );
        let legal: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
        let mut accepted = fitting(&step, &record["accept"]);
        accepted.sort();
        assert!(!accepted.is_empty() && accepted.len() < legal.len(), "{name}: {accepted:?}");
        for text in &accepted {
            assert!(legal.contains(text), "{name}: {text} is not legal");
        }
        if let Some(shown) = record["shows"].as_str() {
            assert!(accepted.iter().any(|text| text == shown), "{name}: {shown} is not among {accepted:?}");
            let rule = record["shown"].as_str();
            assert!(rule.is_none_or(|rule| follows(position, shown.parse().unwrap(), rule)), "{name}: {shown}");
            let next = after(position, shown.parse().unwrap());
            let flats = Color::ALL.map(|color| top_flats(&next, color));
            assert!(record["flats"].is_null() || record["flats"] == serde_json::json!(flats), "{name}: {flats:?}");
        } else {
            assert!(record["accept"].is_array(), "{name}: no move to show");
        }
        // All moves that do the same are accepted.
        if let Some(rule) = record["does"].as_str() {
            let mut same = fitting(&step, &Value::from(rule));
            same.sort();
            assert_eq!(accepted, same, "{name}: {rule}");
        }
        if let Some(stacks) = record["then"].as_object() {
            let does = |mv: &Move| {
                let next = after(position, *mv);
                stacks.iter().all(|(square, code)| stack(&next, named(square)) == *code)
            };
            let same: Vec<String> =
                position.legal_moves().iter().filter(|mv| does(mv)).map(ToString::to_string).collect();
            assert_eq!(accepted, same, "{name}");
        }
        assert_eq!(record["accept"] == "flats", record["flats"].is_array(), "{name}");
        assert!(record["accept"].is_string() || record["does"].is_string() || record["then"].is_object(), "{name}");
        for hint in record["hints"].as_array().into_iter().flatten() {
            let moves = fitting(&step, &hint["if"]);
            assert!(!moves.is_empty(), "{name}: {hint}");
            for text in moves {
                assert!(legal.contains(&text) && !accepted.contains(&text), "{name}: the hint on {text}");
            }
        }
        for text in ["task", "right", "wrong"] {
            assert!(record[text].as_str().is_some_and(|text| text.ends_with(['.', '?'])), "{name}: {text}");
        }
    }
}

/// The squares named in a text are on the board.
#[test]
fn lessons_name_squares_of_their_board() {
    let squares = regex::Regex::new(r"(?-u)\b[a-h][1-8]\b").unwrap();
    for Step { name, record, position } in steps() {
        let width = position.size().width();
        let hints = record["hints"].as_array().into_iter().flatten().map(|hint| &hint["say"]);
        for text in ["task", "right", "wrong"].map(|text| &record[text]).into_iter().chain(hints) {
            for found in squares.captures_iter(text.as_str().unwrap()) {
                let square = named(&found[0]);
                assert!(square.column() < width && square.row() < width, "{name}: {}", &found[0]);
            }
        }
    }
}
