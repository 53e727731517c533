//! The documents: their commands work, the outputs that they show are what the commands print, their links lead
//! somewhere, and nothing is missing from their lists.
//!
//! A command is a line of a block ```` ```sh ````. It ends with exit code 0, unless its comment names another one, as in
//! `# exit code 1`. The commands of a page run in its order, in one shell, in a folder of their own that has `data/`.
//! If a block ```` ```text ```` follows, it is what the last command printed; `...` stands for any lines.
//!
//! A block ```` ```python NAME ```` is a file of that name, which the commands of the page run.
//!
//! A second word behind `sh` says who else runs a block: `gate` is run by `.ci/run` in release mode, as it takes too
//! long otherwise; `setup` installs something or needs other machines and is not run.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::program::{Folder, Run, path};

/// A block of code of a page.
struct Block {
    /// The words behind the backticks.
    language: String,
    /// The number of its first line, from 1.
    line: usize,
    lines: Vec<String>,
    /// Whether only blank lines are between this block and the one before.
    follows: bool,
}

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn read(page: &str) -> String {
    fs::read_to_string(root().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// The blocks of code of a page, and its other lines with their numbers from 1.
fn parts(text: &str) -> (Vec<Block>, Vec<(usize, &str)>) {
    let (mut blocks, mut prose) = (Vec::<Block>::new(), Vec::new());
    let (mut is_inside, mut follows) = (false, false);
    for (at, line) in text.lines().enumerate() {
        if let Some(language) = line.strip_prefix("```") {
            is_inside = !is_inside;
            if is_inside {
                let language = language.to_owned();
                blocks.push(Block { language, line: at + 2, lines: Vec::new(), follows });
            }
            follows = true;
        } else if is_inside {
            blocks.last_mut().unwrap().lines.push(line.to_owned());
        } else {
            follows &= line.is_empty();
            prose.push((at + 1, line));
        }
    }
    (blocks, prose)
}

/// The exit code that the comment of a command names.
fn expected_code(command: &str) -> i32 {
    let comment = command.rsplit_once(" # ").map_or("", |(_, comment)| comment);
    comment.split_once("exit code ").map_or(0, |(_, code)| {
        let digits: String = code.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap()
    })
}

/// Ends the shell unless the last part of a pipeline ended with the expected code, and every other part with 0 or with
/// 141, because its reader closed the pipe.
const CHECK: &str = r#"check() {
    local at=$1 expected=$2; shift 2
    while [ $# -gt 1 ]; do
        case $1 in 0|141) ;; *) fail "a part of the pipe ended with $1";; esac
        shift
    done
    [ "$1" = "$expected" ] || fail "ended with $1, not $expected"
}
fail() {
    { echo "$at: $1"; cat "$OUTPUTS/errors"; } >&3
    exit 99
}
exec 3>&2
"#;

/// Runs the commands of a page and compares what it shows of their output.
fn run_page(page: &str) {
    let text = read(page);
    let (blocks, _) = parts(&text);
    let folder = Folder::new();
    fs::create_dir_all(folder.path("work")).unwrap();
    std::os::unix::fs::symlink(root().join("data"), folder.path("work/data")).unwrap();
    let mut script = format!("{CHECK}cd work\n");
    let mut commands = 0;
    for block in &blocks {
        match block.language.as_str() {
            "sh" => {}
            "sh gate" | "sh setup" => continue,
            language if language.starts_with("python ") => {
                let name = language.split(' ').nth(1).unwrap();
                fs::write(folder.path(&format!("work/{name}")), block.lines.join("\n") + "\n").unwrap();
                continue;
            }
            language => {
                assert!(!language.starts_with("sh"), "{page}:{}: unknown: {language}", block.line);
                continue;
            }
        }
        let mut line = block.line;
        for command in block.lines.join("\n").replace("\\\n", "\\\u{0}").split('\n') {
            let at = line;
            line += 1 + command.matches('\0').count();
            let command = command.replace('\0', "\n");
            if command.is_empty() || command.starts_with('#') {
                continue;
            }
            let code = expected_code(&command);
            script += &format!("exec >\"$OUTPUTS/{}\" 2>\"$OUTPUTS/errors\"\n{command}\n", block.line);
            script += &format!("check '{page}:{at}' {code} \"${{PIPESTATUS[@]}}\"\n");
            commands += 1;
        }
    }
    assert!(commands > 0, "{page} has no commands");
    let mut shell = folder.start("bash", &["-c", &script]);
    shell.env("PATH", search_path()).env("OUTPUTS", folder.path(""));
    let run = Run::of(&mut shell);
    assert_eq!(run.code, Some(0), "{}", run.err);
    for pair in blocks.windows(2) {
        let [commands, shown] = pair else { unreachable!() };
        if commands.language == "sh" && shown.language == "text" && shown.follows {
            let printed = folder.read(&commands.line.to_string());
            let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
            let shown_lines: Vec<&str> = shown.lines.iter().map(String::as_str).collect();
            assert!(matches(&shown_lines, &lines), "{page}:{}: the command prints\n{printed}", shown.line);
        }
    }
}

/// Whether lines are as shown, where `...` stands for any number of lines.
fn matches(shown: &[&str], lines: &[&str]) -> bool {
    match shown {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|at| matches(rest, &lines[at..])),
        [first, rest @ ..] => lines.first() == Some(first) && matches(rest, &lines[1..]),
    }
}

/// A test for each page with commands.
macro_rules! pages {
    ($($name:ident $page:literal)*) => {
        const PAGES: &[&str] = &[$($page),*];
        $(
            #[test]
            fn $name() {
                run_page($page);
            }
        )*
    };
}

pages! {
    the_readme_works "README.md"
    the_guide_works "docs/guide.md"
    the_page_on_formats_works "docs/formats.md"
    the_questions_work "docs/faq.md"
    the_audit_works "docs/audit.md"
    the_page_on_corpora_works "docs/corpora.md"
    the_page_on_exact_cover_works "docs/exact-cover.md"
    the_page_on_clusters_works "docs/clusters.md"
}

/// The programs that a page runs: the one under test comes first.
fn search_path() -> String {
    let programs = Path::new(path()).parent().unwrap();
    format!("{}:{}", programs.display(), std::env::var("PATH").unwrap())
}

/// The parts of the array of jobs, one after the other, are the output of the whole.
#[test]
fn the_example_for_slurm_works() {
    let folder = Folder::new();
    let input = root().join("data/hard_100.txt");
    for task in 1..=3 {
        let mut job = folder.start("bash", &[root().join("examples/slurm.sh").to_str().unwrap()]);
        job.arg(&input).arg("parts").env("PATH", search_path()).env("SLURM_CPUS_PER_TASK", "1");
        job.env("SLURM_ARRAY_TASK_ID", task.to_string()).env("SLURM_ARRAY_TASK_COUNT", "3");
        Run::of(&mut job).ends(0, &[]);
    }
    let parts: String = (1..=3).map(|task| folder.read(&format!("parts/part.{task:05}.txt"))).collect();
    assert_eq!(parts, folder.run(&["solve", "-q", input.to_str().unwrap()]).out);
}

/// The page that `galop man --reference` prints. The book has it, the repository has not.
const REFERENCE: &str = "reference.md";

/// The pages of the folder `docs` that people write.
fn pages_of_docs() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("docs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.ends_with(".md") && !["SUMMARY.md", REFERENCE].contains(&&**name)).collect()
}

#[test]
fn every_page_with_commands_is_run() {
    for name in pages_of_docs() {
        let page = format!("docs/{name}");
        let has_commands = parts(&read(&page)).0.iter().any(|block| block.language == "sh");
        assert_eq!(has_commands, PAGES.contains(&page.as_str()), "{page}");
    }
}

/// The commands of the README that the gate runs: the first block under each of their headings.
#[test]
fn the_gate_runs_what_the_readme_leaves_to_it() {
    let readme = read("README.md");
    let gate = read(".ci/run");
    let mut heading = "";
    let mut seen = 0;
    for line in readme.lines() {
        if line.starts_with("## ") {
            heading = line;
        } else if line == "```sh gate" {
            assert!(gate.contains(&format!("readme_command \"{heading}\"")), "{heading}");
            seen += 1;
        }
    }
    assert_eq!(seen, 3);
}

/// The targets of the links and pictures of a page, with the numbers of their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (line, words) in parts(text).1 {
        for (at, _) in words.match_indices("](") {
            let target = words[at + 2..].split(')').next().unwrap();
            found.push((line, target.to_owned()));
        }
        for start in ["src=\"", "srcset=\"", "href=\""] {
            for (at, _) in words.match_indices(start) {
                found.push((line, words[at + start.len()..].split('"').next().unwrap().to_owned()));
            }
        }
    }
    found
}

/// The anchors of the headings of a page, as GitHub and mdbook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = parts(text).1.into_iter().filter(|(_, line)| line.starts_with('#'));
    headings
        .map(|(_, line)| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept = words.chars().filter(|&letter| letter.is_alphanumeric() || " -_".contains(letter));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
        plain
    })
}

#[test]
fn links_lead_somewhere() {
    let mut pages: Vec<String> = pages_of_docs().iter().map(|name| format!("docs/{name}")).collect();
    let others = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "docs/SUMMARY.md"];
    pages.extend(others.map(str::to_owned));
    pages.extend(["data", "soak", "python", "benches/peers"].map(|folder| format!("{folder}/README.md")));
    for folder in fs::read_dir(root().join("crates")).unwrap() {
        let page = format!("crates/{}/README.md", folder.unwrap().file_name().to_str().unwrap());
        pages.extend(root().join(&page).exists().then_some(page));
    }
    let mut seen = 0;
    for page in pages.iter().filter(|page| root().join(page).exists()) {
        let text = read(page);
        for (line, target) in links(&text) {
            let is_made = page == "docs/SUMMARY.md" && target == REFERENCE;
            if is_made || target.starts_with("http") || target.starts_with("data:") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
            let folder = Path::new(page).parent().unwrap();
            let file = if file.is_empty() { PathBuf::from(page) } else { plain(&folder.join(file)) };
            assert!(root().join(&file).exists(), "{page}:{line}: {target} is not there");
            if !anchor.is_empty() {
                let is_there = anchors(&read(file.to_str().unwrap())).contains(anchor);
                assert!(is_there, "{page}:{line}: {target} has no such heading");
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn the_book_has_every_page() {
    let chapters: BTreeSet<String> = links(&read("docs/SUMMARY.md"))
        .into_iter()
        .map(|(_, page)| page)
        .filter(|page| !page.starts_with("http"))
        .collect();
    let mut pages = pages_of_docs();
    pages.insert(REFERENCE.to_owned());
    assert_eq!(chapters, pages);
}

/// `galop solve --help` has only their names.
#[test]
fn the_page_on_formats_has_every_column() {
    let page = read("docs/formats.md");
    for column in galop_batch::output::COLUMNS {
        let row = format!("| `{}` | {} |", column.name, column.about);
        assert!(page.contains(&row), "{row}");
    }
}

#[test]
fn the_readme_is_short_and_names_every_command() {
    let readme = read("README.md");
    let words = readme.split_whitespace().count();
    assert!(words <= 1_500, "{words}");
    let (_, table) = readme.split_once("## Commands").unwrap();
    let table = table.split("\n## ").next().unwrap();
    let reference = Folder::new().run(&["man", "--reference"]).ends(0, &[]).out;
    assert!(reference.lines().all(|line| line.chars().count() <= 120));
    for command in reference.lines().filter_map(|line| line.strip_prefix("## galop ")) {
        let is_named = table.contains(&format!("`{command}`"));
        assert!(is_named, "the table of the README lacks `{command}`");
    }
}

/// The version is said in `Cargo.toml` and, for people who cite it, in `CITATION.cff`.
#[test]
fn the_citation_is_of_this_version() {
    let citation = read("CITATION.cff");
    let value = |key: &str| {
        let line =
            citation.lines().find_map(|line| line.strip_prefix(key)).unwrap_or_else(|| panic!("no {key}"));
        line.trim().trim_matches('"').to_owned()
    };
    assert_eq!(value("cff-version:"), "1.2.0");
    assert_eq!(value("version:"), env!("CARGO_PKG_VERSION"));
    // The README has the same for LaTeX.
    let (readme, manifest) = (read("README.md"), read("Cargo.toml"));
    let repository = value("repository-code:");
    assert!(manifest.contains(&format!("repository = \"{repository}\"")), "{repository}");
    for field in [value("title:"), value("version:"), repository] {
        assert!(readme.contains(&format!("{{{field}}}")), "{field} is not in the BibTeX of the README");
    }
    let date = value("date-released:");
    assert!(date.len() == 10 && date.split('-').all(|part| part.parse::<u32>().is_ok()), "{date}");
}
