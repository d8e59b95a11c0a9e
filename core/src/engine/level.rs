//! Levels of reduced strength: moves by intuition, roads overlooked, and short searches.

use crate::board::Size;

/// A strength from 1, that of a first game, to [`Level::MAX`].
///
/// ```
/// # use tak_engine_core as tak_engine;
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

#[derive(Debug, Clone, Copy)]
pub(super) struct Skill {
    /// The measured strength; the reference player "placer" has 0.
    pub elo: i32,
    /// Maximum number of nodes on boards up to 4x4, on 5x5, and on larger boards. On smaller boards a step of the same
    /// strength takes more of them.
    pub nodes: [u64; 3],
    /// Percentage of moves chosen without a search.
    pub intuition: u64,
    /// Percentage by which the odds of these moves are flattened: 100 keeps them.
    pub temperature: u32,
    /// Percentage of roads by a placement that the player notices without a search.
    pub sight: u32,
    /// Percentage of searches that look for several good moves, one of which is then drawn.
    pub variety: u64,
}

impl Skill {
    /// Maximum number of nodes on a board of this size.
    pub const fn nodes_on(&self, size: Size) -> u64 {
        match size.width() {
            ..=4 => self.nodes[0],
            5 => self.nodes[1],
            _ => self.nodes[2],
        }
    }
}

const fn row(elo: i32, nodes: [u64; 3], intuition: u64, temperature: u32, sight: u32, variety: u64) -> Skill {
    Skill { elo, nodes, intuition, temperature, sight, variety }
}

/// Level 1 first. `scripts/ladder.sh` measures the Elo in the first column; re-run it after changing any other column.
const SKILLS: [Skill; Level::MAX as usize] = [
    //  Elo  nodes  intuition  temperature  sight  variety
    row(317, [300, 300, 300], 100, 500, 12, 100),
    row(413, [300, 300, 300], 100, 302, 34, 100),
    row(541, [300, 300, 300], 100, 246, 54, 100),
    row(644, [300, 300, 300], 100, 212, 71, 100),
    row(750, [300, 300, 300], 100, 188, 82, 100),
    row(869, [300, 300, 300], 100, 167, 90, 100),
    row(945, [300, 300, 300], 100, 147, 94, 100),
    row(1053, [300, 300, 300], 100, 128, 97, 100),
    row(1159, [300, 300, 300], 100, 112, 98, 100),
    row(1239, [300, 300, 300], 97, 102, 99, 100),
    row(1374, [300, 300, 300], 87, 100, 100, 100),
    row(1478, [300, 300, 300], 75, 100, 100, 100),
    row(1591, [300, 300, 300], 62, 100, 100, 100),
    row(1664, [300, 300, 300], 48, 100, 100, 100),
    row(1762, [300, 300, 300], 34, 100, 100, 100),
    row(1871, [300, 300, 300], 22, 100, 100, 100),
    row(1971, [440, 430, 410], 15, 100, 100, 89),
    row(2089, [640, 620, 570], 11, 100, 100, 75),
    row(2165, [940, 900, 780], 9, 100, 100, 65),
    row(2256, [1360, 1300, 1100], 7, 100, 100, 56),
    row(2347, [2000, 1900, 1500], 6, 100, 100, 48),
    row(2460, [2900, 2700, 2050], 5, 100, 100, 41),
    row(2572, [4250, 3900, 2800], 4, 100, 100, 34),
    row(2696, [6200, 5600, 3850], 3, 100, 100, 28),
    row(2794, [9000, 8000, 5300], 3, 100, 100, 23),
    row(2902, [13_200, 11_600, 7300], 2, 100, 100, 19),
    row(3006, [19_300, 16_700, 10_000], 2, 100, 100, 14),
    row(3123, [28_000, 24_000, 13_800], 1, 100, 100, 10),
    row(3234, [41_000, 35_000, 19_000], 0, 100, 100, 7),
    row(3334, [60_000, 50_000, 26_000], 0, 100, 100, 5),
];

/// Levels that are named after those who may like to play against them.
const PLAYER_NAMES: [(u8, &str); 4] = [(1, "first game"), (5, "beginner"), (15, "club"), (24, "strong")];

impl Level {
    /// The number of the strongest level.
    pub const MAX: u8 = 30;
    /// The Elo of the strongest level.
    pub const MAX_ELO: i32 = SKILLS[SKILLS.len() - 1].elo;

    /// The level of this number. `None` for 0, which means full strength, and above [`Level::MAX`].
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
    pub fn of_elo(elo: i32) -> Self {
        Self::all().min_by_key(|level| level.elo().abs_diff(elo)).unwrap_or(Self(1))
    }

    /// From 1 to [`Level::MAX`].
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whom a few of the levels are meant for, such as "beginner".
    pub fn player(self) -> Option<&'static str> {
        PLAYER_NAMES.iter().find(|(number, _)| *number == self.0).map(|&(_, player)| player)
    }

    /// The strength on a scale on which the reference player "placer" has 0.
    pub fn elo(self) -> i32 {
        self.skill().elo
    }

    pub(super) fn skill(self) -> &'static Skill {
        &SKILLS[usize::from(self.0) - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stronger_levels_search_at_least_as_much() {
        for pair in SKILLS.windows(2) {
            let [weak, strong] = pair else { unreachable!() };
            assert!(weak.elo < strong.elo, "{weak:?}");
            assert!(weak.nodes.iter().zip(strong.nodes).all(|(weak, strong)| *weak <= strong), "{weak:?}");
            assert!(weak.intuition >= strong.intuition, "{weak:?}");
            assert!(weak.sight <= strong.sight && weak.temperature >= strong.temperature, "{weak:?}");
            assert!(weak.variety >= strong.variety, "{weak:?}");
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
