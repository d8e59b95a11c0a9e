//! A page in a real browser, used with mouse and keyboard.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::browser::Browser;
use crate::common::GUARD;

/// Modifier keys.
#[derive(Debug, Clone, Copy)]
pub enum Held {
    Nothing = 0,
    Control = 2,
    Shift = 8,
}

thread_local! {
    static IS_PHONE: Cell<bool> = const { Cell::new(false) };
}

/// Opens the pages of this thread's test on the screen of a phone.
pub fn use_a_phone() {
    IS_PHONE.set(true);
}

/// The start of a game of this size, from a position if there is one, in the form of a link.
pub fn start(size: u64, tps: Option<&str>) -> Value {
    let mut start = json!({"size": size, "half_komi": 0, "opening": "swap"});
    if let Some(tps) = tps {
        start["tps"] = json!(tps);
    }
    start
}

/// A page in a separate tab.
pub struct Page {
    browser: Rc<RefCell<Browser>>,
    /// The name of the tab's session.
    tab: String,
}

impl Page {
    /// Opens the page at an address.
    pub fn open(url: &str) -> Self {
        let browser = Rc::new(RefCell::new(Browser::open(url)));
        Self::in_browser(browser, url).with_board()
    }

    /// Opens the page in another tab of the same browser.
    pub fn beside(&self, url: &str) -> Self {
        self.beside_at(url).with_board()
    }

    /// Opens any address in another tab of the same browser.
    pub fn beside_at(&self, url: &str) -> Self {
        Self::in_browser(Rc::clone(&self.browser), url)
    }

    fn in_browser(browser: Rc<RefCell<Browser>>, url: &str) -> Self {
        let tab = browser.borrow_mut().tab(url);
        let page = Self { browser, tab };
        // They also report earlier events.
        for domain in ["Page", "Runtime", "Log"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        if IS_PHONE.get() {
            page.resize(390, 844);
        }
        page
    }

    /// Closes the tab, as a person would.
    pub fn close(self) {
        self.call("Page.close", &json!({}));
    }

    /// Gives a command of the DevTools protocol to the tab.
    pub fn call(&self, method: &str, params: &Value) -> Value {
        self.browser.borrow_mut().call(Some(&self.tab), method, params)
    }

    /// Waits for a board.
    fn with_board(self) -> Self {
        self.wait("document.querySelectorAll('[role=gridcell]').length > 0");
        self
    }

    /// Opens a page without a board.
    pub fn visit(&self, url: &str) {
        self.call("Page.navigate", &json!({"url": url}));
        self.wait(&format!("location.href === {url:?} && document.readyState === 'complete'"));
    }

    /// Starts this game, from a position if there is one, by a link. Both sides can be played.
    pub fn link(&self, url: &str, start: &Value) {
        let text = serde_json::json!({"start": start, "moves": []}).to_string();
        // The address is read at once, but the game comes with an answer of the program.
        self.eval("void (document.querySelector('#notice').textContent = '')");
        self.eval(&format!("location.href = {url:?} + '#' + btoa({text:?})"));
        self.wait_text("#notice", "Opened, with 0 moves.");
    }

    /// The value of an expression; `null` while the page is loading.
    pub fn eval(&self, expression: &str) -> Value {
        self.evaluate(expression, false)
    }

    /// The value of a promise; `null` if the page is left before.
    pub fn eval_async(&self, expression: &str) -> Value {
        self.evaluate(expression, true)
    }

    fn evaluate(&self, expression: &str, is_promise: bool) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": is_promise});
        let given = self.browser.borrow_mut().try_call(Some(&self.tab), "Runtime.evaluate", &params);
        // There is no context between two pages, and promises of the previous one are lost.
        let is_between = |error: &str| {
            error.to_lowercase().contains("execution context")
                || is_promise && (error.contains("navigated") || error.contains("collected"))
        };
        match given {
            Ok(mut given) => given["result"]["value"].take(),
            Err(error) if is_between(&error) => Value::Null,
            Err(error) => panic!("{expression}: {error}"),
        }
    }

    /// Runs a script before those of each page that is opened from now on.
    pub fn before_each_load(&self, script: &str) {
        self.call("Page.addScriptToEvaluateOnNewDocument", &json!({"source": script}));
    }

    /// Sets the colour scheme to dark or light.
    pub fn dress(&self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", &json!({"features": features}));
    }

    /// Sets the size of the window.
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", &size);
    }

    pub fn text(&self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({selector:?})?.textContent ?? ''"));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true. The page checks it every 10 ms, which is cheaper than asking it as often.
    pub fn wait(&self, expression: &str) {
        let look = format!(
            "new Promise((tell) => {{ const begun = performance.now(); const look = () => {{ let is = false; \
             try {{ is = Boolean({expression}); }} catch {{ }} \
             if (is || performance.now() - begun > 500) tell(is); else setTimeout(look, 10); }}; look(); }})"
        );
        let begun = Instant::now();
        loop {
            if self.eval_async(&look) == Value::Bool(true) {
                return;
            }
            if begun.elapsed() > GUARD {
                let state = ["#notice", "#result", "#connection", "#moves", "#files-problem"]
                    .map(|selector| self.text(selector));
                panic!("never: {expression}; the page shows {state:?}, faults {:?}", self.faults());
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a part of the page has this text.
    pub fn wait_text(&self, selector: &str, text: &str) {
        self.wait(&format!("document.querySelector({selector:?})?.textContent.includes({text:?})"));
    }

    /// Presses keys one after the other.
    pub fn keys(&self, keys: &str) {
        for key in keys.split(' ') {
            self.key_with(key, Held::Nothing);
        }
    }

    pub fn key_with(&self, key: &str, held: Held) {
        let (name, text, code) = match key {
            "Left" => ("ArrowLeft", "", 37),
            "Up" => ("ArrowUp", "", 38),
            "Right" => ("ArrowRight", "", 39),
            "Down" => ("ArrowDown", "", 40),
            "Home" => ("Home", "", 36),
            "End" => ("End", "", 35),
            "Tab" => ("Tab", "", 9),
            "Escape" => ("Escape", "", 27),
            "Enter" => ("Enter", "\r", 13),
            "Space" => (" ", " ", 32),
            letter => (letter, letter, u32::from(letter.as_bytes()[0].to_ascii_uppercase())),
        };
        let mut event = json!({"key": name, "windowsVirtualKeyCode": code, "modifiers": held as u8});
        // With Control held a letter does not type text.
        if !text.is_empty() && !matches!(held, Held::Control) {
            event["text"] = json!(text);
        }
        // Selects everything, as with the keyboard.
        if matches!(held, Held::Control) && key == "a" {
            event["commands"] = json!(["selectAll"]);
        }
        for kind in ["keyDown", "keyUp"] {
            event["type"] = json!(kind);
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// The middle of the first element that matches a selector, scrolled into view.
    fn middle(&self, selector: &str) -> (f64, f64) {
        let place = self.eval(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); element.scrollIntoView({{block: 'nearest'}}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        match (place[0].as_f64(), place[1].as_f64()) {
            (Some(x), Some(y)) => (x, y),
            _ => panic!("{selector} not found"),
        }
    }

    fn press(&self, selector: &str, button: &str) {
        let (x, y) = self.middle(selector);
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let button = if kind == "mouseMoved" { "none" } else { button };
            self.call(
                "Input.dispatchMouseEvent",
                &json!({"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}),
            );
        }
    }

    /// Moves the mouse there.
    pub fn hover(&self, selector: &str) {
        let (x, y) = self.middle(selector);
        self.call("Input.dispatchMouseEvent", &json!({"type": "mouseMoved", "x": x, "y": y}));
    }

    pub fn click(&self, selector: &str) {
        self.press(selector, "left");
    }

    pub fn right_click(&self, selector: &str) {
        self.press(selector, "right");
    }

    /// Turns the wheel over an element.
    pub fn wheel(&self, selector: &str, down: i32) {
        let (x, y) = self.middle(selector);
        let event = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": down});
        self.call("Input.dispatchMouseEvent", &event);
    }

    /// Moves a finger from the middle of an element to the right, or to the left.
    pub fn swipe(&self, selector: &str, right: i32) {
        let (x, y) = self.middle(selector);
        for (kind, steps) in [("touchStart", 0..1), ("touchMove", 1..5), ("touchEnd", 5..6)] {
            for step in steps {
                let point = json!([{"x": x + f64::from(right * step) / 4.0, "y": y}]);
                let points = if kind == "touchEnd" { json!([]) } else { point };
                self.call("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": points}));
            }
        }
    }

    /// Drags from the middle of a square to that of others with the mouse, or a finger. Between them it is never far from
    /// the line.
    pub fn drag(&self, squares: &str, is_touch: bool) {
        let mut at = None;
        let send = |kind: [&str; 2], (x, y): (f64, f64)| {
            if is_touch {
                let points = if kind[1] == "touchEnd" { json!([]) } else { json!([{"x": x, "y": y}]) };
                self.call("Input.dispatchTouchEvent", &json!({"type": kind[1], "touchPoints": points}));
            } else {
                let event = json!({"type": kind[0], "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1});
                self.call("Input.dispatchMouseEvent", &event);
            }
        };
        for square in squares.split(' ') {
            let to = self.middle(&format!("#square-{square}"));
            match at {
                None => send(["mousePressed", "touchStart"], to),
                Some((x, y)) => {
                    for share in [0.25, 0.5, 0.75, 1.0] {
                        send(["mouseMoved", "touchMove"], (x + (to.0 - x) * share, y + (to.1 - y) * share));
                    }
                }
            }
            at = Some(to);
        }
        send(["mouseReleased", "touchEnd"], at.expect("a square"));
    }

    /// Clicks squares one after the other.
    pub fn click_squares(&self, squares: &str) {
        for square in squares.split(' ') {
            self.click(&format!("#square-{square}"));
        }
    }

    /// Replaces the mouse by a finger from now on.
    pub fn use_touch(&self) {
        self.call("Emulation.setTouchEmulationEnabled", &json!({"enabled": true, "maxTouchPoints": 1}));
    }

    pub fn tap_squares(&self, squares: &str) {
        for square in squares.split(' ') {
            let (x, y) = self.middle(&format!("#square-{square}"));
            for (kind, points) in [("touchStart", json!([{"x": x, "y": y}])), ("touchEnd", json!([]))] {
                self.call("Input.dispatchTouchEvent", &json!({"type": kind, "touchPoints": points}));
            }
        }
    }

    /// Sets a field of a dialog by choosing or typing.
    pub fn set(&self, id: &str, value: &str) {
        self.eval(&format!(
            "(() => {{ const field = document.getElementById({id:?}); field.value = {value:?}; \
             for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind)); }})()"
        ));
    }

    /// Opens the dialog for new games with all its choices.
    pub fn open_new(&self) {
        self.click("#open-new");
        self.wait("document.querySelector('#new-game').open");
        self.eval("for (const details of document.querySelectorAll('#new-game details')) details.open = true");
    }

    /// Starts a game in the dialog, with fields such as `size 5, mode two` and the last choices of the others.
    pub fn new_game(&self, fields: &str) {
        self.open_new();
        for (name, value) in fields.split(", ").map(|field| field.split_once(' ').expect("a name and a value")) {
            self.set(&format!("new-{name}"), value);
        }
        self.click("#new-start");
        self.wait("!document.querySelector('#new-game').open");
    }

    pub fn open_files(&self) {
        self.click("#open-files");
        self.wait("document.querySelector('#files').open");
    }

    pub fn close_files(&self) {
        self.keys("Escape");
        self.wait("!document.querySelector('#files').open");
    }

    /// Opens a text in the dialog.
    pub fn paste(&self, text: &str) {
        self.open_files();
        self.eval(&format!("void (document.querySelector('#paste').value = {text:?})"));
        self.click("#paste-open");
    }

    /// Waits until a condition holds that no expression can check.
    pub fn wait_for(&self, what: &str, is_so: impl Fn() -> bool) {
        let begun = Instant::now();
        while !is_so() {
            assert!(begun.elapsed() < GUARD, "never: {what}; the page says {:?}", self.text("#notice"));
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The moves of the main line.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.eval("[...document.querySelectorAll('#moves [data-at]')].map((button) => button.textContent)");
        serde_json::from_value(moves).unwrap()
    }

    /// Waits for this number of moves, and returns them.
    pub fn wait_moves(&self, count: usize) -> String {
        self.wait(&format!("document.querySelectorAll('#moves [data-at]').length === {count}"));
        self.moves().join(" ")
    }

    /// The game as the page writes it.
    pub fn ptn(&self) -> String {
        self.click("#open-files");
        self.wait("document.querySelector('#files').open && document.querySelector('#ptn').value");
        let ptn = self.eval("document.querySelector('#ptn').value");
        self.close_files();
        ptn.as_str().unwrap().to_owned()
    }

    /// Places the first flats of a game by clicks on these squares.
    pub fn begin(&self, squares: &str) {
        self.click_squares(squares);
        let moves = "[...document.querySelectorAll('#moves [data-at]')].map((move) => move.textContent).join(' ')";
        self.wait(&format!("{moves} === '{squares}'"));
    }

    /// Waits until this number of moves is on the board.
    pub fn wait_at(&self, at: usize) {
        self.wait(&format!("(document.querySelector('#moves [aria-current]')?.dataset.at ?? '0') === '{at}'"));
    }

    /// Clicks a button that leads to another place of the game, after this number of moves.
    pub fn go(&self, button: &str, at: usize) {
        self.click(button);
        self.wait_at(at);
    }

    /// The description of a square.
    pub fn square(&self, name: &str) -> String {
        let label = self.eval(&format!("document.querySelector('#square-{name}').getAttribute('aria-label')"));
        label.as_str().unwrap_or_default().to_owned()
    }

    pub fn reload(&self) {
        self.eval("window.isOld = true");
        self.call("Page.reload", &json!({}));
        self.wait("!window.isOld");
        self.wait("document.querySelectorAll('[role=gridcell]').length > 0");
    }

    /// The errors in this tab.
    fn faults(&self) -> Vec<String> {
        let browser = self.browser.borrow();
        let own = browser.faults.iter().filter(|(tab, _)| *tab == self.tab);
        own.map(|(_, fault)| fault.clone()).collect()
    }

    /// Forgets expected errors, such as those of a lost connection.
    pub fn forget_faults(&self) {
        // Pending errors arrive before the answer.
        self.eval("0");
        self.browser.borrow_mut().faults.retain(|(tab, _)| *tab != self.tab);
    }

    /// Checks that the page had no errors.
    pub fn check(&self) {
        self.eval("0");
        assert_eq!(self.faults(), Vec::<String>::new());
    }
}
