//! A second engine in the analysis and the games of a page: `--engine`.

use std::time::Instant;

use serde_json::{Value, json};

use super::page::game;
use super::serving::{Serving, Socket};
use crate::common::{BINARY, GUARD, wait_until};

/// A server whose second engine is a shell with this script.
fn with_script(script: &str, settings: &[&str]) -> Serving {
    let script = format!("arg={script}");
    let engine = ["--engine", "path=sh", "name=Bad", "arg=-c", &script];
    Serving::start(&[&engine, settings].concat())
}

fn consult(game: &Value, lines: usize) -> Value {
    json!({"do": "consult", "game": game, "lines": lines})
}

/// Asks for a move, and returns the answer after the reports.
fn moved(page: &mut Socket, game: &Value) -> Value {
    let mut answer = page.ask(json!({"do": "consult", "game": game, "seconds": 0.2}));
    while !answer["report"].is_null() {
        answer = page.answer();
    }
    answer
}

/// Reads reports until one is like that.
fn report_with(page: &mut Socket, is_it: impl Fn(&Value) -> bool) {
    let begun = Instant::now();
    loop {
        let answer = page.answer();
        assert!(answer["report"].is_object() && begun.elapsed() < GUARD, "{answer}");
        if is_it(&answer["report"]) {
            return;
        }
    }
}

/// The processes that a server has started.
fn children(serving: &Serving) -> usize {
    let task = format!("/proc/{0}/task", serving.child.id());
    let tasks = std::fs::read_dir(task).unwrap().filter_map(Result::ok);
    let children = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    children.map(|children| children.split_whitespace().count()).sum()
}

#[test]
fn another_engine_analyses_along_with_ours() {
    let path = format!("path={BINARY}");
    let serving = Serving::start(&["--engine", &path, "arg=tei", "name=Other", "option.Hash=2", "option.Threads=1"]);
    let mut page = serving.socket("/play");
    let hello: Value = serde_json::from_str(&page.text()).unwrap();
    assert_eq!(hello["hello"]["second"], "Other");
    assert!(page.ask(consult(&json!("none"), 1))["error"].as_str().unwrap().contains("invalid field"));
    page.ask(consult(&game(6, None), 2));
    report_with(&mut page, |report| {
        report["lines"].as_array().unwrap().len() == 2 && report["depth"].as_u64() > Some(2)
    });
    // Another board needs another start, and the lines are of the last question.
    let won = game(3, Some("x3/1,1,x/2,2,x 2 3"));
    let answer = page.ask(consult(&won, 1));
    if answer["report"]["lines"][0]["proven"] != "Black has a road in 1 move" {
        report_with(&mut page, |report| report["lines"][0]["proven"] == "Black has a road in 1 move");
    }
    // A question to our engine ends it.
    page.ask(consult(&game(6, None), 1));
    report_with(&mut page, |report| report["depth"].as_u64() > Some(1));
    let think = json!({"do": "think", "game": game(5, None), "nodes": 100, "lines": 1});
    let mut answer = page.ask(think);
    while answer["best"].is_null() {
        answer = page.answer();
    }
    let mut other = game(6, None);
    other["start"]["reserves"] = json!([[9, 0], [9, 0]]);
    assert!(page.ask(consult(&other, 1))["error"].as_str().unwrap().contains("usual numbers of pieces"));
    drop(page);
    wait_until("the engine has ended with its page", || children(&serving) == 0);
}

#[test]
fn an_engine_that_fails_is_told_and_started_again() {
    let greeting = "read -r l; echo teiok; while read -r l; do case $l in isready) echo readyok;; go*)";
    for (script, settings, fault) in [
        ("exit 3", &[][..], "it ended (exit status: 3)"),
        (
            &*format!("{greeting} echo info depth 1 score cp 5 pv a1; kill -9 $$;; esac; done"),
            &[],
            "it ended (signal: 9",
        ),
        ("while :; do sleep 1; done", &["stall=0.3"], "at tei: it did not answer in time"),
        (&format!("{greeting} ;; esac; done"), &["stall=0.5"], "at go infinite: it did not answer in time"),
        (&format!("{greeting} while :; do echo info string x; done;; esac; done"), &[], "it printed more than 16 MiB"),
        (&format!("{greeting} echo info error no; echo bestmove;; esac; done"), &[], "no"),
    ] {
        let serving = with_script(script, settings);
        let mut page = serving.socket("/play");
        page.text();
        for moves in [json!([]), json!(["a1"])] {
            let mut position = game(5, None);
            position["moves"] = moves;
            let mut answer = page.ask(consult(&position, 1));
            while !answer["report"].is_null() {
                answer = page.answer();
            }
            assert!(answer["error"].as_str().is_some_and(|error| error.contains(fault)), "{script}: {answer}");
        }
        // The page can be used as before.
        assert!(page.ask(json!({"do": "view", "game": game(5, None)}))["view"].is_object());
    }
    let serving = Serving::start(&["--engine", "path=/nowhere/engine"]);
    let mut page = serving.socket("/play");
    page.text();
    let answer = page.ask(consult(&game(5, None), 1));
    assert!(answer["error"].as_str().unwrap().contains("/nowhere/engine: No such file"), "{answer}");
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    page.text();
    assert!(page.ask(consult(&game(5, None), 1))["error"].as_str().unwrap().contains("unknown question"));
}

#[test]
fn another_engine_plays_games() {
    let path = format!("path={BINARY}");
    let serving = Serving::start(&["--engine", &path, "arg=tei", "option.Hash=2", "option.Threads=1"]);
    let mut page = serving.socket("/play");
    page.text();
    let check = |page: &mut Socket, game: &Value| page.ask(json!({"do": "consult", "game": game, "check": true}));
    assert_eq!(check(&mut page, &game(6, None))["consulted"], true);
    assert_eq!(moved(&mut page, &game(3, Some("x3/1,1,x/2,2,x 2 3")))["consulted"], "c1");
    let by_clock = json!({"do": "consult", "game": game(3, Some("x3/1,1,x/2,2,x 1 3")), "left": 5, "increment": 0});
    let mut answer = page.ask(by_clock);
    while !answer["report"].is_null() {
        answer = page.answer();
    }
    assert_eq!(answer["consulted"], "c2");

    // An engine that plays 5x5 without komi, and answers badly.
    let script = "read -r l; echo size 5 halfkomi 0; echo teiok; while read -r l; do \
        case $l in isready) echo readyok;; *a1*) moves=1;; go*) \
        case $moves in 1) echo bestmove a1;; *) while :; do echo info depth 1 score cp 5 pv a1; sleep 0.1; done;; \
        esac;; esac; done";
    let serving = with_script(script, &["stall=0.5"]);
    let mut page = serving.socket("/play");
    page.text();
    for (size, moves, why) in [
        (6, json!([]), "it does not play 6x6; it offers 5"),
        (5, json!([]), "at go: it did not answer in time"),
        (5, json!(["a1"]), "its move a1 is illegal"),
    ] {
        let mut position = game(size, None);
        position["moves"] = moves;
        let answer = moved(&mut page, &position);
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(why)), "{why}: {answer}");
    }
    // However often it is tried, the reason is the same.
    for _ in 0..5 {
        let answer = check(&mut page, &game(6, None));
        assert!(answer["error"].as_str().unwrap().contains("it offers 5"), "{answer}");
    }
}
