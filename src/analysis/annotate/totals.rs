//! Sums over many annotated games.

use std::collections::BTreeMap;
use std::fmt;

use super::game::{AnnotatedGame, Mark, Summary, Threat};
use crate::board::Color;
use crate::notation::{counted, short_name};

/// Sums over games. Grows with the number of players only.
#[derive(Debug, Default)]
pub struct Totals {
    games: u64,
    faults: u64,
    plies: u64,
    /// Moves with each mark, in the order of [`Mark`].
    marks: [u64; 4],
    taks: u64,
    tinues: u64,
    players: BTreeMap<String, Player>,
}

/// A player in all games.
#[derive(Debug, Default)]
pub struct Player {
    /// Games played.
    pub games: u64,
    /// Those of them whose result is known.
    pub finished: u64,
    /// Points won in them, twice.
    pub half_points: u64,
    /// The sums of the games' summaries.
    pub summary: Summary,
}

/// The players that are listed.
const MAX_LISTED_PLAYERS: usize = 20;

impl Totals {
    /// Takes in a game.
    pub fn add(&mut self, game: &AnnotatedGame) {
        self.games += 1;
        self.faults += u64::from(game.fault.is_some());
        self.plies += game.plies.len() as u64;
        for ply in &game.plies {
            if let Some(mark) = ply.mark {
                self.marks[mark as usize] += 1;
            }
            match ply.threat {
                Some(Threat::Tak) => self.taks += 1,
                Some(Threat::Tinue) => self.tinues += 1,
                None => {}
            }
        }
        for color in Color::ALL {
            let player = self.players.entry(game.name(color)).or_default();
            player.games += 1;
            if let Some(half_points) = half_points(game, color) {
                player.finished += 1;
                player.half_points += half_points;
            }
            player.summary.merge(&game.players[color]);
        }
    }

    /// All players with their names, in the order of these.
    pub fn players(&self) -> impl Iterator<Item = (&str, &Player)> {
        let players = self.players.iter();
        players.map(|(name, player)| (name.as_str(), player))
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Games with something wrong.
    pub fn faults(&self) -> u64 {
        self.faults
    }
}

/// Twice the points of a player for a game; `None` while the result is not known.
pub fn half_points(game: &AnnotatedGame, color: Color) -> Option<u64> {
    let result = game.source.result.as_deref();
    let is_drawn = game.outcome.is_some() || result.or(game.source.tag("Result")) == Some("1/2-1/2");
    match game.winner {
        Some(winner) => Some(if winner == color { 2 } else { 0 }),
        None => is_drawn.then_some(1),
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", counted(self.games, "game", "games"))?;
        writeln!(f, "{} plies, {} with a fault", self.plies, self.faults)?;
        let marked: u64 = self.marks.iter().sum();
        let share = 100.0 * marked as f64 / self.plies.max(1) as f64;
        let [blunders, mistakes, good, brilliant] = self.marks;
        writeln!(
            f,
            "marks: {blunders} {}, {mistakes} {}, {good} {}, {brilliant} {}: {share:.1} % of the plies; \
             {} {}, {} {}",
            Mark::Blunder,
            Mark::Mistake,
            Mark::Good,
            Mark::Brilliant,
            self.taks,
            Threat::Tak,
            self.tinues,
            Threat::Tinue
        )?;
        let mut players: Vec<(&String, &Player)> = self.players.iter().collect();
        players.sort_by_key(|(_, player)| std::cmp::Reverse(player.games));
        let listed: Vec<(String, &Player)> =
            players.iter().take(MAX_LISTED_PLAYERS).map(|(name, player)| (short_name(name), *player)).collect();
        let width = listed.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).max("player".len());
        writeln!(f, "\n{:width$}  games  moves  accuracy  mean loss    ??     ?  missed  allowed  avoided", "player")?;
        for (name, player) in &listed {
            let summary = &player.summary;
            let [blunders, mistakes, ..] = summary.marks;
            let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
            writeln!(
                f,
                "{:width$}  {:5}  {:5}  {:>8}  {:>9}  {blunders:4}  {mistakes:4}  {:6}  {:7}  {:7}",
                name,
                player.games,
                summary.moves,
                number(summary.accuracy()),
                number(summary.mean_loss()),
                summary.missed,
                summary.allowed,
                summary.avoided
            )?;
        }
        if players.len() > listed.len() {
            writeln!(f, "and {} more players", players.len() - listed.len())?;
        }
        Ok(())
    }
}
