//! How many games at once the machine has room for: processors and memory of the engines in them.

use std::fmt;

use super::identity::Identity;
use super::player::EngineEntry;
use crate::tei::reply::OptionLine;

/// Counted for the table of an engine that does not say its size, in MiB.
const UNKNOWN_HASH_MIB: u64 = 256;
/// Counted for an engine besides its table, and for each of its threads, in MiB. This one takes 10 and 3.
const PROGRAM_MIB: u64 = 16;
const THREAD_MIB: u64 = 4;

/// What an engine takes of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Needs {
    name: String,
    /// `None` if it has no option for it.
    hash_mib: Option<u64>,
    threads: u64,
    ponders: bool,
}

impl Needs {
    /// By its settings, or else by what it announces as usual.
    fn of(entry: &EngineEntry, identity: &Identity) -> Self {
        let number = |name: &str| {
            let set = entry.config.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
            let usual = || identity.option(name).and_then(|OptionLine { default, .. }| default.clone());
            set.map(|(_, value)| value.clone()).or_else(usual)?.parse().ok()
        };
        Self {
            name: entry.config.name.clone(),
            hash_mib: number("Hash"),
            threads: number("Threads").unwrap_or(1).max(1),
            ponders: entry.config.ponders(),
        }
    }

    fn mib(&self) -> u64 {
        let hash = self.hash_mib.unwrap_or(UNKNOWN_HASH_MIB);
        hash.saturating_add(PROGRAM_MIB).saturating_add(self.threads.saturating_mul(THREAD_MIB))
    }
}

/// What one game takes. The processes of all engines are kept from game to game, so the memory is that of all.
#[derive(Debug)]
pub struct GameNeeds {
    engines: Vec<Needs>,
    mib: u64,
    cores: u64,
}

/// Room for no game at all.
#[derive(Debug, thiserror::Error)]
#[error(
    "a game of these engines needs {needed} MiB of memory ({parts}), and there are {free}: lower Hash, or set --memory"
)]
pub struct NoRoom {
    needed: u64,
    free: u64,
    /// `a 1044, b 276`
    parts: String,
}

impl GameNeeds {
    /// The needs of these engines, which have introduced themselves.
    pub fn of(engines: &[EngineEntry], identities: &[Identity]) -> Self {
        Self::sum(engines.iter().zip(identities).map(|(entry, identity)| Needs::of(entry, identity)).collect())
    }

    /// What is known before the engines are started: a table whose size is not set counts as nothing.
    pub fn by_settings(engines: &[EngineEntry]) -> Self {
        let known = |entry: &EngineEntry| {
            let needs = Needs::of(entry, &Identity::default());
            Needs { hash_mib: needs.hash_mib.or(Some(0)), ..needs }
        };
        Self::sum(engines.iter().map(known).collect())
    }

    fn sum(engines: Vec<Needs>) -> Self {
        let mib = engines.iter().fold(0, |sum: u64, engine| sum.saturating_add(engine.mib()));
        let thinking = engines.iter().map(|engine| engine.threads).max().unwrap_or(1);
        // Its opponent may think at the same time.
        let pondering = engines.iter().filter(|engine| engine.ponders).map(|engine| engine.threads).max().unwrap_or(0);
        Self { engines, mib, cores: thinking.saturating_add(pondering) }
    }

    /// The number of games at once: as many as were asked for, or else as the processors have room for, if there is memory
    /// for them. Free memory that is unknown is not counted.
    pub fn games_at_once(&self, asked: Option<usize>, cores: usize, free_mib: Option<u64>) -> Result<usize, NoRoom> {
        let by_cores = || (cores as u64 / self.cores).max(1);
        let wanted = asked.map_or_else(by_cores, |asked| asked as u64);
        let room = free_mib.map_or(u64::MAX, |free| free / self.mib);
        match wanted.min(room) {
            0 => Err(NoRoom {
                needed: self.mib,
                free: free_mib.unwrap_or_default(),
                parts: self.parts(|engine| engine.mib().to_string()),
            }),
            games => Ok(usize::try_from(games).unwrap_or(usize::MAX)),
        }
    }

    /// Returns whether an engine does not say how large its table is.
    pub fn is_assumed(&self) -> bool {
        self.engines.iter().any(|engine| engine.hash_mib.is_none())
    }

    fn parts(&self, text: impl Fn(&Needs) -> String) -> String {
        let parts = self.engines.iter().map(|engine| format!("{} {}", engine.name, text(engine)));
        parts.collect::<Vec<_>>().join(", ")
    }
}

/// `a game needs 1 core and 544 MiB (a 84, b 276 since it has no option Hash)`.
impl fmt::Display for GameNeeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mib, cores, .. } = self;
        let parts = self.parts(|engine| match engine.hash_mib {
            Some(_) => engine.mib().to_string(),
            None => format!("{} since it has no option Hash", engine.mib()),
        });
        let plural = if *cores == 1 { "" } else { "s" };
        write!(f, "a game needs {cores} core{plural} and {mib} MiB ({parts})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needs(name: &str, hash_mib: Option<u64>, threads: u64, ponders: bool) -> Needs {
        Needs { name: name.to_owned(), hash_mib, threads, ponders }
    }

    #[test]
    fn games_start_as_processors_and_memory_allow() {
        let plain = GameNeeds::sum(vec![needs("a", Some(1000), 1, false), needs("b", None, 1, false)]);
        assert_eq!(plain.to_string(), "a game needs 1 core and 1296 MiB (a 1020, b 276 since it has no option Hash)");
        assert_eq!(plain.games_at_once(None, 8, None).unwrap(), 8);
        assert_eq!(plain.games_at_once(Some(20), 8, Some(1 << 20)).unwrap(), 20);
        assert_eq!(plain.games_at_once(None, 8, Some(4000)).unwrap(), 3);
        assert_eq!(plain.games_at_once(Some(2), 8, Some(4000)).unwrap(), 2);
        assert_eq!(
            plain.games_at_once(None, 8, Some(1295)).unwrap_err().to_string(),
            "a game of these engines needs 1296 MiB of memory (a 1020, b 276), and there are 1295: lower Hash, or set --memory"
        );
        let four = needs("c", Some(16), 4, false);
        let pondering = needs("d", Some(16), 2, true);
        assert_eq!(GameNeeds::sum(vec![four.clone(), four.clone()]).games_at_once(None, 16, None).unwrap(), 4);
        assert_eq!(GameNeeds::sum(vec![four.clone(), pondering]).games_at_once(None, 16, None).unwrap(), 2);
        assert_eq!(GameNeeds::sum(vec![four]).games_at_once(None, 2, None).unwrap(), 1);
        let huge = GameNeeds::sum(vec![needs("e", Some(u64::MAX), u64::MAX, true)]);
        assert!(huge.games_at_once(None, 2, Some(1 << 40)).is_err());
    }
}
