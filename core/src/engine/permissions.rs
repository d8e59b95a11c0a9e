//! Limits for the settings of a front end.

/// The resources that a front end may ask for. A program that we start ourselves may have everything; a client over a
/// network may not use the whole machine, nor make us read files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Permissions {
    /// The largest table in MiB.
    pub hash_mib: u32,
    /// The maximum number of search workers.
    pub threads: u32,
    /// True if options may name files.
    pub files: bool,
}

impl Default for Permissions {
    fn default() -> Self {
        Self { hash_mib: u32::MAX, threads: u32::MAX, files: true }
    }
}
