//! The review of annotated games: one HTML page that needs nothing else. A script, without which everything is there as
//! well, sorts its tables.

mod boards;
mod game;
mod graph;
mod tables;
mod words;

use maud::{Markup, PreEscaped, html};

use crate::annotate::game::AnnotatedGame;
use crate::annotate::totals::Totals;
use crate::{draw, html};
use boards::Boards;

/// What this page needs beyond the style of all pages.
const STYLE: &str = include_str!("review.css");
/// Sorts tables by the column whose heading is pressed.
const SORTING: &str = include_str!("sort.js");

/// Plies that have a diagram each; in later games only turning points have one.
const PLIES_WITH_BOARDS: usize = 300;
/// Bytes of games after which no more are shown one by one: browsers would be slow to open the page.
const MOST_BYTES: usize = 24 << 20;
/// Games in the table of games.
const MOST_ROWS: u64 = 5_000;

/// Collects annotated games for a page. Takes no more memory than a page may have.
#[derive(Debug, Default)]
pub struct Review {
    /// What was allowed for each position.
    limits: String,
    totals: Totals,
    /// Names and result of the first game.
    first: String,
    rows: String,
    games: String,
    shown: u64,
    plies: usize,
}

impl Review {
    /// A review of no game yet; `limits` says how each position was looked at.
    pub fn new(limits: String) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Takes in a game.
    pub fn add(&mut self, game: &AnnotatedGame) {
        self.totals.add(game);
        let number = self.totals.games();
        if number == 1 {
            self.first = words::headline(game);
        }
        let is_shown = self.games.len() < MOST_BYTES;
        if number <= MOST_ROWS {
            let row = tables::game_row(game, number, is_shown);
            self.rows.push_str(&row.into_string());
        }
        if is_shown {
            self.plies = self.plies.saturating_add(game.plies.len());
            let boards = if number == 1 || self.plies <= PLIES_WITH_BOARDS {
                Boards::All
            } else {
                Boards::Turns
            };
            let section = game::section(game, number, boards);
            self.games.push_str(&section.into_string());
            self.shown = number;
        }
    }

    /// The page about the games so far.
    pub fn page(&self) -> String {
        let games = self.totals.games();
        let subject = match games {
            1 => self.first.clone(),
            _ => format!("{games} games"),
        };
        let style = STYLE.to_owned() + &draw::page_style();
        html::page("Tak review", &subject, &style, &self.sections(games))
    }

    fn sections(&self, games: u64) -> Markup {
        html! {
            @if games == 0 { section { p { "There is no game." } } }
            @if games > 1 {
                section {
                    h2 { "Players" }
                    (tables::players(&self.totals))
                    p.note {
                        "Accuracy goes from 0 to 100. The loss is in points of winning chances, as a mean over all moves."
                    }
                }
                section {
                    h2 { "Games" }
                    (tables::games(&PreEscaped(self.rows.as_str())))
                    @if games > MOST_ROWS { p.note { "The first " (MOST_ROWS) " games." } }
                    @if games > self.shown {
                        p.note { "Below are the first " (self.shown) " games; the PTN file has all of them." }
                    }
                }
            }
            (PreEscaped(self.games.as_str()))
            section {
                h2 { "About these numbers" }
                dl {
                    dt { "each position" } dd { (self.limits) }
                    dt { "chances" } dd { "what the score is worth in games, in percent; a draw counts half" }
                    dt { "? and ??" } dd { "lost 10 and 25 points of chances or more" }
                    dt { "! and !!" } dd { "the only move that keeps the result; !! where every other move loses" }
                    dt { "' and ''" } dd { "threatens a road; leaves a road that cannot be prevented, as the solver has proven" }
                }
            }
            script { (PreEscaped(SORTING)) }
        }
    }
}
