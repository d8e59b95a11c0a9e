//! The frame of every page that this program writes: one file that needs nothing else, neither network nor scripts,
//! light or dark as the reader's system is.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The style that all pages share: colours, headings, sections, tables, lists, folded parts.
const STYLE: &str = include_str!("html/page.css");

/// A page with a heading and a line below it. `style` is what this kind of page needs beyond the common style.
pub fn page(heading: &str, subject: &str, style: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (heading) ": " (subject) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                header { h1 { (heading) } p { (subject) } }
                main { (main) }
            }
        }
    };
    // Names and moves come from other programs. HTML forbids these characters, and a terminal would obey them.
    let forbidden = |c: char| c.is_control() && c != '\n' && c != '\t';
    page.into_string().replace(forbidden, "\u{fffd}") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        let text = "<b>&\"\u{1b}[1m";
        let page = page(text, text, "", &html! { p title=(text) { (text) } });
        let safe = "&lt;b&gt;&amp;&quot;\u{fffd}[1m";
        assert_eq!(page.matches(safe).count(), 6);
        assert!(!page.contains("<b>") && !page.contains('\u{1b}'));
    }
}
