//! The cases as scripts, see `cases/common.tei` for their language.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::case::Case;

/// The levels with their files, in the order in which they are run.
pub const LEVELS: [(&str, &str); 8] = [
    ("start", include_str!("cases/start.tei")),
    ("handshake", include_str!("cases/handshake.tei")),
    ("positions", include_str!("cases/positions.tei")),
    ("options", include_str!("cases/options.tei")),
    ("output", include_str!("cases/output.tei")),
    ("malformed", include_str!("cases/malformed.tei")),
    ("clients", include_str!("cases/clients.tei")),
    ("clock", include_str!("cases/clock.tei")),
];

#[derive(Default)]
pub struct Scripts {
    /// In the order in which they are run.
    pub cases: Vec<Case>,
    /// The steps of each `def`.
    parts: BTreeMap<&'static str, Vec<&'static str>>,
    texts: BTreeMap<&'static str, &'static str>,
}

pub static SCRIPTS: LazyLock<Scripts> = LazyLock::new(|| {
    let mut scripts = Scripts::default();
    for (level, text) in [("", include_str!("cases/common.tei"))].into_iter().chain(LEVELS) {
        scripts.read(level, text);
    }
    scripts
});

impl Scripts {
    fn read(&mut self, level: &'static str, text: &'static str) {
        let (mut is_defined, mut basis) = (false, "");
        // The steps belong to this part, or else to the last case.
        let mut part = None;
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.split_once(' ') {
                Some((word @ ("text" | "undefined"), sentence)) => (is_defined, basis) = (word == "text", sentence),
                Some(("case", name)) => {
                    part = None;
                    self.cases.push(Case { level, name, is_defined, basis, steps: Vec::new() });
                }
                Some(("def", name)) => part = Some(name),
                Some(("let", rest)) => self.texts.extend(rest.split_once(": ")),
                _ => match (part, self.cases.last_mut()) {
                    (Some(name), _) => self.parts.entry(name).or_default().push(line),
                    (None, Some(case)) => case.steps.push(line),
                    (None, None) => {}
                },
            }
        }
    }

    /// The steps of a part with its argument in them, if there is one of this name.
    pub fn part(&self, name: &str, argument: &str) -> Option<Vec<String>> {
        let steps = self.parts.get(name)?;
        Some(steps.iter().map(|step| step.replace("{}", argument)).collect())
    }

    /// `None` if the script has no such text.
    pub fn text(&self, name: &str, width: usize) -> Option<&'static str> {
        self.texts.get(&*format!("{name} {width}")).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{AnyPosition, Color, Game, Komi, Move, Size};

    fn text(name: &str, size: Size) -> &'static str {
        SCRIPTS.text(name, size.width()).unwrap_or_else(|| panic!("{name} {size}"))
    }

    fn played(name: &str, size: Size) -> AnyPosition {
        let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
        text(name, size).split(' ').for_each(|mv| game.play(mv.parse().unwrap()).unwrap());
        game.position().clone()
    }

    #[test]
    fn boards_and_games_are_as_named() {
        for size in Size::ALL {
            assert_eq!(played("opening", size).outcome(), None);
            assert_eq!(played("road", size).outcome().unwrap().winner, Some(Color::White));
            for board in ["stacks", "rows"].map(|name| text(name, size)) {
                let position: AnyPosition = format!("{board} 2 {}", size.width()).parse().unwrap();
                assert_eq!((position.size(), position.outcome()), (size, None));
            }
        }
    }

    /// By every line of two plies.
    #[test]
    fn threats_are_won_and_lost() {
        let colors = [("White", Color::White), ("Black", Color::Black)];
        for (size, (name, owner), (side, to_move)) in
            Size::ALL.into_iter().flat_map(|size| colors.map(|owner| colors.map(|side| (size, owner, side)))).flatten()
        {
            let position = &played(&format!("threat {name} for {side}"), size);
            assert_eq!(position.to_move(), to_move, "{position}");
            let after = |position: &AnyPosition, mv: &Move| {
                let mut next = position.clone();
                next.play(*mv).unwrap();
                next
            };
            let wins = |next: &AnyPosition| next.outcome().is_some_and(|outcome| outcome.winner == Some(owner));
            let can_win = |position: &AnyPosition| position.legal_moves().iter().any(|mv| wins(&after(position, mv)));
            if owner == to_move {
                assert!(can_win(position), "{position}");
                continue;
            }
            for mv in position.legal_moves() {
                let next = after(position, &mv);
                assert!(next.outcome().is_none() && can_win(&next), "{position} {mv}");
            }
        }
    }
}
