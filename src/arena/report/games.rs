//! The games in the report: a section for each two engines that met.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::{Report, escaped, put};
use crate::arena::ptn::ptn_game;
use crate::arena::record::GameRecord;
use crate::arena::table::elo;

/// More games would make a page that browsers are slow to open.
const MOST_GAMES: usize = 500;

/// The name of the section with the games of two engines, whatever their order.
pub fn anchor(a: usize, b: usize) -> String {
    format!("games-{}-{}", a.min(b), a.max(b))
}

/// Writes the sections.
pub fn write(report: &Report, html: &mut String) {
    let mut meetings: BTreeMap<(usize, usize), Vec<&GameRecord>> = BTreeMap::new();
    for game in report.games {
        let key = (game.white.min(game.black), game.white.max(game.black));
        meetings.entry(key).or_default().push(game);
    }
    put!(html, "<section>\n<h2>Games</h2>");
    let most = (MOST_GAMES / meetings.len().max(1)).max(2);
    for ((a, b), games) in meetings {
        let score = report.statistics.meeting(a, b);
        put!(
            html,
            "<h3 id=\"{}\">{} – {}</h3>\n<p>{} ({}), Elo {}, pairs {}</p>",
            anchor(a, b),
            report.name(a),
            report.name(b),
            score.wdl(),
            score.wdl().points(),
            elo(score.pairs.elo()),
            score.pairs,
        );
        let shown = chosen(&games, most);
        if shown.len() < games.len() {
            put!(
                html,
                "<p class=\"note\">{} of {} games, those with faults first; journal and PTN file hold all.</p>",
                shown.len(),
                games.len(),
            );
        }
        for game in shown {
            write_game(report, game, html);
        }
    }
    put!(html, "</section>");
}

/// At most so many games, faults before others, in the order of their numbers.
fn chosen<'a>(games: &[&'a GameRecord], most: usize) -> Vec<&'a GameRecord> {
    let mut chosen = games.to_vec();
    chosen.sort_by_key(|game| (!game.termination.is_fault(), game.game));
    chosen.truncate(most);
    chosen.sort_by_key(|game| game.game);
    chosen
}

fn write_game(report: &Report, game: &GameRecord, html: &mut String) {
    put!(
        html,
        "<details id=\"game-{number}\" {class}><summary><b>{number}</b> {white} – {black} \
        <b>{result}</b> <span>{termination}, {plies} plies</span></summary>",
        number = game.game + 1,
        class = if game.termination.is_fault() {
            "class=\"fault\""
        } else {
            ""
        },
        white = report.name(game.white),
        black = report.name(game.black),
        result = game.result,
        termination = game.termination,
        plies = game.moves.len(),
    );
    match ptn_game(report.settings, game) {
        Ok(ptn) => put!(html, "<pre>{}</pre></details>", escaped(&ptn.to_string())),
        Err(error) => put!(html, "<p>{}</p></details>", escaped(&error.to_string())),
    }
}
