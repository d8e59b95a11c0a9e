//! How much memory is free. To ask the allocator is not enough: many systems grant what they don't have and end the process
//! when it is used. What counts is the least of what is free in the machine and in every control group (cgroup) that the
//! process belongs to, and, apart from that, what is left of its own address space.

use std::fs;
use std::path::{Path, PathBuf};

/// Kept free for everything else, such as stacks, in bytes.
const KEPT: u64 = 32 << 20;

/// How much memory is free, in MiB; `None` where the system does not tell.
pub(crate) fn available_mib() -> Option<usize> {
    let free = free_bytes(&|path| fs::read_to_string(path).ok())?;
    usize::try_from(free.saturating_sub(KEPT) >> 20).ok()
}

/// How much of the address space is left, in MiB; `None` where it is not limited. Of that, all that is allocated takes its
/// part, such as whole stacks, also what is never written to and so takes no memory.
pub(crate) fn available_space_mib() -> Option<usize> {
    let free = free_space(&|path| fs::read_to_string(path).ok())?;
    usize::try_from(free.saturating_sub(KEPT) >> 20).ok()
}

/// Where the address space is limited, lets all threads allocate from one part of it. Otherwise the GNU C library sets apart
/// 64 MiB for each thread, and what is left can be too little for anybody else.
#[cfg(all(feature = "cli", target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn share_space() {
    if available_space_mib().is_some() {
        // SAFETY: it sets a number under a lock of its own. Measured gain: of 69 runs under `ulimit -v` from 75,000 to 700,000
        // KiB with 1, 4 and 8 threads the system ended 12 without it (2026-11-23).
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// What is left of the address space in bytes; `None` where it is not limited.
fn free_space(read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let limit = address_space(&read(Path::new("/proc/self/limits"))?)?;
    let status = read(Path::new("/proc/self/status"))?;
    Some(limit.saturating_sub(kib_of(&status, "VmSize:")?))
}

/// The least of all that limits the memory, in bytes, as the system's files say.
fn free_bytes(read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let file = |path: &str| read(Path::new(path));
    let machine = file("/proc/meminfo").and_then(|text| kib_of(&text, "MemAvailable:"));
    let groups = match (file("/proc/self/cgroup"), file("/proc/self/mountinfo")) {
        (Some(groups), Some(mounts)) => group_folders(&groups, &mounts),
        _ => Vec::new(),
    };
    let groups = groups.iter().filter_map(|folder| free_in_group(folder, read));
    machine.into_iter().chain(groups).min()
}

/// The bytes of a line such as `MemAvailable:  1234 kB`.
fn kib_of(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: u64 = rest.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1024)
}

/// The soft limit of the address space in bytes, `None` for no limit.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The folders of all groups that limit the memory of this process: its own and those above, as far as they can be seen.
///
/// `groups` is `/proc/self/cgroup`: lines `number:controllers:path`, without number and controllers for cgroup v2.
/// `mounts` is `/proc/self/mountinfo`: which part of the tree of groups can be seen where.
fn group_folders(groups: &str, mounts: &str) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else {
            continue;
        };
        let is_unified = controllers.is_empty();
        if !is_unified && !controllers.split(',').any(|name| name == "memory") {
            continue;
        }
        let mounted = mounts.lines().filter_map(Mount::of_line);
        for mount in mounted.filter(|mount| mount.is_unified == is_unified) {
            // Inside a container the path is often not below what is mounted: then its root is the best there is.
            let below = Path::new(path).strip_prefix(&mount.root).unwrap_or(Path::new(""));
            let own = mount.place.join(below);
            let above = own.ancestors().take_while(|folder| folder.starts_with(&mount.place));
            folders.extend(above.map(Path::to_owned));
        }
    }
    folders
}

/// A part of a tree of groups that can be seen in the file system.
struct Mount {
    /// The group at its root.
    root: PathBuf,
    /// The folder of that group.
    place: PathBuf,
    /// Whether it is cgroup v2.
    is_unified: bool,
}

impl Mount {
    /// A line of mountinfo, if it is about groups that limit memory: `id parent device root place options [optional
    /// fields] - type source options`.
    fn of_line(line: &str) -> Option<Self> {
        let (mount, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let is_unified = match kind.next()? {
            "cgroup2" => true,
            "cgroup" if kind.nth(1)?.split(',').any(|name| name == "memory") => false,
            _ => return None,
        };
        let mut places = mount.split(' ').skip(3).map(unescaped);
        Some(Self { root: places.next()?, place: places.next()?, is_unified })
    }
}

/// In mountinfo, blanks and the like are written as `\` and three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let replaced = [(r"\040", " "), (r"\011", "\t"), (r"\012", "\n"), (r"\134", "\\")];
    replaced.iter().fold(text.to_owned(), |text, (code, plain)| text.replace(code, plain)).into()
}

/// What is free in a group; `None` if it has no limit. Files that were read can be dropped, so the part of them that
/// was not used lately counts as free.
fn free_in_group(folder: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let number = |name: &str| read(&folder.join(name))?.trim().parse::<u64>().ok();
    // First those of cgroup v2, then that of v1. Above memory.high a group is not killed, but slowed down very much.
    let limits = ["memory.max", "memory.high", "memory.limit_in_bytes"];
    let limit = limits.into_iter().filter_map(number).min()?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let stat = read(&folder.join("memory.stat")).unwrap_or_default();
    let counter = |name: &str| stat.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
    // In cgroup v1 the counters without "total" leave out the groups below.
    let idle = counter("total_inactive_file ").or_else(|| counter("inactive_file "));
    Some(limit.saturating_sub(used.saturating_sub(idle.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    /// What is free where these files are all there are.
    fn free(files: &[(&str, &str)]) -> Option<u64> {
        free_bytes(&|path| text_of(files, path))
    }

    /// The same for the address space.
    fn space(files: &[(&str, &str)]) -> Option<u64> {
        free_space(&|path| text_of(files, path))
    }

    fn text_of(files: &[(&str, &str)], path: &Path) -> Option<String> {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        file.map(|(_, text)| (*text).to_owned())
    }

    const MEMINFO: (&str, &str) =
        ("/proc/meminfo", "MemTotal:       25165824 kB\nMemFree:         1024 kB\nMemAvailable:    8388608 kB\n");

    #[test]
    fn without_limits_the_machine_counts() {
        assert_eq!(free(&[]), None);
        assert_eq!(free(&[MEMINFO]), Some(8192 * MIB));
    }

    #[test]
    fn groups_of_version_2_count_with_those_above() {
        let mut files = vec![
            MEMINFO,
            ("/proc/self/cgroup", "0::/jobs/run 7\n"),
            (
                "/proc/self/mountinfo",
                "22 20 0:20 / /proc rw - proc proc rw\n\
                 30 20 0:27 / /sys/fs/cgroup\\040x rw,nosuid shared:4 - cgroup2 cgroup2 rw\n",
            ),
            ("/sys/fs/cgroup x/jobs/run 7/memory.max", "max\n"),
            ("/sys/fs/cgroup x/jobs/run 7/memory.high", "max\n"),
            ("/sys/fs/cgroup x/jobs/run 7/memory.current", "1048576\n"),
        ];
        assert_eq!(free(&files), Some(8192 * MIB));
        files.extend([
            ("/sys/fs/cgroup x/jobs/memory.max", "314572800\n"),
            ("/sys/fs/cgroup x/jobs/memory.current", "209715200\n"),
            ("/sys/fs/cgroup x/jobs/memory.stat", "anon 9\ninactive_file 52428800\nactive_file 1\n"),
        ]);
        assert_eq!(free(&files), Some(150 * MIB));
        files[4].1 = "3145728\n";
        assert_eq!(free(&files), Some(2 * MIB), "memory.high of the group itself");
        files[5].1 = "99999999\n";
        assert_eq!(free(&files), Some(0));
    }

    #[test]
    fn groups_of_version_1_count_too() {
        let mounts = "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw\n\
                      32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      35 31 0:32 /docker/1f /sys/fs/cgroup/memory ro master:9 - cgroup cgroup rw,memory\n\
                      41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let limit = ("/sys/fs/cgroup/memory/sub/memory.limit_in_bytes", "104857600\n");
        let files = |cgroup| {
            [
                MEMINFO,
                ("/proc/self/cgroup", cgroup),
                ("/proc/self/mountinfo", mounts),
                limit,
                ("/sys/fs/cgroup/memory/sub/memory.usage_in_bytes", "62914560\n"),
                ("/sys/fs/cgroup/memory/sub/memory.stat", "inactive_file 1\ntotal_inactive_file 10485760\n"),
                ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "62914560\n"),
            ]
        };
        let own = "5:cpu:/\n4:blkio,memory:/docker/1f/sub\n0::/\n";
        assert_eq!(free(&files(own)), Some(50 * MIB));
        // A path from outside the container: only the root of what is mounted can be seen.
        let elsewhere = files("4:memory:/other\n");
        assert_eq!(free(&elsewhere), Some(8192 * MIB));
    }

    #[test]
    fn the_address_space_counts() {
        let files = [
            MEMINFO,
            (
                "/proc/self/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n\
                 Max data size             unlimited            unlimited            bytes\n\
                 Max address space         104857600            unlimited            bytes\n",
            ),
            ("/proc/self/status", "Name:\ttak\nVmPeak:\t   99999 kB\nVmSize:\t   20480 kB\n"),
        ];
        assert_eq!(space(&files), Some(80 * MIB));
        assert_eq!(space(&files[..2]), None);
        assert_eq!(free(&files), Some(8192 * MIB));
        let unlimited = [files[0], ("/proc/self/limits", "Max address space  unlimited  unlimited  bytes\n"), files[2]];
        assert_eq!(space(&unlimited), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_tells() {
        assert!(available_mib().is_some());
    }
}
