//! Processor cores that a program is kept to.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::str::FromStr;

/// Core numbers go up to here, as far as the system's calls reach.
const MOST: usize = 1023;

/// Some processor cores, at least one. As text: numbers and ranges, such as `0,2-3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cores(BTreeSet<usize>);

/// A text that names no cores.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid list of cores {0:?}: expected numbers from 0 to {MOST}, for example 0 or 0,2-3")]
pub(crate) struct CoresError(String);

impl FromStr for Cores {
    type Err = CoresError;

    fn from_str(text: &str) -> Result<Self, CoresError> {
        let error = || CoresError(text.to_owned());
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
    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// Does `work` on a thread that is kept to these cores, and so is every process that it starts.
    ///
    /// # Errors
    /// When one of the cores is not there, this system cannot do such a thing, or `work` fails.
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

        let set = |cores: &mut dyn Iterator<Item = usize>| {
            let mut set = CpuSet::new();
            cores.for_each(|core| set.set(core));
            set
        };
        let wanted = set(&mut self.0.iter().copied());
        // The system takes those that there are, and refuses only if there are none.
        let taken = sched_setaffinity(None, &wanted);
        if taken.is_ok() && sched_getaffinity(None)? == wanted {
            return Ok(());
        }
        sched_setaffinity(None, &set(&mut (0..=MOST)))?;
        let there = sched_getaffinity(None)?;
        let of = |cores: &mut dyn Iterator<Item = usize>| Self(cores.collect());
        let missing = of(&mut self.0.iter().copied().filter(|&core| !there.is_set(core)));
        let there = of(&mut (0..=MOST).filter(|&core| there.is_set(core)));
        if missing.0.is_empty() {
            taken?;
        }
        let message = format!("it cannot be kept to cores {self}: of {there}, which there are, {missing} is missing");
        Err(io::Error::other(message))
    }

    /// There is no way to do it.
    ///
    /// # Errors
    /// Always.
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

    #[cfg(target_os = "linux")]
    #[test]
    fn work_is_kept_to_its_cores_and_the_rest_is_not() {
        let allowed = || {
            let text = std::fs::read_to_string("/proc/thread-self/status").unwrap();
            let line = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            line.unwrap().trim().parse::<Cores>().unwrap()
        };
        let before = allowed();
        for core in &before.0 {
            let one = Cores(BTreeSet::from([*core]));
            assert_eq!(one.run(|| Ok(allowed())).unwrap(), one);
        }
        assert_eq!(allowed(), before);
        let missing = Cores(BTreeSet::from([*before.0.first().unwrap(), MOST]));
        let error = missing.run(|| Ok(allowed())).unwrap_err().to_string();
        assert!(error.ends_with("1023 is missing"), "{error}");
        let error = Cores(BTreeSet::from([MOST])).run(|| Ok(())).unwrap_err();
        assert!(error.to_string().contains("kept to cores 1023"), "{error}");
    }
}
