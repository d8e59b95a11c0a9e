//! Files of weights: valid ones can be written and read back unchanged, and any weights can be used in play.

use tak_engine::board::{AnyPosition, Game, Komi, Size};
use tak_engine::engine::{Engine, Limits, Settings, WeightSet};
use tak_engine::eval::{Layer, Weights};
use tak_engine::search::MoveWeights;
use tak_engine::weights::{Model, Section, WeightTable, format_table, sections};

/// Nodes of a search with the weights.
const NODES: u64 = 60;

/// A file of weights.
pub fn file(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let lines = text.lines().count().max(1);
    let models = match WeightSet::default().with_text(&text) {
        Ok(models) => models,
        Err(error) => {
            assert!((1..=lines).contains(&error.line), "{error}");
            return;
        }
    };
    let sections = sections(&text).expect("a text that was read");
    for section in &sections {
        match section.model {
            Model::Evaluation => reads_back::<Weights>(section),
            Model::Layer => reads_back::<Layer>(section),
            Model::Ordering => reads_back::<MoveWeights>(section),
        }
    }
    let mut sizes: Vec<Size> = sections.iter().map(|section| section.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for size in sizes {
        can_be_played_with(&models, size);
    }
}

fn reads_back<T: WeightTable + PartialEq>(section: &Section) {
    let table = section.read::<T>().expect("a table that was read");
    let written = format_table(&*table, section.size);
    let again = sections(&written).expect("a table that was written");
    let [again] = &again[..] else {
        panic!("one table is written as another number of tables:\n{written}");
    };
    assert_eq!((again.model, again.size), (section.model, section.size));
    let again = again.read::<T>().expect("a table that was written");
    assert!(table == again, "{written}");
}

/// A few moves of a game, none of them drawn by chance, with a search of each kind at the end.
fn can_be_played_with(models: &WeightSet, size: Size) {
    let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
    for ply in 0..14 {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            return;
        }
        let _ = game.position().explain(models.evaluator(size));
        game.play(moves[(7 * ply * ply + 3) % moves.len()]).expect("a legal move");
    }
    let mut engine = Engine::new(Settings { hash_mib: 1, weights: models.clone(), ..Settings::default() });
    let report = engine.analyse(&game, Limits::nodes(NODES));
    let best = report.expect("there is a MiB of memory").best();
    let moves = game.position().legal_moves();
    assert_eq!(best.is_some(), !moves.is_empty());
    assert!(best.is_none_or(|best| moves.contains(&best)));
}
