//! Which requests come from the page itself.
//!
//! A page of another site in the same browser may send requests to any address, also to this machine. Two attacks, and
//! what ends them:
//!
//! 1. *DNS rebinding.* A name of the attacker comes to mean 127.0.0.1, so the browser takes the server for the
//!    attacker's site. The `Host` header still has the name. So only `localhost` and numeric addresses are accepted,
//!    with the port.
//! 2. *Requests across sites.* The browser says where a request comes from, in `Origin` and `Sec-Fetch-Site`. Both must
//!    be the server itself, if they are there. Bodies must have a type that a form cannot send.

use std::net::{IpAddr, SocketAddr};

use super::message::{Head, Refusal, Status};

/// Fails unless the request names this server, which listens on `address`, and comes from its own page or from no page.
pub(super) fn check(head: &Head, address: SocketAddr) -> Result<(), Refusal> {
    let forbidden = |reason: String| Err(Refusal::new(Status::FORBIDDEN, reason));
    let host = head.header("host")?.unwrap_or_default();
    if !is_this_server(host, address) {
        return forbidden(format!("the host `{}` is not this server", host.escape_default()));
    }
    if let Some(origin) = head.header("origin")?
        && origin.strip_prefix("http://") != Some(host)
    {
        return forbidden("the request comes from another site".to_owned());
    }
    // The page itself may be opened from anywhere, for example from a link in a mail.
    let is_page = head.method == "GET" && head.path == "/";
    match head.header("sec-fetch-site")? {
        None | Some("same-origin" | "none") => Ok(()),
        Some(_) if is_page => Ok(()),
        Some(_) => forbidden("the request comes from another site".to_owned()),
    }
}

/// Whether `host` is `localhost` or a numeric address that the server may have, with its port.
fn is_this_server(host: &str, address: SocketAddr) -> bool {
    let default_port = |name: &str| name.is_empty() && address.port() == 80;
    let (name, port) = match host.rfind(':').filter(|&at| !host[at..].contains(']')) {
        Some(at) => (&host[..at], &host[at + 1..]),
        None => (host, ""),
    };
    if !(default_port(port) || port == address.port().to_string()) {
        return false;
    }
    if name.eq_ignore_ascii_case("localhost") {
        return address.ip().is_loopback() || address.ip().is_unspecified();
    }
    let ip: Option<IpAddr> = match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some(inner) => inner.parse().ok().map(IpAddr::V6),
        None => name.parse().ok().map(IpAddr::V4),
    };
    ip.is_some_and(|ip| ip == address.ip() || address.ip().is_unspecified())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_accepted(request: &str) -> bool {
        let (mut stream, mut rest) = (request.as_bytes(), Vec::new());
        let head = Head::read(&mut stream, &mut rest).unwrap().unwrap();
        check(&head, "127.0.0.1:81".parse().unwrap()).is_ok()
    }

    #[test]
    fn hosts_are_names_of_this_server_with_its_port() {
        let is = |host: &str, address: &str| is_this_server(host, address.parse().unwrap());
        for host in ["127.0.0.1:81", "localhost:81", "LocalHost:81"] {
            assert!(is(host, "127.0.0.1:81"), "{host}");
        }
        let wrong =
            ["", "localhost", "127.0.0.1", "127.0.0.1:82", "evil.example:81", "127.0.0.1.evil.example:81"];
        for host in
            wrong.into_iter().chain(["10.0.0.1:81", "[::1]:81", "localhost:81@evil", "[127.0.0.1]:81", ":81"])
        {
            assert!(!is(host, "127.0.0.1:81"), "{host}");
        }
        assert!(is("localhost", "127.0.0.1:80") && is("[::1]:81", "[::1]:81") && is("[::1]", "[::1]:80"));
        assert!(is("10.0.0.1:81", "0.0.0.0:81") && !is("evil.example:81", "0.0.0.0:81"));
        assert!(is("10.0.0.1:81", "10.0.0.1:81") && !is("localhost:81", "10.0.0.1:81"));
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        let with = |line: &str, header: &str| {
            is_accepted(&format!("{line} HTTP/1.1\r\nHost: 127.0.0.1:81\r\n{header}\r\n"))
        };
        assert!(with("POST /x", "") && with("POST /x", "Origin: http://127.0.0.1:81\r\n"));
        for origin in [
            "null",
            "http://evil.example",
            "https://127.0.0.1:81",
            "http://127.0.0.1:82",
            "http://localhost:81",
        ] {
            assert!(!with("POST /x", &format!("Origin: {origin}\r\n")), "{origin}");
            assert!(!with("GET /", &format!("Origin: {origin}\r\n")), "{origin}");
        }
        assert!(
            with("GET /x", "Sec-Fetch-Site: same-origin\r\n") && with("GET /x", "Sec-Fetch-Site: none\r\n")
        );
        assert!(
            !with("GET /x", "Sec-Fetch-Site: cross-site\r\n")
                && !with("GET /x", "Sec-Fetch-Site: same-site\r\n")
        );
        assert!(
            with("GET /", "Sec-Fetch-Site: cross-site\r\n")
                && !with("POST /", "Sec-Fetch-Site: cross-site\r\n")
        );
        assert!(!is_accepted("GET / HTTP/1.1\r\n\r\n"), "no host");
        assert!(!with("GET /", "Host: 127.0.0.1:81\r\n"), "two hosts");
    }
}
