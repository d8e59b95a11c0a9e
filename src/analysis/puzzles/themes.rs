//! What a puzzle is about. Each theme is defined by the rules, for the position and the main line of the solution.

use super::puzzle::{Kind, Theme};
use crate::analysis::explain::board::{is_unstoppable, roads_in_one};
use crate::board::{AnyPosition, Bitboard, Move, PieceKind, Square};

/// Squares from which on a spread is long.
const LONG_SPREAD: usize = 3;

/// The themes of a puzzle with this main line, which is legal.
pub fn themes(kind: Kind, start: &AnyPosition, line: &[Move]) -> Vec<Theme> {
    let mut story = Story { kind, start, steps: Vec::new(), end: start.clone() };
    for &mv in line {
        let before = story.end.clone();
        story.end.play_unchecked(mv);
        story.steps.push(Step { before, mv, after: story.end.clone() });
    }
    Theme::ALL.into_iter().filter(|&theme| story.has(theme)).collect()
}

struct Step {
    before: AnyPosition,
    mv: Move,
    after: AnyPosition,
}

/// The main line, with all its positions.
struct Story<'a> {
    kind: Kind,
    start: &'a AnyPosition,
    steps: Vec<Step>,
    end: AnyPosition,
}

impl Story<'_> {
    fn has(&self, theme: Theme) -> bool {
        let mut own = self.steps.iter().step_by(2);
        match theme {
            Theme::Flatten => own.any(flattens),
            Theme::LongSpread => {
                own.any(|step| step.mv.is_spread() && step.mv.covered().into_iter().count() >= LONG_SPREAD)
            }
            Theme::QuietStart => {
                let is_quiet = |step: &Step| roads_in_one(&step.after, self.start.to_move()).is_empty();
                self.kind == Kind::Tinue && self.steps.len() > 1 && own.next().is_some_and(is_quiet)
            }
            Theme::TwoThreats => own.any(makes_two_threats),
            Theme::CapstoneBlock => own.next().is_some_and(blocks_with_capstone),
            Theme::EdgeRoad => self.road_lanes().is_some_and(|lanes| {
                let last = self.start.size().width() - 1;
                [0, last].into_iter().any(|edge| lanes.iter().all(|&lane| lane == edge))
            }),
            Theme::CentreRoad => self.road_lanes().is_some_and(|lanes| {
                let last = self.start.size().width() - 1;
                lanes.iter().all(|&lane| lane != 0 && lane != last)
            }),
            Theme::FewPieces => {
                let reserves = self.start.reserves();
                reserves.0.iter().any(|reserve| usize::from(reserve.total()) <= self.start.size().width())
            }
        }
    }

    /// The rows of the squares of the road at the end, if it runs from west to east; else their columns.
    fn road_lanes(&self) -> Option<Vec<usize>> {
        let road = self.end.winning_road();
        let last = self.start.size().width() - 1;
        let joins =
            |along: fn(Square) -> usize| [0, last].into_iter().all(|edge| road.iter().any(|&at| along(at) == edge));
        if joins(Square::column) {
            Some(road.iter().map(|at| at.row()).collect())
        } else {
            joins(Square::row).then(|| road.iter().map(|at| at.column()).collect())
        }
    }
}

fn flattens(step: &Step) -> bool {
    step.mv.is_spread() && matches!(step.before.top(step.mv.target()), Some((_, PieceKind::Wall)))
}

fn makes_two_threats(step: &Step) -> bool {
    if step.after.outcome().is_some() || step.before.ply() < 2 {
        return false;
    }
    let roads = roads_in_one(&step.after, step.before.to_move());
    let squares = roads.iter().fold(Bitboard::EMPTY, |set, mv| set | mv.target().bit());
    squares.count() > 1 && is_unstoppable(&step.after)
}

fn blocks_with_capstone(step: &Step) -> bool {
    let (mover, opponent) = (step.before.to_move(), !step.before.to_move());
    let is_capstone = step.after.top(step.mv.target()) == Some((mover, PieceKind::Cap));
    // Whoever wins needs no block.
    let goes_on = step.after.outcome().is_none();
    is_capstone
        && goes_on
        && !roads_in_one(&step.before, opponent).is_empty()
        && roads_in_one(&step.after, opponent).is_empty()
}

#[cfg(test)]
mod tests {
    use super::themes;
    use crate::analysis::puzzles::puzzle::{Kind, Theme};
    use crate::board::{AnyPosition, Move};
    use serde_json::{Value, json};

    fn of(kind: Kind, tps: &str, line: &str) -> Vec<&'static str> {
        let line: Vec<Move> = line.split(' ').map(|mv| mv.parse().unwrap()).collect();
        themes(kind, &tps.parse().unwrap(), &line).into_iter().map(Theme::name).collect()
    }

    #[test]
    fn themes_follow_from_the_line() {
        let flattened = of(Kind::Best, "x5/x5/x,1C,2S,x2/x5/x5 1 8", "b3>");
        assert_eq!(flattened, ["flatten"]);
        let edge = of(Kind::Tinue, "x4/x3,2/x2,2,2/1,1,1,x 1 8", "d1");
        assert_eq!(edge, ["edge-road"]);
        let centre = of(Kind::Tinue, "x4/1,1,1,x/x2,2,2/x4 1 8", "d3");
        assert_eq!(centre, ["centre-road"]);
        // Then e3 and c1 complete a road.
        let threats = of(Kind::Tinue, "x2,1,x2/x2,1,x2/1,1,x,1,x/x2,1,x2/2,2,x2,2 1 9", "c3");
        assert!(threats.contains(&"two-threats"), "{threats:?}");
        let block = of(Kind::Defence, "x5/2,2,2,2,x/x5/x2,1,1,x/x5 1 6", "Ce4");
        assert_eq!(block, ["capstone-block"]);
        let spread = of(Kind::Best, "x5/x5/111,x4/x,2,2,x2/x5 1 8", "3a3>111");
        assert_eq!(spread, ["long-spread"]);
    }

    /// `UPDATE_EXAMPLES=1` writes them into the files.
    #[test]
    fn shipped_puzzles_carry_their_themes() {
        for size in 4..=7 {
            let path = format!("{}/web/puzzles/{size}x{size}.jsonl", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).unwrap();
            let lines: Vec<String> = text.lines().map(with_themes).collect();
            let now = lines.join("\n") + "\n";
            if std::env::var_os("UPDATE_EXAMPLES").is_some() {
                std::fs::write(&path, now).unwrap();
            } else {
                assert!(now == text, "the themes in {path} are others");
            }
        }
    }

    /// The line of a puzzle with its themes after its difficulty.
    fn with_themes(line: &str) -> String {
        let record: Value = serde_json::from_str(line).unwrap();
        let text = |name: &str| record[name].as_str().unwrap();
        let mut setup = text("tps").parse::<AnyPosition>().unwrap().to_setup();
        for (index, reserve) in setup.reserves.0.iter_mut().enumerate() {
            let left = |name: &str| u8::try_from(record[name][index].as_u64().unwrap()).unwrap();
            (reserve.stones, reserve.caps) = (left("flats"), left("caps"));
        }
        let start = AnyPosition::from_setup(&setup).unwrap();
        let mut moves: Vec<Move> = Vec::new();
        let mut step = &record["solution"];
        while let Some(mv) = step["move"].as_str() {
            moves.push(mv.parse().unwrap());
            step = &step["answers"][0];
        }
        let names = json!(
            themes(text("kind").parse().unwrap(), &start, &moves).into_iter().map(Theme::name).collect::<Vec<_>>()
        );
        let difficulty = format!("\"difficulty\":{},", record["difficulty"]);
        let (head, tail) = line.split_once(&difficulty).unwrap();
        let tail = tail.strip_prefix("\"themes\":").map_or(tail, |tail| tail.split_once("],").unwrap().1);
        format!("{head}{difficulty}\"themes\":{names},{tail}")
    }
}
