//! The standings as text for a terminal.

use std::fmt::Display;

use super::settings::TournamentSettings;
use super::statistics::Statistics;
use crate::arena::record::Termination;
use crate::arena::stats::sprt::SprtSettings;
use crate::arena::stats::strength::Wdl;
use crate::board::{Color, Komi};
use crate::html::table::Table;
use crate::notation::{short_name, shown};

/// With more columns a crosstable is wider than a terminal.
const MAX_COLUMNS: usize = 10;

pub fn standings(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let mut parts = vec![
        headline(settings, statistics) + "\n",
        strength(settings, statistics).to_string(),
        pairs(settings, statistics).to_string(),
    ];
    if statistics.engines() > 2 {
        parts.push(crosstable(settings, statistics).to_string());
    }
    parts.extend(settings.sprt.map(|test| sprt(settings, statistics, &test)));
    parts.push(games(settings, statistics));
    parts.push(effort(settings, statistics).to_string());
    parts.join("\n")
}

/// The engines, best first: by points a game, then in the order of the settings.
pub(crate) fn ranking(statistics: &Statistics) -> Vec<usize> {
    let rate = |engine| statistics.total(engine).wdl().score().unwrap_or(0.0);
    let mut engines: Vec<usize> = (0..statistics.engines()).collect();
    engines.sort_by(|&a, &b| rate(b).total_cmp(&rate(a)));
    engines
}

/// `6x6, komi 2, tc=10+0.1, round-robin of 3 engines: 40 of 300 games`. A test may end with fewer games than planned.
pub fn headline(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let komi = Komi::from_half(settings.half_komi.into()).unwrap_or_default();
    let size = settings.size;
    let planned = settings.schedule().pairings().map_or(0, |list| list.len());
    let opening =
        if settings.opening_rule.is_swap() { String::new() } else { format!("opening {}, ", settings.opening_rule) };
    let of = if settings.sprt.is_some() { "of at most" } else { "of" };
    format!(
        "{size}x{size}, komi {komi}, {opening}{}, {} of {} engines: {} {of} {planned} games",
        time_controls(settings),
        settings.format,
        settings.engines.len(),
        statistics.games(),
    )
}

/// The time control of all engines, or those of some with their names: `nodes=400 (deep), nodes=100 (shallow)`.
fn time_controls(settings: &TournamentSettings) -> String {
    const MAX_NAMED_ENGINES: usize = 4;
    let engines = &settings.engines;
    match engines.first() {
        Some(first) if engines.iter().all(|engine| engine.time == first.time) => shown(&first.time),
        _ if engines.len() > MAX_NAMED_ENGINES => "different time controls".to_owned(),
        _ => {
            let named = engines.iter().enumerate();
            named
                .map(|(at, engine)| format!("{} ({})", shown(&engine.time), shown_name(settings, at)))
                .collect::<Vec<_>>()
                .join(", ")
        }
    }
}

/// The name of an engine as it can be shown in a line.
pub(crate) fn shown_name(settings: &TournamentSettings, engine: usize) -> String {
    short_name(settings.name(engine))
}

/// `52.3 %`, or `-` for nothing.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// `-` for nothing.
pub(crate) fn or_dash(value: Option<impl Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Points of the row's engine against the column's.
fn crosstable(settings: &TournamentSettings, statistics: &Statistics) -> Table {
    let ranking = ranking(statistics);
    let shown = &ranking[..ranking.len().min(MAX_COLUMNS)];
    let numbers = (1..=shown.len()).map(|number| number.to_string());
    let titles = [String::new(), "points against".to_owned()].into_iter().chain(numbers).collect();
    let row = |(number, &engine): (usize, &usize)| {
        let points = shown.iter().map(|&opponent| {
            let wdl = statistics.meeting(engine, opponent).wdl();
            match wdl.games() {
                0 => "-".to_owned(),
                games => format!("{}/{games}", wdl.points()),
            }
        });
        [number.to_string(), shown_name(settings, engine)].into_iter().chain(points).collect()
    };
    Table { titles, texts: 2, rows: (1..).zip(&ranking).map(row).collect() }
}

fn sprt(settings: &TournamentSettings, statistics: &Statistics, test: &SprtSettings) -> String {
    let state = statistics.test_state();
    let all = if state.pairs == statistics.meeting(0, 1).pairs { "" } else { ", with the games of all shares" };
    format!("SPRT of {}: {test}{all}\n{}\n", shown_name(settings, 0), state.describe(test))
}

fn games(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let white = statistics.white();
    let row = |(termination, &ending): (&Termination, &Wdl)| {
        let share = ending.games() as f64 / white.games() as f64;
        let Wdl { wins, draws, losses } = ending;
        let [games, wins, draws, losses] = [ending.games(), wins, draws, losses].map(|count| count.to_string());
        [termination.to_string(), games, percent(Some(share)), wins, draws, losses]
    };
    let titles = ["how games ended", "games", "share", "White", "drawn", "Black"];
    let endings = Table::new(titles, statistics.endings.iter().map(row));
    let fault = |(&(engine, termination), count): (&(usize, Termination), &u64)| {
        let times = if *count == 1 { "once" } else { &format!("{count} times") };
        format!("fault of {}: {termination}, {times}\n", shown_name(settings, engine))
    };
    let faults: String = statistics.faults.iter().map(fault).collect();
    let plies = or_dash(statistics.mean_plies().map(|plies| format!("{plies:.1}")));
    format!("White {white} ({}), mean length {plies} plies\n{endings}{faults}", percent(white.score()))
}

/// The strength of each engine, best first.
pub(crate) fn strength(settings: &TournamentSettings, statistics: &Statistics) -> Table {
    let row = |engine| {
        let score = statistics.total(engine);
        let wdl = score.wdl();
        [
            shown_name(settings, engine),
            wdl.games().to_string(),
            percent(wdl.score()),
            wdl.to_string(),
            or_dash(score.pairs.elo()),
            or_dash(score.pairs.normalized_elo()),
            percent(score.pairs.superiority()),
        ]
    };
    let titles = ["engine", "games", "score", "results", "Elo", "nElo", "LOS"];
    Table::new(titles, ranking(statistics).into_iter().map(row))
}

/// The counts behind the strength of each engine, best first.
pub(crate) fn pairs(settings: &TournamentSettings, statistics: &Statistics) -> Table {
    let row = |engine| {
        let score = statistics.total(engine);
        let [white, black] = Color::ALL.map(|color| percent(score.by_color[color].score()));
        [shown_name(settings, engine), score.pairs.to_string(), percent(score.wdl().draw_rate()), white, black]
    };
    let titles = ["engine", "pairs 0 to 2", "draws", "as White", "as Black"];
    Table::new(titles, ranking(statistics).into_iter().map(row))
}

/// Speed and time of each engine, and the scale of its scores, best first.
pub(crate) fn effort(settings: &TournamentSettings, statistics: &Statistics) -> Table {
    let row = |engine| {
        let effort = statistics.effort(engine);
        [
            shown_name(settings, engine),
            effort.moves.to_string(),
            or_dash(effort.mean_depth().map(|depth| format!("{depth:.1}"))),
            or_dash(effort.nodes_per_second().map(|nps| format!("{nps:.0}"))),
            or_dash(effort.mean_ms().map(|ms| format!("{ms:.2}"))),
            format!("{:.1}", effort.longest_us as f64 / 1000.0),
            format!("{:.1}", effort.time_us as f64 / 1e6),
            or_dash(statistics.score_scale(engine).map(|scale| format!("{scale:.0}"))),
            statistics.faults_of(engine).to_string(),
        ]
    };
    let titles = ["engine", "moves", "mean depth", "nodes/s", "mean ms", "longest ms", "total s", "cp/e", "faults"];
    Table::new(titles, ranking(statistics).into_iter().map(row))
}

/// The score of the first engine: `engine +5 =1 -3, Elo +78.4 ± 45.0, LLR 0.31 (-2.94, 2.94)`.
pub fn summary(settings: &TournamentSettings, statistics: &Statistics) -> String {
    let score = statistics.total(0);
    let test = settings.sprt.map_or_else(String::new, |test| {
        let pairs = statistics.test_state().pairs;
        let llr = test.log_likelihood_ratio(pairs);
        let all = if pairs == score.pairs { String::new() } else { format!(" of {} pairs", pairs.pairs()) };
        format!(", LLR{all} {llr:.2} ({:.2}, {:.2})", test.lower_bound(), test.upper_bound())
    });
    format!("{} {}, Elo {}{test}", shown_name(settings, 0), score.wdl(), or_dash(score.pairs.elo()))
}
