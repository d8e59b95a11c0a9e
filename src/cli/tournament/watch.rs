//! `--watch` and `--follow`: the page to watch a tournament on.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anyhow::Context;

use crate::arena::live::LiveGames;
use crate::arena::record::GameRecord;
use crate::arena::stats::strength::Pentanomial;
use crate::arena::tournament::folder::{Entry, JournalFolder};
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::statistics::Statistics;
use crate::arena::tournament::verdict::{TestState, Verdict};
use crate::arena::watch::{File, Watch};
use crate::cli::errors::usage_by;
use crate::cli::interrupt::on_signal;
use crate::serve::{Config, MadePage, Pages, Server, Token, TokenMissing};

/// The usual port of `--follow`: the next one after that of `serve`.
const USUAL_PORT: u16 = 7732;
/// Time between two looks into a folder.
const LOOK_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, Default, clap::Args)]
pub struct WatchArgs {
    /// Show the tournament on a page at this port, 0 for any that is free. An address that other computers can reach needs a
    /// --token
    #[arg(long, value_name = "[HOST:]PORT")]
    watch: Option<Address>,
    /// A secret that others must know to see the page: it becomes part of its address
    #[arg(long, value_name = "SECRET")]
    token: Option<Token>,
}

/// Where to listen.
#[derive(Debug, Clone)]
struct Address {
    host: String,
    port: u16,
}

impl Default for Address {
    fn default() -> Self {
        Self { host: "127.0.0.1".to_owned(), port: USUAL_PORT }
    }
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let (host, port) = text.rsplit_once(':').unwrap_or(("127.0.0.1", text));
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = port.parse().ok().filter(|_| !host.is_empty());
        let port = port.ok_or("expected a port from 0 to 65535, or an address with one such as 0.0.0.0:7732")?;
        Ok(Self { host: host.to_owned(), port })
    }
}

/// A server with the page, on a thread of its own until this value is dropped.
pub struct Watched {
    watch: Arc<Watch>,
    url: String,
    stop: Box<dyn Fn()>,
    thread: Option<JoinHandle<()>>,
}

impl Watched {
    /// Starts the server if it is asked for. The games in `live` are shown.
    pub fn start(
        args: &WatchArgs,
        settings: &TournamentSettings,
        live: Arc<LiveGames>,
    ) -> anyhow::Result<Option<Self>> {
        let Some(address) = args.watch.clone() else {
            return Ok(None);
        };
        let query = args.token.as_ref().map_or_else(String::new, Token::query);
        let watch = Arc::new(Watch::new(settings.clone(), live, query));
        let pages = Arc::clone(&watch);
        let made = move |path: &str| pages.file(path).map(|File { kind, text }| MadePage { kind, text });
        let server = Server::bind(Config {
            host: address.host,
            port: address.port,
            sessions: 0,
            threads: 1,
            hash_mib: 1,
            origins: Vec::new(),
            token: args.token.clone(),
            second: None,
            pages: Some(Pages(Arc::new(made))),
        })
        .map_err(|error| if error.is::<TokenMissing>() { usage_by(&error) } else { error })?;
        let (url, stop) = (server.url(), server.stopper());
        let run = move || {
            if let Err(error) = server.run() {
                log::warn!("the page of the tournament cannot be shown: {error}");
            }
        };
        let thread = thread::Builder::new().name("watch".to_owned()).spawn(run).context("cannot start a thread")?;
        Ok(Some(Self { watch, url, stop: Box::new(stop), thread: Some(thread) }))
    }

    /// The address of the page.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Adds a finished game.
    pub fn enter(&self, game: &GameRecord) {
        self.watch.enter(game);
    }

    /// Tells what is known of a sequential test.
    pub fn set_test(&self, test: Option<TestState>) {
        self.watch.set_test(test);
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        (self.stop)();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Shows the tournament whose journals are in a folder, until Ctrl-C.
pub fn follow(folder: &Path, args: &WatchArgs, out: &mut dyn Write) -> anyhow::Result<()> {
    let mut args = args.clone();
    args.watch.get_or_insert_default();
    let is_over = Arc::new(AtomicBool::new(false));
    let over = Arc::clone(&is_over);
    on_signal(move || over.store(true, Ordering::Relaxed))?;
    let wait = || thread::sleep(LOOK_INTERVAL);
    let mut settings = None;
    let mut is_told = false;
    while settings.is_none() && !is_over.load(Ordering::Relaxed) {
        let found = JournalFolder::settings_in(folder);
        settings = found.with_context(|| format!("cannot read {}", folder.display()))?;
        if settings.is_none() {
            if !is_told {
                crate::cli::stderr::say(&format_args!("{} has no journal yet", folder.display()));
                is_told = true;
            }
            wait();
        }
    }
    let Some(settings) = settings else {
        return Ok(());
    };
    let mut journals = JournalFolder::of(folder, &settings)?;
    let Some(watched) = Watched::start(&args, &settings, Arc::default())? else {
        return Ok(());
    };
    writeln!(out, "The tournament is at {}", watched.url())?;
    out.flush()?;
    let mut seen = HashSet::new();
    let mut statistics = Statistics::new(settings.engines.len());
    let mut decided: Option<Pentanomial> = None;
    while !is_over.load(Ordering::Relaxed) {
        journals.read(&mut |entry| match entry {
            Entry::Game(game) if seen.insert(game.pairing.game) => {
                statistics.add(&game);
                watched.enter(&game);
            }
            Entry::Game(_) => {}
            // Of two the one with fewer pairs was first, as for the runners.
            Entry::Verdict(Verdict { pairs, .. }) => {
                decided = decided.into_iter().chain([pairs]).min_by_key(|pairs| pairs.pairs());
            }
        });
        if settings.sprt.is_some() {
            watched.set_test(Some(TestState { decided, ..statistics.test_state() }));
        }
        wait();
    }
    Ok(())
}
