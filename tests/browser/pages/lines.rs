//! Variations, and the ways to walk through a game.

use serde_json::json;

use super::browsing::{Page, start};
use super::serving::Serving;

const SIX: &str = "a1 e5 c3 c4 d3 d4";

impl Page {
    /// Waits until the move on the board is this one, in a variation or not.
    fn wait_current(&self, text: &str) {
        self.wait(&format!("(document.querySelector('#moves [aria-current]')?.textContent ?? '') === '{text}'"));
    }

    /// The variations, one row each.
    fn variations(&self) -> Vec<String> {
        let rows = self.eval(
            "[...document.querySelectorAll('#moves .variation')].map((row) => row.textContent.trim().replace(/ +/g, ' '))",
        );
        serde_json::from_value(rows).unwrap()
    }

    fn click_move(&self, text: &str) {
        self.eval(&format!(
            "[...document.querySelectorAll('#moves button')].find((button) => button.textContent === '{text}').click()"
        ));
        self.wait_current(text);
    }
}

/// A move from an earlier position loses nothing.
pub fn variations_are_kept_promoted_and_deleted(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.click_squares(SIX);
    assert_eq!(page.wait_moves(6), SIX);
    page.click_move("e5");
    page.click_squares("b2");
    page.wait_current("b2");
    page.click_squares("b3");
    page.wait_current("b3");
    assert_eq!((page.wait_moves(6).as_str(), page.variations()), (SIX, vec!["2. b2 b3".to_owned()]));
    // A variation of the variation, and one for Black.
    page.click("#previous");
    page.wait_current("b2");
    page.click_squares("b4");
    page.wait_current("b4");
    page.click_move("d3");
    page.click_squares("d5");
    page.wait_current("d5");
    let all = ["2. b2 b3", "2... b4", "3... d5"];
    assert_eq!(page.variations(), all);
    // The same move again is no other variation.
    page.click("#previous");
    page.wait_current("d3");
    page.click_squares("d5");
    page.wait_current("d5");
    assert_eq!(page.variations(), all);
    page.reload();
    page.wait_current("d5");
    assert_eq!((page.wait_moves(6).as_str(), page.variations()), (SIX, all.map(str::to_owned).to_vec()));
    // The board shows any of them.
    page.click_move("b4");
    assert!(page.square("b4").starts_with("b4: black flat"), "{}", page.square("b4"));
    assert!(page.square("d3").starts_with("d3: empty"), "{}", page.square("d3"));
    page.click("#promote");
    page.wait("document.querySelector('#variation').hidden");
    assert_eq!(page.wait_moves(4), "a1 e5 b2 b4");
    assert_eq!(page.variations(), ["2. c3 c4 3. d3 d4", "3... d5", "2... b3"]);
    page.click_move("d4");
    page.click("#delete");
    page.wait_current("e5");
    assert_eq!(page.variations(), ["2... b3"]);
    page.reload();
    page.wait_current("e5");
    assert_eq!((page.wait_moves(4).as_str(), page.variations()), ("a1 e5 b2 b4", vec!["2... b3".to_owned()]));
    // A link holds them.
    let other = beside_by_link(&page);
    assert_eq!((other.wait_moves(4).as_str(), other.variations()), ("a1 e5 b2 b4", vec!["2... b3".to_owned()]));
    other.check();
    page.check();
}

/// Another tab with the game of this one, by the link that the page copies.
pub fn beside_by_link(page: &Page) -> Page {
    page.eval("navigator.clipboard.writeText = async (text) => { window.link = text; }");
    page.open_files();
    page.click("#copy-link");
    page.wait_text("#copied", "Link is copied.");
    page.beside(page.eval("window.link").as_str().unwrap())
}

/// In a game, the moves that another one replaces are a variation, which can be viewed afterwards.
pub fn replaced_moves_of_a_game_are_kept(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, white Ada");
    page.begin("a1 e5 c3");
    page.click("#undo");
    page.wait_current("e5");
    page.click_squares("d3");
    page.wait_current("d3");
    assert_eq!((page.wait_moves(3).as_str(), page.variations()), ("a1 e5 d3", vec!["2. c3".to_owned()]));
    page.click("#moves .variation button");
    page.wait_text("#notice", "Variations can be viewed after the game.");
    page.resign();
    page.wait_text("#result", "Black resigns (1-0)");
    page.click("#moves .variation button");
    page.wait_current("c3");
    assert!(page.square("c3").starts_with("c3: white flat"), "{}", page.square("c3"));
    page.click_move("d3");
    page.wait_text("#result", "Black resigns (1-0)");
    // Names and result are in the link.
    let other = beside_by_link(&page);
    other.wait_text("#result", "Black resigns (1-0)");
    other.wait_text("#player-white", "White, Ada");
    assert_eq!((other.wait_moves(3).as_str(), other.variations()), ("a1 e5 d3", vec!["2. c3".to_owned()]));
    other.check();
    page.check();
}

/// Keys, the wheel and swipes.
pub fn steps_have_keys_wheel_and_swipe(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.click_squares(SIX);
    page.wait_moves(6);
    // Inside the board the arrows move the cursor.
    page.eval("document.querySelector('#grid').focus()");
    page.keys("[");
    page.wait_at(5);
    page.keys("Left ]");
    page.wait_at(6);
    page.eval("document.activeElement.blur()");
    for (key, at) in [("Left", 5), ("Home", 0), ("Right", 1), ("End", 6)] {
        page.keys(key);
        page.wait_at(at);
    }
    page.eval("document.querySelector('#moves').focus()");
    page.keys("Up");
    page.wait_at(5);
    page.keys("Down");
    page.wait_at(6);
    // In a list of choices they choose.
    page.eval("document.querySelector('#lines').focus()");
    page.keys("Home");
    page.wait("document.querySelector('#lines').value === '1'");
    page.wait_at(6);
    page.wheel("#square-c3", -100);
    page.wait_at(5);
    page.wheel("#square-c3", 100);
    page.wait_at(6);
    page.use_touch();
    page.swipe("#square-c5", 120);
    page.wait_at(5);
    page.swipe("#square-c5", -120);
    page.wait_at(6);
    // Nothing was played or lifted.
    assert_eq!(page.eval("document.querySelector('.square.lifted')"), json!(null));
    assert_eq!(page.moves().join(" "), SIX);
    page.check();
}

/// A step in a long game asks as little and draws as little as in a short one.
pub fn steps_cost_the_same_in_long_games() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.before_each_load(
        "window.asked = []; const { send } = WebSocket.prototype; \
         WebSocket.prototype.send = function (text) { window.asked.push(text.length); return send.call(this, text); };",
    );
    page.visit(&serving.url);
    page.wait("document.querySelectorAll('[role=gridcell]').length > 0");
    let filler = "h8- a1+ h7+ a2- ".repeat(300);
    page.paste(&format!("[Size \"8\"]\n\na1 h8 {filler} c3 d4 e5"));
    page.wait_moves(1205);
    page.eval(
        "window.drawn = 0; new MutationObserver((changes) => { window.drawn += new Set(changes.map(({ target }) => \
         target.closest('g'))).size; }).observe(document.querySelector('#drawing > g'), { childList: true, subtree: true })",
    );
    // The list shows the move, at the end and anywhere else, but for a part of a pixel.
    let is_shown = "(() => { const [move, list] = ['#moves [aria-current]', '#moves'] \
         .map((each) => document.querySelector(each).getBoundingClientRect()); \
         return move.height > 0 && move.top > list.top - 1 && move.bottom < list.bottom + 1; })()";
    page.wait(is_shown);
    page.go("#first", 0);
    page.eval("for (let step = 0; step < 600; step += 1) document.querySelector('#next').click()");
    page.wait_at(600);
    page.wait(is_shown);
    // Even in the middle of many spreads a question has only some of them.
    page.eval("window.asked = []");
    page.eval("document.querySelector('#moves [data-at=\"900\"]').click()");
    page.wait_at(900);
    let asked: Vec<u64> = serde_json::from_value(page.eval("window.asked")).unwrap();
    assert!(!asked.is_empty() && asked.iter().all(|&length| length < 1500), "{asked:?}");
    page.go("#latest", 1205);
    page.eval("window.asked = []");
    page.go("#previous", 1204);
    // The position before is asked for in advance, with one placement.
    page.wait("window.asked.length > 0");
    let asked: Vec<u64> = serde_json::from_value(page.eval("window.asked")).unwrap();
    assert!(asked.len() <= 3 && asked.iter().all(|&length| length < 400), "{asked:?}");
    // Positions that were seen need no program.
    page.eval("void (WebSocket.prototype.send = () => {}, window.drawn = 0)");
    page.go("#next", 1205);
    page.go("#previous", 1204);
    // Both steps draw two pieces and marks of the last move.
    let drawn = page.eval("window.drawn");
    assert!((2..=8).contains(&drawn.as_u64().unwrap()), "{drawn}");
    page.check();
    drop(serving);
}
