//! All lines of a game, as the page stores them: a tree of moves with marks, comments and evaluations. Positions are
//! counted in the order of the lines, with 0 for the start.

use serde::{Deserialize, Serialize};

use crate::board::{AnyPosition, Color, Game};
use crate::notation::{Deviations, EngineComment, PtnGame, PtnMove, PtnVariation, read_first_move, read_move};

/// The most variations of a game. More are left out.
const MAX_VARIATIONS: usize = 1000;

/// A line that begins at a position of an earlier one.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Line {
    pub parent: usize,
    /// The result that ends it without a move.
    #[serde(default)]
    pub result: Option<String>,
    pub moves: Vec<Played>,
}

/// A move of a line.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Played {
    Plain(String),
    Noted(String, Notes),
}

/// Everything about a move that a file says.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Notes {
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub marks: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// White's expected score after it, 0 to 1, if a comment is that of an engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The same by its centiflats alone, on the scale of PTN Ninja's graph, if it tells no chances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<f64>,
    /// The name of the variation that it begins, without those that it leaves; absent if it follows from the move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The comments before it, if it begins a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// The line that an engine expects after it; for the page alone, since a comment has it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

impl Played {
    fn text(&self) -> &str {
        let (Self::Plain(text) | Self::Noted(text, _)) = self;
        text
    }

    fn notes(&self) -> Notes {
        match self {
            Self::Plain(_) => Notes::default(),
            Self::Noted(_, notes) => notes.clone(),
        }
    }

    fn new(played: &PtnMove, name: Option<String>, before: Vec<String>) -> Self {
        let PtnMove { mv, marks, comments } = played.clone();
        let numbers: Vec<EngineComment> = comments.iter().filter_map(|comment| comment.parse().ok()).collect();
        let chance = numbers.iter().find_map(chance);
        let value = numbers.iter().find_map(EngineComment::evaluation).filter(|_| chance.is_none());
        let evaluation = value.map(|value| f64::midpoint(value, 1.0));
        let line = numbers.iter().find(|comment| !comment.pv.is_empty());
        let line = line.map_or_else(Vec::new, |comment| comment.pv.split_whitespace().map(str::to_owned).collect());
        if marks.is_empty() && comments.is_empty() && name.is_none() && before.is_empty() {
            return Self::Plain(mv.to_string());
        }
        Self::Noted(mv.to_string(), Notes { marks, comments, chance, evaluation, name, before, line })
    }
}

/// White's expected score by an engine's comment.
fn chance(comment: &EngineComment) -> Option<f64> {
    let proven = comment.proven.map(|(winner, _)| match winner {
        Some(Color::White) => 1.0,
        Some(Color::Black) => 0.0,
        None => 0.5,
    });
    let wdl = comment.wdl.map(|[win, draw, _]| (f64::from(win) + f64::from(draw) / 2.0) / 1000.0);
    proven.or(wdl).map(|share| share.clamp(0.0, 1.0))
}

/// The lines of a game from a file, and for each variation that is left out or ends early its first move and the reason.
/// `game` is the main line, which has been played.
pub fn lines(ptn: &PtnGame, game: &Game) -> (Vec<Line>, Vec<String>) {
    let plain = |played| Played::new(played, None, Vec::new());
    let main = Line { moves: ptn.moves.iter().map(plain).collect(), ..Line::default() };
    let mut count = main.moves.len();
    let mut known: Vec<Begun> = vec![((0..=count).collect(), game.clone())];
    // The known line of each variation.
    let mut places: Vec<Option<usize>> = Vec::new();
    let (mut lines, mut faults) = (vec![main], Vec::new());
    for (index, variation) in ptn.variations.iter().enumerate() {
        let place = variation.parent.map_or(Some(0), |parent| places[parent]);
        let (begun, fault) = match place {
            _ if index >= MAX_VARIATIONS => (None, Some(format!("there are more than {MAX_VARIATIONS}"))),
            Some(place) => follow(ptn, variation, &known[place]),
            None => (None, Some(NO_PARENT.to_owned())),
        };
        let first = variation.moves.first().map(|first| numbered(ptn, variation.ply, first));
        faults.extend(fault.map(|fault| format!("{} ({fault})", first.unwrap_or_default())));
        places.push(begun.as_ref().map(|_| known.len()));
        let Some((mut positions, played)) = begun else { continue };
        let moves = &variation.moves[..played.moves().len() - variation.ply];
        let mut noted: Vec<Played> = moves.iter().map(plain).collect();
        let name = ptn.own_name(variation).map(str::to_owned);
        noted[0] = Played::new(&moves[0], name, variation.comments.clone());
        let result = variation.result.clone().filter(|_| played.position().outcome().is_none());
        lines.push(Line { parent: positions[variation.ply], result, moves: noted });
        positions.extend((1..=moves.len()).map(|next| count + next));
        count += moves.len();
        known.push((positions, played));
    }
    (lines, faults)
}

/// The numbers of the positions of a line from the start on, and its game.
type Begun = (Vec<usize>, Game);

/// Why a variation of a variation is left out.
const NO_PARENT: &str = "the variation that it leaves ends before it";

/// The positions before a variation of a line, and the game to its last possible move; `None` if there is none. Then why
/// the next move is not possible.
fn follow(ptn: &PtnGame, variation: &PtnVariation, (positions, line): &Begun) -> (Option<Begun>, Option<String>) {
    let Some(positions) = positions.get(..=variation.ply) else { return (None, Some(NO_PARENT.to_owned())) };
    let mut played = line.clone();
    while played.moves().len() > variation.ply {
        played.take_back();
    }
    let fault = variation.moves.iter().find_map(|next| {
        let error = played.play(next.mv).err()?;
        Some(format!("{}: {error}", numbered(ptn, played.moves().len(), next)))
    });
    let begun = played.moves().len() > variation.ply;
    (begun.then(|| (positions.to_vec(), played)), fault)
}

/// Which move of the game is not possible, by its number in the list of moves, and why.
pub fn impossible_move(ptn: &PtnGame) -> Option<String> {
    let mut game = Game::new(AnyPosition::from_setup(&ptn.start).ok()?);
    ptn.moves.iter().enumerate().find_map(|(ply, next)| {
        let error = game.play(next.mv).err()?;
        Some(format!("{} is not possible: {error}", numbered(ptn, ply, next)))
    })
}

/// A move with its number, as the page writes it.
fn numbered(ptn: &PtnGame, ply: usize, played: &PtnMove) -> String {
    let plies = ptn.start.to_move.index() + ply;
    let dots = if plies.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots} {}", ptn.start.move_number as usize + plies / 2, played.mv)
}

/// Puts marks, comments and variations of the page into a game, whose moves are those of the main line. What cannot be
/// read is left out, and lines that go on after an end are joined.
pub fn add_lines(ptn: &mut PtnGame, lines: &[Line]) {
    // The variation, or the game, and the plies of each position.
    let mut places: Vec<(Option<usize>, usize)> = vec![(None, 0)];
    for line in lines.iter().take(MAX_VARIATIONS) {
        let Some(&(mut place, mut ply)) = places.get(line.parent) else { break };
        let is_main = place.is_none()
            && ply < ptn.moves.len()
            && ptn.plies(None) >= ply + line.moves.len()
            && line.moves.iter().zip(&ptn.moves[ply..]).all(|(played, own)| played.text() == own.mv.to_string());
        let goes_on = place.is_some() && ply == ptn.plies(place);
        for (index, played) in line.moves.iter().enumerate() {
            let notes = played.notes();
            if is_main {
                let own = &mut ptn.moves[ply];
                (own.marks, own.comments) = (notes.marks, notes.comments);
            } else {
                let mut start = ptn.start.clone();
                let mv = match ply {
                    0 => read_first_move(played.text(), &mut start, true, &mut Deviations::default()),
                    _ => read_move(played.text(), start.size, &mut Deviations::default()),
                };
                let Ok(mv) = mv else { return };
                let next = PtnMove { mv, marks: notes.marks, comments: notes.comments };
                if index == 0 && !goes_on {
                    let usual = ptn.variation_name(place, ply, &next);
                    let before = place.map_or_else(String::new, |place| format!("{}/", ptn.variations[place].name));
                    let name = notes.name.map_or(usual, |own| before + &own);
                    let comments = notes.before;
                    ptn.variations.push(PtnVariation { name, parent: place, ply, comments, ..PtnVariation::default() });
                    place = Some(ptn.variations.len() - 1);
                }
                if let Some(place) = place {
                    ptn.variations[place].moves.push(next);
                }
            }
            ply += 1;
            places.push((place, ply));
        }
        if let Some(place) = place {
            ptn.variations[place].result.clone_from(&line.result);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_games;

    fn read(text: &str) -> PtnGame {
        parse_games(text).next().unwrap().unwrap()
    }

    /// The game, through the lines of the page.
    fn through_the_page(ptn: &PtnGame) -> (PtnGame, Vec<String>) {
        let game = ptn.game().unwrap();
        let (found, faults) = lines(ptn, &game);
        let text = serde_json::to_string(&found).unwrap();
        let stored: Vec<Line> = serde_json::from_str(&text).unwrap();
        let mut again = PtnGame { variations: Vec::new(), ..ptn.clone() };
        for played in &mut again.moves {
            (played.marks, played.comments) = (String::new(), Vec::new());
        }
        add_lines(&mut again, &stored);
        (again, faults)
    }

    #[test]
    fn all_lines_survive_the_way_through_the_page() {
        for text in [
            "[Size \"5\"]\n1. a1 e5\n2. c3! {good} c4 {+0.1/3}\n\n{2b_d4}\n2. -- d4?\n3. e3 e2 1-0\n\n{2b_d4/3w_a3}\n3. a3 {x} b3",
            "[Size \"5\"]\n1. a1 e5\n2. c3 c4\n\n{mine}\n2. b2 b3\n\n{mine/yours}\n2. -- b4\n\n{1b_e4}\n1. -- e4",
            "[Size \"5\"]\n1. a1 e5\n\n{1w_b1}\n1. b1 e5 {x}\n2. d3\n\n{1w_b1/2w_c3}\n2. c3 c4\n\n{1w_b1/2w_c3/2b_d4}\n2. -- d4",
            "[TPS \"x5/x5/x2,12,x2/x5/x5 2 7\"]\n7. -- a1\n8. a2\n\n{7b_c3>}\n7. -- c3> {y}",
        ] {
            let ptn = read(text);
            let (again, faults) = through_the_page(&ptn);
            assert_eq!((again.to_string(), faults), (ptn.to_string(), Vec::new()));
        }
    }

    #[test]
    fn impossible_moves_of_variations_are_left_out() {
        let ptn = read(
            "[Size \"5\"]\n1. a1 e5\n\n{1b_e4}\n1. -- e4\n2. c3 c3 c4\n\n{2w_a1}\n2. a1\n\n{1b_e4/2b_d5}\n2. -- d5\n\n{2w_a1/2b_d5}\n2. -- d5",
        );
        let (again, faults) = through_the_page(&ptn);
        let expected = [
            "1… e4 (2… c3: square c3 is not empty)",
            "2. a1 (2. a1: square a1 is not empty)",
            "2… d5 (the variation that it leaves ends before it)",
        ];
        assert_eq!(faults, expected);
        assert!(again.to_string().ends_with("1. a1 e5\n\n{1b_e4}\n1. -- e4\n2. c3 d5\n"), "{again}");
    }

    #[test]
    fn evaluations_of_engines_are_chances() {
        let comment = |text: &str| chance(&text.parse().unwrap());
        assert_eq!(comment("cp:40 wdl:530,40,430 +0.10/12"), Some(0.55));
        assert_eq!(comment("score:L6 -1.00"), Some(0.0));
        assert_eq!(comment("cp:40"), None);
        let notes = |text: &str| {
            Played::new(
                &PtnMove { mv: "a1".parse().unwrap(), marks: String::new(), comments: vec![text.to_owned()] },
                None,
                Vec::new(),
            )
            .notes()
        };
        assert_eq!(notes("cp:0 +0.00/3 12 nodes").evaluation, Some(0.5));
        assert!(notes("cp:-400 -0.76/3").evaluation.unwrap() < 0.15);
        assert_eq!((notes("cp:40 wdl:530,40,430 +0.10/12").evaluation, notes("a comment").evaluation), (None, None));
    }

    #[test]
    fn lines_from_elsewhere_are_left_out() {
        let mut ptn = read("[Size \"5\"]\n1. a1 e5");
        let line = |parent, moves: &[&str]| Line {
            parent,
            result: None,
            moves: moves.iter().map(|&text| Played::Plain(text.to_owned())).collect(),
        };
        add_lines(&mut ptn, &[line(0, &["a1", "e5"]), line(1, &["nonsense"]), line(1, &["e4"])]);
        add_lines(&mut ptn, &[line(99, &["e4"])]);
        assert_eq!(ptn.variations.len(), 0);
    }
}
