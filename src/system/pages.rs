//! How the system gives a large piece of memory: page by page, each when it is first written to.

use std::fs::File;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Words of a page of 4 KiB, on most machines the least that the system gives memory for.
const PAGE: usize = 512;

/// How many pages are looked at to tell how much of a piece takes memory.
const SAMPLE: usize = 1024;

/// Asks for `memory` in pages of 2 MiB or the like. Most Linux systems give them to those who ask. Where something was written
/// before, small pages stay until the system puts them together.
///
/// It bets that most of the memory will be used: what is written to here and there takes all of it. Then it is given sooner
/// as a few large pages than as thousands of small ones, for which all workers have to stand in line within the first search.
#[cfg(all(feature = "cli", target_os = "linux"))]
#[allow(unsafe_code)]
pub(crate) fn ask_for_large_pages(memory: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};
    let start = memory.as_ptr().align_offset(rustix::param::page_size()).min(memory.len());
    let whole = &memory[start..];
    // SAFETY: the advice changes neither what the memory holds nor who may use it, and all of it is that of a live slice.
    // Measured gain: `bench --deeper 4 --hash 64 --threads 2` takes 0.57 times the time (AMD EPYC, 2026-11-23).
    let answer = unsafe { madvise(whole.as_ptr().cast_mut().cast(), size_of_val(whole), Advice::LinuxHugepage) };
    if let Err(error) = answer {
        log::debug!("the system knows no large pages: {error}");
    }
}

/// There is nobody to ask.
#[cfg(not(all(feature = "cli", target_os = "linux")))]
pub(crate) fn ask_for_large_pages(_: &[AtomicU64]) {}

/// How much of `memory` takes memory by now, in MiB, from a sample of its pages: those that the system has given. Where it
/// does not tell, those that something was written to.
pub(crate) fn taken_mib(memory: &[AtomicU64]) -> usize {
    let pages = memory.chunks(PAGE);
    let step = pages.len().div_ceil(SAMPLE).max(1);
    let sample = pages.step_by(step);
    let count = sample.len().max(1);
    let map = File::open("/proc/self/pagemap").ok();
    let is_given = |page: &&[AtomicU64]| {
        let told = map.as_ref().and_then(|map| is_given(map, page.as_ptr()));
        told.unwrap_or_else(|| page.iter().any(|word| word.load(Relaxed) != 0))
    };
    (size_of_val(memory) >> 20) * sample.filter(is_given).count() / count
}

/// Whether this process has memory of its own for the page that `address` lies in; `None` where the system does not tell.
/// What was only read takes none: it is one page of zeros for all. `map` is `/proc/self/pagemap`: eight bytes a page, of which
/// the highest bit says that the page is there and bit 56 that nobody else has it.
#[cfg(all(feature = "cli", target_os = "linux"))]
fn is_given(map: &File, address: *const AtomicU64) -> Option<bool> {
    use std::os::unix::fs::FileExt;
    let number = address.addr() / rustix::param::page_size();
    let mut entry = [0; 8];
    map.read_exact_at(&mut entry, number as u64 * 8).ok()?;
    let entry = u64::from_ne_bytes(entry);
    Some(entry >> 63 & entry >> 56 & 1 == 1)
}

#[cfg(not(all(feature = "cli", target_os = "linux")))]
fn is_given(_: &File, _: *const AtomicU64) -> Option<bool> {
    None
}

#[cfg(test)]
mod tests {
    use zerocopy::FromZeros;

    use super::*;

    /// So many MiB of zeros that are not in memory yet: more than the allocator keeps for later.
    fn memory(mib: usize) -> Box<[AtomicU64]> {
        <[AtomicU64]>::new_box_zeroed_with_elems(mib << 17).unwrap()
    }

    fn write(memory: &[AtomicU64]) {
        for page in memory.chunks(PAGE) {
            page[0].store(1, Relaxed);
        }
    }

    #[test]
    fn what_is_written_takes_memory() {
        let memory = memory(64);
        assert_eq!(taken_mib(&memory), 0);
        assert!(memory.iter().all(|word| word.load(Relaxed) == 0));
        assert_eq!(taken_mib(&memory), 0, "what is read takes none");
        write(&memory[..memory.len() * 5 / 8]);
        // The system may give a large page at either end.
        assert!((40..=42).contains(&taken_mib(&memory)));
        write(&memory);
        assert!((63..=64).contains(&taken_mib(&memory)));
        assert_eq!(taken_mib(&[]), 0);
    }

    #[test]
    fn a_large_page_is_taken_as_a_whole() {
        let memory = memory(64);
        ask_for_large_pages(&memory);
        assert_eq!(taken_mib(&memory), 0);
        for part in memory.chunks(1 << 18) {
            part[part.len() / 2].store(1, Relaxed);
        }
        // Nothing, or nearly everything: where the system gives no large pages, 32 small ones.
        let taken = taken_mib(&memory);
        assert!(taken == 0 || taken >= 60, "{taken}");
        write(&memory);
        assert!((63..=64).contains(&taken_mib(&memory)));
    }
}
