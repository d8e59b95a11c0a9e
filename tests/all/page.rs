//! The board in the browser without a server: its questions and their answers, and its files.

#![cfg(feature = "page")]

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde_json::{Value, json};
use tak_engine::board::{AnyPosition, Komi, Size};
use tak_engine::engine::{Engine, Settings};
use tak_engine::page::{Question, Response, answer, hello, think};

/// A game with some mistakes in it.
pub const GAME: &str = "a1 e5 c3 c5 d3 b4 b3 a5 e3 e1 a3";

fn start(size: usize) -> Value {
    json!({"size": size, "half_komi": 0, "opening": "swap"})
}

/// A game from a position.
pub fn from(size: usize, tps: &str) -> Value {
    json!({"start": {"size": size, "half_komi": 0, "opening": "swap", "tps": tps}, "moves": []})
}

/// An answer without its number.
fn read(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap();
    assert_eq!(answer.as_object_mut().unwrap().remove("id"), Some(json!(1)));
    answer
}

/// A question with the number 1.
fn number(mut question: Value) -> Question {
    question["id"] = json!(1);
    Question::read(&question.to_string()).unwrap()
}

/// The answer to a question that takes no engine.
pub fn ask(question: Value) -> Value {
    match answer(number(question)) {
        Response::Answer(text) => read(&text),
        other => panic!("{other:?}"),
    }
}

/// All answers of the engine, or the one that refuses the question.
pub fn ask_engine(question: Value) -> Vec<Value> {
    let task = match answer(number(question)) {
        Response::Task(task) => task,
        Response::Answer(text) => return vec![read(&text)],
        Response::Stop => panic!("the question ends a task"),
    };
    let answers = Mutex::new(Vec::new());
    let mut engine = Engine::new(Settings { hash_mib: 32, ..Settings::default() });
    let send = |text: String| answers.lock().unwrap().push(read(&text));
    think(&task, &mut engine, Duration::ZERO, &AtomicBool::new(false), &send);
    answers.into_inner().unwrap()
}

pub fn last(question: Value) -> Value {
    ask_engine(question).pop().expect("an answer")
}

#[test]
fn views_of_random_games_agree_with_the_rules() {
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for size in Size::ALL {
        let mut position = AnyPosition::start(size, Komi::ZERO);
        let mut moves: Vec<String> = Vec::new();
        let mut positions = vec![position.to_string()];
        loop {
            let game = json!({"start": start(size.width()), "moves": moves});
            let view = ask(json!({"do": "view", "game": game}))["view"].take();
            assert_eq!(view["tps"], position.to_string());
            // The page sends a part: the moves since the last placement.
            let placed = moves.iter().rposition(|mv| !mv.contains(['+', '-', '<', '>'])).filter(|&at| at > 1);
            if let Some(at) = placed {
                let mut start = start(size.width());
                start["tps"] = json!(positions[at]);
                let part = json!({"start": start, "moves": moves[at..]});
                assert_eq!(ask(json!({"do": "view", "game": part}))["view"], view);
            }
            let outcome = position.outcome().map(|outcome| outcome.to_string());
            assert_eq!(view["outcome"]["result"].as_str().map(str::to_owned), outcome);
            let legal = position.legal_moves();
            for square in view["squares"].as_array().unwrap() {
                let own = legal.iter().filter(|mv| mv.is_spread() && mv.square().to_string() == square["name"]);
                let own: Vec<Value> = own.map(|mv| mv.to_string().into()).collect();
                assert_eq!(square["spreads"].as_array().cloned().unwrap_or_default(), own);
            }
            if outcome.is_some() || moves.len() > 60 {
                let line = ask(json!({"do": "line", "game": game}))["line"].take();
                assert_eq!(line, json!({"tps": positions, "is_over": outcome.is_some()}));
                break;
            }
            let mv = legal[random(legal.len())];
            position.play(mv).unwrap();
            moves.push(mv.to_string());
            positions.push(position.to_string());
        }
    }
}

#[test]
fn chances_are_those_of_white_when_black_moves() {
    let game = from(6, "x6/x6/x2,2,x3/x2,2,1,x2/x2,1,x3/x6 2 3");
    let answers = ask_engine(json!({"do": "think", "game": game, "seconds": 0.3, "lines": 2}));
    let line = &answers[answers.len() - 2]["report"]["lines"][0];
    let [white, draw, black] = [0, 1, 2].map(|at| line["chances"][at].as_u64().unwrap());
    assert!(white < black && draw > 0, "{line}");
    let over = json!({"do": "think", "game": from(3, "x3/1,1,1/2,2,x 2 4"), "seconds": 1, "lines": 1});
    assert_eq!(last(over), json!({"error": "there is nothing to analyse: the game is over"}));
}

#[test]
fn levels_and_clocks_are_played_by() {
    let game = json!({"start": start(6), "moves": ["a1", "f6"]});
    // The answers of a level depend on the seed alone, and do not take the time given.
    let at_level = |level: u8, seed: u64| {
        last(json!({"do": "think", "game": game, "seconds": 80_000, "lines": 1, "level": level, "seed": seed}))
    };
    let moves: Vec<Value> = (0..20).map(|seed| at_level(1, seed)).collect();
    assert_eq!(moves[7], at_level(1, 7));
    assert!(moves.iter().any(|mv| *mv != moves[0]), "{moves:?}");
    assert_eq!(at_level(31, 0), json!({"error": "invalid level 31"}));
    // A move takes a part of ten seconds on the clock.
    let timed = json!({"do": "think", "game": game, "left": 10.0, "increment": 0.0, "lines": 1});
    assert!(last(timed)["best"].is_string());
    for wrong in [
        json!({"do": "think", "game": game, "lines": 1}),
        json!({"do": "think", "game": game, "left": 10.0, "lines": 1}),
        json!({"do": "think", "game": game, "seconds": 1, "lines": 1, "level": -1}),
    ] {
        assert!(last(wrong)["error"].is_string());
    }
}

/// The page gets the same PTN as `tak-engine annotate` writes for the same game and nodes.
#[cfg(feature = "cli")]
#[test]
fn a_game_is_annotated_as_in_the_shell() {
    let folder = crate::folder::Folder::new("annotated-in-the-browser");
    let nodes = 5000;
    let moves: Vec<&str> = GAME.split(' ').collect();
    let game = json!({"start": start(5), "moves": moves});
    let names = json!({"white": "Ada", "black": "Bob"});
    let written = ask(json!({"do": "write", "game": game, "names": names}));
    folder.file("game.ptn", written["text"]["ptn"].as_str().unwrap());
    let expected = folder.succeed(&format!("annotate --nodes {nodes} --report review.html game.ptn"));

    let mut answers = ask_engine(json!({"do": "annotate", "game": game, "names": names, "nodes": nodes}));
    let annotation = answers.pop().unwrap()["annotation"].take();
    let looked: Vec<Value> = answers.iter_mut().map(|answer| answer["looked"].take()).collect();
    assert_eq!(looked, (1..=moves.len()).map(Value::from).collect::<Vec<_>>());
    let timeless = |text: &str| {
        let words = text.split(' ').filter(|word| !word.ends_with("ms"));
        words.collect::<Vec<_>>().join(" ")
    };
    let ptn = annotation["ptn"].as_str().unwrap();
    assert_eq!(timeless(ptn), timeless(&expected));
    // So is the report.
    let report = print(json!({"ptn": ptn, "looks": annotation["looks"], "nodes": nodes}));
    assert_eq!(report["page"], folder.text("review.html"));
    // The remarks beside the moves are those of the file, with White's chances and lengths in moves.
    let game = tak_engine::notation::parse_games(ptn).next().unwrap().unwrap();
    let said = annotation["moves"].as_array().unwrap();
    assert_eq!(said.len(), game.moves.len());
    for (said, written) in said.iter().zip(&game.moves) {
        assert_eq!(said["marks"], written.marks);
        for comment in &written.comments {
            if let Some(note) = comment.strip_prefix("*tak-engine: ") {
                let line = note.rsplit([':', ',']).next().unwrap().trim();
                let begins = note.split([':', ',']).next().unwrap().split(" in ").next().unwrap();
                let is_it =
                    |says: &Value| says.as_str().is_some_and(|says| says.starts_with(begins) && says.ends_with(line));
                assert!(said["says"].as_array().unwrap().iter().any(is_it), "{note}: {said}");
            }
        }
    }
    assert!(said.iter().any(|said| said["marks"] == "?"), "{said:?}");
    // Mistakes, and they alone, have a better line that begins from the position before them.
    for (at, said) in said.iter().enumerate() {
        let is_mistake = said["marks"].as_str().unwrap().contains('?');
        assert_eq!(said["better"].is_object(), is_mistake, "{said}");
        if is_mistake {
            let line = said["better"]["line"].as_array().unwrap();
            let line = line.iter().map(|mv| mv["text"].as_str().unwrap());
            let played: Vec<&str> = moves[..at].iter().copied().chain(line).collect();
            assert!(
                ask(json!({"do": "view", "game": {"start": start(5), "moves": played}}))["view"].is_object(),
                "{said}"
            );
            assert_ne!(said["better"]["line"][0]["text"], moves[at]);
            assert!(said["better"]["why"].as_str().unwrap().contains(played[at]), "{said}");
        }
    }
    assert!(
        said.iter().any(|said| { said["says"].as_array().unwrap().contains(&json!("White has a road in 1 move")) })
    );
    assert_eq!(annotation["chances"].as_array().unwrap().len(), moves.len() + 1);
    assert_eq!(annotation["chances"][moves.len()], 100.0);
}

/// The page about an annotated game.
#[cfg(feature = "draw")]
fn print(mut question: Value) -> Value {
    question["do"] = json!("print");
    read(&tak_engine::page::Explorer::new(0).answer(number(question)))
}

/// Stored annotations may be anything.
#[cfg(feature = "draw")]
#[test]
fn nonsense_makes_no_report() {
    let look = |score: i64, line: &str| json!({"score": score, "line": line, "depth": 1, "nodes": u64::MAX, "ms": 0});
    let answer = print(json!({"ptn": "", "looks": [look(1 << 40, "")], "nodes": 1}));
    assert!(answer["error"].as_str().unwrap().starts_with("invalid field \"looks\""), "{answer}");
    for (ptn, looks) in
        [("", 0), ("", 1), ("[Size \"5\"]\n1. a1 a1", 3), ("[Size \"5\"]\n1. a1", 1), ("[Size \"9\"]\n1. a1", 2)]
    {
        let looks = vec![look(0, "a1"); looks];
        let answer = print(json!({"ptn": ptn, "looks": looks, "nodes": 1}));
        assert_eq!(answer["error"], "this annotation does not fit its game", "{ptn}");
    }
    // Lines that cannot be played, and scores that do not fit the position.
    let moves = GAME.split(' ').count();
    for seed in 0..200_usize {
        let looks: Vec<_> = (0..=moves)
            .map(|at| {
                let value = (seed * 7919 + at * 104_729) % 65_000;
                let mut look =
                    look(value as i64 - 32_500, ["", "a1", "8h8+11111111", "Ch8 Sh8 a1 a1", "a1> b2"][value % 5]);
                if value % 3 == 0 {
                    look["other"] =
                        json!({"score": 32_000 - value as i64, "line": if value % 2 == 0 { "e5" } else { "" }});
                    look["only"] = ["win", "win-or-loss", "level"][value / 3 % 3].into();
                }
                if value % 7 == 0 {
                    look["road"] = json!(value % 2);
                }
                look
            })
            .collect();
        let answer = print(json!({"ptn": format!("[Size \"5\"]\n{GAME}"), "looks": looks, "nodes": 1}));
        assert!(answer["page"].is_string() || answer["error"].is_string(), "{answer}");
    }
}

#[test]
fn nonsense_is_answered_with_a_reason() {
    for question in [
        json!({"do": "dance"}),
        json!({"do": ["view"]}),
        json!({"do": "collect", "bytes": 1}),
        json!({"do": "view"}),
        json!({"do": "view", "game": 7}),
        json!({"do": "view", "game": {"start": start(9), "moves": []}}),
        json!({"do": "view", "game": {"start": start(5), "moves": ["<script>"]}}),
        json!({"do": "view", "game": {"start": start(5), "moves": [], "at": 1}}),
        json!({"do": "read", "text": "", "like": start(5)}),
        json!({"do": "think", "game": {"start": start(5), "moves": ["a1", "a1"]}, "seconds": 1, "lines": 1}),
    ] {
        let answer = ask(question.clone());
        assert!(answer["error"].as_str().is_some_and(|error| error.len() > 5), "{question}: {answer}");
    }
    for text in ["", "[]", "{", "\u{0}", r#"{"do":"view"}"#, r#"{"id":-1}"#] {
        assert!(Question::read(text).is_none(), "{text:?}");
    }
    assert!(matches!(answer(number(json!({"do": "stop"}))), Response::Stop));
}

/// A game without a komi has that of a TPS in the shell.
#[test]
fn the_usual_komi_is_that_of_the_shell() {
    let game = json!({"start": {"size": 6, "opening": "swap"}, "moves": []});
    let view = ask(json!({"do": "view", "game": game}));
    let position: AnyPosition = "x6/x6/x6/x6/x6/x6 1 1".parse().unwrap();
    assert_eq!(view["view"]["half_komi"], position.komi().half());
}

#[test]
fn the_greeting_names_boards_and_limits() {
    let greeting: Value = serde_json::from_str(&hello(None)).unwrap();
    let hello = &greeting["hello"];
    assert_eq!(hello["sizes"][2], json!([5, 21, 1]));
    let komis = hello["half_komi"][1].as_i64().unwrap() - hello["half_komi"][0].as_i64().unwrap() + 1;
    assert_eq!(hello["komi_means"].as_array().unwrap().len() as i64, komis);
    // The page learns here who answers its questions, and under which name.
    let questions = hello["questions"].as_object().unwrap();
    assert_eq!(questions["collect"], json!({"worker": "explorer", "answer": "collected"}));
    assert_eq!(questions["stop"], json!({"worker": "engine", "answer": ""}));
    let game = json!({"start": start(3), "moves": ["a1", "c3"]});
    // Others answer those of the explorer, and those for a second engine.
    let is_asked = |name: &str, row: &Value| name != "stop" && (row["worker"] == "clerk" || row["worker"] == "engine");
    for (name, row) in questions.iter().filter(|(name, row)| is_asked(name, row)) {
        let mut question = json!({"do": name, "game": game, "nodes": 100, "plies": 2});
        match &**name {
            "think" => question["lines"] = json!(1),
            "read" => (question["text"], question["like"]) = (json!("1. a1 c3"), start(3)),
            _ => {}
        }
        let answer = last(question);
        assert!(!answer[row["answer"].as_str().unwrap()].is_null(), "{name}: {answer}");
    }
}
