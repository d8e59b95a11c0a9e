//! What the page asks and what it is told.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use tak_engine::board::{AnyPosition, Game, Komi, Size};
use tak_engine::draw::{Diagram, Theme};
use tak_engine::notation::parse_games;

use super::serving::{Serving, eventually};
use crate::common::{BINARY, GUARD};

/// A game with some mistakes in it.
pub const GAME: &str = "a1 e5 c3 c5 d3 b4 b3 a5 e3 e1 a3";

fn start(size: usize) -> Value {
    json!({"size": size, "half_komi": 0, "opening": "swap"})
}

/// Games at random by the library; what the page is told of every position is held against it.
#[test]
fn the_page_is_told_what_the_library_says() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    assert!(page.text().contains("hello"));
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for size in Size::ALL {
        let mut position = AnyPosition::start(size, Komi::ZERO);
        let mut moves: Vec<String> = Vec::new();
        loop {
            let game = json!({"start": start(size.width()), "moves": moves});
            let view = page.ask(json!({"do": "view", "game": game}))["view"].take();
            assert_eq!(view["tps"], position.to_string());
            let outcome = position.outcome().map(|outcome| outcome.to_string());
            assert_eq!(view["outcome"]["result"].as_str().map(str::to_owned), outcome);
            let legal = position.legal_moves();
            let lifted: usize =
                view["squares"].as_array().unwrap().iter().filter(|square| !square["lifts"].is_null()).count();
            let mut from: Vec<_> = legal.iter().filter(|mv| mv.is_spread()).map(|mv| mv.square()).collect();
            from.sort_unstable();
            from.dedup();
            assert_eq!(lifted, from.len());
            if outcome.is_some() || moves.len() > 60 {
                break;
            }
            let mv = legal[random(legal.len())];
            position.play(mv).unwrap();
            moves.push(mv.to_string());
        }
    }
}

#[test]
fn a_spread_is_made_step_by_step_and_wrong_steps_change_nothing() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let game = json!({"start": {"size": 5, "half_komi": 0, "opening": "swap", "tps": "x5/x5/x5/1121,x4/x4,2S 1 20"}, "moves": []});
    let mut ask = |question: Value| {
        let mut question = question;
        question["game"] = game.clone();
        page.ask(question)
    };
    let lifted = ask(json!({"do": "lift", "square": "a2", "count": 3}))["draft"].take();
    assert_eq!((&lifted["hand"], &lifted["next"]), (&json!("121"), &json!(["a3", "b2", "a1"])));
    let error = ask(json!({"do": "drop", "draft": lifted["draft"], "square": "c2"}))["error"].take();
    assert_eq!(error, "a piece has to fall on b2 first");
    let dropped = ask(json!({"do": "drop", "draft": lifted["draft"], "square": "b2"}))["draft"].take();
    assert_eq!((&dropped["hand"], &dropped["next"]), (&json!("21"), &json!(["b2", "c2"])));
    assert_eq!(ask(json!({"do": "reach", "draft": dropped["draft"], "square": "c2"})), json!({"reach": true}));
    let next = ask(json!({"do": "drop", "draft": dropped["draft"], "square": "c2"}))["draft"].take();
    let done = ask(json!({"do": "drop", "draft": next["draft"], "square": "d2"}));
    assert_eq!(done, json!({"move": "3a2>111"}));
    let error = ask(
        json!({"do": "drop", "draft": {"from": "a2", "lifted": 9, "direction": null, "drops": []}, "square": "a3"}),
    );
    assert_eq!(error, json!({"error": "there is no such spread"}));
}

#[test]
fn the_engine_thinks_for_the_page_and_stops_when_told() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let game =
        json!({"start": {"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,x/2,2,x 2 3"}, "moves": []});
    let think = |game: &Value, seconds: f64| json!({"do": "think", "game": game, "seconds": seconds, "lines": 2});
    let mut answer = page.ask(think(&game, 30.0));
    let mut says = Value::Null;
    while answer["best"].is_null() {
        says = answer["report"]["lines"][0].take();
        answer = page.answer();
    }
    assert_eq!((&answer["best"], &says["proven"]), (&json!("c1"), &json!("Black has a road in 1 ply")));
    assert_eq!(says["chances"], json!([0, 0, 1000]));
    // Black is ahead and to move, and the chances are White's.
    let game = json!({"start": {"size": 6, "half_komi": 0, "opening": "swap", "tps": "x6/x6/x2,2,x3/x2,2,1,x2/x2,1,x3/x6 2 3"}, "moves": []});
    let mut answer = page.ask(think(&game, 0.3));
    while answer["best"].is_null() {
        says = answer["report"]["lines"][0].take();
        answer = page.answer();
    }
    let [white, draw, black] = [0, 1, 2].map(|at| says["chances"][at].as_u64().unwrap());
    assert!(white < black && draw > 0, "{says}");
    // A question after another ends that one, and so does a word.
    let game = json!({"start": start(6), "moves": []});
    page.ask(think(&game, 600.0));
    page.send(r#"{"id":999,"do":"stop"}"#);
    while page.answer()["best"].is_null() {}
    let over =
        json!({"start": {"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,1/2,2,x 2 4"}, "moves": []});
    assert_eq!(page.ask(think(&over, 1.0)), json!({"error": "there is nothing to think about: the game is over"}));
}

#[test]
fn the_table_is_in_memory_before_the_first_question() {
    let serving = Serving::start(&["--hash", "96"]);
    let _page = serving.socket("/play");
    eventually("the table is in memory", || serving.resident_mib() >= 96);
}

#[test]
fn levels_and_clocks_are_played_by() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let mut best = |question: Value| {
        let mut answer = page.ask(question);
        while answer["best"].is_null() && answer["error"].is_null() {
            answer = page.answer();
        }
        answer
    };
    let game = json!({"start": start(6), "moves": ["a1", "f6"]});
    let think = |level: u8, seed: u64| json!({"do": "think", "game": game, "seconds": 60, "lines": 1, "level": level, "seed": seed});
    // A level does not take the time it is given, and its seed says what it does by chance.
    let begun = Instant::now();
    let moves: Vec<Value> = (0..20).map(|seed| best(think(1, seed))).collect();
    assert_eq!(moves[7], best(think(1, 7)));
    assert!(moves.iter().any(|mv| *mv != moves[0]), "{moves:?}");
    assert!(begun.elapsed() < GUARD);
    assert_eq!(best(think(21, 0)), json!({"error": "there is no level 21"}));
    // With ten seconds on the clock a move takes a part of them.
    let timed = json!({"do": "think", "game": game, "left": 10.0, "increment": 0.0, "lines": 1});
    assert!(best(timed)["best"].is_string());
    for wrong in [
        json!({"do": "think", "game": game, "lines": 1}),
        json!({"do": "think", "game": game, "left": 10.0, "lines": 1}),
        json!({"do": "think", "game": game, "seconds": 1, "lines": 1, "level": -1}),
    ] {
        assert!(best(wrong)["error"].is_string());
    }
}

/// The page gets what `tak-engine annotate` writes, for the same game and as many nodes.
#[test]
fn a_game_is_annotated_as_in_the_shell() {
    let nodes = 3000;
    let serving = Serving::start(&["--hash", "32"]);
    let mut page = serving.socket("/play");
    let moves: Vec<&str> = GAME.split(' ').collect();
    let game = json!({"start": start(5), "moves": moves});
    let names = json!({"white": "Ada", "black": "Bob"});
    let written = page.ask(json!({"do": "write", "game": game, "names": names}));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("annotated-in-the-browser.ptn");
    fs::write(&file, written["text"]["ptn"].as_str().unwrap()).unwrap();
    let output = Command::new(BINARY).args(["annotate", "--nodes", &nodes.to_string()]).arg(&file).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let expected = String::from_utf8(output.stdout).unwrap();

    let mut looked = Vec::new();
    let mut answer = page.ask(json!({"do": "annotate", "game": game, "names": names, "nodes": nodes}));
    while let Some(count) = answer["looked"].as_u64() {
        looked.push(count);
        answer = page.answer();
    }
    assert_eq!(looked, (1..=moves.len() as u64).collect::<Vec<u64>>());
    let annotation = answer["annotation"].take();
    let timeless = |text: &str| {
        let words = text.split(' ').filter(|word| !word.ends_with("ms"));
        words.collect::<Vec<_>>().join(" ")
    };
    let ptn = annotation["ptn"].as_str().unwrap();
    assert_eq!(timeless(ptn), timeless(&expected));
    // What is shown beside the moves is what stands in the file.
    let game = parse_games(ptn).next().unwrap().unwrap();
    let said = annotation["moves"].as_array().unwrap();
    assert_eq!(said.len(), game.moves.len());
    for (said, written) in said.iter().zip(&game.moves) {
        assert_eq!(said["marks"], written.marks);
        for comment in &written.comments {
            if let Some(note) = comment.strip_prefix("*tak-engine: ") {
                assert!(said["says"].as_array().unwrap().contains(&json!(note)), "{note}");
            }
        }
    }
    assert!(said.iter().any(|said| said["marks"] == "?"), "{said:?}");
    assert!(said.iter().any(|said| { said["says"].as_array().unwrap().contains(&json!("White has a road in 1 ply")) }));
    assert_eq!(annotation["chances"].as_array().unwrap().len(), moves.len() + 1);
    assert_eq!(annotation["chances"][moves.len()], 100.0);
}

#[test]
fn nonsense_is_answered_with_a_reason() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    for question in [
        json!({"do": "dance"}),
        json!({"do": "view"}),
        json!({"do": "view", "game": 7}),
        json!({"do": "view", "game": {"start": start(9), "moves": []}}),
        json!({"do": "view", "game": {"start": start(5), "moves": ["<script>"]}}),
        json!({"do": "view", "game": {"start": start(5), "moves": [], "at": 1}}),
        json!({"do": "lift", "game": {"start": start(5), "moves": []}, "square": "z9"}),
        json!({"do": "lift", "game": {"start": start(5), "moves": []}, "square": "h8"}),
        json!({"do": "read", "text": "", "like": start(5)}),
        json!({"do": "think", "game": {"start": start(5), "moves": ["a1", "a1"]}, "seconds": 1, "lines": 1}),
    ] {
        let answer = page.ask(question.clone());
        assert!(answer["error"].as_str().is_some_and(|error| error.len() > 5), "{question}: {answer}");
    }
    // What is no question at all is passed over.
    for text in ["", "[]", "{", "\u{0}", r#"{"do":"view"}"#, r#"{"id":-1}"#] {
        page.send(text);
    }
    let answer = page.ask(json!({"do": "view", "game": {"start": start(5), "moves": []}}));
    assert_eq!(answer["view"]["size"], 5);
}

#[test]
fn capstones_of_the_rules_look_like_those_of_the_board() {
    let serving = Serving::start(&[]);
    let (_, rules) = serving.get("/how-to-play", &[("Host", &serving.host())]);
    let discs = rules.matches(r#"<circle class="face""#).count();
    let rings = rules.matches(r#"<circle class="ring""#).count();
    assert!(discs > 0);
    assert_eq!(rings, discs);
}

/// The page draws pieces as the diagrams do: both have the same colours, light and dark.
#[test]
fn pieces_have_the_colours_of_the_diagrams() {
    let serving = Serving::start(&[]);
    let (_, style) = serving.get("/style.css", &[("Host", &serving.host())]);
    let game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
    for (place, theme) in [Theme::Light, Theme::Dark].into_iter().enumerate() {
        let diagram = Diagram::of(&game).svg(theme, 400);
        for (name, rule) in [
            ("light", ".tak .light{fill:"),
            ("dark", ".tak .dark{fill:"),
            ("frame", ".tak .frame{fill:none;stroke:"),
            ("white-side", ".tak .white{fill:"),
            ("white-face", ".tak .white .face{fill:"),
            ("black-side", ".tak .black{fill:"),
            ("black-face", ".tak .black .face{fill:"),
            ("last", ".tak .last{fill:"),
            ("road", ".tak .road{fill:"),
        ] {
            let start = format!("  --{name}: ");
            let mine: Vec<&str> = style.split(&start).skip(1).map(|rest| &rest[..7]).collect();
            let color = diagram.split(rule).nth(1).map(|rest| &rest[..7]);
            assert_eq!(Some(mine[place]), color, "{name}, {theme:?}");
        }
    }
}

/// No sequence that a page sends steers the terminal.
#[test]
fn what_pages_send_is_escaped_in_the_log() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    assert!(page.text().contains("hello"));
    page.send("\u{1b}]0;owned\u{7}\u{1b}[31mred");
    let start = json!({"size": 5, "half_komi": 0, "opening": "swap"});
    page.ask(json!({"do": "view", "game": {"start": start, "moves": []}}));
    let (_, log) = serving.end("-TERM");
    assert!(log.contains("owned"), "{log}");
    assert!(!log.contains('\u{1b}') && !log.contains('\u{7}'), "{log:?}");
}
