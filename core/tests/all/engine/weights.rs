//! Files of weights: those shipped, those refused, writing and reading back, and playing with them.

use std::collections::HashSet;
use std::path::Path;

use crate::tempo::{HEAD, QUIET, only_tempo};
use proptest::prelude::*;
use tak_engine_core::board::{Game, Komi, Size};
use tak_engine_core::engine::{Engine, Limits, Settings, WeightSet};
use tak_engine_core::eval::{self, Layer, NEURONS, Weights};
use tak_engine_core::search::{MoveWeights, move_weights};
use tak_engine_core::testing::section;
use tak_engine_core::weights::{Model, WeightTable, WeightsError, format_table, sections};

fn shipped(model: Model, size: Size) -> String {
    let folder = match model {
        Model::Evaluation => "src/eval/weights",
        Model::Layer => "src/eval/layers",
        Model::Ordering => "src/search/policy/weights",
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    std::fs::read_to_string(folder.join(format!("{size}s.txt"))).unwrap()
}

fn read<T: WeightTable>(text: &str) -> Result<(Size, Box<T>), WeightsError> {
    let sections = sections(text)?;
    assert_eq!(sections[0].model, T::MODEL);
    Ok((sections[0].size, sections[0].read()?))
}

fn written_back<T: WeightTable + PartialEq + std::fmt::Debug + 'static>(builtin: impl Fn(Size) -> &'static T) {
    for size in Size::ALL {
        let text = shipped(T::MODEL, size);
        let (found, table) = read::<T>(&text).unwrap();
        assert_eq!(found, size);
        assert_eq!(format_table(&*table, size), text, "{} {size}", T::MODEL);
        assert_eq!(&*table, builtin(size));
    }
}

#[test]
fn shipped_files_are_rewritten_byte_for_byte() {
    written_back::<Weights>(eval::weights);
    written_back::<Layer>(eval::layer);
    written_back::<MoveWeights>(move_weights);
}

#[test]
fn a_name_stands_for_one_term() {
    for terms in [Weights::TERMS, Layer::TERMS, MoveWeights::TERMS] {
        let names: HashSet<&str> = terms.iter().map(|term| term.name).collect();
        assert_eq!(names.len(), terms.len());
    }
}

#[test]
fn a_row_that_is_missing_weighs_nothing() {
    let text = format!("# mine\n\n{HEAD}tempo|0||1|-2|3|0|0|4\n  supports | 3 |?| 5|5|5|5|5|5\r\n");
    let (size, table) = read::<Weights>(&text).unwrap();
    assert_eq!(size.width(), 5);
    let term = |name| Weights::TERMS.iter().find(|term| term.name == name).unwrap();
    let row = |name, row| [0, 1, 2, 3, 4, 5].map(|column| table.get(term(name), row, column));
    assert_eq!(row("tempo", 0), [1, -2, 3, 0, 0, 4]);
    assert_eq!(row("supports", 3), [5; 6]);
    let sum: i32 = table.as_flattened().as_flattened().iter().map(|w| w.abs()).sum();
    assert_eq!(sum, 10 + 30);
}

/// Texts of a section of the table, each with its fault.
fn faults(name: &str) -> impl Iterator<Item = (String, &'static str)> {
    let rows = section(include_str!("weights.txt"), name).map(|row| row.split_once("=> ").unwrap());
    rows.map(|(text, fault)| (text.strip_suffix(' ').unwrap().replace("\\n", "\n"), fault))
}

fn refusal(text: &str) -> String {
    let read = WeightSet::default().with_text(text);
    read.expect_err(text).to_string()
}

#[test]
fn a_text_begins_with_model_and_size() {
    let mark = "\u{FEFF}tak-engine weights | ordering | 6".to_owned();
    let mark = (mark, "line 1: invalid board size \"6\": expected 3x3 to 8x8");
    for (text, message) in faults("beginnings").chain([mark]) {
        assert_eq!(refusal(&text), message);
    }
}

#[test]
fn a_wrong_row_is_reported_with_line_and_term() {
    for (row, message) in faults("rows of an evaluation that has a row for komi") {
        let text = format!("{HEAD}komi | 0 | | 1 | 1 | 1 | 1 | 1 | 1\n{row}\n");
        assert_eq!(refusal(&text), format!("line 4: {message}"));
    }
}

#[test]
fn a_row_has_the_columns_of_its_term() {
    for (rows, message) in faults("columns and rows of an ordering") {
        let text = format!("tak-engine weights | ordering | 4x4\nterm | index | meaning | {rows}\n");
        assert_eq!(refusal(&text), format!("line 3: {message}"));
    }
    let text = "tak-engine weights | ordering | 4x4\nspread evades | 0 | | 1\n";
    assert_eq!(refusal(text), "line 2: spread evades has the columns weight, not \"\"");
}

#[test]
fn a_column_that_is_missing_weighs_nothing() {
    let text = |columns| {
        format!("tak-engine weights | layer | 6x6\nterm | index | meaning | {columns}\ntempo | 0 | | 5 | -6\n")
    };
    let (size, table) = read::<Layer>(&text("2 | w1")).unwrap();
    let tempo = Layer::TERMS.iter().find(|term| term.name == "tempo").unwrap();
    let weights = (0..2 * NEURONS).map(|column| table.get(tempo, 0, column));
    let expected = (0..2 * NEURONS).map(|column| match column {
        1 => 5,
        NEURONS => -6,
        _ => 0,
    });
    assert!(weights.eq(expected));
    let written = format_table(&*table, size);
    assert!(
        written.ends_with("\n\nterm  | index | meaning |     2 |    w1\ntempo |     0 |         |     5 |    -6\n"),
        "{written}"
    );
    for (columns, wrong) in [("w1 | 2", "2"), ("2 | 2", "2"), ("2 | 62", "62"), ("", "")] {
        let refusal = refusal(&text(columns));
        assert_eq!(refusal, format!("line 3: tempo has no column \"{wrong}\" in this place"));
    }
    // The other models have all columns.
    let narrow = "tak-engine weights | evaluation | 6x6\nterm | index | meaning | opening\ntempo | 0 | | 1\n";
    assert!(refusal(narrow).starts_with("line 3: tempo has the columns opening | middle"), "{}", refusal(narrow));
}

#[test]
fn one_text_may_hold_several_tables() {
    let [three, four] = [3, 4].map(|width| Size::new(width).unwrap());
    let text = [format_table(eval::weights(four), three), format_table(move_weights(three), four)].concat();
    let models = WeightSet::default().with_text(&text).unwrap();
    assert_eq!(models.evaluation(three), eval::weights(four));
    assert_eq!(models.evaluation(four), eval::weights(four));
    assert_eq!(models.ordering(four), move_weights(three));
    assert_eq!(models.ordering(three), move_weights(three));
    // A line in the second table is counted from the beginning of the text.
    let lines = text.lines().count();
    let error = WeightSet::default().with_text(&format!("{text}gone\n")).unwrap_err();
    assert_eq!(error.line, lines + 1);
    assert_eq!(error.problem, "unknown term \"gone\"");
    let twice = format!("{text}{HEAD}# again\n{HEAD}");
    assert_eq!(refusal(&twice), format!("line {}: duplicate table evaluation of 5x5", lines + 4));
}

/// Tables with some weights at random.
fn table<T: WeightTable + std::fmt::Debug>() -> impl Strategy<Value = (Size, Box<T>)> {
    let cell = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<prop::sample::Index>());
    let cells = prop::collection::vec((cell, -T::LIMIT..=T::LIMIT), 0..200);
    (prop::sample::select(&Size::ALL[..]), cells).prop_map(|(size, cells)| {
        let mut table = T::zero();
        for ((term, row, column), weight) in cells {
            let term = &T::TERMS[term.index(T::TERMS.len())];
            let column = column.index(T::columns(term, size).len());
            let row = row.index(term.rows());
            table.set(term, row, column, weight.clamp(-T::limit(term), T::limit(term)));
        }
        (size, table)
    })
}

proptest! {
    #[test]
    fn reading_undoes_writing(
        (size, evaluation) in table::<Weights>(),
        (another, layer) in table::<Layer>(),
        (other, ordering) in table::<MoveWeights>(),
    ) {
        prop_assert_eq!(read::<Layer>(&format_table(&*layer, another)).unwrap(), (another, layer));
        prop_assert_eq!(read::<Weights>(&format_table(&*evaluation, size)).unwrap(), (size, evaluation));
        prop_assert_eq!(read::<MoveWeights>(&format_table(&*ordering, other)).unwrap(), (other, ordering));
    }

    /// Any damaged file is read or refused, and one that is read can be written and read again.
    #[test]
    fn a_damaged_file_is_read_or_refused(
        model in prop::sample::select(&Model::ALL[..]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), "[-|a-z0-9# \n\u{e9}]{0,4}"), 1..5),
    ) {
        let size = Size::ALL[2];
        let mut text = shipped(model, size);
        text.truncate(4000);
        for (place, with) in damage {
            let place = place.index(text.len());
            let place = (place..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap();
            let next = (place + 1..=text.len()).find(|&at| text.is_char_boundary(at));
            text.replace_range(place..next.unwrap_or(place), &with);
        }
        if let Ok(models) = WeightSet::default().with_text(&text) {
            let again = WeightSet::default().with_text(&models.text(size)).unwrap();
            prop_assert_eq!(again.evaluator(size), models.evaluator(size));
            prop_assert_eq!(again.ordering(size), models.ordering(size));
        }
    }
}

/// The score of a search of one ply.
fn score(engine: &mut Engine) -> i32 {
    let game = Game::new(QUIET.parse().unwrap());
    let limits = Limits::depth(1);
    let report = engine.analyse(&game, limits).unwrap();
    report.lines[0].score.value()
}

#[test]
fn engines_of_one_process_have_weights_of_their_own() {
    let settings = |models| Settings { hash_mib: 1, weights: models, ..Settings::default() };
    let models = |tempo| WeightSet::default().with_text(&only_tempo(tempo)).unwrap();
    let mut usual = Engine::new(settings(WeightSet::default()));
    let mut other = Engine::new(settings(models(321)));
    let before = score(&mut usual);
    assert_eq!(score(&mut other), -321);
    assert_eq!(score(&mut usual), before);
    // Earlier entries of the table no longer count.
    other.set(settings(models(-45)));
    assert_eq!(score(&mut other), 45);
    other.set(settings(WeightSet::default()));
    assert_eq!(score(&mut other), before);
}

fn size(width: u64) -> Size {
    Size::new(width).unwrap()
}

/// A layer was fitted to the error of one evaluation, so another one comes without it.
#[test]
fn weights_of_the_evaluation_come_without_a_layer() {
    let six = size(6);
    let mut layer = Layer::zero();
    layer.bias[0] = 512;
    layer.output[0] = [1600; 3];
    let [weights, layer] = [format_table(eval::weights(six), six), format_table(&*layer, six)];
    let models = |texts: &[&str]| WeightSet::default().with_text(&texts.concat()).unwrap();
    let position = tak_engine_core::board::AnyPosition::start(six, Komi::default());
    let units = |models: &WeightSet| {
        let explained = position.explain(models.evaluator(six));
        explained.last().unwrap().score as i32
    };
    assert_eq!(units(&models(&[&layer])), 100);
    assert_eq!(units(&models(&[&weights])), 0);
    assert_eq!(units(&models(&[&weights, &layer])), 100);
    assert_eq!(units(&models(&[&layer, &weights])), 0);
    // One file after the other is as good as both in one.
    let both = models(&[&weights]).with_text(&layer).unwrap();
    assert_eq!(both, models(&[&weights, &layer]));
    // Other sizes keep theirs.
    assert_eq!(models(&[&weights]).layer(size(5)), eval::layer(size(5)));
}
