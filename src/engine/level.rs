//! Levels of reduced strength: depth, errors of the evaluation, and randomness of the choice.

/// A strength from 1, that of a beginner, to 20.
///
/// ```
/// use tak_engine::board::{AnyPosition, Game, Komi, Size};
/// use tak_engine::engine::{Engine, Level, Limits, Settings};
///
/// let settings = Settings { level: Level::new(3), seed: 7, ..Settings::default() };
/// let game = Game::new(AnyPosition::start(Size::new(6)?, Komi::ZERO));
/// // No limit is needed: a level limits depth and nodes.
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
    /// The measured strength; level 1 has 0.
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
    //  Elo  depth  nodes  candidates  temperature  noise  static_move_percent
    row(0, 3000, 97, 100, 90),
    row(155, 3000, 80, 100, 90),
    row(286, 3000, 50, 100, 90),
    row(389, 3000, 28, 100, 90),
    row(505, 3000, 16, 100, 90),
    row(650, 3000, 10, 100, 90),
    row(760, 3000, 6, 100, 90),
    row(880, 3000, 2, 100, 90),
    row(998, 3000, 0, 100, 90),
    row(1126, 3000, 0, 100, 90),
    row(1277, 4000, 0, 100, 90),
    row(1412, 4000, 0, 100, 90),
    row(1538, 4000, 0, 100, 90),
    row(1687, 4000, 0, 100, 90),
    row(1825, 6000, 0, 100, 90),
    row(1918, 6000, 0, 100, 90),
    row(2027, 6000, 0, 100, 90),
    row(2131, 10000, 0, 100, 90),
    row(2301, 10000, 0, 100, 90),
    row(2443, 10000, 0, 100, 90),
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

    /// The strength on a scale on which level 1 has 0.
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
            assert!(weak.depth <= strong.depth && weak.nodes <= strong.nodes);
            assert!(weak.static_move_percent >= strong.static_move_percent, "{weak:?}");
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
