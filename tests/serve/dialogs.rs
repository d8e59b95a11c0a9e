//! The dialogs of the page in a real browser. Where there is none, these tests say so and are left out.

use serde_json::json;

use crate::browsing::{Page, start};
use crate::serving::Serving;

#[test]
fn a_number_that_is_missing_is_seen() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.click("#open-new");
    page.wait("document.querySelector('#new-game').open");
    page.eval("void (document.querySelector('#stones-white').value = '')");
    page.click("#new-start");
    page.wait("document.querySelector('#new-game details').open");
    page.wait("document.activeElement.id === 'stones-white'");
    page.check();
}

#[test]
fn after_start_keys_go_to_the_board() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.new_game(&[("new-size", "5"), ("new-mode", "two")]);
    page.wait("document.activeElement.id === 'grid'");
    page.keys("Enter");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

/// A link is given to others; the token is nobody else's. The page takes it back, and moves without a size.
#[test]
fn links_go_out_without_the_token_and_come_back() {
    let serving = Serving::start(&["--token", "SECRET-12345"]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.paste("1. a1 a5 2. c3");
    assert_eq!(page.wait_moves(3), "a1 a5 c3");
    page.eval("navigator.clipboard.writeText = async (text) => { window.copied = text; }");
    page.click("#open-files");
    page.wait("document.querySelector('#files').open");
    page.click("#copy-link");
    page.wait_text("#copied", "Link is copied.");
    let link = page.eval("window.copied");
    let link = link.as_str().unwrap();
    assert!(!link.contains("SECRET") && link.contains('#'), "{link}");
    page.keys("Escape");
    page.wait("!document.querySelector('#files').open");
    page.click_squares("d4");
    page.wait_moves(4);
    page.paste(link);
    assert_eq!(page.wait_moves(3), "a1 a5 c3");
    page.wait("!document.querySelector('#files').open");
    page.check();
}

#[test]
fn a_text_that_is_too_large_is_not_sent() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(5, None));
    page.click_squares("a1");
    page.wait_moves(1);
    page.click("#open-files");
    page.wait("document.querySelector('#files').open");
    page.eval("void (document.querySelector('#paste').value = '[Size \"5\"] {' + 'a'.repeat(600 * 1024) + '} 1. a1')");
    page.click("#paste-open");
    page.wait_text("#files-problem", "too large (at most 512 KiB)");
    assert_eq!(page.text("#connection"), "");
    // A file of that size is not even read.
    page.eval(
        "(() => { const data = new DataTransfer(); data.items.add(new File(['x'.repeat(600 * 1024)], 'a.ptn')); \
         document.querySelector('#files-problem').textContent = ''; \
         dispatchEvent(new DragEvent('drop', { dataTransfer: data })); })()",
    );
    page.wait_text("#files-problem", "too large (at most 512 KiB)");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

#[test]
fn the_list_of_keys_opens_wherever_the_focus_is() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    for id in ["flip", "lines", "moves", "open-new"] {
        page.eval(&format!("document.getElementById('{id}').focus()"));
        page.keys("?");
        page.wait("document.querySelector('#keys').open");
        page.keys("Escape");
        page.wait(&format!(
            "!document.querySelector('#keys').open && document.activeElement.id === '{id}'"
        ));
    }
    page.check();
}

/// A game from the position on the board has its size and pieces, whatever was chosen before.
#[test]
fn a_game_from_here_is_one_of_this_size() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(5, Some("x5/x5/x2,12,x2/x5/x5 2 7")));
    page.click("#open-new");
    page.wait("document.querySelector('#new-game').open");
    page.eval("void (document.querySelector('#new-game details').open = true)");
    page.set("new-size", "7");
    page.set("new-mode", "two");
    page.click("#from-here");
    let shown =
        "['new-size', 'stones-white', 'caps-black'].map((id) => document.getElementById(id).value)";
    assert_eq!(page.eval(shown), json!(["5", "21", "1"]));
    page.click("#new-start");
    page.wait("!document.querySelector('#new-game').open");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 25");
    assert!(
        page.square("c3").starts_with("c3: black flat on white."),
        "{}",
        page.square("c3")
    );
    // The next one is of the same size, too.
    page.click("#open-new");
    page.wait("document.querySelector('#new-game').open");
    assert_eq!(page.eval(shown), json!(["5", "21", "1"]));
    page.check();
}
