//! The layout in windows of many sizes.

use serde_json::json;

use super::browsing::{Page, start};

/// Nothing is wider than the window.
pub const IS_NARROW: &str = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

pub fn the_whole_board_is_seen_in_a_low_window(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(6, None));
    for (width, height) in [(740, 360), (667, 375), (600, 400), (820, 600)] {
        page.resize(width, height);
        page.wait(&format!("innerHeight === {height}"));
        let bottom = page.eval("document.querySelector('#frame').getBoundingClientRect().bottom");
        assert!(bottom.as_f64().unwrap() <= f64::from(height), "{width} by {height}: {bottom}");
        assert_eq!(page.eval(IS_NARROW), true);
    }
    // With enough height it is as wide as the window.
    page.resize(380, 800);
    page.wait("innerWidth === 380");
    let width = page.eval("document.querySelector('#frame').clientWidth");
    assert!(width.as_f64().unwrap() > 340.0, "{width}");
    page.check();
}

/// At every size of the board and of the window. What a player needs during a game is seen without scrolling.
pub fn the_board_is_as_large_as_the_window_allows(url: &str) {
    let page = Page::open(url);
    let rest = "['first', 'undo', 'redo'].map((id) => document.getElementById(id)) \
         .concat([...document.querySelectorAll('#player-white, #player-black, #kinds button, #counts button, #cancel')])";
    for (width, height) in [(1280, 720), (1400, 900), (1920, 1080), (375, 667), (390, 844)] {
        page.resize(width, height);
        page.wait(&format!("innerHeight === {height} && innerWidth === {width}"));
        for size in 3..=8 {
            page.link(url, &start(size, None));
            let [left, right, top, bottom] = ["left", "right", "top", "bottom"].map(|side| {
                let at = page.eval(&format!("document.querySelector('#frame').getBoundingClientRect().{side}"));
                at.as_f64().unwrap()
            });
            let what = format!("size {size}, {width} by {height}: {left} to {right}, {top} to {bottom}");
            assert!(left >= 0.0 && top >= 0.0 && bottom <= f64::from(height), "{what}");
            if width > height {
                assert!(bottom - top >= 0.85 * f64::from(height), "{what}");
            } else {
                assert!(right - left >= f64::from(width) - 17.0, "{what}");
            }
            assert!((right - left - bottom + top).abs() < 1.0, "{what}");
            let hidden = page.eval(&format!(
                "{rest}.filter((each) => {{ const box = each.getBoundingClientRect(); const {{ left, top, right, bottom }} = box; \
                 return box.width === 0 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight; }}) \
                 .map((each) => each.outerHTML)"
            ));
            assert_eq!(hidden, json!([]), "{what}");
            assert_eq!(page.eval(IS_NARROW), true, "{what}");
        }
    }
    page.check();
}

/// A theme changes board and page, and is kept.
pub fn a_theme_is_kept(url: &str) {
    let page = Page::open(url);
    let colors = "[document.body, document.querySelector('.square')].map((each) => getComputedStyle(each)) \
                  .map(({ backgroundColor, fill }) => `${backgroundColor} ${fill}`).join()";
    let mut seen = vec![page.eval(colors)];
    for theme in ["wood", "contrast"] {
        page.set("theme", theme);
        page.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
        let now = page.eval(colors);
        assert!(!seen.contains(&now), "{now}");
        seen.push(now.clone());
        page.reload();
        page.wait("document.querySelector('.square')");
        assert_eq!(page.eval(colors), now);
        assert_eq!(page.eval("document.querySelector('#theme').value"), theme);
    }
    page.check();
}

/// The contrast of coordinates with every square that they may be on is at least 4.5 (WCAG 2.2, 1.4.3). Texts in
/// drawings are not checked by axe.
pub fn coordinates_are_legible(url: &str) {
    let page = Page::open(url);
    for (scheme, theme) in
        ["light", "dark"].into_iter().flat_map(|scheme| ["plain", "wood", "contrast"].map(|theme| (scheme, theme)))
    {
        page.dress(scheme);
        page.set("theme", theme);
        page.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
        let contrasts = page.eval(
            "(() => { const shine = (selector) => { \
             const [r, g, b] = getComputedStyle(document.querySelector(selector)).fill.match(/\\d+/g).map((part) => part / 255) \
             .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4); \
             return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
             return ['.square.light', '.square.dark'].map((square) => { \
             const [low, high] = [shine('.coordinates text'), shine(square)].sort((a, b) => a - b); \
             return (high + 0.05) / (low + 0.05); }); })()",
        );
        for contrast in contrasts.as_array().unwrap() {
            assert!(contrast.as_f64().unwrap() >= 4.5, "{scheme}, {theme}: {contrasts}");
        }
    }
    page.check();
}

pub fn a_high_stack_is_seen_on_a_small_screen(url: &str) {
    let page = Page::open(url);
    page.resize(360, 740);
    let tall = format!("x7/x7/x7/x3,{},x3/x7/x7/x7 1 50", "12".repeat(15));
    page.link(url, &start(7, Some(&tall)));
    page.right_click("#square-d4");
    page.wait("document.querySelectorAll('#pile .icon').length === 30");
    let least = page.eval(
        "Math.min(...[...document.querySelectorAll('#pile .icon')].map((each) => each.getBoundingClientRect().width))",
    );
    assert!(least.as_f64().unwrap() > 20.0, "{least}");
    assert_eq!(page.eval(IS_NARROW), true);
    page.check();
}

/// A result is never broken across lines.
pub fn a_result_stays_in_one_piece(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, Some("1,2,1/2,1,2/1,2,x 1 5")));
    page.click_squares("c1");
    page.wait_text("#result", "White wins on flats, 5 to 4 (F-0)");
    let is_whole = "(() => { const result = document.querySelector('#result'); \
         return Array.from({ length: 250 }, (_, index) => { result.style.width = `${50 + index}px`; \
         const range = document.createRange(); range.selectNodeContents(result.lastChild); \
         return new Set([...range.getClientRects()].map(({ top }) => top)).size; }).every((lines) => lines === 1); })()";
    assert_eq!(page.eval(is_whole), true);
    page.check();
}
