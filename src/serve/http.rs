//! Connections and requests: sends the page's files, hands over WebSockets, and refuses everything else.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};

use super::origin::{AccessPolicy, Refusal};
use super::socket::{self, Session, Sessions, Terms};
use super::{Config, MadePage, Pages, Token, play, tei};
use crate::engine::Permissions;
use crate::page;

/// The maximum number of open connections, without WebSockets. Another one closes the oldest: a browser loads the page
/// in a moment, so the oldest connection is idle.
const MAX_CONNECTIONS: usize = 128;

/// The time in which a client must send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The maximum duration of a connection, without WebSockets: far more than a browser needs to load the page.
const CONNECTION_LIFETIME: Duration = Duration::from_secs(60);

/// The maximum size of the head of a request in bytes.
const MAX_HEAD_BYTES: usize = 16 * 1024;

/// The time in which open WebSockets must close when the server ends.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Lets the page load its own files and connect to this server. No text can become a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The same for pages that are made here: their styles are within them. All texts in them are escaped.
const PAGES_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; \
                            base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // The address may hold a token.
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// A server that listens already, and answers once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
    stop: watch::Sender<bool>,
}

/// Other computers could connect, and no secret keeps them out.
#[derive(Debug, thiserror::Error)]
#[error("{0} can be reached by other computers: a --token is needed")]
pub struct TokenMissing(SocketAddr);

impl Server {
    /// Starts to listen.
    pub fn bind(config: Config) -> anyhow::Result<Self> {
        let no_address = |error| anyhow!("cannot find an address for {:?}: {error}", config.host);
        let addresses = (config.host.as_str(), config.port).to_socket_addrs().map_err(no_address)?;
        let unknown = || no_address(ErrorKind::NotFound.into());
        // A name such as localhost may have an IPv4 and an IPv6 address. Browsers try both.
        let address = addresses.min_by_key(SocketAddr::is_ipv6).ok_or_else(unknown)?;
        if !address.ip().is_loopback() {
            if config.token.is_none() {
                return Err(TokenMissing(address).into());
            }
            let what = if config.pages.is_some() { "see these pages" } else { "use this computer's processors" };
            log::warn!("{address} can be reached by other computers: anyone with the token can {what}");
        }
        let port = address.port();
        let listener = TcpListener::bind(address).map_err(|error| match error.kind() {
            ErrorKind::AddrInUse => {
                anyhow!("port {port} is in use, perhaps by another tak-engine: choose another one, or 0 for any")
            }
            ErrorKind::PermissionDenied => {
                anyhow!("no permission to listen on port {port}: choose one above 1023")
            }
            _ => anyhow!("cannot listen on {address}: {error}"),
        })?;
        listener.set_nonblocking(true)?;
        Ok(Self { address: listener.local_addr()?, listener, config, stop: watch::Sender::new(false) })
    }

    /// The URL of the page, with the token if there is one.
    pub fn url(&self) -> String {
        let host = if self.address.ip().is_unspecified() {
            SocketAddr::from(([127, 0, 0, 1], self.address.port()))
        } else {
            self.address
        };
        let query = self.config.token.as_ref().map(Token::query);
        format!("http://{host}/{}", query.unwrap_or_default())
    }

    /// A function that stops the server from any thread: all connections are closed in order, then `run` returns.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let stop = self.stop.clone();
        move || _ = stop.send_replace(true)
    }

    pub fn run(self) -> io::Result<()> {
        // Sessions have their own threads; one thread is enough to forward texts.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let mut stopped = self.stop.subscribe();
        let Config { host, origins, token, second, pages, .. } = self.config;
        let site = Arc::new(Site {
            access: AccessPolicy::new(host, origins, token),
            pages,
            sessions: Sessions::new(self.config.sessions, self.stop.subscribe()),
            terms: Terms {
                permissions: Permissions { hash_mib: self.config.hash_mib, threads: self.config.threads, files: false },
                second,
            },
        });
        let mut connections: VecDeque<AbortHandle> = VecDeque::new();
        loop {
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stopped.wait_for(|&stopped| stopped) => break,
            };
            match accepted {
                Ok((stream, _)) => {
                    connections.retain(|connection| !connection.is_finished());
                    if connections.len() >= MAX_CONNECTIONS
                        && let Some(oldest) = connections.pop_front()
                    {
                        oldest.abort();
                    }
                    connections.push_back(tokio::spawn(Arc::clone(&site).connection(stream)).abort_handle());
                }
                // Probably too many open files, and some will be closed soon.
                Err(error) => {
                    log::warn!("cannot accept a connection: {error}");
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(listener);
        // Clients that do not close in time are disconnected.
        let _ = timeout(SHUTDOWN_TIMEOUT, site.sessions.all_ended()).await;
        Ok(())
    }
}

/// Data shared by all connections.
struct Site {
    access: AccessPolicy,
    /// In the place of the board.
    pages: Option<Pages>,
    sessions: Sessions,
    terms: Terms,
}

type Answer = Response<Full<Bytes>>;

impl Site {
    async fn connection(self: Arc<Self>, stream: TcpStream) {
        // Moves are small and should be sent at once.
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request| {
            let answer = self.answer(request);
            async move { Ok::<_, Infallible>(answer) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        // Errors are caused by the client: it disconnected, or sent invalid HTTP.
        let _ = timeout(CONNECTION_LIFETIME, connection).await;
    }

    fn answer(&self, request: Request<Incoming>) -> Answer {
        let mut answer = self.route(request).unwrap_or_else(|refusal| {
            let reason = format!("{refusal}\n");
            self.access.log(refusal);
            text(StatusCode::FORBIDDEN, reason)
        });
        for (name, value) in HEADERS {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        if self.pages.is_some() {
            answer.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGES_POLICY));
        }
        answer
    }

    fn route(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let headers = request.headers();
        self.access.check(value(headers, &header::HOST), value(headers, &header::ORIGIN))?;
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Ok(text(StatusCode::METHOD_NOT_ALLOWED, "only GET is supported\n"));
        }
        let path = request.uri().path();
        if let Some(Pages(made)) = &self.pages {
            self.access.check_token(request.uri().query())?;
            return Ok(match made(path) {
                Some(MadePage { kind, text }) => {
                    let mut answer = Response::new(Full::from(text));
                    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
                    answer
                }
                None => text(StatusCode::NOT_FOUND, "not found\n"),
            });
        }
        let session: Option<Session> = match path {
            "/" | "/tei" => Some(tei::session),
            "/play" => Some(play::session),
            _ => None,
        };
        if session.is_some() {
            self.access.check_token(request.uri().query())?;
        }
        if let Some(session) = session.filter(|_| hyper_tungstenite::is_upgrade_request(&request)) {
            return Ok(self.upgrade(request, session));
        }
        Ok(match page::file(path) {
            Some(file) => {
                let mut answer = Response::new(Full::from(current_text(file)));
                let kind = HeaderValue::from_static(file.kind);
                answer.headers_mut().insert(header::CONTENT_TYPE, kind);
                answer
            }
            None if session.is_some() => text(StatusCode::UPGRADE_REQUIRED, "this address is for WebSockets\n"),
            None => text(StatusCode::NOT_FOUND, "not found\n"),
        })
    }

    fn upgrade(&self, request: Request<Incoming>, session: Session) -> Answer {
        match hyper_tungstenite::upgrade(request, Some(socket::config())) {
            Ok((answer, websocket)) => {
                let reserved = self.sessions.reserve(session, self.terms.clone());
                tokio::spawn(async move {
                    if let Ok(websocket) = websocket.await {
                        reserved.run(websocket).await;
                    }
                });
                answer
            }
            Err(error) => text(StatusCode::BAD_REQUEST, format!("{error}\n")),
        }
    }
}

/// The text of a file of the page. A debug build reads it from the folder `web`, if that is still there, so that a change
/// of the page needs no build.
fn current_text(file: &page::File) -> Cow<'static, str> {
    let source = || Path::new(env!("CARGO_MANIFEST_DIR")).join("web").join(file.source);
    let changed = cfg!(debug_assertions).then(|| fs::read_to_string(source()).ok()).flatten();
    changed.map_or(Cow::Borrowed(file.text), Cow::Owned)
}

fn value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // A value that is not plain text matches no name.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn text(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_build_serves_the_source() {
        let style = page::file("/styles/style.css").unwrap();
        let changed = page::File { text: "compiled", ..*style };
        assert_eq!(current_text(&changed), if cfg!(debug_assertions) { style.text } else { "compiled" });
        assert_eq!(current_text(&page::File { source: "none", ..changed }), "compiled");
    }
}
