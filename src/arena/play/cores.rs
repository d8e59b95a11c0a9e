//! Processor cores that a program is kept to.

use std::collections::BTreeSet;
use std::str::FromStr;
use std::{fmt, io};

/// Core numbers go up to here, as far as the system's calls reach.
const MOST: usize = 1023;

/// Some processor cores, at least one. As text: numbers and ranges, such as `0,2-3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cores(BTreeSet<usize>);

impl FromStr for Cores {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error =
            || format!("invalid list of cores {text:?}: expected numbers from 0 to {MOST}, for example 0 or 0,2-3");
        let number = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number = text.parse::<usize>().ok().filter(|&number| number <= MOST);
            number.filter(|_| is_number).ok_or_else(error)
        };
        let mut cores = BTreeSet::new();
        for part in text.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (number(first)?, number(last)?);
            if first > last {
                return Err(error());
            }
            cores.extend(first..=last);
        }
        Ok(Self(cores))
    }
}

/// The shortest text that reads back as the same.
impl fmt::Display for Cores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut left = self.0.iter().copied().peekable();
        let mut separator = "";
        while let Some(first) = left.next() {
            let mut last = first;
            while let Some(next) = left.next_if(|&core| core == last + 1) {
                last = next;
            }
            if first == last {
                write!(f, "{separator}{first}")?;
            } else {
                write!(f, "{separator}{first}-{last}")?;
            }
            separator = ",";
        }
        Ok(())
    }
}

impl Cores {
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Does `work` on a thread that is kept to these cores, and so is every process that it starts.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    pub fn run<T: Send>(&self, work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
        use std::panic::resume_unwind;
        use std::thread;

        // A thread of its own, so that nothing has to be set back.
        thread::scope(|scope| {
            let builder = thread::Builder::new();
            let worker = builder.spawn_scoped(scope, || {
                self.keep()?;
                work()
            })?;
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Keeps the calling thread to these cores.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn keep(&self) -> io::Result<()> {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

        let before = sched_getaffinity(None)?;
        let mut wanted = CpuSet::new();
        self.0.iter().for_each(|&core| wanted.set(core));
        // The system takes those that there are, and refuses only if there are none.
        if sched_setaffinity(None, &wanted).is_ok() && sched_getaffinity(None)? == wanted {
            return Ok(());
        }
        let before = Self((0..=MOST).filter(|&core| before.is_set(core)).collect());
        Err(io::Error::other(format!("it cannot be kept to cores {self}: this program runs on {before}")))
    }

    /// Fails: other systems have no such call.
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    pub fn run<T: Send>(&self, _work: impl FnOnce() -> io::Result<T> + Send) -> io::Result<T> {
        Err(io::Error::other(format!("it cannot be kept to cores {self}: only Linux has a way to do that")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_printed() {
        for (text, cores, printed) in [
            ("0", vec![0], "0"),
            ("3,1,2", vec![1, 2, 3], "1-3"),
            ("0,2-3,3,7", vec![0, 2, 3, 7], "0,2-3,7"),
            ("5-5", vec![5], "5"),
            ("1023", vec![1023], "1023"),
        ] {
            let read: Cores = text.parse().unwrap();
            assert_eq!(read, Cores(cores.into_iter().collect()), "{text}");
            assert_eq!(read.to_string(), printed);
            assert_eq!(printed.parse(), Ok(read));
        }
        for text in
            ["", ",", "0,", "a", "-1", "1-", "3-1", "+1", "0 1", "1024", "0-4096", "0--1", "99999999999999999999"]
        {
            assert!(text.parse::<Cores>().is_err(), "{text}");
        }
    }
}
