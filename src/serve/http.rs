//! Connections and requests: the page's files are sent, WebSockets are handed on, everything else is refused.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::sync::Arc;
use std::time::Duration;

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

use super::origin::{Guard, Refusal};
use super::socket::{self, Session, Sessions};
use super::warnings::warn;
use super::{Config, page, play, tei};
use crate::engine::Permissions;

/// Connections that may be open at once, WebSockets not counted. Another one closes the oldest: a browser is done with the
/// page in a moment, so the oldest is the one that has nothing to say.
const CONNECTIONS: usize = 128;

/// How long a client may take for the head of a request.
const HEAD: Duration = Duration::from_secs(5);

/// How long a connection may last, WebSockets not counted: longer than any honest browser needs for the page.
const LIFETIME: Duration = Duration::from_secs(60);

/// The most bytes that the head of a request may have.
const HEAD_BYTES: usize = 16 * 1024;

/// How long open WebSockets may take to close when the server ends.
const FAREWELL: Duration = Duration::from_secs(2);

/// What the page may do: load its own files and talk to this server. Nothing in a text can become a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Sent with every answer.
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

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Others could connect, and would need no secret.
    #[error("{0} can be reached by other computers, so a --token is needed that they have to know")]
    NoToken(SocketAddr),
    /// A name that stands for no address.
    #[error("there is no address {0:?} to listen on: {1}")]
    NoAddress(String, io::Error),
    /// Somebody else listens there.
    #[error("port {0} is taken, perhaps by another tak-engine serve; choose another one with --port")]
    Taken(u16),
    /// The system does not allow it.
    #[error("this user may not listen on port {0}; choose one above 1023 with --port")]
    Forbidden(u16),
    /// Anything else.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// The system gives no more threads, or the like.
    #[error("cannot start the server: {0}")]
    Start(#[from] io::Error),
}

/// A server that listens, so that nobody is turned away from now on, but answers only when it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
    stop: watch::Sender<bool>,
}

/// Ends a server from another thread.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Closes all connections in good order; the server's `run` returns then.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// [`ServeError`] when that is not possible, or not safe.
    pub fn bind(config: Config) -> Result<Self, ServeError> {
        let no_address = |error| ServeError::NoAddress(config.host.clone(), error);
        let addresses = (config.host.as_str(), config.port).to_socket_addrs().map_err(no_address)?;
        let unknown = || no_address(io::Error::from(io::ErrorKind::NotFound));
        // A name such as localhost may stand for one of each version. Browsers try them all.
        let asked = addresses.min_by_key(SocketAddr::is_ipv6).ok_or_else(unknown)?;
        if !asked.ip().is_loopback() {
            if config.token.is_none() {
                return Err(ServeError::NoToken(asked));
            }
            log::warn!(
                "{asked} can be reached by other computers; whoever knows the token can use this one's processors"
            );
        }
        let refused = |error: io::Error| match error.kind() {
            io::ErrorKind::AddrInUse => ServeError::Taken(asked.port()),
            io::ErrorKind::PermissionDenied => ServeError::Forbidden(asked.port()),
            _ => ServeError::Listen(asked, error),
        };
        let listener = TcpListener::bind(asked).map_err(refused)?;
        listener.set_nonblocking(true)?;
        Ok(Self { address: listener.local_addr()?, listener, config, stop: watch::Sender::new(false) })
    }

    /// The address of the page, with the token if there is one.
    #[must_use]
    pub fn url(&self) -> String {
        let host = if self.address.ip().is_unspecified() {
            SocketAddr::from(([127, 0, 0, 1], self.address.port()))
        } else {
            self.address
        };
        let query = self.config.token.as_ref().map(|token| format!("?token={}", token.0));
        format!("http://{host}/{}", query.unwrap_or_default())
    }

    /// What ends this server.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.clone())
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// When the system does not give what a server needs.
    pub fn run(self) -> Result<(), ServeError> {
        // Sessions work on threads of their own; for passing texts on, one thread is enough.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.serve())
    }

    async fn serve(self) -> Result<(), ServeError> {
        let listener = tokio::net::TcpListener::from_std(self.listener)?;
        let mut stopped = self.stop.subscribe();
        let Config { host, origins, token, .. } = self.config;
        let site = Arc::new(Site {
            guard: Guard::new(host, origins, token),
            sessions: Sessions::new(self.config.sessions, self.stop.subscribe()),
            permissions: Permissions { hash_mib: self.config.hash_mib, threads: self.config.threads, files: false },
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
                    if connections.len() >= CONNECTIONS
                        && let Some(oldest) = connections.pop_front()
                    {
                        oldest.abort();
                    }
                    connections.push_back(tokio::spawn(Arc::clone(&site).connection(stream)).abort_handle());
                }
                // Too many open files, most likely: some will be closed soon.
                Err(error) => {
                    warn(&format!("cannot accept a connection: {error}"));
                    sleep(Duration::from_millis(100)).await;
                }
            }
        }
        drop(listener);
        // Whoever does not take leave in time is cut off.
        let _ = timeout(FAREWELL, site.sessions.all_ended()).await;
        Ok(())
    }
}

/// What all connections share.
struct Site {
    guard: Guard,
    sessions: Sessions,
    permissions: Permissions,
}

type Answer = Response<Full<Bytes>>;

impl Site {
    async fn connection(self: Arc<Self>, stream: TcpStream) {
        // Moves are small and should go out at once.
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request| {
            let answer = self.answer(request);
            async move { Ok::<_, Infallible>(answer) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        // Errors are the client's: it went away, or spoke something else.
        let _ = timeout(LIFETIME, connection).await;
    }

    fn answer(&self, request: Request<Incoming>) -> Answer {
        let mut answer = self.route(request).unwrap_or_else(|refusal| {
            self.guard.tell(&refusal);
            text(StatusCode::FORBIDDEN, format!("{refusal}\n"))
        });
        for (name, value) in HEADERS {
            answer.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        answer
    }

    fn route(&self, request: Request<Incoming>) -> Result<Answer, Refusal> {
        let headers = request.headers();
        self.guard.check(value(headers, &header::HOST), value(headers, &header::ORIGIN))?;
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Ok(text(StatusCode::METHOD_NOT_ALLOWED, "only GET is answered\n"));
        }
        let path = request.uri().path();
        let session: Option<Session> = match path {
            "/" | "/tei" => Some(tei::session),
            "/play" => Some(play::session),
            _ => None,
        };
        if session.is_some() {
            self.guard.check_token(request.uri().query())?;
        }
        if let Some(session) = session.filter(|_| hyper_tungstenite::is_upgrade_request(&request)) {
            return Ok(self.upgrade(request, session));
        }
        Ok(match page::file(path) {
            Some(file) => {
                let mut answer = Response::new(Full::from(file.text.as_bytes()));
                let kind = HeaderValue::from_static(file.kind);
                answer.headers_mut().insert(header::CONTENT_TYPE, kind);
                answer
            }
            None if session.is_some() => text(StatusCode::UPGRADE_REQUIRED, "this is a WebSocket\n"),
            None => text(StatusCode::NOT_FOUND, "there is nothing here\n"),
        })
    }

    fn upgrade(&self, request: Request<Incoming>, session: Session) -> Answer {
        match hyper_tungstenite::upgrade(request, Some(socket::config())) {
            Ok((answer, websocket)) => {
                let held = self.sessions.hold(session, self.permissions);
                tokio::spawn(async move {
                    if let Ok(websocket) = websocket.await {
                        held.run(websocket).await;
                    }
                });
                answer
            }
            Err(error) => text(StatusCode::BAD_REQUEST, format!("{error}\n")),
        }
    }
}

fn value<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    // What is not plain text is nobody's name.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

fn text(status: StatusCode, text: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(Full::new(text.into()));
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}
