//! Reports and standings of tournaments of every kind, from no game to very many.

mod arena_data;

use std::fs;

use arena_data::{fresh_path, games, settings, sprt_settings};
use tak_engine::arena::record::{GameRecord, TournamentSettings};
use tak_engine::arena::report;

#[test]
fn demo() {
    let s = settings(&["tak-engine", "tak-engine small", "topaz", "tiltak <script>alert(1)</script>", "weak"], 40);
    report::write(&fresh_path("rr.html"), &s, &games(&s)).unwrap();
    let s = sprt_settings(400);
    report::write(&fresh_path("sprt.html"), &s, &games(&s)).unwrap();
    report::write(&fresh_path("zero.html"), &s, &[]).unwrap();
    report::write(&fresh_path("one.html"), &s, &games(&s)[..1]).unwrap();
}
