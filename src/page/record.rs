//! A game as the page stores it, and the game of the rules that it represents.
//!
//! The page sends the position, or the whole game, with every question. So a lost connection loses nothing, and two
//! windows of the page cannot disturb each other.

use serde::{Deserialize, Serialize};

use crate::board::{AnyPosition, ByColor, Game, Komi, Move, Reserve, Setup, Size};
use crate::notation::{Deviations, read_first_move, read_move, read_setup};

/// The reason why a question has no proper answer.
pub type Fault = Box<dyn std::error::Error>;

/// A game, or a part of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub start: Start,
    /// In PTN.
    pub moves: Vec<String>,
    /// The number of moves before the position meant; all if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
}

/// The start of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// Width of the board; ignored if there is a position.
    pub size: u64,
    /// Half points for Black; those of the program if absent.
    #[serde(default = "usual_komi")]
    pub half_komi: i64,
    /// `swap`, `no-swap` or `double-black`.
    pub opening: String,
    /// Stones and capstones, White's first; standard for the size if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reserves: Option<[[u8; 2]; 2]>,
    /// The position; the empty board if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tps: Option<String>,
}

fn usual_komi() -> i64 {
    Komi::default().half().into()
}

/// A game played by the rules.
pub struct Played {
    /// The start.
    pub start: Setup,
    /// All moves, also those after the position meant.
    pub moves: Vec<Move>,
    /// The game up to the position meant.
    pub game: Game,
    /// True if the last move ended the game.
    pub is_over: bool,
}

impl Start {
    fn setup(&self) -> Result<Setup, Fault> {
        let komi = Komi::from_half(self.half_komi)?;
        let mut setup = match &self.tps {
            Some(text) => read_setup(text, &mut Deviations::default())
                .map_err(|error| format!("the position cannot be read: {error}"))?,
            None => Setup::empty(Size::new(self.size)?, komi),
        };
        setup.komi = komi;
        if let Some(reserves) = self.reserves {
            setup.reserves = ByColor(reserves.map(|[stones, caps]| Reserve { stones, caps }));
        }
        setup.opening = setup.opening_or(self.opening.parse()?);
        Ok(setup)
    }
}

/// The start of a game from this setup.
impl From<&Setup> for Start {
    fn from(setup: &Setup) -> Self {
        let standard = ByColor([Reserve::standard(setup.size); 2]);
        let reserves = setup.reserves.0.map(|reserve| [reserve.stones, reserve.caps]);
        Self {
            size: setup.size.width() as u64,
            half_komi: setup.komi.half().into(),
            opening: setup.opening.to_string(),
            reserves: (setup.reserves != standard).then_some(reserves),
            tps: (setup != &empty_like(setup)).then(|| setup.to_string()),
        }
    }
}

/// The empty board with the rules of this setup.
fn empty_like(setup: &Setup) -> Setup {
    Setup { reserves: setup.reserves, opening: setup.opening, ..Setup::empty(setup.size, setup.komi) }
}

impl Record {
    /// Plays the whole game, so that an illegal move is found regardless of the position meant.
    pub fn play(&self) -> Result<Played, Fault> {
        let mut start = self.start.setup()?;
        let mut deviations = Deviations::default();
        let at = self.at.unwrap_or(self.moves.len());
        let mut game =
            Game::new(AnyPosition::from_setup(&start).map_err(|error| format!("invalid starting position: {error}"))?);
        let mut meant = (at == 0).then(|| game.clone());
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            let mv = match index {
                0 => read_first_move(text, &mut start, true, &mut deviations),
                _ => read_move(text, start.size, &mut deviations),
            };
            let mv = mv.map_err(|error| format!("move {number}: {error}"))?;
            game.play(mv).map_err(|error| format!("move {number}, {text:.40}, is not possible: {error}"))?;
            if number == at {
                meant = Some(game.clone());
            }
        }
        let moves = self.moves.len();
        Ok(Played {
            start,
            moves: game.moves().to_vec(),
            is_over: game.position().outcome().is_some(),
            game: meant.ok_or_else(|| format!("position {at} is out of range: the game has {moves} moves"))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::OpeningRule;

    fn record(size: u64, moves: &[&str]) -> Record {
        Record {
            start: Start { size, half_komi: 4, opening: "swap".to_owned(), reserves: None, tps: None },
            moves: moves.iter().map(ToString::to_string).collect(),
            at: None,
        }
    }

    fn error(record: &Record) -> String {
        record.play().map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn any_position_of_a_game_can_be_meant() {
        let moves = ["a1", "e5", "Cc3", "d3"];
        for at in 0..=4 {
            let record = Record { at: Some(at), ..record(5, &moves) };
            let played = record.play().unwrap();
            assert_eq!((played.game.moves().len(), played.moves.len()), (at, 4));
            assert_eq!(played.game.position().komi().half(), 4);
        }
        assert_eq!(
            error(&Record { at: Some(5), ..record(5, &moves) }),
            "position 5 is out of range: the game has 4 moves"
        );
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(error(&record(9, &[])), "board size 9 is not supported, expected 3 to 8");
        assert_eq!(error(&record(5, &["a1", "a1"])), "move 2, a1, is not possible: square a1 is not empty");
        assert!(error(&record(5, &["a1", "f1"])).starts_with("move 2: invalid move \"f1\""));
        let mut bad = record(5, &[]);
        bad.start.half_komi = 99;
        assert!(error(&bad).contains("komi of 99"));
        let mut bad = record(5, &[]);
        bad.start.opening = "both".to_owned();
        assert!(error(&bad).contains("invalid opening"));
        let mut bad = record(5, &[]);
        bad.start.tps = Some("x5/x5/x5/x5/1C1,x4 1 9".to_owned());
        assert!(error(&bad).starts_with("the position cannot be read: "));
        bad.start.tps = Some("x5/x5/x5/x5/1C,1C,x3 1 9".to_owned());
        assert!(error(&bad).starts_with("invalid starting position: "));
        bad.start.reserves = Some([[21, 2], [21, 1]]);
        assert!(bad.play().is_ok());
    }

    #[test]
    fn a_start_survives_the_way_through_a_setup() {
        let mut start = record(6, &[]).start;
        for opening in OpeningRule::ALL {
            start.opening = opening.to_string();
            for tps in [None, Some("x6/x6/x2,12C,x3/x6/x6/x6 2 7".to_owned())] {
                start.tps = tps;
                for reserves in [None, Some([[20, 1], [30, 3]])] {
                    start.reserves = reserves;
                    assert_eq!(Start::from(&start.setup().unwrap()), start);
                }
            }
        }
    }
}
