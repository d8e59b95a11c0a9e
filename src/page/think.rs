//! Tasks of the page that take an engine: a search, and the annotation of a game.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use serde_json::{Value, json};

use super::annotation::annotation_view;
use super::answer::{Task, Work};
use super::defend::defend;
use super::question::{Kind, message};
use super::search_view::search_view;
use crate::analysis::annotate::examine::{GameAnalysis, settings_for};
use crate::analysis::annotate::judge::judge;
use crate::analysis::annotate::source::Source;
use crate::engine::{Engine, HashError, Limits, SearchRequest, Settings};

/// Runs a task and sends its answers. `waited` is the time since the question.
///
/// After `stop` is set, a search still sends its best move, an annotation sends nothing more, and a task that has not
/// begun does nothing. The engine's table size is the maximum used.
pub fn think(task: &Task, engine: &mut Engine, waited: Duration, stop: &AtomicBool, send: &(dyn Fn(String) + Sync)) {
    if stop.load(Relaxed) {
        return;
    }
    let reply = |answer: Value| send(message(task.id, answer));
    let done = match &task.work {
        Work::Think { game, limits, lines, level, seed } => {
            engine.set(Settings { multipv: *lines, level: *level, seed: *seed, ..engine.settings().clone() });
            let position = game.position();
            let report = |report: &_| reply(json!({"report": search_view(position, report)}));
            let request = SearchRequest { waited, ..SearchRequest::new((**game).clone(), *limits) };
            engine.run_with(&request, Some(stop), report).map(|found| {
                report(&found);
                reply(Kind::Think.answer(json!(found.best().map(|mv| mv.to_string()))));
            })
        }
        Work::Defend { position, plies } => {
            defend(position, *plies, engine, stop).map(|found| reply(Kind::Defend.answer(found.view())))
        }
        Work::Annotate { source, nodes } => {
            let own = engine.settings().clone();
            let done = annotate(engine, source, *nodes, stop, &reply);
            engine.set(own);
            // If this fails, the next search reports it.
            _ = engine.prepare();
            done
        }
    };
    if let Err(error) = done {
        reply(json!({"error": error.to_string()}));
    }
}

fn annotate(
    engine: &mut Engine,
    source: &Source,
    nodes: u64,
    stop: &AtomicBool,
    reply: &(dyn Fn(Value) + Sync),
) -> Result<(), HashError> {
    let Some(game) = &source.game else {
        return Ok(());
    };
    let limits = Limits::nodes(nodes);
    let settings = settings_for(&limits, engine.settings().weights.clone());
    engine.set(Settings { hash_mib: settings.hash_mib.min(engine.settings().hash_mib), ..settings });
    engine.prepare()?;
    let steps = AtomicUsize::new(0);
    let step = || {
        // Each position takes two steps; the last position ends the work.
        let done = steps.fetch_add(1, Relaxed) + 1;
        if done.is_multiple_of(2) && done / 2 <= game.moves().len() {
            reply(json!({"looked": done / 2}));
        }
    };
    if let Some(analyses) = GameAnalysis::new(game, limits, stop, &step).work(engine)? {
        let annotated = judge(source.clone(), &analyses);
        reply(Kind::Annotate.answer(annotation_view(game.start(), &annotated, &analyses)));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::page::answer::{Response, answer};
    use crate::page::question::Question;

    /// The answers to a question that takes an engine. `stop` is set after `stop_after` of them.
    fn thoughts(engine: &mut Engine, mut question: Value, stop_after: usize) -> Vec<Value> {
        question["id"] = json!(1);
        let Response::Task(task) = answer(Question::read(&question.to_string()).unwrap()) else {
            panic!("{question} takes no engine");
        };
        let (answers, stop) = (Mutex::new(Vec::new()), AtomicBool::new(stop_after == 0));
        let send = |text: String| {
            let mut answers = answers.lock().unwrap();
            answers.push(serde_json::from_str(&text).unwrap());
            stop.store(answers.len() >= stop_after, Relaxed);
        };
        think(&task, engine, Duration::ZERO, &stop, &send);
        answers.into_inner().unwrap()
    }

    fn engine() -> Engine {
        Engine::new(Settings { hash_mib: 1, ..Settings::default() })
    }

    fn game(size: usize, tps: Option<&str>, moves: &str) -> Value {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        json!({"start": {"size": size, "half_komi": 0, "opening": "swap", "tps": tps}, "moves": moves})
    }

    #[test]
    fn chances_are_those_of_white_and_wins_are_named() {
        for (tps, best, says, chances) in [
            ("x3/1,1,x/2,2,x 1 3", "c2", "White has a road in 1 move", [1000, 0, 0]),
            ("x3/1,1,x/2,2,x 2 3", "c1", "Black has a road in 1 move", [0, 0, 1000]),
        ] {
            let question = json!({"do": "think", "game": game(3, Some(tps), ""), "seconds": 20, "lines": 2});
            let answers = thoughts(&mut engine(), question, usize::MAX);
            let [.., report, end] = &answers[..] else {
                panic!("{answers:?}");
            };
            let line = &report["report"]["lines"][0];
            assert_eq!((&line["proven"], &line["chances"]), (&json!(says), &json!(chances)));
            assert_eq!(end["best"], best);
        }
    }

    #[test]
    fn a_stopped_search_sends_a_move_and_no_annotation() {
        let endless = json!({"do": "think", "game": game(6, None, ""), "seconds": 86_400, "lines": 1});
        assert!(thoughts(&mut engine(), endless.clone(), 0).is_empty());
        assert!(thoughts(&mut engine(), endless, 1).pop().unwrap()["best"].is_string());
        let moves = "a1 f6 c3 d4 c4 d3 b4 e3";
        let annotate = json!({"do": "annotate", "game": game(6, None, moves), "nodes": 10_000_000});
        assert!(thoughts(&mut engine(), annotate.clone(), 0).is_empty());
        let few = json!({"do": "annotate", "game": game(6, None, moves), "nodes": 100});
        let answers = thoughts(&mut engine(), few, 3);
        assert_eq!(
            answers,
            [json!({"id": 1, "looked": 1}), json!({"id": 1, "looked": 2}), json!({"id": 1, "looked": 3})]
        );
    }
}
