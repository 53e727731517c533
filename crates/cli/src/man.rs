//! `galop man`: `clap_mangen` writes the options; the other sections are those that a manual page has.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use clap::{Arg, ArgAction, Command};
use clap_mangen::Man;

use super::args::ManArgs;
use super::exit_codes::CODES;
use super::{output, reference};

pub(super) fn run(args: &ManArgs) -> anyhow::Result<ExitCode> {
    if args.reference {
        return output::print(reference::page().as_bytes());
    }
    let galop = super::args::command();
    let page = match args.command.as_deref() {
        Some(name) => {
            let Some(command) = find(&galop, name) else {
                bail!("no command is called `{name}`; `galop --help` lists the commands");
            };
            let name: &'static str = format!("galop-{name}").leak();
            command.clone().name(name).display_name(name).bin_name(name.replace('-', " "))
        }
        None => galop,
    };
    output::print(&write(page)?)
}

/// The command of this name; `cover-list` is the command `list` of `cover`.
fn find<'a>(parent: &'a Command, name: &str) -> Option<&'a Command> {
    parent.get_subcommands().find_map(|command| match name.strip_prefix(command.get_name())? {
        "" => Some(command),
        rest => find(command, rest.strip_prefix('-')?),
    })
}

fn write(command: Command) -> std::io::Result<Vec<u8>> {
    let text =
        |styled: Option<&clap::builder::StyledStr>| styled.map(ToString::to_string).unwrap_or_default();
    let end = text(command.get_after_long_help());
    let man = Man::new(command.clone()).source(concat!("galop ", env!("CARGO_PKG_VERSION"))).manual("galop");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    page.extend_from_slice(synopsis(&command).as_bytes());
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let mut rest = String::new();
    rest += ".SH \"EXIT STATUS\"\n";
    for (code, meaning) in CODES {
        _ = write!(rest, ".TP\n{}\n{}\n", escaped(code), escaped(meaning));
    }
    if let Some((_, examples)) = end.split_once("Examples:\n") {
        _ = write!(rest, ".SH EXAMPLES\n.nf\n{}\n.fi\n", escaped(examples.trim_end_matches('\n')));
    }
    page.extend_from_slice(rest.as_bytes());
    Ok(page)
}

/// The command with all options and the names of their values.
fn synopsis(command: &Command) -> String {
    let name = command.get_bin_name().unwrap_or_else(|| command.get_name());
    let mut text = format!(".SH SYNOPSIS\n\\fB{}\\fR", escaped(name));
    let is_shown = |arg: &&Arg| !arg.is_hide_set();
    for arg in command.get_arguments().filter(is_shown).filter(|arg| !arg.is_positional()) {
        let short = arg.get_short().map(|short| format!("\\fB\\-{short}\\fR"));
        let long = arg.get_long().map(|long| format!("\\fB\\-\\-{}\\fR", escaped(long)));
        let names: Vec<String> = short.into_iter().chain(long).collect();
        let value = if arg.get_action().takes_values() { format!(" {}", value(arg)) } else { String::new() };
        let option = format!("{}{value}", names.join("|"));
        let many = if matches!(arg.get_action(), ArgAction::Append) { " ..." } else { "" };
        _ = match arg.is_required_set() {
            true => write!(text, " {option}{many}"),
            false => write!(text, " [{option}]{many}"),
        };
    }
    for arg in command.get_positionals().filter(is_shown) {
        let many = if matches!(arg.get_action(), ArgAction::Append) { "..." } else { "" };
        _ = match arg.is_required_set() {
            true => write!(text, " {}{many}", value(arg)),
            false => write!(text, " [{}]{many}", value(arg)),
        };
    }
    if command.has_subcommands() {
        text += " \\fICOMMAND\\fR";
    }
    text + "\n"
}

/// The name of the value of an option.
fn value(arg: &Arg) -> String {
    let names: Vec<&str> =
        arg.get_value_names().unwrap_or_default().iter().map(|name| name.as_str()).collect();
    let names = if names.is_empty() { arg.get_id().as_str().to_uppercase() } else { names.join(" ") };
    format!("\\fI{}\\fR", escaped(&names))
}

/// Text that roff prints as it is.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    let lines = text.split('\n').map(|line| {
        let is_request = line.starts_with(['.', '\'']);
        if is_request { format!("\\&{line}") } else { line.to_owned() }
    });
    lines.collect::<Vec<_>>().join("\n")
}
