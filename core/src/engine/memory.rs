//! Free memory, and large pages. Asking the allocator is not enough: many systems grant memory that they do not have
//! and kill the process when it is used. Free memory is the minimum over the machine and each control group (cgroup v2)
//! of the process. The rest of the address space is a separate limit.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// Kept free for everything else, such as stacks, in bytes.
const KEPT_BYTES: u64 = 32 << 20;

/// Reads a file of the system; `None` if there is no such file.
type ReadFile<'a> = &'a dyn Fn(&Path) -> Option<String>;

/// The free memory in MiB; `None` if the system does not report it.
pub fn available_mib() -> Option<usize> {
    mib(free_bytes(&|path| fs::read_to_string(path).ok()))
}

/// The rest of the address space in MiB; `None` without a limit. Every allocation counts in full, also the part of a
/// stack or table that is never written to and takes no memory.
pub(crate) fn available_space_mib() -> Option<usize> {
    mib(free_space(&|path| fs::read_to_string(path).ok()))
}

fn mib(free_bytes: Option<u64>) -> Option<usize> {
    usize::try_from(free_bytes?.saturating_sub(KEPT_BYTES) >> 20).ok()
}

/// If the address space is limited, makes all threads allocate from one part of it. Otherwise the GNU C library
/// reserves 64 MiB for each thread, which may leave too little for the others.
#[cfg(all(feature = "cli", target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub fn share_space() {
    if available_space_mib().is_some() {
        // SAFETY: the call takes two numbers and no pointer, and sets one of the allocator's under its lock.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Asks for `memory` in large pages, before anything is written to it. Most Linux systems give them to those who ask.
#[cfg(all(feature = "cli", target_os = "linux"))]
#[allow(unsafe_code)]
pub(crate) fn ask_for_large_pages(memory: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};
    let start = memory.as_ptr().align_offset(rustix::param::page_size()).min(memory.len());
    let whole = &memory[start..];
    // SAFETY: the advice changes neither the contents of the memory nor its owner, and all of it is that of a live
    // slice.
    let answer = unsafe { madvise(whole.as_ptr().cast_mut().cast(), size_of_val(whole), Advice::LinuxHugepage) };
    if let Err(error) = answer {
        log::debug!("no large pages: {error}");
    }
}

/// Elsewhere there are none to ask for.
#[cfg(not(all(feature = "cli", target_os = "linux")))]
pub(crate) fn ask_for_large_pages(_: &[AtomicU64]) {}

/// The rest of the address space in bytes; `None` without a limit.
fn free_space(read: ReadFile) -> Option<u64> {
    let limits = read(Path::new("/proc/self/limits"))?;
    // The soft limit is a number or `unlimited`.
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let status = read(Path::new("/proc/self/status"))?;
    Some(limit.saturating_sub(bytes_of(&status, "VmSize:")?))
}

/// The least free memory of the machine and the control groups, in bytes.
fn free_bytes(read: ReadFile) -> Option<u64> {
    let machine = read(Path::new("/proc/meminfo")).and_then(|text| bytes_of(&text, "MemAvailable:"));
    // A line `0::/path`. A container often sees only its own group, as the root.
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let group = groups.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
    let root = Path::new("/sys/fs/cgroup");
    let folder = root.join(group);
    let groups = folder.ancestors().take_while(|folder| folder.starts_with(root));
    machine.into_iter().chain(groups.filter_map(|folder| free_in_group(folder, read))).min()
}

/// The value of a line such as `MemAvailable:  1234 kB`.
fn bytes_of(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The free memory of a group; `None` without a limit. Cached files can be dropped, so those that were not used lately
/// count as free.
fn free_in_group(folder: &Path, read: ReadFile) -> Option<u64> {
    let number = |name: &str| read(&folder.join(name))?.trim().parse::<u64>().ok();
    let (limit, used) = (number("memory.max")?, number("memory.current")?);
    let stat = read(&folder.join("memory.stat")).unwrap_or_default();
    let idle = stat.lines().find_map(|line| line.strip_prefix("inactive_file ")?.trim().parse::<u64>().ok());
    Some(limit.saturating_sub(used.saturating_sub(idle.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// Free memory and address space if there are only these files.
    fn free(files: &[(&str, &str)]) -> (Option<u64>, Option<u64>) {
        let read = |path: &Path| {
            let file = files.iter().find(|(name, _)| Path::new(name) == path);
            file.map(|(_, text)| (*text).to_owned())
        };
        (free_bytes(&read), free_space(&read))
    }

    const MEMINFO: (&str, &str) =
        ("/proc/meminfo", "MemTotal:       25165824 kB\nMemFree:         1024 kB\nMemAvailable:    8388608 kB\n");

    #[test]
    fn groups_count_with_those_above() {
        let mut files = vec![
            MEMINFO,
            ("/proc/self/cgroup", "4:memory:/elsewhere\n0::/jobs/run 7\n"),
            ("/sys/fs/cgroup/jobs/run 7/memory.max", "max\n"),
            ("/sys/fs/cgroup/jobs/run 7/memory.current", "1048576\n"),
        ];
        assert_eq!(free(&files).0, Some(8192 * MIB));
        files.extend([
            ("/sys/fs/cgroup/jobs/memory.max", "314572800\n"),
            ("/sys/fs/cgroup/jobs/memory.current", "209715200\n"),
            ("/sys/fs/cgroup/jobs/memory.stat", "anon 9\ninactive_file 52428800\nactive_file 1\n"),
        ]);
        assert_eq!(free(&files).0, Some(150 * MIB));
        files[2].1 = "3145728\n";
        assert_eq!(free(&files).0, Some(2 * MIB));
        files[3].1 = "99999999\n";
        assert_eq!(free(&files).0, Some(0));
        let container = [
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "7\n"),
            ("/sys/fs/cgroup/memory.current", "3\n"),
        ];
        assert_eq!(free(&container).0, Some(4));
    }

    #[test]
    fn the_address_space_counts_apart() {
        let status = ("/proc/self/status", "Name:\ttak\nVmPeak:\t   99999 kB\nVmSize:\t   20480 kB\n");
        let limits = "Limit                     Soft Limit           Hard Limit           Units\n\
             Max data size             unlimited            unlimited            bytes\n\
             Max address space         104857600            unlimited            bytes\n";
        let files = [MEMINFO, status, ("/proc/self/limits", limits)];
        assert_eq!(free(&files), (Some(8192 * MIB), Some(80 * MIB)));
        let unlimited = ("/proc/self/limits", "Max address space  unlimited  unlimited  bytes\n");
        assert_eq!(free(&[MEMINFO, status, unlimited]), (Some(8192 * MIB), None));
        assert_eq!(free(&[]), (None, None));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_reports_its_free_memory() {
        assert!(available_mib().is_some());
    }
}
