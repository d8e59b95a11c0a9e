//! A real browser that looks at the page, points and types.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use headless_chrome::browser::tab::ModifierKey;
use headless_chrome::browser::tab::point::Point;
use headless_chrome::protocol::cdp::types::Event;
use headless_chrome::protocol::cdp::{Emulation, Input};
use headless_chrome::{Browser, LaunchOptions, Tab};
use serde_json::Value;

use crate::common::GUARD;
use crate::serving::Serving;

/// The browser of this machine, if there is one.
fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|program| program.is_file())
}

/// A page of a server, in a browser of its own.
pub struct Page {
    pub tab: Arc<Tab>,
    /// What went wrong in it.
    faults: Arc<Mutex<Vec<String>>>,
    // Ends with this.
    _browser: Browser,
}

impl Page {
    /// Opens the page of a server; `None`, and a line that says so, where there is no browser. In CI there must be one.
    pub fn open(serving: &Serving) -> Option<Self> {
        let Some(program) = chromium() else {
            assert!(
                std::env::var_os("CI").is_none(),
                "there is no chromium to test the page with"
            );
            eprintln!("left out: there is no chromium to test the page with");
            return None;
        };
        let options = LaunchOptions::default_builder()
            .path(Some(program))
            // The page is our own, and root has no sandbox.
            .sandbox(false)
            .window_size(Some((1200, 900)))
            .args(vec![OsStr::new("--disable-dev-shm-usage")])
            .idle_browser_timeout(Duration::from_secs(600))
            .build()
            .unwrap();
        let browser = Browser::new(options).unwrap();
        let tab = browser.new_tab().unwrap();
        tab.set_default_timeout(GUARD);
        let faults = Arc::<Mutex<Vec<String>>>::default();
        let seen = Arc::clone(&faults);
        tab.enable_log().unwrap().enable_runtime().unwrap();
        let listener = move |event: &Event| match event {
            Event::LogEntryAdded(entry) => seen
                .lock()
                .unwrap()
                .push(format!("{:?}", entry.params.entry)),
            Event::RuntimeExceptionThrown(thrown) => {
                seen.lock()
                    .unwrap()
                    .push(format!("{:?}", thrown.params.exception_details));
            }
            Event::RuntimeConsoleAPICalled(called) => seen
                .lock()
                .unwrap()
                .push(format!("{:?}", called.params.args)),
            _ => {}
        };
        tab.add_event_listener(Arc::new(listener)).unwrap();
        let page = Self {
            tab,
            faults,
            _browser: browser,
        };
        page.go(&serving.url);
        Some(page)
    }

    /// Opens an address and waits until there is a board.
    pub fn go(&self, url: &str) {
        self.tab.navigate_to(url).unwrap();
        self.wait("document.querySelectorAll('[role=gridcell]').length > 0");
    }

    /// Begins with this game, from a position if there is one, as a link does. Both sides can be played.
    pub fn link(&self, serving: &Serving, start: &Value) {
        let text = serde_json::json!({"start": start, "moves": []}).to_string();
        self.run(&format!(
            "location.href = {:?} + '#' + btoa({text:?})",
            serving.url
        ));
        let cells = start["size"].as_u64().unwrap().pow(2);
        self.wait(&format!("document.querySelectorAll('[role=gridcell]').length === {cells} && location.hash === ''"));
    }

    /// What an expression gives.
    pub fn eval(&self, expression: &str) -> Value {
        let object = self
            .tab
            .evaluate(&format!("JSON.stringify({expression})"), false)
            .unwrap();
        let text = object
            .value
            .and_then(|value| value.as_str().map(str::to_owned));
        text.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap())
    }

    fn run(&self, script: &str) {
        let _ = self.tab.evaluate(script, false);
    }

    pub fn text(&self, selector: &str) -> String {
        let text = self.eval(&format!(
            "document.querySelector({selector:?})?.textContent ?? ''"
        ));
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until an expression is true.
    pub fn wait(&self, expression: &str) {
        let begun = Instant::now();
        loop {
            let value = self.tab.evaluate(&format!("Boolean({expression})"), false);
            if value.is_ok_and(|object| object.value == Some(Value::Bool(true))) {
                return;
            }
            if begun.elapsed() > GUARD {
                let state = ["#notice", "#result", "#connection", "#moves"]
                    .map(|selector| self.text(selector));
                panic!(
                    "never: {expression}; the page shows {state:?}, faults {:?}",
                    self.faults.lock().unwrap()
                );
            }
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until a part of the page has this text.
    pub fn wait_text(&self, selector: &str, text: &str) {
        self.wait(&format!(
            "document.querySelector({selector:?})?.textContent.includes({text:?})"
        ));
    }

    /// Presses keys one after the other, in the time they take.
    pub fn keys(&self, keys: &str) {
        for key in keys.split(' ') {
            let key = match key {
                "Left" | "Right" | "Up" | "Down" => &format!("Arrow{key}"),
                _ => key,
            };
            self.tab.press_key(key).unwrap();
        }
    }

    pub fn key_with(&self, key: &str, modifier: ModifierKey) {
        self.tab
            .press_key_with_modifiers(key, Some(&[modifier]))
            .unwrap();
    }

    /// The middle of the first element that a selector finds, scrolled into sight.
    fn middle(&self, selector: &str) -> Point {
        let place = self.eval(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); element.scrollIntoView({{block: 'nearest'}}); \
             const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ));
        Point {
            x: place[0]
                .as_f64()
                .unwrap_or_else(|| panic!("there is no {selector}")),
            y: place[1].as_f64().unwrap(),
        }
    }

    pub fn click(&self, selector: &str) {
        self.tab.click_point(self.middle(selector)).unwrap();
    }

    /// Clicks squares one after the other.
    pub fn click_squares(&self, squares: &str) {
        for square in squares.split(' ') {
            self.click(&format!("#square-{square}"));
        }
    }

    pub fn right_click(&self, selector: &str) {
        let point = self.middle(selector);
        for kind in [
            Input::DispatchMouseEventTypeOption::MousePressed,
            Input::DispatchMouseEventTypeOption::MouseReleased,
        ] {
            let event = Input::DispatchMouseEvent {
                Type: kind,
                x: point.x,
                y: point.y,
                button: Some(Input::MouseButton::Right),
                click_count: Some(1),
                modifiers: None,
                timestamp: None,
                buttons: None,
                force: None,
                tangential_pressure: None,
                tilt_x: None,
                tilt_y: None,
                twist: None,
                delta_x: None,
                delta_y: None,
                pointer_Type: None,
            };
            self.tab.call_method(event).unwrap();
        }
    }

    /// From now on there is a finger in the place of the mouse.
    pub fn use_touch(&self) {
        let enabled = true;
        let max_touch_points = Some(1);
        self.tab
            .call_method(Emulation::SetTouchEmulationEnabled {
                enabled,
                max_touch_points,
            })
            .unwrap();
    }

    pub fn tap_squares(&self, squares: &str) {
        for square in squares.split(' ') {
            let point = self.middle(&format!("#square-{square}"));
            let finger = Input::TouchPoint {
                x: point.x,
                y: point.y,
                radius_x: None,
                radius_y: None,
                rotation_angle: None,
                force: None,
                tangential_pressure: None,
                tilt_x: None,
                tilt_y: None,
                twist: None,
                id: None,
            };
            for (kind, touch_points) in [
                (
                    Input::DispatchTouchEventTypeOption::TouchStart,
                    vec![finger],
                ),
                (Input::DispatchTouchEventTypeOption::TouchEnd, vec![]),
            ] {
                let event = Input::DispatchTouchEvent {
                    Type: kind,
                    touch_points,
                    modifiers: None,
                    timestamp: None,
                };
                self.tab.call_method(event).unwrap();
            }
        }
    }

    /// The moves of the game.
    pub fn moves(&self) -> Vec<String> {
        let moves = self.eval(
            "[...document.querySelectorAll('#moves button')].map((button) => button.textContent)",
        );
        serde_json::from_value(moves).unwrap()
    }

    /// Waits until so many moves are there, and tells them.
    pub fn wait_moves(&self, count: usize) -> String {
        self.wait(&format!(
            "document.querySelectorAll('#moves button').length === {count}"
        ));
        self.moves().join(" ")
    }

    /// What a square is said to hold.
    pub fn square(&self, name: &str) -> String {
        let label = self.eval(&format!(
            "document.querySelector('#square-{name}').getAttribute('aria-label')"
        ));
        label.as_str().unwrap_or_default().to_owned()
    }

    pub fn reload(&self) {
        self.tab.reload(false, None).unwrap();
        self.wait("document.querySelectorAll('[role=gridcell]').length > 0");
    }

    /// Forgets faults that were meant to be, such as those of a lost connection.
    pub fn forget_faults(&self) {
        self.faults.lock().unwrap().clear();
    }

    /// Nothing went wrong in the page.
    pub fn check(&self) {
        assert_eq!(*self.faults.lock().unwrap(), Vec::<String>::new());
    }
}
