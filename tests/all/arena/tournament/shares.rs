//! A sequential test whose shares are played by several runners with one folder.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{good, new_folder, signal};
use crate::common::{BINARY, wait_until};
use crate::folder::{Folder, ended, succeed};

use tak_engine::arena::tournament::journal::read;

/// A test that the first engine passes soon. It has 2,000 games.
struct Test {
    folder: Folder,
    words: String,
}

impl Test {
    fn new(name: &str) -> Self {
        let weak = good("weak").replace("nodes=20", "nodes=1");
        let words = format!("{} {weak} --size 4 --games 2000 --threads 1 --sprt elo0=0 elo1=60", good("strong"));
        Self { folder: new_folder(name), words }
    }

    /// The runner of a share of three.
    fn share(&self, index: usize) -> Command {
        let Self { folder, words } = self;
        folder.command(&format!("tournament {words} --shard {index}/3 --journal share{index}.jsonl --resume"))
    }

    fn start(&self, index: usize) -> Child {
        self.share(index).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    }

    fn games(&self, index: usize) -> usize {
        read(&self.folder.0.join(format!("share{index}.jsonl"))).map_or(0, |held| held.games.len())
    }

    fn merge(&self, names: &str, code: i32) -> String {
        let (standings, error) = ended(&mut self.folder.command(&format!("tournament merge {names}")), code);
        standings + &error
    }
}

#[test]
fn a_test_over_several_runners_ends_for_all_when_it_is_decided() {
    let test = Test::new("shares-decided");
    // What else may be in the folder: other tests, other files, a pipe.
    test.folder.file("foreign.jsonl", "{\"tournament\":{\"engines\":[]}}\n");
    test.folder.file("other.jsonl", "x".repeat(100_000));
    test.folder.file("empty.jsonl", "");
    assert!(
        test.folder.command("").get_current_dir().is_some_and(|folder| {
            Command::new("mkfifo").arg(folder.join("pipe.jsonl")).status().unwrap().success()
        })
    );

    // One runner is killed, and goes on later.
    let mut killed = test.start(1);
    wait_until("a game is over", || test.games(1) > 0);
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    let mut runners = [1, 2].map(|index| test.start(index));
    for runner in &mut runners {
        assert!(runner.wait().unwrap().success());
    }
    let played = test.games(1) + test.games(2);
    assert!(played < 600, "{played} games");
    // The last one starts when all is over, and plays nothing.
    let standings = succeed(&mut test.share(3));
    assert!(standings.contains("0 of at most 2000 games"), "{standings}");
    assert!(standings.contains("with the games of all shares") && standings.contains("H1 accepted"), "{standings}");
    let merged = test.merge("share1.jsonl share2.jsonl share3.jsonl", 0);
    assert!(merged.contains(&format!("{played} of at most 2000 games")) && merged.contains("H1 accepted"), "{merged}");
}

#[test]
fn a_decision_stays_whatever_games_come_later() {
    let test = Test::new("shares-verdict");
    assert!(test.start(1).wait().unwrap().success());
    // Every other pair of the share is lost now, so that the ratio is far from the bounds.
    let path = test.folder.0.join("share1.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    let lose = |(number, line): (usize, &str)| {
        let lost = if line.contains("\"white\":0") { "0-1" } else { "1-0" };
        // Lines 1 and 2 are the first pair.
        let is_lost = number.div_ceil(2) % 2 == 0;
        let result = |result: &str| format!("\"result\":\"{result}\"");
        ["1-0", "0-1"]
            .iter()
            .fold(line.to_owned(), |line, won| if is_lost { line.replace(&result(won), &result(lost)) } else { line })
    };
    let lines = || text.split_inclusive('\n').enumerate();
    let later: String = lines().map(lose).collect();
    fs::write(&path, &later).unwrap();
    let merged = test.merge("share1.jsonl", 0);
    assert!(merged.contains("H1 accepted with LLR"), "{merged}");
    assert!(succeed(&mut test.share(3)).contains("H1 accepted with LLR"));

    // Without its line nothing is decided, and a line that decides nothing is refused.
    let undecided: String = later.split_inclusive('\n').filter(|line| !line.starts_with("{\"decided\"")).collect();
    assert!(undecided.len() < later.len(), "{later}");
    fs::write(&path, &undecided).unwrap();
    let merged = test.merge("share1.jsonl", 1);
    assert!(merged.contains("undecided"), "{merged}");
    let fingerprint = read(&path).unwrap().settings.fingerprint();
    for (pairs, reason) in [
        ("1,2,3,2,1", "these pairs decide no test"),
        ("0,0,0,0,1001", "it has 1001 pairs, but the tournament 1000"),
        ("18446744073709551615,18446744073709551615,1,1,1", "but the tournament 1000"),
    ] {
        let note = format!("{{\"decided\":{{\"settings\":\"{fingerprint}\",\"pairs\":[{pairs}]}}}}\n");
        fs::write(&path, undecided.clone() + &note).unwrap();
        let refused = test.merge("share1.jsonl", 1);
        assert!(refused.contains(reason), "{refused}");
    }
    // No line without an end fills the memory.
    fs::write(&path, undecided).unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().set_len(1 << 30).unwrap();
    let refused = test.merge("share1.jsonl", 1);
    assert!(refused.contains("it is longer than 16 MiB"), "{refused}");
}

#[test]
fn games_that_another_runner_is_writing_count_when_they_are_whole() {
    let test = Test::new("shares-growing");
    assert!(test.start(1).wait().unwrap().success());
    let path = test.folder.0.join("share1.jsonl");
    let text = fs::read(&path).unwrap();
    // Half a line of a decisive journal, while the second share plays; then the rest.
    let cut = text.iter().position(|&byte| byte == b'\n').unwrap() + 40;
    fs::write(&path, &text[..cut]).unwrap();
    let mut second = test.start(2);
    wait_until("a game is over", || test.games(2) > 0);
    OpenOptions::new().append(true).open(&path).unwrap().write_all(&text[cut..]).unwrap();
    assert!(second.wait().unwrap().success());
    // A copy of both counts once, and damage is told without an end of the test.
    let both = [fs::read(&path).unwrap(), fs::read(test.folder.0.join("share2.jsonl")).unwrap()].concat();
    test.folder.file("both.jsonl", both);
    let standings = succeed(&mut test.share(3));
    assert!(standings.contains("H1 accepted"), "{standings}");
    fs::remove_file(test.folder.0.join("both.jsonl")).unwrap();
    fs::remove_file(&path).unwrap();
    let share2 = fs::read_to_string(test.folder.0.join("share2.jsonl")).unwrap();
    let header = share2.split_inclusive('\n').next().unwrap();
    fs::write(test.folder.0.join("share2.jsonl"), format!("{header}{{\"game\":true}}\n{share2}")).unwrap();
    fs::remove_file(test.folder.0.join("share3.jsonl")).ok();
    let (standings, warning) = ended(&mut test.share(3), 0);
    assert!(warning.contains("further games of another runner do not count") && warning.contains("line 2"));
    assert!(standings.contains("H1 accepted"), "{standings}");
}

/// The examples for Slurm and Kubernetes in the documentation: the scripts of their tasks, run one after the other.
#[test]
fn the_examples_for_clusters_play_all_games() {
    let docs = include_str!("../../../../docs/tournaments.md");
    let script = docs.split("```sh\n").find(|block| block.contains("#SBATCH")).unwrap();
    let slurm = script.split("```").next().unwrap().to_owned();
    let args = docs.split("args:\n").nth(1).unwrap().split("resources:").next().unwrap();
    let kubernetes = args.trim().trim_start_matches("- ").replace("/games/", "").replace('\n', " ");
    let programs = Path::new(BINARY).parent().unwrap().display();
    for (name, script, variable, tasks) in
        [("slurm", slurm, "SLURM_ARRAY_TASK_ID", 1..=8), ("kubernetes", kubernetes, "JOB_COMPLETION_INDEX", 0..=7)]
    {
        let folder = new_folder(name);
        let engine = |name: &str| format!("[[engine]]\npath = \"{BINARY}\"\nname = \"{name}\"\nnodes = 10\n");
        folder.file("match.toml", format!("size = 3\ngames = 16\n{}{}", engine("a"), engine("b")));
        for task in tasks {
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]).env("PATH", format!("{programs}:/usr/bin:/bin"));
            succeed(shell.env(variable, task.to_string()).current_dir(&folder.0));
        }
        let mut merge = Command::new("sh");
        merge.args(["-c", "exec \"$0\" tournament merge *.jsonl", BINARY]).current_dir(&folder.0);
        let merged = succeed(&mut merge);
        assert!(merged.contains("16 of 16 games"), "{name}: {merged}");
    }
}
