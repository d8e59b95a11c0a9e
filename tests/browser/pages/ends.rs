//! Ends of games, clocks and pauses.

use std::thread;
use std::time::Duration;

use super::browsing::Page;

impl Page {
    /// Waits until no end is shown.
    fn wait_undecided(&self) {
        self.wait("document.querySelector('#result').textContent === ''");
    }

    /// Reloads the page with another stored time on a clock. The page stores nothing until it is reloaded.
    pub fn reload_with_time(&self, color: &str, milliseconds: u32) {
        self.eval(&format!(
            "(() => {{ const kept = JSON.parse(sessionStorage.getItem('tak-engine')); kept.clock.{color} = {milliseconds}; \
             sessionStorage.setItem('tak-engine', JSON.stringify(kept)); Storage.prototype.setItem = () => {{}}; }})()",
        ));
        self.reload();
    }

    /// Presses a button with the keyboard.
    fn press_key_on(&self, id: &str) {
        self.eval(&format!("document.getElementById('{id}').focus()"));
        self.keys("Enter");
    }

    /// Hides the page behind another one, or shows it again.
    fn hide(&self, is_hidden: bool) {
        self.eval(&format!(
            "(() => {{ Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }}); \
             document.dispatchEvent(new Event('visibilitychange')); }})()",
        ));
    }
}

/// Resigning after Undo resigns the game on the board; another Undo restores the undone moves.
pub fn resigned_game_excludes_undone_moves(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two");
    page.begin("a1 b2");
    page.go("#undo", 1);
    page.click("#resign");
    page.wait_text("#resign", "Really resign as Black?");
    page.click("#resign");
    page.wait_text("#result", "Black resigns (1-0)");
    assert_eq!(page.wait_moves(1), "a1");
    page.click("#undo");
    assert_eq!(page.wait_moves(2), "a1 b2");
    page.wait_at(1);
    assert_eq!(page.text("#result"), "");
    page.click("#redo");
    page.wait_text("#result", "Black resigns (1-0)");
    assert_eq!(page.wait_moves(1), "a1");
    // The same if no move is left.
    page.click("#undo");
    page.wait_moves(2);
    page.go("#undo", 0);
    page.resign();
    page.wait_text("#result", "White resigns (0-1)");
    page.wait_moves(0);
    page.click("#undo");
    assert_eq!(page.wait_moves(2), "a1 b2");
    page.wait_at(0);
    page.check();
}

/// Undo reverts an accidental resignation first.
pub fn undo_takes_a_resignation_back_and_no_move(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two");
    page.begin("a1 e5 c3");
    page.resign();
    page.wait_text("#result", "Black resigns (1-0)");
    page.click("#undo");
    page.wait_undecided();
    page.wait_at(3);
    page.click("#redo");
    page.wait_text("#result", "Black resigns (1-0)");
    page.click("#undo");
    page.wait_undecided();
    page.click_squares("c4");
    assert_eq!(page.wait_moves(4), "a1 e5 c3 c4");
    // After that it undoes moves.
    page.go("#undo", 3);
    page.go("#undo", 2);
    // The engine continues to play, whether it was to move or not.
    page.new_game("size 4, mode engine, color white, level 1");
    page.click_squares("a1");
    page.wait_moves(2);
    page.resign();
    page.wait_text("#result", "White resigns (0-1)");
    page.click("#undo");
    page.wait_undecided();
    page.wait_at(2);
    let free = page.eval("[...document.querySelectorAll('[role=gridcell]')].find((cell) => cell.ariaLabel.includes(': empty')).dataset.square");
    page.click_squares(free.as_str().unwrap());
    page.wait_moves(4);
    page.check();
}

pub fn game_lost_on_time_excludes_undone_moves(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, time clock, increment 0");
    page.begin("a1 b2");
    page.go("#undo", 1);
    page.reload_with_time("black", 300);
    page.wait_text("#result", "Black has run out of time (1-0)");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

/// Making a move and undoing it gains no time, and Undo never loses a game.
pub fn undo_reverts_the_increment(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, time clock, minutes 2, increment 30");
    let is = |order: &str| {
        page.wait(&format!("document.querySelector('#player-white .clock').textContent {order}"));
    };
    page.begin("a1");
    is("=== '2:30'");
    page.go("#undo", 0);
    is("<= '2:00'");
    page.go("#redo", 1);
    is("> '2:15'");
    page.click_squares("e5");
    page.wait_moves(2);
    page.reload_with_time("white", 25000);
    page.go("#undo", 1);
    page.click("#undo");
    page.wait_text("#notice", "White has already used the increment of that move");
    page.wait_at(1);
    assert_eq!(page.text("#result"), "");
    page.check();
}

/// A hidden page does not use a core for the engine's game with itself.
pub fn hidden_page_pauses_engine_self_play(url: &str) {
    let page = Page::open(url);
    page.set("pace", "0");
    page.new_game("size 8, mode self, level 0, time free, seconds 0.1");
    page.wait("document.querySelectorAll('#moves button').length > 1");
    page.hide(true);
    // One move may be pending.
    thread::sleep(Duration::from_millis(300));
    let count = page.moves().len();
    thread::sleep(Duration::from_millis(700));
    assert_eq!(page.moves().len(), count);
    page.hide(false);
    page.wait(&format!("document.querySelectorAll('#moves button').length > {count}"));
    page.check();
}

pub fn keys_lead_on_from_a_button_that_goes(url: &str) {
    let page = Page::open(url);
    let is_on_board = "document.activeElement.id === 'grid'";
    page.new_game("size 5, mode two");
    page.begin("a1");
    page.press_key_on("undo");
    page.wait_at(0);
    page.wait(is_on_board);
    page.press_key_on("resign");
    page.wait_text("#resign", "Really");
    page.keys("Enter");
    page.wait_text("#result", "White resigns");
    page.wait(is_on_board);
    page.press_key_on("again");
    page.wait("document.querySelector('#again').hidden");
    page.wait(is_on_board);
    page.check();
}

/// The stored game may be corrupt, or of another program.
pub fn invalid_stored_game_leaves_a_board(url: &str) {
    let page = Page::open(url);
    for part in ["start", "timing", "names", "cuts", "uncut", "former", "seed"] {
        page.eval(&format!(
            "for (const storage of [sessionStorage, localStorage]) {{ \
             storage.setItem('tak-engine', JSON.stringify({{ moves: ['a1'], at: 1, {part}: null }})); }}",
        ));
        page.reload();
        assert_eq!(page.moves(), Vec::<String>::new(), "{part}");
    }
    page.eval("sessionStorage.setItem('tak-engine', JSON.stringify({ moves: ['a1'], at: 1, mode: 'two' }))");
    page.reload();
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}
