//! The record of a finished game, as the journal stores it. Nothing here plays or judges; the runner writes these
//! values and the statistics read them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::board::{Color, EndReason};
use crate::shard::Shard;
use crate::tei::info::Claim;

/// An engine as the journal names it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSettings {
    /// Unique within the tournament.
    pub name: String,
    /// The time control, in any fixed form: compared and shown, never parsed.
    pub time: String,
    /// Arguments and options, in the same way: compared and shown, never parsed.
    pub settings: String,
}

/// A game to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// Index in the whole list, the same for every shard.
    pub game: u64,
    /// Any two engines that meet play one pair of games a round, all from the same opening.
    pub round: u64,
    /// Counts pairs of games with the same engines and opening, colours reversed.
    pub pair: u64,
    /// Engine index of White.
    pub white: usize,
    /// Engine index of Black.
    pub black: usize,
    pub opening: usize,
}

impl Pairing {
    /// Returns whether it is played by this share of the tournament. Both games of a pair are.
    pub fn is_in(&self, shard: Shard) -> bool {
        shard.is_dealt(self.pair)
    }
}

/// One finished game, one line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The [`TournamentSettings::fingerprint`](super::tournament::settings::TournamentSettings::fingerprint) of the tournament.
    pub settings: String,
    /// The game of the tournament that it is.
    #[serde(flatten)]
    pub pairing: Pairing,
    /// The position before the first move.
    pub start_tps: String,
    /// Number of moves at the start that come from the opening, not from the engines.
    pub opening_plies: usize,
    pub result: GameResult,
    /// The reason why the game was over. A fault is the loser's.
    pub termination: Termination,
    /// Details of the end beyond `termination`, for example an illegal move's text and its fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// All moves, those of the opening first.
    pub moves: Vec<MoveRecord>,
    /// Start of the game, in RFC 3339 form (UTC).
    pub started: String,
    /// Duration on the wall clock, in milliseconds.
    pub wall_ms: u64,
}

impl GameRecord {
    pub fn engine(&self, color: Color) -> usize {
        match color {
            Color::White => self.pairing.white,
            Color::Black => self.pairing.black,
        }
    }

    /// Half points of an engine: 2 for a win, 1 for a draw, 0 for a loss; `None` if it did not play in this game.
    pub fn half_points(&self, engine: usize) -> Option<u8> {
        let color = Color::ALL.into_iter().find(|&color| self.engine(color) == engine)?;
        Some(self.result.half_points(color))
    }

    /// The engine whose fault ended the game, if one did.
    pub fn at_fault(&self) -> Option<usize> {
        let winner = self.result.winner().filter(|_| self.termination.is_fault());
        winner.map(|color| self.engine(!color))
    }

    /// The player who made `moves[index]`.
    pub fn mover(&self, index: usize) -> Color {
        // The side to move is the second word of a TPS; an opening may start with Black's turn.
        let black_first = self.start_tps.split_ascii_whitespace().nth(1) == Some("2");
        if (index % 2 == 1) == black_first { Color::White } else { Color::Black }
    }

    /// The moves an engine chose itself, with the colour that played each.
    pub fn engine_moves(&self) -> impl Iterator<Item = (Color, &MoveRecord)> {
        let moves = self.moves.iter().enumerate().skip(self.opening_plies);
        moves.map(|(index, mv)| (self.mover(index), mv))
    }
}

/// One move of a game. Only `mv` and `time_us` are the runner's own; the rest is the engine's last claim.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MoveRecord {
    /// In PTN.
    pub mv: String,
    /// Centiflats from the view of the player who moved.
    #[serde(rename = "cp", default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// A result claimed as proven, from the view of the player who moved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub solved: Option<Claim>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Plies of the longest line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Microseconds from `go` to `bestmove` on the runner's clock; 0 for opening moves.
    #[serde(rename = "us", default)]
    pub time_us: u64,
    /// The line the engine expected, in PTN, the move itself first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    #[serde(rename = "1-0")]
    WhiteWin,
    #[serde(rename = "0-1")]
    BlackWin,
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win, or a draw without a winner.
    pub fn from_winner(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWin,
            Some(Color::Black) => Self::BlackWin,
            None => Self::Draw,
        }
    }

    /// Half points of a player: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> u8 {
        match self.winner() {
            None => 1,
            Some(winner) if winner == color => 2,
            Some(_) => 0,
        }
    }

    pub fn winner(self) -> Option<Color> {
        match self {
            Self::WhiteWin => Some(Color::White),
            Self::BlackWin => Some(Color::Black),
            Self::Draw => None,
        }
    }
}

/// The form without the reason: `1-0`, `0-1`, `1/2-1/2`.
impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WhiteWin => "1-0",
            Self::BlackWin => "0-1",
            Self::Draw => "1/2-1/2",
        })
    }
}

/// The reason why a game was over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// By the rules: a road.
    Road,
    /// By the rules: flats counted on a full board.
    FlatsBoardFull,
    /// By the rules: flats counted with a reserve used up.
    FlatsReserves,
    /// A draw: the same position too often.
    Repetition,
    /// A draw: the longest game allowed.
    MaxPlies,
    /// The loser's own score was hopeless for long enough.
    ResignAdjudication,
    /// Both scores were level for long enough.
    DrawAdjudication,
    /// Both engines claimed the same proven result.
    SolvedAgreement,
    /// Fault: a move that the rules forbid.
    IllegalMove,
    /// Fault: text that is not a move, or an answer that is not a `bestmove`.
    MalformedMove,
    /// Fault: the clock ran out.
    TimeForfeit,
    /// Fault: the process ended.
    Crash,
    /// Fault: the process lives but closed its pipes.
    Disconnect,
    /// Fault: no answer within the limit.
    Stall,
    /// Fault: more output than any engine needs.
    Flood,
    /// Fault: after a crash the engine could not be started again.
    StartFailure,
}

impl Termination {
    /// Returns whether it is a fault of an engine, the loser.
    pub fn is_fault(self) -> bool {
        self >= Self::IllegalMove
    }

    /// Returns whether the rules ended the game.
    pub fn is_played(self) -> bool {
        self < Self::ResignAdjudication
    }
}

impl From<EndReason> for Termination {
    fn from(reason: EndReason) -> Self {
        match reason {
            EndReason::Road => Self::Road,
            EndReason::BoardFull => Self::FlatsBoardFull,
            EndReason::Reserves => Self::FlatsReserves,
        }
    }
}

/// In words, as the `Termination` tag and the tables show it.
impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Road => "road",
            Self::FlatsBoardFull => "flats (board full)",
            Self::FlatsReserves => "flats (reserves)",
            Self::Repetition => "repetition",
            Self::MaxPlies => "longest game",
            Self::ResignAdjudication => "resign adjudication",
            Self::DrawAdjudication => "draw adjudication",
            Self::SolvedAgreement => "solved by both",
            Self::IllegalMove => "illegal move",
            Self::MalformedMove => "malformed move",
            Self::TimeForfeit => "time forfeit",
            Self::Crash => "crash",
            Self::Disconnect => "disconnect",
            Self::Stall => "stall",
            Self::Flood => "flood of output",
            Self::StartFailure => "failed restart",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_written_in_the_words_of_tei() {
        for (result, plies, json) in [
            ("win", 5, r#"{"mv":"a1","solved":{"win":5},"us":0}"#),
            ("loss", 4, r#"{"mv":"a1","solved":{"loss":4},"us":0}"#),
            ("draw", 9, r#"{"mv":"a1","solved":{"draw":9},"us":0}"#),
        ] {
            let played = MoveRecord { mv: "a1".to_owned(), solved: Claim::new(result, plies), ..MoveRecord::default() };
            assert!(played.solved.is_some());
            assert_eq!(serde_json::to_string(&played).unwrap(), json);
            assert_eq!(serde_json::from_str::<MoveRecord>(json).unwrap(), played);
        }
        for json in [r#"{"mv":"a1"}"#, r#"{"mv":"a1","solved":null}"#] {
            let played: MoveRecord = serde_json::from_str(json).unwrap();
            assert_eq!(played.solved, None);
        }
        for claim in ["{}", r#"{"tie":3}"#, r#"{"win":-1}"#, r#"{"win":1,"loss":1}"#, "3"] {
            let json = format!(r#"{{"mv":"a1","solved":{claim}}}"#);
            assert!(serde_json::from_str::<MoveRecord>(&json).is_err(), "{json}");
        }
    }
}
