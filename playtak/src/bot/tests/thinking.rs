//! Chat, levels, pondering and the book of openings.

use super::*;
use crate::book::Book;
use tak_engine::board::Size;
use tak_engine::engine::Level;
use tak_engine::openings::parse_lines;

#[test]
fn players_are_answered_with_pauses() {
    let help = TestBot::after(settings(), &["ready"]).happen("Tell <alice> Help ").first().and_then(text).unwrap();
    assert!(help.starts_with("Tell alice I am tak-engine") && help.len() < 256, "{help}");
    script(
        "ready / Tell <alice> help
         Tell <bob> help -> / wait 4 -> / Tell <bob> help -> / wait 1 -> / Tell <bob> hello ->
         Told <bob> help -> / Shout <bob> help -> / Tell <bob> help -> Tell bob I am...",
    );
    run(Settings { chat: false, ..settings() }, "ready / Tell <alice> help ->");
}

#[test]
fn the_opponents_time_is_used_until_something_happens() {
    let ponders = Settings { ponder: true, undo: true, ..settings() };
    let run_on = |script: &str| {
        let start = "ready / start / engine a1 0 -> Game#7 P A1; ponder 0 / Game#7 Timems 1000 1000 ->";
        run(ponders.clone(), &format!("{start}\n{script}"));
    };
    // The next question ends pondering by itself; clocks and chat do not matter.
    run_on("Game#7 OfferDraw -> / Game#7 RemoveDraw -> / Game#7 P E5 -> think 2");
    run_on("cut -> stop");
    // After these nothing is left to stop, unless another move is due.
    for (line, requests, after) in [
        ("RequestUndo", "stop; Game#7 RequestUndo", ""),
        ("Undo", "stop; hang up", ""),
        ("Over 1-0", "stop; keep 1-0 a1*; Seek 6", ""),
        ("Abandoned. alice quit", "stop; keep 1-0 a1*; Seek 6", ""),
        ("P A9", "stop; hang up", ""),
        ("P A1", "stop; hang up", ""),
    ] {
        run_on(&format!("Game#7 {line} -> {requests} / cut -> {after}"));
    }
    // There is no pondering after the end of a game or its resignation.
    run(
        Settings { resign: true, ..ponders.clone() },
        "ready / Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0 -> new; think 0
         engine a3 0 -> Game#7 P A3; ponder 0
         Game#7 P C1 -> think 2
         engine a1 0 -> Game#7 P A1; ponder 2
         Game#7 P C2 -> think 4
         engine b1 0 -> Game#7 P B1",
    );
    run(
        Settings { resign: true, ..ponders.clone() },
        "ready / start / engine a1 0 / Game#7 P E5 -> think 2 / engine b1 lost -> Game#7 Resign",
    );
}

#[test]
fn a_player_chooses_the_level_of_the_next_game() {
    let usual = Settings { level: Level::new(4), ..settings() };
    let elo = Level::new(9).unwrap().elo();
    let most = Level::MAX;
    // A request counts even if it gets no answer, but not for the game in progress. A resumed game keeps its level.
    let script = format!(
        "ready / start -> new; think 0 4 600+10 7
         Tell <alice> level 9 -> Tell alice Our next game is at level 9 of {most} (Elo {elo})
         Tell <bob> LEVEL 0 -> / engine a1 0 / Game#7 P E5 -> think 2 4 / Game#7 Over 0-1
         Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0 -> new; think 0 9 600+10 8
         Game#8 Over 0-1
         Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0 -> new; think 0 full 600+10 9
         wait 5 / Tell <bob> level 1 / cut / log in / Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0
         Game#9 P A1 / Game#9 P E5 / OK -> think 2 full
         wait 5 / Tell <bob> level 31 -> Tell bob Levels are 1 to {most}, and 0 is full strength"
    );
    run(usual.clone(), &script);
    run(Settings { chat: false, ..usual }, "ready / Tell <alice> level 9 -> / start -> new; think 0 4");
}

fn with_book(lines: &str) -> Settings {
    let book = Book::new(&parse_lines(lines, Some(Size::ALL[2])).unwrap());
    Settings { book, ponder: true, undo: true, ..settings() }
}

#[test]
fn lines_of_the_book_are_played_without_a_search() {
    // A resumed game waits for all its moves. Then the opponent leaves the line. The next game has another size.
    run(
        Settings { ponder: false, level: Level::new(3), ..with_book("a1 e5 Cc3 d4 b2") },
        "ready / start -> new; Game#7 P A1
         Game#7 Timems 600000 600000 -> / Game#7 P E5 -> Game#7 P C3 C
         cut / log in / start -> / Game#7 P A1 -> / Game#7 P E5 ->
         Message Your game is resumed -> Game#7 P C3 C
         OK -> / Game#7 P D3 -> think 4
         engine b2 0 / Game#7 Timems 600000 600000
         Game#7 Over 1-0 -> keep 1-0 a1(book) e5 Cc3(book) d3 b2*; Seek 6
         Game Start 8 Guest1 vs alice white 6 600 10 4 30 1 0 0 0 0 0 -> new; think 0",
    );
}

#[test]
fn moves_of_the_book_are_moves_like_others() {
    let with_book = with_book("a1 e5 c3 d4 b2");
    run(with_book.clone(), "ready / start / NOK -> hang up / cut / log in / start / OK -> Game#7 P A1");
    // The opponent takes a move back, and gets the same answer to the same move.
    run(
        with_book.clone(),
        "ready / start / Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 RequestUndo -> Game#7 RequestUndo
         Game#7 Undo -> Game#7 P C3",
    );
    // A move outside the book is taken back, and one of the book is played.
    run(
        with_book,
        "ready / start black / Game#7 P B1 -> think 1
         Game#7 Undo / Game#7 P A1 -> Game#7 P E5",
    );
}

#[test]
fn a_return_to_the_book_ends_the_search() {
    run(
        with_book("a1 e5 c3 d4 b2 d5 b3"),
        "ready / start / Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 P D5 -> think 4
         engine b2 0 -> Game#7 P B2; ponder 4
         Game#7 P D4 -> stop; Game#7 P B3",
    );
}
