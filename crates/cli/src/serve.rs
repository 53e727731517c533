//! `galop serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context;
use galop_serve::Server;

use super::args::ServeArgs;
use super::{messages, output, signals};

pub(super) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let address = SocketAddr::new(args.address, args.port);
    let server = Server::bind(address).with_context(|| messages::cannot_listen(address))?;
    if !args.address.is_loopback() {
        messages::warn_open_to_others();
    }
    let (mut stdout, page) = (std::io::stdout(), format!("http://{}/", server.address()));
    writeln!(stdout, "{page}").and_then(|()| stdout.flush()).map_err(output::name_stdout)?;
    if args.open {
        if let Err(error) = open(&page) {
            messages::warn(format_args!("no browser was opened: {error:#}; open {page} in one"));
        }
    } else if !args.quiet {
        messages::say("open this address in a browser; Ctrl-C ends the server");
    }
    server.run(&signals::STOP).context("cannot start the server")?;
    Ok(signals::received().map_or(ExitCode::SUCCESS, |signal| ExitCode::from(128 + signal as u8)))
}

/// Opens the page in the browser that is set up for links. The connections that it makes wait until the server runs.
fn open(page: &str) -> anyhow::Result<()> {
    let opener = match std::env::consts::OS {
        "windows" => "explorer",
        "macos" => "open",
        _ => "xdg-open",
    };
    let mut command = Command::new(opener);
    command.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).context(opener)
}
