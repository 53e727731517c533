//! What is written elsewhere about the options of the tool: the page docs/reference.md and the Python package.

use std::fs;
use std::path::Path;

use crate::program::Folder;

/// The text of a file of the repository.
fn file(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The tool prints the page.
#[test]
fn the_page_about_options_is_what_the_tool_prints() {
    let page = Folder::new().run(&["man", "--reference"]).ends(0, &[]).out;
    assert!(page == file("docs/reference.md"), "run: galop man --reference > docs/reference.md");
    assert!(page.lines().all(|line| line.chars().count() <= 120));
}

/// The options of `galop solve` under a heading of the page, as names of parameters.
fn options_of_solve(page: &str, heading: Option<&str>) -> Vec<String> {
    let (_, solve) = page.split_once("\n## galop solve\n").unwrap();
    let solve = solve.split("\n## ").next().unwrap();
    let lines = solve.lines().scan("", |now, line| {
        if let Some(name) = line.strip_prefix("**") {
            *now = name.trim_end_matches('*');
        }
        Some((*now, line))
    });
    let headed = lines.filter(|(now, _)| heading.is_none_or(|heading| heading == *now));
    let long = |(_, line): (&str, &str)| {
        let names = line.strip_prefix("- `")?.split(['`', '<']).next()?;
        Some(names.split_once("--")?.1.trim().replace('-', "_"))
    };
    headed.filter_map(long).collect()
}

/// The names of the parameters in `text` behind the first `start`, up to the parenthesis that ends them.
fn parameters(text: &str, start: &str) -> Vec<String> {
    let (_, text) = text.split_once(start).unwrap_or_else(|| panic!("no `{start}`"));
    let (mut depth, mut names, mut word, mut is_name) = (0, Vec::new(), String::new(), true);
    for character in text.chars() {
        match character {
            ')' if depth == 0 => break,
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => is_name = true,
            // What came before the name, as `mut`.
            ' ' if is_name => word.clear(),
            ':' if depth == 0 && is_name => {
                names.push(std::mem::take(&mut word));
                is_name = false;
            }
            _ if is_name && depth == 0 && (character.is_alphanumeric() || character == '_') => {
                word.push(character);
            }
            _ => {}
        }
    }
    names
}

/// Options that decide what is found, and that Python has no parameter for, with the reason.
const TOOL_ONLY: [(&str, &str); 1] = [("all", "a row of an array has one solution")];

/// An option of `galop solve` that decides what is found is a parameter of the same name in Python, or has a row here.
/// No parameter has a name that the tool does not know.
#[test]
fn python_solves_with_the_options_of_the_tool() {
    let page = file("docs/reference.md");
    let all = options_of_solve(&page, None);
    let wished = options_of_solve(&page, Some("What to find"));
    assert!(wished.iter().any(|option| option == "unique") && all.len() > 20, "{wished:?} {all:?}");
    let text = file("python/galop/_solve.py");
    let (_, body) = text.split_once(") -> str | Solved:").unwrap();
    let signatures: Vec<Vec<String>> =
        text.match_indices("def solve(").map(|(at, start)| parameters(&text[at..], start)).collect();
    assert_eq!(signatures.len(), 3);
    for signature in signatures {
        for option in wished.iter().filter(|option| TOOL_ONLY.iter().all(|(name, _)| name != option)) {
            assert!(signature.contains(option), "python/galop/_solve.py: solve has no `{option}`");
            assert!(body.contains(&format!(":param {option}:")), "nothing says what `{option}` means");
        }
        for parameter in signature.iter().filter(|parameter| *parameter != "puzzles") {
            assert!(all.contains(parameter), "`galop solve` has no option `{parameter}`");
        }
    }
    for parameter in parameters(&file("python/galop/_file.py"), "def solve_file(") {
        let is_option = all.contains(&parameter) || parameter == "input";
        assert!(is_option, "`galop solve` has no option `{parameter}`");
    }
}

/// The stub has the parameters of every function of the extension module, in their order.
#[test]
fn the_stub_has_the_parameters_of_the_extension_module() {
    let stub = file("python/galop/_galop.pyi");
    let mut functions = 0;
    for name in ["arrow", "compare", "file", "inspect", "make", "rules", "solve", "symmetry", "texts", "tool"]
    {
        let source = file(&format!("python/src/{name}.rs"));
        for (at, _) in source.match_indices("#[pyfunction]\n") {
            let (_, function) = source[at..].split_once(" fn ").unwrap();
            let name = function.split(['(', '<']).next().unwrap();
            let own: Vec<String> =
                parameters(function, "(").into_iter().filter(|parameter| parameter != "py").collect();
            assert_eq!(parameters(&stub, &format!("\ndef {name}(")), own, "{name}");
            functions += 1;
        }
    }
    assert!(functions >= 15, "{functions}");
}
