//! The page without a server: offline, updated, and in browsers that refuse it something.

use std::fs;

use serde_json::json;

use super::browsing::{Page, start};
use super::chromium::static_page;
use super::hosting::Host;
use crate::support::folder::Folder;

const LACKING: &str = "The engine cannot be started: this browser has no WebAssembly with SIMD, or it is turned off; another browser may do.";

impl Page {
    /// Waits until the page could start without a network.
    fn wait_kept(&self) {
        self.eval_async("navigator.serviceWorker.ready.then(() => true)");
        self.wait("navigator.serviceWorker.controller?.state === 'activated'");
    }
}

pub fn starts_without_a_network() {
    let host = Host::start(&static_page());
    let page = Page::open(&host.url);
    page.new_game("size 4, mode engine, color black, level 1");
    page.wait_moves(1);
    page.wait_kept();
    let url = host.url.clone();
    drop(host);
    page.reload();
    page.wait_moves(1);
    let free = page.eval("[...document.querySelectorAll('[role=gridcell]')].find((cell) => cell.ariaLabel.includes(': empty')).dataset.square");
    page.click_squares(free.as_str().unwrap());
    page.wait_moves(3);
    page.check();
    // The explorer is loaded when it is opened.
    page.open_view("explore", "");
    page.collect(&[("games.ptn", "[Size \"4\"]\n1. a1 d4")]);
    page.wait_text("#task-goal", "games.ptn: 1 game.");
    page.click("#task a[href='#']");
    page.wait_moves(3);
    page.check();
    // In a new tab, by its other name, and the second page. The stored game is there.
    let other = page.beside(&format!("{url}index.html"));
    other.wait_moves(3);
    other.visit(&format!("{url}how-to-play.html"));
    other.wait("document.querySelectorAll('article figure svg').length > 3");
    assert_eq!(other.eval("getComputedStyle(document.querySelector('article')).maxWidth"), "736px");
    other.check();
}

/// A copy of the page whose title, script and version can be replaced by those of a next version.
fn next_version(page: &Page, folder: &Folder) {
    let (old, worker) = (folder.text("index.html"), folder.text("service-worker.js"));
    let new = old.replace("<title>Tak</title>", "<title>Tak 2</title>");
    let hash = |text: &str| {
        let hash = page.eval_async(&format!(
            "crypto.subtle.digest('SHA-256', new TextEncoder().encode({})).then((hash) => \
             btoa(String.fromCharCode(...new Uint8Array(hash))))",
            json!(text)
        ));
        hash.as_str().unwrap().to_owned()
    };
    let (from, to) = (hash(&old), hash(&new));
    assert!(worker.contains(&from));
    folder.file("index.html", new);
    let version = page.eval_async("caches.keys().then(([name]) => name.split(' ').at(-1))");
    let version = version.as_str().unwrap();
    assert!(worker.contains(version));
    folder.file("service-worker.js", worker.replace(&from, &to).replace(version, "next"));
}

pub fn an_update_waits_for_its_user_and_reaches_all_tabs() {
    let folder = Folder::new("updated-page");
    for file in fs::read_dir(static_page()).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.0.join(file.file_name())).unwrap();
    }
    let host = Host::start(&folder.0);
    let page = Page::open(&host.url);
    page.link(&host.url, &start(3, None));
    page.begin("a1 c3");
    page.wait_kept();
    let other = page.beside(&host.url);
    other.click_squares("b2");
    other.wait_moves(3);
    next_version(&page, &folder);
    // It is noticed at a start, and waits.
    page.reload();
    page.wait("document.querySelector('#update')");
    assert_eq!(page.eval("document.title"), "Tak");
    page.reload();
    page.wait("document.querySelector('#update')");
    assert_eq!(page.eval("document.title"), "Tak");
    page.click("#update");
    for (page, moves) in [(&page, "a1 c3"), (&other, "a1 c3 b2")] {
        page.wait("document.title === 'Tak 2'");
        assert_eq!(page.wait_moves(moves.split(' ').count()), moves);
        assert_eq!(page.eval("document.querySelector('#update')"), json!(null));
    }
    assert_eq!(page.eval_async("caches.keys().then((names) => names.length)"), 1);
    page.check();
    other.check();
}

pub fn without_room_for_its_files_it_is_played_online() {
    let refused = "navigator.serviceWorker.register = () => Promise.reject(new DOMException('', 'SecurityError'))";
    for (quota, script) in
        [(100_000, ""), (100_000_000, refused), (100_000_000, "delete Navigator.prototype.serviceWorker")]
    {
        let (other, host) = (Host::start(&static_page()), Host::start(&static_page()));
        let page = Page::open(&other.url);
        page.call("Storage.overrideQuotaForOrigin", &json!({"origin": host.origin(), "quotaSize": quota}));
        page.before_each_load(script);
        page.visit(&host.url);
        page.link(&host.url, &start(3, None));
        page.begin("a1 c3");
        page.wait("performance.getEntriesByName('engine-ready').length > 0");
        let kept = "navigator.serviceWorker?.getRegistration().then((kept) => kept ?? null) ?? null";
        page.wait_for("the browser keeps nothing", || page.eval_async(kept) == json!(null));
        page.reload();
        assert_eq!(page.wait_moves(2), "a1 c3");
        page.check();
    }
}

pub fn a_browser_without_webassembly_gets_a_reason() {
    let host = Host::start(&static_page());
    let page = Page::open(&host.url);
    page.before_each_load("delete globalThis.WebAssembly");
    page.visit(&host.url);
    page.wait_text("#absent", LACKING);
    assert_eq!(page.text("#connection"), "");
    assert_eq!(page.eval("document.querySelector('#absent').checkVisibility()"), true);
    page.check();
}

/// A worker that searches hears nothing: a fresh one takes its place, without isolation from other sites.
pub fn a_busy_engine_answers_the_next_question() {
    let host = Host::start(&static_page());
    let page = Page::open(&host.url);
    assert_eq!(page.eval("crossOriginIsolated"), false);
    page.link(&host.url, &start(6, None));
    page.wait_text("#notice", "Opened, with 0 moves.");
    page.click("#analysing");
    for square in ["a1", "f6", "c3"] {
        page.wait("document.querySelector('#effort').textContent.includes('depth')");
        page.click_squares(square);
        page.wait("!document.querySelector('#effort').textContent.includes('depth')");
    }
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    // A hint, which ends by itself, follows an analysis that would not.
    page.click("#analysing");
    page.click_squares("c4");
    page.wait_moves(4);
    page.click("#hint-button");
    page.wait_text("#notice", "Hint: ");
    page.check();
}

/// The second worker is the one that searches.
pub fn a_worker_that_does_not_start_is_replaced() {
    let host = Host::start(&static_page());
    let page = Page::open(&host.url);
    page.before_each_load(
        "let count = 0; globalThis.Worker = class extends Worker { \
         constructor(url, options) { count += 1; super(count === 2 ? 'missing.js' : url, options); } }",
    );
    page.visit(&host.url);
    page.link(&host.url, &start(6, None));
    page.wait_text("#notice", "Opened, with 0 moves.");
    page.click("#analysing");
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    // The file that is not there.
    page.forget_faults();
}

pub fn it_can_be_installed() {
    let host = Host::start(&static_page());
    let page = Page::open(&host.url);
    let sizes = page.eval_async(
        "(async () => { \
         const manifest = await (await fetch(document.querySelector('link[rel=manifest]').href)).json(); \
         return Promise.all(manifest.icons.map(async ({ src, sizes }) => { \
         const image = new Image(); image.src = src; await image.decode(); \
         return sizes === 'any' || sizes === `${image.naturalWidth}x${image.naturalHeight}`; })); })()",
    );
    assert_eq!(sizes, json!([true, true, true, true]));
    assert_eq!(page.call("Page.getAppManifest", &json!({}))["errors"], json!([]));
    page.check();
}
