//! Ends of games, clocks and rests.

use std::thread;
use std::time::Duration;

use super::browsing::Page;
use super::serving::Serving;

impl Page {
    /// Waits until nothing is said of an end.
    fn wait_undecided(&self) {
        self.wait("document.querySelector('#result').textContent === ''");
    }

    /// Loads the page with another time on a clock than the one that was kept. Nothing is kept after that until it is
    /// loaded.
    pub fn reload_with_time(&self, color: &str, milliseconds: u32) {
        self.eval(&format!(
            "(() => {{ const kept = JSON.parse(sessionStorage.getItem('tak-engine')); kept.clock.{color} = {milliseconds}; \
             sessionStorage.setItem('tak-engine', JSON.stringify(kept)); Storage.prototype.setItem = () => {{}}; }})()",
        ));
        self.reload();
    }

    /// Presses a button by the keyboard.
    fn press_key_on(&self, id: &str) {
        self.eval(&format!("document.getElementById('{id}').focus()"));
        self.keys("Enter");
    }

    /// As if the page were behind another one, or were seen again.
    fn hide(&self, is_hidden: bool) {
        self.eval(&format!(
            "(() => {{ Object.defineProperty(document, 'hidden', {{ value: {is_hidden}, configurable: true }}); \
             document.dispatchEvent(new Event('visibilitychange')); }})()",
        ));
    }
}

/// Who resigns after Undo resigns the game that is on the board; another Undo brings back what was undone.
pub fn resigned_game_excludes_undone_moves() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    page.new_game(&[("new-size", "5"), ("new-mode", "two")]);
    page.click_squares("a1 b2");
    page.wait_moves(2);
    page.click("#undo");
    page.wait_at(1);
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
    // The same where no move is left.
    page.click("#undo");
    page.wait_moves(2);
    page.click("#undo");
    page.wait_at(0);
    page.resign();
    page.wait_text("#result", "White resigns (0-1)");
    page.wait_moves(0);
    page.click("#undo");
    assert_eq!(page.wait_moves(2), "a1 b2");
    page.wait_at(0);
    page.check();
}

/// Whoever resigns by mistake takes just that back.
pub fn undo_takes_a_resignation_back_and_no_move() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    page.new_game(&[("new-size", "5"), ("new-mode", "two")]);
    page.click_squares("a1 e5 c3");
    page.wait_moves(3);
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
    // From then on it takes moves back.
    page.click("#undo");
    page.wait_at(3);
    page.click("#undo");
    page.wait_at(2);
    // The engine, which was to move or not, goes on playing.
    page.new_game(&[("new-size", "4"), ("new-mode", "engine"), ("new-color", "white"), ("new-level", "1")]);
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

pub fn game_lost_on_time_excludes_undone_moves() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    page.new_game(&[("new-size", "5"), ("new-mode", "two"), ("new-time", "clock"), ("new-increment", "0")]);
    page.click_squares("a1 b2");
    page.wait_moves(2);
    page.click("#undo");
    page.wait_at(1);
    page.reload_with_time("black", 300);
    page.wait_text("#result", "Black has run out of time (1-0)");
    assert_eq!(page.wait_moves(1), "a1");
    page.check();
}

/// Nobody gets time by making a move and undoing it, and nobody loses by Undo.
pub fn undo_reverts_the_increment() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    page.new_game(&[
        ("new-size", "5"),
        ("new-mode", "two"),
        ("new-time", "clock"),
        ("new-minutes", "2"),
        ("new-increment", "30"),
    ]);
    let is = |order: &str| {
        page.wait(&format!("document.querySelector('#player-white .clock').textContent {order}"));
    };
    page.click_squares("a1");
    page.wait_moves(1);
    is("=== '2:30'");
    page.click("#undo");
    page.wait_at(0);
    is("<= '2:00'");
    page.click("#redo");
    page.wait_at(1);
    is("> '2:15'");
    page.click_squares("e5");
    page.wait_moves(2);
    page.reload_with_time("white", 25000);
    page.click("#undo");
    page.wait_at(1);
    page.click("#undo");
    page.wait_text("#notice", "White has already used the increment of that move");
    page.wait_at(1);
    assert_eq!(page.text("#result"), "");
    page.check();
}

/// No core is busy for a game that nobody plays and nobody sees.
pub fn hidden_page_pauses_engine_self_play() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    page.new_game(&[
        ("new-size", "8"),
        ("new-mode", "self"),
        ("new-level", "0"),
        ("new-time", "free"),
        ("new-seconds", "0.1"),
    ]);
    page.wait("document.querySelectorAll('#moves button').length > 1");
    page.hide(true);
    // One move may be on its way.
    thread::sleep(Duration::from_millis(300));
    let count = page.moves().len();
    thread::sleep(Duration::from_millis(700));
    assert_eq!(page.moves().len(), count);
    page.hide(false);
    page.wait(&format!("document.querySelectorAll('#moves button').length > {count}"));
    page.check();
}

pub fn keys_lead_on_from_a_button_that_goes() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
    let is_on_board = "document.activeElement.id === 'grid'";
    page.new_game(&[("new-size", "5"), ("new-mode", "two")]);
    page.click_squares("a1");
    page.wait_moves(1);
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

/// What was kept may have been damaged, or be of another program.
pub fn invalid_stored_game_leaves_a_board() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving);
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
