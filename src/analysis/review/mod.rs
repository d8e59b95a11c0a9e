//! The review of annotated games: one HTML page that needs nothing else. A script, without which everything is there as
//! well, sorts its tables.

mod boards;
mod game;
mod graph;
mod tables;
mod words;

use maud::{Markup, PreEscaped, html};

use crate::analysis::annotate::game::AnnotatedGame;
use crate::analysis::annotate::totals::Totals;
use crate::{draw, html};
use boards::Boards;

/// The style of this page beyond that of all pages.
const STYLE: &str = include_str!("review.css");
/// Sorts tables by the column whose heading is pressed.
const SORTING: &str = include_str!("sort.js");

/// Plies that may have a diagram each; in longer and in later games only turning points have one.
const PLIES_WITH_BOARDS: usize = 300;
/// Bytes of games after which no more are shown one by one: browsers would be slow to open the page. No game has more
/// than a mebibyte, except those whose moves have a diagram each.
const MAX_SHOWN_BYTES: usize = 24 << 20;
/// Games in the table of games.
const MAX_ROWS: u64 = 5_000;

/// Collects annotated games for a page. Takes no more memory than a page may have.
#[derive(Debug, Default)]
pub struct Review {
    /// The limits for each position.
    limits: String,
    totals: Totals,
    /// Names and result of the first game, as markup.
    first: String,
    rows: String,
    games: String,
    shown: u64,
    plies: usize,
}

impl Review {
    /// A review of no game yet; `limits` describes the limits for each position.
    pub fn new(limits: String) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes in a game.
    pub fn add(&mut self, game: &AnnotatedGame) {
        self.totals.add(game);
        let number = self.totals.games();
        if number == 1 {
            self.first = words::headline(game).into_string();
        }
        let is_shown = self.games.len() < MAX_SHOWN_BYTES;
        if number <= MAX_ROWS {
            let row = tables::game_row(game, number, is_shown);
            self.rows.push_str(&row.into_string());
        }
        if is_shown {
            self.plies = self.plies.saturating_add(game.plies.len());
            let boards = if self.plies <= PLIES_WITH_BOARDS { Boards::All } else { Boards::Turns };
            let section = game::section(game, number, boards);
            self.games.push_str(&section.into_string());
            self.shown = number;
        }
    }

    /// The page about the games so far.
    pub fn page(&self) -> String {
        let games = self.totals.games();
        let subject = if games == 1 {
            PreEscaped(self.first.clone())
        } else {
            html! { (games) " games" }
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
                    @if games > MAX_ROWS { p.note { "The first " (MAX_ROWS) " games." } }
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
                    dt { "chances" } dd { "the score as expected points between people, in percent; a draw counts half. Engines make more of a lead" }
                    dt { "? and ??" } dd { "lost 10 and 25 points of chances or more" }
                    dt { "! and !!" } dd { "the only move that keeps the result, as longer searches agree; !! where every other move loses" }
                    dt { "' and ''" } dd { "threatens a road; leaves a road that cannot be prevented" }
                    dt { "proven" } dd { "a win in so many plies, missed, run into or avoided as well, and '': for every reply" }
                    dt { "judged" } dd { "chances and values derived from them: losses, accuracy, ?, ??, ! and !!. Longer searches may disagree" }
                }
            }
            script { (PreEscaped(SORTING)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::annotate::analysis::PositionAnalysis;
    use crate::analysis::annotate::judge::judge;
    use crate::analysis::annotate::source::Source;

    /// A game in which two stones go to and fro, with chances that go up and down and names that fill a page.
    fn long_game(plies: usize) -> AnnotatedGame {
        let name = "long name ".repeat(10_000);
        let to_and_fro = ["a1+", "e5-", "a2-", "e4+"].into_iter().cycle();
        let moves = ["e5", "a1"].into_iter().chain(to_and_fro);
        let moves: Vec<&str> = moves.take(plies).collect();
        let text = format!("[Player1 \"{name}\"]\n[Event \"{name}\"]\n[Size \"5\"]\n\n1. {}", moves.join(" "));
        let analysis = |ply: usize| {
            let score = ply as i32 * 7919 % 400 - 200;
            let analysis = serde_json::json!({"score": score, "line": "c3", "depth": 9, "nodes": 1000, "ms": 1});
            serde_json::from_value(analysis).unwrap()
        };
        let analyses: Vec<PositionAnalysis> = (0..=plies).map(analysis).collect();
        judge(Source::read(0, &text.into(), None), &analyses)
    }

    fn ids(page: &str, before: &str) -> Vec<String> {
        let parts = page.split(before).skip(1);
        parts.filter_map(|rest| Some(rest.split('"').next()?.to_owned())).collect()
    }

    #[test]
    fn long_games_make_pages_of_bounded_size() {
        let page = |plies: usize| {
            let mut review = Review::new("nodes=1000".to_owned());
            review.add(&long_game(plies));
            review.page()
        };
        for (plies, most_kib, points) in [(300, 4096, 300), (301, 400, 301), (5_000, 1024, 334)] {
            let page = page(plies);
            let kib = page.len() / 1024;
            println!("{plies} plies: {kib} KiB");
            assert!(kib <= most_kib, "{plies} plies: {kib} KiB");
            assert_eq!(page.matches("<a class=\"point").count(), points, "{plies}");
            assert_eq!(page.matches("class=\"played").count(), plies);
            let boards = page.matches("<figure class=\"board").count();
            assert!(if plies > 300 { boards <= 7 } else { boards == 301 });
            let ids = ids(&page, " id=\"");
            for link in self::ids(&page, "href=\"#") {
                assert!(ids.contains(&link), "#{link} leads nowhere");
            }
        }
    }

    #[test]
    fn the_thinned_line_keeps_every_peak() {
        let chances: Vec<f64> = (0..5_000).map(|at| f64::from(at * 7919 % 5_003)).collect();
        let kept = graph::outline(&chances);
        assert!(kept.len() < 1_500 && kept.is_sorted());
        assert_eq!(kept.last(), Some(&4_999));
        let extreme = |kept: &mut dyn Iterator<Item = usize>| {
            let values: Vec<f64> = kept.map(|index| chances[index]).collect();
            [f64::min, f64::max].map(|pick| values.iter().copied().reduce(pick))
        };
        assert_eq!(extreme(&mut kept.into_iter()), extreme(&mut (0..5_000)));
        assert_eq!(graph::outline(&chances[..700]), (0..700).collect::<Vec<_>>());
    }
}
