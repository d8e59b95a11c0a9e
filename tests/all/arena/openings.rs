//! The shipped opening suites: every line is a legal opening, and no two are the same up to symmetry.

use std::collections::HashSet;
use std::path::Path;

use tak_engine::board::AnyPosition;
use tak_engine::board::{Komi, Size, Symmetry};
use tak_engine::notation::parse_move;

#[test]
fn suites_are_legal_and_unique_up_to_symmetry() {
    let suites = [
        ("4s_komi0", 4),
        ("5s_komi0", 5),
        ("5s_komi2", 5),
        ("6s_komi0", 6),
        ("6s_komi2", 6),
        ("7s_komi0", 7),
        ("8s_komi0", 8),
    ];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("openings");
    for (name, width) in suites {
        let text = std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap();
        let size = Size::new(width).unwrap();
        let mut seen = HashSet::new();
        for line in text.lines() {
            let mut position = AnyPosition::start(size, Komi::ZERO);
            for mv in line.split_whitespace() {
                let mv = parse_move(mv, size).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
                position.play(mv).unwrap_or_else(|error| panic!("{name}: {line}: {error}"));
            }
            assert_eq!(position.ply(), 4, "{name}: {line}");
            assert_eq!(position.outcome(), None, "{name}: {line}");
            let setup = position.to_setup();
            let forms = Symmetry::ALL.map(|symmetry| {
                let turned = AnyPosition::from_setup(&setup.transformed(symmetry)).unwrap();
                turned.to_string()
            });
            assert!(seen.insert(forms.into_iter().min()), "{name}: {line} is there twice");
        }
        assert_eq!(seen.len(), 500, "{name}");
    }
}
