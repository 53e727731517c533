//! The options of `galop serve`.

use std::net::{IpAddr, Ipv4Addr};

use clap::Args as ClapArgs;

/// What the help of the command and its manual page end with. A test runs all of them.
pub(super) const EXAMPLES: &str = "\
  galop serve             the page is http://127.0.0.1:8117/
  galop serve --port 0    any free port, which the first line names";

/// Serve a page for the browser: solve, explain and play puzzles
///
/// The first line on standard output is the address of the page. On the page you can type or paste a puzzle of any kind
/// and notation, or a grid of candidates, or begin a new puzzle of a level; play it with pencil marks, undo, hints and a
/// check of what is filled in; see all steps that are possible; and follow its explanation step by step, with units and
/// chains drawn on the board. Each technique has a page with an example, and can be switched off. The page also counts
/// solutions and lists them. It loads nothing from elsewhere.
///
/// Only this machine can open the page, and the server answers only its own pages. Time, guesses and memory of each
/// request are limited. No file of the machine can be read or written through the page. Ctrl-C ends the server.
#[derive(ClapArgs, Debug)]
pub(crate) struct ServeArgs {
    /// The port; 0 means any free one
    #[arg(long, value_name = "N", default_value_t = 8117)]
    pub(crate) port: u16,

    /// Open the page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// The address to listen on; an address that is not a loopback address lets other machines use the page
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    #[arg(help_heading = "Advanced", hide_short_help = true)]
    pub(crate) address: IpAddr,

    /// Print only errors and warnings on standard error
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
