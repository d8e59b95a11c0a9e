//! No text causes a panic, and what can be read survives its text.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use super::notation::assert_takparse_agrees;
use super::ptn::moves;
use crate::cases::cases;
use fast_tak::takparse;
use proptest::prelude::*;
use tak_engine_core::board::{Komi, Setup, Size};
use tak_engine_core::notation::{parse_games, parse_move};

/// Texts composed of notation get further into the parsers than arbitrary ones.
const LIKE_MOVES: &str = "[a-i1-9FSCfsc<>+\\-*'!?0 ]{0,14}";
const LIKE_TPS: &str = "[x0-9SCF,/ ]{0,60}";
const LIKE_PTN: &str = "(\\[Size \"5\"\\]\n(1\\. a1 e5 )?)?(\\[(Size|TPS|Komi|Flats|Caps1|Opening|Result) ?\"[a-z0-9./ -]{0,9}\"?\\]?|\\[Foo q\\]|\\[q\\]|\\[Komi \"q\"\\]|\\{q\\}|;q\n|\n\n\\{q\\}\n|\\(q|[1-9]-1\\.q|q|[1-9]\\.|a1|2b2>11|--|;|%|\\(|\\)|\\$1|!\\?|\\{|\\}|R-0|\n|\\[| |\"|\\\\|é|🦀){0,40}";

/// The text of a stack according to takparse, if it can be read.
fn takparse_stack(text: &str) -> Option<String> {
    text.parse::<takparse::Stack>().ok().map(|stack| stack.to_string())
}

fn survives_its_text<T: FromStr + Display + PartialEq + Debug>(value: &T) {
    let again: Option<T> = value.to_string().parse().ok();
    assert_eq!(again.as_ref(), Some(value));
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(600)
    })]

    #[test]
    fn no_text_makes_a_panic(text in any::<String>()) {
        let _ = text.parse::<Setup>();
        let _ = text.parse::<Komi>();
        for size in Size::ALL {
            let _ = parse_move(&text, size);
        }
        for game in parse_games(&text) {
            let _ = game.map(|game| game.to_string());
        }
    }

    #[test]
    fn texts_like_moves_are_moves_or_errors(text in LIKE_MOVES) {
        for size in Size::ALL {
            if let Ok(mv) = parse_move(&text, size) {
                survives_its_text(&mv);
                prop_assert_eq!(parse_move(&mv.to_string(), size), Ok(mv));
            }
        }
    }

    #[test]
    fn takparse_reads_the_same_moves(text in LIKE_MOVES) {
        assert_takparse_agrees(&text);
    }

    #[test]
    fn takparse_reads_the_same_spreads(text in "[1-8]?[a-h][1-8][<>+-][1-8]{0,9}[*'!?]{0,3}") {
        assert_takparse_agrees(&text);
    }

    #[test]
    fn takparse_reads_the_same_stacks(text in "[12]{0,7}[12SCFx3é]{0,3}") {
        let tps = format!("x3/x3/{text},x2 1 9");
        let ours = tps.parse::<Setup>().ok().map(|setup| setup.to_string());
        let theirs = takparse_stack(&text).map(|stack| format!("x3/x3/{stack},x2 1 9"));
        // takparse does not treat empty squares as stacks.
        prop_assert_eq!(ours.filter(|_| !text.starts_with('x')), theirs);
    }

    #[test]
    fn texts_like_positions_are_positions_or_errors(text in LIKE_TPS) {
        if let Ok(setup) = text.parse::<Setup>() {
            survives_its_text(&setup);
        }
    }

    #[test]
    fn rows_like_positions_are_positions_or_errors(
        rows in prop::collection::vec("(x[1-4]?|[12]{1,3}[SCF]?)(,(x|[12]{1,5}[SC]?)){0,3}", 3..6),
        side in "[0-3]",
        number in 0..50_u32,
    ) {
        if let Ok(setup) = format!("{} {side} {number}", rows.join("/")).parse::<Setup>() {
            survives_its_text(&setup);
            if let Ok(position) = setup.position::<4>() {
                survives_its_text(&position);
            }
        }
    }
}

// Long texts of many parts take long to make.
proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases(150) as u32)
    })]

    #[test]
    fn texts_like_files_are_games_or_errors(text in LIKE_PTN) {
        // Every `q` gets a number of its own.
        let parts: Vec<&str> = text.split('q').collect();
        let numbered: Vec<String> = parts.iter().enumerate().map(|(number, part)| format!("{part}q{number}_")).collect();
        let text = numbered.concat();
        let lines = text.split('\n').count();
        let (mut written, mut is_whole) = (String::new(), !text.contains('%'));
        for game in parse_games(&text) {
            match game {
                Ok(game) => {
                    let again: Vec<_> = parse_games(&game.to_string()).collect();
                    prop_assert_eq!(again.len(), 1);
                    prop_assert_eq!(again[0].as_ref().map(moves), Ok(moves(&game)));
                    written += &game.to_string();
                }
                Err(error) => {
                    prop_assert!((1..=lines).contains(&error.line));
                    is_whole = false;
                }
            }
        }
        // Nothing that says something is lost.
        let lost = (0..parts.len() - 1).find(|number| !written.contains(&format!("q{number}_")));
        prop_assert!(!is_whole || lost.is_none(), "q{:?}: {written}", lost);
    }
}
