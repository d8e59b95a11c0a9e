//! Recovery from accidental actions.

use serde_json::{Value, json};

use super::browsing::{Held, Page, start};
use super::hands::By;
use super::layout::IS_NARROW;

const SIX: &str = "a1 e5 c3 c4 d3 d4";

impl Page {
    pub fn resign(&self) {
        // Not by its place: in a game that has just begun, the buttons beside it still come and go.
        let click = || self.eval("document.querySelector('#resign').click()");
        click();
        self.wait_text("#resign", "Really");
        click();
    }
}

/// Another move in the middle of a game replaces the rest; Undo restores it, and Redo replays the other move.
pub fn undo_restores_the_replaced_continuation(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two");
    for square in "a1 e5 c3 c4 d3 d4".split(' ') {
        page.make(square, By::Mouse);
    }
    assert_eq!(page.wait_moves(6), SIX);
    page.go("#first", 0);
    page.go("#next", 1);
    page.go("#next", 2);
    page.click_squares("b2");
    assert_eq!(page.wait_moves(3), "a1 e5 b2");
    page.click_squares("b3");
    assert_eq!(page.wait_moves(4), "a1 e5 b2 b3");
    // A branch within the branch.
    page.go("#previous", 3);
    page.click_squares("b4");
    page.wait_text("#moves", "b4");
    page.reload();
    assert_eq!(page.wait_moves(4), "a1 e5 b2 b4");
    page.click("#undo");
    page.wait_text("#moves", "b3");
    page.wait_at(3);
    page.click("#undo");
    assert_eq!(page.wait_moves(6), SIX);
    page.wait_at(2);
    page.click("#redo");
    assert_eq!(page.wait_moves(4), "a1 e5 b2 b3");
    page.wait_at(3);
    page.click("#redo");
    page.wait_text("#moves", "b4");
    page.wait_at(4);
    page.click("#undo");
    page.wait_text("#moves", "b3");
    page.click("#undo");
    assert_eq!(page.wait_moves(6), SIX);
    page.go("#undo", 1);
    page.go("#latest", 6);
    page.check();
}

/// Showing the current move again is not an error; going beyond the ends is.
pub fn click_on_the_shown_move_is_accepted(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1 e5 c3 c4");
    page.go("#moves [data-at='2']", 2);
    page.wait_text("#notice", "After ");
    let notice = page.text("#notice");
    page.click("#moves [data-at='2']");
    // Earlier requests are processed first.
    page.eval("0");
    assert_eq!(page.text("#notice"), notice);
    page.wait_at(2);
    // Buttons are pressed faster than the page can disable them.
    let press = |button: &str, times: u32| {
        page.eval(&format!("for (let time = 0; time < {times}; time += 1) document.querySelector('{button}').click()"));
    };
    press("#next", 3);
    page.wait_text("#notice", "This is the last move.");
    page.wait_at(4);
    press("#first", 2);
    page.wait_at(0);
    page.wait_text("#notice", "The start of the game.");
    press("#next", 1);
    page.wait_at(1);
    press("#previous", 2);
    page.wait_text("#notice", "This is the start.");
    page.wait_at(0);
    page.check();
}

/// A box that is ticked while the page still waits for an answer stays ticked.
pub fn a_setting_chosen_during_an_action_is_kept(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1 e5");
    page.eval("for (const id of ['first', 'analysing', 'flip']) document.getElementById(id).click()");
    page.wait_at(0);
    page.wait("document.querySelector('[role=gridcell]').dataset.square === 'e1'");
    assert_eq!(
        page.eval("['analysing', 'flip'].map((id) => document.getElementById(id).checked)"),
        json!([true, true])
    );
    page.reload();
    page.wait("document.querySelector('#analysing').checked");
    // A new tab has it too, as after a closed one.
    let other = page.beside(url);
    page.check();
    page.close();
    other.wait("document.querySelector('#analysing').checked");
    other.check();
}

/// Links, files and new games replace a game, which can be restored.
pub fn replaced_game_can_be_restored(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, white Ada, time clock, minutes 10");
    assert_eq!(page.eval("document.querySelector('#former').hidden"), true, "there was no game before");
    page.begin("a1 e5 c3");
    page.link(url, &start(4, None));
    page.wait_text("#notice", "Restore previous game");
    page.begin("a1");
    page.paste("[Size \"6\"]\n1. a1 f6");
    assert_eq!(page.wait_moves(2), "a1 f6");
    page.wait_text("#notice", "Restore previous game");
    page.new_game("size 3, mode two");
    page.wait_moves(0);
    page.wait_text("#notice", "Restore previous game");
    page.reload();
    page.click("#former");
    assert_eq!(page.wait_moves(2), "a1 f6");
    page.click("#former");
    assert_eq!(page.wait_moves(1), "a1");
    page.click("#former");
    assert_eq!(page.wait_moves(3), "a1 e5 c3");
    page.wait_text("#player-white", "White, Ada");
    page.wait("!document.querySelector('#player-white .clock').hidden");
    // No game is lost.
    page.click("#former");
    assert_eq!(page.wait_moves(2), "a1 f6");
    page.check();
}

/// A game that was annotated and then resigned has the current names and result.
pub fn an_annotated_game_has_the_result_of_today(url: &str) {
    let page = Page::open(url);
    page.new_game("size 3, mode two, white Ada, black Bob [the] builder");
    page.begin("a1 c3 b3");
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    let before = page.ptn();
    assert!(before.contains("[Result \"*\"]") && before.trim_end().ends_with(" *"));
    page.resign();
    page.wait_text("#result", "Black resigns (1-0)");
    let ptn = page.ptn();
    assert!(ptn.contains("loss:") || ptn.contains("{*tak-engine"), "it is annotated: {ptn}");
    let after =
        before.replace("[Result \"*\"]", "[Result \"1-0\"]").trim_end().strip_suffix('*').unwrap().to_owned() + "1-0\n";
    assert_eq!(ptn, after);
    page.check();
}

pub fn player_to_move_in_the_game_resigns(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two");
    page.begin("a1 e5 c3");
    page.go("#previous", 2);
    page.click("#resign");
    page.wait_text("#resign", "Really resign as Black?");
    page.click("#resign");
    page.wait_text("#result", "Black resigns (1-0)");
    page.check();
}

pub fn resigned_game_can_be_analysed_and_continued(url: &str) {
    let page = Page::open(url);
    page.paste("[Size \"5\"]\n[Result \"1-0\"]\n1. a1 e5 2. c3 c4 1-0");
    page.wait_moves(4);
    page.wait_text("#result", "1-0");
    assert_eq!(page.eval("document.querySelector('#hint-button').disabled"), false);
    page.click("#analysing");
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    page.click("#analysing");
    page.click_squares("d3");
    assert_eq!(page.wait_moves(5), "a1 e5 c3 c4 d3");
    assert_eq!(page.text("#result"), "");
    // Undoing the move also undoes the loss of the result.
    page.go("#undo", 4);
    page.wait_text("#result", "1-0");
    page.check();
}

/// The kind of piece returns to flat after each move.
pub fn after_each_move_flats_are_placed_again(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1 e5");
    page.click("[data-kind=wall]");
    page.click_squares("c3 c4");
    assert_eq!(page.wait_moves(4), "a1 e5 Sc3 c4");
    page.check();
}

/// The engine continues its search and moves, its clock runs, and a user at an earlier move sees a notice.
pub fn viewing_earlier_moves_does_not_delay_the_game(url: &str) {
    let page = Page::open(url);
    page.new_game("size 6, mode engine, color white, level 0, time free, seconds 2");
    page.begin("a1");
    page.go("#previous", 0);
    page.wait_text("#notice", "You are viewing an earlier position");
    page.wait_moves(2);
    page.wait_text("#notice", "The engine has moved: ");
    page.wait_at(0);
    page.go("#next", 1);
    // The notice gives the reason why no piece can be placed.
    page.click_squares("c3");
    page.wait_text("#notice", "You are viewing an earlier position; » goes to");
    assert_eq!(page.moves().len(), 2);
    page.go("#latest", 2);
    page.wait_text("#player-white", "to move");
    // Positions of undone moves are not searched.
    page.go("#undo", 0);
    page.begin("a1");
    page.click("#undo");
    page.wait_moves(2);
    page.wait_at(0);
    page.check();
}

pub fn viewing_earlier_moves_does_not_stop_the_clock(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, time clock, minutes 5, increment 0");
    page.begin("a1 e5");
    page.go("#previous", 1);
    let clock = |color: &str| page.text(&format!("#player-{color} .clock"));
    let black = clock("black");
    page.wait("JSON.parse(localStorage.getItem('tak-engine')).at === 1");
    // Time passes, and nothing is stored.
    page.eval(
        "window.was = localStorage.getItem('tak-engine');
         window.white = document.querySelector('#player-white .clock').textContent",
    );
    page.wait("![window.white, ''].includes(document.querySelector('#player-white .clock').textContent)");
    assert_eq!(clock("black"), black);
    assert_eq!(page.eval("window.was === localStorage.getItem('tak-engine')"), true);
    page.check();
}

/// The end of a long notice is visible, and a finished game says so first.
pub fn notices_are_read_to_their_end(url: &str) {
    let page = Page::open(url);
    page.resize(1200, 900);
    page.link(url, &start(5, Some("x5/x5/x5/x5/1,1,1,1,x 1 20")));
    page.begin("e1");
    page.wait("document.querySelector('#notice').textContent.startsWith('White wins by a road')");
    page.eval("void (document.querySelector('#notice').textContent = 'White moves 5 pieces from a1: 1 to a2, 1 to a3. '.repeat(3))");
    let sizes = page.eval(
        "(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => [scrollWidth <= clientWidth, scrollHeight <= clientHeight])(document.querySelector('#notice'))",
    );
    assert_eq!(sizes, json!([true, true]));
    assert_ne!(page.eval("getComputedStyle(document.querySelector('#notice')).whiteSpace"), Value::from("nowrap"));
    page.check();
}

/// On a phone, long texts neither move the buttons nor make anything wider than the screen.
pub fn nothing_moves_from_under_a_finger(url: &str) {
    let page = Page::open(url);
    page.resize(380, 800);
    let tall = "x8/x8/x8/x8/x8/x8/12121212121212121212121,x7/x8 1 30";
    page.link(url, &start(8, Some(tall)));
    let places = "['frame', 'tools'].map((id) => document.getElementById(id).getBoundingClientRect().top + scrollY)";
    let before = page.eval(places);
    page.right_click("#square-a2");
    page.wait("document.querySelectorAll('#pile .icon').length === 23");
    let hint = page.square("a2");
    assert!(
        hint.contains("white flat on black, white, black, white, black, white, black, deeper 8 white, 7 black."),
        "{hint}"
    );
    assert_eq!(page.eval(places), before);
    assert_eq!(page.eval(IS_NARROW), true);
    page.click_squares("a2");
    page.wait_text("#notice", "8 in hand");
    assert_eq!(page.eval(places), before);
    assert_eq!(page.eval(IS_NARROW), true);
    page.check();
}

/// Undo puts back the pieces in hand first, then undoes moves.
pub fn undo_returns_pieces_in_hand(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.click_squares("a1 e5 e5");
    page.wait("document.querySelector('.square.lifted')");
    page.key_with("z", Held::Control);
    page.wait_text("#notice", "The pieces are back on their square.");
    page.wait("!document.querySelector('.square.lifted')");
    page.wait_at(2);
    page.click_squares("e5");
    page.wait("document.querySelector('.square.lifted')");
    page.click("#undo");
    page.wait("!document.querySelector('.square.lifted')");
    page.wait_at(2);
    page.key_with("z", Held::Control);
    page.wait_at(1);
    page.check();
}
