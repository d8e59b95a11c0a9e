//! Too little memory, address space or threads: the real binary in control groups and under `ulimit`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

use crate::cases::step;
use crate::common::{BINARY, Tei};
use crate::dialogue::Dialogue;
use crate::folder::described;

/// A control group of this test's own.
struct Group(PathBuf);

impl Group {
    /// `None` where this user may not make one with this limit. Version 1 has a tree for each controller.
    fn new(name: &str, limit: &str, value: &str) -> Option<Self> {
        let root = Path::new("/sys/fs/cgroup");
        let trees = [root.join(limit.split('.').next()?), root.to_owned()];
        trees.into_iter().filter(|tree| tree.join("cgroup.procs").exists()).find_map(|tree| {
            let folder = tree.join(format!("tak-engine-{name}-{}", std::process::id()));
            fs::create_dir(&folder).ok()?;
            let group = Self(folder);
            let file = group.0.join(limit);
            (file.exists() && fs::write(file, value).is_ok()).then_some(group)
        })
    }

    /// The binary, to be run in the group.
    fn binary(&self) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]);
        shell.arg(self.0.join("cgroup.procs")).arg(BINARY);
        shell.env_remove("RUST_LOG");
        shell
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The last process may take a moment to be gone.
        for _ in 0..200 {
            if fs::remove_dir(&self.0).is_ok() {
                return;
            }
            sleep(Duration::from_millis(10));
        }
    }
}

/// A shell with this limit of its address space, which runs the script with the binary as `$0`.
fn limited(kib: usize, script: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit -v {kib} && {script}"), BINARY]);
    shell
}

#[test]
fn a_table_beyond_the_memory_group_is_refused() {
    let Some(group) = Group::new("table", "memory.max", "300M") else {
        eprintln!("no memory group can be made here");
        return;
    };
    // The group above it has no limit, the one in it none of its own.
    let inner = Group(group.0.join("inner"));
    fs::create_dir(&inner.0).unwrap();
    let mut tei = Tei::spawn(&mut inner.binary());
    let answer = tei.ask("setoption name Hash value 1024");
    assert!(answer.iter().any(|line| line.starts_with("info error ") && line.contains("1024")), "{answer:#?}");
    // The memory of the current table counts as free, and a table that was hardly used takes little.
    assert_eq!(tei.ask("setoption name Hash value 200"), [""; 0]);
    tei.send("teinewgame 6");
    tei.go("go nodes 300");
    for go in ["", "go infinite"] {
        let answer = tei.ask(&format!("{go}\nsetoption name Hash value 280"));
        let error = "info error not enough memory for a 280 MiB transposition table";
        assert!(answer.iter().any(|line| line == error), "{answer:#?}");
        assert!(!answer.iter().any(|line| line.starts_with("bestmove")));
    }
    let stopped = tei.ask("stop");
    assert!(stopped.iter().any(|line| line.starts_with("bestmove ")));
    assert_eq!(tei.ask("setoption name Hash value 128"), [""; 0]);
    assert_eq!(tei.ask("setoption name Threads value 4"), [""; 0]);
    tei.send("teinewgame 6");
    let (_, best) = tei.go("go nodes 200000");
    assert_eq!(best.len(), 2, "{best}");
    // Two tables of this size are more than there is room for.
    let (_, best) = tei.go("go solved nodes 2000");
    assert_eq!(best.len(), 2, "{best}");
    assert!(tei.close().status.success());

    let analysed = inner.binary().args(["analyse", "--hash", "1024", "--depth", "2"]).output();
    let analysed = analysed.unwrap();
    assert_eq!(analysed.status.code(), Some(1), "{}", described(&analysed));
    assert!(described(&analysed).contains("not enough memory for a 1024 MiB transposition table"));
}

#[test]
fn workers_without_memory_are_not_started() {
    let Some(group) = Group::new("workers", "memory.max", "100M") else {
        eprintln!("no memory group can be made here");
        return;
    };
    let mut tei = Tei::spawn(&mut group.binary());
    tei.ask("setoption name Hash value 16");
    tei.ask("setoption name Threads value 256");
    tei.send("teinewgame 6");
    tei.go("go nodes 500000");
    assert!(tei.close().status.success());
}

#[test]
fn threads_that_cannot_be_had_are_done_without() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let Some(group) = Group::new("threads", "pids.max", "8") else {
        eprintln!("no group that limits threads can be made here");
        return;
    };
    let mut tei = Tei::spawn(&mut group.binary());
    tei.ask("setoption name Threads value 64");
    tei.send("teinewgame 6");
    for _ in 0..20 {
        let (_, best) = tei.go("go nodes 1000");
        assert_eq!(best.len(), 2, "{best}");
    }
    assert!(tei.close().status.success());

    fs::write(group.0.join("pids.max"), "1").unwrap();
    for words in [
        "analyse --threads 4 --depth 4",
        "perft 3 --size 4 --threads 4",
        "openings --size 4 --count 3 --depth 1 --threads 4",
    ] {
        let output = group.binary().args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {}", described(&output));
    }

    // The main thread, those that log, read and wait for Ctrl-C, and one that searches.
    fs::write(group.0.join("pids.max"), "5").unwrap();
    let lines = folder.join("limits-lines.tps");
    fs::write(&lines, "x3/x3/x3 1 1\n".repeat(20)).unwrap();
    let mut batch = group.binary();
    batch.args("analyse - --nodes 50 --threads 8".split(' '));
    let output = batch.stdin(fs::File::open(lines).unwrap()).output().unwrap();
    assert!(output.status.success(), "{}", described(&output));
    let answers = String::from_utf8_lossy(&output.stdout).lines().count();
    assert_eq!(answers, 20, "{}", described(&output));
}

/// Stacks are address space, so this is a limit of threads that everyone can set.
#[test]
fn workers_whose_stacks_do_not_fit_are_done_without() {
    let mut tei = Tei::spawn(&mut limited(600_000, "exec \"$0\""));
    tei.ask("setoption name Hash value 16");
    tei.ask("setoption name Threads value 256");
    tei.send("teinewgame 6");
    let (_, best) = tei.go("go nodes 100000");
    assert_eq!(best.len(), 2, "{best}");
    assert!(tei.close().status.success());
}

/// From here on there is room for the search, whatever number of threads is asked for.
#[test]
fn a_small_address_space_is_enough() {
    for threads in [1, 4, 8] {
        for kib in (135_000..=450_000).step_by(15_000 * step(4)) {
            let mut tei = Tei::spawn(&mut limited(kib, "exec \"$0\""));
            tei.ask(&format!("setoption name Threads value {threads}"));
            tei.send("teinewgame 6");
            for go in ["go nodes 300", "go solved nodes 300"] {
                let (_, best) = tei.go(go);
                assert_eq!(best.len(), 2, "{kib} KiB, {threads} threads: {best}");
            }
            assert!(tei.close().status.success());
        }
    }
}

/// The least that is enough depends on the build. Below that the program refuses, and the system never kills it. Too
/// little for the stack of the search, or next to nothing beside it, is never enough.
#[test]
fn a_small_address_space_suffices_or_is_refused() {
    for kib in (60_000..135_000).step_by(2_500) {
        let output = limited(kib, "printf 'teinewgame 6\\ngo nodes 300\\n' | \"$0\"").output().unwrap();
        let all = described(&output);
        let expected = match output.status.code() {
            Some(0) if kib > 95_000 => "bestmove ",
            Some(1) => "error: cannot start a thread to search with, perhaps for lack of memory: ",
            _ => panic!("{kib} KiB: {all}"),
        };
        assert!(all.contains(expected), "{kib} KiB: {all}");
    }
}
