//! One game from its start to its end, with moves, offers and faults of the server and of the opponent.

use super::*;

#[test]
fn a_game_is_played_to_its_end() {
    // The clocks come before the opponent's move. The next seek is the other one, and a late answer plays nothing.
    script(
        "ready / start -> new; think 0 full 600+10 7
         engine a1 0 -> Game#7 P A1
         Game#7 Timems 598000 600000 -> / OK -> / Game#7 Timems 598000 590000 ->
         Game#7 P E5 -> think 2 full 598+10
         Game#7 Over 1-0 -> stop; keep 1-0 a1* e5; Seek 6; say 1 won, 0 lost
         engine b2 0 ->",
    );
}

#[test]
fn a_game_is_kept_before_output_that_may_fail() {
    let requests = TestBot::after(settings(), &["ready", "start"]).happen("Game#7 Over 1-0");
    let [Request::StopThinking, Request::Keep(game), Request::Say(_), ..] = &requests[..] else {
        panic!("{requests:?}");
    };
    assert_eq!([game.tag("Result"), game.tag("Date")], [Some("1-0"), Some("1970.01.01")]);
}

#[test]
fn garbage_and_other_games_change_nothing() {
    script(
        "ready / start black
         Game#8 P A1 -> / Game#8 Over R-0 -> / Game#8 Abandoned. bob quit -> / Game#8 Undo ->
         -> / \u{1b}[2J -> / Game#7 -> / Game#7 Timems x y -> / Game#7 Dance -> / Game#-1 P A1 -> / Game Start ->
         Game Start x y vs z white -> / Seek new -> / Tell < -> / OK -> / NOK -> / Game#7 P A1 -> think 1",
    );
}

#[test]
fn illegal_moves_end_a_game_and_not_the_bot() {
    for (line, why) in [
        ("M A1 A2 1", "an illegal move"),
        ("P A1 C", "an illegal move"),
        ("P H8", "an illegal move"),
        ("P Z9", "a move that cannot be read"),
        ("M A1 A1", "a move that cannot be read"),
    ] {
        // Moves that the server sends before the resignation reaches it are not played.
        // First the server has to repeat the game.
        script(&format!(
            "ready / start black / Game#7 {line} -> hang up; say {why}
                 cut / log in / start black / Game#7 {line} -> Game#7 Resign; say {why}
                 Game#7 P A1 -> / Game#7 Over 1-0 -> keep 1-0; say ({why})"
        ));
    }
    // A move out of turn.
    script("ready / start / Game#7 P A1 -> stop; hang up");
}

#[test]
fn a_move_that_the_server_refuses_ends_the_game() {
    script(
        "ready / start / engine a1 0
         NOK -> hang up / cut / log in / start / OK -> think 0 / engine b1 0
         NOK -> Game#7 Resign
         Error:Square not empty -> say Square not empty
         Game#7 Over 0-1 -> keep 0-1; Seek 6",
    );
    // If the resignation is refused too, the server has no such game.
    script(
        "ready / start / engine a1 0 / NOK / cut / log in / start / OK / engine a1 0
         NOK -> Game#7 Resign / NOK -> keep *; Seek 6",
    );
}

#[test]
fn a_late_refusal_does_not_concern_the_next_seek() {
    // The flag fell before the move arrived.
    script(
        "ready / start / engine a1 0 / Game#7 Over 0-1 -> keep 0-1; Seek 6
         NOK -> / NOK -> say refuses the seek
         wait 5 -> Seek 6",
    );
}

#[test]
fn terms_that_cannot_be_played_are_refused() {
    script(
        "ready / Game Start 9 Guest1 vs alice white 6 600 10 4 80 1 0 0 0 0 0 -> Game#9 Resign; say 80 stones
         Game#9 P A1 -> / Game#9 Over 0-1 -> Seek 5",
    );
    // The same for unreadable terms; during another game they are ignored.
    script(
        "ready
         Game Start 7 Guest1 vs alice white 5 600 10 0.5 21 1 0 0 0 0 0 -> Game#7 Resign; say cannot be read, 7 Guest1
         Game#7 Over 0-1 -> Seek 5",
    );
    script("ready / start / Game Start 8 2 3 ->");
}

#[test]
fn opponents_may_leave() {
    for (start, who, result) in
        [("start", "alice", "1-0"), ("start black", "alice", "0-1"), ("start black", "Guest1", "1-0")]
    {
        script(&format!(
            "ready / {start} / engine a1 0
                 Message alice has disconnected. They have 120 seconds to reconnect -> say alice has disconnected
                 Game#7 Abandoned. {who} quit -> keep {result}...; Seek 6"
        ));
    }
}

#[test]
fn a_second_start_of_a_game_begins_it_again() {
    // The engine searches another position than the next one.
    script(
        "ready / start / engine a1 0 / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         start -> stop; think 0",
    );
}

#[test]
fn a_new_game_ends_the_old_one() {
    script(
        "ready / start / Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0 -> stop; keep *; new; think 0",
    );
}

#[test]
fn draws_are_accepted_without_an_advantage_only() {
    // Four even moves after the first. Then the offer is withdrawn, so the bot withdraws its own.
    script(
        "ready / start / engine a1 1 -> Game#7 P A1
         Game#7 OfferDraw -> / Game#7 P E5 / engine b1 0 -> Game#7 P B1
         Game#7 P E4 / engine b2 0 -> Game#7 P B2
         Game#7 P E3 / engine b3 0 -> Game#7 P B3
         Game#7 P E2 / engine b4 0 -> Game#7 OfferDraw; Game#7 P B4
         Game#7 RemoveDraw -> Game#7 RemoveDraw
         Game#7 OfferDraw -> Game#7 OfferDraw
         Game#7 Over 1/2-1/2 -> keep 1/2-1/2 a1* e5 b1* e4 b2* e3 b3* e2; Seek 6; say 0 won, 0 lost, 1 neither",
    );
}

#[test]
fn moves_are_taken_back_only_with_the_option() {
    script("ready / start / engine a1 0 / Game#7 Timems 1 1 / Game#7 RequestUndo ->");
    // First move and request cross: the move voids the request. At the end the request is withdrawn.
    run(
        Settings { undo: true, ..settings() },
        "ready / start / engine a1 0 / Game#7 RequestUndo -> / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 Undo -> / Game#7 P D4 -> think 2
         Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 RemoveUndo -> Game#7 RemoveUndo; think 2
         Game#7 Over 1-0 -> stop; keep 1-0 a1* d4; Seek 6",
    );
}

#[test]
fn lost_games_are_resigned_only_with_the_option() {
    script("ready / start / engine a1 lost -> Game#7 P A1");
    run(
        Settings { resign: true, ..settings() },
        "ready / start / engine a1 -2000 -> Game#7 P A1
         Game#7 P E5 -> think 2
         engine b1 lost -> Game#7 Resign
         Game#7 Over 0-1 -> keep 0-1 a1* e5; Seek 6; say (resignation)",
    );
}

#[test]
fn endless_clocks_are_long_ones() {
    let most = u64::MAX;
    let start = format!("Game Start 7 Guest1 vs alice white 5 {most} {most} 4 21 1 0 0 10 {most} 0");
    // 100 days.
    script(&format!("ready / {start} -> new; think 0 full 8640000+8640000"));
}
