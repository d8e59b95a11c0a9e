//! The `tak-engine` program.

fn main() {}
