//! Processes that an engine has started and that have left its process group.

#[cfg(target_os = "linux")]
mod imp {
    use std::fs;
    use std::io;
    use std::time::{Duration, Instant};

    use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, waitpid};

    /// A program that starts processes faster than they can be killed is given up after this time.
    const LONGEST: Duration = Duration::from_secs(5);

    /// From now on, orphans among the descendants of this process become its children.
    pub fn adopt() -> io::Result<()> {
        Ok(set_child_subreaper(Some(getpid()))?)
    }

    /// Kills all children of this process, and their children in turn.
    pub fn kill() {
        let deadline = Instant::now() + LONGEST;
        while Instant::now() < deadline {
            let children = children();
            if children.is_empty() {
                return;
            }
            for child in children {
                let _ = kill_process(child, Signal::KILL);
                let _ = waitpid(Some(child), WaitOptions::empty());
            }
        }
    }

    fn children() -> Vec<Pid> {
        let own = getpid().as_raw_nonzero().to_string();
        let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<i32>().ok());
        let is_child = |pid: &i32| {
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            // The name of the program, in brackets, may contain anything. The state and the parent follow.
            let rest = stat.rsplit(')').next().unwrap_or_default();
            rest.split_whitespace().nth(1) == Some(&*own)
        };
        pids.filter(is_child).filter_map(Pid::from_raw).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod imp {
    use std::io;

    /// Other systems have no such thing: the process group must do.
    #[allow(clippy::unnecessary_wraps)]
    pub fn adopt() -> io::Result<()> {
        Ok(())
    }

    pub fn kill() {}
}

pub use imp::{adopt, kill};
