//! A real browser, driven by its DevTools protocol: JSON over a WebSocket. Only a few commands are needed; the crates
//! with the whole protocol (headless_chrome, chromiumoxide) bring some seventy others and more code than this program
//! has.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

use super::chromium::chromium;
use crate::common::GUARD;

/// A headless browser. Starting it takes longer than most tests, so they all share one.
struct Process {
    /// The address for commands.
    address: String,
    room: OnceLock<Room>,
    /// The shell that started it. Its input stays open while the tests run.
    shell: Child,
}

/// The context of all pages. They share one process, in which opening a page takes half as long as in separate
/// contexts. The storage of pages is separated by the port of their server.
struct Room {
    /// The name of the context.
    context: String,
    /// The name of an empty tab, which stays.
    empty: String,
}

impl Process {
    fn shared() -> &'static Self {
        static RUNNING: OnceLock<Process> = OnceLock::new();
        RUNNING.get_or_init(|| Self::start(&chromium()))
    }

    fn start(program: &Path) -> Self {
        let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{}", std::process::id()));
        let data = format!("--user-data-dir={}", profile.display());
        let program = program.to_str().expect("a name that can be printed");
        let command = [
            program,
            // The page is ours, and root has no sandbox.
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            // By default, pages from different ports of this machine would have a process each.
            "--process-per-site",
            "--remote-debugging-port=0",
            "--window-size=1200,900",
            &data,
            "about:blank",
        ];
        Self::held(&profile, &command)
    }

    /// Starts a browser that ends with the tests, however they end: then its shell reads the end of its input. The
    /// program may be a script that starts another, so the whole process group has to end, the shell last: it ignores
    /// the first signal, waits for the browser to close its files, and kills the rest.
    fn held(profile: &Path, command: &[&str]) -> Self {
        const HOLD: &str = r#""$@" & read -r line; trap : TERM; kill 0; sleep 1; rm -rf "$0"; kill -KILL 0"#;
        let mut shell = Command::new("sh")
            .args(["-c", HOLD])
            .arg(profile)
            .args(command)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(shell.stderr.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.strip_prefix("DevTools listening on ").map(str::to_owned));
        // It must not wait for a reader of its other output.
        thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        Self { address: address.expect("the browser prints its address"), room: OnceLock::new(), shell }
    }
}

/// A browser as a test sees it, with separate tabs.
pub struct Browser {
    process: &'static Process,
    socket: WebSocket<TcpStream>,
    asked: u64,
    /// The names of its tabs.
    tabs: Vec<String>,
    /// The errors in each tab, by its session.
    pub faults: Vec<(String, String)>,
}

impl Browser {
    /// Opens the browser for one test and clears the storage of earlier servers at the same address.
    pub fn open(url: &str) -> Self {
        let mut browser = Self::connect(Process::shared());
        let room = browser.room();
        let session = browser.attach(&room.empty);
        let origin = url.split('/').take(3).collect::<Vec<_>>().join("/");
        let params = json!({"origin": origin, "storageTypes": "all"});
        browser.call(Some(&session), "Storage.clearDataForOrigin", &params);
        browser
    }

    fn connect(process: &'static Process) -> Self {
        let host = process.address.trim_start_matches("ws://");
        let stream = TcpStream::connect(host.split('/').next().unwrap()).unwrap();
        stream.set_read_timeout(Some(GUARD)).unwrap();
        let (socket, _) = tungstenite::client(process.address.as_str(), stream).unwrap();
        Self { process, socket, asked: 0, tabs: Vec::new(), faults: Vec::new() }
    }

    fn room(&mut self) -> &'static Room {
        self.process.room.get_or_init(|| {
            let context = self.call(None, "Target.createBrowserContext", &json!({}));
            let context = text(&context["browserContextId"]);
            let empty = self.create("about:blank", &context);
            Room { context, empty }
        })
    }

    /// Opens an address in a new window, because browsers slow down background tabs. Returns the name of the tab.
    fn create(&mut self, url: &str, context: &str) -> String {
        let params = json!({"url": url, "browserContextId": context, "newWindow": true});
        text(&self.call(None, "Target.createTarget", &params)["targetId"])
    }

    fn attach(&mut self, tab: &str) -> String {
        let params = json!({"targetId": tab, "flatten": true});
        text(&self.call(None, "Target.attachToTarget", &params)["sessionId"])
    }

    /// Opens an address in a tab. Returns the name of its session.
    pub fn tab(&mut self, url: &str) -> String {
        let context = &self.room().context;
        let tab = self.create(url, context);
        let session = self.attach(&tab);
        self.tabs.push(tab);
        session
    }

    /// Gives a command, to a tab or to the browser as a whole, and waits for its result.
    pub fn call(&mut self, tab: Option<&str>, method: &str, params: &Value) -> Value {
        self.try_call(tab, method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Gives a command that may fail.
    ///
    /// # Errors
    /// The reason that the browser gives.
    pub fn try_call(&mut self, tab: Option<&str>, method: &str, params: &Value) -> Result<Value, String> {
        self.asked += 1;
        let mut command = json!({"id": self.asked, "method": method, "params": params});
        if let Some(tab) = tab {
            command["sessionId"] = json!(tab);
        }
        self.socket.send(Message::text(command.to_string())).unwrap();
        loop {
            let Message::Text(text) = self.socket.read().unwrap() else {
                continue;
            };
            let mut message: Value = serde_json::from_str(&text).unwrap();
            if message["id"] == json!(self.asked) {
                return if message["error"].is_null() {
                    Ok(message["result"].take())
                } else {
                    Err(message["error"].to_string())
                };
            }
            let event = message["method"].as_str().unwrap_or_default();
            if ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"].contains(&event) {
                let tab = message["sessionId"].as_str().unwrap_or_default().to_owned();
                self.faults.push((tab, message["params"].to_string()));
            }
        }
    }
}

/// Closes its tabs, except those of a failed test: the browser may be the reason.
impl Drop for Browser {
    fn drop(&mut self) {
        if thread::panicking() {
            return;
        }
        for tab in std::mem::take(&mut self.tabs) {
            let _ = self.try_call(None, "Target.closeTarget", &json!({"targetId": tab}));
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

pub fn no_browser_outlives_its_tests() {
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("browser-behind-a-script");
    fs::create_dir_all(&profile).unwrap();
    let script = "sleep 1000 & echo DevTools listening on $! >&2; wait";
    let mut process = Process::held(&profile, &["sh", "-c", script]);
    let state = Path::new("/proc").join(&process.address).join("stat");
    // A zombie whose exit status was not read is still listed, as Z.
    let is_alive = || fs::read_to_string(&state).is_ok_and(|state| !state.contains(") Z "));
    assert!(is_alive());
    drop(process.shell.stdin.take());
    process.shell.wait().unwrap();
    assert!(!is_alive() && !profile.exists());
}
