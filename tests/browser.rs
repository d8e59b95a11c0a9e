//! The board in a real browser. Where there is none, these tests say so and are left out.

#![cfg(all(feature = "serve", target_os = "linux"))]

mod browsing;
mod chromium;
mod common;
mod serving;

use browsing::{Held, Page};
use serde_json::{Value, json};
use serving::Serving;

fn start(size: u64, tps: Option<&str>) -> Value {
    let mut start = json!({"size": size, "half_komi": 0, "opening": "swap"});
    if let Some(tps) = tps {
        start["tps"] = json!(tps);
    }
    start
}

/// A game between two people on 3x3, from the dialog to the road, without a mouse.
#[test]
fn a_whole_game_by_keyboard() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    while page.eval("document.activeElement.id") != "open-new" {
        page.keys("Tab");
    }
    page.keys("Enter");
    page.wait("document.querySelector('#new-game').open");
    // Lists choose by what is typed; numbers are replaced.
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
    // Into the board by Enter.
    page.wait("document.activeElement.id === 'open-new'");
    page.eval("document.activeElement.blur()");
    page.keys("Enter");
    assert_eq!(page.eval("document.activeElement.id"), "grid");
    assert!(
        page.square("a1").contains("Enter places a black flat"),
        "{}",
        page.square("a1")
    );
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
    page.wait_text("#result", "Tak!");
    page.keys("Left Up Up Enter");
    page.wait_text("#result", "Black wins by a road (0-R)");
    assert_eq!(
        page.eval("document.querySelectorAll('.square.road').length"),
        3
    );
    // Over is over.
    page.keys("Right Enter");
    page.wait_text("#notice", "The game is over: Black wins by a road.");
    page.check();
}

/// Everything that keys do, in every state.
#[test]
fn the_states_of_the_keyboard() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    // White: a stack of four on b2 (from the bottom white, white, black, white), a capstone on d4. Black: walls on d5 and b5.
    page.link(
        &serving,
        &start(5, Some("x,2S,x,2S,x/x3,1C,x/x5/x,1121,x3/x4,2 1 20")),
    );
    page.keys("Enter");
    let says = |text: &str| page.wait_text("#notice", text);
    // The kinds that are left, in turn; the capstone is on the board.
    page.keys("c");
    says("Wall.");
    page.keys("c");
    says("Flat.");
    // The edge.
    page.keys("Down");
    says("The board ends here.");
    page.keys("`");
    says("Nothing is in hand.");
    // A number that is too large says what the limit is; one that fits is what is lifted.
    page.keys("Right Up 5");
    says("From b2 4 pieces can be lifted at most.");
    page.keys("3");
    says("3 to lift.");
    assert!(
        page.square("b2").ends_with("Enter lifts 3."),
        "{}",
        page.square("b2")
    );
    page.keys("Enter");
    says("3 in hand, the bottom one white");
    assert_eq!(
        page.square("b2"),
        "b2: white flat. Enter puts the pieces back."
    );
    // The number can still be changed. The cursor goes only where a piece may fall.
    page.keys("4");
    says("4 in hand");
    page.keys("Right Up");
    says("Pieces go on in one straight line from b2.");
    // Both friendly pieces fall, then the black one is at the bottom.
    page.keys("f");
    says("2 in hand, the bottom one black");
    assert!(
        page.square("c2").starts_with("c2: 2 white")
            || page.square("c2").starts_with("c2: white flat on white.")
    );
    page.keys("f");
    says("The bottom piece in hand belongs to Black.");
    page.keys("Right");
    says("The bottom piece in hand belongs to Black.");
    // Beyond the next square nothing is reached before a piece has fallen here.
    page.keys("Right");
    says("A piece has to fall on d2 first.");
    // Tab leaves the board; what is in hand stays.
    page.keys("Tab");
    assert_ne!(page.eval("document.activeElement.id"), "grid");
    page.key_with("Tab", Held::Shift);
    assert_eq!(page.eval("document.activeElement.id"), "grid");
    assert_eq!(
        page.eval("document.querySelector('#cancel').disabled"),
        false
    );
    page.keys("Escape");
    says("Everything is back.");
    assert!(
        page.square("b2")
            .starts_with("b2: white flat on black, 2 white."),
        "{}",
        page.square("b2")
    );
    // The capstone alone flattens the wall, and says so before.
    page.keys("Up Up Right Right Enter Up");
    page.wait("document.querySelector('#square-d5').getAttribute('aria-label').includes('flattens the wall')");
    page.keys("Enter");
    says("White moves 1 piece from d4: 1 to d5, which flattens the wall.");
    assert_eq!(page.wait_moves(1), "d4+");
    // The list of keys takes the focus, and gives it back.
    page.keys("?");
    page.wait("document.querySelector('#keys').open");
    page.keys("Escape");
    page.wait("!document.querySelector('#keys').open && document.activeElement.id === 'grid'");
    page.keys("Escape");
    page.wait("document.activeElement === document.body");
    page.check();
}

#[test]
fn a_whole_game_by_mouse_with_undo_and_reload() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(3, None));
    page.click_squares("a1 c3");
    assert_eq!(page.wait_moves(2), "a1 c3");
    // A wall, since it was chosen.
    page.click("[data-kind=wall]");
    page.click_squares("b2");
    assert_eq!(page.wait_moves(3), "a1 c3 Sb2");
    page.click("#undo");
    page.wait("document.querySelector('#moves .later')");
    assert_eq!(page.square("b2").split('.').next(), Some("b2: empty"));
    page.click("#redo");
    page.wait("!document.querySelector('#moves .later')");
    assert!(
        page.square("b2").starts_with("b2: black wall")
            || page.square("b2").starts_with("b2: white wall")
    );
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
    // In the middle of the game, and of a spread, the page is loaded again.
    page.click_squares("b3 b2");
    page.wait("document.querySelector('.square.lifted')");
    page.reload();
    assert_eq!(page.wait_moves(6), "a1 c3 b3 b1 c3< a2");
    assert!(
        page.square("b3").starts_with("b3: white flat on white."),
        "{}",
        page.square("b3")
    );
    page.click_squares("b3 b2 b1");
    assert_eq!(page.wait_moves(7), "a1 c3 b3 b1 c3< a2 2b3-11");
    page.click_squares("a3");
    page.wait_text("#result", "Black wins by a road");
    page.check();
}

#[test]
fn a_whole_game_by_touch() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(3, None));
    page.use_touch();
    page.tap_squares("a1 c3 b3 b1 c3 b3 a2 b3 b2 b1");
    assert_eq!(page.wait_moves(7), "a1 c3 b3 b1 c3< a2 2b3-11");
    page.tap_squares("a3");
    page.wait_text("#result", "Black wins by a road");
    page.check();
}

#[test]
fn a_server_that_comes_back_finds_the_game() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(5, None));
    page.click_squares("a1 e5 c3 d4");
    page.wait_moves(4);
    // A spread is in the making.
    page.click_squares("c3");
    page.wait("document.querySelector('.square.lifted')");
    let port = serving.port;
    drop(serving);
    page.wait_text("#connection", "Not connected");
    page.click_squares("c4");
    page.wait_text("#notice", "Not done");
    let serving = Serving::start_at(port, &[]);
    page.wait("document.querySelector('#connection').textContent === ''");
    page.click_squares("c4");
    assert_eq!(page.wait_moves(5), "a1 e5 c3 d4 c3+");
    page.forget_faults();
    page.click_squares("b2");
    page.wait_moves(6);
    page.check();
    drop(serving);
}

#[test]
fn the_engine_answers_thinks_along_and_gives_hints() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.click("#open-new");
    for (field, value) in [
        ("new-size", "4"),
        ("new-color", "black"),
        ("new-seconds", "0.2"),
    ] {
        page.eval(&format!(
            "(() => {{ const field = document.getElementById({field:?}); field.value = {value:?}; field.dispatchEvent(new Event('change')); }})()"
        ));
    }
    page.click("#new-start");
    // It begins, and answers.
    page.wait_moves(1);
    page.wait_text("#player-black", "you – to move");
    let free = page.eval("[...document.querySelectorAll('[role=gridcell]')].find((cell) => cell.ariaLabel.includes(': empty'))?.dataset.square");
    page.click_squares(free.as_str().unwrap());
    page.wait_moves(3);
    page.click("#hint-button");
    page.wait_text("#notice", "Hint: ");
    page.wait("document.querySelector('.advice')");
    page.click("#analysing");
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    assert!(
        page.text("#verdict").starts_with("White "),
        "{}",
        page.text("#verdict")
    );
    // Taking back goes to one's own last turn.
    page.click("#undo");
    page.wait("document.querySelectorAll('#moves .later').length === 2");
    page.click("#resign");
    page.wait_text("#resign", "Really");
    page.click("#resign");
    page.wait_text("#result", "Black resigns");
    // Nothing is thought about any more.
    page.click("#again");
    page.wait_text("#player-white", "you – to move");
    page.check();
}

#[test]
fn a_game_is_judged_and_walked_through() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(3, None));
    page.click_squares("a1 c3 b3 b1");
    page.wait_moves(4);
    page.click("#judge");
    page.wait_text("#notice", "Every position of the game is judged.");
    let says = page.eval("document.querySelector('#graph').getAttribute('aria-label')");
    assert!(says.as_str().unwrap().contains("after 4 moves "), "{says}");
    // The middle of the graph is the middle of the game.
    page.click("#graph");
    page.wait("document.querySelectorAll('#moves .later').length === 2");
    assert_eq!(page.text("#moves [aria-current]"), "c3");
    page.click("#previous");
    page.wait("document.querySelectorAll('#moves .later').length === 3");
    page.click("#latest");
    page.wait("document.querySelectorAll('#moves .later').length === 0");
    page.check();
}

/// Each tab keeps its own game; a tab that is opened begins with the last one.
#[test]
fn tabs_do_not_disturb_each_other() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(3, None));
    page.click_squares("a1 c3");
    page.wait_moves(2);
    let other = page.beside(&serving);
    assert_eq!(other.wait_moves(2), "a1 c3");
    other.click_squares("b2");
    assert_eq!(other.wait_moves(3), "a1 c3 b2");
    page.reload();
    assert_eq!(page.wait_moves(2), "a1 c3");
    page.click_squares("b3");
    assert_eq!(page.wait_moves(3), "a1 c3 b3");
    other.reload();
    assert_eq!(other.wait_moves(3), "a1 c3 b2");
    page.check();
    other.check();
}

#[test]
fn games_and_positions_come_in_and_go_out() {
    let serving = Serving::start(&[]);
    let Some(page) = Page::open(&serving) else {
        return;
    };
    page.link(&serving, &start(5, None));
    page.click_squares("a1 e5");
    page.wait_moves(2);
    let paste = |text: &str| {
        page.wait("document.querySelector('#files').open");
        page.eval(&format!(
            "void (document.querySelector('#paste').value = {text:?})"
        ));
        page.click("#paste-open");
    };
    page.click("#open-files");
    // What is wrong is said, and nothing is lost.
    paste("[Size \"5\"]\n1. a1 a1");
    page.wait_text("#files-problem", "move 2, a1, is not possible");
    assert_eq!(page.wait_moves(2), "a1 e5");
    paste("<img src=x onerror=alert(1)>");
    page.wait_text("#files-problem", "this is no game");
    let ptn = "[Size \"7\"]\n[Komi \"2\"]\n\n1. a1 g7 2. Cd4 Cc3 3. Ce5 Cf6 4. Sb2 3d4> *";
    paste(&ptn.replace(" 3d4>", " Sb3"));
    page.wait("!document.querySelector('#files').open");
    assert_eq!(page.wait_moves(8), "a1 g7 Cd4 Cc3 Ce5 Cf6 Sb2 Sb3");
    page.wait_text("#player-black", "+2");
    page.click("#open-files");
    page.wait("document.querySelector('#files').open");
    let written =
        page.eval("[document.querySelector('#ptn').value, document.querySelector('#tps').value]");
    assert!(
        written[0].as_str().unwrap().contains("4. Sb2 Sb3 *"),
        "{written}"
    );
    assert_eq!(
        written[1],
        "x6,1/x5,2C,x/x4,1C,x2/x3,1C,x3/x,2S,2C,x4/x,1S,x5/2,x6 1 5"
    );
    paste("x5/x5/x2,12,x2/x5/x5 2 7");
    page.wait("!document.querySelector('#files').open");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 25");
    assert!(
        page.square("c3")
            .starts_with("c3: black flat on white. Enter lifts 2."),
        "{}",
        page.square("c3")
    );
    page.check();
}
