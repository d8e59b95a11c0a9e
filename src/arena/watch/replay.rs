//! A page for each game, to step through it.

use maud::{Markup, html};

use super::overview::{position, said};
use super::{LOST, STYLE, Watch};
use crate::arena::record::{GameRecord, MoveRecord, Pairing};
use crate::arena::tournament::ptn::ptn_game;
use crate::arena::tournament::standings::shown_name;
use crate::draw::{Diagram, page_style};
use crate::html;

/// A game, over or not.
struct Shown {
    pairing: Pairing,
    start_tps: String,
    opening_plies: usize,
    moves: Vec<MoveRecord>,
    finished: Option<GameRecord>,
}

impl Watch {
    /// The page of the game with this number, from 0, after so many plies, by default all; `None` if there is none.
    pub(super) fn replay(&self, number: u64, plies: Option<usize>) -> Option<String> {
        let game = self.find(number)?;
        // Without a number the page of a game in progress goes on with it.
        let is_followed = plies.is_none() && game.finished.is_none();
        let plies = plies.unwrap_or(usize::MAX).min(game.moves.len());
        let board = position(&self.settings, &game.start_tps, &game.moves[..plies])?;
        let Pairing { white, black, .. } = game.pairing;
        let subject = html! {
            (html::isolated(&shown_name(&self.settings, white))) " – "
            (html::isolated(&shown_name(&self.settings, black)))
            @match &game.finished {
                Some(finished) => {
                    ", " b { (finished.result) } ", " (finished.termination)
                    @if let Some(detail) = &finished.detail { ": " (html::isolated(detail)) }
                },
                None => ", in progress",
            }
        };
        let main = html! {
            section.replay #game data-live[is_followed] {
                figure { (Diagram::of(&board).inline()) }
                div {
                    (self.steps(number, plies, game.moves.len()))
                    @if let Some(played) = plies.checked_sub(1).map(|last| &game.moves[last]) {
                        p { (description(played, plies <= game.opening_plies)) }
                    }
                    (self.moves(&game, plies))
                }
            }
            @if let Some(ptn) = game.finished.as_ref().and_then(|finished| ptn_game(&self.settings, finished).ok()) {
                section { details { summary { "PTN" } pre { (ptn) } } }
            }
            p { a href={ "/" (self.query) } { "Back to the tournament" } }
            p.note #lost hidden { (LOST) }
            script src={ "/watch.js" (self.query) } defer {}
        };
        Some(html::page(&format!("Game {}", number + 1), &subject, &(page_style() + STYLE), &main))
    }

    fn find(&self, number: u64) -> Option<Shown> {
        let finished = self.results().games.iter().find(|game| game.pairing.game == number).cloned();
        match finished {
            Some(game) => Some(Shown {
                pairing: game.pairing,
                start_tps: game.start_tps.clone(),
                opening_plies: game.opening_plies,
                moves: game.moves.clone(),
                finished: Some(game),
            }),
            None => self.live.get(number).map(|game| Shown {
                pairing: game.pairing,
                start_tps: game.start_tps,
                opening_plies: game.opening_plies,
                moves: game.moves,
                finished: None,
            }),
        }
    }

    /// Links to other positions of the game. The arrow keys follow them too.
    fn steps(&self, number: u64, plies: usize, all: usize) -> Markup {
        let link = |name: &str, rel: &str, target: Option<usize>| {
            html! {
                @match target {
                    Some(target) => a rel=(rel) href=(self.address(number, target)) { (name) },
                    None => span { (name) },
                }
            }
        };
        html! {
            nav.steps aria-label="Positions" {
                (link("First", "first", (plies > 0).then_some(0)))
                (link("Previous", "prev", plies.checked_sub(1)))
                (link("Next", "next", (plies < all).then_some(plies + 1)))
                (link("Last", "last", (plies < all).then_some(all)))
            }
        }
    }

    fn moves(&self, game: &Shown, plies: usize) -> Markup {
        let current = |index: usize| (index + 1 == plies).then_some("step");
        html! {
            p.moves {
                @for (index, played) in game.moves.iter().enumerate() {
                    a href=(self.address(game.pairing.game, index + 1)) aria-current=[current(index)] { (played.mv) } " "
                }
            }
        }
    }

    fn address(&self, number: u64, plies: usize) -> String {
        format!("/game/{}/{plies}{}", number + 1, self.query)
    }
}

/// A move with what the engine said, its nodes, its time and its line.
fn description(played: &MoveRecord, is_of_opening: bool) -> Markup {
    html! {
        b { (said(played)) }
        @if is_of_opening {
            ", from the opening"
        } @else {
            @if let Some(nodes) = played.nodes { ", " (nodes) " nodes" }
            (format_args!(", {:.3} s", played.time_us as f64 / 1e6))
            @if let Some(pv) = &played.pv { br; span.note { (pv) } }
        }
    }
}
