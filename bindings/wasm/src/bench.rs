//! The same fixed amount of search as `tak-engine bench`.

use std::time::Duration;

use tak_engine::board::{AnyPosition, Game};
use tak_engine::engine::bench::{HASH_MIB, POSITIONS};
use tak_engine::engine::{Engine, Limits, Settings};
use wasm_bindgen::prelude::*;

use crate::host::{clock, now, say};

/// Says what `tak-engine bench --deeper N` prints.
///
/// # Errors
/// A sentence if there is no memory for the table.
#[wasm_bindgen]
pub fn bench(deeper: u32) -> Result<(), String> {
    let mut engine = Engine::with_time(Settings { hash_mib: HASH_MIB, ..Settings::default() }, clock());
    engine.prepare().map_err(|error| error.to_string())?;
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (tps, depth) in POSITIONS {
        let position: AnyPosition = tps.parse().map_err(|error| format!("bench position {tps}: {error}"))?;
        engine.clear();
        let begun = now();
        let report =
            engine.analyse(&Game::new(position), Limits::depth(depth + deeper)).map_err(|error| error.to_string())?;
        time += now().saturating_sub(begun);
        say(&format!("{:>10} nodes at depth {} {tps}", report.nodes, report.depth));
        nodes += report.nodes;
    }
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    say(&format!("{} ms\n{nodes} nodes\n{nps} nps", time.as_millis()));
    Ok(())
}
