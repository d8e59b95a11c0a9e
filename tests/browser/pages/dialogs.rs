//! The dialogs of the page.

use serde_json::json;

use super::browsing::{Page, start};
use super::serving::Serving;

pub fn a_number_that_is_missing_is_seen(url: &str) {
    let page = Page::open(url);
    page.open_new();
    page.eval("void (document.querySelector('#stones-white').value = '')");
    page.click("#new-pieces summary");
    page.wait("!document.querySelector('#new-pieces').open");
    page.click("#new-start");
    page.wait("document.querySelector('#new-pieces').open");
    page.wait("document.activeElement.id === 'stones-white'");
    page.check();
}

pub fn after_start_keys_go_to_the_board(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two");
    page.wait("document.activeElement.id === 'grid'");
    page.keys("Enter");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

/// A link does not contain the token. The page accepts it, and moves without a size.
pub fn links_go_out_without_the_token_and_come_back() {
    let serving = Serving::start(&["--token", "SECRET-12345"]);
    let page = Page::open(&serving.url);
    page.paste("1. a1 a5 2. c3");
    assert_eq!(page.wait_moves(3), "a1 a5 c3");
    page.eval("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    page.open_files();
    page.click("#copy-link");
    page.wait_text("#copied", "Link is copied.");
    let link = page.eval("window.copied");
    let link = link.as_str().unwrap();
    assert!(!link.contains("SECRET") && link.contains('#'), "{link}");
    page.close_files();
    page.click_squares("d4");
    page.wait_moves(4);
    page.paste(link);
    assert_eq!(page.wait_moves(3), "a1 a5 c3");
    page.wait("!document.querySelector('#files').open");
    page.check();
}

/// A link holds a game of some thousand characters; a longer one is offered as a file.
pub fn a_game_too_long_for_a_link_is_offered_as_a_file(url: &str) {
    let page = Page::open(url);
    page.eval("navigator.clipboard.writeText = async (text) => { window.link = text; }");
    let copy = |says: &str| {
        page.open_files();
        page.click("#copy-link");
        page.wait_text("#copied", says);
        page.close_files();
        page.eval("window.link?.split('#')[1].length ?? 0").as_u64().unwrap()
    };
    let game = |rounds: usize| format!("[Size \"8\"]\n\na1 h8{}", " h8- a1+ h7+ a2-".repeat(rounds));
    page.paste(&game(300));
    page.wait_moves(1202);
    assert_eq!(copy("This game is too long for a link; “Save PTN” writes it to a file."), 0);
    page.paste(&game(240));
    page.wait_moves(962);
    let length = copy("Link is copied.");
    assert!((6000..=8000).contains(&length), "{length}");
    page.new_game("size 3, mode two");
    let other = page.beside(page.eval("window.link").as_str().unwrap());
    other.wait_moves(962);
    page.check();
    other.check();
}

pub fn a_text_that_is_too_large_is_not_sent(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1");
    page.open_files();
    page.eval("void (document.querySelector('#paste').value = '[Size \"5\"] {' + 'a'.repeat(600 * 1024) + '} 1. a1')");
    page.click("#paste-open");
    page.wait_text("#files-problem", "too large (at most 512 KiB)");
    assert_eq!(page.text("#connection"), "");
    // A file of that size is not read.
    page.eval(
        "(() => { const data = new DataTransfer(); data.items.add(new File(['x'.repeat(600 * 1024)], 'a.ptn')); \
         document.querySelector('#files-problem').textContent = ''; \
         dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()",
    );
    page.wait_text("#files-problem", "too large (at most 512 KiB)");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

pub fn the_list_of_keys_opens_wherever_the_focus_is(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    for id in ["flip", "lines", "moves", "open-new"] {
        page.eval(&format!("document.getElementById('{id}').focus()"));
        page.keys("?");
        page.wait("document.querySelector('#keys').open");
        page.keys("Escape");
        page.wait(&format!("!document.querySelector('#keys').open && document.activeElement.id === '{id}'"));
    }
    page.check();
}

/// A game from the position on the board has its size and pieces, regardless of earlier choices.
pub fn a_game_from_here_is_one_of_this_size(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, Some("x5/x5/x2,12,x2/x5/x5 2 7")));
    page.open_new();
    page.set("new-size", "7");
    page.set("new-mode", "two");
    page.click("#from-here");
    let shown = "['new-size', 'stones-white', 'caps-black'].map((id) => document.getElementById(id).value)";
    assert_eq!(page.eval(shown), json!(["5", "21", "1"]));
    page.click("#new-start");
    page.wait("!document.querySelector('#new-game').open");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 25");
    assert!(page.square("c3").starts_with("c3: black flat on white."), "{}", page.square("c3"));
    // The next one also has that size.
    page.open_new();
    assert_eq!(page.eval(shown), json!(["5", "21", "1"]));
    page.check();
}

/// Choices in a dialog survive a lost connection.
pub fn a_lost_connection_changes_no_choice() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.open_new();
    page.set("new-mode", "engine");
    page.set("new-size", "7");
    page.set("new-level", "12");
    let port = serving.port;
    drop(serving);
    page.wait_text("#connection", "Not connected");
    page.click("#new-start");
    page.wait_text("#new-problem", "tak-engine is not connected");
    let serving = Serving::start_at(port, &[]);
    page.wait("document.querySelector('#connection').textContent === ''");
    let shown = "['new-size', 'new-level'].map((id) => document.getElementById(id).value)";
    assert_eq!(page.eval(shown), json!(["7", "12"]));
    assert_eq!(page.text("#new-problem"), "");
    page.forget_faults();
    page.click("#new-start");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 49");
    page.check();
    drop(serving);
}

pub fn finished_game_cannot_be_a_start(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, Some("x3/1,1,1/2,2,x 2 4")));
    page.open_new();
    page.set("new-mode", "two");
    page.click("#from-here");
    page.click("#new-start");
    page.wait_text("#new-problem", "This cannot be played: the game is over: White wins by a road.");
    assert_eq!(page.eval("document.querySelector('#new-game').open"), true);
    page.check();
}

/// A file dropped while another dialog is open is opened, or the error is shown.
pub fn a_file_may_fall_on_any_dialog(url: &str) {
    let page = Page::open(url);
    let drop_on_new_game = |text: &str| {
        page.click("#open-new");
        page.wait("document.querySelector('#new-game').open");
        page.eval(&format!(
            "(() => {{ const data = new DataTransfer(); data.items.add(new File([{text:?}], 'a.ptn')); \
             dispatchEvent(new DragEvent('drop', {{ dataTransfer: data }})); }})()",
        ));
        page.wait("!document.querySelector('#new-game').open");
    };
    drop_on_new_game("nonsense");
    page.wait("document.querySelector('#files').open");
    page.wait_text("#files-problem", "Could not open this: invalid PTN");
    page.close_files();
    drop_on_new_game("[Size \"5\"]\n1. a1");
    page.wait_text("#notice", "Opened, with 1 move.");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

/// Time controls have a list; the fields are for others.
pub fn time_controls_have_a_list(url: &str) {
    let page = Page::open(url);
    let has_fields = "!document.querySelector('#new-minutes').closest('label').hidden";
    page.new_game("size 5, mode two, time 3+2");
    page.wait_text("#player-white .clock", "3:00");
    page.click_squares("a1");
    page.wait_text("#player-white .clock", "3:02");
    page.open_new();
    assert_eq!(page.eval("document.querySelector('#new-time').value"), "3+2");
    assert_eq!(page.eval(has_fields), false);
    page.set("new-time", "clock");
    page.wait(has_fields);
    page.set("new-minutes", "2");
    page.click("#new-start");
    page.wait_text("#player-white .clock", "2:00");
    page.open_new();
    assert_eq!(page.eval("document.querySelector('#new-time').value"), "clock");
    page.keys("Escape");
    page.check();
}

/// Half a link, one of another kind, and one with parts of the wrong type.
pub fn corrupt_link_shows_error(url: &str) {
    let page = Page::open(url);
    let damaged = "Invalid link: it does not contain a game.";
    for text in [
        "'broken'",
        "btoa('{\"start\":{\"size\":5},\"moves\":[]}')",
        "btoa('{\"start\":{\"size\":5,\"half_komi\":0.5,\"opening\":\"swap\"},\"moves\":[]}')",
        "btoa('{\"start\":{\"size\":5,\"half_komi\":0,\"opening\":\"swap\"},\"moves\":[1]}')",
        "btoa('{\"start\":{\"size\":5,\"half_komi\":0,\"opening\":\"swap\"},\"moves\":[],\"names\":{\"white\":1}}')",
    ] {
        page.eval("void (document.querySelector('#notice').textContent = '')");
        page.eval(&format!("location.hash = {text}"));
        page.wait_text("#notice", damaged);
        assert_eq!(page.eval("location.hash"), "", "{text}");
    }
    let other = page.beside_at(&format!("{url}#broken"));
    other.wait_text("#notice", damaged);
    assert_eq!(other.eval("location.hash"), "");
    page.paste(&format!("{url}#broken"));
    page.wait_text("#files-problem", "Could not open this: this is not a valid game link");
    page.check();
    other.check();
}
