//! The frame of every page that this program writes: one file without network access or scripts, light or dark as the
//! reader's system.

pub mod chart;
pub mod table;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::notation::{shown, turns_text};

/// The style of all pages: colours, headings, sections, tables, lists, folded parts.
const STYLE: &str = include_str!("page.css");

/// Foreign text, such as a name, that does not change the direction of the text around it.
pub fn isolated(text: &str) -> Markup {
    html! { bdi { (shown(text)) } }
}

/// A page with a heading and a line below it, which is also part of the title. `style` is added to the common style.
pub fn page(heading: &str, subject: &Markup, style: &str, main: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (heading) ": " (PreEscaped(without_tags(&subject.0))) }
                style { (PreEscaped(STYLE)) (PreEscaped(style)) }
            }
            body {
                header { h1 { (heading) } p { (subject) } }
                main { (main) }
            }
        }
    };
    // Names and moves come from other programs. HTML forbids control characters, and a terminal would obey them. Others
    // would change the direction of the text around them.
    let forbidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || turns_text(c);
    page.into_string().replace(forbidden, "\u{fffd}") + "\n"
}

/// Markup without its elements, for a title.
fn without_tags(markup: &str) -> String {
    let parts = markup.split('<').enumerate();
    parts
        .map(|(place, part)| if place == 0 { part } else { part.split_once('>').map_or("", |(_, text)| text) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stay_texts() {
        let text = "<b>&\"\u{1b}[1m";
        let page = page(text, &html! { (text) }, "", &html! { p title=(text) { (text) } });
        let safe = "&lt;b&gt;&amp;&quot;\u{fffd}[1m";
        assert_eq!(page.matches(safe).count(), 6);
        assert!(!page.contains("<b>") && !page.contains('\u{1b}'));
    }
    #[test]
    fn names_do_not_turn_the_text_around_them() {
        let subject = html! { (isolated("a\u{202e}b")) " – " (isolated("c")) ", R-0" };
        let page = page("Review", &subject, "", &html! {});
        assert!(page.contains("<title>Review: a\u{fffd}b – c, R-0</title>"), "{page}");
        assert!(page.contains("<bdi>a\u{fffd}b</bdi> – <bdi>c</bdi>, R-0"), "{page}");
        assert!(!page.contains('\u{202e}'));
    }
}
