//! Marks and comments of moves, which are edited on the page.

use serde_json::json;

use super::browsing::Page;
use super::lines::beside_by_link;

impl Page {
    /// Writes into a field as a person does, who then leaves it.
    fn fill(&self, id: &str, text: &str) {
        self.eval(&format!(
            "(() => {{ const field = document.getElementById({id:?}); field.focus(); field.value = {text:?}; \
             field.dispatchEvent(new Event('change')); field.blur(); }})()"
        ));
    }
}

const HEAD: &str = "[Player1 \"Ada\"]\n[Player2 \"Bob\"]\n[Result \"*\"]\n[Size \"5\"]\n[Komi \"2\"]\n\n";

pub fn marks_and_comments_are_edited(url: &str) {
    let page = Page::open(url);
    page.paste(&format!(
        "{HEAD}1. a1 e5 {{*corners}} {{next}}\n2. c3!? {{wdl:700,0,300 +0.40/9}} c4 *\n\n{{2b_d4}}\n2. -- d4\n"
    ));
    page.wait("!document.querySelector('#files').open");
    page.wait_moves(4);
    page.eval("document.querySelector('#note').open = true");
    let fields =
        "['mark', 'comment'].map((id) => document.getElementById(id)).map(({ value, disabled }) => [value, disabled])";
    page.click("#first");
    page.wait(&format!("JSON.stringify({fields}) === '[[\"\",true],[\"\",true]]'"));
    page.click("#moves [data-at='2']");
    page.wait("document.querySelector('#comment').value === 'corners\\nnext'");
    page.fill("comment", "corners\nand {more}\n+1 for this");
    page.wait_text("#comments", "corners\nand (more)\n+1 for this");
    // The next move has numbers of an engine, which stay. Markup is text.
    page.click("#next");
    page.wait("document.querySelector('#mark').value === '!?'");
    page.fill("mark", "??");
    page.fill("comment", "<img src=x onerror='document.title=1'>");
    page.wait("document.querySelector('#moves [data-at=\"3\"]').textContent === 'c3??'");
    // And in a variation.
    page.eval("[...document.querySelectorAll('#moves .variation button')][0].click()");
    page.wait("document.querySelector('#comment').value === ''");
    page.fill("mark", "!");
    page.wait_text("#moves .variation", "d4!");
    let written = format!(
        "{HEAD}1. a1 e5 {{*corners}} {{and (more)}} {{*+1 for this}}\n\
         2. c3?? {{<img src=x onerror='document.title=1'>}} {{wdl:700,0,300 +0.40/9}} c4 *\n\n{{2b_d4}}\n2. -- d4!\n"
    );
    assert_eq!(page.ptn(), written);
    page.reload();
    page.wait_text("#moves .variation", "d4!");
    assert_eq!(page.ptn(), written);
    // Links hold them too.
    let other = beside_by_link(&page);
    other.wait_text("#moves .variation", "d4!");
    other.click("#moves [data-at='2']");
    other.wait_text("#comments", "corners\nand (more)\n+1 for this");
    other.check();
    other.close();
    page.close_files();
    // Keys in the field are letters, and a wheel over the board keeps what was written.
    page.click("#latest");
    page.eval("(() => { document.querySelector('#note').open = true; document.querySelector('#comment').focus(); })()");
    page.keys("[ ?");
    assert_eq!(
        page.eval("[document.querySelector('#keys').open, document.querySelector('#comment').value]"),
        json!([false, "[?"])
    );
    page.eval("document.querySelector('#grid').dispatchEvent(new WheelEvent('wheel', { deltaY: -200, bubbles: true, cancelable: true }))");
    page.wait("document.querySelector('#comment').value !== '[?'");
    assert!(page.ptn().contains("{[?}"), "{}", page.ptn());
    page.check();
}

/// The marks and notes of an annotation stay beside those of the user.
pub fn an_annotated_game_can_be_commented(url: &str) {
    let page = Page::open(url);
    page.paste("[Size \"3\"]\n1. a1 c3 2. b3 b1 {before} 3. a2");
    page.wait_moves(5);
    page.click("#annotate");
    page.wait_text("#notice", "The game is annotated.");
    let annotated = page.ptn();
    let marks = "[...document.querySelectorAll('#moves .marks')].map((each) => each.textContent).join()";
    let before = page.eval(marks);
    assert!(before.as_str().unwrap().contains('?'), "{before}");
    // The report is a page of its own.
    page.eval(
        "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { \
         window.saved = text; }); return make(blob); }; })()",
    );
    page.click("#report");
    page.wait_text("#notice", "The report is saved.");
    page.wait("window.saved?.startsWith('<!DOCTYPE html>') && window.saved.includes('Turning points')");
    page.eval("document.querySelector('#note').open = true");
    page.click("#moves [data-at='4']");
    page.wait("document.querySelector('#comment').value === 'before'");
    page.fill("comment", "after all");
    page.wait_text("#comments", "after all");
    let expected = annotated.replace("{before}", "{after all}");
    page.wait_for("the annotated game has the comment", || page.ptn() == expected);
    assert_eq!(page.eval(marks), before);
    page.click("#latest");
    page.wait("document.querySelector('#mark').value.includes('?')");
    page.fill("mark", "");
    page.wait("!document.querySelector('#moves [data-at=\"5\"]').textContent.includes('?')");
    page.wait("document.querySelectorAll('#turns li').length === 0 || !document.querySelector('#turns').textContent.includes('a2')");
    page.check();
}
