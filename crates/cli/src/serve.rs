//! `galop serve`.

use std::io::Write;
use std::net::SocketAddr;
use std::process::ExitCode;

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
    let mut stdout = std::io::stdout();
    let printed = writeln!(stdout, "http://{}/", server.address()).and_then(|()| stdout.flush());
    printed.map_err(output::name_stdout)?;
    if !args.quiet {
        messages::say("open this address in a browser; Ctrl-C ends the server");
    }
    server.run(&signals::STOP).context("cannot start the server")?;
    Ok(signals::received().map_or(ExitCode::SUCCESS, |signal| ExitCode::from(128 + signal as u8)))
}
