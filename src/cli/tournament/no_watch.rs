//! In the place of the page to watch a tournament on, in a program without `serve`.

use std::convert::Infallible;
use std::sync::Arc;

use crate::arena::live::LiveGames;
use crate::arena::record::GameRecord;
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::verdict::TestState;

/// No flags.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct WatchArgs {}

/// There is none.
pub struct Watched(Infallible);

impl Watched {
    #[allow(clippy::unnecessary_wraps)]
    pub fn start(_: &WatchArgs, _: &TournamentSettings, _: Arc<LiveGames>) -> anyhow::Result<Option<Self>> {
        Ok(None)
    }

    pub fn url(&self) -> &str {
        match self.0 {}
    }

    pub fn enter(&self, _: &GameRecord) {
        match self.0 {}
    }

    pub fn set_test(&self, _: Option<TestState>) {
        match self.0 {}
    }
}
