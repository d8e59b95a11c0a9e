//! Games with the engine, clocks, files and lost connections.

use std::cell::Cell;
use std::fs;

use serde_json::{Value, json};
use tak_engine::board::{AnyPosition, Game, Komi, Size};
use tak_engine::engine::{Engine, Limits, Settings};

use super::browsing::{Page, start};
use super::chromium::axe_core;
use super::hands::By;
use super::lines::beside_by_link;
use super::serving::Serving;
use crate::cases::step;

pub fn a_server_that_comes_back_finds_the_game() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.link(&serving.url, &start(5, None));
    page.begin("a1 e5 c3 d4");
    // A spread is in progress.
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

pub fn the_engine_answers_and_thinks_along(url: &str) {
    let page = Page::open(url);
    page.new_game("size 4, mode engine, color black, level 0, seconds 0.2");
    // The engine begins, and replies.
    page.wait_moves(1);
    page.wait_text("#player-black", "you – to move");
    let free = page.eval("[...document.querySelectorAll('[role=gridcell]')].find((cell) => cell.ariaLabel.includes(': empty'))?.dataset.square");
    page.click_squares(free.as_str().unwrap());
    page.wait_moves(3);
    // No evaluation is shown before the end, although the engine has one.
    let is_shown = "document.querySelector('#analysis').checkVisibility()";
    assert_eq!(page.eval(is_shown), false);
    // Undo goes back to one's own last turn, and is counted.
    assert_eq!(page.text("#takebacks"), "");
    page.click("#undo");
    page.wait("document.querySelectorAll('#moves .later').length === 2");
    page.wait_text("#takebacks", "1 takeback");
    page.resign();
    page.wait_text("#result", "Black resigns (1-0)");
    // Afterwards one button leads to the review.
    assert_eq!(page.eval(is_shown), true);
    page.click("#review");
    page.wait_text("#notice", "The game is annotated.");
    page.click("#analysing");
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    assert!(page.text("#verdict").starts_with("White "), "{}", page.text("#verdict"));
    page.click("#again");
    page.wait_text("#player-white", "you – to move");
    assert_eq!(page.text("#takebacks"), "");
    assert_eq!(page.eval(is_shown), false);
    assert_eq!(page.eval("document.querySelector('.advice')"), Value::Null);
    page.wait_text("#player-black", "tak-engine");
    page.check();
}

/// Two clicks start a game. The level of an even one follows the results.
pub fn two_clicks_start_a_game(url: &str) {
    let page = Page::open(url);
    let start = |preset: &str| {
        page.click("#open-new");
        page.wait("document.querySelector('#new-game').open");
        page.wait_text("[data-preset=first]", "5 × 5, level 1, Elo 317");
        page.click(&format!("[data-preset={preset}]"));
        page.wait("!document.querySelector('#new-game').open");
    };
    start("first");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 25");
    page.wait_text("#player-black", "tak-engine level 1");
    page.click_squares("a1");
    page.wait_moves(2);
    start("even");
    page.wait_text("main", "tak-engine level 5");
    page.resign();
    page.wait_text("#result", "resigns");
    start("even");
    page.wait_text("main", "tak-engine level 4");
    start("hard");
    page.wait_text("main", "tak-engine level 8");
    start("full");
    page.wait(
        "[...document.querySelectorAll('.player .name')].some((name) => /tak-engine($| –)/.test(name.textContent))",
    );
    page.check();
}

/// The engine's game with itself has a pace, a pause and single moves.
pub fn the_engine_with_itself_can_be_watched(url: &str) {
    let page = Page::open(url);
    let stands_at = |count: usize| {
        page.wait_moves(count);
        std::thread::sleep(std::time::Duration::from_millis(700));
        assert_eq!(page.moves().len(), count);
    };
    page.set("pace", "10");
    page.new_game("size 5, mode self, level 3, time free");
    // Level 3 answers at once, but the first move is to be looked at.
    stands_at(1);
    page.click("#one-move");
    stands_at(2);
    page.go("#first", 0);
    page.click("#one-move");
    stands_at(3);
    page.wait_at(3);
    page.reload();
    stands_at(3);
    assert_eq!(page.text("#pause"), "Continue");
    page.set("pace", "0");
    page.click("#pause");
    page.wait("document.querySelectorAll('#moves [data-at]').length > 5");
    page.click("#pause");
    page.wait("document.querySelector('#pause').textContent === 'Continue'");
    stands_at(page.moves().len());
    page.check();
}

/// A hint takes more than a second, unless the result is found sooner.
pub fn hints_are_given(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(4, Some("x4/x4/2,2,x2/1,1,1,x 1 4")));
    page.click("#hint-button");
    page.wait_text("#notice", "Hint: d1.");
    // It is a piece of its kind.
    page.wait("document.querySelector('.advice + .ghost .white .face')");
    page.click_squares("d1");
    page.wait_text("#result", "White wins by a road (R-0)");
    page.wait("!document.querySelector('.advice')");
    page.check();
}

/// Level 1 is for beginners: a program that looks a little ahead wins. Here it is this engine, used as a library, which
/// makes its moves with the mouse.
pub fn level_1_is_beaten(url: &str) {
    let page = Page::open(url);
    let size = Size::ALL[2];
    page.new_game("size 5, komi 0, mode engine, color white, level 1, you Ada");
    page.wait_text("#player-white", "White, Ada – to move");
    page.wait_text("#player-black", "Black, tak-engine level 1");
    let settings = Settings { hash_mib: 4, ..Settings::default() };
    let mut engine = Engine::new(settings);
    let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
    loop {
        let report = engine.analyse(&game, Limits::nodes(20_000)).unwrap();
        let best = report.best().unwrap();
        page.make(&best.to_string(), By::Mouse);
        game.play(best).unwrap();
        if game.position().outcome().is_some() {
            break;
        }
        let played = game.moves().len();
        page.wait(&format!("document.querySelectorAll('#moves button').length > {played}"));
        let answer = page.moves()[played].clone();
        game.play(answer.parse().unwrap()).unwrap();
        assert!(game.position().outcome().is_none(), "level 1 has won");
        page.wait_text("#player-white", "to move");
    }
    let outcome = game.position().outcome().unwrap().to_string();
    page.wait_text("#result", &format!("({outcome})"));
    assert!(outcome.ends_with("-0"), "{outcome}");
    page.check();
}

/// The time from the click that starts the game to the engine's first move on the board.
pub fn a_level_answers_at_once() {
    // As users start it: with a table that would take a while to allocate.
    let serving = Serving::start(&["--hash", "256"]);
    let page = Page::open(&serving.url);
    page.eval(
        "(() => { \
         document.querySelector('#new-start').addEventListener('click', () => { window.begun = performance.now(); }); \
         const look = () => { if (document.querySelector('#moves button')) { window.took ??= performance.now() - window.begun; } }; \
         new MutationObserver(look).observe(document.querySelector('#moves'), { childList: true }); })()",
    );
    page.new_game("size 6, mode engine, color black, level 5");
    page.wait("window.took");
    let took = page.eval("window.took").as_f64().unwrap();
    eprintln!("level 5 moved {took:.0} ms after the click");
    // 300 on an idle machine.
    assert!(took < 5000.0, "{took} ms");
    page.check();
}

pub fn clocks_run_stand_still_and_run_out() {
    let serving = Serving::start(&[]);
    let page = Page::open(&serving.url);
    page.new_game("size 5, komi 2, mode two, time clock, minutes 0.2, increment 3, white Ada <b>, black Bob");
    let left = |color: &str| -> f64 {
        let text = page.text(&format!("#player-{color} .clock"));
        let (minutes, seconds) = text.split_once(':').unwrap_or_else(|| panic!("{text:?}"));
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    page.wait_text("#player-white", "White, Ada <b> – to move");
    page.wait_text("#komi", "White needs 3 flats more than Black");
    // No clock runs before the first move, which adds its increment.
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!((left("white") - 12.0).abs() < 0.01, "{}", left("white"));
    page.make("a1", By::Mouse);
    page.wait("document.querySelector('#player-white .clock').textContent.startsWith('0:15')");
    page.wait("document.querySelector('#player-black .clock').textContent < '0:11.5'");
    assert!((left("white") - 15.0).abs() < 0.01, "{}", left("white"));
    // It continues after a reload, and stops while the program is away.
    page.reload();
    page.wait_text("#player-black", "Black, Bob – to move");
    let before = left("black");
    assert!(before < 11.6, "{before}");
    // Instead of waiting for the end of the time, change the stored game and keep the page from storing another.
    page.reload_with_time("black", 3000);
    page.wait_text("#player-black", "Black, Bob – to move");
    let port = serving.port;
    drop(serving);
    page.wait_text("#connection", "Not connected");
    std::thread::sleep(std::time::Duration::from_millis(300));
    let lost = left("black");
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!((left("black") - lost).abs() < 0.01);
    let serving = Serving::start_at(port, &[]);
    page.wait("document.querySelector('#connection').textContent === ''");
    page.forget_faults();
    page.wait_text("#result", "Black has run out of time (1-0)");
    let ptn = page.ptn();
    for tag in ["[Player1 \"Ada <b>\"]", "[Player2 \"Bob\"]", "[Result \"1-0\"]"] {
        assert!(ptn.contains(tag), "{ptn}");
    }
    // Undone, the game continues without clocks; the next one has them again, with colours swapped.
    page.click("#undo");
    page.wait("document.querySelector('#player-black .clock').hidden");
    assert_eq!(page.wait_moves(1), "a1");
    page.make("e5", By::Mouse);
    page.resign();
    page.wait_text("#result", "White resigns (0-1)");
    page.click("#again");
    page.wait_text("#player-white", "White, Bob – to move");
    assert!((left("black") - 12.0).abs() < 0.01);
    page.check();
    drop(serving);
}

pub fn a_game_is_annotated_and_walked_through(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(3, None));
    page.begin("a1 c3 b3 b1");
    // White misses the road along the third row, and allows Black's along the first.
    page.click_squares("a2");
    page.wait_moves(5);
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    let says = page.eval("document.querySelector('#graph').getAttribute('aria-label')");
    assert!(says.as_str().unwrap().contains("after 5 moves "), "{says}");
    let marked = "document.querySelector('#moves [data-at=\"5\"] .marks')?.textContent";
    let marks = page.eval(marked);
    assert!(marks.as_str().is_some_and(|marks| !marks.is_empty()), "{marks}");
    assert!(!page.text("#remarks").is_empty());
    // The turning points lead to their moves.
    assert!(page.text("#turns li:last-child").starts_with("3. a2"), "{}", page.text("#turns"));
    assert!(page.text("#summary").contains("White accuracy"), "{}", page.text("#summary"));
    page.go("#first", 0);
    page.go("#turns li:last-child button", 5);
    // It survives a reload, and is part of the saved game.
    page.reload();
    page.wait(marked);
    assert_eq!(page.eval(marked), marks);
    page.open_files();
    let written = page.eval("document.querySelector('#ptn').value");
    assert!(written.as_str().unwrap().contains("loss:"), "{written}");
    page.click("#annotated");
    page.wait("!document.querySelector('#ptn').value.includes('loss:')");
    page.close_files();
    // The middle of the graph is the middle of the game: the second move or the third, by a fraction of a pixel.
    page.click("#graph");
    page.wait("[2, 3].includes(document.querySelectorAll('#moves .later').length)");
    let here = "Number(document.querySelector('#moves [aria-current]').dataset.at)";
    let middle = page.eval(here).as_u64().unwrap();
    assert!(middle == 2 || middle == 3, "{middle}");
    page.click("#previous");
    page.wait(&format!("{here} === {}", middle - 1));
    page.click("#latest");
    page.wait("document.querySelectorAll('#moves .later').length === 0");
    // Moves other than the annotated ones have no marks.
    page.click("#undo");
    page.wait("document.querySelectorAll('#moves .later').length === 1");
    page.click_squares("a3");
    page.wait("document.querySelector('#moves .variation [aria-current]')?.textContent === 'a3'");
    assert_eq!(page.eval("document.querySelector('#moves .variation .marks')"), Value::Null);
    assert_eq!(page.eval(marked), marks);
    page.check();
}

/// Barriers for people with disabilities that axe-core (Deque Systems, MPL 2.0) finds.
pub fn axe_finds_nothing(url: &str) {
    let axe = fs::read_to_string(axe_core()).expect("axe-core, which AXE can name");
    let page = Page::open(url);
    let looks = Cell::new(0);
    let look = |what: &str| {
        // The dark theme differs only in colours. By default the tests alternate between the themes, in CI they check
        // both.
        let schemes = [("light", ""), ("dark", "runOnly: ['color-contrast'], ")].into_iter();
        looks.set(looks.get() + 1);
        for (scheme, rules) in schemes.skip(looks.get() % step(2)).step_by(step(2)) {
            page.dress(scheme);
            let found = page.eval_async(&format!(
                "axe.run({{ {rules}resultTypes: ['violations'] }}).then(({{ violations }}) => violations.map((each) => \
                 `${{each.id}}: ${{each.nodes.map((node) => node.html).join(' ')}}`))",
            ));
            assert_eq!(found, json!([]), "{what}, {scheme}");
        }
    };
    page.eval(&axe);
    look("the page");
    let tall = "x5/x2,21212121C,x2/x,1,2S,x2/x5/2,x4 1 20";
    page.link(url, &start(5, Some(tall)));
    page.make("a5", By::Mouse);
    page.make("e1", By::Mouse);
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    page.click("#analysing");
    page.wait("document.querySelector('#effort').textContent.includes('depth')");
    page.click_squares("c4");
    page.wait("document.querySelector('.square.lifted')");
    page.eval("document.querySelector('#note').open = true");
    for theme in ["wood", "contrast", "plain"] {
        page.set("theme", theme);
        page.wait(&format!("document.documentElement.dataset.theme === '{theme}'"));
        look(&format!("a game with an analysis, {theme}"));
    }
    look("a game with an analysis");
    page.click("#analysing");
    page.resize(380, 800);
    look("a small screen");
    page.resize(1200, 900);
    page.link(url, &start(3, None));
    page.begin("a1 c3 b3 b1 a2");
    page.click("#annotate");
    page.wait("document.querySelector('#turns [data-again]')");
    page.click("#turns [data-again]");
    page.wait("!document.querySelector('#attempt').hidden");
    look("a mistake tried again");
    page.click("#attempt-end");
    for view in ["puzzles", "learn"] {
        page.eval(&format!("void (location.hash = '{view}')"));
        page.wait("document.querySelector('#task-goal')?.textContent.startsWith('You are')");
        page.eval("document.querySelector('#task details')?.setAttribute('open', '')");
        look(view);
    }
    page.open_view("explore", "");
    page.collect(&[(
        "games.ptn",
        "[Size \"3\"]\n[Rating1 \"1500\"]\n1. a1 c3 1-0\n\n[Size \"3\"]\n1. a1 b2 0-1\n\n[Size \"3\"]\n1. a9",
    )]);
    page.wait_text("#explore-summary", "No game has this position.");
    page.click("#task .steps button");
    page.wait("document.querySelector('#explore-moves tbody tr')");
    page.eval("document.querySelector('#task details').open = true");
    look("explore");
    page.eval("void (location.hash = '')");
    page.wait("document.querySelector('#task').hidden");
    for (button, dialog) in [("#open-new", "#new-game"), ("#open-files", "#files"), ("#open-keys", "#keys")] {
        // Without a mouse one of them is not shown.
        page.eval(&format!("document.querySelector('{button}').click()"));
        page.wait(&format!("document.querySelector('{dialog}').open"));
        look(dialog);
        page.keys("Escape");
        page.wait(&format!("!document.querySelector('{dialog}').open"));
    }
    page.new_game("mode two, time clock");
    look("a game with clocks");
    page.visit(&format!("{url}how-to-play.html"));
    page.eval(&axe);
    look("how to play");
}

/// Variations, comments, marks and evaluations of a file are shown and saved again.
pub fn everything_in_a_file_is_kept(url: &str) {
    let page = Page::open(url);
    let ptn = "[Player1 \"Ada\"]\n[Player2 \"Bob\"]\n[Result \"*\"]\n[Size \"5\"]\n[Komi \"2\"]\n\n{A lesson}\n\
               1. a1 e5 {*corners}\n2. c3!? {wdl:700,0,300 +0.40/9} c4 *\n\n\
               {2b_d4}\n2. -- d4? {too far}\n3. e3 1-0\n\n{2b_d4/mine}\n3. a3\n";
    page.paste(ptn);
    page.wait("!document.querySelector('#files').open");
    assert_eq!(page.wait_moves(4), "a1 e5 c3!? c4");
    let row = |text: &str| {
        format!("[...document.querySelectorAll('#moves .variation')].some((row) => row.textContent.includes('{text}'))")
    };
    page.wait(&row("2... d4? 3. e3"));
    page.wait(&row("3. a3"));
    page.click("#first");
    page.wait_text("#comments", "A lesson");
    page.click("#next");
    page.click("#next");
    page.wait("document.querySelector('#comments').textContent === 'corners'");
    // The numbers of an engine are a point of the graph.
    page.click("#next");
    page.wait("document.querySelector('#comments').hidden");
    let says = page.eval("document.querySelector('#graph').getAttribute('aria-label')");
    assert!(says.as_str().unwrap().contains("after 3 moves 70 %"), "{says}");
    assert_eq!(page.ptn(), ptn);
    page.eval(
        "[...document.querySelectorAll('#moves .variation button')].find((move) => move.textContent === 'd4?').click()",
    );
    page.wait_text("#comments", "too far");
    assert_eq!(page.ptn(), ptn);
    page.reload();
    page.wait_text("#comments", "too far");
    // An annotation changes the main line alone.
    page.click("#latest");
    page.wait_text("#result", "Result 1-0");
    page.click("#moves [data-at='4']");
    page.wait_text("#notice", "After c4");
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    let annotated = page.ptn();
    assert!(
        annotated.contains("{*corners} {name:") && annotated.ends_with(&ptn[ptn.find("{2b_d4}").unwrap()..]),
        "{annotated}"
    );
    // A link has everything but the tags.
    let other = beside_by_link(&page);
    other.wait(&row("2... d4? 3. e3"));
    other.check();
    page.check();
}

pub fn games_and_positions_come_in_and_go_out(url: &str) {
    let page = Page::open(url);
    page.link(url, &start(5, None));
    page.begin("a1 e5");
    let paste = |text: &str| {
        page.wait("document.querySelector('#files').open");
        page.eval(&format!("void (document.querySelector('#paste').value = {text:?})"));
        page.click("#paste-open");
    };
    page.click("#open-files");
    // The error is shown, and nothing is lost.
    paste("[Size \"5\"]\n1. a1 a1");
    page.wait_text("#files-problem", "move 2, a1, is not possible");
    assert_eq!(page.wait_moves(2), "a1 e5");
    paste("<img src=x onerror=alert(1)>");
    page.wait_text("#files-problem", "invalid PTN");
    let ptn = "[Date \"2026.11.25\"]\n[Round \"3\"]\n[Size \"7\"]\n[Komi \"2\"]\n\n1. a1 g7 2. Cd4 Cc3 3. Ce5 Cf6 4. Sb2 3d4> *";
    paste(&ptn.replace(" 3d4>", " Sb3"));
    page.wait("!document.querySelector('#files').open");
    assert_eq!(page.wait_moves(8), "a1 g7 Cd4 Cc3 Ce5 Cf6 Sb2 Sb3");
    page.wait_text("#player-black", "+2");
    page.open_files();
    let written = page.eval("[document.querySelector('#ptn').value, document.querySelector('#tps').value]");
    for part in ["[Date \"2026.11.25\"]", "[Round \"3\"]", "4. Sb2 Sb3 *"] {
        assert!(written[0].as_str().unwrap().contains(part), "{written}");
    }
    assert_eq!(written[1], "x6,1/x5,2C,x/x4,1C,x2/x3,1C,x3/x,2S,2C,x4/x,1S,x5/2,x6 1 5");
    // The saved game can be opened again; a colour is not stored as a name.
    paste(written[0].as_str().unwrap());
    page.wait("!document.querySelector('#files').open");
    assert_eq!(page.text("#player-white .name"), "White – to move");
    page.click("#open-files");
    paste("x5/x5/x2,12,x2/x5/x5 2 7");
    page.wait("!document.querySelector('#files').open");
    page.wait("document.querySelectorAll('[role=gridcell]').length === 25");
    assert!(page.square("c3").starts_with("c3: black flat on white. Enter lifts 2."), "{}", page.square("c3"));
    page.check();
}
