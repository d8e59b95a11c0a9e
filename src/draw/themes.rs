//! Colours, in themes.css: White's pieces are always lighter than Black's, and each has an edge of the other kind; the
//! colours of moves are those of Okabe and Ito, which colour-blind people can distinguish, and no mark differs from
//! another by its colour alone.

use std::fmt::Write as _;

/// The variables of all themes: one a line, in a block for each theme. Blocks name only what differs from the first one.
const VARIABLES: &str = include_str!("themes.css");

/// The colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// For light pages.
    #[default]
    Light,
    /// For dark pages.
    Dark,
    /// A light wooden board.
    Wood,
    /// A dark wooden board.
    WoodDark,
    /// As much contrast as possible, for light pages.
    Contrast,
    /// As much contrast as possible, for dark pages.
    ContrastDark,
    /// Black and white only, with some light grey.
    Print,
}

impl Theme {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Light, Self::Dark, Self::Wood, Self::WoodDark, Self::Contrast, Self::ContrastDark, Self::Print];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Wood => "wood",
            Self::WoodDark => "wood-dark",
            Self::Contrast => "contrast",
            Self::ContrastDark => "contrast-dark",
            Self::Print => "print",
        }
    }

    /// The theme of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The selector of the theme's block, and whether its dark colours are meant.
    const fn place(self) -> (&'static str, bool) {
        match self {
            Self::Light => (":root", false),
            Self::Dark => (":root", true),
            Self::Wood => ("[data-theme=\"wood\"]", false),
            Self::WoodDark => ("[data-theme=\"wood\"]", true),
            Self::Contrast => ("[data-theme=\"contrast\"]", false),
            Self::ContrastDark => ("[data-theme=\"contrast\"]", true),
            Self::Print => ("[data-theme=\"print\"]", false),
        }
    }

    /// The value of a variable.
    fn color(self, name: &str) -> Option<&'static str> {
        let (selector, is_dark) = self.place();
        let value = variable(selector, name).or_else(|| variable(":root", name))?;
        let Some(pair) = value.strip_prefix("light-dark(") else { return Some(value) };
        let (light, dark) = pair.strip_suffix(')')?.split_once(", ")?;
        Some(if is_dark { dark } else { light })
    }

    /// The class of pictures of this theme, so that several of them can be parts of one page.
    pub(super) fn scope(self) -> String {
        format!("tak-{}", self.name())
    }

    /// The style sheet of pictures with this class.
    pub(super) fn rules(self, scope: &str) -> String {
        let mut parts = RULES.split("var(");
        let mut rules = parts.next().unwrap_or_default().to_owned();
        for (name, rest) in parts.filter_map(|part| part.split_once(')')) {
            rules.push_str(self.color(name).unwrap_or_default());
            rules.push_str(rest);
        }
        for (index, dashes) in DASHES.iter().enumerate() {
            let color = self.color(&format!("--move-{index}")).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = writeln!(
                rules,
                ".tak .m{index}{{fill:{color};stroke:{color}}}\n\
                 .tak .m{index} .line,.tak .m{index}>.ring{{stroke-dasharray:{dashes}}}"
            );
        }
        rules.replace(".tak ", &format!(".{scope} "))
    }
}

/// The value of a variable in the block of a selector.
fn variable(selector: &str, name: &str) -> Option<&'static str> {
    let (_, block) = VARIABLES.split_once(&format!("\n{selector} {{\n"))?;
    let mut lines = block.split_once('}')?.0.lines();
    lines.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": ")?.strip_suffix(';'))
}

/// The style sheet of a page with diagrams in it: light or dark as the reader's system is, black and white on paper.
pub fn page_style() -> String {
    format!(
        "{}@media (prefers-color-scheme: dark) {{\n{}}}\n@media print {{\n{}}}\n.tak .paper{{fill:none}}\n",
        Theme::Light.rules("tak"),
        Theme::Dark.rules("tak"),
        Theme::Print.rules("tak")
    )
}

/// The dashes in the lines of moves, which distinguish them without colours as well.
const DASHES: [&str; 6] = ["none", "16 7", "5 6", "16 6 5 6", "26 7", "9 9"];

/// The style sheet with variables in place of colours.
const RULES: &str = "\
.tak .text path{fill:none;stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.tak .ink{stroke:var(--ink)}
.tak .soft{stroke:var(--soft)}
.tak .count{stroke:var(--ink)}
.tak .paper{fill:var(--sheet)}
.tak .light{fill:var(--light)}
.tak .dark{fill:var(--dark)}
.tak .frame{fill:none;stroke:var(--frame);stroke-width:2}
.tak .white{fill:var(--white-side);stroke:var(--white-edge);stroke-width:2}
.tak .black{fill:var(--black-side);stroke:var(--black-edge);stroke-width:2}
.tak .white .face{fill:var(--white-face)}
.tak .black .face{fill:var(--black-face)}
.tak .on-white{stroke:var(--white-edge)}
.tak .on-black{stroke:var(--black-edge)}
.tak .ring{fill:none}
.tak .last{fill:var(--last);stroke:var(--last-line);stroke-width:2}
.tak .from{stroke-dasharray:8 6}
.tak .road{fill:var(--road)}
.tak .casing{fill:none;stroke:var(--casing);stroke-width:15;stroke-linecap:round;stroke-linejoin:round}
.tak .road-line{fill:none;stroke:var(--road-line);stroke-width:7;stroke-linecap:round;stroke-linejoin:round}
.tak .turn{fill:var(--ink)}
.tak .last-move{fill:var(--last-line);stroke:var(--last-line)}
.tak .line{fill:none;stroke-width:8}
.tak .head{stroke:var(--casing);stroke-width:3;stroke-linejoin:round}
.tak .disc{stroke:var(--casing);stroke-width:3}
.tak .on-move{stroke:var(--casing)}
.tak .on-move path{stroke-width:1.8}
.tak .pale{opacity:.7}
.tak .move>.ring{stroke-width:5;fill:none}
";

#[cfg(test)]
mod tests {
    use super::*;

    /// The relative luminance of a colour, as the accessibility guidelines of the W3C define it.
    fn luminance(color: &str) -> f64 {
        let digits = u32::from_str_radix(color.strip_prefix('#').unwrap(), 16).unwrap();
        assert_eq!(color.len(), 7, "{color}");
        let part = |shift: u32| {
            let share = f64::from(digits >> shift & 0xff) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(16) + 0.7152 * part(8) + 0.0722 * part(0)
    }

    fn contrast(theme: Theme, one: &str, other: &str) -> f64 {
        let light = |name| luminance(theme.color(&format!("--{name}")).unwrap()) + 0.05;
        let (one, other) = (light(one), light(other));
        one.max(other) / one.min(other)
    }

    #[test]
    fn every_text_has_enough_contrast() {
        for theme in Theme::ALL {
            let mut texts = vec![("ink", "sheet"), ("soft", "sheet"), ("on-accent", "accent")];
            for text in ["ink", "soft", "accent", "alarm", "road-line"] {
                texts.extend([(text, "paper"), (text, "panel")]);
            }
            for square in ["light", "dark", "last", "road"] {
                texts.extend([("coordinates", square), ("ink", square)]);
            }
            texts.extend([("white-edge", "white-face"), ("black-edge", "black-face"), ("panel", "alarm")]);
            texts.extend(["move-0", "move-1", "move-2", "move-3", "move-4", "move-5"].map(|color| (color, "casing")));
            // Paper has no links and warnings.
            let texts = texts.into_iter().filter(|(text, on)| {
                theme != Theme::Print
                    || ![*text, *on].iter().any(|name| ["accent", "alarm", "on-accent"].contains(name))
            });
            for (text, ground) in texts {
                let ratio = contrast(theme, text, ground);
                assert!(ratio >= 4.5, "{theme:?}: {text} on {ground} has {ratio:.2}");
            }
        }
    }

    /// Whose a piece is can be seen without hue, and its outline on every square.
    #[test]
    fn pieces_differ_in_lightness() {
        for theme in Theme::ALL {
            assert!(contrast(theme, "white-face", "black-face") >= 7.0, "{theme:?}");
            for square in ["light", "dark", "last", "road"] {
                for color in ["white", "black"] {
                    let [face, edge] = ["face", "edge"].map(|part| contrast(theme, &format!("{color}-{part}"), square));
                    assert!(face.max(edge) >= 3.0, "{theme:?}: {color} on {square} has {face:.2} and {edge:.2}");
                }
            }
        }
    }

    #[test]
    fn all_variables_of_all_themes_are_known() {
        let (_, plain) = VARIABLES.split_once(":root {").unwrap();
        let names: Vec<&str> = plain
            .split_once('}')
            .unwrap()
            .0
            .lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, _)| name.trim())
            .collect();
        assert!(names.len() > 25);
        for theme in Theme::ALL {
            for name in &names {
                let color = theme.color(name).unwrap_or_else(|| panic!("{theme:?}: {name}"));
                luminance(color);
            }
            let [rules, light] = [theme, Theme::Light].map(|theme| theme.rules(&theme.scope()));
            assert!(!rules.contains("var("));
            assert_eq!(rules.matches('#').count(), light.matches('#').count());
            // Several pictures may be parts of one page.
            let selectors = rules.lines().filter_map(|line| line.split_once('{')).flat_map(|(all, _)| all.split(','));
            let start = format!(".tak-{} ", theme.name());
            assert!(
                selectors.clone().count() > 30 && selectors.clone().all(|each| each.starts_with(&start)),
                "{rules}"
            );
        }
        for line in VARIABLES.lines().filter_map(|line| line.trim().strip_prefix("--")) {
            let name = format!("--{}", line.split_once(':').unwrap().0);
            assert!(names.contains(&name.as_str()), "{name}");
        }
    }
}
