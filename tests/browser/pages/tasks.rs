//! Puzzles and lessons, which are set on the board in the place of the game, and mistakes that are tried again.

use serde_json::{Value, json};
use tak_engine::page::file;

use super::browsing::{Page, start};

/// A road in 3 plies: Cd5, then d1 or e1.
pub const TINUE: &str = r#"["tinue","x4,2/x,2,x,1,x/x,2,x,1,x/x,2,x,1,1/x5 1 5",0,21,21,1,1,3,1,"Cd5 d1 e1"]"#;

/// A road in 5 plies.
const FIVE: &str = r#"["tinue","x2,12,1,1/1,1,1C,12,x/x2,2C,2,2/x5/x5 1 8",0,21,21,1,1,5,2,"c4+ d4+ 2c5>"]"#;

/// The number of such puzzles that come with the program.
fn shipped(is_such: impl Fn(&Value) -> bool) -> usize {
    let files = [4, 5, 6, 7].map(|size| file(&format!("/puzzles-{size}x{size}.jsonl")).unwrap().text);
    let puzzles = files.iter().flat_map(|text| text.lines()).map(|line| serde_json::from_str::<Value>(line).unwrap());
    puzzles.filter(|puzzle| is_such(puzzle)).count()
}

impl Page {
    /// Opens a view of the page; its detail is a part of its address.
    pub fn open_view(&self, name: &str, detail: &str) {
        self.eval(&format!("void (location.hash = {:?})", format!("{name}{detail}")));
        self.wait("!document.querySelector('#task').hidden && document.querySelectorAll('[role=gridcell]').length > 0");
    }

    pub fn open_puzzle(&self, puzzle: &str) {
        let detail = self.eval(&format!("'/' + btoa({puzzle:?}).replaceAll('=', '')"));
        self.open_view("puzzles", detail.as_str().unwrap());
        // It is spoken after all is drawn.
        self.wait(
            "document.querySelector('#said').textContent.includes(document.querySelector('#task-goal').textContent)",
        );
    }

    pub fn wait_verdict(&self, text: &str) {
        self.wait_text("#task-verdict", text);
    }

    /// The state of the puzzles that the browser stores.
    pub fn results(&self) -> Value {
        let text = self.eval("localStorage.getItem('tak-engine-puzzles') ?? 'null'");
        serde_json::from_str(text.as_str().unwrap()).unwrap()
    }

    pub fn place(&self, kind: &str, square: &str) {
        self.click(&format!("#kinds [data-kind={kind}]"));
        self.wait(&format!("document.querySelector('#kinds [data-kind={kind}]').ariaPressed === 'true'"));
        self.click_squares(square);
    }
}

pub fn a_puzzle_is_solved_by_playing(url: &str) {
    let page = Page::open(url);
    page.open_puzzle(TINUE);
    page.wait_text("#task-goal", "You are White. Force a road in 3 plies: 2 moves of yours, whatever Black answers.");
    assert_eq!(page.eval("document.activeElement.closest('dialog')"), Value::Null);
    // A move that does not do it gets the best answer, which the engine finds.
    page.click_squares("d5");
    page.wait_verdict("d5 is not the move: the defence is ");
    assert_eq!(page.results()["done"].as_object().unwrap().values().collect::<Vec<_>>(), [&json!(0)]);
    // Nothing can be moved until it is taken back.
    page.click_squares("a1");
    page.wait_text("#task-notice", "It is not your turn");
    page.click("#task-retry");
    page.wait("document.querySelector('#square-d5').ariaLabel.startsWith('d5: empty')");
    page.place("capstone", "d5");
    page.wait_verdict("Cd5 is right. The answer is d1: go on.");
    assert!(page.square("d1").starts_with("d1: black flat"), "{}", page.square("d1"));
    page.click_squares("e1");
    page.wait_verdict("Solved!");
    // Only the first try counts.
    let results = page.results();
    assert_eq!(results["streak"], 0);
    assert!(results["rating"].as_f64().unwrap() < 1500.0, "{results}");
    page.check();
}

/// Without the known line the engine answers, and another win that is as fast counts.
pub fn every_win_that_is_as_fast_is_accepted(url: &str) {
    let page = Page::open(url);
    // At another move number it is none of the program's puzzles.
    page.open_puzzle(&TINUE.replace("1 5\"", "1 6\"").replace("Cd5 d1 e1", "Cd5"));
    page.place("capstone", "d5");
    page.wait_verdict("Cd5 is right. The answer is ");
    let answer = page.text("#task-verdict");
    let finish = if answer.contains("d1") { "e1" } else { "d1" };
    page.click_squares(finish);
    page.wait_verdict("Solved! Your rating rises by ");
    let results = page.results();
    assert_eq!((&results["streak"], &results["longest"]), (&json!(1), &json!(1)));
    // In this one the third ply of the solution is 2c5>.
    page.open_puzzle(FIVE);
    page.click_squares("c4 c5");
    page.wait_verdict("c4+ is right. The answer is d4+: go on.");
    page.click_squares("d4 d5");
    page.wait_verdict("d4+ wins too. The answer is ");
    // The same puzzle again changes nothing.
    page.open_puzzle(&TINUE.replace("1 5\"", "1 6\""));
    page.place("capstone", "d5");
    page.wait_verdict("go on");
    page.click_squares("e1");
    page.wait_verdict("Solved!");
    assert_eq!(page.results(), results);
    page.check();
}

pub fn puzzles_are_chosen_and_shown(url: &str) {
    let page = Page::open(url);
    // Nothing of the views is loaded with the page.
    let loaded = "performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop()).filter((name) => \
                  /puzzle|learn|lesson|task.css/.test(name)).sort().join(' ')";
    assert_eq!(page.eval(loaded), "");
    page.open_view("puzzles", "");
    page.wait_text("#task-left", &format!("{} puzzles, 0 tried", shipped(|_| true)));
    assert!(page.eval(loaded).as_str().unwrap().contains("puzzles-4x4.jsonl puzzles-5x5.jsonl puzzles-6x6.jsonl"));
    page.eval("void (document.querySelector('#task-choice').open = true)");
    page.set("task-group", "defence");
    let is_defence = |puzzle: &Value| puzzle["kind"] == "defence";
    page.wait_text("#task-left", &format!("{} puzzles", shipped(is_defence)));
    page.wait_text("#task-title", "only defence");
    page.set("task-size", "6");
    let left = format!("{} puzzles", shipped(|puzzle| is_defence(puzzle) && puzzle["size"] == 6));
    page.wait_text("#task-left", &left);
    page.wait("document.querySelectorAll('[role=gridcell]').length === 36");
    // To see the solution is no success.
    page.click("#task-solution");
    page.wait_verdict("The solution is ");
    assert_eq!(page.results()["streak"], 0);
    page.wait_text("#task-left", &format!("{left}, 1 tried, 0 of them solved"));
    page.keys("]");
    page.wait("document.querySelector('.square.last')");
    page.click("#task-next");
    page.wait("document.querySelector('#task-verdict').textContent === '' && !document.querySelector('.square.last')");
    // The puzzle of the day is the same each time.
    page.click("#task-today");
    page.wait_text("#task-title", "Puzzle of the day");
    let board = "[...document.querySelectorAll('[role=gridcell]')].map((cell) => cell.ariaLabel).join()";
    let today = page.eval(board);
    page.click("#task-next");
    page.wait("!document.querySelector('#task-title').textContent.includes('day')");
    page.click("#task-today");
    page.wait(&format!("{board} === {today}"));
    page.check();
}

pub fn puzzles_of_a_file_are_opened(url: &str) {
    let page = Page::open(url);
    page.open_view("puzzles", "");
    page.wait_text("#task-left", &format!("{} puzzles", shipped(|_| true)));
    let drop_in = |text: &str, name: &str| {
        page.eval(&format!(
            "(() => {{ const files = new DataTransfer(); files.items.add(new File([{text:?}], {name:?})); \
             const input = document.querySelector('#task input[type=file]'); input.files = files.files; \
             input.dispatchEvent(new Event('change')); }})()"
        ));
    };
    drop_in("nothing\n", "bad.jsonl");
    page.wait_text("#task-notice", "This file holds no puzzles");
    let line = |tps: &str| {
        json!({"kind": "best", "tps": tps, "size": 3, "komi": 0, "flats": [10, 10], "caps": [0, 0], "plies": null, "difficulty": 1,
            "solution": {"move": "a1", "answers": []}, "wrong": []})
    };
    drop_in(&format!("{}\nnot a puzzle\n", line("1,x2/x3/x2,2 1 2")), "mine.jsonl");
    page.wait_verdict("1 puzzle of mine.jsonl; 1 line is no puzzle.");
    page.click_squares("a1");
    page.wait_verdict("Solved!");
    // A position that is not legal is named, and the page goes on.
    drop_in(&line("1,x2/x3/x2,2S2 1 2").to_string(), "illegal.jsonl");
    page.wait_text("#task-notice", "cannot be read");
    // One may also be dropped on the page.
    page.eval(&format!(
        "(() => {{ const files = new DataTransfer(); files.items.add(new File([{:?}], 'again.jsonl')); \
         document.querySelector('#grid').dispatchEvent(new DragEvent('drop', {{ bubbles: true, dataTransfer: files }})); }})()",
        line("1,x2/x3/x2,2 1 3").to_string()
    ));
    page.wait_verdict("1 puzzle of again.jsonl.");
    assert_eq!(page.eval("document.querySelector('dialog[open]')"), Value::Null);
    page.check();
}

/// The game is set aside, and comes back with its moves.
pub fn a_game_comes_back_after_puzzles(url: &str) {
    let page = Page::open(url);
    page.new_game("size 5, mode two, white Ada");
    page.begin("a1 e5 c3");
    page.click("header a[href='#puzzles']");
    page.wait("document.querySelector('#task-goal')?.textContent.startsWith('You are')");
    page.eval("void history.back()");
    page.wait("document.querySelector('#task').hidden");
    assert_eq!(page.wait_moves(3), "a1 e5 c3");
    page.wait_text("#player-white", "White, Ada");
    // A reload comes back to the view, and still has the game.
    page.open_puzzle(TINUE);
    page.reload();
    page.wait("document.querySelector('#task-goal')?.textContent.startsWith('You are White')");
    page.click("#task a[href='#']");
    page.wait("document.querySelector('#task').hidden");
    assert_eq!(page.wait_moves(3), "a1 e5 c3");
    page.click_squares("d3");
    page.wait_moves(4);
    // A new game or a link ends the view, and keeps the game.
    page.open_view("learn", "");
    page.new_game("size 4, mode two");
    page.wait("document.querySelector('#task').hidden && document.querySelectorAll('[role=gridcell]').length === 16");
    page.click("#former");
    assert_eq!(page.wait_moves(4), "a1 e5 c3 d3");
    page.open_view("puzzles", "");
    page.link(url, &start(3, None));
    assert_eq!(page.eval("document.querySelector('#task').hidden"), true);
    // With running clocks there are no puzzles.
    page.new_game("mode two, time clock");
    page.begin("a1");
    page.eval("void (location.hash = 'puzzles')");
    page.wait_text("#notice", "First finish the game, since its clocks are running.");
    assert_eq!(page.eval("document.querySelector('#task').hidden && location.hash"), "");
    page.check();
}

pub fn hostile_addresses_and_results_are_harmless(url: &str) {
    let page = Page::open(url);
    page.eval("localStorage.setItem('tak-engine-puzzles', '{\"format\": 7}'); localStorage.setItem('tak-engine-lessons', '[[')");
    for detail in ["/x", "/<b>", "/%", "/W10="] {
        page.open_view("puzzles", detail);
        page.wait_verdict("This link holds no puzzle. Here is another one.");
    }
    page.open_view("learn", "/nothing");
    page.wait_text("#task-title", "1. The road (1 of 4)");
    page.eval("void (location.hash = 'constructor')");
    page.wait_text("#said", "Invalid link");
    page.check();
}

pub fn a_lesson_explains_wrong_moves_and_is_kept(url: &str) {
    let page = Page::open(url);
    page.open_view("learn", "");
    page.wait_text("#task-title", "1. The road (1 of 4)");
    // By keyboard: a wall is wrong, and a flat is right.
    page.eval("document.querySelector('#grid').focus()");
    page.keys("c Right Enter");
    page.wait_verdict("That stone stands on its edge");
    page.wait("document.activeElement.id === 'task-retry'");
    page.keys("Enter");
    page.wait("document.querySelector('#task-verdict').textContent === ''");
    page.wait("document.querySelector('#square-b1').ariaLabel.startsWith('b1: empty')");
    page.eval("document.querySelector('#grid').focus()");
    page.keys("Enter");
    page.wait_verdict("Good. The stone lies flat");
    page.wait("document.activeElement.id === 'task-next'");
    page.keys("Enter");
    page.wait_text("#task-title", "1. The road (2 of 4)");
    page.reload();
    page.wait_text("#task-title", "1. The road (2 of 4)");
    page.click_squares("d2");
    page.wait_verdict("A road. The game is over, and you have won.");
    page.check();
}

/// Every lesson to its end: each move shown is the right one.
pub fn all_lessons_can_be_finished(url: &str) {
    let page = Page::open(url);
    page.open_view("learn", "");
    let mut steps = 0;
    loop {
        page.wait(
            "document.querySelector('#said').textContent.includes(document.querySelector('#task-goal').textContent)",
        );
        let title = page.text("#task-title");
        page.click("#task-solution");
        page.wait("document.querySelector('#task-verdict').textContent !== ''");
        assert_eq!(page.eval("document.querySelector('#task-verdict').className"), "right", "{title}");
        steps += 1;
        if page.text("#task-next") == "Puzzles" {
            break;
        }
        page.click("#task-next");
        page.wait(&format!("document.querySelector('#task-title').textContent !== {title:?}"));
    }
    assert_eq!(page.eval("document.querySelectorAll('#task-lessons li').length"), 12);
    assert!(steps >= 36, "{steps}");
    assert_eq!(
        page.eval(
            "[...document.querySelectorAll('#task-lessons li')].every((row) => row.textContent.includes('done'))"
        ),
        true
    );
    page.click("#task-next");
    page.wait_text("#task-title", "Puzzle");
    page.check();
}

/// An annotated game in which White misses the road along the third row, and allows Black's along the first.
fn annotated_game(url: &str) -> Page {
    let page = Page::open(url);
    page.link(url, &start(3, None));
    page.begin("a1 c3 b3 b1 a2");
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    page
}

/// A mistake of an annotated game can be tried again.
pub fn a_mistake_is_tried_again(url: &str) {
    let page = annotated_game(url);
    // The list does not tell the better move.
    assert!(!page.text("#turns li:last-child").contains("a3"), "{}", page.text("#turns"));
    page.click("#turns li:last-child [data-again]");
    page.wait_text("#attempt-text", "White played a2 here. Find a better move.");
    assert!(page.square("a2").starts_with("a2: empty"), "{}", page.square("a2"));
    page.click_squares("b2");
    page.wait_text("#attempt-text", "b2 is not better: your chances are 0 %, after c1. Try another move.");
    assert_eq!(page.eval("document.querySelector('#attempt-show').hidden"), true);
    page.click_squares("a2");
    page.wait_text("#attempt-text", "a2 is the move that was played. Try another move.");
    page.click("#attempt-show");
    page.wait_text("#attempt-text", "The move is a3. With a3 White has a road in 1 ply.");
    page.wait("document.querySelector('#drawing .advised')");
    // Tries are no variations.
    page.wait_moves(5);
    assert_eq!(page.eval("document.querySelector('#moves .variation')"), Value::Null);
    page.click("#attempt-end");
    page.wait("document.querySelector('#attempt').hidden && !document.querySelector('#drawing .advised')");
    page.click("#turns li:last-child [data-again]");
    page.wait_text("#attempt-text", "Find a better move.");
    page.click_squares("a3");
    page.wait_text("#attempt-text", "a3 is right. With a3 White has a road in 1 ply.");
    // Another position ends it.
    page.click("#latest");
    page.wait("document.querySelector('#attempt').hidden");
    page.check();
}

/// The graph tells the chances under the pointer.
pub fn the_graph_tells_its_values(url: &str) {
    let page = annotated_game(url);
    page.hover("#graph");
    page.wait("/^\\d\\.(\\.\\.)? \\w\\d\\S*: White \\d+ %$/.test(document.querySelector('#graph-value').textContent)");
    page.hover("#grid");
    page.wait("document.querySelector('#graph-value').textContent === ''");
    page.check();
}
