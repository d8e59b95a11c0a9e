//! Answers that come late, or not at all.

use serde_json::json;

use super::browsing::{Page, start};
use super::serving::Serving;

/// Keeps back what the page sends, as long as `held` is a list.
const HOLD: &str = "window.held = null;
    window.WebSocket = class extends WebSocket {
        send(text) { window.held ? window.held.push(() => super.send(text)) : super.send(text); }
    };";

impl Page {
    fn hold(&self) {
        self.eval("void (window.held = [])");
    }

    fn release(&self) {
        self.eval("{ const all = window.held; window.held = null; all.forEach((send) => send()); }");
    }

    fn wait_square(&self, name: &str, says: &str) {
        self.wait(&format!("document.querySelector('#square-{name}').ariaLabel.startsWith('{name}: {says}.')"));
    }
}

/// A page of a server from which nothing is heard if it is told so.
fn far_away(serving: &Serving) -> Page {
    let page = Page::open(&serving.url);
    page.before_each_load(HOLD);
    page.reload();
    page
}

pub fn moves_are_drawn_before_the_program_answers() {
    let serving = Serving::start(&[]);
    let page = far_away(&serving);
    page.link(&serving.url, &start(5, Some("x5/x5/x5/1121,x4/x4,2S 1 20")));
    page.hold();
    page.click_squares("a2");
    page.wait("document.querySelector('.square.lifted')");
    page.click_squares("b2 c2 d2");
    page.wait_square("d2", "black flat");
    assert!(page.square("a2").starts_with("a2: empty."));
    page.click_squares("e2");
    page.wait_square("e2", "white flat");
    assert_eq!(page.moves().len(), 0);
    // One question for all of it, and a line that says that there is no answer yet.
    assert_eq!(page.eval("window.held.length"), 1);
    assert_eq!(page.eval("document.body.classList.contains('busy')"), true);
    page.release();
    assert_eq!(page.wait_moves(1), "4a2>1111");
    page.wait("!document.body.classList.contains('busy')");
    // A move that does not arrive is put back.
    page.hold();
    page.click_squares("c4");
    page.wait_square("c4", "black flat");
    let port = serving.port;
    drop(serving);
    page.wait_text("#notice", "Not done");
    page.wait_square("c4", "empty");
    assert_eq!(page.moves(), ["4a2>1111"]);
    let serving = Serving::start_at(port, &[]);
    page.eval("void (window.held = null)");
    page.wait("document.querySelector('#connection').textContent === ''");
    page.forget_faults();
    page.click_squares("c4");
    assert_eq!(page.wait_moves(2), "4a2>1111 c4");
    page.check();
    drop(serving);
}

pub fn a_puzzle_survives_a_lost_connection() {
    let serving = Serving::start(&[]);
    let page = far_away(&serving);
    page.open_puzzle(super::tasks::TINUE);
    let goal = page.text("#task-goal");
    // Whether this wins is a question to the engine.
    page.hold();
    page.click_squares("e1");
    page.wait_square("e1", "white flat");
    let port = serving.port;
    drop(serving);
    page.wait_text("#connection", "Not connected");
    page.wait_square("e1", "empty");
    // It is not held against the solver.
    assert_eq!(page.results(), json!(null));
    page.eval("void (window.held = null)");
    let serving = Serving::start_at(port, &[]);
    page.wait("document.querySelector('#connection').textContent === ''");
    page.forget_faults();
    assert_eq!(page.text("#task-goal"), goal);
    page.place("capstone", "d5");
    page.wait_verdict("Cd5 is right. The answer is d1: go on.");
    page.click_squares("e1");
    page.wait_verdict("Solved!");
    page.check();
    drop(serving);
}
