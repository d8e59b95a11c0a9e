//! Tournaments through the real binary: engines that break every rule, runs that are killed, shares that are added up.
//! Bad engines are small shell scripts; the good one is the binary itself.

mod breakdowns;
mod faults;
mod runs;
mod settings;
mod shares;
#[cfg(feature = "serve")]
mod watch;

use std::fs;
use std::process::{Child, Command, Stdio};

use crate::common::{BINARY, wait_for_end, wait_until};
use crate::folder::{Folder, described, ended, fail, succeed};

use tak_engine::arena::record::{GameRecord, GameResult};
use tak_engine::arena::tournament::journal::{Contents, read};

/// A folder of a test's own, empty at first.
fn new_folder(test: &str) -> Folder {
    Folder::new(&format!("tournament-{test}"))
}

/// A folder with the files of a tournament.
trait Tournament {
    /// The text of a file that may not be there yet.
    fn so_far(&self, name: &str) -> String;
    /// The contents of `games.jsonl`.
    fn journal(&self) -> Contents;
    /// A runner with these words as arguments, whose journal is `games.jsonl`.
    fn tournament(&self, words: &str) -> Command;
    /// Writes a scripted engine, and returns the arguments that make it play. It notes its process number and its input in
    /// `NAME.pids` and `NAME.log`.
    fn script(&self, name: &str, answers: &Answers) -> String;
}

impl Tournament for Folder {
    fn so_far(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }

    fn journal(&self) -> Contents {
        read(&self.0.join("games.jsonl")).unwrap()
    }

    fn tournament(&self, words: &str) -> Command {
        let is_timed = words.contains("--all-engines") || words.contains("--config") || words.contains("path=x");
        let control = if is_timed { "" } else { "--all-engines tc=10+0.1" };
        self.command(&format!("tournament {words} {control} --journal games.jsonl"))
    }

    fn script(&self, name: &str, answers: &Answers) -> String {
        let text = format!(
            r#"
            printf '%s\n' "$$" >> {name}.pids
            starts=$(wc -l < {name}.pids)
            hang() {{ while :; do sleep 5; done; }}
            {start}
            while read -r line; do
                printf '%s\n' "$line" >> {name}.log
                case "$line" in
                    tei) {tei} printf 'id name Script\nteiok\n' ;;
                    teinewgame*) {new_game} ;;
                    isready) {isready} printf 'readyok\n' ;;
                    go*) {go} ;;
                    quit) exit 0 ;;
                esac
            done
            {end}
            "#,
            start = answers.start,
            tei = answers.tei,
            new_game = answers.new_game,
            isready = answers.isready,
            go = answers.go,
            end = answers.end,
        );
        self.file(name, text);
        format!("--engine path=/bin/sh arg={name} name=bad")
    }
}

/// The answers of a scripted engine, as shell commands.
struct Answers {
    start: &'static str,
    tei: &'static str,
    new_game: &'static str,
    isready: &'static str,
    go: &'static str,
    end: &'static str,
}

const WELL_BEHAVED: Answers =
    Answers { start: "", tei: "", new_game: ":", isready: "", go: "printf 'bestmove a1\\n'", end: "" };

/// The binary at a speed that makes games of milliseconds.
fn good(name: &str) -> String {
    format!("--engine path={BINARY} name={name} nodes=20 option.Hash=1")
}

/// Waits until all processes are gone whose numbers are in the file.
fn no_process_left(folder: &Folder, pids: &str) {
    folder.so_far(pids).lines().for_each(wait_for_end);
}

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args([signal, &pid]).status().unwrap();
    assert!(status.success());
}

/// The games without times, by number.
fn moves(games: &[GameRecord]) -> Vec<(u64, usize, usize, usize, GameResult, Vec<String>)> {
    let mut list: Vec<_> = games
        .iter()
        .map(|game| {
            let moves = game.moves.iter().map(|played| played.mv.clone()).collect();
            (game.pairing.game, game.pairing.white, game.pairing.black, game.pairing.opening, game.result, moves)
        })
        .collect();
    list.sort_by_key(|game| game.0);
    list
}
