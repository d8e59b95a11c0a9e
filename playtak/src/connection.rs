//! The connection to the server: a WebSocket with or without TLS, which is restored when it is lost.

use std::fmt;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::pin::Pin;
use std::str::FromStr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use tokio::net::{TcpStream, lookup_host};
use tokio::time::{Instant, sleep, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::http::{HeaderValue, Uri};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{Connector, MaybeTlsStream, WebSocketStream, client_async_tls_with_config};

use crate::bot::Event;
use crate::protocol::Command;

/// The timeout for reaching each address of the server, for the handshakes, and for each write.
const STEP_TIMEOUT: Duration = Duration::from_secs(15);
/// The timeout for the server's end of a connection that was closed here.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(2);
/// The pause before the first reconnect. It doubles with each further attempt.
const MIN_PAUSE: Duration = Duration::from_millis(250);
/// The longest pause between two attempts.
const MAX_PAUSE: Duration = Duration::from_secs(10);
/// After a connection of this duration the next pause is the shortest again.
const STABLE_DURATION: Duration = Duration::from_secs(10);
/// The maximum size of a message in bytes. The longest of the server is the list of players.
const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The address of a server: `wss://host[:port][/path]`, or `ws://` without encryption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
    host: String,
    port: u16,
    is_encrypted: bool,
}

impl FromStr for Address {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "expected wss://HOST[:PORT][/PATH], or ws:// without encryption";
        let uri: Uri = text.parse().map_err(|_| EXPECTED)?;
        let (is_encrypted, usual_port) = match uri.scheme_str() {
            Some("wss") => (true, 443),
            Some("ws") => (false, 80),
            _ => return Err(EXPECTED),
        };
        let authority = uri.authority().ok_or(EXPECTED)?;
        // A name and password in an address would appear in output.
        let is_open = !authority.as_str().contains('@') && !authority.host().is_empty();
        // An invalid port must not select the default one.
        let is_whole = authority.port().is_some() || authority.as_str() == authority.host();
        if !is_open || !is_whole {
            return Err(EXPECTED);
        }
        Ok(Self {
            host: authority.host().trim_matches(['[', ']']).to_owned(),
            port: authority.port_u16().unwrap_or(usual_port),
            is_encrypted,
            uri,
        })
    }
}

impl Address {
    /// Returns whether the connection is encrypted or stays on this machine. A name other than `localhost` may lead
    /// anywhere.
    pub fn is_private(&self) -> bool {
        let is_loopback = |host: IpAddr| host.to_canonical().is_loopback();
        self.is_encrypted || self.host.eq_ignore_ascii_case("localhost") || self.host.parse().is_ok_and(is_loopback)
    }

    /// The name of the server in PTN.
    pub fn site(&self) -> &str {
        if self.host.eq_ignore_ascii_case("playtak.com") { "PlayTak.com" } else { &self.host }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.uri)
    }
}

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// An attempt to connect. Also returns whether the connection is private.
type Attempt = Pin<Box<dyn Future<Output = io::Result<(Socket, bool)>>>>;

enum State {
    Connecting(Attempt),
    Open(Box<Socket>),
    /// The connection has ended, for this reason, which has not been reported yet.
    Lost(String),
}

/// A connection that is restored whenever it is lost.
pub struct Connection {
    address: Address,
    /// The trusted certificates; `None` for the authorities of browsers.
    connector: Option<Connector>,
    state: State,
    /// The start of the last attempt to connect.
    begun: Instant,
    /// The pause before the next attempt.
    pause: Duration,
    /// Lines that were received together with the last one, in reverse.
    lines: Vec<String>,
}

impl Connection {
    /// A connection to the server, which begins with the first call of [`Connection::next`].
    pub fn new(address: Address) -> Self {
        Self::with_connector(address, None)
    }

    fn with_connector(address: Address, connector: Option<Connector>) -> Self {
        let attempt = connect(address.clone(), connector.clone(), Duration::ZERO);
        Self {
            state: State::Connecting(Box::pin(attempt)),
            address,
            connector,
            begun: Instant::now(),
            pause: MIN_PAUSE,
            lines: Vec::new(),
        }
    }

    /// Waits for the next event. A call that is cancelled loses nothing.
    pub async fn next(&mut self) -> Event {
        loop {
            if let Some(line) = self.lines.pop() {
                log::debug!("server: {line:?}");
                return Event::Line(line);
            }
            match &mut self.state {
                State::Connecting(attempt) => match attempt.await {
                    Ok((socket, is_private)) => {
                        self.state = State::Open(Box::new(socket));
                        return Event::Connected { is_private };
                    }
                    Err(error) => self.lose(error.to_string()),
                },
                State::Open(socket) => match socket.next().await {
                    Some(Ok(message)) => self.lines = lines(&message).into_iter().rev().collect(),
                    Some(Err(error)) => self.lose(error.to_string()),
                    None => self.lose("closed".to_owned()),
                },
                State::Lost(why) => {
                    log::warn!("no connection: {why:?}");
                    self.retry();
                    return Event::Disconnected;
                }
            }
        }
    }

    /// Sends a line. If that fails, the loss of the connection is the next event.
    pub async fn send(&mut self, command: &Command) {
        let State::Open(socket) = &mut self.state else {
            return;
        };
        log::debug!("to the server: {command:?}");
        // In ISO-8859-1.
        let bytes: Vec<u8> = command.line().chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
        match timeout(STEP_TIMEOUT, socket.send(Message::Binary(bytes.into()))).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => self.lose(error.to_string()),
            Err(_) => self.lose("the server does not read".to_owned()),
        }
    }

    /// Drops the connection, which is then restored.
    pub fn hang_up(&mut self) {
        if let State::Open(_) = self.state {
            self.lose("ended by the bot".to_owned());
        }
    }

    /// Ends the connection, after the server has received all lines.
    pub async fn close(self) {
        if let State::Open(mut socket) = self.state {
            let end = async {
                let _ = socket.close(None).await;
                while let Some(Ok(_)) = socket.next().await {}
            };
            // A server that does not answer has had its time.
            let _ = timeout(CLOSE_TIMEOUT, end).await;
        }
    }

    fn lose(&mut self, why: String) {
        self.lines.clear();
        self.state = State::Lost(why);
    }

    fn retry(&mut self) {
        if self.begun.elapsed() >= STABLE_DURATION {
            self.pause = MIN_PAUSE;
        }
        let attempt = connect(self.address.clone(), self.connector.clone(), self.pause);
        self.state = State::Connecting(Box::pin(attempt));
        self.begun = Instant::now() + self.pause;
        self.pause = (2 * self.pause).min(MAX_PAUSE);
    }
}

/// The lines of a message, which is in ISO-8859-1 unless it is text.
fn lines(message: &Message) -> Vec<String> {
    let text = match message {
        Message::Text(text) => text.as_str().to_owned(),
        Message::Binary(bytes) => bytes.iter().copied().map(char::from).collect(),
        _ => return Vec::new(),
    };
    text.lines().map(str::to_owned).collect()
}

/// Connects after a pause. Also returns whether the connection is private.
async fn connect(address: Address, connector: Option<Connector>, pause: Duration) -> io::Result<(Socket, bool)> {
    sleep(pause).await;
    let stream = reach(&address).await?;
    let is_loopback = stream.peer_addr()?.ip().to_canonical().is_loopback();
    let mut request = (&address.uri).into_client_request().map_err(io::Error::other)?;
    request.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static("binary"));
    let config =
        WebSocketConfig::default().max_message_size(Some(MAX_MESSAGE_BYTES)).max_frame_size(Some(MAX_MESSAGE_BYTES));
    let shaken = timeout(STEP_TIMEOUT, client_async_tls_with_config(request, stream, Some(config), connector)).await?;
    let (socket, _) = shaken.map_err(|error| match error {
        tungstenite::Error::Io(error) => error,
        error => io::Error::other(error),
    })?;
    Ok((socket, address.is_encrypted || is_loopback))
}

/// Tries all addresses of the host.
async fn reach(address: &Address) -> io::Result<TcpStream> {
    let mut last = io::Error::from(ErrorKind::NotFound);
    for candidate in lookup_host((address.host.as_str(), address.port)).await? {
        match timeout(STEP_TIMEOUT, TcpStream::connect(candidate)).await {
            Ok(Ok(stream)) => {
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Ok(Err(error)) => last = error,
            Err(elapsed) => last = elapsed.into(),
        }
    }
    Err(last)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::sync::mpsc::{Receiver, channel};
    use std::thread;

    use rustls::pki_types::pem::PemObject;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};
    use rustls::{ClientConfig, RootCertStore, ServerConfig, ServerConnection, StreamOwned};
    use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};

    use super::*;

    /// A self-signed certificate for `localhost`, valid from 2020 to 9999, and its key, both made with openssl.
    const LOCALHOST: &[u8] = include_bytes!("localhost.pem");

    /// A server that sends one line over TLS, and forwards the first that it receives.
    fn encrypted_server(certificate: CertificateDer<'static>) -> (u16, Receiver<Vec<u8>>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let key = PrivateKeyDer::from_pem_slice(LOCALHOST).unwrap();
        let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key);
        let config = Arc::new(config.unwrap());
        let (heard, lines) = channel();
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
                let stream = StreamOwned::new(connection, stream);
                #[allow(clippy::result_large_err)]
                let answer = |_: &Request, mut response: Response| {
                    response.headers_mut().insert("Sec-WebSocket-Protocol", HeaderValue::from_static("binary"));
                    Ok(response)
                };
                if let Ok(mut socket) = tungstenite::accept_hdr(stream, answer) {
                    let line = Message::Binary(b"caf\xe9\n".to_vec().into());
                    socket.send(line).unwrap();
                    let _ = heard.send(socket.read().unwrap().into_data().to_vec());
                }
            }
        });
        (port, lines)
    }

    #[tokio::test]
    async fn only_trusted_servers_are_reached() {
        let certificate = CertificateDer::from_pem_slice(LOCALHOST).unwrap();
        let (port, heard) = encrypted_server(certificate.clone());
        let address: Address = format!("wss://localhost:{port}/ws").parse().unwrap();
        // A server without a trusted certificate.
        let error = connect(address.clone(), None, Duration::ZERO).await.map(drop).unwrap_err();
        assert!(error.to_string().contains("certificate"), "{error}");

        let mut roots = RootCertStore::empty();
        roots.add(certificate).unwrap();
        let config = ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let connector = Connector::Rustls(Arc::new(config));
        let mut connection = Connection::with_connector(address, Some(connector));
        assert!(matches!(connection.next().await, Event::Connected { is_private: true }));
        assert!(matches!(connection.next().await, Event::Line(line) if line == "caf\u{e9}"));
        connection.send(&Command::Ping).await;
        assert_eq!(heard.recv().unwrap(), b"PING");
        connection.close().await;
    }

    #[test]
    fn only_encrypted_and_loopback_addresses_are_private() {
        for (text, host, port, is_private) in [
            ("wss://PlayTak.com/ws", "PlayTak.com", 443, true),
            ("ws://LOCALHOST", "LOCALHOST", 80, true),
            ("ws://127.0.0.2:9999", "127.0.0.2", 9999, true),
            ("ws://[::1]:1", "::1", 1, true),
            ("ws://playtak.com", "PlayTak.com", 80, false),
            ("ws://192.0.2.1:9999", "192.0.2.1", 9999, false),
            ("ws://localhost.example", "localhost.example", 80, false),
            ("ws://[2001:db8::1]", "2001:db8::1", 80, false),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!((address.site(), address.port, address.is_private()), (host, port, is_private), "{text}");
        }
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for bad in [
            "",
            "playtak.com",
            "http://playtak.com",
            "wss://",
            "wss://a:b@playtak.com",
            "wss:///ws",
            "ws://127.0.0.1:99999",
            "ws://127.0.0.1:",
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad:?}");
        }
    }
}
