//! The page's questions over a WebSocket: its engine, and the log.

use serde_json::{Value, json};

use super::serving::Serving;
use crate::common::wait_until;

pub fn game(size: usize, tps: Option<&str>) -> Value {
    json!({"start": {"size": size, "half_komi": 0, "opening": "swap", "tps": tps}, "moves": []})
}

#[test]
fn the_engine_answers_the_last_question_and_stops() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    assert!(page.text().contains("hello"));
    let think = |game: &Value, seconds: f64| json!({"do": "think", "game": game, "seconds": seconds, "lines": 2});
    // A question ends the one before, which gets a move all the same.
    page.ask(think(&game(6, None), 600.0));
    let mut short = game(6, None);
    short["moves"] = json!(["a1", "f6"]);
    let mut answer = page.ask(json!({"do": "annotate", "game": short, "nodes": 100}));
    while answer["annotation"].is_null() {
        answer = page.answer();
    }
    page.ask(think(&game(6, None), 600.0));
    let won = think(&game(3, Some("x3/1,1,x/2,2,x 2 3")), 30.0);
    let mut answer = page.ask(won);
    while answer["best"].is_null() {
        answer = page.answer();
    }
    assert_eq!(answer["best"], "c1");
    page.ask(think(&game(6, None), 600.0));
    page.send(r#"{"id":999,"do":"stop"}"#);
    while page.answer()["best"].is_null() {}
}

#[test]
fn the_table_is_in_memory_before_the_first_question() {
    let serving = Serving::start(&["--hash", "96"]);
    let _page = serving.socket("/play");
    wait_until("the table is in memory", || serving.resident_mib() >= 96);
}
