//! Levels of reduced strength: moves by intuition, roads overlooked, and short searches.

/// A strength from 1, that of a first game, to [`Level::MAX`].
///
/// ```
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Level, Limits, Settings};
///
/// let settings = Settings { level: Level::new(3), seed: 7, ..Settings::default() };
/// let game = Game::new(AnyPosition::start(Size::new(6)?, Komi::ZERO));
/// // No limit is needed: a level limits the nodes.
/// let mut engine = Engine::new(settings.clone());
/// let best = engine.analyse(&game, Limits::default())?.best();
/// // The same game and seed lead to the same move.
/// let mut other = Engine::new(settings);
/// assert_eq!(other.analyse(&game, Limits::default())?.best(), best);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(u8);

/// The parameters of a level.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skill {
    /// The measured strength; the reference player "placer" has 0.
    pub elo: i32,
    /// Maximum number of nodes.
    pub nodes: u64,
    /// Percentage of moves chosen without a search.
    pub intuition: u64,
    /// Percentage by which the odds of these moves are flattened: 100 keeps them.
    pub temperature: u32,
    /// Percentage of roads by a placement that the player notices without a search.
    pub sight: u32,
    /// Percentage of searches that look for several good moves, one of which is then drawn.
    pub variety: u64,
}

const fn row(elo: i32, nodes: u64, intuition: u64, temperature: u32, sight: u32, variety: u64) -> Skill {
    Skill { elo, nodes, intuition, temperature, sight, variety }
}

/// Level 1 first. `tests/ladder.sh` measures the Elo in the first column; re-run it after changing any other column.
const TABLE: [Skill; Level::MAX as usize] = [
    //  Elo  nodes  intuition  temperature  sight  variety
    row(308, 300, 100, 600, 20, 100),
    row(414, 300, 100, 329, 40, 100),
    row(520, 300, 100, 259, 59, 100),
    row(626, 300, 100, 223, 74, 100),
    row(732, 300, 100, 197, 84, 100),
    row(838, 300, 100, 177, 90, 100),
    row(944, 300, 100, 160, 93, 100),
    row(1050, 300, 100, 143, 96, 100),
    row(1156, 300, 100, 124, 97, 100),
    row(1262, 300, 99, 106, 98, 100),
    row(1368, 300, 90, 100, 99, 100),
    row(1474, 300, 75, 100, 100, 100),
    row(1580, 300, 62, 100, 100, 100),
    row(1686, 300, 48, 100, 100, 100),
    row(1792, 300, 35, 100, 100, 100),
    row(1898, 300, 24, 100, 100, 100),
    row(2004, 380, 16, 100, 100, 92),
    row(2110, 550, 12, 100, 100, 78),
    row(2216, 790, 9, 100, 100, 67),
    row(2322, 1100, 8, 100, 100, 57),
    row(2428, 1600, 6, 100, 100, 50),
    row(2534, 2200, 5, 100, 100, 42),
    row(2640, 3200, 4, 100, 100, 35),
    row(2746, 4800, 3, 100, 100, 28),
    row(2852, 7400, 3, 100, 100, 22),
    row(2958, 12_000, 2, 100, 100, 16),
    row(3064, 19_000, 1, 100, 100, 10),
    row(3170, 30_000, 0, 100, 100, 5),
];

/// Levels that are named after those who may like to play against them.
const PLAYERS: [(u8, &str); 4] = [(1, "first game"), (5, "beginner"), (14, "club"), (22, "strong")];

impl Level {
    /// The number of the strongest level.
    pub const MAX: u8 = 28;
    /// The Elo of the strongest level.
    pub const MAX_ELO: i32 = TABLE[TABLE.len() - 1].elo;

    /// The level of this number. `None` for 0, which means full strength, and above [`Level::MAX`].
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=Self::MAX => Some(Self(number)),
            _ => None,
        }
    }

    /// All levels, the weakest first.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=Self::MAX).map(Self)
    }

    /// The level with the nearest strength.
    #[must_use]
    pub fn of_elo(elo: i32) -> Self {
        Self::all().min_by_key(|level| level.elo().abs_diff(elo)).unwrap_or(Self(1))
    }

    /// From 1 to [`Level::MAX`].
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whom a few of the levels are meant for, such as "beginner".
    #[must_use]
    pub fn player(self) -> Option<&'static str> {
        PLAYERS.iter().find(|(number, _)| *number == self.0).map(|&(_, player)| player)
    }

    /// The strength on a scale on which the reference player "placer" has 0.
    #[must_use]
    pub fn elo(self) -> i32 {
        self.skill().elo
    }

    pub(super) fn skill(self) -> &'static Skill {
        &TABLE[usize::from(self.0) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_search_at_least_as_much() {
        for pair in TABLE.windows(2) {
            let [weak, strong] = pair else { unreachable!() };
            assert!(weak.elo < strong.elo, "{weak:?}");
            assert!(weak.nodes <= strong.nodes && weak.intuition >= strong.intuition, "{weak:?}");
            assert!(weak.sight <= strong.sight && weak.temperature >= strong.temperature, "{weak:?}");
            assert!(weak.variety >= strong.variety, "{weak:?}");
        }
    }

    #[test]
    fn page_lists_levels() {
        let page = include_str!("../../docs/levels.md");
        let (_, table) = page.split_once("| level | Elo |").unwrap();
        let rows: Vec<&str> = table.lines().skip(2).take_while(|row| row.starts_with('|')).collect();
        assert_eq!(rows.len(), TABLE.len());
        for (row, level) in rows.iter().zip(Level::all()) {
            let Skill { elo, nodes, intuition, temperature, sight, variety } = *level.skill();
            let cells: Vec<String> = row.split('|').map(|cell| cell.trim().replace(',', "")).collect();
            assert_eq!(cells[1], level.number().to_string(), "{row}");
            assert_eq!(cells[2].split(' ').next(), Some(elo.to_string().as_str()), "{row}");
            let percent = [sight.into(), temperature.into(), intuition, variety].map(|number| format!("{number} %"));
            assert_eq!(cells[3..=6], percent, "{row}");
            assert_eq!(cells[7], nodes.to_string(), "{row}");
            assert_eq!(cells[8], level.player().unwrap_or_default(), "{row}");
        }
    }

    #[test]
    fn levels_are_found_by_number_and_by_elo() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(Level::MAX + 1), None);
        for number in 1..=Level::MAX {
            let level = Level::new(number).unwrap();
            assert_eq!(level.number(), number);
            assert_eq!(Level::of_elo(level.elo()), level);
        }
        let [one, two] = [1, 2].map(|number| Level::new(number).unwrap());
        let middle = i32::midpoint(one.elo(), two.elo());
        assert_eq!(Level::of_elo(middle - 1), one);
        assert_eq!(Level::of_elo(middle + 2), two);
        assert_eq!(Level::of_elo(i32::MIN), one);
    }
}
