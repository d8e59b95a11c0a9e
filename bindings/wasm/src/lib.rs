//! The engine for JavaScript. One instance of this module has one thread: it is busy from the call of a function to its
//! end, and sends what it has to say through its [`Host`] meanwhile. The scripts in `js` run it in a worker.

mod bench;
mod host;
mod page;
mod tei;

use tak_engine::engine::Permissions;

/// The largest table: memory has addresses of 32 bits, and one object can take at most half of them.
const MAX_HASH_MIB: u32 = 1024;

/// The permissions of a page: one thread, and no files.
const PERMISSIONS: Permissions = Permissions { hash_mib: MAX_HASH_MIB, threads: 1, files: false };
