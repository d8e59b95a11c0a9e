//! The pages to watch a tournament on: the standings, the games in progress, and every game to step through.
//!
//! A page is made when it is asked for. Its script asks again every two seconds, and replaces what has changed.

mod overview;
mod replay;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maud::Markup;

use super::live::LiveGames;
use super::record::GameRecord;
use super::tournament::settings::TournamentSettings;
use super::tournament::statistics::Statistics;
use super::tournament::verdict::TestState;

#[derive(Debug)]
pub struct Watch {
    settings: TournamentSettings,
    results: Mutex<Results>,
    live: Arc<LiveGames>,
    /// The last part of each link: the token, if there is one.
    query: String,
}

#[derive(Debug)]
struct Results {
    /// In the order of their end.
    games: Vec<GameRecord>,
    statistics: Statistics,
    /// What is shown of these games, until there is another.
    shown: Option<Shown>,
}

#[derive(Debug, Clone)]
struct Shown {
    subject: String,
    /// Set if a test counts more games than these.
    is_share: bool,
    sections: Markup,
    games: Markup,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its media type.
    pub kind: &'static str,
    pub text: String,
}

impl Watch {
    /// A tournament without games so far. `query` is added to links, `?token=...` or nothing.
    pub fn new(settings: TournamentSettings, live: Arc<LiveGames>, query: String) -> Self {
        let statistics = Statistics::new(settings.engines.len());
        let results = Mutex::new(Results { games: Vec::new(), statistics, shown: None });
        Self { settings, results, live, query }
    }

    /// Adds a finished game.
    pub fn enter(&self, game: &GameRecord) {
        let mut results = self.results();
        results.statistics.add(game);
        results.games.push(game.clone());
        results.shown = None;
    }

    /// Tells what is known of a sequential test on all machines.
    pub fn set_test(&self, test: Option<TestState>) {
        let mut results = self.results();
        if results.statistics.test != test {
            results.statistics.test = test;
            results.shown = None;
        }
    }

    /// The file at a path of the site: `/`, `/watch.js`, `/game/N` and `/game/N/PLIES`, numbers counted from 1.
    pub fn file(&self, path: &str) -> Option<File> {
        let html = |text| File { kind: "text/html; charset=utf-8", text };
        match path {
            "/" => Some(html(self.overview())),
            "/watch.js" => {
                Some(File { kind: "text/javascript; charset=utf-8", text: include_str!("watch.js").to_owned() })
            }
            _ => {
                let (game, plies) = match path.strip_prefix("/game/")?.split_once('/') {
                    Some((game, plies)) => (game, Some(plies.parse().ok()?)),
                    None => (path.strip_prefix("/game/")?, None),
                };
                self.replay(game.parse::<u64>().ok()?.checked_sub(1)?, plies).map(html)
            }
        }
    }

    fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a page says when it gets no answer.
const LOST: &str = "No answer: the runner has ended, or the connection is lost.";

/// The common style of both pages.
const STYLE: &str = include_str!("watch.css");
