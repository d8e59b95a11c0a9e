//! The tables: players, games, and the players of a game.

use maud::{Markup, PreEscaped, html};

use super::words::{self, or_dash};
use crate::analysis::annotate::game::{AnnotatedGame, Phase, Summary};
use crate::analysis::annotate::totals::{Player, Totals, half_points};
use crate::board::Color;
use crate::html::isolated;

/// Players in the table of players.
const MAX_LISTED_PLAYERS: usize = 500;

/// All players, those with most games first.
pub fn players(totals: &Totals) -> Markup {
    let mut players: Vec<_> = totals.players().collect();
    players.sort_by_key(|(_, player)| std::cmp::Reverse(player.games));
    let rest = players.len().saturating_sub(MAX_LISTED_PLAYERS);
    players.truncate(MAX_LISTED_PLAYERS);
    html! {
        div.wide {
            table.sortable {
                thead {
                    tr {
                        th.text { "player" } th { "games" } th { "score" } th { "accuracy" } th { "loss" }
                        th { "?? a game" } th { "? a game" } th { "wins missed" } th { "run into" } th { "avoided" }
                    }
                }
                tbody {
                    @for (name, player) in players {
                        @let summary = &player.summary;
                        @let [blunders, mistakes, ..] = summary.marks;
                        @let a_game = |count: u32| or_dash(Some(f64::from(count) / player.games.max(1) as f64));
                        tr {
                            td.text.name { (isolated(&words::short(name))) }
                            td { (player.games) }
                            td data-sort=[share(player)] {
                                @if player.finished > 0 { (points(player.half_points)) "/" (player.finished) } @else { "–" }
                            }
                            td { (or_dash(summary.accuracy())) }
                            td { (or_dash(summary.mean_loss())) }
                            td { (a_game(blunders)) }
                            td { (a_game(mistakes)) }
                            td { (summary.missed) }
                            td { (summary.allowed) }
                            td { (summary.avoided) }
                        }
                    }
                }
            }
        }
        @if rest > 0 { p.note { "and " (rest) " more players" } }
    }
}

/// The part of all points that a player got, to sort by.
fn share(player: &Player) -> Option<f64> {
    (player.finished > 0).then(|| player.half_points as f64 / (2 * player.finished) as f64)
}

fn points(half: u64) -> String {
    let rest = if half % 2 == 1 { "½" } else { "" };
    match half / 2 {
        0 if half == 1 => rest.to_owned(),
        whole => format!("{whole}{rest}"),
    }
}

/// The table of all games around its rows.
pub fn games(rows: &PreEscaped<&str>) -> Markup {
    html! {
        div.wide {
            table.sortable {
                thead {
                    tr {
                        th { "#" } th.text { "White" } th.text { "Black" } th.text { "result" } th.text { "board" } th { "plies" }
                        th { "White's accuracy" } th { "?? and ?" } th { "Black's accuracy" } th { "?? and ?" } th.text { "decided by" }
                    }
                }
                tbody { (rows) }
            }
        }
    }
}

/// A game in that table.
pub fn game_row(game: &AnnotatedGame, number: u64, is_shown: bool) -> Markup {
    let [white, black] = Color::ALL.map(|color| words::name(game, color));
    let points = half_points(game, Color::White).map(|half| half as f64 / 2.0);
    let decided = game.decisive.and_then(|index| game.plies.get(index));
    html! {
        tr {
            td { @if is_shown { a href={ "#game-" (number) } { (number) } } @else { (number) } }
            td.text.name { (isolated(&white)) }
            td.text.name { (isolated(&black)) }
            td.text data-sort=[points] { (isolated(&words::result(game))) }
            td.text { (game.source.start.size) "x" (game.source.start.size) ", komi " (game.source.start.komi) }
            td { (game.plies.len()) }
            @for color in Color::ALL {
                @let summary = &game.players[color];
                td { (or_dash(summary.accuracy())) }
                td { (summary.marks[0] + summary.marks[1]) }
            }
            td.text { @if let Some(ply) = decided { (words::numbered(ply)) } @else { "–" } }
        }
    }
}

/// The table of a game's players.
pub fn accuracy(game: &AnnotatedGame) -> Markup {
    html! {
        div.wide {
            table {
                thead {
                    tr {
                        th.text { "player" } th { "accuracy" } th { "loss" }
                        @for phase in Phase::ALL { th { (phase) } }
                        th { "??" } th { "?" } th { "!" } th { "!!" } th { "wins missed" } th { "run into" } th { "avoided" }
                    }
                }
                tbody {
                    @for color in Color::ALL {
                        (accuracy_row(&words::name(game, color), &game.players[color]))
                    }
                }
            }
        }
    }
}

fn accuracy_row(name: &str, summary: &Summary) -> Markup {
    html! {
        tr {
            td.text.name { (isolated(name)) }
            td { (or_dash(summary.accuracy())) }
            td { (or_dash(summary.mean_loss())) }
            @for phase in Phase::ALL { td { (or_dash(summary.phase_loss(phase))) } }
            @for count in summary.marks { td { (count) } }
            td { (summary.missed) }
            td { (summary.allowed) }
            td { (summary.avoided) }
        }
    }
}
