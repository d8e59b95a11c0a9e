//! The shipped opening suites: every line is legal, and no two are the same up to symmetry.

use std::collections::HashSet;
use std::path::Path;

use tak_engine::board::{AnyPosition, Color, Komi, Reserve, Setup, Size, Symmetry};
use tak_engine::notation::parse_move;

#[test]
fn suites_are_legal_and_unique_up_to_symmetry() {
    let suites = [
        ("4s_komi0", 4, 200),
        ("4s_double", 4, 200),
        ("5s_double", 5, 200),
        ("5s_komi0", 5, 500),
        ("5s_komi2", 5, 500),
        ("6s_komi0", 6, 500),
        ("6s_komi2", 6, 500),
        ("7s_komi0", 7, 500),
        ("8s_komi0", 8, 500),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openings");
    for (name, width, count) in suites {
        let text = std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
        let size = Size::new(width).unwrap();
        let mut seen = HashSet::new();
        for line in text.lines() {
            let position = if name.ends_with("double") { after_double_stack(line) } else { after_moves(line, size) };
            assert_eq!(position.size(), size, "{name}: {line}");
            assert_eq!(position.ply(), 4, "{name}: {line}");
            assert_eq!(position.outcome(), None, "{name}: {line}");
            let setup = position.to_setup();
            let forms = Symmetry::ALL.map(|symmetry| {
                let turned = AnyPosition::from_setup(&setup.transformed(symmetry)).unwrap();
                turned.to_string()
            });
            assert!(seen.insert(forms.into_iter().min()), "{name}: {line} is there twice");
        }
        assert_eq!(seen.len(), count, "{name}");
    }
}

fn after_moves(line: &str, size: Size) -> AnyPosition {
    let mut position = AnyPosition::start(size, Komi::ZERO);
    for mv in line.split_whitespace() {
        let mv = parse_move(mv, size).unwrap_or_else(|error| panic!("{line}: {error}"));
        position.play(mv).unwrap_or_else(|error| panic!("{line}: {error}"));
    }
    position
}

/// A position four plies after the start with a stack of two black flats: White has placed one or two pieces, Black two
/// or three.
fn after_double_stack(line: &str) -> AnyPosition {
    let setup: Setup = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
    let position = AnyPosition::from_setup(&setup).unwrap_or_else(|error| panic!("{line}: {error}"));
    let placed = |color| Reserve::standard(setup.size).total() - position.reserves()[color].total();
    assert!((1..=2).contains(&placed(Color::White)) && (2..=3).contains(&placed(Color::Black)), "{line}");
    position
}
