//! The layout in windows of many sizes.

use super::browsing::{Page, start};

const IS_NARROW: &str = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";

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
