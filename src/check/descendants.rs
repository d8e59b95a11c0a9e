//! Processes that an engine has started and that have left its process group. Other systems than Linux cannot find them:
//! there the process group must do.

use std::fs;
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, kill_process_group, set_child_subreaper, waitpid,
};

/// A program that starts processes faster than they can be killed is given up after this time.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// From now on, orphans among the descendants of this process become its children.
pub fn adopt() -> io::Result<()> {
    Ok(set_child_subreaper(Some(getpid()))?)
}

/// Kills all children of this process, and their children in turn. Returns whether all are gone.
pub fn kill() -> bool {
    let deadline = Instant::now() + KILL_TIMEOUT;
    loop {
        let children = children();
        if children.is_empty() {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        for (child, group) in children {
            // A process that starts another and ends can be missed, its group cannot.
            if group != getpgrp() {
                let _ = kill_process_group(group, Signal::KILL);
            }
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

/// Children and their process groups.
fn children() -> Vec<(Pid, Pid)> {
    let own = getpid();
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
    let child = |pid: i32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name of the program, in brackets, may contain anything. The state, the parent and the group follow.
        let mut words = stat.rsplit(')').next()?.split_whitespace().skip(1);
        let mut number = || Pid::from_raw(words.next()?.parse().ok()?);
        (number()? == own).then_some(())?;
        let group = number()?;
        Some((Pid::from_raw(pid)?, group))
    };
    pids.filter_map(child).collect()
}
