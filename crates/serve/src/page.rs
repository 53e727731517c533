//! The page: one HTML file with its style and script, joined once when the server starts from the files in `page/`.
//!
//! The policy of the page allows exactly this style and this script, by their hashes, and requests to the server
//! itself. No other script runs, whatever text the page shows.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use galop_engines::grid::{KINDS, LATIN, Variant};
use galop_explain::{Level, TECHNIQUES, Technique};
use galop_report as report;

/// The page and its content-security policy.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) html: String,
    pub(super) policy: String,
}

/// The page without its style, script, kinds and levels.
const HTML: &str = include_str!("page/page.html");

/// The style, without the style of the reports.
const STYLE: &str = include_str!("page/page.css");

/// The parts of the script, in the order in which they run. They share one scope; a part runs before the values of later
/// parts are there, but its functions may use all of them.
const SCRIPT: [&str; 9] = [
    include_str!("page/elements.js"),
    include_str!("page/board.js"),
    include_str!("page/drawing.js"),
    include_str!("page/game.js"),
    include_str!("page/play.js"),
    include_str!("page/puzzle.js"),
    include_str!("page/solving.js"),
    include_str!("page/explanation.js"),
    include_str!("page/techniques.js"),
];

/// Maps of jigsaws, a line each, from the same script as the pool of puzzles.
const MAPS: &str = include_str!("maps.txt");

/// What the script does when all of it is there.
const START: &str = include_str!("page/start.js");

impl Page {
    pub(super) fn new() -> Page {
        let (mut divisions, mut constraints) = (String::new(), String::new());
        for kind in KINDS {
            // Kinds that divide the grid exclude each other. A Latin square is one of them and has every size, so a kind
            // that combines with it keeps all its sizes.
            let with_latin = Variant::from(LATIN).and(kind);
            let sides = with_latin.as_ref().map_or_else(|_| kind.sides(), Variant::sides);
            let sides: Vec<String> = sides.iter().map(usize::to_string).collect();
            let value = format!("value=\"{}\" data-sides=\"{}\"", kind.name, sides.join(" "));
            let (name, about) = (kind.name, escaped(kind.about));
            // Writing to a String cannot fail.
            match with_latin {
                Ok(_) => {
                    writeln!(constraints, "<label><input type=\"checkbox\" {value}/> {name}: {about}</label>")
                        .ok()
                }
                Err(_) => writeln!(divisions, "<option {value} data-about=\"{about}\">{name}</option>").ok(),
            };
        }
        let mut levels = String::new();
        for level in Level::ALL {
            let of_level = |one: &&Technique| one.level() == level && !one.needs_uniqueness;
            let names: Vec<&str> = TECHNIQUES.iter().filter(of_level).take(2).map(|one| one.name).collect();
            let (level, names) = (level.name(), names.join(", "));
            writeln!(
                levels,
                "<button type=\"button\" value=\"{level}\">{level} <small>{names}</small></button>"
            )
            .ok();
        }
        let html = HTML
            .replace("/*style*/", STYLE)
            .replace("/*script*/", &[&SCRIPT.concat(), START].concat())
            .replace("/*style of the reports*/", report::STYLE)
            .replace("/*maps*/", &MAPS.replace('\n', " "))
            .replace("<!--levels-->", &levels)
            .replace("<!--divisions-->", &divisions)
            .replace("<!--constraints-->", &constraints)
            .replace("<!--version-->", env!("CARGO_PKG_VERSION"));
        let hash = |tag: &str| hash(inside(&html, tag));
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; connect-src 'self'; img-src data:; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'",
            hash("script"),
            hash("style"),
        );
        Page { html, policy }
    }
}

/// What is between `<tag>` and `</tag>`.
fn inside<'a>(html: &'a str, tag: &str) -> &'a str {
    let after = html.split_once(&format!("<{tag}>")).map_or("", |(_, after)| after);
    after.split_once(&format!("</{tag}>")).map_or("", |(inside, _)| inside)
}

/// `text` as the content of an element or as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The hash of `text`, as a policy names it.
fn hash(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::from("'sha256-");
    for bytes in Sha256::digest(text.as_bytes()).chunks(3) {
        let group =
            bytes.iter().fold(0, |group, &byte| group << 8 | usize::from(byte)) << (8 * (3 - bytes.len()));
        for place in 0..4 {
            let digit = char::from(DIGITS[group >> (18 - 6 * place) & 63]);
            written.push(if place > bytes.len() { '=' } else { digit });
        }
    }
    written + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_other_programs() {
        // printf %s "alert('Hello, world.');" | openssl sha256 -binary | openssl base64
        assert_eq!(hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
        assert_eq!(hash(""), "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    }

    /// What the policy forbids would not work, and the page must load nothing.
    #[test]
    fn the_page_has_one_script_and_one_style_and_loads_nothing() {
        let page = Page::new();
        let html = page.html.as_str();
        for tag in ["script", "style"] {
            assert_eq!(html.matches(&format!("<{tag}")).count(), 1, "{tag}");
            assert!(inside(html, tag).len() > 1_000, "{tag}");
        }
        let markup = html.replace(inside(html, "script"), "").replace(inside(html, "style"), "");
        for word in
            [" on", "style=", "src=", "url(", "http:", "https:", "javascript:", "<link rel=\"stylesheet"]
        {
            let found = markup.match_indices(word).find(|(at, _)| {
                let after = markup[at + word.len()..].trim_start_matches(|c: char| c.is_ascii_lowercase());
                word != " on" || after.starts_with("=\"")
            });
            assert_eq!(found, None, "{word}");
        }
        assert!(!html.contains("@import") && !inside(html, "script").contains("innerHTML"));
        assert!(!html.contains("<!--"), "every place is filled");
        assert!(html.contains("<option value=\"jigsaw\" data-sides=\"4 5 6 "));
    }

    /// Each kind can be chosen: alone if it divides the grid, else together with others.
    #[test]
    fn every_kind_is_an_option_or_a_check_box() {
        let html = Page::new().html;
        let places = |before: &str| -> Vec<&str> {
            let (mut names, value) = (Vec::new(), format!("{before} value=\""));
            for part in html.split(&value).skip(1) {
                let (name, after) = part.split_once('"').unwrap();
                names.extend(after.starts_with(" data-sides").then_some(name));
            }
            names
        };
        let (divisions, constraints) = (places("<option"), places("<input type=\"checkbox\""));
        assert_eq!(divisions, ["sudoku", "latin", "jigsaw"]);
        assert_eq!(divisions.len() + constraints.len(), KINDS.len());
        for division in divisions {
            let all = format!("{division}+{}", constraints.join("+"));
            assert_eq!(all.parse::<Variant>().unwrap().sides(), [9]);
        }
        // Diagonals need no blocks: a Latin square with them has the size 7x7.
        assert!(html.contains("value=\"diagonal\" data-sides=\"4 5 6 7 "));
    }
}
