//! Several tabs of one browser.

use serde_json::json;

use super::browsing::{Page, start};
use super::serving::Serving;

/// Each tab keeps its own game; a new tab starts with the last one.
pub fn tabs_do_not_disturb_each_other(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, None));
    page.begin("a1 c3");
    let other = page.beside(url);
    assert_eq!(other.wait_moves(2), "a1 c3");
    other.click_squares("b2");
    assert_eq!(other.wait_moves(3), "a1 c3 b2");
    page.reload();
    assert_eq!(page.wait_moves(2), "a1 c3");
    page.click_squares("b3");
    assert_eq!(page.wait_moves(3), "a1 c3 b3");
    other.reload();
    assert_eq!(other.wait_moves(3), "a1 c3 b2");
    page.check();
    other.check();
}

/// A clock runs in one tab only. Other tabs show a copy of that game, until the first one is closed.
pub fn a_game_with_clocks_runs_in_one_tab(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, time clock, minutes 10");
    page.begin("a1 e5");
    let hidden = "document.querySelector('#player-white .clock').hidden";
    let other = page.beside(url);
    other.wait_text("#notice", "This game is being played in another tab");
    assert_eq!(other.eval(hidden), true);
    // The copy is unchanged, so the next tab also starts with the game.
    let third = page.beside(url);
    third.wait_text("#notice", "This game is being played in another tab");
    // Both copies can be played on; neither is the game.
    other.click_squares("c3");
    assert_eq!(other.wait_moves(3), "a1 e5 c3");
    page.click_squares("d3 d4");
    assert_eq!(page.wait_moves(4), "a1 e5 d3 d4");
    // The tab of the game keeps it over a reload, and releases it when it is closed.
    page.reload();
    assert_eq!(page.wait_moves(4), "a1 e5 d3 d4");
    assert_eq!(page.eval(hidden), false);
    page.check();
    page.close();
    let last = third.beside(url);
    assert_eq!(last.wait_moves(4), "a1 e5 d3 d4");
    assert_eq!(last.eval(hidden), false);
    for page in [other, third, last] {
        page.check();
    }
}

/// Full and forbidden storage only cost the game when the page is closed, and the page says so.
pub fn a_page_that_may_not_store_is_playable(url: &str) {
    let full = "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); }";
    let forbidden = "for (const name of ['localStorage', 'sessionStorage']) { \
        Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError'); } }); } \
        navigator.locks.request = async () => { throw new DOMException('', 'SecurityError'); };";
    for script in [full, forbidden] {
        let page = Page::open(url);
        assert_eq!(page.eval("document.querySelector('#unsaved').checkVisibility()"), false);
        page.before_each_load(script);
        page.visit(url);
        page.wait("document.querySelectorAll('[role=gridcell]').length > 0");
        page.new_game("size 3, mode two, time clock, minutes 10");
        page.begin("a1 c3");
        assert_eq!(page.eval("document.querySelector('#player-white .clock').hidden"), false);
        assert_eq!(page.eval("document.querySelector('#unsaved').checkVisibility()"), true);
        page.check();
    }
}

/// A page beyond `--sessions` shows the reason, and gets a board as soon as a session is free.
pub fn page_beyond_the_limit_shows_the_reason() {
    let serving = Serving::start(&["--sessions", "1"]);
    let page = Page::open(&serving.url);
    let other = page.beside_at(&serving.url);
    let says = "the only session is taken; --sessions allows more";
    other.wait_text("#absent", says);
    other.wait_text("#connection", says);
    assert_eq!(other.eval("document.querySelector('#absent').checkVisibility()"), true);
    assert_eq!(other.eval("document.querySelector('aside').checkVisibility()"), false);
    let has_buttons = "['open-new', 'open-files'].map((id) => !document.getElementById(id).disabled)";
    assert_eq!(other.eval(has_buttons), json!([false, false]));
    page.close();
    other.wait("document.querySelectorAll('[role=gridcell]').length > 0");
    assert_eq!(other.eval("document.querySelector('#absent').checkVisibility()"), false);
    assert_eq!(other.eval(has_buttons), json!([true, true]));
    assert_eq!(other.text("#connection"), "");
    other.check();
}

/// Servers may use the same port one after the other; tests must not find the games of others.
pub fn games_of_another_server_are_not_found() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.link(&serving.url, &start(3, None));
    page.begin("a1 c3");
    page.reload();
    page.wait_moves(2);
    drop(page);
    let port = serving.port;
    drop(serving);
    let serving = Serving::start_at(port, &[]);
    let page = Page::open(&serving.url);
    assert_eq!(page.moves(), [""; 0]);
    page.check();
}
