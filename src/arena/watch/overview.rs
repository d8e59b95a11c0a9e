//! The first page: the games in progress as small boards, the sections of the report, and the list of finished games.

use std::collections::BTreeSet;
use std::time::Duration;

use maud::{Markup, html};

use super::{LOST, STYLE, Shown, Watch};
use crate::arena::live::LiveGame;
use crate::arena::record::{GameRecord, MoveRecord};
use crate::arena::report;
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::standings::{headline, shown_name};
use crate::board::{AnyPosition, Color, Game, Komi, Setup};
use crate::draw::{Diagram, page_style};
use crate::html;
use crate::notation::parse_move;
use crate::search::Solved;
use crate::tei::info::Claim;

/// More boards than this are too small to look at.
const MAX_BOARDS: usize = 24;
/// The finished games that are listed, the last ones first.
const MAX_LISTED_GAMES: usize = 400;

impl Watch {
    pub(super) fn overview(&self) -> String {
        let shown = self.shown();
        let live = self.live.all();
        let main = html! {
            @if shown.is_share {
                p.note {
                    "These are the games of one share. The test counts the pairs of all; its curve has those of this share."
                }
            }
            div #live data-live { (self.boards(&live)) }
            div #sections data-live { (shown.sections) }
            div #games data-live { (shown.games) }
            p.note #lost hidden { (LOST) }
            script src={ "watch.js" (self.query) } defer {}
        };
        let style = format!("{}{}{STYLE}", report::STYLE, page_style());
        html::page("Tak tournament", &html! { span #subject data-live { (shown.subject) } }, &style, &main)
    }

    /// What does not change until a game is over.
    fn shown(&self) -> Shown {
        let mut results = self.results();
        if let Some(shown) = &results.shown {
            return shown.clone();
        }
        let shown = Shown {
            subject: headline(&self.settings, &results.statistics),
            sections: report::overview(&self.settings, &results.statistics, &results.games),
            games: self.list(&results.games),
            is_share: self.settings.sprt.is_some()
                && results.statistics.test.is_some_and(|test| test.pairs != results.statistics.meeting(0, 1).pairs),
        };
        results.shown = Some(shown.clone());
        shown
    }

    fn boards(&self, games: &[LiveGame]) -> Markup {
        html! {
            section {
                h2 { "In progress" }
                @if games.is_empty() { p { "No game is being played here." } }
                div.live {
                    @for game in games.iter().take(MAX_BOARDS) { (self.board(game)) }
                }
                @if games.len() > MAX_BOARDS { p.note { (games.len() - MAX_BOARDS) " more games are being played." } }
            }
        }
    }

    fn board(&self, live: &LiveGame) -> Markup {
        let Some(game) = position(&self.settings, &live.start_tps, &live.moves) else {
            return Markup::default();
        };
        let mover = game.position().to_move();
        let number = live.pairing.game + 1;
        html! {
            figure {
                figcaption {
                    a href={ "game/" (number) (self.query) } { "Game " (number) }
                    @for (color, engine) in [(Color::White, live.pairing.white), (Color::Black, live.pairing.black)] {
                        p.player.turn[color == mover] {
                            (html::isolated(&shown_name(&self.settings, engine)))
                            @if let Some(left) = live.clock(color, mover) { span.clock { (clock_text(left)) } }
                        }
                        p.note { (last_words(live, color, mover)) }
                    }
                }
                (Diagram::of(&game).inline())
            }
        }
    }

    fn list(&self, games: &[GameRecord]) -> Markup {
        // The crosstable leads to the games of two engines.
        let mut named = BTreeSet::new();
        let mut anchor = |game: &GameRecord| {
            let anchor = report::anchor(game.pairing.white, game.pairing.black);
            named.insert(anchor.clone()).then_some(anchor)
        };
        html! {
            section {
                h2 { "Games" }
                @if games.len() > MAX_LISTED_GAMES { p.note { "The last " (MAX_LISTED_GAMES) " of " (games.len()) "." } }
                ol.games {
                    @for game in games.iter().rev().take(MAX_LISTED_GAMES) {
                        li id=[anchor(game)] {
                            a href={ "game/" (game.pairing.game + 1) (self.query) } { (game.pairing.game + 1) } " "
                            (html::isolated(&shown_name(&self.settings, game.pairing.white))) " – "
                            (html::isolated(&shown_name(&self.settings, game.pairing.black))) " "
                            b { (game.result) } " "
                            span.note { (game.termination) ", " (game.moves.len()) " plies" }
                        }
                    }
                }
            }
        }
    }
}

/// The game after these moves; `None` if they cannot be read or played.
pub(super) fn position(settings: &TournamentSettings, start_tps: &str, moves: &[MoveRecord]) -> Option<Game> {
    let komi = Komi::from_half(settings.half_komi.into()).unwrap_or_default();
    let start = Setup { komi, opening: settings.opening_rule, ..start_tps.parse().ok()? };
    let mut game = Game::new(AnyPosition::from_setup(&start).ok()?);
    for played in moves {
        game.play(parse_move(&played.mv, start.size).ok()?).ok()?;
    }
    Some(game)
}

/// What an engine said with its last move.
fn last_words(live: &LiveGame, color: Color, mover: Color) -> String {
    // The players take turns, so the other one made the last move.
    let back = usize::from(color == mover);
    let index = live.moves.len().checked_sub(1 + back).filter(|&index| index >= live.opening_plies);
    index.map_or_else(String::new, |index| said(&live.moves[index]))
}

/// `c3, +0.35, depth 12`: a move with what its engine said, from its own view.
pub(super) fn said(played: &MoveRecord) -> String {
    let MoveRecord { mv, score_cp, solved, depth, .. } = played;
    let score = match (solved, score_cp) {
        (Some(claim), _) => format!(", {}", claim_text(*claim)),
        (None, Some(cp)) => format!(", {:+.2}", f64::from(*cp) / 100.0),
        (None, None) => String::new(),
    };
    let depth = depth.map_or_else(String::new, |depth| format!(", depth {depth}"));
    format!("{mv}{score}{depth}")
}

fn claim_text(claim: Claim) -> String {
    match claim {
        Claim::Decided(Solved::Win(plies)) => format!("wins in {plies} plies"),
        Claim::Decided(Solved::Loss(plies)) => format!("loses in {plies} plies"),
        Claim::Draw(_) => "a draw".to_owned(),
    }
}

/// `1:05` or, below a minute, `9.3 s`.
fn clock_text(left: Duration) -> String {
    let seconds = left.as_secs();
    if seconds >= 60 { format!("{}:{:02}", seconds / 60, seconds % 60) } else { format!("{:.1} s", left.as_secs_f64()) }
}
