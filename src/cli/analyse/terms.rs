//! The terms of the static evaluation as a table for people.

use std::fmt;

use crate::board::Color;
use crate::eval::Explained;

/// The table: the terms that count, the largest first, as scores for White, and their sum.
pub(super) struct Table {
    pub terms: Vec<Explained>,
    pub mover: Color,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.mover == Color::White { 0.01 } else { -0.01 };
        let mut rows: Vec<(&str, f64)> = self.terms.iter().map(|term| (label(term.name), sign * term.score)).collect();
        let sum: f64 = rows.iter().map(|(_, score)| score).sum();
        rows.retain(|(_, score)| score.abs() >= 0.005);
        rows.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        writeln!(f, "{:<48}{:>8}", "evaluation without search", "White")?;
        for (label, score) in rows {
            writeln!(f, "{label:<48}{score:>+8.2}")?;
        }
        writeln!(f, "{:<48}{sum:>+8.2}", "sum")
    }
}

/// A term in words; the name that the weights have for one that is not listed.
fn label(name: &'static str) -> &'static str {
    const LABELS: [(&str, &str); 37] = [
        ("flats by square", "flats: where they are"),
        ("flats by neighbours", "flats: friends and enemies beside them"),
        ("walls by square", "walls: where they are"),
        ("walls by neighbours", "walls: all pieces beside them"),
        ("enemies beside walls", "walls: enemy flats beside them"),
        ("capstones by square", "capstones: where they are"),
        ("capstone mobility", "capstones: squares that they reach"),
        ("enemies beside capstone", "capstones: enemies beside them"),
        ("friends beside capstone", "capstones: own flats beside them"),
        ("supports", "stacks: own pieces to carry"),
        ("captives", "stacks: captured pieces to carry"),
        ("deep supports", "stacks: own pieces too deep to carry"),
        ("deep captives", "stacks: captured pieces too deep to carry"),
        ("firm stacks", "stacks: own piece right below the top"),
        ("supports by square", "stacks: own pieces, by square"),
        ("captives by square", "stacks: captured pieces, by square"),
        ("stack mobility", "stacks: squares that they reach"),
        ("stack power", "stacks: reach with own pieces"),
        ("enemies beside stacks", "stacks: enemies beside them"),
        ("captives at risk", "stacks: captured pieces beside enemies"),
        ("flat stacks by neighbours", "stacks: flats on top, by neighbours"),
        ("stacks beside blockers", "stacks: enemy walls and capstones beside them"),
        ("stacks by gain", "stacks: flats gained by one spread"),
        ("road pairs", "roads: pairs of neighbours"),
        ("three in line", "roads: three in a line"),
        ("groups", "roads: connected groups"),
        ("lines", "roads: open rows and columns"),
        ("blocked lines", "roads: blocked rows and columns"),
        ("road race", "roads: moves to a road for both players"),
        ("second road", "roads: moves to a road in the other direction"),
        ("critical squares", "roads: squares that complete one"),
        ("stones in reserve", "reserve: stones"),
        ("capstones in reserve", "reserve: capstones"),
        ("komi", "komi"),
        ("flat race", "flats: the count near the end of the game"),
        ("tempo", "turn to move"),
        ("units", "neural network"),
    ];
    LABELS.iter().find(|(term, _)| *term == name).map_or(name, |(_, label)| label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::AnyPosition;
    use crate::eval::{TERMS, evaluate, evaluator};

    #[test]
    fn every_term_has_words_and_the_sum_is_the_evaluation() {
        for name in TERMS.iter().map(|term| term.name).chain(["units"]) {
            assert!(name == "komi" || label(name) != name, "{name}");
        }
        for tps in ["x5/x5/x2,1,x2/x5/2,x4 1 2", "x5/x5/x2,1,x2/x5/2,x4 2 2"] {
            let position: AnyPosition = tps.parse().unwrap();
            let evaluator = evaluator(position.size());
            let table = Table { terms: position.explain(evaluator), mover: position.to_move() }.to_string();
            let sum: f64 = table.lines().last().unwrap()["sum".len()..].trim().parse().unwrap();
            let expected = crate::board::with_position!(&position, p => evaluate(p, evaluator));
            let expected = f64::from(if position.to_move() == Color::White { expected } else { -expected }) / 100.0;
            assert!((sum - expected).abs() < 0.02, "{table}{expected}");
            assert!(!table.contains("0.00"), "{table}");
        }
    }
}
