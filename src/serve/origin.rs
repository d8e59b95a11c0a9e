//! Decides who may connect. Any page in any browser can reach a port of this computer, so a local connection proves
//! nothing.
//!
//! Two headers are checked, against two attacks:
//!
//! - `Host` against DNS rebinding: a page of `evil.example` makes that name resolve to this computer, so that the browser
//!   treats page and server as the same site. The browser still sends the name. So only names of this computer are
//!   accepted. An address cannot be rebound: a browser that sends one has connected to it, and a page of that origin has
//!   come from it. The port is ignored: it differs behind a tunnel (`ssh -L 8000:localhost:7731`) and behind a published
//!   port of a container.
//! - `Origin` against a page of another site that connects openly. It must equal the `Host` of the request, port
//!   included, or name a page of this computer or an allowed site.

use std::net::IpAddr;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use hyper::http::uri::Authority;

use super::Token;

/// The sites of PTN Ninja.
const PTN_NINJA: [&str; 2] = ["https://ptn.ninja", "https://www.ptn.ninja"];

/// A site whose pages may connect, as in the header `Origin`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin(String);

impl FromStr for Origin {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected http:// or https:// and a name without a path, such as https://example.org";
        let plain = text.strip_suffix('/').unwrap_or(text).to_ascii_lowercase();
        let (scheme, rest) = plain.split_once("://").ok_or(EXPECTED)?;
        let authority: Authority = rest.parse().map_err(|_| EXPECTED)?;
        let is_named = !authority.host().is_empty() && !rest.contains('@');
        if matches!(scheme, "http" | "https") && is_named { Ok(Self(plain)) } else { Err(EXPECTED) }
    }
}

/// Decides by the headers and the address of a request.
#[derive(Debug)]
pub struct AccessPolicy {
    /// The host name to listen on.
    name: String,
    origins: Vec<Origin>,
    token: Option<Token>,
    last_refusal: Mutex<Option<Refusal>>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The host is not this computer, as in DNS rebinding.
    #[error("invalid host {0:?}: expected a name or address of this server")]
    Host(String),
    #[error("pages of {0:?} may not connect; --allow-origin allows a site")]
    Origin(String),
    #[error("the token in the address is missing or wrong")]
    Token,
}

impl AccessPolicy {
    pub fn new(name: String, origins: Vec<Origin>, token: Option<Token>) -> Self {
        Self { name, origins, token, last_refusal: Mutex::default() }
    }

    /// Checks the headers of a request. Programs send no `Origin`; browsers always do when a page opens a WebSocket.
    pub fn check(&self, host: Option<&str>, origin: Option<&str>) -> Result<(), Refusal> {
        let refuse = |text: &str| text.chars().take(100).collect::<String>();
        let host = host.unwrap_or_default();
        if !self.is_own(host) {
            return Err(Refusal::Host(refuse(host)));
        }
        match origin {
            Some(origin) if !self.is_allowed(origin, host) => Err(Refusal::Origin(refuse(origin))),
            _ => Ok(()),
        }
    }

    /// Checks that the query of the address has the token, if one is required.
    pub fn check_token(&self, query: Option<&str>) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let mut pairs = query.unwrap_or_default().split('&');
        let given = pairs.find_map(|pair| pair.strip_prefix("token="));
        if token.matches(given.unwrap_or_default()) { Ok(()) } else { Err(Refusal::Token) }
    }

    /// Logs a refusal, unless it is the same as the last one: a page that is refused tries again and again.
    pub fn log(&self, refusal: Refusal) {
        let mut last = self.last_refusal.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref() != Some(&refusal) {
            log::warn!("refused: {refusal}");
            *last = Some(refusal);
        }
    }

    /// Returns whether this is a name of this server or an address.
    fn is_own(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<Authority>() else {
            return false;
        };
        let name = authority.host();
        // With an invalid port, different readers would find different hosts in the text.
        let is_whole = host == name || authority.port().is_some();
        let is_known = is_loopback(name) || address(name).is_some() || name.eq_ignore_ascii_case(&self.name);
        is_known && is_whole && !host.contains('@')
    }

    fn is_allowed(&self, origin: &str, host: &str) -> bool {
        let origin = origin.to_ascii_lowercase();
        let Some((scheme, rest)) = origin.split_once("://") else {
            return false;
        };
        let is_web = matches!(scheme, "http" | "https");
        let is_local = rest.parse::<Authority>().is_ok_and(|authority| is_loopback(authority.host()));
        (scheme == "http" && rest == host.to_ascii_lowercase())
            || (is_web && is_local)
            || PTN_NINJA.contains(&origin.as_str())
            || self.origins.iter().any(|known| known.0 == origin)
    }
}

/// The host of a URL as an IP address; IPv6 has brackets there.
fn address(name: &str) -> Option<IpAddr> {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    let address: IpAddr = bare.parse().ok()?;
    Some(address.to_canonical())
}

fn is_loopback(name: &str) -> bool {
    name.eq_ignore_ascii_case("localhost") || address(name).is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(name: &str, origins: &[&str]) -> AccessPolicy {
        let origins = origins.iter().map(|origin| origin.parse().unwrap());
        AccessPolicy::new(name.to_owned(), origins.collect(), None)
    }

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        for good in ["https://tak.example", "HTTP://Tak.Example:8080/", "https://[::1]"] {
            let origin: Origin = good.parse().unwrap();
            assert!(policy("", &[good]).is_allowed(&origin.0, "localhost"), "{good}");
        }
        for bad in ["", "tak.example", "notaurl", "https://", "ftp://a", "https://a/b", "https://a:b@c", "null"] {
            assert!(bad.parse::<Origin>().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn only_names_of_this_computer_are_answered() {
        let policy = policy("tak.lan", &[]);
        for host in [
            "localhost:7731",
            "LOCALHOST:7731",
            "127.0.0.1:7731",
            "[::1]:7731",
            "tak.lan:7731",
            // Through a tunnel or a published port, the standard one included.
            "localhost:8000",
            "localhost",
            "tak.lan",
            "127.0.0.1:80",
            "192.168.1.5:8000",
            "[2001:db8::5]:7731",
            "[::ffff:192.168.1.5]:7731",
        ] {
            assert_eq!(policy.check(Some(host), None), Ok(()), "{host}");
        }
        for host in [
            "",
            "evil.example:7731",
            "evil.example",
            "localhost.evil.example:7731",
            "user@localhost:7731",
            "localhost:7731:1",
            "localhost:",
            "localhost:99999",
            "local host:7731",
            "127.0.0.1.evil.example:7731",
            "2130706433",
            "0x7f.1",
            ":7731",
        ] {
            assert_eq!(policy.check(Some(host), None), Err(Refusal::Host(host.to_owned())), "{host}");
        }
        assert!(policy.check(None, None).is_err());
    }

    #[test]
    fn own_pages_have_the_same_port() {
        let policy = policy("tak.lan", &[]);
        for host in ["tak.lan:8000", "192.168.1.5:8000", "[2001:db8::5]:8000", "TAK.lan"] {
            let check = |origin: &str| policy.check(Some(host), Some(origin)).is_ok();
            assert!(check(&format!("http://{host}")), "{host}");
            assert!(!check(&format!("http://{host}0")), "{host}");
            assert!(!check(&format!("https://{host}")), "{host}");
        }
        assert!(policy.check(Some("192.168.1.5:8000"), Some("http://192.168.1.6:8000")).is_err());
    }

    #[test]
    fn only_allowed_pages_may_connect() {
        let policy = policy("127.0.0.1", &["https://tak.example/", "http://HOST.example:8080"]);
        let check = |origin| policy.check(Some("localhost:7731"), origin);
        for origin in [
            "http://localhost:7731",
            "http://localhost:9000",
            "https://localhost",
            "http://127.0.0.1:7731",
            "http://[::1]:80",
            "https://ptn.ninja",
            "https://www.ptn.ninja",
            "https://tak.example",
            "http://host.example:8080",
        ] {
            assert_eq!(check(Some(origin)), Ok(()), "{origin}");
        }
        assert_eq!(check(None), Ok(()));
        for origin in [
            "",
            "null",
            "http://ptn.ninja",
            "https://ptn.ninja.evil.example",
            "https://ptn.ninja:444",
            "https://evil.example",
            "https://tak.example.evil.example",
            "file://",
            "http://localhost.evil.example",
            "http://evil.example/?localhost",
            "ftp://localhost",
            "https://evil.example#localhost",
            "https://localhost@evil.example",
        ] {
            assert_eq!(check(Some(origin)), Err(Refusal::Origin(origin.to_owned())), "{origin}");
        }
    }

    #[test]
    fn a_token_is_required_if_set() {
        assert_eq!(policy("x", &[]).check_token(None), Ok(()));
        let token = "correct-horse".parse().ok();
        let policy = AccessPolicy::new("x".to_owned(), Vec::new(), token);
        assert_eq!(policy.check_token(Some("token=correct-horse")), Ok(()));
        assert_eq!(policy.check_token(Some("a=b&token=correct-horse")), Ok(()));
        for query in [
            None,
            Some(""),
            Some("token="),
            Some("token=correct-hors"),
            Some("token=correct-horses"),
            Some("xtoken=correct-horse"),
            Some("token=wrong&token=correct-horse"),
        ] {
            assert_eq!(policy.check_token(query), Err(Refusal::Token), "{query:?}");
        }
        for text in ["", "short", "with blank", "umläut-token", &"x".repeat(101)] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
        assert_eq!(format!("{:?}", "correct-horse".parse::<Token>().unwrap()), "Token(..)");
    }
}
