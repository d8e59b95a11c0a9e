//! Levels of reduced strength: moves by intuition, roads overlooked, and short searches.

/// A strength from 1, that of a beginner, to 20.
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
}

const fn row(elo: i32, nodes: u64, intuition: u64, temperature: u32, sight: u32) -> Skill {
    Skill { elo, nodes, intuition, temperature, sight }
}

/// Level 1 first. `tests/ladder.sh` measures the Elo in the first column; re-run it after changing any other column.
const TABLE: [Skill; Level::MAX as usize] = [
    //  Elo  nodes  intuition  temperature  sight
    row(443, 300, 100, 300, 40),
    row(535, 300, 100, 272, 57),
    row(654, 300, 100, 245, 70),
    row(731, 300, 100, 218, 80),
    row(766, 300, 100, 203, 85),
    row(866, 300, 100, 176, 91),
    row(955, 300, 100, 157, 94),
    row(1029, 300, 100, 140, 96),
    row(1096, 300, 100, 126, 97),
    row(1196, 300, 100, 112, 98),
    row(1323, 300, 98, 100, 100),
    row(1404, 300, 86, 100, 100),
    row(1572, 300, 75, 100, 100),
    row(1637, 300, 63, 100, 100),
    row(1747, 300, 48, 100, 100),
    row(1815, 300, 34, 100, 100),
    row(1954, 300, 20, 100, 100),
    row(2036, 400, 14, 100, 100),
    row(2138, 640, 12, 100, 100),
    row(2219, 1000, 10, 100, 100),
];

impl Level {
    /// The number of the strongest level.
    pub const MAX: u8 = 20;
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

    /// The level with the nearest strength.
    #[must_use]
    pub fn of_elo(elo: i32) -> Self {
        let levels = (1..=Self::MAX).map(Self);
        levels.min_by_key(|level| level.elo().abs_diff(elo)).unwrap_or(Self(1))
    }

    /// From 1 to [`Level::MAX`].
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
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
        }
    }

    #[test]
    fn strength_page_lists_elo_and_nodes_of_levels() {
        let page = include_str!("../../docs/strength.md");
        let (_, table) = page.split_once("| level | Elo | nodes at most |").unwrap();
        let rows = table.lines().skip(2).take(TABLE.len());
        for (place, (row, skill)) in rows.zip(&TABLE).enumerate() {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let elo = cells[2].split(' ').next().unwrap();
            assert_eq!(cells[1], (place + 1).to_string(), "{row}");
            assert_eq!(elo, skill.elo.to_string(), "{row}");
            assert_eq!(cells[3].replace(',', ""), skill.nodes.to_string(), "{row}");
        }
    }

    #[test]
    fn levels_are_found_by_number_and_by_elo() {
        assert_eq!(Level::new(0), None);
        assert_eq!(Level::new(21), None);
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
