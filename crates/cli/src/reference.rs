//! `galop man --reference`: every command with its options, as Markdown. The book and each release have it.

use std::fmt::Write as _;

use clap::builder::StyledStr;
use clap::{Arg, Command};

use super::args::HEADINGS;

/// Columns of a line of the page.
const WIDTH: usize = 120;

/// The page.
pub(super) fn page() -> String {
    let galop = super::args::command();
    let mut page = "# The commands and their options\n\n".to_owned();
    page += "`galop man --reference` prints this page. `galop COMMAND --help` says more about each option, and has \
             examples.\n";
    section(&galop, 2, &mut page);
    page += "\n## Exit codes\n\n";
    for (code, meaning) in super::exit_codes::CODES {
        wrap("- ", &format!("`{code}`: {meaning}"), &mut page);
    }
    page
}

/// The commands of `parent`, in alphabetical order.
fn section(parent: &Command, level: usize, page: &mut String) {
    let mut commands: Vec<&Command> =
        parent.get_subcommands().filter(|command| command.get_name() != "help").collect();
    commands.sort_by_key(|command| command.get_name());
    for command in commands {
        let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
        _ = write!(page, "\n{} {name}\n\n", "#".repeat(level));
        for paragraph in text(command.get_long_about().or_else(|| command.get_about())).split("\n\n") {
            wrap("", paragraph, page);
            page.push('\n');
        }
        page.truncate(page.trim_end().len());
        page.push('\n');
        for heading in std::iter::once(None).chain(HEADINGS.map(Some)) {
            let of_heading = |arg: &&Arg| arg.get_help_heading() == heading && !arg.is_hide_set();
            let mut options =
                command.get_arguments().filter(of_heading).filter(|arg| arg.get_id() != "help").peekable();
            if options.peek().is_some() {
                _ = write!(page, "\n**{}**\n\n", heading.unwrap_or("Arguments"));
            }
            options.for_each(|arg| option(arg, page));
        }
        section(command, level + 1, page);
    }
}

/// An option: its names, its value, what it does.
fn option(arg: &Arg, page: &mut String) {
    let long = arg.get_long().map(|long| format!("--{long}"));
    let names: Vec<String> =
        arg.get_short().map(|short| format!("-{short}")).into_iter().chain(long).collect();
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    let takes_value = arg.get_action().takes_values();
    let value = if takes_value { format!(" <{values}>") } else { String::new() };
    let head = format!("`{}{value}`", names.join(", ")).replace("` ", "`");
    let mut help = text(arg.get_help());
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if takes_value && !defaults.is_empty() && !arg.is_hide_default_value_set() {
        _ = write!(help, " [default: {}]", defaults.join(","));
    }
    let values = arg.get_possible_values();
    if takes_value && !values.is_empty() && !arg.is_hide_possible_values_set() {
        let names: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
        _ = write!(help, " [values: {}]", names.join(", "));
    }
    wrap("- ", &format!("{head}: {help}"), page);
}

fn text(styled: Option<&StyledStr>) -> String {
    styled.map(ToString::to_string).unwrap_or_default()
}

/// Writes a paragraph in lines of at most [`WIDTH`] columns. The first begins with `start`, and the others with as many
/// spaces.
fn wrap(start: &str, paragraph: &str, page: &mut String) {
    let indent = " ".repeat(start.len());
    let mut line = start.to_owned();
    let mut is_begun = false;
    for word in paragraph.split_whitespace() {
        if is_begun && line.len() + 1 + word.len() > WIDTH {
            page.push_str(&line);
            page.push('\n');
            line.clone_from(&indent);
            is_begun = false;
        }
        if is_begun {
            line.push(' ');
        }
        line.push_str(word);
        is_begun = true;
    }
    page.push_str(&line);
    page.push('\n');
}
