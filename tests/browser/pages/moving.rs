//! Moves made with keys, mouse and finger.

use super::browsing::{Held, Page, start};
use super::hands::By;

/// A stack is dragged with mouse and finger: a piece falls on each square that is passed, the rest where it is let go.
pub fn stacks_are_dragged(url: &str) {
    let page = Page::open(url);
    for is_touch in [false, true] {
        if is_touch {
            page.use_touch();
        }
        page.link(url, &start(5, Some("x5/x5/x,112211,x3/x5/2,x4 1 20")));
        page.drag("b3 c3 d3", is_touch);
        assert_eq!(page.wait_moves(1), "5b3>14");
        page.go("#undo", 0);
        // Without a drop the way back is open.
        page.drag("b3 b4 b3", is_touch);
        page.wait_text("#notice", "The pieces are back on their square.");
        // No square is left out, whatever the speed.
        page.drag("b3 e3", is_touch);
        page.wait("document.querySelector('#moves [aria-current]')?.textContent === '5b3>113'");
        page.go("#undo", 0);
        // A square beside the way takes no piece. What was chosen to be lifted is.
        page.drag("b3 b4 c4", is_touch);
        page.wait("document.querySelectorAll('.held .piece').length === 5");
        page.click("#cancel");
        page.wait("document.querySelector('.held').childElementCount === 0");
        page.click("[data-count='2']");
        page.drag("b3 b2", is_touch);
        page.wait("document.querySelector('#moves [aria-current]')?.textContent === '2b3-'");
        assert!(page.square("b3").starts_with("b3: black flat"), "{}", page.square("b3"));
        // A stack that cannot be moved stays.
        page.drag("b3 b4", is_touch);
        page.click_squares("e5");
        page.wait("document.querySelector('#moves [aria-current]')?.textContent === 'e5'");
    }
    page.check();
}

/// A game between two people on 3x3, from the dialog to the road, without a mouse.
pub fn a_whole_game_by_keyboard(url: &str) {
    let page = Page::open(url);
    while page.eval("document.activeElement.id") != "open-new" {
        page.keys("Tab");
    }
    page.keys("Enter");
    page.wait("document.querySelector('#new-game').open");
    // The first button would start a game at once; the other games are folded.
    assert_eq!(page.eval("document.activeElement.dataset.preset"), "first");
    while page.eval("document.activeElement.tagName") != "SUMMARY" {
        page.keys("Tab");
    }
    page.keys("Enter");
    page.wait("document.querySelector('#new-more').open");
    // Lists select by typing; numbers are replaced.
    while page.eval("document.activeElement.id") != "new-size" {
        page.keys("Tab");
    }
    page.keys("3 Tab");
    page.key_with("a", Held::Control);
    page.keys("0 Tab Tab t");
    while page.eval("document.activeElement.id") != "new-start" {
        page.keys("Tab");
    }
    page.keys("Enter");
    page.wait("!document.querySelector('#new-game').open");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 9");
    // To the board, and into it again with Enter.
    page.wait("document.activeElement.id === 'grid'");
    page.eval("document.activeElement.blur()");
    page.keys("Enter");
    assert_eq!(page.eval("document.activeElement.id"), "grid");
    assert!(page.square("a1").contains("Enter places a black flat"), "{}", page.square("a1"));
    page.keys("Enter Right Right Up Up Space");
    assert_eq!(page.wait_moves(2), "a1 c3");
    page.keys("Left Enter Down Down Enter");
    assert_eq!(page.wait_moves(4), "a1 c3 b3 b1");
    // A single piece moves, then a stack of two is spread.
    page.keys("Up Up Right Enter Left Enter");
    assert_eq!(page.wait_moves(5), "a1 c3 b3 b1 c3<");
    page.keys("Left Down Enter");
    page.wait_moves(6);
    page.keys("Up Right 2 Enter Down Enter");
    page.wait_text("#notice", "white flat in hand; next may be b2 or b1");
    page.keys("Down Enter");
    assert_eq!(page.wait_moves(7), "a1 c3 b3 b1 c3< a2 2b3-11");
    page.wait_text("#player-white .tak", "Tak!");
    assert_eq!(page.eval("document.querySelectorAll('.threat-edge').length"), 3);
    page.keys("Left Up Up Enter");
    page.wait_text("#result", "Black wins by a road (0-R)");
    assert_eq!(page.eval("document.querySelectorAll('.square.road').length"), 3);
    // No more moves after the end.
    page.keys("Right Enter");
    page.wait_text("#notice", "The game is over: Black wins by a road.");
    page.check();
}

/// A game on 5x5 with a wall that is flattened, spreads over several squares, and a road, without a mouse.
pub fn a_game_with_spreads_by_keyboard(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.keys("Enter");
    let moves = "a1 e5 c3 c4 Cd3 Sd4 d3+ b4 c3+ b4> e3 3c4<12 e4 c1 e2 d1 e1";
    for mv in moves.split(' ') {
        page.make(mv, By::Keys);
        if mv == "d3+" {
            page.wait_text("#notice", "which flattens the wall");
            let d4 = page.square("d4");
            assert!(d4.starts_with("d4: white capstone on black."), "{d4}");
        }
    }
    assert_eq!(page.moves().join(" "), moves);
    page.wait_text("#result", "White wins by a road (R-0)");
    page.check();
}

/// All keys, in every state.
pub fn the_states_of_the_keyboard(url: &str) {
    let page = Page::open(url);
    // White: a stack of four on b2 (from the bottom white, white, black, white), a capstone on d4. Black: walls on d5
    // and b5.
    page.link(url, &start(5, Some("x,2S,x,2S,x/x3,1C,x/x5/x,1121,x3/x4,2 1 20")));
    page.keys("Enter");
    let says = |text: &str| page.wait_text("#notice", text);
    // The remaining kinds, in turn; the capstone is on the board.
    page.keys("c");
    says("Wall.");
    page.keys("c");
    says("Flat.");
    // The edge.
    page.keys("Down");
    says("The board ends here.");
    page.keys("`");
    says("Nothing is in hand.");
    // A number that is too large shows the limit; a valid one is lifted.
    page.keys("Right Up 5");
    says("At most 4 pieces can be lifted from b2.");
    page.keys("3");
    says("3 to lift.");
    assert!(page.square("b2").ends_with("Enter lifts 3."), "{}", page.square("b2"));
    page.keys("Enter");
    says("3 in hand, the bottom one white");
    assert_eq!(page.square("b2"), "b2: white flat. Enter puts the pieces back.");
    // The number can still be changed. The cursor moves only to squares for the next drop.
    page.keys("4");
    says("4 in hand");
    page.keys("Right Up");
    says("The stack must move in a straight line from b2.");
    // Both friendly pieces are dropped, then the black one is at the bottom.
    page.keys("f");
    says("2 in hand, the bottom one black");
    assert!(page.square("c2").starts_with("c2: 2 white") || page.square("c2").starts_with("c2: white flat on white."));
    page.keys("f");
    says("The bottom piece in hand belongs to Black.");
    page.keys("Right");
    says("The bottom piece in hand belongs to Black.");
    // Squares beyond the next one cannot be reached before a piece is dropped there.
    page.keys("Right");
    says("Drop a piece on d2 first.");
    // Tab leaves the board; the pieces stay in hand.
    page.keys("Tab");
    assert_ne!(page.eval("document.activeElement.id"), "grid");
    page.key_with("Tab", Held::Shift);
    assert_eq!(page.eval("document.activeElement.id"), "grid");
    assert_eq!(page.eval("document.querySelector('#cancel').disabled"), false);
    page.keys("Escape");
    says("The pieces are back on their square.");
    assert!(page.square("b2").starts_with("b2: white flat on black, 2 white."), "{}", page.square("b2"));
    // Only the capstone flattens the wall, as announced before.
    page.keys("Up Up Right Right Enter Up");
    page.wait("document.querySelector('#square-d5').getAttribute('aria-label').includes('flattens the wall')");
    page.keys("Enter");
    says("White moves 1 piece from d4: 1 to d5, which flattens the wall.");
    assert_eq!(page.wait_moves(1), "d4+");
    // The list of keys takes the focus, and returns it.
    page.keys("?");
    page.wait("document.querySelector('#keys').open");
    page.keys("Escape");
    page.wait("!document.querySelector('#keys').open && document.activeElement.id === 'grid'");
    page.keys("Escape");
    page.wait("document.activeElement === document.body");
    page.check();
}

pub fn a_whole_game_by_mouse_with_undo_and_reload(url: &str) {
    let page = Page::open(url);
    page.new_game("size 3, mode two");
    page.begin("a1 c3");
    // A wall, since it was chosen.
    page.click("[data-kind=wall]");
    page.click_squares("b2");
    assert_eq!(page.wait_moves(3), "a1 c3 Sb2");
    page.click("#undo");
    page.wait("document.querySelector('#moves .later')");
    assert_eq!(page.square("b2").split('.').next(), Some("b2: empty"));
    page.click("#redo");
    page.wait("!document.querySelector('#moves .later')");
    assert!(page.square("b2").starts_with("b2: black wall") || page.square("b2").starts_with("b2: white wall"));
    page.click("#undo");
    page.wait("document.querySelector('#moves .later')");
    page.click("[data-kind=flat]");
    page.click_squares("b3 b1 c3");
    // Lifted, seen, and put back by the other button; lifted again and moved.
    page.wait("document.querySelector('.square.lifted')");
    assert_eq!(page.eval("document.querySelectorAll('.target').length"), 2);
    page.right_click("#square-c2");
    page.wait("!document.querySelector('.square.lifted')");
    page.click_squares("c3 b3 a2");
    assert_eq!(page.wait_moves(6), "a1 c3 b3 b1 c3< a2");
    // The page is reloaded in the middle of the game, and of a spread.
    page.click_squares("b3 b2");
    page.wait("document.querySelector('.square.lifted')");
    page.reload();
    assert_eq!(page.wait_moves(6), "a1 c3 b3 b1 c3< a2");
    assert!(page.square("b3").starts_with("b3: white flat on white."), "{}", page.square("b3"));
    page.click_squares("b3 b2 b1");
    assert_eq!(page.wait_moves(7), "a1 c3 b3 b1 c3< a2 2b3-11");
    page.click_squares("a3");
    page.wait_text("#result", "Black wins by a road");
    page.check();
}

pub fn a_whole_game_by_touch(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, None));
    page.use_touch();
    page.tap_squares("a1 c3 b3 b1 c3 b3 a2 b3 b2 b1");
    assert_eq!(page.wait_moves(7), "a1 c3 b3 b1 c3< a2 2b3-11");
    page.tap_squares("a3");
    page.wait_text("#result", "Black wins by a road");
    page.check();
}

pub fn double_black_stack_and_two_capstones_are_playable(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, opening double-black");
    let first = page.square("a1");
    assert!(first.contains("places two black flats"), "{first}");
    page.make("a1", By::Mouse);
    assert!(page.square("a1").starts_with("a1: black flat on black."));
    assert!(page.square("b1").contains("places a white flat"));
    page.make("b1", By::Mouse);
    page.make("c3", By::Mouse);
    page.make("2a1+11", By::Keys);
    assert_eq!(page.moves().join(" "), "a1 b1 c3 2a1+11");

    page.new_game("size 7, mode two, opening swap");
    for mv in "a1 g7 Cd4 Cc3 Ce5 Cf6".split(' ') {
        page.make(mv, By::Mouse);
    }
    let is_left = page.eval("!document.querySelector('[data-kind=capstone]').disabled");
    assert_eq!(is_left, false);
    page.make("Sb2", By::Mouse);
    page.check();
}

/// The chosen piece under the mouse, and the pieces in hand over their square.
pub fn pieces_not_on_the_board_are_shown(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, Some("x5/x5/x2,121,x2/x5/2,x4 1 9")));
    let ghost = "document.querySelector('#drawing > .ghost').childElementCount";
    page.click("[data-kind=wall]");
    page.hover("#square-b2");
    page.wait("document.querySelector('#drawing > .ghost .white rect.face[transform]')");
    page.hover("#square-c3");
    page.wait(&format!("{ghost} === 0"));
    page.click_squares("c3");
    page.wait("document.querySelectorAll('#drawing > .held .piece').length === 3");
    let height = |selector: &str| {
        let place = page.eval(&format!("document.querySelector({selector:?}).getBoundingClientRect().top"));
        place.as_f64().unwrap()
    };
    let before = height("#drawing > .held .piece");
    page.click_squares("c4");
    page.wait("document.querySelectorAll('#drawing > .held .piece').length === 2");
    assert!(height("#drawing > .held .piece") < before);
    page.click("#cancel");
    page.wait("document.querySelector('#drawing > .held').childElementCount === 0");
    page.check();
}
