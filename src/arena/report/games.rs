//! The games in the report: a part for each pairing of engines.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::Page;
use crate::arena::record::{GameRecord, Pairing};
use crate::arena::tournament::ptn::ptn_game;
use crate::arena::tournament::standings::or_dash;

/// With more games browsers are slow to open the page.
const MAX_LISTED_GAMES: usize = 500;

/// The name of the part with the games of two engines, in either order.
pub fn anchor(a: usize, b: usize) -> String {
    format!("games-{}-{}", a.min(b), a.max(b))
}

impl Page<'_> {
    pub fn meetings(&self) -> Markup {
        let mut meetings: BTreeMap<(usize, usize), Vec<&GameRecord>> = BTreeMap::new();
        for game in self.games {
            let Pairing { white, black, .. } = game.pairing;
            let key = (white.min(black), white.max(black));
            meetings.entry(key).or_default().push(game);
        }
        let most = (MAX_LISTED_GAMES / meetings.len().max(1)).max(2);
        html! {
            section {
                h2 { "Games" }
                @for (&(a, b), games) in &meetings {
                    (self.meeting(a, b, games, most))
                }
            }
        }
    }

    fn meeting(&self, a: usize, b: usize, games: &[&GameRecord], most: usize) -> Markup {
        let score = self.statistics.meeting(a, b);
        let shown = chosen(games, most);
        html! {
            h3 id=(anchor(a, b)) { (self.name(a)) " – " (self.name(b)) }
            p {
                (score.wdl()) " (" (score.wdl().points()) "), Elo " (or_dash(score.pairs.elo()))
                ", pairs " (score.pairs)
            }
            @if shown.len() < games.len() {
                p.note {
                    (shown.len()) " of " (games.len())
                    " games, those with faults first; journal and PTN file hold all."
                }
            }
            @for game in shown {
                (self.game(game))
            }
        }
    }

    fn game(&self, game: &GameRecord) -> Markup {
        let number = game.pairing.game + 1;
        let fault = game.termination.is_fault().then_some("fault");
        html! {
            details id={ "game-" (number) } class=[fault] {
                summary {
                    b { (number) } " " (self.name(game.pairing.white)) " – " (self.name(game.pairing.black)) " "
                    b { (game.result) } " "
                    span { (game.termination) ", " (game.moves.len()) " plies" }
                }
                @match ptn_game(self.settings, game) {
                    Ok(ptn) => pre { (ptn) },
                    Err(error) => p { (error) },
                }
            }
        }
    }
}

/// At most `most` games in the order of their numbers. Games with faults are kept before others.
fn chosen<'a>(games: &[&'a GameRecord], most: usize) -> Vec<&'a GameRecord> {
    let mut chosen = games.to_vec();
    chosen.sort_by_key(|game| (!game.termination.is_fault(), game.pairing.game));
    chosen.truncate(most);
    chosen.sort_by_key(|game| game.pairing.game);
    chosen
}
