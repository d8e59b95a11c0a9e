//! Logins, seeks, lost connections and the end of the bot.

use super::*;

#[test]
fn older_servers_are_recognised_by_their_seeks() {
    let offers = |terms: &str, script: &str| {
        let opponents = Opponents::Seeks(vec![format!("size=5 time=60 {terms}").parse().unwrap()]);
        run(Settings { opponents, ..settings() }, script);
    };
    let [v2, v3, v4] = ["A", "1 A", "1 A"].map(|words| format!("Seek new 3 Guest1 5 60 1 {words} 0 21 1 0 0 0 0 0 0"));
    let v4 = format!("{v4} 0");
    // The own seek is misread by an older server. That of protocol 2 offers it without its opponent and its komi.
    offers("inc=1 scales", &format!("log in / OK -> Seek 5 60 1 1 A 0 21 1 0 0 0 0 0 / {v4} -> / {v4} ->"));
    offers("inc=1 scales", &format!("ready / {v3} -> Seek 5 60 1 1 A 0 21 1 0 0 0 0 / {v3} ->"));
    offers("inc=1 scales", &format!("ready / {v2} -> quit; end OldServer(V2)"));
    offers("opening=double-black", &format!("log in / OK -> Seek 5 60 0 0 A 0 21 1 0 0 0 0 1 / {v4} ->"));
    offers("opening=double-black", &format!("log in / {v3} -> / OK -> quit; end OldServer(V3)"));
    // A seek with common terms is offered in the oldest form, which all servers know.
    for seek in [v2, v3, v4] {
        offers("inc=1", &format!("log in / OK -> Seek 5 60 1 A 0 21 1 0 0 0 0 / {seek} ->"));
    }
}

#[test]
fn passwords_need_a_private_connection() {
    let password = crate::protocol::Password::new("open-sesame").unwrap();
    let user = Settings { login: Login::User { name: "alice".into(), password }, ..settings() };
    run(user.clone(), "connected / Login or Register -> end Exposed");
    run(
        user,
        "connected privately / Login or Register -> Client tak-engine-...; Protocol 4; Login alice open-sesame
         Authentication failure -> end Login",
    );
}

#[test]
fn a_login_refused_without_a_reason_is_tried_again() {
    // An older server does not support the first two commands.
    script("connected / Login or Register / NOK -> / NOK -> / NOK -> hang up");
}

#[test]
fn two_programs_do_not_disconnect_each_other_forever() {
    script("ready / Message You've logged in from another window. Disconnecting -> quit; end Replaced");
}

#[test]
fn a_game_is_resumed_after_a_lost_connection() {
    // A result of the engine after the cut is not sent to the next connection.
    script(
        "ready / start / engine a1 0 / Game#7 P E5 / cut -> stop
         engine b2 0 -> / log in / start -> / Game#7 P A1 -> / Game#7 P E5 ->
         Game#7 Timems 300000 600000 -> / Message Your game is resumed -> think 2 full 300+10
         OK -> / engine b2 0 / Game#7 Timems 299000 600000 / Game#7 Over 1-0 -> keep 1-0 a1* e5 b2*; Seek 6",
    );
}

#[test]
fn a_restarted_program_resumes_its_game() {
    script("log in / start black -> new / Game#7 P A1 -> / Message Your game is resumed -> think 1");
}

#[test]
fn a_forgotten_game_is_kept_without_a_result() {
    script("ready / start / engine a1 0 / cut -> / log in / OK -> keep * a1*; Seek 6");
}

#[test]
fn silence_ends_a_connection() {
    // A ping has no answer; later another server accepts connections and does not end the login, or answers no move.
    script(
        "ready / wait 30 -> PING
         OK -> / wait 30 -> PING
         wait 29 -> / wait 1 -> hang up
         wait 1 -> / cut -> / connected -> / wait 29 -> / wait 1 -> hang up
         cut / connected / Welcome all! / Login or Register / wait 20 / Shout <bob> hello -> / wait 10 -> hang up
         cut / log in / wait 29 / wait 1 -> hang up; say does not answer
         cut / ready / start / wait 29 / engine a1 0 -> Game#7 P A1
         wait 1 -> PING
         OK / wait 29 -> / wait 1 -> PING",
    );
    script("ready / start / wait 25 / engine a1 0 / wait 29 -> PING / wait 1 -> hang up");
    assert!(TestBot::after(settings(), &["ready"]).bot.wake_at() <= Duration::from_secs(30));
}

#[test]
fn seeks_of_a_certain_player_are_accepted() {
    // The second seek is for another player; the same one is not accepted again. The last one is withdrawn during a
    // game.
    run(
        Settings { opponents: Opponents::Of("alice".into()), ..settings() },
        "ready / Seek new 3 bob 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek new 3 alice 5 600 20 A 4 80 1 0 0 0 0 0 0 -> say 80 stones
         Seek new 4 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 4
         NOK -> / wait 5 -> / Seek new 5 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 5
         Game Start 7 Guest1 vs alice white 5 600 20 4 21 1 0 0 0 0 0 -> new; think 0 full 600+20
         Seek new 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek remove 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> / Game#7 Over 1-0 -> stop; keep 1-0",
    );
}

#[test]
fn the_bot_ends_after_the_number_of_games() {
    run(Settings { games: Some(1), ..settings() }, "ready / start / Game#7 Over 1-0 -> stop; keep 1-0; quit; end");
}

#[test]
fn an_interrupt_lets_a_game_end() {
    // Not even a lost connection ends it.
    script(
        "ready / start / interrupt -> say after this game
         engine a1 0 -> Game#7 P A1
         cut -> / wait 60 -> / log in / start -> / Game#7 P A1 -> / Message Your game is resumed ->
         Game#7 Over 0-1 -> keep 0-1 a1*; quit; end",
    );
}

#[test]
fn an_interrupt_removes_the_seek() {
    script("ready / interrupt -> Seek 0 / wait 1 -> quit; end");
    // A player who has accepted it before gets the game.
    script(
        "ready / interrupt / start -> new; think 0
         wait 5 -> / Game#7 Over 1-0 -> stop; keep 1-0; quit; end",
    );
    // Without a connection there is nothing to wait for.
    script("interrupt -> end");
    // The refusal of a late removal is not one of a move.
    script(
        "ready / interrupt / start / engine a1 0 -> Game#7 P A1
         NOK -> / NOK -> hang up",
    );
}

#[test]
fn an_engine_without_memory_ends_the_bot() {
    let mut bot = TestBot::after(settings(), &["ready", "start"]);
    let requests = bot.handle(Event::Judged(1, Err(HashError(64))));
    assert!(requests.contains(&Request::End(Err(Failure::Hash(HashError(64))))), "{requests:?}");
}
